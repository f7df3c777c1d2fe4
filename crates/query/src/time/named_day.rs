//! Days with names: Christmas Day, New Year's Eve, Thanksgiving, Good Friday.
//!
//! Whether the exchange trades on one of these days is answered by the calendar of the exchange; a question about that
//! names no time here.

use std::ops::Range;

use market::calendar::easter_sunday;
use model::Day;

use super::range::{date, year};
use crate::words::Word;

/// How the date of a named day is found in a year.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// A month and a day in it.
    Fixed(i32, i32),
    /// A month, the first day in it that counts, and a weekday as days after Monday: the first one of that weekday from
    /// there.
    Weekday(i32, i32, i32),
    /// Two days before Easter.
    GoodFriday,
}

/// A name in words, whether it means a day on its own, and its rule.
const DAYS: [(&[&str], bool, Rule); 20] = [
    (&["christmas", "eve"], true, Rule::Fixed(12, 24)),
    (&["xmas", "eve"], true, Rule::Fixed(12, 24)),
    (&["christmas", "day"], true, Rule::Fixed(12, 25)),
    (&["xmas", "day"], true, Rule::Fixed(12, 25)),
    (&["christmas"], false, Rule::Fixed(12, 25)),
    (&["xmas"], false, Rule::Fixed(12, 25)),
    (&["new", "year", "eve"], true, Rule::Fixed(12, 31)),
    (&["new", "years", "eve"], true, Rule::Fixed(12, 31)),
    (&["new", "year", "day"], true, Rule::Fixed(1, 1)),
    (&["new", "years", "day"], true, Rule::Fixed(1, 1)),
    (&["thanksgiving", "day"], true, Rule::Weekday(11, 22, 3)),
    (&["thanksgiving"], false, Rule::Weekday(11, 22, 3)),
    (&["independence", "day"], true, Rule::Fixed(7, 4)),
    (&["fourth", "of", "july"], true, Rule::Fixed(7, 4)),
    (&["labor", "day"], true, Rule::Weekday(9, 1, 0)),
    (&["labour", "day"], true, Rule::Weekday(9, 1, 0)),
    (&["memorial", "day"], true, Rule::Weekday(5, 25, 0)),
    (&["good", "friday"], true, Rule::GoodFriday),
    (&["juneteenth"], false, Rule::Fixed(6, 19)),
    (&["black", "friday"], false, Rule::Weekday(11, 23, 4)),
];

impl Rule {
    fn day(self, year: i32) -> Option<Day> {
        match self {
            Self::Fixed(month, day) => date(year, month, day),
            Self::Weekday(month, earliest, weekday) => {
                let earliest = date(year, month, earliest)?;
                let found = earliest.monday().plus(weekday);
                Some(if found < earliest {
                    found.plus(7)
                } else {
                    found
                })
            }
            Self::GoodFriday => Some(easter_sunday(i16::try_from(year).ok()?).plus(-2)),
        }
    }
}

/// A named day in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) day: Day,
    /// Whether a time begins there: `since Christmas`.
    pub(super) is_start: bool,
    /// Including the words that belong to it.
    pub(super) bytes: Range<usize>,
}

/// The first named day in a text. Without a year it is the newest up to today, or the next one if `is_ahead`.
pub(super) fn find(words: &[Word], today: Day, is_ahead: bool) -> Option<Named> {
    if asks_hours(words) {
        return None;
    }
    let (at, name, is_plain, rule) = (0..words.len()).find_map(|at| {
        let is_said = |name: &[&str]| {
            let said = words.get(at..at + name.len());
            said.is_some_and(|said| said.iter().zip(name).all(|(word, name)| word.is(name)))
        };
        let (name, is_plain, rule) = DAYS.iter().find(|(name, ..)| is_said(name))?;
        Some((at, *name, *is_plain, *rule))
    })?;
    let before = at.checked_sub(1).map(|before| &words[before]);
    let says = |all: &[&str]| before.is_some_and(|before| before.is_any(all));
    let mut end = at + name.len();
    let of = usize::from(
        words
            .get(end)
            .is_some_and(|word| word.is_any(&["of", "in"])),
    );
    let of_year = words.get(end + of).and_then(year);
    end += of_year.map_or(0, |_| of + 1);
    let joins = says(&["on", "at", "last", "since", "this", "next"]);
    // `Christmas sales` are not on a day; `until Christmas` is not a day whose price is asked for.
    let is_last = words.get(end).is_none_or(|next| {
        next.is_parted || next.is_any(&["and", "or", "vs", "versus", "compared"])
    });
    let is_day = is_plain || (joins || of_year.is_some()) && is_last;
    if !is_day || says(&["until", "till", "before", "by", "to", "after"]) {
        return None;
    }
    let day = match of_year {
        Some(year) => rule.day(year),
        None => nearest(rule, today, says(&["next"]) || is_ahead),
    }?;
    let first = at - usize::from(joins);
    Some(Named {
        day,
        is_start: says(&["since"]),
        bytes: words[first].bytes.start..words[end - 1].bytes.end,
    })
}

/// The most recent such day up to today, or the next one.
fn nearest(rule: Rule, today: Day, is_ahead: bool) -> Option<Day> {
    let year = i32::from(today.date().year());
    if is_ahead {
        let mut days = (year..year + 2).filter_map(|year| rule.day(year));
        return days.find(|day| *day > today);
    }
    let mut days = [year, year - 1]
        .into_iter()
        .filter_map(|year| rule.day(year));
    days.find(|day| *day <= today)
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
        let found = find(&words::cut(text), today, false)?;
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
