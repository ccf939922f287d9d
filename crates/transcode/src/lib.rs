//! Any format to any other, with a report of what could not be carried over.
//!
//! A document is pushed from its bytes straight into the writer of the other format; between the two stands a sink that
//! maps the leaves which the target has no type for, as the [`Policy`] says, and counts in a [`Report`] what is not kept.
//! Nothing is lost without being counted.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]

mod any;
mod carry;
mod convert;
pub mod diff;
mod error;
mod format;
mod locate;
mod meaning;
mod names;
mod numbers;
mod place;
mod policy;
mod repeats;
mod report;
mod to_bson;
mod to_json;
mod to_oson;

pub use any::{AnyDocument, Found};
pub use convert::{Converter, convert};
pub use error::{ConvertError, Fault, Refusal};
pub use format::{Detected, Encoding, Format, ParseFormatError, UnknownFormat};
pub use meaning::Meaning;
pub use policy::{DuplicateNames, Fractions, OutOfRange, Policy, Subtypes};
pub use report::{Grade, Loss, Occurrences, Report};
