//! One question and the context of its words: what is next to them, and how they are written.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashMap;
use text::entities::Distinctness;

use crate::names::{Listed, Names};
use crate::words::Word;

const NICKNAMES_FILE: &str = include_str!("../../data/nicknames.tsv");

/// Symbols by what people call their companies.
static NICKNAMES: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    table::rows(NICKNAMES_FILE)
        .flat_map(|[symbol, names]| names.split('|').map(move |name| (name, symbol)))
        .collect()
});

const LEADERS_FILE: &str = include_str!("../../data/leaders.tsv");

/// Symbols by the names of the people who lead the companies.
static LEADERS: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    table::rows(LEADERS_FILE)
        .flat_map(|[symbol, names]| names.split('|').map(move |name| (name, symbol)))
        .collect()
});

/// Things that belong to somebody: `Buffett's company`.
const OWNED: [&str; 12] = [
    "company",
    "companies",
    "firm",
    "stock",
    "stocks",
    "shares",
    "share",
    "business",
    "outfit",
    "empire",
    "corporation",
    "conglomerate",
];

/// Words that follow the name of something traded.
pub(super) const AFTER: [&str; 31] = [
    "stake",
    "stakes",
    "position",
    "stock",
    "stocks",
    "share",
    "shares",
    "earnings",
    "inc",
    "corp",
    "price",
    "dividend",
    "ticker",
    "calls",
    "puts",
    "options",
    "rsi",
    "chart",
    "technicals",
    "fundamentals",
    "coin",
    "token",
    "etf",
    "bonds",
    "results",
    "overbought",
    "oversold",
    "overvalued",
    "undervalued",
    "bullish",
    "bearish",
];
/// Words that precede one.
pub(super) const BEFORE: [&str; 46] = [
    "suing", "sue", "sued", "sues", "about", "on", "of", "for", "in", "is", "are", "was", "did",
    "does", "do", "has", "buy", "sell", "own", "hold", "holding", "short", "long", "vs", "versus",
    "and", "or", "with", "at", "hows", "my", "our", "into", "from", "around", "behind", "by",
    "near", "toward", "towards", "over", "than", "against", "see", "like", "whats",
];

/// One question and the context of its words.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) words: &'a [Word],
    pub(super) names: &'a Names,
    pub(super) is_cue: &'a dyn Fn(usize) -> bool,
    pub(super) is_shouted: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        text: &'a str,
        words: &'a [Word],
        names: &'a Names,
        is_cue: &'a dyn Fn(usize) -> bool,
    ) -> Self {
        Self {
            text,
            words,
            names,
            is_cue,
            // In a question written in capitals, capitals mean nothing.
            is_shouted: words.len() > 2
                && words
                    .iter()
                    .filter(|word| !word.is_number())
                    .all(|word| word.is_capitals),
        }
    }

    /// The listing of a company or coin that the gazetteer knows by these words: `google`, `facebook`.
    pub(super) fn known(&self, written: &str, said: &str) -> Option<(&'a Listed, Distinctness)> {
        let find = |text: &str| {
            let (symbol, distinctness) = text::entities::traded(text)?;
            Some((self.names.symbol(symbol)?, distinctness))
        };
        find(written)
            .or_else(|| find(&titled(said)))
            .or_else(|| find(text::entities::spelling(said)?))
            .or_else(|| {
                let symbol = NICKNAMES.get(said)?;
                Some((self.names.symbol(symbol)?, Distinctness::Rare))
            })
    }

    /// The listing that is named by its leader, and the words that name it: `zuckerberg's company`, `musk's car firm`.
    pub(super) fn led(&self, at: usize) -> Option<(&'a Listed, std::ops::Range<usize>)> {
        /// What companies known by their leaders make.
        const MAKES: [&str; 8] = [
            "car",
            "ev",
            "chip",
            "search",
            "streaming",
            "software",
            "holding",
            "own",
        ];
        (1..=2).rev().find_map(|length| {
            let slice = self.words.get(at..at + length)?;
            let said: Vec<&str> = slice.iter().map(|word| word.lower.as_str()).collect();
            let symbol = LEADERS.get(said.join(" ").as_str())?;
            let rest = &self.words[at + length..];
            let place = match rest {
                [first, ..] if first.is_any(&OWNED) => 0,
                [first, second, ..] if first.is_any(&MAKES) && second.is_any(&OWNED) => 1,
                _ => return None,
            };
            let is_one = !rest[..=place].iter().any(|word| word.is_parted);
            // `Pelosi stock trades` and `Buffett sold shares` are about a person.
            let owner = &self.text[slice[length - 1].bytes.end..rest[0].bytes.start];
            let is_owner = owner.starts_with(['\'', '’']);
            let listed = self.names.symbol(symbol)?;
            (is_one && is_owner).then_some((listed, at..at + length))
        })
    }

    pub(super) fn has_neighbour(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.words[before]);
        self.next(at).is_some_and(|next| {
            next.is_any(&AFTER) || next.is_any(&["vs", "versus", "or"]) || (self.is_cue)(at + 1)
        }) || before.is_some_and(|before| before.is_any(&BEFORE))
    }

    /// Whether a hyphen joins a word in small letters to the one before: `ups` of `tie-ups`.
    pub(super) fn is_end_of_compound(&self, at: usize) -> bool {
        let before = self.text[..self.words[at].bytes.start].strip_suffix('-');
        before.is_some_and(|before| before.ends_with(char::is_alphabetic))
            && !self.starts_capital(at)
    }

    pub(super) fn next(&self, at: usize) -> Option<&Word> {
        self.words.get(at + 1)
    }

    pub(super) fn starts_capital(&self, at: usize) -> bool {
        self.text[self.words[at].bytes.clone()].starts_with(char::is_uppercase)
    }
}

/// The way a name is written: each word with a capital.
pub(crate) fn titled(said: &str) -> String {
    let mut titled = String::with_capacity(said.len());
    for (place, word) in said.split(' ').enumerate() {
        if place > 0 {
            titled.push(' ');
        }
        let mut characters = word.chars();
        titled.extend(characters.next().into_iter().flat_map(char::to_uppercase));
        titled.extend(characters);
    }
    titled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nicknames_are_a_sound_table() {
        assert_eq!(table::fault(NICKNAMES_FILE, 2, 1), None);
        assert_eq!(table::fault(LEADERS_FILE, 2, 1), None);
    }
}
