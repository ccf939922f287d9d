//! How much of an image is of no use any more, and when that is too much.

use super::census::Sharing;
use super::place::freed_len;
use crate::node::{Container, Node};
use crate::tour::forwarding_len;
use crate::update::is_moved;
use crate::view::Document;
use crate::width::ub1;

/// When it pays to write an image anew that was updated in place.
///
/// By default when more than half of it is of no use any more, and that is more than 4 KiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How many percent of the image may be slack.
    pub slack_percent_max: usize,
    /// How many bytes of slack are nothing to care about, however small the image is.
    pub slack_bytes_min: usize,
}

impl Default for Policy {
    fn default() -> Self {
        Self { slack_percent_max: 50, slack_bytes_min: 4096 }
    }
}

impl Policy {
    /// Whether an image of `len` bytes, of which `slack_len` are of no use, is to be written anew.
    pub const fn pays(&self, len: usize, slack_len: usize) -> bool {
        slack_len > self.slack_bytes_min && slack_len.saturating_mul(100) > len.saturating_mul(self.slack_percent_max)
    }
}

/// How many bytes are given up with the value at `at`: those of the nodes in it that nothing else leads to. `stack` is
/// room to work in.
///
/// Nodes cannot have more bytes than the image: where they seem to, an image that is trusted has containers inside
/// themselves or at several places, and the walk ends.
pub(super) fn given_up(
    document: &Document<'_>,
    sharing: &Sharing,
    at: usize,
    stack: &mut Vec<(Container, usize)>,
) -> usize {
    stack.clear();
    let mut len = node(document, sharing, at, stack);
    while let Some((container, next)) = stack.last_mut() {
        if len > document.source.len() {
            return 0;
        }
        if *next == container.count {
            stack.pop();
            continue;
        }
        let index = *next;
        *next = index.saturating_add(1);
        // What cannot be read counts for nothing here; the edit itself does not look at it.
        if let Ok(at) = document.child(container, index) {
            len = len.saturating_add(node(document, sharing, at, stack));
        }
    }
    len
}

/// The bytes of one node and of the forwardings to it; a container's children come next.
fn node(document: &Document<'_>, sharing: &Sharing, mut at: usize, stack: &mut Vec<(Container, usize)>) -> usize {
    let Ok(resolved) = document.resolve(at, document) else { return 0 };
    let mut len = 0_usize;
    for _ in 0..resolved.hops {
        let Ok(code) = ub1(document.source, at) else { return len };
        let Ok(to) = document.forward(at, code, document) else { return len };
        if sharing.is_shared(document.header.flags, at, code, false) {
            return len;
        }
        len = len.saturating_add(forwarding_len(code));
        at = to;
    }
    debug_assert!(ub1(document.source, at).is_ok_and(|code| !is_moved(code)), "the hops were counted");
    let Ok(found) = document.node(resolved) else { return len };
    let is_empty = matches!(found, Node::Container(Container { count: 0, .. }));
    if sharing.is_shared(document.header.flags, at, resolved.opcode, is_empty) {
        return len;
    }
    if let Node::Container(container) = found {
        stack.push((container, 0));
    }
    len.saturating_add(freed_len(&found))
}
