//! Many changes, gathered and then written once.

mod overlay;
mod write;

use boson_document::edit::{Buffer, Change, Edit, New, PathFault, Reason};
use boson_document::{Limits, Located, PathBuf, Segment};

use super::encode::Encoder;
use super::error::{EditError, Fault};
use super::locate::{absent, check_array, check_name, split};
use crate::error::EncodeErrorKind;
use crate::view::Document;
use crate::write::WriteOptions;
use overlay::{Becomes, Overlay, Slot};

/// A document in a buffer that takes any number of changes and is written once, by [`commit`](Self::commit).
///
/// The bytes stay as they are until then: new values are kept aside, and a container is noted when something in it is
/// touched; for members that are not touched nothing is kept. What was set can be set again, removed, and looked into.
/// Committing overwrites values where all of them keep their width, and else writes the document anew in one pass, the
/// lengths with it.
///
/// The changes mean what those of an [`Editor`](super::Editor) mean, and a failed one changes nothing. Without a commit
/// nothing happens to the buffer.
///
/// ```
/// use boson_bson::{DocumentBuf, edit::DocumentMut};
/// use boson_document::Scalar;
///
/// let mut buf = DocumentBuf::new();
/// buf.append("name", Scalar::String("Ada"))?;
/// buf.append("born", Scalar::Int32(1816))?;
/// let mut bytes = buf.into_vec();
///
/// let mut document = DocumentMut::open(&mut bytes)?;
/// document.set(&"born".parse()?, 1815)?;
/// document.set(&"died".parse()?, 1852)?;
/// document.remove(&"name".parse()?)?;
/// document.commit()?;
///
/// let document = boson_bson::Document::new(&bytes)?;
/// assert_eq!(document.get("died")?.expect("it was set").scalar()?, Scalar::Int32(1852));
/// assert_eq!(document.get("name")?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DocumentMut<B> {
    buffer: B,
    overlay: Overlay,
    encoder: Encoder,
}

impl<B: Buffer> DocumentMut<B> {
    /// The document in `buffer`, not changed so far. It may become as large as a length of BSON can say, and 200 levels
    /// deep.
    ///
    /// # Errors
    ///
    /// As [`Document::new`](crate::DocumentIn::new).
    pub fn open(buffer: B) -> Result<Self, Located> {
        let document = Document::new(buffer.as_bytes()).map_err(|error| error.at(PathBuf::new()))?;
        let (overlay, encoder) = (Overlay::new(document.span()), Encoder::new(WriteOptions::default().limits));
        Ok(Self { buffer, overlay, encoder })
    }

    /// The same document, to be kept within the bytes and the depth of `limits`.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.encoder = Encoder::new(limits);
        self
    }

    /// The value at `path` becomes `new`: [`Change::Set`].
    ///
    /// # Errors
    ///
    /// As [`change`](Self::change).
    pub fn set<'a>(&mut self, path: &PathBuf, new: impl Into<New<'a>>) -> Result<(), EditError> {
        self.change(path, &Change::Set(new.into()))
    }

    /// `new` becomes the element at `path`, those from there on move up: [`Change::Insert`].
    ///
    /// # Errors
    ///
    /// As [`change`](Self::change).
    pub fn insert<'a>(&mut self, path: &PathBuf, new: impl Into<New<'a>>) -> Result<(), EditError> {
        self.change(path, &Change::Insert(new.into()))
    }

    /// `new` becomes the last element of the array at `path`: [`Change::Push`].
    ///
    /// # Errors
    ///
    /// As [`change`](Self::change).
    pub fn push<'a>(&mut self, path: &PathBuf, new: impl Into<New<'a>>) -> Result<(), EditError> {
        self.change(path, &Change::Push(new.into()))
    }

    /// The field or element at `path` goes away: [`Change::Remove`].
    ///
    /// # Errors
    ///
    /// As [`change`](Self::change).
    pub fn remove(&mut self, path: &PathBuf) -> Result<(), EditError> {
        self.change(path, &Change::Remove)
    }

    /// Makes `change` at `path`, as [`Editor::change`](super::Editor::change) does, to be written later.
    ///
    /// # Errors
    ///
    /// As [`Editor::change`](super::Editor::change), but that a document which becomes too large is found out by
    /// [`commit`](Self::commit). The change is not made then, those before it stay.
    pub fn change(&mut self, path: &PathBuf, change: &Change<'_>) -> Result<(), EditError> {
        let (steps, last) = split(path, change);
        if let (None, Change::Set(new)) = (last, change) {
            return self.set_root(*new).map_err(|fault| fault.at(path, 0, self.buffer.as_bytes()));
        }
        let mut node = Overlay::ROOT;
        for (step, segment) in steps.iter().enumerate() {
            let entered = self.overlay.enter(self.buffer.as_bytes(), node, segment);
            node = entered.map_err(|fault| fault.at(path, step, self.buffer.as_bytes()))?;
        }
        let made = self.change_in(node, steps.len(), last, change);
        made.map_err(|fault| fault.at(path, steps.len(), self.buffer.as_bytes()))
    }

    fn set_root(&mut self, new: New<'_>) -> Result<(), Fault> {
        self.overlay.set_root(self.encoder.root(new)?);
        Ok(())
    }

    /// Makes `change` in the container `node`, to which `steps` steps lead.
    fn change_in(
        &mut self,
        node: usize,
        steps: usize,
        last: Option<&Segment>,
        change: &Change<'_>,
    ) -> Result<(), Fault> {
        match (change, last) {
            (Change::Push(new), _) => {
                check_array(self.overlay.tag(node))?;
                let count = self.overlay.count(self.buffer.as_bytes(), node)?;
                let (tag, value) = self.encoder.member(*new, steps).map_err(|error| Fault::Pushed(count, error))?;
                self.overlay.push(node, tag, value);
            }
            (Change::Set(new), Some(segment)) => return self.set_member(node, steps, segment, *new),
            (Change::Insert(new), Some(segment @ Segment::Index(_))) => {
                return self.insert_element(node, steps, segment, *new);
            }
            (Change::Insert(_), Some(Segment::Field(_))) => return Err(PathFault::NotElement.into()),
            (Change::Remove, Some(segment)) => return self.remove_member(node, segment),
            (_, None) => return Err(PathFault::Root.into()),
        }
        Ok(())
    }

    fn set_member(&mut self, node: usize, steps: usize, segment: &Segment, new: New<'_>) -> Result<(), Fault> {
        let slot = self.overlay.find(self.buffer.as_bytes(), node, segment)?;
        match (slot, segment) {
            (Slot::Absent { .. }, Segment::Field(name)) => {
                check_name(name)?;
                let (tag, value) = self.encoder.member(new, steps).map_err(Fault::Value)?;
                self.overlay.add(node, name, tag, value);
            }
            (Slot::Absent { count }, _) => return Err(absent(segment, count).into()),
            _ => {
                let (tag, value) = self.encoder.member(new, steps).map_err(Fault::Value)?;
                self.overlay.replace(node, slot, tag, value);
            }
        }
        Ok(())
    }

    fn insert_element(&mut self, node: usize, steps: usize, segment: &Segment, new: New<'_>) -> Result<(), Fault> {
        let slot = self.overlay.find(self.buffer.as_bytes(), node, segment)?;
        if let Slot::Absent { count } = slot
            && *segment != Segment::Index(count)
        {
            return Err(absent(segment, count).into());
        }
        // The elements after it are named anew when the document is written, so all of them must be there.
        self.overlay.count(self.buffer.as_bytes(), node)?;
        let (tag, value) = self.encoder.member(new, steps).map_err(Fault::Value)?;
        self.overlay.insert(node, slot, tag, value);
        Ok(())
    }

    fn remove_member(&mut self, node: usize, segment: &Segment) -> Result<(), Fault> {
        let slot = self.overlay.find(self.buffer.as_bytes(), node, segment)?;
        if let Slot::Absent { count } = slot {
            return Err(absent(segment, count).into());
        }
        if let Segment::Index(_) = segment {
            self.overlay.count(self.buffer.as_bytes(), node)?;
        }
        self.overlay.remove(node, slot);
        Ok(())
    }

    /// The document with all changes; the buffer stays as it is.
    ///
    /// # Errors
    ///
    /// The document would be too large.
    pub fn to_vec(&self) -> Result<Vec<u8>, EditError> {
        self.written().map_err(|fault| fault.at(&PathBuf::new(), 0, self.buffer.as_bytes()))
    }

    fn written(&self) -> Result<Vec<u8>, Fault> {
        let bytes = write::write(&self.overlay, self.buffer.as_bytes())?;
        let (len_before, bytes_max) = (self.buffer.as_bytes().len(), self.encoder.bytes_max());
        if bytes.len() > bytes_max && bytes.len() > len_before {
            return Err(Fault::Encode(EncodeErrorKind::TooLarge { bytes_max }));
        }
        Ok(bytes)
    }

    /// Writes the changes into the buffer, and says what that cost. The document can be changed further.
    ///
    /// # Errors
    ///
    /// The document would be too large; nothing is written then, and the changes stay gathered.
    pub fn commit(&mut self) -> Result<Edit, EditError> {
        let edit = if self.overlay.keeps_widths() {
            Edit::InPlace { written: self.overwrite() }
        } else {
            let bytes = self.to_vec()?;
            let len = self.buffer.as_bytes().len();
            self.buffer.splice(0..len, &bytes);
            Edit::Rebuilt { written: bytes.len(), reason: Reason::Gathered }
        };
        self.overlay.forget(self.buffer.as_bytes().len());
        Ok(edit)
    }

    /// Writes values of the width of those before them; returns how many bytes that were.
    fn overwrite(&mut self) -> usize {
        let mut written = 0_usize;
        for change in self.overlay.changes() {
            let Becomes::Value { tag, bytes } = change.becomes else { continue };
            if tag != change.element.tag {
                self.buffer.write_at(change.element.span().offset, &[tag.byte()]);
                written = written.saturating_add(1);
            }
            self.buffer.write_at(change.element.value.offset, self.overlay.aside(bytes));
            written = written.saturating_add(bytes.len);
        }
        written
    }

    /// The buffer, without what was not committed.
    pub fn into_inner(self) -> B {
        self.buffer
    }
}
