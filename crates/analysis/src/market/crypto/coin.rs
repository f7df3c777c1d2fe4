//! One coin.

use model::{CoinSnapshot, InstrumentKey, Symbol, Timestamp};

use super::closes::closed_at;
use super::{Crypto, Sources};
use crate::Result;
use crate::market::PointInTime;
use crate::market::time_series::change_pct;

/// A coin as known at a point in time. Money is in USD, changes are in percent.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct Coin {
    pub symbol: Symbol,
    pub name: String,
    pub price: Option<f64>,
    /// When the price was paid.
    pub price_at: Option<Timestamp>,
    /// Who reported the price, where that is known.
    pub source: Option<String>,
    pub market_cap: Option<f64>,
    pub market_cap_at: Option<Timestamp>,
    /// The market value of a day before.
    pub market_cap_before: Option<f64>,
    pub market_cap_rank: Option<u32>,
    /// Whether the rank is only that among the coins that are known here.
    pub is_rank_among_known: bool,
    pub volume_24h: Option<f64>,
    pub change_1h: Option<f64>,
    pub change_24h: Option<f64>,
    pub change_7d: Option<f64>,
    pub change_30d: Option<f64>,
    snapshot: Option<CoinSnapshot>,
}

/// The highest price of a coin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllTimeHigh {
    /// In USD.
    pub price: f64,
    /// Whether it is only the highest of the history that is held here.
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
        // Of equals the provider's, because its changes go with it.
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
        let reported_cap = reported.and_then(|one| {
            let value = one.market_cap.filter(|value| *value > 0.0)?;
            let before = one
                .change_24h
                .filter(|change| *change > -100.0)
                .map(|change| value / (1.0 + change / 100.0));
            Some((value, one.at, before))
        });
        let series_cap = cap
            .filter(|(value, _)| *value > 0.0)
            .map(|(value, day)| (value, closed_at(day), cap_before));
        let market_cap = [series_cap, reported_cap]
            .into_iter()
            .flatten()
            .max_by_key(|(_, at, _)| *at);
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
            market_cap: market_cap.map(|(value, _, _)| value),
            market_cap_at: market_cap.map(|(_, at, _)| at),
            market_cap_before: market_cap.and_then(|(_, _, before)| before),
            market_cap_rank: reported.and_then(|one| one.market_cap_rank),
            is_rank_among_known: false,
            volume_24h: reported.and_then(|one| one.volume_24h),
            change_1h: reported
                .filter(|_| is_provider)
                .and_then(|one| one.change_1h),
            change_24h,
            change_7d: change(|one| one.change_7d, 7),
            change_30d: change(|one| one.change_30d, 30),
            snapshot,
        })
    }
}

impl Crypto {
    /// The highest price ever where a provider reports it, raised by higher ones since; else the highest of the history.
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

    /// The highest price of the candles, or of closes where there are no candles, of the days that began after a time.
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
        // The cache holds the newest years only.
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

impl AllTimeHigh {
    /// How far a price lies from it, in percent.
    pub fn change_pct(self, price: f64) -> Option<f64> {
        change_pct(price, self.price)
    }
}
