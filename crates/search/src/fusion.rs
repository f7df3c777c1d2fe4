//! The order of the hits when more than words counts.
//!
//! Words decide what matches; likeness by meaning only reorders the best matches. The two orders are fused by the
//! places that a hit has in them (reciprocal rank fusion), because their scores cannot be compared. A deep search takes
//! a third order into account: how well the best single sentence answers. Only if few briefs match by words, those most
//! like the query are added after them, and marked. Queries with operators are taken literally, so nothing is added to
//! them.

use model::BriefId;
use tantivy::tokenizer::TextAnalyzer;
use text::embedding::{Embedding, embed, similarity};
use text::sentence;

use crate::analysis;
use crate::collect::{Found, Likeness, Ranked, nearest};
use crate::error::Result;
use crate::query::{Query, Wanted};
use crate::request::{Depth, SearchRequest, Sort};
use crate::view::{StoredText, View};

/// Matches that are reordered; those after them stay in the order of the words, whichever page is requested.
pub(crate) const WINDOW: usize = 200;
/// Matches whose sentences a deep search reads.
const READ: usize = 50;
/// Sentences per match in which a deep search looks for the words.
const CLOSEST: usize = 3;
/// With fewer matches than this, others are added.
const FEW: u64 = 20;
const MOST_ADDED: usize = 50;
/// The minimum likeness to the query of an added brief; unrelated texts lie below 0.3.
const LEAST_LIKENESS: f32 = 0.4;
/// Keeps the very first places from deciding on their own; the usual value.
const CUSHION: f64 = 60.0;

/// A query that has a meaning and is to be ordered by it.
pub(crate) struct Fusion<'a> {
    view: &'a View,
    request: &'a SearchRequest,
    query: &'a Query,
    wanted: &'a Wanted,
    vector: Embedding,
}

impl<'a> Fusion<'a> {
    /// None if words alone count: at the lowest depth, in every order except by relevance, and for words without a
    /// meaning.
    pub(crate) fn new(
        view: &'a View,
        request: &'a SearchRequest,
        query: &'a Query,
        wanted: &'a Wanted,
    ) -> Option<Self> {
        if request.depth == Depth::Fast || request.sort != Sort::Relevance {
            return None;
        }
        let vector = embed(query.spoken());
        (!vector.is_zero()).then_some(Self {
            view,
            request,
            query,
            wanted,
            vector,
        })
    }

    /// Puts what was found by words, best first, into its final order, and adds similar briefs if there is little. The
    /// key of each hit becomes the sum of its shares, so that keys fall from first to last.
    pub(crate) fn arrange(&self, found: &mut Found) -> Result<()> {
        for (place, hit) in found.best.iter_mut().enumerate() {
            hit.key = share(place);
        }
        let window = found.best.len().min(WINDOW);
        reorder(&mut found.best[..window], |hit| {
            let columns = &self.view.segments[hit.address.segment_ord as usize];
            let vector = columns.vectors.read().get(hit.address.doc_id);
            Ok(similarity(&self.vector, &vector))
        })?;
        if self.request.depth == Depth::Deep {
            let mut analyzer = analysis::analyzer();
            let read = found.best.len().min(READ);
            reorder(&mut found.best[..read], |hit| {
                let text = self.view.stored_text(hit.address)?;
                Ok(self.best_sentence(&text, &mut analyzer))
            })?;
        }
        if found.total < FEW && self.query.is_plain() {
            self.add(found)?;
        }
        Ok(())
    }

    fn add(&self, found: &mut Found) -> Result<()> {
        let matches: Vec<BriefId> = found.best.iter().map(|hit| hit.brief_id).collect();
        let added = nearest(
            self.view,
            &Likeness {
                vector: &self.vector,
                filters: &self.request.filters,
                as_of: self.request.as_of,
                least: LEAST_LIKENESS,
                keep: MOST_ADDED,
                leave_out: &matches,
            },
        )?;
        for (place, mut hit) in (matches.len()..).zip(added) {
            hit.key = share(place);
            hit.by_meaning = true;
            found.best.push(hit);
        }
        Ok(())
    }

    /// How well the best sentence answers, 0 to 2: by its meaning and by the share of the wanted words that it
    /// contains. Words are only looked for in the sentences that are closest in meaning, because finding them costs the
    /// most.
    fn best_sentence(&self, text: &StoredText, analyzer: &mut TextAnalyzer) -> f32 {
        let sentences = std::iter::once(text.headline.as_str())
            .chain(sentence::split(&text.summary))
            .chain(sentence::split(&text.body));
        let mut closest: Vec<(f32, &str)> = sentences
            .map(|sentence| {
                (
                    similarity(&self.vector, &embed(sentence)).max(0.0),
                    sentence,
                )
            })
            .collect();
        closest.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        closest
            .into_iter()
            .take(CLOSEST)
            .map(|(likeness, sentence)| likeness + self.share_of_words(sentence, analyzer))
            .fold(0.0, f32::max)
    }

    fn share_of_words(&self, sentence: &str, analyzer: &mut TextAnalyzer) -> f32 {
        let terms = analysis::terms(analyzer, sentence);
        let has = |run: &Vec<String>| {
            terms
                .windows(run.len().max(1))
                .any(|window| window.iter().map(|term| &term.text).eq(run))
        };
        let present = self.wanted.iter().filter(|run| has(run)).count();
        present as f32 / self.wanted.len().max(1) as f32
    }
}

/// The share of a place, counted from 0.
fn share(place: usize) -> f64 {
    1.0 / (CUSHION + 1.0 + place as f64)
}

/// Gives each hit the share for its place by a score and sorts again. Among equal scores the previous place decides.
fn reorder(hits: &mut [Ranked], mut score: impl FnMut(&Ranked) -> Result<f32>) -> Result<()> {
    let scores: Vec<f32> = hits.iter().map(&mut score).collect::<Result<_>>()?;
    let mut order: Vec<usize> = (0..hits.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    for (place, hit) in order.into_iter().enumerate() {
        hits[hit].key += share(place);
    }
    hits.sort_by(|a, b| b.cmp(a));
    Ok(())
}
