//! Measuring several operations by turns, so that what slows the machine down slows all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use cpu_time::ThreadTime;

/// How often everything is run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Rounds; in each, every contender has its turn.
    pub rounds: usize,
    /// How long a contender's turn is at least.
    pub turn: Duration,
    /// After so long there are no more rounds than [`ROUNDS_MIN`].
    pub time: Duration,
}

/// Rounds that there are however long they take.
pub const ROUNDS_MIN: usize = 5;

/// Runs its operation so many times and says how long that took.
type Turn<'a> = dyn FnMut(u64) -> Result<Duration> + 'a;

/// One of those that are measured by turns.
pub struct Contender<'a> {
    name: String,
    turn: Box<Turn<'a>>,
}

impl<'a> Contender<'a> {
    /// A contender whose operation is `operation`. What it returns is dropped again, which counts as part of it.
    pub fn new<T>(name: impl Into<String>, mut operation: impl FnMut() -> Result<T> + 'a) -> Self {
        Self::timed(name, move |iterations| {
            // The time that this thread ran: what it waited for its turn on a busy machine is not the operation's.
            let start = ThreadTime::now();
            for _ in 0..iterations {
                black_box(operation()?);
            }
            Ok(start.elapsed())
        })
    }

    /// A contender that measures its turn itself.
    pub fn timed(name: impl Into<String>, turn: impl FnMut(u64) -> Result<Duration> + 'a) -> Self {
        Self { name: name.into(), turn: Box::new(turn) }
    }
}

/// What came of one contender.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The contender's name.
    pub name: String,
    /// Nanoseconds for one operation in each round, in the order of the rounds.
    pub round_ns: Vec<f64>,
}

impl Timed {
    /// Nanoseconds for one operation in the median round.
    pub fn median_ns(&self) -> f64 {
        median(&self.round_ns)
    }
}

/// A ratio of two contenders: that of each round, of which these are the middle one and the two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The median of the rounds.
    pub median: f64,
    /// The lowest round.
    pub low: f64,
    /// The highest round.
    pub high: f64,
}

impl Ratio {
    /// How many times the time of `b` that of `a` is.
    pub fn of(a: &Timed, b: &Timed) -> Self {
        let rounds: Vec<f64> = a.round_ns.iter().zip(&b.round_ns).map(|(a, b)| a / b).collect();
        Self {
            median: median(&rounds),
            low: rounds.iter().copied().fold(f64::INFINITY, f64::min),
            high: rounds.iter().copied().fold(0.0, f64::max),
        }
    }
}

/// Measures all of `contenders` by turns; another one begins in each round.
///
/// # Errors
///
/// What one of them returned.
pub fn alternate(contenders: &mut [Contender<'_>], plan: &Plan) -> Result<Vec<Timed>> {
    let mut timed = Vec::new();
    let mut iterations = Vec::new();
    for contender in &mut *contenders {
        iterations.push(contender.calibrate(plan.turn).with_context(|| contender.name.clone())?);
        timed.push(Timed { name: contender.name.clone(), round_ns: Vec::new() });
    }
    let start = Instant::now();
    for round in 0..plan.rounds.max(ROUNDS_MIN) {
        if round >= ROUNDS_MIN && start.elapsed() > plan.time {
            break;
        }
        for place in 0..contenders.len() {
            let place = (place + round) % contenders.len();
            let took = (contenders[place].turn)(iterations[place])?;
            timed[place].round_ns.push(took.as_secs_f64() * 1e9 / real(iterations[place]));
        }
    }
    Ok(timed)
}

impl Contender<'_> {
    /// How many operations a turn has, so that it takes `turn` at least. This warms up as well.
    fn calibrate(&mut self, turn: Duration) -> Result<u64> {
        let mut iterations = 1_u64;
        loop {
            let took = (self.turn)(iterations)?;
            if took >= turn || iterations >= 1 << 32 {
                return Ok(iterations);
            }
            // Twice as many at least; as many as are needed and some more, when there is something to judge by.
            let needed = turn.as_secs_f64() / took.as_secs_f64().max(1e-7) * 1.1;
            iterations = iterations.saturating_mul(2).max(whole(real(iterations) * needed.min(100.0)));
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of operations are far below 2^53")]
fn real(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive number below 2^40")]
fn whole(number: f64) -> u64 {
    number.ceil() as u64
}

/// The middle one; of an even number the mean of the two in the middle.
fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn a_ratio_is_of_rounds_and_not_of_medians() {
        let timed = |round_ns: &[f64]| Timed { name: String::new(), round_ns: round_ns.to_vec() };
        // The machine was four times slower in the second round: both were.
        let ratio = Ratio::of(&timed(&[20.0, 80.0, 22.0]), &timed(&[10.0, 40.0, 10.0]));
        assert_eq!(ratio, Ratio { median: 2.0, low: 2.0, high: 2.2 });
        assert!((timed(&[4.0, 1.0, 3.0, 2.0]).median_ns() - 2.5).abs() < 1e-9);
    }

    #[test]
    fn contenders_take_turns() {
        let turns = RefCell::new(String::new());
        let contender = |name: &'static str| {
            let turns = &turns;
            Contender::timed(name, move |_| {
                turns.borrow_mut().push_str(name);
                Ok(Duration::from_secs(1))
            })
        };
        let plan = Plan { rounds: 9, turn: Duration::from_millis(1), time: Duration::ZERO };
        let timed = alternate(&mut [contender("a"), contender("b")], &plan).unwrap();
        // Once each to calibrate.
        assert_eq!(turns.into_inner(), "ab ab ba ab ba ab".replace(' ', ""));
        assert_eq!(timed[1].round_ns, [1e9; ROUNDS_MIN]);
    }
}
