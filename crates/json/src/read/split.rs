//! Where one value ends and the next begins, without parsing them.

use std::io::{self, BufRead};

use boson_document::{DecodeError, DecodeErrorKind, Limit, Limits, Rule};

use super::BYTE_ORDER_MARK;

/// Finds where a value ends in a text that arrives in pieces.
///
/// It looks at quotes and brackets only, so a value that is cut out may still be none: reading it tells. What is well-formed
/// is cut where it ends.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    state: State,
    /// Containers that were opened and not closed.
    depth: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Before the first byte of a value.
    #[default]
    Start,
    /// Inside a container and outside its strings.
    Inside,
    /// Inside a string.
    String,
    /// Inside a string, after a backslash.
    Escape,
    /// Inside a number or a literal that is the whole value.
    Token,
}

impl Splitter {
    /// A splitter that waits for a value.
    pub const fn new() -> Self {
        Self { state: State::Start, depth: 0 }
    }

    /// Reads on in `bytes`, the first of which must not be white space when no value has begun. Returns how many of them
    /// belong to the value when it ends among them or before them, after which the splitter waits for another; `None`
    /// when all of them do and more are needed.
    pub fn advance(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0_usize;
        while let Some(&byte) = bytes.get(at) {
            match self.state {
                State::String => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let skipped = memchr::memchr2(b'"', b'\\', rest)?;
                    at = at.saturating_add(skipped);
                    let escaped = bytes.get(at) == Some(&b'\\');
                    self.state = if escaped { State::Escape } else { State::Inside };
                    if !escaped && self.depth == 0 {
                        return Some(self.end(at.saturating_add(1)));
                    }
                }
                State::Escape => self.state = State::String,
                State::Token if ends_token(byte) => return Some(self.end(at)),
                State::Token => {}
                State::Start | State::Inside => {
                    if self.structural(byte) {
                        return Some(self.end(at.saturating_add(1)));
                    }
                }
            }
            at = at.saturating_add(1);
        }
        None
    }

    /// Whether a value has begun that the end of the input may end: a number or a literal.
    pub fn may_end(&self) -> bool {
        self.state == State::Token
    }

    /// Whether a value has begun.
    pub fn has_begun(&self) -> bool {
        self.state != State::Start
    }

    /// Takes one byte outside strings; says whether the value ends with it.
    fn structural(&mut self, byte: u8) -> bool {
        match byte {
            b'"' => self.state = State::String,
            b'[' | b'{' => {
                self.state = State::Inside;
                self.depth = self.depth.saturating_add(1);
            }
            b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ if self.state == State::Start => self.state = State::Token,
            _ => {}
        }
        false
    }

    /// The value ends after `len` bytes.
    fn end(&mut self, len: usize) -> usize {
        *self = Self::new();
        len
    }
}

fn ends_token(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b',' | b':' | b'"' | b'[' | b']' | b'{' | b'}')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// One value cut out of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'v> {
    /// Bytes before it in the stream.
    pub offset: usize,
    /// Its text, without white space around it.
    pub bytes: &'v [u8],
}

/// The values in a stream, cut out one at a time: values that follow each other, with or without white space between
/// them (so also one a line), or the elements of one array.
///
/// Never more than one value is held.
#[derive(Debug)]
pub struct Values<R> {
    reader: R,
    limits: Limits,
    place: Place,
    buffer: Vec<u8>,
    /// Bytes read so far.
    offset: usize,
    /// Bytes before the value that was looked for last.
    value_offset: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// At the first byte of the stream.
    Beginning { array: bool },
    /// Between values that follow each other.
    Between,
    /// After the opening bracket of the array.
    ArrayStart,
    /// After an element of the array.
    ArrayNext,
    /// After the end.
    End,
}

impl<R: BufRead> Values<R> {
    /// The values that follow each other in `reader`.
    pub const fn concatenated(reader: R) -> Self {
        Self::new(reader, false)
    }

    /// The elements of the array in `reader`.
    pub const fn elements(reader: R) -> Self {
        Self::new(reader, true)
    }

    const fn new(reader: R, array: bool) -> Self {
        Self {
            reader,
            limits: Limits::JSON,
            place: Place::Beginning { array },
            buffer: Vec::new(),
            offset: 0,
            value_offset: 0,
        }
    }

    /// Refuses a value that is larger than `limits` allows, before it is held.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The next value; `None` after the last. Only its ends were found: [`Text`](super::Text) reads it.
    ///
    /// # Errors
    ///
    /// What stands where a value, a comma or the end of the array was expected, a value that ends too early or is too
    /// large, and `Io` when reading failed. Offsets count from the beginning of the stream.
    pub fn next_value(&mut self) -> Result<Option<Piece<'_>>, DecodeError> {
        let found = self.find_start();
        self.value_offset = self.offset;
        if !found? {
            return Ok(None);
        }
        self.take_value()?;
        Ok(Some(Piece { offset: self.value_offset, bytes: &self.buffer }))
    }

    /// Bytes before the value that [`next_value`](Self::next_value) looked for last, also when it failed: where the value
    /// that cannot be cut out begins, or would have begun.
    pub const fn value_offset(&self) -> usize {
        self.value_offset
    }

    /// Moves the value that begins here into the buffer.
    fn take_value(&mut self) -> Result<(), DecodeError> {
        let offset = self.offset;
        self.buffer.clear();
        let mut splitter = Splitter::new();
        loop {
            let chunk = chunk(&mut self.reader, self.offset)?;
            if chunk.is_empty() {
                if splitter.may_end() {
                    return Ok(());
                }
                return Err(DecodeError::new(self.offset, DecodeErrorKind::UnexpectedEnd { missing: 1 }));
            }
            let ended = splitter.advance(chunk);
            let taken = ended.unwrap_or(chunk.len());
            if self.buffer.len().saturating_add(taken) > self.limits.bytes {
                return Err(DecodeError::new(offset, DecodeErrorKind::LimitExceeded(Limit::Bytes)));
            }
            self.buffer.extend_from_slice(chunk.get(..taken).unwrap_or_default());
            self.consume(taken);
            if ended.is_some() {
                return Ok(());
            }
        }
    }

    /// Goes to the first byte of the next value; false when there is none.
    fn find_start(&mut self) -> Result<bool, DecodeError> {
        if let Place::Beginning { array } = self.place {
            self.skip_byte_order_mark()?;
            self.place = Place::Between;
            if array {
                self.expect(b'[', Rule::JsonValue)?;
                self.place = Place::ArrayStart;
            }
        }
        match (self.place, self.next_byte()?) {
            (Place::End | Place::Between, None) => Ok(false),
            (Place::End, Some(_)) => Err(self.broken(Rule::JsonAfterArray)),
            (_, None) => Err(DecodeError::new(self.offset, DecodeErrorKind::UnexpectedEnd { missing: 1 })),
            (Place::ArrayStart | Place::ArrayNext, Some(b']')) => {
                self.consume(1);
                self.place = Place::End;
                self.find_start()
            }
            (Place::ArrayNext, Some(_)) => {
                self.expect(b',', Rule::JsonComma)?;
                match self.next_byte()? {
                    Some(b']') => Err(self.broken(Rule::JsonTrailingComma)),
                    _ => self.value_start(),
                }
            }
            (place, Some(_)) => {
                if place == Place::ArrayStart {
                    self.place = Place::ArrayNext;
                }
                self.value_start()
            }
        }
    }

    fn value_start(&mut self) -> Result<bool, DecodeError> {
        match self.next_byte()? {
            Some(b',' | b':' | b']' | b'}') => Err(self.broken(Rule::JsonValue)),
            Some(_) => Ok(true),
            None => Err(DecodeError::new(self.offset, DecodeErrorKind::UnexpectedEnd { missing: 1 })),
        }
    }

    fn expect(&mut self, wanted: u8, rule: Rule) -> Result<(), DecodeError> {
        match self.next_byte()? {
            Some(byte) if byte == wanted => {
                self.consume(1);
                Ok(())
            }
            Some(_) => Err(self.broken(rule)),
            None => Err(DecodeError::new(self.offset, DecodeErrorKind::UnexpectedEnd { missing: 1 })),
        }
    }

    /// The next byte that is not white space, which is skipped; the byte is not.
    fn next_byte(&mut self) -> Result<Option<u8>, DecodeError> {
        loop {
            let chunk = chunk(&mut self.reader, self.offset)?;
            if chunk.is_empty() {
                return Ok(None);
            }
            let found = chunk.iter().position(|&byte| !is_space(byte));
            let byte = found.and_then(|at| chunk.get(at).copied());
            let skipped = found.unwrap_or(chunk.len());
            self.consume(skipped);
            if byte.is_some() {
                return Ok(byte);
            }
        }
    }

    fn skip_byte_order_mark(&mut self) -> Result<(), DecodeError> {
        for wanted in BYTE_ORDER_MARK {
            let chunk = chunk(&mut self.reader, self.offset)?;
            if chunk.first() != Some(&wanted) {
                break;
            }
            self.consume(1);
        }
        match self.offset {
            0 | 3 => Ok(()),
            // Part of a mark is no white space and no value either.
            _ => Err(DecodeError::new(0, DecodeErrorKind::Broken(Rule::JsonValue))),
        }
    }

    /// What stands here is not what `rule` has here.
    #[cold]
    const fn broken(&self, rule: Rule) -> DecodeError {
        DecodeError::new(self.offset, DecodeErrorKind::Broken(rule))
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
        self.offset = self.offset.saturating_add(count);
    }
}

/// What `reader`, of which `offset` bytes are read, has at hand; empty at the end.
fn chunk<R: BufRead>(reader: &mut R, offset: usize) -> Result<&[u8], DecodeError> {
    while let Err(error) = reader.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(io_fault(offset, &error));
        }
    }
    reader.fill_buf().map_err(|error| io_fault(offset, &error))
}

#[cold]
fn io_fault(offset: usize, error: &io::Error) -> DecodeError {
    DecodeError::new(offset, DecodeErrorKind::Io(error.kind()))
}
