//! Words that indicate what kind of name is next to them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::annotate::lexed::{Token, lower_hash};
use crate::annotate::phrases::rows;

/// What a word indicates about names next to it, one bit each.
pub(crate) mod cue {
    /// Comes before a person: `President`.
    pub(crate) const TITLE: u16 = 1;
    /// Comes before a person and is never inside a name: `Mr`.
    pub(crate) const HONOUR: u16 = 1 << 1;
    /// Follows a speaker: `said`.
    pub(crate) const SAYS: u16 = 1 << 2;
    /// Last word of an organisation: `Bank`.
    pub(crate) const ORGANIZATION: u16 = 1 << 3;
    /// First word of an organisation, before `of`: `University`.
    pub(crate) const ORGANIZATION_OF: u16 = 1 << 4;
    /// Last word of a place: `County`.
    pub(crate) const LOCATION: u16 = 1 << 5;
    /// First word of a place: `Mount`.
    pub(crate) const LOCATION_BEFORE: u16 = 1 << 6;
    /// Last word of an event: `Summit`.
    pub(crate) const EVENT: u16 = 1 << 7;
    /// Often capitalised, but not a name.
    pub(crate) const NEVER: u16 = 1 << 8;
    /// Small word inside names: `de`.
    pub(crate) const JOINS: u16 = 1 << 9;
    /// A given name.
    pub(crate) const GIVEN: u16 = 1 << 10;
    /// A given name that is also a word or a place.
    pub(crate) const DOUBTFUL: u16 = 1 << 11;
    /// An ordinary English word.
    pub(crate) const COMMON: u16 = 1 << 12;
    /// Appears near companies: `shares`.
    pub(crate) const COMPANY: u16 = 1 << 13;
    /// Comes before an organisation's name: `Northern`.
    pub(crate) const ADJECTIVE: u16 = 1 << 14;
    /// What companies do: `forecasts`.
    pub(crate) const ACTS: u16 = 1 << 15;
}

static CUES: LazyLock<FxHashMap<u64, u16>> = LazyLock::new(|| {
    let mut cues = FxHashMap::default();
    let mut add = |word: &str, bit: u16| *cues.entry(lower_hash(word)).or_insert(0) |= bit;
    for mut row in rows(include_str!("../../data/entities/cues.tsv")) {
        let bit = match row.next() {
            Some("title") => cue::TITLE,
            Some("honour") => cue::HONOUR,
            Some("says") => cue::SAYS,
            Some("organization") => cue::ORGANIZATION,
            Some("organization_of") => cue::ORGANIZATION_OF,
            Some("location") => cue::LOCATION,
            Some("location_before") => cue::LOCATION_BEFORE,
            Some("event") => cue::EVENT,
            Some("joins") => cue::JOINS,
            Some("doubtful") => cue::DOUBTFUL,
            Some("company") => cue::COMPANY,
            Some("adjective") => cue::ADJECTIVE,
            Some("acts") => cue::ACTS,
            _ => cue::NEVER,
        };
        for word in row.next().unwrap_or("").split_whitespace() {
            add(word, bit);
        }
    }
    for (data, bit) in [
        (
            include_str!("../../data/entities/first_names.txt"),
            cue::GIVEN,
        ),
        (
            include_str!("../../data/entities/common_words.txt"),
            cue::COMMON,
        ),
    ] {
        for line in data.lines().filter(|line| !line.starts_with('#')) {
            for word in line.split_whitespace() {
                add(word, bit);
            }
        }
    }
    cues
});

/// Whether a word is ordinary English, so that a capital on it carries no information.
pub(crate) fn is_common(word: &str) -> bool {
    CUES.get(&lower_hash(word))
        .is_some_and(|cues| cues & cue::COMMON != 0)
}

/// All cues of a word.
pub(crate) fn of(token: &Token<'_>) -> u16 {
    CUES.get(&token.lower).copied().unwrap_or(0)
}
