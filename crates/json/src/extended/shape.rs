//! The one home of what wrapper objects look like: which keys, around which values.

use boson_document::vector::Vector;
use boson_document::{Container, Descend, Kind, Regex, Scalar, Sink, Span};

use crate::number::scalar_of_integer;
use crate::text::{
    StackText, base64_encode, day_second, hex_encode, iso_date, iso_millis, iso_timestamp, iso_timestamp_tz, year_month,
};
use crate::vector;

/// Which wrappers are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Extended JSON v2 canonical: also around every number.
    Canonical,
    /// Extended JSON v2 relaxed: numbers and dates as text where JSON and ISO 8601 have them.
    Relaxed,
    /// Oracle's extended objects, and relaxed ones for what only BSON has.
    Oracle,
}

/// The first millisecond of the year 10000, from which on relaxed dates are numbers.
const YEAR_10000_MS: i64 = 253_402_300_800_000;

/// Delivers `scalar` as a wrapper object; answers false, and delivers nothing, when its form has no wrapper for it.
///
/// What MongoDB has no type for gets Oracle's wrapper in every form, and the reverse.
pub(crate) fn push<S: Sink>(
    scalar: Scalar<'_>,
    span: Span,
    form: Form,
    scratch: &mut String,
    sink: &mut S,
) -> Result<bool, S::Error> {
    let mut shape = Shape { sink, span };
    match scalar.kind() {
        Kind::Null | Kind::Bool | Kind::String | Kind::DecimalText => return Ok(false),
        Kind::Int32 | Kind::Int64 | Kind::Float | Kind::Double | Kind::Decimal128 | Kind::Number => {
            return shape.number(scalar, form);
        }
        Kind::Binary | Kind::ObjectId | Kind::Id | Kind::OracleVector => shape.bytes(scalar, form, scratch)?,
        Kind::DateTime
        | Kind::OracleDate
        | Kind::OracleTimestamp
        | Kind::OracleTimestampTz
        | Kind::IntervalYearMonth
        | Kind::IntervalDaySecond => return shape.time(scalar, form),
        _ => shape.bson_only(scalar, scratch)?,
    }
    Ok(true)
}

/// Delivers the beginning of code with a scope: `{"$code": …, "$scope": {`.
pub(crate) fn begin_code_with_scope<S: Sink>(
    code: &str,
    container: Container,
    sink: &mut S,
) -> Result<Descend, S::Error> {
    let span = container.span;
    if sink.begin_object(Container { span, len: Some(2) })? == Descend::Skip {
        return Ok(Descend::Skip);
    }
    sink.key("$code", span)?;
    sink.scalar(Scalar::String(code), span)?;
    sink.key("$scope", span)?;
    let descend = sink.begin_object(container)?;
    if descend == Descend::Skip {
        sink.end_object()?;
    }
    Ok(descend)
}

/// Delivers the end of code with a scope.
pub(crate) fn end_code_with_scope<S: Sink>(sink: &mut S) -> Result<(), S::Error> {
    sink.end_object()?;
    sink.end_object()
}

struct Shape<'s, S> {
    sink: &'s mut S,
    span: Span,
}

impl<S: Sink> Shape<'_, S> {
    /// Numbers. JSON's own number is all that relaxed form has for those that it can write.
    fn number(&mut self, scalar: Scalar<'_>, form: Form) -> Result<bool, S::Error> {
        let canonical = form == Form::Canonical;
        let oracle = form == Form::Oracle;
        match scalar {
            Scalar::Int32(value) if canonical => {
                self.one("$numberInt", Scalar::String(itoa::Buffer::new().format(value)))?;
            }
            Scalar::Int64(value) if canonical => {
                self.one("$numberLong", Scalar::String(itoa::Buffer::new().format(value)))?;
            }
            // A reader takes the smallest type that holds a bare integer.
            Scalar::Int64(value) if oracle && i32::try_from(value).is_ok() => self.one("$numberLong", scalar)?,
            Scalar::Float(value) if oracle => self.oracle_float("$numberFloat", scalar, value.into())?,
            Scalar::Double(value) if oracle => self.oracle_float("$numberDouble", scalar, value)?,
            Scalar::Float(value) => return self.double(value.into(), canonical),
            Scalar::Double(value) => return self.double(value, canonical),
            Scalar::Decimal128(value) => self.one("$numberDecimal", Scalar::String(value.to_text().as_str()))?,
            Scalar::Number(_) if oracle => self.one("$numberDecimal", scalar)?,
            Scalar::Number(value) => self.one("$numberDecimal", Scalar::String(value.to_text().as_str()))?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn double(&mut self, value: f64, canonical: bool) -> Result<bool, S::Error> {
        if value.is_finite() && !canonical {
            return Ok(false);
        }
        let mut buffer = zmij::Buffer::new();
        let mut text = StackText::new();
        self.one("$numberDouble", Scalar::String(canonical_double(value, &mut buffer, &mut text)))?;
        Ok(true)
    }

    fn oracle_float(&mut self, key: &str, scalar: Scalar<'_>, value: f64) -> Result<(), S::Error> {
        let word = match value {
            value if value.is_nan() => "Nan",
            f64::INFINITY => "Infinity",
            f64::NEG_INFINITY => "-Infinity",
            _ => return self.one(key, scalar),
        };
        self.one(key, Scalar::String(word))
    }

    fn bytes(&mut self, scalar: Scalar<'_>, form: Form, scratch: &mut String) -> Result<(), S::Error> {
        scratch.clear();
        match scalar {
            Scalar::ObjectId(id) => {
                hex_encode(&id.0, false, scratch);
                self.one("$oid", Scalar::String(scratch))
            }
            Scalar::Id(bytes) => {
                hex_encode(bytes, false, scratch);
                self.one("$rawid", Scalar::String(scratch))
            }
            Scalar::Binary { subtype: 0, bytes } if form == Form::Oracle => self.raw_hex(bytes, scratch),
            Scalar::Binary { subtype, bytes } => {
                base64_encode(bytes, scratch);
                let mut hex = StackText::new();
                for nibble in [subtype >> 4, subtype & 0xF] {
                    hex.push(b"0123456789abcdef".get(usize::from(nibble)).copied().unwrap_or(b'0'));
                }
                let members = [("base64", Scalar::String(scratch)), ("subType", Scalar::String(hex.as_str()))];
                self.nested("$binary", &members)
            }
            Scalar::OracleVector(image) => match vector::vector_of_numbers(image) {
                Some(vector) => self.vector(&vector),
                None => self.raw_hex(image, scratch),
            },
            _ => Ok(()),
        }
    }

    fn raw_hex(&mut self, bytes: &[u8], scratch: &mut String) -> Result<(), S::Error> {
        hex_encode(bytes, true, scratch);
        self.one("$rawhex", Scalar::String(scratch))
    }

    fn vector(&mut self, vector: &Vector<'_>) -> Result<(), S::Error> {
        let container = Container { span: self.span, len: Some(2) };
        if self.sink.begin_object(container)? == Descend::Into {
            self.sink.key("$vector", self.span)?;
            vector::push(vector, self.span, self.sink)?;
            self.member("$vectorElementType", Scalar::String(vector.format().name()))?;
            self.sink.end_object()?;
        }
        Ok(())
    }

    fn time(&mut self, scalar: Scalar<'_>, form: Form) -> Result<bool, S::Error> {
        let (key, text) = match scalar {
            Scalar::DateTime(ms) => return self.date(ms, form).map(|()| true),
            Scalar::OracleDate(time) => ("$oracleDate", iso_date(time)),
            Scalar::OracleTimestamp(time) => ("$oracleTimestamp", iso_timestamp(time)),
            Scalar::OracleTimestampTz(time) => match iso_timestamp_tz(time) {
                Some(text) => ("$oracleTimestampTZ", text),
                // Local time in a year beyond 9999 or before -4712: the moment is kept, the zone cannot be.
                None => ("$oracleTimestampTZ", utc_text(time.utc)),
            },
            Scalar::IntervalYearMonth(interval) => ("$intervalYearMonth", year_month(interval)),
            Scalar::IntervalDaySecond(interval) => ("$intervalDaySecond", day_second(interval)),
            _ => return Ok(false),
        };
        self.one(key, Scalar::String(text.as_str()))?;
        Ok(true)
    }

    fn date(&mut self, ms: i64, form: Form) -> Result<(), S::Error> {
        let text = if form != Form::Canonical && (0..YEAR_10000_MS).contains(&ms) { iso_millis(ms) } else { None };
        match text {
            Some(text) => self.one("$date", Scalar::String(text.as_str())),
            None => self.nested("$date", &[("$numberLong", Scalar::String(itoa::Buffer::new().format(ms)))]),
        }
    }

    fn bson_only(&mut self, scalar: Scalar<'_>, scratch: &mut String) -> Result<(), S::Error> {
        match scalar {
            Scalar::Timestamp { time, increment } => {
                let members = [("t", scalar_of_integer(time.into())), ("i", scalar_of_integer(increment.into()))];
                self.nested("$timestamp", &members)
            }
            Scalar::Regex(regex) => {
                sorted_options(regex, scratch);
                let members = [("pattern", Scalar::String(regex.pattern())), ("options", Scalar::String(scratch))];
                self.nested("$regularExpression", &members)
            }
            Scalar::Code(code) => self.one("$code", Scalar::String(code)),
            Scalar::Symbol(symbol) => self.one("$symbol", Scalar::String(symbol)),
            Scalar::DbPointer(pointer) => self.db_pointer(pointer, scratch),
            Scalar::Undefined => self.one("$undefined", Scalar::Bool(true)),
            Scalar::MinKey => self.one("$minKey", Scalar::Int32(1)),
            Scalar::MaxKey => self.one("$maxKey", Scalar::Int32(1)),
            _ => Ok(()),
        }
    }

    fn db_pointer(&mut self, pointer: boson_document::DbPointer<'_>, scratch: &mut String) -> Result<(), S::Error> {
        let outer = Container { span: self.span, len: Some(1) };
        if self.sink.begin_object(outer)? == Descend::Skip {
            return Ok(());
        }
        self.sink.key("$dbPointer", self.span)?;
        if self.sink.begin_object(Container { len: Some(2), ..outer })? == Descend::Into {
            self.member("$ref", Scalar::String(pointer.namespace()))?;
            self.sink.key("$id", self.span)?;
            scratch.clear();
            hex_encode(&pointer.id().0, false, scratch);
            self.one("$oid", Scalar::String(scratch))?;
            self.sink.end_object()?;
        }
        self.sink.end_object()
    }

    /// `{key: value}`
    #[inline]
    fn one(&mut self, key: &str, value: Scalar<'_>) -> Result<(), S::Error> {
        if self.sink.begin_object(Container { span: self.span, len: Some(1) })? == Descend::Into {
            self.member(key, value)?;
            self.sink.end_object()?;
        }
        Ok(())
    }

    /// `{key: {members}}`
    fn nested(&mut self, key: &str, members: &[(&str, Scalar<'_>)]) -> Result<(), S::Error> {
        let outer = Container { span: self.span, len: Some(1) };
        if self.sink.begin_object(outer)? == Descend::Skip {
            return Ok(());
        }
        self.sink.key(key, self.span)?;
        if self.sink.begin_object(Container { len: Some(members.len()), ..outer })? == Descend::Into {
            for &(key, value) in members {
                self.member(key, value)?;
            }
            self.sink.end_object()?;
        }
        self.sink.end_object()
    }

    #[inline]
    fn member(&mut self, key: &str, value: Scalar<'_>) -> Result<(), S::Error> {
        self.sink.key(key, self.span)?;
        self.sink.scalar(value, self.span)
    }
}

fn utc_text(utc: boson_document::CivilTime) -> StackText {
    let mut text = iso_timestamp(utc);
    text.push(b'Z');
    text
}

/// The options in alphabetical order, as Extended JSON and BSON want them.
pub(crate) fn sorted_options(regex: Regex<'_>, scratch: &mut String) {
    scratch.clear();
    scratch.push_str(regex.options());
    if !scratch.chars().is_sorted() {
        let mut options: Vec<char> = scratch.chars().collect();
        options.sort_unstable();
        *scratch = options.into_iter().collect();
    }
}

/// The text inside `$numberDouble`: shortest digits, at least one behind the point, exponents as in `1.5E+18`.
fn canonical_double<'t>(value: f64, buffer: &'t mut zmij::Buffer, text: &'t mut StackText) -> &'t str {
    match value {
        value if value.is_nan() => "NaN",
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        value => {
            let shortest = buffer.format_finite(value);
            let Some((digits, exponent)) = shortest.split_once('e') else { return shortest };
            let sign = if exponent.starts_with(['-', '+']) { "E" } else { "E+" };
            for part in [digits, sign, exponent] {
                text.push_str(part);
            }
            text.as_str()
        }
    }
}
