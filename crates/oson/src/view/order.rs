//! The order of the input, of objects whose fields are sorted by their ids.
//!
//! Writers sort the fields of objects of more than 10 so that readers can search them. Ours lays the values of such an
//! object into the tree in the order of the input, each at a place of its own; so does any writer that appends values as
//! they come. So when all places differ, they tell the order; when two are equal the values are shared, and then the
//! places tell nothing. An update that moves a value by changing the offset in its parent moves the field to the end.

use boson_document::DecodeError;

use super::Value;
use crate::node::Container;
use crate::view::Document;
use crate::width::{narrow, widen};

/// Up to how many fields an object keeps the order of the input by itself.
pub(crate) const UNSORTED_FIELDS_MAX: usize = 10;

/// Room to sort the fields of objects in, kept from one object to the next.
///
/// It holds the fields of a number of objects that are inside each other, the innermost last.
#[derive(Clone, Debug, Default)]
pub struct FieldOrder {
    /// For each field its place in the tree, high, and its index in the object, low.
    places: Vec<u64>,
}

impl FieldOrder {
    /// No room yet.
    pub const fn new() -> Self {
        Self { places: Vec::new() }
    }

    /// Room for the fields of one object of `fields` fields.
    pub(crate) fn with_capacity(fields: usize) -> Self {
        Self { places: Vec::with_capacity(fields) }
    }

    /// Finds the order of the fields of `object`: where it begins in this, or `None` when it is the stored one.
    #[inline]
    pub(crate) fn push(&mut self, document: &Document<'_>, object: &Container) -> Result<Option<usize>, DecodeError> {
        if object.is_array() || object.count <= UNSORTED_FIELDS_MAX || !document.has_sorted_ids(object) {
            return Ok(None);
        }
        self.sort(document, object)
    }

    fn sort(&mut self, document: &Document<'_>, object: &Container) -> Result<Option<usize>, DecodeError> {
        let start = self.places.len();
        let tree_at = document.header.tree.start;
        for index in 0..object.count {
            let offset = document.child(object, index)?.saturating_sub(tree_at);
            self.places.push(u64::from(narrow(offset)) << 32 | u64::from(narrow(index)));
        }
        let places = self.places.get_mut(start..).unwrap_or_default();
        if is_ascending(places) || !sort_distinct(places) {
            self.places.truncate(start);
            return Ok(None);
        }
        Ok(Some(start))
    }

    /// The index in its object of field `number` of the order that begins at `start`.
    #[inline]
    pub(crate) fn index(&self, start: usize, number: usize) -> usize {
        let [.., b4, b5, b6, b7] =
            self.places.get(start.saturating_add(number)).copied().unwrap_or_default().to_be_bytes();
        widen(u32::from_be_bytes([b4, b5, b6, b7]))
    }

    /// How many fields are held.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Forgets the order that begins at `start`, and those of the objects inside.
    pub(crate) fn pop(&mut self, start: usize) {
        self.places.truncate(start);
    }
}

fn is_ascending(places: &[u64]) -> bool {
    places.is_sorted_by(|a, b| a >> 32 < b >> 32)
}

/// Sorts; whether no two places are equal.
fn sort_distinct(places: &mut [u64]) -> bool {
    places.sort_unstable();
    is_ascending(places)
}

impl<'a> Value<'a> {
    /// The members of an object with their names in the order of the input, as far as the image tells it: the order in
    /// which walks of the whole document deliver them. None of anything else.
    ///
    /// Objects of up to 10 fields, and those whose ids are not sorted, have it as their stored order. Of larger ones the
    /// fields are sorted by the places of their values, if these all differ; if two are equal, the order is lost and the
    /// stored one is given.
    ///
    /// # Errors
    ///
    /// When the offset of a value leads out of the tree.
    pub fn fields_in_order<'o>(&self, order: &'o mut FieldOrder) -> Result<FieldsInOrder<'a, 'o>, DecodeError> {
        order.places.clear();
        let object = self.object().copied();
        let sorted = match &object {
            Some(object) => order.push(&self.image, object)?.is_some(),
            None => false,
        };
        Ok(FieldsInOrder { document: self.image, object, order, sorted, next: 0 })
    }
}

/// The members of an object in the order of the input. After an error it goes on with the next one.
#[derive(Clone, Debug)]
pub struct FieldsInOrder<'a, 'o> {
    document: Document<'a>,
    object: Option<Container>,
    order: &'o FieldOrder,
    sorted: bool,
    next: usize,
}

impl<'a> Iterator for FieldsInOrder<'a, '_> {
    type Item = Result<(&'a str, Value<'a>), DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let object = self.object.filter(|object| self.next < object.count)?;
        let index = if self.sorted { self.order.index(0, self.next) } else { self.next };
        self.next = self.next.saturating_add(1);
        let member = self.document.member_at(&object, index);
        Some(member.and_then(|(id, value)| Ok((self.document.name(id)?, value))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.object.map_or(0, |object| object.count.saturating_sub(self.next));
        (left, Some(left))
    }
}

impl ExactSizeIterator for FieldsInOrder<'_, '_> {}
