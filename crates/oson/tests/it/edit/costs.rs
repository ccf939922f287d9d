//! What edits cost: bytes that the buffer saw written, and what was allocated.

use alloc_tracker::Session;
use boson_document::edit::{Buffer, Edit, Recorded};
use boson_document::{PathBuf, Scalar, Value};
use boson_oson::edit::{Editor, Policy};
use boson_oson::write::{Options, Style, to_vec};

use super::{assert_cost, held};

/// Some records of some fields, in an array: as many as take `len` bytes.
fn records(len: usize, options: &Options) -> Vec<u8> {
    let record = |n: i32| {
        let member = |name: &str, value| (name.to_owned(), value);
        Value::Object(vec![
            member("id", Value::Int32(n)),
            member("name", Value::String(format!("a name of forty bytes, number {n:010}"))),
            member("active", Value::Bool(n % 3 == 0)),
            member("tags", Value::Array(vec![Value::String(format!("tag {n}")), Value::Null])),
            member("score", Value::Double(f64::from(n) / 8.0)),
        ])
    };
    let image = |count| {
        let records = Value::Array((0..count).map(record).collect());
        to_vec(&Value::Object(vec![("records".to_owned(), records)]), options).unwrap()
    };
    let each = (image(2000).len() - image(1000).len()) / 1000;
    image(i32::try_from(len / each).unwrap())
}

fn path(text: &str) -> PathBuf {
    text.parse().unwrap()
}

/// Sets the name of the record in the middle; returns what the buffer saw written, overwritten or appended.
fn set_name(image: &[u8], record: usize, name: &str) -> usize {
    let mut editor = Editor::open(Recorded::new(image.to_vec())).unwrap();
    let edit = editor.set(&path(&format!("records[{record}].name")), name).unwrap();
    assert_cost(editor.buffer().touches(), image.len(), editor.buffer().as_bytes(), &edit);
    assert!(matches!(edit, Edit::InPlace { .. } | Edit::Appended { .. }), "{edit}");
    let written = editor.buffer().bytes();
    assert_eq!(held(editor.buffer()), {
        let mut tree = held(&image.to_vec());
        tree.change(&path(&format!("records[{record}].name")), &boson_document::edit::Change::Set(name.into()))
            .unwrap();
        tree
    });
    written
}

/// Whoever wrote the image, and whatever its size: every byte that the buffer was handed counts, the update header that
/// is put together twice too.
#[test]
fn one_text_costs_less_than_200_bytes_in_4_mb() {
    for options in [Options::COMPACT, Options::DRIVER] {
        for (len, record) in [(10_000, 30), (4_000_000, 15_000)] {
            let image = records(len, &options);
            assert!(image.len() > len / 2, "{}", image.len());
            let equal = "A NAME OF FORTY BYTES, NUMBER 0123456789";
            let longer = format!("{equal}{}", "!".repeat(50));
            assert_eq!(set_name(&image, record, equal), equal.len() + 2);
            let written = set_name(&image, record, &longer);
            assert!(written < 200, "{written}");
        }
    }
}

/// How many times `operation` asked for memory.
fn allocations(operation: impl FnOnce()) -> u64 {
    let session = Session::new().no_stdout().no_file();
    let counted = session.operation("operation");
    {
        let _span = counted.measure_thread().iterations(1);
        operation();
    }
    let report = session.to_report();
    report.operations().map(|(_, operation)| operation.total_allocations_count()).sum()
}

/// An edit.
type Do<'a> = &'a dyn Fn(&mut Editor<Vec<u8>>) -> Edit;

/// An editor in whose buffer there is room for what is to come.
fn roomy(image: &[u8]) -> Editor<Vec<u8>> {
    let mut buffer = Vec::with_capacity(2 * image.len() + 100_000);
    buffer.extend_from_slice(image);
    Editor::open(buffer).unwrap()
}

/// Overwriting, every kind of appending, copying containers, removing: nothing is allocated when the buffer has room, not
/// by the first edit either.
#[test]
fn an_edit_allocates_nothing_but_the_growth_of_the_buffer() {
    assert!(allocations(|| drop(std::hint::black_box(Box::new(1_u8)))) > 0, "allocations are counted");
    let object = Value::Object(vec![
        ("id".to_owned(), Value::Int64(1 << 40)),
        ("tags".to_owned(), Value::Array(vec![Value::Null, Value::String("x".repeat(300))])),
    ]);
    let decimal = "1234.5".parse().unwrap();
    for options in [Options::COMPACT, Options::DRIVER] {
        let image = records(50_000, &options);
        let paths =
            ["records[7].name", "records[3].tags", "records", "records[4].score", "records[9]", "records[2].id"];
        let [name, tags, records, score, record, id] = paths.map(path);
        let long = "y".repeat(1000);
        let edits: [Do<'_>; 12] = [
            &|editor| editor.set(&name, "the same or shorter").unwrap(),
            &|editor| editor.set(&name, long.as_str()).unwrap(),
            &|editor| editor.set(&id, Scalar::Decimal128(decimal)).unwrap(),
            &|editor| editor.set(&id, Scalar::DateTime(1_600_000_000_123)).unwrap(),
            &|editor| editor.set(&score, &object).unwrap(),
            &|editor| editor.set(&tags, &object).unwrap(),
            &|editor| editor.push(&records, &object).unwrap(),
            &|editor| editor.push(&tags, 5).unwrap(),
            &|editor| editor.insert(&path("records[0]"), 5).unwrap(),
            &|editor| editor.remove(&record).unwrap(),
            &|editor| editor.remove(&name).unwrap(),
            &|editor| editor.remove(&tags).unwrap(),
        ];
        for (number, edit) in edits.iter().enumerate() {
            let mut editor = roomy(&image);
            // The one that parses its path as it goes allocates that.
            let allowed = if number == 8 { allocations(|| drop(path("records[0]"))) } else { 0 };
            let mut cost = None;
            let counted = allocations(|| cost = Some(edit(&mut editor)));
            assert!(!matches!(cost, Some(Edit::Rebuilt { .. }) | None), "edit {number}: {cost:?}");
            assert_eq!(counted, allowed, "edit {number}: {cost:?}");
            held(editor.buffer());
        }
    }
}

/// Names of objects of more than ten fields are in the order of their places, which a copy has to find.
#[test]
fn nor_does_one_in_a_sorted_object() {
    let members: Vec<(String, Value)> = (0..300).map(|n| (format!("field {n}"), Value::Bool(n % 2 == 0))).collect();
    let image = to_vec(&Value::Object(members), &Options::COMPACT).unwrap();
    for number in [0, 150, 299] {
        let mut editor = roomy(&image);
        let (first, second) = (path(&format!("[\"field {number}\"]")), path("[\"field 7\"]"));
        let counted = allocations(|| {
            editor.set(&first, "longer than before").unwrap();
            editor.set(&second, "longer than before").unwrap();
            editor.remove(&first).unwrap();
            editor.set(&first, 1).unwrap();
        });
        assert_eq!(counted, 0);
        held(editor.buffer());
    }
}

#[test]
fn a_policy_weighs_slack_against_size() {
    let policy = Policy::default();
    assert!(!policy.pays(10_000, 4096) && !policy.pays(10_000, 5000) && policy.pays(10_000, 5001));
    let mut editor = Editor::open(records(20_000, &Options::DRIVER)).unwrap();
    assert_eq!(editor.slack_len(), 0);
    assert_eq!(editor.compact_by(&policy).unwrap(), None);
    let before = editor.document().as_bytes().len();
    editor.set(&path("records"), 0).unwrap();
    // All of it but the root, the new value and the dictionary is of no use now.
    assert!(editor.slack_len() > before - 200, "{}", editor.slack_len());
    let edit =
        editor.with_options(&Options { style: Style::Driver, ..Options::default() }).compact_by(&policy).unwrap();
    assert!(matches!(edit, Some(Edit::Rebuilt { written: 20..50, .. })), "{edit:?}");
}
