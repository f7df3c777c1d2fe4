//! Ratings by invented research houses.

use std::ops::Range;

use model::{AnalystRating, MarketBatch, Rating, Timestamp};

use super::chance::normal;
use super::clock::{end_of, month_begin, working_day};
use super::prices::close_on;
use super::reports::cents;
use super::tables::Tables;
use super::{MarketWorld, SOURCE};
use crate::cast::person;
use crate::random::{Random, hash_word};
use crate::world::World;

/// The share of a stock's months in which somebody rates it.
const RATES: f64 = 0.2;

impl MarketWorld {
    pub(super) fn add_ratings(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let world = World::get();
        let lines = &self.paths().shares;
        for month in Self::months(stretch, self.filings_from(), 40) {
            let begin = month_begin(month);
            if begin < self.filings_from() {
                continue;
            }
            for (share, line) in Tables::get().shares.iter().zip(lines) {
                let mut random = Random::of(&[self.seed, 61, share.stream, month as u64]);
                if !random.chance(RATES) {
                    continue;
                }
                let day = working_day(begin.plus(random.range(0, 26) as i32));
                if !stretch.contains(&end_of(day)) {
                    continue;
                }
                let (Some(firm), Some(price)) = (
                    random.pick(world.pool("firm")),
                    close_on(line, &self.clock, day.plus(-1)),
                ) else {
                    continue;
                };
                let upside = (0.09 + 0.13 * normal(&mut random)).clamp(-0.35, 0.6);
                // One person at each house knows the sector.
                let desk = [self.seed, 62, hash_word(firm), share.sector as u64];
                batch.ratings.push(AnalystRating {
                    symbol: share.symbol.clone(),
                    analyst: Some(person(world, &mut Random::of(&desk))),
                    firm: firm.clone(),
                    rating: rating(upside),
                    target: Some(cents(price * (1.0 + upside)).max(0.01)),
                    day,
                    source: SOURCE.to_owned(),
                });
            }
        }
    }
}

fn rating(upside: f64) -> Rating {
    if upside >= 0.25 {
        Rating::StrongBuy
    } else if upside >= 0.08 {
        Rating::Buy
    } else if upside >= -0.06 {
        Rating::Hold
    } else if upside >= -0.16 {
        Rating::Sell
    } else {
        Rating::StrongSell
    }
}
