//! Changing an image where it stands, as a server does (section 3 of the format).
//!
//! An [`Editor`] holds the bytes of one image. A new value that fits goes where the old one was; any other goes behind the
//! image, into the extended tree segment, and what leads to the value is overwritten: a forwarding that is there already,
//! the old node (a forwarding of 3 or 5 bytes), the offset in the parent, or the old node's first byte with an entry in the
//! overflow map. What cannot be done that way is done by writing the image anew, and the [`Edit`] says why.
//!
//! ```
//! use boson_document::edit::Edit;
//! use boson_document::{Source, Value};
//! use boson_oson::edit::Editor;
//! use boson_oson::write::{Options, to_vec};
//!
//! let document = Value::Object(vec![("name".into(), Value::String("Ada".into())), ("n".into(), Value::Int32(1))]);
//! let mut editor = Editor::open(to_vec(&document, &Options::default())?)?;
//! assert_eq!(editor.set(&"$.name".parse()?, "Bob")?, Edit::InPlace { written: 4 });
//! let edit = editor.set(&"$.name".parse()?, "Grace Hopper")?;
//! assert!(matches!(edit, Edit::Appended { .. }));
//! let image: Vec<u8> = editor.into_inner();
//! assert_eq!(boson_oson::Document::new(&image)?.get("name")?.unwrap().as_str()?, Some("Grace Hopper"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it costs
//!
//! Two values of an image may be the same bytes, which then must not be overwritten for one of them, and nothing in an
//! image tells which are. So [`Editor::open`] counts, once, what leads to each node, which takes a walk over the image and
//! three bits for each of its bytes, of which one is kept; every edit after that looks only at what lies on its path.
//! [`Editor::trusting`] looks at nothing but the header, and relies on what all known writers do. [`edit`] is an editor
//! that is opened for one edit.
//!
//! A container that gets a child, or loses one where its ids are others' too, is copied: an opcode, a count, and an id and
//! an offset for each child, but no child. A copy of a copy has room behind it for half as many children again, which the
//! editor remembers for as long as it is open; they cost what they take themselves. A child that is taken out moves the ids
//! and offsets behind it.
//!
//! An edit that is no rebuild allocates nothing but the growth of the buffer; only one that sets an object of more than 16
//! fields has a table made, once, with a number for each name of the dictionary. An editor that trusts makes itself room
//! when it needs it.

mod census;
mod container;
mod halt;
mod lead;
mod new;
mod place;
mod policy;
mod rebuild;
mod rewrite;
mod room;

use boson_document::edit::{Buffer, Change, Edit, New, PathFault, Reason};
use boson_document::{DecodeError, Kind, Located, PathBuf, Segment};

use crate::header::Header;
use crate::node::Container;
use crate::path::path_at;
use crate::view::{Document, FieldOrder};
use crate::write::{EncodeError, Options};

use census::{Census, Sharing};
use halt::Halt;
use place::{Place, Step};
use room::Rooms;

pub use policy::Policy;

/// Why an edit was refused. The image is then as it was.
pub type EditError = boson_document::edit::EditError<EncodeError>;

/// An image that is being changed.
#[derive(Debug)]
pub struct Editor<B> {
    buffer: B,
    header: Header,
    options: Options,
    keep_offsets: bool,
    sharing: Sharing,
    /// How many bytes of the two tree segments are in use.
    live_len: usize,
    rooms: Rooms,
    draft: Draft,
    scratch: Scratch,
}

/// What an edit has done so far.
#[derive(Clone, Copy, Debug)]
struct Draft {
    /// How many bytes the image had before.
    start: usize,
    /// How many of those were overwritten.
    written: usize,
    /// How many entries the overflow map is to have room for, if the edit makes one.
    map_room: usize,
    /// Whether an entry of the overflow map would have led to the new value, if there were room for it.
    map_was_full: bool,
}

/// Room that is kept from one edit to the next.
#[derive(Debug)]
struct Scratch {
    /// The beginning of a leaf.
    head: Vec<u8>,
    order: FieldOrder,
    /// For each id the number of the object that it was seen in last.
    seen_in: Vec<u32>,
    objects: u32,
    /// Containers that are given up.
    stack: Vec<(Container, usize)>,
}

impl Scratch {
    /// A leaf's beginning: its opcode, a length, and the most bytes of a value that is encoded.
    const HEAD_BYTES_MAX: usize = 2 + crate::tag::DECIMAL_TEXT_BYTES_MAX;

    fn new(sorted_fields: usize, depth: usize) -> Self {
        Self {
            head: Vec::with_capacity(Self::HEAD_BYTES_MAX),
            order: FieldOrder::with_capacity(sorted_fields),
            seen_in: Vec::new(),
            objects: 0,
            stack: Vec::with_capacity(depth.saturating_add(8)),
        }
    }
}

impl<B: Buffer> Editor<B> {
    /// An editor of the image in `buffer`, all of whose nodes are looked at.
    ///
    /// # Errors
    ///
    /// The image's first fault. Names and the values of leaves are not looked at; [`validate`](crate::validate) does that.
    pub fn open(buffer: B) -> Result<Self, Located> {
        let mut editor = Self::trusting(buffer)?;
        editor.count().map_err(|error| editor.locate_fault(error))?;
        Ok(editor)
    }

    /// An editor of the image in `buffer`, of which only the header is looked at.
    ///
    /// It relies on what every known writer of images keeps to: that a container with children in it is at one place only,
    /// that an object whose ids others use says so, that nodes do not overlap, and that the flags 0x0020 and 0x0040 are set
    /// where leaves or empty containers are at several places. Where they are set, leaves are never overwritten, since each
    /// could be another's as well. In an image that breaks these habits, which none is known to do, an edit could change
    /// other values with the one it is meant for.
    ///
    /// # Errors
    ///
    /// What is wrong with the header.
    pub fn trusting(buffer: B) -> Result<Self, Located> {
        let bytes = buffer.as_bytes();
        let header = Header::read(bytes).map_err(|error| error.at(path_at(bytes, error.offset)))?;
        let live_len = header.tree_len().saturating_add(header.extended_tree_len());
        Ok(Self {
            buffer,
            header,
            options: Options::default(),
            keep_offsets: false,
            sharing: Sharing::Trusted,
            live_len,
            rooms: Rooms::default(),
            draft: Draft { start: 0, written: 0, map_room: 0, map_was_full: false },
            scratch: Scratch::new(16, 64),
        })
    }

    /// The same editor, which writes by these options: new values in their style, rebuilds wholly by them, and nothing
    /// beyond their limits. A new value must not have a name twice in one object, whatever they say.
    #[must_use]
    pub fn with_options(self, options: &Options) -> Self {
        Self { options: *options, ..self }
    }

    /// The same editor, which changes no offset of a child where an entry of the overflow map does instead. A reader that
    /// takes the order of fields from the places of their values then still finds it. Without this, that holds for objects
    /// which this crate's reader takes it from.
    #[must_use]
    pub fn keeping_offsets(self) -> Self {
        Self { keep_offsets: true, ..self }
    }

    /// The image.
    pub fn document(&self) -> Document<'_> {
        Document { source: self.buffer.as_bytes(), header: self.header }
    }

    /// The buffer.
    pub const fn buffer(&self) -> &B {
        &self.buffer
    }

    /// The buffer, in which the image is.
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
    /// When the path leads to no place for the change, the bytes on the way are broken, or OSON cannot hold the new value:
    /// the image is then as it was, byte for byte.
    pub fn change(&mut self, path: &PathBuf, change: &Change<'_>) -> Result<Edit, EditError> {
        let before = (self.header, self.live_len, self.rooms);
        let mut map_room = usize::from(self.header.tiny_nodes()).min(MAP_ROOM_MAX);
        loop {
            let start = self.buffer.as_bytes().len();
            self.draft = Draft { start, written: 0, map_room, map_was_full: false };
            let halt = match self.attempt(path, change) {
                Ok(()) => return Ok(self.settle()),
                Err(halt) => halt,
            };
            self.buffer.truncate(start);
            (self.header, self.live_len, self.rooms) = before;
            match halt {
                Halt::MapRoom => map_room = 1,
                Halt::Rebuild(reason) => return self.rebuild_checked(path, change, reason),
                Halt::Path(error) => return Err(error.into()),
                Halt::Decode(error) => return Err(EditError::Decode(self.locate_fault(error))),
                Halt::Encode(kind) => return Err(EditError::Encode(self.refusal(path, change, kind))),
            }
        }
    }

    /// Writes the image anew with `change`, if the path leads to a place for it: an attempt may have ended before it came to
    /// that.
    fn rebuild_checked(&mut self, path: &PathBuf, change: &Change<'_>, reason: Reason) -> Result<Edit, EditError> {
        match self.trace(path.segments(), change) {
            Err(Halt::Path(error)) => Err(error.into()),
            Err(Halt::Decode(error)) => Err(EditError::Decode(self.locate_fault(error))),
            Ok(()) | Err(_) => self.rebuild(path, Some(change), reason),
        }
    }

    /// Fails where the path leads to no place for the change.
    fn trace(&self, steps: &[Segment], change: &Change<'_>) -> Result<(), Halt> {
        let fail = |number, fault| Halt::path(steps, number, fault);
        let mut place = place::root(&self.document(), &self.sharing)?;
        for (number, segment) in steps.iter().enumerate() {
            let is_last = number.saturating_add(1) == steps.len();
            if is_last && let Change::Insert(_) = change {
                return check_insert(&place, segment).map_err(|fault| fail(number, fault));
            }
            place = match (self.step(steps, number, &place)?, place.container()) {
                (Step::Child(index), Some(container)) => {
                    place::child(&self.document(), &self.sharing, container, index)?
                }
                _ if is_last && matches!(change, Change::Set(_)) => return Ok(()),
                _ => return Err(fail(number, PathFault::NoSuchField)),
            };
        }
        match change {
            Change::Push(_) => place.expect(Kind::Array).map(|_| ()).map_err(|fault| fail(steps.len(), fault)),
            Change::Insert(_) | Change::Remove if steps.is_empty() => Err(fail(0, PathFault::Root)),
            _ => Ok(()),
        }
    }

    fn attempt(&mut self, path: &PathBuf, change: &Change<'_>) -> Result<(), Halt> {
        if matches!(self.sharing, Sharing::Tangled) {
            return Err(Halt::Rebuild(Reason::Overlap));
        }
        let steps = path.segments();
        match (change, steps.split_last()) {
            (Change::Push(new), _) => self.push_at(steps, new),
            (Change::Set(new), None) => self.set_root(new),
            (_, None) => Err(Halt::path(steps, 0, PathFault::Root)),
            (Change::Set(new), Some((last, inner))) => self.set_at(steps, inner, last, new),
            (Change::Insert(new), Some((last, inner))) => self.insert_at(steps, inner, last, new),
            (Change::Remove, Some((_, inner))) => self.remove_at(steps, inner),
        }
    }

    fn push_at(&mut self, steps: &[Segment], new: &New<'_>) -> Result<(), Halt> {
        let place = self.locate(steps)?;
        let array = place.expect(Kind::Array).map_err(|fault| Halt::path(steps, steps.len(), fault))?;
        self.add_child(steps, &place, &array, array.count, None, new)
    }

    fn insert_at(&mut self, steps: &[Segment], inner: &[Segment], last: &Segment, new: &New<'_>) -> Result<(), Halt> {
        let place = self.locate(inner)?;
        check_insert(&place, last).map_err(|fault| Halt::path(steps, inner.len(), fault))?;
        match (place.container(), last) {
            (Some(array), Segment::Index(index)) => self.add_child(inner, &place, &array, *index, None, new),
            _ => Ok(()),
        }
    }

    fn set_at(&mut self, steps: &[Segment], inner: &[Segment], last: &Segment, new: &New<'_>) -> Result<(), Halt> {
        let parent = self.locate(inner)?;
        match (self.step(steps, inner.len(), &parent)?, last) {
            (Step::Child(index), _) => {
                let place = self.child(&parent, index)?;
                self.replace(steps, &place, new)
            }
            (Step::Absent, Segment::Field(name)) => {
                let object = parent.expect(Kind::Object).map_err(|fault| Halt::path(steps, inner.len(), fault))?;
                let id = self.document().name_id(name)?.ok_or(Halt::Rebuild(Reason::NewName))?;
                self.add_child(inner, &parent, &object, object.count, Some(id), new)
            }
            (Step::Absent, Segment::Index(_)) => Err(Halt::path(steps, inner.len(), PathFault::NoSuchField)),
        }
    }

    fn remove_at(&mut self, steps: &[Segment], inner: &[Segment]) -> Result<(), Halt> {
        let parent = self.locate(inner)?;
        match (self.step(steps, inner.len(), &parent)?, parent.container()) {
            (Step::Child(index), Some(container)) => self.remove_child(inner, &parent, &container, index),
            _ => Err(Halt::path(steps, inner.len(), PathFault::NoSuchField)),
        }
    }

    /// The value at the end of `steps`.
    fn locate(&self, steps: &[Segment]) -> Result<Place, Halt> {
        let mut place = place::root(&self.document(), &self.sharing)?;
        for number in 0..steps.len() {
            place = match self.step(steps, number, &place)? {
                Step::Child(index) => self.child(&place, index)?,
                Step::Absent => return Err(Halt::path(steps, number, PathFault::NoSuchField)),
            };
        }
        Ok(place)
    }

    /// Where step `number` of `steps` leads from `place`.
    fn step(&self, steps: &[Segment], number: usize, place: &Place) -> Result<Step, Halt> {
        let Some(segment) = steps.get(number) else { return Ok(Step::Absent) };
        place::step(&self.document(), place, segment).map_err(|error| match error {
            place::StepError::Path(fault) => Halt::path(steps, number, fault),
            place::StepError::Decode(error) => Halt::Decode(error),
        })
    }

    /// Child `index` of the container at `parent`, which must be there for one value only.
    fn child(&self, parent: &Place, index: usize) -> Result<Place, Halt> {
        let Some(container) = parent.container().filter(|_| parent.is_single) else {
            return Err(Halt::Rebuild(Reason::SharedContainer));
        };
        Ok(place::child(&self.document(), &self.sharing, container, index)?)
    }

    /// Counts what leads to each node.
    fn count(&mut self) -> Result<(), DecodeError> {
        match Census::take(&self.document()) {
            Ok(census) => {
                self.sharing = census.sharing;
                self.live_len = census.live_len;
                self.scratch = Scratch::new(census.sorted_fields.max(16), census.depth);
                Ok(())
            }
            Err(error) if census::is_limit(&error) => {
                self.sharing = Sharing::Tangled;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    fn locate_fault(&self, error: DecodeError) -> Located {
        error.at(path_at(self.buffer.as_bytes(), error.offset))
    }
}

/// Fails where `segment` is no place for a new element of the array at `place`.
fn check_insert(place: &Place, segment: &Segment) -> Result<(), PathFault> {
    let Segment::Index(index) = segment else { return Err(PathFault::NotElement) };
    let array = place.expect(Kind::Array)?;
    if *index > array.count { Err(PathFault::NoSuchElement { len: array.count }) } else { Ok(()) }
}

/// For how many entries the first update makes room in the overflow map at most; else for as many as there are tiny
/// nodes.
const MAP_ROOM_MAX: usize = 8;

/// Makes one change in the image in `buffer`, as [`Editor::open`] and [`Editor::change`] do. For more than one change, an
/// editor that stays open looks at the image once.
///
/// # Errors
///
/// As those two.
pub fn edit(buffer: &mut impl Buffer, path: &PathBuf, change: &Change<'_>) -> Result<Edit, EditError> {
    Editor::open(buffer).map_err(EditError::Decode)?.change(path, change)
}
