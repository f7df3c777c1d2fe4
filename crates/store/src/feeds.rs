//! Feeds: how far each has been read.

use model::{SecretUrl, Timestamp};

use crate::Result;
use crate::database::{Database, values};

/// What is remembered about a feed between polls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedState {
    /// Address.
    pub url: SecretUrl,
    /// For the next conditional request.
    pub etag: Option<String>,
    /// For the next conditional request.
    pub last_modified: Option<String>,
    /// When it is due.
    pub next_due: Timestamp,
    /// Failures in a row.
    pub failures: u32,
    /// The last failure, in words.
    pub last_error: Option<String>,
    /// When it was last read.
    pub last_success: Option<Timestamp>,
    /// Items ever read.
    pub items_total: u64,
}

/// The feeds.
#[derive(Clone, Copy, Debug)]
pub struct Feeds<'a> {
    pub(crate) database: &'a Database,
}

impl Feeds<'_> {
    /// Every feed.
    pub async fn load(&self) -> Result<Vec<FeedState>> {
        let sql = "SELECT url, etag, last_modified, next_due, failures, last_error, last_success, items_total \
                   FROM feed ORDER BY url";
        let rows = self.database.rows(sql, Vec::new()).await?;
        rows.iter()
            .map(|row| {
                Ok(FeedState {
                    url: row.text(0)?.into(),
                    etag: row.text_option(1)?,
                    last_modified: row.text_option(2)?,
                    next_due: row.time(3)?,
                    failures: u32::try_from(row.int(4)?).unwrap_or(u32::MAX),
                    last_error: row.text_option(5)?,
                    last_success: row.time_option(6)?,
                    items_total: row.count(7)?,
                })
            })
            .collect()
    }

    /// Remembers a feed.
    pub async fn save(&self, feed: &FeedState) -> Result<()> {
        let sql = "INSERT INTO feed (url, etag, last_modified, next_due, failures, last_error, last_success, items_total) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (url) DO UPDATE SET etag = excluded.etag, \
                   last_modified = excluded.last_modified, next_due = excluded.next_due, failures = excluded.failures, \
                   last_error = excluded.last_error, last_success = excluded.last_success, \
                   items_total = excluded.items_total";
        let values = values![
            feed.url.expose(),
            feed.etag.as_deref(),
            feed.last_modified.as_deref(),
            feed.next_due,
            feed.failures,
            feed.last_error.as_deref(),
            feed.last_success,
            feed.items_total,
        ];
        self.database.write(sql, values).await.map(drop)
    }
}
