//! Converting documents: one pass, unchanged bytes copied in runs.

use boson_bson::{Document, Element, Instead, Patch, Rewrite, Rewriter, Step, Tag};
use boson_document::{DecodeError, DecodeErrorKind, Located};

use crate::plan::{Damaged, Lossy, Misfits, Nothing};
use crate::rule::{New, Read, Rule, Scratch, lost_part};
use crate::tally::{Tally, Values};
use crate::tree::{Guesses, ROOT, Rules};

/// The largest document that a server takes.
const DOCUMENT_BYTES_MAX: usize = 16 << 20;

/// Converts documents by the rules of a collection.
#[derive(Debug)]
pub struct Converter<'r> {
    rules: &'r Rules,
    damaged: Damaged,
    rewriter: Rewriter<u32>,
    guesses: Guesses,
    scratch: Scratch,
    companion: String,
    quarantines: bool,
}

/// What became of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Became {
    /// It is as it was.
    Same,
    /// It has new values; see [`Converter::patches`].
    Changed,
    /// It is put aside, and nothing was appended.
    Quarantined,
}

/// Why a document stops the run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConvertFault {
    /// It is damaged.
    #[error("{0}; `damaged = \"keep\"` in the plan copies such documents as they are")]
    Damaged(Located),
    /// A value does not fit, and the plan says to stop then.
    #[error("{path}: {value} does not fit, and the plan says to stop: `misfits = \"fail\"`")]
    Misfit {
        /// The path.
        path: String,
        /// The value, shortened.
        value: String,
    },
    /// It would be larger than a server takes.
    #[error(
        "it would have {bytes} bytes, a server takes {DOCUMENT_BYTES_MAX}: a companion makes it larger, or `misfits = \"null\"`"
    )]
    TooLarge {
        /// How many bytes it would have.
        bytes: usize,
    },
    /// The companion's name is taken.
    #[error("{path}: the document has a field {companion:?} already: choose another name for the companion")]
    CompanionTaken {
        /// The path.
        path: String,
        /// The name.
        companion: String,
    },
}

impl<'r> Converter<'r> {
    /// A converter by `rules`.
    pub fn new(rules: &'r Rules, damaged: Damaged) -> Self {
        Self {
            rules,
            damaged,
            rewriter: Rewriter::default(),
            guesses: Guesses::default(),
            scratch: Scratch::default(),
            companion: String::new(),
            quarantines: rules.rules().iter().any(|rule| rule.misfits == Misfits::Quarantine),
        }
    }

    /// Appends `document` as it is to be to `out`, and counts in `tally`.
    ///
    /// # Errors
    ///
    /// Why the run is to stop; `out` is then as it was.
    pub fn convert(&mut self, document: &[u8], out: &mut Vec<u8>, tally: &mut Tally) -> Result<Became, ConvertFault> {
        let start = out.len();
        let became = self.rewrite(document, out, tally)?;
        let len = out.len().saturating_sub(start);
        if became == Became::Changed && len > DOCUMENT_BYTES_MAX && len > document.len() {
            out.truncate(start);
            return Err(ConvertFault::TooLarge { bytes: len });
        }
        tally.documents += 1;
        tally.bytes_before += document.len() as u64;
        tally.bytes_after += len as u64;
        match became {
            Became::Same => {}
            Became::Changed => tally.changed += 1,
            Became::Quarantined => tally.quarantined += 1,
        }
        Ok(became)
    }

    fn rewrite(&mut self, document: &[u8], out: &mut Vec<u8>, tally: &mut Tally) -> Result<Became, ConvertFault> {
        let view = Document::new(document);
        // What was counted of a document that is put aside does not count.
        let counted = self.quarantines.then(|| tally.values.clone());
        let mut applying = Applying {
            rules: self.rules,
            guesses: &mut self.guesses,
            scratch: &mut self.scratch,
            companion: &mut self.companion,
            values: &mut tally.values,
            stop: None,
            document,
        };
        let outcome = view.and_then(|view| self.rewriter.rewrite(view, ROOT, &mut applying, out));
        match (outcome, applying.stop) {
            (Ok(true), _) => Ok(Became::Changed),
            (Ok(false), _) => Ok(Became::Same),
            (Err(_), Some(Stop::Fault(fault))) => Err(fault),
            (Err(_), Some(Stop::Quarantine)) => {
                keep_counts(tally, counted);
                Ok(Became::Quarantined)
            }
            (Err(error), None) if self.damaged == Damaged::Fail => Err(ConvertFault::Damaged(located(document, error))),
            (Err(_), None) => {
                tally.damaged += 1;
                out.extend_from_slice(document);
                Ok(Became::Same)
            }
        }
    }

    /// Where the document that was converted last differs from what it was.
    pub fn patches(&self) -> &[Patch] {
        self.rewriter.patches()
    }
}

/// Takes back all counts but those of values that do not fit.
fn keep_counts(tally: &mut Tally, counted: Option<Vec<Values>>) {
    for (now, before) in tally.values.iter_mut().zip(counted.into_iter().flatten()) {
        let (misfits, examples) = (now.misfits, std::mem::take(&mut now.examples));
        *now = Values { misfits, examples, ..before };
    }
}

fn located(document: &[u8], error: DecodeError) -> Located {
    error.at(boson_bson::path_at(document, error.offset))
}

/// Why the walk over a document stopped.
enum Stop {
    Fault(ConvertFault),
    Quarantine,
}

/// The rules while they are applied to one document.
struct Applying<'a> {
    rules: &'a Rules,
    guesses: &'a mut Guesses,
    scratch: &'a mut Scratch,
    companion: &'a mut String,
    values: &'a mut [Values],
    stop: Option<Stop>,
    document: &'a [u8],
}

/// What is done with one value.
enum Action {
    Leave,
    Null,
    Write,
}

impl Rewrite for Applying<'_> {
    type Place = u32;

    #[inline]
    fn element(
        &mut self,
        place: u32,
        ordinal: usize,
        element: &Element<'_>,
        instead: &mut Instead<'_>,
    ) -> Result<Step<u32>, DecodeError> {
        // The elements of arrays have one place, whose number says so by its highest bit.
        let found = if place & IN_ARRAY == 0 {
            self.guesses.member(self.rules, place, ordinal, element.name_bytes())
        } else {
            self.rules.elements(place & !IN_ARRAY)
        };
        let Some(child) = found else { return Ok(Step::Leave) };
        let tag = element.value().tag();
        if let Some(rule) = self.rules.rule_at(child, tag)
            && self.apply(rule, element, instead)?
        {
            return Ok(Step::Replace);
        }
        if matches!(tag, Tag::Document | Tag::Array) && self.rules.has_below(child, tag) {
            return Ok(Step::Into(if tag == Tag::Array { child | IN_ARRAY } else { child }));
        }
        Ok(Step::Leave)
    }
}

const IN_ARRAY: u32 = 1 << 31;

impl Applying<'_> {
    /// Converts the value of `element` by a rule; whether it is replaced.
    fn apply(&mut self, place: usize, element: &Element<'_>, instead: &mut Instead<'_>) -> Result<bool, DecodeError> {
        let Some(rule) = self.rules.rules().get(place) else { return Ok(false) };
        let Some(values) = self.values.get_mut(place) else { return Ok(false) };
        let value = element.value();
        let name = element.name_bytes();
        let text = if value.tag() == Tag::String { value.as_str().ok() } else { None };
        let read = match (value.tag(), text) {
            (Tag::String, Some(text)) => rule.read_text(text, self.scratch),
            // Text that is not UTF-8.
            (Tag::String, None) => Read::Misfit,
            (Tag::Document, _) => rule.read_object(value.bytes(), self.scratch),
            _ => rule.read_number(value.scalar()?),
        };
        let (action, new, lost) = match read {
            Read::Fits(new, None) => (Action::Write, Some(new), None),
            Read::Fits(new, Some(lost)) => {
                values.lossy += 1;
                let action = if rule.lossy == Lossy::Keep { Action::Leave } else { Action::Write };
                (action, Some(new), Some(lost))
            }
            Read::Nothing if rule.nothing == Nothing::Null => (Action::Null, None, None),
            Read::Nothing | Read::Misfit => {
                values.note_misfit(|| shown(element));
                (misfit(rule, element, &mut self.stop)?, None, None)
            }
        };
        match (action, new) {
            (Action::Write, Some(new)) => write(name, &new, instead)?,
            (Action::Null, _) => {
                values.nulls += 1;
                instead.put(name, boson_document::Scalar::Null).map_err(|_| stopped())?;
                return Ok(true);
            }
            _ => {
                values.kept += 1;
                return Ok(false);
            }
        }
        values.converted += 1;
        if let (Some(lost), Some(companion), Some(text)) = (lost, &rule.companion, text) {
            if has_sibling(self.document, element, companion) {
                let companion = String::from_utf8_lossy(companion).into_owned();
                self.stop = Some(Stop::Fault(ConvertFault::CompanionTaken { path: rule.path.clone(), companion }));
                return Err(stopped());
            }
            self.companion.clear();
            self.companion.push_str(lost_part(text, lost));
            instead.put(companion, boson_document::Scalar::String(self.companion)).map_err(|_| stopped())?;
            values.companions += 1;
        }
        Ok(true)
    }
}

#[cold]
fn misfit(rule: &Rule, element: &Element<'_>, stop: &mut Option<Stop>) -> Result<Action, DecodeError> {
    *stop = Some(match rule.misfits {
        Misfits::Keep => return Ok(Action::Leave),
        Misfits::Null => return Ok(Action::Null),
        Misfits::Quarantine => Stop::Quarantine,
        Misfits::Fail => Stop::Fault(ConvertFault::Misfit { path: rule.path.clone(), value: shown(element) }),
    });
    Err(stopped())
}

/// Only stops the walk: why is said elsewhere.
#[cold]
const fn stopped() -> DecodeError {
    DecodeError { offset: 0, kind: DecodeErrorKind::InvalidUtf8 }
}

fn write(name: &[u8], new: &New<'_>, instead: &mut Instead<'_>) -> Result<(), DecodeError> {
    let written = match new {
        New::Leaf(scalar) => instead.put(name, *scalar),
        New::Document { bytes, is_array } => {
            instead.put_raw(name, if *is_array { Tag::Array } else { Tag::Document }, bytes)
        }
    };
    written.map_err(|_| stopped())
}

/// Whether the object around `element` has a member called `name`.
#[cold]
fn has_sibling(document: &[u8], element: &Element<'_>, name: &[u8]) -> bool {
    // The innermost container that spans the element.
    let Ok(mut around) = Document::new(document) else { return false };
    loop {
        let mut inner = None;
        let mut found = false;
        for sibling in around.elements().filter_map(Result::ok) {
            found |= sibling.name_bytes() == name;
            let value = sibling.value();
            let span = value.span();
            let holds = span.offset <= element.span().offset && element.span().end() <= span.end();
            if holds && sibling.span() != element.span() {
                inner = value.as_document().ok().or_else(|| value.as_array().ok().map(|array| array.as_document()));
            }
        }
        match inner {
            Some(document) => around = document,
            None => return found,
        }
    }
}

/// How a value is shown to people: its beginning.
fn shown(element: &Element<'_>) -> String {
    const CHARS_MAX: usize = 60;
    let value = element.value();
    match value.as_str() {
        Ok(text) if value.tag() == Tag::String => {
            let short: String = text.chars().take(CHARS_MAX).collect();
            format!("{short:?}")
        }
        _ => format!("{value:?}").chars().take(CHARS_MAX).collect(),
    }
}
