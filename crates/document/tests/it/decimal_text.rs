//! What `Decimal` and `Decimal128` read, refuse and write, case by case.

use std::cmp::Ordering;

use boson_document::decimal::{Decimal, Decimal128, DecimalError, NumberBuf};

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn text_is_kept_as_written() {
    let same = ["0", "-0", "0.00", "1", "-1", "12.50", "0.000001", "1E-7", "1E+200", "-1.5E-9", "100", "0E+3"];
    for text in same {
        assert_eq!(decimal(text).to_string(), text);
    }
    for (text, written) in [("+7", "7"), ("007", "7"), ("0.0000001", "1E-7"), ("1e3", "1E+3"), ("1.0e1", "10")] {
        assert_eq!(decimal(text).to_string(), written);
    }
}

#[test]
fn what_is_no_json_number_is_refused_where_it_ends() {
    let cases = [
        ("", 0),
        ("-", 1),
        ("+", 1),
        (".", 0),
        (".5", 0),
        ("5.", 2),
        ("5.e1", 2),
        ("inf", 0),
        ("-nan", 1),
        ("0x10", 1),
        ("1e", 2),
        ("1e+", 3),
        ("1e5x", 3),
        ("1.2.3", 3),
        (" 1", 0),
        ("1 ", 1),
        ("--1", 1),
        ("1_000", 1),
        ("1é", 1),
    ];
    for (text, offset) in cases {
        assert_eq!(Decimal::parse(text), Err(DecimalError::Syntax { offset }), "{text:?}");
    }
}

#[test]
fn forty_digits_are_the_most() {
    let forty = "1234567890".repeat(4).replace("7890123", "7890999");
    assert_eq!(decimal(&forty).to_string(), forty);
    assert_eq!(decimal(&forty).digit_count(), 40);
    assert_eq!(Decimal::parse(&format!("{forty}1")), Err(DecimalError::TooManyDigits));
    assert_eq!(Decimal::parse(&format!("{forty}.01")), Err(DecimalError::TooManyDigits));
    assert_eq!(decimal(&format!("{forty}.000")).to_i64(), None);
    assert!(decimal(&format!("{forty}.000")).same_value(&decimal(&forty)));
    assert!(decimal(&format!("{forty}000")).same_value(&decimal(&format!("{forty}E3"))));
    assert!(decimal(&format!("0.000{forty}")).same_value(&decimal(&format!("{forty}E-43"))));
}

/// Row B39 of the cases: an exponent outside 32 bits wrapped to another number.
#[test]
fn a_zero_is_zero_at_any_power_of_ten() {
    for (text, negative, exponent) in [
        ("0e99999999999999999999", false, i32::MAX),
        ("-0E2147483648", true, i32::MAX),
        ("0.000e-99999999999999999999", false, i32::MIN),
        ("-0.0e-2147483648", true, i32::MIN),
        ("000e+2147483647", false, i32::MAX),
    ] {
        let zero = decimal(text);
        assert_eq!((zero.is_zero(), zero.is_negative(), zero.exponent()), (true, negative, exponent), "{text}");
        let double = zero.to_f64_exact().unwrap();
        assert_eq!((double, double.is_sign_negative()), (0.0, negative), "{text}");
        assert_eq!(zero.to_i64(), (!negative).then_some(0), "{text}");
        // The exponents of decimal128 end at 6111 and -6176: the specification's clamping.
        let clamped = format!("{}0E{}", if negative { "-" } else { "" }, if exponent > 0 { "+6111" } else { "-6176" });
        assert_eq!(Decimal128::parse(text).unwrap().to_string(), clamped, "{text}");
    }
}

#[test]
fn exponents_beyond_32_bits_do_not_wrap() {
    for text in ["1E2147483648", "1E-2147483649", "1E99999999999999999999999", "0.1E-2147483648", "1e4294967297"] {
        assert_eq!(Decimal::parse(text), Err(DecimalError::ExponentOutOfRange), "{text}");
        assert_eq!(Decimal128::parse(text), Err(DecimalError::ExponentOutOfRange), "{text}");
    }
    assert_eq!(decimal("1E2147483647").to_string(), "1E+2147483647");
    assert_eq!(decimal("15E2147483647").to_string(), "1.5E+2147483648");
    assert_eq!(decimal("1.5E+2147483648"), decimal("15E2147483647"));
    assert_eq!(decimal("1.5E-2147483647").to_string(), "1.5E-2147483647");
    assert_eq!(decimal("10E2147483647").normalized(), decimal("10E2147483647"));
}

/// Row B37 of the cases: digits from the 35th on were rounded away.
#[test]
fn a_decimal128_is_never_rounded() {
    let digits = "1234567890123456789012345678901234";
    assert_eq!(Decimal128::parse(digits).map(|value| value.to_string()), Ok(digits.to_owned()));
    assert_eq!(Decimal128::parse(&format!("{digits}5")), Err(DecimalError::Inexact));
    assert_eq!(Decimal128::parse(&format!("{digits}{digits}")), Err(DecimalError::Inexact));
    assert_eq!(Decimal128::parse("9.9E+6145"), Err(DecimalError::Overflow));
    assert_eq!(Decimal128::parse("1E-6177"), Err(DecimalError::Underflow));
    assert_eq!(Decimal128::parse("sNaN"), Err(DecimalError::Syntax { offset: 0 }));
}

#[test]
fn decimal128_special_values() {
    for (text, value) in [
        ("NaN", Decimal128::NAN),
        ("Infinity", Decimal128::INFINITY),
        ("-Infinity", Decimal128::NEG_INFINITY),
        ("0", Decimal128::ZERO),
    ] {
        assert_eq!(value.to_string(), text);
        assert_eq!(text.parse(), Ok(value));
        assert_eq!(value.is_finite(), text == "0");
        assert_eq!(value.is_nan(), text == "NaN");
        assert_eq!(value.is_negative(), text.starts_with('-'));
        assert!(value.same_value(&value));
        assert_eq!(value.to_decimal().is_some(), value.is_finite());
    }
    assert!(!Decimal128::INFINITY.same_value(&Decimal128::NEG_INFINITY));
    assert!(!Decimal128::INFINITY.same_value(&Decimal128::NAN));
    assert!(!Decimal128::ZERO.same_value(&Decimal128::NAN));
    let (short, long) = (Decimal128::parse("1.0").unwrap(), Decimal128::parse("1.00").unwrap());
    assert!(short != long && short.same_value(&long));
}

#[test]
fn doubles_that_denote_the_number_and_doubles_that_do_not() {
    for text in
        ["0", "0.1", "-2.5", "1E+200", "1E-320", "5E-324", "1.7976931348623157E+308", "100000000000000000000", "0.10"]
    {
        assert_eq!(decimal(text).to_f64_exact(), Some(text.parse().unwrap()), "{text}");
    }
    for text in ["0.10000000000000000555", "9007199254740993", "1E+309", "1E-324", "1E+400", "0.30000000000000001"] {
        assert_eq!(decimal(text).to_f64_exact(), None, "{text}");
        assert_eq!(decimal(text).to_f64().to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
    }
    assert_eq!(decimal("-0").to_f64_exact().map(f64::to_bits), Some((-0.0_f64).to_bits()));
    assert_eq!(decimal("-0.00").to_f64().to_bits(), (-0.0_f64).to_bits());
}

#[test]
fn doubles_become_their_shortest_digits() {
    for (value, text) in [
        (0.1, "0.1"),
        (-0.0, "-0"),
        (100.0, "100"),
        (1e15, "1000000000000000"),
        (9_007_199_254_740_991.0, "9007199254740991"),
        (9_007_199_254_740_994.0, "9007199254740994"),
        // Exactly between …62 and …63: the even one, as Python and JavaScript print it; Rust prints …63.
        (f64::from_bits(4_823_112_075_014_140_948), "273877292346272.62"),
        (1e22, "1E+22"),
        (1e23, "1E+23"),
        (5e-324, "5E-324"),
        (0.5, "0.5"),
        (-1.5, "-1.5"),
        (f64::MAX, "1.7976931348623157E+308"),
        (0.000_001, "0.000001"),
    ] {
        assert_eq!(Decimal::from_f64(value).unwrap().to_string(), text);
    }
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(Decimal::from_f64(value), None);
    }
}

#[test]
fn integers_are_exact_or_nothing() {
    for value in [0, 1, -1, i64::MAX, i64::MIN, 9_007_199_254_740_993] {
        assert_eq!(Decimal::from_i64(value).to_i64(), Some(value));
        assert_eq!(Decimal::from_i64(value).to_string(), value.to_string());
    }
    for (text, value) in [("5.0", 5), ("1E+3", 1000), ("-1200E-2", -12), ("0E-400", 0), ("0E+400", 0)] {
        assert_eq!(decimal(text).to_i64(), Some(value));
    }
    for text in ["0.5", "9223372036854775808", "-9223372036854775809", "1E+19", "1E-1", "-0", "10E-2", "1E+2147483647"]
    {
        assert_eq!(decimal(text).to_i64(), None, "{text}");
    }
    assert_eq!(decimal("18446744073709551615").to_u64(), Some(u64::MAX));
    assert_eq!(decimal("12345678901234567890000000E-6").to_u64(), Some(12_345_678_901_234_567_890));
}

#[test]
fn decimals_order_by_value() {
    let ascending =
        ["-1E+50", "-10", "-1.5", "-1", "-1E-9", "0", "1E-400", "0.1", "0.11", "1", "9", "10", "10.5", "1E+40"];
    for (index, small) in ascending.iter().enumerate() {
        for large in &ascending[index + 1..] {
            assert_eq!(decimal(small).compare(&decimal(large)), Ordering::Less, "{small} {large}");
            assert_eq!(decimal(large).compare(&decimal(small)), Ordering::Greater);
            assert!(!decimal(small).same_value(&decimal(large)));
        }
    }
    assert_eq!(decimal("-0").compare(&decimal("0E+9")), Ordering::Equal);
    assert_eq!(decimal("1.00").compare(&decimal("1")), Ordering::Equal);
}

/// A scalar is to stay within 24 bytes.
#[test]
fn the_types_are_small() {
    assert_eq!((size_of::<Decimal128>(), align_of::<Decimal128>()), (16, 1));
    assert!(size_of::<NumberBuf>() <= 24);
    assert_eq!(size_of::<Decimal>(), 32);
}
