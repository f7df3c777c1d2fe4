//! Briefs: every revision with its validity period.

mod kept;
mod list;
mod trending;

use std::sync::Arc;

use model::{Article, ArticleId, Brief, BriefId, Category, PublicBriefId, Timestamp};
use uuid::Uuid;

use crate::articles::{BY_BRIEF, stored_article};
use crate::database::{Database, Row, Value, values};
use crate::{Error, Result, StoredArticle, document};

pub use trending::TrendingQuery;

pub(crate) use kept::KeptBriefs;
pub(crate) use list::{Totals, Where, limited};

/// What [`stored_brief`] reads: revisions `r` and their documents `d`.
macro_rules! brief_source {
    () => {
        "SELECT r.brief, r.revision, r.known_from, r.known_to, r.recorded_at, r.trending_at, d.document, d.packed \
         FROM brief_revision r JOIN brief_document d ON d.brief = r.brief AND d.revision = r.revision"
    };
}
pub(crate) use brief_source;

/// A page of revisions ordered by identity and revision; [`revisions_after`] has its parameters.
pub(crate) const REVISIONS_AFTER: &str = concat!(
    brief_source!(),
    " WHERE (r.brief, r.revision) > ($1, $2) ORDER BY r.brief, r.revision LIMIT $3"
);

/// The parameters for a page of up to this many revisions after the given one.
pub(crate) fn revisions_after(after: Option<(BriefId, u32)>, limit: u64) -> Vec<Value> {
    let (brief, revision) = after.map_or((String::new(), 0), |(brief, revision)| {
        (brief.0.hyphenated().to_string(), revision)
    });
    values![brief, revision, limit]
}

/// The longest chain of merges that is followed. A story holds a few hundred articles, so a chain ends long before.
const MOST_MERGES: usize = 64;

/// The condition for current revisions; partial indexes use the same words.
pub(crate) const CURRENT: &str = "r.known_to = 9223372036854775807";

/// A revision of a brief and when it was valid.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredBrief {
    /// The revision.
    pub brief: Arc<Brief>,
    /// When it became known.
    pub known_from: Timestamp,
    /// Until when it was valid; [`Timestamp::END`] for the current one.
    pub known_to: Timestamp,
    /// When this store wrote it.
    pub recorded_at: Timestamp,
    /// When it was marked as trending.
    pub trending_at: Option<Timestamp>,
}

/// A revision without its document: which one, and when it was valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RevisionSpan {
    /// The brief.
    pub brief_id: BriefId,
    /// Which of its revisions.
    pub revision: u32,
    /// When it became known.
    pub known_from: Timestamp,
    /// Until when it was valid; [`Timestamp::END`] for the current one.
    pub known_to: Timestamp,
}

/// The order of a list; newest first in both cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BriefSort {
    /// By first publication.
    #[default]
    Published,
    /// By most recent source.
    Updated,
}

/// Which briefs, and which page of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BriefQuery {
    /// Any of these; empty means all.
    pub categories: Vec<Category>,
    /// At least this confidence.
    pub min_confidence: Option<f64>,
    /// Any of these tags, ignoring case; empty means all.
    pub tags: Vec<String>,
    /// With a source from at least one of these registrable domains; empty means all.
    pub include_sources: Vec<String>,
    /// Without a source from any of these registrable domains.
    pub exclude_sources: Vec<String>,
    /// Only briefs that gained a source after publication.
    pub updates_only: bool,
    /// Order.
    pub sort: BriefSort,
    /// How many to skip.
    pub offset: u64,
    /// How many at most.
    pub limit: u64,
    /// As of this time; `None` means now.
    pub as_of: Option<Timestamp>,
}

/// A page of briefs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BriefPage {
    /// How many there are on all pages.
    pub total: u64,
    /// The briefs on this page.
    pub briefs: Vec<StoredBrief>,
}

/// The briefs.
#[derive(Clone, Copy, Debug)]
pub struct Briefs<'a> {
    pub(crate) database: &'a Database,
    pub(crate) totals: &'a Totals,
    pub(crate) kept: &'a KeptBriefs,
}

impl Briefs<'_> {
    /// The brief that a UUID or public identity names, ignoring case, as known at `as_of`; if it was merged into
    /// another one, that one.
    pub async fn find(
        &self,
        reference: &str,
        as_of: Option<Timestamp>,
    ) -> Result<Option<StoredBrief>> {
        let (condition, named, key) = match (
            Uuid::try_parse(reference.trim()),
            PublicBriefId::parse(reference),
        ) {
            (Ok(id), _) => ("r.brief = $1", "b.id = $1", id.hyphenated().to_string()),
            (_, Some(public)) => (
                "r.brief = (SELECT id FROM brief WHERE public_id = $1)",
                "b.public_id = $1",
                public.as_str().to_owned(),
            ),
            _ => return Ok(None),
        };
        // The newest revision known by then; validity periods never overlap.
        let time = as_of
            .unwrap_or(Timestamp::END)
            .min(Timestamp::END.plus_ms(-1));
        let sql = format!(
            "{} WHERE {condition} AND r.known_from <= $2 AND r.known_to > $2",
            brief_source!()
        );
        let row = self.database.row(sql, values![&key, time]).await?;
        if let Some(row) = row {
            return Ok(Some(stored_brief(&row, as_of)?));
        }
        // It may have been merged into another by then, and that one into a third.
        let sql = format!(
            "WITH RECURSIVE later(id, step) AS ( \
             SELECT b.merged_into, 1 FROM brief b WHERE {named} AND {ended} \
             UNION ALL SELECT b.merged_into, later.step + 1 FROM later JOIN brief b ON b.id = later.id \
             WHERE later.step < {MOST_MERGES} AND {ended}) \
             {} JOIN later ON r.brief = later.id WHERE r.known_from <= $2 AND r.known_to > $2",
            brief_source!(),
            ended = "b.merged_into IS NOT NULL AND (SELECT MAX(e.known_from) FROM brief_revision e WHERE e.brief = b.id) <= $2",
        );
        let row = self.database.row(sql, values![key, time]).await?;
        row.map(|row| stored_brief(&row, as_of)).transpose()
    }

    /// The current revision.
    pub async fn current(&self, id: BriefId) -> Result<Option<StoredBrief>> {
        let sql = format!("{} WHERE r.brief = $1 AND {CURRENT}", brief_source!());
        self.database
            .row(sql, values![id.0])
            .await?
            .map(|row| stored_brief(&row, None))
            .transpose()
    }

    /// These revisions in the order asked for; unknown ones are left out.
    pub async fn load(&self, revisions: &[(BriefId, u32)]) -> Result<Vec<StoredBrief>> {
        kept::load(self.database, self.kept, revisions).await
    }

    /// All revisions of a brief, oldest first.
    pub async fn revisions(&self, id: BriefId) -> Result<Vec<StoredBrief>> {
        let sql = concat!(brief_source!(), " WHERE r.brief = $1 ORDER BY r.revision");
        self.database
            .rows(sql, values![id.0])
            .await?
            .iter()
            .map(|row| stored_brief(row, None))
            .collect()
    }

    /// The revisions after the given one, ordered by identity and revision: walks over everything.
    pub async fn page_for_reindex(
        &self,
        after: Option<(BriefId, u32)>,
        limit: u64,
    ) -> Result<Vec<StoredBrief>> {
        let rows = self
            .database
            .rows(REVISIONS_AFTER, revisions_after(after, limit))
            .await?;
        rows.iter().map(|row| stored_brief(row, None)).collect()
    }

    /// As [`Self::page_for_reindex`], without the documents.
    pub async fn page_of_spans(
        &self,
        after: Option<(BriefId, u32)>,
        limit: u64,
    ) -> Result<Vec<RevisionSpan>> {
        let sql = "SELECT brief, revision, known_from, known_to FROM brief_revision \
                   WHERE (brief, revision) > ($1, $2) ORDER BY brief, revision LIMIT $3";
        let rows = self
            .database
            .rows(sql, revisions_after(after, limit))
            .await?;
        rows.iter()
            .map(|row| {
                let id = row.id(0, "brief_revision")?;
                Ok(RevisionSpan {
                    brief_id: BriefId(id),
                    revision: u32::try_from(row.int(1)?)
                        .map_err(|_| Error::corrupt("brief_revision", id.to_string()))?,
                    known_from: row.time(2)?,
                    known_to: row.time(3)?,
                })
            })
            .collect()
    }

    /// A page of briefs.
    pub async fn list(&self, query: &BriefQuery) -> Result<BriefPage> {
        list::page(self.database, self.totals, query).await
    }

    /// When the first brief in a time span was published, among those that were current at `as_of`.
    pub async fn first_published(
        &self,
        from: Timestamp,
        to: Timestamp,
        as_of: Option<Timestamp>,
    ) -> Result<Option<Timestamp>> {
        let sql = "SELECT r.published_at FROM brief_revision r \
                   WHERE r.published_at >= $1 AND r.published_at < $2 AND r.known_from <= $3 AND r.known_to > $3 \
                   ORDER BY r.published_at, r.brief LIMIT 1";
        // A revision that nothing replaced stays known until the end.
        let latest = Timestamp::from_ms(Timestamp::END.ms() - 1);
        let values = values![from, to, as_of.unwrap_or(latest).min(latest)];
        let row = self.database.row(sql, values).await?;
        row.map(|row| row.time(0)).transpose()
    }

    /// The briefs that were marked as trending in a time span, most recently marked first.
    pub async fn trending(&self, query: &TrendingQuery) -> Result<Vec<StoredBrief>> {
        trending::marked(self.database, query).await
    }

    /// When a brief in these categories (empty means all) was last marked as trending, up to `until`.
    pub async fn last_trending(
        &self,
        until: Timestamp,
        categories: &[Category],
    ) -> Result<Option<Timestamp>> {
        trending::last(self.database, until, categories).await
    }

    /// The articles of a brief that were known at `as_of`, in order of arrival. A feed's stand-in is left out if the
    /// article at its address was also known.
    pub async fn articles_of(
        &self,
        id: BriefId,
        as_of: Option<Timestamp>,
    ) -> Result<Vec<StoredArticle>> {
        let values = values![id.0, as_of.unwrap_or(Timestamp::END)];
        let rows = self.database.rows(BY_BRIEF, values).await?;
        let articles: Vec<StoredArticle> =
            rows.iter().map(stored_article).collect::<Result<_>>()?;
        let is_replaced = |article: &Article| {
            articles
                .iter()
                .any(|other| article.is_replaced_by(&other.article))
        };
        let replaced: Vec<ArticleId> = articles
            .iter()
            .filter(|stored| stored.article.is_stand_in() && is_replaced(&stored.article))
            .map(|stored| stored.article.id)
            .collect();
        Ok(articles
            .into_iter()
            .filter(|stored| !replaced.contains(&stored.article.id))
            .collect())
    }
}

/// Reads a revision. A mark that was set after `as_of` is not yet known then.
pub(crate) fn stored_brief(row: &Row, as_of: Option<Timestamp>) -> Result<StoredBrief> {
    let brief = brief_of(row, (6, 7))?;
    validity(row, brief, as_of)
}

/// The brief in these two columns of a row that begins with identity and revision.
pub(crate) fn brief_of(row: &Row, (text, packed): (usize, usize)) -> Result<Arc<Brief>> {
    let read = document::decode(row, text, packed)?;
    match read.and_then(|document| serde_json::from_str(&document).ok()) {
        Some(brief) => Ok(Arc::new(brief)),
        None => Err(Error::corrupt(
            "brief_document",
            format!("{} revision {}", row.text(0)?, row.int(1)?),
        )),
    }
}

/// A brief with the validity given in columns two to five.
fn validity(row: &Row, brief: Arc<Brief>, as_of: Option<Timestamp>) -> Result<StoredBrief> {
    Ok(StoredBrief {
        brief,
        known_from: row.time(2)?,
        known_to: row.time(3)?,
        recorded_at: row.time(4)?,
        trending_at: row
            .time_option(5)?
            .filter(|&at| as_of.is_none_or(|as_of| at <= as_of)),
    })
}
