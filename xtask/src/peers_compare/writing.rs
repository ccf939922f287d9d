//! What a driver is expected to write, from docs/format/peers.md.

use std::collections::{BTreeMap, BTreeSet};

use boson_document::{CivilTime, Decimal, IntervalDaySecond, IntervalYearMonth, NumberBuf, Value};
use boson_oson::{Vector, VectorFormat};
use boson_testkit::random::fnv1a;
use serde_json::{Value as Json, json};

use super::expect::{Driver, Not, array_index, local};
use super::neutral;

/// What the driver is asked to write: what its user would pass for the document. `None` where we already know that there is
/// no such value, and the question cannot be put.
pub(super) fn question(driver: Driver, value: &Value) -> Option<Json> {
    Some(match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| Some(json!([name, question(driver, value)?])));
            json!({"t": "object", "v": members.collect::<Option<Vec<_>>>()?})
        }
        Value::Array(elements) => {
            let elements = elements.iter().map(|element| question(driver, element));
            json!({"t": "array", "v": elements.collect::<Option<Vec<_>>>()?})
        }
        Value::Null => json!({"t": "null"}),
        Value::Bool(value) => json!({"t": "bool", "v": value}),
        Value::Int32(value) => json!({"t": "int", "v": value.to_string()}),
        Value::Int64(value) => json!({"t": "int", "v": value.to_string()}),
        Value::Number(number) => json!({"t": "number", "v": number.as_number().to_decimal().to_text().as_str()}),
        Value::Decimal128(decimal) => json!({"t": "number", "v": decimal.to_string()}),
        Value::DecimalText(text) => json!({"t": "number", "v": text}),
        Value::Float(value) => json!({"t": "float", "bits": format!("{:08x}", value.to_bits())}),
        Value::Double(value) => neutral::double(*value),
        Value::String(text) => json!({"t": "string", "v": text}),
        Value::Binary { bytes, .. } => json!({"t": "binary", "v": boson_testkit::hex(bytes)}),
        Value::Id(bytes) => json!({"t": "id", "v": boson_testkit::hex(bytes)}),
        Value::ObjectId(id) => json!({"t": "id", "v": id.to_string()}),
        other => return moment_or_vector(driver, other),
    })
}

fn moment_or_vector(driver: Driver, value: &Value) -> Option<Json> {
    Some(match value {
        Value::DateTime(ms) => neutral::timestamp(CivilTime::from_unix_ms(*ms)?),
        Value::OracleTimestamp(time) => neutral::timestamp(*time),
        // A Python date has no time of day, and node has no date.
        Value::OracleDate(time) if driver == Driver::Node => neutral::timestamp(*time),
        Value::OracleDate(CivilTime { year, month, day, hour: 0, minute: 0, second: 0, .. }) => {
            json!({"t": "date", "v": format!("{year:04}-{month:02}-{day:02}")})
        }
        Value::OracleTimestampTz(time) => {
            let mut asked = neutral::timestamp(local(*time)?);
            let members = asked.as_object_mut()?;
            members.insert("t".to_owned(), json!("timestamptz"));
            members.insert("offset".to_owned(), json!(time.offset_minutes));
            asked
        }
        Value::IntervalYearMonth(interval) => neutral::interval_ym(*interval),
        Value::IntervalDaySecond(interval) => neutral::interval_ds(neutral::total_ns(*interval)),
        Value::OracleVector(image) => neutral::vector(&Vector::new(image).ok()?),
        _ => return None,
    })
}

/// What a driver makes of a document that it writes.
#[derive(Debug)]
pub(super) struct Writing {
    pub(super) driver: Driver,
    /// The rows by which what it writes is another value, or the same in other bytes than ours.
    pub(super) rows: BTreeSet<&'static str>,
}

/// The rows by which the bytes differ from those of our style `driver`, which follows python-oracledb.
const OTHER_BYTES: [&str; 6] = [
    "write decimal 0E127",
    "write double NaN",
    "write long name",
    "write names of equal hash, astral",
    "write intervalds, -5 s",
    "write intervalym, 14 months",
];

impl Writing {
    fn row(&mut self, row: &'static str) {
        self.rows.insert(row);
    }

    pub(super) fn other_bytes(&self) -> bool {
        OTHER_BYTES.iter().any(|row| self.rows.contains(row))
    }

    /// The document that the driver writes.
    pub(super) fn document(&mut self, document: &Value) -> Result<Value, Not> {
        let mut failure = None;
        let written = self.value(document, &mut failure);
        if self.driver == Driver::Node {
            let mut names = BTreeSet::new();
            collect_names(document, &mut names);
            self.dictionary(&names);
        }
        failure.map_or(Ok(written), Err)
    }

    /// node orders equal hashes by UTF-16, and hashes long names otherwise.
    fn dictionary(&mut self, names: &BTreeSet<&str>) {
        if names.iter().any(|name| name.len() > 255) {
            self.row("write long name");
        }
        let mut tied: BTreeMap<(u32, usize), Vec<&str>> = BTreeMap::new();
        for name in names {
            tied.entry((fnv1a(name) & 0xFF, name.len())).or_default().push(name);
        }
        // The set has them in the order of their bytes.
        let utf_16 = |name: &str| name.encode_utf16().collect::<Vec<_>>();
        if tied.values().any(|names| !names.is_sorted_by_key(|name| utf_16(name))) {
            self.row("write names of equal hash, astral");
        }
    }

    /// Notes that a value cannot be written. That a language has no such value shows before anything is written.
    fn not(failure: &mut Option<Not>, not: Not) {
        if *failure != Some(Not::NoSuchValue) && (failure.is_none() || not == Not::NoSuchValue) {
            *failure = Some(not);
        }
    }

    fn value(&mut self, value: &Value, failure: &mut Option<Not>) -> Value {
        match value {
            Value::Object(members) => {
                if self.driver == Driver::Node && !is_plain_order(members) {
                    Self::not(failure, Not::NoSuchValue);
                }
                let members = members.iter().map(|(name, member)| (name.clone(), self.value(member, failure)));
                Value::Object(members.collect())
            }
            Value::Array(elements) => Value::Array(elements.iter().map(|e| self.value(e, failure)).collect()),
            leaf => self.leaf(leaf).unwrap_or_else(|not| {
                Self::not(failure, not);
                Value::Null
            }),
        }
    }

    fn leaf(&mut self, value: &Value) -> Result<Value, Not> {
        match value {
            Value::Int32(_) | Value::Int64(_) | Value::Number(_) | Value::Decimal128(_) | Value::DecimalText(_) => {
                self.exact(&decimal(value).unwrap_or(Decimal::ZERO))?;
                Ok(value.clone())
            }
            Value::Float(number) => self.double(f64::from(*number), value),
            Value::Double(number) => self.double(*number, value),
            Value::DateTime(_) | Value::OracleDate(_) | Value::OracleTimestamp(_) | Value::OracleTimestampTz(_) => {
                self.time(value)
            }
            Value::IntervalYearMonth(interval) => Ok(self.year_month(*interval)),
            Value::IntervalDaySecond(interval) => self.day_second(*interval),
            Value::OracleVector(image) => self.vector(image),
            other => Ok(other.clone()),
        }
    }

    /// An integer or a decimal.
    fn exact(&mut self, number: &Decimal) -> Result<(), Not> {
        let double = number.to_f64();
        let exact = double.is_finite() && Decimal::from_f64(double).is_some_and(|back| back.same_value(number));
        if self.driver == Driver::Node && !exact {
            return Err(Not::NoSuchValue);
        }
        self.ranged(number)
    }

    /// What is no NUMBER is refused. node goes by the last digit, and wraps around where the number is too large.
    fn ranged(&mut self, number: &Decimal) -> Result<(), Not> {
        if number.is_zero() && !PYTHON_ZERO_EXPONENTS.contains(&number.exponent()) {
            if self.driver == Driver::Python {
                return Err(Not::Refused("write decimal 0E127"));
            }
            self.row("write decimal 0E127");
        }
        let number = number.normalized();
        let last_digit_too_small = !number.is_zero() && number.exponent() < -130;
        match (self.driver, number.to_number().is_some() || number.is_negative_zero()) {
            (Driver::Python, false) => Err(Not::Refused("write decimal 1E126")),
            (Driver::Node, _) if last_digit_too_small => Err(Not::Refused("write double 1.5e-130")),
            (Driver::Node, false) => Err(Not::Broken("write double 1.2345678901234567e140")),
            (_, true) => Ok(()),
        }
    }

    fn double(&mut self, number: f64, value: &Value) -> Result<Value, Not> {
        match (self.driver, Decimal::from_f64(number)) {
            (_, Some(decimal)) => {
                self.ranged(&decimal)?;
                if decimal.is_negative_zero() {
                    self.row("write double -0.0");
                }
                Ok(value.clone())
            }
            (Driver::Node, None) if number.is_nan() => {
                self.row("write double NaN");
                Ok(value.clone())
            }
            (Driver::Node, None) => Err(Not::Broken("write double Infinity")),
            (Driver::Python, None) if number.is_nan() => Err(Not::Refused("write double NaN")),
            (Driver::Python, None) => Err(Not::Refused("write double Infinity")),
        }
    }

    fn time(&mut self, value: &Value) -> Result<Value, Not> {
        let time = match value {
            Value::DateTime(ms) => CivilTime::from_unix_ms(*ms),
            Value::OracleDate(time) | Value::OracleTimestamp(time) => Some(*time),
            Value::OracleTimestampTz(zoned) if self.driver == Driver::Python => local(*zoned),
            _ => None,
        };
        let unit_ns = if self.driver == Driver::Python { 1000 } else { 1_000_000 };
        let time = time.filter(|time| time.nanosecond % unit_ns == 0).ok_or(Not::NoSuchValue)?;
        if self.driver == Driver::Python && time.year < 1 {
            return Err(Not::NoSuchValue);
        }
        match value {
            Value::OracleDate(_) if self.driver == Driver::Python => return Ok(value.clone()),
            Value::OracleDate(_) => self.row("write date"),
            Value::OracleTimestampTz(_) => self.row("write timestamptz, +05:30"),
            _ => {}
        }
        Ok(Value::OracleTimestamp(time))
    }

    fn year_month(&mut self, interval: IntervalYearMonth) -> Value {
        self.row("write intervalym, 14 months");
        let total = neutral::total_months(interval);
        let (years, months) =
            (i32::try_from(total / 12).unwrap_or_default(), i8::try_from(total % 12).unwrap_or_default());
        if self.driver == Driver::Python {
            return Value::Array(vec![Value::Int32(years), Value::Int32(i32::from(months))]);
        }
        Value::IntervalYearMonth(IntervalYearMonth { years, months })
    }

    fn day_second(&mut self, interval: IntervalDaySecond) -> Result<Value, Not> {
        let ns = neutral::total_ns(interval);
        let days = ns.div_euclid(NS_PER_DAY);
        if self.driver == Driver::Python {
            if ns % 1000 != 0 || days.abs() > 999_999_999 {
                return Err(Not::NoSuchValue);
            }
            return Ok(parts(days, ns.rem_euclid(NS_PER_DAY)));
        }
        if ns % NS_PER_DAY < 0 {
            self.row("write intervalds, -5 s");
        }
        Ok(parts(ns / NS_PER_DAY, ns % NS_PER_DAY))
    }

    /// The same elements in an image with the driver's own header.
    fn vector(&mut self, image: &[u8]) -> Result<Value, Not> {
        let vector = Vector::new(image).map_err(|_| Not::NoSuchValue)?;
        if vector.is_sparse() && self.driver == Driver::Python {
            return Err(Not::Refused("write vector sparse"));
        }
        let (version, flags, format) = match vector.format() {
            VectorFormat::Binary => (1, 0x10, 5),
            _ if vector.is_sparse() => (2, 0x32, format_code(vector.format())),
            other => (0, 0x12, format_code(other)),
        };
        let mut written = vec![0xDB, version, 0, flags, format];
        written.extend(vector.dimensions().to_be_bytes());
        written.extend([0; 8]);
        if vector.is_sparse() {
            written.extend(u16::try_from(vector.indices().len()).unwrap_or_default().to_be_bytes());
            vector.indices().for_each(|index| written.extend(index.to_be_bytes()));
        }
        written.extend_from_slice(vector.element_bytes());
        Ok(Value::OracleVector(written))
    }

    /// What we read from the driver's bytes for what it was expected to write: every number a NUMBER, dates of BSON
    /// TIMESTAMPs.
    pub(super) fn read_back(written: &Value) -> Value {
        match written {
            Value::Object(members) => {
                Value::Object(members.iter().map(|(name, value)| (name.clone(), Self::read_back(value))).collect())
            }
            Value::Array(elements) => Value::Array(elements.iter().map(Self::read_back).collect()),
            Value::Float(number) if number.is_nan() => Value::Double(f64::from(*number)),
            Value::Double(number) if number.is_nan() => written.clone(),
            other => number(other).unwrap_or_else(|| other.clone()),
        }
    }
}

/// python checks the exponent of a zero as if it had a digit (docs/format/peers.md, section 1).
const PYTHON_ZERO_EXPONENTS: std::ops::RangeInclusive<i32> = -129..=126;

const NS_PER_DAY: i128 = 86_400_000_000_000;

const fn format_code(format: VectorFormat) -> u8 {
    match format {
        VectorFormat::Float32 => 2,
        VectorFormat::Float64 => 3,
        VectorFormat::Int8 => 4,
        VectorFormat::Binary => 5,
    }
}

fn parts(days: i128, ns: i128) -> Value {
    let seconds = ns / 1_000_000_000;
    let small = |number: i128| i8::try_from(number).unwrap_or_default();
    Value::IntervalDaySecond(IntervalDaySecond {
        days: i32::try_from(days).unwrap_or_default(),
        hours: small(seconds / 3600),
        minutes: small(seconds / 60 % 60),
        seconds: small(seconds % 60),
        nanoseconds: i32::try_from(ns % 1_000_000_000).unwrap_or_default(),
    })
}

/// The number that `value` is; `None` where it is none.
fn decimal(value: &Value) -> Option<Decimal> {
    match value {
        Value::Int32(number) => Some(Decimal::from_i64(i64::from(*number))),
        Value::Int64(number) => Some(Decimal::from_i64(*number)),
        Value::Float(number) => Decimal::from_f64(f64::from(*number)),
        Value::Double(number) => Decimal::from_f64(*number),
        Value::Number(number) => Some(number.as_number().to_decimal()),
        Value::Decimal128(number) => number.to_decimal(),
        Value::DecimalText(text) => Decimal::parse(text).ok(),
        _ => None,
    }
}

fn number(value: &Value) -> Option<Value> {
    Some(Value::Number(decimal(value)?.to_number().unwrap_or(NumberBuf::ZERO)))
}

/// Whether a JavaScript object keeps these keys, and in this order.
fn is_plain_order(members: &[(String, Value)]) -> bool {
    let place = |name: &str| array_index(name).map_or((1, 0), |index| (0, index));
    members.is_sorted_by_key(|(name, _)| place(name)) && members.iter().all(|(name, _)| name != "__proto__")
}

fn collect_names<'v>(value: &'v Value, names: &mut BTreeSet<&'v str>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                names.insert(name);
                collect_names(value, names);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| collect_names(element, names)),
        _ => {}
    }
}
