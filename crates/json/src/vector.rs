//! VECTOR images as arrays of numbers.

use boson_document::vector::{Vector, VectorFormat};
use boson_document::{Container, Descend, Scalar, Sink, Span};

/// The vector in `image`, if an array of numbers says all of it: no binary one whose last byte holds bits that are none.
/// `None` where text has the bytes of the image in its place.
pub fn vector_of_numbers(image: &[u8]) -> Option<Vector<'_>> {
    let vector = Vector::new(image).ok()?;
    let whole = vector.format() != VectorFormat::Binary || vector.dimensions().is_multiple_of(8);
    whole.then_some(vector)
}

/// Delivers the elements as an array; of a sparse vector as `[dimensions, [indices], [values]]`.
pub(crate) fn push<S: Sink>(vector: &Vector<'_>, span: Span, sink: &mut S) -> Result<(), S::Error> {
    if !vector.is_sparse() {
        return push_leaves(vector.leaves(), span, sink);
    }
    if sink.begin_array(Container { span, len: Some(3) })? == Descend::Skip {
        return Ok(());
    }
    sink.scalar(Scalar::Int64(vector.dimensions().into()), span)?;
    push_leaves(vector.indices().map(|index| Scalar::Int64(index.into())), span, sink)?;
    push_leaves(vector.leaves(), span, sink)?;
    sink.end_array()
}

fn push_leaves<S: Sink>(
    mut leaves: impl ExactSizeIterator<Item = Scalar<'static>>,
    span: Span,
    sink: &mut S,
) -> Result<(), S::Error> {
    if sink.begin_array(Container { span, len: Some(leaves.len()) })? == Descend::Skip {
        return Ok(());
    }
    leaves.try_for_each(|leaf| sink.scalar(leaf, span))?;
    sink.end_array()
}
