//! How much of an image a reader unfolds.
//!
//! An image is a graph: one value may stand at many places, and one list of names may serve many objects. So what is
//! delivered is counted, as values and as bytes of names and leaves. Limits of the caller's choice are too wide for small
//! images, which a few bytes could make unfold to all that the limits allow; so the size of the image sets bounds too.

use boson_document::{DecodeError, Limit, Limits};

use crate::fault;

/// How many values any image may unfold into.
const NODES_MIN: u64 = 1 << 16;
/// How many more, for each of its bytes.
const NODES_PER_BYTE: u64 = 1 << 10;
/// How many bytes of names and leaves any image may unfold into.
const UNFOLDED_BYTES_MIN: u64 = 64 << 20;
/// How many a larger image may, for each of its bytes.
const UNFOLDED_PER_BYTE: u64 = 1 << 8;
/// How many at most, as a multiple of the limit of bytes.
const UNFOLDED_PER_LIMIT: u64 = 8;

/// What may still be delivered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    nodes: u64,
    bytes: u64,
}

impl Budget {
    /// For what need not be bounded.
    pub(crate) const UNBOUNDED: Self = Self { nodes: u64::MAX, bytes: u64::MAX };

    /// What `limits` and the length of the image, `len` bytes, allow both.
    pub(crate) fn new(limits: &Limits, len: usize) -> Self {
        let (len, bytes_max) = (len_u64(len), len_u64(limits.bytes));
        let nodes = NODES_MIN.saturating_add(len.saturating_mul(NODES_PER_BYTE));
        let bytes = UNFOLDED_BYTES_MIN.max(len.saturating_mul(UNFOLDED_PER_BYTE));
        Self { nodes: nodes.min(limits.nodes), bytes: bytes.min(bytes_max.saturating_mul(UNFOLDED_PER_LIMIT)) }
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
        let left = self.bytes.checked_sub(len_u64(bytes));
        self.bytes = left.ok_or_else(|| fault::limit(at, Limit::SharedBytes))?;
        Ok(())
    }
}

fn len_u64(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}
