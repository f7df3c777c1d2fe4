//! The store itself: where it is, how it is opened, what it contains.

mod probe;

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::{DataMode, Timestamp};
use uuid::Uuid;

use crate::briefs::{KeptBriefs, Totals};
use crate::database::{Database, Durability, values};
use crate::entities::MentionCache;
use crate::schema;
use crate::{
    Accounts, AgentSchedules, Agents, Alerts, Articles, BriefSentiments, Briefs, Deliveries,
    Entities, Error, Feedback, Feeds, Findings, Idempotency, Jobs, Keys, Knowledge, Ledger, Log,
    MarketData, MarketTransaction, Memories, Monitors, NewsTransaction, Outbox, PageAttempts,
    Prune, Queues, Receipts, Record, Records, Reports, Result, Runs, Tokens, Watchlists, Webhooks,
};

/// Where the rows are.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// Nowhere permanent: gone when the last handle is dropped. For tests.
    Memory,
    /// `assay.sqlite` in this directory.
    Directory(PathBuf),
    /// A PostgreSQL database, given by its URL.
    Postgres(String),
}

impl std::fmt::Debug for Location {
    /// A PostgreSQL address often contains a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory => f.write_str("Memory"),
            Self::Directory(path) => f.debug_tuple("Directory").field(path).finish(),
            Self::Postgres(url) => f
                .debug_tuple("Postgres")
                .field(&model::redact(url))
                .finish(),
        }
    }
}

/// How much a store contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Articles.
    pub articles: u64,
    /// Briefs.
    pub briefs: u64,
    /// Revisions of briefs.
    pub revisions: u64,
    /// Entities.
    pub entities: u64,
    /// Accounts.
    pub accounts: u64,
    /// API keys that are not revoked.
    pub keys: u64,
    /// The newest outbox position.
    pub outbox_head: i64,
    /// Outbox rows without a position.
    pub outbox_unsequenced: u64,
    /// The schema version.
    pub schema_version: i64,
}

/// The rows. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    database: Database,
    mode: DataMode,
    id: Uuid,
    totals: Totals,
    kept: KeptBriefs,
    mention_cache: MentionCache,
}

impl Store {
    /// Opens or creates the store and brings its schema up to date. Refuses a store of the other mode or with a newer
    /// schema.
    pub async fn open(location: &Location, mode: DataMode) -> Result<Self> {
        Self::connect(location, Some(mode)).await
    }

    /// Opens an existing store, whatever its mode.
    pub async fn open_existing(location: &Location) -> Result<Self> {
        Self::connect(location, None).await
    }

    async fn connect(location: &Location, wanted: Option<DataMode>) -> Result<Self> {
        let database = Database::connect(location, wanted.is_some()).await?;
        let opened = async {
            let mode = schema::migrate(&database, wanted).await?;
            Ok((mode, identity(&database).await?))
        };
        match opened.await {
            Ok((mode, id)) => Ok(Self {
                inner: Arc::new(Inner {
                    database,
                    mode,
                    id,
                    totals: Totals::default(),
                    kept: KeptBriefs::default(),
                    mention_cache: MentionCache::default(),
                }),
            }),
            Err(error) => {
                database.close().await;
                Err(error)
            }
        }
    }

    /// Demo or real.
    pub fn mode(&self) -> DataMode {
        self.inner.mode
    }

    /// The identity that this store was given when it was created. Copies and restored backups share it.
    pub fn id(&self) -> Uuid {
        self.inner.id
    }

    /// The schema version that this program works with.
    pub const fn schema_version() -> i64 {
        schema::KNOWN
    }

    /// The secret with that name; `fresh` is stored and returned if there is none yet.
    pub async fn secret(&self, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
        const READ: &str = "SELECT value FROM secret WHERE name = $1";
        if let Some(row) = self.inner.database.row(READ, values![name]).await? {
            return row.blob(0);
        }
        let mut tx = self.inner.database.begin(Durability::Power).await?;
        tx.execute(
            "INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
            values![name, fresh],
        )
        .await?;
        let row = tx.row(READ, values![name]).await?.ok_or(Error::Conflict)?;
        tx.commit().await?;
        row.blob(0)
    }

    /// A setting.
    pub async fn setting(&self, name: &str) -> Result<Option<String>> {
        let row = self
            .inner
            .database
            .row("SELECT value FROM setting WHERE name = $1", values![name])
            .await?;
        row.map(|row| row.text(0)).transpose()
    }

    /// Changes a setting.
    pub async fn put_setting(&self, name: &str, value: &str) -> Result<()> {
        let sql = "INSERT INTO setting (name, value) VALUES ($1, $2) \
                   ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        self.inner
            .database
            .write(sql, values![name, value])
            .await
            .map(drop)
    }

    /// Increases with every change to an account, key or revocation, in any process.
    pub async fn access_version(&self) -> Result<i64> {
        self.inner
            .database
            .number(
                "SELECT value FROM counter WHERE name = 'access'",
                Vec::new(),
            )
            .await
    }

    /// Writes a complete copy to a new file while the store is in use. Only SQLite can do this; PostgreSQL has
    /// `pg_dump`.
    pub async fn backup(&self, to: &Path) -> Result<()> {
        self.inner.database.copy_to(to).await
    }

    /// How long the queues are.
    pub fn queues(&self) -> Queues<'_> {
        Queues {
            database: &self.inner.database,
        }
    }

    /// How much the store contains.
    pub async fn counts(&self) -> Result<Counts> {
        let database = &self.inner.database;
        let counter = |name: &'static str| async move {
            database
                .row("SELECT value FROM counter WHERE name = $1", values![name])
                .await?
                .map_or(Ok(0), |row| row.count(0))
        };
        let count = |sql: &'static str| async move {
            Ok::<_, Error>(database.number(sql, Vec::new()).await?.max(0) as u64)
        };
        Ok(Counts {
            articles: counter("articles").await?,
            briefs: counter("briefs").await?,
            revisions: counter("revisions").await?,
            entities: count("SELECT COUNT(*) FROM entity").await?,
            accounts: count("SELECT COUNT(*) FROM account").await?,
            keys: count("SELECT COUNT(*) FROM api_key WHERE revoked_at IS NULL").await?,
            outbox_head: self.outbox().head().await?,
            outbox_unsequenced: count("SELECT COUNT(*) FROM outbox WHERE position IS NULL").await?,
            schema_version: database
                .number("SELECT version FROM schema_version", Vec::new())
                .await?,
        })
    }

    /// Fails unless the database responds.
    pub async fn is_alive(&self) -> Result<()> {
        self.inner
            .database
            .number("SELECT version FROM schema_version", Vec::new())
            .await
            .map(drop)
    }

    /// Fails unless a small write reaches the disk. This costs a few milliseconds and one disk flush.
    pub async fn probe(&self) -> Result<()> {
        probe::probe(&self.inner.database).await
    }

    #[cfg(test)]
    pub(crate) fn database(&self) -> &Database {
        &self.inner.database
    }

    /// Begins the transaction that publishes news, once no other one is open.
    pub async fn news_transaction(&self) -> Result<NewsTransaction> {
        NewsTransaction::begin(&self.inner.database).await
    }

    /// Begins the transaction that writes market data, once no other one is open.
    pub async fn market_transaction(&self, recorded_at: Timestamp) -> Result<MarketTransaction> {
        MarketTransaction::begin(&self.inner.database, recorded_at).await
    }

    /// Lets running statements finish and closes every connection. Handles that still exist return errors.
    pub async fn close(&self) {
        self.inner.database.close().await;
    }

    /// The accounts.
    pub fn accounts(&self) -> Accounts<'_> {
        Accounts {
            database: &self.inner.database,
        }
    }

    /// The keys.
    pub fn keys(&self) -> Keys<'_> {
        Keys {
            database: &self.inner.database,
        }
    }

    /// The tokens.
    pub fn tokens(&self) -> Tokens<'_> {
        Tokens {
            database: &self.inner.database,
        }
    }

    /// The ledger.
    pub fn ledger(&self) -> Ledger<'_> {
        Ledger {
            database: &self.inner.database,
        }
    }

    /// Pruning of old rows.
    pub fn prune(&self) -> Prune<'_> {
        Prune {
            database: &self.inner.database,
        }
    }

    /// The idempotency records.
    pub fn idempotency(&self) -> Idempotency<'_> {
        Idempotency {
            database: &self.inner.database,
        }
    }

    /// The pages that are being read.
    pub fn page_attempts(&self) -> PageAttempts<'_> {
        PageAttempts {
            database: &self.inner.database,
        }
    }

    /// The jobs.
    pub fn jobs(&self) -> Jobs<'_> {
        Jobs {
            database: &self.inner.database,
        }
    }

    /// The outbox.
    pub fn outbox(&self) -> Outbox<'_> {
        Outbox {
            database: &self.inner.database,
        }
    }

    /// The briefs.
    pub fn briefs(&self) -> Briefs<'_> {
        Briefs {
            database: &self.inner.database,
            totals: &self.inner.totals,
            kept: &self.inner.kept,
        }
    }

    /// The articles.
    pub fn articles(&self) -> Articles<'_> {
        Articles {
            database: &self.inner.database,
        }
    }

    /// The entities.
    pub fn entities(&self) -> Entities<'_> {
        Entities {
            database: &self.inner.database,
            mention_cache: &self.inner.mention_cache,
        }
    }

    /// The findings.
    pub fn findings(&self) -> Findings<'_> {
        Findings {
            database: &self.inner.database,
        }
    }

    /// The market data.
    pub fn market(&self) -> MarketData<'_> {
        MarketData {
            database: &self.inner.database,
        }
    }

    /// The records of a kind.
    pub fn records<R: Record>(&self) -> Records<'_, R> {
        Records {
            database: &self.inner.database,
            kind: PhantomData,
        }
    }

    /// Sentiment of briefs.
    pub fn brief_sentiments(&self) -> BriefSentiments<'_> {
        BriefSentiments {
            database: &self.inner.database,
        }
    }

    /// The agents that accounts have created.
    pub fn agents(&self) -> Agents<'_> {
        Agents {
            database: &self.inner.database,
        }
    }

    /// When agents run on schedule.
    pub fn agent_schedules(&self) -> AgentSchedules<'_> {
        AgentSchedules {
            database: &self.inner.database,
        }
    }

    /// The watchlists.
    pub fn watchlists(&self) -> Watchlists<'_> {
        Watchlists {
            database: &self.inner.database,
        }
    }

    /// The receipts.
    pub fn receipts(&self) -> Receipts<'_> {
        Receipts {
            database: &self.inner.database,
        }
    }

    /// The log of receipts.
    pub fn log(&self) -> Log<'_> {
        Log {
            database: &self.inner.database,
        }
    }

    /// The memories.
    pub fn memories(&self) -> Memories<'_> {
        Memories {
            database: &self.inner.database,
        }
    }

    /// The knowledge.
    pub fn knowledge(&self) -> Knowledge<'_> {
        Knowledge {
            database: &self.inner.database,
        }
    }

    /// The feedback.
    pub fn feedback(&self) -> Feedback<'_> {
        Feedback {
            database: &self.inner.database,
        }
    }

    /// The runs.
    pub fn runs(&self) -> Runs<'_> {
        Runs {
            database: &self.inner.database,
        }
    }

    /// The monitors.
    pub fn monitors(&self) -> Monitors<'_> {
        Monitors {
            database: &self.inner.database,
        }
    }

    /// The messages to callers' addresses.
    pub fn deliveries(&self) -> Deliveries<'_> {
        Deliveries {
            database: &self.inner.database,
        }
    }

    /// The alerts on tickers.
    pub fn alerts(&self) -> Alerts<'_> {
        Alerts {
            database: &self.inner.database,
        }
    }

    /// The reports.
    pub fn reports(&self) -> Reports<'_> {
        Reports {
            database: &self.inner.database,
        }
    }

    /// The webhooks.
    pub fn webhooks(&self) -> Webhooks<'_> {
        Webhooks {
            database: &self.inner.database,
        }
    }

    /// The feeds.
    pub fn feeds(&self) -> Feeds<'_> {
        Feeds {
            database: &self.inner.database,
        }
    }
}

/// The store's identity; a store without one is given one.
async fn identity(database: &Database) -> Result<Uuid> {
    const READ: &str = "SELECT value FROM setting WHERE name = 'store_id'";
    let parse = |text: String| {
        Uuid::try_parse(&text).map_err(|_| Error::corrupt("setting", "store_id".to_owned()))
    };
    if let Some(row) = database.row(READ, Vec::new()).await? {
        return parse(row.text(0)?);
    }
    let mut tx = database.begin(Durability::Power).await?;
    tx.execute(
        "INSERT INTO setting (name, value) VALUES ('store_id', $1) ON CONFLICT (name) DO NOTHING",
        values![Uuid::new_v4()],
    )
    .await?;
    // Another process may have got there first.
    let row = tx.row(READ, Vec::new()).await?.ok_or(Error::Conflict)?;
    tx.commit().await?;
    parse(row.text(0)?)
}
