//! How much of a document a reader is willing to follow.

/// Bounds that a reader keeps to whatever the input claims.
///
/// An OSON tree is a graph, since values may be shared, so a small image can hold more values than anyone can visit: a
/// budget of nodes stands beside the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Containers inside containers; the root counts as 1.
    pub depth: u32,
    /// Values visited in one walk, containers included. Of an OSON image whose values are shared again and again fewer
    /// are: the size of the image bounds them too.
    pub nodes: u64,
    /// Bytes in one document. What an OSON image delivers, where values are shared, may have 8 times as many.
    pub bytes: usize,
}

impl Limits {
    /// For BSON: 200 levels, as libbson and the server have it; 16 MiB and the 16 KiB that a server allows an oplog
    /// entry on top.
    pub const BSON: Self = Self { depth: 200, nodes: u64::MAX, bytes: (16 << 20) + (16 << 10) };

    /// For OSON: 1024 levels and 32 MiB, as Oracle Database has them; a budget of 2^26 nodes, which an image of 32 MiB
    /// reaches only by sharing values.
    pub const OSON: Self = Self { depth: 1024, nodes: 1 << 26, bytes: 32 << 20 };

    /// For JSON text: 1024 levels and 256 MiB, for the text of the largest documents of BSON and OSON is well below that.
    pub const JSON: Self = Self { depth: 1024, nodes: u64::MAX, bytes: 256 << 20 };

    /// The same limits for documents of up to `bytes` bytes.
    #[must_use]
    pub const fn with_bytes(self, bytes: usize) -> Self {
        Self { bytes, ..self }
    }

    /// The same limits for up to `depth` levels.
    #[must_use]
    pub const fn with_depth(self, depth: u32) -> Self {
        Self { depth, ..self }
    }

    /// The same limits for walks of up to `nodes` values.
    #[must_use]
    pub const fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes, ..self }
    }
}
