//! How documents follow each other in a stream.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use boson_document::{DecodeErrorKind, Discard, Source};
use boson_json::{Splitter, Text};
use boson_transcode::{Encoding, Format, UnknownFormat};

/// The form of a stream of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Framing {
    /// BSON documents one after another, as `mongodump` writes a collection.
    Bson,
    /// One JSON text a line; blank lines are left out.
    JsonLines,
    /// JSON texts one after another, each on as many lines as it likes.
    JsonValues,
    /// One JSON array whose elements are the documents.
    JsonArray,
    /// One OSON image. Several are read, too, if all but the last are of version 1 or 3, which say how long they are.
    Oson,
    /// OSON images one after another: what only this crate reads.
    OsonImages,
    /// OSON images in hexadecimal, one a line.
    OsonHex,
    /// OSON images in base64, one a line.
    OsonBase64,
}

const NAMES: [(Framing, &str); 8] = [
    (Framing::Bson, "bson"),
    (Framing::JsonLines, "json-lines"),
    (Framing::JsonValues, "json-values"),
    (Framing::JsonArray, "json-array"),
    (Framing::Oson, "oson"),
    (Framing::OsonImages, "oson-images"),
    (Framing::OsonHex, "oson-hex"),
    (Framing::OsonBase64, "oson-base64"),
];

pub(crate) const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

impl Framing {
    /// The names of all forms.
    pub fn names() -> [&'static str; 8] {
        NAMES.map(|(_, name)| name)
    }

    /// The name, in lower case with hyphens.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(framing, _)| *framing == self).map_or("", |(_, name)| name)
    }

    /// The format of the documents.
    pub const fn format(self) -> Format {
        match self {
            Self::Bson => Format::Bson,
            Self::JsonLines | Self::JsonValues | Self::JsonArray => Format::Json,
            Self::Oson | Self::OsonImages | Self::OsonHex | Self::OsonBase64 => Format::Oson,
        }
    }

    /// The usual form of many documents of a format: lines for JSON, one image for OSON.
    pub const fn usual(format: Format) -> Self {
        match format {
            Format::Bson => Self::Bson,
            Format::Json => Self::JsonLines,
            Format::Oson => Self::Oson,
        }
    }

    /// The form that a file's name asks for, by its extension, where that is `bson`, `ndjson`, `jsonl`, `json`, `oson`, `hex`
    /// or `b64` in any case, perhaps followed by one of a compression.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = [".gz", ".zst", ".zstd"].iter().find_map(|extension| name.strip_suffix(extension)).unwrap_or(&name);
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension {
            "bson" => Self::Bson,
            "ndjson" | "jsonl" | "json" => Self::JsonLines,
            "oson" => Self::Oson,
            "hex" => Self::OsonHex,
            "b64" | "base64" => Self::OsonBase64,
            _ => return None,
        })
    }

    /// The form of the stream that begins with `head`; `None` of an empty one, which holds no documents in any form. `hint`
    /// is the form that the file's name asks for.
    ///
    /// # Errors
    ///
    /// What the bytes look like instead.
    pub(crate) fn detect(head: &[u8], hint: Option<Self>) -> Result<Option<Self>, UnknownFormat> {
        match Format::detect(head) {
            Ok(detected) => Ok(Some(match (detected.format, detected.encoding) {
                (Format::Bson, _) => Self::Bson,
                (Format::Json, _) => json(head, hint),
                (Format::Oson, Encoding::Binary) => Self::Oson,
                (Format::Oson, Encoding::Hex) => Self::OsonHex,
                (Format::Oson, Encoding::Base64) => Self::OsonBase64,
            })),
            Err(UnknownFormat::Empty) => Ok(None),
            // A bad first line is for whoever reads it to complain about, and the other lines are documents.
            Err(UnknownFormat::Bytes(_)) if hint == Some(Self::JsonLines) => Ok(hint),
            Err(unknown) => Err(unknown),
        }
    }

    /// The form of a stream whose documents are known to be of `format`.
    pub(crate) fn detect_of(format: Format, head: &[u8], hint: Option<Self>) -> Option<Self> {
        match format {
            _ if head.is_empty() => None,
            Format::Json => Some(json(head, hint)),
            format => Some(Self::usual(format)),
        }
    }
}

/// Lines are told by the first, which is a whole value; an array of objects is taken for an array of documents. Where the
/// first value is not well-formed, lines are the better guess if the second line is a document: only one of them is bad.
fn json(head: &[u8], hint: Option<Framing>) -> Framing {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let (first, second) = match split_line(text) {
        Some((first, rest)) => (first, first_line(rest)),
        None => (text, [].as_slice()),
    };
    let is_array = begins_array_of_objects(text);
    // Texts over several lines begin with a bracket alone. Anything else on the second line is one, perhaps a bad one.
    let ends_with_line = is_value(first) && !matches!(second, b"{" | b"[");
    if is_array && (second.is_empty() || !ends_with_line) {
        return Framing::JsonArray;
    }
    let hinted = hint == Some(Framing::JsonLines);
    let likely = hinted || begins_document(second);
    let lines = ends_with_line && (hinted || text.len() > first.len()) || likely && !begins_well(text);
    if lines { Framing::JsonLines } else { Framing::JsonValues }
}

/// `[`, then an object or the end of the array or of what is at hand.
fn begins_array_of_objects(text: &[u8]) -> bool {
    let inside = text.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    inside.is_some_and(|inside| matches!(inside.first(), None | Some(b'{' | b']')))
}

/// Whether a line is a document by its brackets.
fn begins_document(line: &[u8]) -> bool {
    line.starts_with(b"{") && is_value(line)
}

/// Whether the first value is well-formed, as far as it is at hand.
fn begins_well(text: &[u8]) -> bool {
    match Text::new(text).drive(&mut Discard) {
        Ok(()) => true,
        Err(error) => matches!(error.kind, DecodeErrorKind::UnexpectedEnd { .. } | DecodeErrorKind::TrailingBytes(_)),
    }
}

/// The first line that is not blank, without white space around it, also when its end is not at hand.
fn first_line(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    split_line(text).map_or(text, |(line, _)| line)
}

/// The first line, without white space around it, and what follows; `None` when there is only one.
fn split_line(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b'\n', text)?;
    text.split_at_checked(end).map(|(line, rest)| (line.trim_ascii(), rest))
}

/// Whether the text ends where the value that it begins with does.
fn is_value(text: &[u8]) -> bool {
    let mut splitter = Splitter::new();
    splitter.advance(text).map_or_else(|| splitter.may_end(), |len| len == text.len())
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Framing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = NAMES.iter().find(|(_, name)| *name == text).map(|(framing, _)| *framing);
        found.ok_or_else(|| format!("expected one of {}", Self::names().join(", ")))
    }
}
