//! What is written is read back.

use boson_document::{Decimal128, DecodeError, Limits, Value};
use boson_oson::write::{Options, Style, Writer, to_vec};
use boson_oson::{Document, validate};
use boson_testkit::{Gen, documents, laws};

const COMPACT: Options = Options::COMPACT;
const DRIVER: Options = Options::DRIVER;
const UNSORTED: Options = Options { keep_order: true, ..COMPACT };

fn back(image: &[u8]) -> Result<Value, DecodeError> {
    laws::tree(&Document::new(image)?).map(plain)
}

/// What OSON makes of it: decimals without trailing zeros, one zero and one NaN among doubles.
fn plain(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, plain(value))).collect())
        }
        Value::Array(elements) => Value::Array(elements.into_iter().map(plain).collect()),
        Value::Decimal128(number) => {
            let shortest =
                number.to_decimal().map_or(number, |number| Decimal128::from_decimal(&number.normalized()).unwrap());
            Value::Decimal128(shortest)
        }
        Value::Double(0.0) => Value::Double(0.0),
        Value::Double(number) if number.is_nan() => Value::Double(f64::NAN),
        Value::Float(0.0) => Value::Float(0.0),
        Value::Float(number) if number.is_nan() => Value::Float(f32::NAN),
        other => other,
    }
}

fn check(document: &Value, options: &Options) {
    laws::written_is_read_back(&plain(document.clone()), |_| to_vec(document, options), back);
}

#[test]
fn compact_images_are_read_back_in_the_order_of_the_input() {
    for document in documents(1, Gen::OSON_ALL, 1500) {
        check(&document, &COMPACT);
        validate(&to_vec(&document, &COMPACT).unwrap(), &Limits::OSON).unwrap();
    }
}

#[test]
fn unsorted_images_are_read_back_in_the_order_of_the_input() {
    for document in documents(2, Gen::OSON_ALL, 700) {
        check(&document, &UNSORTED);
    }
}

/// Leaves out what the driver has no type for.
#[test]
fn driver_images_are_read_back_with_numbers_for_all_numbers() {
    for document in documents(3, Gen::OSON_ALL, 1500) {
        let Ok(image) = to_vec(&document, &DRIVER) else { continue };
        validate(&image, &Limits::OSON).unwrap();
        // Reading and writing again changes nothing.
        let read = laws::tree(&Document::new(&image).unwrap()).unwrap();
        assert_eq!(to_vec(&read, &DRIVER).unwrap(), image, "{document:?}");
    }
}

/// A writer that has written other documents writes what a new one writes.
#[test]
fn images_do_not_depend_on_what_was_written_before() {
    for options in [COMPACT, DRIVER, UNSORTED] {
        let mut writer = Writer::new(&options);
        for document in documents(4, Gen::EXACT_BOTH, 600) {
            let mut image = Vec::new();
            let used = writer.write(&document, &mut image).map(|()| image);
            assert_eq!(used, to_vec(&document, &options), "{document:?}");
        }
    }
}

/// So many names that the writer forgets those of earlier documents.
#[test]
fn a_writer_outlives_any_number_of_names() {
    let mut writer = Writer::new(&COMPACT);
    for round in 0..4 {
        for count in [70_000_u64, 3, 40_000] {
            let names = (0..count).map(|index| (format!("{round} {}", index * count), Value::Bool(true)));
            let document = Value::Object(names.collect());
            let mut image = Vec::new();
            writer.write(&document, &mut image).unwrap();
            assert_eq!(image, to_vec(&document, &COMPACT).unwrap());
        }
    }
}

/// Small objects again and again, which makes every kind of sharing frequent.
#[test]
fn documents_that_repeat_themselves_are_read_back() {
    let mut rng = boson_testkit::Rng::new(5);
    for _ in 0..3000 {
        let document = repeating(&mut rng, 0);
        for options in [COMPACT, UNSORTED, DRIVER] {
            let image = to_vec(&document, &options).unwrap();
            validate(&image, &Limits::OSON).unwrap();
            if options.style == Style::Compact {
                assert_eq!(laws::tree(&Document::new(&image).unwrap()).unwrap(), document);
            }
        }
    }
}

/// A few names and values in objects of 0 to 14 fields, in random orders.
pub(crate) fn repeating(rng: &mut boson_testkit::Rng, depth: usize) -> Value {
    match rng.below(if depth < 5 { 9 } else { 6 }) {
        0 => Value::Int32(i32::try_from(rng.below(4)).unwrap()),
        1 => Value::String("again and again".chars().take(rng.below(16)).collect()),
        2 => Value::Object(Vec::new()),
        3 => Value::Array(Vec::new()),
        4 => Value::Bool(rng.once_in(2)),
        5 => Value::Double(0.5),
        6 => Value::Array((0..rng.below(6)).map(|_| repeating(rng, depth + 1)).collect()),
        _ => {
            let first = rng.below(3);
            let count = *rng.pick(&[1, 2, 3, 9, 10, 11, 12, 14]);
            let names = (0..count).map(|index| format!("n{}", index * 3 % count + first));
            let mut members: Vec<_> = names.map(|name| (name, Value::Null)).collect();
            members.dedup_by(|a, b| a.0 == b.0);
            let mut seen = std::collections::HashSet::new();
            members.retain(|(name, _)| seen.insert(name.clone()));
            Value::Object(members.into_iter().map(|(name, _)| (name, repeating(rng, depth + 1))).collect())
        }
    }
}
