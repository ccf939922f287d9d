//! What a dump holds, read back from its text.

use boson_document::Role;
use boson_explain::Explanation;

use super::{dump_of, json_of};

/// The bytes that a dump shows, with the offset of each line.
pub(super) fn bytes_of(dump: &str) -> Vec<(usize, Vec<u8>)> {
    dump.lines().filter_map(line).collect()
}

/// `!  12  0a 0b  meaning`: a mark, an offset, two spaces, bytes with a space between them, two spaces.
fn line(line: &str) -> Option<(usize, Vec<u8>)> {
    let rest = line.strip_prefix(['!', ' '])?.trim_start_matches(' ');
    let (offset, rest) = rest.split_once("  ")?;
    let offset = offset.parse().ok()?;
    let hex = rest.split("  ").next()?;
    let bytes = hex.split(' ').map(|byte| u8::from_str_radix(byte, 16).ok().filter(|_| byte.len() == 2));
    Some((offset, bytes.collect::<Option<_>>()?))
}

/// Every byte of a document that is sound is in one region and in one line, no region is longer than 16 bytes but values, names
/// and slack, and the bytes in the lines put together are the document.
pub(super) fn tells_every_byte(name: &str, explanation: &Explanation<'_>) {
    assert_eq!(explanation.fault(), None, "{name}");
    let bytes = explanation.bytes();
    let mut end = 0;
    explanation
        .notes(None, |note| {
            let span = note.region.span;
            assert_eq!(span.offset, end, "{name}: {note:?}");
            assert!(span.len > 0, "{name}: {note:?}");
            assert_ne!(note.region.role, Role::Unread, "{name}");
            assert!(
                span.len <= 16 || matches!(note.region.role, Role::Value | Role::Name | Role::Slack),
                "{name}: {note:?}"
            );
            assert!(note.whole.offset <= span.offset && span.offset + span.len <= note.whole.offset + note.whole.len);
            assert!(note.points_to.is_none_or(|at| at < bytes.len()), "{name}: {note:?}");
            end = span.offset + span.len;
            Ok::<_, ()>(())
        })
        .unwrap();
    assert_eq!(end, bytes.len(), "{name}");
    lines_are_the_document(name, explanation);
    json_is_the_document(name, explanation);
}

fn lines_are_the_document(name: &str, explanation: &Explanation<'_>) {
    let mut shown = Vec::new();
    for (offset, bytes) in bytes_of(&dump_of(explanation, None)) {
        assert_eq!(offset, shown.len(), "{name}");
        shown.extend(bytes);
    }
    assert_eq!(boson_testkit::hex(&shown), boson_testkit::hex(explanation.bytes()), "{name}");
}

fn json_is_the_document(name: &str, explanation: &Explanation<'_>) {
    let json = json_of(explanation, None);
    let hex: String =
        json["regions"].as_array().unwrap().iter().map(|region| region["hex"].as_str().unwrap()).collect();
    assert_eq!(hex, boson_testkit::hex(explanation.bytes()), "{name}");
    assert_eq!(json["bytes"], explanation.bytes().len());
    assert!(json["fault"].is_null());
}
