//! What briefs state: events, and points on which their sources contradict each other.

use model::{Category, Contradiction, Event, EventKind, Severity, Timestamp};
use serde::de::DeserializeOwned;

use crate::briefs::{Where, stored_brief};
use crate::database::{Database, Row};
use crate::entities::entity_key;
use crate::{Error, Result, StoredBrief};

/// The kinds of rows.
pub(crate) const EVENT: &str = "event";
pub(crate) const CONTRADICTION: &str = "contradiction";

/// Which events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// Of this kind.
    pub kind: Option<EventKind>,
    /// Contained in the name of whoever did it, ignoring case.
    pub subject: Option<String>,
    /// The conditions common to all findings.
    pub window: FindingWindow,
}

/// Which contradictions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContradictionQuery {
    /// Of this severity.
    pub severity: Option<Severity>,
    /// The conditions common to all findings.
    pub window: FindingWindow,
}

/// From which briefs, and from when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingWindow {
    /// From briefs in any of these categories; empty means all.
    pub categories: Vec<Category>,
    /// First stated at or after this time.
    pub since: Option<Timestamp>,
    /// The maximum number.
    pub limit: u64,
    /// As of this time; `None` means now.
    pub as_of: Option<Timestamp>,
}

/// Something that a brief states.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding<T> {
    /// What it states.
    pub stated: T,
    /// When the brief first stated it.
    pub since: Timestamp,
    /// The brief, as known at the time.
    pub brief: StoredBrief,
}

/// The findings.
#[derive(Clone, Copy, Debug)]
pub struct Findings<'a> {
    pub(crate) database: &'a Database,
}

impl Findings<'_> {
    /// How many events there are, and the newest of them.
    pub async fn events(&self, query: &EventQuery) -> Result<(u64, Vec<Finding<Event>>)> {
        let mut filter = Where::default();
        if let Some(kind) = query.kind {
            let word = filter.bind(kind.as_str());
            filter.and(format!("f.word = {word}"));
        }
        if let Some(subject) = query.subject.as_deref().map(entity_key) {
            let pattern = subject
                .replace('\\', "\\\\")
                .replace('%', "\\%")
                .replace('_', "\\_");
            let pattern = filter.bind(format!("%{pattern}%"));
            filter.and(format!("f.subject LIKE {pattern} ESCAPE '\\'"));
        }
        self.page(EVENT, filter, &query.window).await
    }

    /// The events of briefs in which a ticker is more than just mentioned, each with the time it was first stated,
    /// newest first.
    pub async fn events_about(
        &self,
        ticker: &str,
        since: Timestamp,
        as_of: Option<Timestamp>,
        categories: &[Category],
    ) -> Result<Vec<(Event, Timestamp)>> {
        let mut filter = Where::default();
        filter.and(format!("f.kind = '{EVENT}'"));
        let since = filter.bind(since);
        filter.and(format!("f.since >= {since}"));
        filter.categories("f.category", categories);
        filter.valid("f", as_of);
        let ticker = filter.bind(ticker);
        filter.and(format!("o.ticker = {ticker} AND o.role <> 'mentioned'"));
        filter.valid("o", as_of);
        let sql = format!(
            "SELECT f.brief, f.document, f.since FROM finding f JOIN opinion o ON o.brief = f.brief WHERE {} \
             ORDER BY f.since DESC, f.brief, f.identity",
            filter.sql()
        );
        let rows = self.database.rows(sql, filter.values()).await?;
        rows.iter()
            .map(|row| {
                let stated = serde_json::from_str(&row.text(1)?)
                    .map_err(|_| Error::corrupt("finding", row.text(0).unwrap_or_default()))?;
                Ok((stated, row.time(2)?))
            })
            .collect()
    }

    /// How many contradictions there are, and the newest of them.
    pub async fn contradictions(
        &self,
        query: &ContradictionQuery,
    ) -> Result<(u64, Vec<Finding<Contradiction>>)> {
        let mut filter = Where::default();
        if let Some(severity) = query.severity {
            let word = filter.bind(severity.as_str());
            filter.and(format!("f.word = {word}"));
        }
        self.page(CONTRADICTION, filter, &query.window).await
    }

    /// When something of that kind was last stated for the first time.
    pub async fn newest_event(&self, query: &EventQuery) -> Result<Option<Timestamp>> {
        let window = FindingWindow {
            since: None,
            limit: 1,
            ..query.window.clone()
        };
        let found = self
            .events(&EventQuery {
                window,
                ..query.clone()
            })
            .await?;
        Ok(found.1.first().map(|finding| finding.since))
    }

    async fn page<T: DeserializeOwned>(
        &self,
        kind: &'static str,
        mut filter: Where,
        window: &FindingWindow,
    ) -> Result<(u64, Vec<Finding<T>>)> {
        filter.and(format!("f.kind = '{kind}'"));
        if let Some(since) = window.since {
            let since = filter.bind(since);
            filter.and(format!("f.since >= {since}"));
        }
        filter.categories("f.category", &window.categories);
        filter.valid("f", window.as_of);
        let condition = filter.sql();
        let sql = format!("SELECT COUNT(*) FROM finding f WHERE {condition}");
        let total = u64::try_from(self.database.number(sql, filter.values()).await?).unwrap_or(0);
        if total == 0 || window.limit == 0 {
            return Ok((total, Vec::new()));
        }
        let limit = filter.bind(window.limit);
        let mut revisions = filter.only_values();
        revisions.valid("r", window.as_of);
        let sql = format!(
            "SELECT r.brief, r.revision, r.known_from, r.known_to, r.recorded_at, r.trending_at, d.document, d.packed, \
             page.document, page.since FROM (SELECT f.brief, f.identity, f.document, f.since FROM finding f \
             WHERE {condition} ORDER BY f.since DESC, f.brief, f.identity LIMIT {limit}) page \
             JOIN brief_revision r ON r.brief = page.brief AND {} \
             JOIN brief_document d ON d.brief = r.brief AND d.revision = r.revision \
             ORDER BY page.since DESC, page.brief, page.identity",
            revisions.sql()
        );
        let rows = self.database.rows(sql, revisions.values()).await?;
        let found = rows
            .iter()
            .map(|row| finding(row, window.as_of))
            .collect::<Result<_>>()?;
        Ok((total, found))
    }
}

fn finding<T: DeserializeOwned>(row: &Row, as_of: Option<Timestamp>) -> Result<Finding<T>> {
    let stated = serde_json::from_str(&row.text(8)?)
        .map_err(|_| Error::corrupt("finding", row.text(0).unwrap_or_default()))?;
    Ok(Finding {
        stated,
        since: row.time(9)?,
        brief: stored_brief(row, as_of)?,
    })
}
