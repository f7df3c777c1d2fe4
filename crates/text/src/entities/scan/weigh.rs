//! Names that the model sees where tables and rules saw none.

use model::EntityKind;

use super::super::gazetteer::{GAZETTEER, Sort, has_article};
use super::super::tagger;
use super::{Mention, Scan, Who};

impl Scan<'_, '_> {
    /// Takes the names that the model sees where tables and rules saw none, or only a word of a longer name.
    pub(super) fn weigh(&mut self) {
        let running = std::mem::take(&mut self.running);
        let mut parts = Vec::new();
        let seen = self.mentions.len();
        for sentence in running {
            let place = self.lexed.sentences[sentence as usize];
            for tagged in tagger::tag(self.lexed, &self.cues, place.start, place.end) {
                let mentions = &self.mentions[..seen];
                let next = mentions.partition_point(|mention| mention.to <= tagged.from);
                let over = mentions[next..]
                    .iter()
                    .take_while(|mention| mention.from < tagged.to)
                    .count();
                let swallowed = mentions[next..next + over]
                    .iter()
                    .all(|mention| Self::is_part(mention, &tagged));
                let words = &self.lexed.tokens[tagged.from..tagged.to];
                // `Ford the river`: the first word of a sentence has its capital for nothing.
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

    /// `Memphis` of `West Memphis`, `US` of `US Food and Drug Administration`.
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
