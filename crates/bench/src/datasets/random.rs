//! The numbers that the sets are made from.

use boson_document::{CivilTime, ObjectId};
use oorandom::Rand64;

/// 2025-01-01T00:00:00Z in milliseconds since 1970: nothing in a set is later.
const YEAR_2025_MS: i64 = 1_735_689_600_000;

/// Random numbers from a seed: PCG XSL-RR 128/64 of the crate `oorandom`, which has one fixed algorithm.
#[derive(Clone, Debug)]
pub(super) struct Random(Rand64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(Rand64::new(u128::from(seed)))
    }

    /// Any 64 bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0.rand_u64()
    }

    /// A number from 0 up to, not including, `end`.
    pub(super) fn below(&mut self, end: u32) -> i32 {
        let number = self.0.rand_range(0..u64::from(end.max(1)));
        i32::try_from(number).unwrap_or(i32::MAX)
    }

    /// The same number as an index or a count.
    pub(super) fn index(&mut self, end: usize) -> usize {
        usize::try_from(self.below(u32::try_from(end).unwrap_or(u32::MAX))).unwrap_or_default()
    }

    /// True once in `times` on average.
    pub(super) fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of `choices`, of which there is one at least.
    #[expect(clippy::indexing_slicing, reason = "the index is below the length")]
    pub(super) fn pick<T: Copy, const N: usize>(&mut self, choices: &[T; N]) -> T {
        choices[self.index(N)]
    }

    /// `count` letters of ASCII, of both cases.
    pub(super) fn letters(&mut self, count: usize) -> String {
        let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        (0..count).map(|_| char::from(self.pick(letters))).collect()
    }

    /// `count` random bytes.
    pub(super) fn bytes(&mut self, count: usize) -> Vec<u8> {
        std::iter::repeat_with(|| self.bits().to_le_bytes()).flatten().take(count).collect()
    }

    /// A version 4 UUID.
    pub(super) fn uuid(&mut self) -> [u8; 16] {
        let bits = (u128::from(self.bits()) << 64) | u128::from(self.bits());
        // RFC 9562, section 5.4: version 4, variant 0b10.
        let bits = bits & !(0xF << 76) & !(0b11 << 62) | (4 << 76) | (0b10 << 62);
        bits.to_be_bytes()
    }

    pub(super) fn object_id(&mut self) -> ObjectId {
        let seconds = u32::try_from(self.moment_ms() / 1000).unwrap_or_default();
        let (low, high) = (self.bits().to_be_bytes(), seconds.to_be_bytes());
        let mut bytes = [0; 12];
        for (byte, value) in bytes.iter_mut().zip(high.into_iter().chain(low)) {
            *byte = value;
        }
        ObjectId(bytes)
    }

    /// Milliseconds since 1970 of a moment in the five years before 2025, to the second.
    pub(super) fn moment_ms(&mut self) -> i64 {
        let five_years_s = 5 * 365 * 86_400;
        YEAR_2025_MS - 1000 * (1 + i64::from(self.below(five_years_s)))
    }

    /// A number of `0..end` with two digits behind the point.
    pub(super) fn hundredths(&mut self, end: u32) -> f64 {
        f64::from(self.below(100 * end)) / 100.0
    }
}

/// A moment as `YYYY-MM-DD HH:MM:SS`.
pub(super) fn day_and_time(ms: i64) -> String {
    civil(ms, |time| {
        let CivilTime { year, month, day, hour, minute, second, .. } = time;
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    })
}

/// A moment as `YYYY-MM-DDTHH:MM:SS.mmmZ`.
pub(super) fn iso_8601(ms: i64) -> String {
    civil(ms, |time| {
        let CivilTime { year, month, day, hour, minute, second, nanosecond } = time;
        let milli = nanosecond / 1_000_000;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
    })
}

fn civil(ms: i64, text: impl FnOnce(CivilTime) -> String) -> String {
    CivilTime::from_unix_ms(ms).map(text).unwrap_or_default()
}

/// A UUID in its usual text, in lower case.
pub(super) fn uuid_text(uuid: [u8; 16]) -> String {
    let digits = u128::from_be_bytes(uuid);
    let part = |low: u32, width: u32| (digits >> low) & ((1 << width) - 1);
    format!("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", part(96, 32), part(80, 16), part(64, 16), part(48, 16), part(0, 48))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_times_and_uuids() {
        // RFC 9562, appendix A.3; Unix time 1 705 314 600 is 2024-01-15 10:30:00.
        assert_eq!(
            uuid_text(0x9191_08f7_52d1_4320_9bac_f847_db41_48a8_u128.to_be_bytes()),
            "919108f7-52d1-4320-9bac-f847db4148a8"
        );
        assert_eq!(day_and_time(1_705_314_600_000), "2024-01-15 10:30:00");
        assert_eq!(iso_8601(1_705_314_600_123), "2024-01-15T10:30:00.123Z");
    }

    #[test]
    fn a_random_uuid_is_of_version_4() {
        let text = uuid_text(Random::new(3).uuid());
        assert_eq!(text.as_bytes()[14], b'4');
        assert!(b"89ab".contains(&text.as_bytes()[19]));
    }
}
