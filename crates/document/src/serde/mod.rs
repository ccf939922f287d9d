//! Typed structs in and out of documents, over serde (feature `serde`): written once for every format.
//!
//! Out of a struct, [`Serializer`] pushes into any [`Sink`](crate::Sink). Into a struct, [`Deserializer`] reads from
//! anything that can say what a place in it holds, a [`Node`]; it borrows `&str` and `&[u8]` from the input and does not
//! look at what the type ignores.
//!
//! serde's data model has no ObjectId and no date. The types here ([`DateTime`], [`Timestamp`], [`Binary`]) and
//! [`ObjectId`](crate::ObjectId) and [`Decimal128`](crate::Decimal128) travel as a struct of one field whose name is that
//! of Extended JSON, such as `$oid`. The serializers of this crate know the struct by its private name and write the
//! leaf; any other format gets a valid Extended JSON value.
//!
//! How types of Rust and kinds meet: `i8` to `i32`, `u8` and `u16` are int32; `u32`, `i64` and `u64` are int64 (a `u64`
//! beyond it is an error); `f32` and `f64` are doubles; `char`, `&str` and unit variants are strings; byte slices
//! (`serde_bytes`) are binary of subtype 0; `None` and `()` are null; other variants are an object of one member. A map's
//! keys are text, numbers, booleans or unit variants.

mod access;
mod bytes;
mod de;
mod error;
mod key;
mod leaf;
mod ser;
mod special;
mod types;

pub use de::{Deserializer, Node, Opened};
pub use error::{DeserializeError, SerializeError};
pub use ser::{Compound, Serializer};
pub use types::{Binary, DateTime, Timestamp};
