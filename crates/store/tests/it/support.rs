//! What these tests share.

use std::io::{self, Cursor, Read, Write};

use boson_document::Value;
use boson_store::{Compression, DocumentReader, DocumentWriter, Framing, ReadOptions, Reader, Writer};

/// The BSON document `{"n": number}`.
pub(crate) fn bson(number: i32) -> Vec<u8> {
    boson_bson::encode(&Value::Object(vec![("n".into(), Value::Int32(number))])).unwrap()
}

/// The OSON image of `{"n": number}`.
pub(crate) fn oson(number: i32) -> Vec<u8> {
    let document = Value::Object(vec![("n".into(), Value::Int32(number))]);
    boson_oson::write::to_vec(&document, &boson_oson::write::Options::default()).unwrap()
}

/// A stream that gives a few bytes at a time, and never the same number twice in a row.
pub(crate) struct Trickle {
    inner: Cursor<Vec<u8>>,
    turn: usize,
}

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn = self.turn % 7 + 1;
        let len = self.turn.min(buffer.len());
        self.inner.read(&mut buffer[..len])
    }
}

/// The documents of a stream, each with its offset, and the error at which they end.
pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> (Vec<(u64, Vec<u8>)>, Option<String>) {
    let whole = read_from(Box::new(Cursor::new(bytes.to_vec())), options);
    let trickled = read_from(Box::new(Trickle { inner: Cursor::new(bytes.to_vec()), turn: 0 }), options);
    assert_eq!(whole, trickled, "what comes in pieces is read as what comes at once");
    whole
}

fn read_from(stream: Box<dyn Read + Send>, options: &ReadOptions) -> (Vec<(u64, Vec<u8>)>, Option<String>) {
    let mut documents = Vec::new();
    let mut reader = match DocumentReader::from_stream("input", stream, options) {
        Ok(reader) => reader,
        Err(error) => return (documents, Some(error.to_string())),
    };
    loop {
        match reader.next_document() {
            Ok(Some(document)) => {
                assert_eq!(document.index, documents.len() as u64);
                documents.push((document.offset, document.bytes.to_vec()));
            }
            Ok(None) => return (documents, None),
            Err(error) => return (documents, Some(error.to_string())),
        }
    }
}

/// The documents of a stream that has no faults.
pub(crate) fn documents(bytes: &[u8]) -> Vec<Vec<u8>> {
    let (documents, error) = read(bytes, &ReadOptions::default());
    assert_eq!(error, None);
    documents.into_iter().map(|(_, bytes)| bytes).collect()
}

/// What a stream is taken for.
pub(crate) fn framing(bytes: &[u8]) -> Option<Framing> {
    let stream = Box::new(Cursor::new(bytes.to_vec()));
    DocumentReader::from_stream("input", stream, &ReadOptions::default()).unwrap().framing()
}

/// Memory that a writer writes to and a test looks into.
#[derive(Clone, Default)]
pub(crate) struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl Shared {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The stream that documents are written as.
pub(crate) fn written(framing: Framing, compression: Compression, documents: &[Vec<u8>]) -> Vec<u8> {
    let out = Shared::default();
    let mut writer = DocumentWriter::to_stream("output", framing, Box::new(out.clone()), compression).unwrap();
    for document in documents {
        writer.write_document(document).unwrap();
    }
    writer.finish().unwrap();
    out.bytes()
}
