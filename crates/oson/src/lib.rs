//! OSON, Oracle's binary JSON, read, written, navigated and explained.
//!
//! An image stays bytes: [`Document`] is a view whose [`get`](Image::get) finds a field through the dictionary and
//! decodes nothing else; as a [`Source`](boson_document::Source) it pushes a whole document into a sink; [`validate`]
//! checks all of it, [`regions`](boson_document::Layout) say what each byte is for.
//!
//! The format, versions 1 to 4, is described in `docs/format/oson.md`.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]

mod budget;
mod dictionary;
pub mod edit;
mod fault;
mod header;
mod image;
mod layout;
mod marks;
mod node;
mod path;
mod read;
mod scalar;
pub mod tag;
mod temporal;
mod tour;
#[cfg(feature = "serde")]
mod typed;
mod update;
mod validate;
mod view;
mod width;
pub mod write;

use boson_document::{comparable as float, vector};

pub use boson_document::vector::{Values, Vector, VectorFormat};
pub use dictionary::NameId;
pub use header::{Header, image_len};
pub use image::Image;
pub use layout::{Explanation, Selection};
pub use path::path_at;
pub use read::Limited;
#[cfg(feature = "serde")]
pub use typed::{from_slice, to_vec};
pub use validate::validate;
pub use view::{Document, FieldOrder, Fields, FieldsInOrder, Held, Items, Members, Node, Value};
