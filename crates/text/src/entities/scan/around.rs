//! What the words around a name indicate about it.

use super::super::cues::cue;
use super::super::gazetteer::{GAZETTEER, Sort, Surroundings};
use super::{Place, Scan, Who, is_exchange};
use crate::annotate::lexed::{gap, shape};
use crate::company::is_written_legal_form;

/// A text around one sentence.
pub(super) struct Around<'s, 'l, 'a> {
    pub(super) scan: &'s Scan<'l, 'a>,
    pub(super) place: Place,
}

impl Around<'_, '_, '_> {
    /// `Regions projects …`: the next word is something that companies do.
    fn acts(&self, end: usize) -> bool {
        end < self.place.end
            && !self.scan.lexed.tokens[end].after(gap::BREAK | gap::HYPHEN)
            && self.scan.cues[end] & cue::ACTS != 0
    }

    /// `Nike, Procter & Gamble, and Visa`: the names next to it in a list are companies.
    fn beside_company(&self, start: usize, end: usize) -> bool {
        let tokens = &self.scan.lexed.tokens;
        let joins = |at: usize| matches!(tokens[at].text, "and" | "or" | "vs");
        let mut next = end;
        if next < self.place.end && joins(next) {
            next += 1;
        }
        let listed = |at: usize| tokens[at].after(gap::COMMA);
        if next < self.place.end
            && (next > end || listed(next))
            && GAZETTEER.is_company(&tokens[next..self.place.end])
        {
            return true;
        }
        let Some(last) = self.scan.mentions.last() else {
            return false;
        };
        let company = matches!(last.who, Who::Known(known) if GAZETTEER.known[known as usize].sort == Sort::Company);
        let near = last.to == start && listed(start)
            || last.to + 1 == start && start > self.place.start && joins(start - 1);
        company && last.from >= self.place.start && near
    }
}

impl Surroundings for Around<'_, '_, '_> {
    fn mentions_any(&self, words: &[u64], in_sentence: bool) -> bool {
        if in_sentence {
            let sentence = &self.scan.lexed.tokens[self.place.start..self.place.end];
            return sentence.iter().any(|token| words.contains(&token.lower));
        }
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
            || self.acts(end)
            || self.beside_company(start, end)
    }

    fn capitals_or_cue(&self, end: usize) -> bool {
        let next = self.scan.lexed.tokens[..self.place.end].get(end);
        let joined = next.is_some_and(|next| !next.after(gap::BREAK));
        self.place.running || joined && self.scan.cues[end] & (cue::COMPANY | cue::ACTS) != 0
    }

    fn named_in_full(&self, end: usize, ticker: Option<&str>) -> bool {
        self.scan.lexed.tokens[..self.place.end]
            .get(end)
            .is_some_and(|next| {
                is_written_legal_form(next.text)
                    && next.is(shape::CAPITAL)
                    && !next.after(gap::BREAK & !gap::COMMA)
                    || next.after(gap::OPEN)
                        && (is_exchange(next.text) || ticker == Some(next.text))
            })
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
