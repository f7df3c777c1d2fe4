//! Trades by invented lawmakers.

use std::ops::Range;

use model::{Chamber, CongressTrade, MarketBatch, Timestamp};

use super::MarketWorld;
use super::clock::{end_of, month_begin, working_day};
use super::tables::{Share, Tables};
use crate::cast::person;
use crate::random::Random;
use crate::world::World;

const MEMBERS: usize = 36;
const TRADES_A_MONTH: u64 = 14;

/// The ranges in which amounts are disclosed.
const RANGES: [(&str, f64, f64); 6] = [
    ("$1,001 - $15,000", 1_001.0, 15_000.0),
    ("$1,001 - $15,000", 1_001.0, 15_000.0),
    ("$15,001 - $50,000", 15_001.0, 50_000.0),
    ("$50,001 - $100,000", 50_001.0, 100_000.0),
    ("$100,001 - $250,000", 100_001.0, 250_000.0),
    ("$250,001 - $500,000", 250_001.0, 500_000.0),
];

impl MarketWorld {
    pub(super) fn add_congress(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let shares: Vec<&Share> = Tables::get()
            .shares
            .iter()
            .filter(|share| share.files())
            .collect();
        for month in Self::months(stretch, self.disclosures_from(), 90) {
            if month_begin(month) < self.disclosures_from() {
                continue;
            }
            for number in 0..TRADES_A_MONTH {
                let mut random = Random::of(&[self.seed, 71, month as u64, number]);
                if let Some(share) = random.pick(&shares)
                    && let Some(trade) = self.trade(share, month, number, random.clone())
                    && stretch.contains(&end_of(trade.disclosure_date))
                {
                    batch.congress_trades.push(trade);
                }
            }
        }
    }

    fn trade(
        &self,
        share: &Share,
        month: i32,
        number: u64,
        mut random: Random,
    ) -> Option<CongressTrade> {
        let member = random.below(MEMBERS);
        let mut life = Random::of(&[self.seed, 72, member as u64]);
        let wanted = month_begin(month).plus(random.range(0, 27) as i32);
        let date = self.clock.sessions().get(self.clock.next(wanted)?)?.day;
        let &(range, low, high) = random.pick(&RANGES)?;
        let id = format!("simulated-{month}-{number}");
        Some(CongressTrade {
            member: person(World::get(), &mut life),
            party: life
                .pick(&["Democrat", "Republican"])
                .map(|party| (*party).to_owned()),
            chamber: if life.chance(0.25) {
                Chamber::Senate
            } else {
                Chamber::House
            },
            symbol: Some(share.symbol.clone()),
            asset: format!("{} ({})", share.name, share.symbol),
            transaction_type: (*random.pick(&[
                "buy",
                "buy",
                "sell",
                "sell_partial",
                "sell_full",
            ])?)
            .to_owned(),
            amount_range: range.to_owned(),
            amount_low: Some(low),
            amount_high: Some(high),
            transaction_date: Some(date),
            // The law gives them 45 days.
            disclosure_date: working_day(date.plus(random.range(6, 43) as i32)),
            owner: random
                .pick(&["self", "spouse", "joint", "dependent"])
                .map(|owner| (*owner).to_owned()),
            url: Some(format!("https://example.invalid/disclosures/{id}")),
            id,
        })
    }
}
