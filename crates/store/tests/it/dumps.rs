//! What `mongodump` writes: cases D01 to D10. Archives are put together by hand, by the specification of their format.

use std::fs;

use boson_bson::DocumentBuf;
use boson_document::Scalar;
use boson_store::{ArchiveReader, Batch, CollectionKind, Compression, DumpFolder, Location, Opened, ReadOptions};
use tempfile::TempDir;

const TERMINATOR: [u8; 4] = [0xFF; 4];

fn document(members: &[(&str, Scalar<'_>)]) -> Vec<u8> {
    let mut document = DocumentBuf::new();
    for (name, value) in members {
        document.append(name, *value).unwrap();
    }
    document.into_vec()
}

fn header(collection: &str, end: bool, crc: i64) -> Vec<u8> {
    document(&[
        ("db", Scalar::String("shop")),
        ("collection", Scalar::String(collection)),
        ("EOF", Scalar::Bool(end)),
        ("CRC", Scalar::Int64(crc)),
    ])
}

fn described(collection: &str, metadata: &str) -> Vec<u8> {
    document(&[
        ("db", Scalar::String("shop")),
        ("collection", Scalar::String(collection)),
        ("metadata", Scalar::String(metadata)),
        ("size", Scalar::Int32(0)),
        ("type", Scalar::String("collection")),
    ])
}

/// CRC-64/XZ, a bit at a time.
fn crc(bytes: &[u8]) -> i64 {
    let mut register = u64::MAX;
    for byte in bytes {
        register ^= u64::from(*byte);
        for _ in 0..8 {
            register = if register & 1 == 1 { (register >> 1) ^ 0xC96C_5795_D787_0F42 } else { register >> 1 };
        }
    }
    (!register).cast_signed()
}

fn number(value: i32) -> Vec<u8> {
    document(&[("n", Scalar::Int32(value))])
}

/// Two collections, their blocks one in another: `a` has 1, 2, 3 and `b` has 10.
fn archive() -> Vec<u8> {
    let (a, b) = ([number(1), number(2), number(3)], number(10));
    [
        vec![0x6D, 0xE2, 0x99, 0x81],
        document(&[
            ("concurrent_collections", Scalar::Int32(4)),
            ("version", Scalar::String("0.1")),
            ("server_version", Scalar::String("7.0.14")),
        ]),
        described(
            "a",
            r#"{"indexes":[{"key":{"n":{"$numberInt":"1"}},"name":"n_1","unique":true}],"type":"collection"}"#,
        ),
        described("b", ""),
        TERMINATOR.to_vec(),
        [header("a", false, 0), a[..2].concat(), TERMINATOR.to_vec()].concat(),
        [header("b", false, 0), b.clone(), TERMINATOR.to_vec()].concat(),
        [header("b", true, crc(&b)), TERMINATOR.to_vec()].concat(),
        [header("a", false, 0), a[2].clone(), TERMINATOR.to_vec()].concat(),
        [header("a", true, crc(&a.concat())), TERMINATOR.to_vec()].concat(),
    ]
    .concat()
}

fn open(bytes: &[u8], recover: bool) -> Result<ArchiveReader, String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.archive");
    fs::write(&path, bytes).unwrap();
    let options = ReadOptions { recover, ..ReadOptions::default() };
    match Opened::open(&Location::from(&*path), &options) {
        Ok(Opened::Archive(reader)) => Ok(*reader),
        Ok(Opened::Documents(_)) => Err("documents".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The documents by collection.
fn read(reader: &mut ArchiveReader) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut found: Vec<(String, Vec<u8>)> = Vec::new();
    let mut batch = Batch::with_size(1, 1);
    while let Some(part) = reader.next_part(&mut batch).map_err(|error| error.to_string())? {
        let name = reader.collections()[part.collection].namespace.to_string();
        for document in batch.iter() {
            match found.iter_mut().find(|(known, _)| *known == name) {
                Some((_, bytes)) => bytes.extend(document.bytes),
                None => found.push((name.clone(), document.bytes.to_vec())),
            }
        }
    }
    Ok(found)
}

fn expected() -> Vec<(String, Vec<u8>)> {
    vec![("shop.a".to_owned(), [number(1), number(2), number(3)].concat()), ("shop.b".to_owned(), number(10))]
}

#[test]
fn d06_the_collections_of_an_archive_are_told_apart() {
    for bytes in [archive(), Compression::Gzip.append(&archive(), Vec::new()).unwrap()] {
        let mut reader = open(&bytes, false).unwrap();
        assert_eq!(reader.header().server_version, "7.0.14");
        let indexes = reader.collections()[0].metadata.as_ref().unwrap().indexes();
        assert!(indexes[0].is_unique && indexes[0].keys[0].0 == "n");
        assert_eq!(read(&mut reader).unwrap(), expected());
        assert!(reader.incomplete().is_empty());
    }
}

#[test]
fn d07_a_cut_archive_names_what_is_not_whole() {
    let whole = archive();
    for len in 0..whole.len() {
        let cut = &whole[..len];
        let outcome = open(cut, false).and_then(|mut reader| read(&mut reader));
        assert!(outcome.is_err(), "{len}");
        // With recovery there is no error once the prelude is there, and what comes is a beginning of each collection.
        if let Ok(mut reader) = open(cut, true) {
            for (name, bytes) in read(&mut reader).unwrap() {
                let (_, all) = expected().into_iter().find(|(known, _)| *known == name).unwrap();
                assert!(all.starts_with(&bytes));
            }
            // Where only the last terminator is missing every document is there and its CRC is right.
            let all_there = len + TERMINATOR.len() >= whole.len();
            assert!(reader.cut().is_some() && reader.incomplete().is_empty() == all_there, "{len}");
        }
    }
    let end = whole.len() - header("a", true, 0).len() - TERMINATOR.len();
    let error = open(&whole[..=end], false).and_then(|mut reader| read(&mut reader)).unwrap_err();
    assert!(error.contains("shop.a (3 documents read)") && !error.contains("shop.b"), "{error}");
}

#[test]
fn d07_a_changed_document_has_another_crc() {
    let mut bytes = archive();
    let at = bytes.windows(12).position(|window| window == number(2)).unwrap();
    bytes[at + 7] = 9;
    let error = open(&bytes, false).and_then(|mut reader| read(&mut reader)).unwrap_err();
    assert!(error.contains("shop.a") && error.contains("CRC"), "{error}");
}

#[test]
fn damaged_archives_are_errors_and_nothing_worse() {
    let whole = archive();
    for at in 0..whole.len() {
        for flip in [0xFF, 0x80, 0x01] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            if let Ok(mut reader) = open(&bytes, false) {
                let _ = read(&mut reader);
            }
        }
    }
}

#[test]
fn an_archive_is_read_on_from_any_part() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.archive");
    fs::write(&path, archive()).unwrap();
    let mut reader = open(&archive(), false).unwrap();
    let mut batch = Batch::with_size(1, 1);
    let mut states = Vec::new();
    let mut documents = Vec::new();
    while reader.next_part(&mut batch).unwrap().is_some() {
        states.push((reader.state().clone(), documents.len()));
        documents.extend(batch.iter().map(|document| document.bytes.to_vec()));
        states.last_mut().unwrap().1 = documents.len();
    }
    for (state, count) in states {
        let mut again = open(&archive(), false).unwrap();
        again.skip_to(state, &[]).unwrap();
        let mut rest = Vec::new();
        while again.next_part(&mut batch).unwrap().is_some() {
            rest.extend(batch.iter().map(|document| document.bytes.to_vec()));
        }
        assert_eq!(rest, documents[count..]);
    }
}

#[test]
fn folders_say_what_their_collections_are() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    write("shop/orders.bson.gz", &Compression::Gzip.append(&number(1), Vec::new()).unwrap());
    write("shop/orders.metadata.json.gz", &Compression::Gzip.append(
        br#"{"options":{"capped":true,"validator":{"n":{"$gt":0}}},"indexes":[{"key":{"at":1},"name":"at_1","expireAfterSeconds":60}],"collectionName":"orders"}"#, Vec::new()).unwrap());
    write("shop/recent.metadata.json", br#"{"options":{"viewOn":"orders"},"indexes":[],"type":"view"}"#);
    write("shop/readings.metadata.json", br#"{"options":{"timeseries":{}},"indexes":[],"type":"timeseries"}"#);
    write("shop/system.buckets.readings.bson", &number(1));
    write("oplog.bson", &number(1));
    write("prelude.json", b"{}");
    let dump = DumpFolder::open(folder.path()).unwrap();
    let kinds: Vec<_> =
        dump.entries.iter().map(|entry| (entry.collection.namespace.to_string(), entry.collection.kind)).collect();
    let expected = [
        ("oplog", CollectionKind::Oplog),
        ("shop.orders", CollectionKind::Documents),
        ("shop.readings", CollectionKind::TimeSeries),
        ("shop.recent", CollectionKind::View),
        ("shop.system.buckets.readings", CollectionKind::Buckets),
    ];
    assert_eq!(kinds, expected.map(|(name, kind)| (name.to_owned(), kind)));
    let metadata = dump.entries[1].collection.metadata.as_ref().unwrap();
    assert!(metadata.is_capped() && metadata.validator().is_some());
    assert_eq!(metadata.indexes()[0].expire_after_seconds, Some(60));
    assert_eq!(dump.others, [std::path::PathBuf::from("prelude.json")]);
    // The folder of one database is a dump of that.
    let one = DumpFolder::open(&folder.path().join("shop")).unwrap();
    assert_eq!(one.entries[0].collection.namespace.to_string(), "shop.orders");
    // Metadata that is none says so, with its place.
    write("shop/bad.metadata.json", b"{\"indexes\": [");
    assert!(DumpFolder::open(folder.path()).unwrap_err().to_string().contains("bad.metadata.json"));
}
