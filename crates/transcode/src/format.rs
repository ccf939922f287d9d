//! Which format bytes are in.

use std::fmt;
use std::str::FromStr;

/// A format that documents are kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// MongoDB's binary JSON.
    Bson,
    /// Oracle's binary JSON.
    Oson,
    /// JSON text in UTF-8.
    Json,
}

impl Format {
    /// The name in lower case: `bson`, `oson`, `json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bson => "bson",
            Self::Oson => "oson",
            Self::Json => "json",
        }
    }

    /// The format of a document, by its first bytes: a whole document is best, 16 bytes are enough for most.
    ///
    /// # Errors
    ///
    /// What the bytes look like instead, or why they are none of the three.
    ///
    /// ```
    /// use boson_transcode::{Encoding, Format};
    ///
    /// let detected = Format::detect(b"{\"a\": 1}")?;
    /// assert_eq!(detected.format, Format::Json);
    /// let detected = Format::detect(b"0xFF4A5A010016000131")?;
    /// assert_eq!((detected.format, detected.encoding), (Format::Oson, Encoding::Hex));
    /// # Ok::<(), boson_transcode::UnknownFormat>(())
    /// ```
    pub fn detect(head: &[u8]) -> Result<Detected, UnknownFormat> {
        // A version that is none may be part of the length of a BSON document.
        let is_oson = head.starts_with(OSON_MAGIC);
        if is_oson && matches!(head.get(OSON_MAGIC.len()), None | Some(1..=4)) {
            return Ok(Detected::binary(Self::Oson));
        }
        if looks_like_bson(head) {
            return Ok(Detected::binary(Self::Bson));
        }
        if is_oson {
            return Ok(Detected::binary(Self::Oson));
        }
        if let Some(what) = utf_16(head) {
            return Err(UnknownFormat::Foreign { what, advice: UTF_16_ADVICE });
        }
        detect_text(head).or_else(|unknown| known_magic(head).map_or(Err(unknown), Err))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected bson, oson or json")]
pub struct ParseFormatError;

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, ParseFormatError> {
        [Self::Bson, Self::Oson, Self::Json].into_iter().find(|format| format.name() == text).ok_or(ParseFormatError)
    }
}

/// What [`Format::detect`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detected {
    /// The format of the document.
    pub format: Format,
    /// How its bytes are written down.
    pub encoding: Encoding,
}

impl Detected {
    const fn binary(format: Format) -> Self {
        Self { format, encoding: Encoding::Binary }
    }
}

/// How the bytes of a document are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// As they are.
    Binary,
    /// In hexadecimal, as tools show a BLOB.
    Hex,
    /// In base64.
    Base64,
}

/// The first bytes of every OSON image.
const OSON_MAGIC: &[u8] = &[0xFF, 0x4A, 0x5A];
/// The same in hexadecimal, in lower case.
const OSON_MAGIC_HEX: &[u8] = b"ff4a5a";
/// The same in base64: three bytes make exactly four characters.
const OSON_MAGIC_BASE64: &[u8] = b"/0pa";
const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

/// The smallest BSON document: its length and its NUL.
const BSON_LEN_MIN: usize = 5;
/// Beyond this a length is taken for something else: three times what a server stores, for dumps of oplogs and the like.
const BSON_LEN_MAX: usize = 48 << 20;

/// Whether the first bytes can be those of a BSON document: a length that is possible, a type that exists, and a NUL at
/// the end where the end is at hand.
fn looks_like_bson(head: &[u8]) -> bool {
    let Some((length, rest)) = head.split_first_chunk::<4>() else { return false };
    let Ok(len) = usize::try_from(i32::from_le_bytes(*length)) else { return false };
    if !(BSON_LEN_MIN..=BSON_LEN_MAX).contains(&len) {
        return false;
    }
    let ends_well = head.get(len.saturating_sub(1)).is_none_or(|&last| last == 0);
    let first_type = match rest.first() {
        Some(0) => len == BSON_LEN_MIN,
        Some(0x01..=0x13 | 0x7F | 0xFF) => len > BSON_LEN_MIN,
        Some(_) => false,
        // Only the length is at hand.
        None => true,
    };
    ends_well && first_type
}

fn detect_text(head: &[u8]) -> Result<Detected, UnknownFormat> {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let first = *text.first().ok_or(UnknownFormat::Empty)?;
    if let Some(encoding) = encoded_oson(text) {
        return Ok(Detected { format: Format::Oson, encoding });
    }
    match first {
        b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' => Ok(Detected::binary(Format::Json)),
        _ if [b"true".as_slice(), b"false", b"null"].iter().any(|word| text.starts_with(word)) => {
            Ok(Detected::binary(Format::Json))
        }
        _ => Err(UnknownFormat::first_bytes(head)),
    }
}

const UTF_16_ADVICE: &str = "convert it to UTF-8 first";

/// Whether this is JSON text in UTF-16 without a byte order mark: a character of ASCII in every other byte, zeros between.
fn utf_16(head: &[u8]) -> Option<&'static str> {
    let is_text = |pair: [u8; 2], low: usize| {
        let [a, b] = pair;
        let (character, zero) = if low == 0 { (a, b) } else { (b, a) };
        zero == 0 && (character.is_ascii_graphic() || character.is_ascii_whitespace())
    };
    let (pairs, _) = head.get(..8).unwrap_or(head).as_chunks::<2>();
    if pairs.len() < 2 {
        return None;
    }
    if pairs.iter().all(|&pair| is_text(pair, 0)) {
        Some("text in UTF-16, little-endian")
    } else if pairs.iter().all(|&pair| is_text(pair, 1)) {
        Some("text in UTF-16, big-endian")
    } else {
        None
    }
}

/// How the OSON image whose text begins here is written down; `None` when it is none.
fn encoded_oson(text: &[u8]) -> Option<Encoding> {
    let text = strip_paste(text);
    // Some programs write a space between bytes.
    let digits = text.iter().filter(|byte| !byte.is_ascii_whitespace()).take(OSON_MAGIC_HEX.len());
    let starts_as_hex = digits.map(u8::to_ascii_lowercase).eq(OSON_MAGIC_HEX.iter().copied());
    if starts_as_hex {
        Some(Encoding::Hex)
    } else if text.starts_with(OSON_MAGIC_BASE64) {
        Some(Encoding::Base64)
    } else {
        None
    }
}

/// The text without what people copy along with a BLOB in front of it: a quote, `0x`.
fn strip_paste(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(b"\"").or_else(|| text.strip_prefix(b"'")).unwrap_or(text);
    text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X")).unwrap_or(text)
}

/// Why the format of bytes could not be told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownFormat {
    /// There is nothing.
    #[error("there are no bytes to tell the format by")]
    Empty,
    /// Something that is known, and is no document.
    #[error("this is {what}; {advice}")]
    Foreign {
        /// What the bytes look like.
        what: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// None of what is known.
    #[error(
        "neither OSON (FF 4A 5A), nor BSON (a length, then a type), nor JSON ({{, [, a quote or a number): \
         the first bytes are {0}; say which format it is if you know"
    )]
    Bytes(String),
}

impl UnknownFormat {
    fn first_bytes(head: &[u8]) -> Self {
        Self::Bytes(head.iter().take(8).map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" "))
    }
}

/// Bytes that are no document, with what they are and what to do about them.
const FOREIGN: [(&[u8], &str, &str); 8] = [
    (
        &[0x6D, 0xE2, 0x99, 0x81],
        "an archive of mongodump --archive",
        "restore it with mongorestore, or dump without --archive",
    ),
    (&[0x1F, 0x8B], "compressed with gzip", "decompress it first"),
    (&[0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd", "decompress it first"),
    (b"PK\x03\x04", "a zip file", "unpack it first"),
    (b"BZh", "compressed with bzip2", "decompress it first"),
    (&[0xFD, b'7', b'z', b'X', b'Z'], "compressed with xz", "decompress it first"),
    (&[0xFF, 0xFE], "text in UTF-16, little-endian", UTF_16_ADVICE),
    (&[0xFE, 0xFF], "text in UTF-16, big-endian", UTF_16_ADVICE),
];

fn known_magic(head: &[u8]) -> Option<UnknownFormat> {
    let (_, what, advice) = FOREIGN.iter().find(|(magic, ..)| head.starts_with(magic))?;
    Some(UnknownFormat::Foreign { what, advice })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(head: &[u8]) -> Option<(Format, Encoding)> {
        Format::detect(head).ok().map(|detected| (detected.format, detected.encoding))
    }

    #[test]
    fn each_format_by_its_first_bytes() {
        for (head, expected) in [
            (b"\xFF\x4A\x5A\x01\x00\x16".as_slice(), (Format::Oson, Encoding::Binary)),
            (b"\x05\0\0\0\0", (Format::Bson, Encoding::Binary)),
            (b"\x0c\0\0\0\x10a\0\x01\0\0\0\0", (Format::Bson, Encoding::Binary)),
            // 123 bytes: the length's first byte is an opening brace.
            (b"{\0\0\0\x02a\0", (Format::Bson, Encoding::Binary)),
            (b"{}", (Format::Json, Encoding::Binary)),
            (b"\xEF\xBB\xBF\r\n [1]", (Format::Json, Encoding::Binary)),
            (b"\"x\"", (Format::Json, Encoding::Binary)),
            (b"-1", (Format::Json, Encoding::Binary)),
            (b"true", (Format::Json, Encoding::Binary)),
            (b"0", (Format::Json, Encoding::Binary)),
            (b"ff4a5a01", (Format::Oson, Encoding::Hex)),
            (b" \"FF4A5A01", (Format::Oson, Encoding::Hex)),
            (b"FF 4A 5A 01 21", (Format::Oson, Encoding::Hex)),
            // 5,917,439 bytes: the length begins like an image.
            (b"\xFF\x4A\x5A\0\x10a\0", (Format::Bson, Encoding::Binary)),
            (b"0xFF4a5A01", (Format::Oson, Encoding::Hex)),
            (b"/0paAQAWAAEx", (Format::Oson, Encoding::Base64)),
        ] {
            assert_eq!(detect(head), Some(expected), "{}", head.escape_ascii());
        }
    }

    #[test]
    fn what_is_none_of_them_is_explained() {
        for (head, expected) in [
            (b"".as_slice(), "no bytes"),
            (b" \n", "no bytes"),
            (b"\x6d\xe2\x99\x81\x00", "mongorestore"),
            (b"\x1f\x8b\x08", "gzip"),
            (b"PK\x03\x04", "zip"),
            (b"\xFF\xFE{\0\"\0", "UTF-16"),
            (b"\xFE\xFF\0{\0\"", "UTF-16"),
            (b"{\0\"\0a\0\"\0", "UTF-16"),
            (b"\0{\0\"\0a\0\"", "UTF-16"),
            (b"hello", "68 65 6C 6C 6F"),
            // A length that is too small, one that is negative, a type that does not exist, no NUL at the end.
            (b"\x04\0\0\0\0", "neither"),
            (b"\xfb\xff\xff\xff\0", "neither"),
            (b"\x10\0\0\0\x80a\0", "neither"),
            (b"\x08\0\0\0\x0Aa\0\x01", "neither"),
        ] {
            let message = Format::detect(head).unwrap_err().to_string();
            assert!(message.contains(expected), "{}: {message}", head.escape_ascii());
        }
    }
}
