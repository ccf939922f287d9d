//! `boson get`: one field of each document, the rest not decoded.

use std::io::Write;

use boson_document::{Kind, PathBuf, Scalar, Source};
use boson_json::Writer;
use boson_transcode::{AnyDocument, Found};
use clap::{Args, ValueEnum};

use crate::args::{InputArgs, JsonStyle};
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
    /// Type and value, and where the value stands
    Typed,
}

/// Prints the value of each document.
pub(crate) fn run(args: &GetArgs) -> anyhow::Result<Exit> {
    let mut out = output::stdout();
    let mut found_any = false;
    let mut text = Vec::new();
    for_each(&args.input.files, &args.input.form, |item| {
        let document = item.document()?;
        text.clear();
        match find(&document, item, args)? {
            Some(found) => {
                found_any = true;
                render(&found, &document, item, args, &mut text)?;
            }
            None if args.null => text.extend_from_slice(b"null"),
            None => return Ok(()),
        }
        text.push(b'\n');
        Ok(out.write_all(&text)?)
    })?;
    out.flush()?;
    Ok(Exit::answer(found_any))
}

fn find<'a>(document: &AnyDocument<'a>, item: &Item<'_>, args: &GetArgs) -> anyhow::Result<Option<Found<'a>>> {
    document.get_path(&args.path).map_err(|error| located(document, item, error))
}

fn located(document: &AnyDocument<'_>, item: &Item<'_>, error: boson_document::DecodeError) -> anyhow::Error {
    anyhow::Error::new(document.locate(error)).context(item.place())
}

/// Appends the value to `text`.
fn render(
    found: &Found<'_>,
    document: &AnyDocument<'_>,
    item: &Item<'_>,
    args: &GetArgs,
    text: &mut Vec<u8>,
) -> anyhow::Result<()> {
    let fail = |error| located(document, item, error);
    if args.form == Form::Raw
        && let Some(Scalar::String(string)) = found.scalar().map_err(fail)?
    {
        text.extend_from_slice(string.as_bytes());
        return Ok(());
    }
    if args.form == Form::Typed {
        let kind: Kind = found.kind().map_err(fail)?;
        write!(text, "{}\t{}\t{}\t{kind}\t", item.file, item.number, found.span())?;
    }
    // Sensitive bytes (BSON subtype 8) must not appear in logs.
    let mut writer = Writer::new(text, args.json_style.into()).redact_sensitive(true);
    found.drive(&mut writer).map_err(|error| match error {
        boson_json::WriteError::Decode(error) => fail(error),
        boson_json::WriteError::Io(error) => error.into(),
    })
}
