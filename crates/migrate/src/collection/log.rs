//! The undo log of a collection: each value before and after, on the disk before the update that changes it is sent.
//!
//! A line that names it, then frames as in the log of a dump. `H` says of which collection; `U` is a block of entries, named
//! by where it begins in the file; `V` says which entries of a block never took place, because the document was another by
//! then. Blocks and voids begin with a hash of the rest: what was cut short by a crash was not acknowledged as written, so no
//! update was sent for it, and it is left out.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use boson_bson::Tag;
use serde::{Deserialize, Serialize};

use super::change::Change;
use super::raw::RawValue;
use crate::chunk::hash;
use crate::run::{Growing, RunError, io_error};
use crate::undo::{Numbers, next, put, put_number};

/// The first line of such a log.
pub(crate) const MAGIC: &[u8] = b"boson undo log of a collection 1\n";

/// How hard blocks are compressed.
const LEVEL: i32 = 1;

/// A larger block than any that is written.
const BLOCK_BYTES_MAX: u64 = 1 << 30;

/// Whose values they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LogHeader {
    /// `database.collection`.
    pub(crate) namespace: String,
}

/// What is done in one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) id: RawValue,
    pub(crate) changes: Vec<Change>,
}

/// Entries as a block's content.
pub(crate) fn encode(entries: &[Entry], again: bool) -> io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    put_number(&mut plain, entries.len() as u64);
    for entry in entries {
        put_value(&mut plain, Some(&entry.id));
        put_number(&mut plain, entry.changes.len() as u64);
        for change in &entry.changes {
            put_number(&mut plain, change.path.len() as u64);
            for name in &change.path {
                put_bytes(&mut plain, name.as_bytes());
            }
            put_value(&mut plain, change.from.as_ref());
            put_value(&mut plain, change.to.as_ref());
        }
    }
    let mut content = vec![u8::from(again)];
    content.extend_from_slice(&zstd::bulk::compress(&plain, LEVEL)?);
    Ok(content)
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// No type has the number 0: it says that there is no value.
fn put_value(out: &mut Vec<u8>, value: Option<&RawValue>) {
    out.push(value.map_or(0, |value| value.tag().byte()));
    put_bytes(out, value.map_or(&[], RawValue::bytes));
}

fn take_bytes<'a>(numbers: &mut Numbers<'a>) -> Option<&'a [u8]> {
    let len = numbers.next()?;
    let (bytes, rest) = numbers.0.split_at_checked(len)?;
    numbers.0 = rest;
    Some(bytes)
}

/// A value, or that there is none; an error when the bytes are none of either.
fn take_value(numbers: &mut Numbers<'_>) -> Result<Option<RawValue>, Damaged> {
    let (&tag, rest) = numbers.0.split_first().ok_or(Damaged)?;
    numbers.0 = rest;
    let bytes = take_bytes(numbers).ok_or(Damaged)?.to_vec();
    if tag == 0 { Ok(None) } else { Ok(Some(RawValue::new(Tag::from_byte(tag).ok_or(Damaged)?, bytes))) }
}

/// The bytes are no block.
struct Damaged;

fn take_change(numbers: &mut Numbers<'_>) -> Option<Change> {
    let mut path = Vec::new();
    for _ in 0..numbers.next()? {
        path.push(String::from_utf8(take_bytes(numbers)?.to_vec()).ok()?);
    }
    Some(Change { path, from: take_value(numbers).ok()?, to: take_value(numbers).ok()? })
}

fn parse(plain: &[u8]) -> Option<Vec<Entry>> {
    let mut numbers = Numbers(plain);
    let mut entries = Vec::new();
    for _ in 0..numbers.next()? {
        let id = take_value(&mut numbers).ok()??;
        let mut changes = Vec::new();
        for _ in 0..numbers.next()? {
            changes.push(take_change(&mut numbers)?);
        }
        entries.push(Entry { id, changes });
    }
    numbers.0.is_empty().then_some(entries)
}

/// A log that is being written.
#[derive(Debug)]
pub(crate) struct Log(Growing);

impl Log {
    /// The log at `path`, at least `floor` bytes of which are whole; what was cut short behind them goes.
    pub(crate) fn open(path: &Path, header: &LogHeader, floor: u64) -> Result<Self, RunError> {
        let whole = whole_len(path, floor).map_err(io_error(path))?;
        let mut file = Growing::open(path, whole.max(floor))?;
        if file.len == 0 {
            let mut bytes = MAGIC.to_vec();
            let json = serde_json::to_vec(header).unwrap_or_default();
            put(b'H', &json, &mut bytes).map_err(io_error(path))?;
            file.append(&bytes)?;
            file.sync()?;
        }
        Ok(Self(file))
    }

    /// How many bytes it has.
    pub(crate) const fn len(&self) -> u64 {
        self.0.len
    }

    /// Adds a block, and returns when it is on the disk: by what it is named.
    pub(crate) fn append(&mut self, content: &[u8]) -> Result<u64, RunError> {
        let name = self.0.len;
        self.frame(b'U', content)?;
        self.0.sync()?;
        Ok(name)
    }

    /// Says which entries of the block did not take place. It need not be on the disk at once: without it they count as done,
    /// and what undoes them then finds another value.
    pub(crate) fn void(&mut self, block: u64, places: &[usize]) -> Result<(), RunError> {
        if places.is_empty() {
            return Ok(());
        }
        let mut content = block.to_le_bytes().to_vec();
        put_number(&mut content, places.len() as u64);
        for place in places {
            put_number(&mut content, *place as u64);
        }
        self.frame(b'V', &content)
    }

    fn frame(&mut self, letter: u8, content: &[u8]) -> Result<(), RunError> {
        let mut payload = hash(content).to_le_bytes().to_vec();
        payload.extend_from_slice(content);
        let mut bytes = Vec::new();
        put(letter, &payload, &mut bytes).map_err(io_error(&self.0.path))?;
        self.0.append(&bytes)
    }

    pub(crate) fn sync(&mut self) -> Result<(), RunError> {
        self.0.sync()
    }
}

/// Up to where the file is whole, which it is known to be up to `floor`.
fn whole_len(path: &Path, floor: u64) -> io::Result<u64> {
    let Ok(file) = File::open(path) else { return Ok(0) };
    let mut file = BufReader::new(file);
    let start = if floor == 0 {
        let mut magic = [0; MAGIC.len()];
        if file.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Ok(0);
        }
        MAGIC.len() as u64
    } else {
        file.seek(SeekFrom::Start(floor))?
    };
    let mut frames = Frames { file, at: start };
    while let Ok(Some(_)) = frames.next() {}
    Ok(if frames.at == MAGIC.len() as u64 { 0 } else { frames.at })
}

/// The frames of a log, one after the other.
struct Frames {
    file: BufReader<File>,
    /// Where the next one begins.
    at: u64,
}

impl Frames {
    /// Where the next frame begins, its letter, its content without the hash; `None` at the end, or where it is cut.
    fn next(&mut self) -> io::Result<Option<(u64, u8, Vec<u8>)>> {
        let Some((letter, payload)) = next(&mut self.file)? else { return Ok(None) };
        let len = payload.len() as u64;
        let content = if letter == b'H' { Some(payload) } else { checked(&payload) };
        let content =
            content.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a block of the undo log is damaged"))?;
        let start = self.at;
        self.at += len + 5;
        Ok(Some((start, letter, content)))
    }
}

/// The bytes behind their hash, if they have it.
fn checked(payload: &[u8]) -> Option<Vec<u8>> {
    let (sum, content) = payload.split_first_chunk()?;
    (u64::from_le_bytes(*sum) == hash(content)).then(|| content.to_vec())
}

/// A block of a log that is read.
#[derive(Debug)]
pub(crate) struct Place {
    at: u64,
    /// Whether its documents were read again because they had changed, or were reached in a later pass.
    pub(crate) again: bool,
}

/// A log that is read.
#[derive(Debug)]
pub(crate) struct Reading {
    path: PathBuf,
    pub(crate) header: LogHeader,
    pub(crate) blocks: Vec<Place>,
    void: HashMap<u64, HashSet<usize>>,
}

impl Reading {
    /// Goes through the log at `path`.
    pub(crate) fn open(path: &Path) -> Result<Self, RunError> {
        let mut reading =
            Self { path: path.to_owned(), header: LogHeader::default(), blocks: Vec::new(), void: HashMap::new() };
        reading.go_through().map_err(io_error(path))?;
        Ok(reading)
    }

    fn go_through(&mut self) -> io::Result<()> {
        let mut file = BufReader::new(File::open(&self.path)?);
        let mut magic = [0; MAGIC.len()];
        if file.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "this is no undo log of a collection"));
        }
        let mut frames = Frames { file, at: MAGIC.len() as u64 };
        while let Some((at, letter, content)) = frames.next()? {
            match letter {
                b'H' => self.header = serde_json::from_slice(&content)?,
                b'U' => self.blocks.push(Place { at, again: content.first() == Some(&1) }),
                b'V' => self.add_void(&content),
                _ => return Err(io::Error::new(io::ErrorKind::InvalidData, "an unknown frame in the undo log")),
            }
        }
        Ok(())
    }

    fn add_void(&mut self, content: &[u8]) {
        let mut numbers = Numbers(content);
        let Some(block) = numbers.hash() else { return };
        let places = self.void.entry(block).or_default();
        let count = numbers.next().unwrap_or_default();
        places.extend((0..count).map_while(|_| numbers.next()));
    }

    /// The entries of a block that took place, or may have.
    pub(crate) fn entries(&self, place: &Place) -> Result<Vec<Entry>, RunError> {
        let entries = self.read(place.at).map_err(io_error(&self.path))?;
        let Some(void) = self.void.get(&place.at) else { return Ok(entries) };
        let real = entries.into_iter().enumerate().filter(|(place, _)| !void.contains(place));
        Ok(real.map(|(_, entry)| entry).collect())
    }

    fn read(&self, at: u64) -> io::Result<Vec<Entry>> {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "a block of the undo log is damaged");
        let mut file = BufReader::new(File::open(&self.path)?);
        file.seek(SeekFrom::Start(at))?;
        let (_, _, content) = Frames { file, at }.next()?.ok_or_else(damaged)?;
        let compressed = content.get(1..).ok_or_else(damaged)?;
        let mut plain = Vec::new();
        zstd::Decoder::new(compressed)?.take(BLOCK_BYTES_MAX).read_to_end(&mut plain)?;
        parse(&plain).ok_or_else(damaged)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use super::super::raw::{int, text};
    use super::*;

    fn entry(id: i32) -> Entry {
        let companion = Change { path: vec!["b".to_owned(), "c.d".to_owned()], from: None, to: Some(text("x")) };
        let value = Change { path: vec!["a".to_owned()], from: Some(text("5")), to: Some(int(5)) };
        Entry { id: int(id), changes: vec![value, companion] }
    }

    #[test]
    fn entries_come_back_but_for_those_that_did_not_take_place_and_a_frame_that_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("undo");
        let header = LogHeader { namespace: "shop.log".to_owned() };
        let mut log = Log::open(&path, &header, 0).unwrap();
        let first = log.append(&encode(&[entry(1), entry(2), entry(3)], false).unwrap()).unwrap();
        log.void(first, &[1]).unwrap();
        let floor = log.len();
        log.append(&encode(&[entry(4)], true).unwrap()).unwrap();
        let whole = log.len();
        drop(log);
        // A frame that says it has a hundred bytes, and has three.
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"U\x64\0\0\0abc").unwrap();
        for floor in [0, floor] {
            assert_eq!(Log::open(&path, &header, floor).unwrap().len(), whole);
        }
        let reading = Reading::open(&path).unwrap();
        assert_eq!(reading.header, header);
        let [one, two] = &*reading.blocks else { panic!("two blocks") };
        assert_eq!(reading.entries(one).unwrap(), [entry(1), entry(3)]);
        assert_eq!((reading.entries(two).unwrap(), two.again), (vec![entry(4)], true));
    }

    #[test]
    fn a_log_that_was_damaged_in_its_middle_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("undo");
        let mut log = Log::open(&path, &LogHeader::default(), 0).unwrap();
        let at = log.append(&encode(&[entry(1)], false).unwrap()).unwrap();
        drop(log);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[usize::try_from(at).unwrap() + 20] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(Reading::open(&path).is_err());
    }
}
