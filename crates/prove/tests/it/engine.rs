//! The model against files that the real engine wrote: ../shared/data/README.md, and docs/storage-model.md for what is not there.

use std::fs::File;
use std::io::Read as _;

use boson_bson::Document;
use boson_prove::wiredtiger::Compressor;
use boson_prove::{IndexSpec, Measured, Options, Side};

/// Bytes of the engine's files for 100,000 readings.
struct Engine {
    file: &'static str,
    bson: u64,
    tables: [(Compressor, u64); 3],
    ids: u64,
    timestamps: u64,
}

const STRINGS: Engine = Engine {
    file: "readings_strings.bson.gz",
    bson: 36_240_988,
    tables: [(Compressor::None, 37_285_888), (Compressor::Snappy, 8_974_336), (Compressor::Zlib, 5_328_896)],
    ids: 4_587_520,
    timestamps: 1_593_344,
};

const TYPED: Engine = Engine {
    file: "readings_typed.bson.gz",
    bson: 30_400_000,
    tables: [(Compressor::None, 31_305_728), (Compressor::Snappy, 10_350_592), (Compressor::Zlib, 5_406_720)],
    ids: 4_587_520,
    timestamps: 1_019_904,
};

fn measured(file: &str) -> Option<Measured> {
    let path = boson_testkit::shared()?.join("data").join(file);
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    let mut side =
        Side::new(&Options { indexes: vec![IndexSpec::on(vec!["timestamp".to_owned()])], ..Options::default() });
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let (document, behind) = Document::split_first(rest).unwrap();
        side.add(&document).unwrap();
        rest = behind;
    }
    Some(side.finish())
}

fn table(measured: &Measured, compressor: Compressor) -> u64 {
    measured.tables.iter().find(|table| table.compressor == compressor).unwrap().bytes
}

/// How far `estimate` is from `real`, in percent of it.
fn error_percent(estimate: u64, real: u64) -> f64 {
    100.0 * (estimate as f64 - real as f64).abs() / real as f64
}

fn check(engine: &Engine) {
    let Some(measured) = measured(engine.file) else { return };
    assert_eq!((measured.documents, measured.bytes), (100_000, engine.bson));
    for (compressor, real) in engine.tables {
        let bound = if compressor == Compressor::Zlib { 5.0 } else { 0.5 };
        let error = error_percent(table(&measured, compressor), real);
        assert!(error < bound, "{compressor}: {error} %");
    }
    for ((spec, estimate), real) in measured.indexes.iter().zip([engine.ids, engine.timestamps]) {
        assert_eq!(estimate.modelled, 100_000);
        let error = error_percent(estimate.bytes, real);
        assert!(error < 0.5, "{}: {error} %", spec.name);
    }
}

#[test]
fn readings_of_strings_take_what_the_engine_took() {
    check(&STRINGS);
}

#[test]
fn typed_readings_take_what_the_engine_took() {
    check(&TYPED);
}

#[test]
fn keys_beyond_those_modelled_are_estimated() {
    let options = Options { indexed_max: 1000, ..Options::default() };
    let mut side = Side::new(&options);
    for id in 0..4000 {
        let bytes = boson_bson::encode(&boson_document::Value::Object(vec![(
            "_id".to_owned(),
            boson_document::Value::String(format!("{:036}", id * 7919)),
        )]))
        .unwrap();
        side.add(&Document::new(&bytes).unwrap()).unwrap();
    }
    let measured = side.finish();
    let (_, ids) = measured.indexes.first().unwrap();
    assert_eq!(ids.modelled, 1000);
    assert_eq!(ids.bytes % 4, 0, "four times what a thousand take");
}
