//! What must hold for every image, however damaged.

use boson_document::{Blocks, ByteSource, Layout, Limits, Source, Value};
use boson_oson::write::{Options, Style, to_vec};
use boson_oson::{Document, FieldOrder, Image, Node, image_len, path_at, validate};
use boson_testkit::{Gen, corrupt, documents, laws};
use proptest::prelude::*;

use super::python_images::python_images;
use super::server_images::server_images;
use super::updates;

/// Images of every version and writer there is.
fn images() -> Vec<Vec<u8>> {
    let mut images: Vec<Vec<u8>> = server_images().into_iter().map(|(_, _, image)| image).collect();
    images.extend(python_images().into_iter().map(|(_, _, image)| image));
    images.extend(updates::images());
    for style in [Style::Compact, Style::Driver] {
        let options = Options { style, ..Options::default() };
        images.extend(documents(7, Gen::OSON_ALL, 60).filter_map(|document| to_vec(&document, &options).ok()));
    }
    images
}

/// Few enough values that a bomb is over at once.
const LIMITS: Limits = Limits::OSON.with_nodes(20_000);

/// The tree by way of views, at most `depth` levels of it. An error anywhere is an error.
fn view_tree(value: &boson_oson::Value<'_>, depth: u32) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    if let Some(scalar) = value.scalar().ok()? {
        return Some(scalar.into());
    }
    if value.kind() == boson_document::Kind::Array {
        return value.items().map(|item| view_tree(&item.ok()?, depth)).collect::<Option<_>>().map(Value::Array);
    }
    let mut order = FieldOrder::new();
    let members = value.fields_in_order(&mut order).ok()?.map(|field| {
        let (name, member) = field.ok()?;
        Some((name.to_owned(), view_tree(&member, depth)?))
    });
    members.collect::<Option<_>>().map(Value::Object)
}

/// The same over any source of bytes, members in stored order.
fn block_tree<S: ByteSource>(value: &Node<S>, depth: u32) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    if let Some(held) = value.held().ok()? {
        return held.scalar().ok().map(Value::from);
    }
    if value.kind() == boson_document::Kind::Array {
        return value.items().map(|item| block_tree(&item.ok()?, depth)).collect::<Option<_>>().map(Value::Array);
    }
    let members = value.members().map(|member| {
        let (id, member) = member.ok()?;
        let name = value.image().name_bytes(id).ok()?;
        Some((String::from_utf8_lossy(&name).into_owned(), block_tree(&member, depth)?))
    });
    members.collect::<Option<_>>().map(Value::Object)
}

/// Everything that can be asked of bytes. What was validated answers everything, and alike.
fn ask_everything(bytes: &[u8]) {
    let valid = validate(bytes, &LIMITS);
    let _: Result<_, _> = image_len(bytes);
    let Ok(document) = Document::new(bytes) else {
        assert!(valid.is_err());
        return;
    };
    let pushed = laws::tree(&document.limited(LIMITS));
    let regions = document.regions();
    if let Ok(regions) = &regions {
        laws::regions_tile(regions, bytes.len());
    }
    if let Err(located) = &valid {
        assert_eq!(located.path, path_at(bytes, located.error.offset));
        let _: Result<_, _> = document.get("a");
        return;
    }
    assert!(regions.is_ok());
    let pushed = pushed.expect("validated");
    let root = document.root().unwrap();
    assert_eq!(view_tree(&root, 1100).as_ref(), Some(&pushed));
    let blocks = Blocks::new(bytes, 7).unwrap();
    let block_root = Image::open(&blocks).unwrap().root().unwrap();
    assert_eq!(block_tree(&block_root, 1100), block_tree(&root, 1100));
    every_name_is_found(&document);
}

fn every_name_is_found(document: &Document<'_>) {
    for name in document.names() {
        let name = name.unwrap();
        let id = document.name_id(name).unwrap().expect("a name of the dictionary");
        assert_eq!(document.name(id), Ok(name));
    }
    for field in document.root().unwrap().fields() {
        let (name, value) = field.unwrap();
        assert_eq!(document.get(name).unwrap().unwrap().span(), value.span());
    }
}

#[test]
fn whole_images_answer_everything() {
    for image in images() {
        ask_everything(&image);
        assert_eq!(validate(&image, &LIMITS), Ok(()));
    }
}

#[test]
fn damaged_images_are_answered_or_refused() {
    let images = images();
    for (seed, image) in (0..).zip(&images) {
        let other = &images[(seed + 1) % images.len()];
        for damaged in corrupt::damaged(image, other, u64::try_from(seed).unwrap(), 30) {
            ask_everything(&damaged);
        }
    }
}

#[test]
fn every_byte_of_small_images_takes_every_value() {
    for image in images().iter().filter(|image| image.len() < 80) {
        for place in 0..image.len() {
            let mut damaged = image.clone();
            for byte in 0..=255 {
                damaged[place] = byte;
                let Ok(document) = Document::new(&damaged) else { continue };
                let walked = document.limited(LIMITS).drive(&mut boson_document::Discard);
                let regions = document.regions();
                if let Ok(regions) = &regions {
                    laws::regions_tile(regions, damaged.len());
                }
                assert!(walked.is_err() || regions.is_ok(), "{place} {byte}: {:?}", regions.unwrap_err());
            }
        }
    }
}

#[test]
fn cut_images_are_refused() {
    for image in images() {
        for front in corrupt::prefixes(&image).take(500).filter(|front| front.len() < image.len()) {
            // Without all of its update parts, an updated image may still be one.
            assert!(validate(front, &LIMITS).is_err() || image[3] == 2 || image[3] == 4);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn mutated_images(which in any::<prop::sample::Index>(), patches in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut image = which.get(&small_images()).clone();
        for (place, byte) in patches {
            let place = place.index(image.len());
            image[place] = byte;
        }
        ask_everything(&image);
    }

    #[test]
    fn any_bytes_behind_a_header(head in 0_usize..4, body in prop::collection::vec(any::<u8>(), 0..200)) {
        let heads = ["ff4a5a010016", "ff4a5a012106", "ff4a5a022107", "ff4a5a032106"];
        let image = [boson_testkit::unhex(heads[head]), body].concat();
        ask_everything(&image);
    }

    #[test]
    fn any_tree(flags in prop::sample::select(vec![0_u16, 1, 0x8000]), tree in prop::collection::vec(any_node_byte(), 1..60)) {
        let image = super::build::Parts { flags, ..super::build::parts(&["a", "c", ""], &tree) }.image();
        ask_everything(&image);
    }
}

/// Opcodes and small numbers more often than the rest.
fn any_node_byte() -> impl Strategy<Value = u8> {
    prop_oneof![
        4 => 0_u8..40,
        2 => prop::sample::select(vec![0x80, 0x84, 0x86, 0x9C, 0xC0, 0xC8, 0xE0, 0x21, 0x30, 0x31, 0x33, 0x34, 0x75, 0x76, 0x7E]),
        1 => any::<u8>(),
    ]
}

fn small_images() -> Vec<Vec<u8>> {
    static IMAGES: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    IMAGES.get_or_init(|| images().into_iter().filter(|image| image.len() < 4000).collect()).clone()
}
