//! Which and how many items a question wants: the largest, the newest, a number of them, of one form.

use super::Foremost;
use crate::time::When;
use crate::words::Word;

/// Which of many a question wants first: the largest or, if it names no other time, the newest.
pub(super) fn foremost(words: &[Word], when: &When) -> Option<Foremost> {
    const LARGEST: [&str; 4] = ["biggest", "largest", "highest", "most"];
    const NEWEST: [&str; 6] = [
        "latest", "newest", "recent", "recently", "update", "updates",
    ];
    let says = |known: &[&str]| words.iter().any(|word| word.is_any(known));
    // `the most recent`.
    let is_most_of_size = words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1);
        word.is_any(&LARGEST) && !next.is_some_and(|next| next.is_any(&["recent", "recently"]))
    });
    if is_most_of_size {
        Some(Foremost::Largest)
    } else {
        (says(&NEWEST) && when.is_unsaid()).then_some(Foremost::Newest)
    }
}

/// `top 5`, `the three largest`.
pub(super) fn at_most(words: &[Word]) -> Option<usize> {
    const RANKING: [&str; 13] = [
        "top", "bottom", "best", "worst", "biggest", "largest", "newest", "latest", "first",
        "last", "gainers", "losers", "movers",
    ];
    const TIMES: [&str; 12] = [
        "day", "days", "week", "weeks", "month", "months", "quarter", "quarters", "year", "years",
        "session", "sessions",
    ];
    let number = |word: &Word| {
        let said = word.lower.parse().ok();
        said.or_else(|| model::cardinal(&word.lower).map(|number| number as usize))
            .filter(|number| (1..=50).contains(number))
    };
    words.windows(2).enumerate().find_map(|(at, pair)| {
        let (left, right) = (&pair[0], &pair[1]);
        // `the last 3 months` is a time.
        let of_days = left.is_any(&["best", "worst"]);
        let is_time = !of_days && words.get(at + 2).is_some_and(|next| next.is_any(&TIMES));
        if left.is_any(&RANKING[..10]) && !is_time {
            number(right)
        } else if right.is_any(&RANKING) {
            number(left)
        } else {
            None
        }
    })
}

/// The form of filing that is named: `10-K`, `8k`, `S-1`.
pub(super) fn form(words: &[Word]) -> Option<&'static str> {
    const FORMS: [(&str, &str, &str); 7] = [
        ("10", "k", "10-K"),
        ("10", "q", "10-Q"),
        ("8", "k", "8-K"),
        ("s", "1", "S-1"),
        ("20", "f", "20-F"),
        ("6", "k", "6-K"),
        ("13", "f", "13F-HR"),
    ];
    FORMS.into_iter().find_map(|(first, second, form)| {
        let apart = words
            .windows(2)
            .any(|pair| pair[0].is(first) && pair[1].is(second));
        let joined = format!("{first}{second}");
        let hyphened = format!("{first}-{second}");
        (apart
            || words
                .iter()
                .any(|word| word.is(&joined) || word.is(&hyphened)))
        .then_some(form)
    })
}
