//! Feeds: how far each has been read, and who is reading it now.

use model::{SecretUrl, Timestamp};

use crate::Result;
use crate::database::{Database, Durability, Row, values};
use crate::lease::{LEASE_MS, future, latest_end};

/// The columns that [`read_feed`] reads.
macro_rules! feed_columns {
    () => {
        "url, etag, last_modified, next_due, failures, last_error, last_success, items_total"
    };
}

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
    /// Consecutive failures.
    pub failures: u32,
    /// Why it last failed, in words that strangers may read; `None` once it has been read again.
    pub last_error: Option<String>,
    /// When it was last read.
    pub last_success: Option<Timestamp>,
    /// Items ever read.
    pub items_total: u64,
}

impl FeedState {
    /// Whether it should be read: its time has come, or its stored state was written under a clock that has since been
    /// set back.
    pub fn is_due(&self, now: Timestamp) -> bool {
        let was_set_back = self.last_success.is_some_and(|read| read > future(now));
        self.next_due <= now || was_set_back && self.next_due > latest_end(now, LEASE_MS)
    }
}

/// The feeds.
#[derive(Clone, Copy, Debug)]
pub struct Feeds<'a> {
    pub(crate) database: &'a Database,
}

impl Feeds<'_> {
    /// Every feed.
    pub async fn load(&self) -> Result<Vec<FeedState>> {
        let sql = concat!("SELECT ", feed_columns!(), " FROM feed ORDER BY url");
        let rows = self.database.rows(sql, Vec::new()).await?;
        rows.iter().map(read_feed).collect()
    }

    /// Claims a feed that is due: nobody else reads it for `lease_ms`. `None` if it is not due, or somebody else was
    /// quicker.
    pub async fn claim(
        &self,
        url: &SecretUrl,
        now: Timestamp,
        lease_ms: i64,
    ) -> Result<Option<FeedState>> {
        // A feed read in the future was read under a clock that has since been set back.
        let sql = concat!(
            "INSERT INTO feed (url, next_due, failures, items_total) VALUES ($1, $2, 0, 0) \
             ON CONFLICT (url) DO UPDATE SET next_due = excluded.next_due \
             WHERE feed.next_due <= $3 OR (feed.last_success > $4 AND feed.next_due > $5) RETURNING ",
            feed_columns!()
        );
        let asked = values![
            url.expose(),
            now.plus_ms(lease_ms),
            now,
            future(now),
            latest_end(now, lease_ms)
        ];
        let mut tx = self.database.begin(Durability::Process).await?;
        let row = tx.row(sql, asked).await?;
        tx.commit().await?;
        row.as_ref().map(read_feed).transpose()
    }

    /// Reports that a claimed feed is still being read, with a new lease end; `None` if somebody else is now reading
    /// it.
    pub async fn renew(
        &self,
        url: &SecretUrl,
        lease_until: Timestamp,
        now: Timestamp,
        lease_ms: i64,
    ) -> Result<Option<Timestamp>> {
        let next = now.plus_ms(lease_ms);
        let sql = "UPDATE feed SET next_due = $1 WHERE url = $2 AND next_due = $3";
        let renewed = self
            .database
            .write(sql, values![next, url.expose(), lease_until]);
        Ok((renewed.await? > 0).then_some(next))
    }

    /// Stores a feed's state.
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

fn read_feed(row: &Row) -> Result<FeedState> {
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
}
