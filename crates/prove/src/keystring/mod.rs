//! KeyString: the form of index keys, in which comparing bytes compares values as MongoDB does.
//!
//! Version 1, ascending, as the server's public sources have it. Numbers of all types share one order, so what type a number
//! has is kept beside the key, in the type bits. Two things are put together from fewer bytes than the server's, at equal
//! length: a document inside a key, and the last digits of a decimal that no double is close to.

mod number;

use boson_bson::Value;
use boson_document::{DecodeError, Scalar};

use number::append_number;

/// Ends the values of a key.
const END: u8 = 4;

/// First bytes of values.
mod class {
    pub(super) const MIN_KEY: u8 = 10;
    pub(super) const UNDEFINED: u8 = 15;
    pub(super) const NULL: u8 = 20;
    pub(super) const STRING: u8 = 60;
    pub(super) const OBJECT: u8 = 70;
    pub(super) const ARRAY: u8 = 80;
    pub(super) const BINARY: u8 = 90;
    pub(super) const OBJECT_ID: u8 = 100;
    pub(super) const FALSE: u8 = 110;
    pub(super) const TRUE: u8 = 111;
    pub(super) const DATE: u8 = 120;
    pub(super) const TIMESTAMP: u8 = 130;
    pub(super) const REGEX: u8 = 140;
    pub(super) const DB_POINTER: u8 = 150;
    pub(super) const CODE: u8 = 160;
    pub(super) const CODE_WITH_SCOPE: u8 = 170;
    pub(super) const MAX_KEY: u8 = 240;
}

/// A key while it is put together; reused for the next one.
#[derive(Clone, Debug, Default)]
pub struct KeyString {
    bytes: Vec<u8>,
    type_bits: u64,
    has_types: bool,
}

impl KeyString {
    /// Starts another key.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.type_bits = 0;
        self.has_types = false;
    }

    /// The key's bytes so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends a value, or what a document without the field counts as.
    pub fn append(&mut self, value: Option<&Value<'_>>) -> Result<(), DecodeError> {
        let Some(value) = value else {
            self.bytes.push(class::NULL);
            return Ok(());
        };
        if let Ok(scalar) = value.scalar() {
            self.append_scalar(scalar);
            return Ok(());
        }
        self.append_container(value);
        Ok(())
    }

    /// Ends the values.
    pub fn end(&mut self) {
        self.bytes.push(END);
    }

    /// Appends the record id, which tells the entries of equal values apart.
    pub fn append_record_id(&mut self, id: u64) {
        let bits = 64 - id.leading_zeros();
        let extra = bits.saturating_sub(10).div_ceil(8);
        let bytes = (id << 3).to_be_bytes();
        let len = usize::try_from(extra).unwrap_or(bytes.len()) + 2;
        let start = self.bytes.len();
        self.bytes.extend(bytes.iter().skip(bytes.len().saturating_sub(len)));
        let count = u8::try_from(extra).unwrap_or_default();
        if let Some(first) = self.bytes.get_mut(start) {
            *first |= count << 5;
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= count;
        }
    }

    /// Bytes of the type bits as they are stored: none where all are zero.
    pub fn type_bits_len(&self) -> u64 {
        match self.type_bits {
            _ if !self.has_types => 0,
            ..=7 => 1,
            bits => 1 + bits.div_ceil(8),
        }
    }

    fn type_bits(&mut self, count: u64, is_zero: bool) {
        self.type_bits += count;
        self.has_types |= !is_zero;
    }

    fn append_scalar(&mut self, scalar: Scalar<'_>) {
        match scalar {
            Scalar::MinKey => self.bytes.push(class::MIN_KEY),
            Scalar::MaxKey => self.bytes.push(class::MAX_KEY),
            Scalar::Undefined => self.bytes.push(class::UNDEFINED),
            Scalar::Null => self.bytes.push(class::NULL),
            Scalar::Bool(value) => self.bytes.push(if value { class::TRUE } else { class::FALSE }),
            Scalar::String(text) => self.append_text(text, true),
            Scalar::Symbol(text) => self.append_text(text, false),
            Scalar::Code(text) => {
                self.bytes.push(class::CODE);
                self.append_terminated(text.as_bytes());
            }
            Scalar::ObjectId(id) => {
                self.bytes.push(class::OBJECT_ID);
                self.bytes.extend(id.0);
            }
            Scalar::DateTime(millis) => {
                self.bytes.push(class::DATE);
                self.bytes.extend((millis.cast_unsigned() ^ (1 << 63)).to_be_bytes());
            }
            Scalar::Timestamp { time, increment } => {
                self.bytes.push(class::TIMESTAMP);
                self.bytes.extend(time.to_be_bytes());
                self.bytes.extend(increment.to_be_bytes());
            }
            Scalar::Binary { subtype, bytes } => self.append_binary(subtype, bytes),
            Scalar::Regex(regex) => {
                self.bytes.push(class::REGEX);
                self.append_terminated(regex.pattern().as_bytes());
                self.append_terminated(regex.options().as_bytes());
            }
            Scalar::DbPointer(pointer) => {
                self.bytes.push(class::DB_POINTER);
                self.bytes.extend(pointer.as_bytes());
            }
            number => append_number(self, number),
        }
    }

    fn append_text(&mut self, text: &str, is_string: bool) {
        self.type_bits(1, is_string);
        self.bytes.push(class::STRING);
        self.append_terminated(text.as_bytes());
    }

    /// A NUL inside is followed by 0xFF, so that the one that ends it sorts first.
    fn append_terminated(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.bytes.push(*byte);
            if *byte == 0 {
                self.bytes.push(0xff);
            }
        }
        self.bytes.push(0);
    }

    fn append_binary(&mut self, subtype: u8, bytes: &[u8]) {
        self.bytes.push(class::BINARY);
        match u8::try_from(bytes.len()) {
            Ok(len) if len < 0xff => self.bytes.push(len),
            _ => {
                self.bytes.push(0xff);
                self.bytes.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
            }
        }
        self.bytes.push(subtype);
        self.bytes.extend(bytes);
    }

    /// A document or an array as a value: its elements without the length that BSON puts before them.
    fn append_container(&mut self, value: &Value<'_>) {
        let class = match value.kind() {
            boson_document::Kind::Object => class::OBJECT,
            boson_document::Kind::Array => class::ARRAY,
            _ => class::CODE_WITH_SCOPE,
        };
        self.bytes.push(class);
        self.bytes.extend(value.bytes().iter().skip(4));
    }
}
