//! Serializers that take one sort of value and refuse the others.

use std::fmt;

use ::serde::ser::{self, Impossible, Serialize};

use super::error::SerializeError;

/// Hands the bytes that a special leaf travels as to a function.
pub(super) struct Bytes<F>(pub(super) F);

/// The methods of a serializer that refuse: `refuse!(E; bool bool, i8 i8, …)`.
macro_rules! refuse {
    ($what:literal, $error:ty; $($method:ident($($argument:ty),*) -> $result:ty;)*) => {
        $(
            fn $method(self $(, _: $argument)*) -> Result<$result, SerializeError<$error>> {
                Err(SerializeError::message($what))
            }
        )*
    };
}
pub(super) use refuse;

/// The containers of a serializer that has none.
macro_rules! no_containers {
    ($what:literal, $ok:ty, $error:ty) => {
        type SerializeSeq = Impossible<$ok, SerializeError<$error>>;
        type SerializeTuple = Impossible<$ok, SerializeError<$error>>;
        type SerializeTupleStruct = Impossible<$ok, SerializeError<$error>>;
        type SerializeTupleVariant = Impossible<$ok, SerializeError<$error>>;
        type SerializeMap = Impossible<$ok, SerializeError<$error>>;
        type SerializeStruct = Impossible<$ok, SerializeError<$error>>;
        type SerializeStructVariant = Impossible<$ok, SerializeError<$error>>;

        refuse! { $what, $error;
            serialize_seq(Option<usize>) -> Self::SerializeSeq;
            serialize_tuple(usize) -> Self::SerializeTuple;
            serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
            serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
            serialize_map(Option<usize>) -> Self::SerializeMap;
            serialize_struct(&'static str, usize) -> Self::SerializeStruct;
            serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
            serialize_unit() -> $ok;
            serialize_unit_struct(&'static str) -> $ok;
            serialize_none() -> $ok;
        }

        fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<$ok, SerializeError<$error>> {
            value.serialize(self)
        }

        fn serialize_newtype_struct<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            value: &T,
        ) -> Result<$ok, SerializeError<$error>> {
            value.serialize(self)
        }

        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<$ok, SerializeError<$error>> {
            Err(SerializeError::message($what))
        }
    };
}
pub(super) use no_containers;

impl<F, E> ser::Serializer for Bytes<F>
where
    F: FnOnce(&[u8]) -> Result<(), SerializeError<E>>,
    E: std::error::Error + fmt::Debug,
{
    type Ok = ();
    type Error = SerializeError<E>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), SerializeError<E>> {
        (self.0)(bytes)
    }

    refuse! { "expected the bytes of a special type", E;
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_str(&str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
    }
    no_containers!("expected the bytes of a special type", (), E);
}
