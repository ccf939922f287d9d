//! The numbers of the format: magic, versions, flags, opcodes. Section numbers are those of docs/format/oson.md.

/// The first three bytes of every image.
pub const MAGIC: [u8; 3] = [0xFF, 0x4A, 0x5A];

/// Version: short names only, never updated in place.
pub const VERSION_PLAIN: u8 = 1;
/// Version: [`VERSION_PLAIN`] with room for in-place updates after the tree.
pub const VERSION_UPDATED: u8 = 2;
/// Version: [`VERSION_PLAIN`] with a second dictionary of long names.
pub const VERSION_LONG_NAMES: u8 = 3;
/// Version: long names and in-place updates.
pub const VERSION_LONG_NAMES_UPDATED: u8 = 4;

/// The primary flags of the header.
pub mod flag {
    /// Child offsets are distances from their container's opcode.
    pub const RELATIVE_OFFSETS: u16 = 0x0001;
    /// Leaf values stand in the tree. Always set.
    pub const INLINE_LEAF: u16 = 0x0002;
    /// Lengths may stand in the opcode.
    pub const LENGTH_IN_OPCODE: u16 = 0x0004;
    /// The number of short names and the field ids are UB4.
    pub const NAME_COUNT_UB4: u16 = 0x0008;
    /// The document is a scalar: no dictionary, no tiny-node count.
    pub const SCALAR: u16 = 0x0010;
    /// Simple values (true, false, null, 0, 1, "", {}, []) were stored once and shared. No proof that nothing else is.
    pub const SIMPLE_VALUES_SHARED: u16 = 0x0020;
    /// A value equal to the last one under the same name was shared.
    pub const LAST_VALUES_SHARED: u16 = 0x0040;
    /// Not used by anyone: refused.
    pub const RESERVED_0080: u16 = 0x0080;
    /// The hashes of short names are UB1. Set whenever there are short names.
    pub const HASH_UB1: u16 = 0x0100;
    /// The hashes of short names are UB2. Not used by anyone: refused.
    pub const HASH_UB2: u16 = 0x0200;
    /// The number of short names and the field ids are UB2.
    pub const NAME_COUNT_UB2: u16 = 0x0400;
    /// The size of the short-name heap and the offsets into it are UB4.
    pub const HEAP_UB4: u16 = 0x0800;
    /// The size of the tree segment is UB4.
    pub const TREE_UB4: u16 = 0x1000;
    /// The tiny-node count is a statistic somebody kept.
    pub const TINY_NODES: u16 = 0x2000;
    /// Set by servers, meaning unknown: ignored.
    pub const SERVER_4000: u16 = 0x4000;
    /// The field ids of no object are sorted.
    pub const IDS_UNSORTED: u16 = 0x8000;
}

/// Secondary flag (versions 3 and 4): the offsets of long names are UB2, else UB4. Every other bit is reserved.
pub const LONG_OFFSETS_UB2: u16 = 0x0100;

/// Flag of the update header: the entries of the overflow map are pairs of UB2, else of UB4. Every other bit is
/// reserved.
pub const MAP_UB2: u16 = 0x0100;

/// How long the update header is, in bytes.
pub const UPDATE_HEADER_LEN: usize = 16;

/// The most bytes a name of the short dictionary has.
pub const SHORT_NAME_BYTES_MAX: usize = 255;
/// The most bytes any name has.
pub const NAME_BYTES_MAX: usize = 65_535;

/// The bits of a container's opcode: `1 t w c c n s u`.
pub mod container {
    /// Set in the opcode of every container.
    pub const CONTAINER: u8 = 0x80;
    /// An array, else an object.
    pub const ARRAY: u8 = 0x40;
    /// Child offsets are UB4, else UB2.
    pub const OFFSETS_UB4: u8 = 0x20;
    /// The two bits that say where the child count stands.
    pub const COUNT_MASK: u8 = 0x18;
    /// The child count is UB1.
    pub const COUNT_UB1: u8 = 0x00;
    /// The child count is UB2.
    pub const COUNT_UB2: u8 = 0x08;
    /// The child count is UB4.
    pub const COUNT_UB4: u8 = 0x10;
    /// Count and ids are those of another object, whose offset follows. An error for arrays.
    pub const COUNT_SHARED: u8 = 0x18;
    /// The field ids of this object are not sorted.
    pub const IDS_UNSORTED: u8 = 0x04;
    /// Another object refers to this one's ids.
    pub const IDS_LENT: u8 = 0x02;
    /// With [`IDS_LENT`]: the object was moved by an update, found through the overflow map.
    pub const MOVED: u8 = 0x01;
}

/// The opcodes of scalars and of what an update leaves behind. Names with `_FIRST` and `_LAST` are ranges whose low
/// bits hold a length.
pub mod opcode {
    /// A string of as many bytes as the opcode says: the last of the range from 0.
    pub const STRING_LAST: u8 = 0x1F;
    /// NUMBER of (low nibble + 1) bytes: the first.
    pub const NUMBER_FIRST: u8 = 0x20;
    /// NUMBER of (low nibble + 1) bytes: the last.
    pub const NUMBER_LAST: u8 = 0x2F;
    /// null.
    pub const NULL: u8 = 0x30;
    /// true.
    pub const TRUE: u8 = 0x31;
    /// false.
    pub const FALSE: u8 = 0x32;
    /// String, length UB1.
    pub const STRING_UB1: u8 = 0x33;
    /// NUMBER, length UB1.
    pub const NUMBER_UB1: u8 = 0x34;
    /// A number as decimal text, length UB1.
    pub const DECIMAL_TEXT_UB1: u8 = 0x35;
    /// `BINARY_DOUBLE`, 8 bytes.
    pub const BINARY_DOUBLE: u8 = 0x36;
    /// String, length UB2.
    pub const STRING_UB2: u8 = 0x37;
    /// String, length UB4.
    pub const STRING_UB4: u8 = 0x38;
    /// TIMESTAMP, 11 bytes.
    pub const TIMESTAMP: u8 = 0x39;
    /// Binary, length UB2.
    pub const BINARY_UB2: u8 = 0x3A;
    /// Binary, length UB4.
    pub const BINARY_UB4: u8 = 0x3B;
    /// DATE, 7 bytes.
    pub const DATE: u8 = 0x3C;
    /// INTERVAL YEAR TO MONTH, 5 bytes.
    pub const INTERVAL_YEAR_MONTH: u8 = 0x3D;
    /// INTERVAL DAY TO SECOND, 11 bytes.
    pub const INTERVAL_DAY_SECOND: u8 = 0x3E;
    /// Was a 32-bit integer, NUMBER of (low three bits) bytes: the first.
    pub const INT32_FIRST: u8 = 0x40;
    /// Was a 32-bit integer, NUMBER of (low three bits) bytes: the last.
    pub const INT32_LAST: u8 = 0x47;
    /// Was a 64-bit integer, NUMBER of (low nibble) bytes: the first.
    pub const INT64_FIRST: u8 = 0x50;
    /// Was a 64-bit integer, NUMBER of (low nibble) bytes: the last.
    pub const INT64_LAST: u8 = 0x5F;
    /// Was a decimal128, NUMBER of (low nibble + 1) bytes: the first.
    pub const DECIMAL_FIRST: u8 = 0x60;
    /// Was a decimal128, NUMBER of (low nibble + 1) bytes: the last.
    pub const DECIMAL_LAST: u8 = 0x6F;
    /// Was a decimal128, NUMBER with length UB1.
    pub const DECIMAL_UB1: u8 = 0x74;
    /// Moved by an update: the overflow map knows where.
    pub const MOVED_BY_MAP: u8 = 0x75;
    /// Moved by an update: UB2 offset into the extended tree segment.
    pub const MOVED_UB2: u8 = 0x76;
    /// Moved by an update: UB4 offset into the extended tree segment.
    pub const MOVED_UB4: u8 = 0x77;
    /// Reserved: refused.
    pub const RESERVED: u8 = 0x78;
    /// The first byte of two-byte opcodes.
    pub const EXTENDED: u8 = 0x7B;
    /// After [`EXTENDED`]: VECTOR, length UB4.
    pub const EXTENDED_VECTOR: u8 = 0x01;
    /// TIMESTAMP WITH TIME ZONE, 13 bytes.
    pub const TIMESTAMP_TZ: u8 = 0x7C;
    /// TIMESTAMP with a fraction of zero, 7 bytes.
    pub const TIMESTAMP_WHOLE: u8 = 0x7D;
    /// ID, length UB1.
    pub const ID_UB1: u8 = 0x7E;
    /// `BINARY_FLOAT`, 4 bytes.
    pub const BINARY_FLOAT: u8 = 0x7F;
}

/// The most bytes an ID has.
pub const ID_BYTES_MAX: usize = 127;
/// The most bytes a number has that is stored as its text.
pub const DECIMAL_TEXT_BYTES_MAX: usize = 255;
/// The most bytes a NUMBER has: an exponent and 20 digits, or, when negative, fewer digits and the closing 102.
pub const NUMBER_BYTES_MAX: usize = 21;
