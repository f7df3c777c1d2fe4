//! The ledger: charges to each customer, append-only, and the totals that limits are checked against.

use std::collections::BTreeMap;
use std::fmt;

use model::{AccountId, KeyId, MicroUsd, Timestamp};
use uuid::Uuid;

use crate::database::{Database, Durability, Tx, Value, values};
use crate::{Completion, Result, idempotency};

/// The totals for a selection of usage rows.
macro_rules! sums {
    () => {
        "CAST(COALESCE(SUM(calls), 0) AS BIGINT), CAST(COALESCE(SUM(credits), 0) AS BIGINT), \
         CAST(COALESCE(SUM(overage), 0) AS BIGINT)"
    };
}

/// Who is charged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountKey {
    /// A registered account.
    Account(AccountId),
    /// A user of the demo key, counted by client address.
    Demo(String),
}

impl fmt::Display for AccountKey {
    /// The text under which it is stored.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account(id) => id.0.hyphenated().fmt(f),
            Self::Demo(address) => write!(f, "demo:{address}"),
        }
    }
}

/// What a ledger row does to the totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LedgerKind {
    /// Adds calls, credits and overage.
    Charge,
    /// Subtracts calls (usually 0), credits and overage.
    Refund,
}

impl LedgerKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Charge => "charge",
            Self::Refund => "refund",
        }
    }
}

/// One row of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// Who is charged.
    pub account: AccountKey,
    /// The key that was used.
    pub key: Option<KeyId>,
    /// Method and route: `GET /api/v1/feed`.
    pub endpoint: String,
    /// Number of calls.
    pub calls: u64,
    /// Number of credits.
    pub credits: u64,
    /// The part beyond the included credits, in money.
    pub overage: MicroUsd,
    /// When it happened; determines the day and month, in UTC.
    pub at: Timestamp,
    /// Charge or refund.
    pub kind: LedgerKind,
}

/// Names a batch of charges, so that it counts only once however often it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchId {
    /// The journal it comes from.
    pub journal: Uuid,
    /// Its number there, starting at 1. The batches of a journal are written in numerical order.
    pub number: u64,
}

/// The totals for one month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MonthUsage {
    /// Calls.
    pub calls: u64,
    /// Credits.
    pub credits: u64,
    /// Overage.
    pub overage: MicroUsd,
}

/// The totals for one endpoint this month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointUsage {
    /// Method and route.
    pub endpoint: String,
    /// Calls.
    pub calls: u64,
    /// Credits.
    pub credits: u64,
}

/// What an account used today and this month, in UTC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageReport {
    /// Calls today.
    pub calls_today: u64,
    /// Calls this month.
    pub calls_month: u64,
    /// Credits today.
    pub credits_today: u64,
    /// Credits this month.
    pub credits_month: u64,
    /// Overage today.
    pub overage_today: MicroUsd,
    /// Overage this month.
    pub overage_month: MicroUsd,
    /// This month by endpoint, most credits first.
    pub by_endpoint: Vec<EndpointUsage>,
    /// The days this month on which something was used, newest first.
    pub by_day: Vec<DayUsage>,
}

/// What was used on one day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayUsage {
    /// `YYYY-MM-DD`, UTC.
    pub date: String,
    /// By endpoint, most credits first.
    pub by_endpoint: Vec<EndpointUsage>,
}

/// The ledger.
#[derive(Clone, Copy, Debug)]
pub struct Ledger<'a> {
    pub(crate) database: &'a Database,
}

impl Ledger<'_> {
    /// Appends entries and updates the totals, all or nothing. Survives a crash of the process, but not always a power
    /// failure.
    pub async fn append(&self, entries: &[LedgerEntry]) -> Result<()> {
        self.append_with(entries, Durability::Process).await
    }

    /// As [`append`](Self::append), but on disk when it returns: for charges of five credits or more.
    pub async fn append_durable(&self, entries: &[LedgerEntry]) -> Result<()> {
        self.append_with(entries, Durability::Power).await
    }

    /// As [`append_durable`](Self::append_durable), but once per batch: `false` if the batch, or a later one from its
    /// journal, is already in the ledger. This keeps a commit whose response was lost, or a journal that is read again,
    /// from being counted twice.
    pub async fn append_batch(
        &self,
        id: BatchId,
        entries: &[LedgerEntry],
        now: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.database.begin(Durability::Power).await?;
        let sql = "INSERT INTO ledger_journal (journal, batch, at) VALUES ($1, $2, $3) \
                   ON CONFLICT (journal) DO UPDATE SET batch = excluded.batch, at = excluded.at \
                   WHERE ledger_journal.batch < excluded.batch";
        let number = i64::try_from(id.number).unwrap_or(i64::MAX);
        if tx.execute(sql, values![id.journal, number, now]).await? == 0 {
            return Ok(false);
        }
        append(&mut tx, entries).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Removes journals that have written nothing since `before`; returns how many.
    pub async fn prune_journals(&self, before: Timestamp) -> Result<u64> {
        self.database
            .write("DELETE FROM ledger_journal WHERE at < $1", values![before])
            .await
    }

    /// Writes a charge and completes the idempotency record of the request it pays for, in one durable transaction.
    pub async fn append_completing(
        &self,
        charge: LedgerEntry,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let mut tx = self.database.begin(Durability::Power).await?;
        append(&mut tx, &[charge]).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// The totals for a month written as `YYYY-MM`.
    pub async fn month(&self, account: &AccountKey, month: &str) -> Result<MonthUsage> {
        let sql = concat!(
            "SELECT ",
            sums!(),
            " FROM usage WHERE account = $1 AND period = $2"
        );
        let row = self
            .database
            .row(sql, values![account.to_string(), month])
            .await?;
        row.map_or(Ok(MonthUsage::default()), |row| {
            Ok(MonthUsage {
                calls: row.count(0)?,
                credits: row.count(1)?,
                overage: MicroUsd(row.int(2)?),
            })
        })
    }

    /// Usage today and this month.
    pub async fn usage(&self, account: &AccountKey, now: Timestamp) -> Result<UsageReport> {
        let sql = concat!(
            "SELECT period, endpoint, ",
            sums!(),
            " FROM usage WHERE account = $1 AND period >= $2 AND period <= $3 \
             GROUP BY period, endpoint ORDER BY period DESC"
        );
        // As text, a month sorts before its days.
        let (month, day) = (now.month(), now.date());
        let rows = self
            .database
            .rows(sql, values![account.to_string(), &month, &day])
            .await?;
        let mut report = UsageReport::default();
        for row in &rows {
            let (calls, credits, overage) = (row.count(2)?, row.count(3)?, row.int(4)?);
            let (period, usage) = (
                row.text(0)?,
                EndpointUsage {
                    endpoint: row.text(1)?,
                    calls,
                    credits,
                },
            );
            if period == month {
                report.calls_month += calls;
                report.credits_month += credits;
                report.overage_month.0 += overage;
                report.by_endpoint.push(usage);
                continue;
            }
            if period == day {
                report.calls_today += calls;
                report.credits_today += credits;
                report.overage_today.0 += overage;
            }
            match report.by_day.last_mut() {
                Some(last) if last.date == period => last.by_endpoint.push(usage),
                _ => report.by_day.push(DayUsage {
                    date: period,
                    by_endpoint: vec![usage],
                }),
            }
        }
        let days = report.by_day.iter_mut().map(|day| &mut day.by_endpoint);
        for usage in days.chain([&mut report.by_endpoint]) {
            usage.sort_by(|left, right| {
                right
                    .credits
                    .cmp(&left.credits)
                    .then_with(|| left.endpoint.cmp(&right.endpoint))
            });
        }
        Ok(report)
    }

    /// Calls today and this month for each key of an account that was used this month.
    pub async fn key_usage(
        &self,
        account: AccountId,
        now: Timestamp,
    ) -> Result<Vec<(KeyId, u64, u64)>> {
        let sql = "SELECT key_id, CAST(SUM(CASE WHEN period = $3 THEN calls ELSE 0 END) AS BIGINT), \
                   CAST(SUM(CASE WHEN period = $2 THEN calls ELSE 0 END) AS BIGINT) \
                   FROM usage WHERE account = $1 AND period IN ($2, $3) AND key_id <> '' GROUP BY key_id ORDER BY key_id";
        let account = AccountKey::Account(account).to_string();
        let rows = self
            .database
            .rows(sql, values![account, now.month(), now.date()])
            .await?;
        rows.iter()
            .map(|row| Ok((KeyId(row.id(0, "usage")?), row.count(1)?, row.count(2)?)))
            .collect()
    }

    /// Credits of all of an account's rows, charges less refunds: what the totals are checked against.
    pub async fn total(&self, account: &AccountKey) -> Result<u64> {
        let sql = "SELECT CAST(COALESCE(SUM(CASE WHEN kind = 'refund' THEN -credits ELSE credits END), 0) AS BIGINT) \
                   FROM ledger WHERE account = $1";
        Ok(u64::try_from(
            self.database
                .number(sql, values![account.to_string()])
                .await?,
        )
        .unwrap_or(0))
    }

    async fn append_with(&self, entries: &[LedgerEntry], durability: Durability) -> Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        let mut tx = self.database.begin(durability).await?;
        append(&mut tx, entries).await?;
        tx.commit().await
    }
}

/// Appends entries and updates the totals inside a transaction.
pub(crate) async fn append(tx: &mut Tx, entries: &[LedgerEntry]) -> Result<()> {
    // Account, period, key and endpoint. Sorted, so that two processes cannot wait for each other.
    let mut sums: BTreeMap<[String; 4], [i64; 3]> = BTreeMap::new();
    let mut rows: Vec<Value> = Vec::with_capacity(entries.len() * 8);
    for entry in entries {
        let account = entry.account.to_string();
        let key = entry
            .key
            .map(|key| key.0.hyphenated().to_string())
            .unwrap_or_default();
        let amounts = [stored(entry.calls), stored(entry.credits), entry.overage.0];
        for period in [entry.at.month(), entry.at.date()] {
            let sum = sums
                .entry([account.clone(), period, key.clone(), entry.endpoint.clone()])
                .or_default();
            for (sum, amount) in sum.iter_mut().zip(amounts) {
                *sum = match entry.kind {
                    LedgerKind::Charge => sum.saturating_add(amount),
                    LedgerKind::Refund => sum.saturating_sub(amount),
                };
            }
        }
        rows.extend(values![
            account,
            entry.key.map(|key| key.0),
            &entry.endpoint,
            amounts[0],
            amounts[1],
            amounts[2],
            entry.at,
            entry.kind.as_str(),
        ]);
    }
    let head =
        "INSERT INTO ledger (account, key_id, endpoint, calls, credits, overage, at, kind) VALUES";
    tx.insert(head, "", 8, rows).await?;
    let mut rows = Vec::with_capacity(sums.len() * 7);
    for ([account, period, key, endpoint], [calls, credits, overage]) in sums {
        rows.extend(values![
            account, period, key, endpoint, calls, credits, overage
        ]);
    }
    tx.insert(
        "INSERT INTO usage (account, period, key_id, endpoint, calls, credits, overage) VALUES",
        "ON CONFLICT (account, period, key_id, endpoint) DO UPDATE SET calls = usage.calls + excluded.calls, \
         credits = usage.credits + excluded.credits, overage = usage.overage + excluded.overage",
        7,
        rows,
    )
    .await
}

/// Each amount is capped so that the totals for a month cannot overflow.
fn stored(amount: u64) -> i64 {
    const MOST: u64 = 1_000_000_000_000;
    amount.min(MOST) as i64
}
