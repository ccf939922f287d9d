//! Bytes that are no BSON, with what the error must say.

use boson_bson::Document;
use boson_document::DecodeErrorKind;

use super::document;
use crate::support::{hex, refusal, unhex};

/// Row, whole document, what the message must hold.
const WHOLE: &[(&str, &str, &str)] = &[
    ("B02", "0c000000106100010000000007", "offset 12, $: 1 byte follows"),
    ("B02", "0500000000 00", "offset 5, $: 1 byte follows"),
    ("B02", "0500000000 0500000000", "offset 5, $: 5 bytes follow"),
    ("B02", "090000000861000100 0aff", "offset 9, $: 2 bytes follow"),
    ("B03", "0d0000001061000100000000", "offset 0, $: the length says 13 bytes, the content takes 12"),
    ("B03", "", "offset 0, $: the input ends here, 4 more bytes"),
    ("B03", "050000", "offset 3, $: the input ends here, 1 more byte was"),
    ("B03", "0600000000", "the length says 6 bytes, the content takes 5"),
    ("B03", "ffffff7f00", "the length says 2147483647 bytes, the content takes 5"),
    ("B04", "fbffffff00", "offset 0, $: length -5 is not possible here"),
    ("B04", "ffffffff00", "length -1 is not possible here"),
    ("B04", "0000008000", "length -2147483648 is not possible here"),
    ("B04", "0400000000", "length 4 is not possible here"),
    ("B04", "0000000000", "length 0 is not possible here"),
    ("B06", "10000000026100040000006162ff0000", "offset 13, $.a: invalid UTF-8"),
    ("B07", "1000000002610004000000eda0bd0000", "offset 11, $.a: invalid UTF-8"),
    ("B10", "0d000000026100000000000000", "offset 7, $.a: length 0 is not possible here"),
    ("B10", "0e00000002610002000000787900", "offset 12, $.a: expected a terminating NUL byte, found 0x79"),
    ("B11", "090000000861000200", "offset 7, $.a: expected a boolean of 0 or 1, found 2"),
    (
        "B42",
        "180000000361001200000010620001000000000868000100",
        "offset 7, $.a: the length says 18 bytes, the content takes 16",
    ),
    ("closing", "0500000001", "offset 4, $: expected a terminating NUL byte, found 0x01"),
];

/// Row, elements, what the message must hold.
const ELEMENTS: &[(&str, &str, &str)] = &[
    // Names and every kind of text.
    ("B06", "10 ff00 01000000", "offset 5, $[\"\u{fffd}\"]: invalid UTF-8"),
    ("B06", "10 61c300 01000000", "offset 6, $[\"a\u{fffd}\"]: invalid UTF-8"),
    ("B06", "03 6100 0e000000 02 6200 02000000 ff00 00", "$.a.b: invalid UTF-8"),
    ("B06", "04 6100 0e000000 02 3000 02000000 ff00 00", "$.a[0]: invalid UTF-8"),
    ("B06", "0d 6100 02000000 ff00", "$.a: invalid UTF-8"),
    ("B06", "0e 6100 02000000 ff00", "$.a: invalid UTF-8"),
    ("B06", "0b 6100 ff00 00", "$.a: invalid UTF-8"),
    ("B06", "0b 6100 00 ff00", "$.a: invalid UTF-8"),
    ("B06", "0c 6100 02000000 ff00 000102030405060708090a0b", "$.a: invalid UTF-8"),
    ("B06", "0f 6100 0f000000 02000000 ff00 0500000000", "$.a: invalid UTF-8"),
    // Surrogates, a pair of them as CESU-8 has it, overlong forms, beyond Unicode, cut short.
    ("B07", "02 6100 04000000 edb08000", "$.a: invalid UTF-8"),
    ("B07", "02 6100 07000000 eda0bdedb88000", "$.a: invalid UTF-8"),
    ("B07", "02 6100 03000000 c08000", "$.a: invalid UTF-8"),
    ("B07", "02 6100 05000000 f490808000", "$.a: invalid UTF-8"),
    ("B07", "02 6100 03000000 e0a000", "$.a: invalid UTF-8"),
    ("B07", "02 eda0bd00 01000000 00", "invalid UTF-8"),
    // Lengths of strings.
    ("B10", "02 6100 ffffffff 00", "length -1 is not possible here"),
    ("B10", "02 6100 00000080 00", "length -2147483648 is not possible here"),
    ("B10", "0d 6100 00000000 00", "length 0 is not possible here"),
    ("B10", "0e 6100 02000000 7879", "found 0x79"),
    ("B10", "0c 6100 00000000 00 000102030405060708090a0b", "length 0 is not possible here"),
    ("B10", "02 6100 03000000 7800", "offset 7, $.a: the length says 3 bytes, the content takes 2"),
    ("B10", "02 6100 ffffff7f 7800", "the length says 2147483647 bytes, the content takes 2"),
    ("B10", "02 6100 0100", "offset 9, $.a: the input ends here, 2 more bytes"),
    ("B11", "08 6100 ff", "offset 7, $.a: expected a boolean of 0 or 1, found 255"),
    ("B11", "08 6100 80", "found 128"),
    ("B11", "04 6100 09000000 08 3000 02 00", "$.a[0]: expected a boolean of 0 or 1, found 2"),
    ("B11", "03 6100 09000000 08 6200 30 00", "$.a.b: expected a boolean of 0 or 1, found 48"),
    // Old binary whose inner length is absent, too small, too large, negative.
    ("B13", "05 6100 03000000 02 616263", "$.a: binary of subtype 2 must hold its own length"),
    ("B13", "05 6100 07000000 02 02000000 616263", "binary of subtype 2"),
    ("B13", "05 6100 07000000 02 04000000 616263", "binary of subtype 2"),
    ("B13", "05 6100 07000000 02 ffffffff 616263", "binary of subtype 2"),
    ("B13", "05 6100 00000000 02", "binary of subtype 2"),
    ("binary", "05 6100 ffffffff 00", "length -1"),
    ("binary", "05 6100 04000000 00 616263", "the length says 4 bytes, the content takes 3"),
    ("binary", "05 6100 ffffff7f 00", "the length says 2147483647 bytes, the content takes 0"),
    // Code with scope: 3 too small, then 1 too large, the string or the scope at odds with the whole.
    ("B29", "0f 6100 0e000000 03000000 787900 0500000000 000000", "$.a: the length of code with scope"),
    ("B29", "0f 6100 0d000000 02000000 7800 0500000000", "length 13 is not possible here"),
    ("B29", "0f 6100 10000000 02000000 7800 0500000000 00", "$.a: the length of code with scope"),
    ("B29", "0f 6100 0f000000 01000000 00 0500000000 00", "$.a: the length of code with scope"),
    ("B29", "0f 6100 0f000000 02000000 7800 0600000000", "$.a: the length says 6 bytes, the content takes 5"),
    ("B29", "0f 6100 ffffffff 02000000 7800 0500000000", "length -1"),
    ("B29", "0f 6100 ffff0000 02000000 7800 0500000000", "the length says 65535 bytes, the content takes 15"),
    ("B29", "0f 6100 0f000000 00000000 0500000000 0000", "length 0"),
    // Documents and arrays that claim bytes of their parent, or leave some of their own.
    ("B42", "04 6100 12000000 10 3000 01000000 00 08 6800 01", "$.a: the length says 18 bytes, the content takes 16"),
    ("B42", "03 6100 0b000000 10 6200 01000000 00", "offset 17, $.a.b: the input ends here, 1 more byte was"),
    ("B42", "03 6100 0d000000 10 6200 01000000 00 00", "offset 7, $.a: the length says 13 bytes, the content takes 12"),
    ("B42", "03 6100 11000000 03 6200 0d000000 08 6300 01 00 00", "offset 14, $.a.b: the length says 13 bytes"),
    ("B42", "03 6100 04000000 00", "length 4 is not possible here"),
    ("B42", "03 6100 ffffffff 00", "length -1 is not possible here"),
    // Types that BSON does not have.
    ("B46", "80 6100", "offset 4, $.a: unknown type byte 0x80"),
    ("B46", "14 6100 01000000", "unknown type byte 0x14"),
    ("B46", "7e 6100", "unknown type byte 0x7e"),
    ("B46", "fe 6100", "unknown type byte 0xfe"),
    ("B46", "03 6100 08000000 80 6200 00", "offset 11, $.a.b: unknown type byte 0x80"),
    ("B46", "04 6100 0f000000 10 3000 01000000 15 3100 00", "offset 18, $.a[1]: unknown type byte 0x15"),
    // Ends in the middle.
    ("cut", "10 6100 010000", "offset 10, $.a: the input ends here, 1 more byte was"),
    ("cut", "10 61", "the input ends here, 1 more byte was"),
    ("cut", "01 6100 00000000000000", "1 more byte was"),
    ("cut", "07 6100 00", "11 more bytes"),
    ("cut", "13 6100 00", "15 more bytes"),
    ("cut", "0b 6100 78", "1 more byte was"),
    ("cut", "0b 6100 7800", "1 more byte was"),
    ("cut", "11 6100 01000000", "4 more bytes"),
];

#[test]
fn faulty_documents_are_refused_with_path_and_offset() {
    let elements = ELEMENTS.iter().map(|(row, elements, expected)| (row, hex(document(elements)), expected));
    let whole = WHOLE.iter().map(|(row, digits, expected)| (row, (*digits).to_owned(), expected));
    let wrong: Vec<_> = whole
        .chain(elements)
        .map(|(row, digits, expected)| (row, refusal(&digits), expected, digits))
        .filter(|(_, message, expected, _)| !message.contains(*expected))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_follows_one_document_is_the_next_of_a_stream() {
    // B02
    for tail in ["", "07", "0500000000", "0800000008610001 00"] {
        let bytes = [unhex("0c0000001061000100000000"), unhex(tail)].concat();
        let (first, rest) = Document::split_first(&bytes).unwrap();
        assert_eq!(first.bytes().len(), 12);
        assert_eq!(rest, unhex(tail));
        assert_eq!(Document::new(&bytes).is_ok(), tail.is_empty());
    }
}

#[test]
fn nothing_before_the_field_that_is_asked_for_is_decoded() {
    // B06: a document that one string makes invalid still answers for the other fields.
    let bytes = document("02 6100 03000000 ffff00 10 6200 07000000 08 6300 02");
    let document = Document::new(&bytes).unwrap();
    let b = document.get("b").unwrap().unwrap();
    assert_eq!(b.scalar().unwrap(), boson_document::Scalar::Int32(7));
    let error = document.get("a").unwrap().unwrap().scalar().unwrap_err();
    assert_eq!(document.locate(error).to_string(), "offset 11, $.a: invalid UTF-8");
    let error = document.get("c").unwrap().unwrap().scalar().unwrap_err();
    assert_eq!(error.kind, DecodeErrorKind::InvalidBool(2));
}
