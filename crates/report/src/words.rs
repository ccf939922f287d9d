//! Words that a terminal and a page say alike.

use boson_store::CollectionKind;

/// What a collection of this kind is.
pub const fn collection_words(kind: CollectionKind) -> &'static str {
    match kind {
        CollectionKind::Documents => "a collection",
        CollectionKind::View => "a view, which has no documents of its own",
        CollectionKind::TimeSeries => "a time-series collection, whose data is in its buckets",
        CollectionKind::Buckets => "the buckets of a time-series collection",
        CollectionKind::Oplog => "the operations during the dump, not looked into",
        CollectionKind::System => "a collection of the server's own",
    }
}

/// `count` with the noun that fits: `1 document`, `2,345 documents`.
pub fn counted(count: u64, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(count))
}

/// Digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(counted(1, "document"), "1 document");
        assert_eq!(counted(0, "document"), "0 documents");
    }
}
