//! Which type a JSON number becomes: E01, E02, O08 and T08 of the cases, and more of each kind.

use boson_document::{Builder, Decimal128, Rule, Source, Value};
use boson_json::{Inexact, Resolve, Style, Text};

use crate::support::{broken, raw, resolved, written};

fn by(text: &str, policy: Inexact) -> Result<Value, boson_document::DecodeError> {
    let mut sink = Resolve::with_policy(Builder::new(), policy);
    Text::new(text.as_bytes()).drive(&mut sink)?;
    Ok(sink.into_inner().finish().unwrap())
}

fn decimal(text: &str) -> Value {
    Value::Decimal128(Decimal128::parse(text).unwrap())
}

#[test]
fn a_fraction_or_an_exponent_makes_a_double() {
    for (text, value) in [
        ("1.0", 1.0),
        ("-1.0", -1.0),
        ("1e0", 1.0),
        ("10E-1", 1.0),
        ("0.1", 0.1),
        ("1.5e300", 1.5e300),
        ("5e-324", 5e-324),
        ("1.7976931348623157e308", f64::MAX),
        ("7.08263e-317", 7.08263e-317),
        ("0.0", 0.0),
        ("0e5", 0.0),
        ("100000000000000000000", 1e20),
    ] {
        assert_eq!(resolved(text), Ok(Value::Double(value)), "{text}");
    }
}

#[test]
fn the_sign_of_zero_is_kept() {
    for text in ["-0", "-0.0", "-0e0", "-0E+10"] {
        assert_eq!(resolved(text), Ok(Value::Double(-0.0)), "{text}");
        assert_eq!(raw(text), Ok(Value::DecimalText(text.to_owned())));
    }
}

#[test]
fn an_integer_takes_the_smallest_type_that_holds_it() {
    for (text, value) in [
        ("0", Value::Int32(0)),
        ("-1", Value::Int32(-1)),
        ("2147483647", Value::Int32(i32::MAX)),
        ("-2147483648", Value::Int32(i32::MIN)),
        ("2147483648", Value::Int64(2_147_483_648)),
        ("-2147483649", Value::Int64(-2_147_483_649)),
        ("9007199254740993", Value::Int64(9_007_199_254_740_993)),
        ("-9007199254740993", Value::Int64(-9_007_199_254_740_993)),
        ("9223372036854775807", Value::Int64(i64::MAX)),
        ("-9223372036854775808", Value::Int64(i64::MIN)),
    ] {
        assert_eq!(raw(text), Ok(value), "{text}");
    }
}

#[test]
fn what_a_double_would_round_becomes_a_decimal() {
    for text in [
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "123456789012345678901",
        "1e400",
        "1E-400",
        "0.10000000000000000555",
        "3.141592653589793238462643383279502",
        "9007199254740993.0",
    ] {
        assert_eq!(resolved(text), Ok(decimal(text)), "{text}");
    }
}

#[test]
fn what_not_even_a_decimal_holds_is_an_error() {
    for text in [
        "123456789012345678901234567890123456789012",
        "0.12345678901234567890123456789012345",
        "1e7000",
        "-1e-7000",
        "1e99999999999999999999",
    ] {
        assert_eq!(resolved(text), Err(broken(0, Rule::InexactNumber)), "{text}");
        assert_eq!(raw(text), Ok(Value::DecimalText(text.to_owned())), "{text}");
        assert_eq!(written(&raw(text).unwrap(), Style::Plain), text);
    }
    assert_eq!(resolved("[1, 1e7000]"), Err(broken(4, Rule::InexactNumber)));
}

#[test]
fn zeros_are_no_digits_that_count() {
    assert_eq!(resolved("1000000000000000000000000000000000000000000"), Ok(Value::Double(1e42)));
    assert_eq!(
        resolved("123456789012345678901234567890123400000000"),
        Ok(decimal("1.234567890123456789012345678901234E+41"))
    );
}

#[test]
fn other_policies() {
    assert_eq!(by("9223372036854775808", Inexact::Double), Ok(Value::Double(9_223_372_036_854_775_808.0)));
    // An infinity is no rounded number.
    assert_eq!(by("1e400", Inexact::Double), Err(broken(0, Rule::InexactNumber)));
    assert_eq!(by("0.1", Inexact::Error), Ok(Value::Double(0.1)));
    assert_eq!(by("1e22", Inexact::Error), Ok(Value::Double(1e22)));
    for text in ["9223372036854775808", "1e400", "0.10000000000000000555"] {
        assert_eq!(by(text, Inexact::Error), Err(broken(0, Rule::InexactNumber)), "{text}");
    }
}

#[test]
fn a_number_of_thousands_of_digits_is_refused_by_name() {
    let digits = "1".repeat(5000);
    assert_eq!(raw(&digits).unwrap_err().kind, broken(0, Rule::JsonNumberLength).kind);
    let fraction = format!("0.{digits}");
    assert_eq!(raw(&fraction), Ok(Value::DecimalText(fraction.clone())));
}
