//! Running an operation often enough to say how long it takes.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::allocations::{self, Allocated};
use crate::numbers::real;

/// How often an operation is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Rounds before those that count.
    pub warmup: u32,
    /// Rounds that count; at least 1.
    pub rounds: u32,
    /// Operations in each round.
    pub iterations: Iterations,
}

/// How many operations a round has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterations {
    /// So many, at least 1.
    Exactly(u64),
    /// So many that a round takes at least this long.
    For(Duration),
}

impl Default for Plan {
    /// One round to warm up, five that count, of 20 ms at least.
    fn default() -> Self {
        Self { warmup: 1, rounds: 5, iterations: Iterations::For(Duration::from_millis(20)) }
    }
}

impl Plan {
    /// The plan in words, for the report.
    pub fn describe(&self) -> String {
        let iterations = match self.iterations {
            Iterations::Exactly(count) => format!("{count} operations"),
            Iterations::For(time) => format!("at least {} ms", time.as_millis()),
        };
        format!("{} rounds of {iterations} each, after {} to warm up", self.rounds.max(1), self.warmup)
    }
}

/// How long an operation took, and what it allocated.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Nanoseconds for one operation in each round, ascending; never empty.
    round_ns: Vec<f64>,
    iterations: u64,
    allocated: Option<Allocated>,
}

impl Measurement {
    /// A measurement of rounds that took `round_ns` for each of their `iterations` operations.
    pub fn new(mut round_ns: Vec<f64>, iterations: u64, allocated: Option<Allocated>) -> Self {
        round_ns.sort_by(f64::total_cmp);
        Self { round_ns, iterations, allocated }
    }

    /// Rounds that counted.
    pub fn rounds(&self) -> usize {
        self.round_ns.len()
    }

    /// Operations in each round.
    pub const fn iterations(&self) -> u64 {
        self.iterations
    }

    /// What one operation allocated; `None` where nobody counted.
    pub const fn allocated(&self) -> Option<Allocated> {
        self.allocated
    }

    /// Nanoseconds for one operation in the median round; of an even number the mean of the two in the middle.
    pub fn median_ns(&self) -> f64 {
        let middle = self.round_ns.len() / 2;
        let upper = self.round_ns.get(middle).copied().unwrap_or_default();
        if self.round_ns.len() % 2 == 1 {
            return upper;
        }
        let lower = self.round_ns.get(middle.saturating_sub(1)).copied().unwrap_or_default();
        f64::midpoint(lower, upper)
    }

    /// Nanoseconds for one operation in the fastest round.
    pub fn low_ns(&self) -> f64 {
        self.round_ns.first().copied().unwrap_or_default()
    }

    /// Nanoseconds for one operation in the slowest round.
    pub fn high_ns(&self) -> f64 {
        self.round_ns.last().copied().unwrap_or_default()
    }

    /// From the fastest round to the slowest, in percent of the median.
    pub fn spread_percent(&self) -> f64 {
        let median = self.median_ns();
        if median > 0.0 { 100.0 * (self.high_ns() - self.low_ns()) / median } else { 0.0 }
    }

    /// The mean of the rounds in nanoseconds for one operation.
    pub fn mean_ns(&self) -> f64 {
        self.round_ns.iter().sum::<f64>() / self.count()
    }

    /// Half the width of the 99.9 % confidence interval of the mean by Student's distribution, in nanoseconds; `None` of
    /// a single round.
    pub fn error_ns(&self) -> Option<f64> {
        let freedom = self.round_ns.len().checked_sub(1).filter(|&freedom| freedom > 0)?;
        let mean = self.mean_ns();
        let squares: f64 = self.round_ns.iter().map(|ns| (ns - mean).powi(2)).sum();
        let deviation = (squares / (self.count() - 1.0)).sqrt();
        let quantile = STUDENT.get(freedom - 1).copied().unwrap_or(STUDENT_BEYOND);
        Some(quantile * deviation / self.count().sqrt())
    }

    fn count(&self) -> f64 {
        real(crate::numbers::count(self.round_ns.len()))
    }
}

/// The quantile 0.9995 of Student's distribution with 1, 2, … 30 degrees of freedom.
const STUDENT: [f64; 30] = [
    636.619, 31.599, 12.924, 8.610, 6.869, 5.959, 5.408, 5.041, 4.781, 4.587, 4.437, 4.318, 4.221, 4.140, 4.073, 4.015,
    3.965, 3.922, 3.883, 3.850, 3.819, 3.792, 3.768, 3.745, 3.725, 3.707, 3.690, 3.674, 3.659, 3.646,
];
/// The same with 31 and more, where the last of the table is on the safe side.
const STUDENT_BEYOND: f64 = 3.646;

/// Runs `operation` as `plan` says. What it returns is dropped again, which counts as part of it.
///
/// # Errors
///
/// What the operation returned, when it failed.
pub fn measure<T, E>(plan: &Plan, mut operation: impl FnMut() -> Result<T, E>) -> Result<Measurement, E> {
    black_box(operation()?);
    let iterations = match plan.iterations {
        Iterations::Exactly(count) => count.max(1),
        Iterations::For(time) => calibrate(time, &mut operation)?,
    };
    for _ in 0..plan.warmup {
        round(iterations, &mut operation)?;
    }
    let rounds = (0..plan.rounds.max(1)).map(|_| {
        let time = round(iterations, &mut operation)?;
        Ok(time.as_secs_f64() * 1e9 / real(iterations))
    });
    let round_ns = rounds.collect::<Result<Vec<_>, E>>()?;
    let (result, allocated) = allocations::of(|| operation().map(|result| drop(black_box(result))));
    result?;
    Ok(Measurement::new(round_ns, iterations, allocated))
}

/// Runs `operation` as `plan` says, each time on what `prepare` makes of `state` before the clock runs. Each operation is
/// timed alone; a round takes as long as the plan says with the time of preparing.
///
/// # Errors
///
/// What the operation returned, when it failed.
pub fn measure_prepared<S, T, E>(
    plan: &Plan,
    state: &mut S,
    mut prepare: impl FnMut(&mut S),
    mut operation: impl FnMut(&mut S) -> Result<T, E>,
) -> Result<Measurement, E> {
    let mut timed = Duration::ZERO;
    let mut once = |timed: &mut Duration| {
        prepare(state);
        let start = Instant::now();
        black_box(operation(state)?);
        *timed += start.elapsed();
        Ok(())
    };
    once(&mut timed)?;
    let iterations = match plan.iterations {
        Iterations::Exactly(count) => count.max(1),
        Iterations::For(time) => calibrate(time, &mut || once(&mut timed))?,
    };
    for _ in 0..plan.warmup {
        round(iterations, &mut || once(&mut timed))?;
    }
    let rounds = (0..plan.rounds.max(1)).map(|_| {
        timed = Duration::ZERO;
        round(iterations, &mut || once(&mut timed))?;
        Ok(timed.as_secs_f64() * 1e9 / real(iterations))
    });
    let round_ns = rounds.collect::<Result<Vec<_>, E>>()?;
    prepare(state);
    let (result, allocated) = allocations::of(|| operation(state).map(|result| drop(black_box(result))));
    result?;
    Ok(Measurement::new(round_ns, iterations, allocated))
}

/// How many operations take `time` at least, as a power of two.
fn calibrate<T, E>(time: Duration, operation: &mut impl FnMut() -> Result<T, E>) -> Result<u64, E> {
    let mut iterations = 1_u64;
    while round(iterations, operation)? < time && iterations < 1 << 40 {
        iterations *= 2;
    }
    Ok(iterations)
}

#[inline]
fn round<T, E>(iterations: u64, operation: &mut impl FnMut() -> Result<T, E>) -> Result<Duration, E> {
    let start = Instant::now();
    for _ in 0..iterations {
        black_box(operation()?);
    }
    Ok(start.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_rounds() {
        let odd = Measurement::new(vec![4.0, 1.0, 2.0], 7, None);
        assert_eq!((odd.median_ns(), odd.low_ns(), odd.high_ns(), odd.spread_percent()), (2.0, 1.0, 4.0, 150.0));
        let even = Measurement::new(vec![1.0, 2.0, 3.0, 6.0], 1, None);
        assert_eq!((even.median_ns(), even.mean_ns()), (2.5, 3.0));
        // The deviation of 1, 2, 3, 6 is the root of 14/3; 12.924 * 2.160247 / 2.
        assert!((even.error_ns().unwrap_or_default() - 13.9595).abs() < 1e-3);
        assert_eq!(Measurement::new(vec![1.0], 1, None).error_ns(), None);
    }

    #[test]
    fn an_operation_runs_as_often_as_planned() {
        let plan = Plan { warmup: 2, rounds: 3, iterations: Iterations::Exactly(10) };
        let mut runs = 0;
        let measured = measure(&plan, || {
            runs += 1;
            Ok::<_, ()>(())
        });
        // Once to see whether it works, and once to count allocations.
        assert_eq!(runs, 1 + 2 * 10 + 3 * 10 + 1);
        assert_eq!(measured.map(|measured| (measured.rounds(), measured.iterations())), Ok((3, 10)));
        assert_eq!(measure(&plan, || Err::<(), _>("broken")), Err("broken"));
    }

    #[test]
    fn an_operation_that_is_prepared_runs_as_often_and_always_prepared() {
        let plan = Plan { warmup: 2, rounds: 3, iterations: Iterations::Exactly(10) };
        let (mut is_ready, mut runs) = (false, 0);
        let measured = measure_prepared(
            &plan,
            &mut is_ready,
            |is_ready| *is_ready = true,
            |is_ready| {
                runs += 1;
                if std::mem::take(is_ready) { Ok(()) } else { Err("not prepared") }
            },
        );
        assert_eq!(measured.map(|measured| (measured.rounds(), measured.iterations())), Ok((3, 10)));
        assert_eq!(runs, 1 + 2 * 10 + 3 * 10 + 1);
    }
}
