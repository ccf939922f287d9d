//! Ctrl-C and requests to end: work stops between two documents, or at once where that does not come soon.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::exit::{self, Exit, Interrupted};

static REQUESTED: AtomicBool = AtomicBool::new(false);
/// Whether the work has seen the request, and ends by itself.
static NOTICED: AtomicBool = AtomicBool::new(false);

/// How long the work has to come to the end of a document. It may wait for input, which may never come.
const PATIENCE: Duration = Duration::from_millis(300);
/// How long it has to clear up.
const CLEARING: Duration = Duration::from_secs(3);

/// Listens for SIGINT, SIGTERM and SIGHUP from now on.
pub(crate) fn listen() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if !REQUESTED.swap(true, Ordering::Relaxed) {
            thread::sleep(PATIENCE);
            if NOTICED.load(Ordering::Relaxed) {
                thread::sleep(CLEARING);
            }
        }
        boson_store::discard_unfinished();
        if !NOTICED.load(Ordering::Relaxed) {
            exit::complain(&Interrupted.into());
        }
        process::exit(Exit::Interrupted as i32);
    })
}

/// An error once the user has asked to stop; to be called between documents.
pub(crate) fn check() -> Result<(), Interrupted> {
    if !REQUESTED.load(Ordering::Relaxed) {
        return Ok(());
    }
    NOTICED.store(true, Ordering::Relaxed);
    Err(Interrupted)
}
