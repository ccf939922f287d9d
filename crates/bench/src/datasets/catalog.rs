//! The catalogue of a theatre: events by their ids, performances, prices, and areas in nested arrays.

use boson_document::Value;

use super::build::{array, object, text};
use super::random::Random;

/// `events` events by their ids, and the names that they refer to by number.
pub(super) fn document(random: &mut Random, events: usize) -> Value {
    let mut next_id = 100_000;
    let entries = (0..events).map(|_| {
        next_id += 1 + random.below(50);
        (next_id.to_string(), event(random, next_id))
    });
    let entries = Value::Object(entries.collect());
    object([("areas", names(&AREAS, 2000)), ("topics", names(&TOPICS, 3000)), ("events", entries)])
}

const AREAS: [&str; 9] =
    ["Stalls left", "Stalls right", "Circle", "Balcony", "Gallery", "Box 1", "Box 2", "Standing", "Première loge"];

const TOPICS: [&str; 6] = ["Opera", "Concert", "Dance", "Théâtre", "Lecture", "For children"];

/// What each number from `first` on is called.
fn names(names: &[&str], first: i32) -> Value {
    let numbered = (first..).zip(names).map(|(number, name)| (number.to_string(), text(*name)));
    Value::Object(numbered.collect())
}

const WORKS: [&str; 10] = [
    "The Glass Harbour",
    "Études for Two Pianos",
    "Night Train to Łódź",
    "A Winter Almanac",
    "Die stille Insel",
    "Quartet in D",
    "The Cartographer's Daughter",
    "Songs without Streets",
    "El reloj de arena",
    "Open Rehearsal",
];

fn event(random: &mut Random, id: i32) -> Value {
    let performances = (0..=random.index(2)).map(|_| performance(random));
    let performances = array(performances);
    let topics = numbers(random, 2, 3000, 6);
    let subtitle = if random.once_in(4) { text("with an introduction at 19:00") } else { Value::Null };
    object([
        ("id", Value::Int32(id)),
        ("name", text(random.pick(&WORKS))),
        ("subtitle", subtitle),
        ("description", Value::Null),
        ("logo", if random.once_in(3) { text(format!("/images/{}.gif", random.letters(12))) } else { Value::Null }),
        ("topics", topics),
        ("rating", Value::Double(random.hundredths(5))),
        ("performances", performances),
    ])
}

fn performance(random: &mut Random) -> Value {
    let categories = (0..=random.index(2)).map(|_| category(random));
    let categories = array(categories);
    object([
        ("id", Value::Int32(random.below(1_000_000_000))),
        ("start", Value::Int64(random.moment_ms())),
        ("seatMap", Value::Null),
        ("venue", text("HOUSE_ONE")),
        ("categories", categories),
    ])
}

/// A category of seats: its price, and the areas that it is sold in with their blocks.
fn category(random: &mut Random) -> Value {
    let areas = (0..=random.index(2)).map(|_| {
        let blocks = numbers(random, 3, 1, 40);
        object([("areaId", Value::Int32(2000 + random.below(9))), ("blockIds", blocks)])
    });
    let areas = array(areas);
    object([
        ("categoryId", Value::Int32(4000 + random.below(50))),
        ("amount", Value::Int32(500 * (10 + random.below(400)))),
        ("areas", areas),
    ])
}

/// Up to `most` of the `range` numbers from `first` on.
fn numbers(random: &mut Random, most: usize, first: i32, range: u32) -> Value {
    let count = random.index(most + 1);
    array((0..count).map(|_| Value::Int32(first + random.below(range))))
}
