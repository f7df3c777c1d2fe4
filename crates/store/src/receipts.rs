//! Receipts: what was verified, as signed.
//!
//! A receipt is never changed or removed, because it is a leaf of the [log](crate::Log). What is signed, and how, is
//! decided elsewhere.

mod leaderboard;

use std::ops::Range;

use model::{AccountId, Timestamp};

use crate::database::{Database, Row, Value, WriteLock, values};
use crate::log::{self, LogNode};
use crate::{Completion, Result, idempotency};

pub use leaderboard::{Leaderboard, SourceVerdicts};

/// The columns that [`stored_receipt`] reads.
macro_rules! receipt_columns {
    () => {
        "log_index, id, account, kind, created_at, body, signature, key_id, disclosures, verdict, confidence, source, agent, \
         replay"
    };
}
const COLUMNS: usize = 14;

/// A signed receipt.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// Identity. Anyone who knows it may read the receipt.
    pub id: String,
    /// Its owner; `None` for a caller without an account.
    pub account: Option<AccountId>,
    /// What it is about: one claim, a whole text, a run.
    pub kind: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// What was signed, byte for byte: canonical JSON.
    pub body: String,
    /// The signature.
    pub signature: Vec<u8>,
    /// The key that signed it.
    pub key_id: String,
    /// What only the owner may see, in words of the caller.
    pub disclosures: Option<String>,
    /// The verdict, if it is about one claim: `supported`, `contradicted`, `partially_supported` or `unverifiable`.
    pub verdict: Option<String>,
    /// Between 0 and 1.
    pub confidence: Option<f64>,
    /// The model that wrote what was verified.
    pub source: Option<String>,
    /// The account's agent for which it was verified.
    pub agent: Option<String>,
    /// What a replay needs, in words of the caller.
    pub replay: Option<String>,
}

/// A receipt and its place in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredReceipt {
    /// Its leaf in the log.
    pub log_index: u64,
    /// The receipt.
    pub receipt: Receipt,
}

/// The receipts.
#[derive(Clone, Copy, Debug)]
pub struct Receipts<'a> {
    pub(crate) database: &'a Database,
}

impl Receipts<'_> {
    /// Appends receipts to the log, together with the record of their request, all or nothing. Returns their indices,
    /// which have no holes. They are on disk when it returns. Each call costs one flush, so receipts are best written
    /// many at a time.
    ///
    /// `grow` computes the hashes: it receives the size of the log with its largest complete subtrees, from the left,
    /// and returns every node that becomes complete with the new leaves. It runs under the log's lock.
    pub async fn append(
        &self,
        receipts: &[Receipt],
        completion: Option<Completion<'_>>,
        grow: impl FnOnce(u64, &[LogNode]) -> Vec<LogNode> + Send,
    ) -> Result<Range<u64>> {
        let mut tx = self.database.begin_locked(WriteLock::Log).await?;
        let count = receipts.len() as u64;
        let first = log::extend(&mut tx, count, grow).await?;
        let mut rows: Vec<Value> = Vec::with_capacity(receipts.len() * COLUMNS);
        for (index, receipt) in (first..).zip(receipts) {
            rows.extend(values![
                index,
                &receipt.id,
                receipt.account.map(|account| account.0),
                &receipt.kind,
                receipt.created_at,
                &receipt.body,
                receipt.signature.as_slice(),
                &receipt.key_id,
                receipt.disclosures.as_deref(),
                receipt.verdict.as_deref(),
                receipt.confidence,
                receipt.source.as_deref(),
                receipt.agent.as_deref(),
                receipt.replay.as_deref(),
            ]);
        }
        let head = concat!("INSERT INTO receipt (", receipt_columns!(), ") VALUES");
        tx.insert(head, "", COLUMNS, rows).await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await?;
        Ok(first..first + count)
    }

    /// The receipt with that ID, whoever asks: callers hide what only its owner may see.
    pub async fn find(&self, id: &str) -> Result<Option<StoredReceipt>> {
        let sql = concat!("SELECT ", receipt_columns!(), " FROM receipt WHERE id = $1");
        let row = self.database.row(sql, values![id]).await?;
        row.as_ref().map(stored_receipt).transpose()
    }

    /// The owner's receipts, newest first.
    pub async fn list(&self, owner: AccountId, limit: u64) -> Result<Vec<StoredReceipt>> {
        let sql = concat!(
            "SELECT ",
            receipt_columns!(),
            " FROM receipt WHERE account = $1 ORDER BY log_index DESC LIMIT $2"
        );
        self.read(sql, values![owner.0, limit]).await
    }

    /// The receipts of one of the owner's agents, newest first.
    pub async fn list_of_agent(
        &self,
        owner: AccountId,
        agent: &str,
        limit: u64,
    ) -> Result<Vec<StoredReceipt>> {
        let sql = concat!(
            "SELECT ",
            receipt_columns!(),
            " FROM receipt WHERE account = $1 AND agent = $2 ORDER BY log_index DESC LIMIT $3"
        );
        self.read(sql, values![owner.0, agent, limit]).await
    }

    async fn read(&self, sql: &'static str, values: Vec<Value>) -> Result<Vec<StoredReceipt>> {
        let rows = self.database.rows(sql, values).await?;
        rows.iter().map(stored_receipt).collect()
    }
}

fn stored_receipt(row: &Row) -> Result<StoredReceipt> {
    Ok(StoredReceipt {
        log_index: row.count(0)?,
        receipt: Receipt {
            id: row.text(1)?,
            account: row.id_option(2, "receipt")?.map(AccountId),
            kind: row.text(3)?,
            created_at: row.time(4)?,
            body: row.text(5)?,
            signature: row.blob(6)?,
            key_id: row.text(7)?,
            disclosures: row.text_option(8)?,
            verdict: row.text_option(9)?,
            confidence: row.real_option(10)?,
            source: row.text_option(11)?,
            agent: row.text_option(12)?,
            replay: row.text_option(13)?,
        },
    })
}
