//! Rows that a transaction has collected but not yet written.

use std::collections::{BTreeMap, HashSet};

use model::{BriefId, EntityMention, Timestamp};

use crate::database::{Tx, Value, values};
use crate::{Result, brief_sentiments, outbox};

/// What happened to an entity in this transaction.
#[derive(Debug)]
struct EntityChange {
    name: String,
    kind: &'static str,
    ticker: Option<String>,
    briefs: i64,
    last_seen: Timestamp,
}

/// Rows by table, flat in the order of their columns.
#[derive(Debug, Default)]
pub(super) struct Pending {
    pub(super) articles: Vec<Value>,
    pub(super) features: Vec<Value>,
    pub(super) mentions: Vec<Value>,
    pub(super) briefs: Vec<Value>,
    pub(super) revisions: Vec<Value>,
    pub(super) documents: Vec<Value>,
    pub(super) facets: Vec<Value>,
    pub(super) findings: Vec<Value>,
    pub(super) brief_sentiments: Vec<Value>,
    pub(super) outbox: Vec<Value>,
    /// The last number assigned on each day.
    pub(super) public_numbers: BTreeMap<i64, i64>,
    /// Sorted, so that every publisher touches rows in the same order.
    entities: BTreeMap<String, EntityChange>,
    /// Entities, and how many briefs no longer name them.
    forgotten: BTreeMap<String, i64>,
    counters: BTreeMap<String, i64>,
    urls: HashSet<String>,
    stories: HashSet<i64>,
    written_for: HashSet<BriefId>,
}

impl Pending {
    /// Whether it is time to write: memory stays bounded, and the database works while the next articles are placed.
    pub(super) fn is_large(&self) -> bool {
        self.urls.len() + self.written_for.len() >= 16
    }

    pub(super) fn has_url(&self, url: &str) -> bool {
        self.urls.contains(url)
    }

    pub(super) fn has_story(&self, story: i64) -> bool {
        self.stories.contains(&story)
    }

    pub(super) fn has_brief(&self, brief: BriefId) -> bool {
        self.written_for.contains(&brief)
    }

    pub(super) fn note_article(&mut self, url: &str, story: i64) {
        self.urls.insert(url.to_owned());
        self.stories.insert(story);
    }

    pub(super) fn note_brief(&mut self, brief: BriefId, story: i64) {
        self.written_for.insert(brief);
        self.stories.insert(story);
    }

    /// Adds to a stored count.
    pub(super) fn count(&mut self, name: &str, change: i64) {
        match self.counters.get_mut(name) {
            Some(sum) => *sum += change,
            None => {
                self.counters.insert(name.to_owned(), change);
            }
        }
    }

    /// Adds to the counts for a category, and to those for briefs that gained sources.
    pub(super) fn count_brief(&mut self, category: &str, update_count: i64, change: i64) {
        self.count(&format!("briefs:{category}"), change);
        if update_count > 0 {
            self.count("living", change);
            self.count(&format!("living:{category}"), change);
        }
    }

    /// Notes that an entity was seen, and how many more briefs name it.
    pub(super) fn note_entity(
        &mut self,
        key: &str,
        entity: &EntityMention,
        briefs: i64,
        seen: Timestamp,
    ) {
        let ticker = || {
            entity
                .ticker
                .as_ref()
                .map(|ticker| ticker.trim().to_uppercase())
        };
        if let Some(change) = self.entities.get_mut(key) {
            change.briefs += briefs;
            change.last_seen = change.last_seen.max(seen);
            if change.ticker.is_none() {
                change.ticker = ticker();
            }
            return;
        }
        let change = EntityChange {
            name: entity.name.trim().to_owned(),
            kind: entity.kind.as_str(),
            ticker: ticker(),
            briefs,
            last_seen: seen,
        };
        self.entities.insert(key.to_owned(), change);
    }

    /// Notes that a brief no longer names an entity.
    pub(super) fn forget_entity(&mut self, key: &str) {
        *self.forgotten.entry(key.to_owned()).or_default() += 1;
    }

    /// Writes what a transaction may read back.
    pub(super) async fn write(&mut self, tx: &mut Tx) -> Result<()> {
        self.urls.clear();
        self.stories.clear();
        self.written_for.clear();
        tx.queue_insert(
            "INSERT INTO article (seq, id, url, story, brief, copy_of, known_at, recorded_at, document, annotations, packed) \
             VALUES",
            "",
            11,
            std::mem::take(&mut self.articles),
        )
        .await?;
        tx.queue_insert(
            "INSERT INTO article_feature (seq, story, day, published_at, domain, features) VALUES",
            "",
            6,
            std::mem::take(&mut self.features),
        )
        .await?;
        let head = "INSERT INTO brief (id, public_id, story) VALUES";
        tx.queue_insert(head, "", 3, std::mem::take(&mut self.briefs))
            .await?;
        tx.queue_insert(
            "INSERT INTO brief_revision (brief, revision, known_from, known_to, recorded_at, trending_at, category, \
             published_at, updated_at, confidence, update_count) VALUES",
            "",
            11,
            std::mem::take(&mut self.revisions),
        )
        .await?;
        let head = "INSERT INTO brief_document (brief, revision, document, packed) VALUES";
        tx.queue_insert(head, "", 4, std::mem::take(&mut self.documents))
            .await?;
        // A facet that comes back at the very time it was closed is reopened.
        tx.queue_insert(
            "INSERT INTO brief_facet (kind, value, brief, known_from, known_to, role, category) VALUES",
            "ON CONFLICT (kind, value, brief, known_from) DO UPDATE SET known_to = excluded.known_to, \
             role = excluded.role, category = excluded.category",
            7,
            std::mem::take(&mut self.facets),
        )
        .await?;
        tx.queue_insert(
            "INSERT INTO finding (kind, brief, identity, known_from, known_to, since, category, word, subject, document) \
             VALUES",
            "ON CONFLICT (kind, brief, identity, known_from) DO UPDATE SET known_to = excluded.known_to, \
             category = excluded.category, word = excluded.word, document = excluded.document",
            10,
            std::mem::take(&mut self.findings),
        )
        .await?;
        brief_sentiments::insert(tx, std::mem::take(&mut self.brief_sentiments)).await?;
        tx.queue_insert(
            "INSERT INTO mention (entity, day, article, category, mentions, sentiment, known_at) VALUES",
            "",
            7,
            std::mem::take(&mut self.mentions),
        )
        .await
    }

    /// Writes what only others read.
    pub(super) async fn write_rest(&mut self, tx: &mut Tx) -> Result<()> {
        let mut rows = Vec::with_capacity(self.entities.len() * 6);
        for (key, change) in std::mem::take(&mut self.entities) {
            let EntityChange {
                name,
                kind,
                ticker,
                briefs,
                last_seen,
            } = change;
            rows.extend(values![
                key,
                name,
                kind,
                ticker.as_deref(),
                briefs,
                last_seen
            ]);
        }
        tx.queue_insert(
            "INSERT INTO entity (key, name, kind, ticker, brief_count, last_seen) VALUES",
            "ON CONFLICT (key) DO UPDATE SET brief_count = entity.brief_count + excluded.brief_count, \
             ticker = COALESCE(entity.ticker, excluded.ticker), last_seen = CASE \
             WHEN excluded.last_seen > entity.last_seen THEN excluded.last_seen ELSE entity.last_seen END",
            6,
            rows,
        )
        .await?;
        for (key, briefs) in std::mem::take(&mut self.forgotten) {
            let sql = "UPDATE entity SET brief_count = brief_count - $1 WHERE key = $2";
            tx.queue(sql, values![briefs, key]).await?;
        }
        outbox::append(tx, std::mem::take(&mut self.outbox)).await?;
        let mut rows = Vec::new();
        for (name, change) in std::mem::take(&mut self.counters) {
            rows.extend(values![name, change]);
        }
        tx.queue_insert(
            "INSERT INTO counter (name, value) VALUES",
            "ON CONFLICT (name) DO UPDATE SET value = counter.value + excluded.value",
            2,
            rows,
        )
        .await?;
        let mut rows = Vec::new();
        for (day, last) in std::mem::take(&mut self.public_numbers) {
            rows.extend(values![day, last]);
        }
        tx.queue_insert(
            "INSERT INTO public_number (day, last) VALUES",
            "ON CONFLICT (day) DO UPDATE SET last = excluded.last",
            2,
            rows,
        )
        .await
    }
}
