//! Regions: what they are, besides tiling.

use boson_document::{Layout, Role};
use boson_oson::Document;
use boson_testkit::unhex;

use super::build::{Parts, Update, parts};

fn roles(image: &[u8]) -> Vec<(usize, &'static str)> {
    let regions = Document::new(image).unwrap().regions().unwrap();
    regions.iter().map(|region| (region.span.len, region.role.name())).collect()
}

const HEADER: [(usize, &str); 7] = [
    (3, "magic"),
    (1, "version"),
    (2, "flags"),
    (1, "header size"),
    (2, "header size"),
    (2, "header size"),
    (2, "header size"),
];

#[test]
fn an_image_of_one_field() {
    let image = parts(&["a"], &unhex("84 01 01 0005 33 02 6869")).image();
    let rest = [
        (1, "hash"),
        (2, "name offset"),
        (1, "name length"),
        (1, "name"),
        (1, "type"),
        (1, "count"),
        (1, "field id"),
        (2, "child offset"),
        (1, "type"),
        (1, "length"),
        (2, "value"),
    ];
    assert_eq!(roles(&image), [&HEADER[..], &rest].concat());
}

#[test]
fn a_scalar_has_a_short_header() {
    let image = super::build::scalar(&unhex("31"));
    let expected = [(3, "magic"), (1, "version"), (2, "flags"), (2, "header size"), (1, "type")];
    assert_eq!(roles(&image), expected);
}

#[test]
fn what_an_update_left_is_slack() {
    // "hello" was 6 bytes: a forwarding took 3 of them, the map holds one entry and 4 bytes to spare.
    let update = Update { entries: vec![(0, 0)], spare: 4, extended: b"??\x02hi".to_vec() };
    let tree = [&unhex("84 01 01 0005 76 0002")[..], b"llo"].concat();
    let image = Parts { version: 2, update: Some(update), ..parts(&["a"], &tree) }.image();
    let after_names = [
        (1, "type"),
        (1, "count"),
        (1, "field id"),
        (2, "child offset"),
        (1, "type"),
        (2, "forward"),
        (3, "slack"),
        (2, "update header"),
        (2, "update header"),
        (4, "update header"),
        (4, "update header"),
        (4, "update header"),
        (2, "map entry"),
        (2, "map entry"),
        (4, "slack"),
        (2, "slack"),
        (1, "type"),
        (2, "value"),
    ];
    assert_eq!(roles(&image)[11..], after_names);
}

#[test]
fn shared_nodes_are_there_once_and_so_are_shared_ids() {
    // [{"x": 1}, {"x": 1}]: the second has the ids of the first, and both the same number.
    let tree = unhex("c0 02 0006 000e 86 01 01 000b 21c102 9c 0006 000b");
    let image = parts(&["x"], &tree).image();
    let after_names = [
        (1, "type"),
        (1, "count"),
        (2, "child offset"),
        (2, "child offset"),
        (1, "type"),
        (1, "count"),
        (1, "field id"),
        (2, "child offset"),
        (1, "type"),
        (2, "value"),
        (1, "type"),
        (2, "owner offset"),
        (2, "child offset"),
    ];
    assert_eq!(roles(&image)[11..], after_names);
}

#[test]
fn the_depth_of_a_region_is_that_of_its_value() {
    let image = parts(&["a"], &unhex("84 01 01 0005 c0 01 0009 31")).image();
    let regions = Document::new(&image).unwrap().regions().unwrap();
    let depths: Vec<_> = regions.iter().skip(7).map(|region| region.depth).collect();
    assert_eq!(depths, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3]);
}

#[test]
fn an_image_that_cannot_be_followed_has_no_regions() {
    for tree in ["84 01 01 0009 31", "84 01 01 0005 78", "84 02 01", "c0 01 0000"] {
        let image = parts(&["a"], &unhex(tree)).image();
        let regions = Document::new(&image).unwrap().regions();
        // A container inside itself has regions all the same: every node is looked at once.
        assert_eq!(regions.is_ok(), tree == "c0 01 0000", "{tree}");
    }
}

#[test]
fn long_names_have_regions_too() {
    let name = "n".repeat(256).into_bytes();
    let parts = Parts { version: 3, long: vec![(name, 0)], ..parts(&[], &unhex("84 01 01 0005 30")) };
    let roles = roles(&parts.image());
    for region in [(2, "hash"), (4, "name offset"), (2, "name length"), (256, "name")] {
        assert_eq!(roles.iter().filter(|role| **role == region).count(), 1, "{region:?}");
    }
    assert!(!roles.iter().any(|(_, role)| *role == Role::Slack.name()));
}
