//! The laws of explanations: whatever the bytes, each is told once, in text in proportion to them, and a part is part of the
//! whole.

use boson_document::{Limits, PathBuf, Span};
use boson_explain::{Explained, Explanation, Selection, text};
use boson_transcode::Format;

/// Values are shared, so a small image can have more of them than there is time for.
const LIMITS: Limits = Limits::OSON.with_nodes(20_000).with_depth(200);

/// How much text a byte becomes at most: a region of one byte with a path and a name that has to be escaped.
const TEXT_PER_BYTE_MAX: usize = 2000;

/// How much text there is of a document of no bytes: its fault.
const TEXT_MIN: usize = 4000;

pub(crate) fn run(data: &[u8]) {
    for format in [Format::Bson, Format::Oson] {
        let explanation = Explanation::new(format, data, &LIMITS).expect("a binary format");
        let regions = regions(&explanation, None);
        let end = regions.iter().fold(0, |end, span| {
            assert_eq!(span.offset, end, "regions tile");
            assert!(!span.is_empty(), "a region of no bytes");
            span.end()
        });
        assert_eq!(end, data.len(), "regions reach to the end");
        written(&explanation, data.len());
        parts(&explanation, &regions);
        if let Some(fault) = explanation.fault() {
            crate::is_well_placed(fault, data.len());
        }
    }
}

fn regions(explanation: &Explanation<'_>, selection: Option<&Selection>) -> Vec<Span> {
    let mut regions = Vec::new();
    let told = explanation.notes(selection, |note| {
        assert!(note.shown <= note.region.span.len, "{note:?}");
        regions.push(note.region.span);
        Ok::<_, ()>(())
    });
    told.expect("nothing stops it");
    regions
}

/// The dump is in proportion to the document.
fn written(explanation: &Explanation<'_>, len: usize) {
    let mut dump = Vec::new();
    text::write(explanation, None, false, &mut dump).expect("a buffer");
    let len_max = len.saturating_mul(TEXT_PER_BYTE_MAX).saturating_add(TEXT_MIN);
    assert!(dump.len() <= len_max, "{} bytes of text", dump.len());
    assert!(dump.iter().all(|&byte| byte == b'\n' || !byte.is_ascii_control()), "a dump holds no control characters");
    serde_json::to_vec(&Explained { explanation, selection: None }).expect("JSON");
}

/// A selected value is told in regions of the whole.
fn parts(explanation: &Explanation<'_>, whole: &[Span]) {
    let fault = explanation.fault().map(|fault| fault.path.clone());
    for path in [PathBuf::new()].into_iter().chain(fault).chain(["a", "[0]", "a[0]"].map(path)) {
        let Ok(Some(selection)) = explanation.select(&path) else { continue };
        let part = regions(explanation, Some(&selection));
        assert!(part.iter().all(|span| whole.binary_search(span).is_ok()), "{path}");
    }
}

fn path(text: &str) -> PathBuf {
    text.parse().expect("a path")
}
