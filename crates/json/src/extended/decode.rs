//! What a whole wrapper object means.

use boson_document::{CivilTime, ObjectId, Rule, Scalar, Span, ZonedTime};

use super::Dialects;
use super::name::Name;
use super::numbers::{self, integer_leaf};
use super::tape::{BytesKind, Event, Leaf, Origin, Tape, TextKind};
use super::unwrap::Frame;
use crate::text::{base64_decode, hex_decode, parse_day_second, parse_iso, parse_year_month, uuid_decode};

/// What an object turned out to be.
pub(super) enum Decoded {
    /// The scalar it wraps, and whether that is a float that the text was rounded to.
    Leaf { leaf: Leaf, rounded: bool },
    /// Code with scope: the events on the tape are those of its scope now.
    CodeWithScope,
    /// A wrapper's keys around what is not that wrapper.
    Malformed(Rule),
    /// An object like any other.
    Plain,
}

/// What a decoder answers: a leaf, or the rule that is broken.
type Result<T> = std::result::Result<T, Rule>;

/// Decodes the object of `frame`, which reaches to the end of the tape but for its own end.
pub(super) fn decode(frame: &Frame, tape: &mut Tape, dialects: Dialects) -> Decoded {
    let (name, value) = (frame.first.name, frame.first.value);
    let mut object = Object { tape, dialects, rounded: false };
    let leaf = match frame.second {
        None if !name.is_binding() => return Decoded::Plain,
        None => object.single(name, value),
        Some(second) => {
            let (second_name, second_value) = (second.name, second.value);
            match (name, second_name) {
                (Name::Code, Name::Scope) => return object.code_with_scope(frame.start, value, second_value, true),
                (Name::Scope, Name::Code) => return object.code_with_scope(frame.start, second_value, value, false),
                (Name::Regex, Name::Options) => return object.legacy_regex(value, second_value),
                (Name::Options, Name::Regex) => return object.legacy_regex(second_value, value),
                (Name::Binary, Name::Type | Name::Subtype) => object.flat_binary(value, second_value),
                (Name::Type | Name::Subtype, Name::Binary) => object.flat_binary(second_value, value),
                (Name::Vector, Name::VectorElementType) => object.vector(value, second_value, second_value),
                (Name::VectorElementType, Name::Vector) => object.vector(second_value, value, usize::MAX),
                _ if name.is_binding() || second_name.is_binding() => Err(Rule::ExtendedShape),
                _ => return Decoded::Plain,
            }
        }
    };
    let rounded = object.rounded;
    leaf.map_or_else(Decoded::Malformed, |leaf| Decoded::Leaf { leaf, rounded })
}

pub(super) struct Object<'t> {
    pub(super) tape: &'t mut Tape,
    pub(super) dialects: Dialects,
    /// The text had digits that the float has not.
    pub(super) rounded: bool,
}

impl Object<'_> {
    fn single(&mut self, name: Name, value: usize) -> Result<Leaf> {
        match name {
            Name::Oid => self.object_id(value),
            Name::Symbol => Ok(Leaf::Text(TextKind::Symbol, self.text(value)?)),
            Name::Code => Ok(Leaf::Text(TextKind::Code, self.text(value)?)),
            Name::NumberInt | Name::NumberLong | Name::NumberDouble | Name::NumberFloat | Name::NumberDecimal => {
                numbers::decode(self, name, value)
            }
            Name::Date => self.date(value),
            Name::MinKey => self.constant(value, Scalar::Int32(1), Scalar::MinKey),
            Name::MaxKey => self.constant(value, Scalar::Int32(1), Scalar::MaxKey),
            Name::Undefined => self.constant(value, Scalar::Bool(true), Scalar::Undefined),
            Name::Timestamp => self.timestamp(value),
            Name::RegularExpression => self.regular_expression(value),
            Name::DbPointer => self.db_pointer(value),
            Name::OracleDate | Name::OracleTimestamp | Name::OracleTimestampTz => self.oracle_time(name, value),
            Name::IntervalDaySecond | Name::IntervalYearMonth => self.interval(name, value),
            Name::Binary | Name::Uuid | Name::RawHex | Name::RawId => self.bytes(name, value),
            _ => Err(Rule::ExtendedShape),
        }
    }

    pub(super) fn event(&self, at: usize) -> Option<Event> {
        self.tape.events.get(at).copied()
    }

    /// The place of a string that stands as the value at `at`.
    pub(super) fn text(&self, at: usize) -> Result<Span> {
        match self.event(at) {
            Some(Event::Leaf(Leaf::Text(TextKind::String, text), _, None)) => Ok(text),
            _ => Err(Rule::ExtendedShape),
        }
    }

    /// The values of the two members of the object at `at`, which must be the last thing on the tape, by their names.
    fn members(&self, at: usize, names: [&str; 2]) -> Result<[usize; 2]> {
        let place = |offset: usize| at.saturating_add(offset);
        let ends = self.tape.events.len() == place(6) && matches!(self.event(place(5)), Some(Event::EndObject));
        let (Some(Event::Object(_)), Some(Event::Key(first, _)), Some(Event::Key(second, _)), true) =
            (self.event(at), self.event(place(1)), self.event(place(3)), ends)
        else {
            return Err(Rule::ExtendedShape);
        };
        let keys = [self.tape.text(first), self.tape.text(second)];
        let [a, b] = names;
        match keys == names {
            true => Ok([place(2), place(4)]),
            false if keys == [b, a] => Ok([place(4), place(2)]),
            false => Err(Rule::ExtendedShape),
        }
    }

    fn constant(&self, at: usize, wanted: Scalar<'_>, means: Scalar<'static>) -> Result<Leaf> {
        match self.event(at) {
            Some(Event::Leaf(found, _, None)) if same_number(self.tape.scalar(&found), wanted) => {
                Ok(Leaf::Fixed(means))
            }
            _ => Err(Rule::ExtendedShape),
        }
    }

    fn object_id(&mut self, at: usize) -> Result<Leaf> {
        let text = self.text(at)?;
        let id: std::result::Result<ObjectId, _> = self.tape.text(text).parse();
        id.map(|id| Leaf::Fixed(Scalar::ObjectId(id))).map_err(|_| Rule::ExtendedBytes)
    }

    fn bytes(&mut self, name: Name, at: usize) -> Result<Leaf> {
        let loose = self.dialects.loose_uuids;
        match (name, self.text(at)) {
            (Name::Uuid, Ok(text)) => self.binary(4, text, |text, bytes| uuid_decode(text, loose, bytes)),
            (Name::RawHex, Ok(text)) => self.binary(0, text, hex_decode),
            (Name::RawId, Ok(text)) => self.raw_id(text),
            (Name::Binary, Ok(text)) if self.dialects.oracle_first => self.binary(0, text, base64_decode),
            (Name::Binary, Err(_)) => {
                let [base64, subtype] = self.members(at, ["base64", "subType"])?;
                let (base64, subtype) = (self.text(base64)?, self.subtype(self.text(subtype)?)?);
                self.binary(subtype, base64, base64_decode)
            }
            _ => Err(Rule::ExtendedShape),
        }
    }

    fn binary(&mut self, subtype: u8, text: Span, decode: impl FnOnce(&[u8], &mut Vec<u8>) -> bool) -> Result<Leaf> {
        let bytes = self.tape.make_bytes(text, decode).ok_or(Rule::ExtendedBytes)?;
        Ok(Leaf::Bytes(BytesKind::Binary(subtype), bytes))
    }

    fn raw_id(&mut self, text: Span) -> Result<Leaf> {
        const ID_LEN_MAX: usize = 127;
        let id: std::result::Result<ObjectId, _> = self.tape.text(text).parse();
        if let Ok(id) = id {
            return Ok(Leaf::Fixed(Scalar::ObjectId(id)));
        }
        let bytes = self.tape.make_bytes(text, hex_decode).filter(|bytes| (1..=ID_LEN_MAX).contains(&bytes.len));
        Ok(Leaf::Bytes(BytesKind::Id, bytes.ok_or(Rule::ExtendedBytes)?))
    }

    /// One or two hexadecimal digits.
    fn subtype(&self, text: Span) -> Result<u8> {
        let digits = self.tape.text(text);
        let well_formed = matches!(digits.len(), 1 | 2) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let subtype = u8::from_str_radix(digits, 16).ok().filter(|_| well_formed);
        subtype.ok_or(Rule::ExtendedBytes)
    }

    /// `{"$binary": base64, "$type": subtype}`, which is MongoDB's legacy form, and Oracle's with `$subtype`.
    fn flat_binary(&mut self, base64: usize, subtype: usize) -> Result<Leaf> {
        let subtype = if let Ok(text) = self.text(subtype) {
            self.subtype(text)?
        } else {
            let number = self.event(subtype).and_then(|event| integer_leaf(self.tape, event));
            number.and_then(|number| u8::try_from(number).ok()).ok_or(Rule::ExtendedShape)?
        };
        let base64 = self.text(base64)?;
        self.binary(subtype, base64, base64_decode)
    }

    fn date(&mut self, at: usize) -> Result<Leaf> {
        let ms = match self.event(at) {
            Some(Event::Leaf(Leaf::Fixed(Scalar::Int64(ms)), _, Some(Origin { name: Name::NumberLong, .. }))) => ms,
            Some(event @ Event::Leaf(Leaf::Fixed(_) | Leaf::Number(_), _, None))
                if self.dialects.legacy || self.dialects.oracle_first =>
            {
                integer_leaf(self.tape, event).ok_or(Rule::ExtendedShape)?
            }
            _ => return self.iso_date(at),
        };
        Ok(Leaf::Fixed(Scalar::DateTime(ms)))
    }

    fn iso_date(&self, at: usize) -> Result<Leaf> {
        let time = parse_iso(self.tape.text(self.text(at)?)).ok_or(Rule::ExtendedDate)?;
        let utc = time.to_utc().filter(|_| time.has_time).ok_or(Rule::ExtendedDate)?;
        match (utc.ns_below_ms(), time.offset_minutes) {
            (0, _) => Ok(Leaf::Fixed(Scalar::DateTime(utc.to_unix_ms()))),
            (_, Some(offset_minutes)) if self.dialects.oracle_first => {
                Ok(Leaf::Fixed(Scalar::OracleTimestampTz(ZonedTime { utc, offset_minutes })))
            }
            // A date of BSON would lose digits.
            _ => Err(Rule::ExtendedDateFraction),
        }
    }

    fn oracle_time(&self, name: Name, at: usize) -> Result<Leaf> {
        let time = parse_iso(self.tape.text(self.text(at)?)).ok_or(Rule::ExtendedDate)?;
        let scalar = match (name, time.offset_minutes) {
            (Name::OracleTimestampTz, Some(offset_minutes)) => {
                let utc = time.to_utc().ok_or(Rule::ExtendedDate)?;
                Scalar::OracleTimestampTz(ZonedTime { utc, offset_minutes })
            }
            (Name::OracleTimestamp, None) => Scalar::OracleTimestamp(time.local),
            (Name::OracleDate, None) if whole_second(time.local) => Scalar::OracleDate(time.local),
            _ => return Err(Rule::ExtendedDate),
        };
        Ok(Leaf::Fixed(scalar))
    }

    fn interval(&self, name: Name, at: usize) -> Result<Leaf> {
        let text = self.tape.text(self.text(at)?);
        let scalar = match name {
            Name::IntervalYearMonth => parse_year_month(text).map(Scalar::IntervalYearMonth),
            _ => parse_day_second(text).map(Scalar::IntervalDaySecond),
        };
        scalar.map(Leaf::Fixed).ok_or(Rule::ExtendedInterval)
    }

    fn timestamp(&self, at: usize) -> Result<Leaf> {
        let [time, increment] = self.members(at, ["t", "i"])?;
        let part = |at: usize| {
            let number = self.event(at).and_then(|event| integer_leaf(self.tape, event));
            number.and_then(|number| u32::try_from(number).ok()).ok_or(Rule::ExtendedShape)
        };
        Ok(Leaf::Fixed(Scalar::Timestamp { time: part(time)?, increment: part(increment)? }))
    }

    fn regular_expression(&mut self, at: usize) -> Result<Leaf> {
        let [pattern, options] = self.members(at, ["pattern", "options"])?;
        let (pattern, options) = (self.text(pattern)?, self.text(options)?);
        self.tape.make_regex(pattern, options).map(|text| Leaf::Text(TextKind::Regex, text)).ok_or(Rule::ExtendedShape)
    }

    /// `{"$regex": …, "$options": …}`, which is also how queries are written: only two strings make a regex.
    fn legacy_regex(&mut self, pattern: usize, options: usize) -> Decoded {
        let (Ok(pattern), Ok(options)) = (self.text(pattern), self.text(options)) else { return Decoded::Plain };
        let regex = self.tape.make_regex(pattern, options);
        let leaf = regex.map(|text| Leaf::Text(TextKind::Regex, text));
        leaf.map_or(Decoded::Plain, |leaf| Decoded::Leaf { leaf, rounded: false })
    }

    fn db_pointer(&mut self, at: usize) -> Result<Leaf> {
        let [namespace, id] = self.members(at, ["$ref", "$id"])?;
        let namespace = self.text(namespace)?;
        let Some(Event::Leaf(Leaf::Fixed(Scalar::ObjectId(id)), _, Some(Origin { name: Name::Oid, .. }))) =
            self.event(id)
        else {
            return Err(Rule::ExtendedShape);
        };
        let bytes = self.tape.make_bytes(namespace, |namespace, bytes| {
            bytes.extend_from_slice(namespace);
            bytes.push(0);
            bytes.extend_from_slice(&id.0);
            true
        });
        Ok(Leaf::Bytes(BytesKind::DbPointer, bytes.ok_or(Rule::ExtendedShape)?))
    }

    /// Turns the events of the object at `start` into those of code with scope. With the code in front the scope ends the
    /// tape, else it ends before the code's key.
    fn code_with_scope(&mut self, start: usize, code: usize, scope: usize, code_first: bool) -> Decoded {
        let events = self.tape.events.len();
        let end = if code_first { events.saturating_sub(1) } else { code.saturating_sub(2) };
        let (Ok(text), Some(Event::Object(container))) = (self.text(code), self.event(scope)) else {
            return Decoded::Malformed(Rule::ExtendedShape);
        };
        let taken = [start, code.saturating_sub(1), code, scope.saturating_sub(1)];
        let changes = taken.into_iter().map(|at| (at, Event::Taken));
        for (at, event) in changes.chain([(scope, Event::Code(text, container)), (end, Event::EndCode)]) {
            if let Some(slot) = self.tape.events.get_mut(at) {
                *slot = event;
            }
        }
        Decoded::CodeWithScope
    }
}

const fn whole_second(time: CivilTime) -> bool {
    time.nanosecond == 0
}

/// Whether `found` is the constant that stands inside `$minKey` and its like; an integer may have grown on its way.
fn same_number(found: Scalar<'_>, wanted: Scalar<'_>) -> bool {
    match (found, wanted) {
        (Scalar::Int64(found), Scalar::Int32(wanted)) => found == i64::from(wanted),
        (Scalar::Number(found), Scalar::Int32(wanted)) => found.to_i64() == Some(wanted.into()),
        (found, wanted) => found == wanted,
    }
}
