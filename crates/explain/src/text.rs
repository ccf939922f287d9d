//! The annotated dump: offset, bytes in hexadecimal, what they mean.
//!
//! A line that begins with `!` is where the fault lies. After the offset and two spaces come bytes with one space between them,
//! and after two spaces at least what they mean, indented by the structure of the document. A value, a name or slack of more
//! than eight bytes goes on below, sixteen bytes a line, with its ASCII letters.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use boson_document::{Note, Role};
use boson_transcode::diff::Operand;

use crate::{Explanation, Selection};

/// How many bytes the first line of a region has.
const FIRST_LEN: usize = 8;
/// How many a further one has.
const FURTHER_LEN: usize = 16;
/// How many levels are indented; what is deeper has its depth in front.
const INDENTED_MAX: u32 = 24;

const HEADING: Style = Style::new().bold();
const OFFSET: Style = Style::new().dimmed();
const FAULT: Style = AnsiColor::Red.on_default().bold();

/// Writes the dump of a document, or of the value that was selected, in colours if `colour` says so.
///
/// It is written as the document is walked, so nothing but the walk takes memory.
///
/// # Errors
///
/// What `out` returned.
pub fn write(
    explanation: &Explanation<'_>,
    selection: Option<&Selection>,
    colour: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let bytes = explanation.bytes();
    let digits = bytes.len().to_string().len().max(3);
    let mut dump = Dump { bytes, digits, colour, section: "document", out };
    explanation.notes(selection, |note| dump.note(note))?;
    match explanation.fault() {
        Some(fault) => dump.fault(fault),
        None => Ok(()),
    }
}

struct Dump<'a, W> {
    bytes: &'a [u8],
    /// How wide an offset is.
    digits: usize,
    colour: bool,
    /// What the last line was in.
    section: &'static str,
    out: W,
}

impl<W: Write> Dump<'_, W> {
    fn note(&mut self, note: &Note<'_>) -> io::Result<()> {
        if note.section != self.section {
            self.section = note.section;
            let heading = self.style(HEADING);
            writeln!(self.out, "{heading}{}{heading:#}", note.section)?;
        }
        let span = note.region.span;
        let shown = self.bytes.get(span.offset..span.offset.saturating_add(note.shown)).unwrap_or_default();
        let (first, rest) = shown.split_at_checked(FIRST_LEN).unwrap_or((shown, &[]));
        self.first_line(note, first)?;
        self.details(note)?;
        self.further_lines(note, span.offset.saturating_add(first.len()), rest)?;
        let hidden = span.len.saturating_sub(note.shown);
        if hidden > 0 {
            let verb = if note.shown == 0 { "are not shown" } else { "more" };
            self.blank(note)?;
            writeln!(self.out, "{hidden} bytes {verb}")?;
        }
        Ok(())
    }

    fn style(&self, style: Style) -> Style {
        if self.colour { style } else { Style::new() }
    }

    fn first_line(&mut self, note: &Note<'_>, bytes: &[u8]) -> io::Result<()> {
        self.offset(note, note.region.span.offset)?;
        self.hex(note, bytes, FIRST_LEN)?;
        self.indent(note.region.depth)?;
        let meaning = note.meaning.lines().next().unwrap_or_default();
        match note.value {
            Some(value) if meaning == "value" => write!(self.out, "{}", Operand::Scalar(value))?,
            Some(value) => write!(self.out, "{meaning}: {}", Operand::Scalar(value))?,
            None => write!(self.out, "{meaning}")?,
        }
        if let Some(target) = note.points_to {
            write!(self.out, " -> {target}")?;
        }
        writeln!(self.out)
    }

    fn details(&mut self, note: &Note<'_>) -> io::Result<()> {
        for line in note.meaning.lines().skip(1) {
            self.blank(note)?;
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }

    fn further_lines(&mut self, note: &Note<'_>, at: usize, bytes: &[u8]) -> io::Result<()> {
        let mut at = at;
        for row in bytes.chunks(FURTHER_LEN) {
            self.offset(note, at)?;
            self.hex(note, row, FURTHER_LEN)?;
            let ascii: String = row.iter().map(|&byte| letter(byte)).collect();
            writeln!(self.out, "{ascii}")?;
            at = at.saturating_add(row.len());
        }
        Ok(())
    }

    /// The beginning of a line, up to its bytes.
    fn offset(&mut self, note: &Note<'_>, at: usize) -> io::Result<()> {
        let (mark, style) = if note.is_fault { ('!', FAULT) } else { (' ', OFFSET) };
        let (style, digits) = (self.style(style), self.digits);
        write!(self.out, "{style}{mark}{at:>digits$}{style:#}  ")
    }

    /// The bytes, and spaces as if there were `len` of them.
    fn hex(&mut self, note: &Note<'_>, bytes: &[u8], len: usize) -> io::Result<()> {
        let style = self.style(style_of(note.region.role));
        write!(self.out, "{style}")?;
        for (index, byte) in bytes.iter().enumerate() {
            write!(self.out, "{}{byte:02x}", if index == 0 { "" } else { " " })?;
        }
        // Three characters a byte, of which the first has two.
        let missing = len.saturating_sub(bytes.len()).saturating_mul(3).saturating_sub(usize::from(bytes.is_empty()));
        write!(self.out, "{style:#}{:missing$}  ", "")
    }

    /// A line without offset and bytes, up to its meaning.
    fn blank(&mut self, note: &Note<'_>) -> io::Result<()> {
        let width = FIRST_LEN.saturating_mul(3).saturating_add(self.digits).saturating_add(4);
        write!(self.out, "{:width$}", "")?;
        self.indent(note.region.depth)
    }

    fn indent(&mut self, depth: u32) -> io::Result<()> {
        let levels = depth.min(INDENTED_MAX);
        for _ in 0..levels {
            self.out.write_all(b"  ")?;
        }
        if depth > levels { write!(self.out, "({depth}) ") } else { Ok(()) }
    }

    fn fault(&mut self, fault: &boson_document::Located) -> io::Result<()> {
        let style = self.style(FAULT);
        writeln!(self.out, "{style}fault{style:#} at {fault}")
    }
}

fn style_of(role: Role) -> Style {
    match role {
        Role::Type | Role::Subtype => AnsiColor::Yellow.on_default(),
        Role::Name | Role::NameLength | Role::Hash | Role::FieldId => AnsiColor::Cyan.on_default(),
        Role::Value => AnsiColor::Green.on_default(),
        Role::NameOffset | Role::ChildOffset | Role::OwnerOffset | Role::Forward | Role::MapEntry => {
            AnsiColor::Magenta.on_default()
        }
        Role::Length | Role::Count => AnsiColor::Blue.on_default(),
        Role::Slack | Role::Unread => AnsiColor::Red.on_default(),
        _ => Style::new(),
    }
}

/// The letter that stands for a byte beside the dump.
fn letter(byte: u8) -> char {
    if byte.is_ascii_graphic() || byte == b' ' { char::from(byte) } else { '.' }
}
