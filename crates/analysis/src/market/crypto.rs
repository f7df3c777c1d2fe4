//! Coins: what providers reported about them, and what their candles and series say.
//!
//! Among several prices the newest counts, and its changes go with it: those the provider reported with its own price,
//! or else changes against the daily close nearest to that many days earlier. If the provider reports none, changes
//! over an hour and over a day are measured against the hourly close nearest to that time, as long as hourly bars are
//! on record.
//!
//! Coins are compared as they were at one point in time: lists, ranks, totals, shares and changes are all built from
//! [`Coins::ranked`].

mod closes;
mod coin;
mod hours;
mod snapshot;
mod totals;

use std::collections::{BTreeMap, BTreeSet};

use model::{AssetType, CoinSnapshot, Day, Quote, SeriesId, Symbol, Timestamp};
use store::RecordQuery;

use super::records::Records;
use super::resolve::coin_spellings;
use super::{DataIssue, Instruments, PointInTime, Prices, TimeSeries, Unknown, nearest};
use crate::Result;

pub use closes::CoinCloses;
use closes::closed_at;
pub use coin::{AllTimeHigh, Coin};
pub use totals::CryptoTotals;

/// Anything older is called stale.
const FRESH_DAYS: i32 = 5;

/// All coins as known at a point in time.
#[derive(Clone, Debug, Default)]
pub struct Coins {
    /// By symbol, each as last known.
    coins: Vec<Coin>,
    /// Those with market values from the same time, as they were then, largest first.
    ranked: Vec<Coin>,
    /// The time of those values.
    at: Option<Timestamp>,
}

/// Coins as they were at an earlier time than the one asked about.
#[derive(Clone, Copy, Debug)]
struct Earlier<'a> {
    until: Timestamp,
    /// Which coins.
    symbols: &'a BTreeSet<Symbol>,
}

impl Earlier<'_> {
    /// Whether the close of a given day was known.
    fn closes(self, day: Day) -> bool {
        closed_at(day) <= self.until
    }
}

/// What is known about one coin, gathered from all sources.
#[derive(Debug, Default)]
struct Sources {
    name: Option<String>,
    snapshot: Option<CoinSnapshot>,
    quote: Option<Quote>,
    closes: CoinCloses,
    /// Market values on the newest two days.
    cap: Option<(f64, Day)>,
    cap_before: Option<f64>,
}

/// Reads individual coins, all coins together, and decentralised finance.
#[derive(Clone, Debug)]
pub struct Crypto {
    pub(super) records: Records,
    pub(super) series: TimeSeries,
    instruments: Instruments,
    prices: Prices,
}

impl Crypto {
    pub(super) fn new(records: Records, prices: Prices, series: TimeSeries) -> Self {
        Self {
            records,
            series,
            instruments: prices.instruments.clone(),
            prices,
        }
    }

    /// Every coin about which anything was known, and the coins that can be compared as they were at one point in
    /// time. Every answer about coins rests on this.
    pub async fn coins(&self, when: PointInTime) -> Result<Coins> {
        let coins = self.gathered(when, None).await?;
        let Some(at) = snapshot::time_of(&coins) else {
            return Ok(Coins {
                coins,
                ..Coins::default()
            });
        };
        let ahead = snapshot::ahead(&coins, at);
        let before = if ahead.is_empty() {
            Vec::new()
        } else {
            let earlier = Earlier {
                until: at,
                symbols: &ahead,
            };
            self.gathered(when, Some(earlier)).await?
        };
        Ok(Coins::at_one_time(coins, before, at))
    }

    /// Coins as last known, or as of an earlier time.
    async fn gathered(&self, when: PointInTime, earlier: Option<Earlier<'_>>) -> Result<Vec<Coin>> {
        let is_wanted =
            |symbol: &Symbol| earlier.is_none_or(|earlier| earlier.symbols.contains(symbol));
        let is_known = |at: Timestamp| earlier.is_none_or(|earlier| at <= earlier.until);
        let mut found: BTreeMap<Symbol, Sources> = BTreeMap::new();
        let snapshots = self
            .records
            .held::<CoinSnapshot>(when, RecordQuery::default());
        for stored in snapshots.await? {
            let snapshot = stored.record;
            if is_wanted(&snapshot.symbol) && is_known(snapshot.at) {
                let symbol = snapshot.symbol.clone();
                found.entry(symbol).or_default().snapshot = Some(snapshot);
            }
        }
        for listing in self.instruments.all().await?.iter() {
            let symbol = &listing.instrument.symbol;
            if listing.asset_type() != AssetType::Crypto || !is_wanted(symbol) {
                continue;
            }
            let history = self.prices.history(listing, when).await?;
            let history = match earlier {
                Some(earlier) => history.until(Day::of(earlier.until).plus(-1)),
                None => history,
            };
            let quote = listing
                .quote
                .clone()
                .filter(|quote| when.as_of.is_none() && quote.at <= when.end && is_known(quote.at));
            let coin = found.entry(symbol.clone()).or_default();
            coin.name.clone_from(&listing.instrument.name);
            coin.closes = CoinCloses::newest_of(history.candles());
            coin.quote = quote;
        }
        self.read_series(when, earlier, &mut found).await?;
        let mut coins: Vec<Coin> = found
            .into_iter()
            .filter_map(|(symbol, sources)| Coin::of(symbol, sources))
            .collect();
        self.add_changes_of_hours(&mut coins, when).await?;
        Ok(coins)
    }

    /// The market value of a coin in USD, as last known.
    pub async fn market_cap_of(&self, symbol: &Symbol, when: PointInTime) -> Result<Option<f64>> {
        let coins = self.coins(when).await?.coins;
        let coin = coins.into_iter().find(|coin| coin.symbol == *symbol);
        Ok(coin.and_then(|coin| coin.market_cap))
    }

    async fn read_series(
        &self,
        when: PointInTime,
        earlier: Option<Earlier<'_>>,
        found: &mut BTreeMap<Symbol, Sources>,
    ) -> Result<()> {
        let is_wanted =
            |symbol: &Symbol| earlier.is_none_or(|earlier| earlier.symbols.contains(symbol));
        let is_known = |day: Day| earlier.is_none_or(|earlier| earlier.closes(day));
        for series in self.series.of_kind("cap").await? {
            let Some(symbol) = Symbol::parse(series.id.name()).filter(is_wanted) else {
                continue;
            };
            if let Some(values) = self.series.values(&series.id, when).await? {
                let coin = found.entry(symbol).or_default();
                let known = values.observations.iter().rev();
                let mut newest = known.skip_while(|one| !is_known(one.day));
                coin.cap = newest.next().map(|one| (one.value, one.day));
                coin.cap_before = newest
                    .next()
                    .zip(coin.cap)
                    .filter(|(one, (_, day))| one.day == day.plus(-1))
                    .map(|(one, _)| one.value);
            }
        }
        for series in self.series.of_kind("close").await? {
            let Some(symbol) = series
                .id
                .name()
                .strip_suffix("-USD")
                .and_then(Symbol::parse)
                .filter(is_wanted)
            else {
                continue;
            };
            // Candles say more than closes alone.
            if found
                .get(&symbol)
                .is_some_and(|coin| !coin.closes.is_empty())
            {
                continue;
            }
            if let Some(values) = self.series.values(&series.id, when).await? {
                let known = values.observations.partition_point(|one| is_known(one.day));
                let coin = found.entry(symbol).or_default();
                coin.closes = CoinCloses::of_series(&values.observations[..known]);
            }
        }
        Ok(())
    }
}

impl Coins {
    /// The coin that a text names: its symbol (`BTC`, `btc-usd`, `CRYPTO:BTC`) or its name, case-insensitive. Among
    /// several coins with the same name, the largest.
    pub fn find(&self, text: &str) -> std::result::Result<&Coin, Unknown> {
        let upper: String = text.trim().to_ascii_uppercase().chars().take(60).collect();
        let [symbol, base] = coin_spellings(&upper);
        let by_symbol = |wanted: Option<Symbol>| {
            let wanted = wanted?;
            self.coins.iter().find(|coin| coin.symbol == wanted)
        };
        let by_name = || {
            self.coins
                .iter()
                .filter(|coin| coin.name.eq_ignore_ascii_case(text.trim()))
                .max_by(|left, right| {
                    let cap = |coin: &Coin| coin.market_cap.unwrap_or_default();
                    cap(left).total_cmp(&cap(right))
                })
        };
        by_symbol(symbol)
            .or_else(by_name)
            .or_else(|| by_symbol(base))
            .ok_or_else(|| self.unknown(text))
    }

    fn unknown(&self, text: &str) -> Unknown {
        let names = self.coins.iter().map(|coin| coin.name.as_str());
        let symbols = self.coins.iter().map(|coin| coin.symbol.as_str());
        let mut unknown = nearest(text, symbols.chain(names));
        for suggestion in &mut unknown.suggestions {
            // A name is not a symbol, though it finds the coin as well.
            if let Some(coin) = self.coins.iter().find(|coin| coin.name == *suggestion) {
                coin.symbol.as_str().clone_into(suggestion);
            }
        }
        unknown.suggestions.dedup();
        unknown
    }

    /// The coins with comparable market values, as they were at one point in time, largest first.
    pub fn ranked(&self) -> &[Coin] {
        &self.ranked
    }

    /// The time of the newest of the compared market values.
    pub fn at(&self) -> Option<Timestamp> {
        self.at
    }

    /// The number of coins with a market value from a different time.
    pub fn outdated(&self) -> usize {
        let with_value = self.coins.iter().filter(|coin| coin.market_cap.is_some());
        with_value.count().saturating_sub(self.ranked.len())
    }

    /// Notes that the newest market values are old.
    pub fn staleness(&self, field: &'static str, when: PointInTime) -> Option<DataIssue> {
        stale_since(field, "market value", self.at?, when)
    }
}

/// Notes that something was reported more than five days earlier.
pub(super) fn stale_since(
    field: &'static str,
    what: &str,
    reported_at: Timestamp,
    when: PointInTime,
) -> Option<DataIssue> {
    let age = when.end.since_ms(reported_at) / Timestamp::DAY_MS;
    (age > i64::from(FRESH_DAYS)).then(|| {
        DataIssue::stale(
            field,
            format!("the latest {what} is {age} days old"),
            reported_at,
        )
    })
}

/// The id of the series of closes for a coin that has no candles.
fn closes_id(symbol: &Symbol) -> SeriesId {
    SeriesId::new("close", &format!("{symbol}-USD"))
}
