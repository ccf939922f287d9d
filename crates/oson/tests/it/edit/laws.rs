//! An edit, and then what the image holds, is the same change made in what it held before.

use boson_document::edit::{Buffer, Edit, Recorded};
use boson_document::{PathBuf, Value};
use boson_oson::Document;
use boson_oson::edit::{EditError, Editor};
use boson_oson::write::{Options, to_vec};
use boson_testkit::laws::assert_same;
use boson_testkit::{Gen, OwnedChange, Rng, documents, hex};

use super::{assert_cost, held};

/// How often each way was taken.
#[derive(Debug, Default)]
struct Taken {
    in_place: usize,
    appended: usize,
    rebuilt: usize,
    refused: usize,
}

/// The names of an image.
fn names(image: &[u8]) -> Vec<String> {
    Document::new(image).unwrap().names().map(|name| name.unwrap().to_owned()).collect()
}

/// The value as OSON gives it back: with one zero and one NaN.
fn read_back(value: Value) -> Value {
    let image = to_vec(&value, &Options::COMPACT).map(|image| held(&image));
    image.unwrap_or(value)
}

fn with_new(change: OwnedChange, read_back: impl FnOnce(Value) -> Value) -> OwnedChange {
    match change {
        OwnedChange::Set(new) => OwnedChange::Set(read_back(new)),
        OwnedChange::Insert(new) => OwnedChange::Insert(read_back(new)),
        OwnedChange::Push(new) => OwnedChange::Push(read_back(new)),
        OwnedChange::Remove => OwnedChange::Remove,
    }
}

/// Makes one change in the image and in the tree of what it holds, and compares.
fn check(
    image: Vec<u8>,
    tree: &mut Value,
    open: Open,
    path: &PathBuf,
    change: &OwnedChange,
) -> (Vec<u8>, Option<Edit>) {
    let change = &change.as_change();
    let before = image.clone();
    let mut editor = open(Recorded::new(image)).unwrap();
    let outcome = editor.change(path, change);
    let slack = editor.slack_len();
    let recording = editor.into_inner();
    let bytes = recording.as_bytes().to_vec();
    let mut expected = tree.clone();
    let changed = expected.change(path, change);
    match outcome {
        Ok(edit) => {
            assert_eq!(changed, Ok(()), "{path} {change:?}");
            assert_cost(&recording, before.len(), &edit);
            assert_same(&expected, &held(&recording));
            let counted = Editor::open(bytes.clone()).unwrap().slack_len();
            assert!(slack <= counted, "{slack} of {counted} bytes of slack: {path} {change:?} {edit}");
            *tree = expected;
            (bytes, Some(edit))
        }
        Err(error) => {
            if let EditError::Path(error) = &error {
                assert_eq!(changed.as_ref(), Err(error));
            } else {
                panic!("{error} {path} {change:?}");
            }
            assert_eq!(hex(&bytes), hex(&before), "a failed edit leaves the bytes as they were");
            (bytes, None)
        }
    }
}

type Open = fn(Recorded<Vec<u8>>) -> Result<Editor<Recorded<Vec<u8>>>, boson_document::Located>;

/// Random changes, one after the other, of one document after the other.
fn law(seed: u64, count: usize, edits: usize, options: &Options, open: Open) -> Taken {
    let mut rng = Rng::new(seed);
    let like = Gen::OSON_ALL.with_width(40);
    let mut taken = Taken::default();
    for document in documents(seed, like, count) {
        let mut image = to_vec(&document, options).unwrap();
        let mut tree = held(&image);
        for _ in 0..edits {
            let (path, change) = like.change_with_names(&tree, &names(&image), &mut rng);
            let (after, edit) = check(image, &mut tree, open, &path, &with_new(change, read_back));
            image = after;
            match edit {
                Some(Edit::InPlace { .. }) => taken.in_place += 1,
                Some(Edit::Appended { .. }) => taken.appended += 1,
                Some(Edit::Rebuilt { .. } | Edit::Spliced { .. }) => taken.rebuilt += 1,
                None => taken.refused += 1,
            }
        }
    }
    taken
}

#[test]
fn an_edit_is_the_change_of_the_tree() {
    let taken = law(1, 300, 20, &Options::COMPACT, Editor::open);
    assert!(taken.in_place > 500 && taken.appended > 1500 && taken.rebuilt > 100 && taken.refused > 50, "{taken:?}");
}
