//! Images that a real Oracle Database wrote.

use boson_document::{Kind, Layout, Limits, Role};
use boson_oson::{Document, image_len, validate};
use boson_testkit::{laws, shared, unhex};
use serde_json::Value as Json;

use super::decode_bytes;
use super::plain::assert_plain;

/// Name, JSON and image of each; none without ../shared.
pub(super) fn server_images() -> Vec<(String, Json, Vec<u8>)> {
    let Some(folder) = shared() else { return Vec::new() };
    let text = std::fs::read(folder.join("vectors/oson_server_images.json")).unwrap();
    let images: serde_json::Map<String, Json> = serde_json::from_slice(&text).unwrap();
    let images = images.into_iter();
    images.map(|(name, image)| (name, image["json"].clone(), unhex(image["oson"].as_str().unwrap()))).collect()
}

#[test]
fn every_server_image_decodes_to_its_json() {
    for (name, json, image) in server_images() {
        assert_plain(&name, &decode_bytes(&image).unwrap_or_else(|error| panic!("{name}: {error}")), &json);
    }
}

#[test]
fn every_server_image_validates() {
    for (name, _, image) in server_images() {
        assert_eq!(validate(&image, &Limits::OSON), Ok(()), "{name}");
    }
}

#[test]
fn every_byte_of_every_server_image_has_one_region() {
    for (_, _, image) in server_images() {
        laws::layout_tiles(&Document::new(&image).unwrap(), image.len());
    }
}

#[test]
fn six_bytes_of_the_shared_objects_image_are_unused() {
    for (_, _, image) in server_images().into_iter().filter(|(name, ..)| name == "shared objects") {
        let regions = Document::new(&image).unwrap().regions().unwrap();
        let slack: Vec<_> = regions.iter().filter(|region| region.role == Role::Slack).collect();
        assert_eq!(slack.iter().map(|region| region.span.len).sum::<usize>(), 6, "{slack:?}");
    }
}

#[test]
fn types_are_kept() {
    let kinds = [
        ("binary double", Kind::Double),
        ("binary float", Kind::Float),
        ("date", Kind::OracleDate),
        ("timestamp", Kind::OracleTimestamp),
        ("timestamp7", Kind::OracleTimestamp),
        ("interval day to second", Kind::IntervalDaySecond),
        ("raw binary", Kind::Binary),
        ("number decimal", Kind::Number),
        ("number large", Kind::Number),
    ];
    for (name, _, image) in server_images() {
        if let Some((_, kind)) = kinds.iter().find(|(known, _)| *known == name) {
            assert_eq!(decode_bytes(&image).unwrap().kind(), *kind, "{name}");
            assert_eq!(Document::new(&image).unwrap().root().unwrap().kind(), *kind, "{name}");
        }
    }
}

#[test]
fn members_of_small_objects_keep_the_order_of_the_input() {
    for (_, _, image) in server_images().into_iter().filter(|(name, ..)| name == "simple object") {
        let document = Document::new(&image).unwrap();
        let names: Vec<_> = document.root().unwrap().fields().map(|field| field.unwrap().0).collect();
        assert_eq!(names, ["name", "role", "active"]);
    }
}

#[test]
fn the_length_of_an_image_at_the_front_of_a_stream() {
    for (name, _, image) in server_images() {
        let len = if name.starts_with("updated") { None } else { Some(image.len()) };
        let stream = [&image[..], b"more"].concat();
        assert_eq!(image_len(&stream), Ok(len), "{name}");
    }
}
