//! The compressors that drivers and servers agree on.

use std::fmt;

use crate::compress;

/// What `compressors=` of a connection string may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireCompressor {
    /// Snappy's block format.
    Snappy,
    /// zlib at its default level.
    Zlib,
    /// Zstandard at its default level.
    Zstd,
}

/// What zlib and Zstandard take unless told otherwise.
const ZLIB_LEVEL: u8 = 6;
const ZSTD_LEVEL: u8 = 3;

impl WireCompressor {
    /// Every one, in the order in which servers offer them.
    pub const ALL: [Self; 3] = [Self::Snappy, Self::Zstd, Self::Zlib];

    /// The name in a connection string.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Snappy => "snappy",
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
        }
    }

    pub(crate) fn compressed_len(self, bytes: &[u8], scratch: &mut Vec<u8>) -> Option<u64> {
        let len = match self {
            Self::Snappy => compress::snappy(bytes, scratch)?,
            Self::Zlib => compress::zlib(bytes, ZLIB_LEVEL, scratch)?,
            Self::Zstd => compress::zstd(bytes, ZSTD_LEVEL, scratch)?,
        };
        Some(len as u64)
    }
}

impl fmt::Display for WireCompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
