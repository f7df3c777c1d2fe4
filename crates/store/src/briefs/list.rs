//! Lists of briefs: filters, order, pages and totals.
//!
//! Pages walk an index in the order asked for and load only their own documents. A filter by source or tag is either
//! driven from the few briefs that match it or checked along the walk, whichever is shorter.

use std::collections::HashMap;
use std::sync::Mutex;

use model::{Category, Timestamp};

use super::{BriefPage, BriefQuery, BriefSort, CURRENT, brief_source, stored_brief};
use crate::Result;
use crate::database::{Database, Value, values};

/// From this many matches on, a filter is checked along the walk.
const MANY: i64 = 2_000;

/// Totals of filtered lists, each valid until the next revision is published.
#[derive(Debug, Default)]
pub(crate) struct Totals(Mutex<HashMap<String, (i64, u64)>>);

impl Totals {
    const MOST: usize = 512;

    fn get(&self, key: &str, revisions: i64) -> Option<u64> {
        let totals = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        totals
            .get(key)
            .filter(|(at, _)| *at == revisions)
            .map(|(_, total)| *total)
    }

    fn put(&self, key: String, revisions: i64, total: u64) {
        let mut totals = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if totals.len() >= Self::MOST {
            totals.clear();
        }
        totals.insert(key, (revisions, total));
    }
}

/// A condition that is built up, with its parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Where {
    conditions: Vec<String>,
    values: Vec<Value>,
}

impl Where {
    /// Adds a parameter and returns its name.
    pub(crate) fn bind(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }

    /// Adds parameters and returns their names, for `IN (…)`.
    pub(crate) fn bind_all(&mut self, values: impl IntoIterator<Item = String>) -> String {
        values
            .into_iter()
            .map(|value| self.bind(value))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Adds another condition that must hold.
    pub(crate) fn and(&mut self, condition: impl Into<String>) {
        self.conditions.push(condition.into());
    }

    /// Adds the categories of `column`, if there are any.
    pub(crate) fn categories(&mut self, column: &str, categories: &[Category]) {
        match categories {
            [] => {}
            [one] => {
                let name = self.bind(one.as_str());
                self.and(format!("{column} = {name}"));
            }
            several => {
                let names =
                    self.bind_all(several.iter().map(|category| category.as_str().to_owned()));
                self.and(format!("{column} IN ({names})"));
            }
        }
    }

    /// Restricts `table` to rows valid at `as_of`, or now.
    pub(crate) fn valid(&mut self, table: &str, as_of: Option<Timestamp>) {
        let condition = self.validity(table, as_of);
        self.and(condition);
    }

    fn validity(&mut self, table: &str, as_of: Option<Timestamp>) -> String {
        match as_of {
            None => format!("{table}.known_to = 9223372036854775807"),
            Some(time) => {
                // Current revisions end at the end of time itself.
                let name = self.bind(time.min(Timestamp::END.plus_ms(-1)));
                format!("{table}.known_from <= {name} AND {table}.known_to > {name}")
            }
        }
    }

    /// The same parameters with no condition yet, for an outer query.
    pub(crate) fn only_values(&self) -> Self {
        Self {
            conditions: Vec::new(),
            values: self.values.clone(),
        }
    }

    /// The condition.
    pub(crate) fn sql(&self) -> String {
        if self.conditions.is_empty() {
            "1 = 1".to_owned()
        } else {
            self.conditions.join(" AND ")
        }
    }

    /// Its parameters.
    pub(crate) fn values(&self) -> Vec<Value> {
        self.values.clone()
    }
}

/// The statement that loads a page: `source` and `condition` choose revisions `r`, and `order` is a column of `r`.
pub(crate) fn limited(
    source: &str,
    condition: &str,
    order: &str,
    limit: &str,
    offset: &str,
) -> String {
    format!(
        "{} JOIN (SELECT r.brief, r.revision, r.{order} AS place FROM {source} WHERE {condition} \
         ORDER BY r.{order} DESC, r.brief DESC LIMIT {limit} OFFSET {offset}) page \
         ON page.brief = r.brief AND page.revision = r.revision ORDER BY page.place DESC, page.brief DESC",
        brief_source!()
    )
}

/// One page.
pub(crate) async fn page(
    database: &Database,
    totals: &Totals,
    query: &BriefQuery,
) -> Result<BriefPage> {
    let include = lower(&query.include_sources);
    let exclude = lower(&query.exclude_sources);
    let tags = lower(&query.tags);
    let mut filter = Where::default();
    let mut few = false;
    for (kind, wanted) in [("source", &include), ("tag", &tags)] {
        if !wanted.is_empty() {
            few |= facet(&mut filter, database, kind, wanted, query.as_of).await?;
        }
    }
    if !exclude.is_empty() {
        let names = filter.bind_all(exclude.iter().cloned());
        let valid = filter.validity("x", query.as_of);
        filter.and(format!(
            "NOT EXISTS (SELECT 1 FROM brief_facet x WHERE x.kind = 'source' AND x.value IN ({names}) \
             AND x.brief = r.brief AND {valid})"
        ));
    }
    filter.categories("r.category", &query.categories);
    if let Some(least) = query.min_confidence {
        let name = filter.bind(least);
        filter.and(format!("r.confidence >= {name}"));
    }
    if query.updates_only {
        filter.and("r.update_count > 0");
    }
    match (query.as_of, few) {
        (None, false) => filter.and(CURRENT),
        // The sign keeps SQLite from walking an index of all current revisions instead of looking up the few.
        (None, true) => filter.and(format!("+{CURRENT}")),
        (Some(_), _) => filter.valid("r", query.as_of),
    }
    let total = total(database, totals, query, &filter).await?;
    if query.limit == 0 || query.offset >= total {
        return Ok(BriefPage {
            total,
            briefs: Vec::new(),
        });
    }
    let order = match query.sort {
        BriefSort::Published => "published_at",
        BriefSort::Updated => "updated_at",
    };
    let condition = filter.sql();
    let (limit, offset) = (filter.bind(query.limit), filter.bind(query.offset));
    let sql = limited("brief_revision r", &condition, order, &limit, &offset);
    let rows = database.rows(sql, filter.values()).await?;
    let briefs = rows
        .iter()
        .map(|row| stored_brief(row, query.as_of))
        .collect::<Result<_>>()?;
    Ok(BriefPage { total, briefs })
}

/// Adds a facet filter; returns whether so few briefs match that it should drive the query.
async fn facet(
    filter: &mut Where,
    database: &Database,
    kind: &'static str,
    wanted: &[String],
    as_of: Option<Timestamp>,
) -> Result<bool> {
    let mut sample = Where::default();
    let names = sample.bind_all(wanted.iter().cloned());
    let sql = format!(
        "SELECT COUNT(*) FROM (SELECT 1 FROM brief_facet WHERE kind = '{kind}' AND value IN ({names}) LIMIT {MANY}) capped"
    );
    let few = database.number(sql, sample.values()).await? < MANY;
    let names = filter.bind_all(wanted.iter().cloned());
    let valid = filter.validity("f", as_of);
    let matches =
        format!("FROM brief_facet f WHERE f.kind = '{kind}' AND f.value IN ({names}) AND {valid}");
    filter.and(if few {
        format!("r.brief IN (SELECT f.brief {matches})")
    } else {
        format!("EXISTS (SELECT 1 {matches} AND f.brief = r.brief)")
    });
    Ok(few)
}

/// How many briefs match: from stored counts if they can answer, otherwise a count that is valid until the next
/// revision.
async fn total(
    database: &Database,
    totals: &Totals,
    query: &BriefQuery,
    filter: &Where,
) -> Result<u64> {
    let facets = !(query.tags.is_empty()
        && query.include_sources.is_empty()
        && query.exclude_sources.is_empty());
    if query.as_of.is_none() && query.min_confidence.is_none() && !facets {
        return kept_total(database, query).await;
    }
    if let Some(total) = facet_total(database, query).await? {
        return Ok(total);
    }
    let key = format!("{filter:?}");
    let revisions = database
        .number(
            // Pruning removes revisions: without a counter of its own, the same number could stand for a different
            // state.
            "SELECT CAST(COALESCE(SUM(CASE WHEN name = 'pruned' THEN value * 4294967296 ELSE value END), 0) AS BIGINT) \
             FROM counter WHERE name IN ('revisions', 'pruned')",
            Vec::new(),
        )
        .await?;
    if let Some(total) = totals.get(&key, revisions) {
        return Ok(total);
    }
    let sql = format!(
        "SELECT COUNT(*) FROM brief_revision r WHERE {}",
        filter.sql()
    );
    let total = u64::try_from(database.number(sql, filter.values()).await?).unwrap_or(0);
    totals.put(key, revisions, total);
    Ok(total)
}

/// The total for a list filtered by one source or tag and nothing else but categories: the facets alone give it.
async fn facet_total(database: &Database, query: &BriefQuery) -> Result<Option<u64>> {
    if query.updates_only || query.min_confidence.is_some() {
        return Ok(None);
    }
    let (include, exclude, tags) = (
        lower(&query.include_sources),
        lower(&query.exclude_sources),
        lower(&query.tags),
    );
    let (kind, wanted, all) = match (include.is_empty(), exclude.is_empty(), tags.is_empty()) {
        (false, true, true) => ("source", include, None),
        (true, true, false) => ("tag", tags, None),
        (true, false, true) if query.as_of.is_none() => {
            ("source", exclude, Some(kept_total(database, query).await?))
        }
        _ => return Ok(None),
    };
    let counted = if wanted.len() == 1 {
        "*"
    } else {
        "DISTINCT f.brief"
    };
    let mut filter = Where::default();
    let names = filter.bind_all(wanted);
    filter.and(format!("f.kind = '{kind}' AND f.value IN ({names})"));
    filter.valid("f", query.as_of);
    filter.categories("f.category", &query.categories);
    let sql = format!(
        "SELECT COUNT({counted}) FROM brief_facet f WHERE {}",
        filter.sql()
    );
    let matching = u64::try_from(database.number(sql, filter.values()).await?).unwrap_or(0);
    Ok(Some(
        all.map_or(matching, |all| all.saturating_sub(matching)),
    ))
}

async fn kept_total(database: &Database, query: &BriefQuery) -> Result<u64> {
    let stem = if query.updates_only {
        "living"
    } else {
        "briefs"
    };
    let mut names: Vec<String> = query
        .categories
        .iter()
        .map(|category| format!("{stem}:{category}"))
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut sum = 0;
    if names.is_empty() {
        names.push(stem.to_owned());
    }
    for name in names {
        sum += database
            .number("SELECT value FROM counter WHERE name = $1", values![name])
            .await?;
    }
    Ok(u64::try_from(sum).unwrap_or(0))
}

fn lower(words: &[String]) -> Vec<String> {
    let mut words: Vec<String> = words
        .iter()
        .map(|word| word.trim().to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_of_a_million_lists_stay_within_the_table() {
        let totals = Totals::default();
        for number in 0..1_000_000_u64 {
            totals.put(format!("source = {number}"), 1, number);
        }
        assert!(totals.0.lock().unwrap().len() <= Totals::MOST);
        assert_eq!(totals.get("source = 999999", 1), Some(999_999));
    }
}
