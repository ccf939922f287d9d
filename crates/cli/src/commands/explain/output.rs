//! Where explanations go, and in which form.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
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
        let mut pages = Self { out, view: args.format, colour, count: 0 };
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
        let size = counted(item.bytes.len() as u64, "byte");
        writeln!(self.out, "{style}{}{style:#}: {} of {size}", item.place(), item.format.name())?;
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
        if self.view == View::Json {
            self.out.write_all(b"]}\n")?;
        }
        Ok(self.out.finish()?)
    }
}
