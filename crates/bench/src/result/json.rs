//! Reports as JSON.

use serde_json::{Map, Value, json};

use super::{Cell, Column, Report, Row};

/// One object: where and how it was measured, then a row for each line.
pub(super) fn json(report: &Report) -> String {
    let rows: Vec<Value> = report.rows.iter().map(|row| object(row, &report.columns)).collect();
    let machine = &report.machine;
    let report = json!({
        "benchmark": report.benchmark,
        "boson": Report::version(),
        "machine": { "cpu": machine.cpu, "cores": machine.cores, "os": machine.os, "build": machine.build },
        "method": report.method,
        "columns": report.columns.iter().map(|column| &column.name).collect::<Vec<_>>(),
        "rows": rows,
    });
    format!("{report:#}\n")
}

fn object(row: &Row, columns: &[Column]) -> Value {
    let members = row.cells.iter().zip(columns).map(|(cell, column)| (column.name.clone(), value(cell, column)));
    Value::Object(members.collect::<Map<_, _>>())
}

fn value(cell: &Cell, column: &Column) -> Value {
    match cell {
        Cell::Text(text) => json!(text),
        Cell::Count(count) => json!(count),
        Cell::Number(number) => json!(number),
        Cell::Empty => Value::Null,
        Cell::Time(measured) => {
            let time = |ns| column.unit.of(ns, measured);
            json!({
                "median": time(measured.median_ns()),
                "low": time(measured.low_ns()),
                "high": time(measured.high_ns()),
                "rounds": measured.rounds(),
                "iterations": measured.iterations(),
                "allocations": measured.allocated().map(|allocated| allocated.count),
                "allocated_bytes": measured.allocated().map(|allocated| allocated.bytes),
            })
        }
    }
}
