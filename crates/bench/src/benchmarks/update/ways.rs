//! The ways to update a document.

use std::fmt::Display;

use boson_bson::edit::{DocumentMut, Editor};
use boson_document::edit::{Buffer, Edit};
use boson_document::{Limits, PathBuf, Segment, Value};
use boson_oson::write::{Options, to_vec};
use bson::Bson;

use super::document::Update;
use super::tree;
use crate::error::BenchError;

/// Edits the bytes where they are.
pub(super) trait InBuffer {
    const NAME: &'static str;

    /// Makes the update in `buffer`; returns the edit of it that wrote most.
    fn update<B: Buffer>(&self, buffer: &mut B, update: &Update) -> Result<Option<Edit>, BenchError>;

    /// The tree that `bytes` are.
    fn tree(bytes: &[u8]) -> Result<Value, BenchError>;
}

/// Decodes the bytes into a tree, changes it, and encodes it.
pub(super) trait Cycle {
    const NAME: &'static str;

    fn update(&self, bytes: &[u8], update: &Update) -> Result<Vec<u8>, BenchError>;

    /// The tree that `bytes` are.
    fn tree(bytes: &[u8]) -> Result<Value, BenchError>;
}

fn bson_tree(bytes: &[u8]) -> Result<Value, BenchError> {
    tree(&boson_bson::Document::new(bytes)?)
}

fn oson_tree(bytes: &[u8]) -> Result<Value, BenchError> {
    tree(&boson_oson::Document::new(bytes)?)
}

pub(super) fn to_oson(document: &Value) -> Result<Vec<u8>, BenchError> {
    Ok(to_vec(document, &Options { limits: Limits::OSON.with_bytes(usize::MAX), ..Options::default() })?)
}

/// How an update was made.
pub(super) const fn how(edit: Option<&Edit>) -> &'static str {
    match edit {
        Some(Edit::InPlace { .. }) => "in place",
        Some(Edit::Appended { .. }) => "appended",
        Some(Edit::Spliced { .. }) => "spliced",
        Some(Edit::Rebuilt { .. }) => "rebuilt",
        None => "not at all",
    }
}

/// What several edits are called: by the one that writes most.
fn worse(before: Option<Edit>, made: Edit) -> Option<Edit> {
    before.filter(|before| before.bytes() > made.bytes()).or(Some(made))
}

/// BSON, each change spliced in.
pub(super) struct Spliced;

impl InBuffer for Spliced {
    const NAME: &'static str = "BSON splice";

    fn update<B: Buffer>(&self, buffer: &mut B, update: &Update) -> Result<Option<Edit>, BenchError> {
        let mut editor = Editor::open(buffer).map_err(BenchError::edit)?;
        let mut worst = None;
        for step in &update.steps {
            worst = worse(worst, editor.change(&step.path, &step.change()).map_err(BenchError::edit)?);
        }
        Ok(worst)
    }

    fn tree(bytes: &[u8]) -> Result<Value, BenchError> {
        bson_tree(bytes)
    }
}

/// BSON, all changes gathered and written once.
pub(super) struct Gathered;

impl InBuffer for Gathered {
    const NAME: &'static str = "BSON mutable document";

    fn update<B: Buffer>(&self, buffer: &mut B, update: &Update) -> Result<Option<Edit>, BenchError> {
        let mut document = DocumentMut::open(buffer).map_err(BenchError::edit)?;
        for step in &update.steps {
            document.change(&step.path, &step.change()).map_err(BenchError::edit)?;
        }
        document.commit().map(Some).map_err(BenchError::edit)
    }

    fn tree(bytes: &[u8]) -> Result<Value, BenchError> {
        bson_tree(bytes)
    }
}

/// OSON, by an editor that looks at the header only.
pub(super) struct OsonTrusting;

impl InBuffer for OsonTrusting {
    const NAME: &'static str = "OSON in place";

    fn update<B: Buffer>(&self, buffer: &mut B, update: &Update) -> Result<Option<Edit>, BenchError> {
        oson(boson_oson::edit::Editor::trusting(buffer).map_err(BenchError::edit)?, update)
    }

    fn tree(bytes: &[u8]) -> Result<Value, BenchError> {
        oson_tree(bytes)
    }
}

/// OSON, by an editor that counts what leads to each node when it is opened.
pub(super) struct OsonChecked;

impl InBuffer for OsonChecked {
    const NAME: &'static str = "OSON in place, checked";

    fn update<B: Buffer>(&self, buffer: &mut B, update: &Update) -> Result<Option<Edit>, BenchError> {
        oson(boson_oson::edit::Editor::open(buffer).map_err(BenchError::edit)?, update)
    }

    fn tree(bytes: &[u8]) -> Result<Value, BenchError> {
        oson_tree(bytes)
    }
}

fn oson<B: Buffer>(mut editor: boson_oson::edit::Editor<B>, update: &Update) -> Result<Option<Edit>, BenchError> {
    let mut worst = None;
    for step in &update.steps {
        worst = worse(worst, editor.change(&step.path, &step.change()).map_err(BenchError::edit)?);
    }
    Ok(worst)
}

/// BSON, decoded into this crate's tree.
pub(super) struct BsonCycle;

impl Cycle for BsonCycle {
    const NAME: &'static str = "BSON decode-change-encode";

    fn update(&self, bytes: &[u8], update: &Update) -> Result<Vec<u8>, BenchError> {
        Ok(boson_bson::encode(&changed(bson_tree(bytes)?, update)?)?)
    }

    fn tree(bytes: &[u8]) -> Result<Value, BenchError> {
        bson_tree(bytes)
    }
}

/// OSON, decoded into this crate's tree.
pub(super) struct OsonCycle;

impl Cycle for OsonCycle {
    const NAME: &'static str = "OSON rebuild";

    fn update(&self, bytes: &[u8], update: &Update) -> Result<Vec<u8>, BenchError> {
        to_oson(&changed(oson_tree(bytes)?, update)?)
    }

    fn tree(bytes: &[u8]) -> Result<Value, BenchError> {
        oson_tree(bytes)
    }
}

fn changed(mut tree: Value, update: &Update) -> Result<Value, BenchError> {
    for step in &update.steps {
        tree.change(&step.path, &step.change()).map_err(BenchError::edit)?;
    }
    Ok(tree)
}

/// BSON, decoded into the tree of the official crate.
pub(super) struct OfficialCycle;

impl Cycle for OfficialCycle {
    const NAME: &'static str = "BSON decode-change-encode, official crate";

    fn update(&self, bytes: &[u8], update: &Update) -> Result<Vec<u8>, BenchError> {
        let mut document = Bson::Document(bson::Document::from_reader(bytes).map_err(BenchError::edit)?);
        for step in &update.steps {
            change_official(&mut document, &step.path, official(&step.new)?, step.is_push);
        }
        match document {
            Bson::Document(document) => document.to_vec().map_err(BenchError::edit),
            _ => Err(BenchError::Missing("root".to_owned())),
        }
    }

    fn tree(bytes: &[u8]) -> Result<Value, BenchError> {
        bson_tree(bytes)
    }
}

/// A path that leads nowhere changes nothing, which the comparison with the changed tree finds out.
fn change_official(document: &mut Bson, path: &PathBuf, new: Bson, is_push: bool) {
    let mut value = document;
    for (step, segment) in path.segments().iter().enumerate() {
        let is_last = step + 1 == path.segments().len();
        value = match (value, segment) {
            (Bson::Document(document), Segment::Field(name)) if is_last && !is_push => {
                document.insert(name, new);
                return;
            }
            (Bson::Document(document), Segment::Field(name)) => match document.get_mut(name) {
                Some(value) => value,
                None => return,
            },
            (Bson::Array(array), Segment::Index(index)) => match array.get_mut(*index) {
                Some(value) => value,
                None => return,
            },
            _ => return,
        };
    }
    if let (Bson::Array(array), true) = (value, is_push) {
        array.push(new);
    }
}

/// The same value in the official crate's types; the kinds that updates bring.
fn official(value: &Value) -> Result<Bson, BenchError> {
    Ok(match value {
        Value::Int32(number) => Bson::Int32(*number),
        Value::Int64(number) => Bson::Int64(*number),
        Value::Double(number) => Bson::Double(*number),
        Value::String(text) => Bson::String(text.clone()),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| Ok((name.clone(), official(value)?)));
            Bson::Document(members.collect::<Result<_, BenchError>>()?)
        }
        other => return Err(BenchError::Edit(format!("no update brings a {}", other.kind()))),
    })
}

impl BenchError {
    /// An update that was refused.
    pub(crate) fn edit(error: impl Display) -> Self {
        Self::Edit(error.to_string())
    }
}
