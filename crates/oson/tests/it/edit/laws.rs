//! An edit, and then what the image holds, is the same change made in what it held before.

use boson_document::edit::{Buffer, Edit, Recorded};
use boson_document::{Located, PathBuf, Value};
use boson_oson::Document;
use boson_oson::edit::{EditError, Editor, Policy};
use boson_oson::write::{Options, to_vec};
use boson_testkit::laws::assert_same;
use boson_testkit::{Gen, OwnedChange, Rng, hex};

use super::{assert_cost, by_name, held, relative, seeds};

type Image = Recorded<Vec<u8>>;
type Open = fn(Image) -> Result<Editor<Image>, Located>;

const LIKE: Gen = Gen::OSON_ALL.with_width(40);
const LARGE: Gen = Gen::OSON_ALL;

/// How often each way was taken.
#[derive(Debug, Default)]
struct Taken {
    in_place: usize,
    appended: usize,
    rebuilt: usize,
    refused: usize,
}

impl Taken {
    fn count(&mut self, edit: Option<Edit>) {
        match edit {
            Some(Edit::InPlace { .. }) => self.in_place += 1,
            Some(Edit::Appended { .. }) => self.appended += 1,
            Some(Edit::Rebuilt { .. } | Edit::Spliced { .. }) => self.rebuilt += 1,
            None => self.refused += 1,
        }
    }

    fn sum(&self) -> usize {
        self.in_place + self.appended + self.rebuilt + self.refused
    }
}

/// How many changes each law tries, by `BOSON_EDITS`: some thousands unless somebody asks for more.
fn edits() -> usize {
    std::env::var("BOSON_EDITS").map_or(2_500, |count| count.parse().expect("BOSON_EDITS is a number"))
}

/// Images that are edited, and how they are opened and compared.
struct Law {
    open: Open,
    /// Whether the order of fields is known in every image.
    ordered: bool,
    /// How many changes are made by one editor in one image.
    changes: usize,
    like: Gen,
}

impl Law {
    const ONE_EDITOR: Self = Self { open: Editor::open, ordered: true, changes: 20, like: LIKE };

    /// Changes image after image, until enough were changed.
    fn run(&self, seed: u64, mut image: impl FnMut(&mut Rng) -> Vec<u8>) -> Taken {
        let (mut rng, mut taken) = (Rng::new(seed), Taken::default());
        while taken.sum() < edits() {
            let image = image(&mut rng);
            self.run_one(image, &mut rng, &mut taken);
        }
        taken
    }

    /// Changes one image.
    fn run_one(&self, image: Vec<u8>, rng: &mut Rng, taken: &mut Taken) {
        let mut tree = held(&image);
        let mut editor = (self.open)(Recorded::new(image)).unwrap();
        for _ in 0..self.changes {
            let (path, change) = self.like.change_with_names(&tree, &names(editor.document()), rng);
            taken.count(self.check(&mut editor, &mut tree, &path, &read_back(change)));
        }
    }

    /// Makes one change in the image and in the tree of what it holds, and compares.
    fn check(
        &self,
        editor: &mut Editor<Image>,
        tree: &mut Value,
        path: &PathBuf,
        change: &OwnedChange,
    ) -> Option<Edit> {
        let change = &change.as_change();
        let (before, touches) = (editor.document().as_bytes().to_vec(), editor.buffer().touches().len());
        let outcome = editor.change(path, change);
        let mut expected = tree.clone();
        let changed = expected.change(path, change);
        match outcome {
            Ok(edit) => {
                assert_eq!(changed, Ok(()), "{path} {change:?}");
                assert_cost(&editor.buffer().touches()[touches..], before.len(), editor.buffer().as_bytes(), &edit);
                let actual = held(editor.buffer());
                if self.ordered {
                    assert_same(&expected, &actual);
                } else {
                    assert_same(&by_name(expected), &by_name(actual.clone()));
                }
                *tree = actual;
                Some(edit)
            }
            Err(error) => {
                if let EditError::Path(error) = &error {
                    assert_eq!(changed.as_ref(), Err(error));
                } else {
                    panic!("{error} {path} {change:?}");
                }
                assert_eq!(
                    hex(editor.buffer().as_bytes()),
                    hex(&before),
                    "a failed edit leaves the bytes as they were"
                );
                None
            }
        }
    }
}

/// The names of an image.
fn names(document: Document<'_>) -> Vec<String> {
    document.names().map(|name| name.unwrap().to_owned()).collect()
}

/// The change with a value as OSON gives it back: with one zero and one NaN.
fn read_back(change: OwnedChange) -> OwnedChange {
    let back = |value| to_vec(&value, &Options::COMPACT).map(|image| held(&image)).unwrap_or(value);
    match change {
        OwnedChange::Set(new) => OwnedChange::Set(back(new)),
        OwnedChange::Insert(new) => OwnedChange::Insert(back(new)),
        OwnedChange::Push(new) => OwnedChange::Push(back(new)),
        OwnedChange::Remove => OwnedChange::Remove,
    }
}

fn compact(like: Gen) -> impl FnMut(&mut Rng) -> Vec<u8> {
    move |rng| to_vec(&like.document(rng), &Options::COMPACT).unwrap()
}

/// An image in which nothing is shared and nothing sorted. What the driver cannot write is left out.
fn driver(rng: &mut Rng) -> Vec<u8> {
    loop {
        if let Ok(image) = to_vec(&LIKE.document(rng), &Options::DRIVER) {
            return image;
        }
    }
}

#[test]
fn an_edit_is_the_change_of_the_tree() {
    let taken = Law::ONE_EDITOR.run(1, compact(LIKE));
    assert!(taken.in_place > 200 && taken.appended > 500 && taken.rebuilt > 50 && taken.refused > 20, "{taken:?}");
}

#[test]
fn in_large_images_too() {
    let law = Law { like: LARGE, changes: 8, ..Law::ONE_EDITOR };
    let mut rng = Rng::new(2);
    let mut taken = Taken::default();
    while taken.sum() < edits() / 40 {
        let image = to_vec(&LARGE.document(&mut rng), &Options::COMPACT).unwrap();
        law.run_one(image, &mut rng, &mut taken);
    }
}

/// Offsets of two bytes reach the tree and the beginning of the extended tree, and then no further.
#[test]
fn in_images_whose_offsets_barely_reach() {
    let (mut rng, mut taken) = (Rng::new(12), Taken::default());
    while taken.sum() < edits() / 4 {
        let Value::Object(mut members) = LIKE.document(&mut rng) else { continue };
        let without = to_vec(&Value::Object(members.clone()), &Options::COMPACT).unwrap();
        let tree_len = Document::new(&without).unwrap().header().tree_len();
        let Some(pad_len) = 65_300_usize.checked_sub(tree_len) else { continue };
        members.insert(0, ("pad".to_owned(), Value::String("x".repeat(pad_len))));
        let image = to_vec(&Value::Object(members), &Options::COMPACT).unwrap();
        assert!(Document::new(&image).unwrap().header().tree_len() < 0x1_0000);
        Law { changes: 30, ..Law::ONE_EDITOR }.run_one(image, &mut rng, &mut taken);
    }
    assert!(taken.appended > taken.sum() / 5, "{taken:?}");
}

#[test]
fn when_each_change_has_an_editor_of_its_own() {
    let mut rng = Rng::new(3);
    let (law, mut taken) = (Law { changes: 1, ..Law::ONE_EDITOR }, Taken::default());
    while taken.sum() < edits() {
        let mut image = to_vec(&LIKE.document(&mut rng), &Options::COMPACT).unwrap();
        for _ in 0..10 {
            let mut tree = held(&image);
            let mut editor = Editor::open(Recorded::new(image)).unwrap();
            let (path, change) = LIKE.change_with_names(&tree, &names(editor.document()), &mut rng);
            taken.count(law.check(&mut editor, &mut tree, &path, &read_back(change)));
            let slack = editor.slack_len();
            image = editor.into_inner().into_inner();
            let counted = Editor::open(image.clone()).unwrap().slack_len();
            assert!(slack <= counted, "{slack} of {counted} bytes of slack: {path}");
        }
    }
}

#[test]
fn when_the_editor_trusts() {
    Law { open: Editor::trusting, ..Law::ONE_EDITOR }.run(4, compact(LIKE));
    Law { open: Editor::trusting, ..Law::ONE_EDITOR }.run(5, driver);
}

#[test]
fn when_the_editor_keeps_offsets() {
    let open = |image| Editor::open(image).map(Editor::keeping_offsets);
    Law { open, ..Law::ONE_EDITOR }.run(6, compact(LIKE));
}

#[test]
fn in_images_of_drivers() {
    Law::ONE_EDITOR.run(7, driver);
}

#[test]
fn in_images_with_distances_for_offsets() {
    Law::ONE_EDITOR.run(8, |rng| relative(&driver(rng)));
    Law { ordered: false, ..Law::ONE_EDITOR }.run(9, |rng| relative(&compact(LIKE)(rng)));
}

/// Every image of the vectors, whoever wrote it.
#[test]
fn in_images_of_others() {
    let (seeds, mut rng, mut taken) = (seeds(), Rng::new(10), Taken::default());
    let law = Law { ordered: false, changes: 10, ..Law::ONE_EDITOR };
    for image in seeds.iter().cycle().take(seeds.len() * (edits() / 400).max(1)) {
        law.run_one(image.clone(), &mut rng, &mut taken);
    }
}

/// One image is changed again and again by one editor, which follows a policy.
#[test]
fn ten_thousand_changes_stay_within_the_policy() {
    let policy = Policy { slack_percent_max: 40, slack_bytes_min: 512 };
    let mut rng = Rng::new(11);
    let start = to_vec(&Gen::OSON_ALL.with_width(60).document(&mut rng), &Options::COMPACT).unwrap();
    let mut tree = held(&start);
    let (law, mut taken, mut compacted) = (Law { changes: 0, ..Law::ONE_EDITOR }, Taken::default(), 0);
    let mut editor = Editor::open(Recorded::new(start.clone())).unwrap();
    for _ in 0..10_000 {
        let (path, change) = LIKE.change_with_names(&tree, &names(editor.document()), &mut rng);
        // It stays about as large as it was.
        let change = if editor.document().as_bytes().len() > 4 * start.len() { OwnedChange::Remove } else { change };
        taken.count(law.check(&mut editor, &mut tree, &path, &read_back(change)));
        if editor.compact_by(&policy).unwrap().is_some() {
            compacted += 1;
            assert_same(&tree, &held(editor.buffer()));
            assert_eq!(editor.slack_len(), 0);
        }
        let image_len = editor.document().as_bytes().len();
        assert!(editor.slack_len() <= 512.max(image_len * 40 / 100), "{} of {image_len}", editor.slack_len());
        let clean_len = to_vec(&tree, &Options::COMPACT).unwrap().len();
        // Slack that the policy allows, and the names that nothing uses any more.
        assert!(image_len <= 2 * clean_len + 8192, "{image_len} bytes, {clean_len} when written anew");
    }
    assert!(compacted > 10, "{compacted} {taken:?}");
}
