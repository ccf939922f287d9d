//! A document beside its original, element by element.

use boson_bson::{Document, Element, Tag};
use boson_document::DecodeError;

use super::Verified;
use super::value::{Verdict, judge};
use crate::tree::{Guesses, ROOT, Rules};

/// What is not as it should be.
#[derive(Clone, Debug)]
pub(crate) enum Difference {
    /// One of the two is damaged.
    Damaged(DecodeError),
    /// Something differs that should not, or differently than it should.
    Wrong(String),
}

impl From<DecodeError> for Difference {
    fn from(error: DecodeError) -> Self {
        Self::Damaged(error)
    }
}

/// Compares documents with their originals.
pub(crate) struct Comparing<'r> {
    rules: &'r Rules,
    guesses: Guesses,
    /// What was checked so far.
    pub(crate) verified: Verified,
}

impl<'r> Comparing<'r> {
    pub(crate) fn new(rules: &'r Rules) -> Self {
        Self { rules, guesses: Guesses::default(), verified: Verified::default() }
    }

    /// Compares a document with its original.
    pub(crate) fn document(&mut self, before: &[u8], after: &[u8]) -> Result<(), Difference> {
        if before == after {
            return Ok(());
        }
        let view = |bytes| Document::new(bytes);
        let (before, after) = match (view(before), view(after)) {
            (Ok(before), Ok(after)) => (before, after),
            (Err(error), _) | (_, Err(error)) => return Err(Difference::Damaged(error)),
        };
        let mut open = vec![(before, after, ROOT, false)];
        while let Some((before, after, place, in_array)) = open.pop() {
            let mut others = after.elements();
            for (ordinal, element) in before.elements().enumerate() {
                let element = element?;
                let other = others.next().transpose()?;
                let other = other.filter(|other| other.name_bytes() == element.name_bytes());
                let other = other.ok_or_else(|| wrong(format!("the field {:?} is missing", element.name_lossy())))?;
                let child = if in_array {
                    self.rules.elements(place)
                } else {
                    self.guesses.member(self.rules, place, ordinal, element.name_bytes())
                };
                let (value, new) = (element.value(), other.value());
                if value.tag() == new.tag() && value.bytes() == new.bytes() {
                    continue;
                }
                let Some(child) = child else { return Err(changed(&element)) };
                if let Some(companion) = self.converted(child, &element, &other)? {
                    let kept = others.next().transpose()?;
                    self.companion(&companion, kept.as_ref(), &element)?;
                    continue;
                }
                if value.tag() == new.tag()
                    && let Some((before, after)) = inner(&element, &other)
                    && self.rules.has_below(child, value.tag())
                {
                    open.push((before, after, child, value.tag() == Tag::Array));
                } else if self.rules.rule_at(child, value.tag()).is_none() {
                    return Err(changed(&element));
                }
            }
            if others.next().is_some() {
                return Err(wrong("there is a field that was not there".to_owned()));
            }
        }
        Ok(())
    }

    /// Checks a value that a rule may have changed; the name and the content of the companion that must follow.
    fn converted(
        &mut self,
        place: u32,
        element: &Element<'_>,
        other: &Element<'_>,
    ) -> Result<Option<(Vec<u8>, String)>, Difference> {
        let Some(rule) = self.rules.rule_at(place, element.value().tag()) else { return Ok(None) };
        let Some(rule) = self.rules.rules().get(rule) else { return Ok(None) };
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
            Verdict::Wrong(what) => return Err(wrong(format!("{}: {what}", rule.path))),
        }
        Ok(None)
    }

    fn companion(
        &mut self,
        (name, text): &(Vec<u8>, String),
        kept: Option<&Element<'_>>,
        element: &Element<'_>,
    ) -> Result<(), Difference> {
        let kept = kept.filter(|kept| kept.name_bytes() == *name);
        let holds = kept
            .and_then(|kept| kept.value().as_str().ok())
            .is_some_and(|kept| text.ends_with(kept) && !kept.is_empty());
        if !holds {
            return Err(wrong(format!("the companion of {:?} does not hold what it lost", element.name_lossy())));
        }
        self.verified.companions += 1;
        Ok(())
    }
}

#[cold]
const fn wrong(what: String) -> Difference {
    Difference::Wrong(what)
}

#[cold]
fn changed(element: &Element<'_>) -> Difference {
    wrong(format!("the field {:?} differs, and the plan does not touch it", element.name_lossy()))
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
