//! Reports for people.

use comfy_table::{CellAlignment, Table, TableStyle, presets};

use super::{Cell, Column, Report, Row};
use crate::numbers::grouped;

/// Characters that the longest bar of a group has.
const BAR_LEN: f64 = 30.0;

/// A table for the terminal, with bars.
pub(super) fn table(report: &Report) -> String {
    let times = report.times();
    let mut text = figures(report, &times, presets::NOTHING, true);
    if let [_, _, ..] = times.as_slice() {
        text.push_str("\nOf one operation: spread of the rounds, allocations, bytes allocated\n\n");
        text.push_str(&details(report, &times, presets::NOTHING));
    }
    text.push('\n');
    text.push_str(&lines_of(sentences(report)));
    text
}

/// Tables and a list.
pub(super) fn markdown(report: &Report) -> String {
    let times = report.times();
    let list = lines_of(sentences(report).into_iter().map(|sentence| format!("- {sentence}")));
    let mut text = format!("## boson bench {}\n\n{list}\n", report.benchmark);
    text.push_str(&figures(report, &times, presets::ASCII_MARKDOWN, false));
    if let [_, _, ..] = times.as_slice() {
        text.push_str("\nOf one operation: spread of the rounds, allocations, bytes allocated\n\n");
        text.push_str(&details(report, &times, presets::ASCII_MARKDOWN));
    }
    text
}

fn sentences(report: &Report) -> Vec<String> {
    let mut sentences = vec![
        format!("Measured by boson {} on {}.", Report::version(), report.machine),
        "Times are those of the median round; the spread is from the fastest round to the slowest, in percent of it."
            .to_owned(),
    ];
    sentences.extend(report.method.iter().cloned());
    sentences
}

/// The columns of the report; a single time has its details beside it.
fn figures(report: &Report, times: &[usize], preset: TableStyle, bars: bool) -> String {
    let alone = if let [only] = times { Some(*only) } else { None };
    let bars = report.bars.filter(|_| bars);
    let mut header: Vec<String> = report.columns.iter().map(|column| column.name.clone()).collect();
    if alone.is_some() {
        header.extend(["spread", "allocations", "bytes allocated"].map(str::to_owned));
    }
    header.extend(bars.map(|_| String::new()));
    let lines = report.rows.iter().map(|row| {
        let mut line: Vec<String> =
            row.cells.iter().zip(&report.columns).map(|(cell, of)| cell.shown(of.unit)).collect();
        if let Some(time) = alone {
            line.extend(row.cells.get(time).map_or(Default::default(), spread_and_allocations));
        }
        line.extend(bars.map(|column| bar(report, row, column)));
        line
    });
    laid_out(preset, header, lines)
}

/// What else is known of each time.
fn details(report: &Report, times: &[usize], preset: TableStyle) -> String {
    let of = |index: &usize| report.columns.get(*index).map(|column| column.name.clone());
    let words: Vec<usize> = (0..report.columns.len()).take_while(|index| !times.contains(index)).collect();
    let header = words.iter().chain(times).filter_map(of).collect();
    let lines = report.rows.iter().map(|row| {
        let unit = |index: usize| report.columns.get(index).map_or(super::Unit::Plain, |column: &Column| column.unit);
        let word = |&index: &usize| row.cells.get(index).map_or(String::new(), |cell| cell.shown(unit(index)));
        let time = |&index: &usize| row.cells.get(index).map_or(String::new(), detail);
        words.iter().map(word).chain(times.iter().map(time)).collect()
    });
    laid_out(preset, header, lines)
}

fn detail(cell: &Cell) -> String {
    if cell.as_time().is_none() {
        return "-".to_owned();
    }
    spread_and_allocations(cell).join("  ")
}

fn spread_and_allocations(cell: &Cell) -> [String; 3] {
    let Some(measured) = cell.as_time() else { return ["-".to_owned(), "-".to_owned(), "-".to_owned()] };
    let spread = format!("{:.0} %", measured.spread_percent());
    match measured.allocated() {
        Some(allocated) => [spread, grouped(allocated.count), grouped(allocated.bytes)],
        None => [spread, "?".to_owned(), "?".to_owned()],
    }
}

/// The figure as a share of the largest of its group.
fn bar(report: &Report, row: &Row, column: usize) -> String {
    let Some(unit) = report.columns.get(column).map(|column| column.unit) else { return String::new() };
    let value = |row: &Row| row.cells.get(column).and_then(|cell| cell.value(unit));
    let group = report.rows.iter().filter(|other| other.group == row.group);
    let largest = group.filter_map(value).fold(0.0, f64::max);
    let Some(share) = value(row).map(|value| value / largest * BAR_LEN) else { return String::new() };
    let len = (1..=30_u8).take_while(|&len| f64::from(len) <= share.round()).count();
    if len == 0 { "▏".to_owned() } else { "█".repeat(len) }
}

fn laid_out(preset: TableStyle, header: Vec<String>, lines: impl Iterator<Item = Vec<String>>) -> String {
    let lines: Vec<Vec<String>> = lines.collect();
    let is_number = |text: &String| text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let numbers: Vec<bool> =
        (0..header.len()).map(|place| lines.iter().filter_map(|line| line.get(place)).all(is_number)).collect();
    let mut table = Table::new();
    table.load_style(preset).set_header(header);
    for line in lines {
        table.add_row(line);
    }
    for (place, _) in numbers.into_iter().enumerate().filter(|(_, number)| *number) {
        if let Some(column) = table.column_mut(place) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    lines_of(table.to_string().lines().map(str::trim_end))
}

/// Each with a newline at its end.
fn lines_of(lines: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(line.as_ref());
        text.push('\n');
    }
    text
}
