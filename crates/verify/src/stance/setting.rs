//! A claim without the parts that a passage's date and outlet already show.
//!
//! News seldom names the day or month it is about, and no outlet names itself. That a report in the Chronicle from
//! April 2026 says `was indicted in April 2026` and `the Chronicle reported that …` follows from where and when it was
//! published. A reader of the wording alone would find the month and the outlet missing from it, and take it for a
//! report of something else.

use std::ops::Range;

use jiff::civil::Weekday;
use model::Day;
use text::token;

use super::days::{Days, Named};
use super::reading::Reading;
use crate::figures::dates::month_day;
use crate::figures::token::{Join, Token, cut};

/// Words before a time at which something happens; after others (`since`, `before`, `until`, `of`) the time means more
/// than that.
const AT: [&str; 3] = ["in", "on", "during"];
/// Words before a weekday that make it more than the day on which something happened.
const MORE_THAN_AT: [&str; 16] = [
    "after", "before", "by", "every", "for", "from", "last", "next", "of", "since", "than", "this",
    "through", "till", "to", "until",
];
/// Words that join one time to another.
const JOINS: [&str; 5] = ["and", "or", "to", "through", "until"];
/// Words in an outlet's name that do not distinguish it from others.
const GENERIC: [&str; 9] = [
    "the",
    "news",
    "online",
    "world",
    "international",
    "intl",
    "com",
    "business",
    "markets",
];
/// Words between these and the time.
const ABOUT: [&str; 4] = ["early", "mid", "late", "the"];
/// What an outlet does before `that`.
const REPORTS: [&str; 4] = ["reported", "reports", "wrote", "writes"];
/// Maximum number of words in an outlet's name.
const OUTLET: usize = 5;
/// Fewer words state nothing.
const FEWEST_WORDS: usize = 3;
/// News reports a weekday's events on that day and for this many days after it.
const AFTER: i32 = 2;

/// What a claim contains besides its statement: when it happened, and who reported it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// The claim without the words for its time; `None` if it names none.
    timeless: Option<Timeless>,
    /// The outlet that it names as the source of the report, and the claim without that.
    reported: Option<(String, String)>,
    /// The claim without either.
    bare: Option<String>,
}

/// A claim without the words for the time at which it says something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Timeless {
    claim: String,
    /// The day, month or year that was left out, and the weekday.
    named: Option<Named>,
    weekday: Option<Weekday>,
    /// The times that it still names.
    kept: Vec<Named>,
}

impl Setting {
    /// Reads the setting from a claim.
    pub fn of(claim: &str) -> Self {
        let timeless = without_time(claim);
        let reported = without_outlet(claim);
        let bare = reported
            .as_ref()
            .filter(|_| timeless.is_some())
            .and_then(|(_, rest)| without_time(rest))
            .map(|timeless| timeless.claim);
        Self {
            timeless,
            reported,
            bare,
        }
    }

    /// Each wording of the claim, besides the whole one, with which a passage may be compared: without its time,
    /// without its outlet, without either.
    pub fn wordings(&self) -> [Option<&str>; 3] {
        [
            self.timeless
                .as_ref()
                .map(|timeless| timeless.claim.as_str()),
            self.reported.as_ref().map(|(_, rest)| rest.as_str()),
            self.bare.as_deref(),
        ]
    }

    /// Which of these wordings an outlet's passage is to be compared with; `None` for the whole claim.
    pub fn wording_for(&self, passage: &Reading<'_>, outlet: &str) -> Option<usize> {
        let is_of_time = self
            .timeless
            .as_ref()
            .is_some_and(|timeless| timeless.is_of_time_of(passage));
        let is_of_outlet = self
            .reported
            .as_ref()
            .is_some_and(|(named, _)| is_name_of(named, outlet));
        match (is_of_time, is_of_outlet) {
            (true, true) if self.bare.is_some() => Some(2),
            (true, _) => Some(0),
            (false, true) => Some(1),
            (false, false) => None,
        }
    }
}

impl Timeless {
    /// Whether a passage belongs to the time that was left out: by what it names, or by the day on which it was
    /// published.
    fn is_of_time_of(&self, passage: &Reading<'_>) -> bool {
        let (Some(published), days) = (passage.published, &passage.days) else {
            return false;
        };
        let is_of_day = |named| days.are_of(named, &self.kept, published);
        let is_of_weekday = |weekday| match &days.weekdays[..] {
            [] if self.named.is_none() => {
                days.named.is_empty() && is_just_after(weekday, published)
            }
            told => told.iter().all(|one| *one == weekday),
        };
        self.named.is_none_or(is_of_day) && self.weekday.is_none_or(is_of_weekday)
    }
}

/// Whether a day falls on this weekday, or on one of the next days after it.
fn is_just_after(weekday: Weekday, day: Day) -> bool {
    let since = day.date().weekday().since(weekday);
    i32::from(since) <= AFTER
}

/// Leaves out the one day, month or year at which a claim says something happened.
fn without_time(claim: &str) -> Option<Timeless> {
    let tokens = cut(claim);
    let days = Days::read(&tokens);
    let mut times: Vec<(Range<usize>, Option<Named>)> = days
        .places
        .into_iter()
        .zip(days.named.into_iter().map(Some))
        .collect();
    // A weekday before a date belongs to it.
    let alone: Vec<usize> = (0..tokens.len())
        .filter(|at| is_weekday(&tokens[*at]))
        .filter(|at| times.iter().all(|(place, _)| place.start != at + 1))
        .collect();
    times.extend(alone.into_iter().map(|at| (at..at + 1, None)));
    times.sort_by_key(|(place, _)| place.start);
    let openings: Vec<Option<usize>> = times
        .iter()
        .map(|(place, _)| opening(&tokens, place))
        .collect();
    // Which of two times belongs to which event depends on the wording.
    let of_what_happened = |at: &usize| openings[*at].is_some() || is_at(&tokens, &times[*at].0);
    let mut left_out = (0..times.len()).filter(of_what_happened);
    let (at, None) = (left_out.next()?, left_out.next()) else {
        return None;
    };
    let (first, (place, named)) = (openings[at]?, &times[at]);
    let (before, behind) = (
        claim.get(..tokens[first].start)?,
        claim.get(tokens[place.end - 1].end..)?,
    );
    let before = before.trim_end().trim_end_matches(',');
    let behind = if before.is_empty() {
        behind.trim_start_matches([',', ' '])
    } else {
        behind
    };
    let kept = (0..times.len()).filter(|other| *other != at);
    Some(Timeless {
        claim: statement(&format!("{before}{behind}"))?,
        named: *named,
        weekday: tokens[first..place.end].iter().find_map(month_day::weekday),
        kept: kept.filter_map(|other| times[other].1).collect(),
    })
}

/// The token with which the words for a time begin; `None` if they say more than when something happened.
fn opening(tokens: &[Token<'_>], time: &Range<usize>) -> Option<usize> {
    let is_owner = tokens.get(time.end - 1)?.possessive;
    let next = tokens.get(time.end);
    if is_owner || next.is_some_and(is_joined) {
        return None;
    }
    let before = |at: usize| at.checked_sub(1).and_then(|before| tokens.get(before));
    let mut first = time.start;
    while before(first).is_some_and(|token| token.is_any(&ABOUT) || is_weekday(token)) {
        first -= 1;
    }
    // Something else begins after it; in `on Monday night` and `in May 2026 and June` it continues.
    let ends = next.is_none_or(|next| {
        matches!(next.join, Join::Break | Join::Stop)
            || token::is_stop_word(&next.lower) && !next.is_any(&JOINS)
    });
    if before(first).is_some_and(|token| token.is_any(&AT)) {
        let is_compared = before(first - 1).is_some_and(|token| token.is_any(&["than", "as"]));
        let is_whole = ends || first == 1 && !next.is_some_and(|next| next.is_any(&JOINS));
        return (!is_compared && is_whole).then_some(first - 1);
    }
    // `was signed Monday`, `was signed Monday, 14 March`, but not `Sheffield Wednesday`, `Black Monday`.
    let is_bare = is_weekday(&tokens[first])
        && before(first).is_some_and(|token| {
            token.is_word() && !token.is_capital() && !token.is_any(&MORE_THAN_AT)
        });
    (is_bare && ends).then_some(first)
}

/// Whether a time comes directly after a word for when something happens.
fn is_at(tokens: &[Token<'_>], time: &Range<usize>) -> bool {
    let before = time.start.checked_sub(1).and_then(|at| tokens.get(at));
    before.is_some_and(|token| token.is_any(&AT))
}

fn is_weekday(token: &Token<'_>) -> bool {
    token.is_capital() && month_day::weekday(token).is_some()
}

/// Whether a token belongs to the one before it: `2026-style`.
fn is_joined(token: &Token<'_>) -> bool {
    matches!(token.join, Join::Tight | Join::Hyphen | Join::Slash)
}

/// The outlet that a claim names as the source of the report, with the claim without that.
fn without_outlet(claim: &str) -> Option<(String, String)> {
    const ACCORDING: &str = "according to ";
    let lower = claim.to_ascii_lowercase();
    let found = if lower.starts_with(ACCORDING) {
        let (outlet, rest) = claim[ACCORDING.len()..].split_once(", ")?;
        (outlet, rest)
    } else if let Some(at) = lower.rfind(", according to ") {
        let outlet = claim[at + 2 + ACCORDING.len()..].trim_end_matches(['.', '!']);
        (outlet, &claim[..at])
    } else {
        let (head, rest) = claim.split_once(" that ")?;
        let (outlet, verb) = head.rsplit_once(' ')?;
        REPORTS.contains(&verb).then_some((outlet, rest))?
    };
    let (outlet, rest) = (outlet_name(found.0)?, statement(found.1)?);
    Some((outlet, rest))
}

/// An outlet's name without its article, if it may be one.
fn outlet_name(written: &str) -> Option<String> {
    let bare = ["The ", "the "]
        .into_iter()
        .find_map(|article| written.strip_prefix(article))
        .unwrap_or(written);
    let words: Vec<&str> = token::words(bare).collect();
    let is_name = (1..=OUTLET).contains(&words.len()) && bare.starts_with(char::is_uppercase);
    is_name.then(|| bare.to_owned())
}

/// Whether a name refers to an outlet: `BBC` for `BBC World`. The `Korea Herald` is not `Korea`.
fn is_name_of(named: &str, outlet: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        token::words(text)
            .map(str::to_lowercase)
            .filter(|word| !GENERIC.contains(&word.as_str()))
            .collect()
    };
    let (named, outlet) = (words(named), words(outlet));
    !named.is_empty() && named == outlet
}

/// The text, if it still says something.
fn statement(text: &str) -> Option<String> {
    let text = text.trim();
    (text.split_whitespace().count() >= FEWEST_WORDS).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use model::Timestamp;

    use super::*;

    #[test]
    fn the_words_for_a_time_are_left_out() {
        for (claim, rest) in [
            ("Doro was indicted in April 2026.", "Doro was indicted."),
            ("In April 2026, Doro was indicted.", "Doro was indicted."),
            ("On Tuesday Doro was indicted.", "Doro was indicted."),
            (
                "Doro was indicted on Tuesday, 28 April 2026.",
                "Doro was indicted.",
            ),
            (
                "Doro was indicted on April 28, 2026, in Velden.",
                "Doro was indicted, in Velden.",
            ),
            (
                "Funds had their best week in mid-April 2026.",
                "Funds had their best week.",
            ),
            (
                "Doro bought Velden in 2026 for $3 billion.",
                "Doro bought Velden for $3 billion.",
            ),
            (
                "Doro resigned Monday over taxes.",
                "Doro resigned over taxes.",
            ),
        ] {
            let found = without_time(claim).map(|timeless| timeless.claim);
            assert_eq!(found.as_deref(), Some(rest), "{claim}");
        }
        for claim in [
            "Doro was indicted.",
            "Doro has led Velden since April 2026.",
            "Doro sold more than in April 2026.",
            "Doro has been in court since Monday.",
            "Doro's profit fell in the first quarter of 2026.",
            "The April 2026 meeting was moved.",
            "Doro will open by May 2026.",
            "Monday's meeting was moved.",
            "Sheffield Wednesday beat Velden.",
            "Doro lost much on Black Monday.",
            "Doro was indicted on Monday night.",
            "Sales rose in March and April 2026.",
            "Doro was convicted in 2024 and indicted in 2026.",
            "Resigned in 2026.",
        ] {
            assert_eq!(without_time(claim), None, "{claim}");
        }
    }

    #[test]
    fn who_reported_it_is_left_out() {
        let rest = "Doro was indicted again";
        for claim in [
            "According to the Velden Post, Doro was indicted again",
            "Doro was indicted again, according to the Velden Post.",
            "The Velden Post reported that Doro was indicted again",
        ] {
            let expected = Some(("Velden Post".to_owned(), rest.to_owned()));
            assert_eq!(without_outlet(claim), expected, "{claim}");
        }
        for claim in [
            rest,
            "Doro said that Velden was indicted again",
            "According to people who know it, Doro was indicted again",
        ] {
            assert_eq!(without_outlet(claim), None, "{claim}");
        }
    }

    fn wording_for(claim: &str, passage: &str, outlet: &str, published: &str) -> Option<usize> {
        let published: Timestamp = published.parse().unwrap();
        let passage = Reading::of_passage(passage, "", Some(published));
        Setting::of(claim).wording_for(&passage, outlet)
    }

    #[test]
    fn a_report_is_of_the_time_in_which_it_was_published() {
        let check = |claim: &str, passage: &str, day: &str, expected: bool| {
            let found = wording_for(claim, passage, "", &format!("{day}T08:00:00Z"));
            assert_eq!(found == Some(0), expected, "{claim} | {passage} | {day}");
        };
        let claim = "Doro was indicted in April 2026.";
        check(claim, "Doro indicted", "2026-04-28", true);
        check(claim, "Doro indicted", "2026-05-02", true);
        check(claim, "Doro indicted", "2026-05-03", false);
        check(claim, "Doro indicted", "2026-03-28", false);
        for (passage, expected) in [
            ("Doro, indicted in March, appears in court", false),
            ("Doro, who was indicted in 2019, appears in court", false),
            ("Doro was indicted last year", false),
            ("Doro, indicted in 2019, is on trial from April 2026", false),
            (
                "Doro, in power since 1999, is indicted over sales from 2018 to 2023",
                true,
            ),
            ("WASHINGTON, April 28 - Doro is indicted", true),
        ] {
            check(claim, passage, "2026-04-28", expected);
        }
        let since = "Doro had the best week since January in April 2026.";
        check(
            since,
            "Doro has best week since January",
            "2026-04-28",
            true,
        );
        check(
            since,
            "Doro has best week, better than in March",
            "2026-04-28",
            false,
        );
        let day = "Doro was indicted on 28 April 2026.";
        check(day, "Doro indicted", "2026-04-29", true);
        check(day, "Doro indicted", "2026-04-20", false);
        // A Tuesday, and the next two days.
        let weekday = "Doro was indicted on Tuesday.";
        check(weekday, "Doro indicted", "2026-04-28", true);
        check(weekday, "Doro indicted", "2026-04-30", true);
        check(weekday, "Doro indicted", "2026-05-01", false);
        check(weekday, "Doro indicted on Tuesday", "2026-05-01", true);
        check(weekday, "Doro indicted on Monday", "2026-04-28", false);
        check(
            weekday,
            "Doro, indicted in 2019, speaks",
            "2026-04-28",
            false,
        );
    }

    #[test]
    fn a_report_is_of_the_outlet_that_published_it() {
        let at = "2026-04-28T17:00:00Z";
        let claim = "The Velden Post reported that Doro was indicted.";
        assert_eq!(
            wording_for(claim, "Doro indicted", "Velden Post Online", at),
            Some(1)
        );
        assert_eq!(
            wording_for(claim, "Doro indicted", "Kestria Post", at),
            None
        );
        let country = "Velden reported that Doro was indicted.";
        assert_eq!(
            wording_for(country, "Doro indicted", "Velden Post", at),
            None
        );
        let both = "The Velden Post reported that Doro was indicted in April 2026.";
        assert_eq!(
            wording_for(both, "Doro indicted", "Velden Post", at),
            Some(2)
        );
        assert_eq!(Setting::of(both).wordings()[2], Some("Doro was indicted."));
    }
}
