//! Out of typed structs.

use ::serde::ser::{self, Serialize};

use super::bytes::Bytes;
use super::error::SerializeError;
use super::key::Key;
use super::special::Special;
use crate::scalar::Scalar;
use crate::sink::{Container, Descend, Sink};
use crate::span::Span;

/// Pushes what is serialized into a sink; spans are empty. What the sink answers to a container's beginning is taken
/// for [`Descend::Into`](crate::Descend::Into): there is no skipping a value that serializes itself.
#[derive(Debug)]
pub struct Serializer<'s, S>(&'s mut S);

type Error<S> = SerializeError<<S as Sink>::Error>;

impl<'s, S: Sink> Serializer<'s, S> {
    /// A serializer of one document, or of one value where the sink awaits one.
    pub const fn new(sink: &'s mut S) -> Self {
        Self(sink)
    }

    fn leaf(self, scalar: Scalar<'_>) -> Result<(), Error<S>> {
        self.0.scalar(scalar, Span::default()).map_err(SerializeError::Sink)
    }

    fn begin(self, shape: Shape, len: Option<usize>) -> Result<Compound<'s, S>, Error<S>> {
        let container = Container { span: Span::default(), len };
        let begun = match shape {
            Shape::Array => self.0.begin_array(container),
            _ => self.0.begin_object(container),
        };
        match begun.map_err(SerializeError::Sink)? {
            Descend::Into => Ok(Compound { sink: self.0, shape, in_variant: false }),
            Descend::Skip => Err(SerializeError::message("the sink skips a value that cannot be skipped")),
        }
    }

    /// Begins the object of one member that a variant with content is.
    fn begin_variant(self, variant: &str) -> Result<&'s mut S, Error<S>> {
        let sink = self.begin(Shape::Object, Some(1))?.sink;
        sink.key(variant, Span::default()).map_err(SerializeError::Sink)?;
        Ok(sink)
    }
}

impl<'s, S: Sink> ser::Serializer for Serializer<'s, S>
where
    S::Error: std::error::Error,
{
    type Ok = ();
    type Error = Error<S>;
    type SerializeSeq = Compound<'s, S>;
    type SerializeTuple = Compound<'s, S>;
    type SerializeTupleStruct = Compound<'s, S>;
    type SerializeTupleVariant = Compound<'s, S>;
    type SerializeMap = Compound<'s, S>;
    type SerializeStruct = Compound<'s, S>;
    type SerializeStructVariant = Compound<'s, S>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error<S>> {
        self.leaf(Scalar::Bool(value))
    }

    fn serialize_i8(self, value: i8) -> Result<(), Error<S>> {
        self.leaf(Scalar::Int32(value.into()))
    }

    fn serialize_i16(self, value: i16) -> Result<(), Error<S>> {
        self.leaf(Scalar::Int32(value.into()))
    }

    fn serialize_i32(self, value: i32) -> Result<(), Error<S>> {
        self.leaf(Scalar::Int32(value))
    }

    fn serialize_i64(self, value: i64) -> Result<(), Error<S>> {
        self.leaf(Scalar::Int64(value))
    }

    fn serialize_u8(self, value: u8) -> Result<(), Error<S>> {
        self.leaf(Scalar::Int32(value.into()))
    }

    fn serialize_u16(self, value: u16) -> Result<(), Error<S>> {
        self.leaf(Scalar::Int32(value.into()))
    }

    fn serialize_u32(self, value: u32) -> Result<(), Error<S>> {
        self.leaf(Scalar::Int64(value.into()))
    }

    fn serialize_u64(self, value: u64) -> Result<(), Error<S>> {
        let value = i64::try_from(value).map_err(|_| SerializeError::message("an int64 does not hold this u64"))?;
        self.leaf(Scalar::Int64(value))
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error<S>> {
        self.leaf(Scalar::Double(value.into()))
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error<S>> {
        self.leaf(Scalar::Double(value))
    }

    fn serialize_char(self, value: char) -> Result<(), Error<S>> {
        self.leaf(Scalar::String(value.encode_utf8(&mut [0; 4])))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error<S>> {
        self.leaf(Scalar::String(value))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error<S>> {
        self.leaf(Scalar::Binary { subtype: 0, bytes })
    }

    fn serialize_none(self) -> Result<(), Error<S>> {
        self.leaf(Scalar::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error<S>> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error<S>> {
        self.leaf(Scalar::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error<S>> {
        self.leaf(Scalar::Null)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error<S>> {
        self.leaf(Scalar::String(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error<S>> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error<S>> {
        let sink = self.begin_variant(variant)?;
        value.serialize(Serializer(sink))?;
        sink.end_object().map_err(SerializeError::Sink)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'s, S>, Error<S>> {
        self.begin(Shape::Array, len)
    }

    fn serialize_tuple(self, len: usize) -> Result<Compound<'s, S>, Error<S>> {
        self.begin(Shape::Array, Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Compound<'s, S>, Error<S>> {
        self.begin(Shape::Array, Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'s, S>, Error<S>> {
        let inner = Serializer(self.begin_variant(variant)?).begin(Shape::Array, Some(len))?;
        Ok(Compound { in_variant: true, ..inner })
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Compound<'s, S>, Error<S>> {
        self.begin(Shape::Object, len)
    }

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Compound<'s, S>, Error<S>> {
        match Special::by_name(name) {
            Some(special) => Ok(Compound { sink: self.0, shape: Shape::Leaf(special), in_variant: false }),
            None => self.begin(Shape::Object, Some(len)),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'s, S>, Error<S>> {
        let inner = Serializer(self.begin_variant(variant)?).begin(Shape::Object, Some(len))?;
        Ok(Compound { in_variant: true, ..inner })
    }
}

/// What is being serialized member by member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Object,
    Array,
    /// No container at all: a struct of one field that stands for a leaf.
    Leaf(Special),
}

/// A container whose members are being serialized.
#[derive(Debug)]
pub struct Compound<'s, S> {
    sink: &'s mut S,
    shape: Shape,
    /// Whether it is the only member of an object, named after a variant.
    in_variant: bool,
}

impl<S: Sink> Compound<'_, S>
where
    S::Error: std::error::Error,
{
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error<S>> {
        value.serialize(Serializer(self.sink))
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error<S>> {
        if let Shape::Leaf(special) = self.shape {
            return value.serialize(Bytes(|bytes: &[u8]| self.special(special, bytes)));
        }
        self.sink.key(name, Span::default()).map_err(SerializeError::Sink)?;
        self.element(value)
    }

    fn special(&mut self, special: Special, bytes: &[u8]) -> Result<(), Error<S>> {
        let scalar = special.scalar(bytes).ok_or_else(|| SerializeError::message("not the bytes of a special type"))?;
        Serializer(self.sink).leaf(scalar)
    }

    fn finish(self) -> Result<(), Error<S>> {
        match self.shape {
            Shape::Object => self.sink.end_object(),
            Shape::Array => self.sink.end_array(),
            Shape::Leaf(_) => Ok(()),
        }
        .and_then(|()| if self.in_variant { self.sink.end_object() } else { Ok(()) })
        .map_err(SerializeError::Sink)
    }
}

/// The traits of serde for containers whose members have no names.
macro_rules! elements {
    ($($name:ident::$method:ident;)*) => {
        $(
            impl<S: Sink> ser::$name for Compound<'_, S>
            where
                S::Error: std::error::Error,
            {
                type Ok = ();
                type Error = Error<S>;

                fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error<S>> {
                    self.element(value)
                }

                fn end(self) -> Result<(), Error<S>> {
                    self.finish()
                }
            }
        )*
    };
}

elements! {
    SerializeSeq::serialize_element;
    SerializeTuple::serialize_element;
    SerializeTupleStruct::serialize_field;
    SerializeTupleVariant::serialize_field;
}

/// The traits of serde for containers whose members have names that the program gives.
macro_rules! fields {
    ($($name:ident;)*) => {
        $(
            impl<S: Sink> ser::$name for Compound<'_, S>
            where
                S::Error: std::error::Error,
            {
                type Ok = ();
                type Error = Error<S>;

                fn serialize_field<T: Serialize + ?Sized>(
                    &mut self,
                    name: &'static str,
                    value: &T,
                ) -> Result<(), Error<S>> {
                    self.member(name, value)
                }

                fn end(self) -> Result<(), Error<S>> {
                    self.finish()
                }
            }
        )*
    };
}

fields! {
    SerializeStruct;
    SerializeStructVariant;
}

impl<S: Sink> ser::SerializeMap for Compound<'_, S>
where
    S::Error: std::error::Error,
{
    type Ok = ();
    type Error = Error<S>;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error<S>> {
        key.serialize(Key(|name: &str| self.sink.key(name, Span::default()).map_err(SerializeError::Sink)))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error<S>> {
        self.element(value)
    }

    fn end(self) -> Result<(), Error<S>> {
        self.finish()
    }
}
