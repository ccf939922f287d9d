//! Naming the elements of an array anew.

use boson_document::DecodeError;

use crate::view::place::Places;
use crate::write::Counter;

/// Appends the elements of `rest` to `out`, the first of them named as `counter` says, those after it accordingly.
pub(super) fn renamed(
    bytes: &[u8],
    mut rest: Places<&[u8]>,
    counter: &mut Counter,
    out: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    while let Some(place) = rest.next()? {
        out.push(place.tag.byte());
        out.extend_from_slice(counter.digits());
        out.push(0);
        out.extend_from_slice(bytes.get(place.value.range()).unwrap_or_default());
        counter.advance();
    }
    Ok(())
}
