//! Reading a text no further than to the field that is looked for.

use boson_document::{Container, DecodeError, Descend, PathBuf, Scalar, Segment, Sink, Source, Span};
use boson_json::Text;

/// A leaf that was found.
pub(super) struct Stop {
    /// Where it ends, in bytes.
    pub(super) end: usize,
    /// Its number, where it is one of 64 bits.
    pub(super) value: Option<i64>,
}

/// The leaf at `path`; `None` when there is none. What comes after it is not read.
pub(super) fn find_in_text(text: Text<'_>, path: &PathBuf) -> Result<Option<Stop>, DecodeError> {
    let mut search = Search { rest: path.segments(), is_next: true };
    match text.drive(&mut search) {
        Ok(()) | Err(Ended::Absent) => Ok(None),
        Err(Ended::Found(stop)) => Ok(Some(stop)),
        Err(Ended::Fault(fault)) => Err(fault),
    }
}

/// What ends a search.
enum Ended {
    Found(Stop),
    Absent,
    Fault(DecodeError),
}

impl From<DecodeError> for Ended {
    fn from(error: DecodeError) -> Self {
        Self::Fault(error)
    }
}

/// Descends into what lies on the path, and into nothing else.
struct Search<'p> {
    /// The steps from the innermost object that was entered.
    rest: &'p [Segment],
    /// Whether the value that comes next lies on the path.
    is_next: bool,
}

impl Search<'_> {
    fn begin(&mut self) -> Descend {
        if std::mem::take(&mut self.is_next) { Descend::Into } else { Descend::Skip }
    }
}

impl Sink for Search<'_> {
    type Error = Ended;

    fn begin_object(&mut self, _: Container) -> Result<Descend, Ended> {
        Ok(self.begin())
    }

    /// Only objects on the path are entered, and each of them but the last led to the next.
    fn end_object(&mut self) -> Result<(), Ended> {
        Err(Ended::Absent)
    }

    fn begin_array(&mut self, _: Container) -> Result<Descend, Ended> {
        self.is_next = false;
        Ok(Descend::Skip)
    }

    fn end_array(&mut self) -> Result<(), Ended> {
        Ok(())
    }

    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, Ended> {
        Ok(Descend::Skip)
    }

    fn end_code_with_scope(&mut self) -> Result<(), Ended> {
        Ok(())
    }

    fn key(&mut self, name: &str, _: Span) -> Result<(), Ended> {
        if let Some((Segment::Field(wanted), rest)) = self.rest.split_first()
            && wanted == name
        {
            (self.rest, self.is_next) = (rest, true);
        }
        Ok(())
    }

    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), Ended> {
        if !std::mem::take(&mut self.is_next) || !self.rest.is_empty() {
            return Ok(());
        }
        let value = match scalar {
            Scalar::Int32(value) => Some(i64::from(value)),
            Scalar::Int64(value) => Some(value),
            _ => None,
        };
        Err(Ended::Found(Stop { end: span.end(), value }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_read_to_the_field_and_no_further() {
        let text = br#"{"a":{"b":1,"x":2},"x":[{"x":3}],"b":{"x":4, BROKEN"#;
        let find = |path: &str| {
            let path: PathBuf = path.parse().unwrap_or_default();
            find_in_text(Text::new(text), &path).map(|found| found.map(|found| (found.end, found.value)))
        };
        assert_eq!(find("a.x"), Ok(Some((17, Some(2)))));
        assert_eq!(find("b.x"), Ok(Some((43, Some(4)))));
        assert_eq!(find("a.c"), Ok(None));
        assert!(find("c").is_err());
    }
}
