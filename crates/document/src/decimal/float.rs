//! Between decimals and doubles.

use super::{Coefficient, Decimal, PointRule};

/// The powers of ten that a double holds exactly.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Up to here every integer is a double.
const EXACT_INTEGER_MAX: u64 = 1 << 53;

/// Any decimal of up to 15 digits is the shortest text of the double nearest to it, in the normal range.
const DOUBLE_DIGITS: u32 = 15;

impl Decimal {
    /// The shortest digits that read back as this double, which is what it prints as: 0.1 is `0.1`. `None` for NaN and
    /// the infinities.
    ///
    /// Integers below 2^53 keep the exponent 0; negative zero stays negative.
    #[inline]
    pub fn from_f64(value: f64) -> Option<Self> {
        if let Some(magnitude) = small_integer(value) {
            return Some(Self::of(value.is_sign_negative(), Coefficient::from_u64(magnitude), 0));
        }
        from_shortest_digits(value)
    }

    /// The double nearest to the value (ties to even), infinite when the value is beyond them all.
    pub fn to_f64(&self) -> f64 {
        let magnitude = self.coefficient().as_u64().and_then(|digits| scale_exactly(digits, self.exponent));
        match magnitude {
            Some(magnitude) if self.negative => -magnitude,
            Some(magnitude) => magnitude,
            // `parse` cannot fail on a number's own text.
            None => self.to_text().as_str().parse().unwrap_or(f64::NAN),
        }
    }

    /// The double whose shortest digits are this very number: some for `0.1`, none for `0.10000000000000000555`, though
    /// that is nearer to the same double. Negative zero becomes -0.0.
    ///
    /// So a number that passes can be stored as a double and printed again without a change of value.
    pub fn to_f64_exact(&self) -> Option<f64> {
        let nearest = self.to_f64();
        let always_shortest = self.digit_count() <= DOUBLE_DIGITS && nearest.is_normal();
        if always_shortest || Self::from_f64(nearest)?.same_value(self) { Some(nearest) } else { None }
    }
}

#[inline(never)]
fn from_shortest_digits(value: f64) -> Option<Decimal> {
    if !value.is_finite() {
        return None;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value);
    let text = text.strip_suffix(".0").unwrap_or(text);
    Decimal::parse_by(text, PointRule::BothSides).ok()
}

/// The absolute value, if that is an integer below 2^53; these need no search for their shortest digits.
fn small_integer(value: f64) -> Option<u64> {
    const FRACTION_BITS: u32 = 52;
    const FRACTION_MASK: u64 = (1 << FRACTION_BITS) - 1;
    const EXPONENT_MASK: u64 = 0x7FF;
    const EXPONENT_BIAS: u64 = 1023;

    let bits = value.to_bits();
    let biased = (bits >> FRACTION_BITS) & EXPONENT_MASK;
    let Some(power) = biased.checked_sub(EXPONENT_BIAS) else {
        return if value == 0.0 { Some(0) } else { None };
    };
    let below_point = FRACTION_BITS.checked_sub(u32::try_from(power).ok()?)?;
    let significand = (bits & FRACTION_MASK) | (1 << FRACTION_BITS);
    if significand.trailing_zeros() >= below_point { significand.checked_shr(below_point) } else { None }
}

/// `digits * 10^exponent`, when both factors are doubles, so that one correctly rounded operation gives the answer.
pub(super) fn scale_exactly(digits: u64, exponent: i32) -> Option<f64> {
    if digits > EXACT_INTEGER_MAX {
        return None;
    }
    let power = *EXACT_POWERS.get(usize::try_from(exponent.unsigned_abs()).ok()?)?;
    let value = widen(digits);
    Some(if exponent < 0 { value / power } else { value * power })
}

/// The integer, at most 2^53, as a double.
fn widen(value: u64) -> f64 {
    let high = u32::try_from(value >> 32).unwrap_or(0);
    let low = u32::try_from(value & 0xFFFF_FFFF).unwrap_or(0);
    f64::from(high) * 4_294_967_296.0 + f64::from(low)
}
