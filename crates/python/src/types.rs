//! The Python classes that stand for what Python itself has no type for.
//!
//! `boson._types` chooses them: pymongo's and python-oracledb's where those are installed, equal ones of ours where not.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};
use pyo3::{Bound, intern};

use crate::fault::class_of;

/// What an object is, where its type alone says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Binary,
    ObjectId,
    DatetimeMs,
    Regex,
    Code,
    Timestamp,
    Int64,
    Decimal128,
    DbRef,
    RawDocument,
    MinKey,
    MaxKey,
    Uuid,
    Pattern,
    Decimal,
    JsonId,
    SparseVector,
    IntervalYearMonth,
    Array,
}

impl Class {
    /// What pymongo's `_type_marker` says.
    pub(crate) const fn of_marker(marker: u8) -> Option<Self> {
        Some(match marker {
            5 => Self::Binary,
            7 => Self::ObjectId,
            9 => Self::DatetimeMs,
            11 => Self::Regex,
            13 => Self::Code,
            17 => Self::Timestamp,
            18 => Self::Int64,
            19 => Self::Decimal128,
            100 => Self::DbRef,
            101 => Self::RawDocument,
            127 => Self::MaxKey,
            255 => Self::MinKey,
            _ => return None,
        })
    }
}

/// The classes, looked up once.
pub(crate) struct Types {
    known: Vec<(Py<PyType>, Class)>,
    pub(crate) object_id: Quick,
    pub(crate) decimal128: Quick,
    pub(crate) timestamp: Quick,
    pub(crate) binary: Py<PyType>,
    pub(crate) datetime_ms: Py<PyType>,
    pub(crate) regex: Py<PyType>,
    pub(crate) code: Py<PyType>,
    pub(crate) int64: Py<PyType>,
    pub(crate) db_ref: Py<PyType>,
    pub(crate) min_key: Py<PyAny>,
    pub(crate) max_key: Py<PyAny>,
    pub(crate) uuid: Py<PyType>,
    pub(crate) pattern: Py<PyType>,
    pub(crate) decimal: Py<PyType>,
    pub(crate) json_id: Py<PyType>,
    pub(crate) sparse_vector: Py<PyType>,
    pub(crate) interval_ym: Py<PyType>,
    pub(crate) array: Py<PyType>,
    /// The zone of aware datetimes that were decoded.
    pub(crate) utc: Py<PyAny>,
}

impl Types {
    /// The classes of this interpreter.
    pub(crate) fn get(py: Python<'_>) -> PyResult<&Self> {
        static TYPES: PyOnceLock<Types> = PyOnceLock::new();
        TYPES.get_or_try_init(py, || Self::load(py))
    }

    fn load(py: Python<'_>) -> PyResult<Self> {
        let module = py.import("boson._types")?.into_any();
        let class = |name: &str| class_of(&module, name);
        let (uuid, pattern, decimal, array) = (
            class_of(py.import("uuid")?.as_any(), "UUID")?,
            class_of(py.import("re")?.as_any(), "Pattern")?,
            class_of(py.import("decimal")?.as_any(), "Decimal")?,
            class_of(py.import("array")?.as_any(), "array")?,
        );
        Ok(Self {
            known: known(py, &module)?,
            object_id: Quick::new(&module, "ObjectId", &["_ObjectId__id"])?,
            decimal128: Quick::new(&module, "Decimal128", &["_Decimal128__high", "_Decimal128__low"])?,
            timestamp: Quick::new(&module, "Timestamp", &["_Timestamp__time", "_Timestamp__inc"])?,
            binary: class("Binary")?,
            datetime_ms: class("DatetimeMS")?,
            regex: class("Regex")?,
            code: class("Code")?,
            int64: class("Int64")?,
            db_ref: class("DBRef")?,
            min_key: class("MinKey")?.call0(py)?,
            max_key: class("MaxKey")?.call0(py)?,
            uuid,
            pattern,
            decimal,
            json_id: class("JsonId")?,
            sparse_vector: class("SparseVector")?,
            interval_ym: class("IntervalYM")?,
            array,
            utc: module.getattr("utc")?.unbind(),
        })
    }

    /// What `value` is, if its type is one of the classes itself.
    #[inline]
    pub(crate) fn exact(&self, value: &Bound<'_, PyAny>) -> Option<Class> {
        let of = value.get_type_ptr().cast();
        self.known.iter().find(|(class, _)| class.as_ptr() == of).map(|&(_, class)| class)
    }
}

fn known(py: Python<'_>, module: &Bound<'_, PyAny>) -> PyResult<Vec<(Py<PyType>, Class)>> {
    let mut known = Vec::new();
    for (name, class) in [
        ("ObjectId", Class::ObjectId),
        ("Int64", Class::Int64),
        ("Decimal128", Class::Decimal128),
        ("Binary", Class::Binary),
        ("Timestamp", Class::Timestamp),
        ("DatetimeMS", Class::DatetimeMs),
        ("Regex", Class::Regex),
        ("Code", Class::Code),
        ("DBRef", Class::DbRef),
        ("MinKey", Class::MinKey),
        ("MaxKey", Class::MaxKey),
        ("JsonId", Class::JsonId),
        ("SparseVector", Class::SparseVector),
        ("IntervalYM", Class::IntervalYearMonth),
    ] {
        known.push((class_of(module, name)?, class));
    }
    for (module, name, class) in [
        ("decimal", "Decimal", Class::Decimal),
        ("uuid", "UUID", Class::Uuid),
        ("array", "array", Class::Array),
        ("re", "Pattern", Class::Pattern),
    ] {
        known.push((class_of(py.import(module)?.as_any(), name)?, class));
    }
    Ok(known)
}

/// A class whose objects are made and read by their slots, past a constructor that is written in Python and takes
/// several times as long.
///
/// The slots are no promise of pymongo's, so `boson._types` names the classes for which it has found that an object that
/// is made this way equals one made by the constructor; of the others the constructor is called.
pub(crate) struct Quick {
    pub(crate) class: Py<PyType>,
    /// `object.__new__` and the names of the slots.
    parts: Option<(Py<PyAny>, Vec<Py<PyString>>)>,
}

impl Quick {
    fn new(module: &Bound<'_, PyAny>, name: &str, slots: &[&str]) -> PyResult<Self> {
        let py = module.py();
        let class = class_of(module, name)?;
        let quick = module.getattr("made_by_slots")?.call1((class.bind(py), slots.to_vec()))?.is_truthy()?;
        let parts = if quick {
            let new = py.import("builtins")?.getattr("object")?.getattr(intern!(py, "__new__"))?.unbind();
            Some((new, slots.iter().map(|slot| PyString::intern(py, slot).unbind()).collect()))
        } else {
            None
        };
        Ok(Self { class, parts })
    }

    /// An object with these values in its slots; `None` when the constructor has to be called.
    #[inline]
    pub(crate) fn make<'py, const N: usize>(
        &self,
        py: Python<'py>,
        values: [Bound<'py, PyAny>; N],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some((new, slots)) = &self.parts else { return Ok(None) };
        let object = new.bind(py).call1((self.class.bind(py),))?;
        for (slot, value) in slots.iter().zip(values) {
            object.setattr(slot.bind(py), value)?;
        }
        Ok(Some(object))
    }

    /// What is in slot `index` of `object`; `None` when it has to be asked for by its public name.
    #[inline]
    pub(crate) fn slot<'py>(&self, object: &Bound<'py, PyAny>, index: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.parts.as_ref().and_then(|(_, slots)| slots.get(index)) {
            Some(slot) => object.getattr(slot.bind(object.py())).map(Some),
            None => Ok(None),
        }
    }
}
