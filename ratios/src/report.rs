//! The page.

use std::fmt::Write as _;

use boson_bench::Machine;

use crate::alternate::{Plan, ROUNDS_MIN, Ratio};
use crate::comparison::{Outcome, Verdict};
use crate::goal::Goal;
use crate::whole_runs::{PEAK_BYTES_MAX, Usage};

/// The page in Markdown: the goals, each ratio, and the times that they are made of.
pub fn page(outcomes: &[Outcome], plan: &Plan, commit: &str, has_python: bool) -> String {
    let verdicts: Vec<&Verdict> = outcomes.iter().flat_map(|outcome| &outcome.verdicts).collect();
    let goals = goals(&verdicts);
    let mut page = introduction(plan, commit, has_python);
    page.push_str(&summary(&goals, &verdicts));
    for goal in &goals {
        page.push_str(&section(goal, &verdicts));
    }
    page.push_str(&times(outcomes));
    page
}

fn introduction(plan: &Plan, commit: &str, has_python: bool) -> String {
    let Plan { rounds, turn, time } = plan;
    let python = if has_python { "" } else { " The peers in Python were left out." };
    format!(
        "\
# Boson and the others, measured by turns

`cargo xtask bench` measures this and writes this page. All figures are measured, none is estimated.

- Machine: {machine}
- Commit: {commit}
- Peers: {peers}.{python}
- {rounds} rounds, or {ROUNDS_MIN} where those take more than {time} s; in each, every contender has its turn of at least
  {turn} ms, and another one begins. A ratio is taken in each round: the table shows the median of these and, behind it, the
  lowest and the highest. Times are those that the thread ran; of whole runs, those of
  the clock. Boson is compared with the fastest of the peers that do the same. What slows the machine down slows
  both sides, so ratios are steadier than times.
- One operation goes through all documents of a set, which is made from seed 1. JSON text is plain. Each operation makes
  what it returns in memory of its own, and drops it; Boson's OSON writer and its converters keep their work space.
- OSON is compact unless it says otherwise; in the matrix it is laid out as the drivers do.

",
        machine = Machine::here(),
        turn = turn.as_millis(),
        time = time.as_secs_f64(),
        peers = env!("BOSON_PEERS"),
    )
}

/// The goals in the order of their first verdicts.
fn goals(verdicts: &[&Verdict]) -> Vec<Goal> {
    let mut goals = Vec::new();
    for verdict in verdicts {
        if !goals.contains(&verdict.goal) {
            goals.push(verdict.goal);
        }
    }
    goals
}

fn summary(goals: &[Goal], verdicts: &[&Verdict]) -> String {
    let mut text = String::from(
        "## The goals\n\nA goal is met when it is met everywhere; *worst* and *best* are the medians furthest apart.\n\n\
         | what | compared with | goal | worst | best | met on | |\n|---|---|---:|---:|---:|---:|---|\n",
    );
    for goal in goals {
        let mut counted: Vec<&Verdict> = of(goal, verdicts).filter(|verdict| verdict.counts).collect();
        counted.sort_by(|a, b| goal.bound.order(a.ratio, b.ratio));
        let [Some(worst), Some(best)] = [counted.first(), counted.last()] else { continue };
        let met = counted.iter().filter(|verdict| verdict.is_met()).count();
        let verdict = if met == counted.len() { "met" } else { "**missed**" };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {met} of {} | {verdict} |",
            goal.ours,
            goal.other,
            goal.bound,
            number(worst.ratio.median),
            number(best.ratio.median),
            counted.len()
        );
    }
    text
}

fn of<'v>(goal: &Goal, verdicts: &[&'v Verdict]) -> impl Iterator<Item = &'v Verdict> {
    verdicts.iter().copied().filter(move |verdict| verdict.goal == *goal)
}

fn section(goal: &Goal, verdicts: &[&Verdict]) -> String {
    let mut text = format!(
        "\n## {}, against {}: {}\n\n| set | what | boson | the other | ratio | lowest to highest | |\n\
         |---|---|---:|---:|---:|---:|---|\n",
        goal.ours, goal.other, goal.bound
    );
    for verdict in of(goal, verdicts) {
        let Ratio { median, low, high } = verdict.ratio;
        let said = match (verdict.counts, verdict.is_met()) {
            (false, _) => "no goal",
            (true, true) => "met",
            (true, false) => "**missed**",
        };
        let ours = match verdict.ours.strip_prefix("boson") {
            Some("") => String::new(),
            Some(which) => which.trim_start_matches(", ").to_owned() + ", ",
            None => verdict.ours.clone() + ", ",
        };
        let _ = writeln!(
            text,
            "| {} | {ours}{} | {} | {} ({}) | {} | {} to {} | {said} |",
            verdict.set,
            verdict.subject,
            time(verdict.ours_ns),
            time(verdict.other_ns),
            verdict.other,
            number(median),
            number(low),
            number(high),
        );
    }
    text
}

fn times(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "\n## All times\n\nOf the median round, for one operation on the whole set; behind it the fastest and the slowest round.\n\n\
         | set | what | who | time | fastest to slowest |\n|---|---|---|---:|---:|\n",
    );
    for outcome in outcomes {
        for timed in &outcome.timed {
            let low = timed.round_ns.iter().copied().fold(f64::INFINITY, f64::min);
            let high = timed.round_ns.iter().copied().fold(0.0, f64::max);
            let median = time(timed.median_ns());
            let _ = writeln!(
                text,
                "| {} | {} | {} | {median} | {} to {} |",
                outcome.set,
                outcome.subject,
                timed.name,
                time(low),
                time(high)
            );
        }
    }
    text
}

/// How much memory runs took; nothing when there were none.
pub fn peaks(peaks: &[Usage]) -> String {
    if peaks.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n## Memory that runs on 2 GB take: ≤ {} MB\n\nMeasured once, as the system counts the pages that were resident at most; \
         files on disk.\n\n| command | peak, MB | time | |\n|---|---:|---:|---|\n",
        PEAK_BYTES_MAX / 1_000_000
    );
    for Usage { command, peak_bytes, elapsed } in peaks {
        let said = if *peak_bytes <= PEAK_BYTES_MAX { "met" } else { "**missed**" };
        let _ = writeln!(
            text,
            "| `{command}` | {} | {:.1} s | {said} |",
            peak_bytes.div_ceil(1_000_000),
            elapsed.as_secs_f64()
        );
    }
    text
}

/// Three digits, and all of those before the point.
fn number(value: f64) -> String {
    let decimals = (0..3_usize).find(|&decimals| value * 10_f64.powi(i32::try_from(decimals).unwrap_or(0)) >= 100.0);
    format!("{value:.*}", decimals.unwrap_or(2))
}

/// A time in the unit that suits it.
fn time(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{} ns", number(ns)),
        ..1e6 => format!("{} µs", number(ns / 1e3)),
        ..1e9 => format!("{} ms", number(ns / 1e6)),
        _ => format!("{} s", number(ns / 1e9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_shown() {
        assert_eq!([0.5, 3.456, 45.67, 456.7, 45_678.9].map(number), ["0.50", "3.46", "45.7", "457", "45679"]);
        assert_eq!([12.0, 4_500.0, 2e6, 3e9].map(time), ["12.0 ns", "4.50 µs", "2.00 ms", "3.00 s"]);
    }
}
