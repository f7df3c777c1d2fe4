//! Keeps instruments, candles and latest prices in memory, in step with the store.
//!
//! A snapshot is never changed, only replaced as a whole, so that every reader sees one consistent state. The market
//! version shows when the store has changed, and only what changed is read again. The cache itself answers no
//! questions: the services share it and read its snapshots.

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
use super::catalog::currency_of_index;
use super::names::index::{NameIndex, Named};
use super::renaming::{Span, joined};
use super::{INDICES, Listing, companies};
use crate::{Error, Result};

/// The number of candles kept for each instrument: five years and 200 sessions of warm-up, weekends included.
const KEPT: usize = 2_300;
/// The number of closes kept for an index or fund that has nothing else: about thirty years, because nothing older is
/// looked up.
const KEPT_CLOSES: usize = 8_000;
/// The number of coins that take precedence over a share with the same letters when a bare symbol is given.
const LARGE_COINS: usize = 50;
/// The maximum number of close series that can be found by their symbol.
const MOST_BY_CLOSES: usize = 500;
/// Consecutive failures that are only logged.
const MOST_FAILURES: u32 = 6;
/// How often the store is checked for changes.
const PAUSE: Duration = Duration::from_secs(1);

/// Instruments, candles and latest prices.
#[derive(Debug)]
pub struct MarketCache {
    store: Store,
    snapshot: RwLock<Arc<Snapshot>>,
    /// Only one read at a time.
    reading: tokio::sync::Mutex<()>,
}

/// One consistent state of everything in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    /// The versions up to which this was read; 0 before the first read.
    versions: MarketVersions,
    is_read: bool,
    pub(super) listings: Arc<HashMap<InstrumentKey, Arc<Listing>>>,
    /// The same, ordered by symbol, with shares before coins.
    pub(super) ordered: Arc<[Arc<Listing>]>,
    /// Prices of series that are not instruments: currency pairs, commodities, indices.
    pub(super) quotes: Arc<HashMap<String, Quote>>,
    pub(super) metrics: Arc<HashMap<InstrumentKey, PriceMetrics>>,
    pub(super) large_coins: Arc<Vec<Symbol>>,
    pub(super) actions: Arc<ActionBoard>,
    /// The newest session for which any share has a candle.
    newest_session: Option<Day>,
    /// Symbols whose company now has another symbol, and under which nobody has traded since.
    retired: Arc<HashMap<InstrumentKey, Instrument>>,
    /// What is listed, and how often that has changed.
    listed: Arc<HashSet<InstrumentKey>>,
    pub(super) edition: u64,
    /// Indices. They can be found by their symbol but are left out of queries over all instruments.
    pub(super) indices: Arc<HashMap<Symbol, Arc<Listing>>>,
    /// The names of all of these.
    pub(super) names: Arc<NameIndex>,
}

impl MarketCache {
    /// An empty cache over a store; it is filled on the first read.
    pub fn new(store: Store) -> Self {
        Self {
            store,
            snapshot: RwLock::default(),
            reading: tokio::sync::Mutex::new(()),
        }
    }

    /// The market version up to which the cache was read.
    pub fn version(&self) -> i64 {
        self.snapshot.read().versions.market
    }

    /// The versions of market data and quotes up to which the cache was read.
    pub fn versions(&self) -> MarketVersions {
        self.snapshot.read().versions
    }

    /// Keeps in step until cancelled. Repeated failure is for the supervisor to handle.
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
        // Read before the rows, so that whatever is written in the meantime is read again next time rather than never.
        let versions = self.store.market().versions().await?;
        self.read(versions).await
    }

    /// Reads the latest prices if nothing else has changed; candles and instruments wait for the next
    /// [`refresh`](Self::refresh), because reading them takes longer than a price may wait.
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

    /// Reads what has changed up to these versions.
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
        let mut changed: HashMap<InstrumentKey, Instrument> = stored
            .into_iter()
            .map(|one| (one.instrument.key(), one.instrument))
            .collect();
        let mut histories = self.histories(changed.keys().cloned().collect()).await?;
        let shares = histories
            .iter()
            .filter(|(key, _)| key.market == Market::Stock);
        let days = shares.filter_map(|(_, history)| Some(history.rows.last()?.candle.day));
        next.newest_session = next.newest_session.max(days.max());
        let today = next.newest_session.unwrap_or(Day::MAX);
        let actions = Arc::new(ActionBoard::load(&self.store, today).await?);
        next.actions = Arc::clone(&actions);
        next.draw_in(&mut changed);
        let also: Vec<InstrumentKey> = changed
            .values()
            .flat_map(|one| next.spans(&one.key(), &changed))
            .map(|span| InstrumentKey::stock(span.symbol))
            .chain(changed.keys().cloned())
            .filter(|key| !histories.contains_key(key))
            .collect::<HashSet<_>>()
            .into_iter()
            .collect();
        histories.extend(self.histories(also).await?);
        let mut made = Snapshot::clone(next);
        let read = tokio::task::spawn_blocking(move || {
            made.take_instruments(changed, &histories);
            made
        });
        let made = read.await.map_err(|_| Error::Interrupted)?;
        *next = made;
        let (mut listings, mut metrics) = (
            HashMap::clone(&next.listings),
            HashMap::clone(&next.metrics),
        );
        let mut indices = HashMap::new();
        for listing in self.by_closes(next).await? {
            if listing.is_index() {
                indices.insert(listing.instrument.symbol.clone(), Arc::new(listing));
                continue;
            }
            let key = listing.instrument.key();
            metrics.insert(key.clone(), PriceMetrics::newest(listing.candles.view()));
            listings.insert(key, Arc::new(listing));
        }
        let is_listed = |key: &InstrumentKey| next.listed.contains(key);
        if listings.len() != next.listed.len() || !listings.keys().all(is_listed) {
            next.edition += 1;
            next.listed = Arc::new(listings.keys().cloned().collect());
        }
        next.listings = Arc::new(listings);
        next.metrics = Arc::new(metrics);
        next.indices = Arc::new(indices);
        next.large_coins = Arc::new(self.large_coins().await?);
        let indices = next.indices.values();
        let indices = indices.filter(|index| !next.listings.contains_key(&index.instrument.key()));
        let listed = next.listings.values().chain(indices);
        let listed: Vec<Arc<Listing>> = listed.cloned().collect();
        let before = Arc::clone(&next.names);
        let names = tokio::task::spawn_blocking(move || {
            let named: Vec<Named> = listed.iter().map(|listing| Named::new(listing)).collect();
            if before.is_of(&named) {
                before
            } else {
                Arc::new(NameIndex::new(named))
            }
        });
        next.names = names.await.map_err(|_| Error::Interrupted)?;
        Ok(())
    }

    /// The candles of instruments; instruments without any are left out.
    async fn histories(
        &self,
        keys: Vec<InstrumentKey>,
    ) -> Result<HashMap<InstrumentKey, History<ScaledCandle>>> {
        let found = self.store.market().candles_of(&keys, i64::MIN).await?;
        Ok(found.into_iter().collect())
    }

    /// Listings that exist as series of closes and not as candles: indices, and shares and funds from some archives. A
    /// close stands for the whole bar.
    async fn by_closes(&self, snapshot: &Snapshot) -> Result<Vec<Listing>> {
        let (listings, quotes) = (&snapshot.listings, &snapshot.quotes);
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
                let key = InstrumentKey::stock(symbol.clone());
                let listed = listings.get(&key);
                if listed.is_some_and(|listing| listing.has_bars())
                    || snapshot.retired.contains_key(&key)
                {
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
                        currency: (kind == "index")
                            .then(|| currency_of_index(symbol.as_str()).to_owned()),
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
                    given: Arc::default(),
                    own_from: Day::MIN,
                });
            }
        }
        Ok(found)
    }

    /// The largest coins by market value, largest first.
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
        // Archives supply market values as series.
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

    /// The newest snapshot; the store is read if it has not been read yet.
    pub(super) async fn snapshot(&self) -> Result<Arc<Snapshot>> {
        let snapshot = Arc::clone(&self.snapshot.read());
        if snapshot.is_read {
            return Ok(snapshot);
        }
        self.refresh().await?;
        Ok(Arc::clone(&self.snapshot.read()))
    }

    /// Reads the store if it has not been read yet.
    pub(super) async fn ensure_read(&self) -> Result<()> {
        self.snapshot().await.map(drop)
    }
}

impl Snapshot {
    /// Whether only the changes since the last read are needed. Not so if a backup was restored under a running
    /// server.
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

    /// The symbols that a share's company has had; see [`Renamings::spans`](super::renaming::Renamings::spans).
    fn spans(
        &self,
        key: &InstrumentKey,
        changed: &HashMap<InstrumentKey, Instrument>,
    ) -> Vec<Span> {
        if key.market == Market::Crypto {
            return Vec::new();
        }
        self.actions.renamings.spans(&key.symbol, |symbol| {
            let key = InstrumentKey::stock(symbol.clone());
            self.listings.contains_key(&key)
                || self.retired.contains_key(&key)
                || changed.contains_key(&key)
        })
    }

    /// Adds to the changes any share whose splits or former symbols changed, and any share with a candle under a
    /// symbol that changed.
    fn draw_in(&self, changed: &mut HashMap<InstrumentKey, Instrument>) {
        let mut drawn = Vec::new();
        for (key, listing) in self.listings.iter() {
            if key.market == Market::Crypto || changed.contains_key(key) {
                continue;
            }
            let spans = self.spans(key, changed);
            let is_touched =
                |span: &Span| changed.contains_key(&InstrumentKey::stock(span.symbol.clone()));
            // A listing made of closes alone is never split.
            let is_split = listing.closes.is_none()
                && self.actions.splits(&key.symbol, &spans, listing.own_from) != *listing.splits;
            if spans[..] != listing.spans[..] || spans.iter().any(is_touched) || is_split {
                drawn.push((key.clone(), listing.instrument.clone()));
            }
        }
        for (key, instrument) in self.retired.iter() {
            if !changed.contains_key(key) {
                drawn.push((key.clone(), instrument.clone()));
            }
        }
        changed.extend(drawn);
    }

    /// Applies the changes, using the candles of each instrument and of its former symbols.
    fn take_instruments(
        &mut self,
        changed: HashMap<InstrumentKey, Instrument>,
        histories: &HashMap<InstrumentKey, History<ScaledCandle>>,
    ) {
        let mut listings = HashMap::clone(&self.listings);
        let mut metrics = HashMap::clone(&self.metrics);
        let mut retired = HashMap::clone(&self.retired);
        for (key, instrument) in &changed {
            let spans = self.spans(key, &changed);
            let of_all;
            let (history, given, own_from) = if spans.is_empty() {
                (histories.get(key), Vec::new(), Day::MIN)
            } else {
                let held = |symbol: &Symbol| histories.get(&InstrumentKey::stock(symbol.clone()));
                of_all = joined(&spans, |symbol| held(symbol).cloned());
                (Some(&of_all.history), of_all.given.clone(), of_all.own_from)
            };
            let rows = history.map_or(&[][..], |one| &one.rows);
            let before = listings.get(key).and_then(|before| before.quote.as_ref());
            let quote = before
                .or_else(|| self.quotes.get(&key.to_string()))
                .cloned();
            let is_quoted = |from: Day| quote.as_ref().is_some_and(|one| Day::of(one.at) >= from);
            // A fund that takes over a company's symbol may be listed before it trades.
            let is_fund = instrument.asset_type == AssetType::Etf;
            if let [only] = &spans[..]
                && rows.is_empty()
                && !is_fund
                && !is_quoted(only.from)
            {
                // All its trading belongs to the symbol that its company has now.
                listings.remove(key);
                metrics.remove(key);
                retired.insert(key.clone(), instrument.clone());
                continue;
            }
            retired.remove(key);
            let splits = match key.market {
                Market::Stock => Arc::new(self.actions.splits(&key.symbol, &spans, own_from)),
                Market::Crypto => Arc::default(),
            };
            let kept = rows.len().saturating_sub(KEPT);
            // In the scale of all splits; a point in time before one of them is converted on request.
            let converted: Vec<Candle> = rows[kept..]
                .iter()
                .map(|row| splits.convert(row.candle, row.scale, Day::MAX))
                .collect();
            let columns = columns(&converted);
            metrics.insert(key.clone(), PriceMetrics::newest(columns.view()));
            let mut instrument = instrument.clone();
            // Registers write names in capitals, followed by the company's state.
            instrument.name = instrument.name.map(|name| text::company::spoken(&name));
            let listing = Listing {
                instrument,
                candles: Arc::new(columns),
                splits,
                is_cut: rows.len() > KEPT,
                last_correction: history.and_then(|one| one.last_correction),
                recorded_at: history.and_then(|one| one.recorded_at),
                quote,
                closes: None,
                classes: Arc::default(),
                former: Arc::default(),
                spans: spans.into(),
                given: given.into(),
                own_from,
            };
            listings.insert(key.clone(), Arc::new(listing));
        }
        let mut classes = companies::classes(&listings);
        let of_bars = listings
            .iter()
            .filter(|(_, listing)| listing.closes.is_none());
        let taken: HashSet<Symbol> = of_bars.map(|(key, _)| key.symbol.clone()).collect();
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
        self.listings = Arc::new(listings);
        self.metrics = Arc::new(metrics);
        self.retired = Arc::new(retired);
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

/// Candles as columns. Stored data is sound; if a row is not, it is left out rather than trusted.
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
