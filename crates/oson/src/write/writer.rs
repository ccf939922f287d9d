//! The sink.

use boson_document::{Container, Descend, Kind, Limit, PathBuf, Scalar, Sink, Source, Span};

use crate::tag::container;
use crate::view::Document;
use crate::width::{narrow, widen};

use super::dictionary::Dictionary;
use super::emit::{self, Image, Sorting, UNSORTED_FIELDS_MAX};
use super::error::{EncodeError, EncodeErrorKind};
use super::layout::Layout;
use super::leaf;
use super::names::Names;
use super::shapes::Shapes;
use super::sharing::{self, LeftOut};
use super::tape::{Child, Open, Place, Tape};
use super::values::Values;
use super::{DuplicateNames, Options, Style};

/// A sink that writes what it is handed as an OSON image, one document after the other.
///
/// ```
/// use boson_document::{Source, Value};
/// use boson_oson::write::{Options, Writer};
///
/// let document = Value::Object(vec![("a".into(), Value::Bool(true))]);
/// let mut writer = Writer::new(&Options::default());
/// let mut image = Vec::new();
/// document.drive(&mut writer)?;
/// writer.finish(&mut image)?;
/// assert_eq!(image[..4], [0xFF, 0x4A, 0x5A, 1]);
/// # Ok::<(), boson_oson::write::EncodeError>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    options: Options,
    tape: Tape,
    names: Names,
    dictionary: Dictionary,
    shapes: Shapes,
    values: Values,
    layout: Layout,
    sorting: Sorting,
    /// The number of the name that was announced last.
    name: u32,
    /// Values so far.
    value_count: u64,
    /// Empty containers in the leaves that stand there once.
    empty_containers: usize,
    /// Whether some value is stored once and found at several places.
    shares_values: bool,
    /// Whether a member was dropped, since its name occurs twice: its bytes are still among the leaves.
    dropped: bool,
    /// Whether containers stood deeper in each other than [`SERVER_DEPTH_MAX`].
    is_deep: bool,
}

/// How deep the containers of a document may stand in each other for a database server to take it (the root counts as 1).
pub const SERVER_DEPTH_MAX: u32 = 1000;

impl Writer {
    /// A writer by these options.
    pub fn new(options: &Options) -> Self {
        let mut writer = Self {
            options: *options,
            tape: Tape::default(),
            names: Names::default(),
            dictionary: Dictionary::default(),
            shapes: Shapes::default(),
            values: Values::default(),
            layout: Layout::default(),
            sorting: Sorting::default(),
            name: 0,
            value_count: 0,
            empty_containers: 0,
            shares_values: false,
            dropped: false,
            is_deep: false,
        };
        writer.clear();
        writer
    }

    /// Forgets a document that was begun and not finished: needed after an error. Buffers are kept.
    pub fn clear(&mut self) {
        self.values.clear(self.tape.leaves.len());
        self.tape.clear();
        self.names.clear();
        self.shapes.clear();
        self.sorting.clear();
        self.value_count = 0;
        self.empty_containers = 0;
        self.shares_values = false;
        self.dropped = false;
        self.is_deep = false;
    }

    /// Whether the containers of the document that was delivered, and is not finished yet, stand deeper in each other than
    /// servers allow, [`SERVER_DEPTH_MAX`].
    pub const fn is_deeper_than_servers_allow(&self) -> bool {
        self.is_deep
    }

    /// Appends the image of the document that was delivered to `out`, and is ready for the next.
    ///
    /// # Errors
    ///
    /// `NotOneDocument` when none was delivered to its end; `LimitExceeded` or `TooLarge` for its size.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let result = if self.dropped { self.emit_without_dropped(out) } else { self.emit(out) };
        self.clear();
        result.map_err(|kind| EncodeError::new(kind, PathBuf::new()))
    }

    /// Appends the image of the document that `source` delivers to `out`.
    ///
    /// # Errors
    ///
    /// The source's own, or what cannot be written; `out` is then as it was.
    pub fn write(&mut self, source: &impl Source, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        if !self.tape.is_empty() {
            self.clear();
        }
        source.drive(self)?;
        self.finish(out)
    }

    fn emit(&mut self, out: &mut Vec<u8>) -> Result<(), EncodeErrorKind> {
        if !self.tape.open.is_empty() || self.tape.is_empty() {
            return Err(EncodeErrorKind::NotOneDocument);
        }
        let start = out.len();
        if self.tape.patches.is_empty() {
            emit::put_scalar_header(out, self.tape.leaves.len());
            self.check_size(out, start, self.tape.leaves.len())?;
            out.extend_from_slice(&self.tape.leaves);
            return Ok(());
        }
        self.dictionary.build(&self.names, self.options.style)?;
        self.layout.lay_out(&self.tape, &mut self.shapes, self.dictionary.id_width(), &self.options);
        self.put_image(out, start)
    }

    /// Writes the document twice. In the first image are the bytes of the members that were dropped, and their names: what
    /// it refers to is what the second one holds.
    #[cold]
    fn emit_without_dropped(&mut self, out: &mut Vec<u8>) -> Result<(), EncodeErrorKind> {
        let (limits, mut draft) = (self.options.limits, Vec::new());
        self.options.limits = limits.with_bytes(usize::MAX);
        let written = self.emit(&mut draft);
        self.options.limits = limits;
        self.clear();
        written?;
        let document = Document::new(&draft).map_err(EncodeErrorKind::Source)?;
        document.drive_unbounded(self).map_err(|error| error.kind())?;
        self.emit(out)
    }

    fn put_image(&mut self, out: &mut Vec<u8>, start: usize) -> Result<(), EncodeErrorKind> {
        let tree_len = usize::try_from(self.layout.tree_len).map_err(|_| EncodeErrorKind::TooLarge)?;
        let tiny_nodes = match self.options.style {
            Style::Compact => self.layout.tiny_nodes.saturating_add(self.empty_containers),
            Style::Driver => 0,
        };
        let image = Image {
            tape: &self.tape,
            layout: &self.layout,
            dictionary: &self.dictionary,
            options: &self.options,
            shares_values: self.shares_values,
            tiny_nodes,
        };
        image.put_header(out);
        self.check_size(out, start, tree_len)?;
        out.reserve(tree_len);
        image.put_tree(out, &mut self.shapes, &mut self.sorting);
        Ok(())
    }

    /// Checks the size of the image whose header stands at the end of `out` from `start` on, and takes that off again if
    /// it is too large.
    fn check_size(&self, out: &mut Vec<u8>, start: usize, tree_len: usize) -> Result<(), EncodeErrorKind> {
        let image_len = out.len().saturating_sub(start).saturating_add(tree_len);
        // Places of leaves are counted before any are left out.
        let fault = if u32::try_from(image_len.max(self.tape.leaves.len())).is_err() {
            EncodeErrorKind::TooLarge
        } else if image_len > self.options.limits.bytes {
            EncodeErrorKind::LimitExceeded(Limit::Bytes)
        } else {
            return Ok(());
        };
        out.truncate(start);
        Err(fault)
    }

    /// Begins a container, which is a value.
    #[inline]
    fn begin(&mut self, is_object: bool) -> Result<Descend, EncodeError> {
        if self.tape.open.is_empty() && !self.tape.is_empty() {
            return Err(self.fail(EncodeErrorKind::NotOneDocument));
        }
        let depth_max = self.options.limits.depth;
        if self.tape.open.len() >= widen(depth_max.min(SERVER_DEPTH_MAX)) {
            if self.tape.open.len() >= widen(depth_max) {
                return Err(self.fail(EncodeErrorKind::LimitExceeded(Limit::Depth(depth_max))));
            }
            self.is_deep = true;
        }
        self.count_value()?;
        if let Some(open) = self.tape.open.last_mut()
            && open.may_be_sorted
        {
            sharing::mark_repeats(&mut self.tape, &mut self.values);
        }
        let may_be_sorted = is_object && !self.options.keep_order && self.options.style == Style::Compact;
        self.tape.begin(is_object, may_be_sorted, self.name);
        Ok(Descend::Into)
    }

    #[inline]
    fn count_value(&mut self) -> Result<(), EncodeError> {
        self.value_count = self.value_count.wrapping_add(1);
        if self.value_count > self.options.limits.nodes {
            return Err(self.fail(EncodeErrorKind::LimitExceeded(Limit::Nodes)));
        }
        Ok(())
    }

    /// Ends the container that was begun last.
    #[inline]
    fn end(&mut self, is_object: bool) -> Result<(), EncodeError> {
        let Some(open) = self.tape.open.last().copied().filter(|open| open.is_object == is_object) else {
            return Err(self.fail(EncodeErrorKind::NotOneDocument));
        };
        let shape = if is_object { self.end_members(&open)? } else { None };
        self.tape.open.pop();
        self.name = open.outer_name;
        if self.tape.pending_of(&open).is_empty() && !self.tape.open.is_empty() {
            self.end_empty(is_object);
            return Ok(());
        }
        let place = self.tape.end(&open, shape);
        self.tape.add_container(self.name, place);
        self.check_memory()
    }

    /// An empty container is a leaf, so that it can be shared like one.
    fn end_empty(&mut self, is_object: bool) {
        self.tape.patches.pop();
        let start = self.tape.leaves.len();
        let opcode = match (self.options.style, is_object) {
            (Style::Compact, true) => container::CONTAINER | container::IDS_UNSORTED,
            (Style::Compact, false) => container::CONTAINER | container::ARRAY,
            (Style::Driver, true) => container::CONTAINER | container::IDS_UNSORTED | container::OFFSETS_UB4,
            (Style::Driver, false) => container::CONTAINER | container::ARRAY | container::OFFSETS_UB4,
        };
        self.tape.leaves.extend_from_slice(&[opcode, 0]);
        self.add_leaf(start);
        self.empty_containers = self.empty_containers.wrapping_add(usize::from(self.tape.leaves.len() > start));
    }

    /// Stops before memory is spent on a document that will be too large by far: leaves that repeat each other are still
    /// to be left out, and each child takes two bytes at least. [`check_size`](Self::check_size) is exact.
    #[inline]
    fn check_memory(&self) -> Result<(), EncodeError> {
        let bytes_max = self.options.limits.bytes;
        let child_count = self.tape.children.len().saturating_add(self.tape.pending.len());
        if self.tape.leaves.len() > bytes_max.saturating_mul(4) || child_count > bytes_max {
            return Err(self.fail(EncodeErrorKind::LimitExceeded(Limit::Bytes)));
        }
        Ok(())
    }

    /// What is to be done when all members of an object are there. Returns the object's shape.
    #[inline]
    fn end_members(&mut self, open: &Open) -> Result<Option<u32>, EncodeError> {
        let count = self.tape.pending_of(open).len();
        let shape = self.shape(open)?;
        if !open.may_be_sorted || self.tape.pending_of(open).len() > widen(UNSORTED_FIELDS_MAX) {
            return Ok(shape);
        }
        let mut left_out = LeftOut::default();
        // Where a member was dropped, leaves do not end where the next one begins.
        if self.tape.pending_of(open).len() == count {
            left_out.add(sharing::share_run(&mut self.tape, open, &mut self.values));
        }
        if open.repeats {
            left_out.add(sharing::leave_out_repeats(&mut self.tape, open));
        }
        self.shares_values |= left_out.leaves > 0;
        self.empty_containers = self.empty_containers.saturating_sub(left_out.empty_containers);
        Ok(shape)
    }

    /// The shape of an object, when it may share its field ids, and the check that no name occurs twice.
    #[inline]
    fn shape(&mut self, open: &Open) -> Result<Option<u32>, EncodeError> {
        let members = self.tape.pending.get(open.first..).unwrap_or_default();
        if members.len() < 2 {
            return Ok(None);
        }
        if self.options.style == Style::Driver {
            self.check_names(open)?;
            return Ok(None);
        }
        match self.shapes.find(members, &self.tape.children) {
            // An object with the same names as an earlier one has none twice, since that one had none.
            Ok(shape) => Ok(Some(shape)),
            Err(vacancy) if self.check_names(open)? => {
                let len = narrow(self.tape.pending_of(open).len());
                Ok(Some(self.shapes.add(vacancy, narrow(self.tape.children.len()), len, open.patch)))
            }
            Err(_) => Ok(None),
        }
    }

    /// Whether no name occurs twice in the object; where one does, the policy is applied.
    #[inline]
    fn check_names(&mut self, open: &Open) -> Result<bool, EncodeError> {
        self.names.begin_object();
        let members = self.tape.pending.get(open.first..).unwrap_or_default();
        match members.iter().find(|member| !self.names.is_first(member.name)) {
            None => Ok(true),
            Some(second) => self.drop_duplicates(open, second.name).map(|()| false),
        }
    }

    /// Keeps one member of each name. The bytes of those that are dropped stay among the leaves until the document is
    /// complete: values further on may be the same ones.
    #[cold]
    fn drop_duplicates(&mut self, open: &Open, name: u32) -> Result<(), EncodeError> {
        let last = match self.options.duplicate_names {
            DuplicateNames::Error => {
                self.name = name;
                return Err(self.fail(EncodeErrorKind::DuplicateName));
            }
            DuplicateNames::First => false,
            DuplicateNames::Last => true,
        };
        self.dropped = true;
        let mut members = self.tape.pending.split_off(open.first);
        self.names.begin_object();
        if last {
            members.reverse();
        }
        members.retain(|member| self.names.is_first(member.name));
        if last {
            members.reverse();
        }
        self.tape.pending.append(&mut members);
        Ok(())
    }

    /// Makes the leaf that begins at `start` a child of the open container, or a reference to an equal one instead.
    #[inline]
    fn add_leaf(&mut self, start: usize) {
        let Some(open) = self.tape.open.last() else { return };
        let mut place = Place { leaf_bytes: narrow(start), patches: narrow(self.tape.patches.len()) };
        if !open.may_be_sorted && self.options.style == Style::Compact {
            let leaf = start..self.tape.leaves.len();
            if let Some(of) = self.values.find_or_add(&self.tape.leaves, leaf, place) {
                self.tape.leaves.truncate(start);
                self.shares_values = true;
                place = of;
            }
        }
        self.tape.pending.push(Child { name: self.name, place });
    }

    /// The error for the value that comes next.
    #[cold]
    fn fail(&self, kind: EncodeErrorKind) -> EncodeError {
        EncodeError::new(kind, self.path_of_next())
    }

    /// The path of the value that comes next.
    pub fn path_of_next(&self) -> PathBuf {
        let mut path = PathBuf::new();
        for (depth, open) in self.tape.open.iter().enumerate() {
            let inner = self.tape.open.get(depth.saturating_add(1));
            if open.is_object {
                path.push_field(self.names.text(inner.map_or(self.name, |inner| inner.outer_name)));
            } else {
                let end = inner.map_or(self.tape.pending.len(), |inner| inner.first);
                path.push_index(end.saturating_sub(open.first));
            }
        }
        path
    }

    #[cold]
    fn fail_name(&self, kind: EncodeErrorKind) -> EncodeError {
        let mut path = self.path_of_next();
        path.pop();
        EncodeError::new(kind, path)
    }
}

impl Sink for Writer {
    type Error = EncodeError;

    #[inline]
    fn begin_object(&mut self, _: Container) -> Result<Descend, EncodeError> {
        self.begin(true)
    }

    #[inline]
    fn end_object(&mut self) -> Result<(), EncodeError> {
        self.end(true)
    }

    #[inline]
    fn begin_array(&mut self, _: Container) -> Result<Descend, EncodeError> {
        self.begin(false)
    }

    #[inline]
    fn end_array(&mut self) -> Result<(), EncodeError> {
        self.end(false)
    }

    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, EncodeError> {
        Err(self.fail(EncodeErrorKind::UnsupportedKind(Kind::CodeWithScope)))
    }

    fn end_code_with_scope(&mut self) -> Result<(), EncodeError> {
        Err(self.fail(EncodeErrorKind::UnsupportedKind(Kind::CodeWithScope)))
    }

    #[inline]
    fn key(&mut self, name: &str, _: Span) -> Result<(), EncodeError> {
        match self.names.number(name) {
            Ok(number) => {
                self.name = number;
                Ok(())
            }
            Err(kind) => Err(self.fail_name(kind)),
        }
    }

    #[inline]
    fn scalar(&mut self, scalar: Scalar<'_>, _: Span) -> Result<(), EncodeError> {
        if self.tape.open.is_empty() && !self.tape.is_empty() {
            return Err(self.fail(EncodeErrorKind::NotOneDocument));
        }
        self.count_value()?;
        let start = self.tape.leaves.len();
        if let Err(kind) = leaf::put(&mut self.tape.leaves, scalar, self.options.style) {
            return Err(self.fail(kind));
        }
        self.check_memory()?;
        self.add_leaf(start);
        Ok(())
    }
}

impl Default for Writer {
    /// A writer by the default options.
    fn default() -> Self {
        Self::new(&Options::default())
    }
}

/// The image of the document that `source` delivers.
///
/// # Errors
///
/// As [`Writer::write`].
pub fn to_vec(source: &impl Source, options: &Options) -> Result<Vec<u8>, EncodeError> {
    let mut image = Vec::new();
    Writer::new(options).write(source, &mut image)?;
    Ok(image)
}
