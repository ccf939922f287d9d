//! Names of documents as names of programs.

use std::collections::HashSet;

/// Names of types that mean something else in one of the languages, or are imported.
const TAKEN: &[&str] = &[
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Box",
    "Bson",
    "BsonId",
    "BsonProperty",
    "BsonRegExp",
    "BsonSymbol",
    "BsonTimestamp",
    "BsonValue",
    "Code",
    "CodeWithScope",
    "Date",
    "DateTime",
    "DbRef",
    "Decimal128",
    "Deserialize",
    "Document",
    "Double",
    "Err",
    "Error",
    "Float",
    "Instant",
    "Int32",
    "Int64",
    "Integer",
    "List",
    "Long",
    "Map",
    "MaxKey",
    "MinKey",
    "None",
    "NotRequired",
    "Number",
    "Object",
    "ObjectId",
    "Ok",
    "Option",
    "Record",
    "Regex",
    "RegExp",
    "Result",
    "Self",
    "Serialize",
    "Some",
    "String",
    "Symbol",
    "Timestamp",
    "TypedDict",
    "Union",
    "Uuid",
    "Vec",
    "Void",
    "Enum",
    "True",
    "False",
    "Override",
    "Math",
    "Class",
    "Exception",
    "Promise",
    "Function",
    "Set",
    "Iterable",
];

/// Names that are given once.
#[derive(Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// `wanted`, or where that was given before or is taken, the next name like it.
    pub(super) fn claim(&mut self, wanted: &str) -> String {
        let wanted = if TAKEN.contains(&wanted) { format!("{wanted}Document") } else { wanted.to_owned() };
        let mut name = wanted.clone();
        for number in 2_u64.. {
            // Some languages and file systems do not tell case apart.
            if self.0.insert(name.to_lowercase()) {
                break;
            }
            name = format!("{wanted}{number}");
        }
        name
    }
}

/// `["readings", "last_seen"]` as `ReadingsLastSeen`.
pub(super) fn type_name(parts: &[&str]) -> String {
    let mut name = String::new();
    for word in parts.iter().flat_map(|part| words(part)) {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.extend(letters);
    }
    if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) { name } else { format!("Document{name}") }
}

/// `lastSeen` as `last_seen`; `field` where no letter or digit of ASCII is left.
pub(super) fn snake_case(name: &str) -> String {
    let words: Vec<String> = words(name).map(str::to_ascii_lowercase).collect();
    match words.join("_") {
        name if name.is_empty() => "field".to_owned(),
        name if name.starts_with(|letter: char| letter.is_ascii_digit()) => format!("_{name}"),
        name => name,
    }
}

/// `last_seen` as `lastSeen`; `field` where no letter or digit of ASCII is left.
pub(super) fn camel_case(name: &str) -> String {
    let mut out = String::new();
    for (place, word) in words(name).enumerate() {
        let mut letters = word.chars();
        let first = letters.next().unwrap_or_default();
        out.push(if place == 0 { first.to_ascii_lowercase() } else { first.to_ascii_uppercase() });
        out.extend(letters);
    }
    match out {
        name if name.is_empty() => "field".to_owned(),
        name if name.starts_with(|letter: char| letter.is_ascii_digit()) => format!("_{name}"),
        name => name,
    }
}

/// Whether `name` is an identifier as every language has them.
pub(super) fn is_identifier(name: &str) -> bool {
    let is_first = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    name.starts_with(is_first) && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// The words of a name: `unitPrice`, `unit_price` and `UNIT-PRICE` have two.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let bytes = name.as_bytes();
    let is_word = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_alphanumeric);
    let begins = move |place: usize| {
        let (Some(before), Some(now)) = (place.checked_sub(1).and_then(|place| bytes.get(place)), bytes.get(place))
        else {
            return true;
        };
        let next_is_lower = bytes.get(place + 1).is_some_and(u8::is_ascii_lowercase);
        !before.is_ascii_alphanumeric() || (now.is_ascii_uppercase() && (!before.is_ascii_uppercase() || next_is_lower))
    };
    let mut place = 0;
    std::iter::from_fn(move || {
        while place < bytes.len() && !is_word(place) {
            place += 1;
        }
        let start = place;
        while is_word(place) && (place == start || !begins(place)) {
            place += 1;
        }
        name.get(start..place).filter(|word| !word.is_empty())
    })
}

/// `text` for a remark of one line.
pub(super) fn remark(text: &str) -> String {
    let safe = |letter: char| {
        if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') { '\u{fffd}' } else { letter }
    };
    // What ends a remark, and what Java takes for a letter even there.
    text.chars().map(safe).collect::<String>().replace("*/", "* /").replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_put_in_the_languages_form() {
        assert_eq!(type_name(&["readings", "last_seen"]), "ReadingsLastSeen");
        assert_eq!(type_name(&["HTTPDate"]), "HTTPDate");
        assert_eq!(type_name(&["2024"]), "Document2024");
        assert_eq!(type_name(&["größe"]), "GrE");
        assert_eq!(
            [snake_case("firmwareVersion"), snake_case("_id"), snake_case("é")],
            ["firmware_version", "id", "field"]
        );
        assert_eq!([snake_case("HTTPDate"), snake_case("2nd-try")], ["http_date", "_2nd_try"]);
        assert_eq!(
            [camel_case("last_seen"), camel_case("_id"), camel_case("UNIT-PRICE")],
            ["lastSeen", "id", "uNITPRICE"]
        );
    }

    #[test]
    fn a_name_is_given_once() {
        let mut names = Names::default();
        let given = ["A", "A", "a", "Date"].map(|name| names.claim(name));
        assert_eq!(given, ["A", "A2", "a3", "DateDocument"]);
    }
}
