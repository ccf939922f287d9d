//! What `mongodump --archive` writes: one stream for all collections, their documents interleaved.
//!
//! The format as mongodb/mongo-tools describes it (`common/archive/spec.md`): a magic number; a header document; for each
//! collection a document with its metadata; a terminator. Then blocks: a document that names a collection, that
//! collection's next documents, a terminator. A block whose first document says `EOF` has no others and holds the CRC-64
//! of all documents of the collection.

use boson_bson::Document as Bson;
use boson_document::{Limits, Scalar};
use serde::{Deserialize, Serialize};

use super::{Collection, CollectionKind, Metadata, Namespace};
use crate::compression::Stream;
use crate::error::{ReadError, ReadFault};
use crate::port::{Batch, Document};
use crate::window::{Window, count};

/// The first four bytes of an archive.
pub const ARCHIVE_MAGIC: [u8; 4] = [0x6D, 0xE2, 0x99, 0x81];

/// What ends the prelude and every block.
const TERMINATOR: [u8; 4] = [0xFF; 4];

/// More is no header.
const HEADER_BYTES_MAX: usize = 48 << 20;

/// What an archive says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveHeader {
    /// The version of the format; `0.1` is the only one.
    pub format_version: String,
    /// The version of the server that was dumped.
    pub server_version: String,
    /// The version of `mongodump`.
    pub tool_version: String,
}

/// How far an archive was read: enough to read on from there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveState {
    /// Bytes that were read, after decompression.
    pub offset: u64,
    /// The collection whose block is being read.
    pub current: Option<usize>,
    /// Of each collection.
    pub namespaces: Vec<NamespaceState>,
}

/// How far one collection of an archive was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamespaceState {
    /// Its documents so far.
    pub documents: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Their CRC.
    pub crc: Crc64,
    /// Whether it has begun.
    pub begun: bool,
    /// Whether its end was met.
    pub ended: bool,
}

/// The CRC-64 of an archive's collections: ECMA-182's polynomial, reflected, as Go's `crc64.ECMA` and `xz` have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crc64(u64);

const ALGORITHM: crc::Crc<u64, crc::Table<16>> = crc::Crc::<u64, crc::Table<16>>::new(&crc::CRC_64_XZ);
static CRC: crc::Crc<u64, crc::Table<16>> = ALGORITHM;

impl Crc64 {
    /// Takes `bytes` in.
    pub fn update(&mut self, bytes: &[u8]) {
        // The register before its final inversion, in the order that the library takes it.
        let mut digest = CRC.digest_with_initial((!self.0).reverse_bits());
        digest.update(bytes);
        self.0 = digest.finalize();
    }

    /// The sum, as archives hold it.
    pub fn to_i64(self) -> i64 {
        self.0.cast_signed()
    }
}

/// Reads an archive.
pub struct ArchiveReader {
    name: String,
    window: Window,
    header: ArchiveHeader,
    collections: Vec<Collection>,
    /// The bytes up to and including the terminator of the prelude.
    prelude: Vec<u8>,
    state: ArchiveState,
    bytes_max: usize,
    recover: bool,
    /// Where the archive was cut, once that was met.
    cut: Option<u64>,
    /// The part that is being read, for the case that it is cut.
    partial: Option<ArchivePart>,
    done: bool,
}

/// A part of an archive: documents of one collection, one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivePart {
    /// Which collection, by its place in [`ArchiveReader::collections`].
    pub collection: usize,
    /// Whether the block begins here: before the documents stood its header.
    pub begins: bool,
    /// Whether the block ends here: behind the documents stands a terminator.
    pub ends: bool,
    /// Whether this is the end of the collection, which has no documents: its header holds their CRC.
    pub is_last: bool,
    /// The bytes of the block's header, where it begins.
    pub header: Vec<u8>,
}

impl ArchiveReader {
    /// Reads the prelude of the archive that `stream` is.
    pub(crate) fn new(name: &str, stream: Stream, bytes_max: Option<usize>, recover: bool) -> Result<Self, ReadError> {
        let mut reader = Self {
            name: name.to_owned(),
            window: Window::new(stream),
            header: ArchiveHeader::default(),
            collections: Vec::new(),
            prelude: Vec::new(),
            state: ArchiveState::default(),
            bytes_max: bytes_max.unwrap_or(Limits::BSON.bytes),
            recover,
            cut: None,
            partial: None,
            done: false,
        };
        reader.read_prelude()?;
        Ok(reader)
    }

    /// The name of the file or stream.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the archive says of itself.
    pub const fn header(&self) -> &ArchiveHeader {
        &self.header
    }

    /// The collections that the prelude names, and those met since.
    pub fn collections(&self) -> &[Collection] {
        &self.collections
    }

    /// The bytes of the prelude, with magic number and terminator.
    pub fn prelude(&self) -> &[u8] {
        &self.prelude
    }

    /// How far it was read.
    pub const fn state(&self) -> &ArchiveState {
        &self.state
    }

    /// Where the archive was cut, when it was and [`ReadOptions::recover`](crate::ReadOptions::recover) was set.
    pub const fn cut(&self) -> Option<u64> {
        self.cut
    }

    /// The names of the collections that have begun, or are to come, and have no end.
    pub fn incomplete(&self) -> Vec<String> {
        let states = self.collections.iter().zip(self.state.namespaces.iter());
        let open = states.filter(|(collection, state)| !state.ended && (state.begun || has_documents(collection)));
        open.map(|(collection, state)| {
            let namespace = &collection.namespace;
            if state.begun {
                format!("{namespace} ({} documents read)", state.documents)
            } else {
                format!("{namespace} (not begun)")
            }
        })
        .collect()
    }

    /// Goes on from `state`, which an earlier reader of the same archive had. What lies between is read and left out.
    ///
    /// # Errors
    ///
    /// When the archive ends before.
    pub fn skip_to(&mut self, state: ArchiveState, namespaces: &[Namespace]) -> Result<(), ReadError> {
        while self.window.offset() < state.offset {
            let wanted = state.offset.saturating_sub(self.window.offset());
            let available = count(self.window.available().len());
            if available == 0 {
                if !self.window.more().map_err(|error| self.io(error))? {
                    return Err(self.fault(ReadFault::Archive("it ends before the place to go on from".to_owned())));
                }
                continue;
            }
            self.window.take(usize::try_from(wanted.min(available)).unwrap_or(usize::MAX));
        }
        for namespace in namespaces.iter().skip(self.collections.len()) {
            self.add(namespace.clone(), None);
        }
        self.state = state;
        Ok(())
    }

    /// Fills `batch` anew with the next documents of one block, up to its size; `None` at the end of the archive.
    ///
    /// # Errors
    ///
    /// What is wrong with the archive; when it ends too early, which collections are not whole, unless that was to be
    /// recovered from. A collection whose documents have another CRC than the archive says is an error in any case.
    pub fn next_part(&mut self, batch: &mut Batch) -> Result<Option<ArchivePart>, ReadError> {
        batch.clear();
        if self.done {
            return Ok(None);
        }
        match self.read_part(batch) {
            Ok(part) => {
                self.state.offset = self.window.offset();
                if part.is_none() {
                    self.done = true;
                    self.check_whole()?;
                }
                Ok(part)
            }
            Err(error) => {
                self.done = true;
                self.ended(error, batch)
            }
        }
    }

    /// What becomes of a fault: where it is a cut, and cuts are to be recovered from, the documents before it count.
    #[cold]
    fn ended(&mut self, error: ReadError, batch: &Batch) -> Result<Option<ArchivePart>, ReadError> {
        if !self.recover || !matches!(error.fault(), ReadFault::ArchiveCut { .. }) {
            return Err(error);
        }
        self.cut = Some(error.offset());
        self.state.offset = self.window.offset();
        Ok(self.partial.take().filter(|part| part.begins || !batch.is_empty()))
    }

    /// At the end of the stream every collection must have ended.
    fn check_whole(&mut self) -> Result<(), ReadError> {
        if self.incomplete().is_empty() {
            return Ok(());
        }
        if self.recover {
            self.cut = Some(self.window.offset());
            return Ok(());
        }
        Err(self.cut_fault())
    }

    fn read_part(&mut self, batch: &mut Batch) -> Result<Option<ArchivePart>, ReadError> {
        let mut part = match self.state.current {
            Some(collection) => {
                ArchivePart { collection, begins: false, ends: false, is_last: false, header: Vec::new() }
            }
            None => match self.enter()? {
                Some(part) if part.is_last => return Ok(Some(part)),
                Some(part) => part,
                None => return Ok(None),
            },
        };
        self.partial = Some(part.clone());
        while !batch.is_full() {
            if self.at_terminator()? {
                self.window.take(TERMINATOR.len());
                self.state.current = None;
                part.ends = true;
                return Ok(Some(part));
            }
            let offset = self.window.offset();
            self.take_document(self.bytes_max)?;
            let bytes = self.window.taken();
            if let Some(state) = self.state.namespaces.get_mut(part.collection) {
                state.crc.update(bytes);
                batch.push(&Document { bytes, index: state.documents, offset });
                state.documents = state.documents.saturating_add(1);
                state.bytes = state.bytes.saturating_add(count(bytes.len()));
            }
        }
        Ok(Some(part))
    }

    /// Goes into the block that comes next; `None` at the end of the archive.
    fn enter(&mut self) -> Result<Option<ArchivePart>, ReadError> {
        let Some(header) = self.block_header()? else { return Ok(None) };
        let (collection, is_last) = self.begin(&header)?;
        if is_last {
            self.expect_terminator()?;
        } else {
            self.state.current = Some(collection);
        }
        Ok(Some(ArchivePart { collection, begins: true, ends: is_last, is_last, header }))
    }

    /// The document that begins a block; `None` at the end of the archive.
    fn block_header(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        let filled = self.window.fill(4).map_err(|error| self.io(error))?;
        if !filled && self.window.available().is_empty() {
            return Ok(None);
        }
        self.take_document(HEADER_BYTES_MAX)?;
        Ok(Some(self.window.taken().to_vec()))
    }

    /// Goes into the block that `header` begins: of which collection it is, and whether that ends.
    fn begin(&mut self, header: &[u8]) -> Result<(usize, bool), ReadError> {
        let parsed = NamespaceHeader::parse(header);
        let parsed =
            parsed.ok_or_else(|| self.fault(ReadFault::Archive("a block does not name its collection".to_owned())))?;
        let known = self.collections.iter().position(|collection| is_data_of(collection, &parsed.namespace));
        let place = known.unwrap_or_else(|| self.add(parsed.namespace.clone(), None));
        let Some(state) = self.state.namespaces.get_mut(place) else { return Ok((place, parsed.is_last)) };
        if state.ended {
            let what = format!("{} goes on behind its end", parsed.namespace);
            return Err(self.fault(ReadFault::Archive(what)));
        }
        state.begun = true;
        if parsed.is_last {
            state.ended = true;
            if state.crc.to_i64() != parsed.crc {
                let (found, expected) = (state.crc.to_i64().cast_unsigned(), parsed.crc.cast_unsigned());
                let what = format!(
                    "the documents of {} have the CRC {found:016x}, the archive says {expected:016x}: it is damaged",
                    parsed.namespace
                );
                return Err(self.fault(ReadFault::Archive(what)));
            }
        }
        Ok((place, parsed.is_last))
    }

    fn expect_terminator(&mut self) -> Result<(), ReadError> {
        if !self.at_terminator()? {
            return Err(self.fault(ReadFault::Archive("documents behind the end of their collection".to_owned())));
        }
        self.window.take(TERMINATOR.len());
        Ok(())
    }

    fn at_terminator(&mut self) -> Result<bool, ReadError> {
        if !self.window.fill(TERMINATOR.len()).map_err(|error| self.io(error))? {
            return Err(self.cut_fault());
        }
        Ok(self.window.available().starts_with(&TERMINATOR))
    }

    /// Takes the document that comes next.
    fn take_document(&mut self, bytes_max: usize) -> Result<(), ReadError> {
        if !self.window.fill(4).map_err(|error| self.io(error))? {
            return Err(self.cut_fault());
        }
        let length = self.window.available().first_chunk::<4>().map_or(0, |length| i32::from_le_bytes(*length));
        let len = usize::try_from(length).ok().filter(|&len| len >= 5);
        let len = len.ok_or_else(|| self.fault(ReadFault::BsonLength(length)))?;
        if len > bytes_max {
            return Err(self.fault(ReadFault::TooLarge { bytes: count(len), bytes_max: count(bytes_max) }));
        }
        if !self.window.fill(len).map_err(|error| self.io(error))? {
            return Err(self.cut_fault());
        }
        self.window.take(len);
        match self.window.taken().last() {
            Some(0) => Ok(()),
            last => Err(self.fault(ReadFault::BsonTerminator(last.copied().unwrap_or_default()))),
        }
    }

    fn read_prelude(&mut self) -> Result<(), ReadError> {
        let filled = self.window.fill(ARCHIVE_MAGIC.len()).map_err(|error| self.io(error))?;
        if !filled || !self.window.available().starts_with(&ARCHIVE_MAGIC) {
            return Err(self.fault(ReadFault::Archive("it does not begin as an archive does".to_owned())));
        }
        self.window.take(ARCHIVE_MAGIC.len());
        self.prelude.extend_from_slice(&ARCHIVE_MAGIC);
        self.take_document(HEADER_BYTES_MAX)?;
        self.header = ArchiveHeader::parse(self.window.taken());
        self.prelude.extend_from_slice(self.window.taken());
        while !self.at_terminator()? {
            self.take_document(HEADER_BYTES_MAX)?;
            let bytes = self.window.taken().to_vec();
            self.prelude.extend_from_slice(&bytes);
            self.add_described(&bytes)?;
        }
        self.window.take(TERMINATOR.len());
        self.prelude.extend_from_slice(&TERMINATOR);
        self.state.offset = self.window.offset();
        Ok(())
    }

    fn add_described(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let Some(namespace) = namespace_of(bytes) else {
            return Err(self.fault(ReadFault::Archive("the prelude does not name a collection".to_owned())));
        };
        let raw = string_of(bytes, "metadata").filter(|raw| !raw.is_empty());
        let metadata = match raw.map(|raw| Metadata::parse(raw.into_bytes())) {
            Some(Ok(metadata)) => Some(metadata),
            Some(Err(error)) => {
                let what = format!("the metadata of {namespace}: {}", error.kind);
                return Err(self.fault(ReadFault::Metadata(what)));
            }
            None => None,
        };
        self.add(namespace, metadata);
        Ok(())
    }

    fn add(&mut self, namespace: Namespace, metadata: Option<Metadata>) -> usize {
        let kind = CollectionKind::of(&namespace, metadata.as_ref());
        self.collections.push(Collection { namespace, kind, metadata });
        self.state.namespaces.push(NamespaceState::default());
        self.collections.len().saturating_sub(1)
    }

    #[cold]
    fn fault(&self, fault: ReadFault) -> ReadError {
        let documents = self.state.namespaces.iter().fold(0_u64, |sum, state| sum.saturating_add(state.documents));
        ReadError::new(&self.name, documents, self.window.offset(), fault)
    }

    #[cold]
    fn cut_fault(&self) -> ReadError {
        self.fault(ReadFault::ArchiveCut { incomplete: self.incomplete() })
    }

    #[cold]
    fn io(&self, error: std::io::Error) -> ReadError {
        match crate::compression::cut_short(&error) {
            Some(_) => self.cut_fault(),
            None => self.fault(ReadFault::Io(error)),
        }
    }
}

/// Whether the documents of `collection` stand under `name`: those of a time-series collection may be called its buckets.
fn is_data_of(collection: &Collection, name: &Namespace) -> bool {
    let own = &collection.namespace;
    let is_buckets = || {
        own.database == name.database
            && name.collection.strip_prefix("system.buckets.") == Some(own.collection.as_str())
    };
    own == name || (collection.kind == CollectionKind::TimeSeries && is_buckets())
}

/// Whether a collection is sure to have a stream of documents in an archive, were it an empty one. Those of a time-series
/// collection stand under one of two names.
const fn has_documents(collection: &Collection) -> bool {
    !matches!(collection.kind, CollectionKind::View | CollectionKind::TimeSeries | CollectionKind::Buckets)
}

struct NamespaceHeader {
    namespace: Namespace,
    is_last: bool,
    crc: i64,
}

impl NamespaceHeader {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let document = Bson::new(bytes).ok()?;
        let scalar = |name: &str| document.get(name).ok().flatten().and_then(|value| value.scalar().ok());
        let is_last = matches!(scalar("EOF"), Some(Scalar::Bool(true)));
        let crc = match scalar("CRC") {
            Some(Scalar::Int64(crc)) => crc,
            _ => 0,
        };
        Some(Self { namespace: namespace_of(bytes)?, is_last, crc })
    }
}

impl ArchiveHeader {
    fn parse(bytes: &[u8]) -> Self {
        let text = |name: &str| string_of(bytes, name).unwrap_or_default();
        Self {
            format_version: text("version"),
            server_version: text("server_version"),
            tool_version: text("tool_version"),
        }
    }
}

fn namespace_of(bytes: &[u8]) -> Option<Namespace> {
    let collection = string_of(bytes, "collection").filter(|name| !name.is_empty())?;
    Some(Namespace { database: string_of(bytes, "db").unwrap_or_default(), collection })
}

fn string_of(bytes: &[u8], name: &str) -> Option<String> {
    let value = Bson::new(bytes).ok()?.get(name).ok()??;
    value.as_str().ok().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms.
    #[test]
    fn the_crc_is_that_of_xz_and_goes_on_from_where_it_was() {
        let mut whole = Crc64::default();
        whole.update(b"123456789");
        assert_eq!(whole.to_i64().cast_unsigned(), 0x995d_c9bb_df19_39fa);
        let mut parts = Crc64::default();
        parts.update(b"1234");
        parts.update(b"");
        parts.update(b"56789");
        assert_eq!(parts, whole);
    }
}
