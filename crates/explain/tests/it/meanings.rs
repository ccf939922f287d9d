//! What is told is right: the expected lines are worked out by hand from the formats.

use boson_testkit::unhex;
use boson_transcode::Format;

use super::{dump_of, explain, images, json_of};

/// The dump of an image that was made by hand.
fn dump(name: &str) -> String {
    dump_of(&explain(Format::Oson, &images::named(name)), None)
}

#[track_caller]
fn has(dump: &str, wanted: &[&str]) {
    for line in wanted {
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(dump.lines().any(|found| words(found) == words(line)), "{line}\n{dump}");
    }
}

#[test]
fn offsets_say_where_they_lead() {
    // The header has 13 bytes, the dictionary 1 + 2 + 2, so the tree begins at 18: the node at 5 stands at 23.
    let dump = dump("forwarded by UB2, the rest of the old value is slack");
    has(
        &dump,
        &[
            "6 01 1 short name",
            "9 00 0b tree segment of 11 bytes",
            "13 2c hash of id 1 \"a\" -> 16",
            "20 01 id 1 \"a\" -> 16",
            "21 00 05 offset 5: \"a\", moved -> 23",
        ],
    );
    // The extended tree follows the 11 bytes of the tree and the update header of 16: 18 + 11 + 16.
    has(
        &dump,
        &[
            "23 76 $.a: moved by an update, offset UB2",
            "24 00 00 offset 0 in the extended tree: string -> 45",
            "26 6c 6c 6f left by an update: the rest of the value that was moved",
            "45 02 $.a: string of 2 bytes",
            "46 68 69 string \"hi\"",
        ],
    );
}

#[test]
fn slack_says_where_it_came_from() {
    has(
        &dump("forwarded through the overflow map, with room to spare"),
        &[
            "40 00 05 what was at offset 5: $.a -> 23",
            "42 00 00 is at 0 in the extended tree: string -> 48",
            "44 00 00 00 00 room to spare in the overflow map",
        ],
    );
    has(
        &dump("an object moved through its u bit, its ids in use"),
        &["27 00 0b left by an update: the offsets of the object that was moved"],
    );
    has(
        &dump("the offset in the parent points into the extended tree"),
        &["23 05 6f 6c 64 00 00 nothing refers to it: left by an update that wrote less here or pointed elsewhere"],
    );
    has(
        &dump("relative offsets: an object in an array, a value shared"),
        &["32 00 00 nothing refers to it: an unused gap"],
    );
}

#[test]
fn shared_values_name_all_their_owners() {
    let dump = dump("relative offsets: an object in an array, a value shared");
    // The object at 6 of the tree, that is 24, is both elements; the offset of the second stands at 22.
    has(&dump, &["22 00 06 offset 6: [1], object -> 24", "also $[1], by the offset at 22"]);
    let dump = self::dump("shared ids and a shared value");
    has(&dump, &["33 00 06 offset 6: the object whose ids these are -> 24", "also $[1].x, by the offset at 35"]);
}

#[test]
fn each_flag_has_a_name() {
    has(
        &dump("shared ids and a shared value"),
        &[
            "4 21 26 flags 0x2126",
            "0x0002 leaf values are inline",
            "0x0004 lengths may stand in the opcode",
            "0x0020 simple values are stored once",
            "0x0100 hashes of short names are UB1",
            "0x2000 tiny nodes were counted",
        ],
    );
}

#[test]
fn scalars_have_their_values() {
    for (name, value) in [
        ("NUMBER, length in the opcode", "NUMBER 1"),
        ("BINARY_DOUBLE", "double 42.25"),
        ("BINARY_FLOAT", "float 12.5"),
        ("DATE", "DATE 2024-01-02T00:00:00"),
        ("TIMESTAMP", "TIMESTAMP 2024-01-02T03:04:05.123456000"),
        ("INTERVAL DAY TO SECOND", "INTERVAL DAY TO SECOND 10 days 5 h 30 min 2 s 123000000 ns"),
        ("INTERVAL YEAR TO MONTH", "INTERVAL YEAR TO MONTH 1 years 2 months"),
        ("was a 64-bit integer", "long 1"),
        ("decimal text", "decimal text 1e200"),
    ] {
        let dump = dump(name);
        assert!(dump.contains(value), "{value}: {dump}");
    }
}

#[test]
fn sensitive_bytes_are_nowhere() {
    // Binary of subtype 8 whose six bytes are "secret".
    let bytes = unhex("13000000 05 6100 06000000 08 736563726574 00");
    let explanation = explain(Format::Bson, &bytes);
    for told in [dump_of(&explanation, None), json_of(&explanation, None).to_string()] {
        assert!(!told.contains("secret") && !told.contains("736563") && !told.contains("73 65 63"), "{told}");
        assert!(told.contains("sensitive"), "{told}");
    }
    // The same with a length that cannot be: nobody knows what the bytes are.
    let bytes = unhex("13000000 05 6100 60000000 08 736563726574 00");
    let told = dump_of(&explain(Format::Bson, &bytes), None);
    assert!(!told.contains("73 65 63"), "{told}");
    // And as Extended JSON in OSON: "c2VjcmV0" is their base64.
    let image = images::named("sensitive bytes as Extended JSON");
    let explanation = explain(Format::Oson, &image);
    for told in [dump_of(&explanation, None), json_of(&explanation, None).to_string()] {
        assert!(!told.contains("c2Vj") && !told.contains("63 32 56") && !told.contains("633256"), "{told}");
    }
    assert_eq!(hidden(&explanation), 8);
    // The offset that leads to the bytes is at fault, then the type of the subtype: each hides what it is about.
    for at in [39, 51] {
        let mut image = image.clone();
        image[at] = 0x79;
        let explanation = explain(Format::Oson, &image);
        assert!(explanation.fault().is_some());
        let told = dump_of(&explanation, None);
        assert!(!told.contains("c2Vj") && !told.contains("63 32 56"), "{told}");
    }
}

/// How many bytes are not shown.
fn hidden(explanation: &boson_explain::Explanation<'_>) -> usize {
    let mut hidden = 0;
    explanation
        .notes(None, |note| {
            hidden += note.region.span.len - note.shown;
            Ok::<_, ()>(())
        })
        .unwrap();
    hidden
}

#[test]
fn colours_are_only_where_they_are_asked_for() {
    let bytes = unhex("0c0000001061000100000000");
    let explanation = explain(Format::Bson, &bytes);
    let mut coloured = Vec::new();
    boson_explain::text::write(&explanation, None, true, &mut coloured).unwrap();
    assert!(coloured.contains(&0x1b));
    assert!(!dump_of(&explanation, None).contains('\u{1b}'));
}

#[test]
fn what_a_document_says_cannot_steer_a_terminal() {
    // A name and a string of escape characters.
    let bytes = unhex("13000000 02 1b5b00 05000000 1b5b326d 00 00");
    assert!(!dump_of(&explain(Format::Bson, &bytes), None).contains('\u{1b}'));
}
