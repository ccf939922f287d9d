//! A walk over Python objects: dicts, mappings, lists and tuples, without recursion.

use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::dict::BoundDictIterator;
use pyo3::types::list::BoundListIterator;
use pyo3::types::{PyDict, PyIterator, PyList, PyTuple};

use crate::fault::Fault;

/// What is written to: it knows what its format makes of each type.
pub(crate) trait Target<'py> {
    /// The name of the next member.
    fn key(&mut self, key: &Bound<'py, PyAny>) -> Result<(), Fault>;

    /// Writes a leaf, or begins a container and returns what is in it.
    fn value(&mut self, value: &Bound<'py, PyAny>) -> Result<Option<Members<'py>>, Fault>;

    /// Ends the container that was begun last.
    fn end(&mut self, kind: End) -> Result<(), Fault>;
}

/// How a container ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Object,
    Array,
    Scope,
}

/// What is left of a container that is being written.
pub(crate) struct Members<'py> {
    rest: Rest<'py>,
    end: End,
}

enum Rest<'py> {
    Dict { dict: Bound<'py, PyDict>, members: BoundDictIterator<'py>, len: usize, left: usize },
    List(BoundListIterator<'py>),
    Tuple { tuple: Bound<'py, PyTuple>, at: usize },
    Mapping { mapping: Bound<'py, PyAny>, keys: Bound<'py, PyIterator> },
}

/// What comes next in a container.
enum Next<'py> {
    Member(Bound<'py, PyAny>, Bound<'py, PyAny>),
    Element(Bound<'py, PyAny>),
    End,
}

impl<'py> Members<'py> {
    /// How their container ends.
    pub(crate) const fn end(&self) -> End {
        self.end
    }

    pub(crate) fn of_dict(dict: &Bound<'py, PyDict>, end: End) -> Self {
        let len = dict.len();
        Self { rest: Rest::Dict { dict: dict.clone(), members: dict.iter(), len, left: len }, end }
    }

    pub(crate) fn of_list(list: &Bound<'py, PyList>) -> Self {
        Self { rest: Rest::List(list.iter()), end: End::Array }
    }

    pub(crate) fn of_tuple(tuple: &Bound<'py, PyTuple>) -> Self {
        Self { rest: Rest::Tuple { tuple: tuple.clone(), at: 0 }, end: End::Array }
    }

    pub(crate) fn of_mapping(mapping: &Bound<'py, PyAny>, end: End) -> PyResult<Self> {
        Ok(Self { rest: Rest::Mapping { mapping: mapping.clone(), keys: mapping.try_iter()? }, end })
    }

    #[inline]
    fn next(&mut self) -> PyResult<Next<'py>> {
        match &mut self.rest {
            Rest::Dict { dict, members, len, left } => {
                // The iterator would panic where it finds a dict changed by code that ran meanwhile.
                if dict.len() != *len {
                    return Err(PyRuntimeError::new_err("dictionary changed size during iteration"));
                }
                if *left == 0 {
                    return Ok(Next::End);
                }
                *left = left.saturating_sub(1);
                Ok(members.next().map_or(Next::End, |(key, value)| Next::Member(key, value)))
            }
            Rest::List(elements) => Ok(elements.next().map_or(Next::End, Next::Element)),
            Rest::Tuple { tuple, at } => {
                if *at >= tuple.len() {
                    return Ok(Next::End);
                }
                *at = at.saturating_add(1);
                tuple.get_item(at.saturating_sub(1)).map(Next::Element)
            }
            Rest::Mapping { mapping, keys } => match keys.next() {
                None => Ok(Next::End),
                Some(key) => {
                    let key = key?;
                    let value = mapping.get_item(&key)?;
                    Ok(Next::Member(key, value))
                }
            },
        }
    }
}

/// Writes the members of `root`, which was begun, and its end.
pub(crate) fn walk<'py, T: Target<'py>>(target: &mut T, root: Members<'py>) -> Result<(), Fault> {
    let mut outer: Vec<Members<'py>> = Vec::new();
    let mut members = root;
    loop {
        let value = match members.next()? {
            Next::Member(key, value) => {
                target.key(&key)?;
                value
            }
            Next::Element(value) => value,
            Next::End => {
                target.end(members.end)?;
                let Some(around) = outer.pop() else { return Ok(()) };
                members = around;
                continue;
            }
        };
        if let Some(inner) = target.value(&value)? {
            outer.push(std::mem::replace(&mut members, inner));
        }
    }
}

/// Whether `value` is a mapping, by `collections.abc`.
pub(crate) fn is_mapping(value: &Bound<'_, PyAny>) -> bool {
    value.cast::<pyo3::types::PyMapping>().is_ok()
}

/// The number in `_type_marker`, by which pymongo's classes and their subclasses say what they are.
pub(crate) fn marker(value: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    let marker = value.getattr_opt(intern!(value.py(), "_type_marker"))?;
    Ok(marker.and_then(|marker| marker.extract().ok()))
}
