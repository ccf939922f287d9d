//! What each byte of a BSON document is for.

mod value;
mod walk;

use std::convert::Infallible;

use boson_document::{DecodeError, Discard, Layout, Limits, Located, Note, PathBuf, Region, Segment, Source, Span};

use crate::tag::Tag;
use crate::validate::validate;
use crate::view::Document;
use crate::view::place::{Place, Places};
use walk::Walk;

impl Layout for Document<'_> {
    fn regions(&self) -> Result<Vec<Region>, DecodeError> {
        self.drive(&mut Discard)?;
        let mut regions = Vec::new();
        let Ok(()) = Walk::new(self.source(), self.span(), None, None, |note| {
            regions.push(note.region);
            Ok::<_, Infallible>(())
        })
        .run();
        Ok(regions)
    }
}

/// What each byte of a document means, of a faulty one as far as it can be followed.
///
/// ```
/// let bytes = b"\x0c\0\0\0\x10n\0\x07\0\0\0\0";
/// let explanation = boson_bson::Explanation::new(bytes, &boson_document::Limits::BSON);
/// let mut meanings = Vec::new();
/// explanation.notes(None, |note| Ok::<_, ()>(meanings.push(note.meaning.to_owned()))).unwrap();
/// assert_eq!(meanings[..3], ["document of 12 bytes", "type int", "name \"n\""]);
/// ```
#[derive(Clone, Debug)]
pub struct Explanation<'a> {
    bytes: &'a [u8],
    fault: Option<Located>,
}

/// One element of a document: what a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection(Span);

impl<'a> Explanation<'a> {
    /// Of the document that `bytes` are, or should be, read within `limits`.
    pub fn new(bytes: &'a [u8], limits: &Limits) -> Self {
        Self { bytes, fault: validate(bytes, limits).err() }
    }

    /// The bytes.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The document's first fault.
    pub const fn fault(&self) -> Option<&Located> {
        self.fault.as_ref()
    }

    /// The element at `path`, for [`notes`](Self::notes); `None` when there is none.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes on the way.
    pub fn select(&self, path: &PathBuf) -> Result<Option<Selection>, DecodeError> {
        let mut inside = Span::new(0, self.bytes.len());
        let mut found = inside;
        for (level, segment) in path.segments().iter().enumerate() {
            let Some(place) = step(self.bytes, inside, segment)? else { return Ok(None) };
            found = place.span();
            if level.saturating_add(1) < path.segments().len() {
                let Some(container) = container(self.bytes, &place) else { return Ok(None) };
                inside = container;
            }
        }
        Ok(Some(Selection(found)))
    }

    /// Calls `tell` with every region in the order of the bytes, or with those of `selection`.
    ///
    /// A fault that hides where the values of a document begin hides the rest of that document only: what surrounds it is
    /// read on.
    ///
    /// # Errors
    ///
    /// What `tell` returned.
    pub fn notes<E>(
        &self,
        selection: Option<&Selection>,
        tell: impl FnMut(&Note<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let fault_at = self.fault.as_ref().map(|fault| fault.error.offset);
        let whole = Span::new(0, self.bytes.len());
        Walk::new(self.bytes, whole, selection.map(|selection| selection.0), fault_at, tell).run()
    }
}

/// The element that `segment` leads to in the document at `span`.
fn step(bytes: &[u8], span: Span, segment: &Segment) -> Result<Option<Place>, DecodeError> {
    let mut places = Places::new(bytes, span);
    match segment {
        Segment::Field(name) => places.find(name.as_bytes()),
        Segment::Index(index) => places.nth(*index),
    }
}

/// The document that the element at `place` is.
fn container(bytes: &[u8], place: &Place) -> Option<Span> {
    match place.tag {
        Tag::Document | Tag::Array => Some(place.value),
        Tag::CodeWithScope => walk::scope(bytes, place.value),
        _ => None,
    }
}
