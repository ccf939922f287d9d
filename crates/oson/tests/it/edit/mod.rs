//! Changing images where they stand.

mod costs;
mod forms;
mod laws;
mod readers;
mod server;

use std::collections::BTreeSet;

use boson_document::edit::{Buffer, Edit, Touch};
use boson_document::{Layout, Limits, Role, Value};
use boson_oson::Document;
use boson_testkit::laws::{layout_tiles, tree};
use boson_testkit::{hex, shared, unhex};
use serde_json::Value as Json;

/// What the image in the buffer holds; it must be valid, and every byte of it must have its purpose or be slack.
fn held(image: &impl Buffer) -> Value {
    let bytes = image.as_bytes();
    let valid = boson_oson::validate(bytes, &Limits::OSON);
    assert!(valid.is_ok(), "{valid:?} in {}", hex(bytes));
    let document = Document::new(bytes).unwrap();
    layout_tiles(&document, bytes.len());
    tree(&document).unwrap()
}

/// The same with the members of objects sorted by name.
fn by_name(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.into_iter().map(|(name, value)| (name, by_name(value))).collect();
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(members)
        }
        Value::Array(elements) => Value::Array(elements.into_iter().map(by_name).collect()),
        leaf => leaf,
    }
}

/// What was done to a buffer of `start` bytes, which now holds `image`, is what `edit` says: bytes that were there and were
/// overwritten count once, and so do those that the image grew by.
fn assert_cost(touches: &[Touch], start: usize, image: &[u8], edit: &Edit) {
    let mut overwritten = BTreeSet::new();
    for touch in touches {
        match touch {
            Touch::Written(span) | Touch::Appended(span) => overwritten.extend(span.range().filter(|at| *at < start)),
            Touch::Truncated(_) => {}
            Touch::Spliced { .. } => panic!("{touch:?}"),
        }
    }
    let counted = (overwritten.len(), image.len().saturating_sub(start));
    match *edit {
        Edit::InPlace { written } => assert_eq!(counted, (written, 0), "{edit}"),
        Edit::Appended { written, appended } => assert_eq!(counted, (written, appended), "{edit}"),
        Edit::Rebuilt { written, .. } => assert_eq!(counted.0 + counted.1, written, "{edit}"),
        Edit::Spliced { .. } => panic!("{edit}"),
    }
}

/// The images of the vectors that can be read.
fn seeds() -> Vec<Vec<u8>> {
    let Some(shared) = shared() else { return Vec::new() };
    let read = |name: &str| std::fs::read(shared.join("vectors").join(name)).unwrap();
    let server: Json = serde_json::from_slice(&read("oson_server_images.json")).unwrap();
    let made: Json = serde_json::from_slice(&read("oson_made.json")).unwrap();
    let server = server.as_object().unwrap().values();
    let images = server.chain(made["decode"].as_array().unwrap()).map(|case| unhex(case["oson"].as_str().unwrap()));
    images.collect()
}

/// The image with distances from the container for the offsets of children (flag 0x0001). It must not be updated.
fn relative(image: &[u8]) -> Vec<u8> {
    let document = Document::new(image).unwrap();
    let regions = document.regions().unwrap();
    let tree_at = image.len() - document.header().tree_len();
    let mut relative = image.to_vec();
    relative[5] |= 1;
    let (mut container, mut width) = (0, 0);
    for region in regions.iter().filter(|region| region.span.offset >= tree_at) {
        let at = region.span.offset;
        match region.role {
            Role::Type => (container, width) = (at - tree_at, if image[at] & 0x20 != 0 { 4 } else { 2 }),
            Role::ChildOffset => {
                for slot in relative[region.span.range()].chunks_mut(width) {
                    let offset = slot.iter().fold(0, |offset, byte| offset << 8 | usize::from(*byte));
                    let distance = offset.wrapping_sub(container).to_be_bytes();
                    slot.copy_from_slice(&distance[8 - width..]);
                }
            }
            _ => {}
        }
    }
    relative
}
