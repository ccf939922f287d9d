//! Numbers for people.

/// A count as a number to calculate with.
#[expect(clippy::cast_precision_loss, reason = "figures are shown with four digits")]
pub(crate) const fn real(count: u64) -> f64 {
    count as f64
}

/// A length as a count.
pub(crate) fn count(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

/// A number with four significant digits, and all of those before the point.
pub(crate) fn four_digits(value: f64) -> String {
    let decimals = (0..12_i32).find(|&decimals| value.abs() * 10_f64.powi(decimals) >= 1000.0).unwrap_or(12);
    format!("{value:.*}", usize::try_from(decimals).unwrap_or(0).min(if value == 0.0 { 0 } else { 12 }))
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
    fn four_digits_are_shown() {
        for (value, text) in
            [(0.0, "0"), (0.001_234_56, "0.001235"), (1.5, "1.500"), (123.456, "123.5"), (98_765.4, "98765")]
        {
            assert_eq!(four_digits(value), text);
        }
    }
}
