//! B17: sensitive bytes (subtype 8) are in no output for people. B15, B16: UUIDs are never guessed.

use boson_bson::{DocumentBuf, LegacyUuid};

use super::{document, view};
use crate::support::{read, unhex};

#[test]
fn sensitive_bytes_are_not_shown() {
    let row = unhex("10000000057000030000000861626300");
    let cases = [
        row,
        document("05 6100 06000000 08 736563726574"),
        document("03 6100 13000000 05 6200 06000000 08 736563726574 00"),
        document("04 6100 13000000 05 3000 06000000 08 736563726574 00"),
        document("0f 6100 1c000000 01000000 00 13000000 05 6200 06000000 08 736563726574 00"),
    ];
    for bytes in cases {
        let value = view(&bytes).elements().next().unwrap().unwrap().value();
        let buf = DocumentBuf::from_vec(bytes.clone()).unwrap();
        let shown = format!("{:?} {value:?} {buf:?} {:?}", view(&bytes), read(&bytes).unwrap());
        let bytes = [format!("{:?}", b"abc"), format!("{:?}", b"secret")];
        let inner = bytes.iter().map(|list| list.trim_matches(['[', ']']));
        for secret in ["abc", "secret", "616263", "736563726574"].into_iter().chain(inner) {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert!(shown.contains("sensitive"), "{shown}");
    }
}

#[test]
fn other_bytes_are_shown() {
    let bytes = document("05 6100 03000000 00 010203 02 6200 02000000 7800");
    assert_eq!(format!("{:?}", view(&bytes)), r#"{"a": Binary(0, [1, 2, 3]), "b": String("x")}"#);
}

#[test]
fn a_uuid_of_subtype_3_is_three_uuids() {
    let cases = [
        (
            "00112233445566778899aabbccddeeff",
            "00112233-4455-6677-8899-aabbccddeeff",
            "77665544-3322-1100-ffee-ddccbbaa9988",
            "33221100-5544-7766-8899-aabbccddeeff",
        ),
        (
            "0102030405060708090a0b0c0d0e0f10",
            "01020304-0506-0708-090a-0b0c0d0e0f10",
            "08070605-0403-0201-100f-0e0d0c0b0a09",
            "04030201-0605-0807-090a-0b0c0d0e0f10",
        ),
        (
            "ff000000000000000000000000000000",
            "ff000000-0000-0000-0000-000000000000",
            "00000000-0000-00ff-0000-000000000000",
            "000000ff-0000-0000-0000-000000000000",
        ),
        (
            "00000000000000000000000000000001",
            "00000000-0000-0000-0000-000000000001",
            "00000000-0000-0000-0100-000000000000",
            "00000000-0000-0000-0000-000000000001",
        ),
    ];
    for (payload, python, java, csharp) in cases {
        let bytes = document(&format!("05 6100 10000000 03 {payload}"));
        let value = view(&bytes).get("a").unwrap().unwrap();
        let orders = [(LegacyUuid::Python, python), (LegacyUuid::Java, java), (LegacyUuid::CSharp, csharp)];
        for (order, expected) in orders {
            let uuid = value.legacy_uuid(order).unwrap();
            assert_eq!(uuid.to_string(), expected);
            assert_eq!(order.payload(uuid).as_slice(), unhex(payload));
        }
        let error = value.uuid().unwrap_err().to_string();
        assert!(error.contains("expected binary of subtype 4, found subtype 3"), "{error}");
    }
}

#[test]
fn a_uuid_has_sixteen_bytes() {
    for len in [0usize, 1, 15, 17, 32] {
        for subtype in ["03", "04"] {
            let payload = "ab".repeat(len);
            let bytes = document(&format!("05 6100 {len:02x}000000 {subtype} {payload}"));
            let value = view(&bytes).get("a").unwrap().unwrap();
            value.scalar().unwrap();
            let uuid = if subtype == "04" { value.uuid() } else { value.legacy_uuid(LegacyUuid::Java) };
            assert_eq!(uuid.unwrap_err().to_string(), "offset 12: a UUID has 16 bytes");
        }
    }
}
