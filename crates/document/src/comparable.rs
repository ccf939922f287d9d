//! Oracle's `BINARY_DOUBLE` and `BINARY_FLOAT`, alone in OSON and as elements of vectors: IEEE 754 changed so that the bytes sort as the numbers do.
//!
//! If the sign bit is clear it is set, else every bit is inverted. Every bit pattern survives, NaN payloads too; that
//! servers and Oracle's drivers store one NaN and no -0.0 is their writers' doing.

/// The eight bytes of a `BINARY_DOUBLE`.
#[inline]
pub const fn encode_double(value: f64) -> [u8; 8] {
    let bits = value.to_bits();
    let ordered = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
    ordered.to_be_bytes()
}

/// What [`encode_double`] was given.
#[inline]
pub const fn decode_double(bytes: [u8; 8]) -> f64 {
    let ordered = u64::from_be_bytes(bytes);
    f64::from_bits(if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered })
}

/// The four bytes of a `BINARY_FLOAT`.
#[inline]
pub const fn encode_float(value: f32) -> [u8; 4] {
    let bits = value.to_bits();
    let ordered = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
    ordered.to_be_bytes()
}

/// What [`encode_float`] was given.
#[inline]
pub const fn decode_float(bytes: [u8; 4]) -> f32 {
    let ordered = u32::from_be_bytes(bytes);
    f32::from_bits(if ordered >> 31 == 1 { ordered & !(1 << 31) } else { !ordered })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_those_of_a_server() {
        assert_eq!(encode_double(42.25), [0xC0, 0x45, 0x20, 0, 0, 0, 0, 0]);
        assert_eq!(encode_float(12.5), [0xC1, 0x48, 0, 0]);
    }

    #[test]
    fn every_bit_comes_back_and_the_bytes_sort_like_the_numbers() {
        let ascending = [f64::NEG_INFINITY, -1.5, -5e-324, -0.0, 0.0, 5e-324, 1.0, f64::MAX, f64::INFINITY];
        assert!(ascending.map(encode_double).is_sorted());
        for value in ascending.into_iter().chain([f64::from_bits(0x7FF8_0000_0000_0012)]) {
            assert_eq!(decode_double(encode_double(value)).to_bits(), value.to_bits());
        }
        for value in [f32::NEG_INFINITY, -0.0, 0.0, 1.5, f32::from_bits(0xFFC0_0001)] {
            assert_eq!(decode_float(encode_float(value)).to_bits(), value.to_bits());
        }
    }
}
