//! A change followed by decoding equals decoding followed by the same change.

use boson_bson::edit::{DocumentMut, EditError, Editor, edit};
use boson_bson::{Document, Tag, encode, validate};
use boson_document::edit::{Edit, Recorded};
use boson_document::{Limits, PathBuf, Value};
use boson_testkit::laws::{assert_same, tree};
use boson_testkit::{Gen, OwnedChange, Rng};
use proptest::prelude::*;

const LIKE: Gen = Gen::BSON_ALL.with_duplicates().with_width(60);

/// Changes of one document.
const CHANGES: usize = 12;

/// How many changes are tried, by `BOSON_EDITS`: some thousands unless somebody asks for more.
fn edits() -> usize {
    std::env::var("BOSON_EDITS").map_or(6_000, |count| count.parse().expect("BOSON_EDITS is a number"))
}

#[test]
fn an_edit_followed_by_decode_equals_decode_followed_by_the_change() {
    let mut rng = Rng::new(0xED17);
    let (mut made, mut refused) = (0_usize, 0_usize);
    while made + refused < edits() {
        let mut document = LIKE.document(&mut rng);
        let mut bytes = encode(&document).unwrap();
        for _ in 0..CHANGES {
            let (path, change) = LIKE.change(&document, &mut rng);
            match one_by_one(&mut document, bytes, &path, &change) {
                (true, changed) => (made, bytes) = (made + 1, changed),
                (false, same) => (refused, bytes) = (refused + 1, same),
            }
        }
    }
    assert!(made > refused * 4, "{made} made, {refused} refused");
}

/// Makes the change in both; answers whether it could be made, and with the bytes.
fn one_by_one(document: &mut Value, bytes: Vec<u8>, path: &PathBuf, change: &OwnedChange) -> (bool, Vec<u8>) {
    let before = bytes.clone();
    let mut buffer = Recorded::new(bytes);
    let edit = edit(&mut buffer, path, &change.as_change());
    let wanted = document.change(path, &change.as_change());
    let (written, moved, appended) = (buffer.written(), buffer.moved(), buffer.appended());
    let bytes = buffer.into_inner();
    match (edit, wanted) {
        (Ok(edit), Ok(())) => {
            check(&bytes, document);
            assert_eq!(appended, 0);
            match edit {
                Edit::InPlace { written: told } => {
                    assert_eq!((told, 0, before.len()), (written, moved, bytes.len()), "{path} {change:?}");
                }
                Edit::Spliced { written: told, moved: told_moved } => {
                    assert_eq!((told, told_moved), (written, moved), "{path} {change:?}");
                    assert_ne!(before.len(), bytes.len(), "{path} {change:?}");
                }
                other => panic!("{other:?}"),
            }
            (true, bytes)
        }
        (Err(error), Err(wanted)) => {
            assert_eq!(error, EditError::Path(wanted));
            assert_eq!((bytes == before, written), (true, 0), "a failed edit wrote something");
            (false, bytes)
        }
        (edit, wanted) => panic!("{path} {change:?}: {edit:?}, but in the tree {wanted:?}"),
    }
}

/// The bytes are valid, hold `document`, and the elements of arrays are named by their places.
fn check(bytes: &[u8], document: &Value) {
    validate(bytes, &Limits::BSON).unwrap();
    let view = Document::new(bytes).unwrap();
    assert_same(document, &tree(&view).unwrap());
    check_names(view);
}

fn check_names(document: Document<'_>) {
    let mut open = vec![(document, false)];
    while let Some((document, is_array)) = open.pop() {
        for (index, element) in document.elements().enumerate() {
            let element = element.unwrap();
            assert!(!is_array || element.name_bytes() == index.to_string().as_bytes());
            let value = element.value();
            match value.tag() {
                Tag::Array => open.push((value.as_array().unwrap().as_document(), true)),
                Tag::Document => open.push((value.as_document().unwrap(), false)),
                Tag::CodeWithScope => open.push((value.scope().unwrap(), false)),
                _ => {}
            }
        }
    }
}

#[test]
fn many_changes_written_at_once_equal_the_same_changes_in_the_tree() {
    let mut rng = Rng::new(0xB50);
    let mut tried = 0;
    while tried < edits() {
        let mut document = LIKE.document(&mut rng);
        let mut bytes = encode(&document).unwrap();
        let mut gathered = DocumentMut::open(Recorded::new(&mut bytes)).unwrap();
        let count = 1 + rng.below(3 * CHANGES);
        for _ in 0..count {
            let (path, change) = LIKE.change(&document, &mut rng);
            let made = gathered.change(&path, &change.as_change());
            let wanted = document.change(&path, &change.as_change());
            match (made, wanted) {
                (Ok(()), Ok(())) => {}
                (Err(error), Err(wanted)) => assert_eq!(error, EditError::Path(wanted)),
                (made, wanted) => panic!("{path} {change:?}: {made:?}, but in the tree {wanted:?}"),
            }
        }
        let all = gathered.to_vec().unwrap();
        check(&all, &document);
        let edit = gathered.commit().unwrap();
        // What was committed can be changed further, and written again without a change.
        assert_eq!(gathered.to_vec().unwrap(), all);
        let buffer = gathered.into_inner();
        assert_eq!(edit.bytes(), buffer.bytes(), "{edit:?}");
        assert_eq!(bytes, all);
        tried += count;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn gathered_changes_equal_single_ones(seed: u64) {
        let mut rng = Rng::new(seed);
        let mut document = LIKE.document(&mut rng);
        let bytes = encode(&document).unwrap();
        let mut gathered = DocumentMut::open(bytes.clone()).unwrap();
        let mut editor = Editor::open(bytes).unwrap();
        for _ in 0..CHANGES {
            let (path, change) = LIKE.change(&document, &mut rng);
            let change = change.as_change();
            let made = editor.change(&path, &change).map(|_| ());
            assert_eq!(gathered.change(&path, &change), made);
            let _ = document.change(&path, &change);
        }
        assert_eq!(boson_testkit::hex(gathered.to_vec().unwrap()), boson_testkit::hex(editor.document().bytes()));
    }

    #[test]
    fn damaged_documents_are_changed_or_left_as_they_are(seed: u64) {
        let mut rng = Rng::new(seed);
        let document = LIKE.document(&mut rng);
        let (bytes, other) = (encode(&document).unwrap(), encode(&LIKE.document(&mut rng)).unwrap());
        for damaged in boson_testkit::corrupt::damaged(&bytes, &other, seed, 20) {
            let (path, change) = LIKE.change(&document, &mut rng);
            edit_anything(&damaged, &path, &change);
        }
    }
}

/// Changes bytes that may be broken: neither way panics, and a refusal leaves them alone.
fn edit_anything(bytes: &[u8], path: &PathBuf, change: &OwnedChange) {
    let mut edited = bytes.to_vec();
    let edit = edit(&mut edited, path, &change.as_change());
    if edit.is_err() {
        assert_eq!(edited, bytes);
    } else {
        Document::new(&edited).unwrap();
    }
    let Ok(mut gathered) = DocumentMut::open(bytes.to_vec()) else { return };
    assert_eq!(gathered.change(path, &change.as_change()).is_ok(), edit.is_ok());
    if edit.is_ok() {
        assert_eq!(gathered.to_vec().as_ref(), Ok(&edited));
    } else {
        assert_eq!(gathered.to_vec().as_deref(), Ok(bytes));
    }
}
