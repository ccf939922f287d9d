//! Typed structs in and out, over serde.

use boson_document::serde::{Binary, DateTime};
use boson_document::{Decimal128, DecodeErrorKind, Limit, ObjectId, Source, Value};
use boson_oson::{Document, from_slice, to_vec};
use boson_testkit::unhex;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Order {
    id: ObjectId,
    placed: DateTime,
    total: Decimal128,
    lines: Vec<Line>,
    note: Option<String>,
    count: i64,
    ratio: f64,
    digest: Binary,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Line {
    sku: String,
    quantity: u32,
}

fn order() -> Order {
    let line = |sku: &str, quantity| Line { sku: sku.into(), quantity };
    Order {
        id: "0123456789abcdef01234567".parse().unwrap(),
        placed: DateTime(1_577_836_800_123),
        total: Decimal128::parse("19.9").unwrap(),
        lines: vec![line("A-1", 2), line("B-2", u32::MAX)],
        note: None,
        count: i64::MIN,
        ratio: 0.1,
        digest: Binary { subtype: 0, bytes: vec![1, 2, 3] },
    }
}

#[test]
fn what_is_written_is_read_back() {
    assert_eq!(from_slice::<Order>(&to_vec(&order()).unwrap()).unwrap(), order());
}

#[test]
fn types_become_those_of_the_format() {
    let image = to_vec(&order()).unwrap();
    let mut builder = boson_document::Builder::new();
    Document::new(&image).unwrap().drive(&mut builder).unwrap();
    let tree = builder.finish().unwrap();
    assert_eq!(tree.get("id"), Some(&Value::ObjectId(order().id)));
    assert_eq!(tree.get("note"), Some(&Value::Null));
    assert!(matches!(tree.get("placed"), Some(Value::OracleTimestamp(time)) if time.nanosecond == 123_000_000));
}

/// The server's image of `{"name":"Alice","role":"Developer","active":true}`.
#[test]
fn a_servers_image_is_read_into_a_struct_that_borrows() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Person<'a> {
        name: &'a str,
        active: bool,
    }
    let image = unhex(
        "ff4a5a01210603001100 1c0000192fe60005000a0000 046e616d6504726f6c6506616374697665
         840303010200 0b0011001b05 416c69636509446576656c6f70657231",
    );
    assert_eq!(from_slice::<Person<'_>>(&image).unwrap(), Person { name: "Alice", active: true });
}

#[test]
fn an_error_names_the_path_and_what_was_found() {
    #[derive(Debug, Deserialize)]
    struct Wrong {
        #[expect(dead_code, reason = "never read")]
        lines: Vec<WrongLine>,
    }
    #[derive(Debug, Deserialize)]
    struct WrongLine {
        #[expect(dead_code, reason = "never read")]
        sku: i32,
    }
    let image = to_vec(&order()).unwrap();
    let message = from_slice::<Wrong>(&image).unwrap_err().to_string();
    assert!(message.contains("$.lines[0].sku"), "{message}");
}

/// 30 arrays of two references each to the next lead to 2^30 leaves in 194 bytes.
#[test]
fn a_bomb_of_shared_arrays_does_not_keep_a_typed_reader_busy() {
    let arrays = (1..=30_u16).flat_map(|level| {
        let [high, low] = (level * 6).to_be_bytes();
        [0xC0, 2, high, low, high, low]
    });
    let tree: Vec<u8> = arrays.chain([0x31]).collect();
    let mut image = unhex("ff4a5a01 2106 00 0000");
    image.extend(u16::try_from(tree.len()).unwrap().to_be_bytes());
    image.extend([0, 0]);
    image.extend(tree);
    assert_eq!(image.len(), 194);
    let error = from_slice::<serde_json::Value>(&image).unwrap_err();
    assert_eq!(error.decode_error().unwrap().kind, DecodeErrorKind::LimitExceeded(Limit::Nodes));
}
