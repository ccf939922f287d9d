//! The explanation as one page that needs nothing else: pointing at a region lights its bytes and what they point to.

use std::fmt::Write as _;
use std::io::{self, Write};

use askama::Template;
use boson_document::{Note, Role, Span};
use boson_transcode::diff::Operand;

use crate::{Explanation, Selection};

/// How many regions a page holds: so many a browser shows without effort.
pub const ROWS_MAX: usize = 5000;

/// How many bytes of one region a page shows.
const BYTES_MAX: usize = 64;

/// How far lines are indented.
const DEPTH_MAX: u32 = 24;

/// A page of explanations. It holds the first [`ROWS_MAX`] regions, and says how many are left out.
#[derive(Debug, Template)]
#[template(path = "page.html")]
pub struct Page {
    title: String,
    rows_max: usize,
    documents: Vec<Document>,
    left_out: usize,
    /// How many regions it holds.
    count: usize,
}

/// One document of a page.
#[derive(Debug)]
struct Document {
    name: String,
    fault: Option<String>,
    rows: Vec<Row>,
}

/// One region. Lines are numbered through the page.
#[derive(Debug)]
struct Row {
    number: usize,
    at: usize,
    bytes: String,
    class: &'static str,
    /// The name of the section that begins here.
    section: Option<&'static str>,
    depth: u32,
    meaning: String,
    details: Vec<String>,
    is_fault: bool,
    whole: Span,
    whole_first: usize,
    whole_last: usize,
    target_at: Option<usize>,
    /// The line that is pointed to, -1 when there is none.
    target: isize,
}

impl Page {
    /// A page with this title and no documents yet.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), rows_max: ROWS_MAX, documents: Vec::new(), left_out: 0, count: 0 }
    }

    /// Adds a document, called `name`, or the value of it that was selected.
    pub fn add(&mut self, name: &str, explanation: &Explanation<'_>, selection: Option<&Selection>) {
        let mut rows: Vec<Row> = Vec::new();
        let mut section = "document";
        let first = self.count;
        let Ok(()) = explanation.notes(selection, |note| {
            if self.count >= ROWS_MAX {
                self.left_out = self.left_out.saturating_add(1);
                return Ok::<_, std::convert::Infallible>(());
            }
            let heading = (note.section != section).then_some(note.section);
            section = note.section;
            rows.push(Row::new(self.count, note, explanation.bytes(), heading));
            self.count = self.count.saturating_add(1);
            Ok(())
        });
        link(&mut rows, first);
        // A document of which there is nothing to see needs no heading.
        if !rows.is_empty() || self.count < ROWS_MAX {
            let fault = explanation.fault().map(ToString::to_string);
            self.documents.push(Document { name: name.to_owned(), fault, rows });
        }
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// What `out` returned.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.write_into(out).map_err(io::Error::other)
    }
}

/// Finds the lines of wholes and targets. The first of `rows` is line `first`.
fn link(rows: &mut [Row], first: usize) {
    let starts: Vec<usize> = rows.iter().map(|row| row.at).collect();
    let line = |at: usize| {
        starts.partition_point(|&start| start <= at).checked_sub(1).map(|index| index.saturating_add(first))
    };
    for row in rows {
        row.whole_first = starts.partition_point(|&start| start < row.whole.offset).saturating_add(first);
        row.whole_last = line(row.whole.end().saturating_sub(1)).unwrap_or(row.number);
        // What is pointed to may be left out.
        let target = row.target_at.filter(|at| starts.binary_search(at).is_ok()).and_then(line);
        row.target = target.and_then(|line| isize::try_from(line).ok()).unwrap_or(-1);
    }
}

impl Row {
    fn new(number: usize, note: &Note<'_>, bytes: &[u8], section: Option<&'static str>) -> Self {
        let span = note.region.span;
        let mut lines = note.meaning.lines();
        let meaning = lines.next().unwrap_or_default();
        Self {
            number,
            at: span.offset,
            bytes: hex(note, bytes),
            class: class(note.region.role),
            section,
            depth: note.region.depth.min(DEPTH_MAX),
            meaning: match note.value {
                Some(value) if meaning == "value" => Operand::Scalar(value).to_string(),
                Some(value) => format!("{meaning}: {}", Operand::Scalar(value)),
                None => meaning.to_owned(),
            },
            details: lines.map(str::to_owned).collect(),
            is_fault: note.is_fault,
            whole: note.whole,
            whole_first: number,
            whole_last: number,
            target_at: note.points_to,
            target: -1,
        }
    }
}

/// The bytes that may be shown and have room, and how many there are besides.
fn hex(note: &Note<'_>, bytes: &[u8]) -> String {
    let Span { offset, len } = note.region.span;
    let shown = bytes.get(offset..offset.saturating_add(note.shown.min(BYTES_MAX))).unwrap_or_default();
    let mut hex = String::with_capacity(shown.len().saturating_mul(3));
    for (index, byte) in shown.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{}{byte:02x}", if index == 0 { "" } else { " " });
    }
    let hidden = len.saturating_sub(shown.len());
    if hidden > 0 {
        let more = if shown.is_empty() { "bytes, not shown" } else { "more" };
        let _ = write!(hex, "{}({hidden} {more})", if shown.is_empty() { "" } else { " … " });
    }
    hex
}

/// The class whose colour a region has.
const fn class(role: Role) -> &'static str {
    match role {
        Role::Type | Role::Subtype => "type",
        Role::Name | Role::NameLength | Role::Hash | Role::FieldId => "name",
        Role::Value => "value",
        Role::NameOffset | Role::ChildOffset | Role::OwnerOffset | Role::Forward | Role::MapEntry => "offset",
        Role::Length | Role::Count => "count",
        Role::Slack | Role::Unread => "odd",
        _ => "plain",
    }
}
