//! Events for live streams: briefs, sentiment, prices, alerts.
//!
//! The same functions produce an event when it happens and when a disconnected stream catches up, so the two are
//! identical. Briefs and sentiment follow the order of the outbox: for each ticker that a brief names, first the brief,
//! then the sentiment as it was known with it. Prices follow the order of their versions, and only the newest are
//! remembered.

mod changes;

use std::collections::HashMap;
use std::time::Duration;

use analysis::market::{Listing, PointInTime};
use model::{Brief, DataMode, InstrumentKey, OutboxKind, Timestamp};
use notify::{Heads, Live, LiveEvent, LiveKind, Place, Published, read_after};
use serde::Serialize;
use store::FiredAlert;
use tokio_util::sync::CancellationToken;

use crate::error::{Error, Result};
use crate::services::Services;

pub(crate) use changes::MarketChanges;

/// How often to look for new events while somebody is listening.
const PAUSE: Duration = Duration::from_millis(25);
/// The same interval while nobody is listening.
const IDLE_PAUSE: Duration = Duration::from_millis(100);
/// Number of consecutive failures that are only logged.
const MOST_FAILURES: u32 = 50;
/// Number of rows read at a time.
const BATCH: u64 = 200;

/// How far a price may be ahead of the clock, in case the clock was set back. A price further ahead is itself wrong.
const FURTHEST_AHEAD_MS: i64 = Timestamp::DAY_MS;
/// Means of the same values may differ by less than this.
const SMALLEST_SHIFT: f64 = 1e-9;

#[derive(Serialize)]
struct BriefData<'a> {
    ticker: &'a str,
    brief_id: &'a str,
    headline: &'a str,
    confidence: f64,
    timestamp: String,
    event: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    simulated: bool,
}

#[derive(Serialize)]
struct SentimentData<'a> {
    ticker: &'a str,
    score: f64,
    previous: Option<f64>,
    shift: Option<f64>,
    timestamp: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    simulated: bool,
}

#[derive(Serialize)]
struct PriceData<'a> {
    ticker: &'a str,
    price: f64,
    change_pct: Option<f64>,
    volume: Option<f64>,
    timestamp: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    simulated: bool,
}

#[derive(Serialize)]
struct AlertData<'a> {
    ticker: &'a str,
    alert_id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    threshold: f64,
    current: f64,
    timestamp: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    simulated: bool,
}

/// The current time for a listing: that of the clock, or that of its newest price if the clock is behind it. New prices
/// must be reported even while a clock is wrong.
pub(crate) fn present(listing: &Listing, now: Timestamp) -> PointInTime {
    let quoted_at = listing.quote.as_ref().map(|quote| quote.at);
    let ahead = quoted_at.filter(|at| *at > now && at.since_ms(now) <= FURTHEST_AHEAD_MS);
    PointInTime {
        end: ahead.unwrap_or(now),
        as_of: None,
    }
}

/// The price changes followed so far. How far the store has been read is recorded in [`Live`].
#[derive(Default)]
struct Follower {
    market: MarketChanges,
    prices: HashMap<InstrumentKey, (f64, Timestamp)>,
    /// The position of the newest price.
    place: Option<Place>,
}

/// Publishes events until cancelled.
pub(crate) async fn follow(
    services: &Services,
    live: &Live,
    cancel: CancellationToken,
) -> Result<()> {
    let mut follower = Follower::default();
    let mut failures = 0;
    loop {
        match follower.step(services, live).await {
            Ok(()) => failures = 0,
            Err(error) if failures + 1 >= MOST_FAILURES => return Err(error),
            Err(error) => {
                failures += 1;
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "live streams do not follow what happens: {error}"
                );
            }
        }
        let pause = if live.is_heard() { PAUSE } else { IDLE_PAUSE };
        tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            () = tokio::time::sleep(pause) => {}
        }
    }
}

impl Follower {
    async fn step(&mut self, services: &Services, live: &Live) -> Result<()> {
        if live.is_heard() {
            services.market.refresh_prices().await?;
        }
        if let Err(error) = self.publish_prices(services, live).await {
            // What was found changed is looked for again.
            self.market = MarketChanges::default();
            return Err(error);
        }
        let outbox = services.store.outbox();
        if live.is_heard() {
            // What was committed is told at once, not when the search index has come to it.
            outbox.sequence().await?;
        }
        // The heads first: who begins to listen after they were read is shown everything past them.
        let heads = Heads {
            outbox: outbox.head().await?,
            alerts: services.store.alerts().versions().await?.fired,
        };
        let mut read_to = live.begin(heads);
        if !live.is_heard() {
            live.go_on(heads);
            return Ok(());
        }
        while read_to.outbox < heads.outbox {
            let (published, position) = read_after(&services.store, read_to.outbox, BATCH).await?;
            for event in &published {
                for event in of_brief(services, event).await? {
                    live.publish(event);
                }
            }
            if position == read_to.outbox {
                break;
            }
            read_to.outbox = position;
            live.go_on(read_to);
        }
        while read_to.alerts < heads.alerts {
            let alerts = services.store.alerts();
            let found = alerts
                .fired_between(None, read_to.alerts, heads.alerts, BATCH)
                .await?;
            for alert in &found {
                live.publish(of_alert(alert, services.store.mode())?);
            }
            read_to.alerts = match found.last() {
                Some(last) if found.len() as u64 == BATCH => last.position,
                _ => heads.alerts,
            };
            live.go_on(read_to);
        }
        Ok(())
    }

    async fn publish_prices(&mut self, services: &Services, live: &Live) -> Result<()> {
        let versions = services.market.versions();
        let position = versions.quotes + versions.market;
        let is_first = self.place.is_none();
        let changed = self.market.next(services).await?;
        let now = services.clock.now();
        let simulated = services.store.mode() == DataMode::Demo;
        let mut place = match self.place {
            // What is newer than the version says follows what was published under it.
            Some(last) if last.position >= position => Place {
                index: last.index.wrapping_add(1),
                ..last
            },
            _ => Place { position, index: 0 },
        };
        if is_first {
            // Past the place after which prices are kept, also where the next one comes under the same version.
            live.begin_prices(Place::after(position));
            self.place = Some(Place {
                position: position + 1,
                index: 0,
            });
        }
        for listing in changed {
            let key = listing.instrument.key();
            let when = present(&listing, now);
            let Some(point) = services.prices.newest(&listing, when).await? else {
                continue;
            };
            let newest = (point.current, point.updated_at);
            if self.prices.insert(key.clone(), newest) == Some(newest) || is_first {
                continue;
            }
            let ticker = services.instruments.spelling(&listing).await?;
            live.publish(LiveEvent {
                place,
                kind: LiveKind::Price,
                topic: key.to_string(),
                account: None,
                category: None,
                data: written(&PriceData {
                    ticker: ticker.as_str(),
                    price: point.current,
                    change_pct: point.change_pct,
                    volume: point.volume,
                    timestamp: point.updated_at.to_string(),
                    simulated,
                })?,
            });
            self.place = Some(place);
            place.index += 1;
        }
        Ok(())
    }
}

/// The tickers that a brief names, each once.
fn tickers_of(brief: &Brief) -> Vec<String> {
    let mut tickers: Vec<String> = Vec::new();
    for entity in &brief.entities {
        let ticker = entity.ticker.as_ref().map(|one| one.trim().to_uppercase());
        if let Some(ticker) = ticker.filter(|one| !one.is_empty())
            && !tickers.contains(&ticker)
        {
            tickers.push(ticker);
        }
    }
    tickers
}

/// The events of a brief, for each ticker that it names.
pub(crate) async fn of_brief(services: &Services, event: &Published) -> Result<Vec<LiveEvent>> {
    let (stored, brief) = (&event.brief, &event.brief.brief);
    let tickers = tickers_of(brief);
    // Where two briefs become one or one is divided, the shift of sentiment is reported with the one that remains.
    let is_new = event.kind == OutboxKind::BriefPublished;
    let divided_from = brief.split.from.as_ref().filter(|_| is_new);
    let reported_elsewhere = match brief.merged.into.as_ref().or(divided_from) {
        Some(remains) => {
            let briefs = services.store.briefs();
            let remains = briefs
                .find(remains.as_str(), Some(stored.known_from))
                .await?;
            remains.map_or_else(Vec::new, |remains| tickers_of(&remains.brief))
        }
        None => Vec::new(),
    };
    let is_trending = event.kind == OutboxKind::BriefTrending;
    let at = stored
        .trending_at
        .filter(|_| is_trending)
        .unwrap_or(stored.known_from);
    let mut events = Vec::with_capacity(2 * tickers.len());
    for (place, ticker) in (0_u32..).step_by(2).zip(&tickers) {
        let live = |index: u32, kind, category, data: String| LiveEvent {
            place: Place {
                position: event.position,
                index,
            },
            kind,
            topic: ticker.clone(),
            account: None,
            category,
            data,
        };
        let data = BriefData {
            ticker,
            brief_id: brief.public_id.as_str(),
            headline: &brief.headline,
            confidence: brief.confidence.score.get(),
            timestamp: at.to_string(),
            event: match event.kind {
                OutboxKind::BriefPublished => "published",
                OutboxKind::BriefUpdated => "updated",
                OutboxKind::BriefTrending => "trending",
                OutboxKind::BriefCorrected => "corrected",
                OutboxKind::BriefSplit => "split",
                OutboxKind::BriefMerged => "merged",
            },
            simulated: brief.simulated,
        };
        let category = Some(brief.category);
        events.push(live(place, LiveKind::Brief, category, written(&data)?));
        if is_trending || reported_elsewhere.contains(ticker) {
            continue;
        }
        let score = async |at: Timestamp| {
            let when = PointInTime {
                end: at,
                as_of: Some(at),
            };
            let found = services.sentiment.of(ticker, when, &[]).await?;
            Ok::<_, Error>(found.score())
        };
        let previous = score(at.plus_ms(-1)).await?;
        if let Some(now) = score(at).await?
            && previous.is_none_or(|previous| (now - previous).abs() > SMALLEST_SHIFT)
        {
            let data = SentimentData {
                ticker,
                score: now,
                previous,
                shift: previous.map(|previous| now - previous),
                timestamp: at.to_string(),
                simulated: brief.simulated,
            };
            events.push(live(place + 1, LiveKind::Sentiment, None, written(&data)?));
        }
    }
    Ok(events)
}

/// An alert that fired, for its owner.
pub(crate) fn of_alert(alert: &FiredAlert, mode: DataMode) -> Result<LiveEvent> {
    let terms = &alert.terms;
    Ok(LiveEvent {
        place: Place {
            position: alert.position,
            index: 0,
        },
        kind: LiveKind::Alert,
        topic: terms.series.clone(),
        account: Some(terms.account),
        category: None,
        data: written(&AlertData {
            ticker: &terms.ticker,
            alert_id: &terms.id,
            kind: terms.kind.as_str(),
            threshold: terms.threshold,
            current: alert.value,
            timestamp: alert.at.to_string(),
            simulated: mode == DataMode::Demo,
        })?,
    })
}

fn written(data: &impl Serialize) -> Result<String> {
    serde_json::to_string(data).map_err(Error::internal)
}
