//! Names that the model finds where tables and rules found none.

use model::EntityKind;

use super::super::cues::{self, cue};
use super::super::gazetteer::{GAZETTEER, Sort, has_article};
use super::super::tagger;
use super::{Mention, Scan, Who};
use crate::annotate::lexed::shape;

impl Scan<'_, '_> {
    /// Takes the names that the model finds where tables and rules found none, or found only one word of a longer name.
    pub(super) fn weigh(&mut self) {
        let running = std::mem::take(&mut self.running);
        let mut parts = Vec::new();
        let seen = self.mentions.len();
        for sentence in running {
            let place = self.lexed.sentences[sentence as usize];
            for tagged in tagger::tag(self.lexed, &self.cues, place.start, place.end) {
                let Some(tagged) = self.narrowed(tagged) else {
                    continue;
                };
                let mentions = &self.mentions[..seen];
                let next = mentions.partition_point(|mention| mention.to <= tagged.from);
                let over = mentions[next..]
                    .iter()
                    .take_while(|mention| mention.from < tagged.to)
                    .count();
                let parts_of = &mentions[next..next + over];
                // `European Central Bank and Bank of England` are two entities.
                let institutions = parts_of.iter().filter(|mention| {
                    matches!(mention.who, Who::Known(known)
                        if GAZETTEER.known[known as usize].kind == EntityKind::Organization)
                });
                let swallowed = institutions.count() < 2
                    && parts_of
                        .iter()
                        .all(|mention| Self::is_part(mention, &tagged));
                let words = &self.lexed.tokens[tagged.from..tagged.to];
                // `Ford the river`: the capital on the first word of a sentence carries no information.
                let doubtful = (tagged.from == place.start
                    || has_article(&self.lexed.tokens, tagged.from))
                    && GAZETTEER.is_ambiguous(words);
                if doubtful || over > 0 && !swallowed {
                    continue;
                }
                parts.extend(next..next + over);
                if let Some(known) = GAZETTEER.likely(words, tagged.kind) {
                    self.mention(Who::Known(known), (tagged.from, tagged.to), sentence, false);
                } else {
                    self.name(tagged.from, tagged.to, tagged.kind, sentence);
                }
            }
        }
        let mut at = 0;
        self.mentions.retain(|_| {
            at += 1;
            parts.binary_search(&(at - 1)).is_err()
        });
    }

    /// A name without its owner or an office held in it: `Hougan` from `Kelvo's Hougan`, `Kelvo` from `Kelvo CEO`. A
    /// single word after an owner is a person only if it is followed by a verb of speaking. Otherwise it is something
    /// that belongs to the owner.
    fn narrowed(&self, mut tagged: tagger::Tagged) -> Option<tagger::Tagged> {
        let tokens = &self.lexed.tokens;
        // `C$12.69` and `X-ray` contain letters but no names.
        if tagged.to - tagged.from == 1 && tokens[tagged.from].text.chars().count() == 1 {
            return None;
        }
        let owner = (tagged.from..tagged.to - 1).find(|at| tokens[*at].is(shape::POSSESSIVE));
        if let Some(owner) = owner.filter(|_| tagged.kind == EntityKind::Person) {
            if owner > tagged.from {
                tagged.to = owner + 1;
            } else {
                tagged.from = owner + 1;
                let is_single = tagged.to - tagged.from == 1;
                let speaks = tokens
                    .get(tagged.to)
                    .is_some_and(|next| cues::of(next) & cue::SAYS != 0);
                if is_single && !speaks {
                    return None;
                }
            }
        }
        // `EU's Ukraine` is two names in the tables.
        if let Some(owner) = owner.filter(|_| tagged.kind == EntityKind::Organization) {
            let behind = GAZETTEER.kind_at(tokens, owner + 1, tagged.to);
            if behind.is_some_and(|(length, _)| owner + 1 + length == tagged.to) {
                return None;
            }
        }
        while tagged.kind == EntityKind::Organization
            && tagged.to - tagged.from > 1
            && self.is_office(tagged.to - 1)
        {
            tagged.to -= 1;
        }
        Some(tagged)
    }

    /// `CEO`, `CIO`: the abbreviation of an office.
    fn is_office(&self, at: usize) -> bool {
        let word = &self.lexed.tokens[at];
        let text = word.text;
        word.is(shape::ALL_CAPS)
            && text.len() == 3
            && (self.cues[at] & cue::TITLE != 0 || text.starts_with('C') && text.ends_with('O'))
    }

    /// `Memphis` in `West Memphis`, `US` in `US Food and Drug Administration`.
    fn is_part(mention: &Mention, tagged: &tagger::Tagged) -> bool {
        let Who::Known(known) = mention.who else {
            return false;
        };
        let known = &GAZETTEER.known[known as usize];
        let place = known.kind == EntityKind::Location;
        let institution = known.kind == EntityKind::Organization && known.sort == Sort::Other;
        mention.from >= tagged.from
            && mention.to <= tagged.to
            && mention.to - mention.from < tagged.to - tagged.from
            && match tagged.kind {
                EntityKind::Location => place,
                EntityKind::Organization => place || institution,
                _ => false,
            }
    }
}
