//! Python objects of values that were found in an image, without a walk over all of it.

use boson_document::{DecodeError, DecodeErrorKind, Kind, Limit};
use boson_oson::{FieldOrder, Items, Value};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::decoder::{DEPTH_MAX, OsonLeaves};
use crate::builder::Leaves;
use crate::fault::Fault;

/// How far to decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// Into arrays; objects stay bytes.
    Arrays,
    /// Everything.
    All,
}

/// A field of an object, with its name as Python has it.
pub(super) type Field<'a, 'py> = (Bound<'py, PyString>, Value<'a>);

/// The fields of an object, in the order of the input as far as that is known.
pub(super) fn fields_of<'a, 'py>(py: Python<'py>, object: &Value<'a>) -> Result<Vec<Field<'a, 'py>>, DecodeError> {
    let mut order = FieldOrder::new();
    let fields = object.fields_in_order(&mut order)?;
    fields.map(|field| field.map(|(name, value)| (PyString::new(py, name), value))).collect()
}

/// A member of a container, with its name where the container is an object.
type Next<'a, 'py> = (Option<Bound<'py, PyString>>, Value<'a>);

/// Makes the objects of values of one image.
pub(super) struct Objects<'py, R> {
    leaves: OsonLeaves<'py>,
    depth: Depth,
    /// The object that stays bytes, whose node begins here.
    raw: R,
}

/// A container that is being filled.
struct Open<'a, 'py> {
    /// Its name in the object around it.
    name: Option<Bound<'py, PyString>>,
    rest: Rest<'a, 'py>,
}

enum Rest<'a, 'py> {
    List(Box<Items<&'a [u8]>>, Bound<'py, PyList>),
    Dict(std::vec::IntoIter<Field<'a, 'py>>, Bound<'py, PyDict>),
}

impl<'a, 'py> Open<'a, 'py> {
    fn next(&mut self) -> Result<Option<Next<'a, 'py>>, DecodeError> {
        match &mut self.rest {
            Rest::List(items, _) => Ok(items.next().transpose()?.map(|value| (None, value))),
            Rest::Dict(fields, _) => Ok(fields.next().map(|(name, value)| (Some(name), value))),
        }
    }

    fn put(&self, name: Option<Bound<'py, PyString>>, object: Bound<'py, PyAny>) -> PyResult<()> {
        match (&self.rest, name) {
            (Rest::Dict(_, dict), Some(name)) => dict.set_item(name, object),
            (Rest::List(_, list), _) => list.append(object),
            (Rest::Dict(..), None) => Ok(()),
        }
    }

    fn into_object(self) -> Bound<'py, PyAny> {
        match self.rest {
            Rest::List(_, list) => list.into_any(),
            Rest::Dict(_, dict) => dict.into_any(),
        }
    }
}

/// What became of a value.
enum Made<'a, 'py> {
    Object(Bound<'py, PyAny>),
    Begun(Rest<'a, 'py>),
}

impl<'py, R: Fn(usize) -> PyResult<Bound<'py, PyAny>>> Objects<'py, R> {
    pub(super) const fn new(leaves: OsonLeaves<'py>, depth: Depth, raw: R) -> Self {
        Self { leaves, depth, raw }
    }

    pub(super) fn finish(self) {
        self.leaves.finish();
    }

    /// The object for `value`. Values are shared in an image, so that a small one could stand for more than any memory
    /// holds: as a walk does, this stops after 65536 values and 1024 more for each byte.
    pub(super) fn of(&mut self, value: Value<'_>) -> Result<Bound<'py, PyAny>, Fault> {
        let len = u64::try_from(value.document().as_bytes().len()).unwrap_or(u64::MAX);
        let mut nodes_left = len.saturating_mul(1024).saturating_add(1 << 16).min(1 << 26);
        let mut outer: Vec<Open<'_, 'py>> = Vec::new();
        let mut open = match self.make(&value)? {
            Made::Object(object) => return Ok(object),
            Made::Begun(rest) => Open { name: None, rest },
        };
        loop {
            let Some((name, value)) = open.next()? else {
                let name = open.name.take();
                let object = open.into_object();
                let Some(around) = outer.pop() else { return Ok(object) };
                open = around;
                open.put(name, object)?;
                continue;
            };
            nodes_left = nodes_left.checked_sub(1).ok_or_else(|| limit(&value, Limit::Nodes))?;
            match self.make(&value)? {
                Made::Object(object) => open.put(name, object)?,
                Made::Begun(rest) => {
                    if u32::try_from(outer.len()).map_or(true, |depth| depth >= DEPTH_MAX) {
                        return Err(limit(&value, Limit::Depth(DEPTH_MAX)).into());
                    }
                    outer.push(std::mem::replace(&mut open, Open { name, rest }));
                }
            }
        }
    }

    fn make<'a>(&mut self, value: &Value<'a>) -> Result<Made<'a, 'py>, Fault> {
        let py = self.leaves.py;
        Ok(match value.kind() {
            Kind::Array => Made::Begun(Rest::List(Box::new(value.items()), PyList::empty(py))),
            Kind::Object if self.depth == Depth::All => {
                Made::Begun(Rest::Dict(fields_of(py, value)?.into_iter(), PyDict::new(py)))
            }
            Kind::Object => Made::Object((self.raw)(value.span().offset)?),
            _ => {
                let Some(scalar) = value.scalar()? else { return Ok(Made::Object(py.None().into_bound(py))) };
                let made = self.leaves.leaf(scalar);
                Made::Object(made.map_err(|fault| fault.of_value(value.span().offset))?)
            }
        })
    }
}

#[cold]
fn limit(value: &Value<'_>, limit: Limit) -> DecodeError {
    DecodeError::new(value.span().offset, DecodeErrorKind::LimitExceeded(limit))
}
