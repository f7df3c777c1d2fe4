//! Sentiment of briefs: what each brief says about the tickers it names, so that sentiment can be looked up without
//! reading briefs.

use model::{Brief, Category, EntityRole, Score, Timestamp};

use crate::briefs::{REVISIONS_AFTER, Where, revisions_after, stored_brief};
use crate::database::{Database, Row, Tx, Value, WriteLock, values};
use crate::{Error, Result, StoredBrief};

/// What a brief says about a ticker.
#[derive(Clone, Debug, PartialEq)]
pub struct BriefSentiment {
    /// The symbol as it appears in the brief.
    pub ticker: String,
    /// Human-readable identity of the brief.
    pub brief_id: String,
    /// When it was published.
    pub published_at: Timestamp,
    /// Its sentiment towards the ticker; 0.5 is neutral.
    pub sentiment: Score,
    /// Its confidence.
    pub confidence: Score,
    /// The role that the ticker plays in it.
    pub role: EntityRole,
    /// Its category.
    pub category: Category,
    /// Its headline.
    pub headline: String,
}

/// Which sentiments to return.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BriefSentimentQuery {
    /// For any of these tickers; empty means all.
    pub tickers: Vec<String>,
    /// From briefs in any of these categories; empty means all.
    pub categories: Vec<Category>,
    /// Published after this time.
    pub after: Option<Timestamp>,
    /// Published at or before this time.
    pub until: Option<Timestamp>,
    /// As of this time; `None` means now.
    pub as_of: Option<Timestamp>,
    /// Maximum number, the newest; 0 means all.
    pub limit: u64,
}

/// What a revision of a brief said about a ticker, and when that was known.
#[derive(Clone, Debug, PartialEq)]
pub struct BriefSentimentVersion {
    /// The symbol as it appears in the brief.
    pub ticker: String,
    /// When the brief was published.
    pub published_at: Timestamp,
    /// Its sentiment towards the ticker; 0.5 is neutral.
    pub sentiment: Score,
    /// When this became known.
    pub known_from: Timestamp,
    /// Until when it was valid, exclusive.
    pub known_to: Timestamp,
}

/// What a brief said about a ticker when it first mentioned it.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstStatement {
    /// The symbol as it appears in the brief.
    pub ticker: String,
    /// Human-readable identity of the brief.
    pub brief_id: String,
    /// Its headline at the time.
    pub headline: String,
    /// Its sentiment towards the ticker at the time; 0.5 is neutral.
    pub sentiment: Score,
    /// When that was published: with the brief, or with a later revision if that was the first to name the ticker.
    pub published_at: Timestamp,
}

/// Sentiment of briefs.
#[derive(Clone, Copy, Debug)]
pub struct BriefSentiments<'a> {
    pub(crate) database: &'a Database,
}

/// The setting that records that all briefs have their rows.
const COMPLETE: &str = "opinions.complete";

impl BriefSentiments<'_> {
    /// The rows, newest brief first.
    pub async fn list(&self, query: &BriefSentimentQuery) -> Result<Vec<BriefSentiment>> {
        let mut filter = filter_of(query);
        let condition = filter.sql();
        let limit = limit_of(query, &mut filter);
        let sql = format!(
            "SELECT o.ticker, o.public_id, o.published_at, o.sentiment, o.confidence, o.role, o.category, o.headline \
             FROM opinion o WHERE {condition} ORDER BY o.published_at DESC, o.brief, o.ticker{limit}"
        );
        let rows = self.database.rows(sql, filter.values()).await?;
        rows.iter().map(brief_sentiment_row).collect()
    }

    /// What every revision published after `after` and up to `until` said, as far as it was known at `as_of`, in a
    /// fixed order. Empty categories mean all.
    pub async fn versions(
        &self,
        after: Timestamp,
        until: Timestamp,
        as_of: Option<Timestamp>,
        categories: &[Category],
    ) -> Result<Vec<BriefSentimentVersion>> {
        let mut filter = Where::default();
        filter.categories("o.category", categories);
        let after = filter.bind(after);
        filter.and(format!("o.published_at > {after}"));
        let until = filter.bind(until);
        filter.and(format!("o.published_at <= {until}"));
        if let Some(as_of) = as_of {
            let as_of = filter.bind(as_of);
            filter.and(format!("o.known_from <= {as_of}"));
        }
        let condition = filter.sql();
        let sql = format!(
            "SELECT o.ticker, o.published_at, o.sentiment, o.known_from, o.known_to FROM opinion o WHERE {condition} \
             ORDER BY o.published_at, o.brief, o.ticker, o.known_from"
        );
        let rows = self.database.rows(sql, filter.values()).await?;
        rows.iter()
            .map(|row| {
                let ticker = row.text(0)?;
                Ok(BriefSentimentVersion {
                    published_at: row.time(1)?,
                    sentiment: Score::new(row.real(2)?)
                        .ok_or_else(|| Error::corrupt("opinion", ticker.clone()))?,
                    known_from: row.time(3)?,
                    known_to: row.time(4)?,
                    ticker,
                })
            })
            .collect()
    }

    /// What the briefs first said about the tickers of a query, for the briefs that [`list`](Self::list) finds, in the
    /// same order. A headline that was rewritten since would tell what nobody knew when the brief came out.
    pub async fn first_statements(
        &self,
        query: &BriefSentimentQuery,
    ) -> Result<Vec<FirstStatement>> {
        let mut filter = filter_of(query);
        let condition = filter.sql();
        let limit = limit_of(query, &mut filter);
        let sql = format!(
            "SELECT f.public_id, f.headline, f.sentiment, f.published_at, f.known_from, f.ticker, \
             (SELECT MIN(r.known_from) FROM brief_revision r WHERE r.brief = o.brief) \
             FROM opinion o JOIN opinion f ON f.ticker = o.ticker AND f.published_at = o.published_at AND f.brief = o.brief \
             AND f.known_from = (SELECT MIN(g.known_from) FROM opinion g \
             WHERE g.ticker = o.ticker AND g.published_at = o.published_at AND g.brief = o.brief) \
             WHERE {condition} ORDER BY o.published_at DESC, o.brief, o.ticker{limit}"
        );
        let rows = self.database.rows(sql, filter.values()).await?;
        rows.iter()
            .map(|row| {
                let brief_id = row.text(0)?;
                let (published_at, stated_at) = (row.time(3)?, row.time(4)?);
                let with_brief = row.time_option(6)?.is_none_or(|first| stated_at <= first);
                Ok(FirstStatement {
                    ticker: row.text(5)?,
                    headline: row.text(1)?,
                    sentiment: Score::new(row.real(2)?)
                        .ok_or_else(|| Error::corrupt("opinion", brief_id.clone()))?,
                    published_at: if with_brief {
                        published_at
                    } else {
                        stated_at.max(published_at)
                    },
                    brief_id,
                })
            })
            .collect()
    }

    /// Writes the rows of briefs that were published before this table existed. Does nothing if that has already been
    /// done.
    ///
    /// It may run alongside everything else: publishers wait for the few milliseconds that a page takes, so that no
    /// revision is closed between being read and being written. If it is interrupted, it starts again.
    pub async fn complete(&self) -> Result<u64> {
        const PAGE: u64 = 100;
        let done = "SELECT COUNT(*) FROM setting WHERE name = $1";
        if self.database.number(done, values![COMPLETE]).await? > 0 {
            return Ok(0);
        }
        let mut written = 0;
        let mut after = None;
        loop {
            let mut tx = self.database.begin_locked(WriteLock::Publish).await?;
            let page = tx
                .rows(REVISIONS_AFTER, revisions_after(after, PAGE))
                .await?;
            let page: Vec<StoredBrief> = page
                .iter()
                .map(|row| stored_brief(row, None))
                .collect::<Result<_>>()?;
            let Some(last) = page.last() else { break };
            after = Some((last.brief.id, last.brief.revision));
            let mut rows = Vec::new();
            for stored in &page {
                push(&mut rows, &stored.brief, stored.known_from, stored.known_to);
            }
            written += (rows.len() / COLUMNS) as u64;
            insert(&mut tx, rows).await?;
            tx.commit().await?;
        }
        let sql =
            "INSERT INTO setting (name, value) VALUES ($1, '1') ON CONFLICT (name) DO NOTHING";
        self.database.write(sql, values![COMPLETE]).await?;
        Ok(written)
    }
}

/// The condition on the rows `o` of a query.
fn filter_of(query: &BriefSentimentQuery) -> Where {
    let mut filter = Where::default();
    if !query.tickers.is_empty() {
        let tickers = filter.bind_all(query.tickers.iter().cloned());
        filter.and(format!("o.ticker IN ({tickers})"));
    }
    filter.categories("o.category", &query.categories);
    if let Some(after) = query.after {
        let after = filter.bind(after);
        filter.and(format!("o.published_at > {after}"));
    }
    if let Some(until) = query.until {
        let until = filter.bind(until);
        filter.and(format!("o.published_at <= {until}"));
    }
    filter.valid("o", query.as_of);
    filter
}

fn limit_of(query: &BriefSentimentQuery, filter: &mut Where) -> String {
    match query.limit {
        0 => String::new(),
        limit => format!(" LIMIT {}", filter.bind(limit)),
    }
}

const COLUMNS: usize = 11;

/// Adds the rows of a revision.
pub(crate) fn push(
    rows: &mut Vec<Value>,
    brief: &Brief,
    known_from: Timestamp,
    known_to: Timestamp,
) {
    let mut seen: Vec<String> = Vec::new();
    for entity in &brief.entities {
        let Some(ticker) = entity.ticker.as_ref().map(|one| one.trim().to_uppercase()) else {
            continue;
        };
        if ticker.is_empty() || seen.contains(&ticker) {
            continue;
        }
        rows.extend(values![
            &ticker,
            brief.published_at,
            brief.id.0,
            known_from,
            known_to,
            entity.sentiment.get(),
            brief.confidence.score.get(),
            entity.role.as_str(),
            brief.category.as_str(),
            brief.public_id.as_str(),
            &brief.headline,
        ]);
        seen.push(ticker);
    }
}

/// Whether a brief says something about a ticker.
pub(crate) fn has_some(brief: &Brief) -> bool {
    brief.entities.iter().any(|entity| entity.ticker.is_some())
}

/// Writes rows; a row that comes back at the very time it was closed is reopened.
pub(crate) async fn insert(tx: &mut Tx, rows: Vec<Value>) -> Result<()> {
    tx.queue_insert(
        "INSERT INTO opinion (ticker, published_at, brief, known_from, known_to, sentiment, confidence, role, category, \
         public_id, headline) VALUES",
        "ON CONFLICT (ticker, published_at, brief, known_from) DO UPDATE SET known_to = excluded.known_to, \
         sentiment = excluded.sentiment, confidence = excluded.confidence, role = excluded.role, \
         category = excluded.category, headline = excluded.headline",
        COLUMNS,
        rows,
    )
    .await
}

fn brief_sentiment_row(row: &Row) -> Result<BriefSentiment> {
    let brief_id = row.text(1)?;
    let corrupt = || Error::corrupt("opinion", brief_id.clone());
    Ok(BriefSentiment {
        ticker: row.text(0)?,
        published_at: row.time(2)?,
        sentiment: Score::new(row.real(3)?).ok_or_else(corrupt)?,
        confidence: Score::new(row.real(4)?).ok_or_else(corrupt)?,
        role: row.text(5)?.parse().map_err(|_| corrupt())?,
        category: row.text(6)?.parse().map_err(|_| corrupt())?,
        headline: row.text(7)?,
        brief_id,
    })
}
