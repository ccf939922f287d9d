//! What went wrong once, each test named by its symptom.

use std::fmt::Write as _;
use std::io::{Cursor, Read};

use boson_document::Value;
use boson_store::{
    Compression, DocumentReader, DocumentWriter, Framing, Location, ReadFault, ReadOptions, Reader, WriteOptions,
};
use boson_transcode::Format;

use crate::support::{bson, documents, framing, oson, read, written};

/// A BSON document of exactly `len` bytes.
fn bson_of_len(len: usize) -> Vec<u8> {
    let text = "x".repeat(len - 13);
    let bytes = boson_bson::encode(&Value::Object(vec![("s".into(), Value::String(text))])).unwrap();
    assert_eq!(bytes.len(), len);
    bytes
}

/// What stands at the end of a stream that was read with `recover`: whole documents, place and bytes of the cut one.
fn cut(bytes: &[u8], options: &ReadOptions) -> Option<(u64, u64, u64)> {
    let options = ReadOptions { recover: true, ..*options };
    let mut reader = DocumentReader::from_stream("input", Box::new(Cursor::new(bytes.to_vec())), &options).unwrap();
    while reader.next_document().unwrap().is_some() {}
    reader.cut().map(|cut| (cut.whole, cut.offset, cut.bytes))
}

#[test]
fn a_bson_length_that_begins_like_gzip_or_oson() {
    // 1F 8B 00 00, 1F 8B 08 00 (method and flags as gzip has them), FF 4A 5A 00.
    for len in [0x8B1F, 0x8_8B1F, 0x5A_4AFF] {
        let dump = [bson_of_len(len), bson(1)].concat();
        assert_eq!(documents(&dump).len(), 2, "{len:#x}");
        let given = ReadOptions { framing: Some(Framing::Bson), ..ReadOptions::default() };
        assert_eq!(read(&dump, &given).0.len(), 2, "{len:#x}");
        // Cut in its first document: only who asks for BSON is told so.
        let (_, error) = read(&dump[..len - 9], &given);
        assert!(error.unwrap().contains(&format!("{} of its {len} bytes", len - 9)));
        assert_eq!(documents(&written(Framing::Bson, Compression::Gzip, std::slice::from_ref(&dump))).len(), 2);
    }
}

#[test]
fn gzip_with_any_time_and_flags_is_gzip() {
    let mut dump = written(Framing::Bson, Compression::Gzip, &[bson_of_len(0x9_0000)]);
    for mtime in 0..=255 {
        dump[4..8].copy_from_slice(&[mtime, b'a', b'b', 0x69]);
        dump[8] = 0;
        assert_eq!(documents(&dump).len(), 1, "{mtime}");
    }
}

#[test]
fn white_space_before_the_first_document_is_not_the_whole_file() {
    for len in [1, 100, 65_535, 65_536, 65_537, 300_000] {
        for space in [" ", "\n", "\r\n\t "] {
            let space = space.repeat(len);
            for (text, count) in
                [("{\"a\":1}\n{\"a\":2}\n", 2), ("[{\"a\":1},{\"a\":2}]", 2), ("{\n\"a\":1}", 1), ("", 0)]
            {
                let (found, error) = read_at_once(format!("{space}{text}").as_bytes());
                assert_eq!((found.len(), error), (count, None), "{len} {text}");
                let first = text.find('{').map(|at| (space.len() + at) as u64);
                assert_eq!(found.first().map(|(offset, _)| *offset), first);
            }
            let hex = oson(1).iter().fold(String::new(), |mut text, byte| {
                write!(text, "{byte:02x}").unwrap();
                text
            });
            assert_eq!(read_at_once(format!("{space}{hex}").as_bytes()).0.len(), 1);
        }
    }
    let marked = format!("\u{feff}{}{{\"a\":1}}", " ".repeat(70_000));
    assert_eq!(read_at_once(marked.as_bytes()).0, [(70_003, b"{\"a\":1}".to_vec())]);
}

fn read_at_once(bytes: &[u8]) -> (Vec<(u64, Vec<u8>)>, Option<String>) {
    let stream = Box::new(Cursor::new(bytes.to_vec()));
    let mut found = Vec::new();
    let mut reader = match DocumentReader::from_stream("input", stream, &ReadOptions::default()) {
        Ok(reader) => reader,
        Err(error) => return (found, Some(error.to_string())),
    };
    loop {
        match reader.next_document() {
            Ok(Some(document)) => found.push((document.offset, document.bytes.to_vec())),
            Ok(None) => return (found, None),
            Err(error) => return (found, Some(error.to_string())),
        }
    }
}

#[test]
fn json_without_end_does_not_eat_all_memory() {
    for framing in [Framing::JsonLines, Framing::JsonValues, Framing::JsonArray] {
        let endless = b"[{\"a\":\"".chain(std::io::repeat(b'x'));
        let options = ReadOptions { framing: Some(framing), bytes_max: Some(1 << 20), ..ReadOptions::default() };
        let mut reader = DocumentReader::from_stream("endless", Box::new(endless), &options).unwrap();
        let error = reader.next_document().unwrap_err();
        assert!(matches!(error.fault(), ReadFault::TooLarge { bytes_max: 0x10_0000, .. }), "{error}");
    }
    assert_eq!(boson_document::Limits::JSON.bytes, 256 << 20);
}

#[test]
fn whole_documents_before_a_cut_of_compressed_data_can_be_had() {
    let many: Vec<_> = (0..100_000).map(bson).collect();
    for compression in [Compression::Gzip, Compression::Zstd] {
        let dump = written(Framing::Bson, compression, &many);
        for len in [dump.len() / 2, dump.len() - 1, dump.len() * 9 / 10] {
            let (whole, error) = read(&dump[..len], &ReadOptions::default());
            let error = error.unwrap();
            assert!(error.contains("data ends too early: the file was cut"), "{error}");
            assert!(error.contains(&format!("the {} documents before it are whole", whole.len())), "{error}");
            let options = ReadOptions { recover: true, ..ReadOptions::default() };
            let recovered = read(&dump[..len], &options);
            assert!(recovered.0 == whole && recovered.1.is_none(), "{:?}", recovered.1);
            assert_eq!(cut(&dump[..len], &options).unwrap().0, whole.len() as u64);
        }
    }
    let dump = written(Framing::Bson, Compression::Gzip, &many);
    assert!(read(&dump[..dump.len() / 2], &ReadOptions::default()).0.len() > 10_000);
}

#[test]
fn cut_json_tells_what_is_missing_and_can_be_recovered() {
    for (text, expected) in [
        ("[{\"a\":1},{\"a\":2", (1, 9, 6)),
        ("[{\"a\":1},\n {\"a\"", (1, 11, 4)),
        ("[{\"a\":1},", (1, 9, 0)),
        ("[{\"a\":1}", (1, 8, 0)),
        ("{\"a\":1}\n {\"a\":", (1, 9, 5)),
        ("{\"a\":1}\n{\"a\":2}\n[\"a", (2, 16, 3)),
        ("{\n\"a\":1}\n{\n\"", (1, 9, 3)),
    ] {
        let options = ReadOptions::default();
        let (whole, error) = read(text.as_bytes(), &options);
        assert_eq!(whole.len() as u64, expected.0, "{text}");
        let error = error.unwrap();
        assert!(error.starts_with(&format!("input: document {}, offset {}: ", expected.0 + 1, expected.1)), "{error}");
        assert_eq!(cut(text.as_bytes(), &options), Some(expected), "{text}");
    }
    // These end where they end, and what is wrong with them is for whoever reads them.
    for text in ["{\"a\":1}\n{\"a\":}", "{\"a\":1}\n12", "{\"a\":1}\n\"x\"", "{\"a\":1}\n{}]"] {
        assert_eq!(read(text.as_bytes(), &ReadOptions::default()).0.len(), 2, "{text}");
    }
}

#[test]
fn one_bad_line_does_not_make_all_lines_one_document() {
    for text in [
        "{bad\n{\"a\":1}\n",
        "{\"a\":\n{\"a\":1}\n{\"a\":2}\n",
        "{\"a\":tru}\n{\"a\":1}\n",
        "{\"a\":\"x\n{\"a\":1}\n",
        "[{\"a\":1}]\n[{\"a\":2}]\n",
    ] {
        assert_eq!(framing(text.as_bytes()), Some(Framing::JsonLines), "{text}");
    }
    for text in [
        "{\n\"a\":1\n}\n{\n\"a\":2\n}\n",
        "{\"a\":\n{\"b\":1}\n}\n",
        "{\"a\": 1,\n \"b\": [\n{\"c\":1}\n]}\n",
        "{\"a\":[\n{\"c\":1},\n{\"c\":2}\n]}",
    ] {
        assert_eq!(framing(text.as_bytes()), Some(Framing::JsonValues), "{text}");
    }
    for text in ["[\n{\"a\":1},\n{\"a\":2}\n]\n", "[{\"a\":1},\n{\"a\":2}]\n", "[{\"a\":1}]\n"] {
        assert_eq!(framing(text.as_bytes()), Some(Framing::JsonArray), "{text}");
    }
}

#[test]
fn the_name_of_a_file_of_lines_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, expected) in [
        ("a.ndjson", "bad\n{\"a\":1}\n", Some(Framing::JsonLines)),
        ("a.jsonl", "{bad\nalso bad\n{\"a\":1}\n", Some(Framing::JsonLines)),
        ("a.JSONL", "{\"a\":1}", Some(Framing::JsonLines)),
        ("b.ndjson", "{\n\"a\":1}", Some(Framing::JsonValues)),
        ("c.bson", "{\"a\":1}", Some(Framing::JsonValues)),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let reader = DocumentReader::open(&Location::File(path), &ReadOptions::default()).unwrap();
        assert_eq!(reader.framing(), expected, "{name}");
    }
}

#[test]
fn a_format_without_its_form() {
    let options = ReadOptions { format: Some(Format::Json), ..ReadOptions::default() };
    for text in ["{\"a\":1}\n{\"a\":2}\n", "[{\"a\":1},{\"a\":2}]", "{\n\"a\":1} {\"a\":2}"] {
        assert_eq!(read(text.as_bytes(), &options).0.len(), 2, "{text}");
    }
    assert_eq!(read(b"", &options), (vec![], None));
    assert_eq!(read(b"hello", &options).0.len(), 1);
}

#[test]
fn zeros_after_gzip_are_no_damage_and_anything_else_is_named() {
    let dump = written(Framing::Bson, Compression::Gzip, &[bson(1), bson(2)]);
    for zeros in [1, 511, 512, 100_000] {
        assert_eq!(documents(&[dump.clone(), vec![0; zeros]].concat()).len(), 2);
        assert_eq!(documents(&[dump.clone(), vec![0; zeros], dump.clone()].concat()).len(), 4);
    }
    for garbage in
        [b"x".as_slice(), b"garbage", b"\0\0{}", b"\x1f\x8b\x09\0\0\0\0\0\0\0\0\0", b"\x1fnothing of the kind"]
    {
        let (whole, error) = read(&[&dump, garbage].concat(), &ReadOptions::default());
        assert_eq!(whole.len(), 2);
        assert!(error.as_ref().unwrap().contains("what follows it is neither gzip nor zeros"), "{error:?}");
    }
    // A second member that was cut in its header.
    let (_, error) = read(&[&dump, &dump[..6]].concat(), &ReadOptions::default());
    assert!(error.unwrap().contains("was cut"));
}

#[test]
fn hexadecimal_with_spaces_between_bytes() {
    let spaced = |image: &[u8]| image.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ");
    let text = format!("{}\n{}\n", spaced(&oson(1)), spaced(&oson(2)));
    assert_eq!(documents(text.as_bytes()), [oson(1), oson(2)]);
}

#[test]
fn names_are_printed_without_what_terminals_obey() {
    assert_eq!(Location::File("a\u{1b}[31m\n.json".into()).to_string(), "a\\u{1b}[31m\\n.json");
    assert_eq!(Location::File("é.json".into()).to_string(), "é.json");
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let name = std::ffi::OsString::from_vec(b"bad\xff\xfe.json".to_vec());
        assert_eq!(Location::from(name).to_string(), "bad\\xff\\xfe.json");
    }
}

#[test]
fn extensions_may_be_in_upper_case() {
    for (name, form, compression) in [
        ("q.JSON", Some(Framing::JsonLines), Compression::None),
        ("q.Bson.GZ", Some(Framing::Bson), Compression::Gzip),
        ("q.OSON.zst", Some(Framing::Oson), Compression::Zstd),
        ("q", None, Compression::None),
    ] {
        assert_eq!((Framing::of_path(name.as_ref()), Compression::of_path(name.as_ref())), (form, compression));
    }
}

/// Three lines, of which the second is no image: it costs nothing but itself.
#[test]
fn a_damaged_line_of_digits_takes_no_image_with_it() {
    let [one, two] =
        [oson(1), oson(2)].map(|image| image.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}")));
    let damaged = format!("fe{}", &one[2..]);
    for bad in [damaged.as_str(), "hello", "00"] {
        let text = format!("{one}\n{bad}\n\n{two}\n");
        let stream = Box::new(Cursor::new(text.into_bytes()));
        let options = ReadOptions { framing: Some(Framing::OsonHex), ..ReadOptions::default() };
        let mut reader = DocumentReader::from_stream("input", stream, &options).unwrap();
        assert_eq!(reader.next_document().unwrap().unwrap().bytes, oson(1), "{bad}");
        // What is hexadecimal at all is handed on, for those to refuse who read images.
        match reader.next_document() {
            Ok(document) => assert!(!document.unwrap().bytes.starts_with(&[0xff]), "{bad}"),
            Err(error) => assert!(error.index() == 1 && !error.ends_stream(), "{error}"),
        }
        let last = reader.next_document().unwrap().unwrap();
        assert_eq!((last.index, last.bytes), (2, oson(2).as_slice()), "{bad}");
        assert!(reader.next_document().unwrap().is_none());
    }
}

#[test]
fn a_fault_that_hides_the_next_document_says_so() {
    let dump = [bson(1), vec![0xfb, 0xff, 0xff, 0xff], bson(2)].concat();
    let options = ReadOptions { framing: Some(Framing::Bson), ..ReadOptions::default() };
    let mut reader = DocumentReader::from_stream("input", Box::new(Cursor::new(dump)), &options).unwrap();
    assert!(reader.next_document().unwrap().is_some());
    assert!(reader.next_document().unwrap_err().ends_stream());
}

/// Frames of Zstandard that hold no data, as pzstd and some tools for seeking put them, are known by their magic (RFC 8878).
#[test]
fn zstd_that_begins_with_a_skippable_frame_is_recognised() {
    let data = Compression::Zstd.append(&[bson(1), bson(2)].concat(), Vec::new()).unwrap();
    let frame = |magic: u8, content: &[u8]| {
        let len = u32::try_from(content.len()).unwrap().to_le_bytes();
        [&[magic, 0x2A, 0x4D, 0x18], len.as_slice(), content].concat()
    };
    for before in [
        frame(0x50, b"abcd"),
        frame(0x5F, b""),
        frame(0x5A, &vec![0; 100_000]),
        [frame(0x50, b"\0\0\0\0"), frame(0x53, &[7; 20])].concat(),
    ] {
        let (documents, error) = crate::support::read(&[before, data.clone()].concat(), &ReadOptions::default());
        let documents: Vec<_> = documents.into_iter().map(|(_, document)| document).collect();
        assert_eq!((documents, error), (vec![bson(1), bson(2)], None));
    }
    // The magic alone says nothing where something else than a frame follows.
    let bytes = [frame(0x50, b"abcd"), b"{\"a\":1}".to_vec()].concat();
    assert_eq!(Compression::detect(&bytes), Compression::None);
    assert_eq!(Compression::detect(&[0x4F, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]), Compression::None);
}

#[test]
fn a_folder_that_is_not_there_is_named_and_no_temporary_file() {
    let folder = tempfile::tempdir().unwrap();
    let place = Location::from(folder.path().join("nowhere").join("a.bson").as_path());
    for error in [
        DocumentWriter::create(&place, Framing::Bson, &WriteOptions::default()).err().unwrap(),
        boson_store::OutputFile::create(&place, false).err().unwrap(),
    ] {
        let message = error.to_string();
        assert!(message.contains("no file can be made in the folder") && message.contains("nowhere: "), "{message}");
        assert!(!message.contains(".partial"), "{message}");
    }
}
