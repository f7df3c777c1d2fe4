//! Excluding phrases and groups safely.
//!
//! The engine's `Exclude` asks the excluded set about documents that lie behind its current one, with `seek_danger`,
//! which phrase scorers of tantivy 0.27 do not allow: an assertion in debug builds, unspecified otherwise. This wrapper
//! answers from `doc` and `seek` alone, whose contracts hold. It costs a full seek where the engine would look at one
//! document.

use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, DocSet, Result, Score, SegmentReader, Term};

/// Something that must not hold.
#[derive(Debug)]
pub(super) struct Exclusion(pub(super) Box<dyn Query>);

struct ExclusionWeight(Box<dyn Weight>);

struct ExclusionScorer(Box<dyn Scorer>);

impl Clone for Exclusion {
    fn clone(&self) -> Self {
        Self(self.0.box_clone())
    }
}

impl Query for Exclusion {
    fn weight(&self, scoring: EnableScoring<'_>) -> Result<Box<dyn Weight>> {
        Ok(Box::new(ExclusionWeight(self.0.weight(scoring)?)))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        self.0.query_terms(visitor);
    }
}

impl Weight for ExclusionWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> Result<Box<dyn Scorer>> {
        Ok(Box::new(ExclusionScorer(self.0.scorer(reader, boost)?)))
    }

    fn explain(&self, reader: &SegmentReader, document: DocId) -> Result<Explanation> {
        self.0.explain(reader, document)
    }
}

impl DocSet for ExclusionScorer {
    fn advance(&mut self) -> DocId {
        self.0.advance()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        self.0.seek(target)
    }

    fn doc(&self) -> DocId {
        self.0.doc()
    }

    fn size_hint(&self) -> u32 {
        self.0.size_hint()
    }
}

impl Scorer for ExclusionScorer {
    fn score(&mut self) -> Score {
        self.0.score()
    }
}
