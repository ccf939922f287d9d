//! The header, field by field. It is read from the bytes themselves, as far as they go: the header may be at fault.

use boson_document::{Note, Role, Span};

use super::place::{Flags, counted};
use super::teller::{Extra, Teller};
use crate::tag::{self, flag};

/// The primary flags, in the order of their bits.
const FLAGS: [(u16, &str); 16] = [
    (flag::RELATIVE_OFFSETS, "child offsets are relative to their container"),
    (flag::INLINE_LEAF, "leaf values are inline"),
    (flag::LENGTH_IN_OPCODE, "lengths may stand in the opcode"),
    (flag::NAME_COUNT_UB4, "number of short names and field ids are UB4"),
    (flag::SCALAR, "the document is a scalar"),
    (flag::SIMPLE_VALUES_SHARED, "simple values are stored once"),
    (flag::LAST_VALUES_SHARED, "a value equal to the last under its name is shared"),
    (flag::RESERVED_0080, "reserved, must not be set"),
    (flag::HASH_UB1, "hashes of short names are UB1"),
    (flag::HASH_UB2, "hashes of short names are UB2, which nobody writes"),
    (flag::NAME_COUNT_UB2, "number of short names and field ids are UB2"),
    (flag::HEAP_UB4, "size of the heap and name offsets are UB4"),
    (flag::TREE_UB4, "size of the tree segment is UB4"),
    (flag::TINY_NODES, "tiny nodes were counted"),
    (flag::SERVER_4000, "set by servers, meaning unknown"),
    (flag::IDS_UNSORTED, "field ids are not sorted in any object"),
];

const SECONDARY_FLAGS: [(u16, &str); 1] = [(tag::LONG_OFFSETS_UB2, "offsets of long names are UB2")];

impl<E, F: FnMut(&Note<'_>) -> Result<(), E>> Teller<'_, '_, F> {
    pub(super) fn header(&mut self) -> Result<(), E> {
        self.field(3, Role::Magic, magic)?;
        self.field(1, Role::Version, version)?;
        let flags = self.number(self.at, 2);
        let has = |wanted: u16| flags & u64::from(wanted) != 0;
        self.field(2, Role::Flags, |number| Flags::new("flags", number, &FLAGS).to_string())?;
        let is_container = !has(flag::SCALAR);
        if is_container {
            self.short_names(
                if has(flag::NAME_COUNT_UB4) {
                    4
                } else if has(flag::NAME_COUNT_UB2) {
                    2
                } else {
                    1
                },
                has(flag::HEAP_UB4),
            )?;
        }
        let tree = |number| format!("tree segment of {}", counted(number, "byte"));
        self.field(if has(flag::TREE_UB4) { 4 } else { 2 }, Role::HeaderSize, tree)?;
        if is_container {
            self.field(2, Role::HeaderSize, |number| format!("tiny-node count {number}, a statistic"))?;
        }
        Ok(())
    }

    fn short_names(&mut self, count_len: usize, heap_is_ub4: bool) -> Result<(), E> {
        self.field(count_len, Role::HeaderSize, |number| counted(number, "short name"))?;
        let heap = |number| format!("heap of short names of {}", counted(number, "byte"));
        self.field(if heap_is_ub4 { 4 } else { 2 }, Role::HeaderSize, heap)?;
        if self.bytes.get(3).is_some_and(|&version| version >= tag::VERSION_LONG_NAMES) {
            let flags = |number| Flags::new("secondary flags", number, &SECONDARY_FLAGS).to_string();
            self.field(2, Role::Flags, flags)?;
            self.field(4, Role::HeaderSize, |number| counted(number, "long name"))?;
            self.field(4, Role::HeaderSize, |number| format!("heap of long names of {}", counted(number, "byte")))?;
        }
        Ok(())
    }

    /// The number in the next `len` bytes.
    pub(super) fn field(&mut self, len: usize, role: Role, meaning: impl FnOnce(u64) -> String) -> Result<(), E> {
        self.whole = Span::new(self.at, len);
        let number = self.number(self.at, len);
        self.region(len, role, Extra::NONE, format_args!("{}", meaning(number)))
    }
}

fn magic(number: u64) -> String {
    const MAGIC: u64 = 0xFF_4A5A;
    if number == MAGIC { "OSON" } else { "not the FF 4A 5A of OSON" }.to_owned()
}

fn version(number: u64) -> String {
    let what = match number {
        1 => "short names only, never updated in place",
        2 => "short names only, may be updated in place",
        3 => "long names, never updated in place",
        4 => "long names, may be updated in place",
        _ => "not known",
    };
    format!("version {number}: {what}")
}
