//! Which match comes first.
//!
//! The score of a match is BM25 over all words of the brief, plus BM25 of its headline (weight 2) and of summary, names
//! and tags (weight 0.5), times two mild factors: `1 + 0.3 / (1 + age / 7 days)`, which favours new briefs, and
//! `0.85 + 0.3 × confidence`, which favours well-supported ones. Neither can lift a poor match above a good one.

use std::cmp::Ordering;

use model::{BriefId, Timestamp};
use tantivy::{DocAddress, DocId};

use crate::request::Sort;
use crate::view::Columns;

const RECENCY_WEIGHT: f64 = 0.3;
const RECENCY_HALF_AGE_MS: f64 = 7.0 * Timestamp::DAY_MS as f64;
const CONFIDENCE_FLOOR: f64 = 0.85;
const CONFIDENCE_WEIGHT: f64 = 0.3;

/// How keys are made: greater is better.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranking {
    sort: Sort,
    reference_ms: i64,
}

impl Ranking {
    pub(super) fn new(sort: Sort, reference_ms: i64) -> Self {
        Self { sort, reference_ms }
    }

    /// The score of a match.
    pub(super) fn scored_key(self, columns: &Columns, document: DocId, score: f32) -> f64 {
        let age_ms = self
            .reference_ms
            .saturating_sub(columns.published.get_val(document))
            .max(0);
        let recency = 1.0 + RECENCY_WEIGHT / (1.0 + age_ms as f64 / RECENCY_HALF_AGE_MS);
        let confidence =
            CONFIDENCE_FLOOR + CONFIDENCE_WEIGHT * columns.confidence.get_val(document);
        f64::from(score) * recency * confidence
    }

    /// The key for sort orders that ignore how well a document matches.
    pub(super) fn column_key(self, columns: &Columns, document: DocId) -> f64 {
        match self.sort {
            Sort::Relevance => 0.0,
            Sort::Newest => columns.published.get_val(document) as f64,
            Sort::Oldest => -(columns.published.get_val(document) as f64),
            Sort::Confidence => columns.confidence.get_val(document),
            Sort::MostSources => columns.source_count.get_val(document) as f64,
        }
    }
}

/// A match with its rank: the greater, the better.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked {
    pub(crate) key: f64,
    published: i64,
    pub(crate) brief_id: BriefId,
    pub(crate) revision: u32,
    pub(crate) address: DocAddress,
    /// No word in the query led here.
    pub(crate) by_meaning: bool,
}

impl Ranked {
    pub(super) fn new(columns: &Columns, address: DocAddress, key: f64) -> Self {
        let document = address.doc_id;
        Self {
            key,
            published: columns.published.get_val(document),
            brief_id: columns.brief_id(document),
            revision: columns.revision(document),
            address,
            by_meaning: false,
        }
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key
            .total_cmp(&other.key)
            .then(self.published.cmp(&other.published))
            .then(self.brief_id.cmp(&other.brief_id))
            .then(self.revision.cmp(&other.revision))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

/// Reverses the order, so that the top of a heap is the match to drop next.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Worst(pub(super) Ranked);

impl Ord for Worst {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.cmp(&self.0)
    }
}

impl PartialOrd for Worst {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
