//! A proof for people.

use std::io::Write as _;

use boson_report::{Proof, Row};
use comfy_table::{CellAlignment, Table, presets};

use crate::output::{self, NAME, counted, grouped};

pub(super) fn print(name: &str, proof: &Proof) -> anyhow::Result<()> {
    let mut out = output::stdout();
    if !name.is_empty() {
        writeln!(out, "{NAME}{name}{NAME:#}")?;
    }
    writeln!(out, "{}", heading(proof))?;
    writeln!(out)?;
    for line in table(proof).to_string().lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)?;
    writeln!(out, "The error of a change is in percentage points; a change that is not larger is none.")?;
    proof.notes.iter().try_for_each(|note| writeln!(out, "{note}"))?;
    if !name.is_empty() {
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

fn heading(proof: &Proof) -> String {
    let before = counted(proof.documents_before, "document");
    if proof.documents_before == proof.documents_after {
        return format!("{before} before and after");
    }
    format!("{before} before, {} after: the totals are not of the same documents", grouped(proof.documents_after))
}

fn table(proof: &Proof) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["", "before", "after", "change", "error", "", "on"]);
    for row in &proof.rows {
        let change = row.change_percent.map_or_else(|| "no change".to_owned(), |change| format!("{change:+.1} %"));
        table.add_row([
            format!("{} ({})", row.figure, row.unit),
            figure(row.before),
            figure(row.after),
            change,
            error(row),
            row.how.to_string(),
            row.on.clone(),
        ]);
    }
    for column in 1..=4 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn error(row: &Row) -> String {
    if row.error_points > 0.0 { format!("±{:.1}", row.error_points) } else { "exact".to_owned() }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes and times are whole and not negative"
)]
fn figure(value: f64) -> String {
    if value < 10_000.0 { format!("{value:.1}") } else { grouped(value.round() as u64) }
}
