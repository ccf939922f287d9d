//! Numbers in keys: all types in one order.

use boson_document::{Decimal, Scalar};

use super::KeyString;

const NAN: u8 = 30;
/// A number below -2^63 and one above 2^63, and those between -1 and 1.
const NEGATIVE_LARGE: u8 = 31;
const NEGATIVE_8_BYTES: u8 = 32;
const NEGATIVE_SMALL: u8 = 40;
const ZERO: u8 = 41;
const POSITIVE_SMALL: u8 = 42;
const POSITIVE_8_BYTES: u8 = 50;
const POSITIVE_LARGE: u8 = 51;

/// Two bits say which type a number has; those of int32 are zero. A decimal adds six of its exponent.
const TYPE_BITS: u64 = 2;
const DECIMAL_TYPE_BITS: u64 = TYPE_BITS + 6;

/// The two low bits of a fraction: the number is the double, or the decimal of 15 digits nearest above it.
const IS_THE_DOUBLE: u64 = 0;
const IS_THE_DECIMAL: u64 = 2;

/// Digits that every double keeps.
const DOUBLE_DIGITS: u32 = 15;

pub(super) fn append_number(key: &mut KeyString, scalar: Scalar<'_>) {
    match scalar {
        Scalar::Int32(value) => {
            key.type_bits(TYPE_BITS, true);
            integer(key, value.into());
        }
        Scalar::Int64(value) => {
            key.type_bits(TYPE_BITS, false);
            integer(key, value);
        }
        Scalar::Double(value) => {
            key.type_bits(TYPE_BITS, false);
            double(key, value, IS_THE_DOUBLE);
        }
        Scalar::Decimal128(value) => {
            key.type_bits(DECIMAL_TYPE_BITS, false);
            match value.to_decimal() {
                Some(number) => decimal(key, &number),
                None if value.is_nan() => double(key, f64::NAN, IS_THE_DOUBLE),
                None => double(key, if value.is_negative() { f64::NEG_INFINITY } else { f64::INFINITY }, IS_THE_DOUBLE),
            }
        }
        // The leaves that only other formats have do not come out of BSON.
        _ => {}
    }
}

fn integer(key: &mut KeyString, value: i64) {
    if value == 0 {
        key.bytes.push(ZERO);
    } else if value == i64::MIN {
        large(key, -9_223_372_036_854_775_808.0);
    } else {
        shifted(key, value.unsigned_abs() << 1, value < 0);
    }
}

/// An integer with a bit behind it that says whether a fraction follows, in as few bytes as hold it.
fn shifted(key: &mut KeyString, shifted: u64, is_negative: bool) {
    let unused = shifted.leading_zeros() / 8;
    class(key, unused, is_negative);
    let bytes = signed(shifted, is_negative);
    key.bytes.extend(bytes.iter().skip(usize::try_from(unused).unwrap_or_default()));
}

fn class(key: &mut KeyString, unused_bytes: u32, is_negative: bool) {
    let unused = u8::try_from(unused_bytes).unwrap_or_default();
    key.bytes.push(if is_negative { NEGATIVE_8_BYTES + unused } else { POSITIVE_8_BYTES - unused });
}

/// The bytes of a magnitude; those of a negative number are turned round, for the larger one sorts first.
fn signed(magnitude: u64, is_negative: bool) -> [u8; 8] {
    (if is_negative { !magnitude } else { magnitude }).to_be_bytes()
}

fn double(key: &mut KeyString, value: f64, continuation: u64) {
    let (magnitude, is_negative) = (value.abs(), value < 0.0);
    if value.is_nan() {
        key.bytes.push(NAN);
    } else if magnitude == 0.0 {
        key.bytes.push(ZERO);
    } else if magnitude < 1.0 {
        key.bytes.push(if is_negative { NEGATIVE_SMALL } else { POSITIVE_SMALL });
        key.bytes.extend(signed(magnitude.to_bits() << 1 | continuation, is_negative));
    } else if magnitude >= LARGE {
        large(key, value);
    } else {
        fraction(key, magnitude, is_negative, continuation);
    }
}

/// 2^63.
const LARGE: f64 = 9_223_372_036_854_775_808.0;

fn large(key: &mut KeyString, value: f64) {
    key.bytes.push(if value < 0.0 { NEGATIVE_LARGE } else { POSITIVE_LARGE });
    key.bytes.extend(signed(value.abs().to_bits() << 1, value < 0.0));
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "1 <= magnitude < 2^63, and what is cut off is the fraction"
)]
fn fraction(key: &mut KeyString, magnitude: f64, is_negative: bool, continuation: u64) {
    let whole = magnitude.trunc() as u64;
    if magnitude.fract() == 0.0 && continuation == IS_THE_DOUBLE {
        shifted(key, whole << 1, is_negative);
        return;
    }
    let unused = (whole << 1).leading_zeros() / 8;
    class(key, unused, is_negative);
    // The fraction is moved up by as many bytes as the integer leaves, which is exact: a double's bits only change place.
    let scaled = (magnitude * 256f64.powi(unused.cast_signed())) as u64;
    let encoded = scaled.wrapping_add((whole + 1) << (unused * 8)) | continuation;
    key.bytes.extend(signed(encoded, is_negative));
}

fn decimal(key: &mut KeyString, number: &Decimal) {
    if let Some(exact) = number.to_f64_exact() {
        return double(key, exact, IS_THE_DOUBLE);
    }
    double(key, number.to_f64(), IS_THE_DECIMAL);
    if number.normalized().digit_count() > DOUBLE_DIGITS {
        // The digits behind those of the double.
        key.bytes.extend(number.exponent().to_be_bytes());
        key.bytes.extend([0; 4]);
    }
}
