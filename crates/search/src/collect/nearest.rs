//! Finding what is most like a text, whatever its words.
//!
//! Everything is compared, so that nothing is missed, but most of it only by half. Large segments are divided into
//! cells of similar vectors ([`crate::vectors`]), and the cells whose centres are most like the text come first, across
//! all segments. After a few of them the bar is so high that the first half of a vector is enough to rule it out.

use std::collections::BinaryHeap;

use model::{BriefId, Timestamp};
use tantivy::DocAddress;
use text::embedding::{Embedding, similarity};

use super::filter::SegmentFilter;
use super::rank::{Ranked, Worst};
use crate::error::Result;
use crate::request::Filters;
use crate::vectors::{Cell, Sought, Vectors};
use crate::view::View;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likeness<'a> {
    pub(crate) vector: &'a Embedding,
    pub(crate) filters: &'a Filters,
    pub(crate) as_of: Option<Timestamp>,
    /// Anything less similar does not count.
    pub(crate) least: f32,
    /// At most this many.
    pub(crate) keep: usize,
    /// Briefs to leave out.
    pub(crate) leave_out: &'a [BriefId],
}

/// A segment that may hold some matches.
struct Place<'a> {
    segment: u32,
    filter: SegmentFilter<'a>,
    vectors: &'a Vectors,
}

/// The documents most like the vector that pass the filters, most similar first; their key is the likeness.
pub(crate) fn nearest(view: &View, asked: &Likeness<'_>) -> Result<Vec<Ranked>> {
    if asked.keep == 0 || asked.vector.is_zero() {
        return Ok(Vec::new());
    }
    let mut places = Vec::with_capacity(view.segments.len());
    for (segment, columns) in (0..).zip(&view.segments) {
        if let Some(filter) = SegmentFilter::new(columns, asked.filters, asked.as_of)? {
            places.push(Place {
                segment,
                filter,
                vectors: columns.vectors.read(),
            });
        }
    }
    let mut found = Nearest {
        view,
        asked,
        sought: Sought::new(asked.vector),
        best: BinaryHeap::with_capacity(asked.keep + 1),
        bar: asked.least,
    };
    for (place, cell) in cells(&places, asked.vector) {
        found.look_through(place, cell);
    }
    let mut best: Vec<Ranked> = found.best.into_iter().map(|worst| worst.0).collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    Ok(best)
}

/// All cells, those most like the vector first; segments without cells come last.
fn cells<'a>(places: &'a [Place<'a>], vector: &Embedding) -> Vec<(&'a Place<'a>, &'a Cell)> {
    let mut cells: Vec<(f32, &Place<'_>, &Cell)> = Vec::new();
    for place in places {
        for cell in place.vectors.cells() {
            let likeness = if cell.centre.is_zero() {
                f32::NEG_INFINITY
            } else {
                similarity(vector, &cell.centre)
            };
            cells.push((likeness, place, cell));
        }
    }
    cells.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    cells
        .into_iter()
        .map(|(_, place, cell)| (place, cell))
        .collect()
}

/// The best so far.
struct Nearest<'a> {
    view: &'a View,
    asked: &'a Likeness<'a>,
    sought: Sought,
    best: BinaryHeap<Worst>,
    /// What a further document must reach.
    bar: f32,
}

impl Nearest<'_> {
    /// Takes the best documents of a cell.
    fn look_through(&mut self, place: &Place<'_>, cell: &Cell) {
        let columns = &self.view.segments[place.segment as usize];
        let reader = self.view.searcher.segment_reader(place.segment);
        let alive = reader.alive_bitset();
        for number in cell.places.clone() {
            let Some(likeness) = place.vectors.likeness(number, &self.sought, self.bar) else {
                continue;
            };
            let document = place.vectors.document(number);
            if alive.is_some_and(|alive| !alive.is_alive(document))
                || !place.filter.passes(document)
            {
                continue;
            }
            let address = DocAddress::new(place.segment, document);
            let found = Ranked::new(columns, address, f64::from(likeness));
            if self.asked.leave_out.contains(&found.brief_id) {
                continue;
            }
            self.best.push(Worst(found));
            if self.best.len() > self.asked.keep {
                self.best.pop();
                let worst = self.best.peek().map(|worst| worst.0.key as f32);
                self.bar = worst.map_or(self.bar, |worst| self.bar.max(worst));
            }
        }
    }
}

#[cfg(test)]
mod tests;
