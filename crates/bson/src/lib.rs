//! BSON, read, written, navigated and explained.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]

#[cfg(feature = "bson-3")]
mod bson3;
mod buf;
mod cursor;
mod error;
mod index;
mod layout;
mod path;
mod read;
mod tag;
#[cfg(feature = "serde")]
mod typed;
mod uuid;
mod validate;
pub mod vector;
mod view;
mod write;

#[cfg(feature = "bson-3")]
pub use crate::bson3::Bson3Error;
pub use crate::buf::DocumentBuf;
pub use crate::error::{EncodeError, EncodeErrorKind};
pub use crate::index::{Index, Indexed};
pub use crate::path::path_at;
pub use crate::read::{ReadOptions, Reader, Utf8};
pub use crate::tag::Tag;
#[cfg(feature = "serde")]
pub use crate::typed::{from_slice, to_vec};
pub use crate::uuid::{LegacyUuid, uuid};
pub use crate::validate::validate;
pub use crate::vector::Vector;
pub use crate::view::{
    Array, ArrayIn, BlockDocument, CodeWithScope, Document, DocumentIn, Element, ElementIn, Elements, Fields, GetAll,
    Held, Items, Value, ValueIn,
};
pub use crate::write::{WriteOptions, Writer, encode};
