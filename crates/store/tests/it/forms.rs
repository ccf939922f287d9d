//! The forms of a stream: what is taken for what, and how it is taken apart.

use boson_store::{Batch, DocumentReader, Framing, ReadOptions, Reader};

use crate::support::{bson, documents, framing, oson, read};

fn texts(bytes: &[u8]) -> Vec<String> {
    documents(bytes).into_iter().map(|text| String::from_utf8(text).unwrap()).collect()
}

#[test]
fn forms_are_told_by_their_first_bytes() {
    for (bytes, expected) in [
        (bson(1), Framing::Bson),
        (oson(1), Framing::Oson),
        (hex::encode(oson(1)).into_bytes(), Framing::OsonHex),
        (b"/0paAQAWAAEx\n".to_vec(), Framing::OsonBase64),
        (b"{\"a\":1}\n{\"a\":2}\n".to_vec(), Framing::JsonLines),
        (b"\n\n{\"a\":1}\r\n\r\n{\"a\":2}".to_vec(), Framing::JsonLines),
        (b"1\n2\n".to_vec(), Framing::JsonLines),
        (b"[1,2]\n[3]\n".to_vec(), Framing::JsonLines),
        (b"{\"a\":1}".to_vec(), Framing::JsonValues),
        (b"{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n".to_vec(), Framing::JsonValues),
        (b"{\"a\":1}{\"a\":2}\n".to_vec(), Framing::JsonValues),
        (b"[1, 2, 3]".to_vec(), Framing::JsonValues),
        (b"[{\"a\":1},{\"a\":2}]".to_vec(), Framing::JsonArray),
        (b"\xEF\xBB\xBF [\n  {\"a\":1}\n]".to_vec(), Framing::JsonArray),
        (b"[]".to_vec(), Framing::JsonArray),
    ] {
        assert_eq!(framing(&bytes), Some(expected), "{}", bytes.escape_ascii());
    }
}

#[test]
fn json_is_taken_apart() {
    for (bytes, expected) in [
        ("{\"a\":1}\n\n  {\"a\":2}  \r\n{\"a\":3}", vec!["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"]),
        ("\u{feff}{\"a\":1}\n2\n", vec!["{\"a\":1}", "2"]),
        ("{\n\"a\":1}{\"b\":\"}\\\"{\"} 3 \"x\" null", vec!["{\n\"a\":1}", "{\"b\":\"}\\\"{\"}", "3", "\"x\"", "null"]),
        ("[{\"a\":[1,2]} , {} ,\n3]\n", vec!["{\"a\":[1,2]}", "{}", "3"]),
    ] {
        assert_eq!(texts(bytes.as_bytes()), expected);
    }
}

#[test]
fn offsets_are_those_of_the_documents() {
    let lines = b"\n {\"a\":1}\r\n\n{\"a\":2}\n".as_slice();
    let array = b" [ {\"a\":1} ,{\"a\":2}]".as_slice();
    for bytes in [lines, array] {
        let (read_back, _) = read(bytes, &ReadOptions::default());
        for (offset, text) in read_back {
            assert!(bytes[usize::try_from(offset).unwrap()..].starts_with(&text));
        }
    }
}

/// A line that is no JSON is one document that is no JSON; what follows it is not touched.
#[test]
fn a_bad_line_is_one_document() {
    assert_eq!(texts(b"{\"a\":1}\n{\"a\":\n{\"a\":3}\n"), ["{\"a\":1}", "{\"a\":", "{\"a\":3}"]);
}

#[test]
fn faults_in_arrays_have_their_place() {
    for (bytes, index, offset, what) in [
        ("[{\"a\":1} {\"a\":2}]", 2, 9, "expected `,`"),
        ("[{},]", 2, 4, "none may stand before a closing bracket"),
        ("[{}] x", 2, 5, "after the end of the array"),
        ("[{}", 2, 3, "ends inside"),
    ] {
        let (_, error) = read(bytes.as_bytes(), &ReadOptions::default());
        let error = error.unwrap();
        assert!(error.starts_with(&format!("input: document {index}, offset {offset}: ")), "{error}");
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn images_are_taken_apart() {
    let images = [oson(1), oson(2), oson(3)];
    assert_eq!(documents(&images.concat()), images);
    // A scalar, the image of a server.
    let scalar = boson_testkit::unhex("ff4a5a010016000131");
    assert_eq!(documents(&[scalar.clone(), oson(1), scalar.clone()].concat()), [scalar.clone(), oson(1), scalar]);
    // An image of version 2 reaches to the end.
    let updated = boson_testkit::unhex(
        "ff4a5a022106010002000a00002c0000016184010100057600000000010000000000000000000000000000060568656c6c6f",
    );
    assert_eq!(documents(&[oson(1), updated.clone()].concat()), [oson(1), updated]);
    let (read_back, error) = read(&[oson(1), b"junk".to_vec()].concat(), &ReadOptions::default());
    assert_eq!(read_back.len(), 1);
    assert!(error.unwrap().contains("not an OSON image"));
}

/// BLOBs as people paste them.
#[test]
fn encoded_images_are_taken_apart() {
    use base64::Engine;
    let images = [oson(1), oson(2)];
    let [one, two] = images.clone().map(hex::encode);
    let wrap = |text: &str, width: usize| {
        text.as_bytes().chunks(width).map(|line| String::from_utf8_lossy(line) + "\n").collect::<String>()
    };
    for text in [
        format!("{one}\n{two}\n"),
        format!("{}\r\n\r\n{two}", one.to_uppercase()),
        format!("\"{one}\",\n\"{two}\"\n"),
        format!("'{one}';\n 0x{two}"),
        format!("{}\n{}", wrap(&one, 20), wrap(&two, 20)),
        format!("{}{}", wrap(&one, 8), wrap(&two, 80)),
    ] {
        assert_eq!(documents(text.as_bytes()), images, "{text}");
    }
    let [one, two] = images.clone().map(|image| base64::engine::general_purpose::STANDARD.encode(image));
    for text in [format!("{one}\n{two}\n"), format!("\"{one}\"\r\n\"{two}\""), format!("{}{two}", wrap(&one, 12))] {
        assert_eq!(documents(text.as_bytes()), images, "{text}");
    }
}

/// A line that cannot be decoded is reported, and the next ones are read.
#[test]
fn a_bad_line_of_digits_does_not_end_the_stream() {
    let stream = format!("{}\nff4a5a0g\n{}\n", hex::encode(oson(1)), hex::encode(oson(2)));
    let stream = Box::new(std::io::Cursor::new(stream.into_bytes()));
    let mut reader = DocumentReader::from_stream("blobs", stream, &ReadOptions::default()).unwrap();
    assert_eq!(reader.next_document().unwrap().unwrap().bytes, oson(1));
    let error = reader.next_document().unwrap_err().to_string();
    assert!(error.starts_with("blobs: document 2, offset ") && error.contains("not hexadecimal"), "{error}");
    let last = reader.next_document().unwrap().unwrap();
    assert_eq!((last.index, last.bytes), (2, oson(2).as_slice()));
    assert!(reader.next_document().unwrap().is_none());
}

#[test]
fn limits_hold_for_every_form() {
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(1000));
    let array = format!("[{long}]");
    let hex = hex::encode([oson(1), vec![0; 1000]].concat());
    for (bytes, framing) in [
        (long.as_bytes(), Framing::JsonLines),
        (long.as_bytes(), Framing::JsonValues),
        (array.as_bytes(), Framing::JsonArray),
        (hex.as_bytes(), Framing::OsonHex),
        (&[0xFF, 0, 0, 0, 0], Framing::Bson),
    ] {
        let options = ReadOptions { framing: Some(framing), bytes_max: Some(100), ..ReadOptions::default() };
        let (read_back, error) = read(bytes, &options);
        assert_eq!(read_back, [], "{framing}");
        let error = error.unwrap();
        assert!(error.contains("the limit is 100; raise it to read the document"), "{error}");
    }
}

#[test]
fn batches_hold_documents_up_to_their_size() {
    let stream: Vec<u8> = (0..10).flat_map(bson).collect();
    let mut reader =
        DocumentReader::from_stream("input", Box::new(std::io::Cursor::new(stream)), &ReadOptions::default()).unwrap();
    let mut batch = Batch::with_size(usize::MAX, 4);
    let mut seen = Vec::new();
    while reader.read_batch(&mut batch).unwrap() > 0 {
        seen.push(batch.len());
        for document in batch.iter() {
            assert_eq!(document.bytes, bson(i32::try_from(document.index).unwrap()));
            assert_eq!(document.offset, document.index * bson(0).len() as u64);
        }
    }
    assert_eq!(seen, [4, 4, 2]);
    // A document that is larger than the batch comes alone.
    let mut reader = DocumentReader::from_stream(
        "input",
        Box::new(std::io::Cursor::new([bson(1), bson(2)].concat())),
        &ReadOptions::default(),
    )
    .unwrap();
    let mut batch = Batch::with_size(1, 100);
    assert_eq!(reader.read_batch(&mut batch).unwrap(), 1);
    assert_eq!(reader.read_batch(&mut batch).unwrap(), 1);
    assert_eq!(reader.read_batch(&mut batch).unwrap(), 0);
}
