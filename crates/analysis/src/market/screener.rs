//! The screener's cached snapshot: what candles, briefs and filings say about every instrument, one row each.
//!
//! A new snapshot is made when the market data or the news has changed, or at the turn of the hour (sessions close at
//! that point, and briefs drop out of the week); until then every question reads the same one. If [`Screener::follow`]
//! is running, it makes the snapshots, and questions read the existing one, which is at most a second old plus the
//! time it takes to make; otherwise the first question after a change makes it. Keys limited to some categories have
//! their own snapshot, because sentiment comes from the briefs that they may read. Past snapshots are never kept.
//! Prices between closes do not belong in a snapshot: a caller that shows a match asks its listing.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use market::Day;
use market::screener::{PriceMetrics, ScreenerRow, Snapshot};
use model::{AssetType, Category, InstrumentKey, Symbol, Timestamp};
use parking_lot::RwLock;
use tokio_util::sync::CancellationToken;

use super::cache::MarketCache;
use super::{
    Coin, Crypto, Fundamentals, Listing, PointInTime, Prices, Sentiment, SentimentBoard, Valuations,
};
use crate::{HeavyWork, Permit, Result, WorkLimits};

/// The number of snapshots kept: one for each recently used set of categories.
const MOST: usize = 8;
/// How often to check whether data has changed.
const PAUSE: Duration = Duration::from_secs(1);
/// Making snapshots takes at most one part in this many of a core's time.
const SHARE: u32 = 10;

/// The rows at a point in time, and which instrument each belongs to.
#[derive(Debug, Default)]
pub struct Screened {
    /// The rows.
    pub snapshot: Snapshot,
    listings: HashMap<String, InstrumentKey>,
}

impl Screened {
    /// The instrument in a row.
    pub fn key(&self, ticker: &str) -> Option<&InstrumentKey> {
        self.listings.get(ticker)
    }
}

/// Makes and keeps snapshots for each set of categories.
#[derive(Debug)]
pub struct Screener {
    cache: Arc<MarketCache>,
    prices: Prices,
    fundamentals: Fundamentals,
    sentiment: Sentiment,
    crypto: Crypto,
    kept: RwLock<Vec<Kept>>,
    /// Only one is made at a time; anyone who waits finds it ready.
    making: tokio::sync::Mutex<()>,
    /// Whether a task makes them whenever data changes.
    is_followed: AtomicBool,
}

/// Withdraws the promise that snapshots are kept in step.
struct Following<'a>(&'a AtomicBool);

impl Drop for Following<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

#[derive(Clone, Debug)]
struct Kept {
    categories: Vec<Category>,
    state: State,
    screened: Arc<Screened>,
}

/// What a snapshot was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    market: i64,
    news: i64,
    hour: i64,
    newest: Day,
}

impl State {
    fn of(market: i64, when: PointInTime, news: i64) -> Self {
        Self {
            market,
            news,
            hour: when.end.ms().div_euclid(Timestamp::HOUR_MS),
            newest: when.newest_day(AssetType::Equity),
        }
    }
}

impl Screener {
    pub(super) fn new(
        cache: Arc<MarketCache>,
        fundamentals: Fundamentals,
        sentiment: Sentiment,
        crypto: Crypto,
    ) -> Self {
        Self {
            cache,
            prices: fundamentals.prices.clone(),
            fundamentals,
            sentiment,
            crypto,
            kept: RwLock::default(),
            making: tokio::sync::Mutex::default(),
            is_followed: AtomicBool::default(),
        }
    }

    /// The rows as known at a point in time. `news` is the current revision of the news. Anything that has to be made
    /// waits for a permit.
    pub async fn rows<K: Hash + Eq + Copy + Send + 'static>(
        &self,
        when: PointInTime,
        news: i64,
        categories: &[Category],
        (work, key): (&HeavyWork<K>, K),
    ) -> Result<Arc<Screened>> {
        if when.as_of.is_some() {
            let permit = work.permit(key).await?;
            return Ok(Arc::new(self.make(when, categories, permit).await?));
        }
        if self.cache.version() == 0 {
            // Nothing has been read yet, or there is nothing to read.
            self.cache.refresh().await?;
        }
        let mut categories = categories.to_vec();
        categories.sort_unstable_by_key(|category| category.as_str());
        let state = State::of(self.cache.version(), when, news);
        let found = if self.is_followed.load(Ordering::Acquire) {
            self.newest(&categories)
        } else {
            self.find(&categories, state)
        };
        if let Some(screened) = found {
            return Ok(screened);
        }
        self.made(when, state, categories, (work, key)).await
    }

    /// Makes snapshots, and the company figures that they and backtests rest on, when data changes: the snapshot for
    /// all categories, and those for the sets recently asked for. Ends when cancelled. `now` gives the time and the
    /// revision of the news.
    pub async fn follow(
        &self,
        now: impl Fn() -> (Timestamp, i64),
        cancel: CancellationToken,
    ) -> Result<()> {
        let work = HeavyWork::new(WorkLimits {
            at_once: 1,
            waiting: 1,
            per_key: 1,
        });
        let _following = Following(&self.is_followed);
        let mut prepared = None;
        loop {
            let started = Instant::now();
            let (end, news) = now();
            let when = PointInTime { end, as_of: None };
            self.cache.ensure_read().await?;
            if prepared != Some(self.cache.version()) {
                prepared = Some(self.cache.version());
                self.fundamentals.prepare().await?;
            }
            let state = State::of(self.cache.version(), when, news);
            let mut sets = vec![Vec::new()];
            sets.extend(self.kept.read().iter().map(|kept| kept.categories.clone()));
            for categories in sets {
                if self.find(&categories, state).is_none() {
                    self.made(when, state, categories, (&work, ())).await?;
                }
            }
            self.is_followed.store(true, Ordering::Release);
            let pause = PAUSE.max(started.elapsed() * SHARE);
            tokio::select! {
                () = cancel.cancelled() => return Ok(()),
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// The snapshot for a state, made now unless it has been made in the meantime.
    async fn made<K: Hash + Eq + Copy + Send + 'static>(
        &self,
        when: PointInTime,
        state: State,
        categories: Vec<Category>,
        (work, key): (&HeavyWork<K>, K),
    ) -> Result<Arc<Screened>> {
        let _guard = self.making.lock().await;
        if let Some(screened) = self.find(&categories, state) {
            return Ok(screened);
        }
        let permit = work.permit(key).await?;
        let screened = Arc::new(self.make(when, &categories, permit).await?);
        let mut kept = self.kept.write();
        kept.retain(|one| one.categories != categories);
        if kept.len() >= MOST {
            kept.remove(0);
        }
        kept.push(Kept {
            categories,
            state,
            screened: Arc::clone(&screened),
        });
        Ok(screened)
    }

    /// The last snapshot that was made.
    fn newest(&self, categories: &[Category]) -> Option<Arc<Screened>> {
        let kept = self.kept.read();
        let found = kept.iter().find(|one| one.categories == categories)?;
        Some(Arc::clone(&found.screened))
    }

    fn find(&self, categories: &[Category], state: State) -> Option<Arc<Screened>> {
        let kept = self.kept.read();
        let found = kept
            .iter()
            .find(|one| one.state == state && one.categories == categories)?;
        Some(Arc::clone(&found.screened))
    }

    /// One row for each instrument that was listed at that time.
    async fn make(
        &self,
        when: PointInTime,
        categories: &[Category],
        permit: Permit,
    ) -> Result<Screened> {
        let board = self.sentiment.board(when, categories).await?;
        let valuations = self.fundamentals.valuations(when).await?;
        let companies = self.fundamentals.figures(when).await?;
        let coins = self.coins(when).await?;
        let mut instruments = Vec::new();
        for listing in self.prices.instruments.all().await?.iter() {
            if listing.delisted(when).is_some() {
                continue;
            }
            let spelled = self.prices.instruments.spelling(listing).await?;
            // Current metrics are in the cache; past ones are computed below, away from the async threads.
            let known = if when.as_of.is_none() {
                Ok(self.prices.metrics(listing, when).await?)
            } else {
                let history = self.prices.history(listing, when).await?;
                // Its first price is from later.
                if history.candles().is_empty() && listing.has_candles() {
                    continue;
                }
                Err(history)
            };
            instruments.push((Arc::clone(listing), spelled, known));
        }
        let compute = move |_: &Permit| {
            let mut rows = Vec::with_capacity(instruments.len());
            let mut listings = HashMap::with_capacity(instruments.len());
            for (listing, spelled, known) in instruments {
                let prices =
                    known.unwrap_or_else(|history| PriceMetrics::newest(history.candles()));
                let mut row = row(&listing, prices, &board, &valuations, &coins);
                let company = companies.get(&listing.instrument.symbol);
                if let Some(company) = company.filter(|_| row.asset_type == AssetType::Equity) {
                    row.revenue_growth = company.revenue_growth_pct;
                    row.eps_growth = company.eps_growth_pct;
                    row.profit_margin = company.profit_margin_pct;
                    row.debt_to_equity = company.debt_to_equity;
                }
                // If a share and a coin have the same letters, one is spelt so that the text finds it again.
                row.ticker = spelled.into();
                listings.insert(row.ticker.clone(), listing.instrument.key());
                rows.push(row);
            }
            Screened {
                snapshot: rows.into_iter().collect(),
                listings,
            }
        };
        permit.compute(compute).await
    }

    /// The coins that are compared, as in every list of coins.
    async fn coins(&self, when: PointInTime) -> Result<HashMap<Symbol, Coin>> {
        let coins = self.crypto.coins(when).await?;
        let ranked = coins.ranked().iter();
        Ok(ranked
            .map(|coin| (coin.symbol.clone(), coin.clone()))
            .collect())
    }
}

/// The prices of a coin at the time of its market value, if that is later than its newest close; indicators are still
/// those of the close.
fn at_moment(prices: PriceMetrics, coin: &Coin) -> PriceMetrics {
    let Some((price, at)) = coin.price.zip(coin.price_at) else {
        return prices;
    };
    // Midnight ends a day.
    let day = Day::of(at.plus_ms(-1));
    if prices.date.is_none_or(|closed| day <= closed) {
        return prices;
    }
    PriceMetrics {
        date: Some(day),
        price: Some(price),
        change_pct: coin.change_24h,
        ..prices
    }
}

fn row(
    listing: &Listing,
    prices: PriceMetrics,
    board: &SentimentBoard,
    valuations: &Valuations,
    coins: &HashMap<Symbol, Coin>,
) -> ScreenerRow {
    let instrument = &listing.instrument;
    let coin = coins
        .get(&instrument.symbol)
        .filter(|_| listing.asset_type() == AssetType::Crypto);
    let prices = coin.map_or(prices, |coin| at_moment(prices, coin));
    let (pe_ratio, market_cap_b, dividend_yield) = match listing.asset_type() {
        AssetType::Equity => {
            let valuation = valuations.find(instrument, prices.price.zip(prices.date));
            let ratio = valuation.as_ref().and_then(|valuation| valuation.pe_ratio);
            let paid = valuation
                .as_ref()
                .and_then(|valuation| valuation.dividend_yield);
            (
                ratio,
                valuation.and_then(|valuation| valuation.market_cap_b()),
                paid,
            )
        }
        AssetType::Etf => (None, None, None),
        AssetType::Crypto => {
            let value = coin.and_then(|coin| coin.market_cap);
            (None, value.map(|value| value / 1e9), None)
        }
    };
    ScreenerRow {
        ticker: listing.ticker().to_owned(),
        entity_name: instrument.entity_name().to_owned(),
        sector: instrument.sector.clone().unwrap_or_default(),
        asset_type: listing.asset_type(),
        currency: instrument.currency().to_owned(),
        sentiment_score: board.find(listing.ticker()).score(),
        pe_ratio,
        market_cap_b,
        dividend_yield,
        exchange: instrument.exchange.clone().unwrap_or_default(),
        industry: instrument.industry.clone().unwrap_or_default(),
        prices,
        ..ScreenerRow::default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicI64;

    use model::DataMode;
    use store::{Location, Store};

    use super::*;
    use crate::market::MarketServices;

    #[tokio::test]
    async fn snapshots_are_made_when_data_change_and_not_when_somebody_asks() {
        let store = Store::open(&Location::Memory, DataMode::Real)
            .await
            .unwrap();
        let screener = MarketServices::new(store).screener;
        let now = Timestamp::from_ms(1_772_366_400_000);
        let when = PointInTime {
            end: now,
            as_of: None,
        };
        let work = HeavyWork::new(WorkLimits {
            at_once: 1,
            waiting: 1,
            per_key: 1,
        });
        let ask = async |news| {
            let rows = screener.rows(when, news, &[], (&work, ()));
            rows.await.unwrap()
        };
        let (news, cancel) = (AtomicI64::new(1), CancellationToken::new());
        let follow = screener.follow(|| (now, news.load(Ordering::SeqCst)), cancel.clone());
        let asking = async {
            while !screener.is_followed.load(Ordering::Acquire) {
                tokio::task::yield_now().await;
            }
            // Nobody has to wait for the snapshot of news that has only just arrived.
            let (before, after) = (ask(1).await, ask(2).await);
            assert!(Arc::ptr_eq(&before, &after));
            cancel.cancel();
            before
        };
        let (followed, before) = tokio::join!(follow, asking);
        followed.unwrap();
        // Nobody keeps them in step now, so whoever asks makes them.
        assert!(!Arc::ptr_eq(&before, &ask(2).await));
        assert_eq!(screener.kept.read().len(), 1);
    }
}
