//! Which value an offset lies in.

use boson_document::{PathBuf, Span, find_byte};

use crate::tag::Tag;
use crate::view::place::Places;

/// The path of the innermost value in whose element (type, name and value) the byte at `offset` lies; the root's for
/// the bytes of the document itself and beyond its end.
///
/// It is made for errors: in a faulty document it leads as far as the bytes can be followed. A name that is not UTF-8
/// stands in it with U+FFFD for what is invalid.
pub fn path_at(bytes: &[u8], offset: usize) -> PathBuf {
    let mut path = PathBuf::new();
    let mut inside = Some(Inside { span: declared(bytes, 0, bytes.len()), is_array: false });
    while let Some(container) = inside {
        inside = step(bytes, offset, &container, &mut path);
    }
    path
}

struct Inside {
    span: Span,
    is_array: bool,
}

/// Adds the member of `container` in which `offset` lies; returns that member when it is a container to look into.
fn step(bytes: &[u8], offset: usize, container: &Inside, path: &mut PathBuf) -> Option<Inside> {
    let mut elements = Places::new(bytes, container.span);
    let mut index = 0_usize;
    loop {
        let start = elements.at();
        if start > offset || start >= elements.end() {
            return None;
        }
        let place = elements.next();
        let found = match &place {
            Ok(Some(place)) => offset < place.value.end(),
            // The fault lies in this element, or at the end of its container.
            Ok(None) | Err(_) => true,
        };
        if found {
            path_push(bytes, start, elements.end(), container.is_array.then_some(index), path)?;
            return match place {
                Ok(Some(place)) if offset >= place.value.offset => inner(bytes, place.tag, place.value),
                _ => None,
            };
        }
        index = index.saturating_add(1);
    }
}

/// Adds the element that starts with its type byte at `start`; `None` when it has no name.
fn path_push(bytes: &[u8], start: usize, end: usize, index: Option<usize>, path: &mut PathBuf) -> Option<()> {
    // A type byte of 0 is the end of a document that claims to be longer.
    if bytes.get(start).is_none_or(|&byte| byte == 0) {
        return None;
    }
    if let Some(index) = index {
        path.push_index(index);
        return Some(());
    }
    let rest = bytes.get(start.saturating_add(1)..end).unwrap_or_default();
    let name = rest.get(..find_byte(0, rest)?)?;
    path.push_field(String::from_utf8_lossy(name));
    Some(())
}

fn inner(bytes: &[u8], tag: Tag, value: Span) -> Option<Inside> {
    match tag {
        Tag::Document | Tag::Array => Some(Inside { span: value, is_array: tag == Tag::Array }),
        Tag::CodeWithScope => {
            let string_at = value.offset.saturating_add(4);
            let string = declared(bytes, string_at, value.end());
            let scope_at = string.end().saturating_add(4);
            (scope_at < value.end()).then(|| Inside { span: Span::between(scope_at, value.end()), is_array: false })
        }
        _ => None,
    }
}

/// The bytes from `at` that the length there declares, up to `end` at most.
fn declared(bytes: &[u8], at: usize, end: usize) -> Span {
    let len = bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |len| u32::from_le_bytes(*len));
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    Span::between(at, at.saturating_add(len).min(end))
}
