//! Not more than so many a second.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

/// Keeps work at a rate.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    per_second: Option<NonZeroU32>,
    began: Instant,
    done: u64,
}

impl Pace {
    /// At most `per_second` from now on; as fast as can be when not given.
    pub fn new(per_second: Option<NonZeroU32>) -> Self {
        Self { per_second, began: Instant::now(), done: 0 }
    }

    /// Counts `more`, and says how long to wait before the next.
    pub fn add(&mut self, more: u64) -> Duration {
        self.done = self.done.saturating_add(more);
        self.wait(self.began.elapsed())
    }

    fn wait(&self, elapsed: Duration) -> Duration {
        let Some(rate) = self.per_second else { return Duration::ZERO };
        let millis = self.done.saturating_mul(1000) / u64::from(rate.get());
        Duration::from_millis(millis).saturating_sub(elapsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_kept_by_waiting() {
        let mut pace = Pace::new(NonZeroU32::new(100));
        pace.done = 50;
        assert_eq!(pace.wait(Duration::from_millis(200)), Duration::from_millis(300));
        assert_eq!(pace.wait(Duration::from_secs(2)), Duration::ZERO);
        pace.per_second = None;
        assert_eq!(pace.wait(Duration::ZERO), Duration::ZERO);
    }
}
