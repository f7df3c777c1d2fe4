//! Entities that are mentioned more than before.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use model::{Category, EntityKind, Timestamp};

use super::mention_cache::{Mention, MentionCache, SpanMentions};
use super::{EntityRow, entity_row};
use crate::Result;
use crate::briefs::Where;
use crate::database::{Database, Value, parameters};

/// Mentions assumed in both spans, so that a rise from nothing to two is not treated as a sensation.
const TAKEN_FOR_GRANTED: u64 = 4;
/// How many entities have their names looked up at once.
const CHUNK: usize = 128;

/// The time spans over which mentions are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrendQuery {
    /// The previous span begins after this time.
    pub before: Timestamp,
    /// The span itself begins after this time.
    pub since: Timestamp,
    /// The end of the span: nothing that became known later counts.
    pub until: Timestamp,
    /// Of this kind.
    pub kind: Option<EntityKind>,
    /// Counting only mentions in articles in these categories; empty means all.
    pub categories: Vec<Category>,
    /// The maximum number.
    pub limit: u64,
}

/// An entity that is mentioned more than before.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityTrend {
    /// The entity. Its `brief_count` and `last_seen` apply to the span.
    pub entity: EntityRow,
    /// Mentions in the span.
    pub mentions: u64,
    /// Mentions in the previous span.
    pub previous: u64,
    /// Mean sentiment of the mentions in the span.
    pub sentiment: f64,
}

/// The counts for one entity.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    mentions: u64,
    previous: u64,
    sentiment: f64,
    last_seen: i64,
}

impl Sum {
    /// How far the rise stands out from what chance does to such counts.
    fn rise(&self) -> f64 {
        let risen = self.mentions.saturating_sub(self.previous) as f64;
        risen * risen / (self.mentions + self.previous + TAKEN_FOR_GRANTED) as f64
    }
}

/// Entities by `rise² / (mentions + previous + 4)`, then by mentions, then by name.
pub(super) async fn risen(
    database: &Database,
    mention_cache: &MentionCache,
    query: &TrendQuery,
) -> Result<Vec<EntityTrend>> {
    let found_mentions = mention_cache
        .mentions_in(database, query.before..=query.until)
        .await?;
    let sums = add_up(&found_mentions, query);
    let mut ranked: Vec<(f64, u32)> = (0..)
        .zip(&sums)
        .filter(|(_, sum)| sum.mentions > sum.previous)
        .map(|(entity, sum)| (sum.rise(), entity))
        .collect();
    let order = |(rise, entity): &(f64, u32), (other_rise, other): &(f64, u32)| {
        let (own, others) = (*entity as usize, *other as usize);
        other_rise
            .total_cmp(rise)
            .then_with(|| sums[others].mentions.cmp(&sums[own].mentions))
            .then_with(|| found_mentions.keys[own].cmp(&found_mentions.keys[others]))
    };
    ranked.sort_unstable_by(order);
    let limit = query.limit as usize;
    let mut found: Vec<(u32, EntityTrend)> = Vec::new();
    for chunk in ranked.chunks(CHUNK) {
        let keys: Vec<&Arc<str>> = chunk
            .iter()
            .map(|(_, entity)| &found_mentions.keys[*entity as usize])
            .collect();
        let mut named = named(database, &keys, query.kind).await?;
        for ((_, entity), key) in chunk.iter().zip(&keys) {
            if let Some(row) = named.remove(&***key) {
                found.push((*entity, trend(row, sums[*entity as usize])));
            }
        }
        if found.len() >= limit {
            break;
        }
    }
    found.truncate(limit);
    count_stories(&found_mentions, query, &mut found);
    Ok(found.into_iter().map(|(_, trend)| trend).collect())
}

/// The totals for every entity, by its number.
fn add_up(found_mentions: &SpanMentions, query: &TrendQuery) -> Vec<Sum> {
    let mut sums = vec![Sum::default(); found_mentions.keys.len()];
    for mention in counted(found_mentions, query) {
        let sum = &mut sums[mention.entity as usize];
        let mentions = u64::from(mention.mentions);
        if mention.known_at > query.since {
            sum.mentions += mentions;
            sum.sentiment += mentions as f64 * mention.sentiment;
            sum.last_seen = sum.last_seen.max(mention.known_at.ms());
        } else {
            sum.previous += mentions;
        }
    }
    sums
}

/// The mentions in both spans in articles of the categories.
fn counted<'a>(
    found_mentions: &'a SpanMentions,
    query: &'a TrendQuery,
) -> impl Iterator<Item = &'a Mention> {
    let span = |mention: &&Mention| {
        mention.known_at > query.before
            && mention.known_at <= query.until
            && (query.categories.is_empty() || query.categories.contains(&mention.category))
    };
    found_mentions
        .hours
        .iter()
        .flat_map(|hour| hour.iter())
        .filter(span)
}

fn trend(row: EntityRow, sum: Sum) -> EntityTrend {
    EntityTrend {
        entity: EntityRow {
            brief_count: 0,
            last_seen: Timestamp::from_ms(sum.last_seen),
            ..row
        },
        mentions: sum.mentions,
        previous: sum.previous,
        sentiment: sum.sentiment / sum.mentions.max(1) as f64,
    }
}

/// Every story has one brief.
fn count_stories(
    found_mentions: &SpanMentions,
    query: &TrendQuery,
    found: &mut [(u32, EntityTrend)],
) {
    let mut stories: HashMap<u32, HashSet<i64>> = found
        .iter()
        .map(|(entity, _)| (*entity, HashSet::new()))
        .collect();
    for mention in counted(found_mentions, query).filter(|mention| mention.known_at > query.since) {
        if let Some(stories) = stories.get_mut(&mention.entity) {
            stories.insert(mention.story);
        }
    }
    for (entity, trend) in found {
        trend.entity.brief_count = stories.get(entity).map_or(0, HashSet::len) as u64;
    }
}

/// Rows for these keys, if they are of the given kind.
async fn named(
    database: &Database,
    keys: &[&Arc<str>],
    kind: Option<EntityKind>,
) -> Result<HashMap<String, EntityRow>> {
    let sql = format!(
        "SELECT key, name, kind, ticker, brief_count, last_seen FROM entity WHERE key IN ({})",
        parameters(1, keys.len())
    );
    let values = keys.iter().map(|key| Value::from(&***key)).collect();
    let mut found = HashMap::with_capacity(keys.len());
    for row in database.rows(sql, values).await? {
        let entity = entity_row(&row)?;
        if kind.is_none_or(|kind| entity.kind == kind) {
            found.insert(row.text(0)?, entity);
        }
    }
    Ok(found)
}
/// The newest mention known by `until`.
pub(super) async fn last_mention(
    database: &Database,
    until: Timestamp,
    categories: &[Category],
) -> Result<Option<Timestamp>> {
    let mut filter = Where::default();
    let time = filter.bind(until);
    filter.and(format!("m.known_at <= {time}"));
    filter.categories("m.category", categories);
    let sql = format!(
        "SELECT m.known_at FROM mention m WHERE {} ORDER BY m.known_at DESC LIMIT 1",
        filter.sql()
    );
    let row = database.row(sql, filter.values()).await?;
    row.map(|row| row.time(0)).transpose()
}
