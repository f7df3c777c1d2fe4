//! Symbols that are recognised by their context: in a list of symbols, next to a number of shares, joined to another
//! one.

use super::reader::Reader;
use super::symbols::is_rarely_meant;
use super::{How, Subjects};
use crate::names::{self, Listed};
use crate::words::Word;

/// Words that join two names.
pub(super) const JOINTS: [&str; 7] = ["and", "or", "vs", "versus", "with", "against", "v"];
/// Letters after a number that count or measure: `10k`, `5 y`.
const UNITS: [&str; 12] = [
    "k", "m", "b", "d", "w", "y", "x", "h", "q", "mo", "yr", "bn",
];
/// Words of people who hold something.
const OWNING: [&str; 22] = [
    "hold",
    "holding",
    "holdings",
    "own",
    "have",
    "ive",
    "got",
    "portfolio",
    "position",
    "positions",
    "bag",
    "bags",
    "long",
    "short",
    "bought",
    "sold",
    "account",
    "shares",
    "worth",
    "value",
    "basket",
    "watchlist",
];

impl Subjects {
    /// Finds symbols among others. Each one may make the next recognisable.
    pub(super) fn listed_together(&mut self, reader: &Reader<'_>) {
        for at in 0..reader.words.len() {
            let range = at..at + 1;
            if !self.is_free(&range) {
                continue;
            }
            if let Some(listed) = reader.possible_symbol(at)
                && (self.is_position(reader, at)
                    || self.is_in_run(at)
                    || self.is_joined_to_symbol(reader, at))
            {
                self.add(listed, How::Symbol, reader, range);
            }
        }
    }

    fn is_instrument(&self, at: usize) -> bool {
        let mut all = self.instruments.iter();
        all.any(|(_, range)| range.contains(&at))
    }

    fn is_symbol_at(&self, at: usize) -> bool {
        let mut all = self.instruments.iter();
        all.any(|(one, range)| {
            range.contains(&at) && one.said.eq_ignore_ascii_case(one.symbol.as_str())
        })
    }

    /// `50 tsla 20 amd 10 pltr`, `long f 20%`: a number of shares or a weight next to it, as next to others, or in the
    /// words of somebody who holds it.
    fn is_position(&self, reader: &Reader<'_>, at: usize) -> bool {
        let counts = |at: usize| {
            let before = at.checked_sub(1).map(|before| &reader.words[before]);
            before.is_some_and(|before| {
                before.is_number()
                    && reader.text[before.bytes.end..reader.words[at].bytes.start]
                        .chars()
                        .all(char::is_whitespace)
            })
        };
        let weighs = |at: usize| {
            reader.words.get(at + 1).is_some_and(|next| {
                next.is_number() && reader.text[next.bytes.end..].starts_with('%')
            })
        };
        if !counts(at) && !weighs(at) {
            return false;
        }
        let mut others = self.instruments.iter().map(|(_, range)| range.start);
        let is_owned = reader.words.iter().any(|word| word.is_any(&OWNING));
        is_owned || others.any(|other| counts(other) && counts(at) || weighs(other) && weighs(at))
    }

    /// `jpm bac ms c`: two symbols before it, or one on each side.
    fn is_in_run(&self, at: usize) -> bool {
        let before = |steps: usize| {
            let place = at.checked_sub(steps);
            place.is_some_and(|place| self.is_symbol_at(place))
        };
        before(1) && (before(2) || self.is_symbol_at(at + 1))
    }

    /// `F and GM`, `spy or qqq`.
    fn is_joined_to_symbol(&self, reader: &Reader<'_>, at: usize) -> bool {
        let word = &reader.words[at];
        // In small letters an English word of some length is just that word.
        let is_word = !word.is_capitals
            && (word.lower.len() < 2 || word.lower.len() >= 4 && names::is_ordinary(&word.lower));
        if is_word {
            return false;
        }
        let is_joint = |word: &Word| word.is_any(&JOINTS);
        let follows = at >= 2 && is_joint(&reader.words[at - 1]) && self.is_symbol_at(at - 2);
        let leads = reader.next(at).is_some_and(is_joint)
            && (self.is_symbol_at(at + 2) || self.is_instrument(at + 2) && word.is_capitals);
        let is_parted = |word: Option<&Word>| word.is_some_and(|word| word.is_parted);
        let in_list = is_parted(Some(word)) && at >= 1 && self.is_symbol_at(at - 1)
            || is_parted(reader.next(at)) && self.is_symbol_at(at + 1);
        follows || leads || in_list && word.is_capitals
    }
}

impl<'a> Reader<'a> {
    /// The listing for a word that could be a symbol.
    fn possible_symbol(&self, at: usize) -> Option<&'a Listed> {
        let word = &self.words[at];
        let lower = word.lower.as_str();
        let is_other = (self.is_cue)(at)
            || word.is_number()
            || UNITS.contains(&lower)
            || is_rarely_meant(lower)
            || text::token::is_stop_word(lower)
            || text::entities::is_common_word(lower)
            || verify::stance::direction_of(lower) != 0;
        if is_other {
            return None;
        }
        self.names.symbol(&self.text[word.bytes.clone()])
    }
}
