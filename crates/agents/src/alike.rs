//! Merges sentences that say the same about several things: `The latest value of wheat, corn and sugar is …`.

use std::ops::Range;

/// The fewest words that two sentences of one kind have in common.
const ALIKE: usize = 6;
/// The most words of a name.
const NAME: usize = 6;

/// The sentences, in order. Sentences that differ in nothing but a name in one place become one that lists all the
/// names; those that differ in a figure stay separate.
pub(crate) fn merged(sentences: &[String]) -> Vec<String> {
    let mut kinds: Vec<Kind<'_>> = Vec::new();
    for sentence in sentences {
        let words: Vec<&str> = sentence.split(' ').collect();
        if !kinds.iter_mut().any(|kind| kind.takes(&words)) {
            kinds.push(Kind {
                first: words,
                place: None,
                names: Vec::new(),
            });
        }
    }
    kinds.iter().map(Kind::written).collect()
}

/// Sentences of one kind.
struct Kind<'a> {
    /// The words of the first of them.
    first: Vec<&'a str>,
    /// Which of its words are its name; unknown while it is the only one.
    place: Option<Range<usize>>,
    /// The names of all, in order.
    names: Vec<String>,
}

impl Kind<'_> {
    /// Adds a sentence of this kind; returns whether it is one.
    fn takes(&mut self, words: &[&str]) -> bool {
        let Some(own) = self.place.clone().or_else(|| self.differs(words)) else {
            return false;
        };
        let after = self.first.len() - own.end;
        let Some(end) = words
            .len()
            .checked_sub(after)
            .filter(|end| *end > own.start)
        else {
            return false;
        };
        let is_same =
            words[..own.start] == self.first[..own.start] && words[end..] == self.first[own.end..];
        let name = &words[own.start..end];
        if !is_same || !is_name(name) {
            return false;
        }
        if self.place.is_none() {
            self.names.push(self.first[own.clone()].join(" "));
            self.place = Some(own);
        }
        self.names.push(name.join(" "));
        true
    }

    /// Where the first sentence differs from another, if the difference is a name and the two are alike enough.
    fn differs(&self, words: &[&str]) -> Option<Range<usize>> {
        let pairs = self.first.iter().zip(words);
        let before = pairs.take_while(|(one, other)| one == other).count();
        let (rest, others) = (&self.first[before..], &words[before..]);
        let pairs = rest.iter().rev().zip(others.iter().rev());
        let after = pairs.take_while(|(one, other)| one == other).count();
        let own = before..self.first.len() - after;
        (before + after >= ALIKE && is_name(&self.first[own.clone()])).then_some(own)
    }

    fn written(&self) -> String {
        let (Some(own), Some((last, others))) = (&self.place, self.names.split_last()) else {
            return self.first.join(" ");
        };
        // The colon after a name stays after the last one.
        let others: Vec<&str> = others
            .iter()
            .map(|name| name.trim_end_matches(':'))
            .collect();
        let names = format!("{} and {last}", others.join(", "));
        let mut words = self.first[..own.start].to_vec();
        words.push(&names);
        words.extend(&self.first[own.end..]);
        words.join(" ")
    }
}

/// Whether words can be a name: few of them, and no figure among them.
fn is_name(words: &[&str]) -> bool {
    let is_figure = |word: &&str| {
        word.contains(|mark: char| mark.is_ascii_digit()) && !word.contains(char::is_alphabetic)
    };
    (1..=NAME).contains(&words.len()) && !words.iter().any(is_figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_alike_of_several_things_is_said_once() {
        let old = |name: &str| {
            format!(
                "The latest value of {name} is from 2021-06-09, 278 days ago; a daily series is normally updated within 5 days."
            )
        };
        let of = |texts: &[&str]| {
            merged(
                &texts
                    .iter()
                    .map(|text| (*text).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        let several = merged(&["wheat", "2-Year Treasury", "corn"].map(old));
        assert_eq!(several, [old("wheat, 2-Year Treasury and corn")]);
        assert_eq!(
            of(&[
                "Federal Funds Rate: values published by then, as the source reported them.",
                "No brief is about it.",
                "Inflation Rate (Year over Year): values published by then, as the source reported them.",
            ]),
            [
                "Federal Funds Rate and Inflation Rate (Year over Year): values published by then, as the source reported them.",
                "No brief is about it."
            ]
        );
        for apart in [
            [
                "The price of A is 5 days older than that of the index.",
                "The price of B is 6 days older than that of the index.",
            ],
            [
                "The latest price is 250 days old.",
                "The latest price is 251 days old.",
            ],
            ["No price.", "No date."],
        ] {
            assert_eq!(of(&apart), apart);
        }
    }
}
