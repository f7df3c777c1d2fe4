//! Walking the matches once: filter, count, keep the best.
//!
//! The filters are column look-ups rather than queries, because they are cheap compared with scoring: a document is
//! scored only after it has passed them. Counts and facets are exact, so every match is visited and none is skipped
//! because of its score.

mod filter;
mod nearest;
mod rank;

use std::collections::BinaryHeap;

use model::{Category, Timestamp};
use tantivy::query::EnableScoring;
use tantivy::{DocAddress, DocSet, TERMINATED};

use crate::error::Result;
use crate::query::Compiled;
use crate::request::{SearchRequest, Sort};
use crate::view::View;

use filter::SegmentFilter;
pub(crate) use nearest::{Likeness, nearest};
pub(crate) use rank::Ranked;
use rank::{Ranking, Worst};

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// All matches.
    pub(crate) total: u64,
    /// Matches by category number.
    pub(crate) by_category: [u64; Category::ALL.len()],
    /// The best matches, best first.
    pub(crate) best: Vec<Ranked>,
}

/// Finds all matches of the query that pass the filters and keeps the best `keep`.
pub(crate) fn collect(
    view: &View,
    compiled: &Compiled,
    request: &SearchRequest,
    keep: usize,
) -> Result<Found> {
    let scores_decide = request.sort == Sort::Relevance;
    let weight = if scores_decide {
        compiled
            .scored
            .weight(EnableScoring::enabled_from_searcher(&view.searcher))?
    } else {
        compiled
            .plain
            .weight(EnableScoring::disabled_from_searcher(&view.searcher))?
    };
    let ranking = Ranking::new(request.sort, reference(view, request.as_of));
    let mut found = Found::default();
    let mut best: BinaryHeap<Worst> = BinaryHeap::new();
    for (segment, (reader, columns)) in
        (0_u32..).zip(view.searcher.segment_readers().iter().zip(&view.segments))
    {
        let Some(filter) = SegmentFilter::new(columns, &request.filters, request.as_of)? else {
            continue;
        };
        let alive = reader.alive_bitset();
        let mut scorer = weight.scorer(reader, 1.0)?;
        let mut document = scorer.doc();
        while document != TERMINATED {
            if alive.is_none_or(|alive| alive.is_alive(document)) && filter.passes(document) {
                found.total += 1;
                if let Some(count) = found
                    .by_category
                    .get_mut(columns.category.get_val(document) as usize)
                {
                    *count += 1;
                }
                let key = if scores_decide {
                    ranking.scored_key(columns, document, scorer.score())
                } else {
                    ranking.column_key(columns, document)
                };
                if best.len() < keep {
                    best.push(Worst(Ranked::new(
                        columns,
                        DocAddress::new(segment, document),
                        key,
                    )));
                } else if let Some(mut worst) = best.peek_mut()
                    && key >= worst.0.key
                {
                    let candidate = Ranked::new(columns, DocAddress::new(segment, document), key);
                    if candidate > worst.0 {
                        *worst = Worst(candidate);
                    }
                }
            }
            document = scorer.advance();
        }
    }
    found.best = best.into_iter().map(|worst| worst.0).collect();
    found.best.sort_unstable_by(|a, b| b.cmp(a));
    Ok(found)
}

/// The scores of some matches, in the order given. With [`Sort::Relevance`] they already are their keys.
pub(crate) fn scores(
    view: &View,
    compiled: &Compiled,
    request: &SearchRequest,
    hits: &[Ranked],
) -> Result<Vec<f64>> {
    if request.sort == Sort::Relevance {
        return Ok(hits.iter().map(|hit| hit.key).collect());
    }
    let weight = compiled
        .scored
        .weight(EnableScoring::enabled_from_searcher(&view.searcher))?;
    let ranking = Ranking::new(Sort::Relevance, reference(view, request.as_of));
    let mut scores = vec![0.0; hits.len()];
    // A scorer only moves forward.
    let mut order: Vec<usize> = (0..hits.len()).collect();
    order.sort_unstable_by_key(|place| hits[*place].address);
    for group in order.chunk_by(|a, b| hits[*a].address.segment_ord == hits[*b].address.segment_ord)
    {
        let segment = hits[group[0]].address.segment_ord;
        let mut scorer = weight.scorer(view.searcher.segment_reader(segment), 1.0)?;
        for place in group {
            let document = hits[*place].address.doc_id;
            if scorer.doc() < document {
                scorer.seek(document);
            }
            if scorer.doc() == document {
                scores[*place] =
                    ranking.scored_key(&view.segments[segment as usize], document, scorer.score());
            }
        }
    }
    Ok(scores)
}

/// The time from which recency counts.
fn reference(view: &View, as_of: Option<Timestamp>) -> i64 {
    as_of.map_or(view.newest_ms, Timestamp::ms)
}
