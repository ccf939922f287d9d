//! Where the bytes go, as levels of a treemap: what lies in one object, array or collection is one level.

use std::collections::{HashMap, VecDeque};

use boson_profile::{Path, Step};

use super::Part;
use super::squarify::{Rect, squarify};
use super::text::{percent, share, shortened, visible};
use crate::words::{counted, grouped};
use crate::{BytesView, PathView};

/// How many tiles a level has; what is left goes into one more, which leads to a level of its own.
const TILES_MAX: usize = 28;

/// How many levels a map has.
const LEVELS_MAX: usize = 400;

/// Tiles smaller than this, in percent of their level, are put together.
const TILE_PERCENT_MIN: f64 = 0.5;

/// Width by height, on a desktop and on a phone.
const WIDE: f64 = 2.3;
const TALL: f64 = 0.8;

/// Characters of a name on a tile.
const LABEL_CHARS_MAX: usize = 22;

/// One level of the map.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) number: usize,
    /// The levels above it, from the root, with their names.
    pub(super) above: Vec<(usize, String)>,
    pub(super) name: String,
    /// The level that it lies in.
    pub(super) up: Option<usize>,
    pub(super) bytes: u64,
    pub(super) share: String,
    pub(super) tiles: Vec<Tile>,
}

/// One tile of a level.
#[derive(Debug)]
pub(super) struct Tile {
    pub(super) label: String,
    /// For how long a name there must be room.
    pub(super) room: &'static str,
    pub(super) class: &'static str,
    pub(super) share: String,
    /// All there is to say.
    pub(super) said: String,
    /// The level it leads to.
    pub(super) into: Option<usize>,
    pub(super) is_found: bool,
    pub(super) wide: Rect,
    pub(super) tall: Rect,
}

/// What has bytes: a path, a collection, or what is left of a level.
#[derive(Debug, Default)]
struct Node {
    name: String,
    path: String,
    kind: Option<&'static str>,
    own: BytesView,
    /// With what lies below.
    total: u64,
    below: Vec<usize>,
    saves: Option<i64>,
}

/// A level that is to be laid out.
struct Pending {
    number: usize,
    up: Option<usize>,
    above: Vec<(usize, String)>,
    name: String,
    bytes: u64,
    items: Vec<Item>,
}

/// What becomes a tile.
#[derive(Clone, Copy)]
enum Item {
    /// A path with all below it.
    Whole(usize),
    /// What a container takes itself.
    Own(usize),
}

/// The levels of the map of `parts`, the whole first.
pub(super) fn levels(parts: &[Part<'_>]) -> Vec<Level> {
    Map { nodes: nodes(parts) }.levels()
}

struct Map {
    /// The whole, and what lies in it, each before what lies below it.
    nodes: Vec<Node>,
}

fn nodes(parts: &[Part<'_>]) -> Vec<Node> {
    let several = parts.len() > 1;
    let name = if several { "all collections" } else { "documents" };
    let mut nodes = vec![Node { name: name.to_owned(), ..Node::default() }];
    for part in parts {
        let root = if several { child(&mut nodes, 0, &part.name) } else { 0 };
        add(&mut nodes, root, part);
    }
    sum(&mut nodes);
    nodes
}

fn child(nodes: &mut Vec<Node>, above: usize, name: &str) -> usize {
    let number = nodes.len();
    nodes.push(Node { name: visible(name), path: visible(name), ..Node::default() });
    if let Some(above) = nodes.get_mut(above) {
        above.below.push(number);
    }
    number
}

/// Adds the paths of `part` below `root`.
fn add<'p>(nodes: &mut Vec<Node>, root: usize, part: &'p Part<'_>) {
    let saves: HashMap<&str, i64> = part
        .analysis
        .findings
        .iter()
        .filter_map(|finding| Some((&*finding.path, finding.proposal.saved_bytes?)))
        .collect();
    let mut places: HashMap<&'p [Step], usize> = HashMap::from([(&[] as &[Step], root)]);
    for path in &part.analysis.paths {
        let steps = path.place.steps();
        let Some((last, before)) = steps.split_last() else {
            if let Some(root) = nodes.get_mut(root) {
                root.own = path.bytes;
                root.kind = main_type(path);
            }
            continue;
        };
        let above = places.get(before).copied().unwrap_or(root);
        let number = child(nodes, above, &step_name(last));
        if let Some(node) = nodes.get_mut(number) {
            node.path = visible(&path.path);
            node.own = path.bytes;
            node.kind = main_type(path);
            node.saves = saves.get(&*path.path).copied();
        }
        places.insert(steps, number);
    }
    if part.analysis.other_bytes > 0 {
        let behind = child(nodes, root, "behind faults");
        if let Some(node) = nodes.get_mut(behind) {
            node.own.total = part.analysis.other_bytes;
        }
    }
}

fn step_name(step: &Step) -> String {
    match step {
        Step::Field(name) if name.is_empty() => "\"\"".to_owned(),
        Step::Field(name) => name.clone(),
        Step::Any => "* (names are data)".to_owned(),
        Step::Elements => "[] elements".to_owned(),
    }
}

/// The type that most of the values have.
fn main_type(path: &PathView) -> Option<&'static str> {
    path.types.iter().max_by_key(|stats| stats.count).map(|stats| stats.kind)
}

fn sum(nodes: &mut [Node]) {
    for number in (0..nodes.len()).rev() {
        let below: u64 = nodes
            .get(number)
            .into_iter()
            .flat_map(|node| &node.below)
            .filter_map(|&below| nodes.get(below))
            .map(|node| node.total)
            .fold(0, u64::saturating_add);
        if let Some(node) = nodes.get_mut(number) {
            node.total = node.own.total.saturating_add(below);
        }
    }
}

impl Map {
    fn levels(&self) -> Vec<Level> {
        let Some(root) = self.nodes.first() else { return Vec::new() };
        let mut pending = VecDeque::from([Pending {
            number: 0,
            up: None,
            above: Vec::new(),
            name: root.name.clone(),
            bytes: root.total,
            items: self.items(0),
        }]);
        let mut levels = Vec::new();
        let mut next = 1;
        while let Some(level) = pending.pop_front() {
            levels.push(self.level(level, &mut next, &mut pending));
        }
        levels
    }

    /// What lies in a node, and what it takes itself, the largest first.
    fn items(&self, number: usize) -> Vec<Item> {
        let Some(node) = self.nodes.get(number) else { return Vec::new() };
        let mut items: Vec<Item> = node.below.iter().map(|&below| Item::Whole(below)).collect();
        items.push(Item::Own(number));
        items.retain(|item| self.bytes(*item) > 0);
        items.sort_by_key(|item| std::cmp::Reverse(self.bytes(*item)));
        items
    }

    fn bytes(&self, item: Item) -> u64 {
        match item {
            Item::Whole(number) => self.nodes.get(number).map_or(0, |node| node.total),
            Item::Own(number) => self.nodes.get(number).map_or(0, |node| node.own.total),
        }
    }

    fn level(&self, level: Pending, next: &mut usize, pending: &mut VecDeque<Pending>) -> Level {
        let Pending { number, up, above, name, bytes, items } = level;
        let (shown, rest) = items.split_at_checked(self.shown(&items, bytes)).unwrap_or((&items, &[]));
        let rest_bytes = rest.iter().map(|item| self.bytes(*item)).fold(0, u64::saturating_add);
        let mut way = above.clone();
        way.push((number, name.clone()));
        let mut open = |name: String, bytes, items| {
            if *next >= LEVELS_MAX {
                return None;
            }
            let number_below = *next;
            *next += 1;
            pending.push_back(Pending {
                number: number_below,
                up: Some(number),
                above: way.clone(),
                name,
                bytes,
                items,
            });
            Some(number_below)
        };
        let mut tiles: Vec<(u64, Tile)> = Vec::new();
        for item in shown {
            let into = self.opens(*item).and_then(|(name, items)| open(name, self.bytes(*item), items));
            tiles.push((self.bytes(*item), self.tile(*item, bytes, into)));
        }
        if !rest.is_empty() {
            let name = format!("{} smaller", grouped(rest.len() as u64));
            let into = open(name.clone(), rest_bytes, rest.to_vec());
            let said = sentence(&name, rest_bytes, bytes);
            tiles.push((rest_bytes, Tile::new(&name, "rest", share(rest_bytes, bytes), said, into)));
        }
        lay_out(&mut tiles);
        let total = self.nodes.first().map_or(0, |root| root.total);
        let tiles = tiles.into_iter().map(|(_, tile)| tile).collect();
        Level { number, above, name, up, bytes, share: share(bytes, total), tiles }
    }

    /// How many of `items` have tiles of their own.
    fn shown(&self, items: &[Item], bytes: u64) -> usize {
        let large = items.iter().take_while(|item| percent(self.bytes(**item), bytes) >= TILE_PERCENT_MIN).count();
        let shown = large.min(TILES_MAX);
        // One alone needs no level of its own; and a level must take something away from the next.
        if items.len() - shown <= 1 { items.len() } else { shown.max(TILES_MAX.min(items.len()) / 4) }
    }

    /// The name of the level that `item` leads to, and what is in it.
    fn opens(&self, item: Item) -> Option<(String, Vec<Item>)> {
        let Item::Whole(number) = item else { return None };
        let node = self.nodes.get(number).filter(|node| !node.below.is_empty())?;
        Some((node.name.clone(), self.items(number)))
    }

    fn tile(&self, item: Item, all: u64, into: Option<usize>) -> Tile {
        let (Item::Whole(number) | Item::Own(number)) = item;
        let empty = Node::default();
        let node = self.nodes.get(number).unwrap_or(&empty);
        let bytes = self.bytes(item);
        if matches!(item, Item::Own(_)) {
            let name = if number == 0 { "documents themselves" } else { "itself" };
            let what = format!("{name}: name, type, length and end of each {}", node.kind.unwrap_or("collection"));
            let said = sentence(&what, bytes, all);
            return Tile::new(name, "own", share(bytes, all), said, None);
        }
        let mut said = sentence(&node.path, bytes, all);
        said += &more(node);
        let mut tile = Tile::new(&node.name, class(node.kind), share(bytes, all), said, into);
        tile.is_found = node.saves.is_some();
        tile
    }
}

/// What there is to say of a path beside its bytes.
fn more(node: &Node) -> String {
    let mut sentences = Vec::new();
    if let Some(kind) = node.kind {
        sentences.push(format!(" Mostly {kind}."));
    }
    let BytesView { names, types_and_lengths, values, inside, .. } = node.own;
    if node.below.is_empty() && node.kind.is_some() {
        let [names, framing, values] = [names, types_and_lengths, values.saturating_add(inside)].map(grouped);
        sentences.push(format!(" Names {names}, types and lengths {framing}, values {values}."));
    } else if !node.below.is_empty() {
        sentences.push(format!(" Holds {}.", counted(node.below.len() as u64, "path")));
    }
    match node.saves {
        Some(bytes) if bytes > 0 => {
            sentences.push(format!(" A better type saves {} bytes.", grouped(bytes.unsigned_abs())));
        }
        Some(_) => sentences.push(" A better type is proposed.".to_owned()),
        None => {}
    }
    sentences.concat()
}

/// `$.a: 1,234 bytes, 12.3 % of this level.`
fn sentence(what: &str, bytes: u64, all: u64) -> String {
    format!("{what}: {}, {} of this level.", counted(bytes, "byte"), share(bytes, all))
}

impl Tile {
    fn new(name: &str, class: &'static str, share: String, said: String, into: Option<usize>) -> Self {
        let label = shortened(name, LABEL_CHARS_MAX);
        let label = if label.chars().count() > LABEL_CHARS_MAX + 8 { middle_out(name) } else { label };
        let (wide, tall) = (Rect::default(), Rect::default());
        Self { room: room(&label), label, class, share, said, into, is_found: false, wide, tall }
    }
}

/// A long name with an ellipsis for its middle.
fn middle_out(name: &str) -> String {
    let chars: Vec<char> = visible(name).chars().collect();
    let (head, tail) = (LABEL_CHARS_MAX * 2 / 3, LABEL_CHARS_MAX / 3 - 1);
    let head = chars.iter().take(head);
    let tail = chars.iter().skip(chars.len().saturating_sub(tail));
    head.chain(&['…']).chain(tail).collect()
}

/// The class that says how much room `label` needs: others than the characters of ASCII may be twice as wide.
fn room(label: &str) -> &'static str {
    let width: usize = label.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    match width {
        0..=4 => "r4",
        5..=6 => "r6",
        7..=8 => "r8",
        9..=11 => "r11",
        12..=15 => "r15",
        16..=22 => "r22",
        23..=32 => "r32",
        _ => "r64",
    }
}

/// The class whose colour a type has.
pub(super) fn class(kind: Option<&str>) -> &'static str {
    match kind {
        Some("string" | "symbol" | "javascript" | "regex") => "text",
        Some("int" | "long" | "double" | "decimal" | "float" | "NUMBER" | "decimal text") => "number",
        Some("date" | "timestamp") => "date",
        Some("objectId" | "binData" | "ID") => "binary",
        Some("bool" | "null" | "undefined" | "minKey" | "maxKey") => "flag",
        Some("object" | "array" | "javascriptWithScope") => "nest",
        Some(_) => "other",
        None => "own",
    }
}

fn lay_out(tiles: &mut [(u64, Tile)]) {
    #[expect(clippy::cast_precision_loss, reason = "an area on a screen")]
    fn amount(bytes: u64) -> f64 {
        bytes as f64
    }
    // What is left may be more than the smallest that is shown.
    tiles.sort_by_key(|(bytes, _)| std::cmp::Reverse(*bytes));
    let amounts: Vec<f64> = tiles.iter().map(|(bytes, _)| amount(*bytes)).collect();
    let rects = squarify(&amounts, WIDE).into_iter().zip(squarify(&amounts, TALL));
    for ((_, tile), (wide, tall)) in tiles.iter_mut().zip(rects) {
        tile.wide = wide;
        tile.tall = tall;
    }
}

/// Whether `path` leads to the documents themselves.
pub(super) fn is_root(path: &Path) -> bool {
    path.steps().is_empty()
}
