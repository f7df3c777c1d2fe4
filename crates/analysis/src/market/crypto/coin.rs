//! One coin.

use model::{CoinSnapshot, InstrumentKey, Symbol, Timestamp};

use super::closes::closed_at;
use super::snapshot::COMPARABLE_MS;
use super::{Crypto, Sources};
use crate::Result;
use crate::market::PointInTime;
use crate::market::time_series::change_pct;

/// How long the number of coins in circulation is treated as unchanged; it grows by a few percent a year.
const SAME_SUPPLY_MS: i64 = 31 * Timestamp::DAY_MS;

/// How long a 24-hour volume goes with newer prices: until the next one, which may arrive an hour late.
const SAME_VOLUME_MS: i64 = Timestamp::DAY_MS + Timestamp::HOUR_MS;

/// A coin as known at a point in time. Money is in USD, changes are in percent.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct Coin {
    pub symbol: Symbol,
    pub name: String,
    pub price: Option<f64>,
    /// When the price was paid.
    pub price_at: Option<Timestamp>,
    /// Who reported the price, if known.
    pub source: Option<String>,
    pub market_cap: Option<f64>,
    pub market_cap_at: Option<Timestamp>,
    /// The market value one day earlier.
    pub market_cap_before: Option<f64>,
    pub market_cap_rank: Option<u32>,
    /// Whether the rank is only the position among the coins known here.
    pub is_rank_among_known: bool,
    pub volume_24h: Option<f64>,
    pub change_1h: Option<f64>,
    pub change_24h: Option<f64>,
    pub change_7d: Option<f64>,
    pub change_30d: Option<f64>,
    /// Whether the change over a day is measured from a daily close at a different time, hours away from a day
    /// earlier.
    pub(super) is_day_rough: bool,
    /// Whether the market value one day earlier was computed from the change over a day.
    is_cap_from_change: bool,
    snapshot: Option<CoinSnapshot>,
}

/// The highest price of a coin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllTimeHigh {
    /// In USD.
    pub price: f64,
    /// Whether it is only the highest price in the history on record here.
    pub is_of_history: bool,
}

impl Coin {
    pub(super) fn of(symbol: Symbol, sources: Sources) -> Option<Self> {
        let Sources {
            name,
            snapshot,
            quote,
            closes,
            cap,
            cap_before,
        } = sources;
        let reported = snapshot.as_ref();
        let closed = closes.newest().map(|one| (one.value, closed_at(one.day)));
        let quoted = quote.as_ref().map(|quote| (quote.price, quote.at));
        let held = [closed, quoted]
            .into_iter()
            .flatten()
            .max_by_key(|one| one.1);
        let by_provider = reported.and_then(|one| Some((one.price?, one.at)));
        // Among equals the provider's, because its changes go with it.
        let price = [held, by_provider]
            .into_iter()
            .flatten()
            .max_by_key(|one| one.1);
        let is_provider = price.is_some() && price == by_provider;
        let change = |own: fn(&CoinSnapshot) -> Option<f64>, days: i64| {
            let own = reported.filter(|_| is_provider).and_then(own);
            own.or_else(|| price.and_then(|(price, at)| closes.change(price, at, days)))
        };
        let change_24h = change(|one| one.change_24h, 1);
        // The coins in circulation behind a market value.
        let sound = |supply: f64| Some(supply).filter(|supply| supply.is_finite() && *supply > 0.0);
        let reported_cap = reported.and_then(|one| {
            let value = one.market_cap.filter(|value| *value > 0.0)?;
            let supply = one.circulating_supply.or_else(|| Some(value / one.price?));
            Some(MarketValue {
                value,
                at: one.at,
                before: a_day_before(value, one.change_24h),
                supply: supply.and_then(sound),
            })
        });
        let series_cap = cap.filter(|(value, _)| *value > 0.0).map(|(value, day)| {
            let supply = closes.on(day).map(|close| value / close);
            MarketValue {
                value,
                at: closed_at(day),
                before: cap_before,
                supply: supply.and_then(sound),
            }
        });
        let stated = [series_cap, reported_cap]
            .into_iter()
            .flatten()
            .max_by_key(|one| one.at);
        let market_cap = stated.map(|stated| stated.at_price(price, change_24h));
        let is_of_provider = is_provider && reported.is_some_and(|one| one.change_24h.is_some());
        let is_day_rough = !is_of_provider
            && price.is_some_and(|(_, at)| !closes.has_one_at(at.plus_ms(-Timestamp::DAY_MS)));
        let is_cap_from_change = stated
            .zip(market_cap)
            .is_some_and(|(stated, now)| now.at > stated.at);
        if price.is_none() && market_cap.is_none() {
            return None;
        }
        Some(Self {
            name: reported
                .map(|one| one.name.clone())
                .or(name)
                .unwrap_or_else(|| symbol.to_string()),
            symbol,
            price: price.map(|(price, _)| price),
            price_at: price.map(|(_, at)| at),
            source: reported
                .filter(|_| is_provider)
                .map(|one| one.source.clone()),
            market_cap: market_cap.map(|one| one.value),
            market_cap_at: market_cap.map(|one| one.at),
            market_cap_before: market_cap.and_then(|one| one.before),
            market_cap_rank: reported.and_then(|one| one.market_cap_rank),
            is_rank_among_known: false,
            volume_24h: reported.and_then(|one| {
                let newest = price.map_or(one.at, |(_, at)| at);
                let is_near = newest.since_ms(one.at) <= SAME_VOLUME_MS;
                one.volume_24h.filter(|_| is_near)
            }),
            change_1h: reported
                .filter(|_| is_provider)
                .and_then(|one| one.change_1h),
            change_24h,
            change_7d: change(|one| one.change_7d, 7),
            change_30d: change(|one| one.change_30d, 30),
            is_day_rough,
            is_cap_from_change,
            snapshot,
        })
    }
}

/// The value of all coins in circulation at a given time.
#[derive(Clone, Copy)]
struct MarketValue {
    value: f64,
    at: Timestamp,
    /// The value one day earlier.
    before: Option<f64>,
    /// How many coins it counts, if known.
    supply: Option<f64>,
}

impl MarketValue {
    /// The same coins at a newer price; the value as stated if there is no newer price, or if it was stated so long
    /// ago that the number of coins may have changed.
    fn at_price(self, price: Option<(f64, Timestamp)>, change_24h: Option<f64>) -> Self {
        let newer = price.filter(|(price, at)| {
            *price > 0.0 && *at > self.at && at.since_ms(self.at) <= SAME_SUPPLY_MS
        });
        let Some(((price, at), supply)) = newer.zip(self.supply) else {
            return self;
        };
        let value = price * supply;
        Self {
            value,
            at,
            before: a_day_before(value, change_24h),
            supply: self.supply,
        }
    }
}

/// A value before a percentage change.
fn a_day_before(value: f64, change_24h: Option<f64>) -> Option<f64> {
    change_24h
        .filter(|change| *change > -100.0)
        .map(|change| value / (1.0 + change / 100.0))
}

impl Crypto {
    /// The all-time high if a provider reports it, raised by any higher price since; otherwise the highest price in
    /// the history on record.
    pub async fn all_time_high(
        &self,
        coin: &Coin,
        when: PointInTime,
    ) -> Result<Option<AllTimeHigh>> {
        let reported = coin.snapshot.as_ref();
        if let Some((reported, at)) = reported.and_then(|one| Some((one.ath?, one.at))) {
            let since = self.highest_held(coin, when, Some(at)).await?;
            let highest = [Some(reported), since, coin.price];
            return Ok(highest
                .into_iter()
                .flatten()
                .max_by(f64::total_cmp)
                .map(|price| AllTimeHigh {
                    price,
                    is_of_history: false,
                }));
        }
        let held = self.highest_held(coin, when, None).await?;
        Ok([held, coin.price]
            .into_iter()
            .flatten()
            .max_by(f64::total_cmp)
            .map(|price| AllTimeHigh {
                price,
                is_of_history: true,
            }))
    }

    /// The highest price in the candles, or in the closes if there are no candles, on the days that began after a
    /// given time.
    async fn highest_held(
        &self,
        coin: &Coin,
        when: PointInTime,
        after: Option<Timestamp>,
    ) -> Result<Option<f64>> {
        let key = InstrumentKey::crypto(coin.symbol.clone());
        let Some(listing) = self.instruments.find(&key).await? else {
            let closes = self.closes(&coin.symbol, when).await?;
            return Ok(closes.highest().filter(|_| after.is_none()));
        };
        let newest = when.newest_day(listing.asset_type());
        let begins_after =
            |day: model::Day| after.is_none_or(|after| day.starts_at() > after) && day <= newest;
        // The cache holds only the newest years.
        let highest = if listing.is_cut && after.is_none() {
            let rows = self.prices.stored(&listing, when).await?.into_iter();
            rows.filter(|candle| begins_after(candle.day))
                .map(|candle| candle.high)
                .max_by(f64::total_cmp)
        } else {
            let history = self.prices.history(&listing, when).await?;
            let candles = history.candles().iter();
            candles
                .filter(|candle| begins_after(candle.day))
                .map(|candle| candle.high)
                .max_by(f64::total_cmp)
        };
        if highest.is_some() || after.is_some() {
            return Ok(highest);
        }
        let closes = self.closes(&coin.symbol, when).await?;
        Ok(closes.highest())
    }
}

impl Coin {
    /// Takes the price one day earlier from an hourly bar instead of a daily close.
    pub(super) fn take_change_of_a_day(&mut self, change: f64) {
        self.change_24h = Some(change);
        if self.is_cap_from_change {
            let before = self
                .market_cap
                .and_then(|cap| a_day_before(cap, Some(change)));
            self.market_cap_before = before;
        }
    }

    /// The rank that a provider reported at a given time, or shortly before or after it.
    pub(super) fn reported_rank(&self, at: Timestamp) -> Option<u32> {
        let reported = self.snapshot.as_ref()?;
        let is_near = at.since_ms(reported.at).abs() <= COMPARABLE_MS;
        reported.market_cap_rank.filter(|_| is_near)
    }

    /// Whether price and market value are from days far apart.
    pub fn is_value_of_another_time(&self) -> bool {
        let times = self.price_at.zip(self.market_cap_at);
        times.is_some_and(|(price, value)| price.since_ms(value).abs() > COMPARABLE_MS)
    }

    /// The market value reported by a provider, and when.
    pub(super) fn reported_cap(&self) -> Option<(f64, Timestamp)> {
        let reported = self.snapshot.as_ref()?;
        Some((reported.market_cap?, reported.at))
    }
}

impl AllTimeHigh {
    /// How far a price is from it, in percent.
    pub fn change_pct(self, price: f64) -> Option<f64> {
        change_pct(price, self.price)
    }
}
