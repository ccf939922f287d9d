//! Where explanations go, and in which form.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use boson_explain::html::Page;
use boson_explain::{Explained, Explanation, Selection, text};
use boson_store::{Location, OutputFile};
use serde::Serialize;

use super::{ExplainArgs, View};
use crate::documents::Item;
use crate::output::{NAME, counted};

/// The explanations of a call, one after the other.
pub(super) struct Pages {
    out: OutputFile,
    view: View,
    colour: bool,
    /// How many documents there were.
    count: u64,
    /// What is written at the end, where that is what was asked for.
    page: Page,
}

/// An explanation with the place of its document.
#[derive(Serialize)]
struct Placed<'e, 'a> {
    file: &'a str,
    document: u64,
    at: u64,
    #[serde(flatten)]
    explained: Explained<'e, 'a>,
}

impl Pages {
    pub(super) fn create(args: &ExplainArgs) -> anyhow::Result<Self> {
        let out = OutputFile::create(&args.output, args.overwrite)?;
        let is_wanted = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        let colour = args.output == Location::Standard && is_wanted;
        let mut pages = Self { out, view: args.format, colour, count: 0, page: Page::new(&title(args)) };
        if pages.view == View::Json {
            pages.out.write_all(b"{\"documents\":[")?;
        }
        Ok(pages)
    }

    pub(super) fn add(
        &mut self,
        item: &Item<'_>,
        explanation: &Explanation<'_>,
        selection: Option<&Selection>,
    ) -> anyhow::Result<()> {
        match self.view {
            View::Text => self.add_text(item, explanation, selection)?,
            View::Json => self.add_json(item, explanation, selection)?,
            View::Html => self.page.add(&heading(item), explanation, selection),
        }
        self.count += 1;
        Ok(())
    }

    fn add_text(
        &mut self,
        item: &Item<'_>,
        explanation: &Explanation<'_>,
        selection: Option<&Selection>,
    ) -> io::Result<()> {
        let style = if self.colour { NAME } else { anstyle::Style::new() };
        if self.count > 0 {
            writeln!(self.out)?;
        }
        writeln!(self.out, "{style}{}{style:#}", heading(item))?;
        text::write(explanation, selection, self.colour, &mut self.out)
    }

    fn add_json(
        &mut self,
        item: &Item<'_>,
        explanation: &Explanation<'_>,
        selection: Option<&Selection>,
    ) -> io::Result<()> {
        if self.count > 0 {
            self.out.write_all(b",")?;
        }
        let explained = Explained { explanation, selection };
        let placed = Placed { file: item.file, document: item.number, at: item.offset, explained };
        Ok(serde_json::to_writer(&mut self.out, &placed)?)
    }

    /// Ends the output; a file has its name then.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        match self.view {
            View::Text => {}
            View::Json => self.out.write_all(b"]}\n")?,
            View::Html => self.page.write(&mut self.out)?,
        }
        Ok(self.out.finish()?)
    }
}

/// `people.bson: document 3 at byte 120, bson of 304 bytes`.
fn heading(item: &Item<'_>) -> String {
    format!("{}, {} of {}", item.place(), item.format.name(), counted(item.bytes.len() as u64, "byte"))
}

/// What a page is of.
fn title(args: &ExplainArgs) -> String {
    let files: Vec<String> = args.input.files.iter().map(ToString::to_string).collect();
    let path = args.path.as_ref().map(|path| format!(" {path}")).unwrap_or_default();
    format!("{}{path}, byte by byte", files.join(", "))
}
