//! Section 3 of the cases, as far as it is about reading. Images that are put together here were not verified by a
//! server; those in hexadecimal that begin with `ff4a5a` are the cases' own.

use boson_document::{
    CivilTime, Decimal128, DecodeErrorKind, FlagFault, IntervalYearMonth, Limit, Limits, NumberBuf, ObjectId, Rule,
    Scalar, Source, Value, ZonedTime,
};
use boson_oson::{Document, Vector, VectorFormat, validate};
use boson_testkit::{laws, unhex};

use super::build::{Parts, fnv1a, parts, scalar, sorted};
use super::{broken, decode, decode_bytes, decode_scalar, fault};

fn number(text: &str) -> Value {
    Value::Number(NumberBuf::from_text(text).unwrap())
}

fn object(members: &[(&str, Value)]) -> Value {
    Value::Object(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

#[test]
fn o01_strings_about_65536_bytes() {
    for len in [65_532, 65_533, 65_534, 65_535, 65_536, 70_000] {
        let [b0, b1, b2, b3] = u32::try_from(len).unwrap().to_be_bytes();
        let head = if len > 0xFFFF { vec![0x38, b0, b1, b2, b3] } else { vec![0x37, b2, b3] };
        let tree = [head, vec![b'a'; len]].concat();
        assert_eq!(decode_bytes(&scalar(&tree)), Ok(Value::String("a".repeat(len))), "{len}");
    }
    // What the Java reference writes for 65533: a tree of 0 bytes.
    let mut image = unhex("ff4a5a01 0016 0000 37fffd");
    image.resize(image.len() + 65_533, b'a');
    assert_eq!(fault(&image), DecodeErrorKind::TrailingBytes(65_536));
    assert!(matches!(fault(&unhex("ff4a5a01 0016 0000")), DecodeErrorKind::UnexpectedEnd { .. }));
}

#[test]
fn o03_long_names_by_whatever_hash_and_order() {
    let names = ["a".repeat(256), "b".repeat(300), "é".repeat(200), "c".repeat(256)];
    let java = |name: &str| {
        u16::from_be_bytes([fnv1a(name.as_bytes()).to_le_bytes()[0], fnv1a(name.as_bytes()).to_le_bytes()[1]])
    };
    let hashes: [&dyn Fn(&str) -> u16; 4] =
        [&java, &|name| java(name).swap_bytes(), &|name| java(name) >> 8, &|_| 0x1234];
    assert_eq!(java(&names[0]), 0xC5E2);
    for hash in hashes {
        for shift in 0..names.len() {
            let mut order = names.clone();
            order.rotate_left(shift);
            let long = order.iter().map(|name| (name.clone().into_bytes(), hash(name))).collect();
            let tree = unhex("84 04 02 03 04 05 000e 000f 0010 0011 30 31 32 00");
            let image = Parts { version: 3, long, ..parts(&["s"], &tree) }.image();
            let document = Document::new(&image).unwrap();
            assert_eq!(document.get(&order[0]).unwrap().unwrap().scalar(), Ok(Some(Scalar::Null)));
            assert_eq!(document.get(&order[2]).unwrap().unwrap().scalar(), Ok(Some(Scalar::Bool(false))));
            assert!(document.get(&"a".repeat(257)).unwrap().is_none());
            assert!(document.get(&"d".repeat(256)).unwrap().is_none());
            assert!(document.get("s").unwrap().is_none());
            assert_eq!(validate(&image, &Limits::OSON), Ok(()));
        }
    }
}

#[test]
fn o03_short_names_among_the_long_ones() {
    let long = [("", 0), ("short", 7), ("😀", 1)].map(|(name, hash)| (name.as_bytes().to_vec(), hash)).to_vec();
    let image = Parts { version: 3, long, ..parts(&["x"], &unhex("84 03 02 03 04 000b 000c 000d 30 31 32")) }.image();
    let document = Document::new(&image).unwrap();
    for (name, value) in [("", Scalar::Null), ("short", Scalar::Bool(true)), ("😀", Scalar::Bool(false))] {
        assert_eq!(document.get(name).unwrap().unwrap().scalar(), Ok(Some(value)), "{name}");
    }
    assert_eq!(validate(&image, &Limits::OSON), Ok(()));
}

#[test]
fn o04_relative_offsets_are_signed() {
    let image = "ff4a5a012127020004000d00010bad00020000017a016c840202010008000931c001ffff";
    let expected = object(&[("z", Value::Bool(true)), ("l", Value::Array(vec![Value::Bool(true)]))]);
    assert_eq!(decode(image), Ok(expected));
    // The same with offsets of four bytes.
    let tree = unhex("a4 02 0201 0000000c 0000000d 31 e001 ffffffff");
    let wide = Parts { flags: 1, ..parts(&["l", "z"], &tree) };
    let elements = Value::Array(vec![Value::Bool(true)]);
    assert_eq!(decode_bytes(&wide.image()), Ok(object(&[("z", Value::Bool(true)), ("l", elements.clone())])));
    // Before the start of the tree, and past its end.
    for offset in [0xFFF0_u16, 0xFFF6, 4, 0x100] {
        let tree = [&unhex("84 02 0201 0008 0009 31 c001")[..], &offset.to_be_bytes()].concat();
        let image = Parts { flags: 1, ..parts(&["l", "z"], &tree) }.image();
        assert!(matches!(fault(&image), DecodeErrorKind::OffsetOutOfRange(_)), "{offset}");
    }
    // Wrapping around 65536 in a tree that is longer: from 0xFFFE on, 4 bytes ahead is 2.
    let mut tree = unhex("c0 02 fffe 0006 31");
    tree.resize(0xFFFE, 0);
    tree.extend(unhex("c0 01 0008"));
    let image = Parts { flags: 1, ..parts(&[], &tree) }.image();
    assert_eq!(decode_bytes(&image), Ok(Value::Array(vec![elements, Value::Bool(true)])));
}

#[test]
fn o08_more_digits_than_a_number_holds_stand_as_text() {
    for text in ["123456789012345678901234567890123456789012", "-1E+200", "0.1e-7000", "12.50", "0", "-0"] {
        let tree = [&[0x35, u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
        assert_eq!(decode_bytes(&scalar(&tree)), Ok(Value::DecimalText(text.to_owned())));
    }
    for text in
        ["", "-", "+1", "01", "1.", ".5", "1e", "1e+", "NaN", "Infinity", "0x10", "1 ", " 1", "1,5", "--1", "1e5.0"]
    {
        let tree = [&[0x35, u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
        assert_eq!(fault(&scalar(&tree)), broken(Rule::DecimalText), "{text:?}");
    }
}

#[test]
fn o09_doubles_outside_number() {
    assert_eq!(decode_scalar("36 e974e718d7d7625a"), Ok(Value::Double(1e200)));
    assert_eq!(decode_scalar("36 967e0c6ccfd8ba52"), Ok(Value::Double(f64::from_bits(0x167E_0C6C_CFD8_BA52))));
    assert_eq!(decode_scalar("36 fff0000000000000"), Ok(Value::Double(f64::INFINITY)));
    assert_eq!(decode_scalar("36 000fffffffffffff"), Ok(Value::Double(f64::NEG_INFINITY)));
    assert_eq!(decode_scalar("36 fff8000000000000"), Ok(Value::Double(f64::NAN)));
    assert_eq!(decode_scalar("36 8000000000000001"), Ok(Value::Double(5e-324)));
    assert_eq!(decode_scalar("7f ff800000"), Ok(Value::Float(f32::INFINITY)));
    // The NUMBERs at both ends: what node writes for infinities.
    assert_eq!(decode_scalar("21 ff65").unwrap().kind(), boson_document::Kind::Number);
    assert_eq!(decode_scalar("20 00").unwrap().kind(), boson_document::Kind::Number);
}

#[test]
fn o10_integers_keep_their_type_and_every_digit() {
    for value in [i64::MAX, i64::MIN, 9_007_199_254_740_993, -1, 0, 100, -100] {
        let bytes = NumberBuf::from_i64(value);
        let len = u8::try_from(bytes.as_bytes().len()).unwrap();
        let tree = [&[0x50 | len], bytes.as_bytes()].concat();
        assert_eq!(decode_bytes(&scalar(&tree)), Ok(Value::Int64(value)));
        let tree = [&[0x34, len], bytes.as_bytes()].concat();
        assert_eq!(decode_bytes(&scalar(&tree)), Ok(Value::Number(bytes)));
        let tree = [&[0x20 | (len - 1)], bytes.as_bytes()].concat();
        assert_eq!(decode_bytes(&scalar(&tree)), Ok(Value::Number(bytes)));
    }
    for value in [i32::MAX, i32::MIN, 1, -1, 0] {
        let bytes = NumberBuf::from_i64(i64::from(value));
        let tree = [&[0x40 | u8::try_from(bytes.as_bytes().len()).unwrap()], bytes.as_bytes()].concat();
        assert_eq!(decode_bytes(&scalar(&tree)), Ok(Value::Int32(value)));
    }
}

#[test]
fn o10_what_is_no_integer_of_its_opcode_is_refused() {
    for (opcode, text) in [
        (0x40, "2147483648"),
        (0x40, "-2147483649"),
        (0x40, "0.5"),
        (0x50, "9223372036854775808"),
        (0x50, "-9223372036854775809"),
        (0x50, "1.5"),
        (0x50, "1E+20"),
    ] {
        let bytes = NumberBuf::from_text(text).unwrap();
        let tree = [&[opcode | u8::try_from(bytes.as_bytes().len()).unwrap()], bytes.as_bytes()].concat();
        assert_eq!(fault(&scalar(&tree)), broken(Rule::IntegerRange), "{text}");
    }
    for tree in
        ["40", "50", "3400", "7400", "34 16 c1020202020202020202020202020202020202020202", "20 c1", "22 c1 01 00"]
    {
        assert_eq!(fault(&scalar(&unhex(tree))), broken(Rule::Number), "{tree}");
    }
}

#[test]
fn o11_decimals_of_either_opcode() {
    let decimal = |text: &str| Value::Decimal128(Decimal128::parse(text).unwrap());
    assert_eq!(decode_scalar("61 c102"), Ok(decimal("1")));
    assert_eq!(decode_scalar("74 02 c102"), Ok(decimal("1")));
    assert_eq!(decode_scalar("60 80"), Ok(decimal("0")));
    assert_eq!(decode_scalar("66 3c644e38273366"), Ok(decimal("-12345.625")));
    // 38 digits do not fit a decimal128: the NUMBER itself is delivered, no digit lost.
    let text = "12345678901234567890123456789012345678";
    let bytes = NumberBuf::from_text(text).unwrap();
    let tree = [&[0x74, u8::try_from(bytes.as_bytes().len()).unwrap()], bytes.as_bytes()].concat();
    assert_eq!(decode_bytes(&scalar(&tree)), Ok(number(text)));
}

#[test]
fn o13_o14_doubles_and_floats_are_not_numbers() {
    assert_eq!(decode_scalar("36 c000000000000000"), Ok(Value::Double(2.0)));
    assert_eq!(decode_scalar("7f bfc00000"), Ok(Value::Float(1.5)));
    assert_eq!(decode_scalar("36 7fffffffffffffff"), Ok(Value::Double(-0.0)));
    assert_eq!(decode_scalar("36 8000000000000000"), Ok(Value::Double(0.0)));
    assert_eq!(decode_scalar("7f 7fffffff"), Ok(Value::Float(-0.0)));
}

#[test]
fn o16_the_four_dates_stay_apart() {
    let civil = |nanosecond| CivilTime { year: 2024, month: 1, day: 2, hour: 3, minute: 4, second: 5, nanosecond };
    assert_eq!(decode_scalar("3c 787c0102040506"), Ok(Value::OracleDate(civil(0))));
    assert_eq!(decode_scalar("7d 787c0102040506"), Ok(Value::OracleTimestamp(civil(0))));
    assert_eq!(decode_scalar("39 787c0102040506 00000000"), Ok(Value::OracleTimestamp(civil(0))));
    assert_eq!(decode_scalar("39 787c0102040506 3b9ac9ff"), Ok(Value::OracleTimestamp(civil(999_999_999))));
    for (zone, offset_minutes) in
        [("143c", 0), ("1a0f", 315), ("145a", 30), ("141e", -30), ("0f3c", -300), ("223c", 840)]
    {
        let tree = format!("7c 787c0102040506 00000001 {zone}");
        let expected = Value::OracleTimestampTz(ZonedTime { utc: civil(1), offset_minutes });
        assert_eq!(decode_scalar(&tree), Ok(expected), "{zone}");
    }
    assert_eq!(fault(&scalar(&unhex("7c 787c0102040506 00000000 953c"))), broken(Rule::TimeZoneRegion));
}

#[test]
fn o17_what_is_no_date_is_refused() {
    for tree in [
        "3c 787b021d010101",
        "3c 787c0102190101",
        "3c 787c0002010101",
        "7d 787c0120010101",
        "3c 00000000000000",
        "39 787c0102040506 3b9aca00",
        "3c c8640101010101",
        "7c 787c0102040506 00000000 003c",
    ] {
        assert_eq!(fault(&scalar(&unhex(tree))), broken(Rule::Date), "{tree}");
    }
    assert!(decode_scalar("3c c7c70c1f010101").is_ok(), "9999-12-31");
    assert!(decode_scalar("3c 64650101010101").is_ok(), "0001-01-01");
}

#[test]
fn o19_intervals() {
    let interval = |years, months| Ok(Value::IntervalYearMonth(IntervalYearMonth { years, months }));
    assert_eq!(decode_scalar("3d 80000001 3e"), interval(1, 2));
    assert_eq!(decode_scalar("3d 7fffffff 3a"), interval(-1, -2));
    assert_eq!(decode_scalar("3d 80000000 31"), interval(0, -11));
    for tree in ["3d 80000000 48", "3d 80000000 00", "3e 80000000 543c3c 80000000", "3e 80000000 3c3c00 80000000"] {
        assert_eq!(fault(&scalar(&unhex(tree))), broken(Rule::Interval), "{tree}");
    }
}

#[test]
fn o20_a_name_occurs_once_in_an_object() {
    for tree in [
        "84 02 01 01 0009 0009 30",
        "84 03 01 02 01 000b 000b 000b 30",
        // Sorted.
        "80 02 01 01 0008 0008 30",
        // Through ids that are shared.
        "c0 02 0006 000e 86 02 01 01 000d 000d 30 9c 0006 000d 000d",
    ] {
        let image = parts(&["a", "c"], &unhex(tree)).image();
        assert_eq!(fault(&image), DecodeErrorKind::DuplicateName, "{tree}");
    }
    // With ids of two bytes.
    let names: Vec<String> = (0..300).map(|number| format!("n{number:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for tree in
        ["84 02 0101 0101 000a 000a 30", "80 02 0101 0101 000a 000a 30", "84 03 0001 0101 0001 000e 000e 000e 30"]
    {
        assert_eq!(fault(&parts(&names, &unhex(tree)).image()), DecodeErrorKind::DuplicateName, "{tree}");
    }
    // The same name under two ids.
    let image = parts(&["a", "a"], &unhex("84 02 01 02 0008 0008 30")).image();
    assert_eq!(fault(&image), broken(Rule::DictionaryOrder));
}

/// An object of `names.len()` members in style of a server: sorted by id, the values in the order of the names.
fn sorted_object(names: &[&str], shared: bool) -> Vec<u8> {
    let (dictionary, id) = sorted(names);
    let values_at = 2 + names.len() * 3;
    let mut tree = vec![0x80, u8::try_from(names.len()).unwrap()];
    tree.extend(1..=u8::try_from(names.len()).unwrap());
    let mut offsets = vec![0; names.len()];
    for (place, name) in names.iter().enumerate() {
        let place = if shared && place == 3 { 0 } else { place };
        offsets[usize::from(id(name)) - 1] = values_at + place * 3;
    }
    tree.extend(offsets.iter().flat_map(|offset| u16::try_from(*offset).unwrap().to_be_bytes()));
    for place in 0..names.len() {
        tree.extend([0x21, 0xC1, u8::try_from(place + 2).unwrap()]);
    }
    let dictionary: Vec<&str> = dictionary.iter().map(String::as_str).collect();
    parts(&dictionary, &tree).image()
}

fn names_in_walk(image: &[u8]) -> Vec<String> {
    let Ok(Value::Object(members)) = decode_bytes(image) else { panic!("an object") };
    members.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn o21_the_order_of_more_than_ten_fields_is_that_of_their_values() {
    let inputs = [
        vec!["k2", "k5", "k9", "k0", "k1", "k3", "k4", "k6", "k7", "k8", "k10"],
        vec!["z", "y", "x", "w", "v", "u", "t", "s", "r", "q", "p", "o", "n"],
        vec!["id", "name", "age", "city", "zip", "tel", "mail", "web", "note", "tag", "ok", ""],
    ];
    for names in inputs {
        let image = sorted_object(&names, false);
        assert_eq!(names_in_walk(&image), names);
        assert_eq!(validate(&image, &Limits::OSON), Ok(()));
        let (by_id, _) = sorted(&names);
        let document = Document::new(&image).unwrap();
        let stored: Vec<_> = document.root().unwrap().fields().map(|field| field.unwrap().0).collect();
        assert_eq!(stored, by_id);
        // Two values are shared: the places tell nothing any more.
        assert_eq!(names_in_walk(&sorted_object(&names, true)), by_id);
    }
    // Ten fields: stored order, whatever the places of the values.
    let ten = ["k2", "k5", "k9", "k0", "k1", "k3", "k4", "k6", "k7", "k8"];
    assert_eq!(names_in_walk(&sorted_object(&ten, false)), sorted(&ten).0);
}

#[test]
fn o21_ids_that_should_be_sorted_and_are_not() {
    let image = parts(&["a", "c"], &unhex("80 02 02 01 0008 0008 30")).image();
    assert_eq!(fault(&image), broken(Rule::FieldIdOrder));
    // For the whole image.
    let image = Parts { flags: 0x8000, ..parts(&["a", "c"], &unhex("80 02 02 01 0008 0008 30")) }.image();
    assert_eq!(names_in_walk(&image), ["c", "a"]);
    assert!(Document::new(&image).unwrap().get("a").unwrap().is_some());
    // The bit of the object that shares counts, not the owner's.
    let image = parts(&["a", "c"], &unhex("c0 02 0006 0010 86 02 02 01 000e 000e 30 00 98 0006 000e 000e")).image();
    assert_eq!(fault(&image), broken(Rule::FieldIdOrder));
}

#[test]
fn o23_names_of_every_length() {
    for len in [0, 1, 254, 255] {
        let name = "n".repeat(len);
        let image = parts(&[&name], &unhex("84 01 01 0005 30")).image();
        assert!(Document::new(&image).unwrap().get(&name).unwrap().is_some(), "{len}");
        assert_eq!(names_in_walk(&image), [name]);
    }
    for len in [256, 257, 65_534, 65_535] {
        let name = "n".repeat(len);
        let long = vec![(name.clone().into_bytes(), 0)];
        let image = Parts { version: 3, long, ..parts(&[], &unhex("84 01 01 0005 30")) }.image();
        assert!(Document::new(&image).unwrap().get(&name).unwrap().is_some(), "{len}");
        assert!(Document::new(&image).unwrap().get(&name[1..]).unwrap().is_none());
        assert_eq!(names_in_walk(&image), [name]);
    }
}

#[test]
fn o25_o34_names_of_one_hash() {
    // The low byte of the hash of each is 0x17; sorted by length and bytes, by UTF-16, by signed bytes, not at all.
    let orders = [["ft", "os", "so", "xj", "ß"], ["ß", "ft", "os", "so", "xj"], ["xj", "ß", "so", "ft", "os"]];
    for names in orders {
        let image = parts(&names, &unhex("84 05 0102030405 0011 0012 0013 0014 0015 30 31 32 00 c000")).image();
        let document = Document::new(&image).unwrap();
        for (place, name) in names.iter().enumerate() {
            assert_eq!(document.name_id(name).unwrap().unwrap().get(), u32::try_from(place).unwrap() + 1);
        }
        // Of the same hash and not there.
        for name in ["om", "c0", "p"] {
            assert!(document.get(name).unwrap().is_none());
        }
        assert_eq!(validate(&image, &Limits::OSON), Ok(()));
    }
}

#[test]
fn o25_many_names_of_one_hash() {
    let names = boson_testkit::random::colliding(0x98, 400);
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_by_key(|name| (name.len(), *name));
    let image = parts(&names, &unhex("84 01 0190 0006 30")).image();
    let document = Document::new(&image).unwrap();
    for (place, name) in names.iter().enumerate() {
        assert_eq!(document.name_id(name).unwrap().unwrap().get(), u32::try_from(place).unwrap() + 1);
    }
    assert!(document.get(names[399]).unwrap().is_some());
    assert!(document.get(names[0]).unwrap().is_none());
    assert!(document.name_id("c1").unwrap().is_none());
}

#[test]
fn o26_the_empty_name() {
    let image = parts(&[""], &unhex("84 01 01 0005 31")).image();
    assert_eq!(decode_bytes(&image), Ok(object(&[("", Value::Bool(true))])));
    assert_eq!(Document::new(&image).unwrap().get("").unwrap().unwrap().scalar(), Ok(Some(Scalar::Bool(true))));
}

#[test]
fn o27_what_stands_alone() {
    assert_eq!(decode("ff4a5a01 2102 00 0000 0002 0000 a400"), Ok(Value::Object(Vec::new())));
    assert_eq!(decode("ff4a5a01 2102 00 0000 0002 0000 e000"), Ok(Value::Array(Vec::new())));
    assert_eq!(decode_scalar("00"), Ok(Value::String(String::new())));
    assert_eq!(decode_scalar("3300"), Ok(Value::String(String::new())));
    assert_eq!(decode_scalar("30"), Ok(Value::Null));
    // The flag does not agree with the root.
    assert_eq!(fault(&scalar(&unhex("8400"))), broken(Rule::ScalarFlag));
    assert_eq!(fault(&parts(&[], &unhex("30")).image()), broken(Rule::ScalarFlag));
    assert_eq!(fault(&parts(&["a"], &unhex("30")).image()), broken(Rule::ScalarFlag));
}

#[test]
fn o28_shared_field_ids() {
    let x = |text: &str| object(&[("x", number(text))]);
    // Offsets of two bytes, of four, with the owner behind the object that shares, relative to the container.
    for (tree, flags) in [
        ("c0 02 0006 000e 86 01 01 000b 21c102 9c 0006 0013 21c103", 0),
        ("e0 02 0000000a 00000014 a6 01 01 00000011 21c102 bc 0000000a 0000001d 21c103", 0),
        ("c0 02 0006 000b 9c 000b 0010 86 01 01 0013 21c102 21c103", 0),
        ("c0 02 0006 000e 86 01 01 0005 21c102 9c 0006 0005 21c103", 1),
    ] {
        let image = Parts { flags, ..parts(&["x"], &unhex(tree)) }.image();
        assert_eq!(decode_bytes(&image), Ok(Value::Array(vec![x("1"), x("2")])), "{tree}");
        assert_eq!(validate(&image, &Limits::OSON), Ok(()));
        laws::layout_tiles(&Document::new(&image).unwrap(), image.len());
    }
}

#[test]
fn o28_an_owner_has_ids_of_its_own() {
    for tree in [
        // An owner that shares itself; one that is an array, a scalar, the object itself.
        "c0 03 0008 0010 0015 86 01 01 000d 21c102 9c 0008 000d 9c 0010 000d",
        "c0 02 0006 0006 9c 0000 0000",
        "c0 02 0006 000b 9c 000b 000b 30",
        "c0 01 0004 9c 0004 0004",
    ] {
        let image = parts(&["x"], &unhex(tree)).image();
        assert_eq!(fault(&image), broken(Rule::SharedOwner), "{tree}");
    }
    // Outside the tree, and cut by its end.
    assert_eq!(
        fault(&parts(&["x"], &unhex("c0 01 0004 9c 0077 0004")).image()),
        DecodeErrorKind::OffsetOutOfRange(0x77)
    );
    assert!(matches!(fault(&parts(&["x"], &unhex("c0 01 0004 9c 00")).image()), DecodeErrorKind::UnexpectedEnd { .. }));
    assert!(matches!(
        fault(&parts(&["x"], &unhex("c0 02 0006 0009 82 09 01 9c 0006")).image()),
        DecodeErrorKind::UnexpectedEnd { .. }
    ));
}

#[test]
fn o29_values_may_be_shared_whatever_the_flags() {
    for flags in [0, 0x0020, 0x0040, 0x4060] {
        let image =
            Parts { flags, ..parts(&["a", "c"], &unhex("84 02 01 02 0008 0008 c0 02 000e 000e 02 6869")) }.image();
        let hi = || Value::String("hi".to_owned());
        let both = Value::Array(vec![hi(), hi()]);
        assert_eq!(decode_bytes(&image), Ok(object(&[("a", both.clone()), ("c", both)])));
        laws::layout_tiles(&Document::new(&image).unwrap(), image.len());
    }
}

/// A string and a name, each stored once and met a hundred times.
#[test]
fn o31_what_is_shared_does_not_unfold_beyond_all_bounds() {
    let long = "x".repeat(200);
    let hundred = |at: u16| [&[0xC0, 100][..], &at.to_be_bytes().repeat(100)].concat();
    let string = parts(&[], &[&hundred(202)[..], &[0x33, 200], long.as_bytes()].concat()).image();
    // The object stands behind the array, its one value behind itself.
    let name = parts(&[&long], &[&hundred(202)[..], &[0x84, 1, 1, 0, 207, 0x31]].concat()).image();
    for image in [string, name] {
        let document = Document::new(&image).unwrap();
        document.drive(&mut boson_document::Discard).unwrap();
        assert!(image.len() * 16 < 200 * 100);
        let limited = document.limited(Limits::OSON.with_bytes(image.len()));
        let error = limited.drive(&mut boson_document::Discard).unwrap_err();
        assert_eq!(error.kind, DecodeErrorKind::LimitExceeded(Limit::SharedBytes));
    }
}

#[test]
fn names_on_top_of_each_other_are_refused() {
    // Offsets 0 and 1 in a heap of 4 bytes: the first name holds the second one and its length.
    let image = unhex("ff4a5a01 2106 02 0004 0002 0000 0000 0000 0001 03016162 8400");
    assert_eq!(decode_bytes(&image).unwrap_err().kind, broken(Rule::NameOutsideHeap));
}

#[test]
fn o31_depth_nodes_and_bytes_are_limited() {
    // Arrays inside each other, 4 bytes each.
    let nested = |levels: u16| {
        let mut tree: Vec<u8> =
            (1..levels).flat_map(|level| [&[0xC0, 1][..], &(level * 4).to_be_bytes()].concat()).collect();
        tree.extend([0xC0, 0]);
        parts(&[], &tree).image()
    };
    assert_eq!(validate(&nested(1024), &Limits::OSON), Ok(()));
    let error = validate(&nested(1025), &Limits::OSON).unwrap_err();
    assert_eq!(error.error.kind, DecodeErrorKind::LimitExceeded(Limit::Depth(1024)));
    assert_eq!(validate(&nested(16_000), &Limits::OSON.with_depth(16_000)), Ok(()));
    let image = nested(16_000);
    laws::layout_tiles(&Document::new(&image).unwrap(), image.len());

    let bomb = "c00200060006c002000c000cc002001200120231323131";
    let image = parts(&[], &[&unhex(bomb)[..18], &[0x31]].concat()).image();
    assert!(decode_bytes(&image).is_ok());
    for (nodes, fits) in [(14, false), (15, true)] {
        let document = Document::new(&image).unwrap();
        let outcome = document.limited(Limits::OSON.with_nodes(nodes)).drive(&mut boson_document::Discard);
        assert_eq!(outcome.is_ok(), fits, "{nodes}: {outcome:?}");
    }
    let limited = Limits::OSON.with_bytes(image.len() - 1);
    assert_eq!(validate(&image, &limited).unwrap_err().error.kind, DecodeErrorKind::LimitExceeded(Limit::Bytes));
}

#[test]
fn o31_containers_inside_themselves() {
    for (names, tree) in [
        (&[][..], "c0 01 0000"),
        (&[], "c0 02 0006 0007 30 c0 01 0000"),
        (&["a"], "84 01 01 0000"),
        (&["a"], "c0 01 0004 84 01 01 0009 c0 01 0004"),
    ] {
        let image = parts(names, &unhex(tree)).image();
        assert_eq!(fault(&image), broken(Rule::Cycle), "{tree}");
    }
}

#[test]
fn o31_deep_cycles_and_shared_values_at_every_depth() {
    // Arrays inside each other; the last one holds an array that is no ancestor, twice, and then an ancestor.
    for (levels, ancestor) in [(3_u16, 0_u16), (17, 0), (18, 17), (40, 16), (40, 39), (40, 20)] {
        let mut tree: Vec<u8> =
            (1..levels).flat_map(|level| [&[0xC0, 1][..], &(level * 4).to_be_bytes()].concat()).collect();
        let last = (levels - 1) * 4;
        let empty = last + 8;
        let offsets = [empty, empty, ancestor * 4].map(u16::to_be_bytes).concat();
        tree.extend([&[0xC0, 3][..], &offsets, &[0xC0, 0]].concat());
        assert_eq!(fault(&parts(&[], &tree).image()), broken(Rule::Cycle), "{levels} {ancestor}");
        tree[usize::from(last) + 7] = u8::try_from(empty).unwrap();
        assert_eq!(validate(&parts(&[], &tree).image(), &Limits::OSON), Ok(()), "{levels}");
    }
}

#[test]
fn o32_vectors() {
    let vector = |tree: &str| {
        let Ok(Value::OracleVector(image)) = decode_scalar(tree) else { panic!("a vector") };
        image
    };
    let sparse = vector("7b01 0000001b db02 0020 02 0000000a 0002 00000001 00000007 bf000000 40ffffff");
    let view = Vector::new(&sparse).unwrap();
    assert_eq!((view.format(), view.dimensions(), view.is_sparse()), (VectorFormat::Float32, 10, true));
    assert!(view.indices().eq([1, 7]));
    assert!(view.values().eq([0.5, -0.5]), "{:?}", view.values().collect::<Vec<_>>());
    let normed = vector("7b01 00000013 db00 0012 04 00000002 c014000000000000 03 04");
    assert_eq!(Vector::new(&normed).unwrap().norm(), Some(5.0));
    assert!(Vector::new(&normed).unwrap().values().eq([3.0, 4.0]));
    let reserved = vector("7b01 00000013 db00 0010 04 00000002 0000000000000000 03 fc");
    assert_eq!(Vector::new(&reserved).unwrap().norm(), None);
    let bits = vector("7b01 0000000b db01 0000 05 0000000c a5 f0");
    assert!(Vector::new(&bits).unwrap().values().eq([1., 0., 1., 0., 0., 1., 0., 1., 1., 1., 1., 1.]));
}

#[test]
fn o32_what_is_no_vector_keeps_its_bytes() {
    for (image, place) in [
        ("da00 0000 04 00000001 03", 0),   // magic
        ("db03 0000 04 00000001 03", 0),   // version
        ("db00 0001 04 00000001 03", 2),   // flags
        ("db00 0000 06 00000001 03", 4),   // format
        ("db00 0000 04 00000002 03", 9),   // too few elements
        ("db00 0000 04 00000001 0304", 9), // too many
        ("db00 0000 04 ffffffff 03", 9),
        ("db02 0020 04 00000002 0001 00000002 03", 11), // index beyond the dimensions
        ("db02 0020 04 00000002 0009 00000001 03", 16), // more indices than bytes
        ("db00 0002 04 00000001 03", 10),               // no norm
        ("", 0),
    ] {
        let bytes = unhex(image);
        assert_eq!(Vector::new(&bytes).unwrap_err().offset, place, "{image}");
        let tree = [&[0x7B, 1, 0, 0, 0, u8::try_from(bytes.len()).unwrap()], &bytes[..]].concat();
        assert_eq!(decode_bytes(&scalar(&tree)), Ok(Value::OracleVector(bytes)));
        assert_eq!(validate(&scalar(&tree), &Limits::OSON).unwrap_err().error.offset, 8 + 6 + place, "{image}");
    }
    assert_eq!(fault(&scalar(&unhex("7b02 00000000"))), broken(Rule::ReservedOpcode));
    assert!(matches!(fault(&scalar(&unhex("7b"))), DecodeErrorKind::UnexpectedEnd { .. }));
    assert!(matches!(fault(&scalar(&unhex("7b01 00000001"))), DecodeErrorKind::UnexpectedEnd { .. }));
}

#[test]
fn o33_flags_that_nobody_writes() {
    let with = |flags: &str| fault(&unhex(&format!("ff4a5a01 {flags} 00 0000 0002 0000 8400")));
    assert_eq!(with("2104"), DecodeErrorKind::UnsupportedFlags(0x2104, FlagFault::LeavesNotInline));
    assert_eq!(with("2306"), DecodeErrorKind::UnsupportedFlags(0x2306, FlagFault::HashWidth));
    assert_eq!(with("2186"), DecodeErrorKind::UnsupportedFlags(0x2186, FlagFault::Reserved));
    assert_eq!(
        fault(&unhex("ff4a5a01 0014 0001 30")),
        DecodeErrorKind::UnsupportedFlags(0x14, FlagFault::LeavesNotInline)
    );
    // Set by servers, meaning unknown.
    assert!(decode("ff4a5a01 6106 00 0000 0002 0000 8400").is_ok());
    // Secondary flags.
    let secondary = fault(&unhex("ff4a5a03 2106 00 0000 0200 00000000 00000000 0002 0000 8400"));
    assert_eq!(secondary, DecodeErrorKind::UnsupportedFlags(0x0200, FlagFault::Reserved));
}

#[test]
fn ids_of_every_length() {
    assert_eq!(
        decode_scalar("7e 0c 0123456789abcdef01234567"),
        Ok(Value::ObjectId(ObjectId(*b"\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67")))
    );
    assert_eq!(decode_scalar("7e 00"), Ok(Value::Id(Vec::new())));
    assert_eq!(decode_scalar("7e 02 0102"), Ok(Value::Id(vec![1, 2])));
    for (len, fits) in [(127, true), (128, false), (255, false)] {
        let tree = [&[0x7E, len][..], &vec![7; usize::from(len)]].concat();
        assert_eq!(decode_bytes(&scalar(&tree)).is_ok(), fits, "{len}");
    }
}

#[test]
fn binary_of_either_length() {
    let binary = |bytes: &[u8]| Ok(Value::Binary { subtype: 0, bytes: bytes.to_vec() });
    assert_eq!(decode_scalar("3a 0000"), binary(b""));
    assert_eq!(decode_scalar("3a 0002 00ff"), binary(b"\0\xFF"));
    assert_eq!(decode_scalar("3b 00000002 00ff"), binary(b"\0\xFF"));
}
