//! OSON images in hexadecimal or base64, as people copy BLOBs out of other programs.

use std::io;

use boson_transcode::Encoding;

use super::binary::check_read;
use super::{Part, PartFault, Parts};
use crate::error::ReadFault;
use crate::window::Window;

/// One image a line, or over several where a program has wrapped it: a line that does not begin like an image belongs to
/// the one before, if that begins like an image and is not whole yet. Quotes, a leading `0x`, commas and semicolons around it and blank lines are left out.
pub(super) struct Encoded {
    encoding: Encoding,
    window: Window,
    bytes_max: usize,
    /// The text of the image, from all its lines.
    text: Vec<u8>,
    image: Vec<u8>,
    /// Where the image's first line begins.
    offset: u64,
}

/// Enough text for the header of an image, in whole bytes of either encoding.
const HEAD_TEXT_LEN: usize = 128;

impl Encoded {
    pub(super) const fn new(encoding: Encoding, window: Window, bytes_max: usize) -> Self {
        Self { encoding, window, bytes_max, text: Vec::new(), image: Vec::new(), offset: 0 }
    }

    /// Collects the text of the next image; false when there is none.
    fn collect(&mut self) -> Result<bool, PartFault> {
        self.text.clear();
        // Hexadecimal takes the most: two characters a byte.
        let text_max = self.bytes_max.saturating_mul(2);
        loop {
            let (len, more) = match self.window.line_len(0, text_max) {
                Ok(line) => line,
                Err(error) => return Err(self.failed(error)),
            };
            let line = trim(self.window.available().get(..len).unwrap_or_default());
            if !line.is_empty() && !self.text.is_empty() && (self.begins_image(line) || !self.goes_on()) {
                return Ok(true);
            }
            if self.text.is_empty() {
                self.offset = self.window.offset();
            }
            push_unspaced(&mut self.text, line);
            check_read(self.offset, self.text.len() / 2, self.bytes_max)?;
            self.window.take(len.saturating_add(usize::from(more)));
            if !more {
                return Ok(!self.text.is_empty());
            }
        }
    }

    #[cold]
    fn failed(&self, error: io::Error) -> PartFault {
        let offset = if self.text.is_empty() { self.window.offset() } else { self.offset };
        PartFault::io(offset, error, self.text.len().saturating_add(self.window.available().len()))
    }

    fn begins_image(&self, line: &[u8]) -> bool {
        match self.encoding {
            Encoding::Hex => {
                let digits = line.iter().filter(|byte| !byte.is_ascii_whitespace()).take(6);
                digits.map(u8::to_ascii_lowercase).eq(*b"ff4a5a")
            }
            Encoding::Base64 => line.starts_with(b"/0pa"),
            Encoding::Binary => false,
        }
    }

    /// Whether the text is the beginning of an image that is not whole yet.
    fn goes_on(&self) -> bool {
        if !self.begins_image(&self.text) {
            return false;
        }
        let text = self.text.get(..HEAD_TEXT_LEN).unwrap_or(&self.text);
        let mut head = Vec::with_capacity(HEAD_TEXT_LEN);
        if decode(self.encoding, text, &mut head).is_err() {
            return true;
        }
        let len = match self.encoding {
            Encoding::Base64 => (self.text.len() / 4).saturating_mul(3),
            Encoding::Hex | Encoding::Binary => self.text.len() / 2,
        };
        !matches!(boson_oson::image_len(&head), Ok(Some(image_len)) if image_len <= len)
    }

    const fn encoding_name(&self) -> &'static str {
        match self.encoding {
            Encoding::Hex => "hexadecimal",
            Encoding::Base64 => "base64",
            Encoding::Binary => "binary",
        }
    }
}

impl Parts for Encoded {
    fn advance(&mut self) -> Result<bool, PartFault> {
        if !self.collect()? {
            return Ok(false);
        }
        match decode(self.encoding, &self.text, &mut self.image) {
            Ok(()) => Ok(true),
            Err(what) => {
                let fault = ReadFault::Encoding { encoding: self.encoding_name(), what };
                Err(PartFault { offset: self.offset, fault, more: true })
            }
        }
    }

    fn current(&self) -> Part<'_> {
        Part { bytes: &self.image, offset: self.offset }
    }
}

/// Turns the text into bytes, in place of those that `bytes` held.
fn decode(encoding: Encoding, text: &[u8], bytes: &mut Vec<u8>) -> Result<(), String> {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    bytes.clear();
    match encoding {
        Encoding::Hex => {
            bytes.resize(text.len() / 2, 0);
            hex::decode_to_slice(text, bytes).map_err(|error| error.to_string())
        }
        Encoding::Base64 => STANDARD.decode_vec(text, bytes).map_err(|error| error.to_string()),
        Encoding::Binary => Ok(()),
    }
}

/// Appends `line` without the spaces that some programs write between bytes.
fn push_unspaced(text: &mut Vec<u8>, line: &[u8]) {
    if memchr::memchr2(b' ', b'\t', line).is_none() {
        text.extend_from_slice(line);
    } else {
        text.extend(line.iter().filter(|byte| !byte.is_ascii_whitespace()));
    }
}

/// The line without what is copied along.
fn trim(line: &[u8]) -> &[u8] {
    let mut line = line.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(line);
    while let [first, rest @ ..] = line
        && is_around(*first)
    {
        line = rest;
    }
    while let [rest @ .., last] = line
        && is_around(*last)
    {
        line = rest;
    }
    line.strip_prefix(b"0x").or_else(|| line.strip_prefix(b"0X")).unwrap_or(line)
}

const fn is_around(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b',' | b';')
}
