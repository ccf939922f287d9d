//! How things are printed: colours, numbers, tables.

use std::io::{self, BufWriter, Stdout, Write};

use anstyle::{AnsiColor, Style};

/// For what went wrong.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// For what deserves a look.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// For what is as it should be.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// For paths and names.
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();

/// Standard output that strips colours where they are not wanted, held back until it is flushed.
pub(crate) fn stdout() -> BufWriter<anstream::AutoStream<Stdout>> {
    BufWriter::new(anstream::AutoStream::auto(io::stdout()))
}

/// Prints a line on standard error. If nobody takes it there is nobody to tell.
macro_rules! tell {
    ($($argument:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(anstream::stderr(), $($argument)*);
    }};
}
pub(crate) use tell;

/// Prints `value` as JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = stdout();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// `count` with the noun that fits: `1 document`, `2,345 documents`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(count))
}

/// Digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
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
