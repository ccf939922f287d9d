//! Every new value against its original: nothing here is shared with what converted them.

mod compare;
mod value;

use std::path::Path;

use boson_document::DecodeError;
use boson_store::{DocumentReader, ReadError, ReadOptions, Reader, Start};

use crate::run::Job;
pub(crate) use compare::{Comparing, Difference};

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Documents that were compared with their originals.
    pub documents: u64,
    /// Documents that were put aside, and are as they were.
    pub quarantined: u64,
    /// New values that, written back, are the original text or number to the last character.
    pub exact: u64,
    /// New values that are the same value, written otherwise than the original, as the plan accepts.
    pub same: u64,
    /// Values that became null, as the plan says.
    pub nulls: u64,
    /// Companions that hold what their value lost.
    pub companions: u64,
}

impl Verified {
    pub(crate) fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.quarantined += other.quarantined;
        self.exact += other.exact;
        self.same += other.same;
        self.nulls += other.nulls;
        self.companions += other.companions;
    }
}

/// What is not as it should be.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// One of the two could not be read.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// A document is damaged.
    #[error("{name}: document {number}: {error}")]
    Damaged {
        /// The file.
        name: String,
        /// Which, from 1.
        number: u64,
        /// What is wrong.
        error: DecodeError,
    },
    /// Something differs that should not, or differently than it should.
    #[error("{name}: document {number}: {what}")]
    Wrong {
        /// The file.
        name: String,
        /// Which, from 1.
        number: u64,
        /// What differs.
        what: String,
    },
}

/// Compares all documents at `destination` with those of the source of `job`.
///
/// # Errors
///
/// The first difference that the plan does not explain.
pub fn verify(job: &Job, destination: &Path, quarantine: Option<&Path>) -> Result<Verified, VerifyError> {
    let mut verified = Verified::default();
    for stream in &job.streams {
        let place = |root: &Path| if stream.path.is_empty() { root.to_owned() } else { root.join(&stream.path) };
        let options = ReadOptions { recover: job.recover, ..ReadOptions::default() };
        let open = |path: &Path| DocumentReader::resume(path, &options, Start::default());
        let aside =
            quarantine.map(|root| if job.is_folder { root.join(uncompressed(&stream.path)) } else { root.to_owned() });
        let aside = aside.filter(|path| path.is_file());
        let mut verifying = Verifying {
            name: place(destination).display().to_string(),
            after: open(&place(destination))?,
            aside: aside.as_deref().map(open).transpose()?,
            next_aside: Vec::new(),
            comparing: Comparing::new(&stream.rules),
            number: 0,
        };
        verifying.run(&mut open(&job.path(&stream.path))?)?;
        verified.add(&verifying.comparing.verified);
    }
    Ok(verified)
}

fn uncompressed(path: &str) -> &str {
    [".gz", ".zst"].iter().find_map(|extension| path.strip_suffix(extension)).unwrap_or(path)
}

struct Verifying<'a> {
    name: String,
    after: DocumentReader,
    aside: Option<DocumentReader>,
    /// The document that was put aside next; empty when there is none.
    next_aside: Vec<u8>,
    comparing: Comparing<'a>,
    /// Of the document in the source, from 1.
    number: u64,
}

impl Verifying<'_> {
    fn run(&mut self, before: &mut DocumentReader) -> Result<(), VerifyError> {
        self.fetch_aside()?;
        while let Some(document) = before.next_document()? {
            self.number += 1;
            if !self.next_aside.is_empty() && self.next_aside == document.bytes {
                self.comparing.verified.quarantined += 1;
                self.fetch_aside()?;
                continue;
            }
            let Some(after) = self.after.next_document()?.map(|after| after.bytes.to_vec()) else {
                return Err(self.wrong("it is missing".to_owned()));
            };
            self.compare(document.bytes, &after)?;
            self.comparing.verified.documents += 1;
        }
        self.number += 1;
        if self.after.next_document()?.is_some() || !self.next_aside.is_empty() {
            return Err(self.wrong("there is no such document in the source".to_owned()));
        }
        Ok(())
    }

    fn fetch_aside(&mut self) -> Result<(), VerifyError> {
        self.next_aside.clear();
        if let Some(aside) = &mut self.aside
            && let Some(document) = aside.next_document()?
        {
            self.next_aside.extend_from_slice(document.bytes);
        }
        Ok(())
    }

    #[cold]
    fn wrong(&self, what: String) -> VerifyError {
        VerifyError::Wrong { name: self.name.clone(), number: self.number, what }
    }

    fn compare(&mut self, before: &[u8], after: &[u8]) -> Result<(), VerifyError> {
        let (name, number) = (&self.name, self.number);
        self.comparing.document(before, after).map_err(|difference| match difference {
            Difference::Damaged(error) => VerifyError::Damaged { name: name.clone(), number, error },
            Difference::Wrong(what) => VerifyError::Wrong { name: name.clone(), number, what },
        })
    }
}
