//! Replies as the wire protocol frames them: bytes counted by hand.

use boson_bson::Document;
use boson_document::Value;
use boson_prove::{Options, Side};

/// A document `{a: <int32>}` has 12 bytes: length 4, type 1, name 2, value 4, end 1.
fn document(number: i32) -> Vec<u8> {
    boson_bson::encode(&Value::Object(vec![("a".to_owned(), Value::Int32(number))])).unwrap()
}

fn network(count: i32) -> boson_prove::NetworkSize {
    let mut side = Side::new(&Options { namespace: "db.c".to_owned(), ..Options::default() });
    for number in 0..count {
        let bytes = document(number);
        side.add(&Document::new(&bytes).unwrap()).unwrap();
    }
    side.finish().network
}

#[test]
fn a_reply_of_a_hundred_documents_has_the_bytes_of_its_parts() {
    // Header 16, flags 4, kind of the section 1.
    let message = 16 + 4 + 1;
    // A hundred documents, each with a type, an index of one digit (10) or two (90), and a NUL.
    let batch = 4 + 100 * (1 + 12 + 1) + 10 + 90 * 2 + 1;
    // firstBatch: type, name, NUL; id: type, name, NUL, int64; ns: type, name, NUL, length, "db.c", NUL.
    let cursor = 4 + (1 + 10 + 1 + batch) + (1 + 2 + 1 + 8) + (1 + 2 + 1 + 4 + 5) + 1;
    // cursor: type, name, NUL; ok: type, name, NUL, double.
    let body = 4 + (1 + 6 + 1 + cursor) + (1 + 2 + 1 + 8) + 1;
    let network = network(100);
    assert_eq!(network.replies, 1);
    assert_eq!(network.bytes, message + body);
}

#[test]
fn what_is_left_of_a_reply_is_not_counted() {
    assert_eq!(network(99).replies, 0);
    let (one, two) = (network(199), network(200));
    assert_eq!((one.replies, two.replies), (1, 2));
    assert_eq!(two.bytes, 2 * one.bytes);
}

#[test]
fn compressed_replies_are_shorter_and_have_a_header_of_their_own() {
    let network = network(100);
    assert_eq!(network.compressed.len(), 3);
    for (compressor, replies, bytes) in network.compressed {
        assert_eq!(replies, 1, "{compressor}");
        assert!(bytes > 16 + 9 && bytes < network.bytes, "{compressor}: {bytes}");
    }
}
