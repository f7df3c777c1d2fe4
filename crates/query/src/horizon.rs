//! How far ahead and how far back: `6 months`, `30d`, `next quarter`, `by year end`, `before June`.

use model::Day;
use verify::figures::{Dated, Period, Span};

use crate::words::Word;

/// The number of days in a time in words; `None` if it is not one.
pub fn days(words: &str) -> Option<i32> {
    let lower = words.trim().to_lowercase();
    let mut rest = lower.as_str();
    for prefix in ["the ", "next ", "in ", "within ", "last ", "past "] {
        rest = rest.strip_prefix(prefix).unwrap_or(rest).trim_start();
    }
    let digits = rest
        .find(|mark: char| !mark.is_ascii_digit())
        .unwrap_or(rest.len());
    let (number, unit) = rest.split_at(digits);
    let number = match number {
        "" => rest
            .split_whitespace()
            .next()
            .and_then(number_word)
            .map_or((1, unit), |word| {
                (word, rest.split_once(' ').map_or("", |(_, unit)| unit))
            }),
        digits => (digits.parse().ok()?, unit),
    };
    let (number, unit) = number;
    let unit = unit.trim_start_matches([' ', '-']).trim();
    let one = match unit {
        "d" | "day" | "days" => 1.0,
        "w" | "wk" | "week" | "weeks" => 7.0,
        "m" | "mo" | "mos" | "month" | "months" => 30.44,
        "q" | "quarter" | "quarters" => 91.31,
        "y" | "yr" | "year" | "years" => 365.25,
        _ => return None,
    };
    let days = (f64::from(number) * one).round();
    (days <= 100_000.0).then_some(days as i32)
}

/// The last day of the future time that a text names; `None` if it names none that ends after `today`.
pub(crate) fn until(words: &[Word], times: &[Dated], today: Day) -> Option<Day> {
    let named = (0..words.len()).find_map(|at| ends_at(words, at, today));
    let dated = times.iter().find_map(|dated| {
        let Period::In(span) = dated.period else {
            return None;
        };
        let span = ahead(span, today);
        let is_before = words
            .iter()
            .rfind(|word| word.bytes.start <= dated.bytes.start)
            .is_some_and(|word| word.is("before"))
            || words
                .iter()
                .rfind(|word| word.bytes.end <= dated.bytes.start)
                .is_some_and(|word| word.is("before"));
        Some(if is_before {
            span.first.plus(-1)
        } else {
            span.last
        })
    });
    named.or(dated).filter(|last| *last > today)
}

/// A span without a year of its own is the next one with its name: `June`, asked in November, is in the next year.
fn ahead(span: Span, today: Day) -> Span {
    if !span.is_assumed || span.last > today {
        return span;
    }
    let year_later = |day: Day| day.months_before(-12);
    Span {
        first: year_later(span.first),
        last: year_later(span.last),
        ..span
    }
}

/// The last day of `year end`, `the end of the month`, `next quarter` or `within six weeks`, if it begins at this word.
fn ends_at(words: &[Word], at: usize, today: Day) -> Option<Day> {
    let word = |place: usize| words.get(place).map(|word| word.lower.as_str());
    let skipped = |from: usize, skip: &[&str]| {
        (from..words.len())
            .find(|place| !skip.contains(&words[*place].lower.as_str()))
            .unwrap_or(words.len())
    };
    match word(at)? {
        unit @ ("year" | "month" | "quarter" | "week") if word(at + 1) == Some("end") => {
            last_of(unit, 0, today)
        }
        "end" if word(at + 1) == Some("of") => {
            let unit = skipped(at + 2, &["the", "this", "current"]);
            let is_next = word(unit) == Some("next");
            last_of(
                word(unit + usize::from(is_next))?,
                i32::from(is_next),
                today,
            )
        }
        "this" => last_of(word(at + 1)?, 0, today),
        "tomorrow" => Some(today.plus(1)),
        "next" | "coming" | "within" | "in" | "over" => {
            let from = skipped(
                at,
                &["next", "coming", "within", "in", "over", "the", "about"],
            );
            let unit = word(from)?;
            if let Some(last) = last_of(unit, 1, today).filter(|_| word(from - 1) == Some("next")) {
                return Some(last);
            }
            let counted = match word(from + 1) {
                Some(next) => format!("{unit} {next}"),
                None => unit.to_owned(),
            };
            // `next year` was read above; `in months` is not a time.
            let number = unit.starts_with(|first: char| first.is_ascii_digit())
                || number_word(unit).is_some();
            let counted = days(&counted).filter(|_| number)?;
            (counted <= MOST).then(|| today.plus(counted))
        }
        _ => None,
    }
}

/// The most days that anything is said about.
const MOST: i32 = 40_000;

/// The last day of the current calendar year, quarter, month or week, or of one that many later.
fn last_of(unit: &str, later: i32, today: Day) -> Option<Day> {
    let date = today.date();
    let (year, month) = (i32::from(date.year()), i32::from(date.month()));
    let month_end = |after: i32| {
        let month = month - 1 + after;
        Some(Span::month(year + month.div_euclid(12), month.rem_euclid(12) + 1)?.last)
    };
    match unit {
        "year" => Some(Span::year(year + later)?.last),
        "quarter" => month_end(2 - (month - 1) % 3 + 3 * later),
        "month" => month_end(later),
        "week" => Some(today.monday().plus(6 + 7 * later)),
        _ => None,
    }
}

fn number_word(word: &str) -> Option<i32> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    if word == "a" || word == "an" {
        return Some(1);
    }
    let place = WORDS.iter().position(|known| *known == word)?;
    i32::try_from(place).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (words, expected) in [
            ("30d", Some(30)),
            ("6 months", Some(183)),
            ("next quarter", Some(91)),
            ("a year", Some(365)),
            ("two weeks", Some(14)),
            ("12-month", Some(365)),
            ("90 days", Some(90)),
            ("1y", Some(365)),
            ("soon", None),
            ("", None),
            ("5 fortnights", None),
            ("99999999999999d", None),
        ] {
            assert_eq!(days(words), expected, "{words}");
        }
    }

    #[test]
    fn a_time_ahead_ends_where_it_says() {
        let today = Day::parse("2026-11-23").unwrap();
        for (text, expected) in [
            ("Will Apple rise by year end?", Some("2026-12-31")),
            ("... by the end of the year", Some("2026-12-31")),
            ("... before the end of next quarter", Some("2027-03-31")),
            ("... this month", Some("2026-11-30")),
            ("... this week", Some("2026-11-29")),
            ("... next year", Some("2027-12-31")),
            ("... in 2027", Some("2027-12-31")),
            ("... before 2027", Some("2026-12-31")),
            ("... by June", Some("2027-06-30")),
            ("... before June", Some("2027-05-31")),
            ("... by 30 June 2027", Some("2027-06-30")),
            ("... within six weeks", Some("2027-01-04")),
            ("... over the next 3 months", Some("2027-02-22")),
            ("... in 10 days", Some("2026-12-03")),
            ("... tomorrow", Some("2026-11-24")),
            ("... than in 2020", None),
            ("... at all", None),
            ("... in months", None),
            ("... in 99999999999 days", None),
        ] {
            let words = crate::words::cut(text);
            let times = verify::figures::mentions(text, today).times;
            let found = until(&words, &times, today).map(|day| day.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
