//! Uses the whole text to decide about names that a single place left open.

use model::EntityKind;
use rustc_hash::FxHashMap;

use super::super::cues::cue;
use super::super::gazetteer::GAZETTEER;
use super::{Scan, Who};
use crate::annotate::lexed::{extend, gap, shape};

impl Scan<'_, '_> {
    /// Puts the names in text order. If two overlap, the earlier and longer one stays.
    pub(super) fn order(&mut self) {
        self.mentions
            .sort_by_key(|mention| (mention.from, std::cmp::Reverse(mention.to)));
        let mut end = 0;
        self.mentions.retain(|mention| {
            let free = mention.from >= end;
            if free {
                end = mention.to;
            }
            free
        });
    }

    /// Uses the whole text to decide about names that a single place left open.
    pub(super) fn settle(&mut self) {
        let undecided = std::mem::take(&mut self.undecided);
        // Full names whose last word appears alone elsewhere are people.
        let mut alone: FxHashMap<u64, u32> = FxHashMap::default();
        let mut together: FxHashMap<u64, u32> = FxHashMap::default();
        for &(from, to, _) in &undecided {
            if to - from == 1 {
                *alone.entry(self.lexed.tokens[from].lower).or_insert(0) += 1;
            } else {
                *together.entry(self.phrase(from, to)).or_insert(0) += 1;
            }
        }
        for &(from, to, sentence) in &undecided {
            let length = to - from;
            if length < 2 {
                continue;
            }
            let tokens = &self.lexed.tokens;
            let plain = (from..to).all(|at| {
                self.cues[at]
                    & (cue::COMMON | cue::NEVER | cue::TITLE | cue::ORGANIZATION | cue::EVENT)
                    == 0
                    && !tokens[at].is(shape::NUMBER)
            });
            let shouted = tokens[from..to]
                .iter()
                .any(|token| token.is(shape::ALL_CAPS));
            let surname = self.surnames.contains_key(&tokens[to - 1].lower)
                && length == 2
                && self.cues[from] & cue::GIVEN != 0;
            let times = together.get(&self.phrase(from, to)).copied().unwrap_or(0);
            let article = from > 0
                && matches!(tokens[from - 1].text, "the" | "The" | "a" | "an")
                && !tokens[from].after(gap::BREAK);
            let called = alone.contains_key(&tokens[to - 1].lower) || surname;
            let ends_loud = tokens[to - 1].text.ends_with(char::is_uppercase);
            let person = length <= 3 && !ends_loud && plain && !shouted && !article && called;
            if person || self.by_phrase.contains_key(&self.phrase(from, to)) {
                self.name(from, to, EntityKind::Person, sentence);
            } else if plain && times >= 2 && article && !shouted {
                self.name(from, to, EntityKind::Organization, sentence);
            }
        }
        for &(from, to, sentence) in &undecided {
            if to - from != 1 {
                continue;
            }
            let token = &self.lexed.tokens[from];
            if token.is(shape::ALL_CAPS)
                && let Some(known) = GAZETTEER.ticker(token.text)
                && self
                    .mentions
                    .iter()
                    .any(|mention| mention.who == Who::Known(known))
            {
                self.gloss(Who::Known(known), from, to, sentence);
                continue;
            }
            if self.cues[from] & cue::NEVER != 0 {
                continue;
            }
            if let Some(&index) = self.by_phrase.get(&extend(0, token.exact)) {
                self.mention(Who::Found(index), (from, to), sentence, false);
            } else if let Some(&who) = self
                .surnames
                .get(&token.lower)
                .filter(|_| !token.is(shape::ALL_CAPS) || token.text.len() > 4)
            {
                self.mention(who, (from, to), sentence, false);
            } else if let Some(&who) = self.stems.get(&token.exact) {
                self.mention(who, (from, to), sentence, false);
            }
        }
    }
}
