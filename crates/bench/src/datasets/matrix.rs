//! The matrix of a published comparison: documents of F fields of L bytes each.

use std::fmt;
use std::str::FromStr;

use boson_document::{Container, Descend, Scalar, Sink, Source, Span, Value};

/// One cell of the matrix: a document of fields `field_1` to `field_F`, each holding `len` times the letter `a`. It is a
/// source itself, which keeps one string, so that the largest cell does not take its 100 MB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Matrix {
    /// How many fields.
    pub fields: usize,
    /// Bytes in each field's string.
    pub len: usize,
}

impl Matrix {
    /// The nine cells of the published table.
    pub const TABLE: [Self; 9] = [
        Self::new(10, 1000),
        Self::new(100, 1000),
        Self::new(1000, 1000),
        Self::new(10, 10_000),
        Self::new(100, 10_000),
        Self::new(1000, 10_000),
        Self::new(10, 100_000),
        Self::new(100, 100_000),
        Self::new(1000, 100_000),
    ];

    /// The cell of `fields` fields of `len` bytes.
    pub const fn new(fields: usize, len: usize) -> Self {
        Self { fields, len }
    }

    fn names(self) -> impl Iterator<Item = String> {
        (1..=self.fields).map(|number| format!("field_{number}"))
    }

    fn text(self) -> String {
        "a".repeat(self.len)
    }

    /// The document as a tree.
    pub fn to_value(self) -> Value {
        let text = self.text();
        Value::Object(self.names().map(|name| (name, Value::String(text.clone()))).collect())
    }
}

impl Source for Matrix {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let (text, nowhere) = (self.text(), Span::default());
        if sink.begin_object(Container { span: nowhere, len: Some(self.fields) })? == Descend::Skip {
            return Ok(());
        }
        for name in self.names() {
            sink.key(&name, nowhere)?;
            sink.scalar(Scalar::String(&text), nowhere)?;
        }
        sink.end_object()
    }
}

impl fmt::Display for Matrix {
    /// `FIELDSxLENGTH`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.fields, self.len)
    }
}

/// The text is not two numbers with an `x` between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a matrix as FIELDSxLENGTH, such as 10x1000")]
pub struct ParseMatrixError;

impl FromStr for Matrix {
    type Err = ParseMatrixError;

    fn from_str(text: &str) -> Result<Self, ParseMatrixError> {
        let (fields, len) = text.split_once('x').ok_or(ParseMatrixError)?;
        let number = |digits: &str| digits.parse().map_err(|_| ParseMatrixError);
        Ok(Self { fields: number(fields)?, len: number(len)? })
    }
}
