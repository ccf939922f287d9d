//! OSON images put together by hand from the format, no server has verified them: a node of every opcode, and what updates
//! leave.

use boson_testkit::unhex;

/// A node of every opcode that stands alone, as hexadecimal digits.
const NODES: &[(&str, &str)] = &[
    ("string, length in the opcode", "05 68656c6c6f"),
    ("string of no bytes", "00"),
    ("string, length UB1", "33 03 616263"),
    ("string, length UB2", "37 0003 616263"),
    ("string, length UB4", "38 00000003 616263"),
    ("NUMBER, length in the opcode", "21 c102"),
    ("NUMBER, length UB1", "34 02 c102"),
    ("null", "30"),
    ("true", "31"),
    ("false", "32"),
    ("decimal text", "35 05 31653230 30"),
    ("BINARY_DOUBLE", "36 c045200000000000"),
    ("BINARY_FLOAT", "7f c1480000"),
    ("TIMESTAMP", "39 787c0102040506 075bca00"),
    ("TIMESTAMP without a fraction", "7d 787c0102040506"),
    ("TIMESTAMP WITH TIME ZONE", "7c 787c0102040506 00000000 16 3c"),
    ("DATE", "3c 787c0102010101"),
    ("binary, length UB2", "3a 0003 0102ff"),
    ("binary, length UB4", "3b 00000003 0102ff"),
    ("INTERVAL YEAR TO MONTH", "3d 80000001 3e"),
    ("INTERVAL DAY TO SECOND", "3e 8000000a 41 5a 3e 8754d4c0"),
    ("was a 32-bit integer", "42 c102"),
    ("was a 64-bit integer", "52 c102"),
    ("was a decimal128", "61 c102"),
    ("was a decimal128, length UB1", "74 02 c102"),
    ("VECTOR", "7b 01 00000014 db 00 0010 04 00000003 0000000000000000 01fe03"),
    ("ID", "7e 03 010203"),
    ("ObjectId", "7e 0c 0102030405060708090a0b0c"),
];

/// Whole images of containers.
const IMAGES: &[(&str, &str)] = &[
    ("an object of no fields", "ff4a5a01 2006 00 0000 0002 0001 84 00"),
    ("an array, offsets UB4, count UB2", "ff4a5a01 2006 00 0000 0008 0000 e8 0001 00000007 31"),
    (
        "relative offsets: an object in an array, a value shared",
        "ff4a5a01 2107 01 0002 0010 0000 87 0000 01 78 c0 02 0006 0006 84 01 01 0005 02 6869 0000",
    ),
    (
        "shared ids and a shared value",
        "ff4a5a01 2126 01 0002 0013 0000 87 0000 01 78 c0 02 0006 000e 86 01 01 000b 21c102 9c 0006 000b",
    ),
    (
        "long names",
        "ff4a5a03 2006 00 0000 0100 00000001 00000006 0008 0000 1234 0000 0004 6c6f6e67 84 01 01 0005 02 6869",
    ),
    (
        "forwarded by UB2, the rest of the old value is slack",
        "ff4a5a02 2106 01 0002 000b 0000 2c 0000 01 61 84 01 01 0005 76 0000 6c6c6f 0100 0000 00000000 00000000 00000003 02 6869",
    ),
    (
        "forwarded by UB4, and once more",
        "ff4a5a02 2106 01 0002 000a 0000 2c 0000 01 61 84 01 01 0005 77 00000000 \
         0100 0000 00000000 00000000 00000006 76 0003 02 6869",
    ),
    (
        "forwarded through the overflow map, with room to spare",
        "ff4a5a02 2106 01 0002 0006 0000 2c 0000 01 61 84 01 01 0005 75 \
         0100 0001 00000000 00000008 00000003 0005 0000 00000000 02 6869",
    ),
    (
        "an object moved through its u bit, its ids in use",
        "ff4a5a02 2166 01 0002 0013 0000 87 0000 01 78 c0 02 0006 000e 87 01 01 000b 21c102 9c 0006 000b \
         0100 0001 00000000 00000004 00000002 0006 0000 01 75",
    ),
    (
        "the offset in the parent points into the extended tree",
        "ff4a5a02 2106 01 0002 000b 0000 2c 0000 01 61 84 01 01 001b 05 6f6c640000 \
         0100 0000 00000000 00000000 00000003 02 6869",
    ),
    (
        "sensitive bytes as Extended JSON",
        "ff4a5a01 2106 02 000f 0014 0000 5d ba 0007 0000 06 626173653634 07 73756254797065 \
         84 02 02 01 0008 0011 08 633256 6a636d56 30 02 3038",
    ),
];

/// Every image with its name.
pub(super) fn all() -> Vec<(String, Vec<u8>)> {
    let nodes = NODES.iter().map(|(name, node)| ((*name).to_owned(), scalar(&unhex(node))));
    nodes.chain(IMAGES.iter().map(|(name, image)| ((*name).to_owned(), unhex(image)))).collect()
}

pub(super) fn named(name: &str) -> Vec<u8> {
    all().into_iter().find(|(known, _)| known == name).expect("an image of that name").1
}

/// The image of a document that is one leaf.
fn scalar(node: &[u8]) -> Vec<u8> {
    [&unhex("ff4a5a01 0016 00")[..], &[u8::try_from(node.len()).unwrap()], node].concat()
}
