//! The Rust types: `events.rs` beside this file is what is written for [`events`], and this crate compiles it.

use std::fs;
use std::path::Path;

use boson_schema::{Language, definitions};

use crate::events::Event;
use crate::support::{events, schema};

#[test]
fn what_is_compiled_here_is_what_is_written() {
    let events = events();
    let written = definitions(&schema(&events), Language::Rust, "event");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/events.rs");
    let head = "//! Written by `BLESS=1 cargo test -p boson-schema`.\n#![expect(unreachable_pub, reason = \"for others\")]\n\n";
    let text = format!("{head}{written}");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert!(fs::read_to_string(&path).unwrap() == text, "BLESS=1 writes {}", path.display());
}

/// Every document is read, and written back as it was, but for nulls of members that need not be there.
#[test]
fn documents_are_read_and_written_back() {
    for bytes in events() {
        let event: Event = bson::deserialize_from_slice(&bytes).unwrap();
        let mut expected = bson::Document::from_reader(bytes.as_slice()).unwrap();
        for optional in ["note", "maybe"] {
            if expected.get(optional) == Some(&bson::Bson::Null) {
                expected.remove(optional);
            }
        }
        let back = bson::serialize_to_document(&event).unwrap();
        assert_eq!(back, expected);
        let bytes = bson::serialize_to_vec(&event).unwrap();
        assert_eq!(bson::Document::from_reader(bytes.as_slice()).unwrap(), expected);
    }
}

#[test]
fn the_old_type_is_not_read() {
    let mut event = bson::Document::from_reader(events().first().unwrap().as_slice()).unwrap();
    event.insert("at", "2024-01-15T10:30:00.007Z");
    assert!(bson::deserialize_from_document::<Event>(event.clone()).is_err());
    event.insert("at", bson::DateTime::from_millis(0));
    event.insert("value", bson::oid::ObjectId::new());
    assert!(bson::deserialize_from_document::<Event>(event).unwrap_err().to_string().contains("expected another type"));
}
