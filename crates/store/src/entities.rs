//! Entities: the people and things that briefs are about.

mod mention_cache;
mod names;
mod trend;

use std::collections::HashMap;

use model::{Category, EntityKind, EntityRole, Timestamp};

use crate::briefs::{Where, limited, stored_brief};
use crate::database::{Database, Row, values};
use crate::{Error, Result, StoredBrief};

pub(crate) use mention_cache::MentionCache;
pub use names::Facet;
pub use trend::{EntityTrend, TrendQuery};

/// From this many briefs on, a page is found by walking all briefs.
const MANY: u64 = 2_000;
/// The longest timeline, in days.
const LONGEST: i64 = 3_660;

/// Which entities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntityQuery {
    /// Contained in the name, ignoring case.
    pub text: Option<String>,
    /// Of this kind.
    pub kind: Option<EntityKind>,
    /// The maximum number.
    pub limit: u64,
    /// As of this time; `None` means now.
    pub as_of: Option<Timestamp>,
    /// Counting only briefs in these categories; empty means all.
    pub categories: Vec<Category>,
}

/// One entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityRow {
    /// Canonical name.
    pub name: String,
    /// What kind of thing it is.
    pub kind: EntityKind,
    /// Exchange symbol.
    pub ticker: Option<String>,
    /// How many briefs are about it or name it.
    pub brief_count: u64,
    /// When an article last named it.
    pub last_seen: Timestamp,
}

/// The entities.
#[derive(Clone, Copy, Debug)]
pub struct Entities<'a> {
    pub(crate) database: &'a Database,
    pub(crate) mention_cache: &'a MentionCache,
}

impl Entities<'_> {
    /// Entities named by at least one brief, those with the most briefs first.
    pub async fn list(&self, query: &EntityQuery) -> Result<Vec<EntityRow>> {
        let rows = if query.as_of.is_none() && query.categories.is_empty() {
            self.list_now(query).await?
        } else {
            self.list_counted(query).await?
        };
        rows.iter().map(entity_row).collect()
    }

    /// The entity with that name or, failing that, ticker, ignoring case.
    pub async fn find(&self, name: &str) -> Result<Option<EntityRow>> {
        Ok(self.resolve(name).await?.map(|(_, entity)| entity))
    }

    /// How many briefs name it, and the newest of them.
    pub async fn briefs(
        &self,
        name: &str,
        role: Option<EntityRole>,
        categories: &[Category],
        limit: u64,
        as_of: Option<Timestamp>,
    ) -> Result<(u64, Vec<StoredBrief>)> {
        let Some((key, _)) = self.resolve(name).await? else {
            return Ok((0, Vec::new()));
        };
        let mut facets = Where::default();
        let entity = facets.bind(key);
        facets.and(format!("f.kind = 'entity' AND f.value = {entity}"));
        facets.valid("f", as_of);
        facets.categories("f.category", categories);
        if let Some(role) = role {
            let role = facets.bind(role.as_str());
            facets.and(format!("f.role = {role}"));
        }
        let sql = format!("SELECT COUNT(*) FROM brief_facet f WHERE {}", facets.sql());
        let total = u64::try_from(self.database.number(sql, facets.values()).await?).unwrap_or(0);
        if total == 0 || limit == 0 {
            return Ok((total, Vec::new()));
        }
        let mut page = facets.clone();
        page.and("f.brief = r.brief");
        let sql = if total < MANY {
            // The sign keeps SQLite from walking all current revisions to find the few.
            let current = if as_of.is_some() {
                String::new()
            } else {
                " AND +r.known_to = 9223372036854775807".to_owned()
            };
            if as_of.is_some() {
                page.valid("r", as_of);
            }
            let condition = page.sql() + &current;
            let limit = page.bind(limit);
            limited(
                "brief_facet f JOIN brief_revision r ON r.brief = f.brief",
                &condition,
                "published_at",
                &limit,
                "0",
            )
        } else {
            let exists = format!("EXISTS (SELECT 1 FROM brief_facet f WHERE {})", page.sql());
            let mut walk = page.only_values();
            walk.and(exists);
            walk.valid("r", as_of);
            let condition = walk.sql();
            let limit = walk.bind(limit);
            page = walk;
            limited("brief_revision r", &condition, "published_at", &limit, "0")
        };
        let rows = self.database.rows(sql, page.values()).await?;
        Ok((
            total,
            rows.iter()
                .map(|row| stored_brief(row, as_of))
                .collect::<Result<_>>()?,
        ))
    }

    /// Mentions on each of the `days` days up to and including the day of `end`, oldest first; nothing known after
    /// `end` counts.
    pub async fn timeline(
        &self,
        name: &str,
        days: u32,
        end: Timestamp,
        categories: &[Category],
    ) -> Result<Vec<(String, u64)>> {
        let days = i64::from(days).clamp(1, LONGEST);
        let (first, last) = (end.day() - days + 1, end.day());
        let mut mentions = vec![0; days as usize];
        if let Some((key, _)) = self.resolve(name).await? {
            let mut named = Where::default();
            let (key, from, to, until) = (
                named.bind(key),
                named.bind(first),
                named.bind(last),
                named.bind(end),
            );
            named.and(format!(
                "entity = {key} AND day BETWEEN {from} AND {to} AND known_at <= {until}"
            ));
            named.categories("category", categories);
            let sql = format!(
                "SELECT day, CAST(SUM(mentions) AS BIGINT) FROM mention WHERE {} GROUP BY day",
                named.sql()
            );
            for row in self.database.rows(sql, named.values()).await? {
                let place = usize::try_from(row.int(0)? - first).ok();
                if let Some(slot) = place.and_then(|place| mentions.get_mut(place)) {
                    *slot = row.count(1)?;
                }
            }
        }
        Ok((first..)
            .map(|day| Timestamp::start_of_day(day).date())
            .zip(mentions)
            .collect())
    }

    /// The entities whose mentions rose most, greatest rise first.
    pub async fn trending(&self, query: &TrendQuery) -> Result<Vec<EntityTrend>> {
        trend::risen(self.database, self.mention_cache, query).await
    }

    /// The newest mention known by `until`, in articles in these categories (empty means all).
    pub async fn last_mention(
        &self,
        until: Timestamp,
        categories: &[Category],
    ) -> Result<Option<Timestamp>> {
        trend::last_mention(self.database, until, categories).await
    }

    /// The entities with the most briefs.
    pub async fn names(&self, limit: u64) -> Result<Vec<EntityRow>> {
        names::entities(self.database, limit).await
    }

    /// The tags with the most briefs, and how many briefs each has.
    pub async fn tags(&self, limit: u64) -> Result<Vec<(String, u64)>> {
        names::tags(self.database, limit).await
    }

    /// The number of briefs in these categories (empty means all) in which each of these entities or tags was found at
    /// `as_of`; those found in none are left out.
    pub async fn brief_counts(
        &self,
        facet: Facet,
        names: &[&str],
        categories: &[Category],
        as_of: Option<Timestamp>,
    ) -> Result<HashMap<String, u64>> {
        names::brief_counts(self.database, facet, names, categories, as_of).await
    }

    /// The stored counts, most briefs first.
    async fn list_now(&self, query: &EntityQuery) -> Result<Vec<Row>> {
        let mut entities = named(query);
        entities.and("e.brief_count > 0");
        let condition = entities.sql();
        let limit = entities.bind(query.limit);
        let sql = format!(
            "SELECT e.key, e.name, e.kind, e.ticker, e.brief_count, e.last_seen FROM entity e WHERE {condition} \
             ORDER BY e.brief_count DESC, e.key LIMIT {limit}"
        );
        self.database.rows(sql, entities.values()).await
    }

    /// Counts the briefs in some categories or as of a past time.
    async fn list_counted(&self, query: &EntityQuery) -> Result<Vec<Row>> {
        let mut entities = named(query);
        entities.and("f.kind = 'entity'");
        entities.valid("f", query.as_of);
        entities.categories("f.category", &query.categories);
        let chosen = entities.sql();
        let limit = entities.bind(query.limit);
        // When an entity was last seen is looked up only for the few that are shown.
        let until = entities.bind(query.as_of.unwrap_or(Timestamp::END));
        let mut seen = entities.only_values();
        seen.and(format!("m.entity = top.key AND m.known_at <= {until}"));
        seen.categories("m.category", &query.categories);
        let sql = format!(
            "SELECT top.key, top.name, top.kind, top.ticker, top.briefs, \
             COALESCE((SELECT MAX(m.known_at) FROM mention m WHERE {}), top.opened) FROM \
             (SELECT e.key, e.name, e.kind, e.ticker, COUNT(*) AS briefs, MAX(f.known_from) AS opened \
             FROM brief_facet f JOIN entity e ON e.key = f.value WHERE {chosen} \
             GROUP BY e.key, e.name, e.kind, e.ticker ORDER BY briefs DESC, e.key LIMIT {limit}) top \
             ORDER BY top.briefs DESC, top.key",
            seen.sql()
        );
        self.database.rows(sql, seen.values()).await
    }

    /// Key and row of the entity with that name or ticker.
    async fn resolve(&self, name: &str) -> Result<Option<(String, EntityRow)>> {
        let by_name =
            "SELECT key, name, kind, ticker, brief_count, last_seen FROM entity WHERE key = $1";
        let by_ticker = "SELECT key, name, kind, ticker, brief_count, last_seen FROM entity WHERE ticker = $1 \
                         ORDER BY brief_count DESC, key LIMIT 1";
        let row = match self
            .database
            .row(by_name, values![entity_key(name)])
            .await?
        {
            Some(row) => Some(row),
            None => {
                self.database
                    .row(by_ticker, values![name.trim().to_uppercase()])
                    .await?
            }
        };
        row.map(|row| Ok((row.text(0)?, entity_row(&row)?)))
            .transpose()
    }
}

/// The conditions on the entities themselves.
fn named(query: &EntityQuery) -> Where {
    let mut entities = Where::default();
    if let Some(text) = query
        .text
        .as_deref()
        .map(entity_key)
        .filter(|text| !text.is_empty())
    {
        let pattern = text
            .replace('\\', "\\\\")
            .replace('%', "\\%")
            .replace('_', "\\_");
        let pattern = entities.bind(format!("%{pattern}%"));
        entities.and(format!("e.key LIKE {pattern} ESCAPE '\\'"));
    }
    if let Some(kind) = query.kind {
        let kind = entities.bind(kind.as_str());
        entities.and(format!("e.kind = {kind}"));
    }
    entities
}

/// The key for a name, ignoring case.
pub(crate) fn entity_key(name: &str) -> String {
    name.trim().to_lowercase().replace('\0', "")
}

fn entity_row(row: &Row) -> Result<EntityRow> {
    let name = row.text(1)?;
    Ok(EntityRow {
        kind: row
            .text(2)?
            .parse()
            .map_err(|_| Error::corrupt("entity", name.clone()))?,
        name,
        ticker: row.text_option(3)?,
        brief_count: row.count(4)?,
        last_seen: row.time(5)?,
    })
}
