//! What every handler shares.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use analysis::market::{Book, Financials, PricePoint, Screening};
use metrics_exporter_prometheus::PrometheusHandle;
use notify::Hub;
use search::Index;
use store::Store;
use tokio_util::sync::CancellationToken;

use crate::access::Access;
use crate::clock::Clock;
use crate::error::Result;
use crate::kept::Kept;
use crate::limiter::Limiter;
use crate::logins::Logins;
use crate::meter::Meter;
use crate::pages::Pages;
use crate::password::Passwords;
use crate::settings::Settings;
use crate::streams::Streams;
use crate::suggestions::Suggestions;

/// Prices that are kept, of all symbols and plans.
const PRICES_KEPT: usize = 50_000;
/// Companies whose figures are kept.
const FINANCIALS_KEPT: usize = 5_000;

/// The shared state; a clone is one counter.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

/// What the binary hands over to build the state.
pub struct Wiring {
    /// Rows.
    pub store: Store,
    /// Finding by words.
    pub index: Index,
    /// What is published, as it is published.
    pub hub: Hub,
    /// Pages of others, for those who ask for one.
    pub web: Arc<providers::pages::Pages>,
    /// Time of accounts, ledger and tokens.
    pub clock: Arc<dyn Clock>,
    /// Configuration.
    pub settings: Settings,
}

/// The fields of [`AppState`].
pub struct Shared {
    /// Rows.
    pub store: Store,
    /// Finding by words.
    pub index: Index,
    /// What is published, as it is published.
    pub hub: Hub,
    /// Pages of others, for those who ask for one.
    pub web: Arc<providers::pages::Pages>,
    /// Time of accounts, ledger and tokens.
    pub clock: Arc<dyn Clock>,
    /// Configuration.
    pub settings: Arc<Settings>,
    /// Who calls.
    pub access: Access,
    /// What it costs.
    pub meter: Arc<Meter>,
    /// How often one may.
    pub limiter: Limiter,
    /// Answers of the last second.
    pub pages: Pages,
    /// Instruments, candles and newest prices.
    pub market: Book,
    /// The screener's snapshots.
    pub(crate) screening: Screening,
    /// Prices that are kept for as long as a plan allows.
    pub(crate) prices: Kept<Option<PricePoint>>,
    /// Figures of companies, kept for six hours.
    pub(crate) financials: Kept<Financials>,
    pub(crate) suggestions: Suggestions,
    pub(crate) passwords: Passwords,
    pub(crate) logins: Logins,
    pub(crate) streams: Streams,
    pub(crate) exposition: &'static PrometheusHandle,
    pub(crate) started: Instant,
    revision: AtomicI64,
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl AppState {
    /// Reads what has to be read before the first request.
    pub async fn open(wiring: Wiring) -> Result<Self> {
        let Wiring {
            store,
            index,
            hub,
            web,
            clock,
            settings,
        } = wiring;
        let settings = Arc::new(settings);
        store.opinions().complete(&store.briefs()).await?;
        Ok(Self(Arc::new(Shared {
            access: Access::open(store.clone(), settings.failed_credentials_per_minute).await?,
            meter: Arc::new(Meter::new(store.clone(), clock.clone())),
            limiter: Limiter::default(),
            logins: Logins::default(),
            streams: Streams::default(),
            pages: Pages::new(settings.cached_bytes),
            market: Book::new(store.clone()),
            screening: Screening::default(),
            prices: Kept::new(PRICES_KEPT),
            financials: Kept::new(FINANCIALS_KEPT),
            suggestions: Suggestions::default(),
            passwords: Passwords::new()?,
            exposition: crate::metrics::exposition(),
            started: Instant::now(),
            revision: AtomicI64::new(0),
            store,
            index,
            hub,
            web,
            clock,
            settings,
        })))
    }

    /// Revision of the news that answers are made from.
    pub fn revision(&self) -> i64 {
        self.revision.load(Ordering::Acquire)
    }

    /// Rises with every change of news or market data that answers are made from.
    pub(crate) fn data_revision(&self) -> i64 {
        // Both only rise, so their sum names a state as well as the pair does.
        self.revision().wrapping_add(self.market.stamp())
    }

    /// Says that newer data can be seen from now on; called by whatever follows the outbox.
    pub fn set_revision(&self, revision: i64) {
        self.revision.store(revision, Ordering::Release);
    }

    /// Notices changes of accounts, keys and tokens that other processes made. Ends when cancelled.
    pub async fn watch_access(&self, cancel: CancellationToken) {
        self.access.watch(cancel).await;
    }

    /// Keeps the small tables small. Ends when cancelled.
    pub async fn sweep(&self, cancel: CancellationToken) {
        let mut ticks = tokio::time::interval(std::time::Duration::from_secs(10));
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = cancel.cancelled() => return,
                _ = ticks.tick() => {}
            }
            let now = self.clock.now();
            self.limiter.sweep(now);
            self.access.sweep(now);
            self.logins.sweep(now);
            self.streams.sweep(now);
            self.meter.sweep(now);
            self.exposition.run_upkeep();
            // Here, so that no reader has to wait for it.
            let refreshed = self.suggestions.refresh(&self.store, self.revision());
            if let Err(error) = refreshed.await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "names are not read anew: {error}"
                );
            }
            if let Err(error) = self.prune(now).await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "old rows stay for now: {error}"
                );
            }
        }
    }

    async fn prune(&self, now: model::Timestamp) -> Result<(), store::Error> {
        self.store.tokens().prune(now).await?;
        self.store.idempotency().prune(now).await?;
        Ok(())
    }

    /// Every background loop of this crate at once: [`Self::watch_access`], [`Self::sweep`] and the meter, which goes on
    /// until `drained` and then writes what is left. Cancel `drained` after the last answer has left.
    pub async fn run(&self, cancel: CancellationToken, drained: CancellationToken) {
        tokio::join!(
            self.watch_access(cancel.clone()),
            self.market.follow(cancel.clone()),
            self.sweep(cancel),
            self.meter.run(drained)
        );
    }
}
