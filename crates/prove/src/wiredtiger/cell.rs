//! How long a key or a value is on a page: a cell is a descriptor, the length where the descriptor has no room for it, and
//! the bytes.

/// The longest item whose length fits into the descriptor byte; longer ones have their length less one more than this
/// after it.
const SHORT_MAX: u64 = 63;

/// Bytes of a key cell without the key's bytes. `is_prefixed`: the key leaves out what it shares with the one before it,
/// which takes a byte that counts them.
pub(crate) fn key_overhead(key_len: u64, is_prefixed: bool) -> u64 {
    overhead(key_len) + u64::from(is_prefixed)
}

/// Bytes of a cell without the item's.
pub(crate) fn overhead(item_len: u64) -> u64 {
    if item_len <= SHORT_MAX { 1 } else { 1 + packed_len(item_len - SHORT_MAX - 1) }
}

/// Bytes of an unsigned number as the engine packs it: one up to 63, two up to 8255, then a byte that counts and as many
/// bytes as what is left needs.
pub(crate) fn packed_len(number: u64) -> u64 {
    const ONE_BYTE_MAX: u64 = (1 << 6) - 1;
    const TWO_BYTES_MAX: u64 = (1 << 13) + ONE_BYTE_MAX;
    match number.checked_sub(TWO_BYTES_MAX + 1) {
        Some(rest) => 1 + significant_bytes(rest).max(1),
        None if number <= ONE_BYTE_MAX => 1,
        None => 2,
    }
}

/// The packed bytes of a record id, which is how the key of a table is stored.
pub(crate) fn packed(number: u64, out: &mut Vec<u8>) {
    let len = packed_len(number);
    match len {
        1 => out.push(0x80 | low_byte(number)),
        2 => {
            let rest = number - 64;
            out.extend([0xc0 | low_byte(rest >> 8), low_byte(rest)]);
        }
        _ => {
            let count = len - 1;
            out.push(0xe0 | low_byte(count));
            let bytes = (number - 8256).to_be_bytes();
            let skip = bytes.len().saturating_sub(usize::try_from(count).unwrap_or(bytes.len()));
            out.extend(bytes.iter().skip(skip));
        }
    }
}

fn low_byte(number: u64) -> u8 {
    let [.., low] = number.to_be_bytes();
    low
}

fn significant_bytes(number: u64) -> u64 {
    u64::from(64 - number.leading_zeros()).div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bounds are those of the engine's own description of its integer packing: 6 bits, 13 bits more, then by bytes.
    #[test]
    fn numbers_grow_at_the_bounds_of_the_packing() {
        let lens = [(0, 1), (63, 1), (64, 2), (8255, 2), (8256, 2), (8511, 2), (8512, 3), (73_791, 3), (73_792, 4)];
        for (number, len) in lens {
            assert_eq!(packed_len(number), len, "{number}");
            let mut bytes = Vec::new();
            packed(number, &mut bytes);
            assert_eq!(bytes.len() as u64, len, "{number}");
        }
    }

    #[test]
    fn packed_numbers_sort_as_the_numbers_do() {
        let pack = |number| {
            let mut bytes = Vec::new();
            packed(number, &mut bytes);
            bytes
        };
        let numbers = [1, 63, 64, 100, 8255, 8256, 8511, 8512, 73_791, 73_792, 1 << 24, 1 << 40];
        assert!(numbers.windows(2).all(|pair| matches!(pair, [a, b] if pack(*a) < pack(*b))));
    }
}
