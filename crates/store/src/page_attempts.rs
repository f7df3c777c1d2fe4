//! Pages being read: the record written before an attempt outlives a crash.

use model::Timestamp;

use crate::Result;
use crate::database::{Database, Durability, values};

/// How many attempts may end badly before a page is no longer read.
const MOST_ATTEMPTS: i64 = 2;
/// How long it is then left unread.
const REST_MS: i64 = 7 * Timestamp::DAY_MS;
/// How many pages are remembered; beyond that, the oldest are forgotten.
const MOST_PAGES: i64 = 10_000;

/// Whether a page may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Yes; the attempt has been recorded.
    Begun,
    /// Not until a week after the last attempt: every one so far ended in a crash.
    LeftAlone,
}

/// The attempts.
#[derive(Clone, Copy, Debug)]
pub struct PageAttempts<'a> {
    pub(crate) database: &'a Database,
}

impl PageAttempts<'_> {
    /// Whether the page with this hash must not be read for now.
    pub async fn is_left_alone(&self, page: &[u8; 32], now: Timestamp) -> Result<bool> {
        let sql = "SELECT COUNT(*) FROM page_attempt WHERE page = $1 AND tried_at > $2 AND attempts >= $3";
        let expired = now.plus_ms(-REST_MS);
        let found = self
            .database
            .number(sql, values![page.as_slice(), expired, MOST_ATTEMPTS])
            .await?;
        Ok(found > 0)
    }

    /// Records that the page with this hash is about to be read.
    pub async fn begin(&self, page: &[u8; 32], now: Timestamp) -> Result<Attempt> {
        let expired = now.plus_ms(-REST_MS);
        let mut tx = self.database.begin(Durability::Process).await?;
        let begun = tx
            .execute(
                "INSERT INTO page_attempt (page, attempts, tried_at) VALUES ($1, 1, $2) \
                 ON CONFLICT (page) DO UPDATE SET tried_at = excluded.tried_at, attempts = \
                 CASE WHEN page_attempt.tried_at <= $3 THEN 1 ELSE page_attempt.attempts + 1 END \
                 WHERE page_attempt.tried_at <= $3 OR page_attempt.attempts < $4",
                values![page.as_slice(), now, expired, MOST_ATTEMPTS],
            )
            .await?;
        if begun == 0 {
            tx.commit().await?;
            return Ok(Attempt::LeftAlone);
        }
        let count = tx
            .number("SELECT COUNT(*) FROM page_attempt", Vec::new())
            .await?;
        if count > MOST_PAGES {
            // A tenth at once, so that a full table is not searched for every page.
            let sql = "DELETE FROM page_attempt WHERE page IN \
                       (SELECT page FROM page_attempt ORDER BY tried_at LIMIT $1)";
            tx.execute(sql, values![count - MOST_PAGES + MOST_PAGES / 10])
                .await?;
        }
        tx.commit().await?;
        Ok(Attempt::Begun)
    }

    /// Forgets a page whose reading ended normally, with or without an article.
    pub async fn end(&self, page: &[u8; 32]) -> Result<()> {
        let sql = "DELETE FROM page_attempt WHERE page = $1";
        self.database
            .write(sql, values![page.as_slice()])
            .await
            .map(drop)
    }

    /// How many pages are remembered.
    pub async fn count(&self) -> Result<u64> {
        let sql = "SELECT COUNT(*) FROM page_attempt";
        let count = self.database.number(sql, Vec::new()).await?;
        Ok(u64::try_from(count).unwrap_or(0))
    }
}
