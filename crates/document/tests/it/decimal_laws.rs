//! Laws of the decimal types, for whatever the generators come up with.

use std::cmp::Ordering;

use boson_document::decimal::{Decimal, Decimal128, Number, NumberBuf};
use proptest::prelude::*;

/// Numbers of any length, mostly near the ranges of the types.
fn decimals() -> impl Strategy<Value = Decimal> {
    let digits = prop_oneof!["[0-9]{1,20}", "[1-9][0-9]{0,39}", "[1-9]0{0,39}"];
    let exponents = prop_oneof![-45..5_i32, -180..180_i32, -6300..6300_i32, any::<i32>()];
    (any::<bool>(), digits, exponents).prop_map(|(negative, digits, exponent)| {
        let sign = if negative { "-" } else { "" };
        Decimal::parse(&format!("{sign}{digits}E{exponent}")).expect("forty digits at most")
    })
}

proptest! {
    #[test]
    fn text_reads_back_as_the_same_digits(value in decimals()) {
        prop_assert_eq!(Decimal::parse(value.to_text().as_str()), Ok(value));
        prop_assert!(value.normalized().same_value(&value));
        prop_assert_eq!(value.compare(&value.normalized()), Ordering::Equal);
    }

    #[test]
    fn a_decimal128_keeps_the_value(value in decimals()) {
        if let Some(narrow) = value.to_decimal128() {
            prop_assert!(narrow.to_decimal().expect("finite").same_value(&value));
            prop_assert_eq!(Decimal128::parse(narrow.to_text().as_str()), Ok(narrow));
        }
    }

    #[test]
    fn any_sixteen_bytes_are_a_decimal128(bytes in any::<[u8; 16]>()) {
        let value = Decimal128::from_bytes(bytes);
        prop_assert_eq!(value.to_bytes(), bytes);
        let read = Decimal128::parse(value.to_text().as_str()).expect("canonical text");
        prop_assert!(read.same_value(&value));
        prop_assert_eq!(read.to_string(), value.to_string());
    }

    #[test]
    fn a_number_keeps_the_value(value in decimals()) {
        if let Some(number) = value.to_number() {
            let view = Number::new(number.as_bytes()).expect("well formed");
            prop_assert!(view.is_canonical());
            prop_assert!(view.to_decimal().same_value(&value));
            prop_assert_eq!(view.to_i64(), value.to_i64());
            prop_assert_eq!(view.to_f64().to_bits(), value.to_f64().to_bits());
            prop_assert_eq!(view.to_decimal().to_number(), Some(number));
        }
    }

    #[test]
    fn numbers_order_like_their_bytes(one in decimals(), other in decimals()) {
        if let (Some(a), Some(b)) = (one.to_number(), other.to_number()) {
            prop_assert_eq!(a.as_bytes().cmp(b.as_bytes()), one.compare(&other));
        }
    }

    #[test]
    fn no_bytes_make_a_number_panic(bytes in proptest::collection::vec(any::<u8>(), 0..24)) {
        if let Ok(number) = Number::new(&bytes) {
            let decimal = number.to_decimal();
            prop_assert_eq!(number.to_i64(), decimal.to_i64());
            prop_assert_eq!(number.to_f64().to_bits(), decimal.to_f64().to_bits());
            prop_assert!(number == number.to_buf().as_number());
            if let Some(written) = decimal.to_number() {
                prop_assert!(written.as_number() == number);
                prop_assert_eq!(written.as_bytes() == bytes, number.is_canonical());
            }
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "[-+]{0,2}[0-9.]{0,50}[eE]?[-+]?[0-9.]{0,12}") {
        let strict = Decimal::parse(&text);
        if let (Ok(decimal), Ok(wide)) = (strict, Decimal128::parse(&text)) {
            prop_assert!(wide.to_decimal().expect("finite").same_value(&decimal));
        }
        if strict.is_ok() {
            prop_assert!(text.parse::<f64>().is_ok());
        }
    }

    #[test]
    fn integers_survive(value in any::<i64>(), shift in 0..64_u32) {
        let value = value >> shift;
        let number = NumberBuf::from_i64(value);
        prop_assert_eq!(Number::new(number.as_bytes()).expect("well formed").to_i64(), Some(value));
        prop_assert_eq!(Decimal::from_i64(value).to_number(), Some(number));
        prop_assert_eq!(number.to_string(), value.to_string());
        prop_assert_eq!(NumberBuf::from_text(&value.to_string()), Ok(number));
    }

    #[test]
    fn doubles_survive(bits in any::<u64>(), cents in any::<i32>()) {
        for value in [f64::from_bits(bits), f64::from(cents), f64::from(cents) / 100.0] {
            let Some(decimal) = Decimal::from_f64(value) else {
                prop_assert!(!value.is_finite());
                continue;
            };
            prop_assert_eq!(decimal.to_f64_exact().map(f64::to_bits), Some(value.to_bits()));
            prop_assert!(decimal.digit_count() <= 17);
            // The standard library may choose another last digit where two are equally near, but never fewer.
            let peer = Decimal::parse(&format!("{value:e}")).expect("a number");
            prop_assert_eq!(decimal.normalized().digit_count(), peer.normalized().digit_count());
        }
    }

    #[test]
    fn the_nearest_double_is_the_one_of_the_standard_library(value in decimals()) {
        let text = value.to_string();
        prop_assert_eq!(value.to_f64().to_bits(), text.parse::<f64>().expect("a number").to_bits());
        if let Some(exact) = value.to_f64_exact() {
            prop_assert!(Decimal::from_f64(exact).expect("finite").same_value(&value));
        }
    }

    #[test]
    fn compare_is_antisymmetric_and_agrees_with_same_value(one in decimals(), other in decimals()) {
        prop_assert_eq!(one.compare(&other), other.compare(&one).reverse());
        prop_assert_eq!(one.compare(&other) == Ordering::Equal, one.same_value(&other));
    }
}
