//! Other implementations, measured beside ours: pymongo, python-oracledb and orjson, in a virtual environment of Python.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use boson_transcode::Format;
use serde_json::{Value, json};

use crate::error::BenchError;
use crate::runner::{Iterations, Measurement, Plan};

/// What runs in Python.
const SCRIPT: &str = include_str!("../peers/measure.py");
/// The versions, the same that the tests compare with.
const REQUIREMENTS: &str = include_str!("../../../xtask/peers/requirements.txt");

/// What reports say of them.
pub(crate) const NOTE: &str = "Peers are measured in Python with the same plan, so their figures hold what calling from \
                               Python and making its objects cost; their allocations are not counted. Where a round would take them \
                               more than 10 s it has fewer operations and its time is scaled up. Ratios to Boson are of \
                               the same format.";

/// The peers, ready to be asked.
#[derive(Debug)]
pub struct Peers {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What was measured on documents, of ours or a peer; times are for all of them.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// The format, or the peer and its version.
    pub(crate) name: String,
    /// The bytes that it writes.
    pub(crate) size: usize,
    pub(crate) encode: Measurement,
    pub(crate) decode: Measurement,
    pub(crate) access: Option<Measurement>,
    pub(crate) view: Option<Measurement>,
    pub(crate) get: Option<Measurement>,
}

impl Peers {
    /// Starts the peers that are installed in the virtual environment `folder`; where there is none it is made, with Python 3
    /// and the package registry that pip is set up for.
    ///
    /// # Errors
    ///
    /// What cannot be installed or started.
    pub fn start(folder: &Path) -> Result<Self, BenchError> {
        let python = interpreter(folder);
        if !python.exists() {
            install(folder, &python)?;
        }
        let mut command = Command::new(&python);
        command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child =
            command.spawn().map_err(|error| failed(&format!("{} does not start: {error}", python.display())))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (questions, answers) = pipes.ok_or_else(|| failed("no pipes to Python"))?;
        Ok(Self { child, questions, answers: BufReader::new(answers) })
    }

    /// Has the peer of `format` measured on `documents`; `Err` of the inner result is what it refused.
    pub(crate) fn measure<'d>(
        &mut self,
        format: Format,
        documents: impl Iterator<Item = &'d [u8]>,
        path: &[&str],
        plan: &Plan,
    ) -> Result<Result<Figures, String>, BenchError> {
        let (iterations, round_ns) = match plan.iterations {
            Iterations::Exactly(count) => (Some(count.max(1)), 0),
            Iterations::For(time) => (None, u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)),
        };
        let answer = self.ask(&json!({
            "format": format.name(),
            "documents": documents.map(hex).collect::<Vec<_>>(),
            "path": path,
            "warmup": plan.warmup,
            "rounds": plan.rounds.max(1),
            "iterations": iterations,
            "round_ns": round_ns,
        }))?;
        if let Some(refused) = answer.get("refused").and_then(Value::as_str) {
            return Ok(Err(refused.to_owned()));
        }
        figures(&answer).map(Ok).ok_or_else(|| failed(&format!("cannot read the answer {answer}")))
    }

    /// Hands the peer of `format` the documents that [`turn`](Self::turn) is about, in place of those before, and names the
    /// peer; `Err` of the inner result is what it refused.
    ///
    /// # Errors
    ///
    /// When Python cannot be asked.
    pub fn load<'d>(
        &mut self,
        format: Format,
        documents: impl Iterator<Item = &'d [u8]>,
        path: &[&str],
    ) -> Result<Result<String, String>, BenchError> {
        let documents: Vec<String> = documents.map(hex).collect();
        let answer =
            self.ask(&json!({ "format": format.name(), "documents": documents, "path": path, "load": true }))?;
        match (answer.get("name").and_then(Value::as_str), answer.get("refused").and_then(Value::as_str)) {
            (Some(name), _) => Ok(Ok(name.to_owned())),
            (_, Some(refused)) => Ok(Err(refused.to_owned())),
            _ => Err(failed(&format!("cannot read the answer {answer}"))),
        }
    }

    /// Has the peer run `operation` (`encode`, `decode`, `access`, `view` or `get`) on all of the documents that were loaded,
    /// `iterations` times; says how long Python's thread ran for that.
    ///
    /// # Errors
    ///
    /// What the peer refused, or that it has no such operation.
    pub fn turn(&mut self, operation: &str, iterations: u64) -> Result<Duration, BenchError> {
        let answer = self.ask(&json!({ "turn": operation, "iterations": iterations }))?;
        let took = answer.get("turn_ns").and_then(Value::as_u64).map(Duration::from_nanos);
        took.ok_or_else(|| failed(&format!("{operation}: {answer}")))
    }

    fn ask(&mut self, question: &Value) -> Result<Value, BenchError> {
        writeln!(self.questions, "{question}")?;
        self.questions.flush()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        serde_json::from_str(&answer).map_err(|error| failed(&format!("Python ended or answered no JSON: {error}")))
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // Nobody is left to tell if it was gone before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn failed(what: &str) -> BenchError {
    BenchError::Peers(what.to_owned())
}

fn interpreter(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Makes the virtual environment; of a failed attempt nothing stays.
fn install(folder: &Path, python: &Path) -> Result<(), BenchError> {
    let packages = REQUIREMENTS.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut make = Command::new(if cfg!(windows) { "python" } else { "python3" });
    make.args(["-m", "venv"]).arg(folder);
    let mut fill = Command::new(python);
    fill.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(packages);
    let installed = succeed(&mut make).and_then(|()| succeed(&mut fill));
    if installed.is_err() && folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    // `cargo xtask peers install` finds what it would install itself.
    installed.and_then(|()| Ok(fs::write(folder.join("installed"), REQUIREMENTS)?))
}

fn succeed(command: &mut Command) -> Result<(), BenchError> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(&format!("{command:?} ended with {status}"))),
        Err(error) => Err(failed(&format!("{command:?} does not start: {error}"))),
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

fn figures(answer: &Value) -> Option<Figures> {
    let time = |operation: &str| measurement(answer.get(operation)?);
    Some(Figures {
        name: answer.get("name")?.as_str()?.to_owned(),
        size: usize::try_from(answer.get("size")?.as_u64()?).ok()?,
        encode: time("encode")?,
        decode: time("decode")?,
        access: time("access"),
        view: time("view"),
        get: time("get"),
    })
}

fn measurement(answer: &Value) -> Option<Measurement> {
    let rounds = answer.get("round_ns")?.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<_>>>()?;
    Some(Measurement::new(rounds, answer.get("iterations")?.as_u64()?, None))
}
