//! Where a collection's bytes go, what its fields really hold, and what better types would save.
//!
//! A [`Profiler`] is a sink: documents of any format are driven into it, and it becomes a [`Profile`]. Profiles merge.

mod distinct;
mod examples;
mod fold;
mod histogram;
mod kinds;
mod node;
mod options;
mod path;
mod profile;
mod profiler;
mod shape;
mod trie;

pub use histogram::Sizes;
pub use node::KindStats;
pub use options::{Bounds, Framing, Options};
pub use path::{Path, Step};
pub use profile::{Bytes, PathStats, Profile, ProfileError};
pub use profiler::Profiler;
