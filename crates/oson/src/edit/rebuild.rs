//! Writing the image anew.

use boson_document::edit::{Buffer, Change, Edit, Reason};
use boson_document::{DecodeError, PathBuf, Segment, Source};

use super::policy::Policy;
use super::rewrite::Rewrite;
use super::room::Rooms;
use super::{EditError, Editor};
use crate::header::Header;
use crate::write::{EncodeError, EncodeErrorKind, Writer};

impl<B: Buffer> Editor<B> {
    /// How many bytes of the image nothing needs any more: what values that moved have left behind, and what belonged to
    /// values that are gone.
    ///
    /// An editor that trusts counts from when it was opened.
    pub const fn slack_len(&self) -> usize {
        let len = self.header.tree_len().saturating_add(self.header.extended_tree_len());
        len.saturating_sub(self.live_len)
    }

    /// Writes the image anew, without slack and update parts, by the options of the editor.
    ///
    /// # Errors
    ///
    /// What is wrong with the image, or why it cannot be written by these options. It is then as it was.
    pub fn compact(&mut self) -> Result<Edit, EditError> {
        self.rebuild(&PathBuf::new(), None, Reason::Compact)
    }

    /// Writes the image anew where `policy` says that it pays.
    ///
    /// # Errors
    ///
    /// As [`compact`](Self::compact).
    pub fn compact_by(&mut self, policy: &Policy) -> Result<Option<Edit>, EditError> {
        let len = self.buffer.as_bytes().len();
        policy.pays(len, self.slack_len()).then(|| self.compact()).transpose()
    }

    /// Writes the image anew with `change` at `path`.
    pub(super) fn rebuild(
        &mut self,
        path: &PathBuf,
        change: Option<&Change<'_>>,
        reason: Reason,
    ) -> Result<Edit, EditError> {
        let mut image = Vec::new();
        self.write_anew(path.segments(), change, &mut image).map_err(|error| self.fault_of(error))?;
        let header = Header::read(image.as_slice()).map_err(|error| EditError::Decode(self.locate_fault(error)))?;
        self.put_image(&image);
        self.header = header;
        self.rooms = Rooms::default();
        self.recount();
        Ok(Edit::Rebuilt { written: image.len(), reason })
    }

    /// Appends the image with `change` to `image`.
    fn write_anew(
        &self,
        steps: &[Segment],
        change: Option<&Change<'_>>,
        image: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        let (mut writer, document) = (Writer::new(&self.options), self.document());
        let source = document.limited(self.options.limits);
        match change {
            None => return writer.write(&source, image),
            Some(Change::Set(new)) if steps.is_empty() => return writer.write(new, image),
            Some(change) => source.drive(&mut Rewrite::new(&mut writer, steps, change))?,
        }
        writer.finish(image)
    }

    fn fault_of(&self, error: EncodeError) -> EditError {
        match error.kind() {
            EncodeErrorKind::Source(fault) => EditError::Decode(self.locate_fault(fault)),
            _ => EditError::Encode(error),
        }
    }

    /// Puts `image` in the place of the one in the buffer.
    fn put_image(&mut self, image: &[u8]) {
        let len = self.buffer.as_bytes().len();
        let (over, behind) = image.split_at_checked(len).unwrap_or((image, &[]));
        self.buffer.truncate(image.len());
        self.buffer.write_at(0, over);
        self.buffer.append(behind);
    }

    /// Finds out about the new image what is known of the old one.
    fn recount(&mut self) {
        self.live_len = self.header.tree_len();
        if !matches!(self.sharing, super::Sharing::Trusted) {
            let counted: Result<(), DecodeError> = self.count();
            debug_assert_eq!(counted, Ok(()), "an image of our own");
        }
    }

    /// The error for a new value that cannot be written, which the writer knows best.
    #[cold]
    pub(super) fn refusal(&self, path: &PathBuf, change: &Change<'_>, kind: EncodeErrorKind) -> EncodeError {
        let (Change::Set(new) | Change::Insert(new) | Change::Push(new)) = change else {
            return EncodeError::new(kind, path.clone());
        };
        let refused = Writer::new(&self.options).write(new, &mut Vec::new()).err();
        let inner = refused.filter(|error| error.kind() == kind).map(|error| error.path().clone()).unwrap_or_default();
        EncodeError::new(kind, path.segments().iter().chain(inner.segments()).cloned().collect())
    }
}
