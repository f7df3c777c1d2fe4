//! What a story is about, in agreement with other stories of its day and with what companies file.

use model::Timestamp;

use super::assignments::Story;
use super::facts::{Facts, Value};
use super::market;
use super::outlets::Language;
use super::random::{Random, hash_word};

impl Story {
    /// What it is about. `mistaken` names the slot that the outlet has wrong.
    pub(crate) fn facts(&self, mistaken: Option<&str>) -> Facts {
        let mut facts = Facts::default();
        for slot in &self.kind.slots {
            let seed = self.seed_of(&slot.name, &facts);
            if let Some(value) = self.reported(&slot.name, &facts) {
                facts.put(slot, value, seed, mistaken);
            } else {
                facts.draw(std::slice::from_ref(slot), seed, self.day, mistaken);
            }
        }
        facts
    }

    /// What a slot is drawn by: the moves of a day are the same in every story, and markets go one way on a day.
    fn seed_of(&self, slot: &str, facts: &Facts) -> u64 {
        let Some(moved) = &self.kind.market_move else {
            return self.seed;
        };
        let day = || Random::of(&[self.wire, 5, self.day_of_move() as u64]).next();
        if slot == moved.way {
            day()
        } else if slot == moved.change {
            let price = facts
                .get(&moved.price)
                .and_then(|price| price.text("", Language::En))
                .unwrap_or_default();
            Random::of(&[day(), hash_word(&price)]).next()
        } else {
            self.seed
        }
    }

    /// What the company that it is about files itself.
    fn reported(&self, slot: &str, facts: &Facts) -> Option<Value> {
        let reported = self.kind.reported.as_ref()?;
        let is_growth = slot == reported.growth;
        if !is_growth && slot != reported.revenue {
            return None;
        }
        let ticker = facts
            .get(self.kind.subject.as_deref()?)?
            .text("ticker", Language::En)?;
        let (revenue, growth) = market::results_of_last_quarter(self.wire, &ticker, self.day)?;
        let value = if is_growth { growth } else { revenue / 1e9 };
        // The sentences speak of a rise, and not of a leap.
        (!is_growth || (0.2..15.0).contains(&growth)).then(|| Value::Number {
            value: (value * 10.0).round() / 10.0,
            decimals: 1,
        })
    }

    /// The UTC day whose move it reports, where it reports one: the day on which it breaks, or the one before when it
    /// breaks in the first six hours and most of the last 24 hours were yesterday.
    pub(crate) fn day_of_move(&self) -> i64 {
        self.breaks_at().plus_ms(-6 * Timestamp::HOUR_MS).day()
    }
}
