//! What operations work on, and what is kept beside them from call to call.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use analysis::claims::FigureServices;
use analysis::market::{
    Actions, Assessments, Backtests, Coverage, Crypto, Disclosures, Economy, Estimates,
    EventCalendar, Financials, Fundamentals, Instruments, MarketCache, MarketServices, PricePoint,
    Prices, Screener, Sentiment, TimeSeries,
};
use extraction::Extraction;
use model::{OutletTable, Timestamp};
use notify::{Live, LiveEvent, Published};
use providers::SourceHealth;
use providers::callbacks::Callbacks;
use providers::chat::ChatModel;
use providers::web_search::{Provider, WebSearches};
use search::Index;
use store::{FiredAlert, Store};
use tokio_util::sync::CancellationToken;

use crate::access::Access;
use crate::access::logins::Logins;
use crate::access::password::Passwords;
use crate::account::webhooks::fan_out;
use crate::alerts::evaluation::{self, Evaluator};
use crate::clock::Clock;
use crate::error::Result;
use crate::extensions::Extensions;
use crate::extractions::Extractions;
use crate::heavy::Heavy;
use crate::kept::Kept;
use crate::limiter::Limiter;
use crate::live;
use crate::live_web::LiveWeb;
use crate::meter::Meter;
use crate::news::search::WrittenBriefs;
use crate::receipt_log::{ReceiptKeys, ReceiptLog};
use crate::revision::{DataRevision, NewsState, Watch};
use crate::settings::Settings;
use crate::suggestions::Suggestions;
use crate::verified::monitor;

/// Days for which the record of a run can be read.
const RUNS_KEPT_DAYS: i64 = 90;

/// Prices that are kept, of all symbols and plans.
const PRICES_KEPT: usize = 50_000;
/// Companies whose figures are kept.
const FINANCIALS_KEPT: usize = 5_000;

/// The services; a clone is one counter.
#[derive(Clone)]
pub struct Services(Arc<Shared>);

/// What the services are built from.
pub struct Parts {
    /// Rows.
    pub store: Store,
    /// Finding by words.
    pub index: Index,
    /// Pages of others, for those who ask for one.
    pub web: Arc<providers::pages::Pages>,
    /// Reads those pages.
    pub extraction: Extraction,
    /// The way to addresses that callers name.
    pub callbacks: Arc<Callbacks>,
    /// Search services of the live web, as the operator configured them; never asked in the demo world.
    pub web_search: WebSearches,
    /// A language model that may add prose, where the operator named one.
    pub chat: Option<Arc<ChatModel>>,
    /// How outlets are called and how far they are trusted.
    pub outlets: Arc<OutletTable>,
    /// Time of accounts, ledger and tokens.
    pub clock: Arc<dyn Clock>,
    /// Configuration.
    pub settings: Settings,
    /// The keys that sign receipts.
    pub keys: ReceiptKeys,
}

/// The fields of [`Services`].
pub struct Shared {
    /// Rows.
    pub store: Store,
    /// Finding by words.
    pub index: Index,
    /// Pages of others, for those who ask for one.
    pub web: Arc<providers::pages::Pages>,
    /// The way to addresses that callers name.
    pub callbacks: Arc<Callbacks>,
    /// A language model that may add prose; nothing depends on it.
    pub chat: Option<Arc<ChatModel>>,
    /// How outlets are called and how far they are trusted.
    pub outlets: Arc<OutletTable>,
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
    /// Instruments, candles and newest prices in memory: kept in step with the store, read by the services below.
    pub market: Arc<MarketCache>,
    /// Listings by key, symbol or name.
    pub instruments: Instruments,
    /// Candles and quotes of instruments.
    pub prices: Prices,
    /// Series that are no instruments: currency pairs, commodities, indices.
    pub series: TimeSeries,
    /// Economic indicators and Treasury yields.
    pub economy: Economy,
    /// What companies report, and their valuation.
    pub fundamentals: Fundamentals,
    /// Splits, dividends, new names, the end of a listing.
    pub actions: Actions,
    /// Filings, trades of insiders and lawmakers, holdings of institutions.
    pub disclosures: Disclosures,
    /// Ratings of analysts, and earnings with their estimates.
    pub estimates: Estimates,
    /// What briefs say of a symbol.
    pub coverage: Coverage,
    /// Sentiment of symbols and sectors.
    pub sentiment: Sentiment,
    /// A symbol as a whole.
    pub assessments: Assessments,
    /// Coins and decentralised finance.
    pub crypto: Crypto,
    /// Earnings, holidays, economic releases.
    pub calendar: EventCalendar,
    /// Snapshots of every instrument.
    pub screener: Screener,
    /// Strategies tried on the past.
    pub backtests: Backtests,
    /// Prices that are kept for as long as a plan allows.
    pub(crate) kept_prices: Kept<Option<PricePoint>>,
    /// Figures of companies, kept for six hours.
    pub(crate) kept_financials: Kept<Financials>,
    pub(crate) suggestions: Suggestions,
    /// Briefs in the form in which search sends them.
    pub(crate) written: WrittenBriefs,
    /// Checks claims about figures.
    pub figures: FigureServices,
    /// The log of receipts.
    pub receipts: ReceiptLog,
    pub(crate) passwords: Passwords,
    pub(crate) logins: Logins,
    pub(crate) heavy: Heavy,
    /// The active alerts in memory.
    pub(crate) alerts: tokio::sync::Mutex<Evaluator>,
    pub(crate) extractions: Extractions,
    pub(crate) live_web: LiveWeb,
    /// What crates above keep beside the services.
    pub extensions: Extensions,
    /// Drawn when this was made: names what is kept in memory and would be made otherwise after a restart.
    pub instance: u64,
    /// The newest position that was announced.
    announced: AtomicI64,
    watch: Watch,
}

impl Deref for Services {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Services {
    /// Reads what has to be read before the first call.
    pub async fn open(parts: Parts) -> Result<Self> {
        let Parts {
            store,
            index,
            web,
            extraction,
            callbacks,
            web_search,
            chat,
            outlets,
            clock,
            settings,
            keys,
        } = parts;
        let settings = Arc::new(settings);
        let journal = settings.journal.as_deref();
        let meter = Meter::open(store.clone(), clock.clone(), journal).await?;
        let market_services = MarketServices::new(store.clone());
        let figures = FigureServices::of(&market_services);
        let MarketServices {
            cache: market,
            instruments,
            prices,
            series,
            economy,
            fundamentals,
            actions,
            disclosures,
            estimates,
            coverage,
            sentiment,
            assessments,
            crypto,
            calendar,
            screener,
            backtests,
        } = market_services;
        Ok(Self(Arc::new(Shared {
            extractions: Extractions::new(extraction, settings.pages_per_account),
            live_web: LiveWeb::new(web_search, store.mode(), &settings),
            access: Access::open(store.clone(), settings.failed_credentials_per_minute).await?,
            meter: Arc::new(meter),
            limiter: Limiter::default(),
            logins: Logins::default(),
            heavy: Heavy::new(),
            alerts: tokio::sync::Mutex::default(),
            market,
            instruments,
            prices,
            series,
            economy,
            fundamentals,
            actions,
            disclosures,
            estimates,
            coverage,
            sentiment,
            assessments,
            crypto,
            calendar,
            screener,
            backtests,
            kept_prices: Kept::new(PRICES_KEPT),
            kept_financials: Kept::new(FINANCIALS_KEPT),
            suggestions: Suggestions::default(),
            written: WrittenBriefs::default(),
            figures,
            receipts: ReceiptLog::new(store.clone(), keys),
            passwords: Passwords::new()?,
            extensions: Extensions::default(),
            instance: rand::random(),
            announced: AtomicI64::new(0),
            watch: Watch::default(),
            store,
            index,
            web,
            callbacks,
            chat,
            outlets,
            clock,
            settings,
        })))
    }

    /// How the services of live web search did when they were last asked.
    pub fn web_search_health(&self) -> Vec<(Provider, SourceHealth)> {
        self.live_web.health()
    }

    /// Revision of the news: the newest outbox position that was seen.
    pub fn revision(&self) -> i64 {
        self.announced
            .load(Ordering::Acquire)
            .max(self.watch.position())
    }

    /// Names all data that an answer can be made from from now on: read it before the work.
    pub async fn data_revision(&self) -> Result<DataRevision> {
        let seen = self.watch.look(&self.store).await?;
        let market = self.market.versions();
        Ok(DataRevision::new(&self.store, seen, &self.index, market))
    }

    /// Names the news that the store holds from now on: ask before reading them.
    pub(crate) async fn news_state(&self) -> Result<NewsState> {
        Ok(self.watch.look(&self.store).await?.news())
    }

    /// Says that the outbox ends at this position; called by whatever follows it, so that nobody has to ask the store
    /// for that.
    pub fn set_revision(&self, revision: i64) {
        self.announced.store(revision, Ordering::Release);
        self.watch.moved(revision);
    }

    /// Notices changes of accounts, keys and tokens that other processes made. Ends when cancelled.
    pub async fn watch_access(&self, cancel: CancellationToken) {
        self.access.watch(cancel).await;
    }

    /// Keeps the small tables small.
    pub async fn sweep(&self, now: Timestamp) {
        self.limiter.sweep(now);
        self.access.sweep(now);
        self.logins.sweep(now);
        self.live_web.sweep(now);
        self.meter.sweep(now);
        // Here, so that no reader has to wait for it.
        let refreshed = self.suggestions.refresh(&self.store, self.revision());
        if let Err(error) = refreshed.await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "suggestions could not be refreshed: {error}"
            );
        }
        if let Err(error) = self.prune(now).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "old rows could not be removed: {error}"
            );
        }
    }

    async fn prune(&self, now: Timestamp) -> Result<(), store::Error> {
        self.store.tokens().prune(now).await?;
        self.store.idempotency().prune(now).await?;
        self.store.memories().prune(now).await?;
        self.store.deliveries().prune(now).await?;
        self.store.alerts().prune(now).await?;
        let old = now.plus_ms(-RUNS_KEPT_DAYS * Timestamp::DAY_MS);
        self.store.runs().prune(old).await?;
        Ok(())
    }

    /// Keeps instruments and prices in step with the store. Ends when cancelled.
    pub async fn follow_market(&self, cancel: CancellationToken) -> Result<()> {
        Ok(self.market.follow(cancel).await?)
    }

    /// Makes the screener's snapshots and the figures of companies when what they are made from changed. Ends when
    /// cancelled.
    pub async fn prepare_screens(&self, cancel: CancellationToken) -> Result<()> {
        if self.settings.as_of.is_some() {
            // The past is never kept.
            cancel.cancelled().await;
            return Ok(());
        }
        let now = || (self.clock.now(), self.revision());
        Ok(self.screener.follow(now, cancel).await?)
    }

    /// Checks the monitors of agents when they are due. Ends when cancelled.
    pub async fn check_monitors(&self, cancel: CancellationToken) -> Result<()> {
        if self.settings.as_of.is_some() {
            // What is known stands still: nothing can contradict it.
            cancel.cancelled().await;
            return Ok(());
        }
        monitor::check::run(self, cancel).await
    }

    /// Checks the monitors that are due now, one after the other; says how many.
    pub async fn check_due_monitors(&self) -> Result<usize> {
        monitor::check::check_due(self, &CancellationToken::new()).await
    }

    /// Evaluates alerts when what they wait for may have happened. Ends when cancelled.
    pub async fn evaluate_alerts(&self, cancel: CancellationToken) -> Result<()> {
        if self.settings.as_of.is_some() {
            // Nothing changes.
            cancel.cancelled().await;
            return Ok(());
        }
        evaluation::run(self, cancel).await
    }

    /// Evaluates the alerts whose symbols changed; says how many fired.
    pub async fn evaluate_due_alerts(&self) -> Result<usize> {
        self.alerts.lock().await.step(self).await
    }

    /// Makes messages to webhooks of what happens to briefs. Ends when cancelled.
    pub async fn tell_webhooks(&self, cancel: CancellationToken) -> Result<()> {
        if self.settings.as_of.is_some() {
            cancel.cancelled().await;
            return Ok(());
        }
        fan_out::run(self, cancel).await
    }

    /// Makes messages to webhooks of what has happened to briefs; says how many.
    pub async fn tell_due_webhooks(&self) -> Result<usize> {
        fan_out::tell(self).await
    }

    /// Publishes what happens for live streams. Ends when cancelled.
    pub async fn follow_live(&self, live: &Live, cancel: CancellationToken) -> Result<()> {
        live::follow(self, live, cancel).await
    }

    /// What happened to a brief, for live streams.
    pub async fn live_of_brief(&self, event: &Published) -> Result<Vec<LiveEvent>> {
        live::of_brief(self, event).await
    }

    /// An alert that fired, for the live streams of its owner.
    pub fn live_of_alert(&self, alert: &FiredAlert) -> Result<LiveEvent> {
        live::of_alert(alert, self.store.mode())
    }

    /// Writes the ledger until `drained`, and then what is left. Cancel `drained` after the last answer has left.
    pub async fn flush_ledger(&self, drained: CancellationToken) {
        self.meter.run(drained).await;
    }
}
