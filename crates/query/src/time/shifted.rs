//! Days that are counted from a date: `two weeks before 10 June 2024`, `the day after Christmas 2023`,
//! `a month before March 2020`.
//!
//! Days counted from something that has no date in the question, such as a report, are not a time here.

use std::ops::Range;

use market::calendar;
use model::Day;
use verify::figures::{Dated, Length, Period, Span, SpanUnit};

use super::named_day;
use crate::words::Word;

/// The longest distance that is counted.
const MOST: u32 = 400;

/// Before a period these words ask for one, or leave its length open: `which month before June`, `a few days after`.
const OPEN: [&str; 12] = [
    "which",
    "what",
    "best",
    "worst",
    "highest",
    "lowest",
    "strongest",
    "weakest",
    "many",
    "few",
    "several",
    "some",
];

/// How far from the date, and on which side of it.
struct Distance {
    count: u32,
    length: Length,
    is_before: bool,
    /// Whether all days in between are meant: `the two weeks before`.
    is_stretch: bool,
    /// The words that express it, without the date.
    words: Range<usize>,
}

/// The first time that is counted from a date, with the words that belong to it.
pub(super) fn find(
    words: &[Word],
    times: &[Dated],
    today: Day,
    is_ahead: bool,
) -> Option<(Span, Range<usize>)> {
    (1..words.len()).find_map(|at| {
        let distance = distance(words, at)?;
        let next = distance.words.end;
        let (anchor, end) = anchor(words, next, times, today, is_ahead)?;
        let span = shift(anchor, &distance)?;
        Some((span, words[distance.words.start].bytes.start..end))
    })
}

/// The distance whose `before` or `after` is at a word.
fn distance(words: &[Word], at: usize) -> Option<Distance> {
    let is_before = words[at].is_any(&["before", "prior", "preceding", "ahead"]);
    let is_after = words[at].is_any(&["after", "following", "past"]);
    if !is_before && !is_after {
        return None;
    }
    let joins = words[at].is_any(&["prior", "ahead"]);
    let joint = words.get(at + 1).filter(|_| joins);
    let end = at + 1 + usize::from(joint.is_some_and(|word| word.is_any(&["to", "of"])));
    if joins && end == at + 1 {
        return None;
    }
    let unit = &words[at - 1];
    let trading = at >= 2 && words[at - 2].is_any(&["trading", "business", "market"]);
    let (length, times) = match unit.lower.strip_suffix('s').unwrap_or(&unit.lower) {
        "day" if trading => (Length::Sessions, 1),
        "day" => (Length::Days, 1),
        "session" => (Length::Sessions, 1),
        "week" => (Length::Weeks, 1),
        "fortnight" => (Length::Weeks, 2),
        "month" => (Length::Months, 1),
        "quarter" => (Length::Quarters, 1),
        "year" => (Length::Years, 1),
        "decade" => (Length::Years, 10),
        _ => return None,
    };
    let first = at - 1 - usize::from(trading);
    let said = first.checked_sub(1).map(|before| &words[before]);
    let is_of_couple = said.is_some_and(|word| word.is("of"));
    let number = first.checked_sub(1 + usize::from(is_of_couple));
    let counted = number.and_then(|place| Some((count(&words[place])?, place)));
    let (count, mut start) = counted.unwrap_or((1, first));
    // `past 10 June` alone is not a distance, and nothing follows `the day past`.
    if counted.is_none() && words[at].is("past") {
        return None;
    }
    let before = |start: usize| start.checked_sub(1).map(|before| &words[before]);
    // Without a number, only `the week before` means one.
    let is_one = match before(first) {
        Some(word) => word.is("the"),
        None => true,
    };
    if counted.is_none() && (unit.lower.ends_with('s') || !is_one) {
        return None;
    }
    if before(start).is_some_and(|word| word.is_any(&OPEN)) && !words[start].is_parted {
        return None;
    }
    let is_definite = before(start).is_some_and(|word| word.is_any(&["the", "those"]));
    start -= usize::from(is_definite);
    let is_within =
        before(start).is_some_and(|word| word.is_any(&["within", "during", "throughout"]));
    let is_of_one_day = count == 1 && matches!(length, Length::Days | Length::Sessions);
    Some(Distance {
        count: count.checked_mul(times)?,
        length,
        is_before,
        is_stretch: (is_definite || is_within) && !is_of_one_day,
        words: start..end,
    })
    .filter(|distance| (1..=MOST).contains(&distance.count))
}

fn count(word: &Word) -> Option<u32> {
    let written = word.lower.parse::<u32>().ok();
    written
        .or_else(|| model::cardinal(&word.lower).map(|number| number as u32))
        .or_else(|| word.is_any(&["a", "an", "one"]).then_some(1))
        .or_else(|| word.is("couple").then_some(2))
}

/// The date that begins at a word, and where it ends.
fn anchor(
    words: &[Word],
    at: usize,
    times: &[Dated],
    today: Day,
    is_ahead: bool,
) -> Option<(Span, usize)> {
    // `before the end of March` is counted from its first word that is none of these.
    let place = at + usize::from(words.get(at)?.is("the"));
    let begins = words.get(place)?;
    let dated = times.iter().find_map(|dated| {
        let is_there =
            dated.bytes.start <= begins.bytes.start && begins.bytes.end <= dated.bytes.end;
        match dated.period {
            Period::In(span) | Period::Since(span) if is_there => Some((span, dated.bytes.end)),
            _ => None,
        }
    });
    dated.or_else(|| {
        let named = named_day::find(&words[place..], today, is_ahead)
            .into_iter()
            .next()?;
        (named.bytes.start == begins.bytes.start).then_some((Span::day(named.day), named.bytes.end))
    })
}

fn shift(anchor: Span, distance: &Distance) -> Option<Span> {
    let moved = |day: Day| moved(day, distance);
    if distance.is_stretch {
        let (first, last) = if distance.is_before {
            (moved(anchor.first)?, anchor.first.plus(-1))
        } else {
            (anchor.last.plus(1), moved(anchor.last)?)
        };
        return Some(Span::new(first, last, SpanUnit::Stretch));
    }
    let is_of_months = matches!(
        distance.length,
        Length::Months | Length::Quarters | Length::Years
    );
    let is_whole = matches!(
        anchor.unit,
        SpanUnit::Month | SpanUnit::Quarter | SpanUnit::Year
    );
    if is_whole && is_of_months {
        // A month before March is February.
        let last = moved(anchor.last.plus(1))?.plus(-1);
        return Some(Span::new(moved(anchor.first)?, last, anchor.unit));
    }
    let from = if distance.is_before {
        anchor.first
    } else {
        anchor.last
    };
    Some(Span::day(moved(from)?))
}

/// A day moved by the distance.
fn moved(day: Day, distance: &Distance) -> Option<Day> {
    let count = i32::try_from(distance.count).ok()?;
    let signed = if distance.is_before { -count } else { count };
    Some(match distance.length {
        Length::Days => day.plus(signed),
        Length::Weeks => day.plus(signed * 7),
        Length::Months => day.months_before(-signed),
        Length::Quarters => day.months_before(-signed * 3),
        Length::Years => day.months_before(-signed * 12),
        Length::Sessions => (0..count).try_fold(day, |day, _| {
            if distance.is_before {
                calendar::previous_session(day)
            } else {
                calendar::next_session(day)
            }
        })?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    fn read(text: &str) -> Option<(String, String)> {
        let today = Day::parse("2026-11-23").unwrap();
        let words = words::cut(text);
        let times = verify::figures::mentions(text, today).times;
        let (span, bytes) = find(&words, &times, today, false)?;
        assert!(text.get(bytes).is_some(), "{text}");
        Some((span.first.to_string(), span.last.to_string()))
    }

    #[test]
    fn days_are_counted_from_a_date() {
        for (text, from, to) in [
            (
                "price of Apple two weeks before 10 June 2024",
                "2024-05-27",
                "2024-05-27",
            ),
            ("AAPL the day after 4 July 2024", "2024-07-05", "2024-07-05"),
            ("Week before 10 June 2024: AAPL", "2024-06-03", "2024-06-03"),
            (
                "gold 3 days after March 10, 2022",
                "2022-03-13",
                "2022-03-13",
            ),
            (
                "gold a month before 31 March 2022",
                "2022-02-28",
                "2022-02-28",
            ),
            (
                "how did MSFT do in the week before 10 June 2024",
                "2024-06-03",
                "2024-06-09",
            ),
            (
                "MSFT in the two weeks after 10 June 2024",
                "2024-06-11",
                "2024-06-24",
            ),
            (
                "inflation a month before March 2020",
                "2020-02-01",
                "2020-02-29",
            ),
            ("CPI one year after June 2021", "2022-06-01", "2022-06-30"),
            (
                "AAPL two trading days before 10 June 2024",
                "2024-06-06",
                "2024-06-06",
            ),
            (
                "AAPL the day before Christmas 2023",
                "2023-12-24",
                "2023-12-24",
            ),
            (
                "oil five days prior to 2020-04-20",
                "2020-04-15",
                "2020-04-15",
            ),
        ] {
            let expected = Some((from.to_owned(), to.to_owned()));
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_counted_from_no_date_is_no_time() {
        for text in [
            "AAPL two weeks before earnings",
            "AAPL before 10 June 2024",
            "how did AAPL do after 10 June 2024",
            "the day after",
            "AAPL two weeks ago",
            "what happened the week before the crash",
            "AAPL 4294967295 decades before 10 June 2024",
            "best year before 2020 for AAPL",
            "how many days after 10 June 2024 did NVDA close above 150",
            "NVDA a few days after 10 June 2024",
            "NVDA several weeks before 10 June 2024",
            "which month before June 2024 was best for gold",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
