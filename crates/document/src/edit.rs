//! Changing a document in the bytes it stands in: the words that all formats share.
//!
//! A format's own crate does the work: it finds the value at a path, makes the [`Change`] in a [`Buffer`] and says with an
//! [`Edit`] what it cost. [`Value::change`](crate::Value::change) makes the same change in a tree.

mod recorded;

use std::fmt;
use std::ops::Range;

use crate::error::Located;
use crate::kind::Kind;
use crate::path::PathBuf;
use crate::scalar::Scalar;
use crate::sink::{Sink, Source};
use crate::span::Span;
use crate::value::Value;

pub use recorded::{Recorded, Touch};

/// The bytes of one document, which an edit changes. Whoever implements it sees every byte that is touched, so what an
/// edit cost can be counted from outside.
///
/// An edit makes all its checks before it writes what was there before: no call can fail.
pub trait Buffer {
    /// All bytes.
    fn as_bytes(&self) -> &[u8];

    /// Overwrites the bytes at `at` with `bytes`, which must not reach beyond the end.
    fn write_at(&mut self, at: usize, bytes: &[u8]);

    /// Puts `bytes` behind the last byte.
    fn append(&mut self, bytes: &[u8]);

    /// Keeps the first `len` bytes only.
    fn truncate(&mut self, len: usize);

    /// Puts `bytes` in the place of `range`, and moves what stands behind it where that has another length.
    fn splice(&mut self, range: Range<usize>, bytes: &[u8]);
}

impl Buffer for Vec<u8> {
    fn as_bytes(&self) -> &[u8] {
        self
    }

    fn write_at(&mut self, at: usize, bytes: &[u8]) {
        let place = self.get_mut(at..at.saturating_add(bytes.len()));
        debug_assert!(place.is_some(), "{} bytes at {at}", bytes.len());
        if let Some(place) = place {
            place.copy_from_slice(bytes);
        }
    }

    fn append(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    fn truncate(&mut self, len: usize) {
        Vec::truncate(self, len);
    }

    fn splice(&mut self, range: Range<usize>, bytes: &[u8]) {
        let (len, start) = (self.len(), range.start.min(self.len()));
        let end = range.end.clamp(start, len);
        let new_end = start.saturating_add(bytes.len());
        let new_len = new_end.saturating_add(len.saturating_sub(end));
        self.resize(new_len.max(len), 0);
        self.copy_within(end..len, new_end);
        Vec::truncate(self, new_len);
        self.write_at(start, bytes);
    }
}

impl<B: Buffer + ?Sized> Buffer for &mut B {
    fn as_bytes(&self) -> &[u8] {
        (**self).as_bytes()
    }
    fn write_at(&mut self, at: usize, bytes: &[u8]) {
        (**self).write_at(at, bytes);
    }
    fn append(&mut self, bytes: &[u8]) {
        (**self).append(bytes);
    }
    fn truncate(&mut self, len: usize) {
        (**self).truncate(len);
    }
    fn splice(&mut self, range: Range<usize>, bytes: &[u8]) {
        (**self).splice(range, bytes);
    }
}

/// What is to be done at a path.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// The value at the path becomes this one, whatever was there. A path that ends in the name of a field which its
    /// object has not adds that field, behind the others. Everything else on the path must be there.
    Set(New<'a>),
    /// This becomes the element at the path, which ends in an index; the element that was there, and those behind it,
    /// move up. The index may be the length of the array.
    Insert(New<'a>),
    /// This becomes the last element of the array at the path.
    Push(New<'a>),
    /// The field or the element at the path goes away; elements behind it move down.
    Remove,
}

/// A value that a document is to hold: a leaf or a tree, borrowed.
#[derive(Clone, Copy, Debug)]
pub enum New<'a> {
    /// A leaf.
    Scalar(Scalar<'a>),
    /// Anything.
    Tree(&'a Value),
}

impl New<'_> {
    /// The value as a tree of its own.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Scalar(scalar) => Value::from(*scalar),
            Self::Tree(value) => (*value).clone(),
        }
    }
}

impl Source for New<'_> {
    /// Delivers the value; spans are empty.
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        match self {
            Self::Scalar(scalar) => sink.scalar(*scalar, Span::default()),
            Self::Tree(value) => value.drive(sink),
        }
    }
}

impl<'a> From<Scalar<'a>> for New<'a> {
    fn from(scalar: Scalar<'a>) -> Self {
        Self::Scalar(scalar)
    }
}

impl<'a> From<&'a Value> for New<'a> {
    fn from(value: &'a Value) -> Self {
        Self::Tree(value)
    }
}

impl<'a> From<&'a str> for New<'a> {
    fn from(text: &'a str) -> Self {
        Self::Scalar(Scalar::String(text))
    }
}

impl From<bool> for New<'_> {
    fn from(value: bool) -> Self {
        Self::Scalar(Scalar::Bool(value))
    }
}

impl From<i32> for New<'_> {
    fn from(value: i32) -> Self {
        Self::Scalar(Scalar::Int32(value))
    }
}

impl From<i64> for New<'_> {
    fn from(value: i64) -> Self {
        Self::Scalar(Scalar::Int64(value))
    }
}

impl From<f64> for New<'_> {
    fn from(value: f64) -> Self {
        Self::Scalar(Scalar::Double(value))
    }
}

/// What an edit cost, in bytes that were written; bytes that were merely read are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Bytes that were there were overwritten, and that was all.
    InPlace {
        /// How many.
        written: usize,
    },
    /// The value went behind the end of the document, and what leads to it was overwritten.
    Appended {
        /// How many bytes were overwritten.
        written: usize,
        /// How many bytes the document grew by.
        appended: usize,
    },
    /// The bytes behind the value were moved, since it has another length than what it replaces.
    Spliced {
        /// How many bytes were overwritten or inserted: the value, and the lengths of all that it is in.
        written: usize,
        /// How many bytes were moved.
        moved: usize,
    },
    /// The whole document was written anew.
    Rebuilt {
        /// How many bytes it has now.
        written: usize,
        /// Why it had to be.
        reason: Reason,
    },
}

impl Edit {
    /// All bytes that were written, wherever: overwritten, appended, inserted and moved.
    pub const fn bytes(&self) -> usize {
        match *self {
            Self::InPlace { written } | Self::Rebuilt { written, .. } => written,
            Self::Appended { written, appended } => written.saturating_add(appended),
            Self::Spliced { written, moved } => written.saturating_add(moved),
        }
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InPlace { written } => write!(f, "in place, {written} bytes written"),
            Self::Appended { written, appended } => {
                write!(f, "appended, {written} bytes written, {appended} bytes appended")
            }
            Self::Spliced { written, moved } => write!(f, "spliced, {written} bytes written, {moved} bytes moved"),
            Self::Rebuilt { written, reason } => write!(f, "rebuilt, {written} bytes written: {reason}"),
        }
    }
}

/// Why a document was written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// OSON's dictionary cannot grow in place.
    #[error("the image has no such name in its dictionary")]
    NewName,
    /// An OSON image that is one scalar has no room for updates, and a container does not become one or the other way
    /// round.
    #[error("the root is or becomes a scalar")]
    ScalarRoot,
    /// Of an OSON image: several values hold a container that was to be changed for one of them.
    #[error("a container on the way is shared by several values")]
    SharedContainer,
    /// Of an OSON image: bytes of one value are also those of another.
    #[error("values of the image overlap")]
    Overlap,
    /// Of an OSON image: no offset leads from where the value is to where there is room.
    #[error("no offset reaches the end of the image from there, and the overflow map is full")]
    OutOfReach,
    /// Several changes of other widths were gathered, to be written at once.
    #[error("changes were gathered and written at once")]
    Gathered,
    /// The document would be larger than its limit.
    #[error("the document would be larger than the limit of bytes")]
    Limit,
    /// JSON text has no lengths and no places, so all of it is written.
    #[error("text is always written anew")]
    Text,
    /// It was asked for.
    #[error("it was asked for")]
    Compact,
}

/// The change cannot be made: the path leads to no place for it, the document is broken, or its format cannot hold the new
/// value. The document is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError<E> {
    /// The path.
    #[error("{0}")]
    Path(#[from] PathError),
    /// The document.
    #[error("{0}")]
    Decode(Located),
    /// The new value, or the document with it.
    #[error("{0}")]
    Encode(E),
}

/// A path that leads to no place for the change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {fault}")]
pub struct PathError {
    /// The path as far as it was followed, with the step that failed.
    pub path: PathBuf,
    /// What is wrong there.
    pub fault: PathFault,
}

impl PathError {
    /// Step number `step` of `path`, from 0, fails for this reason; beyond the last step it is the value at the path.
    #[cold]
    pub fn new(path: &PathBuf, step: usize, fault: PathFault) -> Self {
        Self { path: path.segments().iter().take(step.saturating_add(1)).cloned().collect(), fault }
    }
}

/// Why a path leads to no place for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathFault {
    /// The object has no field of that name.
    #[error("there is no such field")]
    NoSuchField,
    /// The array has no element at that index.
    #[error("there is no such element, the array has {len}; to add one, push or insert it")]
    NoSuchElement {
        /// How many elements there are.
        len: usize,
    },
    /// A name, or a push, where there is no object or array to take it.
    #[error("expected {expected}, found {found}")]
    NotContainer {
        /// What the path or the change asks for.
        expected: Kind,
        /// What is there.
        found: Kind,
    },
    /// Only elements of arrays are inserted.
    #[error("the path to insert at must end in an index such as [0]; a field is added by setting it")]
    NotElement,
    /// The root of a document cannot be removed.
    #[error("the root cannot be removed")]
    Root,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splice_moves_what_is_behind() {
        for (range, bytes, expected) in
            [(1..3, "xyz", "axyzde"), (1..3, "x", "axde"), (0..0, "x", "xabcde"), (5..5, "x", "abcdex"), (0..5, "", "")]
        {
            let mut buffer = b"abcde".to_vec();
            Buffer::splice(&mut buffer, range, bytes.as_bytes());
            assert_eq!(buffer, expected.as_bytes());
        }
    }

    #[test]
    fn a_cost_adds_up_and_is_told() {
        let edit = Edit::Appended { written: 9, appended: 70 };
        assert_eq!((edit.bytes(), edit.to_string().as_str()), (79, "appended, 9 bytes written, 70 bytes appended"));
        let edit = Edit::Rebuilt { written: 5, reason: Reason::NewName };
        assert_eq!(edit.to_string(), "rebuilt, 5 bytes written: the image has no such name in its dictionary");
    }
}
