//! Abbreviations that the text itself spells out: `CBI` beside `Confederation of British Industry` is no bureau of investigation.

use model::EntityKind;

use super::super::cues::cue;
use super::super::gazetteer::GAZETTEER;
use super::{LONGEST_NAME, Scan, Who};
use crate::abbreviation;
use crate::annotate::lexed::{gap, shape};

impl Scan<'_, '_> {
    /// Gives each abbreviation the long name that the text writes for it.
    pub(super) fn spell_out(&mut self) {
        let mut spelt: Vec<(usize, Who)> = Vec::new();
        for at in 0..self.mentions.len() {
            let mention = self.mentions[at];
            let word = &self.lexed.tokens[mention.from];
            let is_abbreviation = mention.to - mention.from == 1
                && word.is(shape::ALL_CAPS)
                && abbreviation::LETTERS.contains(&word.text.len())
                && word.text.bytes().all(|letter| letter.is_ascii_uppercase());
            if is_abbreviation
                && !self.is_spelt_out(mention.who, word.text)
                && let Some(who) = self.long_name(word.text, mention.who)
            {
                spelt.push((at, who));
            }
        }
        for &(at, who) in &spelt {
            self.mentions[at].who = who;
        }
        if !spelt.is_empty() {
            self.order();
        }
    }

    /// Whether the text names the same in more words, so that the abbreviation is its own.
    fn is_spelt_out(&self, who: Who, letters: &str) -> bool {
        self.mentions.iter().any(|mention| {
            mention.who == who
                && mention.to - mention.from > 1
                && abbreviation::spells(letters, self.lexed.written(mention.from, mention.to))
        })
    }

    /// Who else is named in words with these initials: a name that was found, else words with capitals that are one together.
    fn long_name(&mut self, letters: &str, own: Who) -> Option<Who> {
        let named = self.mentions.iter().find(|mention| {
            mention.who != own
                && mention.to - mention.from > 1
                && abbreviation::spells(letters, self.lexed.written(mention.from, mention.to))
        });
        if let Some(named) = named {
            return Some(named.who);
        }
        if let Some(who) = self.glossed(letters, own) {
            return Some(who);
        }
        let (from, to, sentence) = self.written_out(letters)?;
        let is_own = matches!(own, Who::Known(known)
            if GAZETTEER.whole(&self.lexed.tokens[from..to]).is_some_and(|other| other.name == GAZETTEER.known[known as usize].name));
        if is_own {
            return None;
        }
        self.name(from, to, EntityKind::Organization, sentence);
        self.mentions.last().map(|mention| mention.who)
    }

    /// `TMC Compressors (TMC)`: a name that begins with the abbreviation and has it in brackets behind it.
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

    /// Words in running text whose initials are these letters.
    fn written_out(&self, letters: &str) -> Option<(usize, usize, u32)> {
        let tokens = &self.lexed.tokens;
        for (sentence, place) in self.lexed.sentences.iter().enumerate() {
            let is_running = sentence > 0 || !self.lexed.title_case;
            for from in (place.start..place.end).filter(|_| is_running) {
                if !tokens[from].is(shape::CAPITAL) || !starts_like(tokens[from].text, letters) {
                    continue;
                }
                for to in from + 1..place.end.min(from + LONGEST_NAME) {
                    let word = &tokens[to];
                    let is_inside = word.is(shape::CAPITAL) || self.cues[to] & cue::JOINS != 0;
                    if word.after(gap::BREAK) || !is_inside {
                        break;
                    }
                    let written = || self.lexed.written(from, to + 1);
                    if word.is(shape::CAPITAL) && abbreviation::spells(letters, written()) {
                        return Some((from, to + 1, sentence as u32));
                    }
                }
            }
        }
        None
    }
}

fn starts_like(word: &str, letters: &str) -> bool {
    word.chars().next() == letters.chars().next()
}
