//! What a profile is told before it sees a document.

use serde::{Deserialize, Serialize};

/// How the spans of a source lie in its bytes, so that every byte can be given to a path.
///
/// A profile knows no format; these numbers are all that the account needs of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing {
    /// What the span of a container covers.
    pub spans: Spans,
    /// Bytes at the beginning of a container that belong to the container and not to its first member.
    pub container_head_bytes: usize,
    /// Bytes before an element of an array beside the element's name, where elements have names.
    pub element_head_bytes: Option<usize>,
}

/// What the span of a container covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spans {
    /// All of it: members, and what lies between them.
    Whole,
    /// Its opening; the members follow.
    Opening,
    /// Its own node; where the members are, nothing can be said.
    Node,
}

impl Framing {
    /// BSON: a container begins with a length of 4 bytes; before an element stand its type, its name (the index in decimal
    /// digits) and a NUL.
    pub const BSON: Self = Self { spans: Spans::Whole, container_head_bytes: 4, element_head_bytes: Some(2) };

    /// JSON text: a container begins with a brace or a bracket, and elements have no names. What closes a container is
    /// accounted for with the value that follows, or with the root.
    pub const JSON: Self = Self { spans: Spans::Opening, container_head_bytes: 1, element_head_bytes: None };

    /// OSON: a container's span is its own node, names stand in a dictionary that all objects share.
    pub const OSON: Self = Self { spans: Spans::Node, container_head_bytes: 0, element_head_bytes: None };
}

/// How much of the structure of documents a profile keeps apart: beyond that, keys are taken for data and fold to `*`.
///
/// An object of a path folds when more different keys than these have been seen in it. The further down and the more
/// branches above, the fewer are allowed, so that a profile never has more than about five times `paths_per_level_max`
/// paths. What is folded depends on the keys that occur and on nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Different keys in one object.
    pub keys_max: u32,
    /// Different keys in the root under which there are objects or arrays.
    pub root_branches_max: u32,
    /// The same for any other object; less further down.
    pub branches_max: u32,
    /// Paths on one level of depth, about.
    pub paths_per_level_max: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { keys_max: 1024, root_branches_max: 256, branches_max: 64, paths_per_level_max: 1 << 16 }
    }
}

/// What a profile is told before it sees a document. Only profiles with the same options merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// How much structure is kept apart.
    pub bounds: Bounds,
    /// `ObjectIds` that claim to be made at this time or later, in seconds since 1970, are not plausible: a little after
    /// now, or after the dump was made.
    pub until_seconds: u32,
}

impl Default for Options {
    /// The default bounds; `ObjectIds` are plausible up to the year 2035.
    fn default() -> Self {
        Self { bounds: Bounds::default(), until_seconds: 2_051_222_400 }
    }
}
