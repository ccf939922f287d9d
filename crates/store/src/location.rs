//! Names of files, and of the two that have none.

use std::convert::Infallible;
use std::ffi::OsString;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::address::Address;

/// A file, or standard input or output, which are written `-`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// Standard input where documents are read, standard output where they are written.
    Standard,
    /// The file with this path.
    File(PathBuf),
}

impl Location {
    /// The path of the file; `None` of the standard streams.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Standard => None,
            Self::File(path) => Some(path),
        }
    }

    /// The address of a server that stands where the name of a file could.
    pub fn address(&self) -> Option<Address> {
        Address::of(self.path()?.to_str()?)
    }
}

impl From<&Path> for Location {
    fn from(path: &Path) -> Self {
        if path == Path::new("-") { Self::Standard } else { Self::File(path.to_owned()) }
    }
}

impl From<OsString> for Location {
    /// A name of any bytes: not every file's is UTF-8.
    fn from(name: OsString) -> Self {
        Self::from(Path::new(&name))
    }
}

impl FromStr for Location {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::from(Path::new(text)))
    }
}

impl fmt::Display for Location {
    /// The name as messages have it, an address without its password: control characters, which a terminal would obey, and bytes that are no UTF-8 are
    /// escaped, `\u{1b}` and `\xff`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => f.write_str("-"),
            Self::File(path) => match self.address() {
                Some(address) => address.fmt(f),
                None => escape(path, f),
            },
        }
    }
}

fn escape(path: &Path, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() {
                write!(f, "{}", character.escape_default())?;
            } else {
                f.write_char(character)?;
            }
        }
        write!(f, "{}", chunk.invalid().escape_ascii())?;
    }
    Ok(())
}
