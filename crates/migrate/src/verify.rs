//! Every new value against its original: nothing here is shared with what converted them.

mod value;

use std::path::Path;

use boson_bson::{Document, Element, Tag};
use boson_document::DecodeError;
use boson_store::{DocumentReader, ReadError, ReadOptions, Reader, Start};

use crate::run::{Job, StreamJob};
use crate::tree::{Guesses, ROOT};
use value::{Verdict, judge};

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
            stream,
            name: place(destination).display().to_string(),
            after: open(&place(destination))?,
            aside: aside.as_deref().map(open).transpose()?,
            next_aside: Vec::new(),
            guesses: Guesses::default(),
            verified: &mut verified,
            number: 0,
        };
        verifying.run(&mut open(&job.path(&stream.path))?)?;
    }
    Ok(verified)
}

fn uncompressed(path: &str) -> &str {
    [".gz", ".zst"].iter().find_map(|extension| path.strip_suffix(extension)).unwrap_or(path)
}

struct Verifying<'a> {
    stream: &'a StreamJob,
    name: String,
    after: DocumentReader,
    aside: Option<DocumentReader>,
    /// The document that was put aside next; empty when there is none.
    next_aside: Vec<u8>,
    guesses: Guesses,
    verified: &'a mut Verified,
    /// Of the document in the source, from 1.
    number: u64,
}

impl Verifying<'_> {
    fn run(&mut self, before: &mut DocumentReader) -> Result<(), VerifyError> {
        self.fetch_aside()?;
        while let Some(document) = before.next_document()? {
            self.number += 1;
            if !self.next_aside.is_empty() && self.next_aside == document.bytes {
                self.verified.quarantined += 1;
                self.fetch_aside()?;
                continue;
            }
            let Some(after) = self.after.next_document()?.map(|after| after.bytes.to_vec()) else {
                return Err(self.wrong("it is missing".to_owned()));
            };
            self.document(document.bytes, &after)?;
            self.verified.documents += 1;
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

    #[cold]
    fn damaged(&self, error: DecodeError) -> VerifyError {
        VerifyError::Damaged { name: self.name.clone(), number: self.number, error }
    }

    fn document(&mut self, before: &[u8], after: &[u8]) -> Result<(), VerifyError> {
        if before == after {
            return Ok(());
        }
        let view = |bytes| Document::new(bytes);
        let (before, after) = match (view(before), view(after)) {
            (Ok(before), Ok(after)) => (before, after),
            (Err(error), _) | (_, Err(error)) => return Err(self.damaged(error)),
        };
        let mut open = vec![(before, after, ROOT, false)];
        while let Some((before, after, place, in_array)) = open.pop() {
            let mut others = after.elements();
            for (ordinal, element) in before.elements().enumerate() {
                let element = element.map_err(|error| self.damaged(error))?;
                let other = others.next().transpose().map_err(|error| self.damaged(error))?;
                let other = other.filter(|other| other.name_bytes() == element.name_bytes());
                let other =
                    other.ok_or_else(|| self.wrong(format!("the field {:?} is missing", element.name_lossy())))?;
                let child = if in_array {
                    self.stream.rules.elements(place)
                } else {
                    self.guesses.member(&self.stream.rules, place, ordinal, element.name_bytes())
                };
                let (value, new) = (element.value(), other.value());
                if value.tag() == new.tag() && value.bytes() == new.bytes() {
                    continue;
                }
                let Some(child) = child else { return Err(self.changed(&element)) };
                if let Some(companion) = self.converted(child, &element, &other)? {
                    let kept = others.next().transpose().map_err(|error| self.damaged(error))?;
                    self.companion(&companion, kept.as_ref(), &element)?;
                    continue;
                }
                if value.tag() == new.tag()
                    && let Some((before, after)) = inner(&element, &other)
                    && self.stream.rules.has_below(child, value.tag())
                {
                    open.push((before, after, child, value.tag() == Tag::Array));
                } else if self.stream.rules.rule_at(child, value.tag()).is_none() {
                    return Err(self.changed(&element));
                }
            }
            if others.next().is_some() {
                return Err(self.wrong("there is a field that was not there".to_owned()));
            }
        }
        Ok(())
    }

    #[cold]
    fn changed(&self, element: &Element<'_>) -> VerifyError {
        self.wrong(format!("the field {:?} differs, and the plan does not touch it", element.name_lossy()))
    }

    /// Checks a value that a rule may have changed; the name and the content of the companion that must follow.
    fn converted(
        &mut self,
        place: u32,
        element: &Element<'_>,
        other: &Element<'_>,
    ) -> Result<Option<(Vec<u8>, String)>, VerifyError> {
        let Some(rule) = self.stream.rules.rule_at(place, element.value().tag()) else { return Ok(None) };
        let Some(rule) = self.stream.rules.rules().get(rule) else { return Ok(None) };
        match judge(rule, &element.value(), &other.value()) {
            Verdict::Exact => self.verified.exact += 1,
            Verdict::Null => self.verified.nulls += 1,
            Verdict::Same(lost) => {
                self.verified.same += 1;
                if let (Some(companion), Some(lost)) = (&rule.companion, lost) {
                    return Ok(Some((companion.clone(), lost)));
                }
            }
            Verdict::Inside => {}
            Verdict::Wrong(what) => return Err(self.wrong(format!("{}: {what}", rule.path))),
        }
        Ok(None)
    }

    fn companion(
        &mut self,
        (name, text): &(Vec<u8>, String),
        kept: Option<&Element<'_>>,
        element: &Element<'_>,
    ) -> Result<(), VerifyError> {
        let kept = kept.filter(|kept| kept.name_bytes() == *name);
        let holds = kept
            .and_then(|kept| kept.value().as_str().ok())
            .is_some_and(|kept| text.ends_with(kept) && !kept.is_empty());
        if !holds {
            return Err(self.wrong(format!("the companion of {:?} does not hold what it lost", element.name_lossy())));
        }
        self.verified.companions += 1;
        Ok(())
    }
}

/// The documents in two elements that are documents or arrays.
fn inner<'a>(one: &Element<'a>, other: &Element<'a>) -> Option<(Document<'a>, Document<'a>)> {
    let of = |element: &Element<'a>| match element.value().tag() {
        Tag::Document => element.value().as_document().ok(),
        Tag::Array => element.value().as_array().ok().map(|array| array.as_document()),
        _ => None,
    };
    Some((of(one)?, of(other)?))
}
