//! What differs in a document, by paths that an update can name.

use std::fmt;

use boson_bson::{Document, Element, Tag};
use boson_document::DecodeError;

use super::raw::RawValue;

/// A value that becomes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The names from the root: all but the last are of objects.
    pub path: Vec<String>,
    /// What is there; `None` where there is nothing.
    pub from: Option<RawValue>,
    /// What is to be there; `None` where nothing is to be.
    pub to: Option<RawValue>,
}

impl Change {
    /// The change that undoes this one.
    pub(crate) fn back(&self) -> Self {
        Self { path: self.path.clone(), from: self.to.clone(), to: self.from.clone() }
    }

    /// The value at the path of this change; `None` where there is nothing, or something that is no object on the way.
    pub(crate) fn found<'d>(&self, document: Document<'d>) -> Option<boson_bson::Value<'d>> {
        let (last, way) = self.path.split_last()?;
        let inner = way.iter().try_fold(document, |document, name| document.get(name).ok()??.as_document().ok())?;
        inner.get(last).ok()?
    }
}

/// The path for people, as plans have it.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: boson_profile::Path = self.path.iter().cloned().map(boson_profile::Step::Field).collect();
        write!(f, "{path}")
    }
}

/// Why a change cannot be sent to a server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unaddressable {
    /// No path leads to the second of two fields of one name.
    #[error("the name {0:?} is there twice: no update can tell one from the other")]
    Repeated(String),
    /// A name that cannot be sent.
    #[error("the name {0:?} is not UTF-8")]
    NotUtf8(String),
    /// A path that is longer than documents on a server are deep.
    #[error("{0} objects within one another: a server takes no documents as deep as that")]
    TooDeep(usize),
}

/// Servers refuse documents with more levels.
const DEPTH_MAX: usize = 200;

/// What [`changes`] found.
pub(crate) type Changes = Result<Vec<Change>, Unaddressable>;

/// What differs between a document and what a converter made of it. Something that differs within an array makes the whole
/// array differ, the outermost one: places in arrays are no names, and others may move them.
///
/// # Errors
///
/// When one of the two is damaged.
pub(crate) fn changes(before: Document<'_>, after: Document<'_>) -> Result<Changes, DecodeError> {
    let mut found = Vec::new();
    let mut open = vec![(before, after, Vec::new())];
    while let Some((before, after, path)) = open.pop() {
        let mut others = after.elements().peekable();
        for element in before.elements() {
            let element = element?;
            let Some(other) = others.next().transpose()? else { break };
            if is_same(&element, &other) {
                continue;
            }
            let path = match named(before, &element, &path) {
                Ok(path) => path,
                Err(problem) => return Ok(Err(problem)),
            };
            if let (Tag::Document, Tag::Document) = (element.value().tag(), other.value().tag()) {
                open.push((element.value().as_document()?, other.value().as_document()?, path));
                continue;
            }
            let companion = companion(before, others.peek())?;
            let (from, to) = (Some(RawValue::of(&element.value())), Some(RawValue::of(&other.value())));
            if let Some(companion) = companion {
                others.next();
                found.push(beside(&path, &companion));
            }
            found.push(Change { path, from, to });
        }
    }
    Ok(Ok(found))
}

fn is_same(one: &Element<'_>, other: &Element<'_>) -> bool {
    let (one, other) = (one.value(), other.value());
    one.tag() == other.tag() && one.bytes() == other.bytes()
}

/// The path of `element`, if its name says which it is.
fn named(around: Document<'_>, element: &Element<'_>, path: &[String]) -> Result<Vec<String>, Unaddressable> {
    let Ok(name) = element.name() else {
        return Err(Unaddressable::NotUtf8(element.name_lossy().into_owned()));
    };
    let same = |other: &Element<'_>| other.name_bytes() == name.as_bytes();
    if around.elements().filter_map(Result::ok).filter(same).count() > 1 {
        return Err(Unaddressable::Repeated(name.to_owned()));
    }
    if path.len() >= DEPTH_MAX {
        return Err(Unaddressable::TooDeep(path.len()));
    }
    let mut path = path.to_vec();
    path.push(name.to_owned());
    Ok(path)
}

/// The element that came next in the converted document, if there is none of its name in the original: companions are
/// refused where their name is taken.
fn companion<'a>(
    before: Document<'_>,
    next: Option<&Result<Element<'a>, DecodeError>>,
) -> Result<Option<Element<'a>>, DecodeError> {
    let Some(Ok(next)) = next else { return Ok(None) };
    for element in before.elements() {
        if element?.name_bytes() == next.name_bytes() {
            return Ok(None);
        }
    }
    Ok(Some(*next))
}

fn beside(path: &[String], companion: &Element<'_>) -> Change {
    let mut path = path.to_vec();
    path.pop();
    path.push(companion.name_lossy().into_owned());
    Change { path, from: None, to: Some(RawValue::of(&companion.value())) }
}
