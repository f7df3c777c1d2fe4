//! Instruments, candles and newest prices in memory, in step with the store.
//!
//! A snapshot is never changed, only replaced as a whole, so that whoever holds one sees one consistent state. Changes
//! in the store are noticed by the version of the market; only what changed is read again. The cache answers no
//! questions itself: the services share it and read its snapshots.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use market::CandleColumns;
use market::screener::PriceMetrics;
use model::{AssetType, Candle, Day, Instrument, InstrumentKey, Market, Quote, Symbol};
use parking_lot::RwLock;
use store::{History, MarketVersions, RecordQuery, ScaledCandle, Store};
use tokio_util::sync::CancellationToken;

use super::actions::ActionBoard;
use super::renaming::joined;
use super::{INDICES, Listing, companies};
use crate::{Error, Result};

/// Candles that are kept of each instrument: five years and 200 sessions of warm-up, weekends included.
const KEPT: usize = 2_300;
/// Closes that are kept of an index or fund that has nothing else: some thirty years, since nothing older is looked up.
const KEPT_CLOSES: usize = 8_000;
/// Coins that a bare symbol means rather than a share of the same letters.
const LARGE_COINS: usize = 50;
/// Series of closes that are found by their symbol.
const MOST_BY_CLOSES: usize = 500;
/// Failures in a row that are only logged.
const MOST_FAILURES: u32 = 6;
/// How often the store is asked whether something changed.
const PAUSE: Duration = Duration::from_secs(1);

/// Instruments, candles and newest prices.
#[derive(Debug)]
pub struct MarketCache {
    store: Store,
    snapshot: RwLock<Arc<Snapshot>>,
    /// One reading at a time.
    reading: tokio::sync::Mutex<()>,
}

/// One consistent state of everything that is held in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    /// The versions up to which this was read; 0 before the first reading.
    versions: MarketVersions,
    is_read: bool,
    pub(super) listings: Arc<HashMap<InstrumentKey, Arc<Listing>>>,
    /// The same ordered by symbol, shares before coins.
    pub(super) ordered: Arc<[Arc<Listing>]>,
    /// Prices of series that are no instruments: currency pairs, commodities, indices.
    pub(super) quotes: Arc<HashMap<String, Quote>>,
    pub(super) metrics: Arc<HashMap<InstrumentKey, PriceMetrics>>,
    pub(super) large_coins: Arc<Vec<Symbol>>,
    pub(super) actions: Arc<ActionBoard>,
    /// Indices. They are found by their symbol and take no part in what is asked of all instruments.
    pub(super) indices: Arc<HashMap<Symbol, Arc<Listing>>>,
}

impl MarketCache {
    /// An empty cache over a store; it is filled when it is first read.
    pub fn new(store: Store) -> Self {
        Self {
            store,
            snapshot: RwLock::default(),
            reading: tokio::sync::Mutex::new(()),
        }
    }

    /// The version of the market up to which it was read.
    pub fn version(&self) -> i64 {
        self.snapshot.read().versions.market
    }

    /// The versions of market data and quotes up to which it was read.
    pub fn versions(&self) -> MarketVersions {
        self.snapshot.read().versions
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
                        "market data could not be refreshed: {error}"
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
        let _guard = self.reading.lock().await;
        // Before the rows, so that what is written meanwhile is read again next time rather than never.
        let versions = self.store.market().versions().await?;
        self.read(versions).await
    }

    /// Reads the newest prices where nothing else changed; candles and instruments wait for the next [`refresh`](Self::refresh),
    /// because reading them takes longer than a price may wait.
    pub async fn refresh_prices(&self) -> Result<()> {
        let _guard = self.reading.lock().await;
        let versions = self.store.market().versions().await?;
        let before = Arc::clone(&self.snapshot.read());
        let only_prices = before.is_read
            && before.versions.market == versions.market
            && before.versions.market_mark == versions.market_mark;
        if only_prices {
            self.read(versions).await?;
        }
        Ok(())
    }

    /// Reads what changed up to these versions.
    async fn read(&self, versions: MarketVersions) -> Result<()> {
        let mut before = Arc::clone(&self.snapshot.read());
        if before.is_read && versions == before.versions {
            return Ok(());
        }
        if !before.goes_on_to(versions) {
            tracing::warn!("market data went back to an older state; reading all of it again");
            before = Arc::default();
        }
        let since = if before.is_read {
            before.versions.quotes
        } else {
            -1
        };
        let quotes = self.store.market().quotes_since(since).await?;
        let mut next = Snapshot::clone(&before);
        if versions.market != before.versions.market || !before.is_read {
            self.read_instruments(&mut next).await?;
        }
        next.is_read = true;
        next.versions = versions;
        next.take_quotes(quotes);
        next.order();
        *self.snapshot.write() = Arc::new(next);
        Ok(())
    }

    async fn read_instruments(&self, next: &mut Snapshot) -> Result<()> {
        let market = self.store.market();
        let since = if next.listings.is_empty() {
            -1
        } else {
            next.versions.market
        };
        let stored = market.instruments_since(since).await?;
        let mut changed: Vec<Instrument> = stored.into_iter().map(|one| one.instrument).collect();
        let mut listings = HashMap::clone(&next.listings);
        let mut metrics = HashMap::clone(&next.metrics);
        let actions = Arc::new(ActionBoard::load(&self.store).await?);
        next.actions = Arc::clone(&actions);
        let histories = self.histories(&mut changed, &listings, &actions).await?;
        let read = tokio::task::spawn_blocking(move || {
            let known: HashSet<InstrumentKey> = changed
                .iter()
                .map(Instrument::key)
                .chain(listings.keys().cloned())
                .collect();
            for mut instrument in changed {
                let key = instrument.key();
                let (splits, spans) = match key.market {
                    Market::Stock => {
                        let is_listed =
                            |symbol: &Symbol| known.contains(&InstrumentKey::stock(symbol.clone()));
                        let renamings = &actions.renamings;
                        (
                            actions.splits(&key.symbol),
                            renamings.spans(&key.symbol, is_listed),
                        )
                    }
                    Market::Crypto => Default::default(),
                };
                let history = if spans.is_empty() {
                    histories.get(&key).cloned()
                } else {
                    joined(&spans, |symbol| {
                        histories
                            .get(&InstrumentKey::stock(symbol.clone()))
                            .cloned()
                    })
                };
                let last_correction = history.as_ref().and_then(|one| one.last_correction);
                let recorded_at = history.as_ref().and_then(|one| one.recorded_at);
                let rows = history.map(|one| one.rows).unwrap_or_default();
                if spans.len() == 1 && rows.is_empty() {
                    // Everything that it traded at is that of the symbol which its company has now.
                    listings.remove(&key);
                    metrics.remove(&key);
                    continue;
                }
                let is_cut = rows.len() > KEPT;
                let kept = rows.len().saturating_sub(KEPT);
                // In the scale of all splits; a point in time before one of them is converted when it is asked for.
                let converted: Vec<Candle> = rows[kept..]
                    .iter()
                    .map(|row| splits.convert(row.candle, row.scale, Day::MAX))
                    .collect();
                let columns = columns(&converted);
                metrics.insert(key.clone(), PriceMetrics::newest(columns.view()));
                // Registers write names in capitals and with the state of the company behind them.
                instrument.name = instrument.name.map(|name| text::company::spoken(&name));
                let quote = listings.get(&key).and_then(|before| before.quote.clone());
                let listing = Listing {
                    instrument,
                    candles: Arc::new(columns),
                    splits,
                    is_cut,
                    last_correction,
                    recorded_at,
                    quote,
                    closes: None,
                    classes: Arc::default(),
                    former: Arc::default(),
                    spans: spans.into(),
                };
                listings.insert(key, Arc::new(listing));
            }
            let mut classes = companies::classes(&listings);
            let taken: HashSet<Symbol> = listings.keys().map(|key| key.symbol.clone()).collect();
            for (key, listing) in &mut listings {
                let others = classes.remove(key).unwrap_or_default();
                if listing.classes != others {
                    Arc::make_mut(listing).classes = others;
                }
                let before = listing.spans.iter().skip(1).map(|span| &span.symbol);
                let former: Arc<[Symbol]> = before
                    .filter(|symbol| !taken.contains(symbol))
                    .cloned()
                    .collect();
                if listing.former != former {
                    Arc::make_mut(listing).former = former;
                }
            }
            (listings, metrics)
        });
        let (mut listings, mut metrics) = read.await.map_err(|_| Error::Interrupted)?;
        let mut indices = HashMap::new();
        for listing in self.by_closes(&listings, &next.quotes).await? {
            if listing.is_index() {
                indices.insert(listing.instrument.symbol.clone(), Arc::new(listing));
                continue;
            }
            let key = listing.instrument.key();
            metrics.insert(key.clone(), PriceMetrics::newest(listing.candles.view()));
            listings.insert(key, Arc::new(listing));
        }
        next.listings = Arc::new(listings);
        next.metrics = Arc::new(metrics);
        next.indices = Arc::new(indices);
        next.large_coins = Arc::new(self.large_coins().await?);
        Ok(())
    }

    /// The candles of what changed and of every symbol that its company had. With one symbol the histories of all that are
    /// joined with it change, which are added to what changed.
    async fn histories(
        &self,
        changed: &mut Vec<Instrument>,
        listings: &HashMap<InstrumentKey, Arc<Listing>>,
        actions: &ActionBoard,
    ) -> Result<HashMap<InstrumentKey, History<ScaledCandle>>> {
        let mut keys: HashSet<InstrumentKey> = changed.iter().map(Instrument::key).collect();
        let of_shares = changed
            .iter()
            .filter(|one| one.key().market == Market::Stock);
        let related: Vec<Symbol> = of_shares
            .flat_map(|one| actions.renamings.related(&one.symbol))
            .collect();
        for symbol in related {
            let key = InstrumentKey::stock(symbol);
            if keys.insert(key.clone())
                && let Some(listing) = listings.get(&key)
            {
                changed.push(listing.instrument.clone());
            }
        }
        let keys: Vec<InstrumentKey> = keys.into_iter().collect();
        let found = self.store.market().candles_of(&keys, i64::MIN).await?;
        Ok(found.into_iter().collect())
    }

    /// What is held as a series of closes and not as candles: indices, and shares and funds of some archives. A close stands
    /// for the whole bar.
    async fn by_closes(
        &self,
        listings: &HashMap<InstrumentKey, Arc<Listing>>,
        quotes: &HashMap<String, Quote>,
    ) -> Result<Vec<Listing>> {
        let market = self.store.market();
        let mut found = Vec::new();
        for kind in ["index", "close"] {
            for series in market.series(kind).await?.into_iter().take(MOST_BY_CLOSES) {
                // Closes of coins are read where coins are.
                let Some(symbol) = Symbol::parse(series.id.name())
                    .filter(|symbol| !symbol.as_str().ends_with("-USD"))
                else {
                    continue;
                };
                let listed = listings.get(&InstrumentKey::stock(symbol.clone()));
                let has_bars =
                    |listing: &Arc<Listing>| listing.has_candles() && listing.closes.is_none();
                if listed.is_some_and(has_bars) {
                    continue;
                }
                let history = market.values(&series.id, None).await?;
                let kept = history.rows.len().saturating_sub(KEPT_CLOSES);
                let bars: Vec<Candle> = history.rows[kept..]
                    .iter()
                    .map(|one| Candle {
                        day: one.day,
                        open: one.value,
                        high: one.value,
                        low: one.value,
                        close: one.value,
                        volume: 0.0,
                    })
                    .collect();
                let name = INDICES
                    .iter()
                    .find(|index| index.code == symbol.as_str())
                    .map(|index| index.name.to_owned());
                let instrument = match listed {
                    Some(listing) => listing.instrument.clone(),
                    None => Instrument {
                        name: name.or(Some(series.name.clone()).filter(|name| !name.is_empty())),
                        ..Instrument::bare(symbol.clone(), AssetType::Etf)
                    },
                };
                found.push(Listing {
                    instrument,
                    candles: Arc::new(columns(&bars)),
                    splits: Arc::default(),
                    is_cut: false,
                    last_correction: None,
                    recorded_at: history.recorded_at,
                    quote: quotes.get(&series.id.0).cloned(),
                    closes: Some(series.id.0.clone()),
                    classes: listed.map_or_else(Arc::default, |one| Arc::clone(&one.classes)),
                    former: Arc::default(),
                    spans: Arc::default(),
                });
            }
        }
        Ok(found)
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

    /// The newest snapshot; the store is read where that was not done yet.
    pub(super) async fn snapshot(&self) -> Result<Arc<Snapshot>> {
        let snapshot = Arc::clone(&self.snapshot.read());
        if snapshot.is_read {
            return Ok(snapshot);
        }
        self.refresh().await?;
        Ok(Arc::clone(&self.snapshot.read()))
    }

    /// Reads the store where that was not done yet.
    pub(super) async fn ensure_read(&self) -> Result<()> {
        self.snapshot().await.map(drop)
    }
}

impl Snapshot {
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
        let mut indices = HashMap::clone(&self.indices);
        let mut others = HashMap::clone(&self.quotes);
        for row in quotes {
            let Some((kind, name)) = row.series.split_once(':') else {
                continue;
            };
            let symbol = Symbol::parse(name);
            let quoted = match (Market::find(kind), symbol) {
                (Some(market), Some(symbol)) => listings.get_mut(&InstrumentKey { market, symbol }),
                (None, Some(symbol)) => indices
                    .get_mut(&symbol)
                    .or_else(|| listings.get_mut(&InstrumentKey::stock(symbol)))
                    .filter(|listing| listing.closes.as_deref() == Some(row.series.as_str())),
                _ => None,
            };
            let is_series = Market::find(kind).is_none();
            let is_known = quoted.is_some();
            if let Some(listing) = quoted {
                Arc::make_mut(listing).quote = Some(row.quote.clone());
            }
            if is_series || !is_known {
                others.insert(row.series, row.quote);
            }
        }
        self.listings = Arc::new(listings);
        self.indices = Arc::new(indices);
        self.quotes = Arc::new(others);
    }
}

/// Candles as columns. What is stored is sound; should a row not be, it is left out rather than believed.
pub(super) fn columns(rows: &[Candle]) -> CandleColumns {
    let (columns, refusals) = CandleColumns::sift(rows.iter().copied());
    if let Some(first) = refusals.first() {
        tracing::error!(
            "a stored candle is invalid and was skipped: {}",
            first.defect
        );
    }
    columns
}
