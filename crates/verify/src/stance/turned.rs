//! What a passage cannot support, however similar its wording is to the claim's.

use std::ops::Range;

use text::statement::proposition::{Proposition, Word};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::asserted::is_broken;
use super::days::Told;
use super::names::Name;
use super::reading::Reading;
use crate::figures::dates::ymd;

/// Words between two names that do the same or do it together, or of which one is the source or the end of what the
/// other does.
const JOINS: [&str; 18] = [
    "and", "&", "with", "or", "between", "than", "versus", "from", "to", "after", "as", "because",
    "while", "when", "before", "since", "for", "at",
];
/// Words before a place where something happens; the place itself does nothing.
const PLACES: [&str; 6] = ["in", "at", "near", "of", "across", "over"];
/// Number of words that may come before the name with which a claim begins.
const OPENING: usize = 2;
/// Days after the time named in a claim from which a report that does not name it is about another time.
const LATER: i32 = 60;

impl Reading<'_> {
    /// Whether a passage says that it was the other way round between the name with which this claim begins and another
    /// that it names, and nowhere the same way.
    pub fn is_turned_in(&self, passage: &Reading<'_>) -> bool {
        let (Some(claim), Some(names)) = (self.sentences.first(), self.of_sentences.first()) else {
            return false;
        };
        let mut actors: Vec<(&Name, Range<usize>)> = names
            .names
            .iter()
            .filter_map(|name| Some((name, place(name, claim)?)))
            .filter(|(name, place)| {
                let is_behind = |at: usize| is(&claim.words[at], &PLACES);
                name.is_actor() || !place.start.checked_sub(1).is_some_and(is_behind)
            })
            .collect();
        actors.sort_by_key(|(_, place)| place.start);
        let Some(((first, here_first), others)) = actors.split_first() else {
            return false;
        };
        if here_first.start > OPENING || owns(claim, here_first) {
            return false;
        }
        let (mut kept, mut turned) = (false, false);
        for (other, here_other) in others {
            let Some(here) = order(claim, here_first, here_other) else {
                continue;
            };
            for sentence in &passage.sentences {
                let found = place(first, sentence).zip(place(other, sentence));
                let there = found.and_then(|(first, other)| order(sentence, &first, &other));
                kept |= there == Some(here);
                turned |= there.is_some_and(|there| there != here);
            }
        }
        turned && !kept
    }

    /// Whether this claim names one day, month or year, and a passage that does not name it was published long after.
    /// What `has` happened is reported as of now: its year may be the year of something else.
    pub fn is_long_before(&self, passage: &Reading<'_>) -> bool {
        let (Some(published), [named]) = (passage.published, &self.days.named[..]) else {
            return false;
        };
        let is_perfect = |sentence: &Proposition<'_>| {
            let mut words = sentence.words.iter();
            words.any(|word| is(word, &["has", "have"]))
        };
        let Some(year) = named
            .year
            .filter(|_| !self.sentences.iter().any(is_perfect))
        else {
            return false;
        };
        let last = match (named.month, named.day) {
            (Some(month), Some(day)) => ymd(year, month, day),
            (Some(month), None) => ymd(year, month, 28),
            _ => ymd(year, 12, 31),
        };
        last.is_some_and(|last| published.since(last) > LATER)
            && passage.days.tells(*named, passage.published) != Told::Held
    }
}

/// The first place of a name in a sentence.
pub(super) fn place(name: &Name, sentence: &Proposition<'_>) -> Option<Range<usize>> {
    let is_of = |word: &Word<'_>| {
        word.text.starts_with(char::is_uppercase) && name.is_of(&folded(word.text), word.stem)
    };
    let start = sentence.words.iter().position(is_of)?;
    let more = sentence.words[start..]
        .iter()
        .take_while(|word| is_of(word));
    Some(start..start + more.count())
}

/// Whether a name owns what follows: `India's Supreme Court`.
pub(super) fn owns(sentence: &Proposition<'_>, name: &Range<usize>) -> bool {
    let Some(last) = sentence.words.get(name.end - 1) else {
        return false;
    };
    let end = last.text.as_ptr() as usize - sentence.text.as_ptr() as usize + last.text.len();
    let rest = sentence.text.get(end..).unwrap_or("");
    ["'s", "’s", "s'", "s’"]
        .iter()
        .any(|ending| rest.starts_with(ending))
        || rest.starts_with(['\'', '’'])
}

/// Whether the left one of two acts on the right one; `None` if they do the same, or are one name.
fn order(sentence: &Proposition<'_>, left: &Range<usize>, right: &Range<usize>) -> Option<bool> {
    let is_first = left.start < right.start;
    let (first, second) = if is_first {
        (left, right)
    } else {
        (right, left)
    };
    let between = sentence.words.get(first.end..second.start)?;
    let is_joined = between.iter().any(|word| is(word, &JOINS));
    if between.is_empty() || is_joined || is_broken(sentence, first.end - 1, second.start) {
        return None;
    }
    let is_passive = between.iter().any(|word| is(word, &["by"]));
    Some(is_first != is_passive)
}

pub(super) fn is(word: &Word<'_>, any: &[&str]) -> bool {
    any.iter().any(|one| word.text.eq_ignore_ascii_case(one))
}

/// A word in lower case without accents and dots.
pub(super) fn folded(word: &str) -> String {
    word.nfd()
        .filter(|letter| !is_combining_mark(*letter) && *letter != '.')
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use model::Timestamp;

    use super::*;

    fn is_turned(claim: &str, passage: &str) -> bool {
        Reading::of_claim(claim).is_turned_in(&Reading::of_passage(passage, "", None))
    }

    #[test]
    fn who_did_it_to_whom_is_compared_by_names_in_any_spelling() {
        for (claim, passage) in [
            (
                "Magyar was defeated by Orbán.",
                "How Peter Magyar Defeated Viktor Orban",
            ),
            (
                "China imposed sanctions on US companies for helping Iran.",
                "US imposes sanctions on Chinese companies for helping Iran",
            ),
            (
                "Beltran sued Nordlys over patents.",
                "Nordlys has filed a lawsuit against Beltran",
            ),
            ("Nordlys was sued by Beltran.", "Nordlys sues Beltran"),
        ] {
            assert!(is_turned(claim, passage), "{claim} | {passage}");
        }
        for (claim, passage) in [
            (
                "Orbán was defeated by Magyar.",
                "How Peter Magyar Defeated Viktor Orban",
            ),
            (
                "US companies were sanctioned by China.",
                "China imposes sanctions on American companies",
            ),
            ("Magyar and Orbán met.", "Orban meets Magyar"),
            (
                "Nordlys bought the unit from Siemens.",
                "Siemens sells unit to Nordlys",
            ),
            (
                "Nordlys raised $4 billion from Siemens.",
                "Siemens invests $4 billion in Nordlys",
            ),
            (
                "Nordlys fell after Siemens cut spending.",
                "Siemens cut spending, and shares of Nordlys fell",
            ),
            ("Magyar met with Orbán.", "Orban meets Magyar"),
            (
                "India's Supreme Court gave the State Bank back its rights.",
                "State Bank gets its rights back from Supreme Court in India",
            ),
            (
                "The series against England is planned for Nordlys.",
                "Nordlys plans series against England",
            ),
            (
                "Prices in Germany rose more in May.",
                "In France and in Germany prices rose",
            ),
        ] {
            assert!(!is_turned(claim, passage), "{claim} | {passage}");
        }
    }

    #[test]
    fn a_report_long_after_the_time_of_a_claim_is_of_another_time() {
        let is_long_before = |claim: &str, passage: &str, published: &str| {
            let published: Timestamp = published.parse().unwrap();
            let passage = Reading::of_passage(passage, "", Some(published));
            Reading::of_claim(claim).is_long_before(&passage)
        };
        let (held, later) = (
            "The Fed held rates in January 2025.",
            "2026-04-29T10:00:00Z",
        );
        assert!(is_long_before(
            held,
            "Fed expected to hold rates steady",
            later
        ));
        assert!(!is_long_before(
            held,
            "The Fed, which held rates in January 2025, cuts them",
            later
        ));
        assert!(!is_long_before(
            held,
            "Fed holds rates",
            "2025-02-10T10:00:00Z"
        ));
        assert!(!is_long_before(
            "Ford has brought back a badge of 1979.",
            "Ford brings back badge",
            later
        ));
        assert!(is_long_before(
            "Nordlys made a profit of $13 billion in 2024.",
            "Nordlys posts $1 billion",
            later
        ));
    }
}
