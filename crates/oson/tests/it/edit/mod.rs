//! Changing images where they stand.

mod laws;

use boson_document::Value;
use boson_document::edit::{Buffer, Edit, Recorded, Touch};
use boson_oson::Document;
use boson_testkit::laws::tree;

/// What the image in the buffer holds; it must be valid.
fn held(image: &impl Buffer) -> Value {
    let bytes = image.as_bytes();
    let valid = boson_oson::validate(bytes, &boson_document::Limits::OSON);
    assert!(valid.is_ok(), "{valid:?} in {}", boson_testkit::hex(bytes));
    tree(&Document::new(bytes).unwrap()).unwrap()
}

/// What was written to the buffer, which had `start` bytes, is what `edit` says: bytes that were there and are not as they
/// were left count once, and so do those that the image grew by.
fn assert_cost(recorded: &Recorded<Vec<u8>>, start: usize, edit: &Edit) {
    let mut overwritten = std::collections::BTreeSet::new();
    for touch in recorded.touches() {
        match touch {
            Touch::Written(span) | Touch::Appended(span) => overwritten.extend(span.range().filter(|at| *at < start)),
            Touch::Truncated(_) => {}
            Touch::Spliced { .. } => panic!("{touch:?}"),
        }
    }
    let counted = (overwritten.len(), recorded.as_bytes().len().saturating_sub(start));
    match *edit {
        Edit::InPlace { written } => assert_eq!(counted, (written, 0), "{edit}"),
        Edit::Appended { written, appended } => assert_eq!(counted, (written, appended), "{edit}"),
        Edit::Rebuilt { written, .. } => assert_eq!(counted.0 + counted.1, written, "{edit}"),
        Edit::Spliced { .. } => panic!("{edit}"),
    }
}
