//! `boson get`: one field of each document, the rest not decoded.

use std::io::Write;

use boson_document::{Builder, DecodeError, Kind, PathBuf, Source};
use boson_json::Resolve;
use boson_transcode::{AnyDocument, Converter, Fault, Format, Found, Policy, Report};
use clap::{Args, ValueEnum};

use crate::args::{DialectArgs, InputArgs, JsonStyle};
use crate::documents::{Item, for_each};
use crate::exit::Exit;
use crate::output;

/// The arguments of `boson get`.
#[derive(Debug, Args)]
#[command(after_help = "\
A path is `a.b[1].c`; a name with dots or other odd characters is written `[\"odd.name\"]`, the document itself `$`.
In BSON and OSON only what lies on the way is read. Exit code 1 says that no document has such a value.

Examples:
  boson get address.city users.bson.gz
  boson get 'items[0][\"unit price\"]' --as raw < orders.oson
  boson get _id --as typed dump.bson")]
pub(crate) struct GetArgs {
    /// The path of the value
    path: PathBuf,

    #[command(flatten)]
    input: InputArgs,

    /// How to print each value
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORM")]
    form: Form,

    /// How JSON writes what it has no type for
    #[arg(long, value_enum, default_value_t, value_name = "STYLE")]
    json_style: JsonStyle,

    #[command(flatten)]
    dialect: DialectArgs,

    /// Print `null` for a document that has no such value, so that lines match documents
    #[arg(long)]
    null: bool,
}

/// How values are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Form {
    /// As JSON, one value a line
    #[default]
    Json,
    /// Strings without quotes, the rest as JSON
    Raw,
    /// File, document, bytes (`-` where they are not known), type and value
    Typed,
}

/// Prints the value of each document.
pub(crate) fn run(args: &GetArgs) -> anyhow::Result<Exit> {
    let mut out = output::stdout();
    let mut lookup = Lookup::new(args);
    for_each(&args.input.files, &args.input.form, |item| {
        if lookup.print(item)? {
            out.write_all(&lookup.line)?;
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(Exit::answer(lookup.found_any))
}

struct Lookup<'a> {
    args: &'a GetArgs,
    /// Values are written as a conversion to JSON writes them.
    converter: Converter,
    losses: Report,
    found_any: bool,
    line: Vec<u8>,
}

impl<'a> Lookup<'a> {
    fn new(args: &'a GetArgs) -> Self {
        let mut policy = args.dialect.policy(args.input.form.limits);
        policy.json_style = args.json_style.into();
        // Sensitive bytes (BSON subtype 8) must not appear in logs.
        policy.redact_sensitive = true;
        // What is no wrapper after all is shown as it is.
        policy.dialects = policy.dialects.lenient();
        let converter = Converter::new(Format::Json, policy);
        Self { args, converter, losses: Report::new(), found_any: false, line: Vec::new() }
    }

    /// Makes the line of one document; false when there is none.
    fn print(&mut self, item: &Item<'_>) -> anyhow::Result<bool> {
        let document = item.document()?;
        self.line.clear();
        let found = document.get_path_by(&self.args.path, self.converter.policy());
        match found.map_err(|error| located(&document, item, error))? {
            Some(found) => {
                self.found_any = true;
                self.render(&found, &document, item)?;
            }
            None if self.args.null && self.args.form == Form::Typed => {
                write!(self.line, "{}\t{}\t-\tmissing\tnull", item.file, item.number)?;
            }
            None if self.args.null => self.line.extend_from_slice(b"null"),
            None => return Ok(false),
        }
        self.line.push(b'\n');
        Ok(true)
    }

    fn render(&mut self, found: &Found<'_>, document: &AnyDocument<'_>, item: &Item<'_>) -> anyhow::Result<()> {
        let fail = |error| located(document, item, error);
        if self.args.form == Form::Typed {
            let kind = kind(found, self.converter.policy()).map_err(fail)?;
            let span = self.span(found, item);
            write!(self.line, "{}\t{}\t{span}\t{kind}\t", item.file, item.number)?;
        }
        let start = self.line.len();
        let Self { converter, losses, line, .. } = self;
        let converted = converter.convert_source(found, found.format(), losses, line);
        converted.map_err(|error| match error.fault() {
            Fault::Source(fault) => fail(*fault),
            _ => anyhow::Error::new(error).context(item.place()),
        })?;
        if self.args.form == Form::Raw && found.kind().map_err(fail)? == Kind::String {
            let text: String = serde_json::from_slice(self.line.get(start..).unwrap_or_default())?;
            self.line.truncate(start);
            self.line.extend_from_slice(text.as_bytes());
        }
        Ok(())
    }

    /// Where the value's bytes are; of a value in a JSON text that is not known.
    fn span(&self, found: &Found<'_>, item: &Item<'_>) -> String {
        if self.args.path.segments().is_empty() {
            return format!("0..{}", item.bytes.len());
        }
        match found.format() {
            Format::Json => "-".to_owned(),
            Format::Bson | Format::Oson => found.span().to_string(),
        }
    }
}

/// What the value is; a number of JSON text is what a conversion would make of it.
fn kind(found: &Found<'_>, policy: &Policy) -> Result<Kind, DecodeError> {
    let kind = found.kind()?;
    if found.format() != Format::Json || kind != Kind::DecimalText {
        return Ok(kind);
    }
    let mut resolve = Resolve::with_policy(Builder::new(), policy.inexact);
    found.drive(&mut resolve)?;
    Ok(resolve.into_inner().finish().map_or(kind, |value| value.kind()))
}

fn located(document: &AnyDocument<'_>, item: &Item<'_>, error: DecodeError) -> anyhow::Error {
    anyhow::Error::new(document.locate(error)).context(item.place())
}
