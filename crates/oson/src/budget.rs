//! How much of an image a reader unfolds.
//!
//! An image is a graph: one value may stand at many places, and one list of names may serve many objects. So what is
//! delivered is counted, as values and as bytes of names and leaves; the size of the image bounds neither.

use boson_document::{DecodeError, Limit, Limits};

use crate::fault;

/// How many values any image may unfold into when its reader sets no bounds.
const NODES_MIN: u64 = 1 << 16;
/// How many more, for each of its bytes.
const NODES_PER_BYTE: u64 = 1 << 10;
/// How many bytes of names and leaves may be delivered, as a multiple of the limit of bytes.
const UNFOLDED_BYTES_MAX: u64 = 16;

/// What may still be delivered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    nodes: u64,
    bytes: u64,
}

impl Budget {
    /// All that `limits` allow.
    pub(crate) fn new(limits: &Limits) -> Self {
        let bytes = u64::try_from(limits.bytes).unwrap_or(u64::MAX);
        Self { nodes: limits.nodes, bytes: bytes.saturating_mul(UNFOLDED_BYTES_MAX) }
    }

    /// Takes `nodes` values, met at `at`.
    #[inline]
    pub(crate) fn pay_nodes(&mut self, at: usize, nodes: u64) -> Result<(), DecodeError> {
        let left = self.nodes.checked_sub(nodes);
        self.nodes = left.ok_or_else(|| fault::limit(at, Limit::Nodes))?;
        Ok(())
    }

    /// Takes `bytes` bytes of a name or a leaf, met at `at`.
    #[inline]
    pub(crate) fn pay_bytes(&mut self, at: usize, bytes: usize) -> Result<(), DecodeError> {
        let left = self.bytes.checked_sub(u64::try_from(bytes).unwrap_or(u64::MAX));
        self.bytes = left.ok_or_else(|| fault::limit(at, Limit::Bytes))?;
        Ok(())
    }
}

/// The limits for an image of `len` bytes whose reader sets none: [`Limits::OSON`], with fewer values if it is small.
pub(crate) fn default_limits(len: usize) -> Limits {
    let bytes = u64::try_from(len).unwrap_or(u64::MAX);
    let nodes = NODES_MIN.saturating_add(bytes.saturating_mul(NODES_PER_BYTE));
    Limits::OSON.with_nodes(nodes.min(Limits::OSON.nodes))
}
