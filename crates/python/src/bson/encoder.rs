//! Python objects as BSON: the same bytes as pymongo's.

use boson_bson::{Document, EncodeError, EncodeErrorKind, WriteOptions, Writer};
use boson_document::{Container, Decimal128, Limits, ObjectId, Regex, Scalar, Sink, Span};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyOverflowError, PyRecursionError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDateTime, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::options::{DEPTH_MAX, Options, Uuids};
use super::raw::RawDocument;
use crate::dates::unix_ms;
use crate::fault::{self, Family, Fault};
use crate::types::{Class, Types};
use crate::walk::{End, Members, Target, is_mapping, marker, walk};

const NOWHERE: Span = Span::new(0, 0);
const CONTAINER: Container = Container { span: NOWHERE, len: None };

/// Writes Python objects into a [`Writer`].
pub(crate) struct Encoder<'a> {
    writer: Writer,
    types: &'a Types,
    options: &'a Options,
    check_keys: bool,
}

impl<'a> Encoder<'a> {
    /// An encoder that uses the memory of `writer`.
    pub(crate) fn new(writer: Writer, types: &'a Types, options: &'a Options, check_keys: bool) -> Self {
        let limits = Limits::BSON.with_depth(DEPTH_MAX).with_bytes(usize::MAX);
        let writer = writer.with_options(WriteOptions { limits, id_first: true });
        Self { writer, types, options, check_keys }
    }

    /// The bytes of `document`.
    pub(crate) fn encode(&mut self, document: &Bound<'_, PyAny>) -> PyResult<()> {
        self.document(document).map_err(|fault| {
            let py = document.py();
            let error = fault.into_error(py, Family::Bson, |error| error.at(self.writer.path_of_next()));
            fault::about_document(py, &error, document);
            error
        })
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.writer.as_bytes()
    }

    /// The writer, whose memory is to be used again.
    pub(crate) fn into_writer(self) -> Writer {
        self.writer
    }

    fn document(&mut self, document: &Bound<'_, PyAny>) -> Result<(), Fault> {
        if let Ok(dict) = document.cast::<PyDict>() {
            self.begin_object(document.py())?;
            return walk(self, Members::of_dict(dict, End::Object));
        }
        if marker(document)? == Some(101) {
            return self.raw_document(document);
        }
        if !is_mapping(document) {
            return Err(self.unsupported(document, "a document must be a mapping"));
        }
        self.begin_object(document.py())?;
        walk(self, Members::of_mapping(document, End::Object)?)
    }

    #[inline]
    fn begin_object(&mut self, py: Python<'_>) -> Result<(), Fault> {
        match self.writer.begin_object(CONTAINER) {
            Ok(_) => Ok(()),
            Err(error) => Err(written(py, &error)),
        }
    }

    #[inline]
    fn scalar(&mut self, py: Python<'_>, scalar: Scalar<'_>) -> Result<(), Fault> {
        self.writer.scalar(scalar, NOWHERE).map_err(|error| written(py, &error))
    }

    #[inline]
    fn list<'py>(&mut self, py: Python<'py>, members: Members<'py>) -> Result<Option<Members<'py>>, Fault> {
        self.writer.begin_array(CONTAINER).map_err(|error| written(py, &error))?;
        Ok(Some(members))
    }

    #[inline]
    fn dict<'py>(&mut self, dict: &Bound<'py, PyDict>) -> Result<Option<Members<'py>>, Fault> {
        self.begin_object(dict.py())?;
        Ok(Some(Members::of_dict(dict, End::Object)))
    }

    #[inline]
    fn string(&mut self, text: &Bound<'_, PyString>) -> Result<(), Fault> {
        let py = text.py();
        match text.to_str() {
            Ok(text) => self.scalar(py, Scalar::String(text)),
            Err(error) => Err(self.noted(py, error)),
        }
    }

    #[inline]
    fn int(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let number: i64 = match value.extract() {
            Ok(number) => number,
            Err(error) => return Err(self.too_large(value, error)),
        };
        let scalar = i32::try_from(number).map_or(Scalar::Int64(number), Scalar::Int32);
        self.scalar(value.py(), scalar)
    }

    /// The exception for a value that is of no type that BSON has.
    #[cold]
    fn unsupported(&self, value: &Bound<'_, PyAny>, wanted: &str) -> Fault {
        fault::unsupported(value, Family::Bson, wanted, &self.writer.path_of_next()).into()
    }

    #[cold]
    fn too_large(&self, value: &Bound<'_, PyAny>, error: PyErr) -> Fault {
        let py = value.py();
        if !error.is_instance_of::<PyOverflowError>(py) {
            return error.into();
        }
        let message = "BSON has integers of up to 64 bits; a Decimal128 holds larger ones";
        fault::encode_error(py, fault::Class::OutOfRange, Family::Bson, message, &self.writer.path_of_next()).into()
    }

    /// `error`, with the path of the value that it is about.
    #[cold]
    fn noted(&self, py: Python<'_>, error: PyErr) -> Fault {
        crate::fault::note(py, &error, &self.writer.path_of_next());
        error.into()
    }

    fn raw_document(&mut self, document: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let py = document.py();
        if let Ok(raw) = document.cast_exact::<RawDocument>() {
            let raw = raw.get();
            return self.raw_bytes(py, raw.bytes(py));
        }
        let raw = document.getattr(intern!(py, "raw"))?;
        match raw.cast::<PyBytes>() {
            Ok(bytes) => self.raw_bytes(py, bytes.as_bytes()),
            Err(_) => self.raw_bytes(py, &PyBuffer::<u8>::get(&raw)?.to_vec(py)?),
        }
    }

    fn raw_bytes(&mut self, py: Python<'_>, bytes: &[u8]) -> Result<(), Fault> {
        let document = Document::new(bytes)?;
        self.writer.raw_document(&document).map_err(|error| written(py, &error))
    }

    /// Types that are not met in every document.
    #[inline(never)]
    fn rare<'py>(&mut self, value: &Bound<'py, PyAny>) -> Result<Option<Members<'py>>, Fault> {
        if let Some(class) = self.types.exact(value) {
            return self.class(value, class, Asked::default());
        }
        if let Some(class) = marker(value)?.and_then(Class::of_marker) {
            return self.class(value, class, Asked::default());
        }
        self.by_base(value, Asked::default())
    }

    /// What is a subclass of something that BSON has a type for.
    fn by_base<'py>(&mut self, value: &Bound<'py, PyAny>, asked: Asked) -> Result<Option<Members<'py>>, Fault> {
        let py = value.py();
        if value.is_instance_of::<PyInt>() {
            let too_large = match self.int(value) {
                Ok(()) => return Ok(None),
                Err(error) => error,
            };
            return if self.has_own_encoder() { self.own(value, asked) } else { Err(too_large) };
        }
        if let Ok(number) = value.cast::<PyFloat>() {
            self.scalar(py, Scalar::Double(number.value()))?;
        } else if let Ok(dict) = value.cast::<PyDict>() {
            return self.dict(dict);
        } else if let Ok(list) = value.cast::<PyList>() {
            return self.list(py, Members::of_list(list));
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            return self.list(py, Members::of_tuple(tuple));
        } else if let Ok(bytes) = value.cast::<PyBytes>() {
            self.scalar(py, Scalar::Binary { subtype: 0, bytes: bytes.as_bytes() })?;
        } else if let Ok(text) = value.cast::<PyString>() {
            self.string(text)?;
        } else if let Ok(moment) = value.cast::<PyDateTime>() {
            self.datetime(moment)?;
        } else if value.is_instance(self.types.pattern.bind(py))? {
            self.regex(value)?;
        } else if is_mapping(value) {
            self.begin_object(py)?;
            return Ok(Some(Members::of_mapping(value, End::Object)?));
        } else if value.is_instance(self.types.uuid.bind(py))? {
            self.uuid(value)?;
        } else {
            return self.own(value, asked);
        }
        Ok(None)
    }

    fn has_own_encoder(&self) -> bool {
        self.options.registry.encoders.is_some() || self.options.registry.fallback.is_some()
    }

    /// What only the user's own encoders know.
    fn own<'py>(&mut self, value: &Bound<'py, PyAny>, asked: Asked) -> Result<Option<Members<'py>>, Fault> {
        let (py, options) = (value.py(), self.options);
        if let (false, Some(encoders)) = (asked.encoder, &options.registry.encoders)
            && let Some(encoder) = encoders.bind(py).get_item(value.get_type())?
        {
            let replaced = encoder.call1((value,))?;
            return self.replaced(&replaced, asked.then(true, false)?);
        }
        if let (false, Some(fallback)) = (asked.fallback, &options.registry.fallback) {
            let replaced = fallback.bind(py).call1((value,))?;
            return self.replaced(&replaced, asked.then(false, true)?);
        }
        if value.is_instance_of::<PyInt>() {
            let error = value.extract::<i64>().err().unwrap_or_else(|| PyOverflowError::new_err(""));
            return Err(self.too_large(value, error));
        }
        Err(self.unsupported(value, "expected a type that BSON has"))
    }

    /// What the user's own encoder made of a value.
    fn replaced<'py>(&mut self, value: &Bound<'py, PyAny>, asked: Asked) -> Result<Option<Members<'py>>, Fault> {
        if value.is_none() || value.is_exact_instance_of::<PyBool>() {
            return self.value(value);
        }
        let class = match self.types.exact(value) {
            Some(class) => Some(class),
            None => marker(value)?.and_then(Class::of_marker),
        };
        match class {
            Some(class) => self.class(value, class, asked),
            None => self.by_base(value, asked),
        }
    }

    fn class<'py>(
        &mut self,
        value: &Bound<'py, PyAny>,
        class: Class,
        asked: Asked,
    ) -> Result<Option<Members<'py>>, Fault> {
        let py = value.py();
        match class {
            Class::ObjectId => self.object_id(value)?,
            Class::Int64 => self.int64(value)?,
            Class::Decimal128 => self.decimal128(value)?,
            Class::Binary => self.binary(value)?,
            Class::Timestamp => self.timestamp(value)?,
            Class::DatetimeMs => {
                let ms = value.call_method0(intern!(py, "__int__"))?.extract();
                let ms = ms.map_err(|error| self.too_large(value, error))?;
                self.scalar(py, Scalar::DateTime(ms))?;
            }
            Class::Regex | Class::Pattern => self.regex(value)?,
            Class::MinKey => self.scalar(py, Scalar::MinKey)?,
            Class::MaxKey => self.scalar(py, Scalar::MaxKey)?,
            Class::Uuid => self.uuid(value)?,
            Class::RawDocument => self.raw_document(value)?,
            Class::Code => return self.code(value),
            Class::DbRef => {
                let document = value.call_method0(intern!(py, "as_doc"))?;
                return self.dict(document.cast::<PyDict>()?);
            }
            // Subclasses of what Python has, where they are that.
            Class::JsonId | Class::IntervalYearMonth => return self.by_base(value, asked),
            Class::Decimal | Class::SparseVector | Class::Array => return self.own(value, asked),
        }
        Ok(None)
    }

    fn object_id(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let py = value.py();
        let id = match self.types.object_id.slot(value, 0)? {
            Some(id) => id,
            None => value.getattr(intern!(py, "binary"))?,
        };
        let id = id
            .cast::<PyBytes>()?
            .as_bytes()
            .try_into()
            .map_err(|_| self.unsupported(value, "an ObjectId must have 12 bytes"))?;
        self.scalar(py, Scalar::ObjectId(ObjectId(id)))
    }

    fn int64(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let number = value.extract().map_err(|error| self.too_large(value, error))?;
        self.scalar(value.py(), Scalar::Int64(number))
    }

    fn decimal128(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let (py, class) = (value.py(), &self.types.decimal128);
        let number = if let (Some(high), Some(low)) = (class.slot(value, 0)?, class.slot(value, 1)?) {
            let (high, low): (u64, u64) = (high.extract()?, low.extract()?);
            u128::from(high) << 64 | u128::from(low)
        } else {
            let bid = value.getattr(intern!(py, "bid"))?;
            let bid = bid.cast::<PyBytes>()?.as_bytes().try_into();
            u128::from_le_bytes(bid.map_err(|_| self.unsupported(value, "a Decimal128 must have 16 bytes"))?)
        };
        self.scalar(py, Scalar::Decimal128(Decimal128::from_bytes(number.to_le_bytes())))
    }

    fn binary(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let subtype = value.getattr(intern!(value.py(), "subtype"))?.extract()?;
        let bytes = value.cast::<PyBytes>()?.as_bytes();
        self.scalar(value.py(), Scalar::Binary { subtype, bytes })
    }

    fn timestamp(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let py = value.py();
        let time = value.getattr(intern!(py, "time"))?.extract()?;
        let increment = value.getattr(intern!(py, "inc"))?.extract()?;
        self.scalar(py, Scalar::Timestamp { time, increment })
    }

    fn datetime(&mut self, moment: &Bound<'_, PyDateTime>) -> Result<(), Fault> {
        let ms = unix_ms(moment, self.types)?;
        self.scalar(moment.py(), Scalar::DateTime(ms))
    }

    fn uuid(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let py = value.py();
        let number: u128 = value.getattr(intern!(py, "int"))?.extract()?;
        let (subtype, bytes) = match self.options.uuids {
            Uuids::Standard => (4, number.to_be_bytes()),
            Uuids::PythonLegacy => (3, number.to_be_bytes()),
            Uuids::JavaLegacy => (3, boson_bson::LegacyUuid::Java.reorder(number.to_be_bytes())),
            Uuids::CsharpLegacy => (3, boson_bson::LegacyUuid::CSharp.reorder(number.to_be_bytes())),
            // It refuses, and says what to do instead.
            Uuids::Unspecified => {
                let binary = self.types.binary.bind(py);
                binary.call_method1(intern!(py, "from_uuid"), (value, self.options.uuids.number()))?;
                return Err(self.unsupported(value, "expected a type that BSON has"));
            }
        };
        self.scalar(py, Scalar::Binary { subtype, bytes: &bytes })
    }

    fn regex(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let py = value.py();
        let pattern = value.getattr(intern!(py, "pattern"))?;
        let flags: i64 = value.getattr(intern!(py, "flags"))?.extract()?;
        let pattern = match pattern.cast::<PyBytes>() {
            Ok(bytes) => str::from_utf8(bytes.as_bytes()).map_err(|_| self.not_text(py))?,
            Err(_) => pattern.cast::<PyString>()?.to_str()?,
        };
        let options: String = [(2, 'i'), (4, 'l'), (8, 'm'), (16, 's'), (32, 'u'), (64, 'x')]
            .into_iter()
            .filter_map(|(flag, letter)| (flags & flag != 0).then_some(letter))
            .collect();
        let mut text = String::new();
        match Regex::join(pattern, &options, &mut text) {
            Some(regex) => self.scalar(py, Scalar::Regex(regex)),
            None => Err(self.refused(py, "a regular expression must not contain a NUL character")),
        }
    }

    fn code<'py>(&mut self, value: &Bound<'py, PyAny>) -> Result<Option<Members<'py>>, Fault> {
        let py = value.py();
        let code = value.cast::<PyString>()?.to_str()?;
        let scope = value.getattr(intern!(py, "scope"))?;
        if scope.is_none() {
            self.scalar(py, Scalar::Code(code))?;
            return Ok(None);
        }
        self.writer.begin_code_with_scope(code, CONTAINER).map_err(|error| written(py, &error))?;
        match scope.cast::<PyDict>() {
            Ok(dict) => Ok(Some(Members::of_dict(dict, End::Scope))),
            Err(_) => Ok(Some(Members::of_mapping(&scope, End::Scope)?)),
        }
    }

    #[cold]
    fn not_text(&self, py: Python<'_>) -> Fault {
        self.refused(py, "text must be valid UTF-8")
    }

    #[cold]
    fn refused(&self, py: Python<'_>, message: &str) -> Fault {
        fault::encode_error(py, fault::Class::Encode, Family::Bson, message, &self.writer.path_of_next()).into()
    }

    #[cold]
    fn check_key(&self, py: Python<'_>, key: &str) -> Result<(), Fault> {
        if key.starts_with('$') {
            return Err(self.refused(py, &format!("key {key:?} must not start with '$'")));
        }
        if key.contains('.') {
            return Err(self.refused(py, &format!("key {key:?} must not contain '.'")));
        }
        Ok(())
    }
}

/// Which of the user's own encoders have been asked about a value.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    encoder: bool,
    fallback: bool,
    /// How many answers came so far for this value.
    answers: u8,
}

/// How often the user's own encoders may hand a value on to each other.
const ANSWERS_MAX: u8 = 100;

impl Asked {
    /// After one more answer.
    fn then(self, encoder: bool, fallback: bool) -> PyResult<Self> {
        if self.answers >= ANSWERS_MAX {
            return Err(PyRecursionError::new_err(
                "encoders of the type registry hand a value on to each other without end",
            ));
        }
        Ok(Self { encoder, fallback, answers: self.answers.saturating_add(1) })
    }
}

/// The exception for what the writer refuses.
#[cold]
fn written(py: Python<'_>, error: &EncodeError) -> Fault {
    let class = match error.kind() {
        EncodeErrorKind::Source(source) => return Fault::Decode(*source),
        EncodeErrorKind::TooDeep { .. } => fault::Class::TooDeep,
        _ => fault::Class::Encode,
    };
    fault::encode_error(py, class, Family::Bson, &error.kind().to_string(), error.path()).into()
}

impl<'py> Target<'py> for Encoder<'_> {
    #[inline]
    fn key(&mut self, key: &Bound<'py, PyAny>) -> Result<(), Fault> {
        let py = key.py();
        let Ok(key) = key.cast::<PyString>() else {
            return Err(self.unsupported(key, "documents must have only string keys"));
        };
        let key = match key.to_str() {
            Ok(key) => key,
            Err(error) => return Err(self.noted(py, error)),
        };
        if self.check_keys {
            self.check_key(py, key)?;
        }
        self.writer.key(key, NOWHERE).map_err(|error| written(py, &error))
    }

    #[inline]
    fn value(&mut self, value: &Bound<'py, PyAny>) -> Result<Option<Members<'py>>, Fault> {
        let py = value.py();
        if let Ok(text) = value.cast_exact::<PyString>() {
            self.string(text)?;
        } else if value.is_exact_instance_of::<PyInt>() {
            if let Err(error) = self.int(value) {
                return if self.has_own_encoder() { self.own(value, Asked::default()) } else { Err(error) };
            }
        } else if let Ok(dict) = value.cast_exact::<PyDict>() {
            return self.dict(dict);
        } else if let Ok(number) = value.cast_exact::<PyFloat>() {
            self.scalar(py, Scalar::Double(number.value()))?;
        } else if let Ok(list) = value.cast_exact::<PyList>() {
            return self.list(py, Members::of_list(list));
        } else if let Ok(value) = value.cast_exact::<PyBool>() {
            self.scalar(py, Scalar::Bool(value.is_true()))?;
        } else if value.is_none() {
            self.scalar(py, Scalar::Null)?;
        } else if let Ok(moment) = value.cast_exact::<PyDateTime>() {
            self.datetime(moment)?;
        } else if let Ok(bytes) = value.cast_exact::<PyBytes>() {
            self.scalar(py, Scalar::Binary { subtype: 0, bytes: bytes.as_bytes() })?;
        } else if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            return self.list(py, Members::of_tuple(tuple));
        } else {
            return self.rare(value);
        }
        Ok(None)
    }

    #[inline]
    fn end(&mut self, kind: End) -> Result<(), Fault> {
        let ended = match kind {
            End::Object => self.writer.end_object(),
            End::Array => self.writer.end_array(),
            End::Scope => self.writer.end_code_with_scope(),
        };
        match ended {
            Ok(()) => Ok(()),
            Err(error) => Python::attach(|py| Err(written(py, &error))),
        }
    }
}
