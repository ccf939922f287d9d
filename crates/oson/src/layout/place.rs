//! Names, paths and numbers as they stand in meanings: short, whatever the image says.

use std::fmt;

use super::found::{Found, Owner};
use crate::node::Node;
use crate::update::Resolved;
use crate::view::Document;
use crate::width::{ub1, widen};

/// How much of a name is told.
const NAME_SHOWN_MAX: usize = 64;

/// About how many letters a path has; what is further up is left out.
const PATH_LEN_MAX: usize = 48;

/// A name in quotes, cut when it is long; what is not UTF-8 is U+FFFD.
pub(super) struct Shown<'a>(pub(super) &'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(self.0.get(..NAME_SHOWN_MAX).unwrap_or(self.0));
        write!(f, "{text:?}")?;
        if self.0.len() > NAME_SHOWN_MAX { write!(f, "… ({} bytes)", self.0.len()) } else { Ok(()) }
    }
}

/// `1 byte`, `2 bytes`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("{count} {noun}") } else { format!("{count} {noun}s") }
}

/// Flags with a line for each bit that is set.
pub(super) struct Flags<'t> {
    what: &'static str,
    bits: u64,
    names: &'t [(u16, &'static str)],
}

impl<'t> Flags<'t> {
    pub(super) const fn new(what: &'static str, flags: u64, names: &'t [(u16, &'static str)]) -> Self {
        Self { what, bits: flags, names }
    }
}

impl fmt::Display for Flags<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, bits: flags, names } = self;
        write!(f, "{what} 0x{flags:04x}")?;
        for bit in (0..16).map(|shift| 1_u16 << shift).filter(|&bit| flags & u64::from(bit) != 0) {
            let name =
                names.iter().find(|(known, _)| *known == bit).map_or("reserved, must not be set", |(_, name)| name);
            write!(f, "\n0x{bit:04x} {name}")?;
        }
        Ok(())
    }
}

impl Found {
    /// The path of the value that `owner` refers to, its upper end left out where it is long.
    pub(super) fn path(&self, document: &Document<'_>, owner: Owner) -> String {
        let mut steps: Vec<String> = Vec::new();
        let mut at = owner;
        let mut len = 0_usize;
        while at != Owner::ROOT {
            if len > PATH_LEN_MAX {
                steps.push("…".to_owned());
                break;
            }
            let step = step(document, at).unwrap_or_else(|| "?".to_owned());
            len = len.saturating_add(step.len());
            steps.push(step);
            at = self.node(at.container_at).map_or(Owner::ROOT, |part| part.owner);
        }
        if at == Owner::ROOT {
            steps.push("$".to_owned());
        }
        steps.iter().rev().map(String::as_str).collect()
    }
}

/// `.name` or `[1]`.
fn step(document: &Document<'_>, owner: Owner) -> Option<String> {
    let at = widen(owner.container_at);
    let container = document.container(at, ub1(document.source, at).ok()?).ok()?;
    let index = widen(owner.index);
    if container.is_array() {
        return Some(format!("[{index}]"));
    }
    let name = document.source.get(name_at(document, document.field_id(&container, index).ok()?)?.range())?;
    let cut = name.get(..NAME_SHOWN_MAX).unwrap_or(name);
    let text = String::from_utf8_lossy(cut);
    let step = boson_document::FieldName(&text).to_string();
    Some(if cut.len() < name.len() { format!("{step}…") } else { step })
}

/// Where the name with this id stands.
pub(super) fn name_at(document: &Document<'_>, id: usize) -> Option<boson_document::Span> {
    document.header.name_span(document.source, id.checked_sub(1)?).ok()?
}

/// What the node at `at` is, in a word or two.
pub(super) fn kind_at(document: &Document<'_>, at: usize) -> &'static str {
    let Ok(opcode) = ub1(document.source, at) else { return "beyond the end" };
    if crate::update::is_moved(opcode) {
        return "moved";
    }
    match document.node(Resolved { at, opcode, hops: 0 }) {
        Ok(node @ (Node::Container(_) | Node::Leaf(_))) => node.kind().name(),
        Err(_) => "unreadable",
    }
}
