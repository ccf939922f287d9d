//! Reports as comma-separated values.

use super::{Cell, Column, Report, Row};

/// A heading and a line for each row; behind each time stand its spread and its allocations, at the end version, machine
/// and method, so that lines of several runs can be put together.
pub(super) fn csv(report: &Report) -> String {
    let times = report.times();
    let mut text = line(&header(report, &times));
    for row in &report.rows {
        text.push_str(&line(&fields(report, row, &times)));
    }
    text
}

fn header(report: &Report, times: &[usize]) -> Vec<String> {
    let mut names = Vec::new();
    for (index, Column { name, .. }) in report.columns.iter().enumerate() {
        names.push(name.clone());
        if times.contains(&index) {
            let details = ["low", "high", "rounds", "iterations", "allocations", "allocated bytes"];
            names.extend(details.map(|detail| format!("{name} {detail}")));
        }
    }
    names.extend(["benchmark", "boson", "machine", "method"].map(str::to_owned));
    names
}

fn fields(report: &Report, row: &Row, times: &[usize]) -> Vec<String> {
    let mut fields = Vec::new();
    for (index, (cell, column)) in row.cells.iter().zip(&report.columns).enumerate() {
        fields.push(exact(cell, column));
        if times.contains(&index) {
            fields.extend(details(cell, column));
        }
    }
    let method = report.method.join(" ");
    fields.extend([report.benchmark.to_owned(), Report::version().to_owned(), report.machine.to_string(), method]);
    fields
}

fn exact(cell: &Cell, column: &Column) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        _ => cell.value(column.unit).map_or(String::new(), |value| value.to_string()),
    }
}

fn details(cell: &Cell, column: &Column) -> [String; 6] {
    let Some(measured) = cell.as_time() else { return Default::default() };
    let time = |ns| column.unit.of(ns, measured).to_string();
    let allocated = measured.allocated();
    [
        time(measured.low_ns()),
        time(measured.high_ns()),
        measured.rounds().to_string(),
        measured.iterations().to_string(),
        allocated.map_or(String::new(), |allocated| allocated.count.to_string()),
        allocated.map_or(String::new(), |allocated| allocated.bytes.to_string()),
    ]
}

fn line(fields: &[String]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
    fields.join(",") + "\r\n"
}

/// RFC 4180: a field with a comma, a quote or a line break stands in quotes, its quotes doubled.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 4180, section 2, rules 5 to 7.
    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(line(&["aaa".into(), "b\r\nb".into(), "ccc".into()]), "aaa,\"b\r\nb\",ccc\r\n");
        assert_eq!(line(&["b\"bb".into(), "c,c".into()]), "\"b\"\"bb\",\"c,c\"\r\n");
    }
}
