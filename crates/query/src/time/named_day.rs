//! Days with names: Christmas Day, New Year's Eve, Thanksgiving, Good Friday.
//!
//! Whether the exchange trades on one of these days is answered by the calendar of the exchange; a question about that
//! names no time here.

use std::ops::Range;

use model::{Day, NamedDay};

use super::range::year;
use crate::words::Word;

/// A named day in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) day: Day,
    /// Whether a time begins there: `since Christmas`.
    pub(super) is_start: bool,
    /// Whether the time that begins with the one before ends there: `from Halloween to Christmas`.
    pub(super) is_end: bool,
    /// Including the words that belong to it.
    pub(super) bytes: Range<usize>,
}

/// The named days in a text. Without a year it is the newest up to today, or the next one if `is_ahead`.
pub(super) fn find(words: &[Word], today: Day, is_ahead: bool) -> Vec<Named> {
    if asks_hours(words) {
        return Vec::new();
    }
    let mut found: Vec<Named> = Vec::new();
    for at in 0..words.len() {
        let begins_later = found
            .last()
            .is_none_or(|last| last.bytes.end <= words[at].bytes.start);
        let follows = found.last().is_some_and(|last| last.is_start);
        if begins_later && let Some(one) = named(words, at, follows, today, is_ahead) {
            found.push(one);
        }
    }
    found
}

/// The named day at a word; `follows` says whether it may end what began with another one.
fn named(words: &[Word], at: usize, follows: bool, today: Day, is_ahead: bool) -> Option<Named> {
    let day = NamedDay::at_start(words[at..].iter().map(|word| word.lower.as_str()))?;
    let before = at.checked_sub(1).map(|before| &words[before]);
    let says = |all: &[&str]| before.is_some_and(|before| before.is_any(all));
    let mut end = at + day.name.len();
    let of = usize::from(
        words
            .get(end)
            .is_some_and(|word| word.is_any(&["of", "in"])),
    );
    let of_year = words.get(end + of).and_then(year);
    end += of_year.map_or(0, |_| of + 1);
    let is_end = follows && says(&["to", "until", "till", "through"]);
    let joins = is_end || says(&["on", "at", "last", "since", "from", "this", "next"]);
    // `Christmas sales` are not on a day; `until Christmas` is not a day whose price is asked for.
    let is_last = words.get(end).is_none_or(|next| {
        next.is_parted
            || next.is_any(&[
                "and", "or", "vs", "versus", "compared", "to", "until", "till", "through",
            ])
    });
    let is_day = day.is_plain || (joins || of_year.is_some()) && is_last;
    if !is_day || !is_end && says(&["until", "till", "before", "by", "to", "after"]) {
        return None;
    }
    let date = match of_year {
        Some(year) => day.in_year(year),
        None if says(&["next"]) || is_ahead => day.after(today),
        None => day.up_to(today),
    }?;
    let first = at - usize::from(joins);
    Some(Named {
        day: date,
        is_start: says(&["since", "from"]),
        is_end,
        bytes: words[first].bytes.start..words[end - 1].bytes.end,
    })
}

/// Whether the question asks when the day is, or whether an exchange trades on it.
fn asks_hours(words: &[Word]) -> bool {
    const ASKING: [&str; 6] = ["is", "are", "do", "does", "will", "can"];
    const STATES: [&str; 14] = [
        "open", "opens", "opening", "close", "closes", "closed", "shut", "trade", "trading",
        "hours", "holiday", "holidays", "half", "early",
    ];
    let says = |all: &[&str]| words.iter().any(|word| word.is_any(all));
    let first = words.first();
    says(&["hours", "holiday", "holidays", "schedule", "calendar"])
        || first.is_some_and(|first| first.is_any(&["when", "whens"]))
        || first.is_some_and(|first| first.is_any(&ASKING)) && says(&STATES)
        || says(&[
            "market",
            "markets",
            "exchange",
            "exchanges",
            "nyse",
            "nasdaq",
        ]) && says(&["open", "closed", "shut", "half", "early"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    fn read(text: &str) -> Option<(String, bool)> {
        let today = Day::parse("2026-11-23").unwrap();
        let found = find(&words::cut(text), today, false).into_iter().next()?;
        assert!(text.get(found.bytes).is_some(), "{text}");
        Some((found.day.to_string(), found.is_start))
    }

    #[test]
    fn a_named_day_is_the_newest_unless_its_year_is_said() {
        for (text, day) in [
            ("price of AAPL on christmas day 2025", "2025-12-25"),
            ("price of AAPL on Christmas Eve 2025", "2025-12-24"),
            ("AAPL on christmas", "2025-12-25"),
            ("AAPL on christmas 2023", "2023-12-25"),
            ("price of gold on new year's day", "2026-01-01"),
            ("what was the S&P on new year's eve", "2025-12-31"),
            ("gold on New Years Eve of 2024", "2024-12-31"),
            ("TSLA on Thanksgiving", "2025-11-27"),
            ("TSLA on Thanksgiving Day 2026", "2026-11-26"),
            ("gold last Thanksgiving", "2025-11-27"),
            ("AAPL on independence day", "2026-07-04"),
            ("AAPL on the fourth of July", "2026-07-04"),
            ("AAPL on Labor Day", "2026-09-07"),
            ("AAPL on memorial day 2025", "2025-05-26"),
            ("bitcoin on good friday", "2026-04-03"),
            ("bitcoin on Good Friday 2024", "2024-03-29"),
            ("where did AAPL close on Christmas Eve", "2025-12-24"),
            ("AAPL on Black Friday", "2025-11-28"),
        ] {
            assert_eq!(read(text), Some((day.to_owned(), false)), "{text}");
        }
        for (text, day) in [
            ("MSFT on Halloween", "2026-10-31"),
            ("TSLA on election day 2024", "2024-11-05"),
            ("gold on Easter Monday 2025", "2025-04-21"),
        ] {
            assert_eq!(read(text), Some((day.to_owned(), false)), "{text}");
        }
        let since = Some(("2025-12-25".to_owned(), true));
        assert_eq!(read("how far is gold up since Christmas"), since);
    }

    #[test]
    fn what_asks_for_no_price_of_that_day_names_none() {
        for text in [
            "is the market open on Christmas Eve",
            "do stocks trade on good friday",
            "when is thanksgiving",
            "stock market holiday hours thanksgiving day",
            "who benefits from christmas sales",
            "how many work days are left until christmas",
            "will stores sell more on black friday deals",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
