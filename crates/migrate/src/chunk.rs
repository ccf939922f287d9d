//! Some documents after another: as they were, as they are, and where the two differ.

use boson_bson::Patch;
use boson_store::Batch;
use twox_hash::XxHash3_64;

use crate::convert::{Became, ConvertFault, Converter};
use crate::tally::Tally;

/// Converted documents, one after another.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The bytes after.
    pub after: Vec<u8>,
    /// Where before and after differ.
    pub patches: Vec<Patch>,
    /// The documents that were put aside.
    pub quarantine: Vec<u8>,
    /// What became of the documents.
    pub tally: Tally,
}

/// A document that stops the run.
#[derive(Clone, Debug, thiserror::Error)]
#[error("document {}, offset {offset}: {fault}", index.saturating_add(1))]
pub struct DocumentFault {
    /// How many documents come before it.
    pub index: u64,
    /// Where it stands in the stream.
    pub offset: u64,
    /// Why it stops the run.
    pub fault: ConvertFault,
}

impl Chunk {
    /// Converts the documents of `batch`; what the chunk held before is forgotten. `look` is shown each document that is not
    /// put aside: its number in the stream, before, after.
    ///
    /// # Errors
    ///
    /// The first document that stops the run.
    pub fn convert(
        &mut self,
        batch: &Batch,
        converter: &mut Converter<'_>,
        tally: Tally,
        mut look: impl FnMut(u64, &[u8], &[u8]),
    ) -> Result<(), DocumentFault> {
        self.after.clear();
        self.patches.clear();
        self.quarantine.clear();
        self.tally = tally;
        let mut before = 0;
        for document in batch.iter() {
            let after = self.after.len();
            let became = converter.convert(document.bytes, &mut self.after, &mut self.tally);
            let became = became.map_err(|fault| {
                let (index, offset) = (document.index, document.offset);
                DocumentFault { index, offset, fault }
            })?;
            match became {
                Became::Same => {}
                Became::Changed => {
                    let moved = |patch: &Patch| Patch {
                        before: patch.before.start + before..patch.before.end + before,
                        after: patch.after.start + after..patch.after.end + after,
                    };
                    self.patches.extend(converter.patches().iter().map(moved));
                }
                Became::Quarantined => {
                    self.quarantine.extend_from_slice(document.bytes);
                    self.patches.push(Patch { before: before..before + document.bytes.len(), after: after..after });
                }
            }
            if became != Became::Quarantined {
                look(document.index, document.bytes, self.after.get(after..).unwrap_or_default());
            }
            before += document.bytes.len();
        }
        Ok(())
    }
}

/// The hash by which bytes are known again: XXH3 of 64 bits.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}
