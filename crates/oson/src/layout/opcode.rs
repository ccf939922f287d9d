//! Opcodes in words.

use std::fmt;

use super::place::counted;
use crate::header::Header;
use crate::node::Container;
use crate::scalar::{Class, Leaf};
use crate::tag::{container, flag, opcode};
use crate::width::Width;

/// What the opcode of a leaf says.
pub(super) struct LeafText<'n> {
    pub(super) leaf: &'n Leaf,
    pub(super) opcode: u8,
}

impl fmt::Display for LeafText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = self.leaf.end.saturating_sub(self.leaf.payload_at);
        let name = match self.leaf.class {
            Class::True => return f.write_str("true"),
            Class::False => return f.write_str("false"),
            Class::Null => return f.write_str("null"),
            Class::Int32 => "int as NUMBER",
            Class::Int64 => "long as NUMBER",
            Class::Decimal => "decimal as NUMBER",
            Class::Binary => "binary",
            class => class.kind(len).name(),
        };
        let bytes = counted(u64::try_from(len).unwrap_or(u64::MAX), "byte");
        let length_len = self.leaf.payload_at.saturating_sub(self.leaf.at).saturating_sub(self.leaf.opcode_len());
        match length_len {
            0 if self.opcode == opcode::TIMESTAMP_WHOLE => write!(f, "{name} without a fraction, {bytes}"),
            0 => write!(f, "{name} of {bytes}"),
            len => write!(f, "{name} of {bytes}, length UB{len}"),
        }
    }
}

/// What the opcode of a container says.
pub(super) struct ContainerText<'n> {
    pub(super) container: &'n Container,
    pub(super) header: &'n Header,
}

impl fmt::Display for ContainerText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Container { opcode, count, .. } = *self.container;
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        if self.container.is_array() {
            write!(f, "array of {}", counted(count, "element"))?;
        } else {
            write!(f, "object of {}", counted(count, "field"))?;
        }
        if self.container.is_shared() {
            f.write_str(", count and ids of another")?;
        } else {
            write!(f, ", count UB{}", self.container.count_width.bytes())?;
        }
        let relative = if self.header.has(flag::RELATIVE_OFFSETS) { "relative " } else { "" };
        write!(f, ", {relative}offsets UB{}", self.container.offset_width().bytes())?;
        if !self.container.is_array() {
            for (bit, text) in [(container::IDS_UNSORTED, "ids unsorted"), (container::IDS_LENT, "ids used by others")]
            {
                if opcode & bit != 0 {
                    write!(f, ", {text}")?;
                }
            }
        }
        Ok(())
    }
}

/// What the opcode of a forwarding says.
pub(super) const fn moved_text(code: u8) -> &'static str {
    match code {
        opcode::MOVED_BY_MAP => "moved by an update, to where the overflow map says",
        opcode::MOVED_UB2 => "moved by an update, offset UB2",
        opcode::MOVED_UB4 => "moved by an update, offset UB4",
        _ => "object that was moved by an update, to where the overflow map says; others use its ids",
    }
}

/// How many bytes of an offset follow the opcode of a forwarding.
pub(super) const fn moved_width(code: u8) -> Option<Width> {
    match code {
        opcode::MOVED_UB2 => Some(Width::Ub2),
        opcode::MOVED_UB4 => Some(Width::Ub4),
        _ => None,
    }
}
