//! The daily budget of a model (UTC).
//!
//! The highest possible cost of a request is reserved before it is sent, and replaced by the actual cost afterwards.
//! Counts are kept per process: a restart starts again from zero.

use model::Timestamp;
use parking_lot::Mutex;

use super::Ended;

/// Token prices.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prices {
    /// USD per million input tokens.
    pub input_usd: f64,
    /// USD per million output tokens.
    pub output_usd: f64,
}

/// Daily limits; 0 means none.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpendingLimits {
    /// Tokens, input and output.
    pub tokens: u64,
    /// Cost in USD, at these prices.
    pub usd: f64,
    /// The prices.
    pub prices: Prices,
}

#[derive(Debug)]
pub(super) struct Purse {
    limits: SpendingLimits,
    day: Mutex<Day>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Day {
    number: i64,
    tokens: u64,
    usd: f64,
}

/// The amount reserved for a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    day: i64,
    tokens: u64,
    usd: f64,
}

impl Purse {
    pub(super) fn new(limits: SpendingLimits) -> Self {
        Self {
            limits,
            day: Mutex::default(),
        }
    }

    /// Reserves the most that a request can cost; `None` if that is more than what is left.
    pub(super) fn take(&self, now: Timestamp, input: u64, output: u64) -> Option<Taken> {
        let mut day = self.day.lock();
        if day.number != now.day() {
            *day = Day {
                number: now.day(),
                ..Day::default()
            };
        }
        let tokens = input + output;
        let usd = self.cost(input, output);
        let SpendingLimits {
            tokens: most_tokens,
            usd: most_usd,
            ..
        } = self.limits;
        let is_over = most_tokens > 0 && day.tokens + tokens > most_tokens
            || most_usd > 0.0 && day.usd + usd > most_usd;
        if is_over {
            return None;
        }
        day.tokens += tokens;
        day.usd += usd;
        Some(Taken {
            day: day.number,
            tokens,
            usd,
        })
    }

    /// Replaces the reserved amount with the actual cost of a request.
    pub(super) fn settle(&self, taken: Taken, ended: Ended) {
        let mut day = self.day.lock();
        if day.number != taken.day {
            return;
        }
        let Ended {
            input_tokens,
            output_tokens,
            ..
        } = ended;
        day.tokens = (day.tokens + input_tokens + output_tokens).saturating_sub(taken.tokens);
        day.usd = (day.usd + self.cost(input_tokens, output_tokens) - taken.usd).max(0.0);
    }

    fn cost(&self, input: u64, output: u64) -> f64 {
        let prices = self.limits.prices;
        (input as f64 * prices.input_usd + output as f64 * prices.output_usd) / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;

    fn ended(input_tokens: u64, output_tokens: u64) -> Ended {
        Ended {
            input_tokens,
            output_tokens,
            is_cut: false,
        }
    }

    #[test]
    fn a_day_has_a_limit_and_the_next_begins_anew() {
        let purse = Purse::new(SpendingLimits {
            tokens: 100,
            ..SpendingLimits::default()
        });
        let noon = Timestamp::from_ms(DAY / 2);
        let first = purse.take(noon, 40, 40).unwrap();
        assert!(purse.take(noon, 20, 20).is_none(), "80 are set aside");
        purse.settle(first, ended(40, 10));
        let second = purse.take(noon, 20, 20).unwrap();
        assert!(purse.take(noon, 20, 0).is_none(), "50 and 40 are used");
        let tomorrow = Timestamp::from_ms(DAY + 1);
        assert!(purse.take(tomorrow, 50, 50).is_some());
        purse.settle(second, ended(9_000, 0));
        assert!(purse.take(tomorrow, 1, 0).is_none(), "of another day");
    }

    #[test]
    fn money_counts_by_the_prices() {
        let purse = Purse::new(SpendingLimits {
            usd: 0.01,
            prices: Prices {
                input_usd: 1.0,
                output_usd: 5.0,
            },
            ..SpendingLimits::default()
        });
        let now = Timestamp::from_ms(0);
        let taken = purse.take(now, 4_000, 1_000).unwrap();
        assert!(purse.take(now, 2_000, 0).is_none(), "0.009 are set aside");
        purse.settle(taken, ended(4_000, 0));
        assert!(purse.take(now, 1_000, 1_000).is_some());
    }
}
