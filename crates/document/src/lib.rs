//! What every binary JSON format shares: scalars, paths, errors, limits, sinks and sources.
//!
//! A document is pushed from a [`Source`] into a [`Sink`], leaf by leaf, each a [`Scalar`]; point work goes through the
//! views of the formats' own crates, which read over a [`ByteSource`]; [`Value`] is a document as an owned tree.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]

mod bytes;
pub mod comparable;
pub mod decimal;
pub mod edit;
mod error;
mod kind;
mod layout;
mod limits;
mod object_id;
mod path;
mod scalar;
#[cfg(feature = "serde")]
pub mod serde;
mod sink;
mod span;
mod text;
mod time;
mod value;
pub mod vector;

pub use bytes::{Blocks, ByteSource, ReadAt, find_byte, same_bytes};
pub use decimal::{Decimal, Decimal128, Number, NumberBuf};
pub use error::{DecodeError, DecodeErrorKind, FlagFault, Limit, Located, Rule};
pub use kind::Kind;
pub use layout::{Layout, Note, Region, Role};
pub use limits::Limits;
pub use object_id::{ObjectId, ParseObjectIdError};
pub use path::{FieldName, ParsePathError, PathBuf, Segment};
pub use scalar::{DbPointer, Regex, Scalar};
pub use sink::{Container, Descend, Discard, Sink, Source};
pub use span::Span;
pub use text::{as_text, as_text_within};
pub use time::{CivilTime, IntervalDaySecond, IntervalYearMonth, ZonedTime};
pub use value::{Builder, Value};
