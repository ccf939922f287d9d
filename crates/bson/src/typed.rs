//! Typed structs, over serde (feature `serde`). How types and kinds meet is described at [`boson_document::serde`].

use boson_document::serde::{DeserializeError, Deserializer, Node, Opened, SerializeError, Serializer};
use boson_document::{DecodeError, Kind, Limits};
use serde::{Deserialize, Serialize};

use crate::error::{EncodeError, EncodeErrorKind};
use crate::tag::Tag;
use crate::view::{Document, Fields, Items, Value};
use crate::write::Writer;

/// The BSON of `value`, whose fields keep their order.
///
/// # Errors
///
/// What cannot be BSON, with its path: a root that is no struct or map, a `u64` beyond int64, NUL in a name.
///
/// # Examples
///
/// ```
/// #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
/// struct Reading<'a> {
///     _id: boson_document::ObjectId,
///     sensor: &'a str,
///     at: boson_document::serde::DateTime,
///     values: Vec<f64>,
/// }
///
/// let id = "0123456789abcdef01234567".parse()?;
/// let at = boson_document::serde::DateTime(1_577_836_800_000);
/// let reading = Reading { _id: id, sensor: "roof", at, values: vec![1.5, -2.0] };
/// let bytes = boson_bson::to_vec(&reading)?;
/// assert_eq!(boson_bson::from_slice::<Reading>(&bytes)?, reading);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    let mut writer = Writer::new();
    writer.serialize(value)?;
    Ok(writer.into_bytes())
}

/// A value of type `T` from a document; it may borrow `&str` and `&[u8]` from `bytes`.
///
/// Only what `T` has is read and checked; the rest is hopped over. [`validate`](crate::validate) first where all of it
/// has to be right.
///
/// # Errors
///
/// What is wrong with the bytes, or that they are not a `T`; with path, offset and the type that was found.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, DeserializeError> {
    let document = Document::new(bytes)?;
    T::deserialize(Deserializer::new(Value::from_document(document), Limits::BSON.depth))
}

impl Writer {
    /// Writes `value` as a document, or nothing of it.
    ///
    /// # Errors
    ///
    /// As [`to_vec`].
    pub fn serialize<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.rollback();
        value.serialize(Serializer::new(self)).map_err(|error| {
            let error = match error {
                SerializeError::Sink(error) => error,
                other => EncodeError::new(EncodeErrorKind::Message(other.to_string()), self.path_of_next()),
            };
            self.rollback();
            error
        })
    }
}

impl<'de> Node<'de> for Value<'de> {
    type Fields = Fields<'de>;
    type Items = Items<&'de [u8]>;

    fn open(self) -> Result<Opened<'de, Self>, DecodeError> {
        match self.tag() {
            Tag::Document => Ok(Opened::Object(self.as_document()?.fields())),
            Tag::Array => Ok(Opened::Array(self.as_array()?.items())),
            _ => Ok(Opened::Scalar(self.scalar()?)),
        }
    }

    fn kind(self) -> Kind {
        Self::kind(&self)
    }

    fn offset(self) -> usize {
        self.span().offset
    }
}
