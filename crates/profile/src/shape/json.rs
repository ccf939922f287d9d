//! Whole documents that hide in a string.

use super::Shape;

/// Deeper texts are left alone.
const DEPTH_MAX: u32 = 64;

/// An object or an array as JSON text (RFC 8259), with at least one member.
pub(super) fn container(bytes: &[u8]) -> Option<Shape> {
    let encloses = matches!((bytes.first(), bytes.last()), (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')));
    (encloses && Scanner { rest: bytes, open: 0, depth: 0 }.check().is_some()).then_some(Shape::Json)
}

/// Checks a text without keeping anything of it: the containers around the place are bits, 1 for an object.
struct Scanner<'a> {
    rest: &'a [u8],
    open: u64,
    depth: u32,
}

impl Scanner<'_> {
    /// `None` at the first fault, and for a container with nothing in it.
    fn check(mut self) -> Option<()> {
        let mut members = 0_usize;
        loop {
            // A value stands here.
            members += usize::from(self.depth > 0);
            if let open @ (b'{' | b'[') = self.next()? {
                self.begin(open)?;
                if !self.closes() {
                    self.name()?;
                    continue;
                }
            } else {
                self.leaf()?;
            }
            while self.closes() {
                if self.depth == 0 {
                    self.space();
                    return (self.rest.is_empty() && members > 0).then_some(());
                }
            }
            self.eat(b',')?;
            self.name()?;
        }
    }

    fn begin(&mut self, open: u8) -> Option<()> {
        self.rest = self.rest.get(1..)?;
        self.depth = Some(self.depth + 1).filter(|&depth| depth <= DEPTH_MAX)?;
        self.open = (self.open << 1) | u64::from(open == b'{');
        Some(())
    }

    fn in_object(&self) -> bool {
        self.open & 1 == 1
    }

    /// Ends the innermost container if its end stands here.
    fn closes(&mut self) -> bool {
        let end = if self.in_object() { b'}' } else { b']' };
        let closes = self.depth > 0 && self.eat(end).is_some();
        if closes {
            self.open >>= 1;
            self.depth -= 1;
        }
        closes
    }

    /// The name and the colon before a member of an object.
    fn name(&mut self) -> Option<()> {
        if self.in_object() {
            self.eat(b'"')?;
            self.string()?;
            self.eat(b':')?;
        }
        Some(())
    }

    fn leaf(&mut self) -> Option<()> {
        match self.next()? {
            b'"' => {
                self.eat(b'"')?;
                self.string()
            }
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            b'-' | b'0'..=b'9' => self.number(),
            _ => None,
        }
    }

    /// What follows an opening quote, up to the closing one.
    fn string(&mut self) -> Option<()> {
        loop {
            match self.rest {
                [b'"', rest @ ..] => {
                    self.rest = rest;
                    return Some(());
                }
                [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u', rest @ ..] => self.rest = rest,
                [b'\\' | ..=0x1F, ..] | [] => return None,
                [_, rest @ ..] => self.rest = rest,
            }
        }
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.rest = self.rest.strip_prefix(word)?;
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        let len =
            self.rest.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')).count();
        let (number, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        std::str::from_utf8(number).ok()?.parse::<f64>().ok().map(|_| ())
    }

    fn space(&mut self) {
        let len = self.rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.rest = self.rest.get(len..).unwrap_or_default();
    }

    fn next(&mut self) -> Option<u8> {
        self.space();
        self.rest.first().copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.next() == Some(byte)).then(|| self.rest = self.rest.get(1..).unwrap_or_default())
    }
}
