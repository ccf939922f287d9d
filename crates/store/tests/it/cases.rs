//! Section 4 of the cases that people reported, each with more of its kind.

use boson_store::{Compression, DocumentReader, Framing, ReadOptions, Reader};

use crate::support::{bson, documents, framing, oson, read, written};

fn recovering() -> ReadOptions {
    ReadOptions { recover: true, ..ReadOptions::default() }
}

/// D01: a file that was cut in its last document tells how many are whole and where the next one began, and they can be had.
#[test]
fn d01_a_file_that_was_cut() {
    let dump = [bson(1), bson(2), bson(3)].concat();
    let len = bson(1).len();
    // In the body, in the length, after the length, before the last byte; and in the second and the first document.
    for cut in [len * 2 + 7, len * 2 + 1, len * 2 + 4, len * 3 - 1, len + 6, len + 2, len - 1] {
        let whole = cut / len;
        let (read_back, error) = read(&dump[..cut], &ReadOptions::default());
        assert_eq!(read_back.len(), whole, "{cut}");
        let error = error.unwrap();
        assert!(error.starts_with(&format!("input: document {}, offset {}: ", whole + 1, whole * len)), "{error}");
        assert!(error.contains("the input ends inside this document"), "{error}");
        let before = match whole {
            0 => "no document is whole".to_owned(),
            1 => "the document before it is whole".to_owned(),
            _ => format!("the {whole} documents before it are whole"),
        };
        assert!(error.contains(&before), "{error}");

        let (recovered, error) = read(&dump[..cut], &recovering());
        assert_eq!((recovered, error), (read_back, None));
        let stream = Box::new(std::io::Cursor::new(dump[..cut].to_vec()));
        let mut reader = DocumentReader::from_stream("input", stream, &recovering()).unwrap();
        while reader.next_document().unwrap().is_some() {}
        let rest = reader.cut().unwrap();
        assert_eq!((rest.whole, rest.offset, rest.bytes), (whole as u64, (whole * len) as u64, (cut % len) as u64));
    }
}

#[test]
fn d01_other_files_that_were_cut() {
    let images = [oson(1), oson(2)].concat();
    let first = oson(1).len();
    let array = b"[{\"a\":1},\n{\"a\":2}";
    for (bytes, whole) in [
        (&images[..images.len() - 1], 1),
        (&images[..first + 2], 1),
        (&images[..first - 1], 0),
        (&array[..], 2),
        (&array[..9], 1),
        (&array[..14], 1),
        (b"{\"a\":1}\n{\n\"a\":", 1),
    ] {
        let options = ReadOptions { framing: framing(bytes), ..ReadOptions::default() };
        let (read_back, error) = read(bytes, &options);
        assert_eq!(read_back.len(), whole, "{}", bytes.escape_ascii());
        let error = error.unwrap();
        assert!(error.contains("the input ends inside this document"), "{error}");
        assert_eq!(read(bytes, &ReadOptions { recover: true, ..options }), (read_back, None));
    }
    // Compressed data that was cut is another matter: what is missing is not known.
    for compression in [Compression::Gzip, Compression::Zstd] {
        let dump = written(Framing::Bson, compression, &[bson(1), bson(2)]);
        let (_, error) = read(&dump[..dump.len() - 5], &ReadOptions::default());
        let error = error.unwrap();
        assert!(error.contains("the file was cut") || error.contains("ends inside"), "{error}");
    }
}

/// D02: no bytes are no documents, in whatever form.
#[test]
fn d02_an_empty_file() {
    assert_eq!(documents(b""), [[0; 0]; 0]);
    assert_eq!(framing(b""), None);
    for framing in
        [Framing::Bson, Framing::JsonLines, Framing::JsonValues, Framing::JsonArray, Framing::Oson, Framing::OsonHex]
    {
        let options = ReadOptions { framing: Some(framing), ..ReadOptions::default() };
        assert_eq!(read(b"", &options), (vec![], None), "{framing}");
    }
    // Blank lines, a byte order mark alone, an empty array, an empty compressed file.
    for bytes in [b"\n\r\n  \n".as_slice(), b"\xEF\xBB\xBF", b"[]", b" [ ]\n"] {
        assert_eq!(documents(bytes), [[0; 0]; 0], "{}", bytes.escape_ascii());
    }
    for compression in [Compression::Gzip, Compression::Zstd] {
        assert_eq!(documents(&written(Framing::Bson, compression, &[])), [[0; 0]; 0]);
    }
}

/// D05: compressed data is told by its first bytes, whatever the name, and an archive in it by the next.
#[test]
fn d05_compressed_without_being_asked() {
    for compression in [Compression::Gzip, Compression::Zstd] {
        for (framing, document) in [
            (Framing::Bson, bson(7)),
            (Framing::JsonLines, b"{\"a\":1}".to_vec()),
            (Framing::Oson, oson(7)),
            (Framing::OsonHex, oson(7)),
        ] {
            let stream = written(framing, compression, std::slice::from_ref(&document));
            assert_ne!(stream, document);
            assert_eq!(documents(&stream), [document], "{framing} {compression:?}");
        }
        // An archive, compressed.
        let archive = written(Framing::Bson, compression, &[ARCHIVE.to_vec()]);
        let (_, error) = read(&archive, &ReadOptions::default());
        assert!(error.unwrap().contains("mongodump --archive"));
    }
    // Several members, as `cat a.gz b.gz` makes them, and several frames.
    for compression in [Compression::Gzip, Compression::Zstd] {
        let parts = [1, 2, 3].map(|number| written(Framing::Bson, compression, &[bson(number)]));
        assert_eq!(documents(&parts.concat()), [bson(1), bson(2), bson(3)]);
    }
}

/// The first bytes of what `mongodump --archive` writes.
const ARCHIVE: &[u8] = &[0x6D, 0xE2, 0x99, 0x81, 0x10, 0, 0, 0, 0x10, b'c', 0, 4, 0, 0, 0, 0];

/// D06: an archive is named as what it is, with what to do.
#[test]
fn d06_an_archive() {
    for bytes in [ARCHIVE, &ARCHIVE[..4], &[ARCHIVE, &bson(1)].concat(), &[ARCHIVE, ARCHIVE].concat()] {
        let (read_back, error) = read(bytes, &ReadOptions::default());
        assert_eq!(read_back, []);
        let expected =
            "input: this is an archive of mongodump --archive; restore it with mongorestore, or dump without --archive";
        assert_eq!(error.unwrap(), expected);
    }
}

/// D08: documents of several collections with marker documents between them keep their bytes and their order.
#[test]
fn d08_collections_one_after_another() {
    let marker = |name: &str| {
        let value = boson_document::Value::Object(vec![
            ("__cmd".into(), boson_document::Value::String("select".into())),
            ("collection".into(), boson_document::Value::String(name.into())),
        ]);
        boson_bson::encode(&value).unwrap()
    };
    for parts in [
        vec![marker("a"), bson(1), bson(2), marker("b"), bson(3)],
        vec![marker("a"), marker("b")],
        vec![bson(1), marker("a")],
        vec![marker("a"), b"\x05\0\0\0\0".to_vec(), marker("a")],
    ] {
        let stream = parts.concat();
        let taken_apart = documents(&stream);
        assert_eq!(taken_apart, parts);
        assert_eq!(written(Framing::Bson, Compression::None, &taken_apart), stream);
    }
}

const MIB_16: usize = 16 << 20;

/// D11: documents of up to 16 MiB and 16 KiB are read, larger ones when the limit is raised.
#[test]
fn d11_documents_of_more_than_16_mib() {
    let of_len = |len: usize| {
        let text = "x".repeat(len - 13);
        let document = boson_document::Value::Object(vec![("s".into(), boson_document::Value::String(text))]);
        let bytes = boson_bson::encode(&document).unwrap();
        assert_eq!(bytes.len(), len);
        bytes
    };
    for len in [MIB_16, MIB_16 + 1, MIB_16 + (16 << 10)] {
        let (read_back, error) = read_once(&of_len(len), &ReadOptions::default());
        assert_eq!((read_back, error), (1, None));
    }
    for len in [MIB_16 + (16 << 10) + 1, MIB_16 * 2] {
        let document = of_len(len);
        let (read_back, error) = read_once(&document, &ReadOptions::default());
        assert_eq!(read_back, 0);
        let expected = format!(
            "input: document 1, offset 0: the document has {len} bytes or more, the limit is 16793600; raise it to read the document"
        );
        assert_eq!(error, Some(expected));
        let raised = ReadOptions { bytes_max: Some(len), ..ReadOptions::default() };
        assert_eq!(read_once(&document, &raised), (1, None));
    }
    // A length alone costs nothing: there are but five bytes.
    let options = ReadOptions { framing: Some(Framing::Bson), bytes_max: Some(usize::MAX), ..ReadOptions::default() };
    let (_, error) = read(&[0xFF, 0xFF, 0xFF, 0x7F, 0], &options);
    assert!(error.unwrap().contains("it has 5 of its 2147483647 bytes"));
}

/// How many documents a stream has, and the error at its end. Once is enough for large ones.
fn read_once(bytes: &[u8], options: &ReadOptions) -> (u64, Option<String>) {
    let stream = Box::new(std::io::Cursor::new(bytes.to_vec()));
    let mut reader = DocumentReader::from_stream("input", stream, options).unwrap();
    let mut count = 0;
    loop {
        match reader.next_document() {
            Ok(Some(_)) => count += 1,
            Ok(None) => return (count, None),
            Err(error) => return (count, Some(error.to_string())),
        }
    }
}

/// D12: what begins like gzip and is not, is said to be so in plain words; so is what is none of the forms.
#[test]
fn d12_foreign_files() {
    let mut damaged = written(Framing::Bson, Compression::Gzip, &[bson(1), bson(2)]);
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xFF;
    for bytes in [
        b"\x1f\x8b\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff".as_slice(),
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        &damaged,
    ] {
        let (_, error) = read(bytes, &ReadOptions::default());
        let error = error.unwrap();
        assert!(error.contains("cannot be decompressed: it is damaged, or encrypted, or something else"), "{error}");
    }
    for (bytes, what) in [
        (b"Salted__\x12\x34\x56\x78\x9a\xbc\xde\xf0".as_slice(), "neither OSON"),
        (b"PK\x03\x04\x14\0\0\0\x08\0", "a zip file"),
        (b"\xFF\xFE{\0\"\0a\0\"\0:\0", "UTF-16"),
        (b"%PDF-1.4 and so on", "neither OSON"),
        (b"id,name\n1,x\n", "neither OSON"),
    ] {
        let (_, error) = read(bytes, &ReadOptions::default());
        let error = error.unwrap();
        assert!(error.contains(what), "{error}");
    }
}

/// A length that lies ends the stream, at the document that has it.
#[test]
fn lengths_that_lie() {
    let good = bson(1);
    let with_length = |length: i32| [&length.to_le_bytes(), &good[4..]].concat();
    let at = good.len();
    for (bad, offset, expected) in [
        (with_length(4), at, "4 is not the length of a BSON document"),
        (with_length(-5), at, "-5 is not the length of a BSON document"),
        (with_length(0), at, "0 is not the length of a BSON document"),
        (with_length(8), at + 7, "its last byte is 0x01, expected a NUL"),
        (with_length(100), at, "it has 12 of its 100 bytes"),
    ] {
        let options = ReadOptions { framing: Some(Framing::Bson), ..ReadOptions::default() };
        let (read_back, error) = read(&[good.clone(), bad].concat(), &options);
        assert_eq!(read_back.len(), 1);
        let error = error.unwrap();
        assert!(error.starts_with(&format!("input: document 2, offset {offset}: ")), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}
