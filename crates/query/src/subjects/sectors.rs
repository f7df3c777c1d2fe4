//! Sectors that a question names.

use market::screener::sector;

use std::ops::Range;

use super::Subjects;
use super::reader::Reader;
use crate::words::Word;

/// Words that follow the name of a sector.
const NOUNS: [&str; 14] = [
    "sector",
    "sectors",
    "stock",
    "share",
    "stocks",
    "industry",
    "companies",
    "names",
    "space",
    "etfs",
    "shares",
    "equities",
    "industries",
    "plays",
];

impl Subjects {
    /// `chip stocks`, `the energy sector`.
    pub(super) fn sectors(&mut self, reader: &Reader<'_>, valued: &[&Range<usize>]) {
        let words = reader.words;
        for at in 0..words.len() {
            for length in (1..=3).rev() {
                let range = at..at + length;
                let Some(slice) = words.get(range.clone()) else {
                    continue;
                };
                let said: Vec<&str> = slice.iter().map(|word| word.lower.as_str()).collect();
                let next = words.get(range.end);
                let before = at.checked_sub(1).map(|before| &words[before]);
                // `utilities` needs no noun; `oil` and `retail` do.
                let is_plural = length == 1
                    && slice[0].lower.len() > 5
                    && (slice[0].lower.ends_with('s') || slice[0].is("healthcare"));
                let rotates = words.iter().any(|word| word.lower.starts_with("rotat"))
                    && before.is_some_and(|before| before.is_any(&["of", "into", "from", "to"]));
                let Some(sector) = sector::find(&said.join(" ")) else {
                    continue;
                };
                let is_meant = is_plural
                    || rotates
                    || next.is_some_and(|next| next.is_any(&NOUNS))
                    || before.is_some_and(|before| before.is_any(&["sector", "sectors"]))
                    || !valued
                        .iter()
                        .any(|other| other.start <= at && range.end <= other.end)
                        && stands_as_sector(reader, &range);
                if is_meant && self.is_free(&range) && !reader.is_of_longer_name(&range) {
                    self.take(&range);
                    self.sectors.push((sector, range));
                    break;
                }
            }
        }
    }
}

/// Whether the words of a sector need no noun: `is tech leading`, `banks vs tech`, `sentiment in healthcare`,
/// `real estate as a sector`.
fn stands_as_sector(reader: &Reader<'_>, range: &Range<usize>) -> bool {
    /// Things with prices of their own, and words used in every trade.
    const OTHERS: [&str; 9] = [
        "oil", "gas", "food", "bank", "property", "media", "medical", "material", "utility",
    ];
    const ASKING: [&str; 4] = ["is", "are", "hows", "did"];
    const DOING: [&str; 22] = [
        "doing",
        "leading",
        "lagging",
        "outperforming",
        "underperforming",
        "holding",
        "rallying",
        "faring",
        "beating",
        "up",
        "down",
        "losing",
        "winning",
        "still",
        "ahead",
        "behind",
        "outperform",
        "underperform",
        "rolling",
        "getting",
        "having",
        "weak",
    ];
    const RANKING: [&str; 8] = [
        "sector",
        "sectors",
        "defensives",
        "cyclicals",
        "rotation",
        "rotating",
        "leadership",
        "industries",
    ];
    const WITHIN: [&str; 9] = [
        "in", "on", "of", "about", "for", "around", "across", "toward", "towards",
    ];
    const BESIDE: [&str; 7] = ["than", "vs", "versus", "or", "against", "over", "and"];
    let words = reader.words;
    if words[range.clone()].iter().any(|word| word.is_any(&OTHERS)) {
        return false;
    }
    let before = range.start.checked_sub(1).map(|at| &words[at]);
    let next = words.get(range.end);
    let is = |word: Option<&Word>, all: &[&str]| word.is_some_and(|word| word.is_any(all));
    let names_another = |at: usize| {
        words
            .get(at)
            .is_some_and(|word| sector::find(&word.lower).is_some())
    };
    let is_beside = is(next, &BESIDE) && names_another(range.end + 1)
        || is(before, &BESIDE) && range.start >= 2 && {
            let others = &words[..range.start - 1];
            others
                .iter()
                .any(|word| sector::find(&word.lower).is_some())
        };
    is(before, &ASKING) && is(next, &DOING)
        || words.iter().any(|word| word.is_any(&RANKING))
        || is(before, &WITHIN) && range.start >= 2 && (reader.is_cue)(range.start - 2)
        || is_beside
}
