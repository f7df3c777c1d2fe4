//! Names and tags, for autocompletion of what a reader types.

use std::collections::HashMap;

use model::{Category, Timestamp};

use super::{EntityRow, entity_key, entity_row};
use crate::Result;
use crate::briefs::Where;
use crate::database::{Database, values};

/// What briefs are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// The people or things they name.
    Entity,
    /// The tags they have.
    Tag,
}

impl Facet {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::Tag => "tag",
        }
    }
}

/// The entities with the most briefs.
pub(super) async fn entities(database: &Database, limit: u64) -> Result<Vec<EntityRow>> {
    let sql = "SELECT key, name, kind, ticker, brief_count, last_seen FROM entity WHERE brief_count > 0 \
               ORDER BY brief_count DESC, key LIMIT $1";
    let rows = database.rows(sql, values![limit]).await?;
    rows.iter().map(entity_row).collect()
}

/// The tags with the most briefs.
pub(super) async fn tags(database: &Database, limit: u64) -> Result<Vec<(String, u64)>> {
    let sql = "SELECT f.value, COUNT(*) AS briefs FROM brief_facet f WHERE f.kind = 'tag' \
               AND f.known_to = 9223372036854775807 GROUP BY f.value ORDER BY briefs DESC, f.value LIMIT $1";
    let rows = database.rows(sql, values![limit]).await?;
    rows.iter()
        .map(|row| Ok((row.text(0)?, row.count(1)?)))
        .collect()
}

/// The number of briefs for each, by its key.
pub(super) async fn brief_counts(
    database: &Database,
    facet: Facet,
    names: &[&str],
    categories: &[Category],
    as_of: Option<Timestamp>,
) -> Result<HashMap<String, u64>> {
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    let mut filter = Where::default();
    let keys = filter.bind_all(names.iter().map(|name| entity_key(name)));
    filter.and(format!(
        "f.kind = '{}' AND f.value IN ({keys})",
        facet.as_str()
    ));
    filter.valid("f", as_of);
    filter.categories("f.category", categories);
    let sql = format!(
        "SELECT f.value, COUNT(*) FROM brief_facet f WHERE {} GROUP BY f.value",
        filter.sql()
    );
    let rows = database.rows(sql, filter.values()).await?;
    rows.iter()
        .map(|row| Ok((row.text(0)?, row.count(1)?)))
        .collect()
}
