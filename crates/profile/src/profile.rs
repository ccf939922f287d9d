//! What is known of a set of documents: read, merged, saved.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::fold;
use crate::histogram::Sizes;
use crate::node::{Keys, KindStats, Node, Stats};
use crate::options::Options;
use crate::path::{Path, Step};
use crate::trie::ROOT;

/// What is known of a set of documents: where their bytes go, what is in them, and (see [`findings`](Self::findings))
/// what is stored as something else than it is.
///
/// A profile is a function of its documents and its options: whatever the order and however they were split among
/// profiles that were merged, it is the same, down to [`to_bytes`](Self::to_bytes).
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    pub(crate) options: Options,
    pub(crate) totals: Totals,
    /// In preorder, members ascending by key.
    pub(crate) nodes: Vec<Node>,
}

/// What is known of the documents as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) documents: Sizes,
    pub(crate) broken: u64,
    pub(crate) other_bytes: u64,
    /// Whether there were more documents that were left out.
    pub(crate) is_sample: bool,
}

/// Where the bytes of a path, or of a whole profile, go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// Names.
    pub names: u64,
    /// Types, lengths, terminators, punctuation.
    pub framing: u64,
    /// Values.
    pub values: u64,
    /// Containers too deep to be told apart.
    pub inside: u64,
}

impl Bytes {
    /// All of them.
    pub const fn total(&self) -> u64 {
        self.names.saturating_add(self.framing).saturating_add(self.values).saturating_add(self.inside)
    }

    fn add(&mut self, other: &Self) {
        self.names = self.names.saturating_add(other.names);
        self.framing = self.framing.saturating_add(other.framing);
        self.values = self.values.saturating_add(other.values);
        self.inside = self.inside.saturating_add(other.inside);
    }
}

/// What is known of one path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathStats<'a> {
    /// The path.
    pub path: Path,
    /// How many values there are.
    pub values: u64,
    /// In how many documents; `None` below `*`, where it cannot be known.
    pub documents: Option<u64>,
    /// How often a name was repeated in one object.
    pub repeated: u64,
    /// Bytes of the path without those of the paths below it.
    pub bytes: Bytes,
    /// Which kinds of value, and how many of each.
    pub kinds: &'a [KindStats],
    /// How many different values: exact up to 32, then within a few percent; containers are not counted.
    pub distinct: u64,
    /// Of arrays, how many elements they have.
    pub lengths: Option<&'a Sizes>,
    /// How many of the binary values are UUIDs: of subtype 4, with 16 bytes.
    pub uuids: u64,
    /// Of objects whose keys are data, about how many different keys.
    pub folded_keys: Option<u64>,
}

/// Why two profiles do not merge, or bytes are no profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The options differ.
    #[error("profiles with different options do not merge")]
    DifferentOptions,
    /// The bytes do not begin as a profile does.
    #[error("not a saved profile: expected it to begin with `boson profile`")]
    NotAProfile,
    /// The bytes come from another version.
    #[error("a saved profile of version {found}, expected version {VERSION}")]
    Version {
        /// The version they have.
        found: u8,
    },
    /// The bytes are damaged.
    #[error("a damaged profile: {reason}")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
}

const MAGIC: &[u8] = b"boson profile";

/// Counts up with every change of what is saved.
const VERSION: u8 = 2;

impl Profile {
    /// The sizes of the documents in bytes.
    pub const fn documents(&self) -> &Sizes {
        &self.totals.documents
    }

    /// How many documents had a fault: what came before it is in the profile.
    pub const fn broken(&self) -> u64 {
        self.totals.broken
    }

    /// Bytes that belong to no path: what follows a fault, and what all documents of a format share.
    pub const fn other_bytes(&self) -> u64 {
        self.totals.other_bytes
    }

    /// Where all bytes go that belong to paths. With [`other_bytes`](Self::other_bytes) they are
    /// [`documents`](Self::documents)`().total()`.
    pub fn bytes(&self) -> Bytes {
        let mut sum = Bytes::default();
        self.nodes.iter().for_each(|node| sum.add(&bytes(&node.stats)));
        sum
    }

    /// The same profile, with the remark that there were more documents.
    #[must_use]
    pub const fn as_sample(mut self) -> Self {
        self.totals.is_sample = true;
        self
    }

    /// Whether there were more documents, of it or of any profile that was merged into it, that nobody looked at.
    pub const fn is_sample(&self) -> bool {
        self.totals.is_sample
    }

    /// The options it was made with.
    pub const fn options(&self) -> Options {
        self.options
    }

    /// Every path, the root first, each before the paths below it, members ascending by name.
    pub fn paths(&self) -> impl Iterator<Item = PathStats<'_>> {
        self.walk().map(|(path, node, below_fold)| PathStats {
            path,
            values: node.stats.count(),
            documents: (!below_fold).then_some(node.stats.documents),
            repeated: node.stats.repeated,
            bytes: bytes(&node.stats),
            kinds: &node.stats.kinds,
            // The estimate can be above what is possible.
            distinct: node.stats.distinct.count().min(node.stats.count()),
            lengths: node.stats.lengths.as_deref(),
            uuids: node.stats.uuids,
            folded_keys: match &node.below.keys {
                Keys::Folded(keys) => Some(keys.count()),
                Keys::Apart | Keys::Closed => None,
            },
        })
    }

    /// Every node with its path, in the same order, and whether it is below a folded key.
    pub(crate) fn walk(&self) -> impl Iterator<Item = (Path, &Node, bool)> {
        let mut open = vec![(ROOT, Path::default(), false)];
        std::iter::from_fn(move || {
            let (id, path, below_fold) = open.pop()?;
            let node = self.node(id)?;
            if let Some(element) = node.below.element {
                open.push((element, with(&path, Step::Elements), below_fold));
            }
            let folded = matches!(node.below.keys, Keys::Folded(_));
            for &member in node.below.members.iter().rev() {
                let step = if folded { Step::Any } else { Step::Field(self.key(member)) };
                open.push((member, with(&path, step), below_fold || folded));
            }
            Some((path, node, below_fold))
        })
    }

    pub(crate) fn node(&self, id: u32) -> Option<&Node> {
        self.nodes.get(usize::try_from(id).ok()?)
    }

    fn key(&self, id: u32) -> String {
        self.node(id).map(|node| node.key.to_string()).unwrap_or_default()
    }

    /// The profile of the documents of both.
    ///
    /// # Errors
    ///
    /// [`ProfileError::DifferentOptions`].
    pub fn merge(self, other: Self) -> Result<Self, ProfileError> {
        if self.options != other.options {
            return Err(ProfileError::DifferentOptions);
        }
        let mut totals = self.totals;
        totals.documents.merge(&other.totals.documents);
        totals.broken = totals.broken.saturating_add(other.totals.broken);
        totals.other_bytes = totals.other_bytes.saturating_add(other.totals.other_bytes);
        totals.is_sample |= other.totals.is_sample;
        let second = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let mut nodes = self.nodes;
        nodes.extend(other.nodes.into_iter().map(|node| shifted(node, second)));
        let (nodes, _) = fold::fold(nodes, &[ROOT, second], &self.options.bounds);
        Ok(Self { options: self.options, totals, nodes })
    }

    /// The profile in a compact form of its own, to be kept or sent and merged later.
    ///
    /// # Errors
    ///
    /// [`ProfileError::Damaged`], for a profile that cannot be written; none is known.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ProfileError> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        postcard::to_extend(self, bytes).map_err(|error| damaged(&error))
    }

    /// Whether a file that begins with `head` is a saved profile. 13 bytes tell.
    pub fn is_saved(head: &[u8]) -> bool {
        head.starts_with(MAGIC)
    }

    /// The profile that [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    ///
    /// Every variant of [`ProfileError`] but [`ProfileError::DifferentOptions`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProfileError> {
        let (&version, body) =
            bytes.strip_prefix(MAGIC).and_then(<[u8]>::split_first).ok_or(ProfileError::NotAProfile)?;
        if version != VERSION {
            return Err(ProfileError::Version { found: version });
        }
        let (profile, rest) = postcard::take_from_bytes::<Self>(body).map_err(|error| damaged(&error))?;
        if rest.is_empty() && profile.is_sound() { Ok(profile) } else { Err(damaged(&"its parts do not fit together")) }
    }

    /// Whether the nodes are a tree in preorder and what they hold is in order.
    fn is_sound(&self) -> bool {
        let mut next = ROOT;
        let mut open = vec![ROOT];
        while let Some(id) = open.pop() {
            let Some(node) = self.node(id).filter(|node| id == next && node.stats.is_sound()) else { return false };
            if matches!(&node.below.keys, Keys::Folded(keys) if !keys.is_sound() || node.below.members.len() > 1) {
                return false;
            }
            next += 1;
            open.extend(node.below.element);
            open.extend(node.below.members.iter().rev());
        }
        usize::try_from(next).is_ok_and(|len| len == self.nodes.len())
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Profile({} documents, {} paths)", self.totals.documents.count(), self.nodes.len())
    }
}

fn damaged(reason: &dyn fmt::Display) -> ProfileError {
    ProfileError::Damaged { reason: reason.to_string() }
}

fn with(path: &Path, step: Step) -> Path {
    Path(path.0.iter().cloned().chain([step]).collect())
}

/// The same node where all ids are `by` larger.
fn shifted(mut node: Node, by: u32) -> Node {
    node.below.members.iter_mut().chain(&mut node.below.element).for_each(|id| *id = id.saturating_add(by));
    node
}

fn bytes(stats: &Stats) -> Bytes {
    let bytes = stats.bytes;
    let framing = bytes.framing.saturating_add(bytes.containers);
    Bytes { names: bytes.names, framing, values: bytes.values, inside: bytes.inside }
}
