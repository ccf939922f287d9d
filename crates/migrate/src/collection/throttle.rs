//! How fast a run may be: what to wait for before the next batch is sent. It looks at no clock but is told the time.

use std::time::Duration;

/// What a run keeps to; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Documents in a second.
    pub documents_per_second: Option<f64>,
    /// How long a batch may take the server: beyond it, there are pauses between batches.
    pub latency_max: Option<Duration>,
    /// How far the slowest member may be behind: beyond it, nothing is sent until it has caught up.
    pub lag_max: Option<Duration>,
}

/// Says how long to wait.
#[derive(Clone, Debug)]
pub struct Throttle {
    limits: Limits,
    /// When the documents so far are paid for, by the rate.
    free_at: Duration,
    /// The pause before each batch, by the latency.
    pause: Duration,
    /// How far the slowest member was behind last.
    lag: Duration,
}

/// The shortest pause that is made, and the longest.
const PAUSE_MIN: Duration = Duration::from_millis(10);
const PAUSE_MAX: Duration = Duration::from_secs(30);

/// After how long the lag is asked for again.
const LAG_AGAIN: Duration = Duration::from_secs(1);

impl Throttle {
    /// One that keeps to `limits`.
    pub const fn new(limits: Limits) -> Self {
        Self { limits, free_at: Duration::ZERO, pause: Duration::ZERO, lag: Duration::ZERO }
    }

    /// Whether the lag must be known before the next batch.
    pub const fn wants_lag(&self) -> bool {
        self.limits.lag_max.is_some()
    }

    /// Tells how far the slowest member is behind; how long to wait before it is asked for again, if nothing may be sent.
    pub fn lags(&mut self, lag: Option<Duration>) -> Option<Duration> {
        self.lag = lag.unwrap_or_default();
        let max = self.limits.lag_max?;
        (self.lag > max).then_some(LAG_AGAIN)
    }

    /// Tells how long a batch took the server. Too long doubles the pause, well within the limit takes an eighth from it: the
    /// load goes down at once and comes back slowly.
    pub fn took(&mut self, latency: Duration) {
        let Some(max) = self.limits.latency_max else { return };
        if latency > max {
            self.pause = self.pause.saturating_mul(2).clamp(PAUSE_MIN, PAUSE_MAX);
        } else {
            let less = self.pause.saturating_sub(self.pause / 8);
            self.pause = if less < PAUSE_MIN { Duration::ZERO } else { less };
        }
    }

    /// How long to wait, at `now`, before a batch of `documents` is sent; it then counts as sent. What was not used of the
    /// rate is lost: no burst follows a pause.
    pub fn send(&mut self, now: Duration, documents: u64) -> Duration {
        let start = self.free_at.max(now);
        if let Some(rate) = self.limits.documents_per_second.filter(|rate| *rate > 0.0) {
            #[expect(clippy::cast_precision_loss, reason = "documents of a batch")]
            let seconds = documents as f64 / rate;
            self.free_at = start.saturating_add(Duration::try_from_secs_f64(seconds).unwrap_or(PAUSE_MAX));
            return start.saturating_sub(now).max(self.pause);
        }
        self.pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn without_limits_there_is_nothing_to_wait_for() {
        let mut throttle = Throttle::new(Limits::default());
        throttle.took(ms(60_000));
        assert_eq!((throttle.lags(Some(ms(60_000))), throttle.send(ms(0), 10_000)), (None, Duration::ZERO));
    }

    #[test]
    fn a_rate_is_kept_whatever_the_batches_are_and_makes_up_for_nothing() {
        let limits = Limits { documents_per_second: Some(1000.0), ..Limits::default() };
        let mut throttle = Throttle::new(limits);
        assert_eq!(throttle.send(ms(0), 500), ms(0));
        // 500 documents at 1,000 a second take half a second.
        assert_eq!(throttle.send(ms(100), 1000), ms(400));
        assert_eq!(throttle.send(ms(500), 1), ms(1000));
        // After ten idle seconds the first batch goes at once, the second does not.
        assert_eq!(throttle.send(ms(11_501), 1000), ms(0));
        assert_eq!(throttle.send(ms(11_501), 1000), ms(1000));
    }

    #[test]
    fn slow_answers_double_the_pause_and_fast_ones_take_it_back_slowly() {
        let mut throttle = Throttle::new(Limits { latency_max: Some(ms(200)), ..Limits::default() });
        throttle.took(ms(150));
        assert_eq!(throttle.send(ms(0), 1), ms(0));
        let pauses: Vec<Duration> = (0..4)
            .map(|_| {
                throttle.took(ms(201));
                throttle.send(ms(0), 1)
            })
            .collect();
        assert_eq!(pauses, [ms(10), ms(20), ms(40), ms(80)]);
        throttle.took(ms(200));
        assert_eq!(throttle.send(ms(0), 1), ms(70));
        for _ in 0..100 {
            throttle.took(ms(1));
        }
        assert_eq!(throttle.send(ms(0), 1), ms(0));
        for _ in 0..100 {
            throttle.took(ms(1000));
        }
        assert_eq!(throttle.send(ms(0), 1), PAUSE_MAX);
    }

    #[test]
    fn nothing_is_sent_while_a_member_is_too_far_behind() {
        let mut throttle = Throttle::new(Limits { lag_max: Some(ms(5000)), ..Limits::default() });
        assert!(throttle.wants_lag());
        assert_eq!(throttle.lags(Some(ms(5001))), Some(LAG_AGAIN));
        assert_eq!(throttle.lags(Some(ms(5000))), None);
        assert_eq!(throttle.lags(None), None, "where there is no replica set");
    }
}
