//! What must hold for every document.

use boson_document::{Kind, Value};
use boson_oson::write::Style;
use boson_testkit::laws::assert_same;
use boson_testkit::{Coverage, Gen, documents};
use boson_transcode::{AnyDocument, Format, Loss, OutOfRange, Policy};
use proptest::prelude::*;

use crate::support::{assert_differences_are_reported, bson, convert, converted, value};

/// BSON to OSON and back is the same bytes, order included, for what the table of the format calls exact; and nothing is
/// reported.
fn assert_exact(document: &Value, policy: &Policy) {
    let original = bson(document);
    let (image, report) = converted(Format::Bson, &original, Format::Oson, policy);
    assert!(report.is_exact(), "{report}{document:?}");
    let (back, report) = converted(Format::Oson, &image, Format::Bson, policy);
    assert!(report.is_exact(), "{report}{document:?}");
    if back != original {
        assert_same(document, &value(Format::Bson, &back));
        panic!("equal trees of unequal bytes");
    }
}

/// BSON to `to` and back differs only at paths that were reported.
fn assert_reported(document: &Value, to: Format, policy: &Policy) {
    let original = bson(document);
    let (other, away) = match convert(Format::Bson, &original, to, policy) {
        Ok(converted) => converted,
        Err(error) => {
            let refused = ["outside", "not a number that this style", "NaN and infinities", "twice", "depth"];
            assert!(refused.iter().any(|what| error.contains(what)), "{error}");
            return;
        }
    };
    // What only looks like a wrapper may be no wrapper at all, and then there is no way back.
    let (back, home) = match convert(to, &other, Format::Bson, policy) {
        Ok(converted) => converted,
        Err(error) => return assert!(away.count(Loss::WrapperAmbiguous) > 0, "{error}\n{away}"),
    };
    let [left, right] = [&original, &back].map(|bytes| AnyDocument::new(Format::Bson, bytes).unwrap());
    assert_differences_are_reported(&left, &right, &[&away, &home]);
}

fn wrapping() -> Policy {
    let mut policy = Policy::default();
    policy.dates = OutOfRange::Wrap;
    policy
}

fn driver() -> Policy {
    let mut policy = wrapping();
    policy.oson_style = Style::Driver;
    policy
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn bson_to_oson_and_back_is_equal(document in Gen::EXACT_BOTH.with_width(60)) {
        assert_exact(&document, &Policy::default());
    }

    #[test]
    fn what_oson_does_not_keep_is_reported(document in Gen::BSON_ALL.with_width(60)) {
        assert_reported(&document, Format::Oson, &wrapping());
    }
}

#[test]
fn every_kind_is_exact_both_ways() {
    let mut coverage = Coverage::new();
    let mut keep_order = Policy::default();
    keep_order.keep_order = true;
    for document in documents(1, Gen::EXACT_BOTH, 500) {
        coverage.add(&document);
        assert_exact(&document, &Policy::default());
        assert_exact(&document, &keep_order);
    }
    assert_eq!(coverage.missing(Gen::EXACT_BOTH.kinds), []);
}

#[test]
fn every_kind_of_bson_comes_back_from_oson_or_is_reported() {
    let mut coverage = Coverage::new();
    for document in documents(2, Gen::BSON_ALL, 500) {
        coverage.add(&document);
        assert_reported(&document, Format::Oson, &wrapping());
        assert_reported(&document, Format::Oson, &driver());
    }
    assert_eq!(coverage.missing(Gen::BSON_ALL.kinds), []);
}

#[test]
fn every_kind_of_bson_comes_back_from_every_style_of_json_or_is_reported() {
    for style in [
        boson_json::Style::Plain,
        boson_json::Style::ExtendedCanonical,
        boson_json::Style::ExtendedRelaxed,
        boson_json::Style::Oracle,
    ] {
        let mut policy = wrapping();
        policy.json_style = style;
        if style == boson_json::Style::Plain {
            // Plain text is read as plain text.
            policy.dialects = boson_json::Dialects::MONGODB.lenient();
        }
        for document in documents(3, Gen::BSON_ALL, 200) {
            assert_reported(&document, Format::Json, &policy);
        }
    }
}

/// What BSON and Extended JSON call the same is the same bytes.
#[test]
fn canonical_json_keeps_all_of_bson() {
    let mut policy = wrapping();
    policy.json_style = boson_json::Style::ExtendedCanonical;
    for document in documents(4, Gen::EXACT_BOTH, 300) {
        let original = bson(&document);
        let (text, report) = converted(Format::Bson, &original, Format::Json, &policy);
        assert!(report.is_exact(), "{report}");
        let (back, report) = converted(Format::Json, &text, Format::Bson, &policy);
        assert!(report.is_exact(), "{report}");
        assert_same(&document, &value(Format::Bson, &back));
        assert_eq!(back, original);
    }
}

/// OSON to BSON and back differs only where it was reported, whatever Oracle's types are in it.
#[test]
fn every_kind_of_oson_goes_to_bson_or_is_reported() {
    let mut coverage = Coverage::new();
    for document in documents(5, Gen::OSON_ALL, 500) {
        if document.kind() != Kind::Object {
            continue;
        }
        coverage.add(&document);
        let image = boson_oson::write::to_vec(&document, &boson_oson::write::Options::default()).unwrap();
        let (other, away) = match convert(Format::Oson, &image, Format::Bson, &Policy::default()) {
            Ok(converted) => converted,
            Err(error) => {
                let refused = ["holds this number exactly", "beyond all that bson holds", "NUL"];
                assert!(refused.iter().any(|what| error.contains(what)), "{error}");
                continue;
            }
        };
        let (back, home) = converted(Format::Bson, &other, Format::Oson, &wrapping());
        let [left, right] = [&image, &back].map(|bytes| AnyDocument::new(Format::Oson, bytes).unwrap());
        assert_differences_are_reported(&left, &right, &[&away, &home]);
    }
    assert_eq!(coverage.missing(Gen::OSON_ALL.kinds), []);
}

/// OSON to Oracle's extended objects in text and back.
#[test]
fn every_kind_of_oson_comes_back_from_oracles_objects_or_is_reported() {
    let mut policy = wrapping();
    policy.json_style = boson_json::Style::Oracle;
    policy.dialects = boson_json::Dialects::ORACLE;
    for document in documents(6, Gen::OSON_ALL, 500) {
        let image = boson_oson::write::to_vec(&document, &boson_oson::write::Options::default()).unwrap();
        let (text, away) = converted(Format::Oson, &image, Format::Json, &policy);
        let (back, home) = match convert(Format::Json, &text, Format::Oson, &policy) {
            Ok(converted) => converted,
            // An ID without bytes has no text that reads back.
            Err(error) => {
                assert!(error.contains("expected base64, hexadecimal digits"), "{error}");
                continue;
            }
        };
        let [left, right] = [&image, &back].map(|bytes| AnyDocument::new(Format::Oson, bytes).unwrap());
        assert_differences_are_reported(&left, &right, &[&away, &home]);
    }
}

#[test]
fn damaged_documents_end_in_errors() {
    let policy = wrapping();
    for document in documents(7, Gen::EXACT_BOTH.with_width(40), 60) {
        let bson = bson(&document);
        let (oson, _) = converted(Format::Bson, &bson, Format::Oson, &policy);
        let (json, _) = converted(Format::Bson, &bson, Format::Json, &policy);
        for (format, bytes) in [(Format::Bson, &bson), (Format::Oson, &oson), (Format::Json, &json)] {
            for damaged in boson_testkit::corrupt::damaged(bytes, &oson, 8, 60) {
                for to in [Format::Bson, Format::Oson, Format::Json] {
                    let _ = convert(format, &damaged, to, &policy);
                }
            }
        }
    }
}
