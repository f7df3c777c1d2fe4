//! Moves of coins and indices that the newswire reports: prices agree with them.

use std::collections::BTreeMap;

use model::Day;

use super::MarketWorld;
use super::clock::Clock;
use crate::newswire::Newswire;

/// The sensitivity of the Nasdaq to the market.
pub(super) const NASDAQ_MARKET: f64 = 1.1;
/// The sensitivity of the Nasdaq to technology, over and above the market.
pub(super) const NASDAQ_TECHNOLOGY: f64 = 0.65;
/// Of what the Nasdaq was reported to move beyond what was drawn, the parts that the market and technology take: each
/// by how much it varies and matters, which is the likeliest way in which it could have come about.
const SHARED: (f64, f64) = (0.59, (1.0 - NASDAQ_MARKET * 0.59) / NASDAQ_TECHNOLOGY);

/// Reported changes as logarithms.
#[derive(Debug, Default)]
pub(super) struct ReportedMoves {
    /// By symbol: for indices by session, for coins by UTC day from the first one.
    changes: BTreeMap<String, BTreeMap<usize, f64>>,
}

impl ReportedMoves {
    /// What the newswire of the seed reports. A move of an index on a day without a session is ignored.
    pub(super) fn of(seed: u64, clock: &Clock) -> Self {
        let mut reported = Self::default();
        let Some(last) = clock.sessions().last() else {
            return reported;
        };
        // Stories of the first hours of a day are about the day before.
        let first = i64::from(MarketWorld::FIRST_DAY.get());
        let until = i64::from(last.day.get()) + 2;
        for fact in Newswire::new(seed).market_facts(first, until) {
            let day = i32::try_from(fact.day).ok().and_then(Day::new);
            let place = day.and_then(|day| {
                if fact.what.starts_with('^') {
                    let place = clock.next(day)?;
                    (clock.sessions().get(place)?.day == day).then_some(place)
                } else {
                    usize::try_from(day.since(MarketWorld::FIRST_DAY)).ok()
                }
            });
            if let Some(place) = place {
                let change = (1.0 + fact.change_pct / 100.0).ln();
                reported
                    .changes
                    .entry(fact.what)
                    .or_default()
                    .insert(place, change);
            }
        }
        reported
    }

    /// The reported change of a symbol at a place of its line.
    pub(super) fn change(&self, symbol: &str, place: usize) -> Option<f64> {
        self.changes.get(symbol)?.get(&place).copied()
    }

    /// The moves of the market and of technology in a session such that the indices show what is reported of them.
    pub(super) fn agreed(&self, place: usize, market: f64, technology: f64) -> (f64, f64) {
        let nasdaq = self.change("^IXIC", place);
        match (self.change("^GSPC", place), nasdaq) {
            (None, None) => (market, technology),
            (Some(index), None) => (index, technology),
            (Some(index), Some(nasdaq)) => {
                (index, (nasdaq - NASDAQ_MARKET * index) / NASDAQ_TECHNOLOGY)
            }
            (None, Some(nasdaq)) => {
                let rest = nasdaq - NASDAQ_MARKET * market - NASDAQ_TECHNOLOGY * technology;
                (market + SHARED.0 * rest, technology + SHARED.1 * rest)
            }
        }
    }

    /// The mood among coins on a day such that the reported coin can follow it.
    pub(super) fn mood(&self, place: usize) -> Option<f64> {
        // The sensitivities of the two to the mood.
        let bitcoin = self.change("BTC", place).map(|change| change / 0.95);
        bitcoin.or_else(|| self.change("ETH", place).map(|change| change / 1.05))
    }
}
