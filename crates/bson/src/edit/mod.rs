//! Changing documents where they are.
//!
//! Either an [`Editor`], which writes each change at once ([`edit`] is one that is opened for a single change): a value of the same width is overwritten, all else moves what
//! follows it. Or a [`DocumentMut`], which gathers any number of changes and writes once. What can be changed, in which
//! buffers, and what it cost, is said in the words of [`boson_document::edit`].

mod encode;
mod error;
mod gathered;
mod locate;
mod rename;
mod splice;

pub use error::EditError;
pub use gathered::DocumentMut;
pub use splice::{Editor, edit};
