//! Reports: who ordered which, their progress, and their content.
//!
//! A paid report is written together with its job, its charge and the record of its request. One that fails for good is
//! written together with its refund. The content of a report and who may read it are decided elsewhere.

use model::{AccountId, KeyId, KeyScope, MicroUsd, Timestamp};
use serde::{Deserialize, Serialize};

use crate::database::{Database, Durability, Row, Tx, values};
use crate::ledger::{self, AccountKey, LedgerEntry, LedgerKind};
use crate::{Completion, Error, Result, idempotency};

/// The columns that [`read_report`] reads.
macro_rules! report_columns {
    () => {
        "id, account, origin, ticker, entity_name, tier, status, is_public, scope, charge, credits, created_at, changed_at, \
         processing_ms, markdown, document, receipt, reason"
    };
}

/// The kind of the job that writes a report.
pub const REPORT_JOB: &str = "report";

/// The progress of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReportStatus {
    /// It is waiting for a worker.
    Queued,
    /// A worker is writing it.
    Running,
    /// It is written.
    Complete,
    /// It could not be written.
    Failed,
}

impl ReportStatus {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Failed => "failed",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Queued, Self::Running, Self::Complete, Self::Failed]
            .into_iter()
            .find(|status| status.as_str() == word)
    }
}

/// Where a report comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReportOrigin {
    /// An account ordered it.
    Ordered,
    /// It is one of the free set.
    Cached,
    /// An account uploaded it.
    Uploaded,
}

impl ReportOrigin {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Ordered => "ordered",
            Self::Cached => "cached",
            Self::Uploaded => "uploaded",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Ordered, Self::Cached, Self::Uploaded]
            .into_iter()
            .find(|origin| origin.as_str() == word)
    }
}

/// The rights with which a report is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportScope {
    /// The API key; `None` for a token.
    pub key: Option<KeyId>,
    /// What that key is restricted to.
    pub scope: KeyScope,
}

/// What was paid for a report, as needed for a refund.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Paid {
    key: Option<KeyId>,
    endpoint: String,
    credits: u64,
    overage: i64,
    at: i64,
}

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportRow {
    /// Identity, `RPT-…`.
    pub id: String,
    /// Its owner; `None` for the free set.
    pub account: Option<AccountId>,
    /// Where it comes from.
    pub origin: ReportOrigin,
    /// Symbol.
    pub ticker: String,
    /// Name of the company, fund or coin.
    pub entity_name: String,
    /// `quick`, `full`, `deep`, or the label of an upload.
    pub tier: String,
    /// Its progress.
    pub status: ReportStatus,
    /// Whether everyone may read it.
    pub is_public: bool,
    /// The rights with which it is written.
    pub scope: ReportScope,
    /// Credits charged for it.
    pub credits: u64,
    /// When it was ordered or uploaded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub changed_at: Timestamp,
    /// How long it took to write.
    pub processing_ms: u64,
    /// The text; empty until it is complete.
    pub markdown: String,
    /// The report as JSON, in words of its writer.
    pub document: Option<String>,
    /// The receipt of the run that wrote it.
    pub receipt: Option<String>,
    /// Why it failed.
    pub reason: Option<String>,
}

/// A report without its content.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportSummary {
    /// Identity.
    pub id: String,
    /// Symbol.
    pub ticker: String,
    /// Tier or label.
    pub tier: String,
    /// Its progress.
    pub status: ReportStatus,
    /// Credits charged for it.
    pub credits: u64,
    /// How long it took to write.
    pub processing_ms: u64,
    /// When it was ordered or uploaded.
    pub created_at: Timestamp,
}

/// What a worker wrote.
#[derive(Clone, Copy, Debug)]
pub struct WrittenReport<'a> {
    /// The text.
    pub markdown: &'a str,
    /// The report as JSON.
    pub document: &'a str,
    /// The receipt of the run.
    pub receipt: Option<&'a str>,
    /// How long it took.
    pub processing_ms: u64,
}

/// The reports. Every query made for a caller takes the owner.
#[derive(Clone, Copy, Debug)]
pub struct Reports<'a> {
    pub(crate) database: &'a Database,
}

impl Reports<'_> {
    /// Orders a report: row, job, charge and the record of its request, all or nothing. [`Error::Full`] if the account
    /// has `most_open` that are not written yet, or `most` altogether.
    pub async fn order(
        &self,
        report: &ReportRow,
        charge: Option<LedgerEntry>,
        (most_open, most): (u64, u64),
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let mut tx = self
            .database
            .begin_owned(report.account, Durability::Power)
            .await?;
        let owner = report.account.map(|account| account.0);
        let open =
            "SELECT COUNT(*) FROM report WHERE account = $1 AND status IN ('queued', 'running')";
        refuse_more(
            &mut tx,
            open,
            values![owner],
            "reports that are being written",
            most_open,
        )
        .await?;
        let all = "SELECT COUNT(*) FROM report WHERE account = $1 AND origin = 'ordered'";
        refuse_more(&mut tx, all, values![owner], "reports", most).await?;
        let paid = charge.as_ref().map(|charge| Paid {
            key: charge.key,
            endpoint: charge.endpoint.clone(),
            credits: charge.credits,
            overage: charge.overage.0,
            at: charge.at.ms(),
        });
        insert(&mut tx, report, paid.as_ref()).await?;
        let job = "INSERT INTO job (kind, payload, state, attempts, run_at, lease_until, unique_key) \
                   VALUES ($1, $2, 'queued', 0, $3, 0, $2)";
        tx.execute(job, values![REPORT_JOB, &report.id, report.created_at])
            .await?;
        if let Some(charge) = charge {
            ledger::append(&mut tx, &[charge]).await?;
        }
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// Adds an uploaded report, together with the record of its request. [`Error::Full`] if the account already has
    /// `most`.
    pub async fn upload(
        &self,
        report: &ReportRow,
        most: u64,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let mut tx = self
            .database
            .begin_owned(report.account, Durability::Power)
            .await?;
        let all = "SELECT COUNT(*) FROM report WHERE account = $1 AND origin = 'uploaded'";
        let owner = report.account.map(|account| account.0);
        refuse_more(&mut tx, all, values![owner], "uploaded reports", most).await?;
        insert(&mut tx, report, None).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// Writes a report of the free set in place of the previous one, which has the same ID.
    pub async fn put_cached(&self, report: &ReportRow) -> Result<()> {
        let mut tx = self.database.begin(Durability::Process).await?;
        let sql = "DELETE FROM report WHERE id = $1 AND origin = 'cached'";
        tx.execute(sql, values![&report.id]).await?;
        insert(&mut tx, report, None).await?;
        tx.commit().await
    }

    /// The report with that ID, whoever asks: callers decide who may read it.
    pub async fn find(&self, id: &str) -> Result<Option<ReportRow>> {
        let sql = concat!("SELECT ", report_columns!(), " FROM report WHERE id = $1");
        let row = self.database.row(sql, values![id]).await?;
        row.as_ref().map(read_report).transpose()
    }

    /// Whether a report exists, as of when, and whether everyone may read it: a cheap check.
    pub async fn version(&self, id: &str) -> Result<Option<(Timestamp, bool, Option<AccountId>)>> {
        let sql = "SELECT changed_at, is_public, account FROM report WHERE id = $1";
        let row = self.database.row(sql, values![id]).await?;
        row.map(|row| {
            let owner = row.id_option(2, "report")?.map(AccountId);
            Ok((row.time(0)?, row.int(1)? != 0, owner))
        })
        .transpose()
    }

    /// The owner's reports, newest first, and how many there are.
    pub async fn list(&self, owner: AccountId, limit: u64) -> Result<(Vec<ReportSummary>, u64)> {
        let sql = "SELECT id, ticker, tier, status, credits, processing_ms, created_at FROM report WHERE account = $1 \
                   ORDER BY created_at DESC, id DESC LIMIT $2";
        let rows = self.database.rows(sql, values![owner.0, limit]).await?;
        let total = "SELECT COUNT(*) FROM report WHERE account = $1";
        let total = self.database.number(total, values![owner.0]).await?;
        let found = rows.iter().map(|row| {
            let id = row.text(0)?;
            Ok(ReportSummary {
                status: status(&row.text(3)?, &id)?,
                id,
                ticker: row.text(1)?,
                tier: row.text(2)?,
                credits: row.count(4)?,
                processing_ms: row.count(5)?,
                created_at: row.time(6)?,
            })
        });
        Ok((
            found.collect::<Result<_>>()?,
            u64::try_from(total).unwrap_or(0),
        ))
    }

    /// Makes the owner's report public or private; `false` if there is none.
    pub async fn publish(
        &self,
        owner: AccountId,
        id: &str,
        is_public: bool,
        now: Timestamp,
    ) -> Result<bool> {
        let sql =
            "UPDATE report SET is_public = $3, changed_at = $4 WHERE account = $1 AND id = $2";
        let asked = values![owner.0, id, i64::from(is_public), now];
        Ok(self.database.write(sql, asked).await? > 0)
    }

    /// Deletes the owner's report; `false` if there is none. One that is being written stays.
    pub async fn delete(&self, owner: AccountId, id: &str) -> Result<bool> {
        let sql = "DELETE FROM report WHERE account = $1 AND id = $2 AND status NOT IN ('queued', 'running')";
        Ok(self.database.write(sql, values![owner.0, id]).await? > 0)
    }

    /// Marks a report as begun or resumed by a worker.
    pub async fn start(&self, id: &str, now: Timestamp) -> Result<bool> {
        let sql = "UPDATE report SET status = 'running', changed_at = $2 WHERE id = $1 AND status IN ('queued', 'running')";
        Ok(self.database.write(sql, values![id, now]).await? > 0)
    }

    /// Marks a report as written and its job as done, in one transaction; `false` if it was already finished.
    pub async fn complete(
        &self,
        id: &str,
        job: i64,
        written: WrittenReport<'_>,
        now: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "UPDATE report SET status = 'complete', markdown = $2, document = $3, receipt = $4, processing_ms = $5, \
                   changed_at = $6 WHERE id = $1 AND status IN ('queued', 'running')";
        let asked = values![
            id,
            written.markdown,
            written.document,
            written.receipt,
            written.processing_ms,
            now
        ];
        let changed = tx.execute(sql, asked).await? > 0;
        tx.execute("DELETE FROM job WHERE id = $1", values![job])
            .await?;
        tx.commit().await?;
        Ok(changed)
    }

    /// Marks a report as failed for good: its job ends, and what was paid is refunded by a ledger row, once. Returns
    /// the refund.
    pub async fn fail(
        &self,
        id: &str,
        job: i64,
        reason: &str,
        now: Timestamp,
    ) -> Result<Option<LedgerEntry>> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "UPDATE report SET status = 'failed', reason = $2, credits = 0, changed_at = $3 \
                   WHERE id = $1 AND status IN ('queued', 'running') RETURNING account, charge";
        let row = tx.row(sql, values![id, reason, now]).await?;
        tx.execute("DELETE FROM job WHERE id = $1", values![job])
            .await?;
        let mut refund = None;
        if let Some(row) = row
            && let (Some(account), Some(charge)) =
                (row.id_option(0, "report")?, row.text_option(1)?)
        {
            let paid: Paid = serde_json::from_str(&charge).map_err(|_| corrupt(id))?;
            let entry = LedgerEntry {
                account: AccountKey::Account(AccountId(account)),
                key: paid.key,
                endpoint: paid.endpoint,
                calls: 0,
                credits: paid.credits,
                overage: MicroUsd(paid.overage),
                // In the month that was charged, so that it frees that month's limits.
                at: Timestamp::from_ms(paid.at),
                kind: LedgerKind::Refund,
            };
            ledger::append(&mut tx, std::slice::from_ref(&entry)).await?;
            refund = Some(entry);
        }
        tx.commit().await?;
        Ok(refund)
    }
}

async fn refuse_more(
    tx: &mut Tx,
    sql: &'static str,
    values: Vec<crate::database::Value>,
    kind: &'static str,
    most: u64,
) -> Result<()> {
    if tx.number(sql, values).await? >= most.cast_signed() {
        return Err(Error::Full { kind, most });
    }
    Ok(())
}

async fn insert(tx: &mut Tx, report: &ReportRow, paid: Option<&Paid>) -> Result<()> {
    let encode = |source| Error::Encode {
        table: "report",
        source,
    };
    let scope = serde_json::to_string(&report.scope).map_err(encode)?;
    let charge = paid
        .map(serde_json::to_string)
        .transpose()
        .map_err(encode)?;
    let sql = concat!(
        "INSERT INTO report (",
        report_columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)"
    );
    let row = values![
        &report.id,
        report.account.map(|account| account.0),
        report.origin.as_str(),
        &report.ticker,
        &report.entity_name,
        &report.tier,
        report.status.as_str(),
        i64::from(report.is_public),
        scope,
        charge.as_deref(),
        report.credits,
        report.created_at,
        report.changed_at,
        report.processing_ms,
        &report.markdown,
        report.document.as_deref(),
        report.receipt.as_deref(),
        report.reason.as_deref(),
    ];
    tx.execute(sql, row).await.map(drop)
}

fn corrupt(id: &str) -> Error {
    Error::Corrupt {
        table: "report",
        id: id.to_owned(),
    }
}

fn status(word: &str, id: &str) -> Result<ReportStatus> {
    ReportStatus::parse(word).ok_or_else(|| corrupt(id))
}

fn read_report(row: &Row) -> Result<ReportRow> {
    let id = row.text(0)?;
    Ok(ReportRow {
        account: row.id_option(1, "report")?.map(AccountId),
        origin: ReportOrigin::parse(&row.text(2)?).ok_or_else(|| corrupt(&id))?,
        ticker: row.text(3)?,
        entity_name: row.text(4)?,
        tier: row.text(5)?,
        status: status(&row.text(6)?, &id)?,
        is_public: row.int(7)? != 0,
        scope: serde_json::from_str(&row.text(8)?).map_err(|_| corrupt(&id))?,
        credits: row.count(10)?,
        created_at: row.time(11)?,
        changed_at: row.time(12)?,
        processing_ms: row.count(13)?,
        markdown: row.text(14)?,
        document: row.text_option(15)?,
        receipt: row.text_option(16)?,
        reason: row.text_option(17)?,
        id,
    })
}
