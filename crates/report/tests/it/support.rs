//! Documents in, page out.

use boson_document::{ObjectId, Value};
use boson_migrate::{CollectionPlan, draft, open_hazards};
use boson_profile::{Framing, Options, Profiler};
use boson_report::{Analysis, FormatSizes, Outcome, Page, Part, Proof, Row, Source};
use boson_store::CollectionKind;

pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).to_vec())
}

pub(crate) fn string(text: impl Into<String>) -> Value {
    Value::String(text.into())
}

/// What came of reading `documents`.
pub(crate) fn outcome(documents: impl IntoIterator<Item = Value>) -> Outcome {
    let mut profiler = Profiler::new(Options::default(), Framing::BSON);
    let mut sizes = FormatSizes::default();
    for document in documents {
        let bson = boson_bson::encode(&document).unwrap();
        let len = u64::try_from(bson.len()).unwrap();
        profiler.document(&boson_bson::Document::new(&bson).unwrap(), len).unwrap();
        sizes.merge(FormatSizes {
            documents: 1,
            bson_bytes: len,
            json_bytes: len + 7,
            oson_bytes: len - 3,
            left_out: 0,
        });
    }
    let source = Source {
        name: "made.bson".to_owned(),
        format: Some("bson"),
        documents: sizes.documents,
        bytes: sizes.bson_bytes,
    };
    let profile = profiler.finish();
    Outcome { collection: None, profile, sources: vec![source], sizes: Some(sizes), unread: 0, first_fault: None }
}

/// Readings of the published shape, with something of every kind around them.
pub(crate) fn readings(count: u8) -> Outcome {
    outcome((0..count).map(|number| {
        let id = ObjectId([0x65, 0x01, 0x02, 0x03, 4, 5, 6, 7, 8, 9, 10, number]);
        object([
            ("_id", Value::ObjectId(id)),
            ("readingId", string(format!("3f2504e0-4f89-41d3-9a0c-0305e82c33{number:02x}"))),
            ("timestamp", string(format!("2024-01-{:02}T10:30:00Z", number % 28 + 1))),
            ("temperature", string(format!("{}.5", number % 40))),
            ("active", string(if number % 2 == 0 { "true" } else { "false" })),
            ("note", if number % 5 == 0 { Value::Null } else { string(format!("checked by shift {number}")) }),
            ("battery", Value::Double(f64::from(number))),
            ("seen", Value::DateTime(1_705_314_600_000 + i64::from(number))),
            (
                "location",
                object([
                    ("lat", Value::Double(48.2 + f64::from(number) / 100.0)),
                    ("lon", Value::Double(16.4)),
                    ("place", object([("street", string("Ring")), ("number", Value::Int32(i32::from(number)))])),
                ]),
            ),
            ("tags", Value::Array(vec![string("indoor"), string("calibrated"), Value::Int32(3)])),
        ])
    }))
}

/// Figures of every kind: less, more, and within their error.
pub(crate) fn proof() -> Proof {
    const MODEL: &str = "estimated by the model of the storage engine";
    let row = |figure: &str, unit, before, after, error, how| {
        Row::new(figure.to_owned(), unit, before, after, error).how(how, "all 40 documents".to_owned())
    };
    Proof {
        documents_before: 40,
        documents_after: 40,
        notes: vec!["Of the dump, views are left out".to_owned()],
        rows: vec![
            row("document, average", "bytes", 362.4, 304.0, 0.0, "measured"),
            row("collection on disk, none", "bytes", 36_864_000.0, 31_100_000.0, 0.5, MODEL),
            row("collection on disk, snappy", "bytes", 14_000_000.0, 13_900_000.0, 5.0, MODEL),
            row("index timestamp_1", "bytes", 2_400_000.0, 1_700_000.0, 1.0, MODEL),
            row("decode, boson", "ns a document", 640.0, 910.0, 12.0, "measured, median round"),
        ],
    }
}

/// The page of `outcome`, with the plan that would be drafted.
pub(crate) fn page(title: &str, outcome: &Outcome, proof: Option<&Proof>) -> String {
    let plan = draft("", CollectionKind::Documents, None, &outcome.profile).plan;
    page_with(title, outcome, &plan, proof)
}

pub(crate) fn page_with(title: &str, outcome: &Outcome, plan: &CollectionPlan, proof: Option<&Proof>) -> String {
    let analysis = Analysis::new(outcome, false);
    let name = "files of documents".to_owned();
    let part = Part { name, kind: None, analysis: &analysis, plan: Some(plan), open: open_hazards(plan, None) };
    let mut html = Vec::new();
    let proofs: Vec<_> = proof.into_iter().map(|proof| (String::new(), proof.clone())).collect();
    Page::new(title, &[part], true, &proofs).write(&mut html).unwrap();
    String::from_utf8(html).unwrap()
}
