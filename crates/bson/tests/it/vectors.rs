//! Vectors (binary of subtype 9): the specification's vectors and the rules one by one.

use boson_bson::vector::{float32_payload, int8_payload, packed_bit_payload};
use boson_bson::{Document, Vector};
use serde_json::Value as Json;

use crate::support::unhex;

fn files() -> Vec<Json> {
    let Some(shared) = boson_testkit::shared() else { return Vec::new() };
    let read = |name| serde_json::from_slice(&std::fs::read(shared.join("vectors/bson_vector").join(name)).unwrap());
    ["int8.json", "float32.json", "packed_bit.json"].into_iter().map(|name| read(name).unwrap()).collect()
}

fn numbers(case: &Json) -> Vec<f64> {
    let number = |value: &Json| {
        value.as_f64().or_else(|| value["$numberDouble"].as_str()?.replace("Infinity", "inf").parse().ok())
    };
    case["vector"].as_array().unwrap().iter().map(|value| number(value).unwrap()).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the corpus holds small numbers")]
fn assert_elements(vector: Vector<'_>, payload: &[u8], case: &Json) {
    let expected = numbers(case);
    match vector {
        Vector::Int8(elements) => {
            assert_eq!(elements.iter().map(f64::from).collect::<Vec<_>>(), expected);
            assert_eq!(int8_payload(&elements.iter().collect::<Vec<_>>()), payload);
        }
        Vector::Float32(elements) => {
            let expected: Vec<f32> = expected.into_iter().map(|number| number as f32).collect();
            assert_eq!(elements.iter().collect::<Vec<_>>(), expected);
            assert_eq!(float32_payload(&expected), payload);
        }
        Vector::PackedBit(bits) => {
            let expected: Vec<u8> = expected.into_iter().map(|number| number as u8).collect();
            assert_eq!(bits.bytes(), expected);
            assert_eq!(Some(u64::from(bits.padding())), case["padding"].as_u64());
            assert_eq!(packed_bit_payload(&expected, bits.padding()).unwrap(), payload);
        }
    }
}

#[test]
fn the_specifications_vectors() {
    let mut counts = (0, 0);
    for case in files().iter().flat_map(|file| file["tests"].as_array().unwrap()) {
        let Some(bytes) = case["canonical_bson"].as_str().map(unhex) else { continue };
        let value = Document::new(&bytes).unwrap().get("vector").unwrap().unwrap();
        // Behind length and subtype.
        let payload = &value.bytes()[5..];
        if case["valid"].as_bool().unwrap() {
            assert_elements(value.vector().unwrap(), payload, case);
            counts.0 += 1;
        } else {
            assert!(value.vector().is_err(), "{}", case["description"]);
            // It is binary nevertheless.
            value.scalar().unwrap();
            counts.1 += 1;
        }
    }
    assert!(counts == (0, 0) || counts == (9, 6), "{counts:?}");
}

#[test]
fn payloads_that_are_no_vectors() {
    let broken: &[&[u8]] = &[
        &[],
        &[0x03],
        &[0x27],
        &[0x10],
        &[0x03, 1],
        &[0x03, 1, 7],
        &[0x27, 1, 0, 0, 0, 0],
        &[0x27, 0, 0],
        &[0x27, 0, 0, 0, 0x80, 0x3F, 1],
        &[0x10, 1],
        &[0x10, 8, 0],
        &[0x10, 255, 0],
        &[0x00, 0, 1],
        &[0x04, 0, 1],
        &[0xFF, 0, 1],
    ];
    for payload in broken {
        assert!(Vector::new(payload).is_err(), "{payload:?}");
    }
}

#[test]
fn bits_are_read_from_the_top() {
    let Vector::PackedBit(bits) = Vector::new(&[0x10, 3, 0b1100_0001, 0b0101_0000]).unwrap() else { panic!() };
    let shown: String = bits.iter().map(|bit| if bit { '1' } else { '0' }).collect();
    assert_eq!(shown, "1100000101010");
    assert!(bits.padding_is_zero());
}

#[test]
fn padding_bits_that_are_not_zero_are_read_and_never_written() {
    let vector = Vector::new(&[0x10, 3, 0b0000_0101]).unwrap();
    let Vector::PackedBit(bits) = vector else { panic!() };
    assert!(!bits.padding_is_zero());
    assert_eq!(vector.len(), 5);
    assert_eq!(packed_bit_payload(&[0b0000_0101], 3), None);
    assert_eq!(packed_bit_payload(&[], 1), None);
    assert_eq!(packed_bit_payload(&[0], 8), None);
}
