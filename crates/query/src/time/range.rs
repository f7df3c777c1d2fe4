//! Ranges of days and months: `between March and June`, `10 to 20 November`, `from January to June 2025`.
//!
//! Anything missing on one side is taken from the other. A range with a weekday, a quarter or two bare years on a side
//! does not count as one here.

use std::ops::Range;

use model::Day;

use crate::words::Word;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// One side of a range, as far as it is given.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    day: Option<i32>,
    month: Option<i32>,
    year: Option<i32>,
}

impl Side {
    /// Its first day, or its last.
    fn day(self, year: i32, is_last: bool) -> Option<Day> {
        let month = self.month?;
        match self.day {
            Some(day) => date(year, month, day),
            None if is_last => (28..=31).rev().find_map(|day| date(year, month, day)),
            None => date(year, month, 1),
        }
    }

    /// Its place in a year.
    fn order(self) -> (Option<i32>, Option<i32>) {
        (self.month, self.day)
    }
}

/// A range.
pub(super) struct Found {
    pub(super) from: Day,
    pub(super) to: Day,
    pub(super) bytes: Range<usize>,
    /// Whether it is given by days rather than months.
    pub(super) is_of_days: bool,
}

/// The range that a text names. Without a year it is the most recent one that has begun, or the next one if `is_ahead`.
pub(super) fn find(text: &str, words: &[Word], today: Day, is_ahead: bool) -> Option<Found> {
    let compares = |word: &Word| word.lower.starts_with("compar") || word.is_any(&["vs", "versus"]);
    if words.iter().any(compares) {
        return None;
    }
    (0..words.len()).find_map(|at| {
        let (first, last, next) = sides(text, words, at)?;
        let (from, to) = dated(first, last, today, is_ahead)?;
        let bytes = words[at].bytes.start..words[next - 1].bytes.end;
        (from <= to).then_some(Found {
            from,
            to,
            bytes,
            is_of_days: first.day.is_some(),
        })
    })
}

/// Both sides of the range that begins at a word, and the word after it.
fn sides(text: &str, words: &[Word], at: usize) -> Option<(Side, Side, usize)> {
    let is_between = words[at].is("between");
    let begins = is_between || words[at].is("from");
    let (mut first, next) = side(words, at + usize::from(begins))?;
    let joint = words.get(next)?;
    let (mut last, end) = if joint.is("and") && is_between
        || joint.is_any(&["to", "until", "till", "through", "thru"])
    {
        side(words, next + 1)?
    } else if is_hyphen(text, &words[next - 1], joint) {
        side(words, next)?
    } else {
        return None;
    };
    let is_share = text[words[end - 1].bytes.end..]
        .trim_start()
        .starts_with('%');
    if is_share || first.day.is_some() != last.day.is_some() {
        return None;
    }
    // `10 to 20 November`, `3 to may be`: a lower-case `may` in the middle of a text is a verb.
    let is_doubted = words[..end].last().is_some_and(|word| {
        word.is("may") && first.month.is_none() && !text[word.bytes.clone()].starts_with('M')
    });
    if is_doubted && end < words.len() {
        return None;
    }
    first.month = first.month.or(last.month);
    last.month = last.month.or(first.month);
    first.month?;
    Some((first, last, end))
}

/// Whether only a hyphen is between two words.
fn is_hyphen(text: &str, left: &Word, right: &Word) -> bool {
    let between = text.get(left.bytes.end..right.bytes.start);
    between.is_some_and(|between| matches!(between.trim(), "-" | "–"))
}

/// A side that begins at a word: a month, a day in a month, or a day alone, each with the year that may follow.
fn side(words: &[Word], at: usize) -> Option<(Side, usize)> {
    let mut next = at + usize::from(words.get(at)?.is("the"));
    let mut found = Side {
        day: words.get(next).and_then(day),
        ..Side::default()
    };
    if found.day.is_some() {
        next += 1;
        let of = usize::from(words.get(next).is_some_and(|word| word.is("of")));
        found.month = words.get(next + of).and_then(month);
        next += found.month.map_or(0, |_| of + 1);
    } else {
        found.month = Some(month(words.get(next)?)?);
        next += 1;
        found.day = words.get(next).and_then(day);
        next += usize::from(found.day.is_some());
    }
    if found.month.is_some() {
        let of = usize::from(
            words
                .get(next)
                .is_some_and(|word| word.is_any(&["of", "in"])),
        );
        found.year = words.get(next + of).and_then(year);
        next += found.year.map_or(0, |_| of + 1);
    }
    Some((found, next))
}

/// The days of both sides, each in its year.
fn dated(first: Side, last: Side, today: Day, is_ahead: bool) -> Option<(Day, Day)> {
    // `November to February` ends in the next year.
    let turns = i32::from(first.order() > last.order());
    let in_years = |from: i32, to: i32| Some((first.day(from, false)?, last.day(to, true)?));
    match (first.year, last.year) {
        (Some(from), Some(to)) => in_years(from, to),
        (Some(from), None) => in_years(from, from + turns),
        (None, Some(to)) => in_years(to - turns, to),
        (None, None) => {
            let now = i32::from(today.date().year());
            let of = |year: i32| in_years(year, year + turns);
            if is_ahead {
                return (now - 1..now + 2)
                    .filter_map(of)
                    .find(|(_, to)| *to >= today);
            }
            let is_past = |(from, to): &(Day, Day)| *from <= today && (turns == 0 || *to <= today);
            (0..8).filter_map(|back| of(now - back)).find(is_past)
        }
    }
}

fn month(word: &Word) -> Option<i32> {
    let lower = word.lower.as_str();
    let is_it = |name: &&str| {
        *name == lower
            || lower.len() == 3 && name.starts_with(lower)
            || lower == "sept" && *name == "september"
    };
    let place = MONTHS.iter().position(is_it)?;
    i32::try_from(place + 1).ok()
}

fn day(word: &Word) -> Option<i32> {
    let lower = word.lower.as_str();
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| lower.strip_suffix(ending))
        .unwrap_or(lower);
    let is_short = digits.len() <= 2;
    digits
        .parse()
        .ok()
        .filter(|day| is_short && (1..=31).contains(day))
}

pub(super) fn year(word: &Word) -> Option<i32> {
    let is_long = word.lower.len() == 4;
    let year = word.lower.parse().ok();
    year.filter(|year| is_long && (1900..=2100).contains(year))
}

pub(super) fn date(year: i32, month: i32, day: i32) -> Option<Day> {
    Day::parse(&format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    fn read(text: &str, is_ahead: bool) -> Option<(String, String)> {
        let today = Day::parse("2026-11-23").unwrap();
        let Found {
            from, to, bytes, ..
        } = find(text, &words::cut(text), today, is_ahead)?;
        assert!(text.get(bytes).is_some(), "{text}");
        Some((from.to_string(), to.to_string()))
    }

    #[test]
    fn a_range_has_its_first_and_its_last_day() {
        for (text, from, to) in [
            (
                "how did apple do between march and june",
                "2026-03-01",
                "2026-06-30",
            ),
            (
                "MSFT between 10 and 20 November",
                "2026-11-10",
                "2026-11-20",
            ),
            ("MSFT from November 10 to 20", "2026-11-10", "2026-11-20"),
            ("TSLA from January to June 2025", "2025-01-01", "2025-06-30"),
            ("TSLA Jan-Jun 2025", "2025-01-01", "2025-06-30"),
            ("gold March through May", "2026-03-01", "2026-05-31"),
            (
                "gold between November and February",
                "2025-11-01",
                "2026-02-28",
            ),
            (
                "gold from november to february 2024",
                "2023-11-01",
                "2024-02-29",
            ),
            (
                "gold from november 2023 to february",
                "2023-11-01",
                "2024-02-29",
            ),
            (
                "AAPL between 3rd of March 2025 and 4 May 2026",
                "2025-03-03",
                "2026-05-04",
            ),
            (
                "gold between December 2025 and March 2026",
                "2025-12-01",
                "2026-03-31",
            ),
        ] {
            let expected = Some((from.to_owned(), to.to_owned()));
            assert_eq!(read(text, false), expected, "{text}");
        }
        let ahead = Some(("2027-03-01".to_owned(), "2027-06-30".to_owned()));
        assert_eq!(read("will gold rise between March and June", true), ahead);
    }

    #[test]
    fn what_is_no_range_of_days_is_none() {
        for text in [
            "between 2021 and 2023",
            "AAPL between 10 and 20",
            "it rose from 10 to 20% in November",
            "did it rise from 5 to 10 in March",
            "between 5 and 10 may be too much",
            "March and June",
            "compare March to June",
            "from March to now",
            "between 30 February and 5 March",
            "from March 10 to May",
        ] {
            assert_eq!(read(text, false), None, "{text}");
        }
    }
}
