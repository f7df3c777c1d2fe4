//! A cache of recently read revisions.
//!
//! The content of a revision never changes, so it is read and parsed once. How long it was valid, and whether it is
//! trending, is read from its row each time. A restored backup may contain a different revision with the same number,
//! but not one written at the same moment.

use std::collections::HashMap;
use std::sync::Arc;

use model::{Brief, BriefId};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::{StoredBrief, brief_of, validity};
use crate::Result;
use crate::database::{Database, Row, Value, tuples, values};

/// How many bytes the cached revisions may take.
const MOST_BYTES: u64 = 48 << 20;
/// How many of them are expected.
const EXPECTED: usize = 4_000;
/// How many revisions one statement asks for.
const CHUNK: usize = 64;

/// Brief, revision, and the time it was written, in milliseconds.
type Key = (BriefId, u32, i64);

/// The cached revisions.
#[derive(Debug)]
pub(crate) struct KeptBriefs(Cache<Key, Arc<Brief>, ByBytes>);

#[derive(Clone, Debug)]
struct ByBytes;

impl Weighter<Key, Arc<Brief>> for ByBytes {
    fn weight(&self, _: &Key, brief: &Arc<Brief>) -> u64 {
        weight(brief)
    }
}

impl Default for KeptBriefs {
    fn default() -> Self {
        Self(Cache::with_weighter(EXPECTED, MOST_BYTES, ByBytes))
    }
}

/// The revisions with these numbers, in the order asked for; unknown ones are left out.
pub(super) async fn load(
    database: &Database,
    kept: &KeptBriefs,
    revisions: &[(BriefId, u32)],
) -> Result<Vec<StoredBrief>> {
    let mut found = HashMap::with_capacity(revisions.len());
    for chunk in revisions.chunks(CHUNK) {
        let rows = rows(
            database,
            "SELECT r.brief, r.revision, r.known_from, r.known_to, r.recorded_at, r.trending_at FROM brief_revision r",
            "r",
            chunk,
        )
        .await?;
        let mut missing = Vec::new();
        for row in rows {
            let key = key(&row)?;
            match kept.0.get(&key) {
                Some(brief) => {
                    found.insert((key.0, key.1), validity(&row, brief, None)?);
                }
                None => missing.push((key, row)),
            }
        }
        let unread: Vec<_> = missing.iter().map(|(key, _)| (key.0, key.1)).collect();
        let mut documents = HashMap::with_capacity(unread.len());
        if !unread.is_empty() {
            let sql = "SELECT d.brief, d.revision, d.document, d.packed FROM brief_document d";
            for row in self::rows(database, sql, "d", &unread).await? {
                let brief = brief_of(&row, (2, 3))?;
                documents.insert((brief.id, brief.revision), brief);
            }
        }
        for (key, row) in missing {
            if let Some(brief) = documents.get(&(key.0, key.1)) {
                kept.0.insert(key, Arc::clone(brief));
                found.insert((key.0, key.1), validity(&row, Arc::clone(brief), None)?);
            }
        }
    }
    Ok(revisions
        .iter()
        .filter_map(|wanted| found.get(wanted).cloned())
        .collect())
}

/// The rows of a table that belong to these revisions. Statement sizes are powers of two, padded with the last
/// revision, so that a few statements serve any number.
async fn rows(
    database: &Database,
    select: &str,
    table: &str,
    revisions: &[(BriefId, u32)],
) -> Result<Vec<Row>> {
    let size = revisions.len().next_power_of_two();
    let sql = format!(
        "{select} JOIN (VALUES {}) AS wanted ON wanted.column1 = {table}.brief AND wanted.column2 = {table}.revision",
        tuples(size, 2)
    );
    let last = revisions.last().copied().into_iter().cycle();
    let mut parameters: Vec<Value> = Vec::with_capacity(size * 2);
    for (id, revision) in revisions.iter().copied().chain(last).take(size) {
        parameters.extend(values![id.0, revision]);
    }
    database.rows(sql, parameters).await
}

fn key(row: &Row) -> Result<Key> {
    let id = BriefId(row.id(0, "brief_revision")?);
    let revision = u32::try_from(row.int(1)?)
        .map_err(|_| crate::Error::corrupt("brief_revision", id.to_string()))?;
    Ok((id, revision, row.int(4)?))
}

/// Roughly how much memory a revision takes: its texts are counted twice, because short ones come with many pointers.
fn weight(brief: &Brief) -> u64 {
    let sentences: usize = brief.sentences.iter().map(|one| one.text.len() + 64).sum();
    let sources = brief.sources.iter();
    let sources: usize = sources
        .map(|one| one.url.len() + one.title.len() + one.name.len() + one.domain.len() + 128)
        .sum();
    let lists = 64 * (brief.tags.len() + brief.entities.len())
        + 256 * (brief.events.len() + brief.data_points.len() + brief.contradictions.len());
    let texts = brief.headline.len() + brief.summary.len() + brief.body.len();
    (512 + 2 * (texts + sentences + sources) + 2 * lists) as u64
}

#[cfg(test)]
mod tests {
    use model::PublicBriefId;
    use uuid::Uuid;

    use super::*;
    use crate::tests::samples::{News, brief, hour};

    #[test]
    fn a_million_revisions_stay_within_their_bytes() {
        let kept = KeptBriefs::default();
        let news = News::new(1, hour(0));
        let (id, public) = (BriefId(Uuid::nil()), PublicBriefId::new(hour(0), 1));
        let brief = Arc::new(brief(id, public, 1, &news, &[news.article()]));
        for number in 0..1_000_000 {
            let key = (brief.id, number, 0);
            kept.0.insert(key, Arc::clone(&brief));
        }
        assert!(kept.0.weight() <= MOST_BYTES, "{}", kept.0.weight());
        assert!(kept.0.len() > 1_000);
    }
}
