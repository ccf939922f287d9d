//! The laws of editing OSON: eight bytes that choose the changes, then an image.

use std::ops::ControlFlow;

use boson_document::edit::{Buffer, Change, Edit, New, Recorded, Touch};
use boson_document::{Limits, Located, PathBuf, Value};
use boson_oson::edit::{EditError, Editor};
use boson_oson::write::{EncodeErrorKind, Options, to_vec};
use boson_oson::{Document, path_at, validate};
use boson_testkit::{Gen, OwnedChange, Rng, laws};
use boson_transcode::diff::{DiffOptions, Differ};

/// Changes of one image.
const CHANGES: usize = 6;

/// Values are shared, so a small image can have more of them than there is time for.
const LIMITS: Limits = Limits::OSON.with_nodes(20_000).with_depth(200);

const LIKE: Gen = Gen::OSON_ALL.with_width(20);

type Image = Recorded<Vec<u8>>;

pub(crate) fn run(data: &[u8]) {
    let Some((seed, bytes)) = data.split_first_chunk() else { return };
    let mut rng = Rng::new(u64::from_le_bytes(*seed));
    if validate(bytes, &LIMITS).is_ok() {
        let document = Document::new(bytes).expect("a valid image");
        let tree = laws::tree(&document.limited(LIMITS)).expect("a valid image");
        valid(bytes, tree, &mut rng);
    } else {
        faulty(bytes, &mut rng, Editor::open);
    }
    // What trusts an image that lies may change more than it should, but nothing worse.
    faulty(bytes, &mut rng, Editor::trusting);
}

/// A change followed by decoding is decoding followed by the same change; a refused one leaves the bytes alone.
fn valid(bytes: &[u8], mut tree: Value, rng: &mut Rng) {
    let mut editor = Editor::open(Recorded::new(bytes.to_vec())).expect("a valid image");
    if rng.once_in(3) {
        editor = editor.keeping_offsets();
    }
    for _ in 0..CHANGES {
        let names: Vec<String> = editor.document().names().map(|name| name.expect("a valid name").to_owned()).collect();
        let (path, change) = LIKE.change_with_names(&tree, &names, rng);
        if let Some(changed) = one_change(&mut editor, &tree, &path, &read_back(change)) {
            tree = changed;
        }
    }
    let slack_len = editor.slack_len();
    let mut compacted = editor;
    let counted = Editor::open(compacted.buffer().as_bytes().to_vec()).expect("a valid image").slack_len();
    assert!(slack_len <= counted, "{slack_len} bytes of slack, counted anew {counted}");
    compacted.compact().expect("what was read can be written");
    holds(compacted.buffer().as_bytes(), &tree);
}

/// Makes the change in the image. Returns the tree of what it holds then, `None` when the change was refused.
fn one_change(editor: &mut Editor<Image>, tree: &Value, path: &PathBuf, change: &OwnedChange) -> Option<Value> {
    let change = &change.as_change();
    let (before, touches) = (editor.buffer().as_bytes().to_vec(), editor.buffer().touches().len());
    let made = editor.change(path, change);
    let mut wanted = tree.clone();
    let changed = wanted.change(path, change);
    match (made, changed) {
        (Ok(edit), Ok(())) => {
            let touches = editor.buffer().touches().get(touches..).unwrap_or_default();
            costs(touches, before.len(), editor.buffer().as_bytes(), &edit);
            Some(holds(editor.buffer().as_bytes(), &wanted))
        }
        (Err(error), changed) => {
            assert_eq!(editor.buffer().as_bytes(), before, "{path} {change:?}");
            match (error, changed) {
                (EditError::Path(error), Err(wanted)) => assert_eq!(error, wanted),
                // A tree may be deeper than an image, or larger.
                (EditError::Encode(error), Ok(())) => {
                    assert!(matches!(error.kind(), EncodeErrorKind::LimitExceeded(_)), "{error}");
                }
                (error, changed) => panic!("{path} {change:?}: {error}, but in the tree {changed:?}"),
            }
            None
        }
        (made, wanted) => panic!("{path} {change:?}: {made:?}, but in the tree {wanted:?}"),
    }
}

/// The image is valid and holds the values of `tree`, whatever the order of fields and the size of numbers. Returns what it
/// holds.
fn holds(bytes: &[u8], tree: &Value) -> Value {
    validate(bytes, &Limits::OSON).expect("what was edited is valid");
    let document = Document::new(bytes).expect("what was edited");
    laws::layout_tiles(&document, bytes.len());
    let held = laws::tree(&document).expect("what was edited");
    let alike = DiffOptions { ignore_types: true, ignore_order: true };
    let differences = Differ::new(alike).compare(tree, &held, |difference| {
        eprintln!("{difference}");
        ControlFlow::Continue(())
    });
    assert_eq!(differences, Ok(0), "{}", boson_testkit::hex(bytes));
    held
}

/// What the buffer saw is what the edit says: of the bytes that were there, those overwritten, each once; and the growth.
fn costs(touches: &[Touch], start: usize, image: &[u8], edit: &Edit) {
    let mut overwritten = vec![false; start];
    for touch in touches {
        let (Touch::Written(span) | Touch::Appended(span)) = touch else { continue };
        overwritten.iter_mut().take(span.end()).skip(span.offset).for_each(|byte| *byte = true);
    }
    let overwritten = overwritten.iter().filter(|byte| **byte).count();
    let grown = image.len().saturating_sub(start);
    match *edit {
        Edit::InPlace { written } => assert_eq!((overwritten, grown), (written, 0)),
        Edit::Appended { written, appended } => assert_eq!((overwritten, grown), (written, appended)),
        Edit::Rebuilt { written, .. } => assert_eq!(overwritten + grown, written),
        Edit::Spliced { .. } => panic!("{edit}"),
    }
}

/// The change with a value as OSON gives it back: with one zero and one NaN.
fn read_back(change: OwnedChange) -> OwnedChange {
    let back = |value| match to_vec(&value, &Options::default()) {
        Ok(image) => holds(&image, &value),
        Err(_) => value,
    };
    match change {
        OwnedChange::Set(new) => OwnedChange::Set(back(new)),
        OwnedChange::Insert(new) => OwnedChange::Insert(back(new)),
        OwnedChange::Push(new) => OwnedChange::Push(back(new)),
        OwnedChange::Remove => OwnedChange::Remove,
    }
}

type Open = fn(Vec<u8>) -> Result<Editor<Vec<u8>>, Located>;

/// An image with a fault somewhere is changed or left as it is.
fn faulty(bytes: &[u8], rng: &mut Rng, open: Open) {
    for _ in 0..CHANGES {
        let path = path_at(bytes, rng.up_to(bytes.len()));
        let new = New::from(rng.below(1000) == 0);
        let change = *rng.pick(&[
            Change::Set(new),
            Change::Set("text".into()),
            Change::Insert(new),
            Change::Push(new),
            Change::Remove,
        ]);
        let mut editor = match open(bytes.to_vec()) {
            Ok(editor) => editor,
            Err(error) => return crate::is_well_placed(&error, bytes.len()),
        };
        let made = editor.change(&path, &change);
        if let Err(EditError::Decode(located)) = &made {
            crate::is_well_placed(located, bytes.len());
        }
        let after = editor.into_inner();
        match made {
            Ok(_) => drop(Document::new(&after).expect("what was edited has a header")),
            Err(_) => assert_eq!(after, bytes, "{path} {change:?}"),
        }
    }
}
