//! JSON text in and out: plain, as MongoDB Extended JSON and with Oracle's extended objects.
//!
//! [`Text`] is a source: it pushes a JSON text into any sink, numbers with their text. Adapters stand between the two:
//! [`Unwrap`] turns `{"$oid": …}` and the like into the scalars they mean, [`Wrap`] does the reverse for what a format
//! lacks, [`Resolve`] gives every number a type. [`Writer`] is the sink that writes text. [`Values`] cuts a stream of
//! texts, or the elements of one large array, into single values without parsing them.
//!
//! ```
//! use boson_document::{Builder, Source, Value};
//! use boson_json::{Dialects, Resolve, Text, Unwrap};
//!
//! let text = br#"{"_id": {"$oid": "56e1fc72e0c917e9c4714161"}, "n": 9007199254740993, "x": 1.0}"#;
//! let mut sink = Unwrap::new(Resolve::new(Builder::new()), Dialects::MONGODB);
//! Text::new(text).drive(&mut sink)?;
//! let value = sink.into_inner().into_inner().finish();
//! let value = value.as_ref();
//! assert_eq!(value.and_then(|v| v.get("n")), Some(&Value::Int64(9_007_199_254_740_993)));
//! assert_eq!(value.and_then(|v| v.get("x")), Some(&Value::Double(1.0)));
//! # Ok::<(), boson_document::DecodeError>(())
//! ```

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]

mod extended;
mod number;
mod read;
#[cfg(feature = "serde_json")]
mod serde_value;
mod text;
mod vector;
mod write;

pub use extended::{Dialects, Unwrap, Unwrapped, Wrap, is_bson_only};
pub use number::{Inexact, Resolve};
pub use read::{Piece, Splitter, Text, Values};
#[cfg(feature = "serde_json")]
pub use serde_value::{SerdeBuilder, SerdeSource, from_serde, to_serde};
pub use vector::vector_of_numbers;
pub use write::{Style, WriteError, Writer};
