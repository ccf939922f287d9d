//! Ctrl-C: the first asks long work to stop cleanly, the second stops at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::{Exit, Interrupted};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Listens for SIGINT, SIGTERM and SIGHUP from now on.
pub(crate) fn listen() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            process::exit(Exit::Interrupted as i32);
        }
    })
}

/// An error once the user has asked to stop; to be called between documents.
pub(crate) fn check() -> Result<(), Interrupted> {
    if REQUESTED.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
}
