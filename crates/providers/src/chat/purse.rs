//! What a model may cost in a day (UTC).
//!
//! The highest cost of a request is set aside before it is sent and replaced by what it came to after. Counts are those of
//! this process: a restart begins anew.

use model::Timestamp;
use parking_lot::Mutex;

use super::Ended;

/// What tokens cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prices {
    /// USD for a million tokens that are read.
    pub input_usd: f64,
    /// USD for a million tokens that are written.
    pub output_usd: f64,
}

/// Limits of a day; 0 stands for none.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpendingLimits {
    /// Tokens, read and written.
    pub tokens: u64,
    /// Money in USD, by the prices.
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

/// What was set aside for a request.
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

    /// Sets aside what a request costs at most; `None` where that is more than is left.
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

    /// Puts what a request came to in the place of what was set aside.
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
