//! Briefs that were marked as trending.

use model::{Category, Timestamp};

use super::{StoredBrief, brief_source, stored_brief};
use crate::Result;
use crate::briefs::Where;
use crate::database::Database;

/// Which of them to return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrendingQuery {
    /// Marked after this time.
    pub after: Timestamp,
    /// Marked by this time.
    pub until: Timestamp,
    /// Any of these; empty means all.
    pub categories: Vec<Category>,
    /// The maximum number.
    pub limit: u64,
    /// As of this time; `None` means now.
    pub as_of: Option<Timestamp>,
}

/// The revisions that were valid, most recently marked first.
pub(super) async fn marked(database: &Database, query: &TrendingQuery) -> Result<Vec<StoredBrief>> {
    let mut filter = Where::default();
    let (after, until) = (filter.bind(query.after), filter.bind(query.until));
    filter.and(format!(
        "r.trending_at IS NOT NULL AND r.trending_at > {after} AND r.trending_at <= {until}"
    ));
    filter.valid("r", query.as_of);
    filter.categories("r.category", &query.categories);
    let condition = filter.sql();
    let limit = filter.bind(query.limit);
    let sql = format!(
        "{} JOIN (SELECT r.brief, r.revision, r.trending_at AS place FROM brief_revision r WHERE {condition} \
         ORDER BY r.trending_at DESC, r.brief DESC LIMIT {limit}) page \
         ON page.brief = r.brief AND page.revision = r.revision ORDER BY page.place DESC, page.brief DESC",
        brief_source!()
    );
    let rows = database.rows(sql, filter.values()).await?;
    rows.iter()
        .map(|row| stored_brief(row, query.as_of))
        .collect()
}

/// When a brief was last marked.
pub(super) async fn last(
    database: &Database,
    until: Timestamp,
    categories: &[Category],
) -> Result<Option<Timestamp>> {
    let mut filter = Where::default();
    let time = filter.bind(until);
    filter.and(format!(
        "r.trending_at IS NOT NULL AND r.trending_at <= {time}"
    ));
    filter.categories("r.category", categories);
    let sql = format!(
        "SELECT r.trending_at FROM brief_revision r WHERE {} ORDER BY r.trending_at DESC LIMIT 1",
        filter.sql()
    );
    let row = database.row(sql, filter.values()).await?;
    row.map(|row| row.time(0)).transpose()
}
