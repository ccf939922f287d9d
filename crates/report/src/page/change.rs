//! A change as a bar with its error.

use super::text::{signed_percent, visible};
use crate::Row;
use crate::proof::percent;
use crate::words::grouped;

/// What is drawn: from which change to which, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    /// Where no change is, in percent of the width.
    pub(super) zero: f64,
}

/// Changes beyond these are drawn as far as these: one that is a thousandfold must not flatten all others.
const DRAWN_MAX: f64 = 150.0;

impl Scale {
    /// All `rows` with their errors, and no change.
    pub(super) fn of(rows: &[Row]) -> Self {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for row in rows {
            let (change, error) = (finite(percent(row.before, row.after)), finite(row.error_points));
            low = low.min(change - error);
            high = high.max(change + error);
        }
        let (low, high) = (low.max(-DRAWN_MAX), high.min(DRAWN_MAX));
        // Room on both sides, and something to divide by.
        let room = ((high - low) * 0.04).max(0.5);
        let mut scale = Self { low: low - room, high: high + room, zero: 0.0 };
        scale.zero = scale.at(0.0);
        scale
    }

    fn at(self, change: f64) -> f64 {
        100.0 * (change.clamp(self.low, self.high) - self.low) / (self.high - self.low)
    }

    /// Where the drawing begins and ends, in words.
    pub(super) fn ends(self) -> (String, String) {
        (signed_percent(self.low), signed_percent(self.high))
    }
}

fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

/// One figure before and after.
#[derive(Debug)]
pub(super) struct ChangeRow {
    pub(super) figure: String,
    pub(super) unit: String,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) change: String,
    pub(super) error: String,
    pub(super) class: &'static str,
    /// The bar and the whisker, in percent of the width.
    pub(super) bar: (f64, f64),
    pub(super) whisker: Option<(f64, f64)>,
    pub(super) how: String,
    pub(super) on: String,
}

impl ChangeRow {
    pub(super) fn new(row: &Row, scale: Scale) -> Self {
        let change = finite(percent(row.before, row.after));
        let error = finite(row.error_points);
        let (from, to) = (scale.at(change.min(0.0)), scale.at(change.max(0.0)));
        let (low, high) = (scale.at(change - error), scale.at(change + error));
        Self {
            figure: visible(&row.figure),
            unit: visible(&row.unit),
            before: figure(row.before),
            after: figure(row.after),
            change: row.change_percent.map_or_else(|| "no change".to_owned(), signed_percent),
            error: said(row.change_percent, change, error),
            class: match row.change_percent {
                None => "same",
                Some(change) if change < 0.0 => "less",
                Some(_) => "more",
            },
            bar: (from, to - from),
            whisker: (error > 0.0).then_some((low, high - low)),
            how: visible(&row.how),
            on: visible(&row.on),
        }
    }
}

fn said(known: Option<f64>, change: f64, error: f64) -> String {
    match known {
        _ if error <= 0.0 => "exact".to_owned(),
        Some(_) => format!("± {error:.1} points"),
        None => format!("{} is within the error of ± {error:.1} points", signed_percent(change)),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes and times are whole and not negative"
)]
fn figure(value: f64) -> String {
    if value < 10_000.0 { format!("{value:.1}") } else { grouped(value.round() as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(before: f64, after: f64, error: f64) -> Row {
        Row::new("x".to_owned(), "bytes", before, after, error)
    }

    #[test]
    fn a_change_within_its_error_is_none() {
        let rows = [row(100.0, 98.0, 5.0), row(100.0, 80.0, 5.0), row(362.4, 304.0, 0.0)];
        let scale = Scale::of(&rows);
        let [within, beyond, exact] = rows.each_ref().map(|row| ChangeRow::new(row, scale));
        assert_eq!((&*within.change, &*within.error), ("no change", "−2.0 % is within the error of ± 5.0 points"));
        assert_eq!((&*beyond.change, &*beyond.error), ("−20.0 %", "± 5.0 points"));
        // 58.4 / 362.4
        assert_eq!((&*exact.change, &*exact.error), ("−16.1 %", "exact"));
        assert_eq!(exact.whisker, None);
    }

    #[test]
    fn whiskers_stand_around_the_end_of_their_bar() {
        let rows = [row(100.0, 80.0, 5.0)];
        let scale = Scale::of(&rows);
        let drawn = ChangeRow::new(&rows[0], scale);
        let (low, width) = drawn.whisker.unwrap();
        assert!((low + width / 2.0 - drawn.bar.0).abs() < 1e-9, "{drawn:?}");
        assert!((drawn.bar.0 + drawn.bar.1 - scale.zero).abs() < 1e-9);
    }

    #[test]
    fn figures_without_sense_are_drawn_within_the_scale() {
        for (before, after) in [(0.0, 5.0), (1.0, 1e300), (f64::NAN, 1.0), (1.0, f64::INFINITY), (0.0, 0.0)] {
            let rows = [row(before, after, 1.0)];
            let drawn = ChangeRow::new(&rows[0], Scale::of(&rows));
            let (from, width) = drawn.bar;
            assert!(from >= 0.0 && width >= 0.0 && from + width <= 100.0 + 1e-9, "{drawn:?}");
        }
    }
}
