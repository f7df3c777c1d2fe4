//! Feedback: what callers say about an answer.

use model::{AccountId, Timestamp};

use crate::database::{Database, Durability, Row, values};
use crate::{Completion, Error, Result, idempotency};

/// What somebody said about an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedbackEntry {
    /// Identity.
    pub id: String,
    /// Who; `None` for a caller without an account.
    pub account: Option<AccountId>,
    /// What was wrong: `incorrect`, `outdated` and the like.
    pub kind: String,
    /// The answer it is about.
    pub session_id: Option<String>,
    /// In the caller's words.
    pub message: Option<String>,
    /// The claim it is about.
    pub claim: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

/// The feedback.
#[derive(Clone, Copy, Debug)]
pub struct Feedback<'a> {
    pub(crate) database: &'a Database,
}

impl Feedback<'_> {
    /// Stores feedback, together with the record of its request. [`Error::Conflict`] if the account has already given
    /// `most_per_day` on that day (UTC); callers without an account share one quota.
    pub async fn insert(
        &self,
        feedback: &FeedbackEntry,
        most_per_day: u64,
        completion: Option<Completion<'_>>,
    ) -> Result<()> {
        let owner = feedback.account;
        let mut tx = self.database.begin_owned(owner, Durability::Power).await?;
        let midnight = Timestamp::start_of_day(feedback.created_at.day());
        let mut asked = values![midnight, midnight.plus_ms(Timestamp::DAY_MS)];
        let given = if let Some(owner) = owner {
            asked.extend(values![owner.0]);
            "SELECT COUNT(*) FROM feedback WHERE created_at >= $1 AND created_at < $2 AND account = $3"
        } else {
            "SELECT COUNT(*) FROM feedback WHERE created_at >= $1 AND created_at < $2 AND account IS NULL"
        };
        let given = tx.number(given, asked).await?;
        if u64::try_from(given).unwrap_or(0) >= most_per_day {
            return Err(Error::Conflict);
        }
        tx.execute(
            "INSERT INTO feedback (id, account, kind, session_id, message, claim, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            values![
                &feedback.id,
                owner.map(|owner| owner.0),
                &feedback.kind,
                feedback.session_id.as_deref(),
                feedback.message.as_deref(),
                feedback.claim.as_deref(),
                feedback.created_at,
            ],
        )
        .await?;
        if let Some(completion) = completion {
            idempotency::complete(&mut tx, completion).await?;
        }
        tx.commit().await
    }

    /// The owner's feedback, newest first.
    pub async fn list(&self, owner: AccountId, limit: u64) -> Result<Vec<FeedbackEntry>> {
        let sql = "SELECT id, account, kind, session_id, message, claim, created_at FROM feedback \
                   WHERE account = $1 ORDER BY created_at DESC, id LIMIT $2";
        let rows = self.database.rows(sql, values![owner.0, limit]).await?;
        rows.iter().map(read_feedback).collect()
    }

    /// Deletes feedback given before a time, whoever gave it; returns how much.
    pub async fn prune(&self, before: Timestamp) -> Result<u64> {
        self.database
            .write(
                "DELETE FROM feedback WHERE created_at < $1",
                values![before],
            )
            .await
    }
}

fn read_feedback(row: &Row) -> Result<FeedbackEntry> {
    Ok(FeedbackEntry {
        id: row.text(0)?,
        account: row.id_option(1, "feedback")?.map(AccountId),
        kind: row.text(2)?,
        session_id: row.text_option(3)?,
        message: row.text_option(4)?,
        claim: row.text_option(5)?,
        created_at: row.time(6)?,
    })
}
