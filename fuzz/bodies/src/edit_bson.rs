//! The laws of editing BSON: eight bytes that choose the changes, then a document.

use boson_bson::edit::{DocumentMut, EditError, edit};
use boson_bson::{Document, EncodeErrorKind, path_at, validate};
use boson_document::edit::{Change, New, Recorded};
use boson_document::{Limits, PathBuf, Value};
use boson_testkit::{Gen, OwnedChange, Rng, laws};

/// Changes of one document.
const CHANGES: usize = 6;

const LIKE: Gen = Gen::BSON_ALL.with_duplicates().with_width(20);

pub(crate) fn run(data: &[u8]) {
    let Some((seed, bytes)) = data.split_first_chunk() else { return };
    let mut rng = Rng::new(u64::from_le_bytes(*seed));
    let Ok(document) = Document::new(bytes) else {
        refused(bytes, &mut rng);
        return;
    };
    match laws::tree(&document) {
        Ok(tree) => valid(bytes, tree, &mut rng),
        Err(_) => faulty(bytes, &mut rng),
    }
}

/// What is no document is not changed.
fn refused(bytes: &[u8], rng: &mut Rng) {
    let (path, change) = LIKE.change(&Value::Array(Vec::new()), rng);
    let mut edited = bytes.to_vec();
    // Without steps the path is the document, which may be replaced whatever was there.
    if !path.segments().is_empty() || !matches!(change, OwnedChange::Set(_)) {
        assert!(edit(&mut edited, &path, &change.as_change()).is_err());
        assert_eq!(edited, bytes);
    }
    assert!(DocumentMut::open(bytes.to_vec()).is_err());
}

/// A change followed by decoding is decoding followed by the same change; a refused one leaves the bytes alone.
fn valid(bytes: &[u8], mut tree: Value, rng: &mut Rng) {
    let mut edited = Recorded::new(bytes.to_vec());
    let mut gathered = DocumentMut::open(bytes.to_vec()).expect("a document");
    for _ in 0..CHANGES {
        let (path, change) = LIKE.change(&tree, rng);
        edited.forget();
        let made = edit(&mut edited, &path, &change.as_change());
        let noted = gathered.change(&path, &change.as_change());
        assert_eq!(made.as_ref().err(), noted.as_ref().err(), "{path} {change:?}");
        if is_too_deep(&made) {
            continue;
        }
        match (made, tree.change(&path, &change.as_change())) {
            (Ok(edit), Ok(())) => assert_eq!(edit.bytes(), edited.bytes(), "{path} {change:?}"),
            (Err(error), Err(wanted)) => {
                assert_eq!(error, EditError::Path(wanted));
                assert!(edited.touches().is_empty(), "{path} {change:?}");
            }
            (made, wanted) => panic!("{path} {change:?}: {made:?}, but in the tree {wanted:?}"),
        }
    }
    holds(&edited.into_inner(), &tree);
    holds(&gathered.to_vec().expect("a document that is not too large"), &tree);
    gathered.commit().expect("a document that is not too large");
    holds(&gathered.into_inner(), &tree);
}

/// A tree may be deeper than a document.
fn is_too_deep<T>(made: &Result<T, EditError>) -> bool {
    matches!(made, Err(EditError::Encode(error)) if matches!(error.kind(), EncodeErrorKind::TooDeep { .. }))
}

fn holds(bytes: &[u8], tree: &Value) {
    validate(bytes, &Limits::BSON).expect("what was edited is valid");
    let document = Document::new(bytes).expect("what was edited");
    laws::assert_same(tree, &laws::tree(&document).expect("what was edited"));
}

/// A document with a fault somewhere is changed, or left as it is; both ways alike.
fn faulty(bytes: &[u8], rng: &mut Rng) {
    for _ in 0..CHANGES {
        let path = path_at(bytes, rng.up_to(bytes.len()));
        let new = New::from(rng.below(1000) == 0);
        let change = *rng.pick(&[
            Change::Set(new),
            Change::Set(New::from("text")),
            Change::Insert(new),
            Change::Push(new),
            Change::Remove,
        ]);
        one_change(bytes, &path, &change);
    }
}

fn one_change(bytes: &[u8], path: &PathBuf, change: &Change<'_>) {
    let mut edited = bytes.to_vec();
    let made = edit(&mut edited, path, change).map(|_| ());
    let mut gathered = DocumentMut::open(bytes.to_vec()).expect("a document");
    assert_eq!(gathered.change(path, change), made, "{path} {change:?}");
    if let Err(EditError::Decode(located)) = &made {
        crate::is_well_placed(located, bytes.len());
    }
    let wanted = if made.is_ok() { edited.as_slice() } else { bytes };
    assert_eq!(edited, wanted);
    assert_eq!(gathered.to_vec().as_deref(), Ok(wanted), "{path} {change:?}");
    Document::new(&edited).expect("what was edited has a length and an end");
}
