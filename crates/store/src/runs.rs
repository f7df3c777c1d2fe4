//! Runs: work in several steps, as it was carried out.
//!
//! A run is written as a whole when it is done, or step by step if another process may have to resume it. What its
//! steps mean is known above; here they are documents.

use model::{AccountId, Timestamp};

use crate::database::{Database, Durability, Row, Tx, Value, parameters, values};
use crate::{Error, Result};

/// The columns that [`read_run`] reads.
const COLUMNS: &str = "id, account, kind, subject, status, inputs, output, credits, duration_ms, created_at, receipt, session";

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// Identity.
    pub id: String,
    /// Its owner; `None` for the demo key.
    pub account: Option<AccountId>,
    /// The product: `swarm`, `agent` and the like.
    pub kind: String,
    /// What it is about: an agent's slug, or a ticker.
    pub subject: String,
    /// `running`, `complete`, `failed` or `budget_exhausted`.
    pub status: String,
    /// What was asked, as JSON.
    pub inputs: String,
    /// The outcome, as JSON.
    pub output: Option<String>,
    /// What was charged.
    pub credits: u64,
    /// How long it took.
    pub duration_ms: u64,
    /// When it began.
    pub created_at: Timestamp,
    /// Its receipt.
    pub receipt: Option<String>,
    /// The session by which its caller knows it.
    pub session: Option<String>,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRow {
    /// Starting at 1, in the order in which steps were begun.
    pub number: u32,
    /// Unique within its run.
    pub name: String,
    /// The step, as JSON.
    pub body: String,
}

/// The runs. Every query made for a caller takes the owner.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    pub(crate) database: &'a Database,
}

impl Runs<'_> {
    /// Writes a run with its steps; a run with the same ID is replaced.
    pub async fn record(&self, run: &RunRow, steps: &[StepRow]) -> Result<()> {
        let mut tx = self.database.begin(Durability::Process).await?;
        put(&mut tx, run).await?;
        for step in steps {
            put_step(&mut tx, &run.id, step).await?;
        }
        tx.commit().await
    }

    /// Writes a run that is starting. [`Error::Full`] if its owner has begun `most` of these kinds since then.
    pub async fn begin(
        &self,
        run: &RunRow,
        kinds: &[&str],
        since: Timestamp,
        most: u64,
    ) -> Result<()> {
        let mut tx = self
            .database
            .begin_owned(run.account, Durability::Process)
            .await?;
        let (sql, asked) = counted(run.account, kinds, since);
        let begun = tx.number(sql, asked).await?;
        if u64::try_from(begun).unwrap_or(0) >= most {
            return Err(Error::Full { kind: "runs", most });
        }
        put(&mut tx, run).await?;
        tx.commit().await
    }

    /// Writes a step of a run in progress; a step with the same number is replaced.
    pub async fn add_step(&self, run: &str, step: &StepRow) -> Result<()> {
        let mut tx = self.database.begin(Durability::Process).await?;
        put_step(&mut tx, run, step).await?;
        tx.commit().await
    }

    /// A run belonging to its owner.
    pub async fn find(&self, owner: AccountId, id: &str) -> Result<Option<RunRow>> {
        let sql = format!("SELECT {COLUMNS} FROM run WHERE id = $1 AND account = $2");
        let row = self.database.row(sql, values![id, owner.0]).await?;
        row.as_ref().map(read_run).transpose()
    }

    /// The steps of a run, in order.
    pub async fn steps(&self, run: &str) -> Result<Vec<StepRow>> {
        let sql = "SELECT number, name, body FROM run_step WHERE run = $1 ORDER BY number";
        let rows = self.database.rows(sql, values![run]).await?;
        let steps = rows.iter().map(|row| {
            Ok(StepRow {
                number: u32::try_from(row.int(0)?).unwrap_or(0),
                name: row.text(1)?,
                body: row.text(2)?,
            })
        });
        steps.collect()
    }

    /// An owner's runs, newest first.
    pub async fn list(
        &self,
        owner: AccountId,
        kind: Option<&str>,
        limit: u64,
    ) -> Result<Vec<RunRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM run WHERE account = $1 AND ($2 = '' OR kind = $2) \
             ORDER BY created_at DESC, id DESC LIMIT $3"
        );
        let asked = values![owner.0, kind.unwrap_or_default(), limit];
        let rows = self.database.rows(sql, asked).await?;
        rows.iter().map(read_run).collect()
    }

    /// Whether an owner has ever run anything.
    pub async fn has_run(&self, owner: AccountId, kind: &str, subject: &str) -> Result<bool> {
        let sql = "SELECT COUNT(*) FROM (SELECT 1 FROM run WHERE kind = $1 AND subject = $2 AND account = $3 LIMIT 1) AS found";
        let asked = values![kind, subject, owner.0];
        Ok(self.database.number(sql, asked).await? > 0)
    }

    /// How many runs of these kinds an owner has begun since then.
    pub async fn count_since(
        &self,
        owner: AccountId,
        kinds: &[&str],
        since: Timestamp,
    ) -> Result<u64> {
        let (sql, asked) = counted(Some(owner), kinds, since);
        let begun = self.database.number(sql, asked).await?;
        Ok(u64::try_from(begun).unwrap_or(0))
    }

    /// How many runs of a kind were done for each subject, whoever asked for them.
    pub async fn counts_by_subject(&self, kind: &str) -> Result<Vec<(String, u64)>> {
        let sql =
            "SELECT subject, COUNT(*) FROM run WHERE kind = $1 GROUP BY subject ORDER BY subject";
        let rows = self.database.rows(sql, values![kind]).await?;
        rows.iter()
            .map(|row| Ok((row.text(0)?, row.count(1)?)))
            .collect()
    }

    /// Deletes runs that began before a time, whoever asked for them; returns how many.
    pub async fn prune(&self, before: Timestamp) -> Result<u64> {
        let sql = "DELETE FROM run WHERE created_at < $1";
        self.database.write(sql, values![before]).await
    }
}

/// The query for how many runs of these kinds somebody has begun; callers without an account are counted together.
fn counted(owner: Option<AccountId>, kinds: &[&str], since: Timestamp) -> (String, Vec<Value>) {
    let whose = if owner.is_some() {
        "account = $2"
    } else {
        "account IS NULL AND $2 = ''"
    };
    let mut asked = values![
        since,
        owner.map_or_else(String::new, |owner| owner.0.to_string())
    ];
    let sql = format!(
        "SELECT COUNT(*) FROM run WHERE created_at >= $1 AND {whose} AND kind IN ({})",
        parameters(3, kinds.len())
    );
    for kind in kinds {
        asked.extend(values![*kind]);
    }
    (sql, asked)
}

async fn put(tx: &mut Tx, run: &RunRow) -> Result<()> {
    let sql = "INSERT INTO run (id, account, kind, subject, status, inputs, output, credits, duration_ms, created_at, receipt, session) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO UPDATE SET status = excluded.status, \
               output = excluded.output, credits = excluded.credits, duration_ms = excluded.duration_ms, receipt = excluded.receipt";
    let asked = values![
        &run.id,
        run.account.map(|owner| owner.0),
        &run.kind,
        &run.subject,
        &run.status,
        &run.inputs,
        run.output.as_deref(),
        run.credits,
        run.duration_ms,
        run.created_at,
        run.receipt.as_deref(),
        run.session.as_deref(),
    ];
    tx.execute(sql, asked).await?;
    Ok(())
}

async fn put_step(tx: &mut Tx, run: &str, step: &StepRow) -> Result<()> {
    let sql = "INSERT INTO run_step (run, number, name, body) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (run, number) DO UPDATE SET name = excluded.name, body = excluded.body";
    let asked = values![run, u64::from(step.number), &step.name, &step.body];
    tx.execute(sql, asked).await?;
    Ok(())
}

fn read_run(row: &Row) -> Result<RunRow> {
    Ok(RunRow {
        id: row.text(0)?,
        account: row.id_option(1, "run")?.map(AccountId),
        kind: row.text(2)?,
        subject: row.text(3)?,
        status: row.text(4)?,
        inputs: row.text(5)?,
        output: row.text_option(6)?,
        credits: row.count(7)?,
        duration_ms: row.count(8)?,
        created_at: row.time(9)?,
        receipt: row.text_option(10)?,
        session: row.text_option(11)?,
    })
}
