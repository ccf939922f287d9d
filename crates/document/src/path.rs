//! Where a value stands in its document: `$.a.b[1].c`.

use std::fmt;
use std::str::FromStr;

/// One step down.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    /// To the member of an object with this name.
    Field(String),
    /// To the element of an array at this place, counted from 0.
    Index(usize),
}

/// The way from a document's root to a value.
///
/// As text: `$` for the root, `.name` for a member, `[1]` for an element, and `["a.b"]` for a name that is empty or holds
/// anything but letters, digits, `_`, `$` and `-`, with the escapes of a JSON string. A leading `$.` may be left out when
/// a path is parsed, but an empty text is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathBuf(Vec<Segment>);

impl PathBuf {
    /// The root.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The steps from the root.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Steps down to the member `name`.
    pub fn push_field(&mut self, name: impl Into<String>) {
        self.0.push(Segment::Field(name.into()));
    }

    /// Steps down to element `index`.
    pub fn push_index(&mut self, index: usize) {
        self.0.push(Segment::Index(index));
    }

    /// Steps up; returns the step that was undone, `None` at the root.
    pub fn pop(&mut self) -> Option<Segment> {
        self.0.pop()
    }
}

impl FromIterator<Segment> for PathBuf {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

impl fmt::Display for PathBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.0.iter().try_for_each(|segment| write!(f, "{segment}"))
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Field(name) => FieldName(name).fmt(f),
        }
    }
}

/// A name as it stands in the text of a path: `.name` or `["odd name"]`. For writing a path without building one.
#[derive(Clone, Copy, Debug)]
pub struct FieldName<'a>(pub &'a str);

impl fmt::Display for FieldName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_plain(self.0) { write!(f, ".{}", self.0) } else { write_quoted(f, self.0) }
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_plain_char)
}

fn is_plain_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '-')
}

fn write_quoted(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    f.write_str("[\"")?;
    for c in name.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            c if c.is_control() => {
                c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(f, "\\u{unit:04x}"))?;
            }
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"]")
}

/// The text is not a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a path at byte {offset} of `{text}`: expected {expected}, as in `$.a.b[1][\"odd.name\"]`")]
pub struct ParsePathError {
    text: String,
    offset: usize,
    expected: &'static str,
}

impl FromStr for PathBuf {
    type Err = ParsePathError;

    fn from_str(text: &str) -> Result<Self, ParsePathError> {
        let mut parser = Parser { text, rest: text };
        parser.path().map_err(|expected| ParsePathError {
            text: text.to_owned(),
            offset: text.len().saturating_sub(parser.rest.len()),
            expected,
        })
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn path(&mut self) -> Result<PathBuf, &'static str> {
        // A variable of a shell that is not set must not mean everything.
        if self.rest.is_empty() {
            return Err("a name, or `$` for the whole document");
        }
        let rooted = self.rest == "$" || self.rest.starts_with("$.") || self.rest.starts_with("$[");
        if rooted {
            self.eat('$');
        }
        let mut path = PathBuf::new();
        while !self.rest.is_empty() {
            let first = self.rest.len() == self.text.len();
            path.0.push(self.segment(first)?);
        }
        Ok(path)
    }

    fn segment(&mut self, first: bool) -> Result<Segment, &'static str> {
        if self.eat('[') {
            let segment = if self.eat('"') { Segment::Field(self.quoted()?) } else { Segment::Index(self.index()?) };
            return if self.eat(']') { Ok(segment) } else { Err("`]`") };
        }
        if !first && !self.eat('.') {
            return Err("`.` or `[`");
        }
        let name = self.take_while(|c| c != '.' && c != '[');
        if name.is_empty() { Err("a name") } else { Ok(Segment::Field(name.to_owned())) }
    }

    fn index(&mut self) -> Result<usize, &'static str> {
        self.take_while(|c| c.is_ascii_digit()).parse().map_err(|_| "a number or a name in quotes")
    }

    fn quoted(&mut self) -> Result<String, &'static str> {
        let mut name = String::new();
        loop {
            name.push_str(self.take_while(|c| c != '"' && c != '\\'));
            if self.eat('"') {
                return Ok(name);
            }
            if !self.eat('\\') {
                return Err("a closing quote");
            }
            name.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, &'static str> {
        let escape = self.rest.chars().next().ok_or("an escape")?;
        self.eat(escape);
        match escape {
            '"' | '\\' | '/' => Ok(escape),
            'b' => Ok('\u{8}'),
            'f' => Ok('\u{c}'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'u' => self.escaped_char(),
            _ => Err("one of the escapes of a JSON string"),
        }
    }

    /// The character whose UTF-16 is written in hexadecimal digits: behind a first half the second one must follow.
    fn escaped_char(&mut self) -> Result<char, &'static str> {
        let first = self.utf16_unit()?;
        let is_half = (0xD800..0xDC00).contains(&first);
        let second = if is_half && self.eat('\\') && self.eat('u') { Some(self.utf16_unit()?) } else { None };
        let mut chars = char::decode_utf16([first].into_iter().chain(second));
        chars.next().and_then(Result::ok).ok_or("a character")
    }

    fn utf16_unit(&mut self) -> Result<u16, &'static str> {
        let digits = self.rest.get(..4).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let digits = digits.ok_or("four hexadecimal digits")?;
        self.rest = self.rest.get(4..).unwrap_or_default();
        u16::from_str_radix(digits, 16).map_err(|_| "four hexadecimal digits")
    }

    fn eat(&mut self, c: char) -> bool {
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_written() {
        for text in ["$", "$.a", "$.a.b[1].c", "$[0][12]", "$[\"a.b\"].c", "$[\"\"]", "$[\"q\\\"\\\\\"]", "$.größe"] {
            assert_eq!(text.parse::<PathBuf>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_root_may_be_left_out() {
        assert_eq!("a[1]".parse::<PathBuf>().unwrap().to_string(), "$.a[1]");
        assert_eq!("$oid".parse::<PathBuf>().unwrap().segments(), [Segment::Field("$oid".into())]);
    }

    #[test]
    fn a_quoted_name_has_the_escapes_of_json() {
        let path: PathBuf = r#"["\b\f\n\r\t\/\u00e9\ud83d\ude00"]"#.parse().unwrap();
        assert_eq!(path.segments(), [Segment::Field("\u{8}\u{c}\n\r\t/é😀".into())]);
        for text in [r#"["\u+041"]"#, r#"["\ud83d"]"#, r#"["\ud83d\u0041"]"#, r#"["\ude00"]"#, r#"["\x41"]"#] {
            assert!(text.parse::<PathBuf>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_path_is_refused_with_its_place() {
        for (text, offset) in [("", 0), ("a..b", 2), ("a[x]", 2), ("a[1", 3), ("[\"a", 3), ("a[1]b", 4), ("a.", 2)] {
            assert_eq!(text.parse::<PathBuf>().unwrap_err().offset, offset, "{text}");
        }
    }
}
