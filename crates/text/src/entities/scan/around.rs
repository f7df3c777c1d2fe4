//! What the words around a name say about it.

use super::super::cues::cue;
use super::super::gazetteer::Surroundings;
use super::{Place, Scan};
use crate::annotate::lexed::{gap, shape};

/// A text around one sentence.
pub(super) struct Around<'s, 'l, 'a> {
    pub(super) scan: &'s Scan<'l, 'a>,
    pub(super) place: Place,
}

impl Surroundings for Around<'_, '_, '_> {
    fn mentions_any(&self, words: &[u64]) -> bool {
        let vocabulary = self.scan.vocabulary.get_or_init(|| {
            self.scan
                .lexed
                .tokens
                .iter()
                .map(|token| token.lower)
                .collect()
        });
        words.iter().any(|word| vocabulary.contains(word))
    }

    fn company_cue(&self, start: usize, end: usize) -> bool {
        let cues = &self.scan.cues;
        (start.saturating_sub(3).max(self.place.start)..start)
            .chain(end..(end + 4).min(self.place.end))
            .any(|at| cues[at] & cue::COMPANY != 0)
    }

    fn telling_capital(&self, start: usize, end: usize) -> bool {
        let tokens = &self.scan.lexed.tokens;
        let joined = |at: usize| !tokens[at].after(gap::BREAK);
        self.place.running
            && start > self.place.start
            && !tokens[start].after(gap::QUOTE | gap::COLON | gap::OTHER)
            && !(joined(start) && tokens[start - 1].is(shape::CAPITAL))
            && !(end < self.place.end && joined(end) && tokens[end].is(shape::CAPITAL))
    }
}
