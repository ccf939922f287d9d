//! Commands that hold many documents, put together as bytes.

use boson_bson::Tag;
use mongodb::bson::RawDocumentBuf;

use crate::error::LiveErrorKind;

/// A document while it is written. What is open is closed in the order of its opening, the last first.
#[derive(Debug)]
pub(crate) struct Command {
    bytes: Vec<u8>,
    open: Vec<usize>,
}

impl Command {
    /// A command that begins with this member, as all do.
    pub(crate) fn new(name: &str, value: &str) -> Self {
        let mut this = Self::empty();
        this.text(name, value);
        this
    }

    /// The same for commands that are told by a number.
    pub(crate) fn numbered(name: &str, value: i32) -> Self {
        let mut this = Self::empty();
        this.int(name, value);
        this
    }

    fn empty() -> Self {
        Self { bytes: vec![0; 4], open: vec![0] }
    }

    fn head(&mut self, tag: Tag, name: &str) {
        self.bytes.push(tag.byte());
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(0);
    }

    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.head(Tag::String, name);
        let len = u32::try_from(value.len() + 1).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(&len.to_le_bytes());
        self.bytes.extend_from_slice(value.as_bytes());
        self.bytes.push(0);
    }

    pub(crate) fn int(&mut self, name: &str, value: i32) {
        self.head(Tag::Int32, name);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn long(&mut self, name: &str, value: i64) {
        self.head(Tag::Int64, name);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn flag(&mut self, name: &str, value: bool) {
        self.head(Tag::Bool, name);
        self.bytes.push(u8::from(value));
    }

    /// A value as its bytes.
    pub(crate) fn raw(&mut self, name: &str, tag: Tag, value: &[u8]) {
        self.head(tag, name);
        self.bytes.extend_from_slice(value);
    }

    /// Opens an object or an array.
    pub(crate) fn open(&mut self, name: &str, tag: Tag) {
        self.head(tag, name);
        self.open.push(self.bytes.len());
        self.bytes.extend_from_slice(&[0; 4]);
    }

    /// Closes what was opened last.
    pub(crate) fn close(&mut self) {
        let Some(start) = self.open.pop() else { return };
        self.bytes.push(0);
        let len = u32::try_from(self.bytes.len() - start).unwrap_or(u32::MAX);
        if let Some(place) = self.bytes.get_mut(start..start + 4) {
            place.copy_from_slice(&len.to_le_bytes());
        }
    }

    /// The whole command.
    pub(crate) fn finish(mut self) -> Result<RawDocumentBuf, (LiveErrorKind, String)> {
        while !self.open.is_empty() {
            self.close();
        }
        RawDocumentBuf::from_bytes(self.bytes).map_err(|error| (LiveErrorKind::Answer, error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boson_testkit::hex;

    #[test]
    fn lengths_are_filled_in_when_they_are_known() {
        let mut command = Command::numbered("a", 1);
        command.open("l", Tag::Array);
        command.flag("0", true);
        command.close();
        let bytes = command.finish().unwrap().into_bytes();
        // By the specification: a document of an int32 and of an array of one boolean.
        let expected = ["18000000", "10 6100 01000000", "04 6c00 09000000", "08 3000 01", "00", "00"];
        assert_eq!(hex(bytes), expected.concat().replace(' ', ""));
    }
}
