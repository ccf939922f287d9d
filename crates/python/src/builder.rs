//! A document as Python objects: dicts and lists.

use boson_document::{Container, Descend, Scalar, Sink, Span};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::fault::Fault;
use crate::names::{Name, Names};

/// What a format makes of its leaves, and of containers that are no plain dict or list.
pub(crate) trait Leaves<'py> {
    /// The object for a leaf.
    fn leaf(&mut self, scalar: Scalar<'_>) -> Result<Bound<'py, PyAny>, Fault>;

    /// An empty object to put members into; `None` for a dict.
    fn new_object(&self) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(None)
    }

    /// What an object that is not the root becomes when all members are there; `marked` says that a name began with `$`.
    fn end_object(&self, object: Bound<'py, PyAny>, _marked: bool) -> PyResult<Bound<'py, PyAny>> {
        Ok(object)
    }

    /// Code with its scope.
    fn code(&self, code: Bound<'py, PyString>, _scope: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Ok(code.into_any())
    }

    /// Whether the user asked for other values than those that are delivered.
    fn replaces(&self) -> bool {
        false
    }

    /// What becomes of a value that is not the root, where the user asked for something else.
    fn replace(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Ok(value)
    }
}

/// A sink that makes Python objects.
pub(crate) struct Builder<'py, L> {
    py: Python<'py>,
    leaves: L,
    names: Names,
    /// Of a document that numbers its names, those that came, by their numbers.
    numbered: Vec<Option<Bound<'py, PyString>>>,
    /// The name of the value that comes next.
    name: Option<Name<'py>>,
    open: Vec<Open<'py>>,
    /// The elements of the lists that are open.
    elements: Vec<Bound<'py, PyAny>>,
    root: Option<Bound<'py, PyAny>>,
}

/// A container that has begun.
struct Open<'py> {
    /// Its own name in the container around it.
    name: Option<Name<'py>>,
    container: Inside<'py>,
}

enum Inside<'py> {
    Dict {
        dict: Bound<'py, PyDict>,
        marked: bool,
    },
    Object {
        object: Bound<'py, PyAny>,
        marked: bool,
    },
    /// Where its elements begin.
    List(usize),
    Code {
        code: Bound<'py, PyString>,
        scope: Bound<'py, PyAny>,
    },
}

impl<'py, L: Leaves<'py>> Builder<'py, L> {
    pub(crate) fn new(py: Python<'py>, leaves: L) -> Self {
        Self {
            py,
            leaves,
            names: Names::borrow(),
            numbered: Vec::new(),
            name: None,
            open: Vec::with_capacity(16),
            elements: Vec::new(),
            root: None,
        }
    }

    /// The document that was delivered.
    pub(crate) fn take(&mut self) -> Option<Bound<'py, PyAny>> {
        self.root.take()
    }

    /// Ends the use of the names that others may go on with.
    pub(crate) fn finish(self) -> L {
        self.names.give_back();
        self.leaves
    }

    #[inline]
    fn put(&mut self, value: Bound<'py, PyAny>) -> Result<(), Fault> {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(value);
            return Ok(());
        };
        let value = if self.leaves.replaces() { self.leaves.replace(value)? } else { value };
        let name = self.name.take();
        let name = name.as_ref().and_then(|name| self.names.text(self.py, name));
        match (&mut open.container, name) {
            (Inside::Dict { dict, .. }, Some(name)) => dict.set_item(name, &value)?,
            (Inside::Object { object, .. } | Inside::Code { scope: object, .. }, Some(name)) => {
                object.set_item(name, &value)?;
            }
            _ => self.elements.push(value),
        }
        Ok(())
    }

    /// Makes the string of a name that comes for the first time.
    fn number(&mut self, number: usize, name: &str) -> Bound<'py, PyString> {
        let found = self.names.find(self.py, name);
        let text = match self.names.keep(self.py, found) {
            Name::Own(text) => text,
            Name::At(_) => PyString::new(self.py, name),
        };
        if self.numbered.len() <= number {
            self.numbered.resize(number.saturating_add(1), None);
        }
        if let Some(place) = self.numbered.get_mut(number) {
            *place = Some(text.clone());
        }
        text
    }

    #[inline]
    fn begin(&mut self, container: Inside<'py>) {
        let name = self.name.take().map(|name| self.names.keep(self.py, name));
        self.open.push(Open { name, container });
    }

    fn object(&self) -> PyResult<Inside<'py>> {
        Ok(match self.leaves.new_object()? {
            None => Inside::Dict { dict: PyDict::new(self.py), marked: false },
            Some(object) => Inside::Object { object, marked: false },
        })
    }

    /// The container that ends, complete.
    fn close(&mut self, container: Inside<'py>) -> PyResult<Bound<'py, PyAny>> {
        let nested = !self.open.is_empty();
        match container {
            Inside::Dict { dict, marked } if nested => self.leaves.end_object(dict.into_any(), marked),
            Inside::Object { object, marked } if nested => self.leaves.end_object(object, marked),
            Inside::Dict { dict, .. } => Ok(dict.into_any()),
            Inside::Object { object, .. } => Ok(object),
            Inside::List(first) => {
                let first = first.min(self.elements.len());
                Ok(PyList::new(self.py, self.elements.drain(first..))?.into_any())
            }
            Inside::Code { code, scope } => self.leaves.code(code, scope),
        }
    }

    #[inline]
    fn end(&mut self) -> Result<(), Fault> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let value = self.close(open.container)?;
        self.name = open.name;
        self.put(value)
    }
}

impl<'py, L: Leaves<'py>> Sink for Builder<'py, L> {
    type Error = Fault;

    #[inline]
    fn begin_object(&mut self, _: Container) -> Result<Descend, Fault> {
        let object = self.object()?;
        self.begin(object);
        Ok(Descend::Into)
    }

    #[inline]
    fn end_object(&mut self) -> Result<(), Fault> {
        self.end()
    }

    #[inline]
    fn begin_array(&mut self, _: Container) -> Result<Descend, Fault> {
        self.begin(Inside::List(self.elements.len()));
        Ok(Descend::Into)
    }

    #[inline]
    fn end_array(&mut self) -> Result<(), Fault> {
        self.end()
    }

    fn begin_code_with_scope(&mut self, code: &str, _: Container) -> Result<Descend, Fault> {
        let code = PyString::new(self.py, code);
        let scope = match self.leaves.new_object()? {
            None => PyDict::new(self.py).into_any(),
            Some(object) => object,
        };
        self.begin(Inside::Code { code, scope });
        Ok(Descend::Into)
    }

    fn end_code_with_scope(&mut self) -> Result<(), Fault> {
        self.end()
    }

    #[inline]
    fn key(&mut self, name: &str, _: Span) -> Result<(), Fault> {
        if name.starts_with('$')
            && let Some(Open { container: Inside::Dict { marked, .. } | Inside::Object { marked, .. }, .. }) =
                self.open.last_mut()
        {
            *marked = true;
        }
        self.name = Some(self.names.find(self.py, name));
        Ok(())
    }

    /// No format that marks objects by their names numbers them.
    #[inline]
    fn numbered_key(&mut self, number: usize, name: &str, _: Span) -> Result<(), Fault> {
        let text = match self.numbered.get(number) {
            Some(Some(text)) => text.clone(),
            _ => self.number(number, name),
        };
        self.name = Some(Name::Own(text));
        Ok(())
    }

    #[inline]
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), Fault> {
        match self.leaves.leaf(scalar) {
            Ok(value) => self.put(value),
            Err(fault) => Err(fault.of_value(span.offset)),
        }
    }
}
