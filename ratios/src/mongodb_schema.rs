//! npm's mongodb-schema, which analyzes documents in a process of its own.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

use crate::sets::Set;

/// The program that it runs in.
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../xtask/peers/schema.js");

/// The process. It has the documents as objects before it measures anything.
pub struct MongodbSchema {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    _documents: NamedTempFile,
}

impl MongodbSchema {
    /// Starts it with the documents of `set`, from the packages in the folder `node_modules`.
    ///
    /// # Errors
    ///
    /// When Node.js cannot be started.
    pub fn start(node_modules: &Path, set: &Set) -> Result<Self> {
        let mut lines = Vec::new();
        for document in &set.documents {
            lines.extend_from_slice(&document.json);
            lines.push(b'\n');
        }
        let documents = NamedTempFile::new()?;
        fs::write(documents.path(), lines)?;
        let mut command = Command::new("node");
        command.arg(PROGRAM).arg(documents.path()).env("NODE_PATH", node_modules);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot start node")?;
        let questions = child.stdin.take().context("no standard input")?;
        let answers = BufReader::new(child.stdout.take().context("no standard output")?);
        Ok(Self { child, questions, answers, _documents: documents })
    }

    /// How long so many analyses took.
    ///
    /// # Errors
    ///
    /// When the process failed.
    pub fn turn(&mut self, iterations: u64) -> Result<Duration> {
        writeln!(self.questions, "{iterations}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let seconds = line.trim().parse().context("mongodb-schema failed")?;
        Ok(Duration::from_secs_f64(seconds))
    }
}

impl Drop for MongodbSchema {
    fn drop(&mut self) {
        // Nothing is lost with it; that it has ended already is no fault.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
