//! One thing done in several ways on one set of documents.

use anyhow::Result;

use crate::alternate::{Contender, Plan, Ratio, Timed, alternate};
use crate::goal::Goal;

/// What is measured together.
pub struct Comparison<'a> {
    subject: String,
    set: String,
    /// Whether goals are for this set.
    counts: bool,
    contenders: Vec<Contender<'a>>,
    judgements: Vec<Judgement>,
}

/// A contender of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Place(usize);

struct Judgement {
    goal: Goal,
    ours: Place,
    others: Vec<Place>,
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was done.
    pub subject: String,
    /// With what.
    pub set: String,
    /// Each contender's times.
    pub timed: Vec<Timed>,
    /// What was said of goals.
    pub verdicts: Vec<Verdict>,
}

/// Whether a goal was met on one set.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The goal.
    pub goal: Goal,
    /// What was done.
    pub subject: String,
    /// On what.
    pub set: String,
    /// Whether the goal is for this set.
    pub counts: bool,
    /// The ratio that it is about.
    pub ratio: Ratio,
    /// Which of Boson's ways it is about.
    pub ours: String,
    /// Its median, in nanoseconds.
    pub ours_ns: f64,
    /// The other's.
    pub other_ns: f64,
    /// The fastest of the others, which Boson was compared with.
    pub other: String,
}

impl Verdict {
    /// Whether the goal was met.
    pub fn is_met(&self) -> bool {
        self.goal.bound.is_met(self.ratio)
    }
}

impl<'a> Comparison<'a> {
    /// A comparison of `subject` on `set`, without contenders; goals are not for it unless it `counts`.
    pub fn new(subject: impl Into<String>, set: impl Into<String>, counts: bool) -> Self {
        let (contenders, judgements) = (Vec::new(), Vec::new());
        Self { subject: subject.into(), set: set.into(), counts, contenders, judgements }
    }

    /// Adds a way to do it.
    pub fn add<T>(&mut self, name: impl Into<String>, operation: impl FnMut() -> Result<T> + 'a) -> Place {
        self.push(Contender::new(name, operation))
    }

    /// Adds a way to do it that measures itself.
    pub fn push(&mut self, contender: Contender<'a>) -> Place {
        self.contenders.push(contender);
        Place(self.contenders.len() - 1)
    }

    /// Has `goal` judged by `ours` and the fastest of `others`.
    pub fn judge(&mut self, goal: Goal, ours: Place, others: &[Place]) {
        self.judgements.push(Judgement { goal, ours, others: others.to_vec() });
    }

    /// What it is called while it runs.
    pub fn title(&self) -> String {
        format!("{}, {}", self.set, self.subject)
    }

    /// Measures all contenders by turns.
    ///
    /// # Errors
    ///
    /// What one of them returned.
    pub fn measure(mut self, plan: &Plan) -> Result<Outcome> {
        let timed = alternate(&mut self.contenders, plan)?;
        let verdicts = self.judgements.iter().filter_map(|judgement| self.verdict(judgement, &timed)).collect();
        Ok(Outcome { subject: self.subject, set: self.set, timed, verdicts })
    }

    fn verdict(&self, judgement: &Judgement, timed: &[Timed]) -> Option<Verdict> {
        let ours = &timed[judgement.ours.0];
        let others = judgement.others.iter().map(|place| &timed[place.0]);
        let other = others.min_by(|a, b| a.median_ns().total_cmp(&b.median_ns()))?;
        Some(Verdict {
            goal: judgement.goal,
            subject: self.subject.clone(),
            ours: ours.name.clone(),
            set: self.set.clone(),
            counts: self.counts,
            ratio: judgement.goal.bound.ratio(ours, other),
            ours_ns: ours.median_ns(),
            other_ns: other.median_ns(),
            other: other.name.clone(),
        })
    }
}
