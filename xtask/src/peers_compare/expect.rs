//! What a driver is expected to answer, from docs/format/peers.md; each function names the rows that it goes by.

use std::collections::BTreeSet;

use boson_document::{CivilTime, Decimal, IntervalDaySecond, Value, ZonedTime};
use boson_oson::write::Style;
use boson_oson::{Vector, VectorFormat};
use serde_json::{Value as Json, json};

use super::neutral;

/// A driver that has a codec of OSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Driver {
    Python,
    Node,
}

/// The driver does not do what it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Not {
    /// It refuses, as this row says.
    Refused(&'static str),
    /// It refuses, or writes what nobody can read, as this row says.
    Broken(&'static str),
    /// Its language has no such value.
    NoSuchValue,
}

/// What a driver reads from an image that we wrote.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) driver: Driver,
    pub(super) style: Style,
    /// The rows by which the value differs from what was written.
    pub(super) rows: BTreeSet<&'static str>,
}

/// The bytes of a NUMBER up to which its length stands in the opcode.
const NUMBER_LEN_IN_OPCODE: usize = 16;

impl Reading {
    fn row(&mut self, row: &'static str) {
        self.rows.insert(row);
    }

    pub(super) fn value(&mut self, value: &Value) -> Result<Json, Not> {
        Ok(match value {
            Value::Object(members) => return self.object(members),
            Value::Array(elements) => {
                let elements = elements.iter().map(|element| self.value(element)).collect::<Result<Vec<_>, _>>()?;
                json!({"t": "array", "v": elements})
            }
            Value::Null => json!({"t": "null"}),
            Value::Bool(value) => json!({"t": "bool", "v": value}),
            Value::String(text) => json!({"t": "string", "v": text}),
            Value::Binary { bytes, .. } => json!({"t": "binary", "v": boson_testkit::hex(bytes)}),
            Value::Id(bytes) => json!({"t": "id", "v": boson_testkit::hex(bytes)}),
            Value::ObjectId(id) => json!({"t": "id", "v": id.to_string()}),
            Value::OracleVector(image) => return self.vector(image),
            Value::IntervalYearMonth(_) if self.driver == Driver::Python => {
                return Err(Not::Refused("0x3D, 14 months"));
            }
            Value::IntervalYearMonth(interval) => neutral::interval_ym(*interval),
            Value::IntervalDaySecond(interval) => return self.interval(*interval),
            other => return self.number_or_time(other),
        })
    }

    fn object(&mut self, members: &[(String, Value)]) -> Result<Json, Not> {
        let mut rendered = Vec::new();
        for (name, value) in members {
            rendered.push((name.as_str(), self.value(value)?));
        }
        if self.driver == Driver::Node {
            self.without_proto(&mut rendered)?;
            let before: Vec<String> = rendered.iter().map(|(name, _)| (*name).to_owned()).collect();
            rendered.sort_by_key(|(name, _)| array_index(name).map_or((1, 0), |index| (0, index)));
            if before.iter().zip(&rendered).any(|(before, (after, _))| before != after) {
                self.row("keys that look like integers");
            }
        }
        Ok(json!({"t": "object", "v": rendered}))
    }

    /// A scalar under this key is dropped; anything else becomes the prototype, and the object is taken for what that is.
    fn without_proto(&mut self, members: &mut Vec<(&str, Json)>) -> Result<(), Not> {
        let Some((_, value)) = members.iter().find(|(name, _)| *name == "__proto__") else { return Ok(()) };
        let scalar = ["null", "bool", "double", "string"].iter().any(|kind| value.get("t") == Some(&json!(kind)));
        if !scalar {
            return Err(Not::Broken("key __proto__, object"));
        }
        self.row("key __proto__, scalar");
        members.retain(|(name, _)| *name != "__proto__");
        Ok(())
    }

    fn number_or_time(&mut self, value: &Value) -> Result<Json, Not> {
        match value {
            Value::Int32(value) => Ok(self.number(&Decimal::from_i64(i64::from(*value)))),
            Value::Int64(value) => Ok(self.number(&Decimal::from_i64(*value))),
            Value::Number(number) => Ok(self.number(&number.as_number().to_decimal())),
            Value::Decimal128(value) => self.decimal(&value.to_decimal().unwrap_or(Decimal::ZERO)),
            Value::DecimalText(text) => self.text(&Decimal::parse(text).unwrap_or(Decimal::ZERO)),
            Value::Float(value) => Ok(self.double(f64::from(*value))),
            Value::Double(value) => Ok(self.double(*value)),
            Value::DateTime(ms) => self.time(CivilTime::from_unix_ms(*ms), ""),
            Value::OracleDate(time) => self.time(Some(*time), "0x3C"),
            Value::OracleTimestamp(time) => self.time(Some(*time), ""),
            Value::OracleTimestampTz(time) => self.zoned(*time),
            _ => Err(Not::NoSuchValue),
        }
    }

    /// Every number is a Decimal to python and a double to node; neither shows the marks of integers and decimals.
    fn number(&mut self, decimal: &Decimal) -> Json {
        if self.driver == Driver::Python {
            return neutral::number(decimal);
        }
        let double = decimal.to_f64();
        if !Decimal::from_f64(double).is_some_and(|back| back.same_value(decimal)) {
            self.row("NUMBER 2^53+1");
        }
        // A NUMBER has one zero.
        neutral::double(if double == 0.0 { 0.0 } else { double })
    }

    fn decimal(&mut self, decimal: &Decimal) -> Result<Json, Not> {
        let len = decimal.to_number().map(|number| number.as_bytes().len());
        match (self.style, len) {
            (Style::Compact, None) => Err(Not::Refused("0x35")),
            (Style::Compact, Some(len)) if len > NUMBER_LEN_IN_OPCODE => Err(Not::Refused("0x74")),
            _ => Ok(self.number(decimal)),
        }
    }

    fn text(&mut self, decimal: &Decimal) -> Result<Json, Not> {
        match (self.style, decimal.to_number()) {
            (Style::Compact, None) => Err(Not::Refused("0x35")),
            _ => Ok(self.number(decimal)),
        }
    }

    /// Our writer has one zero, in either style, and one NaN.
    fn double(&mut self, value: f64) -> Json {
        if value.is_sign_negative() && value == 0.0 {
            self.row("write double -0.0");
            return self.double(0.0);
        }
        if value.is_nan() && value.to_bits() != f64::NAN.to_bits() {
            self.row("write double NaN");
            return neutral::double(f64::NAN);
        }
        if self.style == Style::Driver {
            return self.number(&Decimal::from_f64(value).unwrap_or(Decimal::ZERO));
        }
        neutral::double(value)
    }

    /// python has microseconds and years from 1, node milliseconds and takes the years 0 to 99 for 1900 to 1999.
    fn time(&mut self, time: Option<CivilTime>, row: &'static str) -> Result<Json, Not> {
        let mut time = time.ok_or(Not::NoSuchValue)?;
        if !row.is_empty() {
            self.row(row);
        }
        let unit_ns = if self.driver == Driver::Python { 1000 } else { 1_000_000 };
        if time.nanosecond % unit_ns != 0 {
            self.row(if self.driver == Driver::Python { "0x39, ns" } else { "0x39, us" });
            time.nanosecond -= time.nanosecond % unit_ns;
        }
        match (self.driver, time.year) {
            (Driver::Python, ..=0) => return Err(Not::Refused("year -1")),
            (Driver::Node, 0..=99) => {
                self.row("year 99");
                time.year += 1900;
            }
            _ => {}
        }
        Ok(neutral::timestamp(time))
    }

    fn zoned(&mut self, time: ZonedTime) -> Result<Json, Not> {
        if self.style == Style::Driver {
            return self.time(local(time), "write timestamptz, +05:30");
        }
        let read = if self.driver == Driver::Python { local(time) } else { Some(time.utc) };
        // Beyond the year 9999 python has no datetime.
        let read = read.ok_or(Not::Refused("year -1"))?;
        self.time(Some(read), "0x7C, +05:30")
    }

    fn interval(&mut self, interval: IntervalDaySecond) -> Result<Json, Not> {
        let ns = neutral::total_ns(interval);
        if self.driver == Driver::Node {
            return Ok(neutral::interval_ds(ns));
        }
        let floored = ns - i128::from(interval.nanoseconds.rem_euclid(1000));
        if floored != ns {
            self.row("0x3E, 1 ns");
        }
        let day_ns = 86_400_000_000_000;
        if floored.div_euclid(day_ns).abs() > 999_999_999 {
            return Err(Not::Refused("0x3E, 2147483647 days"));
        }
        Ok(neutral::interval_ds(floored))
    }

    fn vector(&mut self, image: &[u8]) -> Result<Json, Not> {
        let vector = Vector::new(image).map_err(|_| Not::NoSuchValue)?;
        let norm_only_reserved = image.get(2..4) == Some(&[0, 0x10]);
        if self.driver == Driver::Node && norm_only_reserved && vector.format() != VectorFormat::Binary {
            return Err(Not::Broken("vector float32, 0x0010 only"));
        }
        Ok(neutral::vector(&vector))
    }
}

/// The local time that the zone shows; `None` outside the calendar.
pub(super) fn local(time: ZonedTime) -> Option<CivilTime> {
    let ms = time.utc.to_unix_ms() + i64::from(time.offset_minutes) * 60_000;
    let shifted = CivilTime::from_unix_ms(ms)?;
    Some(CivilTime { nanosecond: time.utc.nanosecond, ..shifted })
}

/// The number of a key that JavaScript takes for an index of an array, and so puts first.
pub(super) fn array_index(name: &str) -> Option<u32> {
    let number: u32 = name.parse().ok()?;
    (number != u32::MAX && number.to_string() == name).then_some(number)
}
