//! What each byte of an image is for.

mod found;
mod header;
mod names;
mod node;
mod opcode;
mod place;
mod select;
mod teller;
mod update;

use std::convert::Infallible;

use boson_document::{DecodeError, Layout, Limits, Located, Note, PathBuf, Region};

use crate::header::Header;
use crate::image::Image;
use crate::path::path_at;
use crate::update::SortedMap;
use crate::validate::validate;
use crate::view::Document;

use found::Found;
pub use select::Selection;
use teller::Teller;

impl Layout for Document<'_> {
    /// The regions of an image: header, dictionary, every node once however often it is shared, the overflow map and the
    /// extended tree. Bytes that nothing refers to, such as the rest of a value that was moved and the room to spare in
    /// the map, are [`Role::Slack`](boson_document::Role).
    ///
    /// The payloads of values are not checked. Where two nodes overlap, which no writer lets happen, the one that begins
    /// first has the bytes they share.
    fn regions(&self) -> Result<Vec<Region>, DecodeError> {
        SortedMap::of(self)?;
        for name in self.header.name_spans(self.source) {
            name?;
        }
        let explanation = Explanation { bytes: self.source, front: Ok(*self), found: Found::of(self), fault: None };
        if let Some(fault) = explanation.found.fault {
            return Err(fault);
        }
        let mut regions = Vec::new();
        let Ok(()) = explanation.notes(None, |note| {
            regions.push(note.region);
            Ok::<_, Infallible>(())
        });
        Ok(regions)
    }
}

/// What each byte of an image means, of a faulty one as far as it can be followed.
///
/// ```
/// // true, as a document of its own.
/// let explanation = boson_oson::Explanation::new(b"\xff\x4a\x5a\x01\x00\x16\x00\x01\x31", &boson_document::Limits::OSON);
/// let mut meanings = Vec::new();
/// explanation.notes(None, |note| Ok::<_, ()>(meanings.push(note.meaning.lines().next().unwrap().to_owned()))).unwrap();
/// assert_eq!(meanings, ["OSON", "version 1: short names only, never updated in place", "flags 0x0016",
///     "tree segment of 1 byte", "$: true"]);
/// ```
#[derive(Clone, Debug)]
pub struct Explanation<'a> {
    bytes: &'a [u8],
    /// The image, or what is wrong with the header in front of the names.
    front: Result<Document<'a>, DecodeError>,
    found: Found,
    fault: Option<Located>,
}

impl<'a> Explanation<'a> {
    /// Of the image that `bytes` are, or should be, read within `limits`.
    pub fn new(bytes: &'a [u8], limits: &Limits) -> Self {
        // What follows the header, or is missing after it, may be at fault while the header tells where all is.
        let header = Header::read(bytes).or_else(|_| Header::read_front(bytes));
        let front = header.map(|header| Image { source: bytes, header });
        let found = front.as_ref().map(Found::of).unwrap_or_default();
        let located = |error: &DecodeError| error.at(path_at(bytes, error.offset));
        let fault = validate(bytes, limits).err().or_else(|| found.fault.as_ref().map(located));
        Self { bytes, front, found, fault }
    }

    /// The bytes.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The image's first fault.
    pub const fn fault(&self) -> Option<&Located> {
        self.fault.as_ref()
    }

    /// The value at `path` with what leads to it, for [`notes`](Self::notes); `None` when there is none.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes on the way.
    pub fn select(&self, path: &PathBuf) -> Result<Option<Selection>, DecodeError> {
        Selection::of(&self.front?, path)
    }

    /// Calls `tell` with every region in the order of the bytes, or with those of `selection`.
    ///
    /// Each node stands at the depth of the first place that refers to it; the others are named in its meaning. A node that
    /// cannot be read hides what is in it only.
    ///
    /// # Errors
    ///
    /// What `tell` returned.
    pub fn notes<E>(
        &self,
        selection: Option<&Selection>,
        tell: impl FnMut(&Note<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut teller = Teller::new(self, selection, tell);
        teller.header()?;
        if let Ok(document) = &self.front {
            teller.names(document)?;
            teller.tree(document)?;
            teller.update(document)?;
        }
        teller.finish()
    }
}
