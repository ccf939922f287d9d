//! BSON, read, written, navigated and explained.
//!
//! Every element type of [the specification](https://bsonspec.org/spec.html) is read and written, the deprecated ones
//! included. There are five ways in:
//!
//! - [`Document`], [`Array`] and [`Value`] are small views of bytes that stay where they are: looking something up hops
//!   over what stands before it and decodes nothing but the answer. [`BlockDocument`] is the same over blocks, and
//!   [`Index`] is for many lookups in one document.
//! - A [`Document`] is a [`Source`](boson_document::Source): driving it into a sink reads all of it, once and strictly.
//!   [`Writer`] is the sink that makes BSON of any source.
//! - [`edit`] changes documents where they are, one change at a time or many at once; [`Rewriter`] changes chosen values of
//!   many documents and copies the rest.
//! - [`validate`] checks; [`path_at`] says which value an offset lies in; [`Layout`](boson_document::Layout) says what
//!   each byte is for.
//! - `from_slice` and `to_vec` (feature `serde`) are for typed structs. Feature `bson-3` converts from and to the
//!   official crate's types.
//!
//! ```
//! use boson_bson::{Document, DocumentBuf};
//! use boson_document::Scalar;
//!
//! let mut buf = DocumentBuf::new();
//! buf.append("name", Scalar::String("Ada"))?;
//! buf.append("born", Scalar::Int32(1815))?;
//!
//! let bytes = buf.into_vec();
//! let document = Document::new(&bytes)?;
//! let born = document.get("born")?.expect("it was appended");
//! assert_eq!(born.scalar()?, Scalar::Int32(1815));
//! assert_eq!(document.get("died")?, None);
//!
//! // An error says what is wrong and where; the document says at which path.
//! let error = born.as_str().unwrap_err();
//! assert_eq!(document.locate(error).to_string(), "offset 24, $.born: expected string, found int");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]

#[cfg(feature = "bson-3")]
mod bson3;
mod buf;
mod cursor;
pub mod edit;
mod error;
mod index;
mod layout;
mod path;
mod read;
mod rewrite;
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
pub use crate::layout::{Explanation, Selection};
pub use crate::path::path_at;
pub use crate::read::{ReadOptions, Reader, Utf8};
pub use crate::rewrite::{Instead, Patch, Rewrite, Rewriter, Step};
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
