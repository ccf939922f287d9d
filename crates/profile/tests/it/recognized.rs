//! What strings hold, and what each conversion saves: sizes are those of the BSON specification.

use boson_profile::{Actual, Case, Reason, Risk, Spelling, Target, UuidSpelling};

use crate::support::{strings, verdict};

#[test]
fn uuids_in_every_spelling() {
    let lower = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
    let bare = lower.replace('-', "");
    for (text, spelling, bytes) in [
        (lower.to_owned(), UuidSpelling::Hyphens, 41 - 21),
        (bare.clone(), UuidSpelling::Bare, 37 - 21),
        (format!("{{{lower}}}"), UuidSpelling::Braces, 43 - 21),
        (format!("({lower})"), UuidSpelling::Parentheses, 43 - 21),
        (format!("urn:uuid:{lower}"), UuidSpelling::Urn, 50 - 21),
        (format!("UUID(\"{lower}\")"), UuidSpelling::Call, 49 - 21),
    ] {
        let finding = strings("key", &[&text]).findings().findings.remove(0);
        assert_eq!((finding.actual, finding.proposal.target), (Actual::Uuid, Target::Uuid), "{text}");
        assert_eq!(finding.proposal.spelling, Some(Spelling::Uuid { spelling, case: Case::Lower }));
        assert_eq!(finding.saved_bytes(), Some(bytes), "{text}");
        assert_eq!((finding.risk, &*finding.reasons), (Risk::Low, &[Reason::EveryValueSurvives][..]));
    }
    assert_eq!(verdict("key", &[&lower.to_uppercase()]), "UUID");
    assert_eq!(verdict("key", &[lower, &lower.to_uppercase()]), "UUID, respells 1");
    assert_eq!(verdict("key", &["F81d4fae-7dec-11d0-a765-00a0c91e6bf6"]), "UUID, respells 1");
    assert_eq!(verdict("key", &[lower, &bare]), "UUID, respells 1");
    for text in
        [&lower[1..], "f81d4fae-7dec-11d0-a765-00a0c91e6bfg", "f81d4fae7-dec-11d0-a765-00a0c91e6bf6", "{f81d4fae}"]
    {
        assert_eq!(verdict("key", &[text]), "text", "{text}");
    }
}

/// MD5 sums of `a`, `b`, `c` (RFC 1321 has the first): 32 digits, and no UUIDs.
#[test]
fn sums_are_no_uuids() {
    let sums =
        ["0cc175b9c0f1b6a831c399e269772661", "92eb5ffee6ae2fec3ad71c777531578f", "4a8a08f09d37b73795649038408b5f33"];
    let finding = strings("etag", &sums).findings().findings.remove(0);
    assert_eq!((finding.actual, finding.proposal.target), (Actual::Hexadecimal, Target::Binary(5)));
    assert_eq!(finding.saved_bytes(), Some(3 * (37 - 21)));
}

#[test]
fn object_ids_printed_into_the_database() {
    for text in [
        "ObjectId(\"507f1f77bcf86cd799439011\")",
        "ObjectId('507f1f77bcf86cd799439011')",
        "ObjectID(\"507F1F77BCF86CD799439011\")",
    ] {
        let finding = strings("ref", &[text]).findings().findings.remove(0);
        assert_eq!(finding.proposal.target, Target::ObjectId);
        assert_eq!(finding.saved_bytes(), Some(5 + 36 - 12), "{text}");
    }
    assert_eq!(verdict("v", &["ObjectId(\"507f\")"]), "text");
}

#[test]
fn binary_in_hexadecimal_and_base64() {
    // SHA-256 of the empty string and of `abc` (FIPS 180-2).
    let sums = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ];
    let finding = strings("digest", &sums).findings().findings.remove(0);
    assert_eq!((finding.proposal.target, finding.saved_bytes()), (Target::Binary(0), Some(2 * (64 - 32))));
    // The same sums in Base64.
    let sums = ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="];
    let finding = strings("digest", &sums).findings().findings.remove(0);
    assert_eq!((finding.actual, finding.saved_bytes()), (Actual::Base64, Some(2 * (44 - 32))));
    for text in ["AKIAIOSFODNN7EXAMPLE", "/usr/local/bin/x", "some-long-slug-as-name", "abcdefabcdef"] {
        assert_eq!(verdict("v", &[text]), "text", "{text}");
    }
}

#[test]
fn documents_as_text() {
    for text in ["{\"a\": 1}", "[1, 2, {\"b\": [null]}]", "{\"a\":\"\\u00e9\",\"b\":[true,false,-1.5e3]}"] {
        let finding = strings("payload", &[text]).findings().findings.remove(0);
        assert_eq!((finding.proposal.target, finding.saved_bytes()), (Target::Document, None), "{text}");
    }
    for text in ["{}", "[]", "{a: 1}", "[1, 2", "{\"a\" 1}", "[1,]", "{\"a\":1}}", "[+1]", "{\"a\":\"\\x\"}"] {
        assert_eq!(verdict("payload", &[text]), "text", "{text}");
    }
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    assert_eq!(verdict("payload", &[&deep]), "text");
}

#[test]
fn integers_and_decimals_with_their_bytes() {
    let finding = strings("level", &["5", "42", "100"]).findings().findings.remove(0);
    assert_eq!((finding.proposal.target, finding.saved_bytes()), (Target::Int32, Some(3 * 5 + 6 - 12)));
    let finding = strings("celsius", &["21.0", "-4.7"]).findings().findings.remove(0);
    assert_eq!(finding.proposal.spelling, Some(Spelling::Scale(1)));
    assert_eq!((finding.saved_bytes(), finding.alternatives[0].saved_bytes), (Some(18 - 16), Some(18 - 32)));
    let finding = strings("ratio", &["0.5", "12", "0.125"]).findings().findings.remove(0);
    assert_eq!(finding.proposal.spelling, Some(Spelling::Shortest));
    // 17 digits that a double keeps, 17 that it does not, and more than it can have.
    assert_eq!(verdict("v", &["0.30000000000000004"]), "Double, or Decimal128");
    assert_eq!(verdict("v", &["0.12345678901234567"]), "Decimal128");
    assert_eq!(verdict("v", &["3.14159265358979323846264338327950"]), "Decimal128");
    assert_eq!(verdict("v", &["-0.0", "1.5"]), "Double, or Decimal128");
}

/// Every string that is said to come back from a double does.
#[test]
fn doubles_give_their_text_back() {
    let mut rng = boson_testkit::Rng::new(5);
    for _ in 0..20_000 {
        let (whole, scale) = (rng.bits() >> rng.below(64), 1 + rng.below(17));
        let digits = format!("{:0scale$}", rng.bits() % 10_u64.pow(u32::try_from(scale).unwrap()));
        let text = format!("{whole}.{digits}");
        let findings = strings("v", &[&text]).findings().findings;
        let printed = format!("{:.scale$}", text.parse::<f64>().unwrap());
        let is_double = findings.first().is_some_and(|finding| finding.proposal.target == Target::Double);
        let double: f64 = text.parse().unwrap();
        let comes_back = match findings.first().and_then(|finding| finding.proposal.spelling.clone()) {
            Some(Spelling::Shortest) => double.to_string() == text,
            Some(Spelling::Scale(_)) => printed == text,
            _ => false,
        };
        assert_eq!(is_double, comes_back, "{text}");
        assert!(is_double || printed != text, "{text}");
    }
}

#[test]
fn the_primary_key_is_never_changed_in_place() {
    let finding = strings("_id", &["f81d4fae-7dec-11d0-a765-00a0c91e6bf6"]).findings().findings.remove(0);
    assert_eq!((finding.risk, &*finding.reasons), (Risk::High, &[Reason::PrimaryKey][..]));
    assert!(finding.path.is_id());
}
