//! An analysis for people.

use std::io::Write;

use boson_report::{
    After, Analysis, BytesView, ConversionView, FindingView, LeftAloneView, PathView, collection_words, ratio,
};
use boson_store::Collection;
use comfy_table::{CellAlignment, Table, presets};

use crate::output::{self, NAME, WARNING, counted, grouped};

/// Prints all of `analysis`, with the `top` largest paths.
pub(super) fn print(analysis: &Analysis<'_>, top: usize) -> anyhow::Result<()> {
    let mut out = output::stdout();
    sources(&mut out, analysis)?;
    if analysis.measured.documents > 0 {
        documents(&mut out, analysis)?;
        paths(&mut out, analysis, top)?;
        formats(&mut out, analysis)?;
        findings(&mut out, analysis)?;
        left_alone(&mut out, &analysis.left_alone)?;
        outlook(&mut out, analysis)?;
    }
    Ok(out.flush()?)
}

/// Says which collection of a dump comes next.
pub(super) fn heading(collection: &Collection) -> anyhow::Result<()> {
    let mut out = output::stdout();
    let what = collection_words(collection.kind);
    writeln!(out, "\n{NAME}{}{NAME:#}  {what}", escaped(&collection.namespace.to_string()))?;
    Ok(out.flush()?)
}

fn sources(out: &mut impl Write, analysis: &Analysis<'_>) -> anyhow::Result<()> {
    for source in analysis.sources {
        let (documents, bytes) = (counted(source.documents, "document"), counted(source.bytes, "byte"));
        let format = source.format.unwrap_or("empty");
        writeln!(out, "{NAME}{}{NAME:#}: {format}, {documents}, {bytes}", escaped(&source.name))?;
    }
    let broken = &analysis.broken;
    if analysis.has_faults() {
        let (unread, partly) = (counted(broken.unread, "document"), counted(broken.partly_read, "document"));
        writeln!(out, "{WARNING}broken{WARNING:#} {unread} not read, {partly} read up to the fault only")?;
    }
    if let Some(first) = broken.first {
        writeln!(out, "  the first: {first}")?;
    }
    writeln!(out, "{}", measured(analysis))?;
    Ok(())
}

/// On how much everything below was measured.
fn measured(analysis: &Analysis<'_>) -> String {
    let of = &analysis.measured;
    let amount = format!("{}, {} as BSON", counted(of.documents, "document"), counted(of.bytes, "byte"));
    if of.is_sample {
        format!("Measured on a sample, the first documents: {amount}. There are more.")
    } else {
        format!("Measured on all of {amount}.")
    }
}

fn documents(out: &mut impl Write, analysis: &Analysis<'_>) -> anyhow::Result<()> {
    let sizes = &analysis.documents;
    writeln!(
        out,
        "\nBytes of a document: {:.1} on average, {} to {}",
        sizes.mean,
        grouped(sizes.min),
        grouped(sizes.max)
    )?;
    let quantiles = [
        ("5 %", sizes.p05),
        ("25 %", sizes.p25),
        ("50 %", sizes.p50),
        ("75 %", sizes.p75),
        ("95 %", sizes.p95),
        ("99 %", sizes.p99),
    ];
    let quantiles: Vec<_> = quantiles.iter().map(|(share, bytes)| format!("{share}: {}", grouped(*bytes))).collect();
    writeln!(out, "  so many have at most (to within 1/32): {}", quantiles.join(", "))?;
    Ok(())
}

/// A table without lines, its columns from the second to the one before the last to the right.
fn table<const COLUMNS: usize>(header: [&str; COLUMNS], right: std::ops::Range<usize>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn paths(out: &mut impl Write, analysis: &Analysis<'_>, top: usize) -> anyhow::Result<()> {
    let mut largest: Vec<&PathView> = analysis.paths.iter().collect();
    largest.sort_by_key(|path| std::cmp::Reverse(path.bytes.total));
    let (shown, rest) = largest.split_at(top.min(largest.len()));
    writeln!(out, "\nWhere the bytes go (measured; adds up exactly)")?;
    writeln!(out, "{}", bytes_table(analysis, shown, rest))?;
    writeln!(out, "\nTypes (measured; different values: exact up to 32, beyond within a few percent)")?;
    let mut types = table(["path", "values", "documents", "different", "types"], 1..4);
    for path in shown {
        types.add_row(type_row(path));
    }
    writeln!(out, "{types}")?;
    Ok(())
}

fn bytes_table(analysis: &Analysis<'_>, shown: &[&PathView], rest: &[&PathView]) -> Table {
    let total = analysis.measured.bytes;
    let mut table = table(["path", "bytes", "share", "names", "types, lengths", "values", ""], 1..6);
    let most = shown.first().map_or(0, |path| path.bytes.total);
    for path in shown {
        table.add_row(bytes_row(&short(&path.path), &path.bytes, total, &bar(path.bytes.total, most)));
    }
    if !rest.is_empty() {
        let mut sum = BytesView::default();
        for path in rest {
            sum.add(&path.bytes);
        }
        table.add_row(bytes_row(&counted(rest.len() as u64, "more path"), &sum, total, ""));
    }
    if analysis.other_bytes > 0 {
        let other = BytesView { total: analysis.other_bytes, ..BytesView::default() };
        table.add_row(bytes_row("behind faults", &other, total, ""));
    }
    let mut all = analysis.bytes;
    all.total += analysis.other_bytes;
    table.add_row(bytes_row("all", &all, total, ""));
    table
}

fn bytes_row(name: &str, bytes: &BytesView, total: u64, bar: &str) -> [String; 7] {
    let values = bytes.values + bytes.inside;
    let share = share(bytes.total, total);
    let [all, names, framing, values] = [bytes.total, bytes.names, bytes.types_and_lengths, values].map(grouped);
    [name.to_owned(), all, share, names, framing, values, bar.to_owned()]
}

fn type_row(path: &PathView) -> [String; 5] {
    let mut types: Vec<String> =
        path.types.iter().map(|stats| format!("{} {}", stats.kind, grouped(stats.count))).collect();
    if let [only] = &*path.types {
        types = vec![only.kind.to_owned()];
    }
    if let Some(names) = path.folded_names {
        types.push(format!("about {} different names, taken for data", grouped(names)));
    }
    if path.repeated_names > 0 {
        types.push(format!("{} repeated", counted(path.repeated_names, "name")));
    }
    let documents = path.documents.map_or_else(|| "?".to_owned(), grouped);
    // Containers are not compared.
    let distinct = if path.distinct == 0 { String::new() } else { grouped(path.distinct) };
    [short(&path.path), grouped(path.values), documents, distinct, types.join(", ")]
}

fn formats(out: &mut impl Write, analysis: &Analysis<'_>) -> anyhow::Result<()> {
    let Some(formats) = &analysis.formats else { return Ok(()) };
    let left_out = match formats.left_out {
        0 => String::new(),
        count => format!("; {} left out that one of the formats cannot hold", counted(count, "document")),
    };
    writeln!(out, "\nThe same {} (measured by converting each{left_out})", counted(formats.documents, "document"))?;
    let bytes = &formats.bytes;
    let most = bytes.json.max(bytes.bson).max(bytes.oson);
    let mut table = table(["format", "bytes", "per document", ""], 1..3);
    for (name, bytes) in
        [("JSON (relaxed Extended JSON)", bytes.json), ("BSON", bytes.bson), ("OSON, compact", bytes.oson)]
    {
        let each = format!("{:.1}", ratio(i64::try_from(bytes)?, formats.documents));
        table.add_row([name.to_owned(), grouped(bytes), each, bar(bytes, most)]);
    }
    writeln!(out, "{table}")?;
    Ok(())
}

fn findings(out: &mut impl Write, analysis: &Analysis<'_>) -> anyhow::Result<()> {
    writeln!(out, "\nFindings, most saving first: {}", analysis.findings.len())?;
    for finding in &analysis.findings {
        finding_block(out, finding, analysis)?;
    }
    Ok(())
}

fn finding_block(out: &mut impl Write, finding: &FindingView, analysis: &Analysis<'_>) -> anyhow::Result<()> {
    let FindingView { path, stored, actual, proposal, risk, .. } = finding;
    writeln!(out, "\n{NAME}{}{NAME:#}  {stored}: {} -> {}", short(path), actual.text, proposal.target)?;
    writeln!(out, "  {}", saving(proposal, analysis.measured.bytes, 10))?;
    writeln!(out, "  fits      {}", fits(finding))?;
    if finding.misfits.count > 0 {
        writeln!(out, "  stays     {}", stays(finding))?;
    }
    for loss in &proposal.losses {
        writeln!(out, "  loses     {}", loss.text)?;
    }
    for question in &finding.questions {
        writeln!(out, "  to decide {}", question.text)?;
    }
    for other in &finding.alternatives {
        let loses: Vec<_> = other.losses.iter().map(|loss| format!("; {}", loss.text)).collect();
        writeln!(out, "  or        {}: {}{}", other.target, saving(other, analysis.measured.bytes, 0), loses.concat())?;
    }
    writeln!(out, "  index     {}", index(proposal))?;
    let reasons: Vec<_> = finding.reasons.iter().map(|reason| reason.text.as_str()).collect();
    writeln!(out, "  risk      {risk}: {}", reasons.join("; "))?;
    Ok(())
}

/// What a conversion saves or costs, its verb `width` wide.
fn saving(way: &ConversionView, total: u64, width: usize) -> String {
    let (Some(bytes), Some(each)) = (way.saved_bytes, way.saved_bytes_per_document) else {
        return format!("{:width$}what is not known before it is done", "saves ");
    };
    let verb = if bytes < 0 { "costs " } else { "saves " };
    let (amount, share) = (counted(bytes.unsigned_abs(), "byte"), share(bytes.unsigned_abs(), total));
    format!("{verb:width$}{amount}, {:.1} a document ({share}; computed exactly)", each.abs())
}

fn fits(finding: &FindingView) -> String {
    let all = counted(finding.fits + finding.misfits.count, "value");
    let documents = finding.documents.map_or_else(String::new, |count| format!(", in {}", counted(count, "document")));
    let others: Vec<_> =
        finding.others.iter().map(|other| format!("{} {}", grouped(other.count), other.kind)).collect();
    let others = if others.is_empty() { String::new() } else { format!("; beside {}", others.join(", ")) };
    format!("{} of {all}{documents}{others}", grouped(finding.fits))
}

fn stays(finding: &FindingView) -> String {
    let misfits = &finding.misfits;
    let words = misfits.nothing.iter().map(|word| format!("{} × {:?}", grouped(word.count), word.word));
    let examples = misfits.examples.iter().map(|example| format!("{example:?}"));
    let shown: Vec<String> = words.chain(examples).collect();
    format!("{} as it is: {}", counted(misfits.count, "value"), shown.join(", "))
}

fn index(way: &ConversionView) -> String {
    let keys = &way.index_keys;
    let reorders = if keys.reorders { "; sorts otherwise" } else { "; sorts as before" };
    format!(
        "a key {:.1} bytes on average -> {:.1} at most (computed){reorders}",
        keys.before_bytes_mean, keys.after_bytes_max
    )
}

fn left_alone(out: &mut impl Write, left_alone: &[LeftAloneView]) -> anyhow::Result<()> {
    if left_alone.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nLeft alone")?;
    for left in left_alone {
        let examples: Vec<String> = left.examples.iter().map(|example| format!("{example:?}")).collect();
        let examples = if examples.is_empty() { String::new() } else { format!(": {}", examples.join(", ")) };
        let values = counted(left.values, "value");
        writeln!(out, "  {NAME}{}{NAME:#}  {values}, {}{examples}", short(&left.path), left.reason.text)?;
    }
    Ok(())
}

fn outlook(out: &mut impl Write, analysis: &Analysis<'_>) -> anyhow::Result<()> {
    let outlook = &analysis.outlook;
    if analysis.findings.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nIf all of it is done, bytes of a document as BSON on average (computed exactly):")?;
    let now = outlook.now;
    writeln!(out, "  _id kept       {}", change(now, outlook.id_kept))?;
    if outlook.id_converted.bytes != outlook.id_kept.bytes {
        writeln!(out, "  _id converted  {}", change(now, outlook.id_converted))?;
    }
    if outlook.not_known > 0 {
        writeln!(out, "  without {} of which it is not known", counted(outlook.not_known as u64, "finding"))?;
    }
    Ok(())
}

fn change(now: After, then: After) -> String {
    let saved = now.bytes.saturating_sub(then.bytes);
    let percent = -100.0 * ratio(saved, now.bytes.unsigned_abs());
    let (before, after) = (now.bytes_per_document, then.bytes_per_document);
    format!("{before:.1} -> {after:.1} ({percent:+.1} %)")
}

fn share(part: u64, all: u64) -> String {
    format!("{:.1} %", 100.0 * ratio(i64::try_from(part).unwrap_or(i64::MAX), all))
}

const BAR_LEN: u64 = 24;

fn bar(bytes: u64, most: u64) -> String {
    let len = bytes.saturating_mul(BAR_LEN).checked_div(most).unwrap_or(0);
    "█".repeat(usize::try_from(len).unwrap_or(0))
}

/// The end of a path that is too long for a table.
fn short(path: &str) -> String {
    const CHARS_MAX: usize = 48;
    match path.chars().count().checked_sub(CHARS_MAX) {
        None | Some(0) => path.to_owned(),
        Some(more) => std::iter::once('…').chain(path.chars().skip(more + 1)).collect(),
    }
}

fn escaped(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
