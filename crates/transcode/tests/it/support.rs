//! What these tests share.

use std::ops::ControlFlow;

use boson_document::{PathBuf, Segment, Source, Value};
use boson_testkit::laws::tree;
use boson_transcode::diff::{Change, DiffOptions, Differ};
use boson_transcode::{AnyDocument, Converter, Format, Policy, Report};

/// The BSON of a tree.
pub(crate) fn bson(value: &Value) -> Vec<u8> {
    boson_bson::encode(value).unwrap()
}

/// The document in `bytes`.
pub(crate) fn open(format: Format, bytes: &[u8]) -> AnyDocument<'_> {
    AnyDocument::new(format, bytes).unwrap()
}

/// `bytes` converted, with what the report says.
pub(crate) fn convert(from: Format, bytes: &[u8], to: Format, policy: &Policy) -> Result<(Vec<u8>, Report), String> {
    let (mut out, mut report) = (Vec::new(), Report::with_paths_max(usize::MAX));
    let document = AnyDocument::new(from, bytes).map_err(|error| error.to_string())?;
    let converted = Converter::new(to, policy.clone()).convert(&document, &mut report, &mut out);
    converted.map(|()| (out, report)).map_err(|error| error.to_string())
}

/// The same of what must be convertible.
pub(crate) fn converted(from: Format, bytes: &[u8], to: Format, policy: &Policy) -> (Vec<u8>, Report) {
    convert(from, bytes, to, policy).unwrap_or_else(|error| panic!("{from} to {to}: {error}"))
}

/// The tree of a document.
pub(crate) fn value(format: Format, bytes: &[u8]) -> Value {
    tree(&open(format, bytes)).unwrap()
}

/// Each loss of a report as a line: `time-zone $.a[*] 3`.
pub(crate) fn losses(report: &Report) -> Vec<String> {
    report.iter().map(|one| format!("{} {} {}", one.loss, one.path.unwrap_or("?"), one.count)).collect()
}

/// The differences of two documents as lines.
pub(crate) fn differences(left: &impl Source, right: &impl Source, options: DiffOptions) -> Vec<String> {
    let mut lines = Vec::new();
    let compared = Differ::new(options).compare(left, right, |difference| {
        lines.push(difference.to_string());
        ControlFlow::Continue(())
    });
    assert_eq!(compared.unwrap(), lines.len() as u64);
    lines
}

/// Every difference of the two is at a path that one of the reports has, or inside one.
pub(crate) fn assert_differences_are_reported(left: &impl Source, right: &impl Source, reports: &[&Report]) {
    let all = reports.iter().flat_map(|report| report.iter());
    // What servers make of an image says nothing of its values.
    let listed: Vec<&str> = all.filter(|one| !one.loss.is_about_servers()).filter_map(|one| one.path).collect();
    Differ::default()
        .compare(left, right, |difference| {
            let found = prefixes(difference.path).any(|pattern| listed.contains(&pattern.as_str()));
            // Members that come in another order are told at the object.
            let order = difference.change == Change::Order;
            assert!(found && !order, "not reported: {difference}\nreported: {listed:?}");
            ControlFlow::Continue(())
        })
        .unwrap();
}

/// The patterns of a path and of all those above it.
fn prefixes(path: &PathBuf) -> impl Iterator<Item = String> {
    let segments = path.segments();
    (0..=segments.len()).map(|len| {
        segments[..len].iter().fold("$".to_owned(), |text, segment| match segment {
            Segment::Index(_) => text + "[*]",
            field @ Segment::Field(_) => format!("{text}{field}"),
        })
    })
}
