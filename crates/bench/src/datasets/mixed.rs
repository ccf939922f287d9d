//! Business documents as a company's database has them side by side: what a first look at the tool is taken on.

use boson_document::Value;

use super::build::{array, money, object, text, uuid};
use super::random::Random;

/// The document number `index`: the four kinds take turns.
pub(super) fn document(random: &mut Random, index: usize) -> Value {
    match index % 4 {
        0 => order(random, index),
        1 => customer(random),
        2 => session(random),
        _ => article(random),
    }
}

const GOODS: [(&str, i32); 8] = [
    ("Teapot, blue", 2490),
    ("Tin of Assam, 250 g", 1250),
    ("Café filter papers, 100", 399),
    ("Kettle", 4900),
    ("Cup and saucer", 1180),
    ("Honey, 500 g", 795),
    ("Sencha 煎茶, 100 g", 1690),
    ("Gift voucher", 2500),
];

fn order(random: &mut Random, index: usize) -> Value {
    let mut total = 0;
    let lines = (0..=random.index(4)).map(|_| {
        let ((name, price), quantity) = (random.pick(&GOODS), 1 + random.below(3));
        total += price * quantity;
        object([("article", text(name)), ("quantity", Value::Int32(quantity)), ("price", money(price))])
    });
    let lines = array(lines);
    let paid_ms = random.moment_ms();
    object([
        ("_id", Value::ObjectId(random.object_id())),
        ("kind", text("order")),
        ("number", Value::Int64(10_000_000_000 + i64::try_from(index).unwrap_or_default())),
        ("reference", uuid(random.uuid())),
        ("lines", lines),
        ("total", money(total)),
        ("paidAt", Value::DateTime(paid_ms)),
        ("shippedAt", if random.once_in(3) { Value::Null } else { Value::DateTime(paid_ms + 90_000_000) }),
        ("gift", Value::Bool(random.once_in(6))),
    ])
}

fn customer(random: &mut Random) -> Value {
    let names = ["Amélie Laurent", "Bjørn Dahl", "Chiyo 千代", "Dana Novák", "Emeka Obi"];
    let towns = [("Lyon", 45.76, 4.84), ("Bergen", 60.39, 5.32), ("Kobe", 34.69, 135.2), ("Brno", 49.2, 16.61)];
    let (town, latitude, longitude) = random.pick(&towns);
    let point = array([Value::Double(longitude), Value::Double(latitude)]);
    object([
        ("_id", Value::ObjectId(random.object_id())),
        ("kind", text("customer")),
        ("name", text(random.pick(&names))),
        (
            "address",
            object([("town", text(town)), ("position", object([("type", text("Point")), ("coordinates", point)]))]),
        ),
        ("since", Value::DateTime(random.moment_ms())),
        ("newsletter", Value::Bool(random.once_in(2))),
        ("phone", Value::Null),
        ("discount", Value::Double(f64::from(random.below(20)) / 100.0)),
        ("tags", array(["regular", "tea"].map(text))),
    ])
}

fn session(random: &mut Random) -> Value {
    let start_ms = random.moment_ms();
    let pages = (0..=random.index(5)).map(|_| {
        let after_ms = random.below(600_000);
        let path = random.pick(&["/", "/teas", "/teas/sencha", "/cart", "/checkout"]);
        object([("path", text(path)), ("at", Value::DateTime(start_ms + i64::from(after_ms)))])
    });
    let pages = array(pages);
    object([
        ("_id", uuid(random.uuid())),
        ("kind", text("session")),
        ("startedAt", Value::DateTime(start_ms)),
        ("pages", pages),
        ("device", object([("mobile", Value::Bool(random.once_in(2))), ("width", Value::Int32(1280))])),
        ("token", Value::Binary { subtype: 0, bytes: random.bytes(20) }),
        ("bytesSent", Value::Int64(i64::from(random.below(2_000_000_000)) * 3)),
    ])
}

fn article(random: &mut Random) -> Value {
    let paragraph = "Pour the water when it has stopped boiling, and count to ninety before the leaves come out. ";
    let revisions = (0..=random.index(3))
        .map(|_| object([("at", Value::DateTime(random.moment_ms())), ("by", Value::ObjectId(random.object_id()))]));
    let revisions = array(revisions);
    object([
        ("_id", Value::ObjectId(random.object_id())),
        ("kind", text("article")),
        ("title", text(random.pick(&["How to brew sencha", "Wasser und Tee", "Honey, briefly"]))),
        ("body", text(paragraph.repeat(1 + random.index(6)))),
        ("revisions", revisions),
        ("ratings", array([5, 4, 5, 3].map(Value::Int32))),
        ("average", Value::Double(random.hundredths(5))),
        ("related", array([array([]), object([])])),
    ])
}
