//! How long analysing and converting take, compared with the official `bson` crate's raw iteration of the same bytes, in one
//! process and one thread, alternately: `cargo run --release -p boson-migrate --example speed -- READINGS.bson`.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a measurement for developers"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use boson_bson::Document;
use boson_migrate::{Chunk, Converter, Plan, Rules, SourceNote, Tally, draft, write};
use boson_profile::{Framing, Options, Profile, Profiler};
use boson_store::{Batch, CollectionKind, DocumentReader, ReadOptions, Reader};

const ROUNDS: usize = 7;

fn main() {
    let path = std::env::args().nth(1).expect("a file of documents");
    let bytes = std::fs::read(path).expect("it can be read");
    let plan =
        Plan::parse(&write(&SourceNote::default(), &[draft("", CollectionKind::Documents, None, &profiled(&bytes))]));
    let plan = plan.expect("a plan");
    let rules = Rules::new(plan.collections.first().expect("a collection")).expect("rules");
    let mut times = [(); 3].map(|()| Vec::new());
    for _ in 0..ROUNDS {
        let analyze = || drop(black_box(profiled(&bytes)));
        let migrate = || convert(&bytes, &rules, plan.collections[0].damaged);
        let raw = || iterate(&bytes);
        let work: [&dyn Fn(); 3] = [&raw, &analyze, &migrate];
        for (work, times) in work.into_iter().zip(&mut times) {
            let began = Instant::now();
            work();
            times.push(began.elapsed());
        }
    }
    let [raw, analysis, conversion] = times.map(median);
    let ratio = |time: Duration| time.as_secs_f64() / raw.as_secs_f64();
    println!("raw iteration  {raw:?}, {:.0} MB/s", bytes.len() as f64 / 1e6 / raw.as_secs_f64());
    println!("analysis       {analysis:?}, {:.2} times as long", ratio(analysis));
    println!("conversion     {conversion:?}, {:.2} times as long, undo log left out", ratio(conversion));
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(ROUNDS / 2).copied().unwrap_or_default()
}

/// Every element of every document, its value read, into nested documents and arrays.
fn iterate(bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let (document, behind) = Document::split_first(rest).expect("a document");
        each(bson::RawDocument::from_bytes(document.bytes()).expect("a document"));
        rest = behind;
    }
}

fn each(document: &bson::RawDocument) {
    for element in document {
        let (name, value) = element.expect("an element");
        black_box(name);
        match value {
            bson::RawBsonRef::Document(inner) => each(inner),
            bson::RawBsonRef::Array(items) => items.into_iter().for_each(|item| drop(black_box(item))),
            value => drop(black_box(value)),
        }
    }
}

fn profiled(bytes: &[u8]) -> Profile {
    let mut profiler = Profiler::new(Options::default(), Framing::BSON);
    let mut rest = bytes;
    while !rest.is_empty() {
        let (document, behind) = Document::split_first(rest).expect("a document");
        profiler.document(&document, document.bytes().len() as u64).expect("a document");
        rest = behind;
    }
    profiler.finish()
}

fn convert(bytes: &[u8], rules: &Rules, damaged: boson_migrate::Damaged) {
    let stream = Box::new(std::io::Cursor::new(bytes.to_vec()));
    let mut reader = DocumentReader::from_stream("readings", stream, &ReadOptions::default()).expect("documents");
    let (mut batch, mut chunk, mut converter) = (Batch::default(), Chunk::default(), Converter::new(rules, damaged));
    while reader.read_batch(&mut batch).expect("documents") > 0 {
        chunk.convert(&batch, &mut converter, Tally::new(rules), |_, _, _| ()).expect("converted");
        black_box(&chunk);
    }
}
