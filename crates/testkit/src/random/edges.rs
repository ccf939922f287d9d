//! The values of each kind at which an encoding changes or a limit lies.

use std::collections::HashMap;
use std::sync::LazyLock;

use boson_document::{
    CivilTime, Decimal, Decimal128, IntervalDaySecond, IntervalYearMonth, Kind, NumberBuf, ObjectId, Value, ZonedTime,
};

use super::{BSON_ALL, OSON_ALL, Range};

/// 0001-01-01T00:00:00Z in milliseconds since 1970.
const YEAR_1_MS: i64 = -62_135_596_800_000;
/// 9999-12-31T23:59:59.999Z in milliseconds since 1970.
const YEAR_9999_MS: i64 = 253_402_300_799_999;

/// The edge values of `kind` that `range` allows, never none; a container has no edges but the empty one.
pub fn edges(kind: Kind, range: Range) -> &'static [Value] {
    static EDGES: LazyLock<HashMap<(Kind, Range), Vec<Value>>> = LazyLock::new(table);
    EDGES.get(&(kind, range)).map_or(&[], Vec::as_slice)
}

fn table() -> HashMap<(Kind, Range), Vec<Value>> {
    let kinds = BSON_ALL.iter().chain(OSON_ALL).copied();
    let both = kinds.flat_map(|kind| [Range::Bson, Range::Oson, Range::Json, Range::Exact].map(|range| (kind, range)));
    let allowed = |(kind, range)| all(kind).into_iter().filter(|value| allows(range, value)).collect();
    both.map(|(kind, range)| ((kind, range), allowed((kind, range)))).collect()
}

/// Whether `range` has this value, which is no container.
pub(super) fn allows(range: Range, value: &Value) -> bool {
    match (range, value) {
        (Range::Bson, _) => true,
        (Range::Json, Value::Int64(number)) => i32::try_from(*number).is_err(),
        (Range::Json, Value::Double(number)) => number.is_finite(),
        (_, Value::Decimal128(decimal)) => number_holds(*decimal),
        (_, Value::Binary { subtype, .. }) => *subtype == 0,
        (Range::Exact, Value::Double(number)) if *number == 0.0 => number.is_sign_positive(),
        (Range::Exact | Range::Oson, Value::Double(number)) => {
            !number.is_nan() || number.to_bits() == f64::NAN.to_bits()
        }
        (Range::Exact | Range::Oson, Value::DateTime(ms)) => (YEAR_1_MS..=YEAR_9999_MS).contains(ms),
        (Range::Oson, Value::Float(number)) => !number.is_nan() || number.to_bits() == f32::NAN.to_bits(),
        (Range::Oson, Value::DecimalText(text)) => text.len() <= 255 && !NumberText(text).is_number(),
        _ => true,
    }
}

/// Whether an Oracle NUMBER gives this decimal back digit for digit: a finite one without zeros at the end of its fraction,
/// an integer written out, no negative zero.
fn number_holds(decimal: Decimal128) -> bool {
    let Some(number) = decimal.to_decimal() else { return false };
    let back = number.to_number().map(|number| Decimal::from(number.as_number()));
    back.and_then(|back| back.to_decimal128()) == Some(decimal)
}

/// The text of a number.
struct NumberText<'a>(&'a str);

impl NumberText<'_> {
    /// Whether an Oracle NUMBER holds the number.
    fn is_number(&self) -> bool {
        Decimal::parse(self.0).is_ok_and(|number| number.to_number().is_some())
    }
}

fn all(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::Object => vec![Value::Object(Vec::new())],
        Kind::Array => vec![Value::Array(Vec::new())],
        Kind::CodeWithScope => vec![Value::CodeWithScope { code: String::new(), scope: Vec::new() }],
        Kind::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Kind::Undefined => vec![Value::Undefined],
        Kind::MinKey => vec![Value::MinKey],
        Kind::MaxKey => vec![Value::MaxKey],
        Kind::Null => vec![Value::Null],
        Kind::Int32 | Kind::Int64 | Kind::Float | Kind::Double => binary_numbers(kind),
        Kind::Decimal128 | Kind::Number | Kind::DecimalText => decimal_numbers(kind),
        Kind::DateTime | Kind::OracleDate | Kind::OracleTimestamp | Kind::OracleTimestampTz => times(kind),
        Kind::IntervalYearMonth | Kind::IntervalDaySecond => intervals(kind),
        Kind::Binary | Kind::ObjectId | Kind::Id | Kind::OracleVector => bytes(kind),
        _ => texts(kind),
    }
}

fn binary_numbers(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::Int32 => int32s().map(Value::Int32).collect(),
        Kind::Int64 => int64s().map(Value::Int64).collect(),
        Kind::Float => FLOATS.iter().map(|&bits| Value::Float(f32::from_bits(bits))).collect(),
        _ => DOUBLES.iter().map(|&bits| Value::Double(f64::from_bits(bits))).collect(),
    }
}

/// Around every power of 2 and of 100, where an integer or a NUMBER takes another byte.
fn int64s() -> impl Iterator<Item = i64> {
    let powers_of_2 = (0..63).map(|exponent| 1i64 << exponent);
    let powers_of_100 = (0..10).map(|exponent| 100i64.pow(exponent));
    let around = powers_of_2.chain(powers_of_100).flat_map(|power| [power - 1, power, power + 1, -power]);
    [i64::MIN, i64::MAX, i64::MIN + 1, 9_007_199_254_740_993].into_iter().chain(around)
}

fn int32s() -> impl Iterator<Item = i32> {
    [i32::MIN, i32::MAX].into_iter().chain(int64s().filter_map(|number| i32::try_from(number).ok()))
}

const FLOATS: &[u32] = &[
    0,
    0x8000_0000,
    0x3F80_0000,
    0xBF80_0000,
    0x3DCC_CCCD,
    0x0000_0001,
    0x8000_0001,
    0x007F_FFFF,
    0x0080_0000,
    0x7F7F_FFFF,
    0xFF7F_FFFF,
    0x7F80_0000,
    0xFF80_0000,
    0x7FC0_0000,
];

const DOUBLES: &[u64] = &[
    0,
    0x8000_0000_0000_0000,
    0x3FF0_0000_0000_0000,
    0xBFF0_0000_0000_0000,
    0x3FB9_9999_9999_999A,
    0x3FD3_3333_3333_3334,
    // The smallest subnormal, the largest, the smallest normal, the largest finite.
    0x0000_0000_0000_0001,
    0x8000_0000_0000_0001,
    0x000F_FFFF_FFFF_FFFF,
    0x0010_0000_0000_0000,
    0x7FEF_FFFF_FFFF_FFFF,
    0xFFEF_FFFF_FFFF_FFFF,
    // 2^53 and its neighbours, 2^63, 1e21, 1e22, 1e23, 1e125, 1e126, 1e200, 1e-130, 1e-131.
    0x433F_FFFF_FFFF_FFFF,
    0x4340_0000_0000_0000,
    0x4340_0000_0000_0001,
    0x43E0_0000_0000_0000,
    0x444B_1AE4_D6E2_EF50,
    0x4480_F0CF_064D_D592,
    0x44B5_2D02_C7E1_4AF6,
    0x59E7_90BC_3CFF_4E55,
    0x5A1D_74EB_4C3F_21EA,
    0x6974_E718_D7D7_625A,
    0x24F8_C240_C4AE_CB14,
    0x24C3_CE9A_36F2_3C10,
    // Infinities; NaN, quiet and signaling, with and without payload and sign.
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0xFFF8_0000_0000_0000,
    0x7FF8_0000_0000_0012,
    0x7FF0_0000_0000_0001,
    0x7FFF_FFFF_FFFF_FFFF,
];

/// Texts of decimals: exponents, digits and zeros at the limits of Decimal128 and of NUMBER.
const DECIMALS: &[&str] = &[
    "0",
    "-0",
    "0.00",
    "0E+6111",
    "-0E-6176",
    "1",
    "-1",
    "10",
    "100",
    "0.1",
    "0.01",
    "19.90",
    "1.50",
    "-12345.625",
    "9999999999999999999999999999999999",
    "-9999999999999999999999999999999999",
    "0.1234567890123456789012345678901234",
    "1234567890123456789012345678901234E-17",
    "9.999999999999999999999999999999999E+6144",
    "1E-6176",
    "1E+6111",
    "1E+125",
    "9.9E+125",
    "1E+126",
    "1E-130",
    "1E-131",
    "-1E-130",
    "99E-131",
    "9007199254740993",
    "18446744073709551616",
];

/// Decimal128 encodings that no text makes: NaN with sign, signal and payload, infinity with extra bits, and coefficients
/// beyond 34 digits in both of the layouts, which IEEE 754 reads as zero.
const DECIMAL128_BITS: &[u128] = &[
    0x7C00 << 112,
    0xFC00 << 112,
    0x7E00 << 112,
    0x7C00 << 112 | 0x12,
    0x7800 << 112,
    0xF800 << 112,
    0x7800 << 112 | 1,
    0x3041 << 112 | ((1 << 112) - 1),
    0x6C10 << 112 | 1,
    0xEC10 << 112,
];

fn decimal_numbers(kind: Kind) -> Vec<Value> {
    let more: &[&str] = &["1234567890123456789012345678901234567890", "1.23E+200", "1E-200", "9.9E+6150", "0.1E-6200"];
    let texts = DECIMALS.iter().chain(more);
    match kind {
        Kind::Decimal128 => {
            let of_texts = texts.filter_map(|text| Decimal128::parse(text).ok());
            let of_bits = DECIMAL128_BITS.iter().map(|bits| Decimal128::from_bytes(bits.to_le_bytes()));
            of_texts.chain(of_bits).map(Value::Decimal128).collect()
        }
        Kind::Number => texts.filter_map(|text| number(text)).map(Value::Number).collect(),
        _ => texts.filter(|text| is_no_int64(text)).map(|text| Value::DecimalText((*text).to_owned())).collect(),
    }
}

pub(super) fn number(text: &str) -> Option<NumberBuf> {
    Decimal::parse(text).ok()?.to_number()
}

/// A JSON number that is an int64 is read as one, `-0` excepted.
fn is_no_int64(text: &str) -> bool {
    text.parse::<i64>().is_err()
}

/// The lengths at which BSON's or OSON's encoding of a string or of bytes changes, or another program's did.
pub(super) const SHORT_LENGTHS: &[usize] = &[0, 1, 7, 8, 31, 32, 255, 256];

/// The same for longer ones; 65,533 is a length at which a writer of OSON failed (cases.md, O01).
const LONG_LENGTHS: &[usize] = &[65_532, 65_533, 65_535, 65_536];

fn lengths() -> impl Iterator<Item = usize> {
    SHORT_LENGTHS.iter().chain(LONG_LENGTHS).copied()
}

const TEXTS: &[&str] = &[
    "",
    "a",
    "héllo",
    "日本語",
    "🦀 and 😀",
    "x\0y",
    "\0",
    "\"quoted\" \\ and /",
    "line\nfeed\ttab\r\u{8}\u{c}",
    "\u{1}\u{1f}\u{7f}",
    "\u{2028}\u{2029}\u{feff}",
    "\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}",
    "e\u{301}",
    "true",
    "null",
    "02134",
    "1e400",
    "2020-01-01T00:00:00Z",
    "$oid",
];

fn texts(kind: Kind) -> Vec<Value> {
    let lengths = lengths().map(|length| "s".repeat(length));
    let wide = [254, 255, 256].map(|length| format!("{}é", "w".repeat(length - 2)));
    let texts = TEXTS.iter().map(|&text| text.to_owned()).chain(lengths).chain(wide);
    match kind {
        Kind::Code => texts.map(Value::Code).collect(),
        Kind::Symbol => texts.map(Value::Symbol).collect(),
        Kind::Regex => REGEXES.iter().map(|&(pattern, options)| regex(pattern, options)).collect(),
        Kind::DbPointer => ["", "db.c", "базы.é"].iter().map(|&namespace| pointer(namespace)).collect(),
        Kind::Timestamp => TIMESTAMPS.iter().map(|&(time, increment)| Value::Timestamp { time, increment }).collect(),
        _ => texts.map(Value::String).collect(),
    }
}

const REGEXES: &[(&str, &str)] =
    &[("", ""), ("^a.*z$", "i"), ("(?i)ab", ""), ("a/b\\/\"", "imx"), ("é日😀", "ilmsux"), ("[", "")];

const TIMESTAMPS: &[(u32, u32)] =
    &[(0, 0), (1, 2), (4_294_967_293, 4_294_967_294), (u32::MAX, u32::MAX), (1_700_000_000, 1)];

pub(super) fn regex(pattern: &str, options: &str) -> Value {
    Value::Regex { pattern: pattern.to_owned(), options: options.to_owned() }
}

fn pointer(namespace: &str) -> Value {
    Value::DbPointer { namespace: namespace.to_owned(), id: ObjectId([7; 12]) }
}

fn bytes(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::ObjectId => [[0; 12], [0xFF; 12], *b"twelve bytes"].map(|id| Value::ObjectId(ObjectId(id))).to_vec(),
        // 12 bytes would be an ObjectId; an ID has at most 127.
        Kind::Id => [0, 1, 11, 13, 16, 126, 127].map(|length| Value::Id(vec![0xA5; length])).to_vec(),
        Kind::OracleVector => vectors(),
        _ => binaries(),
    }
}

fn binaries() -> Vec<Value> {
    let of_length = lengths().map(|length| (0, vec![0xB1; length]));
    let uuid = b"\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff".to_vec();
    let of_subtype = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 0x7F, 0x80, 0xFF].map(|subtype| (subtype, uuid.clone()));
    // Vectors (subtype 9) of float32, int8 and bits with padding, an empty one, and two that break its rules.
    let vectors: [&[u8]; 6] = [
        b"\x27\x00\x00\x00\xfe\x42",
        b"\x03\x00\x7f\x80",
        b"\x10\x03\xf8",
        b"\x27\x00",
        b"\x27\x00\x00\x80\x3f\x01",
        b"\x99",
    ];
    let vectors = vectors.map(|vector| (9, vector.to_vec()));
    let short = [(2, Vec::new()), (2, b"abc".to_vec()), (4, vec![0x44; 15])];
    let binaries = of_length.chain(of_subtype).chain(vectors).chain(short);
    binaries.map(|(subtype, bytes)| Value::Binary { subtype, bytes }).collect()
}

/// Vector images by oson-format, section 2: version, flags, format, count, the norm where a flag says so, elements.
fn vectors() -> Vec<Value> {
    let images = [
        "DB 00 0012 02 00000002 0000000000000000 BFC00000 407FFFFF",
        "DB 00 0010 03 00000001 0000000000000000 BFF8000000000000",
        "DB 00 0000 04 00000003 007F80",
        "DB 01 0010 05 00000010 0000000000000000 A5FF",
        "DB 02 0032 04 000003E8 0000000000000000 0002 00000001 000000FF 0102",
        "DB 00 0012 02 00000000 0000000000000000",
    ];
    images.map(|image| Value::OracleVector(crate::unhex(image))).to_vec()
}

/// The edges of the calendar and of a time of day.
const CIVIL: &[(i16, u8, u8, u8, u8, u8, u32)] = &[
    (1970, 1, 1, 0, 0, 0, 0),
    (1, 1, 1, 0, 0, 0, 0),
    (9999, 12, 31, 23, 59, 59, 999_999_999),
    (2000, 2, 29, 12, 30, 15, 1),
    (1900, 2, 28, 0, 0, 1, 1000),
    (99, 12, 31, 23, 0, 59, 1_000_000),
    (100, 1, 1, 1, 1, 1, 123_456_000),
    (2024, 10, 31, 8, 5, 3, 123_000_000),
    (-1, 12, 31, 0, 0, 0, 0),
    (-4712, 1, 1, 0, 0, 0, 0),
];

fn civil_times() -> impl Iterator<Item = CivilTime> + Clone {
    CIVIL.iter().map(|&(year, month, day, hour, minute, second, nanosecond)| CivilTime {
        year,
        month,
        day,
        hour,
        minute,
        second,
        nanosecond,
    })
}

/// Minutes east of UTC: both ends of what zones have, and the half hours that one program loses.
const ZONES: &[i16] = &[0, 30, -30, 60, -60, 345, -570, 840, -720];

fn times(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::OracleDate => civil_times().map(|time| Value::OracleDate(CivilTime { nanosecond: 0, ..time })).collect(),
        Kind::OracleTimestamp => civil_times().map(Value::OracleTimestamp).collect(),
        Kind::OracleTimestampTz => {
            let zoned = civil_times().zip(ZONES.iter().cycle()).chain(civil_times().take(1).cycle().zip(ZONES));
            zoned.map(|(utc, &offset_minutes)| Value::OracleTimestampTz(ZonedTime { utc, offset_minutes })).collect()
        }
        _ => DATE_TIMES_MS.iter().map(|&ms| Value::DateTime(ms)).collect(),
    }
}

const DATE_TIMES_MS: &[i64] = &[
    0,
    -1,
    1,
    999,
    1000,
    -1000,
    1_705_314_600_123,
    951_782_400_000,
    i64::MIN,
    i64::MAX,
    YEAR_1_MS,
    YEAR_1_MS - 1,
    YEAR_9999_MS,
    YEAR_9999_MS + 1,
    // 1583-01-01, 275760-09-13, the last date of JavaScript.
    -12_212_553_600_000,
    8_640_000_000_000_000,
];

fn intervals(kind: Kind) -> Vec<Value> {
    if kind == Kind::IntervalYearMonth {
        let parts = [(0, 0), (1, 2), (-1, -2), (0, -11), (5, 11), (999_999_999, 11), (-999_999_999, -11)];
        return parts.map(|(years, months)| Value::IntervalYearMonth(IntervalYearMonth { years, months })).to_vec();
    }
    let parts = [
        (0, 0, 0, 0, 0),
        (1, 2, 3, 4, 5),
        (0, 0, 0, -5, 0),
        (-1, 23, 59, 55, 0),
        (999_999_999, 23, 59, 59, 999_999_999),
        (-999_999_999, -23, -59, -59, -999_999_999),
        (0, 0, 0, 0, -1),
        (0, 0, 0, 0, 1000),
    ];
    parts.map(|parts| Value::IntervalDaySecond(day_second(parts))).to_vec()
}

pub(super) fn day_second((days, hours, minutes, seconds, nanoseconds): (i32, i8, i8, i8, i32)) -> IntervalDaySecond {
    IntervalDaySecond { days, hours, minutes, seconds, nanoseconds }
}
