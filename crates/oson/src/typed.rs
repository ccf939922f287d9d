//! Typed structs, over serde (feature `serde`). How types and kinds meet is described at [`boson_document::serde`].

use std::cell::Cell;

use boson_document::serde::{DeserializeError, Deserializer, Node, Opened, SerializeError, Serializer};
use boson_document::{DecodeError, Kind, Limits};
use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::node::{self, Container};
use crate::update::SortedMap;
use crate::view::Document;
use crate::write::{EncodeError, Options, Writer};

/// The OSON image of `value`, in style `compact`. Any type can be the root.
///
/// # Errors
///
/// What cannot be OSON, with its path: a date outside the years 1 to 9999, binary with a subtype, a `u64` beyond int64.
///
/// # Examples
///
/// ```
/// #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
/// struct Reading<'a> {
///     sensor: &'a str,
///     at: boson_document::serde::DateTime,
///     values: Vec<f64>,
/// }
///
/// let at = boson_document::serde::DateTime(1_577_836_800_000);
/// let reading = Reading { sensor: "roof", at, values: vec![1.5, -2.0] };
/// let image = boson_oson::to_vec(&reading)?;
/// assert_eq!(boson_oson::from_slice::<Reading>(&image)?, reading);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, SerializeError<EncodeError>> {
    let mut image = Vec::new();
    Writer::new(&Options::default()).serialize(value, &mut image)?;
    Ok(image)
}

/// A value of type `T` from an image; it may borrow `&str` and `&[u8]` from `bytes`.
///
/// Only what `T` has is read and checked. [`validate`](crate::validate) first where all of it has to be right. An object's
/// members come in stored order. A value that is shared is read at each of its places, within the bounds of a walk over
/// the document.
///
/// # Errors
///
/// What is wrong with the bytes, or that they are not a `T`; with path, offset and the type that was found.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, DeserializeError> {
    let reading = Reading::new(Document::new(bytes)?)?;
    T::deserialize(Deserializer::new(reading.root()?, Limits::OSON.depth))
}

impl Writer {
    /// Appends the image of `value` to `out`, or nothing.
    ///
    /// # Errors
    ///
    /// As [`to_vec`].
    pub fn serialize<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        out: &mut Vec<u8>,
    ) -> Result<(), SerializeError<EncodeError>> {
        self.clear();
        value.serialize(Serializer::new(self))?;
        self.finish(out).map_err(SerializeError::Sink)
    }
}

/// What all the places in one document share while it is read.
struct Reading<'de> {
    document: Document<'de>,
    map: SortedMap,
    budget: Cell<Budget>,
}

impl<'de> Reading<'de> {
    fn new(document: Document<'de>) -> Result<Self, DecodeError> {
        let budget = Budget::new(&Limits::OSON, document.source.len());
        Ok(Self { map: SortedMap::of(&document)?, document, budget: Cell::new(budget) })
    }

    fn root(&self) -> Result<Place<'_, 'de>, DecodeError> {
        let (node, _) = self.document.root_node(&self.map)?;
        Ok(Place { reading: self, node })
    }

    /// The value at `at`, forwardings followed.
    fn place(&self, at: usize) -> Result<Place<'_, 'de>, DecodeError> {
        let resolved = self.document.resolve(at, &self.map)?;
        self.pay(|budget| budget.pay_nodes(at, u64::from(resolved.hops).saturating_add(1)))?;
        Ok(Place { reading: self, node: self.document.node(resolved)? })
    }

    fn pay(&self, pay: impl FnOnce(&mut Budget) -> Result<(), DecodeError>) -> Result<(), DecodeError> {
        let mut budget = self.budget.get();
        pay(&mut budget)?;
        self.budget.set(budget);
        Ok(())
    }
}

/// A value of a document that is being read.
#[derive(Clone, Copy)]
struct Place<'r, 'de> {
    reading: &'r Reading<'de>,
    node: node::Node,
}

impl<'r, 'de> Node<'de> for Place<'r, 'de> {
    type Fields = Fields<'r, 'de>;
    type Items = Items<'r, 'de>;

    fn open(self) -> Result<Opened<'de, Self>, DecodeError> {
        let Self { reading, node } = self;
        let leaf = match node {
            node::Node::Container(array) if array.is_array() => {
                return Ok(Opened::Array(Items(Children { reading, container: array, next: 0 })));
            }
            node::Node::Container(object) => {
                return Ok(Opened::Object(Fields(Children { reading, container: object, next: 0 })));
            }
            node::Node::Leaf(leaf) => leaf,
        };
        let payload = reading.document.payload(&leaf)?;
        reading.pay(|budget| budget.pay_bytes(leaf.at, payload.len()))?;
        Ok(Opened::Scalar(leaf.class.decode(payload, leaf.payload_at)?))
    }

    fn kind(self) -> Kind {
        self.node.kind()
    }

    fn offset(self) -> usize {
        self.node.span().offset
    }
}

/// The children of a container, one place after the other.
struct Children<'r, 'de> {
    reading: &'r Reading<'de>,
    container: Container,
    next: usize,
}

impl<'r, 'de> Children<'r, 'de> {
    /// The index of the next child.
    fn advance(&mut self) -> Option<usize> {
        let index = self.next;
        self.next = index.saturating_add(1);
        (index < self.container.count).then_some(index)
    }

    fn name(&self, index: usize) -> Result<&'de str, DecodeError> {
        let document = &self.reading.document;
        let name = document.name(document.name_id_at(&self.container, index)?)?;
        self.reading.pay(|budget| budget.pay_bytes(self.container.at, name.len()))?;
        Ok(name)
    }

    fn place(&self, index: usize) -> Result<Place<'r, 'de>, DecodeError> {
        self.reading.place(self.reading.document.child(&self.container, index)?)
    }
}

/// The members of an object, in stored order.
struct Fields<'r, 'de>(Children<'r, 'de>);

impl<'r, 'de> Iterator for Fields<'r, 'de> {
    type Item = Result<(&'de str, Place<'r, 'de>), DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.0.advance()?;
        Some(self.0.name(index).and_then(|name| Ok((name, self.0.place(index)?))))
    }
}

/// The elements of an array.
struct Items<'r, 'de>(Children<'r, 'de>);

impl<'r, 'de> Iterator for Items<'r, 'de> {
    type Item = Result<Place<'r, 'de>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.0.advance()?;
        Some(self.0.place(index))
    }
}
