//! Oracle's NUMBER: the bytes of python-oracledb, and everything that is malformed.

use boson_document::decimal::{Decimal, DecimalError, Number, NumberBuf, NumberError};
use boson_testkit::{hex, unhex};

/// Written by python-oracledb 26.1.0, from `decimal.Decimal(text)`, and read back by it to the same value:
/// `base_impl.BaseConnImpl("x", base_impl.ConnectParamsImpl()).encode_oson(value)` without the ten bytes in front.
#[rustfmt::skip]
const PEER_DECIMALS: &[(&str, &str)] = &[
    ("0", "80"),
    ("1", "c102"),
    ("-1", "3e6466"),
    ("2", "c103"),
    ("9", "c10a"),
    ("10", "c10b"),
    ("99", "c164"),
    ("100", "c202"),
    ("101", "c20202"),
    ("-99", "3e0266"),
    ("-100", "3d6466"),
    ("-101", "3d646466"),
    ("255", "c20338"),
    ("1000", "c20b"),
    ("-1000", "3d5b66"),
    ("12345", "c302182e"),
    ("1000000", "c402"),
    ("-12345.625", "3c644e38273366"),
    ("0.1", "c00b"),
    ("-0.1", "3f5b66"),
    ("0.01", "c002"),
    ("0.001", "bf0b"),
    ("0.5", "c033"),
    ("3.14159265358979", "c1040f105d42245a50"),
    ("2147483647", "c51630312530"),
    ("-2147483648", "3a503635413566"),
    ("9007199254740993", "c85b08145d374b0a5e"),
    ("9223372036854775807", "ca0a1722490445374e3b08"),
    ("-9223372036854775808", "355c4f441d62212f182b5d66"),
    ("18446744073709551615", "ca132d442d08260a381110"),
    ("100000000000000000000", "cb02"),
    ("1E-7", "bd0b"),
    ("1.5E-7", "bd10"),
    ("1E+125", "ff0b"),
    ("-1E+125", "005b66"),
    ("9.99E+125", "ff645b"),
    ("1E-130", "8002"),
    ("-1E-130", "7f6466"),
    ("1.2E-130", "800215"),
    ("1E-129", "800b"),
    ("123456789012345678901234567890.12345678", "cf0d23394f5b0d23394f5b0d23394f5b0d23394f"),
    ("-1E-38", "516466"),
    ("99999999999999999999999999999999999999", "d364646464646464646464646464646464646464"),
    ("999999999999999999999999999999999999999", "d40a64646464646464646464646464646464646464"),
    ("9999999999999999999999999999999999999999", "d46464646464646464646464646464646464646464"),
    ("-99999999999999999999999999999999999999", "2c0202020202020202020202020202020202020266"),
    ("-9999999999999999999999999999999999999999", "2b0202020202020202020202020202020202020202"),
    ("1000000000000000000000000000000000000001", "d40b01010101010101010101010101010101010102"),
    ("-0.1212121212121212121212121212121212121212", "3f5959595959595959595959595959595959595959"),
    ("0.0111111111111111111111111111111111111111", "c0020c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c"),
    ("1234567890123456789012345678901234567890", "d40d23394f5b0d23394f5b0d23394f5b0d23394f5b"),
    ("1E+40", "d502"),
    ("1E+50", "da02"),
    ("-1E+51", "255b66"),
];

/// The same peer, from `float`s.
#[rustfmt::skip]
const PEER_DOUBLES: &[(f64, &str)] = &[
    (0.1, "c00b"),
    (0.2, "c015"),
    (0.300_000_000_000_000_04, "c01f0101010101010129"),
    (1e-7, "bd0b"),
    (1.5, "c10233"),
    (-2.5, "3e633366"),
    (123_456_789.125, "c502182e445a0d33"),
    (1e20, "cb02"),
    (1e22, "cc02"),
    (1e23, "cc0b"),
    (9_007_199_254_740_992.0, "c85b08145d374b0a5d"),
    (9_007_199_254_740_994.0, "c85b08145d374b0a5f"),
    (1.234_567_890_123_456_7e100, "f302182e445a02182e44"),
    (2.2e-100, "8f0315"),
    (-std::f64::consts::PI, "3e6257560924420c164766"),
    (1e-130, "8002"),
    (1e125, "ff0b"),
    (5e-130, "8006"),
    (100.0, "c202"),
    (1e16, "c902"),
];

#[test]
fn decimals_have_the_bytes_of_the_peer() {
    for (text, digits) in PEER_DECIMALS {
        let written = NumberBuf::from_text(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(hex(written.as_bytes()), *digits, "{text}");
        let bytes = unhex(digits);
        let read = Number::new(&bytes).unwrap();
        assert_eq!(read.to_string(), *text);
        assert!(read.is_canonical() && read == written.as_number());
        assert_eq!(read.to_buf().as_bytes(), bytes);
        assert_eq!(read.to_i64(), text.parse().ok(), "{text}");
        assert_eq!(read.to_f64().to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        assert_eq!((read.is_zero(), read.is_negative()), (*text == "0", text.starts_with('-')));
        if let Ok(integer) = text.parse() {
            assert_eq!(hex(NumberBuf::from_i64(integer).as_bytes()), *digits);
        }
        if let Ok(integer) = text.parse() {
            assert_eq!(hex(NumberBuf::from_u64(integer).as_bytes()), *digits);
        }
    }
}

#[test]
fn doubles_have_the_bytes_of_the_peer() {
    for (value, digits) in PEER_DOUBLES {
        let written = Decimal::from_f64(*value).unwrap().to_number().unwrap();
        assert_eq!(hex(written.as_bytes()), *digits, "{value}");
        assert_eq!(written.as_number().to_f64().to_bits(), value.to_bits());
        assert_eq!(written.as_number().to_decimal().to_f64_exact(), Some(*value));
    }
}

#[test]
fn what_a_number_cannot_hold_is_refused() {
    let cases = [
        ("1E+126", NumberError::OutOfRange),
        ("-1E+126", NumberError::OutOfRange),
        ("9.9E-131", NumberError::OutOfRange),
        ("1E+2147483647", NumberError::OutOfRange),
        ("1E-2147483648", NumberError::OutOfRange),
        ("-0", NumberError::NegativeZero),
        ("-0.00", NumberError::NegativeZero),
        // python-oracledb writes 22 bytes for these, and cannot read them.
        ("111111111111111111111111111111111111111.1", NumberError::TooManyDigits),
        ("12222222222222222222222222222222222222220", NumberError::TooManyDigits),
        // Row O08 of the cases: rounded to 39 or 40 digits by the reference.
        ("123456789012345678901234567890123456789012", NumberError::Text(DecimalError::TooManyDigits)),
        ("ten", NumberError::Text(DecimalError::Syntax { offset: 0 })),
    ];
    for (text, error) in cases {
        assert_eq!(NumberBuf::from_text(text), Err(error), "{text}");
    }
    assert_eq!(NumberBuf::from_text("0E+2147483647"), Ok(NumberBuf::ZERO));
}

#[test]
fn oracle_infinities_read_as_1e126_and_order_beyond_all_others() {
    for (digits, text) in [("ff65", "1E+126"), ("00", "-1E+126")] {
        let bytes = unhex(digits);
        let number = Number::new(&bytes).unwrap();
        assert_eq!(number.to_string(), text);
        assert!(number.is_canonical());
        assert_eq!(number.to_i64(), None);
        assert_eq!(number.to_decimal().to_number(), None);
    }
}

#[test]
fn malformed_numbers_are_refused() {
    let bad = |position, byte| NumberError::BadDigit { position, byte };
    let cases = [
        ("", NumberError::Empty),
        ("c1", NumberError::NoDigits),
        ("3e", NumberError::NoDigits),
        ("3e66", NumberError::NoDigits),
        ("ff", NumberError::NoDigits),
        ("0066", NumberError::NoDigits),
        ("c101", NumberError::LeadingZero),
        ("c10102", NumberError::LeadingZero),
        ("8001", NumberError::LeadingZero),
        ("3e656466", NumberError::LeadingZero),
        ("c100", bad(1, 0)),
        ("c10200", bad(2, 0)),
        ("c165", bad(1, 101)),
        ("c10266", bad(2, 102)),
        ("8065", bad(1, 101)),
        ("ff6501", bad(1, 101)),
        ("fe65", bad(1, 101)),
        ("3e0166", bad(1, 1)),
        ("3e6400", bad(2, 0)),
        ("3e67", bad(1, 103)),
        ("3e646602", bad(2, 102)),
        ("3e646666", bad(2, 102)),
        ("c1020202020202020202020202020202020202020202", NumberError::TooLong { length: 22 }),
        ("2b020202020202020202020202020202020202020266", NumberError::TooLong { length: 22 }),
    ];
    for (digits, error) in cases {
        let bytes = unhex(digits);
        assert_eq!(Number::new(&bytes), Err(error), "{digits}");
    }
    assert!(Number::new(&[2; 21]).is_ok(), "21 bytes are the most");
}

#[test]
fn zeros_at_the_end_and_a_missing_terminator_change_no_value() {
    for (loose, strict) in [
        ("c10201", "c102"),
        ("c1020101", "c102"),
        ("c3020101", "c302"),
        ("ca0a1722490445374e3b0801", "ca0a1722490445374e3b08"),
        ("3e64", "3e6466"),
        ("3e646566", "3e6466"),
        ("3e646565", "3e6466"),
        ("c133010101010101010101010101010101010101", "c133"),
    ] {
        let (loose, strict) = (unhex(loose), unhex(strict));
        let (loose, strict) = (Number::new(&loose).unwrap(), Number::new(&strict).unwrap());
        assert_eq!(loose, strict);
        assert!(strict.is_canonical() && !loose.is_canonical());
        assert_eq!(loose.to_string(), strict.to_string());
        assert_eq!(loose.to_i64(), strict.to_i64());
        assert_eq!(loose.to_f64().to_bits(), strict.to_f64().to_bits());
        assert_eq!(loose.to_decimal().to_number(), Some(strict.to_buf()));
    }
}

#[test]
fn a_number_orders_like_its_bytes() {
    let ascending =
        ["-1E+125", "-100", "-99.5", "-1", "-1E-130", "0", "1E-130", "0.5", "1", "1.01", "99", "100", "1E+125"];
    let numbers: Vec<_> = ascending.iter().map(|text| NumberBuf::from_text(text).unwrap()).collect();
    assert!(numbers.is_sorted_by(|small, large| small.as_bytes() < large.as_bytes()));
}
