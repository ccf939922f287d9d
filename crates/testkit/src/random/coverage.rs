//! Which kinds a set of documents has shown.

use std::collections::BTreeMap;

use boson_document::{Kind, Value};

/// Counts the values of each kind, containers included.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    values: BTreeMap<Kind, usize>,
}

impl Coverage {
    /// Nothing counted.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts every value in `document`.
    pub fn add(&mut self, document: &Value) {
        let mut open = vec![document];
        while let Some(value) = open.pop() {
            *self.values.entry(value.kind()).or_default() += 1;
            match value {
                Value::Object(members) | Value::CodeWithScope { scope: members, .. } => {
                    open.extend(members.iter().map(|(_, member)| member));
                }
                Value::Array(elements) => open.extend(elements),
                _ => {}
            }
        }
    }

    /// How many values of `kind` were counted.
    pub fn count(&self, kind: Kind) -> usize {
        self.values.get(&kind).copied().unwrap_or_default()
    }

    /// Those of `kinds` that did not occur.
    pub fn missing(&self, kinds: &[Kind]) -> Vec<Kind> {
        kinds.iter().copied().filter(|&kind| self.count(kind) == 0).collect()
    }
}
