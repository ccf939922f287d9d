//! Iterating over members and elements.

use boson_document::{ByteSource, DecodeError};

use super::Node;
use crate::dictionary::NameId;
use crate::fault;
use crate::image::Image;
use crate::node::Container;

/// The children of a container, one place after the other.
#[derive(Clone, Debug)]
pub(crate) struct Children<S> {
    pub(crate) image: Image<S>,
    container: Option<Container>,
    next: usize,
}

impl<S: ByteSource> Children<S> {
    fn new(image: Image<S>, container: Option<Container>) -> Self {
        Self { image, container, next: 0 }
    }

    /// The container and the next place in it.
    #[inline]
    pub(crate) fn advance(&mut self) -> Option<(Container, usize)> {
        let container = self.container.filter(|container| self.next < container.count)?;
        let index = self.next;
        self.next = index.saturating_add(1);
        Some((container, index))
    }

    fn left(&self) -> usize {
        self.container.map_or(0, |container| container.count.saturating_sub(self.next))
    }
}

/// The elements of an array. After an error it goes on with the next one.
#[derive(Clone, Debug)]
pub struct Items<S>(Children<S>);

impl<S: ByteSource> Items<S> {
    pub(super) fn new(image: Image<S>, array: Option<Container>) -> Self {
        Self(Children::new(image, array))
    }
}

impl<S: ByteSource> Iterator for Items<S> {
    type Item = Result<Node<S>, DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (array, index) = self.0.advance()?;
        let image = &self.0.image;
        Some(image.child(&array, index).and_then(|at| image.value(at)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.left(), Some(self.0.left()))
    }
}

impl<S: ByteSource> ExactSizeIterator for Items<S> {}

/// The members of an object in stored order. After an error it goes on with the next one.
#[derive(Clone, Debug)]
pub struct Members<S>(pub(super) Children<S>);

impl<S: ByteSource> Members<S> {
    pub(super) fn new(image: Image<S>, object: Option<Container>) -> Self {
        Self(Children::new(image, object))
    }
}

impl<S: ByteSource> Iterator for Members<S> {
    type Item = Result<(NameId, Node<S>), DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (object, index) = self.0.advance()?;
        Some(self.0.image.member_at(&object, index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.left(), Some(self.0.left()))
    }
}

impl<S: ByteSource> ExactSizeIterator for Members<S> {}

impl<S: ByteSource> Image<S> {
    /// Member `index` of `object` in stored order. `index` must be below its count.
    #[inline]
    pub(crate) fn member_at(&self, object: &Container, index: usize) -> Result<(NameId, Node<S>), DecodeError> {
        let id = self.name_id_at(object, index)?;
        Ok((id, self.value(self.child(object, index)?)?))
    }

    /// The name id of member `index`, checked against the dictionary.
    #[inline]
    pub(crate) fn name_id_at(&self, object: &Container, index: usize) -> Result<NameId, DecodeError> {
        let id = self.field_id(object, index)?;
        let known = id.checked_sub(1).filter(|&index| index < self.header.name_count()).and_then(NameId::from_index);
        known.ok_or_else(|| fault::unknown_id(self.id_slot(object, index), id))
    }
}
