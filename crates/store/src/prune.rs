//! What is deleted after a time: old news, and the addresses of those who used the demo key.
//!
//! A brief is removed as a whole, with its articles and everything derived from them, once both the news and the
//! writing of it are old. Rows that numbers are assigned from stay: the newest article and the newest outbox event. The
//! ledger loses no totals: the entries of demo addresses are merged into one for each endpoint and day, without the
//! address.
//!
//! Everything is removed in short transactions, because others wait for each of them. The part that may take long, the
//! search for old rows, is done beforehand. What a transaction reads depends on how much it removes, not on how much
//! there is.
//!
//! The search index is not known here. Through [`Prune::times`], anything that derives data from the news can see that
//! some of it was removed.

use std::collections::BTreeMap;

use model::Timestamp;

use crate::Result;
use crate::database::{Database, Tx, Value, WriteLock, parameters, values};
use crate::findings::{CONTRADICTION, EVENT};

/// Briefs removed in one transaction, so that publishers never wait for long.
const BATCH: i64 = 250;

/// How much was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Briefs.
    pub briefs: u64,
    /// Their revisions.
    pub revisions: u64,
    /// Their articles.
    pub articles: u64,
}

impl Pruned {
    /// Adds what was removed in another transaction.
    pub fn add(&mut self, other: Self) {
        self.briefs += other.briefs;
        self.revisions += other.revisions;
        self.articles += other.articles;
    }
}

/// Deletes old rows.
#[derive(Clone, Copy, Debug)]
pub struct Prune<'a> {
    pub(crate) database: &'a Database,
}

/// The removal of old news, one part at a time, longest untouched first.
#[derive(Clone, Debug)]
pub struct NewsRemoval<'a> {
    database: &'a Database,
    before: Timestamp,
    /// How far the search has got: when the last brief it found was updated, and its ID.
    after: (Timestamp, String),
}

/// A current revision `r` of a brief in which everything is older than `$1` and nothing is needed to assign numbers.
macro_rules! is_old {
    () => {
        "r.known_to = 9223372036854775807 AND r.updated_at < $1 AND r.recorded_at < $1 \
         AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.brief = r.brief AND (o.position IS NULL \
         OR o.known_at >= $1 OR o.position = (SELECT MAX(position) FROM outbox))) \
         AND NOT EXISTS (SELECT 1 FROM article a WHERE a.story = (SELECT story FROM brief WHERE id = r.brief) \
         AND (a.recorded_at >= $1 OR a.seq = (SELECT MAX(seq) FROM article)))"
    };
}

/// Rows for demo addresses: the condition of the indexes `ledger_demo` and `usage_demo`.
macro_rules! of_demo_addresses {
    () => {
        "SUBSTR(account, 1, 5) = 'demo:' AND account <> 'demo:*'"
    };
}

impl<'a> Prune<'a> {
    /// How much news is older than this time.
    pub async fn count_news(&self, before: Timestamp) -> Result<Pruned> {
        let sql = concat!(
            "WITH RECURSIVE old AS (SELECT r.brief, (SELECT story FROM brief WHERE id = r.brief) AS story FROM brief_revision r WHERE ",
            is_old!(),
            "), gone(brief) AS (SELECT brief FROM old UNION SELECT b.id FROM brief b JOIN gone ON b.merged_into = gone.brief) \
             SELECT (SELECT COUNT(*) FROM old), \
             (SELECT COUNT(*) FROM brief_revision WHERE brief IN (SELECT brief FROM gone)), \
             (SELECT COUNT(*) FROM article WHERE story IN (SELECT story FROM old))"
        );
        let row = self.database.row(sql, values![before]).await?;
        row.map_or(Ok(Pruned::default()), |row| {
            Ok(Pruned {
                briefs: row.count(0)?,
                revisions: row.count(1)?,
                articles: row.count(2)?,
            })
        })
    }

    /// How often news was removed; increases each time.
    pub async fn times(&self) -> Result<i64> {
        let sql = "SELECT COALESCE(MAX(value), 0) FROM counter WHERE name = 'pruned'";
        self.database.number(sql, Vec::new()).await
    }

    /// The removal of news older than this time.
    pub fn news(&self, before: Timestamp) -> NewsRemoval<'a> {
        NewsRemoval {
            database: self.database,
            before,
            after: (Timestamp::from_ms(i64::MIN), String::new()),
        }
    }

    /// Removes the addresses of those who used the demo key before the month of `before` (UTC), and returns by how many
    /// the ledger entries decreased. The usage stays in the totals of the account `demo:*`, which is not an address.
    pub async fn forget_demo_addresses(&self, before: Timestamp) -> Result<u64> {
        let month = before.month();
        let Ok(first) = format!("{month}-01T00:00:00Z").parse::<Timestamp>() else {
            return Ok(0);
        };
        let mut gone = 0;
        // One day at a time, so that a busy year does not hold up the other writers.
        while let Some(day) = self.oldest_demo_day(first).await? {
            gone += self.roll_up_day(day).await?;
        }
        // Months and days alike: both begin with their month, and a month sorts before its days.
        while let Some(period) = self.oldest_demo_period(&month).await? {
            self.roll_up_period(&period).await?;
        }
        Ok(gone)
    }

    async fn oldest_demo_day(&self, before: Timestamp) -> Result<Option<Timestamp>> {
        let sql = concat!(
            "SELECT MIN(at) FROM ledger WHERE ",
            of_demo_addresses!(),
            " AND at < $1"
        );
        let row = self.database.row(sql, values![before]).await?;
        let oldest = match row {
            Some(row) => row.time_option(0)?,
            None => None,
        };
        Ok(oldest.map(|at| {
            Timestamp::from_ms(at.ms().div_euclid(Timestamp::DAY_MS) * Timestamp::DAY_MS)
        }))
    }

    async fn roll_up_day(&self, day: Timestamp) -> Result<u64> {
        let end = day.plus_ms(Timestamp::DAY_MS);
        let mut tx = self.database.begin_locked(WriteLock::Prune).await?;
        let sql = concat!(
            "INSERT INTO ledger (account, key_id, endpoint, calls, credits, overage, at, kind) \
             SELECT 'demo:*', NULL, endpoint, CAST(SUM(calls) AS BIGINT), CAST(SUM(credits) AS BIGINT), \
             CAST(SUM(overage) AS BIGINT), MIN(at), kind FROM ledger WHERE ",
            of_demo_addresses!(),
            " AND at >= $1 AND at < $2 GROUP BY endpoint, kind"
        );
        let added = tx.execute(sql, values![day, end]).await?;
        let sql = concat!(
            "DELETE FROM ledger WHERE ",
            of_demo_addresses!(),
            " AND at >= $1 AND at < $2"
        );
        let removed = tx.execute(sql, values![day, end]).await?;
        tx.commit().await?;
        Ok(removed.saturating_sub(added))
    }

    async fn oldest_demo_period(&self, before: &str) -> Result<Option<String>> {
        let sql = concat!(
            "SELECT MIN(period) FROM usage WHERE ",
            of_demo_addresses!(),
            " AND period < $1"
        );
        let row = self.database.row(sql, values![before]).await?;
        row.map_or(Ok(None), |row| row.text_option(0))
    }

    async fn roll_up_period(&self, period: &str) -> Result<()> {
        let mut tx = self.database.begin_locked(WriteLock::Prune).await?;
        let sql = concat!(
            "INSERT INTO usage (account, period, key_id, endpoint, calls, credits, overage) \
             SELECT 'demo:*', period, '', endpoint, CAST(SUM(calls) AS BIGINT), CAST(SUM(credits) AS BIGINT), \
             CAST(SUM(overage) AS BIGINT) FROM usage WHERE ",
            of_demo_addresses!(),
            " AND period = $1 GROUP BY period, endpoint \
             ON CONFLICT (account, period, key_id, endpoint) DO UPDATE SET calls = usage.calls + excluded.calls, \
             credits = usage.credits + excluded.credits, overage = usage.overage + excluded.overage"
        );
        tx.execute(sql, values![period]).await?;
        let sql = concat!(
            "DELETE FROM usage WHERE ",
            of_demo_addresses!(),
            " AND period = $1"
        );
        tx.execute(sql, values![period]).await?;
        tx.commit().await
    }
}

impl NewsRemoval<'_> {
    /// Removes the next part and returns how much was removed; `None` when nothing old is left.
    pub async fn remove_some(&mut self) -> Result<Option<Pruned>> {
        // Without the publishers' lock: it may have to skip many briefs that are not new but were written recently.
        let sql = concat!(
            "SELECT r.updated_at, r.brief FROM brief_revision r WHERE ",
            is_old!(),
            " AND (r.updated_at, r.brief) > ($2, $3) ORDER BY r.updated_at, r.brief LIMIT $4"
        );
        let (updated_at, brief) = &self.after;
        let asked = values![self.before, *updated_at, brief, BATCH];
        let rows = self.database.rows(sql, asked).await?;
        let Some(last) = rows.last() else {
            return Ok(None);
        };
        let after = (last.time(0)?, last.text(1)?);
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            found.push(Value::from(row.text(1)?));
        }
        let mut tx = self.database.begin_locked(WriteLock::Publish).await?;
        let pruned = remove(&mut tx, self.before, found).await?;
        tx.commit().await?;
        self.after = after;
        Ok(Some(pruned))
    }
}

/// Removes those of the briefs that are still old, along with everything attached to them, and subtracts them from the
/// stored counts.
async fn remove(tx: &mut Tx, before: Timestamp, found: Vec<Value>) -> Result<Pruned> {
    let sql = format!(
        "SELECT r.brief, (SELECT story FROM brief WHERE id = r.brief) FROM brief_revision r WHERE r.brief IN ({}) AND {}",
        parameters(2, found.len()),
        is_old!()
    );
    let mut asked = values![before];
    asked.extend(found);
    let (mut briefs, mut stories) = (Vec::new(), Vec::new());
    for row in tx.rows(sql, asked).await? {
        briefs.push(Value::from(row.text(0)?));
        stories.push(Value::from(row.int(1)?));
    }
    if briefs.is_empty() {
        return Ok(Pruned::default());
    }
    let mut pruned = Pruned {
        briefs: briefs.len() as u64,
        ..Pruned::default()
    };
    // There are as many briefs as stories.
    let among = parameters(1, briefs.len());
    let mut counters = counts_of(tx, &among, &briefs).await?;
    count_entities_less(tx, &among, &briefs).await?;
    let sql = format!(
        "DELETE FROM mention WHERE known_at IN (SELECT known_at FROM article WHERE story IN ({among})) \
         AND article IN (SELECT seq FROM article WHERE story IN ({among}))"
    );
    tx.execute(sql, stories.clone()).await?;
    let sql = format!(
        "DELETE FROM article_move WHERE article IN (SELECT seq FROM article WHERE story IN ({among}))"
    );
    tx.execute(sql, stories.clone()).await?;
    let sql = format!(
        "DELETE FROM article_feature WHERE seq IN (SELECT seq FROM article WHERE story IN ({among}))"
    );
    tx.execute(sql, stories.clone()).await?;
    let sql = format!("DELETE FROM article WHERE story IN ({among})");
    pruned.articles = tx.execute(sql, stories).await?;
    // Briefs merged into them go with them; these have no articles and are no longer in any count.
    briefs.extend(merged_into(tx, &among, &briefs).await?);
    let among = parameters(1, briefs.len());
    for table in ["brief_facet", "opinion", "outbox", "brief_document"] {
        let sql = format!("DELETE FROM {table} WHERE brief IN ({among})");
        tx.execute(sql, briefs.clone()).await?;
    }
    let sql = format!(
        "DELETE FROM finding WHERE kind IN ('{EVENT}', '{CONTRADICTION}') AND brief IN ({among})"
    );
    tx.execute(sql, briefs.clone()).await?;
    let sql = format!("DELETE FROM brief_revision WHERE brief IN ({among})");
    pruned.revisions = tx.execute(sql, briefs.clone()).await?;
    let sql = format!("DELETE FROM brief WHERE id IN ({among})");
    tx.execute(sql, briefs).await?;

    counters.extend([
        ("articles".to_owned(), pruned.articles as i64),
        ("briefs".to_owned(), pruned.briefs as i64),
        ("revisions".to_owned(), pruned.revisions as i64),
    ]);
    counters.sort_unstable();
    for (name, gone) in counters {
        let sql = "UPDATE counter SET value = value - $1 WHERE name = $2";
        tx.execute(sql, values![gone, name]).await?;
    }
    // Code that stores totals under the number of revisions must not find an old total under the same number again.
    let sql = "INSERT INTO counter (name, value) VALUES ('pruned', 1) \
               ON CONFLICT (name) DO UPDATE SET value = counter.value + 1";
    tx.execute(sql, Vec::new()).await?;
    Ok(pruned)
}

/// The briefs that were merged into these.
async fn merged_into(tx: &mut Tx, among: &str, briefs: &[Value]) -> Result<Vec<Value>> {
    let (mut found, mut among, mut asked) = (Vec::new(), among.to_owned(), briefs.to_vec());
    while !asked.is_empty() {
        let sql = format!("SELECT id FROM brief WHERE merged_into IN ({among})");
        let rows = tx.rows(sql, asked).await?;
        let merged: Result<Vec<Value>> = rows
            .iter()
            .map(|row| Ok(Value::from(row.text(0)?)))
            .collect();
        asked = merged?;
        among = parameters(1, asked.len());
        found.extend(asked.iter().cloned());
    }
    Ok(found)
}

/// The counts by category and of briefs that gained sources, as maintained by publishing.
async fn counts_of(tx: &mut Tx, among: &str, briefs: &[Value]) -> Result<Vec<(String, i64)>> {
    let sql = format!(
        "SELECT category, COUNT(*), CAST(SUM(CASE WHEN update_count > 0 THEN 1 ELSE 0 END) AS BIGINT) \
         FROM brief_revision WHERE brief IN ({among}) AND known_to = 9223372036854775807 GROUP BY category"
    );
    let mut counters = Vec::new();
    let mut living = 0;
    for row in tx.rows(sql, briefs.to_vec()).await? {
        let (category, all, lively) = (row.text(0)?, row.int(1)?, row.int(2)?);
        counters.push((format!("briefs:{category}"), all));
        counters.push((format!("living:{category}"), lively));
        living += lively;
    }
    counters.push(("living".to_owned(), living));
    Ok(counters)
}

/// Subtracts the briefs from the counts of the entities they name.
async fn count_entities_less(tx: &mut Tx, among: &str, briefs: &[Value]) -> Result<()> {
    // Filtered by brief alone: SQLite assumes that a kind is rare and would walk all of its facets.
    let sql = format!(
        "SELECT kind, value FROM brief_facet WHERE brief IN ({among}) AND known_to = 9223372036854775807"
    );
    let mut named: BTreeMap<String, i64> = BTreeMap::new();
    for row in tx.rows(sql, briefs.to_vec()).await? {
        if row.text(0)? == "entity" {
            *named.entry(row.text(1)?).or_default() += 1;
        }
    }
    let mut by_count: BTreeMap<i64, Vec<Value>> = BTreeMap::new();
    for (entity, count) in named {
        by_count.entry(count).or_default().push(entity.into());
    }
    for (count, entities) in by_count {
        for some in entities.chunks(250) {
            let sql = format!(
                "UPDATE entity SET brief_count = brief_count - $1 WHERE key IN ({})",
                parameters(2, some.len())
            );
            let mut asked = values![count];
            asked.extend(some.iter().cloned());
            tx.execute(sql, asked).await?;
        }
    }
    Ok(())
}
