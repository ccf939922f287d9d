//! One field of a document.

use boson_testkit::unhex;
use boson_transcode::Format;

use super::dump::bytes_of;
use super::{dump_of, explain, images};

/// The lines told of the value at `path`, as offset and bytes.
fn select(format: Format, bytes: &[u8], path: &str) -> Option<Vec<(usize, Vec<u8>)>> {
    let explanation = explain(format, bytes);
    let selection = explanation.select(&path.parse().unwrap()).unwrap()?;
    Some(bytes_of(&dump_of(&explanation, Some(&selection))))
}

#[test]
fn of_bson_it_is_the_element() {
    // {a: {b: 1, c: true}}
    let bytes = unhex("18000000 03 6100 10000000 10 6200 01000000 08 6300 01 00 00");
    let lines = select(Format::Bson, &bytes, "a.c").unwrap();
    assert_eq!(lines, [(18, vec![8]), (19, vec![0x63]), (20, vec![0]), (21, vec![1])]);
    let all: usize = select(Format::Bson, &bytes, "a").unwrap().iter().map(|(_, bytes)| bytes.len()).sum();
    assert_eq!(all, 24 - 5);
    assert_eq!(select(Format::Bson, &bytes, "a.d"), None);
    assert_eq!(select(Format::Bson, &bytes, "a.c.d"), None);
    assert_eq!(
        select(Format::Bson, &bytes, "$").unwrap().len(),
        dump_of(&explain(Format::Bson, &bytes), None).lines().count()
    );
}

#[test]
fn of_oson_it_is_the_value_with_what_leads_to_it() {
    let image = images::named("forwarded through the overflow map, with room to spare");
    let lines = select(Format::Oson, &image, "a").unwrap();
    let offsets: Vec<_> = lines.iter().map(|(offset, _)| *offset).collect();
    // Hash, name offset, length and name; id and offset in the object; the opcode that was left; the entry of the map;
    // opcode and payload.
    assert_eq!(offsets, [13, 14, 16, 17, 20, 21, 23, 40, 42, 48, 49]);
    assert_eq!(select(Format::Oson, &image, "b"), None);
    assert_eq!(select(Format::Oson, &image, "a[0]"), None);
}

#[test]
fn ids_that_are_used_belong_to_both() {
    let image = images::named("shared ids and a shared value");
    let offsets: Vec<_> = select(Format::Oson, &image, "[1]").unwrap().iter().map(|(offset, _)| *offset).collect();
    // The offset in the array; the count and the id of the first object; the shared number; the object itself.
    assert_eq!(offsets, [22, 25, 26, 29, 30, 32, 33, 35]);
}
