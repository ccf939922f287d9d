//! Small dumps, plans and runs of them.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use boson_bson::DocumentBuf;
use boson_document::{Scalar, Value};
use boson_migrate::{Job, Plan, Report, RunError, RunOptions, Scanned, run, scan};
use tempfile::TempDir;

pub(crate) const OPTIONS: RunOptions =
    RunOptions { threads: 2, checkpoint_documents: 1, recover: false, restart: false };

/// A document of BSON with these members.
pub(crate) fn bson(members: &[(&str, Value)]) -> Vec<u8> {
    let members = members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    boson_bson::encode(&Value::Object(members)).unwrap()
}

pub(crate) fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// A document with the string `value` in `v`.
pub(crate) fn one(value: &str) -> Vec<u8> {
    let mut document = DocumentBuf::new();
    document.append("v", Scalar::String(value)).unwrap();
    document.into_vec()
}

/// The head of every plan.
pub(crate) const HEAD: &str = "version = 1\n[source]\nname = \"x\"\ndocuments = 0\nbytes = 0\n";

/// A plan for a file with one field.
pub(crate) fn field(body: &str) -> String {
    format!("{HEAD}[[collection]]\n[[collection.field]]\n{body}")
}

pub(crate) struct Place {
    pub(crate) folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn job(&self, from: &str, to: &str, plan: &str) -> Result<Job, RunError> {
        Job::new(&self.path(from), &self.path(to), &Plan::parse(plan)?, plan, false)
    }
}

pub(crate) fn apply(job: &Job) -> Result<Report, RunError> {
    run(job, &OPTIONS, &mut |_| ControlFlow::Continue(()))
}

pub(crate) fn look(job: &Job) -> Scanned {
    scan(job, &OPTIONS, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// What a plan of one field makes of the string `value`: the type byte and the bytes of the new value.
pub(crate) fn converted(body: &str, value: &str) -> (u8, Vec<u8>) {
    let place = Place::new();
    place.write("in.bson", &one(value));
    let job = place.job("in.bson", "out.bson", &field(&format!("path = \"$.v\"\n{body}"))).unwrap();
    apply(&job).unwrap();
    let out = fs::read(place.path("out.bson")).unwrap();
    let value = boson_bson::Document::new(&out).unwrap().get("v").unwrap().unwrap();
    (value.tag().byte(), value.bytes().to_vec())
}

pub(crate) fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push((path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}
