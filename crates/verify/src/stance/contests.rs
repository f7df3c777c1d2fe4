//! Who won and who lost: an election, a match, a case.
//!
//! A claim that somebody won is not supported by a passage that says that they lost, even if it does not name the other
//! side: `Orbán concedes defeat` does not support `Magyar was defeated by Orbán`. Losing money is not a contest.

use std::ops::Range;

use text::statement::proposition::{Proposition, Word};

use super::asserted::is_broken;
use super::reading::Reading;
use super::turned::{is, owns, place};

/// What one side does to the other; `defeat` alone is mostly the noun.
const BEATS: [&str; 19] = [
    "beat",
    "beats",
    "beaten",
    "defeats",
    "defeated",
    "oust",
    "ousts",
    "ousted",
    "topple",
    "topples",
    "toppled",
    "unseat",
    "unseats",
    "unseated",
    "thrash",
    "thrashed",
    "trounce",
    "trounced",
    "outpolled",
];
const WINS: [&str; 8] = [
    "win",
    "wins",
    "won",
    "winning",
    "prevail",
    "prevails",
    "prevailed",
    "triumphed",
];
const LOSES: [&str; 4] = ["lose", "loses", "lost", "losing"];
const CONCEDES: [&str; 3] = ["concede", "concedes", "conceded"];
/// What can be lost other than money.
const CONTESTS: [&str; 17] = [
    "election",
    "elections",
    "vote",
    "race",
    "match",
    "game",
    "final",
    "case",
    "seat",
    "power",
    "majority",
    "title",
    "bid",
    "office",
    "battle",
    "appeal",
    "championship",
];
/// What the loser concedes.
const CONCEDED: [&str; 4] = ["defeat", "election", "race", "victory"];
const VICTORIES: [&str; 4] = ["victory", "win", "triumph", "landslide"];
const TO_BE: [&str; 9] = [
    "is", "are", "was", "were", "be", "been", "being", "gets", "got",
];
/// Words between a name and what it does.
const NEAR: usize = 4;
/// Words between a verb and its object.
const BEHIND: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Won,
    Lost,
}

impl Reading<'_> {
    /// Whether a passage says that somebody lost while this claim says that they won, or the other way round, and
    /// nowhere says the same.
    pub fn is_lost_in(&self, passage: &Reading<'_>) -> bool {
        let (Some(claim), Some(names)) = (self.sentences.first(), self.of_sentences.first()) else {
            return false;
        };
        names.names.iter().any(|name| {
            let Some(here) = place(name, claim).and_then(|place| outcome(claim, &place)) else {
                return false;
            };
            let mut told = passage
                .sentences
                .iter()
                .filter_map(|sentence| outcome(sentence, &place(name, sentence)?))
                .peekable();
            told.peek().is_some() && told.all(|there| there != here)
        })
    }
}

/// How a contest ended for the one at a place in a sentence; also `None` if one contest was won and another one lost.
fn outcome(sentence: &Proposition<'_>, name: &Range<usize>) -> Option<Outcome> {
    let words = &sentence.words;
    let mut told = (0..words.len())
        .filter(|at| !name.contains(at) && !words[*at].is_denied)
        .filter_map(|at| of_verb(sentence, name, at).or_else(|| of_noun(sentence, name, at)));
    let first = told.next()?;
    told.all(|other| other == first).then_some(first)
}

/// What a verb says about the outcome.
fn of_verb(sentence: &Proposition<'_>, name: &Range<usize>, at: usize) -> Option<Outcome> {
    let words = &sentence.words;
    let is_before = name.end <= at
        && at - name.end <= NEAR
        && !owns(sentence, name)
        && !is_broken(sentence, name.end - 1, at)
        && !words[name.end..at].iter().any(|word| word.is_name);
    let is_behind = at < name.start
        && name.start - at - 1 <= BEHIND
        && !is_broken(sentence, at, name.start)
        && !words[at + 1..name.start].iter().any(|word| word.is_name);
    let is_after =
        |word: &str| is_behind && words[at + 1..name.start].iter().any(|one| is(one, &[word]));
    let verb = &words[at];
    let next = words.get(at + 1);
    if is(verb, &BEATS) {
        let is_passive = is_passive(words, at);
        if is_before {
            return Some(if is_passive {
                Outcome::Lost
            } else {
                Outcome::Won
            });
        }
        if is_behind && is_after("by") {
            return Some(Outcome::Won);
        }
        return (is_behind && !is_passive && name.start - at <= 2).then_some(Outcome::Lost);
    }
    if is(verb, &WINS) {
        let is_verb = is_before && !is_passive(words, at);
        return (is_verb || is_after("by")).then_some(Outcome::Won);
    }
    if is(verb, &CONCEDES) {
        let is_conceded = next.is_none_or(|next| is(next, &CONCEDED) || is(next, &["the", "to"]));
        if is_before && is_conceded {
            return Some(Outcome::Lost);
        }
        return is_after("to").then_some(Outcome::Won);
    }
    if is(verb, &LOSES) {
        let behind = words.iter().skip(at + 1).take(BEHIND);
        let mut behind = behind.clone().zip(behind.skip(1).map(Some).chain([None]));
        let is_contest = behind.any(|(word, next)| {
            is(word, &CONTESTS) || is(word, &["to"]) && next.is_some_and(|next| next.is_name)
        });
        if is_before && is_contest {
            return Some(Outcome::Lost);
        }
        return (is_contest && is_after("to")).then_some(Outcome::Won);
    }
    None
}

/// What a noun says about the outcome: `Orbán's defeat`, `victory over Orbán`.
fn of_noun(sentence: &Proposition<'_>, name: &Range<usize>, at: usize) -> Option<Outcome> {
    let words = &sentence.words;
    let (own, other) = if is(&words[at], &["defeat"]) {
        (Outcome::Lost, Outcome::Won)
    } else if is(&words[at], &VICTORIES) {
        (Outcome::Won, Outcome::Lost)
    } else {
        return None;
    };
    if owns(sentence, name) && name.end <= at && at - name.end < BEHIND {
        // `Magyar's defeat of Orbán`.
        let is_of_other = words.get(at + 1).is_some_and(|next| is(next, &["of"]));
        return Some(if is_of_other { other } else { own });
    }
    let between = words.get(at + 1..name.start)?;
    let (joint, rest) = between.split_first()?;
    if rest.len() > 1 || rest.iter().any(|word| word.is_name) {
        return None;
    }
    if is(joint, &["of", "for"]) {
        Some(own)
    } else {
        is(joint, &["over", "by", "to", "against"]).then_some(other)
    }
}

/// Whether the action is done to the one named before it: `was defeated`, `ousted in landslide`.
fn is_passive(words: &[Word<'_>], at: usize) -> bool {
    let is_to_be = |word: &Word<'_>| is(word, &TO_BE);
    let mut before = words[..at].iter().rev();
    if before.next().is_some_and(is_to_be) || before.next().is_some_and(is_to_be) {
        return true;
    }
    let is_participle = words[at].text.ends_with("ed") || is(&words[at], &["beaten"]);
    is_participle
        && words
            .get(at + 1)
            .is_none_or(|next| is(next, &["by", "in", "after"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_is_not_shown_by_a_defeat() {
        let is_lost = |claim: &str, passage: &str| {
            Reading::of_claim(claim).is_lost_in(&Reading::of_passage(passage, "", None))
        };
        for (claim, passage) in [
            (
                "Magyar was defeated by Orbán.",
                "Hungary's Viktor Orbán concedes defeat",
            ),
            ("Orbán won the election.", "Orbán ousted in landslide"),
            (
                "Magyar lost the election.",
                "Orbán era swept away by Péter Magyar's election landslide",
            ),
            (
                "Orbán won the election.",
                "Magyar celebrates victory over Orbán",
            ),
            ("Valdora beat Kestria 2-1.", "Kestria's win over Valdora"),
            (
                "Valdora lost to Kestria.",
                "Valdora beat Kestria in extra time",
            ),
            (
                "Nordlys won the patent case.",
                "Nordlys loses case over patents",
            ),
        ] {
            assert!(is_lost(claim, passage), "{claim} | {passage}");
        }
        for (claim, passage) in [
            (
                "Magyar defeated Orbán.",
                "What Magyar's defeat of Orbán means for climate",
            ),
            (
                "Velden ousted five generals.",
                "Velden ousted at least five generals",
            ),
            (
                "Magyar defeated Orbán.",
                "Hungary's Viktor Orbán concedes defeat",
            ),
            ("Orbán lost the election.", "Orbán ousted in landslide"),
            ("Orbán was defeated by Magyar.", "Magyar defeats Orbán"),
            ("Valdora won the contract.", "Valdora lost $5 billion"),
            ("Valdora beat estimates.", "Valdora lost 3% on Monday"),
            (
                "Valdora won the title.",
                "Valdora lost the match and won the title",
            ),
            ("Valdora did not win.", "Valdora loses the final"),
        ] {
            assert!(!is_lost(claim, passage), "{claim} | {passage}");
        }
    }
}
