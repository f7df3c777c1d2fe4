//! Evaluation: compares the active alerts, held in memory by symbol and threshold, with what has changed.
//!
//! Several processes may evaluate the same alerts. The store fires each one once. Whatever is being examined is kept
//! until the store has responded, so a failure is made up for in the next step. Nothing else is remembered: after a
//! restart every symbol is examined once.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use analysis::market::{Listing, PointInTime, PricePoint};
use market::Day;
use market::alerts::{Thresholds, first_crossing, rsi_steps, volume_ratio};
use model::{AccountId, AlertType, InstrumentKey, Market, Symbol, Timestamp};
use notify::read_after;
use store::{AlertTerms, AlertVersions, Fired, Firing, Trigger};
use tokio_util::sync::CancellationToken;

use super::context::{ContextBody, FigureOf, Moved, message};
use crate::error::Result;
use crate::live::{MarketChanges, present};
use crate::services::Services;

/// How often to look for changes.
const PAUSE: Duration = Duration::from_millis(250);
/// Number of consecutive failures that are only logged.
const MOST_FAILURES: u32 = 50;
/// How often sentiment is recomputed without a new brief, because old briefs drop out of its seven days.
const SENTIMENT_EVERY_MS: i64 = Timestamp::MINUTE_MS;
/// Maximum number of alerts fired in one transaction, so that other writers never wait long.
const AT_ONCE: usize = 250;
/// Number of deleted alerts that may still be in memory.
const MOST_DELETED: i64 = 10_000;
/// How long no alert is tried for a suspended account.
const REST_MS: i64 = Timestamp::MINUTE_MS;
/// Number of outbox rows read at a time.
const BATCH: u64 = 200;

/// Number of an alert in memory.
type Slot = u32;

/// The active alerts, and what remains to be examined.
#[derive(Default)]
pub(crate) struct Evaluator {
    slots: HashMap<Slot, AlertTerms>,
    next_slot: Slot,
    /// Thresholds by instrument key.
    by_series: HashMap<String, Thresholds<Slot>>,
    /// The versions up to which alerts were read; `None` before the first time.
    versions: Option<AlertVersions>,
    market: MarketChanges,
    /// The position up to which the outbox was read.
    position: Option<i64>,
    /// When the sentiment of every symbol was last examined.
    sentiment_at: Option<Timestamp>,
    /// Series whose prices are to be examined.
    priced: BTreeSet<String>,
    /// Symbols whose sentiment is to be examined.
    discussed: BTreeSet<String>,
    /// The newest close up to which crossings were searched for, by series.
    crossed_until: HashMap<String, Day>,
    /// Accounts that were suspended when one of their alerts was due to fire, and when that was.
    resting: HashMap<AccountId, Timestamp>,
}

/// An alert whose condition holds.
struct Candidate {
    slot: Slot,
    figure: FigureOf,
}

/// Evaluates until cancelled.
pub(crate) async fn run(services: &Services, cancel: CancellationToken) -> Result<()> {
    let mut failures = 0;
    loop {
        let outcome = services.alerts.lock().await.step(services).await;
        match outcome {
            Ok(_) => failures = 0,
            Err(error) if failures + 1 >= MOST_FAILURES => return Err(error),
            Err(error) => {
                failures += 1;
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "alerts could not be evaluated and are evaluated again: {error}"
                );
            }
        }
        tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

impl Evaluator {
    /// Examines what has changed and fires the alerts whose condition is met. Returns how many fired.
    pub(crate) async fn step(&mut self, services: &Services) -> Result<usize> {
        self.load(services).await?;
        self.note_prices(services).await?;
        self.note_briefs(services).await?;
        let when = PointInTime {
            end: services.clock.now(),
            as_of: None,
        };
        // Also not where the clock was set back since.
        self.resting
            .retain(|_, since| (0..REST_MS).contains(&when.end.since_ms(*since)));
        let mut fired = 0;
        while let Some(series) = self.priced.first().cloned() {
            fired += self.look_at_prices(services, &series, when).await?;
            self.priced.remove(&series);
        }
        fired += self.look_at_sentiment(services, when).await?;
        Ok(fired)
    }

    /// Reads the new alerts, or all of them if many were deleted.
    async fn load(&mut self, services: &Services) -> Result<()> {
        let alerts = services.store.alerts();
        // Before the rows, so that what is added meanwhile is read again rather than never.
        let versions = alerts.versions().await?;
        let reload = self.versions.is_some_and(|seen| {
            versions.deleted - seen.deleted > MOST_DELETED || versions.added < seen.added
        });
        if reload {
            self.slots.clear();
            self.by_series.clear();
            self.crossed_until.clear();
            self.versions = None;
        }
        let since = self.versions.map_or(-1, |seen| seen.added);
        if since < versions.added {
            for terms in alerts.active_since(since).await? {
                self.insert(terms);
            }
        }
        let deleted = self.versions.map_or(versions.deleted, |seen| seen.deleted);
        self.versions = Some(AlertVersions {
            deleted,
            ..versions
        });
        Ok(())
    }

    fn insert(&mut self, terms: AlertTerms) {
        let slot = self.next_slot;
        self.next_slot = self.next_slot.wrapping_add(1);
        let thresholds = match self.by_series.get_mut(&terms.series) {
            Some(thresholds) => thresholds,
            None => self.by_series.entry(terms.series.clone()).or_default(),
        };
        thresholds.insert(terms.kind, terms.threshold, slot);
        if terms.kind.is_about_sentiment() {
            self.discussed.insert(symbol(&terms.series).to_owned());
        } else {
            self.priced.insert(terms.series.clone());
        }
        if terms.kind == AlertType::RsiCross {
            self.crossed_until.remove(&terms.series);
        }
        self.slots.insert(slot, terms);
    }

    fn remove(&mut self, slot: Slot) {
        let Some(terms) = self.slots.remove(&slot) else {
            return;
        };
        if let Some(thresholds) = self.by_series.get_mut(&terms.series) {
            thresholds.remove(terms.kind, terms.threshold, slot);
            if thresholds.is_empty() {
                self.by_series.remove(&terms.series);
                self.crossed_until.remove(&terms.series);
            }
        }
    }

    async fn note_prices(&mut self, services: &Services) -> Result<()> {
        services.market.refresh_prices().await?;
        for listing in self.market.next(services).await? {
            let series = listing.instrument.key().to_string();
            if self.by_series.contains_key(&series) {
                self.priced.insert(series);
            }
        }
        Ok(())
    }

    async fn note_briefs(&mut self, services: &Services) -> Result<()> {
        let store = &services.store;
        let Some(mut position) = self.position else {
            self.position = Some(store.outbox().head().await?);
            return Ok(());
        };
        loop {
            let (published, read_to) = read_after(store, position, BATCH).await?;
            for event in &published {
                let entities = event.brief.brief.entities.iter();
                for ticker in entities.filter_map(|entity| entity.ticker.as_deref()) {
                    self.discussed.insert(ticker.trim().to_uppercase());
                }
            }
            if read_to == position {
                return Ok(());
            }
            position = read_to;
            self.position = Some(position);
        }
    }

    async fn look_at_prices(
        &mut self,
        services: &Services,
        series: &str,
        when: PointInTime,
    ) -> Result<usize> {
        let Some(listing) = listing(services, series).await? else {
            return Ok(0);
        };
        if !self.by_series.contains_key(series) {
            return Ok(0);
        }
        let present = present(&listing, when.end);
        let history = services.prices.history(&listing, present).await?;
        let price = listing.price(history.candles(), present);
        let candidates = self.met_by_prices(&listing, series, price, history.candles(), present);
        self.fire(services, &listing, price, candidates, when).await
    }

    /// The alerts that the prices of one symbol trigger.
    fn met_by_prices(
        &mut self,
        listing: &Listing,
        series: &str,
        price: Option<PricePoint>,
        candles: market::Candles<'_>,
        when: PointInTime,
    ) -> Vec<Candidate> {
        let Some(thresholds) = self.by_series.get(series) else {
            return Vec::new();
        };
        let mut candidates = Vec::new();
        let mut add = |kind: AlertType, name: &str, value: f64| {
            for slot in thresholds.met(kind, value) {
                candidates.push(Candidate {
                    slot,
                    figure: figure(name, value),
                });
            }
        };
        if let Some(point) = price {
            add(AlertType::PriceAbove, "price", point.current);
            add(AlertType::PriceBelow, "price", point.current);
        }
        if thresholds.has(AlertType::VolumeSpike)
            && let Some(ratio) = todays_volume(listing, candles, when)
        {
            add(AlertType::VolumeSpike, "volume_ratio", ratio);
        }
        let newest = candles.days().last().copied();
        if thresholds.has(AlertType::RsiCross)
            && let Some(newest) = newest
            && self.crossed_until.get(series) != Some(&newest)
        {
            let steps = rsi_steps(candles);
            let kind = listing.asset_type();
            let known_at = |day| PointInTime::known_at(day, kind);
            for (threshold, slot) in thresholds.of(AlertType::RsiCross) {
                let Some(terms) = self.slots.get(&slot) else {
                    continue;
                };
                let crossing = first_crossing(&steps, threshold, terms.created_at, known_at);
                candidates.extend(crossing.map(|step| Candidate {
                    slot,
                    figure: FigureOf {
                        previous: Some(step.before),
                        date: Some(step.day.to_string()),
                        ..figure("rsi_14", step.now)
                    },
                }));
            }
            self.crossed_until.insert(series.to_owned(), newest);
        }
        candidates
    }

    async fn look_at_sentiment(&mut self, services: &Services, when: PointInTime) -> Result<usize> {
        let is_time = self
            .sentiment_at
            .is_none_or(|at| !(0..SENTIMENT_EVERY_MS).contains(&when.end.since_ms(at)));
        if is_time {
            for (series, thresholds) in &self.by_series {
                if is_about_sentiment(thresholds) {
                    self.discussed.insert(symbol(series).to_owned());
                }
            }
            self.sentiment_at = Some(when.end);
        }
        let mut watched = Vec::new();
        for ticker in &self.discussed {
            for market in [Market::Stock, Market::Crypto] {
                let series = format!("{}:{ticker}", market.as_str());
                if self.by_series.get(&series).is_some_and(is_about_sentiment) {
                    watched.push((ticker.clone(), series));
                }
            }
        }
        let mut fired = 0;
        for some in watched.chunks(200) {
            let tickers = some.iter().map(|(ticker, _)| ticker.clone()).collect();
            let board = services.sentiment.of_tickers(tickers, when, &[]).await?;
            for (ticker, series) in some {
                let Some(score) = board.find(ticker).score() else {
                    continue;
                };
                let Some(thresholds) = self.by_series.get(series) else {
                    continue;
                };
                let mut candidates = Vec::new();
                for kind in [AlertType::SentimentAbove, AlertType::SentimentBelow] {
                    for slot in thresholds.met(kind, score) {
                        candidates.push(Candidate {
                            slot,
                            figure: figure("sentiment_score", score),
                        });
                    }
                }
                if candidates.is_empty() {
                    continue;
                }
                if let Some(listing) = listing(services, series).await? {
                    let price = services.prices.newest(&listing, when).await?;
                    fired += self
                        .fire(services, &listing, price, candidates, when)
                        .await?;
                }
            }
        }
        self.discussed.clear();
        Ok(fired)
    }

    /// Fires alerts of one symbol. Returns how many of them had not fired before.
    async fn fire(
        &mut self,
        services: &Services,
        listing: &Listing,
        price: Option<PricePoint>,
        candidates: Vec<Candidate>,
        when: PointInTime,
    ) -> Result<usize> {
        if candidates.is_empty() {
            return Ok(0);
        }
        let outcome = self
            .fire_all(services, listing, price, &candidates, when)
            .await;
        if outcome.is_err() {
            // Crossings are looked for again.
            let series = listing.instrument.key().to_string();
            self.crossed_until.remove(&series);
        }
        outcome
    }

    async fn fire_all(
        &mut self,
        services: &Services,
        listing: &Listing,
        price: Option<PricePoint>,
        candidates: &[Candidate],
        when: PointInTime,
    ) -> Result<usize> {
        let store = &services.store;
        let (mut fired, mut moved) = (0, HashMap::new());
        for some in candidates.chunks(AT_ONCE) {
            let mut firings = Vec::with_capacity(some.len());
            let mut slots = Vec::with_capacity(some.len());
            for candidate in some {
                let Some(terms) = self.slots.get(&candidate.slot) else {
                    continue;
                };
                if self.resting.contains_key(&terms.account) {
                    continue;
                }
                let base = if let Some(base) = moved.get(&terms.categories) {
                    base
                } else {
                    let base = Moved::of(store, listing, price, when, &terms.categories);
                    let base = base.await?;
                    moved.entry(terms.categories.clone()).or_insert(base)
                };
                let context = ContextBody::new(base, candidate.figure.clone());
                let value = candidate.figure.value;
                let message = match &terms.receiver {
                    Some(_) => {
                        let body = message(terms, when.end, value, &context, store.mode())?;
                        let id = format!("msg_{}", uuid::Uuid::new_v4().simple());
                        Some((id, body))
                    }
                    None => None,
                };
                firings.push(Firing {
                    terms,
                    trigger: Trigger {
                        at: when.end,
                        value,
                        context: context.write()?,
                    },
                    message,
                });
                slots.push(candidate.slot);
            }
            if firings.is_empty() {
                continue;
            }
            let outcomes = store.alerts().fire(&firings, when.end).await?;
            drop(firings);
            for (slot, outcome) in slots.into_iter().zip(outcomes) {
                match outcome {
                    Fired::Now => {
                        fired += 1;
                        self.remove(slot);
                    }
                    Fired::Before => self.remove(slot),
                    Fired::Resting => {
                        let account = self.slots.get(&slot).map(|terms| terms.account);
                        self.resting
                            .extend(account.map(|account| (account, when.end)));
                    }
                }
            }
        }
        metrics::counter!("assay_alerts_fired_total").increment(fired as u64);
        Ok(fired)
    }
}

fn is_about_sentiment(thresholds: &Thresholds<Slot>) -> bool {
    thresholds.has(AlertType::SentimentAbove) || thresholds.has(AlertType::SentimentBelow)
}

/// The symbol of a key such as `stock:AAPL`.
fn symbol(series: &str) -> &str {
    series.split_once(':').map_or(series, |(_, symbol)| symbol)
}

async fn listing(services: &Services, series: &str) -> Result<Option<Arc<Listing>>> {
    let key = series.split_once(':').and_then(|(market, symbol)| {
        Some(InstrumentKey {
            market: Market::find(market)?,
            symbol: Symbol::parse(symbol)?,
        })
    });
    match key {
        Some(key) => Ok(services.instruments.find(&key).await?),
        None => Ok(None),
    }
}

fn figure(name: &str, value: f64) -> FigureOf {
    FigureOf {
        name: name.to_owned(),
        value,
        previous: None,
        date: None,
    }
}

/// Today's volume as a multiple of the usual volume: from the session of the newest price, or else from the newest
/// closed session.
fn todays_volume(
    listing: &Listing,
    candles: market::Candles<'_>,
    when: PointInTime,
) -> Option<f64> {
    let newest = candles.last()?;
    let closed_at = PointInTime::known_at(newest.day, listing.asset_type());
    let quote = listing.quote.as_ref();
    let quote = quote.filter(|quote| quote.at > closed_at && quote.at <= when.end);
    if let Some(volume) = quote.and_then(|quote| quote.volume) {
        return volume_ratio(candles, volume);
    }
    let before = candles.bars(0, candles.len() - 1);
    volume_ratio(before, newest.volume)
}

#[cfg(test)]
mod tests;
