//! The market half of the simulated world: its history once, then its prices as time goes on.

use std::sync::Arc;
use std::time::Duration;

use ingest::market::{MarketOutcome, write_market};
use market::calendar;
use model::{Day, MarketBatch, Timestamp};
use sim::market::{MarketWorld, Session};
use sim::newswire::Newswire;
use store::Store;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::clock::now;
use crate::config::Demo;

/// The settings that record since when the world has existed and up to when its market was written.
const BEGAN: &str = "demo.market_began";
const WRITTEN_UNTIL: &str = "demo.market_until";
/// Years of candles before the world began.
const YEARS: i32 = 5;
/// Days before the world began for which hourly coin prices are published.
const HOURLY_DAYS: i32 = 3;
/// Days before the world began from which the newswire is as busy as it stays.
const DAILY_NEWS_DAYS: i32 = 7;
/// How far ahead sessions are known. A server that runs for longer has to be restarted.
const DAYS_AHEAD: i32 = 1_100;
/// How often prices move, and how often it is checked whether a session has closed.
const TICK: Duration = Duration::from_secs(5);
const TICKS_BETWEEN_CLOSES: u32 = 6;

/// The simulated markets of a data directory.
#[derive(Clone, Debug)]
pub(crate) struct DemoMarket {
    store: Store,
    world: Arc<MarketWorld>,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CaughtUp {
    /// New rows.
    pub(crate) rows: u64,
}

impl DemoMarket {
    /// The markets of a store, in step with its newswire, which begins the configured number of days before the world.
    pub(crate) async fn open(store: Store, demo: &Demo) -> anyhow::Result<Self> {
        let today = Day::of(now());
        let began = if let Some(text) = store.setting(BEGAN).await? {
            Day::try_from(text)?
        } else {
            store.put_setting(BEGAN, &today.to_string()).await?;
            today
        };
        let sessions = calendar::sessions(MarketWorld::FIRST_DAY, today.plus(DAYS_AHEAD))
            .filter_map(|day| {
                Some(Session {
                    day,
                    opens_at: calendar::opens_at(day)?,
                    closes_at: calendar::closes_at(day)?,
                })
            })
            .collect();
        let newswire_from = began.plus(-i32::try_from(demo.days).unwrap_or(90));
        let world = MarketWorld::new(demo.seed, sessions)
            .with_history_from(began.months_before(12 * YEARS))
            .with_newswire_from(newswire_from)
            .with_hours_from(began.plus(-HOURLY_DAYS))
            .with_daily_news_from(began.plus(-DAILY_NEWS_DAYS));
        Ok(Self {
            store,
            world: Arc::new(world),
        })
    }

    /// The newswire of this world.
    pub(crate) fn newswire(&self) -> Newswire {
        Newswire::of(Arc::clone(&self.world))
    }

    /// Lists the existing symbols, so that the newswire's names match theirs.
    pub(crate) async fn list(&self) -> anyhow::Result<()> {
        if self.store.market().count().await? > 0 {
            return Ok(());
        }
        let batch = MarketBatch {
            instruments: MarketWorld::instruments(),
            ..MarketBatch::default()
        };
        write_market(&self.store, &batch, now()).await?;
        Ok(())
    }

    /// Writes everything since the last time, and the current prices.
    pub(crate) async fn catch_up(&self) -> anyhow::Result<CaughtUp> {
        let until = now();
        let from = match self.store.setting(WRITTEN_UNTIL).await? {
            Some(text) => text.parse::<Timestamp>()?,
            None => Day::MIN.starts_at(),
        };
        let world = Arc::clone(&self.world);
        let (drawn, mut parts) = mpsc::channel(1);
        let drawing = tokio::task::spawn_blocking(move || {
            for part in world.parts(from, until) {
                if drawn.blocking_send(part).is_err() {
                    return;
                }
            }
        });
        let mut outcome = MarketOutcome::default();
        while let Some(part) = parts.recv().await {
            outcome.add(&write_market(&self.store, &part, until).await?);
        }
        drawing.await?;
        self.store
            .put_setting(WRITTEN_UNTIL, &until.to_string())
            .await?;
        self.tick().await?;
        Ok(CaughtUp {
            rows: outcome.written.values().map(|written| written.added).sum(),
        })
    }

    /// Writes the current prices.
    async fn tick(&self) -> anyhow::Result<()> {
        let world = Arc::clone(&self.world);
        let at = now();
        let quotes = tokio::task::spawn_blocking(move || world.quotes(at)).await?;
        self.store.market().put_quotes(&quotes).await?;
        Ok(())
    }

    /// Keeps ticking until cancelled.
    pub(crate) async fn run(self, cancel: CancellationToken) {
        let mut ticks = 0_u32;
        loop {
            tokio::select! {
                () = cancel.cancelled() => return,
                () = tokio::time::sleep(TICK) => {}
            }
            ticks = ticks.wrapping_add(1);
            let outcome = if ticks.is_multiple_of(TICKS_BETWEEN_CLOSES) {
                self.catch_up().await.map(drop)
            } else {
                self.tick().await
            };
            if let Err(error) = outcome {
                tracing::error!(error = %format!("{error:#}"), "the simulated market could not be continued");
            }
        }
    }
}
