//! Into typed structs.

use ::serde::de::value::SeqDeserializer;
use ::serde::de::{self, IntoDeserializer, Visitor};
use ::serde::forward_to_deserialize_any;

use super::access::{Elements, EnumMember, Members};
use super::error::DeserializeError;
use super::leaf;
use super::special::travelling;
use crate::error::{DecodeError, DecodeErrorKind, Limit};
use crate::kind::Kind;
use crate::scalar::Scalar;

/// A place in a document: what a format offers so that typed structs can be read from it.
pub trait Node<'de>: Copy {
    /// The members of an object, in order.
    type Fields: Iterator<Item = Result<(&'de str, Self), DecodeError>>;
    /// The elements of an array, in order.
    type Items: Iterator<Item = Result<Self, DecodeError>>;

    /// What stands there; nothing else is read.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the value.
    fn open(self) -> Result<Opened<'de, Self>, DecodeError>;

    /// What stands there, by its type alone.
    fn kind(self) -> Kind;

    /// Bytes before the value, from the document's first byte.
    fn offset(self) -> usize;
}

/// What stands in a place of a document.
#[expect(missing_debug_implementations, reason = "the iterators of a format need none")]
pub enum Opened<'de, N: Node<'de>> {
    /// A leaf.
    Scalar(Scalar<'de>),
    /// An object.
    Object(N::Fields),
    /// An array.
    Array(N::Items),
}

/// Reads a typed value from a place of a document.
///
/// Of a struct, only the fields that its type has are read; what it ignores is hopped over and not checked. serde's own
/// code recurses, so how deep it may is bounded.
#[derive(Clone, Copy, Debug)]
pub struct Deserializer<N> {
    node: N,
    depth_left: u32,
    depth_max: u32,
}

impl<'de, N: Node<'de>> Deserializer<N> {
    /// A deserializer of what stands at `node`, up to `depth_max` containers inside each other.
    pub const fn new(node: N, depth_max: u32) -> Self {
        Self { node, depth_left: depth_max, depth_max }
    }

    /// A deserializer of a member of this one's value.
    pub(super) const fn inner(&self, node: N) -> Self {
        Self { node, depth_left: self.depth_left.saturating_sub(1), depth_max: self.depth_max }
    }

    fn open(&self) -> Result<Opened<'de, N>, DeserializeError> {
        let opened = self.node.open()?;
        if self.depth_left == 0 && !matches!(opened, Opened::Scalar(_)) {
            let limit = DecodeErrorKind::LimitExceeded(Limit::Depth(self.depth_max));
            return Err(DecodeError::new(self.node.offset(), limit).into());
        }
        Ok(opened)
    }

    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        let opened = self.open()?;
        self.any_of(opened, visitor)
    }

    /// Hands `visitor` what was opened, whatever it expects.
    fn any_of<V: Visitor<'de>>(self, opened: Opened<'de, N>, visitor: V) -> Result<V::Value, DeserializeError> {
        match opened {
            Opened::Scalar(scalar) => leaf::any(scalar, visitor),
            Opened::Object(fields) => visitor.visit_map(Members::new(self, fields)),
            Opened::Array(items) => visitor.visit_seq(Elements::new(self, items)),
        }
    }

    fn bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.open()? {
            Opened::Scalar(Scalar::Binary { bytes, .. } | Scalar::Id(bytes)) => visitor.visit_borrowed_bytes(bytes),
            Opened::Scalar(Scalar::ObjectId(id)) => visitor.visit_bytes(&id.0),
            opened => self.any_of(opened, visitor),
        }
    }

    fn seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.open()? {
            Opened::Scalar(Scalar::Binary { bytes, .. }) => {
                visitor.visit_seq(SeqDeserializer::<_, DeserializeError>::new(bytes.iter().copied()))
            }
            opened => self.any_of(opened, visitor),
        }
    }

    fn option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.node.kind() {
            Kind::Null | Kind::Undefined => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    /// The struct of one field that a special leaf travels as, where the type asks for a map.
    fn map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.open()? {
            Opened::Scalar(scalar) => match leaf::special(scalar).and_then(travelling) {
                Some((special, bytes)) => visitor.visit_map(leaf::Entry::travelling(special, bytes)),
                None => leaf::any(scalar, visitor),
            },
            opened => self.any_of(opened, visitor),
        }
    }

    fn number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.open()? {
            Opened::Scalar(Scalar::Decimal128(number)) => leaf::decimal128_as_number(number, visitor),
            opened => self.any_of(opened, visitor),
        }
    }

    fn enumeration<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.open()? {
            Opened::Scalar(Scalar::String(variant)) => {
                visitor.visit_enum(IntoDeserializer::<DeserializeError>::into_deserializer(variant))
            }
            Opened::Object(mut fields) => match (fields.next().transpose()?, fields.next().transpose()?) {
                (Some((variant, node)), None) => visitor.visit_enum(EnumMember::new(variant, self.inner(node))),
                _ => Err(DeserializeError::message("expected a variant: an object of one member")),
            },
            opened => self.any_of(opened, visitor),
        }
    }

    /// Adds where the value stands to an error that does not know.
    fn placed<T>(self, read: Result<T, DeserializeError>) -> Result<T, DeserializeError> {
        read.map_err(|error| error.met_at(self.node.offset(), Some(self.node.kind())))
    }
}

/// The methods of a deserializer, each by one of its own.
macro_rules! by {
    ($($method:ident($($argument:ident: $kind:ty),*) => $own:ident;)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, $($argument: $kind,)* visitor: V) -> Result<V::Value, DeserializeError> {
                self.placed(self.$own(visitor))
            }
        )*
    };
}

impl<'de, N: Node<'de>> de::Deserializer<'de> for Deserializer<N> {
    type Error = DeserializeError;

    by! {
        deserialize_any() => any;
        deserialize_bytes() => bytes;
        deserialize_byte_buf() => bytes;
        deserialize_seq() => seq;
        deserialize_tuple(_len: usize) => seq;
        deserialize_tuple_struct(_name: &'static str, _len: usize) => seq;
        deserialize_option() => option;
        deserialize_map() => map;
        deserialize_i64() => number;
        deserialize_u64() => number;
        deserialize_f64() => number;
        deserialize_enum(_name: &'static str, _variants: &'static [&'static str]) => enumeration;
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        visitor.visit_newtype_struct(self)
    }

    /// The value is not opened at all.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i128 u8 u16 u32 u128 f32 char str string unit unit_struct struct identifier
    }
}
