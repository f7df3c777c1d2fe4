//! Records: what was disclosed or reported about a symbol on a given day.
//!
//! One table serves all kinds, because all are read in the same way: the newest for a symbol, or for all symbols, as
//! known at a point in time. Through [`Record`] a kind says which fields it can be found by; the rest is its document.

mod kinds;
mod write;

use std::cmp::Ordering;
use std::marker::PhantomData;

use model::{Day, Symbol, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::briefs::Where;
use crate::database::{Database, Row, Work};
use crate::{Error, Result};

pub(crate) use write::{NewRecord, RecordWriter};

/// The fields by which a kind of record is found.
pub trait Record: Serialize + DeserializeOwned + Send {
    /// The word under which it is stored.
    const KIND: &'static str;

    /// Parses a document of this kind. There is no default implementation, so that it is compiled once, here, and not
    /// by every crate that reads records.
    fn parse(document: &str) -> serde_json::Result<Self>;

    /// For what several sources report: compares one document with another of the same identity. A report that says no
    /// more changes nothing, and one that says more replaces the other. A report that differs is a revision; if both
    /// claim the same time, it is known from when it is written.
    const COMPARE: Option<fn(&str, &str) -> Comparison> = None;

    /// The fields it is found by.
    fn facets(&self) -> RecordFacets;
}

/// How one report compares with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It says part of it.
    Less,
    /// It says the same; of two at the same time the greater one stands, whichever comes first.
    Same(Ordering),
    /// It says all of it, and something more.
    More,
    /// It says not all of it, and something else.
    Other,
}

/// The fields a record is found by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordFacets {
    /// Identity within its kind: a later record with the same identity replaces it.
    pub id: String,
    /// The symbol it is about; empty if there is none.
    pub symbol: String,
    /// The day by which lists are ordered.
    pub day: Day,
    /// For example a form, a transaction type or a chamber.
    pub word: String,
    /// A sum by which lists are filtered.
    pub amount: Option<f64>,
    /// The text that searches look through.
    pub text: String,
    /// Records that are amended together; empty for one that stands alone.
    pub bundle: String,
}

/// Which records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordQuery {
    /// About this symbol.
    pub symbol: Option<Symbol>,
    /// With one of these words, ignoring case; empty means all.
    pub words: Vec<String>,
    /// With at least this amount.
    pub min_amount: Option<f64>,
    /// With text that contains every one of these, ignoring case.
    pub containing: Vec<String>,
    /// In that bundle.
    pub bundle: Option<String>,
    /// From this day or later.
    pub from: Option<Day>,
    /// From this day or earlier.
    pub to: Option<Day>,
    /// As of this time; `None` means now.
    pub as_of: Option<Timestamp>,
    /// How many at most; 0 means all.
    pub limit: u64,
}

/// A record as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRecord<R> {
    /// The record itself.
    pub record: R,
    /// When this became known.
    pub known_at: Timestamp,
    /// When this store wrote it.
    pub recorded_at: Timestamp,
}

/// The records of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Records<'a, R> {
    pub(crate) database: &'a Database,
    pub(crate) kind: PhantomData<R>,
}

impl<R: Record> Records<'_, R> {
    /// The records, newest day first.
    pub async fn list(&self, query: &RecordQuery) -> Result<Vec<StoredRecord<R>>> {
        let rows = documents(self.database, R::KIND, query).await?;
        rows.iter()
            .map(|row| {
                Ok(StoredRecord {
                    record: R::parse(&row.text(1)?)
                        .map_err(|_| Error::corrupt("record", row.text(0).unwrap_or_default()))?,
                    known_at: row.time(2)?,
                    recorded_at: row.time(3)?,
                })
            })
            .collect()
    }

    /// How many there are, regardless of the limit.
    pub async fn count(&self, query: &RecordQuery) -> Result<u64> {
        let filter = filter(R::KIND, query);
        let sql = format!("SELECT COUNT(*) FROM record r WHERE {}", filter.sql());
        Ok(self.database.number(sql, filter.values()).await?.max(0) as u64)
    }

    /// The newest one.
    pub async fn newest(&self, query: &RecordQuery) -> Result<Option<StoredRecord<R>>> {
        let query = RecordQuery {
            limit: 1,
            ..query.clone()
        };
        Ok(self.list(&query).await?.into_iter().next())
    }
}

/// The rows of a kind, newest day first.
fn documents<'a>(
    database: &'a Database,
    kind: &'static str,
    query: &RecordQuery,
) -> Work<'a, Vec<Row>> {
    let mut filter = filter(kind, query);
    let condition = filter.sql();
    let limit = match query.limit {
        0 => String::new(),
        limit => format!(" LIMIT {}", filter.bind(limit)),
    };
    let sql = format!(
        "SELECT r.id, r.document, r.known_from, r.recorded_at FROM record r WHERE {condition} \
         ORDER BY r.day DESC, r.id{limit}"
    );
    database.rows(sql, filter.values())
}

fn filter(kind: &'static str, query: &RecordQuery) -> Where {
    let mut filter = Where::default();
    filter.and(format!("r.kind = '{kind}'"));
    if let Some(symbol) = &query.symbol {
        let symbol = filter.bind(symbol.as_str());
        filter.and(format!("r.symbol = {symbol}"));
    }
    if !query.words.is_empty() {
        let words = filter.bind_all(query.words.iter().map(|word| word.to_lowercase()));
        filter.and(format!("r.word IN ({words})"));
    }
    if let Some(least) = query.min_amount {
        let least = filter.bind(least);
        filter.and(format!("r.amount >= {least}"));
    }
    for part in &query.containing {
        let pattern = part
            .to_lowercase()
            .replace('\\', "\\\\")
            .replace('%', "\\%")
            .replace('_', "\\_");
        let pattern = filter.bind(format!("%{pattern}%"));
        filter.and(format!("r.content LIKE {pattern} ESCAPE '\\'"));
    }
    if let Some(bundle) = &query.bundle {
        let bundle = filter.bind(bundle.as_str());
        filter.and(format!("r.bundle = {bundle}"));
    }
    if let Some(from) = query.from {
        let from = filter.bind(i64::from(from.get()));
        filter.and(format!("r.day >= {from}"));
    }
    if let Some(to) = query.to {
        let to = filter.bind(i64::from(to.get()));
        filter.and(format!("r.day <= {to}"));
    }
    // A version that was replaced at exactly the time it became known was never in force.
    filter.and("r.known_from < r.known_to");
    filter.valid("r", query.as_of);
    filter
}
