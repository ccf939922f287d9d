//! Changing the types of fields in dumps by a reviewed plan.
//!
//! A [`Plan`] is drafted from a profile's findings ([`draft`]), written as a file that people read and edit ([`write()`]), and
//! read back. A [`Job`] is a plan and what it is run on; [`scan`] goes through everything without writing, [`run`] converts
//! it: streaming, in all threads, in order, every byte outside of the changed values as it was. A run that was stopped at any
//! moment goes on from its last checkpoint, and what it makes is the same to the byte. [`verify`](verify()) checks every new
//! value against its original, and [`restore`] has the original back from the undo log.

mod checks;
mod chunk;
pub mod collection;
mod convert;
mod estimate;
mod hazard;
mod metadata;
mod plan;
mod rule;
mod run;
mod tally;
mod tree;
mod undo;
mod verify;
mod work;

pub use chunk::{Chunk, DocumentFault};
pub use convert::{Became, ConvertFault, Converter};
pub use estimate::{Estimate, Server, estimate};
pub use hazard::{hazards, open_hazards};
pub use plan::{
    CollectionPlan, Damaged, Drafted, FieldPlan, From, HazardNote, Lossy, Misfits, Nothing, PLAN_VERSION, Plan,
    PlanError, SourceNote, To, draft, write,
};
pub use rule::Rule;
pub use run::{
    Collisions, Job, Progress, Report, RunError, RunOptions, Scanned, StreamJob, StreamScan, Unpacked, Watch,
    is_archive, run, scan, unpack,
};
pub use tally::{Tally, Values};
pub use tree::Rules;
pub use undo::{Restored, UndoError, restore};
pub use verify::{Verified, VerifyError, verify};
