//! What a tour of an image finds, in the order of the bytes.

use boson_document::DecodeError;

use super::place::name_at;
use crate::node::{Container, Node};
use crate::scalar::Leaf;
use crate::tour::{Tour, Visit};
use crate::update::SortedMap;
use crate::view::Document;
use crate::width::{narrow, widen};

/// The nodes of an image and what refers to them.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// In the order of their bytes.
    pub(super) parts: Vec<Part>,
    /// References to nodes beside those through which they were found first, sorted by the nodes.
    pub(super) references: Vec<Reference>,
    /// What could not be read first. There may be a fault for every offset of an image, of which one is told.
    pub(super) fault: Option<DecodeError>,
    /// The overflow map; empty when it is at fault.
    pub(super) map: SortedMap,
    /// Whether some bytes may be sensitive: then what nothing refers to is not shown, since it may once have been.
    pub(super) may_be_sensitive: bool,
    /// Strings that must not be shown, sorted.
    sensitive: Vec<u32>,
}

/// A run of bytes of the tree segments. The numbers are of 32 bits as offsets in an image are: there may be a part for
/// nearly every byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    /// Where its opcode stands.
    pub(super) at: u32,
    pub(super) kind: PartKind,
    pub(super) depth: u32,
    pub(super) owner: Owner,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PartKind {
    Node,
    /// What an update left where a value stood.
    Forwarding,
    /// The count and the ids of an object, which others have from it. Where the object itself stands no more, they do.
    Lent,
}

/// The place in a container that refers to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owner {
    /// Where the container stands; `NONE` for the root.
    pub(super) container_at: u32,
    /// Which of its children.
    pub(super) index: u32,
}

impl Owner {
    pub(super) const ROOT: Self = Self { container_at: u32::MAX, index: 0 };
}

/// A node and one more place that refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reference {
    pub(super) at: u32,
    pub(super) owner: Owner,
}

impl Found {
    pub(super) fn of(document: &Document<'_>) -> Self {
        // A map that is faulty leads nowhere; the fault is the validator's to tell.
        let mut found = Self { map: SortedMap::of(document).unwrap_or_default(), ..Self::default() };
        let mut tour = Tour::new(document, found.map.clone());
        found.may_be_sensitive = may_wrap(document);
        while let Some(visit) = tour.next() {
            found.add(&visit, &tour, document.source.len());
            if let Visit::Node(Node::Container(object)) = &visit
                && found.may_be_sensitive
            {
                found.sensitive.extend(sensitive(document, object, &found.map));
            }
        }
        found.sort();
        found
    }

    /// Adds what was met in an image of `len` bytes.
    fn add(&mut self, visit: &Visit, tour: &Tour<'_>, len: usize) {
        let depth = tour.depth(visit);
        match visit {
            Visit::Fault(error) => self.fault = self.fault.or(Some(*error)),
            // Only where containers overlap there are more offsets than bytes.
            Visit::Again { at } if self.references.len() < len => {
                self.references.push(Reference { at: narrow(*at), owner: owner(tour.around()) });
            }
            Visit::Again { .. } => {}
            Visit::Forwarding { at, .. } => {
                let owner = owner(tour.around());
                self.parts.push(Part { at: narrow(*at), kind: PartKind::Forwarding, depth, owner });
            }
            Visit::Node(Node::Leaf(leaf)) => {
                let owner = owner(tour.around());
                self.parts.push(Part { at: narrow(leaf.at), kind: PartKind::Node, depth, owner });
            }
            Visit::Node(Node::Container(container)) => {
                // The last container around it is itself.
                let around = tour.around().split_last().map(|(_, around)| around).unwrap_or_default();
                let part = Part { at: narrow(container.at), kind: PartKind::Node, depth, owner: owner(around) };
                self.parts.push(part);
                if container.is_shared() {
                    self.parts.push(Part { at: narrow(owner_of_ids(container)), kind: PartKind::Lent, ..part });
                }
            }
        }
    }

    /// Brings everything into the order of the bytes. Ids that belong to an object that is there are told with it.
    fn sort(&mut self) {
        self.parts.sort_unstable();
        self.parts.dedup_by(|later, earlier| {
            later.at == earlier.at && later.kind == PartKind::Lent && earlier.kind != PartKind::Forwarding
        });
        self.references.sort_unstable();
        self.sensitive.sort_unstable();
    }

    /// Whether the string at `at` must not be shown.
    pub(super) fn is_sensitive(&self, at: u32) -> bool {
        self.sensitive.binary_search(&at).is_ok()
    }

    /// The other places that refer to the node at `at`.
    pub(super) fn references(&self, at: u32) -> &[Reference] {
        let start = self.references.partition_point(|reference| reference.at < at);
        let rest = self.references.get(start..).unwrap_or_default();
        let len = rest.partition_point(|reference| reference.at == at);
        rest.get(..len).unwrap_or_default()
    }

    /// The node at `at`, where one was found.
    pub(super) fn node(&self, at: u32) -> Option<&Part> {
        let start = self.parts.partition_point(|part| part.at < at);
        self.parts.get(start).filter(|part| part.at == at && part.kind == PartKind::Node)
    }
}

/// The place that refers to what is being visited inside the containers `around`.
fn owner(around: &[(Container, usize)]) -> Owner {
    around.last().map_or(Owner::ROOT, |(container, begun)| Owner {
        container_at: narrow(container.at),
        index: narrow(begun.saturating_sub(1)),
    })
}

/// Where the object stands that `object` has its ids from.
pub(super) fn owner_of_ids(object: &Container) -> usize {
    object.ids_at.saturating_sub(object.count_width.bytes()).saturating_sub(1)
}

impl Part {
    pub(super) fn at(&self) -> usize {
        widen(self.at)
    }
}

/// The names of the bytes and of the subtype in an Extended JSON object for binary, which is what sensitive bytes of BSON
/// become in OSON.
const WRAPPERS: [(&[u8], &[u8]); 2] = [(b"base64", b"subType"), (b"$binary", b"$type")];

/// Whether such objects can occur. The names are looked at themselves: where a hash is wrong a search misses them.
fn may_wrap(document: &Document<'_>) -> bool {
    let mut names = document.header.name_spans(document.source).map_while(Result::ok);
    names.any(|name| {
        let name = document.source.get(name.range());
        WRAPPERS.iter().any(|(_, subtype)| name == Some(subtype))
    })
}

/// Where the bytes stand in `object`, if it is such an object, of subtype 8 or of one that cannot be read.
fn sensitive(document: &Document<'_>, object: &Container, map: &SortedMap) -> Option<u32> {
    if object.is_array() || object.count != 2 {
        return None;
    }
    let name = |index| document.source.get(name_at(document, document.field_id(object, index).ok()?)?.range());
    let (first, second) = (name(0)?, name(1)?);
    let (bytes, subtype) = if WRAPPERS.contains(&(first, second)) {
        (0, 1)
    } else if WRAPPERS.contains(&(second, first)) {
        (1, 0)
    } else {
        return None;
    };
    let bytes = leaf(document, object, bytes, map)?;
    let subtype = leaf(document, object, subtype, map).and_then(|leaf| document.payload(&leaf).ok());
    // In hexadecimal digits.
    matches!(subtype, None | Some(b"8" | b"08")).then(|| narrow(bytes.at))
}

/// The leaf that child `index` of `object` is.
fn leaf(document: &Document<'_>, object: &Container, index: usize, map: &SortedMap) -> Option<Leaf> {
    let at = document.child(object, index).ok()?;
    match document.node(document.resolve(at, map).ok()?).ok()? {
        Node::Leaf(leaf) => Some(leaf),
        Node::Container(_) => None,
    }
}
