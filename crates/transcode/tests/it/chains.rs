//! Realistic documents through every format and back: what differs in the end was reported on the way.

use boson_bench::Dataset;
use boson_document::Kind;
use boson_json::Style as JsonStyle;
use boson_oson::write::Style;
use boson_testkit::laws::tree;
use boson_transcode::diff::DiffOptions;
use boson_transcode::{AnyDocument, Format, Grade, Loss, OutOfRange, Policy, Report};

use crate::support::{assert_differences_are_reported, convert, converted, differences};

/// json -> bson -> oson -> bson -> json.
const WAY: [Format; 5] = [Format::Json, Format::Bson, Format::Oson, Format::Bson, Format::Json];

fn policy(oson_style: Style, json_style: JsonStyle) -> Policy {
    let mut policy = Policy::default();
    policy.oson_style = oson_style;
    policy.json_style = json_style;
    policy.dates = OutOfRange::Wrap;
    policy
}

/// The text at the end of the way, and what was reported on it.
fn go_round(text: &[u8], policy: &Policy) -> (Vec<u8>, Vec<Report>) {
    let mut bytes = text.to_vec();
    let mut reports = Vec::new();
    for step in WAY.windows(2) {
        let (next, report) = converted(step[0], &bytes, step[1], policy);
        bytes = next;
        reports.push(report);
    }
    (bytes, reports)
}

/// What the texts at both ends mean, type for type, differs only where it was reported.
fn assert_round_trip(text: &[u8], policy: &Policy) {
    let (back, reports) = go_round(text, policy);
    let [left, right] = [text, &back].map(|text| converted(Format::Json, text, Format::Bson, policy).0);
    let [left, right] = [&left, &right].map(|bytes| AnyDocument::new(Format::Bson, bytes).unwrap());
    assert_differences_are_reported(&left, &right, &reports.iter().collect::<Vec<_>>());
}

#[test]
fn the_data_sets_come_back() {
    for dataset in Dataset::ALL {
        for document in dataset.documents(1, 20) {
            let bson = boson_bson::encode(&document).unwrap();
            for json_style in [JsonStyle::ExtendedRelaxed, JsonStyle::ExtendedCanonical, JsonStyle::Oracle] {
                let policy = policy(Style::Compact, json_style);
                let (text, _) = converted(Format::Bson, &bson, Format::Json, &policy);
                let (back, reports) = go_round(&text, &policy);
                let lost = |report: &Report| report.count_of(Grade::Value) + report.count(Loss::DecimalScale);
                if reports.iter().all(|report| lost(report) == 0) {
                    assert_eq!(String::from_utf8(back), String::from_utf8(text.clone()), "{dataset:?}");
                } else {
                    assert_round_trip(&text, &policy);
                }
                assert_round_trip(&text, &self::policy(Style::Driver, json_style));
            }
        }
    }
}

#[test]
fn the_drivers_documents_come_back() {
    let Some(shared) = boson_testkit::shared() else { return boson_testkit::skip("no ../shared") };
    for name in ["flat_bson", "deep_bson", "full_bson"] {
        let text = std::fs::read(shared.join(format!("data/extended_bson/{name}.json"))).unwrap();
        for json_style in [JsonStyle::ExtendedRelaxed, JsonStyle::ExtendedCanonical] {
            assert_round_trip(&text, &policy(Style::Compact, json_style));
            assert_round_trip(&text, &policy(Style::Driver, json_style));
        }
    }
}

/// Images that a server wrote, to BSON and to the text that the server has for them.
#[test]
fn the_servers_images_are_their_text() {
    let Some(shared) = boson_testkit::shared() else { return boson_testkit::skip("no ../shared") };
    let images = std::fs::read(shared.join("vectors/oson_server_images.json")).unwrap();
    let images = tree(&AnyDocument::new(Format::Json, &images).unwrap()).unwrap();
    let boson_document::Value::Object(images) = images else { panic!("an object of images") };
    let mut plain = policy(Style::Compact, JsonStyle::Plain);
    plain.dialects = boson_json::Dialects::MONGODB.lenient();
    for (name, image) in &images {
        let Some(boson_document::Value::String(oson)) = image.get("oson") else { continue };
        let oson = boson_testkit::unhex(oson);
        let (text, _) = converted(Format::Oson, &oson, Format::Json, &plain);
        let expected = image.get("json").unwrap();
        let text = AnyDocument::new(Format::Json, &text).unwrap();
        let options = DiffOptions { ignore_order: true, ignore_types: true };
        assert_eq!(differences(expected, &text, options), [""; 0], "{name}");

        // To the same values again, written anew.
        let (again, report) = converted(Format::Oson, &oson, Format::Oson, &plain);
        assert!(report.is_exact(), "{name}: {report}");
        let [left, right] = [&oson, &again].map(|bytes| AnyDocument::new(Format::Oson, bytes).unwrap());
        assert_eq!(differences(&left, &right, DiffOptions::default()), [""; 0], "{name}");
        assert_to_bson(name, &oson);
    }
}

/// To BSON where the root allows it, and back to the same values where no loss is reported.
fn assert_to_bson(name: &str, oson: &[u8]) {
    let document = AnyDocument::new(Format::Oson, oson).unwrap();
    let policy = policy(Style::Compact, JsonStyle::Plain);
    match convert(Format::Oson, oson, Format::Bson, &policy) {
        Ok((bson, away)) => {
            let (back, home) = converted(Format::Bson, &bson, Format::Oson, &policy);
            let back = AnyDocument::new(Format::Oson, &back).unwrap();
            assert_differences_are_reported(&document, &back, &[&away, &home]);
        }
        Err(error) => {
            assert_ne!(document.kind().unwrap(), Kind::Object, "{name}: {error}");
            assert!(error.contains("the root must be a document"), "{name}: {error}");
        }
    }
}
