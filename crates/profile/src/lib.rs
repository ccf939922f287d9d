//! Where a collection's bytes go, what its fields really hold, and what better types would save.
//!
//! A [`Profiler`] is a sink: documents of any format are driven into it, one pass, in bounded memory, and it becomes a
//! [`Profile`]. Profiles of parts merge into the profile of the whole, the same to the byte. [`Profile::findings`] is what
//! is stored as something else than it is, with evidence.
//!
//! ```
//! use boson_document::Value;
//! use boson_profile::{Framing, Options, Profiler, Target};
//!
//! let mut profiler = Profiler::new(Options::default(), Framing::BSON);
//! for celsius in ["21.5", "19.0", "20.7"] {
//!     let reading = Value::Object(vec![("celsius".to_owned(), Value::String(celsius.to_owned()))]);
//!     profiler.document(&reading, 0)?;
//! }
//! let findings = profiler.finish().findings().findings;
//! assert_eq!(findings[0].path.to_string(), "$.celsius");
//! assert_eq!(findings[0].proposal.target, Target::Double);
//! assert_eq!(findings[0].saved_bytes(), Some(3));
//! # Ok::<(), boson_document::DecodeError>(())
//! ```

mod distinct;
mod examples;
mod finding;
mod fold;
mod histogram;
mod kinds;
mod names;
mod node;
mod options;
mod path;
mod profile;
mod profiler;
mod rules;
mod shape;
mod trie;

pub use finding::{
    Actual, Conversion, Finding, Findings, IndexKeys, LeftAlone, Loss, Misfits, Question, Reason, Risk, Spelling,
    Stays, Target,
};
pub use histogram::Sizes;
pub use node::KindStats;
pub use options::{Bounds, Framing, Options, Spans};
pub use path::{ParsePathError, Path, Step};
pub use profile::{Bytes, PathStats, Profile, ProfileError};
pub use profiler::Profiler;
pub use shape::{
    Alphabet, BoolWords, Case, Classified, DecimalShape, Exactness, Grouping, IntegerRange, IsoLayout, NamedDate,
    NumericDate, ObjectIdSpelling, Order, Shape, UuidSpelling, Zone, classify, offset_minutes,
};
pub use trie::KEY_BYTES_MAX;
