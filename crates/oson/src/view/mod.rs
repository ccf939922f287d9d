//! Point work: values that are read where they stand.
//!
//! Everything here is written once over a [`ByteSource`]. On a slice ([`Document`], [`Value`]) answers borrow from the
//! input; on blocks they are copied out ([`Node::held`]).

mod lookup;
mod members;
mod order;
mod slice;

pub use members::{Items, Members};
pub(crate) use order::UNSORTED_FIELDS_MAX;
pub use order::{FieldOrder, FieldsInOrder};
pub use slice::Fields;

use boson_document::{ByteSource, DecodeError, DecodeErrorKind, Kind, PathBuf, Scalar, Segment, Span};

use crate::dictionary::NameId;
use crate::image::Image;
use crate::node::{self, Container};
use crate::scalar::Leaf;

/// A document in memory: a view that copies nothing. Making one checks the header only.
pub type Document<'a> = Image<&'a [u8]>;

/// A value of a document in memory.
pub type Value<'a> = Node<&'a [u8]>;

/// A value of an image: where it stands. Forwardings that updates left are already followed.
///
/// What is asked for is checked when it is asked for; [`validate`](crate::validate) checks everything.
#[derive(Clone, Copy, Debug)]
pub struct Node<S> {
    pub(crate) image: Image<S>,
    pub(crate) node: node::Node,
}

impl<S: ByteSource> Image<S> {
    /// The root value.
    ///
    /// # Errors
    ///
    /// What is wrong with the root's own node.
    #[inline]
    pub fn root(&self) -> Result<Node<S>, DecodeError> {
        let (node, _) = self.root_node(self)?;
        Ok(Node { image: *self, node })
    }

    /// The member `name` of the root; `None` when there is none or the root is no object. Names are found as
    /// [`name_id`](Self::name_id) finds them.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes that were looked at.
    #[inline]
    pub fn get(&self, name: &str) -> Result<Option<Node<S>>, DecodeError> {
        if let Some(leaf) =
            self.source.as_slice().and_then(|bytes| lookup::common_leaf(bytes, &self.header, name.as_bytes()))
        {
            return Ok(Some(Node { image: *self, node: node::Node::Leaf(leaf) }));
        }
        // The dictionary comes first: a name that is not in it is answered without the tree.
        let Some(id) = self.name_id(name)? else { return Ok(None) };
        match self.root_node(self)?.0 {
            node::Node::Container(object) if !object.is_array() => self.member(&object, id),
            _ => Ok(None),
        }
    }

    /// The value at `path`, from the root; `None` when there is none.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes that were looked at.
    pub fn get_path(&self, path: &PathBuf) -> Result<Option<Node<S>>, DecodeError> {
        self.root()?.get_path(path)
    }

    /// The value whose own node begins at `at`, as [`Node::span`] says of a value that was found in this image: to come back
    /// to it without the way that led there.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes there; of another place in the image they may be anything.
    pub fn value_at(&self, at: usize) -> Result<Node<S>, DecodeError> {
        self.value(at)
    }

    /// The id of `name` in this image, to look it up once and use it on many objects; `None` when no object of the image
    /// has such a field.
    ///
    /// A name of up to 255 bytes is looked for by its hash, so that one which is absent is answered from a few bytes. In a
    /// broken image, where a name has the wrong hash or stands out of order, it is not found, although a walk delivers it;
    /// [`validate`](crate::validate) refuses such an image.
    ///
    /// # Errors
    ///
    /// What is wrong with the dictionary where it was looked at.
    #[inline]
    pub fn name_id(&self, name: &str) -> Result<Option<NameId>, DecodeError> {
        self.header.find_name(self.source, name.as_bytes())
    }

    /// The bytes of the name with this id.
    ///
    /// # Errors
    ///
    /// `FieldIdOutOfRange` for an id of another image, `NameOutsideHeap`.
    pub fn name_bytes(&self, id: NameId) -> Result<S::Bytes, DecodeError> {
        let index = crate::width::widen(id.0.saturating_sub(1));
        let span = self.header.name_span(self.source, index)?;
        let span = span.ok_or_else(|| DecodeError::new(0, DecodeErrorKind::FieldIdOutOfRange(id.0)))?;
        self.source.bytes(span.range())
    }

    /// The value at `at`, forwardings followed.
    #[inline]
    pub(crate) fn value(&self, at: usize) -> Result<Node<S>, DecodeError> {
        let resolved = self.resolve(at, self)?;
        Ok(Node { image: *self, node: self.node(resolved)? })
    }

    /// Member `id` of `object`.
    #[inline]
    fn member(&self, object: &Container, id: NameId) -> Result<Option<Node<S>>, DecodeError> {
        match self.find_field(object, id.0)? {
            Some(index) => self.value(self.child(object, index)?).map(Some),
            None => Ok(None),
        }
    }
}

impl<S: ByteSource> Node<S> {
    /// What this is.
    ///
    /// A decimal says decimal128 although a few, of more than 34 digits, are delivered as a NUMBER.
    pub fn kind(&self) -> Kind {
        self.node.kind()
    }

    /// The bytes of the node itself, from its opcode on: without the children of a container, and without the ids that an
    /// object borrows from another. Where an update moved the value, the place it was moved to.
    pub fn span(&self) -> Span {
        self.node.span()
    }

    /// How many members or elements there are; 0 of a scalar.
    pub fn len(&self) -> usize {
        match &self.node {
            node::Node::Container(container) => container.count,
            node::Node::Leaf(_) => 0,
        }
    }

    /// Whether there are no members or elements, as in a scalar.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The image this is a value of.
    pub const fn image(&self) -> &Image<S> {
        &self.image
    }

    /// The member called `name`; `None` when there is none or this is no object.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes that were looked at.
    #[inline]
    pub fn get(&self, name: &str) -> Result<Option<Self>, DecodeError> {
        let Some(object) = self.object() else { return Ok(None) };
        let Some(id) = self.image.name_id(name)? else { return Ok(None) };
        self.image.member(object, id)
    }

    /// The member whose name has the id `id`, which [`Image::name_id`] gave.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes that were looked at.
    #[inline]
    pub fn get_by_id(&self, id: NameId) -> Result<Option<Self>, DecodeError> {
        let Some(object) = self.object() else { return Ok(None) };
        self.image.member(object, id)
    }

    /// Element `index`; `None` when there is none or this is no array.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes that were looked at.
    #[inline]
    pub fn get_index(&self, index: usize) -> Result<Option<Self>, DecodeError> {
        match self.container() {
            Some(array) if array.is_array() && index < array.count => {
                self.image.value(self.image.child(array, index)?).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The value at `path`, from here; `None` when there is none.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes that were looked at.
    pub fn get_path(&self, path: &PathBuf) -> Result<Option<Self>, DecodeError> {
        let mut value = *self;
        for segment in path.segments() {
            let next = match segment {
                Segment::Field(name) => value.get(name)?,
                Segment::Index(index) => value.get_index(*index)?,
            };
            let Some(next) = next else { return Ok(None) };
            value = next;
        }
        Ok(Some(value))
    }

    /// The elements of an array in their order; none of anything else.
    pub fn items(&self) -> Items<S> {
        Items::new(self.image, self.container().filter(|container| container.is_array()).copied())
    }

    /// The members of an object in stored order, names by their ids; none of anything else.
    pub fn members(&self) -> Members<S> {
        Members::new(self.image, self.object().copied())
    }

    /// A scalar with the bytes it is read from; `None` of a container.
    ///
    /// # Errors
    ///
    /// When the bytes could not be read. Whether they are a value is found by [`Held::scalar`].
    pub fn held(&self) -> Result<Option<Held<S::Bytes>>, DecodeError> {
        match &self.node {
            node::Node::Leaf(leaf) => self.image.payload(leaf).map(|bytes| Some(Held { leaf: *leaf, bytes })),
            node::Node::Container(_) => Ok(None),
        }
    }

    #[inline]
    pub(crate) fn container(&self) -> Option<&Container> {
        match &self.node {
            node::Node::Container(container) => Some(container),
            node::Node::Leaf(_) => None,
        }
    }

    #[inline]
    pub(crate) fn object(&self) -> Option<&Container> {
        self.container().filter(|container| !container.is_array())
    }
}

/// A scalar's own bytes, kept so that the value can borrow from them.
#[derive(Clone, Debug)]
pub struct Held<B> {
    leaf: Leaf,
    bytes: B,
}

impl<B: std::ops::Deref<Target = [u8]>> Held<B> {
    /// The value.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes: not UTF-8, not a NUMBER, no date …
    pub fn scalar(&self) -> Result<Scalar<'_>, DecodeError> {
        self.leaf.class.decode(&self.bytes, self.leaf.payload_at)
    }
}
