//! Any output that is to appear when it is complete.

use std::io::{self, Write};

use super::output::Output;
use crate::error::WriteError;
use crate::location::Location;

/// A file, or standard output, that is written to byte by byte. A file has its name once it is finished, and when this is dropped
/// before, nothing is left of it.
///
/// Bytes are held back, and may fail to be written in [`finish`](Self::finish).
pub struct OutputFile {
    output: Output,
    name: String,
}

impl OutputFile {
    /// Begins what will be at `location`; a file that is there is replaced only if `overwrite` says so.
    ///
    /// # Errors
    ///
    /// When there is such a file, or it cannot be created.
    pub fn create(location: &Location, overwrite: bool) -> Result<Self, WriteError> {
        let name = location.to_string();
        let output = match location.path() {
            None => Ok(Output::stdout()),
            Some(path) => Output::file(path, overwrite),
        };
        match output {
            Ok(output) => Ok(Self { output, name }),
            Err(fault) => Err(WriteError::new(&name, fault)),
        }
    }

    /// Writes what is held back, and gives the file its name.
    ///
    /// # Errors
    ///
    /// When writing fails, or a file of that name has appeared.
    pub fn finish(self) -> Result<(), WriteError> {
        let Self { output, name } = self;
        output.finish().map_err(|fault| WriteError::new(&name, fault))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
