//! What every handler shares: the services of the operations, and what only HTTP needs.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use extraction::Extraction;
use metrics_exporter_prometheus::PrometheusHandle;
use notify::Hub;
use operations::{Clock, Parts, Result, Services};
use search::Index;
use store::Store;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::health::{IndexLag, Probe, Reach, Tasks};
use crate::pages::Pages;
use crate::settings::Settings;
use crate::streams::Streams;

/// The shared state; a clone only increments one counter.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

/// What the binary supplies to build the state.
pub struct Wiring {
    /// Rows.
    pub store: Store,
    /// Full-text search.
    pub index: Index,
    /// Events as they are published.
    pub hub: Hub,
    /// Fetches pages of others, for those who ask for one.
    pub web: Arc<providers::pages::Pages>,
    /// Reads those pages.
    pub extraction: Extraction,
    /// Access to addresses that callers name.
    pub callbacks: Arc<providers::callbacks::Callbacks>,
    /// Live web search services, as the operator configured them; never queried in the demo world.
    pub web_search: providers::web_search::WebSearches,
    /// A language model that may add prose, if the operator named one.
    pub chat: Option<Arc<providers::chat::ChatModel>>,
    /// What outlets are called and how far they are trusted.
    pub outlets: Arc<model::OutletTable>,
    /// The clock of accounts, ledger and tokens.
    pub clock: Arc<dyn Clock>,
    /// Configuration.
    pub settings: Settings,
    /// The keys that sign receipts.
    pub keys: operations::ReceiptKeys,
}

/// The fields of [`AppState`].
pub struct Shared {
    /// What operations work on.
    pub services: Services,
    /// Events as they are published.
    pub hub: Hub,
    /// Configuration of this interface.
    pub http: Arc<Settings>,
    /// Answers of the last second.
    pub pages: Pages,
    pub(crate) streams: Streams,
    /// The background tasks of this process, for `/ready`.
    pub tasks: Tasks,
    pub(crate) index_lag: IndexLag,
    pub(crate) probe: Probe,
    is_stopping: AtomicBool,
    pub(crate) exposition: &'static PrometheusHandle,
    pub(crate) started: Instant,
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Deref for Shared {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.services
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
            extraction,
            callbacks,
            web_search,
            chat,
            outlets,
            clock,
            settings,
            keys,
        } = wiring;
        let services = Services::open(Parts {
            store,
            index,
            web,
            extraction,
            callbacks,
            web_search,
            chat,
            outlets,
            clock,
            settings: settings.service.clone(),
            keys,
        });
        Ok(Self(Arc::new(Shared {
            services: services.await?,
            hub,
            pages: Pages::new(settings.cached_bytes),
            streams: Streams::new(settings.streams_per_account, settings.streams_per_address),
            tasks: Tasks::default(),
            index_lag: IndexLag::default(),
            probe: Probe::default(),
            is_stopping: AtomicBool::new(false),
            exposition: crate::metrics::exposition(),
            started: Instant::now(),
            http: Arc::new(settings),
        })))
    }

    /// Removes old entries from the small tables. Ends when cancelled.
    pub async fn sweep(&self, cancel: CancellationToken) {
        let mut ticks = tokio::time::interval(Duration::from_secs(10));
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = cancel.cancelled() => return,
                _ = ticks.tick() => {}
            }
            let now = self.clock.now();
            self.streams.sweep(now);
            if let Ok((waiting, due)) = self.store.queues().messages_waiting(now).await {
                metrics::gauge!("assay_messages_waiting").set(waiting as f64);
                metrics::gauge!("assay_messages_due").set(due as f64);
            }
            self.exposition.run_upkeep();
            self.services.sweep(now).await;
        }
    }

    /// Measures how far the search index lags behind the store. Ends when cancelled.
    pub async fn watch_index(&self, cancel: CancellationToken) -> Result<()> {
        let mut ticks = tokio::time::interval(Duration::from_secs(1));
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = cancel.cancelled() => return Ok(()),
                _ = ticks.tick() => {}
            }
            let store = Reach::of_store(&self.store).await?;
            self.index_lag.observe(Reach::of_index(&self.index), store);
        }
    }

    /// From now on the service counts as not ready: it ends as soon as the requests in progress are answered.
    pub fn begin_stopping(&self) {
        self.is_stopping.store(true, Ordering::Release);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Acquire)
    }
}
