//! Bringing the tree of paths into its one form: the same for the same documents in whatever order and however split.
//!
//! What makes that work: whether a path folds depends on counts that only ever grow with more documents (different keys,
//! and how many branches lie above), and folding is never undone. A tree in which too little has been folded so far still
//! knows everything that the folded one does. So it does not matter when, or how often, this is done.

use crate::distinct::{Distinct, hash};
use crate::node::{Below, Keys, Node};
use crate::options::Bounds;
use crate::trie::ROOT;

/// How crowded a place in the tree is, in 1/256: the product of the branches of all paths above it, and a quarter more
/// for each level. The places of one level have shares 1/crowd that add up to at most 1.
type Crowd = u64;
const UNCROWDED: Crowd = 256;

/// Paths yet to be built: from which old nodes, and where.
struct Task {
    sources: Vec<u32>,
    parent: u32,
    step: Step,
    crowd: Crowd,
    /// Whether a key above is folded, so that documents cannot be told apart.
    below_fold: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Root,
    Member,
    Folded,
    Element,
}

struct Builder<'a> {
    old: Vec<Node>,
    new: Vec<Node>,
    moved: Vec<u32>,
    bounds: &'a Bounds,
    /// The next task is the last.
    tasks: Vec<Task>,
}

/// Merges the trees in `nodes` that begin at `roots` into one, with its nodes in preorder and members ascending; also
/// returns where each node went.
pub(crate) fn fold(nodes: Vec<Node>, roots: &[u32], bounds: &Bounds) -> (Vec<Node>, Vec<u32>) {
    let moved = vec![ROOT; nodes.len()];
    let root = Task { sources: roots.to_vec(), parent: ROOT, step: Step::Root, crowd: UNCROWDED, below_fold: false };
    let mut builder = Builder { old: nodes, new: Vec::new(), moved, bounds, tasks: vec![root] };
    while let Some(task) = builder.tasks.pop() {
        builder.build(&task);
    }
    (builder.new, builder.moved)
}

/// What lies below the sources of one task.
struct Children {
    /// The members of all sources, those of the same key together, ascending.
    groups: Vec<Vec<u32>>,
    /// What is folded already.
    folded: Vec<u32>,
    elements: Vec<u32>,
    /// Of the groups, how many have something below.
    branches: u64,
    is_closed: bool,
    is_folded: bool,
}

impl Builder<'_> {
    #[expect(clippy::indexing_slicing, reason = "ids are places in this vector")]
    fn old(&self, id: u32) -> &Node {
        &self.old[usize::try_from(id).unwrap_or(usize::MAX)]
    }

    fn take(&mut self, id: u32) -> Node {
        let node = usize::try_from(id).ok().and_then(|place| self.old.get_mut(place));
        node.map(std::mem::take).unwrap_or_default()
    }

    fn set_moved(&mut self, from: u32, to: u32) {
        if let Some(moved) = usize::try_from(from).ok().and_then(|place| self.moved.get_mut(place)) {
            *moved = to;
        }
    }

    fn build(&mut self, task: &Task) {
        let id = u32::try_from(self.new.len()).unwrap_or(u32::MAX);
        let children = self.children(&task.sources);
        let keys = self.keys(task, &children);
        let mut node = self.merged(task, id);
        if matches!(keys, Keys::Closed) {
            self.close(&mut node, &children, id);
        } else {
            self.queue(task, id, &keys, children);
        }
        node.below.keys = keys;
        self.new.push(node);
        self.link(task, id);
    }

    /// The sources of `task` as one node with nothing below.
    fn merged(&mut self, task: &Task, id: u32) -> Node {
        let mut node = Node::default();
        for &source in &task.sources {
            self.set_moved(source, id);
            let other = self.take(source);
            node.stats.merge(other.stats);
            node.seen = node.seen.max(other.seen);
            if task.step == Step::Member {
                node.key = other.key;
            }
        }
        if task.below_fold {
            node.stats.documents = 0;
        }
        if task.step == Step::Folded {
            (node.stats.repeated, node.stats.alone) = (0, 0);
        }
        node.stats.sort();
        node
    }

    fn children(&self, sources: &[u32]) -> Children {
        let (mut members, mut folded, mut elements) = (Vec::new(), Vec::new(), Vec::new());
        let (mut is_closed, mut is_folded) = (false, false);
        for &source in sources {
            let below = &self.old(source).below;
            elements.extend(below.element);
            match below.keys {
                Keys::Apart => members.extend_from_slice(&below.members),
                Keys::Folded(_) => {
                    is_folded = true;
                    folded.extend_from_slice(&below.members);
                }
                Keys::Closed => is_closed = true,
            }
        }
        members.sort_by(|&a, &b| self.old(a).key.cmp(&self.old(b).key));
        let groups: Vec<Vec<u32>> =
            members.chunk_by(|&a, &b| self.old(a).key == self.old(b).key).map(<[u32]>::to_vec).collect();
        let branches = groups.iter().filter(|group| self.have_containers(group)).count();
        let branches = u64::try_from(branches).unwrap_or(u64::MAX);
        Children { groups, folded, elements, branches, is_closed, is_folded }
    }

    fn have_containers(&self, nodes: &[u32]) -> bool {
        nodes.iter().any(|&node| self.old(node).stats.has_containers())
    }

    /// What is to be done with the keys of a place.
    fn keys(&self, task: &Task, children: &Children) -> Keys {
        let paths_max = u64::from(self.bounds.paths_per_level_max) * UNCROWDED / task.crowd;
        let is_leaf = children.groups.is_empty() && children.folded.is_empty() && children.elements.is_empty();
        if children.is_closed || (paths_max == 0 && !is_leaf) {
            return Keys::Closed;
        }
        let keys = u64::try_from(children.groups.len()).unwrap_or(u64::MAX);
        let keys_max = u64::from(self.bounds.keys_max).min(paths_max);
        let branches_max = self.branches_max(task).min(paths_max);
        if children.is_folded || keys > keys_max || children.branches > branches_max {
            return Keys::Folded(Box::new(self.folded_keys(task, children)));
        }
        Keys::Apart
    }

    /// How many members with something below are kept apart: the square root of the crowd divides it, so that data inside
    /// data still shows its shape.
    fn branches_max(&self, task: &Task) -> u64 {
        match task.step {
            Step::Root => u64::from(self.bounds.root_branches_max),
            _ => (u64::from(self.bounds.branches_max) * UNCROWDED.isqrt() / task.crowd.isqrt()).max(BRANCHES_MIN),
        }
    }

    /// The crowd below a place where the keys are folded: at least that of any state before they were folded, and
    /// growing with the crowd above.
    fn folded_crowd(&self, task: &Task) -> Crowd {
        let crowd = task.crowd;
        let most = if task.step == Step::Root {
            (u64::from(self.bounds.root_branches_max) + 1) * UNCROWDED
        } else {
            let scaled = u64::from(self.bounds.branches_max) * UNCROWDED.isqrt();
            scaled.saturating_mul(crowd.isqrt() + 3).saturating_add(crowd)
        };
        most.max(crowd.saturating_mul(BRANCHES_MIN + 1))
    }

    fn folded_keys(&self, task: &Task, children: &Children) -> Distinct {
        let mut keys = Distinct::default();
        for group in &children.groups {
            group.first().into_iter().for_each(|&member| keys.add(hash(self.old(member).key.as_bytes())));
        }
        for &source in &task.sources {
            if let Keys::Folded(folded) = &self.old(source).below.keys {
                keys.merge(folded);
            }
        }
        keys
    }

    /// Puts everything below into the node itself.
    fn close(&mut self, node: &mut Node, children: &Children, id: u32) {
        let members = children.groups.iter().flatten().chain(&children.folded);
        let mut open: Vec<u32> = members.chain(&children.elements).copied().collect();
        let mut inside = std::mem::take(&mut node.stats.bytes.containers);
        while let Some(below) = open.pop() {
            self.set_moved(below, id);
            let below = self.take(below);
            inside = inside.saturating_add(below.stats.bytes.total());
            open.extend(below.below.members.into_iter().chain(below.below.element));
        }
        node.stats.bytes.inside = node.stats.bytes.inside.saturating_add(inside);
    }

    /// Leaves what is below to later, the first member last in the list, so that it is built first.
    fn queue(&mut self, task: &Task, id: u32, keys: &Keys, children: Children) {
        let folded = matches!(keys, Keys::Folded(_));
        let branches = (children.branches + u64::from(self.have_containers(&children.elements))).max(1);
        let below = if folded { self.folded_crowd(task) } else { task.crowd.saturating_mul(branches) };
        let crowd = below.saturating_add(below / 4).saturating_add(1);
        let below_fold = task.below_fold;
        if !children.elements.is_empty() {
            let (sources, step) = (children.elements, Step::Element);
            self.tasks.push(Task { sources, parent: id, step, crowd, below_fold });
        }
        if folded {
            let sources = children.groups.into_iter().flatten().chain(children.folded).collect();
            self.tasks.push(Task { sources, parent: id, step: Step::Folded, crowd, below_fold: true });
        } else {
            let members = children.groups.into_iter().rev();
            self.tasks.extend(members.map(|sources| Task {
                sources,
                parent: id,
                step: Step::Member,
                crowd,
                below_fold,
            }));
        }
    }

    fn link(&mut self, task: &Task, id: u32) {
        let parent = usize::try_from(task.parent).ok().and_then(|place| self.new.get_mut(place));
        let Some(Below { members, element, .. }) = parent.map(|parent| &mut parent.below) else { return };
        match task.step {
            Step::Root => {}
            Step::Member | Step::Folded => members.push(id),
            Step::Element => *element = Some(id),
        }
    }
}

/// Even in a crowd, an object may have this many members that are objects.
const BRANCHES_MIN: u64 = 4;
