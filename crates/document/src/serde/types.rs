//! Types for the leaves that Rust has none for.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{self, DeserializeOwned, MapAccess, Unexpected, Visitor};
use ::serde::ser::SerializeStruct;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::special::{Special, travelling};
use crate::decimal::Decimal128;
use crate::object_id::ObjectId;
use crate::scalar::Scalar;

/// A date of BSON: milliseconds since 1970 in UTC, any int64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DateTime(pub i64);

/// A timestamp of BSON, which replication uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    /// Seconds since 1970.
    pub time: u32,
    /// Which operation of that second.
    pub increment: u32,
}

/// Binary with its subtype. For subtype 0 any bytes type of serde will do.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Binary {
    /// What the bytes are, by the BSON specification.
    pub subtype: u8,
    /// The payload.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Binary {
    /// As [`Scalar`] shows it: the payload of sensitive binary is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Scalar::Binary { subtype: self.subtype, bytes: &self.bytes }.fmt(f)
    }
}

/// A type that is one special leaf.
trait Leaf: Sized {
    const SPECIAL: Special;
    /// What Extended JSON has under the field's name.
    type Text: Serialize + DeserializeOwned;

    fn scalar(&self) -> Scalar<'_>;

    fn from_scalar(scalar: Scalar<'_>) -> Option<Self>;

    fn to_text(&self) -> Self::Text;

    fn from_text(text: Self::Text) -> Option<Self>;
}

fn serialize<T: Leaf, S: Serializer>(leaf: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let is_text = serializer.is_human_readable();
    let mut fields = serializer.serialize_struct(T::SPECIAL.name(), 1)?;
    if is_text {
        fields.serialize_field(T::SPECIAL.field(), &leaf.to_text())?;
    } else {
        let bytes = travelling(leaf.scalar()).map(|(_, bytes)| bytes).unwrap_or_default();
        fields.serialize_field(T::SPECIAL.field(), &Raw(&bytes))?;
    }
    fields.end()
}

struct Raw<'a>(&'a [u8]);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

fn deserialize<'de, T: Leaf, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(LeafVisitor(PhantomData))
}

/// Reads the struct of one field.
struct LeafVisitor<T>(PhantomData<T>);

impl<'de, T: Leaf> Visitor<'de> for LeafVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", T::SPECIAL.field())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let key: Option<Cow<'de, str>> = map.next_key()?;
        if key.as_deref() != Some(T::SPECIAL.field()) {
            return Err(de::Error::invalid_type(Unexpected::Map, &self));
        }
        map.next_value::<Content<T>>().map(|content| content.0)
    }
}

struct Content<T>(T);

impl<'de, T: Leaf> Deserialize<'de> for Content<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return deserializer.deserialize_bytes(ContentVisitor(PhantomData)).map(Self);
        }
        let leaf = T::from_text(T::Text::deserialize(deserializer)?);
        let field: &str = T::SPECIAL.field();
        leaf.map(Self).ok_or_else(|| de::Error::invalid_value(Unexpected::Other("another value"), &field))
    }
}

struct ContentVisitor<T>(PhantomData<T>);

impl<T: Leaf> Visitor<'_> for ContentVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "what `{}` holds", T::SPECIAL.field())
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        let leaf = T::SPECIAL.scalar(bytes).and_then(T::from_scalar);
        leaf.ok_or_else(|| E::invalid_value(Unexpected::Bytes(bytes), &self))
    }
}

macro_rules! leaves {
    ($($name:ty),*) => {
        $(
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serialize(self, serializer)
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserialize(deserializer)
                }
            }
        )*
    };
}

leaves!(ObjectId, DateTime, Decimal128, Timestamp, Binary);

impl Leaf for ObjectId {
    const SPECIAL: Special = Special::ObjectId;
    type Text = String;

    fn scalar(&self) -> Scalar<'_> {
        Scalar::ObjectId(*self)
    }

    fn from_scalar(scalar: Scalar<'_>) -> Option<Self> {
        if let Scalar::ObjectId(id) = scalar { Some(id) } else { None }
    }

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn from_text(text: String) -> Option<Self> {
        text.parse().ok()
    }
}

/// `{"$numberLong": "…"}`
#[derive(Serialize, Deserialize)]
struct NumberLong {
    #[serde(rename = "$numberLong")]
    text: String,
}

impl Leaf for DateTime {
    const SPECIAL: Special = Special::DateTime;
    type Text = NumberLong;

    fn scalar(&self) -> Scalar<'_> {
        Scalar::DateTime(self.0)
    }

    fn from_scalar(scalar: Scalar<'_>) -> Option<Self> {
        if let Scalar::DateTime(ms) = scalar { Some(Self(ms)) } else { None }
    }

    fn to_text(&self) -> NumberLong {
        NumberLong { text: self.0.to_string() }
    }

    fn from_text(number: NumberLong) -> Option<Self> {
        number.text.parse().ok().map(Self)
    }
}

impl Leaf for Decimal128 {
    const SPECIAL: Special = Special::Decimal128;
    type Text = String;

    fn scalar(&self) -> Scalar<'_> {
        Scalar::Decimal128(*self)
    }

    fn from_scalar(scalar: Scalar<'_>) -> Option<Self> {
        if let Scalar::Decimal128(number) = scalar { Some(number) } else { None }
    }

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn from_text(text: String) -> Option<Self> {
        Self::parse(&text).ok()
    }
}

/// `{"t": …, "i": …}`
#[derive(Serialize, Deserialize)]
struct TimeAndIncrement {
    t: u32,
    i: u32,
}

impl Leaf for Timestamp {
    const SPECIAL: Special = Special::Timestamp;
    type Text = TimeAndIncrement;

    fn scalar(&self) -> Scalar<'_> {
        Scalar::Timestamp { time: self.time, increment: self.increment }
    }

    fn from_scalar(scalar: Scalar<'_>) -> Option<Self> {
        if let Scalar::Timestamp { time, increment } = scalar { Some(Self { time, increment }) } else { None }
    }

    fn to_text(&self) -> TimeAndIncrement {
        TimeAndIncrement { t: self.time, i: self.increment }
    }

    fn from_text(TimeAndIncrement { t, i }: TimeAndIncrement) -> Option<Self> {
        Some(Self { time: t, increment: i })
    }
}

/// `{"base64": "…", "subType": "…"}`
#[derive(Serialize, Deserialize)]
struct Base64 {
    base64: String,
    #[serde(rename = "subType")]
    subtype: String,
}

impl Leaf for Binary {
    const SPECIAL: Special = Special::Binary;
    type Text = Base64;

    fn scalar(&self) -> Scalar<'_> {
        Scalar::Binary { subtype: self.subtype, bytes: &self.bytes }
    }

    fn from_scalar(scalar: Scalar<'_>) -> Option<Self> {
        let Scalar::Binary { subtype, bytes } = scalar else { return None };
        Some(Self { subtype, bytes: bytes.to_owned() })
    }

    fn to_text(&self) -> Base64 {
        Base64 { base64: BASE64_STANDARD.encode(&self.bytes), subtype: format!("{:02x}", self.subtype) }
    }

    fn from_text(text: Base64) -> Option<Self> {
        let subtype = u8::from_str_radix(&text.subtype, 16).ok()?;
        Some(Self { subtype, bytes: BASE64_STANDARD.decode(text.base64).ok()? })
    }
}
