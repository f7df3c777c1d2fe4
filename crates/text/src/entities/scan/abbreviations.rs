//! Abbreviations that the text itself spells out: `CBI` next to `Confederation of British Industry` is not a bureau of
//! investigation.

use model::EntityKind;
use rustc_hash::FxHashMap;

use super::super::cues::cue;
use super::super::gazetteer::GAZETTEER;
use super::{LONGEST_NAME, Scan, Who};
use crate::abbreviation;
use crate::annotate::lexed::{Token, gap, shape};

/// Maximum number of different abbreviations looked up per text.
const MOST: usize = 32;

impl Scan<'_, '_> {
    /// Assigns each abbreviation the long name that the text writes for it.
    pub(super) fn spell_out(&mut self) {
        let mut spelt: Vec<(usize, Who)> = Vec::new();
        // Each is looked up once, however often it appears in the text.
        let mut meant: FxHashMap<(Who, &str), Option<Who>> = FxHashMap::default();
        for at in 0..self.mentions.len() {
            let mention = self.mentions[at];
            let word = &self.lexed.tokens[mention.from];
            if mention.to - mention.from != 1 || !is_abbreviation(word) {
                continue;
            }
            let key = (mention.who, word.text);
            if !meant.contains_key(&key) {
                if meant.len() == MOST {
                    continue;
                }
                let is_own = self.is_spelt_out(mention.who, word.text);
                let who = if is_own {
                    None
                } else {
                    self.long_name(word.text, mention.who)
                };
                meant.insert(key, who);
            }
            spelt.extend(meant[&key].map(|who| (at, who)));
        }
        for &(at, who) in &spelt {
            self.mentions[at].who = who;
        }
        if !spelt.is_empty() {
            self.order();
        }
    }

    /// Whether the text names the same entity in more words, so that the abbreviation belongs to it.
    fn is_spelt_out(&self, who: Who, letters: &str) -> bool {
        self.mentions.iter().any(|mention| {
            mention.who == who
                && mention.to - mention.from > 1
                && abbreviation::spells(letters, self.lexed.written(mention.from, mention.to))
        })
    }

    /// The other entity that is named in words with these initials: a name already found, or else capitalised words
    /// that together form one.
    fn long_name(&mut self, letters: &str, own: Who) -> Option<Who> {
        let named = self.mentions.iter().find(|mention| {
            mention.who != own
                && mention.to - mention.from > 1
                && !self.goes_on(mention.to)
                && abbreviation::spells(letters, self.lexed.written(mention.from, mention.to))
        });
        if let Some(named) = named {
            return Some(named.who);
        }
        if let Some(who) = self.glossed(letters, own) {
            return Some(who);
        }
        let (from, to, sentence) = self.written_out(letters, own)?;
        let is_own = matches!(own, Who::Known(known)
            if GAZETTEER.whole(&self.lexed.tokens[from..to]).is_some_and(|other| other.name == GAZETTEER.known[known as usize].name));
        if is_own {
            return None;
        }
        self.name(from, to, EntityKind::Organization, sentence);
        self.mentions.last().map(|mention| mention.who)
    }

    /// `TMC Compressors (TMC)`: a name that begins with the abbreviation and is followed by it in brackets.
    fn glossed(&self, letters: &str, own: Who) -> Option<Who> {
        let tokens = &self.lexed.tokens;
        let named = self.mentions.windows(2).find(|pair| {
            let (name, gloss) = (&pair[0], &pair[1]);
            gloss.who == own
                && name.who != own
                && name.to == gloss.from
                && name.to - name.from > 1
                && tokens[gloss.from].text == letters
                && tokens[gloss.from].after(gap::OPEN)
                && tokens[name.from].text == letters
        });
        named.map(|pair| pair[0].who)
    }

    /// Words in running text whose initials are these letters. For an abbreviation in the tables, only if one is the
    /// other's gloss or the words are certainly a name: `WHO` is not a White House Office.
    fn written_out(&self, letters: &str, own: Who) -> Option<(usize, usize, u32)> {
        let tokens = &self.lexed.tokens;
        for (sentence, place) in self.lexed.sentences.iter().enumerate() {
            let is_running = sentence > 0 || !self.lexed.title_case;
            for from in (place.start..place.end).filter(|_| is_running) {
                let is_start = tokens[from].is(shape::CAPITAL)
                    && starts_like(tokens[from].text, letters)
                    && !is_abbreviation(&tokens[from]);
                if !is_start {
                    continue;
                }
                let end = place.end.min(from + LONGEST_NAME);
                for (to, word) in tokens.iter().enumerate().take(end).skip(from + 1) {
                    let is_inside = word.is(shape::CAPITAL) || self.cues[to] & cue::JOINS != 0;
                    if word.after(gap::BREAK) || !is_inside {
                        break;
                    }
                    let may_end = word.is(shape::CAPITAL)
                        && ends_like(word.text, letters)
                        && !self.goes_on(to + 1)
                        && (matches!(own, Who::Found(_))
                            || self.is_gloss(letters, from, to + 1)
                            || self.is_institution(from, to + 1));
                    if may_end && abbreviation::spells(letters, self.lexed.written(from, to + 1)) {
                        return Some((from, to + 1, sentence as u32));
                    }
                }
            }
        }
        None
    }

    /// Whether a name continues after its end: `White House Office of Science`.
    fn goes_on(&self, to: usize) -> bool {
        let Some([joint, next]) = self.lexed.tokens.get(to..to + 2) else {
            return false;
        };
        matches!(joint.text, "of" | "for")
            && !joint.after(gap::BREAK)
            && next.is(shape::CAPITAL)
            && !next.after(gap::BREAK)
    }

    /// `Confederation of British Industry (CBI)`, `CBI (Confederation of British Industry)`.
    fn is_gloss(&self, letters: &str, from: usize, to: usize) -> bool {
        let tokens = &self.lexed.tokens;
        let is_behind = tokens
            .get(to)
            .is_some_and(|word| word.text == letters && word.after(gap::OPEN));
        let is_before =
            from > 0 && tokens[from - 1].text == letters && tokens[from].after(gap::OPEN);
        is_behind || is_before
    }

    /// `the Confederation of British Industry`: words that follow an article and are joined as the names of
    /// institutions are.
    fn is_institution(&self, from: usize, to: usize) -> bool {
        let tokens = &self.lexed.tokens;
        let is_whole = from > 0
            && matches!(tokens[from - 1].text, "the" | "The")
            && !tokens[from].after(gap::BREAK);
        let mut words = tokens[from..to].iter();
        is_whole && words.any(|word| matches!(word.text, "of" | "for"))
    }
}

fn is_abbreviation(word: &Token<'_>) -> bool {
    word.is(shape::ALL_CAPS)
        && abbreviation::LETTERS.contains(&word.text.len())
        && word.text.bytes().all(|letter| letter.is_ascii_uppercase())
}

fn ends_like(word: &str, letters: &str) -> bool {
    word.chars()
        .next()
        .is_some_and(|first| letters.ends_with(first.to_ascii_uppercase()))
}

fn starts_like(word: &str, letters: &str) -> bool {
    word.chars().next() == letters.chars().next()
}
