//! Writing streams and files.

use std::fs;
use std::path::Path;

use boson_store::{
    Compression, DocumentReader, DocumentWriter, Framing, Location, ReadOptions, Reader, WriteOptions, Writer,
};

use crate::support::{Shared, bson, documents, oson, written};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn at(folder: &tempfile::TempDir, name: &str) -> Location {
    Location::File(folder.path().join(name))
}

/// The names in a folder.
fn names(folder: &tempfile::TempDir) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn write(location: &Location, framing: Framing, options: WriteOptions, documents: &[Vec<u8>]) -> Result<(), String> {
    let mut writer = DocumentWriter::create(location, framing, &options).map_err(|error| error.to_string())?;
    for document in documents {
        writer.write_document(document).map_err(|error| error.to_string())?;
    }
    writer.finish().map_err(|error| error.to_string())
}

fn read(location: &Location) -> Vec<Vec<u8>> {
    let mut reader = DocumentReader::open(location, &ReadOptions::default()).unwrap();
    let mut documents = Vec::new();
    while let Some(document) = reader.next_document().unwrap() {
        documents.push(document.bytes.to_vec());
    }
    documents
}

#[test]
fn every_form_is_read_back() {
    let json = [b"{\"a\":1}".to_vec(), b"{\"b\":[]}".to_vec()];
    let oson = [oson(1), oson(2)];
    for compression in [Compression::None, Compression::Gzip, Compression::Zstd] {
        for (framing, expected) in [
            (Framing::Bson, [bson(1), bson(2)].as_slice()),
            (Framing::JsonLines, &json),
            (Framing::JsonValues, &json),
            (Framing::JsonArray, &json),
            (Framing::Oson, &oson[..1]),
            (Framing::OsonImages, &oson),
            (Framing::OsonHex, &oson),
            (Framing::OsonBase64, &oson),
        ] {
            assert_eq!(documents(&written(framing, compression, expected)), expected, "{framing} {compression:?}");
        }
    }
}

#[test]
fn text_is_laid_out_as_its_form_wants() {
    let pretty = [b"{\n  \"a\": \"x y\"\r\n}".to_vec(), b"2".to_vec()];
    for (framing, expected) in [
        (Framing::JsonLines, "{   \"a\": \"x y\"  }\n2\n"),
        (Framing::JsonValues, "{\n  \"a\": \"x y\"\r\n}\n2\n"),
        (Framing::JsonArray, "[\n{\n  \"a\": \"x y\"\r\n},\n2\n]\n"),
    ] {
        assert_eq!(String::from_utf8(written(framing, Compression::None, &pretty)).unwrap(), expected);
    }
    assert_eq!(written(Framing::JsonArray, Compression::None, &[]), b"[]\n");
    assert_eq!(written(Framing::JsonLines, Compression::None, &[]), b"");
}

#[test]
fn one_file_holds_one_image() {
    let mut writer =
        DocumentWriter::to_stream("x.oson", Framing::Oson, Box::new(Shared::default()), Compression::None).unwrap();
    writer.write_document(&oson(1)).unwrap();
    let error = writer.write_document(&oson(2)).unwrap_err().to_string();
    assert!(error.starts_with("x.oson: a file holds one OSON image and there are more documents"), "{error}");
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let folder = folder();
    let location = at(&folder, "x.bson");
    let mut writer = DocumentWriter::create(&location, Framing::Bson, &WriteOptions::default()).unwrap();
    writer.write_document(&bson(1)).unwrap();
    writer.flush().unwrap();
    assert!(!location.path().unwrap().exists());
    writer.finish().unwrap();
    assert_eq!(names(&folder), ["x.bson"]);
    assert_eq!(read(&location), [bson(1)]);
}

#[test]
fn nothing_is_left_of_a_file_that_was_not_finished() {
    let folder = folder();
    let location = at(&folder, "x.ndjson.gz");
    let mut writer = DocumentWriter::create(&location, Framing::JsonLines, &WriteOptions::default()).unwrap();
    writer.write_document(b"{}").unwrap();
    drop(writer);
    assert_eq!(names(&folder), [""; 0]);
}

#[test]
fn files_are_not_overwritten_unless_asked() {
    let folder = folder();
    let location = at(&folder, "x.bson");
    let path = location.path().unwrap();
    fs::write(path, b"mine").unwrap();
    let careful = WriteOptions::default();
    let error = write(&location, Framing::Bson, careful, &[bson(1)]).unwrap_err();
    assert!(error.ends_with("x.bson: there is such a file already; overwriting it must be asked for"), "{error}");
    assert_eq!(fs::read(path).unwrap(), b"mine");
    // A file that came up in the meantime is not overwritten either.
    fs::remove_file(path).unwrap();
    let mut writer = DocumentWriter::create(&location, Framing::Bson, &careful).unwrap();
    writer.write_document(&bson(1)).unwrap();
    fs::write(path, b"mine").unwrap();
    assert!(writer.finish().is_err());
    assert_eq!(fs::read(path).unwrap(), b"mine");
    assert_eq!(names(&folder), ["x.bson"]);

    let overwriting = WriteOptions { overwrite: true, ..careful };
    write(&location, Framing::Bson, overwriting, &[bson(2)]).unwrap();
    assert_eq!(read(&location), [bson(2)]);
    assert_eq!(names(&folder), ["x.bson"]);
}

#[test]
fn compression_follows_the_name() {
    let folder = folder();
    for (name, magic) in [("a.bson", [12, 0]), ("a.bson.gz", [0x1F, 0x8B]), ("a.bson.zst", [0x28, 0xB5])] {
        let location = at(&folder, name);
        write(&location, Framing::Bson, WriteOptions::default(), &[bson(1)]).unwrap();
        assert_eq!(fs::read(location.path().unwrap()).unwrap()[..2], magic);
        assert_eq!(read(&location), [bson(1)]);
    }
    let plain = WriteOptions { compression: Some(Compression::None), ..WriteOptions::default() };
    write(&at(&folder, "b.bson.gz"), Framing::Bson, plain, &[bson(1)]).unwrap();
    assert_eq!(fs::read(folder.path().join("b.bson.gz")).unwrap(), bson(1));
}

#[cfg(unix)]
#[test]
fn links_devices_and_permissions_stay_what_they_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let (file, link) = (folder.path().join("file.bson"), folder.path().join("link.bson"));
    fs::write(&file, b"old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&file, &link).unwrap();
    let overwriting = WriteOptions { overwrite: true, ..WriteOptions::default() };
    write(&Location::File(link.clone()), Framing::Bson, overwriting, &[bson(1)]).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), bson(1));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    write(&Location::File("/dev/null".into()), Framing::Bson, WriteOptions::default(), &[bson(1)]).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn files_that_cannot_be_opened_are_named() {
    let folder = folder();
    let missing = DocumentReader::open(&at(&folder, "none.bson"), &ReadOptions::default()).err().unwrap().to_string();
    assert!(missing.contains("none.bson: cannot be opened: "), "{missing}");
    let location = Location::File(folder.path().to_owned());
    let error = DocumentReader::open(&location, &ReadOptions::default()).err().unwrap().to_string();
    assert!(error.contains("cannot be opened: is a directory"), "{error}");
    let nowhere = at(&folder, "no/such/folder.bson");
    assert!(DocumentWriter::create(&nowhere, Framing::Bson, &WriteOptions::default()).is_err());
}

#[test]
fn names_say_what_is_in_a_file() {
    for (name, expected) in [
        ("a.bson", Some(Framing::Bson)),
        ("a.b/c.ndjson.gz", Some(Framing::JsonLines)),
        ("a.jsonl.zst", Some(Framing::JsonLines)),
        ("a.json", Some(Framing::JsonLines)),
        ("a.oson", Some(Framing::Oson)),
        ("a.hex", Some(Framing::OsonHex)),
        ("a.txt", None),
        ("bson", None),
        (".gz", None),
    ] {
        assert_eq!(Framing::of_path(Path::new(name)), expected, "{name}");
    }
    assert_eq!("-".parse(), Ok(Location::Standard));
    assert_eq!(Location::from(Path::new("./-")), Location::File("./-".into()));
    for framing in ["bson", "json-lines", "json-values", "json-array", "oson", "oson-images", "oson-hex", "oson-base64"]
    {
        assert_eq!(framing.parse::<Framing>().unwrap().to_string(), framing);
    }
    assert!("xml".parse::<Framing>().is_err());
}
