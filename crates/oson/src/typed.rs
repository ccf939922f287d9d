//! Typed structs, over serde (feature `serde`). How types and kinds meet is described at [`boson_document::serde`].

use boson_document::serde::{DeserializeError, Deserializer, Node, Opened, SerializeError, Serializer};
use boson_document::{DecodeError, Kind, Limits};
use serde::{Deserialize, Serialize};

use crate::view::{Document, Fields, Items, Value};
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
/// Only what `T` has is read and checked. [`validate`](crate::validate) first where all of it has to be right.
///
/// # Errors
///
/// What is wrong with the bytes, or that they are not a `T`; with path, offset and the type that was found.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, DeserializeError> {
    let root = Document::new(bytes)?.root()?;
    T::deserialize(Deserializer::new(root, Limits::OSON.depth))
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

impl<'de> Node<'de> for Value<'de> {
    type Fields = Fields<'de>;
    type Items = Items<&'de [u8]>;

    fn open(self) -> Result<Opened<'de, Self>, DecodeError> {
        Ok(match self.scalar()? {
            Some(scalar) => Opened::Scalar(scalar),
            None if Self::kind(&self) == Kind::Array => Opened::Array(self.items()),
            None => Opened::Object(self.fields()),
        })
    }

    fn kind(self) -> Kind {
        Self::kind(&self)
    }

    fn offset(self) -> usize {
        self.span().offset
    }
}
