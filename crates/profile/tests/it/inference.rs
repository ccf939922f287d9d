//! The traps of type inference that people really fell into: ../shared/cases.md, section 5. Each row with inputs of its
//! own and more of the same kind.

use boson_document::Value;

use crate::support::{described, field, object, profile, string, strings, verdict};

/// Asserts the verdict on each list of strings of a field called `name`.
fn all(name: &str, expected: &str, lists: &[&[&str]]) {
    for texts in lists {
        assert_eq!(verdict(name, texts), expected, "{name}: {texts:?}");
    }
}

#[test]
fn t01_zeros_in_front_are_kept() {
    let stays = "stays: zeros in front that a number would lose";
    all("v", stays, &[&["02134", "90210"], &["007", "12"], &["1", "2", "3", "00"], &["0123.50", "7.25"]]);
    // One of very many is enough.
    let many: Vec<String> = (10_000..12_000).map(|i| i.to_string()).collect();
    let mut many: Vec<&str> = many.iter().map(|text| &**text).collect();
    many.push("02134");
    assert_eq!(verdict("v", &many), stays);
    // The name is enough where no value shows it.
    let named = "stays: by its name an identifier, not a number";
    for name in ["zip", "zipCode", "postal_code", "address.plz", "phoneNumber", "ISBN"] {
        assert_eq!(verdict(name, &["90210", "10115"]), named, "{name}");
    }
}

#[test]
fn t03_plus_signs_and_double_zeros_are_telephone_numbers() {
    let plus = "stays: plus signs in front: telephone numbers";
    all("v", plus, &[&["+15550100"], &["+49301234567", "15550100"], &["+1", "2", "3"], &["+1.5", "2.5"]]);
    all("v", "stays: zeros in front that a number would lose", &[&["004415550100"], &["0049301234567", "15550100"]]);
    all("v", "text", &[&["555-0100"], &["(555) 010-0100"], &["+1 555 0100"]]);
}

#[test]
fn t04_versions_stay() {
    let points = "stays: two points: versions or addresses";
    all("v", points, &[&["2.1.0", "1.10"], &["2.1.0"], &["10.0.0.1", "192.168.1.20"], &["1.2.3.4.5", "1.5"]]);
    let zeros = "stays: zeros at the end tell values apart";
    all("v", zeros, &[&["1.1", "1.10"], &["3.9", "3.10", "3.11"], &["2", "2.0", "2.10"], &["1.50", "1.5"]]);
    all("firmwareVersion", "stays: by its name an identifier, not a number", &[&["1.1", "1.2"], &["21", "22"]]);
    all("v", "text", &[&["2.1.0-rc1"], &["v2.1.0"]]);
}

#[test]
fn t06_words_for_no_number_count_only_among_numbers() {
    all("v", "text", &[&["Infinity", "NaN", "inf"], &["inf"], &["NaN", "Nguyen"], &["Infinity", "1.5", "abc", "def"]]);
    all("v", "Double, or Decimal128", &[&["1.5", "NaN"], &["-Infinity", "2.5", "Infinity"], &["0.1", "0.2", "NaN"]]);
    all("v", "Double, or Decimal128, respells 1", &[&["1.5", "inf"], &["1.5", "nan"], &["2.5", "1.5", "-inf"]]);
}

#[test]
fn t07_beyond_the_doubles() {
    let stays = "stays: beyond what a double holds";
    all("v", stays, &[&["1e400"], &["7.08263e-317"], &["-1e999", "4.9e-324"], &["1E+400", "1e-400"]]);
    // Decimals with an exponent come back as other text.
    all("v", "Double, or Decimal128, respells 1", &[&["1e5"], &["1.5E-7"], &["1.5", "2e10"]]);
    let mostly: Vec<&str> = ["1e400"].into_iter().chain(["1.5"; 20]).collect();
    assert_eq!(verdict("v", &mostly), "Double, or Decimal128, misfits 1");
}

#[test]
fn t08_integers_beyond_64_bits() {
    let texts: &[&[&str]] = &[
        &["9223372036854775808", "123456789012345678901"],
        &["-9223372036854775809"],
        &["1", "18446744073709551615"],
        &["1234567890123456789012345678901234"],
    ];
    all("v", "Decimal128", texts);
    all("v", "stays: more digits than a Decimal128 has", &[&["12345678901234567890123456789012345"]]);
    all("v", "Int64", &[&["9223372036854775807"], &["-9223372036854775808", "1"], &["2147483648", "1"]]);
    // Above 2^53 a double is no way for a field that has decimals too.
    all("v", "Decimal128", &[&["9007199254740993", "0.5"]]);
}

#[test]
fn t10_money_keeps_its_scale() {
    for name in ["price", "unitPrice", "total_amount", "balance"] {
        assert_eq!(verdict(name, &["19.90", "0.10"]), "Decimal128, or Double", "{name}");
    }
    all(
        "v",
        "Decimal128",
        &[&["$19.90", "$0.10"], &["19,90 €", "0,10 €"], &["1,234.50 USD"], &["-£5.00", "£1,000.00", "£2,000.00"]],
    );
    all("v", "stays: several currencies", &[&["$19.90", "€19.90"], &["5 USD", "5 EUR"]]);
    // Without a hint a constant scale is one of measurement; the author of the plan decides.
    all("v", "Double, or Decimal128", &[&["19.90", "0.10"]]);
}

#[test]
fn t11_separators_must_agree() {
    let contradicts = "stays: the separators contradict each other";
    all(
        "v",
        contradicts,
        &[&["1,234.56", "1.234,56"], &["950 000", "1,234,567"], &["12,5", "12.5"], &["1.234,56", "12.5"]],
    );
    all("v", "stays: nothing tells separators from decimal signs", &[&["1,234"], &["1,234", "2,500", "17"]]);
    all("v", "Decimal128", &[&["1,234.56", "999.10"], &["1.234,56", "0,10"], &["1'234.50"], &["950 000,5", "1 000,5"]]);
    all("v", "Int64", &[&["950 000", "12"], &["1,234,567", "1,234"], &["1'000", "999"], &["950\u{202f}000"]]);
    all("v", "Int64, respells 1", &[&["1,234,567", "4500"], &["950 000", "1000"]]);
}

#[test]
fn t13_hexadecimal_numbers_stay() {
    all("v", "stays: hexadecimal numbers", &[&["0x10"], &["0xFF", "12"], &["0Xab", "0x0"], &["0xdeadbeef"]]);
}

#[test]
fn t14_truth_values() {
    all(
        "v",
        "Boolean",
        &[&["true", "false"], &["TRUE", "FALSE"], &["yes", "no"], &["Y", "N"], &["true"], &["off", "on"]],
    );
    all("v", "Boolean, respells 1", &[&["true", "true", "TRUE"], &["yes", "no", "Yes"], &["true", "false", "no"]]);
    all("v", "Int32, or Int64, or Boolean, bits?", &[&["1", "0"], &["0", "1", "1"]]);
    all("v", "Int32, or Int64", &[&["1"], &["0"], &["0", "1", "2"]]);
    let one = "stays: only one of the two words occurs";
    all("v", one, &[&["NO"], &["Y"], &["on", "on"], &["t"]]);
    all("v", "text", &[&["ja", "nein"], &["truthy", "false"]]);
}

#[test]
fn t15_words_for_nothing_are_listed_and_left() {
    all(
        "v",
        "Date, null? 1, misfits 1",
        &[
            &["", "2024-01-15T00:00:00Z"],
            &["null", "2024-01-15T00:00:00Z"],
            &["N/A", "2024-01-15T00:00:00Z"],
            &["-", "2024-01-15T00:00:00Z", "2024-01-16T00:00:00Z"],
        ],
    );
    all(
        "v",
        "Int32, or Int64, null? 2, misfits 2",
        &[&["12", "", "-"], &["12", "n/a", "None"], &["1", "unknown", "?"]],
    );
    let finding = strings("v", &["12", "", "N/A", "N/A", "13"]).findings().findings.remove(0);
    assert_eq!(finding.misfits.nothing, [(String::new(), 1), ("N/A".to_owned(), 2)]);
    assert_eq!(finding.fits, 2);
    all("v", "Null", &[&["null"], &["N/A", "N/A"]]);
    all("v", "Null, respells 3", &[&["null", "N/A", "-"]]);
    all("v", "text", &[&[""], &["", "", "hello"]]);
}

#[test]
fn t16_hexadecimal_of_24_digits_needs_a_plausible_time() {
    let ids = ["507f1f77bcf86cd799439011", "65a51f2e0000000000000001", "5f43a1b2c3d4e5f601234567"];
    assert_eq!(verdict("v", &ids), "ObjectId");
    all(
        "v",
        "ObjectId",
        &[&["507F1F77BCF86CD799439011"], &["507f1f77bcf86cd799439011", "111111111111111111111111"][..1]],
    );
    let stays = "stays: the times in them are not those of ObjectIds";
    all(
        "v",
        stays,
        &[
            &["d41d8cd98f00b204e9800998"],
            &["000000000000000000000000", "507f1f77bcf86cd799439011"],
            &["ffffffffffffffffffffffff"],
            &["deadbeefdeadbeefdeadbeef", "507f1f77bcf86cd799439011"],
        ],
    );
    let rare: Vec<&str> = std::iter::repeat_n(ids[0], 1999).chain(["deadbeefdeadbeefdeadbeef"]).collect();
    assert_eq!(verdict("v", &rare), "ObjectId");
}

#[test]
fn t17_twelve_characters_are_no_object_id() {
    all(
        "v",
        "text",
        &[
            &["Rheumatology"],
            &["abcdefabcdef"],
            &["twelve bytes"],
            &["507f1f77bcf8"],
            &["Endocrinology", "Rheumatology"],
        ],
    );
}

#[test]
fn t20_dates_alone_ask_for_a_zone() {
    all("v", "Date, zone? 1", &[&["2020-01-01"], &["1999-12-31"], &["2024-02-29"], &["0001-01-01"]]);
    all("v", "text", &[&["2023-02-29"], &["2020-13-01"], &["2020-1-1-1"], &["2020-01"], &["0000-01-01"]]);
}

#[test]
fn t21_times_without_a_zone_ask_for_one() {
    all(
        "v",
        "Date, zone? 1",
        &[&["2020-01-01T08:00:00"], &["2020-01-01 08:00:00"], &["2020-01-01T08:00"], &["20200101T080000"]],
    );
    all("v", "Date, zone? 1, respells 1", &[&["2020-01-01T08:00:00", "2020-01-01T08:00:00Z", "2020-01-01T09:00:00Z"]]);
    all("v", "text", &[&["2020-01-01T25:00:00"], &["2020-01-01T08:61:00"], &["2020-01-01T08:00:60Z"], &["08:00:00"]]);
}

#[test]
fn t22_offsets_are_lost_unless_there_is_but_one() {
    let loses = "Date, loses 2 offsets";
    all(
        "v",
        loses,
        &[
            &["2020-01-01T08:00:00+05:45", "2020-01-01T08:00:00+01:00"],
            &["2020-01-01T08:00:00-08:00", "2020-07-01T08:00:00-07:00"],
            &["2020-01-01T08:00:00+0545", "2020-01-01T08:00:00+0100"],
            &["2020-01-01T08:00:00+05", "2020-01-01T08:00:00-05"],
        ],
    );
    all("v", "Date", &[&["2020-01-01T08:00:00+05:45", "2021-01-01T08:00:00+05:45"], &["2020-01-01T08:00:00+00:00"]]);
    all("v", "text", &[&["2020-01-01T08:00:00+24:00"], &["2020-01-01T08:00:00+5:45"], &["2020-01-01T08:00:00 CET?"]]);
}

#[test]
fn t23_other_dates_need_evidence_of_their_order() {
    let unclear = "stays: nothing tells day and month apart";
    all("v", unclear, &[&["01/02/2020"], &["1/2/2020", "3/4/2020"], &["05-05-2020"], &["01.02.2020"]]);
    let century = "stays: years of two digits";
    all("v", century, &[&["01-JAN-20"], &["01/15/20"], &["15 Jan 20"], &["31/12/99"]]);
    let contradicts = "stays: day and month in both orders";
    all(
        "v",
        contradicts,
        &[&["15/01/2020", "01/15/2020"], &["13-01-2020", "01-13-2020"], &["2020/01/15", "15/01/2020"]],
    );
    all(
        "v",
        "Date, zone? 2, order? 1",
        &[&["15/01/2020", "01/02/2020"], &["01/15/2020", "01/02/2020"], &["15.01.2020", "01.02.2020"]],
    );
    all(
        "v",
        "Date, zone? 1, respells 1",
        &[&["15 Jan 2020"], &["January 15, 2020"], &["15-JAN-2020"], &["Wed Jan 15 10:30:00 2020"]],
    );
    all(
        "v",
        "Date, respells 1",
        &[&["Wed, 15 Jan 2020 10:30:00 GMT"], &["Wed, 15 Jan 2020 10:30:00 +0100"], &["/Date(1579084200000)/"]],
    );
    all("v", "Date, zone? 1", &[&["2020/01/15"], &["2020.01.15"]]);
    all("v", "text", &[&["32/13/2020"], &["January"], &["May 2020"], &["Mar 5 people"]]);
}

#[test]
fn t25_digits_below_the_millisecond_are_counted() {
    all(
        "v",
        "Date, truncates 1",
        &[
            &["2020-01-01T00:00:00.123456Z", "2020-01-01T00:00:00.123000Z"],
            &["2020-01-01T00:00:00.123456789Z"],
            &["2020-01-01T00:00:00.0001Z"],
            &["2020-01-01T00:00:00.000000001Z", "2020-01-01T00:00:00.000000000Z"],
        ],
    );
    all("v", "Date", &[&["2020-01-01T00:00:00.123000Z"], &["2020-01-01T00:00:00.1Z"], &["2020-01-01T00:00:00,123Z"]]);
}

#[test]
fn t26_seconds_or_milliseconds_by_field() {
    all(
        "v",
        "Date, or Int64",
        &[&["1577836800"], &["1577836800000"], &["1577836800", "631152000"], &["1705314600123", "1577836800000"]],
    );
    all(
        "v",
        "stays: seconds and milliseconds in one field",
        &[&["1577836800", "1577836800000"], &["1705314600000", "1705314600", "1577836800"]],
    );
    all("v", "Int64", &[&["1577836800", "1577836800000", "12"], &["12", "99999999999"]]);
    let numbers = |name: &str, values: &[i64]| described(&field(name, values.iter().map(|&value| Value::Int64(value))));
    assert_eq!(numbers("createdAt", &[1_577_836_800_000]), "Date");
    assert_eq!(numbers("ts", &[1_577_836_800, 1_705_314_600]), "Date");
    assert_eq!(numbers("updated", &[1_577_836_800, 1_577_836_800_000]), "stays: seconds and milliseconds in one field");
    assert_eq!(numbers("followers", &[1_577_836_800_000]), "text");
    let doubles = field("time", [1_577_836_800_000.0, 1_705_314_600_000.0].map(Value::Double));
    assert_eq!(described(&doubles), "Date");
}

#[test]
fn t28_all_types_are_counted() {
    let mixed = field("v", [string("12"), Value::Int32(5), string("13"), Value::Null]);
    let finding = mixed.findings().findings.remove(0);
    assert_eq!((finding.fits, finding.others.iter().map(|kind| kind.count).collect::<Vec<_>>()), (2, vec![1, 1]));
    for reversed in [false, true] {
        let mut values = vec![string("12"), string("13"), Value::Int32(1)];
        if reversed {
            values.reverse();
        }
        assert_eq!(described(&field("v", values)), "Int32, or Int64");
    }
    let text = field("v", [string("12"), string("red"), Value::Int32(1)]);
    assert_eq!(described(&text), "text");
    let half = field("v", [string("2024-01-15T00:00:00Z"), Value::DateTime(0)]);
    assert_eq!(described(&half), "Date");
}

#[test]
fn t29_null_is_no_evidence() {
    let mut values = vec![Value::Null; 1000];
    values.extend([string("2024-01-15T00:00:00Z"), string("2024-01-16T00:00:00Z")]);
    assert_eq!(described(&field("v", values.clone())), "Date");
    values.push(Value::Undefined);
    assert_eq!(described(&field("v", values)), "Date");
    assert_eq!(described(&field("v", vec![Value::Null; 9])), "text");
    let words = ["null", "null", "null", "null", "12"].map(string);
    assert_eq!(described(&field("v", words)), "Int32, or Int64, null? 4, misfits 4");
}

#[test]
fn t31_elements_have_a_path_of_their_own() {
    let kinds = |values: Vec<Value>, path: &str| {
        let profile = profile([object([("v", Value::Array(values))])]);
        let found = profile.paths().find(|stats| stats.path.to_string() == path);
        found.map(|stats| stats.kinds.iter().map(|kind| kind.kind.name()).collect::<Vec<_>>()).unwrap_or_default()
    };
    assert_eq!(kinds(vec![string("a"), Value::Int32(1), Value::Null], "$.v[]"), ["null", "int", "string"]);
    assert_eq!(kinds(vec![Value::Array(vec![string("1")])], "$.v[][]"), ["string"]);
    assert_eq!(kinds(vec![], "$.v[]"), Vec::<&str>::new());
    assert_eq!(kinds(vec![], "$.v"), ["array"]);
    let list = Value::Array(vec![string("1"), string("2")]);
    assert_eq!(described(&profile([object([("v", list)]), object([("v", Value::Array(vec![]))])])), "Int32, or Int64");
}

/// A whole scan finds the one value that a sample would miss.
#[test]
fn t33_rare_bad_values_are_counted_and_shown() {
    let bad = ["n/a?", "12:30", "later", "twelve"];
    for bad in bad {
        let values = (0..20_000).map(|i| if i == 13_579 { string(bad) } else { string(&i.to_string()) });
        let finding = field("v", values).findings().findings.remove(0);
        assert_eq!((finding.fits, finding.misfits.count), (19_999, 1));
        assert_eq!(finding.misfits.examples, [bad]);
    }
}

#[test]
fn t34_numbers_sort_otherwise_than_their_text() {
    let reorders = |texts: &[&str]| strings("v", texts).findings().findings[0].proposal.index.reorders;
    assert!(reorders(&["100", "9"]) && reorders(&["1.5", "10.5"]) && reorders(&["-1", "-2"]));
    assert!(!reorders(&["2024-01-15T00:00:00Z"]) && !reorders(&["true", "false"]));
}

#[test]
fn t35_dots_in_names_are_escaped() {
    let paths = |document| profile([document]).paths().map(|stats| stats.path.to_string()).collect::<Vec<_>>();
    assert_eq!(paths(object([("a.b", Value::Null)])), ["$", "$[\"a.b\"]"]);
    assert_eq!(paths(object([("a", object([("b", Value::Null)]))])), ["$", "$.a", "$.a.b"]);
    assert_eq!(paths(object([("", Value::Null), ("*", Value::Null)])), ["$", "$[\"\"]", "$[\"*\"]"]);
    assert_eq!(paths(object([("[]", Value::Null)])), ["$", "$[\"[]\"]"]);
}
