//! What is measured: each format with the operations that a program does on documents.

use std::hint::black_box;

use boson_document::{Builder, DecodeError, Discard, Limits, PathBuf, Source, Value};
use boson_json::{Resolve, Text};
use boson_oson::write::{Options, Style};
use boson_transcode::AnyDocument;

use crate::error::BenchError;

/// A format in one style. The limits of databases are lifted: what is beyond them is measured as well. Each makes room for as
/// many bytes as the document before had, as a program does that writes many documents of one kind.
pub trait Contender {
    /// What it is called in reports.
    fn name(&self) -> &'static str;

    /// How many bytes a document may have where this format is at home; `None` of those that know no limit.
    fn bytes_max(&self) -> Option<usize>;

    /// The bytes of `tree`, in memory of their own.
    fn encode(&mut self, tree: &Value) -> Result<Vec<u8>, BenchError>;

    /// The tree that `bytes` are, everything checked and copied.
    fn decode(&self, bytes: &[u8]) -> Result<Value, BenchError>;

    /// Goes through all of `bytes`, everything checked and nothing kept.
    fn walk(&self, bytes: &[u8]) -> Result<(), BenchError>;

    /// Makes a view of `bytes`; false where the format has none.
    fn view(&self, bytes: &[u8]) -> Result<bool, BenchError>;

    /// Finds the value at `path` in the bytes, from object to object, and reads it where it is a leaf; false when there is
    /// none. No tree is made.
    fn get(&self, bytes: &[u8], path: &[&str]) -> Result<bool, BenchError>;
}

/// The tree of `source`.
fn tree(source: &impl Source) -> Result<Value, BenchError> {
    let mut builder = Builder::new();
    source.drive(&mut builder)?;
    builder.finish().ok_or_else(|| BenchError::Missing("root".to_owned()))
}

/// JSON text in its plain form, read by the parser that conversions use.
#[derive(Clone, Debug, Default)]
pub struct Json {
    len_before: usize,
}

impl Contender for Json {
    fn name(&self) -> &'static str {
        "JSON"
    }

    fn bytes_max(&self) -> Option<usize> {
        None
    }

    fn encode(&mut self, tree: &Value) -> Result<Vec<u8>, BenchError> {
        let mut writer = boson_json::Writer::new(Vec::with_capacity(self.len_before), boson_json::Style::Plain);
        tree.drive(&mut writer)?;
        let text = writer.into_inner();
        self.len_before = text.len();
        Ok(text)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Value, BenchError> {
        let mut sink = Resolve::new(Builder::new());
        Text::new(bytes).drive(&mut sink)?;
        sink.into_inner().finish().ok_or_else(|| BenchError::Missing("root".to_owned()))
    }

    fn walk(&self, bytes: &[u8]) -> Result<(), BenchError> {
        Ok(Text::new(bytes).drive(&mut Discard)?)
    }

    fn view(&self, _: &[u8]) -> Result<bool, BenchError> {
        Ok(false)
    }

    /// A text has to be read to its end to be valid.
    fn get(&self, bytes: &[u8], path: &[&str]) -> Result<bool, BenchError> {
        let mut place = PathBuf::new();
        for name in path {
            place.push_field(*name);
        }
        let found = AnyDocument::Json(Text::new(bytes)).get_path(&place)?;
        Ok(black_box(found).is_some())
    }
}

/// BSON.
#[derive(Clone, Debug, Default)]
pub struct Bson {
    len_before: usize,
}

impl Contender for Bson {
    fn name(&self) -> &'static str {
        "BSON"
    }

    fn bytes_max(&self) -> Option<usize> {
        Some(Limits::BSON.bytes)
    }

    fn encode(&mut self, tree: &Value) -> Result<Vec<u8>, BenchError> {
        let mut writer = boson_bson::Writer::append_to(Vec::with_capacity(self.len_before));
        writer.write(tree)?;
        let bytes = writer.into_bytes();
        self.len_before = bytes.len();
        Ok(bytes)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Value, BenchError> {
        tree(&whole_bson(bytes)?)
    }

    fn walk(&self, bytes: &[u8]) -> Result<(), BenchError> {
        Ok(whole_bson(bytes)?.drive(&mut Discard)?)
    }

    fn view(&self, bytes: &[u8]) -> Result<bool, BenchError> {
        black_box(boson_bson::Document::new(bytes)?);
        Ok(true)
    }

    #[inline]
    fn get(&self, bytes: &[u8], path: &[&str]) -> Result<bool, BenchError> {
        Ok(get_bson(boson_bson::Document::new(bytes)?, path)?)
    }
}

fn whole_bson(bytes: &[u8]) -> Result<impl Source, DecodeError> {
    let limits = Limits::BSON.with_bytes(usize::MAX);
    let options = boson_bson::ReadOptions { limits, ..boson_bson::ReadOptions::default() };
    Ok(boson_bson::Document::new(bytes)?.with(options))
}

/// Finds the value at `path` through a view of a BSON document and reads it where it is a leaf; false when there is none.
#[inline]
pub fn get_bson(mut document: boson_bson::Document<'_>, path: &[&str]) -> Result<bool, DecodeError> {
    let Some((last, objects)) = path.split_last() else { return Ok(false) };
    for name in objects {
        match document.get(name)? {
            Some(value) => document = value.as_document()?,
            None => return Ok(false),
        }
    }
    let Some(value) = document.get(last)? else { return Ok(false) };
    match black_box(value.scalar()) {
        // A container is found, and stays as it is.
        Err(error) if !value.kind().is_container() => Err(error),
        _ => Ok(true),
    }
}

/// OSON, in one of its styles.
#[derive(Debug)]
pub struct Oson {
    style: Style,
    writer: boson_oson::write::Writer,
    len_before: usize,
}

impl Oson {
    /// OSON in this style, as written by one writer that keeps its memory from document to document.
    pub fn new(style: Style) -> Self {
        let limits = Limits::OSON.with_bytes(usize::MAX);
        let options = Options { style, limits, ..Options::default() };
        Self { style, writer: boson_oson::write::Writer::new(&options), len_before: 0 }
    }
}

impl Contender for Oson {
    fn name(&self) -> &'static str {
        match self.style {
            Style::Compact => "OSON compact",
            Style::Driver => "OSON driver",
        }
    }

    fn bytes_max(&self) -> Option<usize> {
        Some(Limits::OSON.bytes)
    }

    fn encode(&mut self, tree: &Value) -> Result<Vec<u8>, BenchError> {
        let mut image = Vec::with_capacity(self.len_before);
        self.writer.write(tree, &mut image)?;
        self.len_before = image.len();
        Ok(image)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Value, BenchError> {
        tree(&whole_oson(bytes)?)
    }

    fn walk(&self, bytes: &[u8]) -> Result<(), BenchError> {
        Ok(whole_oson(bytes)?.drive(&mut Discard)?)
    }

    fn view(&self, bytes: &[u8]) -> Result<bool, BenchError> {
        black_box(boson_oson::Document::new(bytes)?);
        Ok(true)
    }

    #[inline]
    fn get(&self, bytes: &[u8], path: &[&str]) -> Result<bool, BenchError> {
        Ok(get_oson(&boson_oson::Document::new(bytes)?, path)?)
    }
}

fn whole_oson(bytes: &[u8]) -> Result<boson_oson::Limited<'_>, DecodeError> {
    Ok(boson_oson::Document::new(bytes)?.limited(Limits::OSON.with_bytes(usize::MAX)))
}

/// Finds the value at `path` through a view of an OSON image and reads it where it is a leaf; false when there is none.
#[inline]
pub fn get_oson(document: &boson_oson::Document<'_>, path: &[&str]) -> Result<bool, DecodeError> {
    let Some((first, rest)) = path.split_first() else { return Ok(false) };
    let mut found = document.get(first)?;
    for name in rest {
        let Some(value) = found else { return Ok(false) };
        found = value.get(name)?;
    }
    let Some(value) = found else { return Ok(false) };
    black_box(value.scalar()?);
    Ok(true)
}

/// Reads the value at `path` of a tree; `None` when there is none.
#[inline]
pub fn get_tree<'v>(tree: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(tree, |value, name| value.get(name))
}
