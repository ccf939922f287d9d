//! `boson demo --formats`: what the formats make of the same documents.

use std::io::Write;
use std::ops::ControlFlow;

use boson_bench::Dataset;
use boson_document::{PathBuf, Source, Value};
use boson_transcode::diff::{DiffOptions, Differ};
use boson_transcode::{AnyDocument, Converter, Format, Policy, Report};
use comfy_table::{CellAlignment, Table, presets};

use crate::exit::Exit;
use crate::output::{self, GOOD, NAME, counted, grouped};

/// One set of documents in one form.
struct Form {
    name: &'static str,
    documents: Vec<Vec<u8>>,
    format: Format,
}

/// Generates, converts there and back, shows sizes and looks a field up.
pub(super) fn run(count: u32) -> anyhow::Result<Exit> {
    let mut out = output::stdout();
    let values: Vec<Value> = Dataset::Mixed.documents(1, count as usize).collect();
    writeln!(out, "{}: {}.\n", counted(u64::from(count), "document"), Dataset::Mixed.description())?;
    let forms = forms(&values)?;
    print_sizes(&forms, &mut out)?;
    look_up(&forms, &mut out)?;
    let differing = round_trip(&values, &mut out)?;
    out.flush()?;
    Ok(Exit::answer(differing == 0))
}

fn forms(values: &[Value]) -> anyhow::Result<Vec<Form>> {
    let mut driver = Policy::default();
    driver.oson_style = boson_oson::write::Style::Driver;
    let mut forms = Vec::new();
    for (name, format, policy) in [
        ("JSON (relaxed Extended JSON)", Format::Json, Policy::default()),
        ("BSON", Format::Bson, Policy::default()),
        ("OSON as a driver writes it", Format::Oson, driver),
        ("OSON, compact", Format::Oson, Policy::default()),
    ] {
        let documents = convert_all(values, format, policy)?;
        forms.push(Form { name, documents, format });
    }
    Ok(forms)
}

fn convert_all(values: &[Value], to: Format, policy: Policy) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut converter = Converter::new(to, policy);
    let mut report = Report::new();
    let convert = |value: &Value| {
        let mut bytes = Vec::new();
        converter.convert_source(value, Format::Bson, &mut report, &mut bytes)?;
        Ok(bytes)
    };
    values.iter().map(convert).collect()
}

fn print_sizes(forms: &[Form], out: &mut impl Write) -> anyhow::Result<()> {
    let size = |form: &Form| form.documents.iter().map(Vec::len).sum::<usize>();
    let largest = forms.iter().map(size).max().unwrap_or(1).max(1);
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["format", "bytes", "per document", ""]);
    for form in forms {
        let bytes = size(form);
        let per_document = bytes.checked_div(form.documents.len()).unwrap_or(0);
        let bar = "█".repeat(bytes * 40 / largest);
        table.add_row([form.name.to_owned(), grouped(bytes as u64), grouped(per_document as u64), bar]);
    }
    for column in [1, 2] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    Ok(writeln!(out, "{table}\n")?)
}

/// Reads one field of the first document that has it, in each format.
fn look_up(forms: &[Form], out: &mut impl Write) -> anyhow::Result<()> {
    let path: PathBuf = "lines[1].price".parse()?;
    writeln!(out, "{NAME}{path}{NAME:#} of the first document that has it, the rest not decoded:")?;
    for form in forms {
        let mut found = None;
        for bytes in &form.documents {
            let document = AnyDocument::new(form.format, bytes)?;
            if let Some(value) = document.get_path(&path)? {
                let mut writer = boson_json::Writer::new(Vec::new(), boson_json::Style::ExtendedRelaxed);
                value.drive(&mut writer)?;
                found = Some((String::from_utf8(writer.into_inner())?, value.span(), bytes.len()));
                break;
            }
        }
        if let Some((text, span, len)) = found {
            let place = if span.is_empty() { String::new() } else { format!(", bytes {span} of {len}") };
            writeln!(out, "  {:30} {text}{place}", form.name)?;
        }
    }
    Ok(writeln!(out)?)
}

/// BSON to OSON and back: returns how many documents hold another value than before.
fn round_trip(values: &[Value], out: &mut impl Write) -> anyhow::Result<u64> {
    let mut report = Report::new();
    let mut homeward = Converter::new(Format::Bson, Policy::default());
    let mut outward = Converter::new(Format::Oson, Policy::default());
    let mut exact = Differ::new(DiffOptions::default());
    let mut by_value = Differ::new(DiffOptions { ignore_types: true, ..DiffOptions::default() });
    let (mut identical, mut differing) = (0, 0);
    for value in values {
        let (mut bson, mut oson, mut back) = (Vec::new(), Vec::new(), Vec::new());
        homeward.convert_source(value, Format::Bson, &mut report, &mut bson)?;
        outward.convert(&AnyDocument::new(Format::Bson, &bson)?, &mut report, &mut oson)?;
        homeward.convert(&AnyDocument::new(Format::Oson, &oson)?, &mut report, &mut back)?;
        let (bson, back) = (AnyDocument::new(Format::Bson, &bson)?, AnyDocument::new(Format::Bson, &back)?);
        let differs = |differ: &mut Differ| differ.compare(&bson, &back, |_| ControlFlow::Break(()));
        identical += u64::from(differs(&mut exact)? == 0);
        differing += u64::from(differs(&mut by_value)? > 0);
    }
    writeln!(
        out,
        "BSON to OSON and back: {GOOD}{differing}{GOOD:#} of {} hold another value, {} identical in every bit.",
        counted(values.len() as u64, "document"),
        if identical == 1 { "1 is".to_owned() } else { format!("{} are", grouped(identical)) }
    )?;
    for line in report.to_string().lines() {
        writeln!(out, "  noted on the way: {line}")?;
    }
    Ok(differing)
}
