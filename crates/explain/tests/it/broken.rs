//! Documents with a fault: told up to it and around it.

use boson_document::Role;
use boson_testkit::unhex;
use boson_transcode::Format::{self, Bson, Oson};

use super::{dump_of, explain, json_of};

/// Name, format, digits and the offset of the fault, worked out by hand.
pub(super) const DOCUMENTS: &[(&str, Format, &str, usize)] = &[
    ("no bytes", Bson, "", 0),
    ("three bytes", Bson, "050000", 3),
    ("BSON cut in a nested document", Bson, "18000000 03 6100 10000000 10 6200 0100", 0),
    ("BSON with a length of 2", Bson, "02000000 00", 0),
    ("BSON with bytes after it", Bson, "05000000 00 ffff", 5),
    ("BSON with an unknown type", Bson, "0f000000 10 6100 01000000 20 6200 00", 11),
    ("a string that is too long", Bson, "12000000 02 6100 ff000000 6869 00 0a 6200 00", 7),
    ("a string without NUL, then a boolean of 2", Bson, "13000000 02 6100 03000000 686978 08 6200 02 00", 13),
    ("a string that is not UTF-8", Bson, "10000000 02 6100 04000000 6162ff 00 00", 13),
    ("a nested document without NUL, and what follows it", Bson, "10000000 03 6100 05000000 07 0a 6200 00", 11),
    ("OSON of another magic", Oson, "ff4a5b01 0016 0001 31", 0),
    ("OSON of version 9", Oson, "ff4a5a09 0016 0001 31", 3),
    ("OSON with reserved flags", Oson, "ff4a5a01 0096 0001 31", 4),
    ("OSON cut in the tree", Oson, "ff4a5a01 2106 01 0002 0008 0000 2c 0000 01 61 84 01 01", 21),
    (
        "an unknown opcode beside a sound one",
        Oson,
        "ff4a5a01 2106 02 0004 000a 0000 2c e5 0000 0002 01 61 01 62 84 02 01 02 0008 0009 79 31",
        31,
    ),
    ("an offset out of the tree", Oson, "ff4a5a01 2106 01 0002 0006 0000 2c 0000 01 61 84 01 01 00ff 31", 21),
    ("a field id that is no name's", Oson, "ff4a5a01 2106 01 0002 0006 0000 2c 0000 01 61 84 01 07 0005 31", 20),
    ("a NUMBER of no bytes", Oson, "ff4a5a01 0016 0002 34 00", 10),
    ("an array inside itself", Oson, "ff4a5a01 2006 00 0000 0004 0000 c0 01 0000", 15),
    (
        "an update header that does not agree",
        Oson,
        "ff4a5a02 2106 01 0002 0006 0000 2c 0000 01 61 84 01 01 0005 31 0100 0000 00000000 00000000 00000009 31",
        24,
    ),
];

#[test]
fn faults_are_where_they_are() {
    for (name, format, digits, offset) in DOCUMENTS {
        let bytes = unhex(digits);
        let explanation = explain(*format, &bytes);
        let fault = explanation.fault().unwrap_or_else(|| panic!("{name} has a fault"));
        assert_eq!(fault.error.offset, *offset, "{name}: {fault}");
        assert_eq!(json_of(&explanation, None)["fault"]["offset"], *offset, "{name}");
        let dump = dump_of(&explanation, None);
        assert!(dump.lines().last().unwrap().starts_with(&format!("fault at offset {offset}, $")), "{dump}");
        let marked = dump.lines().filter(|line| line.starts_with('!')).count();
        // At the end of the document there is no byte to mark.
        assert_eq!(marked > 0, *offset < bytes.len(), "{name}: {dump}");
    }
}

#[test]
fn every_byte_is_told_of_broken_ones_too() {
    for (name, format, digits, _) in DOCUMENTS {
        let bytes = unhex(digits);
        let mut end = 0;
        explain(*format, &bytes)
            .notes(None, |note| {
                assert_eq!(note.region.span.offset, end, "{name}");
                end = note.region.span.end();
                Ok::<_, ()>(())
            })
            .unwrap();
        assert_eq!(end, bytes.len(), "{name}");
    }
}

#[test]
fn what_stands_beside_a_fault_is_told() {
    let read = |name: &str| {
        let (_, format, digits, _) = DOCUMENTS.iter().find(|(known, ..)| *known == name).unwrap();
        let bytes = unhex(digits);
        let mut unread = 0;
        let explanation = explain(*format, &bytes);
        let told = explanation.notes(None, |note| {
            unread += if note.region.role == Role::Unread { note.region.span.len } else { 0 };
            Ok::<_, ()>(())
        });
        told.unwrap();
        (unread, dump_of(&explanation, None))
    };
    // The element after the one whose nested document has no NUL.
    let (unread, dump) = read("a nested document without NUL, and what follows it");
    assert_eq!(unread, 0);
    assert!(dump.contains("type null") && dump.contains("0x07, no NUL to end the document"), "{dump}");
    // The boolean after the string.
    let (unread, dump) = read("a string without NUL, then a boolean of 2");
    assert_eq!(unread, 0);
    assert!(dump.contains("no bool"), "{dump}");
    // Of the two values one is read, and of the other its opcode is not.
    let (unread, dump) = read("an unknown opcode beside a sound one");
    assert_eq!(unread, 1);
    assert!(dump.contains("$.b: true"), "{dump}");
    // A document that is cut is read to its end, but for the number of which two bytes are there.
    let (unread, dump) = read("BSON cut in a nested document");
    assert_eq!(unread, 2);
    assert!(dump.contains("document of 16 bytes, of which 9 are there"), "{dump}");
}
