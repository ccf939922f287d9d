//! The drivers read what style `compact` writes.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use boson_document::{Kind, Value};
use boson_oson::write::{Options, to_vec};
use boson_testkit::random::Range;
use boson_testkit::{Gen, documents, hex, skip, workspace_root};
use serde_json::{Value as Json, json};

use crate::write_laws::repeating;

/// The folder of `.peers` that `cargo xtask peers install` made; `None` after [`skip`] where it did not.
fn installed(folder: &str) -> Option<PathBuf> {
    let folder = workspace_root().join(".peers").join(folder);
    if folder.join("installed").is_file() {
        return Some(folder);
    }
    skip("the peers are not installed: cargo xtask peers install");
    None
}

/// A driver as a co-process: see xtask/peers/README.md.
pub(crate) struct Peer {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    /// python-oracledb; `None` where the peers are not installed.
    pub(crate) fn python() -> Option<Self> {
        let venv = installed("venv")?;
        Some(Self::start(Command::new(venv.join("bin/python")).arg("xtask/peers/peer.py")))
    }

    /// node-oracledb; `None` where the peers are not installed.
    pub(crate) fn node() -> Option<Self> {
        let modules = installed("node_modules")?;
        Some(Self::start(Command::new("node").env("NODE_PATH", modules).arg("xtask/peers/peer.js")))
    }

    pub(crate) fn start(command: &mut Command) -> Self {
        command.current_dir(workspace_root()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self { process, input, output }
    }

    pub(crate) fn ask(&mut self, question: &Json) -> Json {
        serde_json::from_str(&self.ask_line(&question.to_string())).unwrap()
    }

    pub(crate) fn ask_line(&mut self, question: &str) -> String {
        writeln!(self.input, "{question}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        answer
    }

    /// The value of the image, members by name: drivers return objects of ids that are sorted in that order. Null where
    /// the driver's language has no such value.
    pub(crate) fn decode(&mut self, image: &[u8]) -> Json {
        let mut answer = self.ask(&json!({"op": "oson_decode", "hex": hex(image)}));
        by_name(answer["value"].take())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

fn by_name(mut value: Json) -> Json {
    let kind = value["t"].clone();
    if let Some(children) = value["v"].as_array_mut() {
        for child in children.iter_mut() {
            match kind.as_str() {
                Some("object") => child[1] = by_name(child[1].take()),
                Some("array") => *child = by_name(child.take()),
                _ => {}
            }
        }
        if kind == "object" {
            children.sort_by_key(|pair| pair[0].as_str().unwrap().to_owned());
        }
    }
    value
}

/// Kinds that the two styles write as the same for a driver: doubles are NUMBERs in one of them.
const KINDS: &[Kind] = &[
    Kind::Object,
    Kind::Array,
    Kind::Null,
    Kind::Bool,
    Kind::Int32,
    Kind::Int64,
    Kind::Number,
    Kind::String,
    Kind::Binary,
    Kind::ObjectId,
    Kind::OracleDate,
    Kind::OracleTimestamp,
    Kind::IntervalDaySecond,
];

/// The driver reads both styles of every document to the same value.
fn reads_both_styles(peer: &mut Peer, documents: impl Iterator<Item = Value>) {
    let mut count = 0;
    for document in documents {
        let Ok(driver) = to_vec(&document, &Options::DRIVER) else { continue };
        let compact = to_vec(&document, &Options::COMPACT).unwrap();
        let value = peer.decode(&driver);
        assert_eq!(peer.decode(&compact), value, "{document:?}");
        count += usize::from(value.is_object());
    }
    assert!(count > 300, "{count}");
}

fn check(peer: Option<Peer>) {
    let Some(mut peer) = peer else { return };
    let like = Gen::new(KINDS, Range::Oson).with_width(60).without_long_names();
    reads_both_styles(&mut peer, documents(21, like, 600));
    let mut rng = boson_testkit::Rng::new(22);
    reads_both_styles(&mut peer, (0..600).map(|_| repeating(&mut rng, 0)).filter(|document| !holds_double(document)));
}

fn holds_double(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(_, value)| holds_double(value)),
        Value::Array(elements) => elements.iter().any(holds_double),
        other => matches!(other, Value::Double(_)),
    }
}

#[test]
fn python_reads_what_is_shared() {
    check(Peer::python());
}

#[test]
fn node_reads_what_is_shared() {
    check(Peer::node());
}

/// Beyond 65,535 bytes offsets of two and of four bytes stand in one image.
#[test]
fn both_read_offsets_of_both_widths() {
    let row = |i: i32| {
        let text = Value::String(format!("row number {i}"));
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned);
        Value::Object(
            names
                .into_iter()
                .zip([text, Value::Int32(i), Value::Int32(i % 9), Value::Bool(true), Value::Null])
                .collect(),
        )
    };
    let document = Value::Array((0..6000).map(row).collect());
    for mut peer in [Peer::python(), Peer::node()].into_iter().flatten() {
        let value = peer.decode(&to_vec(&document, &Options::COMPACT).unwrap());
        let rows = value["v"].as_array().unwrap();
        assert_eq!(rows.len(), 6000);
        for (row, i) in rows.iter().zip(0..) {
            assert_eq!(row["v"][0][1]["v"], format!("row number {i}"));
        }
    }
}
