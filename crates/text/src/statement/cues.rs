//! Signals that a sentence gives by its words: doubt, an anonymous speaker, an expectation, a side, a cause.
//!
//! A cue is a fact about words, not a conclusion. Whoever acts on it also looks at the rest of the sentence.

use std::ops::Range;
use std::sync::LazyLock;

use model::table;
use regex::Regex;
use rustc_hash::FxHashSet;

use crate::pattern;

const CUES: &str = include_str!("../../data/statement/cues.tsv");
const WORDS: &str = include_str!("../../data/statement/words.tsv");

/// A signal given by whole phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cue {
    /// Denies, doubts or qualifies.
    Doubt,
    /// Speakers without a name.
    Anonymous,
    /// Not yet a fact.
    Forecast,
    /// Somebody expects something in the future.
    Expectation,
    /// Says that somebody supports what follows.
    Approval,
    /// Says that somebody opposes what follows.
    Objection,
    /// Gives a reason.
    Cause,
}

/// The patterns, in the order of [`Cue::ALL`].
static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let pattern = |cue: Cue| {
        let phrases: Vec<&str> = rows(CUES, cue.as_str()).collect();
        pattern::caseless(&format!(r"\b(?:{})\b", phrases.join("|")))
    };
    Cue::ALL.into_iter().map(pattern).collect()
});

impl Cue {
    const ALL: [Self; 7] = [
        Self::Doubt,
        Self::Anonymous,
        Self::Forecast,
        Self::Expectation,
        Self::Approval,
        Self::Objection,
        Self::Cause,
    ];

    /// The first words of a text that give the signal.
    pub fn find(self, text: &str) -> Option<&str> {
        let found = PATTERNS.get(self as usize)?.find(text)?;
        Some(found.as_str())
    }

    /// Where a text gives the signal, in order.
    pub fn places(self, text: &str) -> impl Iterator<Item = Range<usize>> {
        let pattern = PATTERNS.get(self as usize);
        pattern
            .into_iter()
            .flat_map(move |pattern| pattern.find_iter(text))
            .map(|found| found.range())
    }

    /// Whether a text gives the signal.
    pub fn is_in(self, text: &str) -> bool {
        PATTERNS
            .get(self as usize)
            .is_some_and(|pattern| pattern.is_match(text))
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Doubt => "doubt",
            Self::Anonymous => "anonymous",
            Self::Forecast => "forecast",
            Self::Expectation => "expectation",
            Self::Approval => "approval",
            Self::Objection => "objection",
            Self::Cause => "cause",
        }
    }
}

/// A group of words that determines how statements compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Weaken an affirmation: absence, doubt, and talk about a claim.
    Softening,
    /// Reverse an outcome or weaken it.
    Turning,
    /// Measures for which two figures can be compared: what is counted once and for all. Prices, polls and case counts
    /// move by the hour and mean many things.
    Settled,
    /// For something still to come.
    Coming,
    /// For a date that was moved.
    Moved,
}

/// The groups, in the order of [`Word::ALL`].
static GROUPS: LazyLock<Vec<FxHashSet<&str>>> = LazyLock::new(|| {
    let group = |word: Word| rows(WORDS, word.as_str()).collect();
    Word::ALL.into_iter().map(group).collect()
});

impl Word {
    const ALL: [Self; 5] = [
        Self::Softening,
        Self::Turning,
        Self::Settled,
        Self::Coming,
        Self::Moved,
    ];

    /// Whether a word in lower case belongs to the group.
    pub(crate) fn is(self, word: &str) -> bool {
        GROUPS
            .get(self as usize)
            .is_some_and(|group| group.contains(word))
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Softening => "softening",
            Self::Turning => "turning",
            Self::Settled => "settled",
            Self::Coming => "coming",
            Self::Moved => "moved",
        }
    }
}

fn rows(file: &'static str, kind: &'static str) -> impl Iterator<Item = &'static str> {
    table::rows(file)
        .filter(move |[name, _]| *name == kind)
        .map(|[_, entry]| entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sound_and_every_pattern_compiles() {
        LazyLock::force(&PATTERNS);
        for file in [CUES, WORDS] {
            assert_eq!(table::fault(file, 2, 2), None);
        }
        let entries: usize = Cue::ALL
            .iter()
            .map(|cue| rows(CUES, cue.as_str()).count())
            .sum();
        assert_eq!(entries, table::lines(CUES).count());
        let words: usize = GROUPS.iter().map(FxHashSet::len).sum();
        assert_eq!(words, table::lines(WORDS).count());
        for (place, cue) in Cue::ALL.into_iter().enumerate() {
            assert_eq!(cue as usize, place);
        }
        for (place, word) in Word::ALL.into_iter().enumerate() {
            assert_eq!(word as usize, place);
        }
    }

    #[test]
    fn signals_are_found_in_any_case() {
        for (cue, text, expected) in [
            (Cue::Doubt, "The firm Denied the report", Some("Denied")),
            (
                Cue::Anonymous,
                "according to people familiar with it",
                Some("people familiar with"),
            ),
            (Cue::Forecast, "Northwind set to buy Acme", Some("set to")),
            (
                Cue::Expectation,
                "It is expected by the end of May",
                Some("is expected"),
            ),
            (
                Cue::Expectation,
                "Analysts project that output grows",
                Some("Analysts project that"),
            ),
            // A thing being built is not the object of an expectation.
            (Cue::Expectation, "A copper project that has stalled", None),
            (Cue::Expectation, "Of this project that has stalled", None),
            (Cue::Approval, "Unions welcomed the law", Some("welcomed")),
            (Cue::Objection, "Critics of it warned", Some("Critics of")),
            (Cue::Objection, "Concerns about it grow", None),
            (
                Cue::Cause,
                "Prices rose because of the drought",
                Some("because of"),
            ),
            (Cue::Cause, "It is undue toil", None),
        ] {
            assert_eq!(cue.find(text), expected, "{text}");
            assert_eq!(cue.is_in(text), expected.is_some(), "{text}");
        }
        assert!(Word::Settled.is("jobs cut") && !Word::Settled.is("share price"));
    }
}
