//! Compared with images that a server wrote.

use std::fs;

use boson_document::{Scalar, Sink, Source, Span, Value};
use boson_oson::Document;
use boson_oson::write::{Options, Writer, to_vec};
use boson_testkit::{laws, shared, unhex};
use serde_json::Value as Json;

/// The images of version 1 and 3 by name: a writer makes no others.
fn images() -> Option<Vec<(String, Vec<u8>)>> {
    let text = fs::read_to_string(shared()?.join("vectors/oson_server_images.json")).unwrap();
    let table: serde_json::Map<String, Json> = serde_json::from_str(&text).unwrap();
    let images = table.into_iter().map(|(name, image)| (name, unhex(image["oson"].as_str().unwrap())));
    Some(images.filter(|(_, image)| matches!(image[3], 1 | 3)).collect())
}

#[test]
fn our_images_are_not_larger_than_those_of_a_server() {
    let Some(images) = images() else { return };
    for (name, theirs) in images {
        let document = laws::tree(&Document::new(&theirs).unwrap()).unwrap();
        let ours = to_vec(&document, &Options::COMPACT).unwrap();
        assert!(ours.len() <= theirs.len(), "{name}: {} bytes, a server has {}", ours.len(), theirs.len());
        laws::assert_same(&document, &laws::tree(&Document::new(&ours).unwrap()).unwrap());
    }
}

/// Scalars, and objects of up to ten fields with nothing to share, leave a writer no choice but flags and order of nodes.
#[test]
fn scalars_are_written_as_a_server_writes_them() {
    let Some(images) = images() else { return };
    let mut same = 0;
    for (name, theirs) in images {
        let document = laws::tree(&Document::new(&theirs).unwrap()).unwrap();
        let ours = to_vec(&document, &Options::COMPACT).unwrap();
        // A server puts numbers of more than 8 bytes behind a length.
        if theirs[5] & 0x10 != 0 && name != "number large" {
            assert_eq!(ours, theirs, "{name}");
            same += 1;
        }
    }
    assert!(same >= 15, "{same}");
}

/// 32 equal objects of three fields: 2131 bytes as BSON.
#[test]
fn equal_objects_take_a_fifth_of_bson() {
    let record = Value::Object(vec![
        ("delegate_id".to_owned(), Value::Int32(7)),
        ("delegate_name".to_owned(), Value::String("same".to_owned())),
        ("delegate_flag".to_owned(), Value::Bool(true)),
    ]);
    let document = Value::Object(vec![("identical_records".to_owned(), Value::Array(vec![record; 32]))]);
    let image = to_vec(&document, &Options::COMPACT).unwrap();
    assert!(image.len() <= 468, "{} bytes, 0.22 of 2131 are 468", image.len());
}

/// The header's fields, one by one, of an image with nothing left to chance.
#[test]
fn a_small_image_is_what_the_format_says() {
    let mut writer = Writer::new(&Options::COMPACT);
    let document = Value::Object(vec![
        ("name".to_owned(), Value::String("Alice".to_owned())),
        ("role".to_owned(), Value::String("Developer".to_owned())),
        ("active".to_owned(), Value::Bool(true)),
    ]);
    let mut image = Vec::new();
    writer.write(&document, &mut image).unwrap();
    // "simple object" of the server's images.
    assert_eq!(
        boson_testkit::hex(&image),
        "ff4a5a012106030011001c0000192fe60005000a0000046e616d6504726f6c65066163746976658403030102000b0011001b05416c69636509\
         446576656c6f70657231"
    );
    // Appended to what is there.
    writer.scalar(Scalar::Null, Span::default()).unwrap();
    writer.finish(&mut image).unwrap();
    assert!(image.ends_with(&unhex("ff4a5a010016000130")));
    assert!(document.drive(&mut writer).is_ok());
}
