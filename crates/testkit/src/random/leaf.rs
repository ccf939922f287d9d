//! Random values that hold no others.

use boson_document::{
    CivilTime, Decimal, Decimal128, IntervalDaySecond, IntervalYearMonth, Kind, NumberBuf, ObjectId, Value, ZonedTime,
};

use super::Range;
use super::edges::{SHORT_LENGTHS, allows, day_second, edges, number, regex};
use crate::rng::Rng;

/// A random value of `kind`, which is no container: an edge value one time in four.
pub(super) fn leaf(kind: Kind, range: Range, rng: &mut Rng) -> Value {
    let value = random(kind, rng);
    if allows(range, &value) && !rng.once_in(4) {
        return value;
    }
    let mut edge = rng.pick(edges(kind, range));
    // The longest edge values stay rare, else a document of a thousand members takes megabytes.
    while len(edge) > 60_000 && !rng.once_in(50) {
        edge = rng.pick(edges(kind, range));
    }
    edge.clone()
}

fn len(value: &Value) -> usize {
    match value {
        Value::String(text) | Value::Code(text) | Value::Symbol(text) => text.len(),
        Value::Binary { bytes, .. } => bytes.len(),
        _ => 0,
    }
}

fn random(kind: Kind, rng: &mut Rng) -> Value {
    match kind {
        Kind::Bool => Value::Bool(rng.once_in(2)),
        Kind::Int32 | Kind::Int64 | Kind::Float | Kind::Double => binary_number(kind, rng),
        Kind::Decimal128 | Kind::Number | Kind::DecimalText => decimal_number(kind, rng),
        Kind::String => Value::String(text(rng)),
        Kind::Code => Value::Code(text(rng)),
        Kind::Symbol => Value::Symbol(text(rng)),
        Kind::Regex => regex(&text(rng).replace('\0', ""), rng.pick::<&str>(&["", "i", "im", "sx"])),
        Kind::Binary => Value::Binary { subtype: *rng.pick(&[0, 0, 1, 3, 4, 5, 0x80, 0xFF]), bytes: bytes(rng) },
        Kind::ObjectId => Value::ObjectId(object_id(rng)),
        Kind::Id => Value::Id(rng.bytes(16)),
        Kind::DbPointer => Value::DbPointer { namespace: "db.collection".to_owned(), id: object_id(rng) },
        Kind::Timestamp => Value::Timestamp { time: low_u32(rng), increment: low_u32(rng) },
        Kind::OracleVector => Value::OracleVector(vector(rng)),
        Kind::IntervalYearMonth => Value::IntervalYearMonth(year_month(rng)),
        Kind::IntervalDaySecond => Value::IntervalDaySecond(random_day_second(rng)),
        _ => time(kind, rng),
    }
}

/// A number of a random number of bits, so that small ones are as common as large ones.
fn int64(rng: &mut Rng) -> i64 {
    rng.bits().cast_signed() >> rng.below(64)
}

fn low_u32(rng: &mut Rng) -> u32 {
    u32::try_from(rng.bits() >> 32).unwrap_or_default()
}

fn binary_number(kind: Kind, rng: &mut Rng) -> Value {
    match kind {
        Kind::Int32 => Value::Int32(low_u32(rng).cast_signed() >> rng.below(32)),
        Kind::Int64 => Value::Int64(int64(rng)),
        Kind::Float => Value::Float(f32::from_bits(low_u32(rng) & 0xBFFF_FFFF)),
        _ if rng.once_in(2) => Value::Double(short_double(rng)),
        _ => Value::Double(f64::from_bits(rng.bits())),
    }
}

/// A double as people write them: a few digits.
fn short_double(rng: &mut Rng) -> f64 {
    let (whole, fraction) = (int64(rng) >> 40, rng.below(1000));
    format!("{whole}.{fraction}").parse().unwrap_or_default()
}

fn decimal_number(kind: Kind, rng: &mut Rng) -> Value {
    let text = decimal_text(rng);
    match kind {
        Kind::Decimal128 if rng.once_in(8) => {
            Value::Decimal128(Decimal128::from_bytes(rng.bytes(16).try_into().unwrap_or_default()))
        }
        Kind::Decimal128 => Value::Decimal128(Decimal128::parse(&text).unwrap_or(Decimal128::ZERO)),
        Kind::Number => Value::Number(number(&text).unwrap_or(NumberBuf::ZERO)),
        // Some of the texts have an exponent already. All of these are beyond a NUMBER.
        _ => Value::DecimalText(format!("{}E+{}", text.split('E').next().unwrap_or_default(), 180 + rng.below(120))),
    }
}

/// Up to 34 digits and an exponent, the last digit not zero, as Decimal128's canonical text.
fn decimal_text(rng: &mut Rng) -> String {
    let (low, high) = (u128::from(rng.bits()), u128::from(rng.bits()));
    let coefficient = ((high << 64 | low) >> rng.below(127)) % 10u128.pow(34);
    let coefficient = if coefficient.is_multiple_of(10) { coefficient + 1 } else { coefficient };
    let exponent = i32::try_from(rng.below(60)).unwrap_or_default() - 40;
    Decimal::from_parts(rng.once_in(3), coefficient, exponent).to_text().as_str().to_owned()
}

const PLAIN: &[char] = &['a', 'e', 'n', 's', 't', 'X', '7', ' '];

const LETTERS: &[char] = &[
    'a', 'e', 'n', 's', 't', 'X', '7', ' ', '"', '\\', '/', '\n', 'é', 'ß', 'Ж', '中', '\u{301}', '😀', '🦀', '\u{1}',
];

fn text(rng: &mut Rng) -> String {
    if rng.once_in(10) {
        return "t".repeat(*rng.pick(SHORT_LENGTHS));
    }
    // Half of the texts are plain, as most are that people have.
    let letters = if rng.once_in(2) { PLAIN } else { LETTERS };
    let count = rng.up_to(40);
    (0..count).map(|_| *rng.pick(letters)).collect()
}

fn bytes(rng: &mut Rng) -> Vec<u8> {
    let length = rng.up_to(40);
    rng.bytes(length)
}

fn object_id(rng: &mut Rng) -> ObjectId {
    ObjectId(rng.bytes(12).try_into().unwrap_or_default())
}

/// A vector image of int8: see the edges for the layout.
fn vector(rng: &mut Rng) -> Vec<u8> {
    let count = rng.below(30);
    let mut image = crate::unhex("DB 00 0012 04 000000");
    image.extend(u8::try_from(count));
    image.extend([0; 8]);
    image.extend(rng.bytes(count));
    image
}

/// A number of `0..end` as one of the calendar's small integers.
fn small<T: TryFrom<usize> + Default>(rng: &mut Rng, end: usize) -> T {
    T::try_from(rng.below(end)).unwrap_or_default()
}

/// Nanoseconds of a second: none, or whole milliseconds, microseconds or nanoseconds, for programs differ in what they keep.
fn fraction_ns(rng: &mut Rng) -> u32 {
    let (ns, unit) = (small::<u32>(rng, 1_000_000_000), *rng.pick(&[1_000_000_000, 1_000_000, 1000, 1]));
    ns - ns % unit
}

fn civil_time(rng: &mut Rng) -> CivilTime {
    CivilTime {
        year: 1 + small::<i16>(rng, 9999),
        month: 1 + small::<u8>(rng, 12),
        day: 1 + small::<u8>(rng, 28),
        hour: small(rng, 24),
        minute: small(rng, 60),
        second: small(rng, 60),
        nanosecond: fraction_ns(rng),
    }
}

fn time(kind: Kind, rng: &mut Rng) -> Value {
    match kind {
        Kind::DateTime => Value::DateTime(int64(rng) >> 16),
        Kind::OracleDate if rng.once_in(2) => {
            Value::OracleDate(CivilTime { hour: 0, minute: 0, second: 0, nanosecond: 0, ..civil_time(rng) })
        }
        Kind::OracleDate => Value::OracleDate(CivilTime { nanosecond: 0, ..civil_time(rng) }),
        Kind::OracleTimestamp => Value::OracleTimestamp(civil_time(rng)),
        Kind::OracleTimestampTz => {
            let offset_minutes = small::<i16>(rng, 1561) - 720;
            Value::OracleTimestampTz(ZonedTime { utc: civil_time(rng), offset_minutes })
        }
        Kind::Undefined => Value::Undefined,
        Kind::MinKey => Value::MinKey,
        Kind::MaxKey => Value::MaxKey,
        _ => Value::Null,
    }
}

fn year_month(rng: &mut Rng) -> IntervalYearMonth {
    let sign = if rng.once_in(2) { -1 } else { 1 };
    IntervalYearMonth { years: i32::from(sign) * small::<i32>(rng, 10_000), months: sign * small::<i8>(rng, 12) }
}

fn random_day_second(rng: &mut Rng) -> IntervalDaySecond {
    let sign: i8 = if rng.once_in(2) { -1 } else { 1 };
    let wide = i32::from(sign);
    day_second((
        wide * small::<i32>(rng, 100_000),
        sign * small::<i8>(rng, 24),
        sign * small::<i8>(rng, 60),
        sign * small::<i8>(rng, 60),
        wide * i32::try_from(fraction_ns(rng)).unwrap_or_default(),
    ))
}
