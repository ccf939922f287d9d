//! The engine's block compressors, each as long as the engine makes it.

use std::fmt;

use crate::compress;

/// What `block_compressor` of a collection may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compressor {
    /// Pages are written as they are.
    None,
    /// What MongoDB takes unless told otherwise.
    Snappy,
    /// zlib at level 6.
    Zlib,
    /// Zstandard at level 6.
    Zstd,
}

/// The engine writes the length before what these two compressors make, which do not say it themselves.
const LENGTH_PREFIX: usize = 8;

/// The level MongoDB configures for zlib and Zstandard.
const LEVEL: u8 = 6;

impl Compressor {
    /// Every one, the default first after none.
    pub const ALL: [Self; 4] = [Self::None, Self::Snappy, Self::Zlib, Self::Zstd];

    /// The name in `storageEngine.wiredTiger.configString`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Snappy => "snappy",
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
        }
    }

    /// How long `bytes` become, or `None` where nothing compresses them: `scratch` is reused.
    pub(crate) fn compressed_len(self, bytes: &[u8], scratch: &mut Vec<u8>) -> Option<u64> {
        let len = match self {
            Self::None => return None,
            Self::Snappy => LENGTH_PREFIX + compress::snappy(bytes, scratch)?,
            Self::Zlib => compress::zlib(bytes, LEVEL, scratch)?,
            Self::Zstd => LENGTH_PREFIX + compress::zstd(bytes, LEVEL, scratch)?,
        };
        u64::try_from(len).ok().filter(|_| len < bytes.len())
    }
}

impl fmt::Display for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
