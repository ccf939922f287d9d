//! One change after another, each written at once.

use std::ops::Range;

use boson_document::edit::{Buffer, Change, Edit, New, PathFault};
use boson_document::{Limits, Located, PathBuf, Segment};
use smallvec::SmallVec;

use super::encode::Encoder;
use super::error::{EditError, Fault};
use super::locate::{Reached, absent, check_name, split};
use super::rename::renamed;
use crate::error::EncodeErrorKind;
use crate::tag::Tag;
use crate::view::Document;
use crate::view::place::{Place, saturated};
use crate::write::{Counter, WriteOptions};

/// A document in a buffer that is changed, each change written at once.
///
/// A value that takes as many bytes as the one before it is overwritten; everything else moves the bytes that follow,
/// and the lengths of all containers around it are corrected; elements that move up or down in an array are named anew.
/// It finds its way as the views do: what it hops over is not checked. The editor keeps the memory in which new bytes are
/// put together.
///
/// Of members of one name the first is meant, as in [`Document::get`](crate::DocumentIn::get).
///
/// ```
/// use boson_bson::{DocumentBuf, edit::Editor};
/// use boson_document::Scalar;
/// use boson_document::edit::Edit;
///
/// let mut buf = DocumentBuf::new();
/// buf.append("born", Scalar::Int32(1816))?;
///
/// let mut editor = Editor::open(buf.into_vec())?;
/// assert_eq!(editor.set(&"born".parse()?, 1815)?, Edit::InPlace { written: 4 });
///
/// // `{"born": 1815}` takes 15 bytes, and an int32 called `died` 10 more.
/// editor.set(&"died".parse()?, 1852)?;
/// assert_eq!(editor.into_inner().len(), 25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Editor<B> {
    buffer: B,
    maker: Maker,
}

/// Puts together what is written.
#[derive(Clone, Debug)]
struct Maker {
    encoder: Encoder,
    /// The bytes that are put in the place of others.
    piece: Vec<u8>,
}

/// A range of bytes that the piece takes the place of.
struct Plan {
    range: Range<usize>,
    /// The type byte of a value that is replaced by one of another type.
    tag: Option<(usize, Tag)>,
    /// Where the lengths stand that count the range.
    lengths: SmallVec<[usize; 16]>,
}

/// Makes one change in the document that `buffer` holds, as an [`Editor`] does that is opened for it.
///
/// # Errors
///
/// As [`Editor::open`] and [`Editor::change`].
pub fn edit(buffer: &mut impl Buffer, path: &PathBuf, change: &Change<'_>) -> Result<Edit, EditError> {
    Editor::open(buffer).map_err(EditError::Decode)?.change(path, change)
}

impl<B: Buffer> Editor<B> {
    /// An editor of the document in `buffer`, of which only the header is looked at. The document may become as large as a
    /// length of BSON can say, and 200 levels deep.
    ///
    /// # Errors
    ///
    /// As [`Document::new`](crate::DocumentIn::new).
    pub fn open(buffer: B) -> Result<Self, Located> {
        Document::new(buffer.as_bytes()).map_err(|error| error.at(PathBuf::new()))?;
        let encoder = Encoder::new(WriteOptions::default().limits);
        Ok(Self { buffer, maker: Maker { encoder, piece: Vec::new() } })
    }

    /// The same editor, which keeps the document within the bytes and the depth of `limits`.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.maker.encoder = Encoder::new(limits);
        self
    }

    /// The document.
    pub fn document(&self) -> Document<'_> {
        Document::whole(self.buffer.as_bytes())
    }

    /// The buffer, in which the document is.
    pub fn into_inner(self) -> B {
        self.buffer
    }

    /// The value at `path` becomes `new`: [`Change::Set`].
    ///
    /// # Errors
    ///
    /// As [`change`](Self::change).
    pub fn set<'a>(&mut self, path: &PathBuf, new: impl Into<New<'a>>) -> Result<Edit, EditError> {
        self.change(path, &Change::Set(new.into()))
    }

    /// `new` becomes the element at `path`, those from there on move up: [`Change::Insert`].
    ///
    /// # Errors
    ///
    /// As [`change`](Self::change).
    pub fn insert<'a>(&mut self, path: &PathBuf, new: impl Into<New<'a>>) -> Result<Edit, EditError> {
        self.change(path, &Change::Insert(new.into()))
    }

    /// `new` becomes the last element of the array at `path`: [`Change::Push`].
    ///
    /// # Errors
    ///
    /// As [`change`](Self::change).
    pub fn push<'a>(&mut self, path: &PathBuf, new: impl Into<New<'a>>) -> Result<Edit, EditError> {
        self.change(path, &Change::Push(new.into()))
    }

    /// The field or element at `path` goes away: [`Change::Remove`].
    ///
    /// # Errors
    ///
    /// As [`change`](Self::change).
    pub fn remove(&mut self, path: &PathBuf) -> Result<Edit, EditError> {
        self.change(path, &Change::Remove)
    }

    /// Makes `change` at `path`. Returns what it cost.
    ///
    /// # Errors
    ///
    /// The path leads to no place for it, the document is broken on the way there, or the new value or the document with it
    /// cannot be BSON. The document is then as it was.
    pub fn change(&mut self, path: &PathBuf, change: &Change<'_>) -> Result<Edit, EditError> {
        let Self { buffer, maker } = self;
        let (steps, last) = split(path, change);
        let plan = if let (None, Change::Set(new)) = (last, change) {
            let len = buffer.as_bytes().len();
            maker.replace_root(len, *new).map_err(|fault| fault.at(path, 0, &[]))?
        } else {
            let bytes = buffer.as_bytes();
            let reached = Reached::at(bytes, path, steps)?;
            maker.plan(reached, steps.len(), last, change).map_err(|fault| fault.at(path, steps.len(), bytes))?
        };
        maker.apply(buffer, &plan).map_err(|fault| fault.at(path, steps.len(), &[]))
    }
}

impl Maker {
    fn replace_root(&mut self, len: usize, new: New<'_>) -> Result<Plan, Fault> {
        let root = self.encoder.root(new)?;
        self.piece.clear();
        self.piece.extend_from_slice(root);
        Ok(Plan { range: 0..len, tag: None, lengths: SmallVec::new() })
    }

    /// Puts the piece together that `change` needs in the container that was reached by `steps` steps, and says where it
    /// belongs.
    fn plan(
        &mut self,
        reached: Reached<'_>,
        steps: usize,
        last: Option<&Segment>,
        change: &Change<'_>,
    ) -> Result<Plan, Fault> {
        match (change, last) {
            (Change::Push(new), _) => {
                let index = reached.count()?;
                let add = self.add(reached, &Segment::Index(index), *new, steps);
                add.map_err(|fault| fault.of_pushed(index))
            }
            (Change::Set(new), Some(segment)) => self.set(reached, segment, *new, steps),
            (Change::Insert(new), Some(Segment::Index(index))) => self.insert(reached, *index, *new, steps),
            (Change::Insert(_), Some(Segment::Field(_))) => Err(PathFault::NotElement.into()),
            (Change::Remove, Some(segment)) => self.remove(reached, segment),
            (_, None) => Err(PathFault::Root.into()),
        }
    }

    fn set(&mut self, reached: Reached<'_>, segment: &Segment, new: New<'_>, steps: usize) -> Result<Plan, Fault> {
        let member = reached.member(segment)?;
        match (member.place, segment) {
            (Some(place), _) => self.replace(reached, place, new, steps),
            (None, Segment::Field(name)) => {
                check_name(name)?;
                self.add(reached, segment, new, steps)
            }
            (None, Segment::Index(_)) => Err(absent(segment, member.index).into()),
        }
    }

    fn replace(&mut self, reached: Reached<'_>, place: Place, new: New<'_>, steps: usize) -> Result<Plan, Fault> {
        let (tag, value) = self.encoder.member(new, steps).map_err(Fault::Value)?;
        self.piece.clear();
        self.piece.extend_from_slice(value);
        let tag = (tag != place.tag).then_some((place.span().offset, tag));
        Ok(Plan { range: place.value.range(), tag, lengths: reached.lengths })
    }

    fn add(&mut self, reached: Reached<'_>, name: &Segment, new: New<'_>, steps: usize) -> Result<Plan, Fault> {
        self.begin_piece(name, new, steps)?;
        let nul = reached.nul();
        Ok(Plan { range: nul..nul, tag: None, lengths: reached.lengths })
    }

    fn insert(&mut self, reached: Reached<'_>, index: usize, new: New<'_>, steps: usize) -> Result<Plan, Fault> {
        let segment = Segment::Index(index);
        let member = reached.member(&segment)?;
        match member.place {
            None if member.index == index => self.add(reached, &segment, new, steps),
            None => Err(absent(&segment, member.index).into()),
            Some(place) => {
                self.begin_piece(&segment, new, steps)?;
                self.rename(reached, place.span().offset, place.span().offset, index.saturating_add(1))
            }
        }
    }

    fn remove(&mut self, reached: Reached<'_>, segment: &Segment) -> Result<Plan, Fault> {
        let member = reached.member(segment)?;
        let place = member.place.ok_or(absent(segment, member.index))?;
        self.piece.clear();
        if reached.tag == Tag::Array {
            return self.rename(reached, place.span().offset, place.span().end(), member.index);
        }
        Ok(Plan { range: place.span().range(), tag: None, lengths: reached.lengths })
    }

    /// The piece begins with the element `name`.
    fn begin_piece(&mut self, name: &Segment, new: New<'_>, steps: usize) -> Result<(), Fault> {
        let (tag, value) = self.encoder.member(new, steps).map_err(Fault::Value)?;
        self.piece.clear();
        self.piece.push(tag.byte());
        match name {
            Segment::Field(name) => self.piece.extend_from_slice(name.as_bytes()),
            Segment::Index(index) => self.piece.extend_from_slice(Counter::starting_at(*index).digits()),
        }
        self.piece.push(0);
        self.piece.extend_from_slice(value);
        Ok(())
    }

    /// What stands in the array from `start` on becomes the piece, behind it the elements from `from` on, the first of them
    /// named `index`.
    fn rename(&mut self, reached: Reached<'_>, start: usize, from: usize, index: usize) -> Result<Plan, Fault> {
        let mut counter = Counter::starting_at(index);
        renamed(reached.bytes, reached.places_from(from), &mut counter, &mut self.piece)?;
        Ok(Plan { range: start..reached.nul(), tag: None, lengths: reached.lengths })
    }

    /// Writes the piece. Nothing fails once the first byte is written.
    fn apply(&self, buffer: &mut impl Buffer, plan: &Plan) -> Result<Edit, Fault> {
        let (len_before, removed, added) = (buffer.as_bytes().len(), plan.range.len(), self.piece.len());
        let len = len_before.saturating_sub(removed).saturating_add(added);
        if len > self.encoder.bytes_max() && added > removed {
            return Err(Fault::Encode(EncodeErrorKind::TooLarge { bytes_max: self.encoder.bytes_max() }));
        }
        if let Some((at, tag)) = plan.tag {
            buffer.write_at(at, &[tag.byte()]);
        }
        let written = added.saturating_add(usize::from(plan.tag.is_some()));
        if added == removed {
            buffer.write_at(plan.range.start, &self.piece);
            return Ok(Edit::InPlace { written });
        }
        buffer.splice(plan.range.clone(), &self.piece);
        for &at in &plan.lengths {
            correct(buffer, at, removed, added);
        }
        let written = written.saturating_add(plan.lengths.len().saturating_mul(4));
        Ok(Edit::Spliced { written, moved: len_before.saturating_sub(plan.range.end) })
    }
}

/// Corrects the length at `at` of a container in which `removed` bytes became `added`.
fn correct(buffer: &mut impl Buffer, at: usize, removed: usize, added: usize) {
    let declared = buffer.as_bytes().get(at..).and_then(<[u8]>::first_chunk).map_or(0, |len| u32::from_le_bytes(*len));
    // The container lies in a document whose length was checked, and so was the length that this becomes.
    let len = declared.saturating_sub(saturated(removed)).saturating_add(saturated(added));
    buffer.write_at(at, &len.to_le_bytes());
}
