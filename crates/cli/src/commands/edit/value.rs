//! The value on the command line.

use std::io::Read;

use boson_document::{Builder, Discard, Kind, Source, Value};
use boson_json::Text;
use boson_transcode::{AnyDocument, ConvertError, Converter, Fault, Format, Policy, Report};
use clap::{Args, ValueEnum};

use crate::exit::UsageError;
use crate::output::{NAME, WARNING, tell};

/// The value to set or push, and what it is.
#[derive(Debug, Args)]
pub(super) struct ValueArgs {
    /// The value: JSON, with `{"$oid": …}` and the like for what JSON has no type for; anything else is a string. `-` reads
    /// it from standard input
    #[arg(allow_negative_numbers = true)]
    value: String,

    /// What the value is, where its text does not say it
    #[arg(long = "type", value_enum, default_value_t, value_name = "TYPE")]
    form: TypeChoice,
}

/// What the text of a value stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum TypeChoice {
    /// JSON if it is JSON, else a string
    #[default]
    Auto,
    /// JSON, or an error
    Json,
    /// The text itself
    String,
    /// A 32-bit integer
    Int,
    /// A 64-bit integer
    Long,
    /// A double
    Double,
    /// A decimal number
    Decimal,
    /// A date with its time, such as 2026-11-30T12:00:00Z
    Date,
    /// An ObjectId, 24 hexadecimal digits
    ObjectId,
}

impl TypeChoice {
    /// The name of the wrapper object of this type.
    const fn wrapper(self) -> Option<&'static str> {
        match self {
            Self::Auto | Self::Json | Self::String => None,
            Self::Int => Some("$numberInt"),
            Self::Long => Some("$numberLong"),
            Self::Double => Some("$numberDouble"),
            Self::Decimal => Some("$numberDecimal"),
            Self::Date => Some("$date"),
            Self::ObjectId => Some("$oid"),
        }
    }

    const fn is_number(self) -> bool {
        matches!(self, Self::Int | Self::Long | Self::Double | Self::Decimal)
    }
}

impl ValueArgs {
    /// Whether the value comes from standard input.
    pub(super) fn is_standard(&self) -> bool {
        self.value == "-" && self.form != TypeChoice::String
    }

    /// The value as a document of `format` holds it, which is to stand at `path`. What it cannot hold as it is, is told on
    /// standard error.
    pub(super) fn to_tree(&self, format: Format, policy: &Policy, path: &str) -> anyhow::Result<Value> {
        let text = self.text()?;
        let json = self.json(&text)?;
        if format == Format::Json {
            return self.json_tree(&text, &json);
        }
        check(&json)?;
        // The root of BSON is an object, so the value is made as a member of one.
        let wrapped = format!("{{\"{MEMBER}\":{json}}}");
        let document = AnyDocument::new(Format::Json, wrapped.as_bytes())?;
        let (mut losses, mut bytes) = (Report::new(), Vec::new());
        Converter::new(format, policy.clone())
            .convert(&document, &mut losses, &mut bytes)
            .map_err(|error| refused(&error, format, path))?;
        tell_losses(&losses, path);
        let mut builder = Builder::new();
        AnyDocument::new(format, &bytes)?.drive(&mut builder)?;
        match builder.finish() {
            Some(Value::Object(mut members)) if members.len() == 1 => Ok(members.remove(0).1),
            _ => Err(UsageError("the value is more than one".to_owned()).into()),
        }
    }

    fn text(&self) -> anyhow::Result<String> {
        if !self.is_standard() {
            return Ok(self.value.clone());
        }
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        Ok(text.trim_end_matches(['\r', '\n']).to_owned())
    }

    /// The JSON text of the value.
    fn json(&self, text: &str) -> anyhow::Result<String> {
        if let Some(wrapper) = self.form.wrapper() {
            return Ok(format!("{{\"{wrapper}\":{}}}", serde_json::to_string(text)?));
        }
        let is_json = || Text::new(text.as_bytes()).drive(&mut Discard).is_ok();
        // What begins like JSON and is none is a mistake rather than a string.
        let meant = text.trim_start().starts_with(['{', '[', '"']);
        match self.form {
            TypeChoice::Json => Ok(text.to_owned()),
            TypeChoice::Auto if meant || is_json() => Ok(text.to_owned()),
            _ => Ok(serde_json::to_string(text)?),
        }
    }

    /// In JSON text every object is what it is written as, and a number is its digits.
    fn json_tree(&self, text: &str, json: &str) -> anyhow::Result<Value> {
        let json = if self.form.is_number() { text } else { json };
        check(json)?;
        let mut builder = Builder::new();
        Text::new(json.as_bytes()).drive(&mut builder)?;
        let value = builder.finish().ok_or_else(|| UsageError("there is no value".to_owned()))?;
        let is_number = matches!(value.kind(), Kind::Int32 | Kind::Int64 | Kind::Double | Kind::DecimalText);
        if self.form.is_number() && !is_number {
            return Err(UsageError(format!("the value is no number: {text}")).into());
        }
        Ok(value)
    }
}

/// The name of the value while it is converted.
const MEMBER: &str = "v";

/// Says where the value's text is no JSON.
fn check(json: &str) -> Result<(), UsageError> {
    let read = Text::new(json.as_bytes()).drive(&mut Discard);
    read.map_err(|error| UsageError(format!("the value is not JSON: {error}; --type string takes it as it is")))
}

/// Why the value cannot be one of `format`, with the path that the part of it at fault would have.
fn refused(error: &ConvertError, format: Format, path: &str) -> UsageError {
    let inner = error.path().map(ToString::to_string).unwrap_or_default();
    let inner = inner.strip_prefix("$.v").unwrap_or_default();
    let why = match error.fault() {
        Fault::Source(fault) => fault.kind.to_string(),
        fault => fault.to_string(),
    };
    UsageError(format!("the value cannot be {}: {path}{inner}: {why}", format.name().to_uppercase()))
}

/// What could not be carried over, with the paths that the value's parts will have.
fn tell_losses(losses: &Report, path: &str) {
    for lost in losses.iter() {
        let inner = lost.path.and_then(|inner| inner.strip_prefix("$.v")).unwrap_or_default();
        let changed = lost.loss.grade() == boson_transcode::Grade::Value;
        let (style, word) = if changed { (WARNING, "lost") } else { (NAME, "note") };
        tell!("{style}{word}{style:#} {path}{inner}: {}", lost.loss.explanation());
    }
}
