//! A progress bar for long work; nothing where standard error is not a terminal.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use boson_store::{Compression, Location};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::documents::file_len;

/// Bytes read of an input and documents done.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for reading `file`; of a compressed one the size of what is in it is not known.
    pub(crate) fn of(file: &Location) -> Self {
        let compressed = file.path().is_some_and(|path| Compression::of_path(path) != Compression::None);
        Self::new(if compressed { None } else { file_len(file) })
    }

    /// A bar for `bytes_total` bytes of input, a spinner where the size is not known.
    pub(crate) fn new(bytes_total: Option<u64>) -> Self {
        let bar = match bytes_total {
            Some(total) => ProgressBar::new(total)
                .with_style(style("{bar:30} {bytes}/{total_bytes} ({bytes_per_sec}), {msg} documents, {eta} left")),
            None => ProgressBar::no_length().with_style(style("{spinner} {bytes} ({bytes_per_sec}), {msg} documents")),
        };
        let hidden = !stderr().is_terminal();
        bar.set_draw_target(if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) });
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar }
    }

    /// `bytes` bytes of input are read and `documents` documents done.
    pub(crate) fn set(&self, bytes: u64, documents: u64) {
        // A redraw formats text; every 256th document is often enough for the eye.
        if documents.is_multiple_of(256) {
            self.bar.set_position(bytes);
            self.bar.set_message(documents.to_string());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
