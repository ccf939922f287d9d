//! The keys of maps as text.

use ::serde::de::{self, IntoDeserializer, Visitor};
use ::serde::forward_to_deserialize_any;
use ::serde::ser::{self, Impossible, Serialize};

use super::bytes::{no_containers, refuse};
use super::error::{DeserializeError, SerializeError};

/// Hands the text of a map's key to a function.
pub(super) struct Key<F>(pub(super) F);

/// The methods of a serializer that write a key as text.
macro_rules! text {
    ($($method:ident($argument:ty);)*) => {
        $(
            fn $method(self, value: $argument) -> Result<(), SerializeError<E>> {
                (self.0)(&value.to_string())
            }
        )*
    };
}

impl<F, E> ser::Serializer for Key<F>
where
    F: FnOnce(&str) -> Result<(), SerializeError<E>>,
    E: std::error::Error,
{
    type Ok = ();
    type Error = SerializeError<E>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_str(self, text: &str) -> Result<(), SerializeError<E>> {
        (self.0)(text)
    }

    fn serialize_unit_variant(self, _: &str, _: u32, variant: &'static str) -> Result<(), SerializeError<E>> {
        (self.0)(variant)
    }

    text! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_char(char);
    }
    refuse! { "a map's key must be text, an integer, a boolean or a unit variant", E;
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_bytes(&[u8]) -> ();
    }
    no_containers!("a map's key must be text, an integer, a boolean or a unit variant", (), E);
}

/// The text of a key, for the type that a map's keys have.
#[derive(Clone, Copy)]
pub(super) struct KeyText<'de>(pub(super) &'de str);

/// The methods of a deserializer that parse a key; what does not parse is handed over as text, and refused as such.
macro_rules! parse {
    ($($method:ident => $visit:ident;)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
                match self.0.parse() {
                    Ok(value) => visitor.$visit(value),
                    Err(_) => visitor.visit_borrowed_str(self.0),
                }
            }
        )*
    };
}

impl<'de> de::Deserializer<'de> for KeyText<'de> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_borrowed_str(self.0)
    }

    parse! {
        deserialize_bool => visit_bool;
        deserialize_i8 => visit_i8;
        deserialize_i16 => visit_i16;
        deserialize_i32 => visit_i32;
        deserialize_i64 => visit_i64;
        deserialize_u8 => visit_u8;
        deserialize_u16 => visit_u16;
        deserialize_u32 => visit_u32;
        deserialize_u64 => visit_u64;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        visitor.visit_enum(IntoDeserializer::<DeserializeError>::into_deserializer(self.0))
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}
