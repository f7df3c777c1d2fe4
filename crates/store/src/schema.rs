//! Schema versions: numbered scripts, each applied once and in full.
//!
//! There is no downgrade: an older program refuses a newer schema and changes nothing.

use model::DataMode;

use crate::database::{Database, Dialect, Tx, WriteLock, values};
use crate::{Error, Result};

/// The scripts, starting with number one. A published script is never changed, only followed by another.
const SCRIPTS: &[&str] = &[
    include_str!("migrations/0001_initial.sql"),
    include_str!("migrations/0002_findings.sql"),
    include_str!("migrations/0003_reading.sql"),
    include_str!("migrations/0004_market.sql"),
    include_str!("migrations/0005_ledger_journal.sql"),
    include_str!("migrations/0006_page_attempts.sql"),
    include_str!("migrations/0007_quote_version.sql"),
    include_str!("migrations/0008_accounts.sql"),
    include_str!("migrations/0009_pruning.sql"),
    include_str!("migrations/0010_packed.sql"),
    include_str!("migrations/0011_verification.sql"),
    include_str!("migrations/0012_way_out.sql"),
    include_str!("migrations/0013_runs.sql"),
    include_str!("migrations/0014_reports.sql"),
    include_str!("migrations/0015_agents.sql"),
    include_str!("migrations/0016_split.sql"),
    include_str!("migrations/0017_merge.sql"),
    include_str!("migrations/0018_snapshot.sql"),
    include_str!("migrations/0019_snapshot_claims.sql"),
];

/// The newest version that this program supports.
pub(crate) const KNOWN: i64 = SCRIPTS.len() as i64;

/// Brings the schema up to date and returns the mode of the data. `wanted` is the mode for data created here; without
/// it, nothing is created.
pub(crate) async fn migrate(database: &Database, wanted: Option<DataMode>) -> Result<DataMode> {
    let mut tx = database.begin_locked(WriteLock::Migrate).await?;
    let Some(found) = version(&mut tx, database.dialect()).await? else {
        let mode = wanted.ok_or_else(|| Error::Missing("the database".to_owned()))?;
        tx.script(
            "CREATE TABLE schema_version (version BIGINT NOT NULL, mode TEXT NOT NULL)".to_owned(),
        )
        .await?;
        tx.execute(
            "INSERT INTO schema_version (version, mode) VALUES (0, $1)",
            values![mode.as_str()],
        )
        .await?;
        apply(tx, database, 0).await?;
        return Ok(mode);
    };
    let (found, mode) = found;
    if found > KNOWN {
        return Err(Error::NewerSchema {
            found,
            known: KNOWN,
        });
    }
    if let Some(wanted) = wanted
        && wanted != mode
    {
        return Err(Error::WrongMode {
            is: mode.as_str(),
            wanted: wanted.as_str(),
        });
    }
    apply(tx, database, found).await?;
    Ok(mode)
}

/// Applies the scripts after version `from`, each in its own transaction; the first one continues with `tx`.
async fn apply(mut tx: Tx, database: &Database, from: i64) -> Result<()> {
    let mut at = from;
    loop {
        let Some(script) = usize::try_from(at).ok().and_then(|at| SCRIPTS.get(at)) else {
            return tx.commit().await;
        };
        tx.script(database.dialect().speak(script)).await?;
        tx.execute("UPDATE schema_version SET version = $1", values![at + 1])
            .await?;
        tx.commit().await?;
        tx = database.begin_locked(WriteLock::Migrate).await?;
        // Another process may have moved on in the meantime.
        at = version(&mut tx, database.dialect())
            .await?
            .map_or(at + 1, |(version, _)| version);
    }
}

/// Version and mode of the data; `None` if there is none.
async fn version(tx: &mut Tx, dialect: Dialect) -> Result<Option<(i64, DataMode)>> {
    let exists = match dialect {
        Dialect::Sqlite => {
            "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'"
        }
        Dialect::Postgres => {
            "SELECT COUNT(*) FROM information_schema.tables \
             WHERE table_schema = current_schema() AND table_name = 'schema_version'"
        }
    };
    if tx.number(exists, Vec::new()).await? == 0 {
        return Ok(None);
    }
    let row = tx
        .row("SELECT version, mode FROM schema_version", Vec::new())
        .await?;
    let row = row.ok_or_else(|| Error::corrupt("schema_version", ""))?;
    let word = row.text(1)?;
    let mode = DataMode::parse(&word).ok_or_else(|| Error::corrupt("schema_version", word))?;
    Ok(Some((row.int(0)?, mode)))
}
