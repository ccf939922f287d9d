//! Converting a collection that is in use.

mod bracket;
mod change;
mod guard;
mod hazard;
mod job;
mod log;
mod port;
mod raw;
mod restore;
mod run;
mod scan;
mod server;
mod server_run;
mod session;
mod throttle;
mod verify;
mod worker;

pub use bracket::Resume;
pub use change::{Change, Unaddressable};
pub use hazard::{Preparation, live_hazards, open_live_hazards, preparations};
pub use job::CollectionJob;
pub use port::{
    Collection, Cursor, DOCUMENT_BYTES_MAX, Description, Failure, MESSAGE_BYTES_MAX, MESSAGE_UPDATES_MAX, ManyReply,
    Modification, PortError, PortErrorKind, Reply, Scan, Update,
};
pub use raw::RawValue;
pub use restore::{CollectionRestored, RestoreOptions, RestoreWatch, restore_collection};
pub use run::{CollectionOptions, CollectionProgress, CollectionReport, CollectionWatch, Counts, run_collection};
pub use scan::{CollectionCollisions, CollectionScan, ScanWatch, scan_collection};
pub use server::{ServerSide, Statement, server_side};
pub use server_run::{ServerReport, ServerWatch, run_on_server};
pub use session::Retries;
pub use throttle::{Limits, Throttle};
pub use verify::{CollectionVerified, VerifyWatch, verify_collection};
