//! What the process ends with.

use std::io;
use std::process::ExitCode;

use boson_document::{DecodeError, Located, ParsePathError};
use boson_migrate::{PlanError, RunError, UndoError, VerifyError};
use boson_profile::ProfileError;
use boson_store::{ReadError, ReadFault, WriteError, WriteFault};
use boson_transcode::{ConvertError, Fault};
use serde::Serialize;

use crate::args::Report;
use crate::commands::{NotAProof, Nowhere, Unfit};
use crate::hint;
use crate::output::{self, ERROR, NAME, tell};

/// The exit codes, as `boson --help` lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything asked for was done.
    Done = 0,
    /// The answer is no: documents differ, a document is not valid, a path is nowhere.
    No = 1,
    /// The call cannot be understood (clap ends with the same).
    Usage = 2,
    /// The input is not what it should be.
    Input = 3,
    /// Something would be lost, or overwritten, and that was not asked for.
    Refused = 4,
    /// Reading or writing failed.
    Io = 5,
    /// Stopped by Ctrl-C or a request to end.
    Interrupted = 130,
}

impl Exit {
    /// The number that the shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::No => 1,
            Self::Usage => 2,
            Self::Input => 3,
            Self::Refused => 4,
            Self::Io => 5,
            Self::Interrupted => 130,
        }
    }

    /// `Done` when `yes`, else `No`.
    pub(crate) const fn answer(yes: bool) -> Self {
        if yes { Self::Done } else { Self::No }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// The user asked us to stop.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("interrupted; nothing was left half-written")]
pub(crate) struct Interrupted;

/// The call is well-formed but asks for what does not go together.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(pub(crate) String);

/// Something would be lost, and that was not asked for.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refused(pub(crate) String);

/// The code for what came of a command; an error is printed first.
pub(crate) fn finish(outcome: anyhow::Result<Exit>) -> Exit {
    let error = match outcome {
        Ok(exit) => return exit,
        Err(error) => error,
    };
    if is_broken_pipe(&error) {
        // Whoever reads us, `head` for example, has seen enough.
        return Exit::Done;
    }
    complain(&error);
    category(&error)
}

/// The same outcome, told on standard output to a program that waits for the result there: an error is an object, too.
pub(crate) fn told(format: Report, outcome: anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    if let (Report::Json, Err(error)) = (format, &outcome) {
        output::print_json(&Failed { error: format!("{error:#}") })?;
    }
    outcome
}

/// What a program finds where the result would be.
#[derive(Serialize)]
struct Failed {
    error: String,
}

/// Prints `error` on standard error, and which option helps.
pub(crate) fn complain(error: &anyhow::Error) {
    tell!("{ERROR}error:{ERROR:#} {error:#}");
    if let Some(hint) = hint::of(error) {
        tell!("{NAME}hint:{NAME:#} {hint}");
    }
}

/// The one table from kinds of errors to exit codes.
pub(crate) fn category(error: &anyhow::Error) -> Exit {
    let of_cause = |cause: &(dyn std::error::Error + 'static)| {
        if cause.is::<Interrupted>() {
            Some(Exit::Interrupted)
        } else if cause.is::<UsageError>() || cause.is::<ParsePathError>() {
            Some(Exit::Usage)
        } else if cause.is::<Nowhere>() {
            Some(Exit::No)
        } else if cause.is::<Refused>() || cause.is::<Unfit>() {
            Some(Exit::Refused)
        } else if let Some(error) = cause.downcast_ref::<ReadError>() {
            let io = matches!(error.fault(), ReadFault::Open(_));
            Some(if io { Exit::Io } else { Exit::Input })
        } else if let Some(error) = cause.downcast_ref::<WriteError>() {
            let refused = matches!(error.fault(), WriteFault::Exists | WriteFault::SecondImage);
            Some(if refused { Exit::Refused } else { Exit::Io })
        } else if let Some(error) = cause.downcast_ref::<ConvertError>() {
            Some(if matches!(error.fault(), Fault::Source(_)) { Exit::Input } else { Exit::Refused })
        } else if let Some(error) = cause.downcast_ref::<RunError>() {
            Some(of_run(error))
        } else if let Some(error) = cause.downcast_ref::<VerifyError>() {
            Some(if matches!(error, VerifyError::Wrong { .. }) { Exit::No } else { Exit::Input })
        } else if let Some(error) = cause.downcast_ref::<UndoError>() {
            Some(match error {
                UndoError::Io { .. } => Exit::Io,
                UndoError::Exists(_) => Exit::Refused,
                _ => Exit::Input,
            })
        } else if cause.is::<PlanError>() {
            Some(Exit::Refused)
        } else if cause.is::<NotAProof>()
            || cause.is::<Located>()
            || cause.is::<DecodeError>()
            || cause.is::<ProfileError>()
        {
            Some(Exit::Input)
        } else {
            cause.is::<io::Error>().then_some(Exit::Io)
        }
    };
    error.chain().find_map(of_cause).unwrap_or(Exit::Io)
}

fn of_run(error: &RunError) -> Exit {
    match error {
        RunError::Read(error) if matches!(error.fault(), ReadFault::Open(_)) => Exit::Io,
        RunError::Read(_) | RunError::Document { .. } | RunError::DocumentOf { .. } => Exit::Input,
        RunError::Io { .. } | RunError::Server(_) => Exit::Io,
        RunError::Stopped => Exit::Interrupted,
        RunError::Exists(_) | RunError::OtherRun(_) | RunError::Plan(_) | RunError::Refused(_) => Exit::Refused,
    }
}

pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let written = cause.downcast_ref::<WriteError>().and_then(|error| match error.fault() {
            WriteFault::Io(error) => Some(error),
            _ => None,
        });
        let io = written.or_else(|| cause.downcast_ref::<io::Error>());
        io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
