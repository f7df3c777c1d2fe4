//! Instruments, candles, series with a price, and quotes.

use std::ops::Range;

use model::{
    AssetType, Day, Frequency, Instrument, InstrumentKey, MarketBatch, Observation, Quote, Series,
    SeriesId, Timestamp,
};

use super::bars::Bar;
use super::clock::{Clock, days_over_before, end_of};
use super::intraday::{Hours, quote};
use super::paths::{Line, Paths};
use super::priced::PRICED;
use super::tables::Tables;
use super::{MarketWorld, SOURCE};

impl MarketWorld {
    /// Instruments are known from the start of the first day.
    pub(super) fn add_instruments(stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        if stretch.contains(&Self::FIRST_DAY.starts_at()) {
            batch.instruments.extend(Self::instruments());
        }
    }

    /// What can be traded, whatever the seed.
    pub fn instruments() -> Vec<Instrument> {
        let tables = Tables::get();
        let shares = tables.shares.iter().map(|share| Instrument {
            name: Some(share.name.to_owned()),
            exchange: Some(share.exchange.to_owned()),
            sector: Some(super::tables::SECTORS[share.sector].to_owned()),
            industry: Some(share.industry.to_owned()),
            currency: Some(share.currency.to_owned()),
            cik: share.files().then_some(share.cik),
            ..Instrument::bare(share.symbol.clone(), AssetType::Equity)
        });
        let funds = tables.funds.iter().map(|fund| Instrument {
            name: Some(fund.name.to_owned()),
            exchange: Some(fund.exchange.to_owned()),
            currency: Some("USD".to_owned()),
            ..Instrument::bare(fund.symbol.clone(), AssetType::Etf)
        });
        let coins = tables.coins.iter().map(|coin| Instrument {
            name: Some(coin.name.to_owned()),
            currency: Some("USD".to_owned()),
            ..Instrument::bare(coin.symbol.clone(), AssetType::Crypto)
        });
        shares.chain(funds).chain(coins).collect()
    }

    pub(super) fn add_prices(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let paths = self.paths();
        let tables = Tables::get();
        let sessions = self.closed_sessions(stretch);
        if !sessions.is_empty() {
            let shares = tables.shares.iter().map(|share| &share.symbol);
            let funds = tables.funds.iter().map(|fund| &fund.symbol);
            let lines = paths.shares.iter().chain(&paths.funds);
            for (symbol, line) in shares.chain(funds).zip(lines) {
                let candles = sessions
                    .clone()
                    .filter_map(|place| {
                        Some(line.bars.get(place)?.on(self.clock.sessions()[place].day))
                    })
                    .collect();
                batch
                    .candles
                    .push((InstrumentKey::stock(symbol.clone()), candles));
            }
            for (line, &(id, name, unit, ..)) in paths.series.iter().zip(PRICED.iter()) {
                let observations = sessions
                    .clone()
                    .filter_map(|place| {
                        Some(Observation {
                            day: self.clock.sessions()[place].day,
                            value: line.bars.get(place)?.close,
                        })
                    })
                    .collect();
                batch.series.push((daily(id, name, unit), observations));
            }
        }
        let days = self.days_over(stretch);
        if !days.is_empty() {
            for (coin, line) in tables.coins.iter().zip(&paths.coins) {
                let candles = days
                    .clone()
                    .filter_map(|place| Some(line.bars.get(place)?.on(day_at(place))))
                    .collect();
                batch
                    .candles
                    .push((InstrumentKey::crypto(coin.symbol.clone()), candles));
            }
        }
    }

    /// Sessions in the published history that closed in the time span.
    pub(super) fn closed_sessions(&self, stretch: &Range<Timestamp>) -> Range<usize> {
        let first = self.clock.next(self.history_from);
        let begin = self.clock.closed_before(stretch.start);
        let end = self.clock.closed_before(stretch.end);
        begin.max(first.unwrap_or(end)).min(end)..end
    }

    /// UTC days in the published history that ended in the time span, counted from the first day.
    pub(super) fn days_over(&self, stretch: &Range<Timestamp>) -> Range<usize> {
        let first = self.history_from.since(Self::FIRST_DAY).max(0) as usize;
        let end = days_over_before(stretch.end).min(self.clock.days());
        days_over_before(stretch.start).max(first).min(end)..end
    }
}

/// The UTC day at a position in a coin's line.
pub(super) fn day_at(place: usize) -> Day {
    MarketWorld::FIRST_DAY.plus(place as i32)
}

/// A simulated series of daily values.
pub(super) fn daily(id: &str, name: &str, unit: &str) -> Series {
    Series {
        id: SeriesId(id.to_owned()),
        name: name.to_owned(),
        unit: unit.to_owned(),
        frequency: Frequency::Daily,
        source: SOURCE.to_owned(),
        publication_lag_days: 0,
    }
}

/// The close that was the newest when a day ended.
pub(super) fn close_on(line: &Line, clock: &Clock, day: Day) -> Option<f64> {
    Some(line.bars.get(clock.newest(day)?)?.close)
}

/// Every price at a point in time.
pub(super) fn quotes(
    paths: &Paths,
    clock: &Clock,
    seed: u64,
    at: Timestamp,
) -> Vec<(String, Quote)> {
    let mut quotes = Vec::new();
    if let Some((place, hours)) = session_at(clock, at) {
        let lines = paths.shares.iter().chain(&paths.funds).chain(&paths.series);
        quotes.extend(lines.filter_map(|line| quote_at(line, place, hours, at, seed)));
    }
    if let Some((place, hours)) = coin_day_at(clock, at) {
        for line in &paths.coins {
            let Some((key, mut quote)) = quote_at(line, place, hours, at, seed) else {
                continue;
            };
            if let (Some(before), Some(bar)) = (before(line, place), line.bars.get(place)) {
                // The last 24 hours reach into yesterday.
                let left = 1.0 - quote.volume.unwrap_or(0.0) / bar.volume.max(1.0);
                quote.volume = quote
                    .volume
                    .map(|today| (today + left * before.volume).round());
            }
            quotes.push((key, quote));
        }
    }
    quotes
}

/// The price of one line at a point in time.
pub(super) fn quote_of(line: &Line, clock: &Clock, seed: u64, at: Timestamp) -> Option<Quote> {
    let (place, hours) = if line.key.starts_with("crypto:") {
        coin_day_at(clock, at)
    } else {
        session_at(clock, at)
    }?;
    Some(quote_at(line, place, hours, at, seed)?.1)
}

/// The session that is trading at a time, or was the last to trade.
fn session_at(clock: &Clock, at: Timestamp) -> Option<(usize, Hours)> {
    let sessions = clock.sessions();
    let place = sessions
        .partition_point(|session| session.opens_at <= at)
        .checked_sub(1)?;
    let hours = Hours {
        begin: sessions[place].opens_at,
        end: sessions[place].closes_at,
    };
    Some((place, hours))
}

/// The coin day at a time; beyond the last known day, the last price applies.
fn coin_day_at(clock: &Clock, at: Timestamp) -> Option<(usize, Hours)> {
    let today = usize::try_from(Day::of(at).since(MarketWorld::FIRST_DAY)).ok()?;
    let place = today.min(clock.days().saturating_sub(1));
    let day = day_at(place);
    let hours = Hours {
        begin: day.starts_at(),
        end: end_of(day),
    };
    Some((place, hours))
}

fn before(line: &Line, place: usize) -> Option<&Bar> {
    line.bars.get(place.checked_sub(1)?)
}

fn quote_at(
    line: &Line,
    place: usize,
    hours: Hours,
    at: Timestamp,
    seed: u64,
) -> Option<(String, Quote)> {
    let bar = line.bars.get(place)?;
    let stream = [seed, line.stream, place as u64];
    let quote = quote(bar, before(line, place), hours, at, line.fineness, stream);
    Some((line.key.clone(), quote))
}
