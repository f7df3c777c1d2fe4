//! Opening the pools: pragmas, permissions and limits.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::PoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions, PgPool};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::turnstile::Turnstile;
use super::{Database, Pools, Scratch, Work, encryption};
use crate::{Error, Location, Result};

/// The database file in the data directory.
const FILE_NAME: &str = "assay.sqlite";

/// The lock file next to it.
const TURNSTILE: &str = "assay.lock";

const READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 12;
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait for a connection from our own pool before the store counts as busy.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(30);
/// Enough for every statement in this crate, including the chunks of multi-row inserts.
const STATEMENTS: usize = 256;

impl Database {
    /// Connects; creates what is missing only where `create` says so.
    pub(crate) fn connect(location: &Location, create: bool) -> Work<'_, Self> {
        Box::pin(async move {
            match location {
                Location::Memory => {
                    // SQLite's own in-memory databases either let readers and writers lock each other out or cannot be
                    // shared. A file in the temporary directory behaves like the real thing.
                    let directory = std::env::temp_dir()
                        .join(format!("assay-scratch-{}", Uuid::new_v4().simple()));
                    let off = SqliteSynchronous::Off;
                    sqlite(&directory, off, off, Some(Scratch(directory.clone()))).await
                }
                Location::Directory(directory) => {
                    if !create && !directory.join(FILE_NAME).is_file() {
                        return Err(Error::Missing(directory.display().to_string()));
                    }
                    sqlite(
                        directory,
                        SqliteSynchronous::Normal,
                        SqliteSynchronous::Full,
                        None,
                    )
                    .await
                }
                Location::Postgres(url) => postgres(url, create).await,
            }
        })
    }
}

async fn postgres(url: &str, create: bool) -> Result<Database> {
    let options = encryption::options(url)?
        .application_name("assay")
        .statement_cache_capacity(STATEMENTS)
        .options([("lock_timeout", "10000")])
        .disable_statement_logging();
    let pool = PoolOptions::new()
        .max_connections(POSTGRES_CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_with(options)
        .await?;
    if create {
        create_schema(&pool).await?;
    }
    Ok(Database {
        pools: Pools::Postgres(pool),
        gate: Arc::new(Semaphore::new(1)),
        directory: None,
        _scratch: None,
    })
}

/// Creates the schema named in the URL's `options[search_path]` if it is missing: several stores may share a database.
async fn create_schema(pool: &PgPool) -> Result<()> {
    let current: Option<String> = sqlx::query_scalar("SELECT current_schema()::text")
        .fetch_one(pool)
        .await?;
    if current.is_some() {
        return Ok(());
    }
    let path: String = sqlx::query_scalar("SHOW search_path")
        .fetch_one(pool)
        .await?;
    let name = path.split(',').next().unwrap_or_default().trim();
    let is_plain = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if is_plain {
        let statement = AssertSqlSafe(format!("CREATE SCHEMA IF NOT EXISTS {name}"));
        sqlx::query(statement).execute(pool).await?;
    }
    Ok(())
}

async fn sqlite(
    directory: &Path,
    usual: SqliteSynchronous,
    durable: SqliteSynchronous,
    scratch: Option<Scratch>,
) -> Result<Database> {
    let path = create_files(directory.to_owned()).await?;
    let base = SqliteConnectOptions::new()
        .filename(&path)
        .journal_mode(SqliteJournalMode::Wal)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        .page_size(4096)
        .statement_cache_capacity(STATEMENTS)
        .pragma("temp_store", "memory")
        .disable_statement_logging();
    // Eight megabytes of write-ahead log between checkpoints; the file is truncated after a burst.
    let writing = base
        .clone()
        .pragma("cache_size", "-32768")
        // Small, because the commit that reaches it also pays for it: no writer waits for long.
        .pragma("wal_autocheckpoint", "2000")
        .pragma("journal_size_limit", "67108864");
    let turnstile = Turnstile::open(&directory.join(TURNSTILE)).await;
    let gate = Arc::new(Semaphore::new(1));
    // The very first connection switches the database to its write-ahead log; SQLite then does not wait for others but
    // reports the database as busy. So processes that open it at the same moment queue.
    let passed = match (&turnstile, Arc::clone(&gate).acquire_owned().await) {
        (Some(turnstile), Ok(permit)) => Some(turnstile.pass(permit).await),
        _ => None,
    };
    let writer = endless()
        .max_connections(1)
        .connect_with(writing.clone().synchronous(usual))
        .await?;
    drop(passed);
    let durable = endless()
        .max_connections(1)
        // Data that must not be lost is written a few rows at a time.
        .connect_lazy_with(writing.synchronous(durable).pragma("cache_size", "-8192"));
    let readers = endless().max_connections(READERS).connect_lazy_with(
        base.synchronous(usual)
            // The pages are also in the operating system's cache, once for all connections.
            .pragma("cache_size", "-2048")
            .pragma("query_only", "on"),
    );
    Ok(Database {
        pools: Pools::Sqlite {
            turnstile,
            writer,
            durable,
            readers,
        },
        gate,
        directory: Some(directory.to_owned()),
        _scratch: scratch,
    })
}

/// A pool whose connections neither age nor are pinged before use: they are files, not sockets.
fn endless() -> PoolOptions<sqlx::Sqlite> {
    PoolOptions::new()
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// Creates the directory and file so that only their owner can read them; SQLite gives its side files the permissions
/// of the main file.
async fn create_files(directory: PathBuf) -> Result<PathBuf> {
    let fault = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::Files { path, source }
    };
    let path = directory.join(FILE_NAME);
    let mut builder = tokio::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder
        .create(&directory)
        .await
        .map_err(fault(&directory))?;
    private_file()
        .create(true)
        .append(true)
        .open(&path)
        .await
        .map_err(fault(&path))?;
    Ok(path)
}

/// Options for a file that only its owner may read.
pub(crate) fn private_file() -> tokio::fs::OpenOptions {
    let mut options = tokio::fs::OpenOptions::new();
    #[cfg(unix)]
    options.mode(0o600);
    options
}
