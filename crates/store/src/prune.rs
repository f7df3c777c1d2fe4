//! What is let go after a time: old news, and the addresses of those who used the demo key.
//!
//! A brief goes as a whole, with its articles and everything that was derived from them, when both the news and the
//! writing of it are old. What numbers are given from stays: the newest article and the newest event of the outbox. The
//! ledger loses no sum: the entries of demo addresses become one for each endpoint and day, without the address.
//!
//! The search index is not known here; whoever prunes news builds it again.

use model::Timestamp;

use crate::Result;
use crate::database::{Database, Turn, Tx, Value, parameters, values};

/// Briefs that go in one transaction, so that publishers never wait for long.
const BATCH: i64 = 250;

/// How much went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Briefs.
    pub briefs: u64,
    /// Their revisions.
    pub revisions: u64,
    /// Their articles.
    pub articles: u64,
}

/// Lets old rows go.
#[derive(Clone, Copy, Debug)]
pub struct Prune<'a> {
    pub(crate) database: &'a Database,
}

/// Briefs of which everything is older than `$1` and nothing that numbers are given from.
macro_rules! old_briefs {
    () => {
        "FROM brief_revision r WHERE r.known_to = 9223372036854775807 AND r.updated_at < $1 AND r.recorded_at < $1 \
         AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.brief = r.brief AND (o.position IS NULL \
         OR o.known_at >= $1 OR o.position = (SELECT MAX(position) FROM outbox))) \
         AND NOT EXISTS (SELECT 1 FROM article a WHERE a.brief = r.brief AND (a.recorded_at >= $1 \
         OR a.seq = (SELECT MAX(seq) FROM article)))"
    };
}

impl Prune<'_> {
    /// How much news is older than that moment.
    pub async fn count_news(&self, before: Timestamp) -> Result<Pruned> {
        let sql = concat!(
            "WITH old AS (SELECT r.brief ",
            old_briefs!(),
            ") SELECT (SELECT COUNT(*) FROM old), \
             (SELECT COUNT(*) FROM brief_revision WHERE brief IN (SELECT brief FROM old)), \
             (SELECT COUNT(*) FROM article WHERE brief IN (SELECT brief FROM old))"
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

    /// How often news was removed; rises with each time.
    pub async fn times(&self) -> Result<i64> {
        let sql = "SELECT COALESCE(MAX(value), 0) FROM counter WHERE name = 'pruned'";
        self.database.number(sql, Vec::new()).await
    }

    /// Removes some of the news that is older than that moment; call it until nothing went.
    pub async fn news(&self, before: Timestamp) -> Result<Pruned> {
        let mut tx = self.database.begin_turn(Turn::Publish).await?;
        let sql = concat!(
            "SELECT r.brief ",
            old_briefs!(),
            " ORDER BY r.brief LIMIT $2"
        );
        let rows = tx.rows(sql, values![before, BATCH]).await?;
        let mut briefs = Vec::with_capacity(rows.len());
        for row in &rows {
            briefs.push(Value::from(row.text(0)?));
        }
        if briefs.is_empty() {
            return Ok(Pruned::default());
        }
        let pruned = remove(&mut tx, briefs).await?;
        tx.commit().await?;
        Ok(pruned)
    }

    /// Forgets the addresses of those who used the demo key before the month of `before` (UTC); tells how many entries of
    /// the ledger became fewer. What was used stays in the sums of the account `demo:*`, which no address is.
    pub async fn forget_demo_addresses(&self, before: Timestamp) -> Result<u64> {
        let month = before.month();
        let Ok(first) = format!("{month}-01T00:00:00Z").parse::<Timestamp>() else {
            return Ok(0);
        };
        let mut gone = 0;
        // A day at a time, so that a busy year does not hold the other writers up.
        while let Some(day) = self.oldest_demo_day(first).await? {
            gone += self.roll_up_day(day).await?;
        }
        let mut tx = self.database.begin_turn(Turn::Prune).await?;
        tx.execute(
            "INSERT INTO usage (account, period, key_id, endpoint, calls, credits, overage) \
             SELECT 'demo:*', period, '', endpoint, CAST(SUM(calls) AS BIGINT), CAST(SUM(credits) AS BIGINT), \
             CAST(SUM(overage) AS BIGINT) FROM usage WHERE account LIKE 'demo:%' AND account <> 'demo:*' \
             AND SUBSTR(period, 1, 7) < $1 GROUP BY period, endpoint \
             ON CONFLICT (account, period, key_id, endpoint) DO UPDATE SET calls = usage.calls + excluded.calls, \
             credits = usage.credits + excluded.credits, overage = usage.overage + excluded.overage",
            values![&month],
        )
        .await?;
        tx.execute(
            "DELETE FROM usage WHERE account LIKE 'demo:%' AND account <> 'demo:*' AND SUBSTR(period, 1, 7) < $1",
            values![&month],
        )
        .await?;
        tx.commit().await?;
        Ok(gone)
    }

    async fn oldest_demo_day(&self, before: Timestamp) -> Result<Option<Timestamp>> {
        let sql = "SELECT MIN(at) FROM ledger WHERE account LIKE 'demo:%' AND account <> 'demo:*' AND at < $1";
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
        let mut tx = self.database.begin_turn(Turn::Prune).await?;
        let added = tx
            .execute(
                "INSERT INTO ledger (account, key_id, endpoint, calls, credits, overage, at, kind) \
                 SELECT 'demo:*', NULL, endpoint, CAST(SUM(calls) AS BIGINT), CAST(SUM(credits) AS BIGINT), \
                 CAST(SUM(overage) AS BIGINT), MIN(at), kind FROM ledger WHERE account LIKE 'demo:%' \
                 AND account <> 'demo:*' AND at >= $1 AND at < $2 GROUP BY endpoint, kind",
                values![day, end],
            )
            .await?;
        let removed = tx
            .execute(
                "DELETE FROM ledger WHERE account LIKE 'demo:%' AND account <> 'demo:*' AND at >= $1 AND at < $2",
                values![day, end],
            )
            .await?;
        tx.commit().await?;
        Ok(removed.saturating_sub(added))
    }
}

/// Removes briefs with all that hangs on them, and takes them out of the kept counts.
async fn remove(tx: &mut Tx, briefs: Vec<Value>) -> Result<Pruned> {
    let mut pruned = Pruned {
        briefs: briefs.len() as u64,
        ..Pruned::default()
    };
    let among = parameters(1, briefs.len());
    // Counts by category and of briefs that gained sources, as publishing keeps them.
    let sql = format!(
        "SELECT category, COUNT(*), CAST(SUM(CASE WHEN update_count > 0 THEN 1 ELSE 0 END) AS BIGINT) \
         FROM brief_revision WHERE known_to = 9223372036854775807 AND brief IN ({among}) GROUP BY category ORDER BY category"
    );
    let mut counters: Vec<(String, i64)> = Vec::new();
    let mut living = 0;
    for row in tx.rows(sql, briefs.clone()).await? {
        let (category, all, lively) = (row.text(0)?, row.int(1)?, row.int(2)?);
        counters.push((format!("briefs:{category}"), all));
        counters.push((format!("living:{category}"), lively));
        living += lively;
    }
    counters.push(("living".to_owned(), living));

    let sql = format!(
        "UPDATE entity SET brief_count = brief_count - (SELECT COUNT(*) FROM brief_facet f WHERE f.kind = 'entity' \
         AND f.value = entity.key AND f.known_to = 9223372036854775807 AND f.brief IN ({among})) \
         WHERE key IN (SELECT f.value FROM brief_facet f WHERE f.kind = 'entity' \
         AND f.known_to = 9223372036854775807 AND f.brief IN ({among}))"
    );
    tx.execute(sql, briefs.clone()).await?;
    let sql = format!(
        "DELETE FROM mention WHERE known_at IN (SELECT known_at FROM article WHERE brief IN ({among})) \
         AND article IN (SELECT seq FROM article WHERE brief IN ({among}))"
    );
    tx.execute(sql, briefs.clone()).await?;
    let sql = format!(
        "DELETE FROM article_feature WHERE seq IN (SELECT seq FROM article WHERE brief IN ({among}))"
    );
    tx.execute(sql, briefs.clone()).await?;
    for table in [
        "brief_facet",
        "finding",
        "opinion",
        "outbox",
        "brief_document",
    ] {
        let sql = format!("DELETE FROM {table} WHERE brief IN ({among})");
        tx.execute(sql, briefs.clone()).await?;
    }
    let sql = format!("DELETE FROM article WHERE brief IN ({among})");
    pruned.articles = tx.execute(sql, briefs.clone()).await?;
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
    // Whoever keeps sums under the number of revisions must not find an old one under the same number again.
    let sql = "INSERT INTO counter (name, value) VALUES ('pruned', 1) \
               ON CONFLICT (name) DO UPDATE SET value = counter.value + 1";
    tx.execute(sql, Vec::new()).await?;
    Ok(pruned)
}
