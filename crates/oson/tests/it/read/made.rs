//! Images made by hand and checked with Oracle's Java reference, not written by a server: `oson_made.json`.

use boson_document::{DecodeErrorKind, FlagFault, Limit, Limits, Rule};
use boson_oson::{Document, validate};
use boson_testkit::{laws, shared, unhex};
use serde_json::Value as Json;

use super::plain::assert_plain;
use super::{broken, decode_bytes};

fn made() -> Option<Json> {
    let text = std::fs::read(shared()?.join("vectors/oson_made.json")).unwrap();
    Some(serde_json::from_slice(&text).unwrap())
}

fn images(list: &str) -> Vec<(String, Json, Vec<u8>)> {
    let made = made().unwrap_or_default();
    let images = made.get(list).and_then(Json::as_array).cloned().unwrap_or_default();
    let image = |image: Json| {
        let text = |key: &str| image[key].as_str().unwrap().to_owned();
        (text("name"), image["json"].clone(), unhex(&text("oson")))
    };
    images.into_iter().map(image).collect()
}

#[test]
fn what_must_decode_does() {
    for (name, json, image) in images("decode") {
        assert_plain(&name, &decode_bytes(&image).unwrap_or_else(|error| panic!("{name}: {error}")), &json);
        assert_eq!(validate(&image, &Limits::OSON), Ok(()), "{name}");
        laws::layout_tiles(&Document::new(&image).unwrap(), image.len());
    }
}

#[test]
fn what_must_be_refused_is() {
    let refused = [
        ("forwarded root of a scalar document", DecodeErrorKind::TrailingBytes(18)),
        ("array with count bits 11", broken(Rule::ReservedOpcode)),
        ("duplicate field id in an object", DecodeErrorKind::DuplicateName),
        ("names without flag 0x0100", DecodeErrorKind::UnsupportedFlags(0x2006, FlagFault::HashWidth)),
        ("bytes after the tree of a version 1 image", DecodeErrorKind::TrailingBytes(2)),
        ("NUMBER of no bytes", broken(Rule::Number)),
        ("map key inside the extended tree", broken(Rule::MapKey)),
        ("sharing bomb, 2^30 leaves in 194 bytes", DecodeErrorKind::LimitExceeded(Limit::Nodes)),
    ];
    let images = images("refuse");
    for (name, _, image) in &images {
        let (_, kind) = refused.iter().find(|(known, _)| known == name).unwrap();
        assert_eq!(decode_bytes(image).expect_err(name).kind, *kind, "{name}");
        assert_eq!(validate(image, &Limits::OSON.with_nodes(1 << 20)).expect_err(name).error.kind, *kind, "{name}");
    }
    assert!(images.is_empty() || images.len() == refused.len());
}
