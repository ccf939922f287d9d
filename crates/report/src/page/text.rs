//! Text from documents as it may stand on a page, and numbers with their signs.

use std::fmt::Write as _;

/// Characters of a path or a value that a page shows.
const CHARS_MAX: usize = 240;

/// `text` so that it looks like what it is: characters that nobody sees, or that turn the text around them, are spelled
/// out, and of a long text the middle is left out.
pub(super) fn visible(text: &str) -> String {
    shortened(text, CHARS_MAX)
}

/// The same of at most about `chars_max` characters.
pub(super) fn shortened(text: &str, chars_max: usize) -> String {
    let count = text.chars().count();
    if count <= chars_max {
        return spelled(text.chars());
    }
    let (head, tail) = (chars_max * 2 / 3, chars_max / 3);
    let mut shown = spelled(text.chars().take(head));
    // Writing to a string cannot fail.
    let _ = write!(shown, "…({} characters)…", count - head - tail);
    shown + &spelled(text.chars().skip(count - tail))
}

fn spelled(chars: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for c in chars {
        if is_unseen(c) {
            let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    text
}

/// Controls, marks of direction, what joins and divides without being seen, and what stands for no character.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// `part` of `all` in percent; 0 of nothing.
#[expect(clippy::cast_precision_loss, reason = "for people to read; 53 bits are enough")]
pub(super) fn percent(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { 100.0 * part as f64 / all as f64 }
}

/// `12.3 %`.
pub(super) fn share(part: u64, all: u64) -> String {
    format!("{:.1} %", percent(part, all))
}

/// A percentage with its sign, `−16.1 %`; what rounds to nothing has none.
pub(super) fn signed_percent(percent: f64) -> String {
    match format!("{percent:+.1}").split_at_checked(1) {
        Some((_, "0.0")) => "0.0 %".to_owned(),
        Some(("-", digits)) => format!("−{digits} %"),
        Some((sign, digits)) => format!("{sign}{digits} %"),
        None => String::new(),
    }
}

/// `3.4 MB`: three digits of what is too long to be taken in.
#[expect(clippy::cast_precision_loss, reason = "for people to read; 53 bits are enough")]
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
    let (mut amount, mut unit) = (bytes as f64, 0);
    while amount >= 999.5 && unit + 1 < UNITS.len() {
        amount /= 1000.0;
        unit += 1;
    }
    let name = UNITS.get(unit).copied().unwrap_or_default();
    match unit {
        0 => format!("{bytes} {name}"),
        _ if amount < 9.995 => format!("{amount:.2} {name}"),
        _ if amount < 99.95 => format!("{amount:.1} {name}"),
        _ => format!("{amount:.0} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_spelled_out() {
        assert_eq!(visible("a\u{202e}b\u{200b}\n"), "a\\u{202e}b\\u{200b}\\u{a}");
        assert_eq!(visible("Zoë 日本"), "Zoë 日本");
    }

    #[test]
    fn of_a_long_text_the_middle_is_left_out() {
        let shown = visible(&"x".repeat(10_240));
        assert_eq!(shown, format!("{}…(10000 characters)…{}", "x".repeat(160), "x".repeat(80)));
    }

    #[test]
    fn numbers_have_their_signs_and_units() {
        assert_eq!(signed_percent(-16.14), "−16.1 %");
        assert_eq!(signed_percent(2.0), "+2.0 %");
        assert_eq!(signed_percent(-0.01), "0.0 %");
        for (bytes, text) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.00 kB"),
            (36_240_000, "36.2 MB"),
            (999_600, "1.00 MB"),
            (u64::MAX, "18.4 EB"),
        ] {
            assert_eq!(size(bytes), text);
        }
        assert_eq!(share(1, 0), "0.0 %");
        assert_eq!(share(1, 3), "33.3 %");
    }
}
