//! What a number measures, judged by the words around it.

use std::sync::LazyLock;

use model::DataPointKind;
use rustc_hash::FxHashMap;

use super::Bound;
use crate::annotate::lexed::{Token, gap, lower_hash};
use crate::annotate::phrases::rows;

/// How far before and after its number a measure word may be.
const BEFORE: usize = 9;
const AFTER: usize = 5;

struct Measure {
    name: &'static str,
    kinds: &'static str,
}

/// The measures, and for each word the measures it names.
type Measures = (Vec<Measure>, FxHashMap<u64, Vec<u8>>);

static MEASURES: LazyLock<Measures> = LazyLock::new(|| {
    let mut measures = Vec::new();
    let mut words: FxHashMap<u64, Vec<u8>> = FxHashMap::default();
    for mut row in rows(include_str!("../../../data/figures/measures.tsv")) {
        let (Some(name), Some(kinds), Some(list)) = (row.next(), row.next(), row.next()) else {
            continue;
        };
        for word in list.split(' ') {
            words
                .entry(lower_hash(word))
                .or_default()
                .push(measures.len() as u8);
        }
        measures.push(Measure { name, kinds });
    }
    (measures, words)
});

/// Classes of words, one bit for each line of the file.
mod class {
    pub(super) const UP: u16 = 1;
    pub(super) const DOWN: u16 = 1 << 1;
    pub(super) const LEVEL: u16 = 1 << 2;
    pub(super) const RANK: u16 = 1 << 3;
    pub(super) const CUT: u16 = 1 << 4;
    pub(super) const JOB: u16 = 1 << 5;
    pub(super) const CARRIER: u16 = 1 << 6;
}

static WORDS: LazyLock<FxHashMap<u64, u16>> = LazyLock::new(|| {
    let names = ["up", "down", "level", "rank", "cut", "job", "carrier"];
    let mut table: FxHashMap<u64, u16> = FxHashMap::default();
    for mut row in rows(include_str!("../../../data/figures/words.tsv")) {
        let (Some(name), Some(words)) = (row.next(), row.next()) else {
            continue;
        };
        let Some(bit) = names.iter().position(|known| *known == name) else {
            continue;
        };
        for word in words.split(' ') {
            *table.entry(lower_hash(word)).or_default() |= 1 << bit;
        }
    }
    table
});

fn is(token: &Token<'_>, class: u16) -> bool {
    WORDS
        .get(&token.lower)
        .is_some_and(|classes| classes & class != 0)
}

/// Whether the preceding word makes the number a rank or a name: `top 10`, `page 3`.
pub(super) fn is_rank(tokens: &[Token<'_>], at: usize) -> bool {
    at > 0 && !tokens[at].after(gap::BREAK) && is(&tokens[at - 1], class::RANK)
}

/// The words around a number.
#[derive(Clone, Copy)]
pub(super) struct Around<'t, 'a> {
    pub(super) tokens: &'t [Token<'a>],
    pub(super) first: usize,
    pub(super) next: usize,
}

impl<'t, 'a> Around<'t, 'a> {
    /// The words before the number in its clause, nearest first.
    fn before(&self) -> impl Iterator<Item = &'t Token<'a>> {
        let stop = gap::BREAK & !gap::COMMA & !gap::QUOTE;
        let tokens = self.tokens;
        let mut open = self.first > 0 && !tokens[self.first].after(stop);
        (0..self.first).rev().map_while(move |at| {
            if !open {
                return None;
            }
            open = !tokens[at].after(stop);
            Some(&tokens[at])
        })
    }

    /// The words after the number in its clause.
    fn after(&self) -> impl Iterator<Item = &'t Token<'a>> {
        let stop = gap::BREAK & !gap::QUOTE;
        self.tokens[self.next.min(self.tokens.len())..]
            .iter()
            .take_while(move |token| !token.after(stop))
    }

    /// What happened to the people being counted.
    pub(super) fn people(&self) -> Option<&'static str> {
        const FATES: [&str; 5] = ["killed", "injured", "missing", "arrested", "displaced"];
        let fate = |token: &Token<'_>| FATES.into_iter().find(|fate| means(token, fate));
        // `12 killed`, `12 people were killed`: only people and auxiliaries may come in between.
        let counted = self.tokens.get(self.next.wrapping_sub(1));
        for token in self.after().take(4) {
            if let Some(found) = fate(token) {
                return Some(found);
            }
            if !is(token, class::CARRIER) {
                break;
            }
        }
        // `killing at least 12 people`, `death toll rises to 12`.
        let nearest: Vec<&Token<'_>> = self.before().take(6).collect();
        let toll = nearest.windows(2).any(|pair| {
            pair[0].text.eq_ignore_ascii_case("toll") && pair[1].text.eq_ignore_ascii_case("death")
        });
        if toll {
            return Some("killed");
        }
        let people = counted
            .is_some_and(|token| self.next > self.first + 1 && is(token, class::CARRIER))
            || self
                .after()
                .next()
                .is_none_or(|token| is(token, class::CARRIER));
        let verbs = [
            ("killed", ["kills", "killed", "killing"]),
            ("injured", ["injures", "injuring", "wounding"]),
            ("arrested", ["arrests", "arrested", "arresting"]),
        ];
        nearest.iter().take(4).find_map(|token| {
            let (fate, _) = verbs.iter().find(|(_, forms)| {
                forms
                    .iter()
                    .any(|form| token.text.eq_ignore_ascii_case(form))
            })?;
            people.then_some(*fate)
        })
    }

    /// Whether the number counts lost jobs.
    pub(super) fn jobs_cut(&self) -> Option<&'static str> {
        let counted = &self.tokens[self.first..self.next.min(self.tokens.len())];
        let jobs = counted
            .iter()
            .chain(self.after().take(2))
            .any(|token| is(token, class::JOB));
        let cut = self.before().take(4).any(|token| is(token, class::CUT))
            || counted
                .iter()
                .chain(self.after().take(2))
                .any(|token| token.text.eq_ignore_ascii_case("layoffs"));
        (jobs && cut).then_some("jobs cut")
    }

    /// The nearest word that names a measure: up to a few words after the number, or else before it.
    pub(super) fn measure(&self, kind: DataPointKind) -> Option<&'static str> {
        let letter = letter(kind)?;
        let named = |token: &Token<'_>| Some(MEASURES.0[named_by(token, letter)?].name);
        let closest = self.after().take(2).find_map(named);
        closest
            .or_else(|| self.before().take(BEFORE).find_map(named))
            .or_else(|| self.after().take(AFTER).find_map(named))
    }

    /// All measures named by words near the number, one bit each: `growth` and `profit` for `growth in profit of 5 %`.
    pub(super) fn named(&self, kind: DataPointKind) -> u64 {
        let Some(letter) = letter(kind) else {
            return 0;
        };
        self.before()
            .take(BEFORE)
            .chain(self.after().take(AFTER))
            .filter_map(|token| named_by(token, letter))
            .fold(0, |named, at| named | 1 << at)
    }

    /// 1 for a rise and -1 for a fall by this number, or `None` if it is a level.
    pub(super) fn direction(&self) -> Option<f64> {
        let sign = |token: &Token<'_>| {
            if is(token, class::UP) {
                Some(1.0)
            } else if is(token, class::DOWN) {
                Some(-1.0)
            } else {
                None
            }
        };
        for (place, token) in self.before().take(5).enumerate() {
            if is(token, class::LEVEL) && place <= 1 {
                break;
            }
            if let Some(sign) = sign(token) {
                return Some(sign);
            }
        }
        let leading = self
            .before()
            .next()
            .is_some_and(|token| is(token, class::LEVEL) && token.text == "to");
        if leading {
            return None;
        }
        self.after().take(2).find_map(sign)
    }

    /// How precisely the number is meant.
    pub(super) fn bound(&self) -> Bound {
        let words: Vec<String> = self
            .before()
            .take(3)
            .map(|token| token.text.to_lowercase())
            .collect();
        let word = |at: usize| words.get(at).map_or("", String::as_str);
        match (word(1), word(0)) {
            ("at", "least")
            | ("more" | "greater" | "higher", "than")
            | (_, "over" | "above" | "exceeding") => Bound::AtLeast,
            ("up", "to")
            | ("many" | "much", "as")
            | ("at", "most")
            | ("less" | "fewer", "than")
            | (_, "under" | "below") => Bound::AtMost,
            (
                _,
                "about" | "around" | "nearly" | "almost" | "some" | "roughly" | "approximately"
                | "estimated" | "approx" | "circa",
            ) => Bound::About,
            _ => match self
                .after()
                .take(2)
                .map(|token| token.text)
                .collect::<Vec<_>>()
                .as_slice()
            {
                ["or", "more"] => Bound::AtLeast,
                ["or", "so"] => Bound::About,
                _ => Bound::Exact,
            },
        }
    }
}

/// Whether a word from a measure's list is here.
fn means(token: &Token<'_>, measure: &str) -> bool {
    let (measures, words) = &*MEASURES;
    words.get(&token.lower).is_some_and(|found| {
        found
            .iter()
            .any(|at| measures[usize::from(*at)].name == measure)
    })
}

/// The letter the file uses for a kind whose measures are found by words.
fn letter(kind: DataPointKind) -> Option<char> {
    match kind {
        DataPointKind::Money => Some('m'),
        DataPointKind::Percent => Some('p'),
        DataPointKind::Count => None,
        DataPointKind::Quantity => Some('q'),
    }
}

/// The first measure of a kind that a word names.
fn named_by(token: &Token<'_>, letter: char) -> Option<usize> {
    let (measures, words) = &*MEASURES;
    words
        .get(&token.lower)?
        .iter()
        .map(|at| usize::from(*at))
        .find(|at| measures[*at].kinds.contains(letter))
}

#[cfg(test)]
mod tests {
    use super::MEASURES;

    #[test]
    fn every_measure_has_a_bit() {
        assert!(MEASURES.0.len() <= 64);
    }
}
