//! Input made to do harm: what is told stays in proportion to the bytes.

use boson_document::Limits;
use boson_explain::{Explanation, text};
use boson_testkit::{corrupt, unhex};
use boson_transcode::Format;

use super::{images, vectors};

/// How much text a byte may become: a region of one byte with a path and a name of control characters.
const TEXT_PER_BYTE_MAX: usize = 2000;

/// Tells the document; that regions tile it, and how much text it becomes, is checked.
fn tell(format: Format, bytes: &[u8]) -> usize {
    // A sharing bomb unfolds for the validator, which is bounded by this.
    let limits = Limits::OSON.with_nodes(10_000);
    let explanation = Explanation::new(format, bytes, &limits).unwrap();
    let mut end = 0;
    let told = explanation.notes(None, |note| {
        assert_eq!(note.region.span.offset, end, "{}", boson_testkit::hex(bytes));
        end = note.region.span.end();
        Ok::<_, ()>(())
    });
    told.unwrap();
    assert_eq!(end, bytes.len());
    let mut dump = Vec::new();
    text::write(&explanation, None, false, &mut dump).unwrap();
    assert!(
        dump.len() <= bytes.len() * TEXT_PER_BYTE_MAX + 2000,
        "{} bytes: {}",
        dump.len(),
        boson_testkit::hex(bytes)
    );
    dump.len()
}

#[test]
fn prefixes_and_damaged_copies_of_every_vector() {
    let bson = vectors::bson().map(|(_, bytes)| (Format::Bson, bytes));
    let oson = images::all().into_iter().chain(vectors::driver()).map(|(_, bytes)| (Format::Oson, bytes));
    for (turn, (format, bytes)) in (0..).zip(bson.chain(oson).filter(|(_, bytes)| bytes.len() <= 300)) {
        for prefix in corrupt::prefixes(&bytes) {
            tell(format, prefix);
        }
        for damaged in corrupt::damaged(&bytes, &bytes, turn, 20) {
            tell(format, &damaged);
        }
        // Of the other format, too.
        tell(if format == Format::Bson { Format::Oson } else { Format::Bson }, &bytes);
    }
}

/// An image of one array and this tree after it, the array referring to each of `children` by UB4.
fn array_of(children: &[u32], after: &[u8]) -> Vec<u8> {
    let count = u32::try_from(children.len()).unwrap();
    let mut tree = vec![0xF0];
    tree.extend(count.to_be_bytes());
    for child in children {
        tree.extend((child + count * 4 + 5).to_be_bytes());
    }
    tree.extend(after);
    let len = u32::try_from(tree.len()).unwrap();
    [&unhex("ff4a5a01 3006 00 0000")[..], &len.to_be_bytes(), &[0, 0], &tree].concat()
}

#[test]
fn a_sharing_bomb_is_told_once() {
    // 30 arrays of two references each to the next: 2^30 leaves.
    let mut tree = Vec::new();
    for level in 0..30_u16 {
        let next = (level + 1) * 6;
        tree.extend([0xC0, 2]);
        tree.extend([next.to_be_bytes(), next.to_be_bytes()].concat());
    }
    tree.push(0x31);
    let image = [&unhex("ff4a5a01 2006 00 0000 00b5 0000")[..], &tree].concat();
    assert!(tell(Format::Oson, &image) < 20_000);
}

#[test]
fn strings_that_overlap_are_read_once() {
    // Each of 40,000 bytes 0x37 begins a string of 0x3737 bytes.
    let children: Vec<u32> = (0..20_000).collect();
    tell(Format::Oson, &array_of(&children, &vec![0x37; 40_000]));
}

#[test]
fn containers_that_overlap_are_told_once() {
    // Each of 20,000 bytes 0xC8 begins an array of 0xC8C8 elements, were there room; 0x88 an object.
    let children: Vec<u32> = (0..20_000).collect();
    tell(Format::Oson, &array_of(&children, &vec![0xC8; 200_000]));
    tell(Format::Oson, &array_of(&children, &vec![0x88; 200_000]));
}

#[test]
fn one_value_of_many_owners_names_each_once() {
    let image = array_of(&vec![0; 5000], &[0x31]);
    assert!(tell(Format::Oson, &image) < 5000 * 150 + 5000);
}

#[test]
fn deep_documents_are_told_in_one_line_a_region() {
    // 100,000 documents inside each other: beyond every limit, and told all the same.
    let levels = 100_000_usize;
    let mut bytes = Vec::new();
    for level in 0..levels {
        bytes.extend(i32::try_from((levels - level) * 8 - 3).unwrap().to_le_bytes());
        bytes.extend([3, b'a', 0].iter().take(if level + 1 < levels { 3 } else { 0 }));
    }
    bytes.resize(bytes.len() + levels, 0);
    assert!(tell(Format::Bson, &bytes) < bytes.len() * 200);
}

#[test]
fn lengths_that_are_merely_claimed() {
    for digits in [
        "ffffff7f 02 6100 ffffff7f",
        "ff4a5a01 3d0e ffffffff ffffffff ffffffff 0000",
        "ff4a5a03 3d0e ffffffff ffffffff 0000 ffffffff ffffffff ffffffff 0000",
        "ff4a5a01 3006 00 0000 00000005 0000 f0 ffffffff",
        "ff4a5a02 2006 00 0000 0002 0000 8400 0000 ffff 00000000 ffffffff ffffffff",
    ] {
        tell(Format::Oson, &unhex(digits));
        tell(Format::Bson, &unhex(digits));
    }
}
