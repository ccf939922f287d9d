//! A document of any format.

use boson_document::{
    Builder, DecodeError, Discard, Kind, Layout, Limits, Located, PathBuf, Region, Scalar, Sink, Source, Span, Value,
};
use boson_json::{Dialects, Unwrap};

use crate::format::Format;
use crate::locate::{First, Locate, Select};
use crate::policy::Policy;

/// A document in one of the three formats, as the bytes it is.
///
/// ```
/// use boson_document::Scalar;
/// use boson_transcode::{AnyDocument, Format};
///
/// let bytes = b"\x0c\0\0\0\x10n\0\x07\0\0\0\0";
/// let document = AnyDocument::new(Format::detect(bytes)?.format, bytes)?;
/// let found = document.get_path(&"$.n".parse()?)?.ok_or("no such field")?;
/// assert_eq!(found.scalar()?, Some(Scalar::Int32(7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum AnyDocument<'a> {
    /// BSON.
    Bson(boson_bson::Document<'a>),
    /// An OSON image.
    Oson(boson_oson::Document<'a>),
    /// A JSON text.
    Json(boson_json::Text<'a>),
}

impl<'a> AnyDocument<'a> {
    /// The document that `bytes` are, from the first to the last. Of BSON and OSON the header is checked, of JSON nothing.
    ///
    /// # Errors
    ///
    /// What is wrong with the header.
    pub fn new(format: Format, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Ok(match format {
            Format::Bson => Self::Bson(boson_bson::Document::new(bytes)?),
            Format::Oson => Self::Oson(boson_oson::Document::new(bytes)?),
            Format::Json => Self::Json(boson_json::Text::new(bytes)),
        })
    }

    /// The format.
    pub const fn format(&self) -> Format {
        match self {
            Self::Bson(_) => Format::Bson,
            Self::Oson(_) => Format::Oson,
            Self::Json(_) => Format::Json,
        }
    }

    /// What the root is.
    ///
    /// # Errors
    ///
    /// What is wrong with the root.
    pub fn kind(&self) -> Result<Kind, DecodeError> {
        match self {
            Self::Bson(_) => Ok(Kind::Object),
            Self::Oson(document) => document.root().map(|root| root.kind()),
            Self::Json(_) => {
                let mut root = Locate::root_only();
                self.drive(&mut root)?;
                Ok(root.root_kind())
            }
        }
    }

    /// Delivers the document to `sink` within `limits` rather than those of its format.
    ///
    /// # Errors
    ///
    /// The document's first fault, or what the sink returned.
    pub fn drive_within<S: Sink>(&self, limits: Limits, sink: &mut S) -> Result<(), S::Error> {
        match self {
            Self::Bson(document) => {
                let options = boson_bson::ReadOptions { limits, ..boson_bson::ReadOptions::default() };
                document.with(options).drive(sink)
            }
            Self::Oson(document) => document.limited(limits).drive(sink),
            Self::Json(text) => text.with_limits(limits).drive(sink),
        }
    }

    /// The value at `path`; `None` when there is none. The empty path leads to the document itself.
    ///
    /// In BSON and OSON only what lies on the way is read, and the value is not copied. A JSON text must be read to its
    /// end, and an object or array found in it is kept as a tree.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes that were looked at.
    pub fn get_path(&self, path: &PathBuf) -> Result<Option<Found<'a>>, DecodeError> {
        let node = match self {
            _ if path.segments().is_empty() => Some(Node::Root),
            Self::Bson(document) => document.get_path(path)?.map(Node::Bson),
            Self::Oson(document) => document.get_path(path)?.map(Node::Oson),
            Self::Json(text) => {
                let mut select = Select::new(path, Builder::new());
                text.drive(&mut select)?;
                select.into_inner().finish().map(Node::Json)
            }
        };
        let limits = Policy::default().limits(self.format());
        Ok(node.map(|node| Found { document: *self, path: path.clone(), node, limits }))
    }

    /// The value at `path` as [`get_path`](Self::get_path) finds it, within the limits of `policy`; a wrapper object of JSON
    /// text that its dialects have is the scalar it stands for, in which no path leads further.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes that were looked at.
    pub fn get_path_by(&self, path: &PathBuf, policy: &Policy) -> Result<Option<Found<'a>>, DecodeError> {
        let limits = policy.limits(self.format());
        let Self::Json(text) = self else {
            return Ok(self.get_path(path)?.map(|found| Found { limits, ..found }));
        };
        let dialects = policy.dialects;
        let mut unwrap = Unwrap::new(Select::new(path, First::default()), dialects);
        text.with_limits(limits).drive(&mut unwrap)?;
        let node = match unwrap.into_inner().into_inner() {
            First::Nothing => None,
            First::Leaf(value) => Some(Node::Json(value)),
            First::Container(kind) => Some(Node::Text { kind, dialects }),
        };
        Ok(node.map(|node| Found { document: *self, path: path.clone(), node, limits }))
    }

    /// Checks every rule of the format, at every level.
    ///
    /// # Errors
    ///
    /// The first fault, with its path.
    pub fn validate(&self, limits: &Limits) -> Result<(), Located> {
        match self {
            Self::Bson(document) => boson_bson::validate(document.bytes(), limits),
            Self::Oson(document) => boson_oson::validate(document.as_bytes(), limits),
            Self::Json(_) => self.drive_within(*limits, &mut Discard).map_err(|error| self.locate(error)),
        }
    }

    /// `error`, which was met in this document, with the path of the value it lies in.
    pub fn locate(&self, error: DecodeError) -> Located {
        error.at(self.path_at(error.offset))
    }

    /// The path of the innermost value that the byte at `offset` belongs to, as far as the document can be read.
    pub fn path_at(&self, offset: usize) -> PathBuf {
        match self {
            Self::Bson(document) => boson_bson::path_at(document.bytes(), offset),
            Self::Oson(document) => boson_oson::path_at(document.as_bytes(), offset),
            Self::Json(text) => {
                let mut locate = Locate::new(offset);
                // Where the text is at fault the walk ends, and the place it came to is the answer.
                if let Err(error) = self.drive(&mut locate) {
                    locate.stopped_by(error, text.as_bytes());
                }
                locate.path()
            }
        }
    }

    /// What each byte is for, in order, without gaps or overlap; `None` of a JSON text, whose bytes speak for themselves.
    ///
    /// # Errors
    ///
    /// The document's first fault.
    pub fn regions(&self) -> Result<Option<Vec<Region>>, DecodeError> {
        match self {
            Self::Bson(document) => document.regions().map(Some),
            Self::Oson(document) => document.regions().map(Some),
            Self::Json(_) => Ok(None),
        }
    }

    /// The bytes of the document.
    pub fn bytes(&self) -> &'a [u8] {
        match self {
            Self::Bson(document) => document.bytes(),
            Self::Oson(document) => document.as_bytes(),
            Self::Json(text) => text.as_bytes(),
        }
    }
}

impl Source for AnyDocument<'_> {
    /// Delivers the document within the limits of its format.
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        match self {
            Self::Bson(document) => document.drive(sink),
            Self::Oson(document) => document.drive(sink),
            Self::Json(text) => text.drive(sink),
        }
    }
}

/// A value found in a document: a leaf, or a part of the document as a source of its own.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    document: AnyDocument<'a>,
    path: PathBuf,
    node: Node<'a>,
    /// Within which it is driven.
    limits: Limits,
}

#[derive(Clone, Debug)]
enum Node<'a> {
    Root,
    Bson(boson_bson::Value<'a>),
    Oson(boson_oson::Value<'a>),
    Json(Value),
    /// A container of a JSON text, which is read again when it is driven: a tree has fewer levels than text may have.
    Text {
        kind: Kind,
        dialects: Dialects,
    },
}

impl Found<'_> {
    /// The format of the document it stands in.
    pub const fn format(&self) -> Format {
        self.document.format()
    }

    /// What it is.
    ///
    /// # Errors
    ///
    /// What is wrong with the root, when this is the root.
    pub fn kind(&self) -> Result<Kind, DecodeError> {
        match &self.node {
            Node::Root => self.document.kind(),
            Node::Bson(value) => Ok(value.kind()),
            Node::Oson(value) => Ok(value.kind()),
            Node::Json(value) => Ok(value.kind()),
            Node::Text { kind, .. } => Ok(*kind),
        }
    }

    /// The leaf; `None` of a container, and of a whole document whatever it is, and of a JSON text.
    ///
    /// # Errors
    ///
    /// What is wrong with its bytes.
    pub fn scalar(&self) -> Result<Option<Scalar<'_>>, DecodeError> {
        match &self.node {
            Node::Bson(value) if !value.kind().is_container() => value.scalar().map(Some),
            Node::Oson(value) => value.scalar(),
            _ => Ok(None),
        }
    }

    /// Where its bytes are in the document; empty of a JSON text.
    pub fn span(&self) -> Span {
        match &self.node {
            Node::Bson(value) => value.span(),
            Node::Oson(value) => value.span(),
            Node::Root | Node::Json(_) | Node::Text { .. } => Span::default(),
        }
    }
}

impl Source for Found<'_> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        if let Some(scalar) = self.scalar()? {
            return sink.scalar(scalar, self.span());
        }
        let limits = self.limits;
        match &self.node {
            Node::Json(value) => value.drive(sink),
            Node::Text { dialects, .. } => {
                self.document.drive_within(limits, &mut Unwrap::new(Select::new(&self.path, sink), *dialects))
            }
            Node::Bson(value) if value.kind() == Kind::Object => {
                AnyDocument::Bson(value.as_document()?).drive_within(limits, sink)
            }
            Node::Root => self.document.drive_within(limits, sink),
            Node::Bson(_) | Node::Oson(_) => self.document.drive_within(limits, &mut Select::new(&self.path, sink)),
        }
    }
}
