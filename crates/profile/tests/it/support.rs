//! Documents in, profile out.

use std::io::Read;

use boson_document::{Decimal128, Value};
use boson_profile::{Finding, Framing, Loss, Options, Profile, Profiler, Question};

/// The profile of trees, which have no bytes.
pub(crate) fn profile(documents: impl IntoIterator<Item = Value>) -> Profile {
    profile_with(Options::default(), documents)
}

pub(crate) fn profile_with(options: Options, documents: impl IntoIterator<Item = Value>) -> Profile {
    let mut profiler = Profiler::new(options, Framing::BSON);
    documents.into_iter().for_each(|document| profiler.document(&document, 0).unwrap());
    profiler.finish()
}

/// The profile of concatenated BSON documents.
pub(crate) fn profile_bson(bytes: &[u8]) -> Profile {
    let mut profiler = Profiler::new(Options::default(), Framing::BSON);
    bson_documents(bytes).for_each(|document| add_bson(&mut profiler, document));
    profiler.finish()
}

pub(crate) fn add_bson(profiler: &mut Profiler, document: &[u8]) {
    let bytes = u64::try_from(document.len()).unwrap();
    profiler.document(&boson_bson::Document::new(document).unwrap(), bytes).unwrap();
}

/// Each document of a `.bson` file.
pub(crate) fn bson_documents(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let len = i32::from_le_bytes(*bytes.first_chunk()?);
        let (document, rest) = bytes.split_at(usize::try_from(len).unwrap());
        bytes = rest;
        Some(document)
    })
}

/// A file of the shared data, unpacked; `None` when it is not there and the test has to be skipped.
pub(crate) fn shared_gz(name: &str) -> Option<Vec<u8>> {
    let file = std::fs::File::open(boson_testkit::shared()?.join("data").join(name)).unwrap();
    let mut bytes = Vec::new();
    flate2::read::MultiGzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    Some(bytes)
}

pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).to_vec())
}

pub(crate) fn string(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// Documents with one field each.
pub(crate) fn field(name: &str, values: impl IntoIterator<Item = Value>) -> Profile {
    profile(values.into_iter().map(|value| object([(name, value)])))
}

/// Documents with one string each.
pub(crate) fn strings(name: &str, texts: &[&str]) -> Profile {
    field(name, texts.iter().map(|text| string(text)))
}

pub(crate) fn decimal(text: &str) -> Value {
    Value::Decimal128(Decimal128::parse(text).unwrap())
}

/// What is found in strings of a field, in one line: the proposed type and what speaks against it, why they stay, or that
/// they are text.
pub(crate) fn verdict(name: &str, texts: &[&str]) -> String {
    described(&strings(name, texts))
}

pub(crate) fn described(profile: &Profile) -> String {
    let found = profile.findings();
    match (&*found.findings, &*found.left_alone) {
        ([], []) => "text".to_owned(),
        ([], [left]) => format!("stays: {}", left.reason),
        ([finding], []) => describe(finding),
        _ => panic!("more than one verdict: {found:?}"),
    }
}

fn describe(finding: &Finding) -> String {
    let mut parts = vec![finding.proposal.target.to_string()];
    parts.extend(finding.alternatives.iter().map(|way| format!("or {}", way.target)));
    parts.extend(finding.questions.iter().map(|question| match question {
        Question::Zone(values) => format!("zone? {values}"),
        Question::ZeroOrOne => "bits?".to_owned(),
        Question::Nothing(values) => format!("null? {values}"),
        Question::DayMonthOrder(values) => format!("order? {values}"),
        _ => "?".to_owned(),
    }));
    parts.extend(finding.proposal.losses.iter().map(|loss| match loss {
        Loss::Spelling(values) => format!("respells {values}"),
        Loss::Offset(values) => format!("loses {values} offsets"),
        Loss::BelowMilliseconds(values) => format!("truncates {values}"),
        _ => "loses".to_owned(),
    }));
    if finding.misfits.count > 0 {
        parts.push(format!("misfits {}", finding.misfits.count));
    }
    parts.join(", ")
}
