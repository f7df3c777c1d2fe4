//! The book: instruments, candles and newest prices in memory, in step with the store.
//!
//! A state is never changed, only replaced, so that an answer sees one moment. What changes in the store is noticed by the
//! version of the market; only what changed is read anew.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use market::CandleColumns;
use market::screener::PriceMetrics;
use model::{AssetType, Candle, InstrumentKey, Market, Quote, Symbol};
use parking_lot::RwLock;
use store::{History, MarketVersions, RecordQuery, Store};
use tokio_util::sync::CancellationToken;

use super::figures::Figures;
use super::resolve::{look_up, unknown};
use super::{HistoryView, Listing, Moment, Unknown};
use crate::{Error, Result, light};

/// Candles that are kept of each instrument: five years and 200 sessions of warm-up, weekends included.
const KEPT: usize = 2_300;
/// Coins that a bare symbol means rather than a share of the same letters.
const LARGE_COINS: usize = 50;
/// Failures in a row that are only logged.
const MOST_FAILURES: u32 = 6;
/// How often the store is asked whether something changed.
const PAUSE: Duration = Duration::from_secs(1);

/// Instruments, candles and newest prices.
#[derive(Debug)]
pub struct Book {
    store: Store,
    state: RwLock<Arc<State>>,
    /// One reading at a time.
    reading: tokio::sync::Mutex<()>,
    /// What filings say of companies.
    pub(super) figures: Figures,
}

/// Everything at one moment.
#[derive(Clone, Debug, Default)]
struct State {
    /// The versions up to which this was read; 0 before the first reading.
    versions: MarketVersions,
    is_read: bool,
    listings: Arc<HashMap<InstrumentKey, Arc<Listing>>>,
    /// The same ordered by symbol, shares before coins.
    ordered: Arc<[Arc<Listing>]>,
    /// Prices of what is no instrument: pairs, commodities, indices.
    quotes: Arc<HashMap<String, Quote>>,
    metrics: Arc<HashMap<InstrumentKey, PriceMetrics>>,
    large_coins: Arc<Vec<Symbol>>,
}

impl Book {
    /// An empty book over a store; it is read when it is first asked.
    pub fn new(store: Store) -> Self {
        Self {
            store,
            state: RwLock::default(),
            reading: tokio::sync::Mutex::new(()),
            figures: Figures::default(),
        }
    }

    /// The rows behind it.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The version of the market up to which it was read.
    pub fn version(&self) -> i64 {
        self.state.read().versions.market
    }

    /// The versions of market data and quotes up to which it was read.
    pub fn versions(&self) -> MarketVersions {
        self.state.read().versions
    }

    /// Keeps in step until cancelled. What fails again and again is for the supervisor to see.
    pub async fn follow(&self, cancel: CancellationToken) -> Result<()> {
        let mut failures = 0;
        loop {
            match self.refresh().await {
                Ok(()) => failures = 0,
                Err(error) if failures + 1 >= MOST_FAILURES => return Err(error),
                Err(error) => {
                    failures += 1;
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "market data are not refreshed: {error}"
                    );
                }
            }
            tokio::select! {
                () = cancel.cancelled() => return Ok(()),
                () = tokio::time::sleep(PAUSE) => {}
            }
        }
    }

    /// Reads what changed in the store.
    pub async fn refresh(&self) -> Result<()> {
        let _turn = self.reading.lock().await;
        let mut before = Arc::clone(&self.state.read());
        let market = self.store.market();
        // Before the rows, so that what is written meanwhile is read again next time rather than never.
        let versions = market.versions().await?;
        if before.is_read && versions == before.versions {
            return Ok(());
        }
        if !before.goes_on_to(versions) {
            tracing::warn!("market data went back to an older state; all of them are read again");
            before = Arc::default();
        }
        let since = if before.is_read {
            before.versions.quotes
        } else {
            -1
        };
        let quotes = market.quotes_since(since).await?;
        let mut next = State::clone(&before);
        if versions.market != before.versions.market || !before.is_read {
            self.read_instruments(&mut next).await?;
        }
        next.is_read = true;
        next.versions = versions;
        next.take_quotes(quotes);
        next.order();
        *self.state.write() = Arc::new(next);
        Ok(())
    }

    async fn read_instruments(&self, next: &mut State) -> Result<()> {
        let market = self.store.market();
        let since = if next.listings.is_empty() {
            -1
        } else {
            next.versions.market
        };
        let changed = market.instruments_since(since).await?;
        let keys: Vec<InstrumentKey> = changed.iter().map(|one| one.instrument.key()).collect();
        let mut listings = HashMap::clone(&next.listings);
        let mut metrics = HashMap::clone(&next.metrics);
        let mut histories: HashMap<InstrumentKey, History<Candle>> = HashMap::new();
        for (key, history) in market.candles_of(&keys, i64::MIN).await? {
            histories.insert(key, history);
        }
        let read = tokio::task::spawn_blocking(move || {
            for stored in changed {
                let key = stored.instrument.key();
                let quote = listings.get(&key).and_then(|before| before.quote.clone());
                let history = histories.remove(&key);
                let last_correction = history.as_ref().and_then(|one| one.last_correction);
                let rows = history.map(|one| one.rows).unwrap_or_default();
                let is_cut = rows.len() > KEPT;
                let kept = rows.len().saturating_sub(KEPT);
                let columns = columns(&rows[kept..]);
                metrics.insert(key.clone(), PriceMetrics::newest(columns.view()));
                let listing = Listing {
                    instrument: stored.instrument,
                    candles: Arc::new(columns),
                    is_cut,
                    last_correction,
                    quote,
                };
                listings.insert(key, Arc::new(listing));
            }
            (listings, metrics)
        });
        let (listings, metrics) = read.await.map_err(|_| Error::Interrupted)?;
        next.listings = Arc::new(listings);
        next.metrics = Arc::new(metrics);
        next.large_coins = Arc::new(self.large_coins().await?);
        Ok(())
    }

    /// The largest coins by market value, the largest first.
    async fn large_coins(&self) -> Result<Vec<Symbol>> {
        let query = RecordQuery::default();
        let mut coins = self
            .store
            .records::<model::CoinSnapshot>()
            .list(&query)
            .await?;
        coins.sort_by(|left, right| {
            let value = |one: &store::StoredRecord<model::CoinSnapshot>| {
                one.record.market_cap.unwrap_or_default()
            };
            value(right).total_cmp(&value(left))
        });
        let mut large: Vec<Symbol> = coins
            .into_iter()
            .take(LARGE_COINS)
            .map(|stored| stored.record.symbol)
            .collect();
        // Archives bring market values as series.
        for series in self.store.market().series("cap").await? {
            if large.len() >= LARGE_COINS {
                break;
            }
            if let Some(symbol) = Symbol::parse(series.id.name())
                && !large.contains(&symbol)
            {
                large.push(symbol);
            }
        }
        Ok(large)
    }

    async fn current(&self) -> Result<Arc<State>> {
        let state = Arc::clone(&self.state.read());
        if state.is_read {
            return Ok(state);
        }
        self.refresh().await?;
        Ok(Arc::clone(&self.state.read()))
    }

    /// The instrument that a text names.
    pub async fn resolve(&self, text: &str) -> Result<std::result::Result<Arc<Listing>, Unknown>> {
        let state = self.current().await?;
        if let Some(listing) = look_up(&state.listings, &state.large_coins, text) {
            return Ok(Ok(listing));
        }
        // Comparing with every symbol and name takes milliseconds.
        let text = text.to_owned();
        Ok(Err(light(move || unknown(&state.ordered, &text)).await?))
    }

    /// The instrument that a text names, without a word about what else it may mean.
    pub async fn look_up(&self, text: &str) -> Result<Option<Arc<Listing>>> {
        let state = self.current().await?;
        Ok(look_up(&state.listings, &state.large_coins, text))
    }

    /// Reads the store where that was not done yet.
    pub async fn ensure_read(&self) -> Result<()> {
        self.current().await.map(drop)
    }

    /// The instrument of a key.
    pub async fn find(&self, key: &InstrumentKey) -> Result<Option<Arc<Listing>>> {
        Ok(self.current().await?.listings.get(key).cloned())
    }

    /// Every instrument, ordered by symbol, shares before coins.
    pub async fn listings(&self) -> Result<Arc<[Arc<Listing>]>> {
        Ok(Arc::clone(&self.current().await?.ordered))
    }

    /// The newest price of a series that is no instrument, such as `fx:EURUSD`.
    pub async fn series_quote(&self, series: &str) -> Result<Option<Quote>> {
        Ok(self.current().await?.quotes.get(series).cloned())
    }

    /// The candles of an instrument as known at a moment.
    pub async fn history(&self, listing: &Listing, moment: Moment) -> Result<HistoryView> {
        if listing.holds(moment) {
            return Ok(listing.cut(moment));
        }
        let key = listing.instrument.key();
        let stored = self.store.market().candles(&key, moment.as_of).await?;
        let newest = moment.newest_day(listing.asset_type());
        Ok(HistoryView::new(Arc::new(columns(&stored.rows)), newest))
    }

    /// Every instrument of these kinds with its candles as known at a moment, those without candles left out.
    pub async fn universe(
        &self,
        kinds: &[AssetType],
        moment: Moment,
    ) -> Result<Vec<(Arc<Listing>, HistoryView)>> {
        let mut found = Vec::new();
        for listing in self.listings().await?.iter() {
            if !kinds.contains(&listing.asset_type()) {
                continue;
            }
            let history = self.history(listing, moment).await?;
            if !history.candles().is_empty() {
                found.push((Arc::clone(listing), history));
            }
        }
        Ok(found)
    }

    /// What candles alone say of an instrument at a moment.
    pub async fn metrics(&self, listing: &Listing, moment: Moment) -> Result<PriceMetrics> {
        let state = self.current().await?;
        let newest = listing.candles.view().days().last().copied();
        let all_closed =
            newest.is_none_or(|newest| newest <= moment.newest_day(listing.asset_type()));
        if moment.as_of.is_none()
            && all_closed
            && let Some(metrics) = state.metrics.get(&listing.instrument.key())
        {
            return Ok(*metrics);
        }
        Ok(PriceMetrics::newest(
            self.history(listing, moment).await?.candles(),
        ))
    }
}

impl State {
    /// Whether only what changed since has to be read. Not where a backup was restored under a running server.
    fn goes_on_to(&self, next: MarketVersions) -> bool {
        let goes_on = |before: (i64, i64), after: (i64, i64)| before.0 < after.0 || before == after;
        let now = self.versions;
        !self.is_read
            || goes_on(
                (now.market, now.market_mark),
                (next.market, next.market_mark),
            ) && goes_on(
                (now.quotes, now.quotes_mark),
                (next.quotes, next.quotes_mark),
            )
    }

    fn order(&mut self) {
        let mut ordered: Vec<Arc<Listing>> = self.listings.values().cloned().collect();
        ordered.sort_by_cached_key(|listing| {
            let key = listing.instrument.key();
            (key.symbol, key.market)
        });
        self.ordered = ordered.into();
    }

    fn take_quotes(&mut self, quotes: Vec<store::QuoteRow>) {
        if quotes.is_empty() {
            return;
        }
        let mut listings = HashMap::clone(&self.listings);
        let mut others = HashMap::clone(&self.quotes);
        for row in quotes {
            let key = row.series.split_once(':').and_then(|(market, symbol)| {
                Some(InstrumentKey {
                    market: Market::find(market)?,
                    symbol: Symbol::parse(symbol)?,
                })
            });
            match key.and_then(|key| listings.get_mut(&key)) {
                Some(listing) => Arc::make_mut(listing).quote = Some(row.quote),
                None => {
                    others.insert(row.series, row.quote);
                }
            }
        }
        self.listings = Arc::new(listings);
        self.quotes = Arc::new(others);
    }
}

/// Candles as columns. What is stored is sound; should a row not be, it is left out rather than believed.
fn columns(rows: &[Candle]) -> CandleColumns {
    let (columns, refusals) = CandleColumns::sift(rows.iter().copied());
    if let Some(first) = refusals.first() {
        tracing::error!("a stored candle is unsound and left out: {}", first.defect);
    }
    columns
}
