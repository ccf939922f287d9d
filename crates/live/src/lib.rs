//! Collections of a running MongoDB server: read, measured, changed.
//!
//! The only room that knows the driver. [`Server`] is a connection, [`Collection`] one of its collections; documents are bytes
//! both ways, and every call waits for its answer. [`Address`] keeps the password from being seen.

mod collection;
mod command;
mod describe;
mod error;
mod in_place;
mod pace;
mod read;
mod server;
mod stats;
mod write;
mod write_concern;

pub use boson_store::Address;
pub use collection::Collection;
pub use describe::{Description, Sharding};
pub use error::{LiveError, LiveErrorKind};
pub use in_place::InPlace;
pub use pace::Pace;
pub use read::{Documents, ReadPreference, ReadSettings, Reply};
pub use server::{About, Server, Topology};
pub use stats::{Figure, Stats};
pub use write_concern::WriteConcern;
