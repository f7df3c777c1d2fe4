//! Coins: what providers reported of them, and what their candles and series say.
//!
//! Of several prices the newest counts, and its changes go with it: those that the provider reported with its own
//! price, else against the daily close nearest to that many days before; over an hour and over a day against the hourly one nearest to
//! that, where hours are held.

mod closes;
mod coin;
mod hours;
mod totals;

use std::collections::BTreeMap;

use model::{AssetType, CoinSnapshot, Day, Quote, SeriesId, Symbol, Timestamp};
use store::RecordQuery;

use super::records::Records;
use super::resolve::coin_spellings;
use super::{DataIssue, Instruments, PointInTime, Prices, TimeSeries, Unknown, nearest};
use crate::Result;

pub use closes::CoinCloses;
pub use coin::{AllTimeHigh, Coin};
pub use totals::CryptoTotals;

/// A market value this much older than the newest one is not compared with it.
const COMPARABLE_MS: i64 = 3 * Timestamp::DAY_MS;
/// What is older is called stale.
const FRESH_DAYS: i32 = 5;

/// All coins as known at a point in time.
#[derive(Clone, Debug, Default)]
pub struct Coins {
    /// By symbol.
    coins: Vec<Coin>,
}

/// What is known of one coin, gathered from all sources.
#[derive(Debug, Default)]
struct Sources {
    name: Option<String>,
    snapshot: Option<CoinSnapshot>,
    quote: Option<Quote>,
    closes: CoinCloses,
    /// Market values of the newest two days.
    cap: Option<(f64, Day)>,
    cap_before: Option<f64>,
}

/// Reads coins, all of them together, and decentralised finance.
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

    /// Every coin of which something was known.
    pub async fn coins(&self, when: PointInTime) -> Result<Coins> {
        let mut found: BTreeMap<Symbol, Sources> = BTreeMap::new();
        let snapshots = self
            .records
            .held::<CoinSnapshot>(when, RecordQuery::default());
        for stored in snapshots.await? {
            let symbol = stored.record.symbol.clone();
            found.entry(symbol).or_default().snapshot = Some(stored.record);
        }
        for listing in self.instruments.all().await?.iter() {
            if listing.asset_type() != AssetType::Crypto {
                continue;
            }
            let history = self.prices.history(listing, when).await?;
            let quote = listing
                .quote
                .clone()
                .filter(|quote| when.as_of.is_none() && quote.at <= when.end);
            let coin = found.entry(listing.instrument.symbol.clone()).or_default();
            coin.name.clone_from(&listing.instrument.name);
            coin.closes = CoinCloses::newest_of(history.candles());
            coin.quote = quote;
        }
        self.read_series(when, &mut found).await?;
        let mut coins: Vec<Coin> = found
            .into_iter()
            .filter_map(|(symbol, sources)| Coin::of(symbol, sources))
            .collect();
        rank(&mut coins);
        self.add_changes_of_hours(&mut coins, when).await?;
        Ok(Coins { coins })
    }

    /// The market value of a coin in USD, as it is in every list of coins.
    pub async fn market_cap_of(&self, symbol: &Symbol, when: PointInTime) -> Result<Option<f64>> {
        let coins = self.coins(when).await?.coins;
        let coin = coins.into_iter().find(|coin| coin.symbol == *symbol);
        Ok(coin.and_then(|coin| coin.market_cap))
    }

    async fn read_series(
        &self,
        when: PointInTime,
        found: &mut BTreeMap<Symbol, Sources>,
    ) -> Result<()> {
        for series in self.series.of_kind("cap").await? {
            let Some(symbol) = Symbol::parse(series.id.name()) else {
                continue;
            };
            if let Some(values) = self.series.values(&series.id, when).await? {
                let coin = found.entry(symbol).or_default();
                let mut newest = values.observations.iter().rev();
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
                let coin = found.entry(symbol).or_default();
                coin.closes = CoinCloses::of_series(&values.observations);
            }
        }
        Ok(())
    }
}

impl Coins {
    /// The coin that a text names: its symbol (`BTC`, `btc-usd`, `CRYPTO:BTC`) or its name in any case. Of several
    /// coins of a name the largest.
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
            // A name is no symbol, though it finds the coin as well.
            if let Some(coin) = self.coins.iter().find(|coin| coin.name == *suggestion) {
                coin.symbol.as_str().clone_into(suggestion);
            }
        }
        unknown.suggestions.dedup();
        unknown
    }

    /// The coins whose market values can be compared, the largest first.
    pub fn ranked(&self) -> Vec<&Coin> {
        let mut ranked: Vec<&Coin> = comparable(&self.coins).collect();
        ranked.sort_by(|left, right| order(left, right));
        ranked
    }

    /// Coins with a market value that is too old to be compared.
    pub fn outdated(&self) -> usize {
        let with_value = self.coins.iter().filter(|coin| coin.market_cap.is_some());
        with_value.count() - comparable(&self.coins).count()
    }

    /// That the newest market values are old.
    pub fn staleness(&self, field: &'static str, when: PointInTime) -> Option<DataIssue> {
        let newest = self
            .ranked()
            .iter()
            .filter_map(|coin| coin.market_cap_at)
            .max()?;
        stale_since(field, "market value", newest, when)
    }
}

/// Says that something was reported more than five days before.
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

fn comparable(coins: &[Coin]) -> impl Iterator<Item = &Coin> {
    let newest = coins.iter().filter_map(|coin| coin.market_cap_at).max();
    coins.iter().filter(move |coin| {
        coin.market_cap_at
            .is_some_and(|at| newest.is_some_and(|newest| newest.since_ms(at) <= COMPARABLE_MS))
    })
}

fn order(left: &Coin, right: &Coin) -> std::cmp::Ordering {
    let cap = |coin: &Coin| coin.market_cap.unwrap_or_default();
    cap(right)
        .total_cmp(&cap(left))
        .then_with(|| left.symbol.cmp(&right.symbol))
}

/// Where no provider reports ranks, the place among the coins that are known here.
fn rank(coins: &mut [Coin]) {
    if coins.iter().any(|coin| coin.market_cap_rank.is_some()) {
        return;
    }
    let mut ranked: Vec<&Coin> = comparable(coins).collect();
    ranked.sort_by(|left, right| order(left, right));
    let places: BTreeMap<Symbol, u32> = ranked
        .into_iter()
        .map(|coin| coin.symbol.clone())
        .zip(1..)
        .collect();
    for coin in coins {
        coin.market_cap_rank = places.get(&coin.symbol).copied();
        coin.is_rank_among_known = coin.market_cap_rank.is_some();
    }
}

/// The id of the series of closes of a coin of which no candles are known.
fn closes_id(symbol: &Symbol) -> SeriesId {
    SeriesId::new("close", &format!("{symbol}-USD"))
}
