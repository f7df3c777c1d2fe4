//! Yes-or-no questions about a level (`did gold close above 2000 in August 2020?`), and the level without a number:
//! zero.

use super::side;
use crate::words::Word;

/// Whether a question asks if something was the case.
pub(super) fn asks(words: &[Word]) -> bool {
    const VERBS: [&str; 6] = ["did", "was", "were", "has", "have", "had"];
    words.first().is_some_and(|first| first.is_any(&VERBS))
}

/// Whether a side may precede how far a price went, and not only a level: `rose over 50 dollars`.
pub(super) fn may_be_distance(side: &Word) -> bool {
    !side.is_any(&["above", "below", "beneath", "underneath", "past"])
}

/// Whether a single day on which it was the case makes the answer yes, and none makes it no. This does not hold for
/// `did it not`, `did it stay above`, `did it end the year above`.
pub(super) fn is_answered_by_yes(words: &[Word], is_time: &[bool]) -> bool {
    const OTHERWISE: [&str; 23] = [
        "not",
        "never",
        "didnt",
        "wasnt",
        "hasnt",
        "stay",
        "stayed",
        "remain",
        "remained",
        "hold",
        "held",
        "keep",
        "kept",
        "always",
        "every",
        "all",
        "each",
        "whole",
        "entire",
        "throughout",
        "end",
        "ended",
        "finish",
    ];
    const PREPOSITIONS: [&str; 6] = ["in", "on", "at", "during", "of", "for"];
    let says_otherwise = words.iter().any(|word| word.is_any(&OTHERWISE));
    // `close 2020 above`, `close the year above`.
    let closes_time = (1..words.len()).any(|at| {
        let is_article = words[at].is_any(&["the", "this", "that"]);
        let is_of_time = is_time[at] && !words[at].is_any(&PREPOSITIONS);
        words[at - 1].is_any(&["close", "closed", "finished"]) && (is_article || is_of_time)
    });
    asks(words) && !says_otherwise && !closes_time
}

/// Whether a question asks about prices above zero (`true`) or below it: `close below zero`, `go negative`.
pub(super) fn beyond_zero(words: &[Word]) -> Option<bool> {
    /// Words between a side and its number, at most.
    const BEFORE_NUMBER: usize = 2;
    let named = words.iter().position(|word| word.is_any(&["zero", "0"]));
    let of_number = named.and_then(|at| {
        let before = &words[at.saturating_sub(BEFORE_NUMBER)..at];
        before.iter().rev().find_map(side)
    });
    of_number
        .map(|side| side.is_above)
        .or_else(|| is_negative(words).then_some(false))
}

/// `turned negative`, `was oil ever negative`, but not `negative territory for the year`, which is a change.
fn is_negative(words: &[Word]) -> bool {
    const VERBS: [&str; 14] = [
        "go", "goes", "went", "gone", "turn", "turned", "be", "been", "was", "is", "close",
        "closed", "settle", "settled",
    ];
    const OF_CHANGES: [&str; 8] = [
        "return", "returns", "month", "months", "week", "weeks", "days", "years",
    ];
    let is_said = |at: usize| {
        let from = at.saturating_sub(3);
        words[from..at].iter().any(|word| word.is_any(&VERBS))
    };
    let mut places = words.iter().enumerate();
    places.any(|(at, word)| word.is("negative") && is_said(at))
        && !words.iter().any(|word| word.is_any(&OF_CHANGES))
}
