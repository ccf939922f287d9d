//! From an offset in the bytes to the path of the value that stands there.

use std::ops::Range;

use boson_document::{ByteSource, PathBuf};

use crate::node::{Container, Node};
use crate::tour::{Tour, Visit};
use crate::update::SortedMap;
use crate::view::Document;

/// The path of the value whose bytes `offset` is among, or where reading fails with an error at `offset`; the root where
/// there is none, as in the header and in the names.
///
/// In the ids and offsets of a container, that is the child which they belong to. A value that is shared has the path of
/// one of the places it is shared by. It takes a walk over the whole image, which is why errors carry offsets.
///
/// ```
/// // ["deep", 2.5] is element 3 of an array that a server wrote.
/// let image = b"\xff\x4a\x5a\x01\x21\x06\x01\x00\x02\x00\x27\x00\x00\xea\x00\x00\x01k\xc0\x05\x00\x0c\x00\x0d\x00\x0e\
///     \x00\x11\x00\x20\x30\x31\x21\xc1\x08\xc0\x02\x00\x17\x00\x1c\x04deep\x22\xc1\x03\x33\x84\x01\x01\x00\x25\x01v";
/// assert_eq!(boson_oson::path_at(image, 43).to_string(), "$[3][0]");
/// ```
pub fn path_at(bytes: &[u8], offset: usize) -> PathBuf {
    let Ok(document) = Document::new(bytes) else { return PathBuf::new() };
    let map = SortedMap::of(&document).unwrap_or_default();
    let mut tour = Tour::new(&document, map);
    while let Some(visit) = tour.next() {
        if is_at(&visit, offset) {
            return path(&document, tour.around(), offset);
        }
    }
    PathBuf::new()
}

fn is_at(visit: &Visit, offset: usize) -> bool {
    match visit {
        Visit::Node(node) => node.span().range().contains(&offset) || is_borrowed_id(node, offset),
        Visit::Forwarding { at, len } => (*at..at.saturating_add(*len)).contains(&offset),
        Visit::Again { .. } => false,
        Visit::Fault(error) => error.offset == offset,
    }
}

/// Whether `offset` is among the ids that an object has from another, which may stand where no value is any more.
fn is_borrowed_id(node: &Node, offset: usize) -> bool {
    matches!(node, Node::Container(object) if object.is_shared() && object.ids_at == offset)
}

/// The path to what is being visited inside the containers `around`, the last of which may be that itself.
fn path(document: &Document<'_>, around: &[(Container, usize)], offset: usize) -> PathBuf {
    let mut path = PathBuf::new();
    for (container, begun) in around {
        // Of a container that was only just met no child has been begun: the offset may be in its ids or its offsets.
        let child = begun.checked_sub(1).or_else(|| child_at(document, container, offset));
        match child {
            Some(index) if container.is_array() => path.push_index(index),
            Some(index) => {
                if let Some(name) = name(document, container, index) {
                    path.push_field(name);
                }
            }
            None => {}
        }
    }
    path
}

/// The child of `container` that the id or offset at `offset` belongs to.
fn child_at(document: &Document<'_>, container: &Container, offset: usize) -> Option<usize> {
    let offsets = container.offsets_at..container.end();
    let element = |array: Range<usize>, width: usize| {
        let within = array.contains(&offset).then(|| offset.saturating_sub(array.start))?;
        within.checked_div(width)
    };
    let ids_end = document.id_slot(container, container.count);
    element(offsets, container.offset_width().bytes()).or_else(|| {
        if container.is_array() { None } else { element(container.ids_at..ids_end, document.header.id_width.bytes()) }
    })
}

/// The name of child `index`, what of it is no UTF-8 replaced; `None` when the dictionary has none.
fn name(document: &Document<'_>, object: &Container, index: usize) -> Option<String> {
    let id = document.field_id(object, index).ok()?;
    let span = document.header.name_span(document.source, id.checked_sub(1)?).ok()??;
    let name = document.source.bytes(span.range()).ok()?;
    Some(String::from_utf8_lossy(name).into_owned())
}
