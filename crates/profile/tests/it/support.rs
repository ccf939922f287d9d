//! Documents in, profile out.

use std::io::Read;

use boson_document::{Decimal128, Value};
use boson_profile::{Framing, Options, Profile, Profiler};

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
