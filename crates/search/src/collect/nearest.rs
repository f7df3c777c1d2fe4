//! Walking the vectors: what is most like a text, whatever its words.

use std::collections::BinaryHeap;

use model::{BriefId, Timestamp};
use tantivy::DocAddress;
use text::embedding::{Embedding, similarity};

use super::filter::SegmentFilter;
use super::rank::{Ranked, Worst};
use crate::error::Result;
use crate::request::Filters;
use crate::view::View;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likeness<'a> {
    pub(crate) vector: &'a Embedding,
    pub(crate) filters: &'a Filters,
    pub(crate) as_of: Option<Timestamp>,
    /// Less than this does not count.
    pub(crate) least: f32,
    /// At most so many.
    pub(crate) keep: usize,
    /// Not these.
    pub(crate) leave_out: &'a [BriefId],
}

/// The documents most like the vector that pass the filters, the most like one first; their key is the likeness.
pub(crate) fn nearest(view: &View, asked: &Likeness<'_>) -> Result<Vec<Ranked>> {
    let mut best: BinaryHeap<Worst> = BinaryHeap::new();
    if asked.keep == 0 || asked.vector.is_zero() {
        return Ok(Vec::new());
    }
    for (segment, (reader, columns)) in
        (0_u32..).zip(view.searcher.segment_readers().iter().zip(&view.segments))
    {
        let Some(filter) = SegmentFilter::new(columns, asked.filters, asked.as_of)? else {
            continue;
        };
        let alive = reader.alive_bitset();
        let mut bar = asked.least;
        for document in 0..reader.max_doc() {
            let likeness = similarity(asked.vector, columns.vectors.get(document));
            if likeness < bar
                || alive.is_some_and(|alive| !alive.is_alive(document))
                || !filter.passes(document)
            {
                continue;
            }
            let address = DocAddress::new(segment, document);
            let found = Ranked::new(columns, address, f64::from(likeness));
            if asked.leave_out.contains(&found.brief_id) {
                continue;
            }
            best.push(Worst(found));
            if best.len() > asked.keep {
                best.pop();
                bar = best.peek().map_or(bar, |worst| bar.max(worst.0.key as f32));
            }
        }
    }
    let mut best: Vec<Ranked> = best.into_iter().map(|worst| worst.0).collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    Ok(best)
}
