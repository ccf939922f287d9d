//! What the documents of a collection are like, path by path.

use boson_document::Kind;
use boson_profile::{KEY_BYTES_MAX, PathStats, Profile, Step};

use crate::kind::BsonType;

/// The place of the root.
pub(crate) const ROOT: usize = 0;

/// Deeper paths are not told apart. A level of documents takes two of a validator, and a server takes documents, validators
/// among them, of 200 levels.
const DEPTH_MAX: usize = 60;

/// What the documents of a collection are like: the types of each path, and which members every object has.
#[derive(Clone, Debug)]
pub struct Schema {
    nodes: Vec<Node>,
    documents: u64,
    is_sample: bool,
}

/// The values of one path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// Ascending.
    pub(crate) types: Vec<BsonType>,
    /// Ascending by name.
    pub(crate) members: Vec<Member>,
    /// Any member of objects whose names are data.
    pub(crate) others: Option<usize>,
    pub(crate) elements: Option<usize>,
    /// Whether objects may hold what has no path.
    pub(crate) is_open: bool,
    objects: u64,
}

/// A member of objects.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) node: usize,
    /// Whether every object has it.
    pub(crate) is_required: bool,
}

impl Schema {
    /// What the documents behind `profile` are like.
    pub fn of(profile: &Profile) -> Self {
        let (documents, is_sample) = (profile.documents().count(), profile.is_sample());
        let mut schema = Self { nodes: Vec::new(), documents, is_sample };
        // The nodes that lead to the path before.
        let mut open: Vec<usize> = Vec::new();
        for stats in profile.paths() {
            let depth = stats.path.steps().len();
            open.truncate(depth);
            if depth > DEPTH_MAX {
                if let Some(parent) = open.last().and_then(|&parent| schema.nodes.get_mut(parent)) {
                    parent.is_open = true;
                }
                continue;
            }
            let node = schema.nodes.len();
            schema.link(open.last().copied(), node, &stats);
            schema.nodes.push(Node::of(&stats));
            open.push(node);
        }
        if schema.nodes.is_empty() {
            schema.nodes.push(Node::default());
        }
        schema
    }

    fn link(&mut self, parent: Option<usize>, node: usize, stats: &PathStats<'_>) {
        let Some(parent) = parent.and_then(|parent| self.nodes.get_mut(parent)) else { return };
        match stats.path.steps().last() {
            // Of a longer name the profile does not know the end.
            Some(Step::Field(name)) if name.len() > KEY_BYTES_MAX => parent.is_open = true,
            Some(Step::Field(name)) => {
                // Those of scopes are counted as well.
                let is_known = !parent.is(BsonType::CodeWithScope);
                let is_required = is_known && stats.values.saturating_sub(stats.repeated) == parent.objects;
                parent.members.push(Member { name: name.clone(), node, is_required });
            }
            Some(Step::Any) => parent.others = Some(node),
            Some(Step::Elements) => parent.elements = Some(node),
            None => {}
        }
    }

    /// The node at `place`, which the schema itself named.
    pub(crate) fn node(&self, place: usize) -> &Node {
        static NOTHING: Node =
            Node { types: Vec::new(), members: Vec::new(), others: None, elements: None, is_open: true, objects: 0 };
        self.nodes.get(place).unwrap_or(&NOTHING)
    }

    /// How many documents it was read off.
    pub const fn documents(&self) -> u64 {
        self.documents
    }

    /// Whether there are more documents that nobody looked at.
    pub const fn is_sample(&self) -> bool {
        self.is_sample
    }

    /// On what it rests, for a remark in what is made of it.
    pub(crate) fn basis(&self) -> String {
        let s = if self.documents == 1 { "" } else { "s" };
        let what = if self.is_sample { "a sample of" } else { "all" };
        format!("read off {what} {} document{s}", self.documents)
    }
}

impl Node {
    fn of(stats: &PathStats<'_>) -> Self {
        let mut types: Vec<BsonType> = Vec::new();
        let mut is_open = stats.bytes.inside > 0;
        for kind in stats.kinds.iter().filter(|kind| kind.count > 0) {
            match BsonType::of(kind.kind) {
                Some(BsonType::Binary) => {
                    types.extend((stats.uuids > 0).then_some(BsonType::Uuid));
                    types.extend((stats.uuids < kind.count).then_some(BsonType::Binary));
                }
                Some(known) => types.push(known),
                None => is_open = true,
            }
        }
        is_open |= types.contains(&BsonType::CodeWithScope);
        types.sort_unstable();
        let objects = stats.kinds.iter().find(|kind| kind.kind == Kind::Object).map_or(0, |kind| kind.count);
        Self { types, is_open, objects, ..Self::default() }
    }

    /// The types that values may have; none when nothing is known: null is no evidence.
    pub(crate) fn known_types(&self) -> &[BsonType] {
        if self.types == [BsonType::Null] { &[] } else { &self.types }
    }

    pub(crate) fn is(&self, wanted: BsonType) -> bool {
        self.types.contains(&wanted)
    }
}
