//! The members of a container, one by one.

use ::serde::de::value::BorrowedStrDeserializer;
use ::serde::de::{self, DeserializeSeed, Visitor};

use super::de::{Deserializer, Node};
use super::error::DeserializeError;
use super::key::KeyText;
use crate::path::Segment;

/// The members of an object.
pub(super) struct Members<'de, N: Node<'de>> {
    object: Deserializer<N>,
    fields: N::Fields,
    /// The member whose key was read last.
    current: Option<(&'de str, N)>,
}

impl<'de, N: Node<'de>> Members<'de, N> {
    pub(super) const fn new(object: Deserializer<N>, fields: N::Fields) -> Self {
        Self { object, fields, current: None }
    }
}

impl<'de, N: Node<'de>> de::MapAccess<'de> for Members<'de, N> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DeserializeError> {
        self.current = self.fields.next().transpose()?;
        self.current.map(|(name, _)| seed.deserialize(KeyText(name))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DeserializeError> {
        let Some((name, node)) = self.current.take() else {
            return Err(DeserializeError::message("a value was asked for before its key"));
        };
        seed.deserialize(self.object.inner(node)).map_err(|error| error.within(Segment::Field(name.to_owned())))
    }
}

/// The elements of an array.
pub(super) struct Elements<'de, N: Node<'de>> {
    array: Deserializer<N>,
    items: N::Items,
    index: usize,
}

impl<'de, N: Node<'de>> Elements<'de, N> {
    pub(super) const fn new(array: Deserializer<N>, items: N::Items) -> Self {
        Self { array, items, index: 0 }
    }
}

impl<'de, N: Node<'de>> de::SeqAccess<'de> for Elements<'de, N> {
    type Error = DeserializeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DeserializeError> {
        let Some(node) = self.items.next().transpose()? else { return Ok(None) };
        let index = self.index;
        self.index = index.saturating_add(1);
        let element = seed.deserialize(self.array.inner(node));
        element.map(Some).map_err(|error| error.within(Segment::Index(index)))
    }
}

/// A variant with its content: the only member of an object.
pub(super) struct EnumMember<'de, N> {
    variant: &'de str,
    content: Deserializer<N>,
}

impl<'de, N: Node<'de>> EnumMember<'de, N> {
    pub(super) const fn new(variant: &'de str, content: Deserializer<N>) -> Self {
        Self { variant, content }
    }

    fn within<T>(&self, read: Result<T, DeserializeError>) -> Result<T, DeserializeError> {
        read.map_err(|error| error.within(Segment::Field(self.variant.to_owned())))
    }
}

impl<'de, N: Node<'de>> de::EnumAccess<'de> for EnumMember<'de, N> {
    type Error = DeserializeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), DeserializeError> {
        Ok((seed.deserialize(BorrowedStrDeserializer::<DeserializeError>::new(self.variant))?, self))
    }
}

impl<'de, N: Node<'de>> de::VariantAccess<'de> for EnumMember<'de, N> {
    type Error = DeserializeError;

    fn unit_variant(self) -> Result<(), DeserializeError> {
        self.within(de::Deserialize::deserialize(self.content))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, DeserializeError> {
        self.within(seed.deserialize(self.content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, DeserializeError> {
        self.within(de::Deserializer::deserialize_seq(self.content, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        self.within(de::Deserializer::deserialize_map(self.content, visitor))
    }
}
