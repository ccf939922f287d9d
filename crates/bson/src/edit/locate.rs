//! Where a change takes place.

use boson_document::edit::{Change, PathFault};
use boson_document::{Kind, PathBuf, Segment, Span};
use smallvec::SmallVec;

use super::error::{EditError, Fault};
use crate::error::EncodeErrorKind;
use crate::tag::Tag;
use crate::view::place::{Place, Places};
use crate::view::{Document, ValueIn};

/// A container that was reached, and the lengths that a change in it changes.
#[derive(Debug)]
pub(super) struct Reached<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) tag: Tag,
    /// Its members: from their length to their NUL. Of code with scope this is the scope.
    span: Span,
    /// Where the lengths stand that count its bytes, the root's first.
    pub(super) lengths: SmallVec<[usize; 16]>,
}

/// A member that was looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Where it stands; `None` when there is none.
    pub(super) place: Option<Place>,
    /// Its place in an array, or how many elements that has.
    pub(super) index: usize,
}

impl<'a> Reached<'a> {
    /// The container in `bytes` that `steps` lead to, the first of those of `path`.
    pub(super) fn at(bytes: &'a [u8], path: &PathBuf, steps: &[Segment]) -> Result<Self, EditError> {
        let mut reached = Self::root(bytes).map_err(|fault| fault.at(path, 0, bytes))?;
        for (step, segment) in steps.iter().enumerate() {
            reached.enter(segment).map_err(|fault| fault.at(path, step, bytes))?;
        }
        Ok(reached)
    }

    fn root(bytes: &'a [u8]) -> Result<Self, Fault> {
        let span = Document::new(bytes)?.span();
        Ok(Self { bytes, tag: Tag::Document, span, lengths: SmallVec::from_slice(&[span.offset]) })
    }

    /// Steps down into the container that `segment` leads to. Where it leads to a leaf, the next step will say so.
    fn enter(&mut self, segment: &Segment) -> Result<(), Fault> {
        let member = self.member(segment)?;
        let place = member.place.ok_or(absent(segment, member.index))?;
        self.tag = place.tag;
        if let Some(span) = members(self.bytes, place)? {
            self.lengths.push(place.value.offset);
            if span.offset != place.value.offset {
                self.lengths.push(span.offset);
            }
            self.span = span;
        }
        Ok(())
    }

    /// The member that `segment` leads to: the first of its name, as `get` finds it.
    pub(super) fn member(&self, segment: &Segment) -> Result<Member, Fault> {
        check_step(self.tag, segment)?;
        match segment {
            Segment::Field(name) => Ok(Member { place: self.places().find(name.as_bytes())?, index: 0 }),
            Segment::Index(wanted) => self.element(*wanted),
        }
    }

    fn element(&self, wanted: usize) -> Result<Member, Fault> {
        let (mut places, mut index) = (self.places(), 0_usize);
        while let Some(place) = places.next()? {
            if index == wanted {
                return Ok(Member { place: Some(place), index });
            }
            index = index.saturating_add(1);
        }
        Ok(Member { place: None, index })
    }

    /// How many elements the array has; a fault when it is none.
    pub(super) fn count(&self) -> Result<usize, Fault> {
        check_array(self.tag)?;
        Ok(self.element(usize::MAX)?.index)
    }

    fn places(&self) -> Places<&'a [u8]> {
        Places::new(self.bytes, self.span)
    }

    /// The elements from the one whose type byte is at `at`.
    pub(super) fn places_from(&self, at: usize) -> Places<&'a [u8]> {
        Places::between(self.bytes, at, self.nul())
    }

    /// The offset of the NUL that closes it.
    pub(super) fn nul(&self) -> usize {
        self.span.end().saturating_sub(1)
    }
}

/// The steps of `path` to the container in which `change` takes place, and the step in it: none where the change is of
/// the container itself.
pub(super) fn split<'p>(path: &'p PathBuf, change: &Change<'_>) -> (&'p [Segment], Option<&'p Segment>) {
    let steps = path.segments();
    match (change, steps.split_last()) {
        (Change::Push(_), _) | (_, None) => (steps, None),
        (_, Some((last, inner))) => (inner, Some(last)),
    }
}

/// Names lead into objects, indices into arrays.
pub(super) fn check_step(tag: Tag, segment: &Segment) -> Result<(), PathFault> {
    let expected = match (tag, segment) {
        (Tag::Document | Tag::CodeWithScope, Segment::Field(_)) | (Tag::Array, Segment::Index(_)) => return Ok(()),
        (_, Segment::Field(_)) => Kind::Object,
        (_, Segment::Index(_)) => Kind::Array,
    };
    Err(PathFault::NotContainer { expected, found: tag.kind() })
}

/// Elements are pushed into arrays.
pub(super) fn check_array(tag: Tag) -> Result<(), PathFault> {
    check_step(tag, &Segment::Index(0))
}

/// The fault of a step to no member, in an array of `len` elements.
pub(super) fn absent(segment: &Segment, len: usize) -> PathFault {
    match segment {
        Segment::Field(_) => PathFault::NoSuchField,
        Segment::Index(_) => PathFault::NoSuchElement { len },
    }
}

/// Whether a field may be called `name`.
pub(super) fn check_name(name: &str) -> Result<(), Fault> {
    if name.contains('\0') { Err(Fault::Encode(EncodeErrorKind::NulInName)) } else { Ok(()) }
}

/// Where the members of the container at `place` are, its header checked; `None` of a leaf.
pub(super) fn members(bytes: &[u8], place: Place) -> Result<Option<Span>, Fault> {
    let value = ValueIn::new(bytes, place);
    Ok(match place.tag {
        Tag::Document => Some(value.as_document()?.span()),
        Tag::Array => Some(value.as_array()?.span()),
        Tag::CodeWithScope => Some(value.scope()?.span()),
        _ => None,
    })
}
