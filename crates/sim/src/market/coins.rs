//! What is reported about coins: market values day by day, and snapshots once the newswire has begun.

use std::ops::Range;

use model::{CoinSnapshot, CryptoGlobal, Day, HourBar, MarketBatch, Observation, Timestamp};

use super::bars::Bar;
use super::clock::end_of;
use super::intraday::{Hours, part};
use super::paths::Line;
use super::prices::{daily, day_at};
use super::tables::{Coin, Tables};
use super::{MarketWorld, SOURCE};

const HOUR: i64 = Timestamp::HOUR_MS;

impl MarketWorld {
    pub(super) fn add_coins(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let days = self.days_over(stretch);
        if days.is_empty() {
            return;
        }
        let lines = &self.paths().coins;
        for (coin, line) in Tables::get().coins.iter().zip(lines) {
            let observations: Vec<Observation> = days
                .clone()
                .filter(|&place| day_at(place) >= self.disclosures_from())
                .filter_map(|place| {
                    Some(Observation {
                        day: day_at(place),
                        value: (line.bars.get(place)?.close * supply(coin, place)).round(),
                    })
                })
                .collect();
            if !observations.is_empty() {
                let id = format!("cap:{}", coin.symbol);
                let name = format!("Market value of {}", coin.name);
                batch.series.push((daily(&id, &name, "USD"), observations));
            }
        }
        for place in days {
            if self.has_snapshots(place) {
                self.add_snapshots(place, batch);
            }
        }
    }

    /// The hourly coin bars that ended in the time span.
    pub(super) fn add_hours(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let Some(first) = self.hours_from else {
            return;
        };
        let known = self.clock.days().saturating_sub(1);
        let last = end_of(day_at(known)).plus_ms(-HOUR);
        // The first hour that does not end before the time span.
        let begin = stretch.start.max(first.starts_at()).plus_ms(-HOUR);
        let mut at = Timestamp::from_ms((begin.ms() + HOUR - 1).div_euclid(HOUR) * HOUR);
        while at.plus_ms(HOUR) < stretch.end && at <= last {
            if at >= first.starts_at() {
                self.add_hour(at, batch);
            }
            at = at.plus_ms(HOUR);
        }
    }

    fn add_hour(&self, at: Timestamp, batch: &mut MarketBatch) {
        let lines = &self.paths().coins;
        for (coin, line) in Tables::get().coins.iter().zip(lines) {
            let Some(bar) = self.hour(line, at) else {
                continue;
            };
            batch.hours.push(HourBar {
                symbol: coin.symbol.clone(),
                at,
                open: bar.open,
                high: bar.high,
                low: bar.low,
                close: bar.close,
                volume: bar.volume,
                source: SOURCE.to_owned(),
            });
        }
    }

    /// The bar for the hour that began at that time.
    fn hour(&self, line: &Line, at: Timestamp) -> Option<Bar> {
        let day = Day::of(at);
        let place = usize::try_from(day.since(Self::FIRST_DAY)).ok()?;
        let bar = line.bars.get(place)?;
        let [whole, hour] = [(day.starts_at(), end_of(day)), (at, at.plus_ms(HOUR))]
            .map(|(begin, end)| Hours { begin, end });
        let stream = [self.seed, line.stream, place as u64];
        Some(part(bar, whole, hour, line.fineness, stream))
    }

    /// Whether times are given at the end of that day.
    pub(super) fn has_snapshots(&self, place: usize) -> bool {
        self.newswire_from
            .is_some_and(|begin| day_at(place) >= begin.plus(-1))
    }

    /// All coins as they stand at the end of a UTC day.
    fn add_snapshots(&self, place: usize, batch: &mut MarketBatch) {
        let lines = &self.paths().coins;
        let at = end_of(day_at(place));
        let mut coins: Vec<CoinSnapshot> = Tables::get()
            .coins
            .iter()
            .zip(lines)
            .filter_map(|(coin, line)| {
                let last_hour = self.hour(line, at.plus_ms(-Timestamp::HOUR_MS))?;
                snapshot(coin, line.bars.get(..=place)?, last_hour.open, at)
            })
            .collect();
        coins.sort_by(|left, right| {
            let value = |coin: &CoinSnapshot| coin.market_cap.unwrap_or(0.0);
            value(right).total_cmp(&value(left))
        });
        for (coin, rank) in coins.iter_mut().zip(1..) {
            coin.market_cap_rank = Some(rank);
        }
        let sum = |of: fn(&CoinSnapshot) -> Option<f64>| coins.iter().filter_map(of).sum::<f64>();
        let total = sum(|coin| coin.market_cap);
        let before = sum(|coin| Some(coin.market_cap? / (1.0 + coin.change_24h? / 100.0)));
        let part = |symbol: &str| {
            let coin = coins.iter().find(|coin| coin.symbol.as_str() == symbol)?;
            (total > 0.0).then_some(100.0 * coin.market_cap? / total)
        };
        batch.crypto_globals.push(CryptoGlobal {
            total_market_cap: Some(total),
            total_volume: Some(sum(|coin| coin.volume_24h)),
            btc_dominance: part("BTC"),
            eth_dominance: part("ETH"),
            active_cryptocurrencies: Some(coins.len() as u64),
            market_cap_change_24h: (before > 0.0).then(|| 100.0 * (total / before - 1.0)),
            at,
            source: SOURCE.to_owned(),
        });
        batch.coins.extend(coins);
    }
}

/// Coins in circulation: a few more each year.
fn supply(coin: &Coin, place: usize) -> f64 {
    let days = day_at(place).since(MarketWorld::REFERENCE_DAY);
    (coin.supply * (1.0 + 0.012 * f64::from(days) / 365.25)).round()
}

/// A coin as of the end of its last bar.
fn snapshot(coin: &Coin, bars: &[Bar], hour_before: f64, at: Timestamp) -> Option<CoinSnapshot> {
    let place = bars.len().checked_sub(1)?;
    let last = &bars[place];
    let change = |days: usize| {
        let before = bars.get(place.checked_sub(days)?)?.close;
        Some(100.0 * (last.close / before - 1.0))
    };
    let (highest_at, highest) = bars
        .iter()
        .enumerate()
        .max_by(|left, right| left.1.high.total_cmp(&right.1.high))?;
    let circulating = supply(coin, place);
    Some(CoinSnapshot {
        symbol: coin.symbol.clone(),
        name: coin.name.to_owned(),
        price: Some(last.close),
        market_cap: Some((last.close * circulating).round()),
        market_cap_rank: None,
        volume_24h: Some((last.volume * last.close).round()),
        change_1h: Some(100.0 * (last.close / hour_before - 1.0)),
        change_24h: change(1),
        change_7d: change(7),
        change_30d: change(30),
        ath: Some(highest.high),
        ath_date: Some(day_at(highest_at)),
        circulating_supply: Some(circulating),
        at,
        source: SOURCE.to_owned(),
    })
}
