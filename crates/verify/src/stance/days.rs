//! Days, months and years named in a text, and whether a passage confirms a day in a claim.

use std::ops::Range;

use jiff::civil::Weekday;
use model::Day;

use crate::figures::dates::{month_day, ymd};
use crate::figures::token::Token;

/// A day, month or year as it is named; anything not named is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) year: Option<i32>,
    pub(super) month: Option<i32>,
    pub(super) day: Option<i32>,
}

/// What a text says about time.
#[derive(Clone, Debug, Default)]
pub(super) struct Days {
    pub(super) named: Vec<Named>,
    pub(super) weekdays: Vec<Weekday>,
    /// Years and months relative to the publication date: `next year`, `last month`.
    relative: Vec<Relative>,
    /// Tokens that belong to a date, and so are not figures.
    pub(super) taken: Vec<bool>,
    /// For each day that is named, whether it is the beginning or the end of a time: `since 1999`, `from 2018 to 2023`.
    is_bound: Vec<bool>,
    /// The tokens of each day that is named, in order.
    pub(super) places: Vec<Range<usize>>,
}

/// A year or a month, counted from that of the publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relative {
    Year(i32),
    Month(i32),
}

/// What a passage says about a day in a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// It names the day, or was published then.
    Held,
    /// It names a different one.
    Another,
    /// Neither.
    Open,
}

/// News is published at most this many days after what it calls today, and seldom before it.
const AFTER: i32 = 2;
const BEFORE: i32 = 1;
/// How many days ahead a day without a year may be meant.
const HALF_A_YEAR: i32 = 183;

/// Words before the beginning or the end of a time.
const BOUNDS: [&str; 10] = [
    "since", "from", "until", "till", "to", "through", "before", "after", "by", "between",
];

impl Days {
    /// Reads the tokens of a text.
    pub(super) fn read(tokens: &[Token<'_>]) -> Self {
        let mut days = Self {
            taken: vec![false; tokens.len()],
            ..Self::default()
        };
        let mut at = 0;
        while at < tokens.len() {
            if let Some((named, next)) = named(tokens, at) {
                days.named.push(named);
                days.taken[at..next].fill(true);
                let before = at.checked_sub(1).map(|before| &tokens[before]);
                let is_bound = before.is_some_and(|before| before.is_any(&BOUNDS));
                days.is_bound.push(is_bound);
                days.places.push(at..next);
                at = next;
                continue;
            }
            days.relative.extend(relative(tokens, at));
            if tokens[at].is_capital()
                && let Some(weekday) = month_day::weekday(&tokens[at])
                && !days.weekdays.contains(&weekday)
            {
                days.weekdays.push(weekday);
            }
            at += 1;
        }
        days
    }

    /// Adds the days of another sentence.
    pub(super) fn add(&mut self, other: Self) {
        self.named.extend(other.named);
        self.is_bound.extend(other.is_bound);
        self.relative.extend(other.relative);
        for weekday in other.weekdays {
            if !self.weekdays.contains(&weekday) {
                self.weekdays.push(weekday);
            }
        }
    }

    /// Whether a passage with these days names a time to come, as seen from its publication, that differs from the one
    /// in a claim and is named as exactly: `June 1` next to `1 September`.
    pub(super) fn name_another_to_come(&self, wanted: Named, published: Day) -> bool {
        let year = i32::from(published.date().year());
        let named = self.named.iter().filter_map(|named| {
            let filled = Named {
                year: named.year.or(Some(year)),
                ..*named
            };
            let (month, day) = (named.month.unwrap_or(1), named.day.unwrap_or(1));
            let ahead = ymd(filled.year?, month, day)?.since(published);
            // `in November`, written in March, mostly means the last one.
            let is_near = named.year.is_some() || ahead <= HALF_A_YEAR;
            (ahead > 0 && is_near).then_some(filled)
        });
        let seen = self.relative.iter().filter_map(|relative| {
            let (Relative::Year(after) | Relative::Month(after)) = *relative;
            (after > 0).then(|| relative.from(published))
        });
        named.chain(seen).any(|later| later.excludes(wanted))
    }

    /// What a passage with these days, published on this day, says about a day in a claim.
    pub(super) fn tells(&self, wanted: Named, published: Option<Day>) -> Told {
        let year = published.map(|day| i32::from(day.date().year()));
        let filled = self.named.iter().map(|named| Named {
            year: named
                .year
                .or(if named.month.is_some() { year } else { None }),
            ..*named
        });
        let seen = published.into_iter().flat_map(|published| {
            self.relative
                .iter()
                .map(move |relative| relative.from(published))
        });
        let filled: Vec<Named> = filled.chain(seen).collect();
        if filled.iter().any(|named| named.tells(wanted)) {
            return Told::Held;
        }
        if filled.iter().any(|named| named.excludes(wanted)) {
            return Told::Another;
        }
        let Some(published) = published else {
            return Told::Open;
        };
        let on = published.date();
        let (this_year, this_month) = (i32::from(on.year()), i32::from(on.month()));
        match (wanted.year, wanted.month, wanted.day) {
            (wanted_year, Some(month), Some(day)) => {
                let Some(wanted) = ymd(wanted_year.unwrap_or(this_year), month, day) else {
                    return Told::Open;
                };
                let since = published.since(wanted);
                if since.abs() <= 7 && !self.weekdays.is_empty() {
                    let is_named = self.weekdays.contains(&wanted.date().weekday());
                    return if is_named { Told::Held } else { Told::Another };
                }
                if (-BEFORE..=AFTER).contains(&since) {
                    Told::Held
                } else {
                    Told::Open
                }
            }
            (wanted_year, Some(month), None) => {
                let is_then = month == this_month
                    && wanted_year.is_none_or(|wanted_year| wanted_year == this_year);
                if is_then { Told::Held } else { Told::Open }
            }
            (Some(wanted_year), None, _) if wanted_year == this_year => Told::Held,
            _ => Told::Open,
        }
    }

    /// Whether a passage with these days, published on this day, is about a day in a claim: it names the day or was
    /// published then, and names no other. Days that the claim also names say nothing about this one, and neither do
    /// the beginning and the end of a time.
    pub(super) fn are_of(&self, wanted: Named, also: &[Named], published: Day) -> bool {
        let year = Some(i32::from(published.date().year()));
        let is_also = |named: &Named| {
            let filled = Named {
                year: named.year.or(year),
                ..*named
            };
            also.iter().any(|other| filled.tells(*other))
        };
        let mut own = self.clone();
        let mut is_bound = own.is_bound.iter();
        own.named
            .retain(|named| is_bound.next() != Some(&true) && !is_also(named));
        let relative = own.relative.iter().map(|one| one.from(published));
        let mut named = own.named.iter().copied().chain(relative);
        let is_of_other = named.any(|named| {
            let year = named.year.or(named.month.and(year));
            Named { year, ..named }.differs(wanted)
        });
        !is_of_other
            && (own.tells(wanted, Some(published)) == Told::Held
                || is_just_after(wanted, published))
    }
}

/// Whether a passage dates from the first days after a month.
fn is_just_after(wanted: Named, published: Day) -> bool {
    let (Some(month), None) = (wanted.month, wanted.day) else {
        return false;
    };
    let year = wanted
        .year
        .unwrap_or_else(|| i32::from(published.date().year()));
    let (next_year, next_month) = if month == 12 {
        (year + 1, 1)
    } else {
        (year, month + 1)
    };
    ymd(next_year, next_month, 1).is_some_and(|first| (0..AFTER).contains(&published.since(first)))
}

impl Relative {
    fn from(self, published: Day) -> Named {
        let on = published.date();
        let (year, month) = (i32::from(on.year()), i32::from(on.month()));
        match self {
            Self::Year(after) => Named {
                year: Some(year + after),
                month: None,
                day: None,
            },
            Self::Month(after) => {
                let months = year * 12 + month - 1 + after;
                Named {
                    year: Some(months.div_euclid(12)),
                    month: Some(months.rem_euclid(12) + 1),
                    day: None,
                }
            }
        }
    }
}

/// `next year`, `last month`.
fn relative(tokens: &[Token<'_>], at: usize) -> Option<Relative> {
    let after = match tokens.get(at)?.lower.as_str() {
        "next" => 1,
        "last" => -1,
        "this" => 0,
        _ => return None,
    };
    let next = tokens.get(at + 1)?;
    if next.is("year") {
        Some(Relative::Year(after))
    } else if next.is("month") {
        Some(Relative::Month(after))
    } else {
        None
    }
}

impl Named {
    /// Whether this names what is wanted, or names it more exactly.
    fn tells(self, wanted: Self) -> bool {
        let same = |here: Option<i32>, there: Option<i32>| there.is_none() || here == there;
        same(self.month, wanted.month)
            && same(self.day, wanted.day)
            && (same(self.year, wanted.year) || self.year.is_none() && self.month.is_some())
    }

    /// Whether this names a different one of the same kind.
    fn excludes(self, wanted: Self) -> bool {
        self.month.is_some() == wanted.month.is_some()
            && self.day.is_some() == wanted.day.is_some()
            && self.differs(wanted)
    }

    /// Whether the two cannot be the same time.
    fn differs(self, wanted: Self) -> bool {
        let differ = |here: Option<i32>, there: Option<i32>| {
            here.zip(there).is_some_and(|(here, there)| here != there)
        };
        differ(self.year, wanted.year)
            || differ(self.month, wanted.month)
            || differ(self.day, wanted.day)
    }
}

/// A date that begins at a token, with the token after it.
fn named(tokens: &[Token<'_>], at: usize) -> Option<(Named, usize)> {
    let token = tokens.get(at)?;
    let of_month = |at: usize| tokens.get(at).and_then(month_day::month);
    let of_day = |at: usize| {
        let token = tokens.get(at)?;
        token
            .whole()
            .filter(|day| (1..=31).contains(day) && token.text.len() <= 2)
    };
    let skip_ending = |at: usize| {
        let is_ending = tokens
            .get(at)
            .is_some_and(|token| token.is_any(&["st", "nd", "rd", "th"]));
        if is_ending { at + 1 } else { at }
    };
    // `14 March 2024`, `the 14th of March`.
    if let Some(day) = of_day(at) {
        let mut next = skip_ending(at + 1);
        if tokens.get(next).is_some_and(|token| token.is("of")) {
            next += 1;
        }
        let month = of_month(next)?;
        let (year, next) = year_at(tokens, next + 1);
        return Some((
            Named {
                year,
                month: Some(month),
                day: Some(day),
            },
            next,
        ));
    }
    if let Some(month) = of_month(at) {
        // `March 14, 2024`; a figure with a unit after it is not a day.
        if let Some(day) = of_day(at + 1) {
            let next = skip_ending(at + 2);
            if !tokens
                .get(next)
                .is_some_and(|token| token.is_any(&["%", "percent"]))
            {
                let (year, next) = year_at(tokens, next);
                return Some((
                    Named {
                        year,
                        month: Some(month),
                        day: Some(day),
                    },
                    next,
                ));
            }
        }
        let (year, next) = year_at(tokens, at + 1);
        // `may` alone is more often a verb than a month, also at the beginning of a sentence.
        let is_doubtful = token.is_any(&["may", "march"]) && year.is_none();
        let behind = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| {
                before.is_any(&[
                    "in", "of", "since", "by", "until", "last", "this", "next", "early", "late",
                    "mid",
                ])
            });
        return (!is_doubtful || behind).then_some((
            Named {
                year,
                month: Some(month),
                day: None,
            },
            next,
        ));
    }
    let year = token
        .whole()
        .filter(|year| token.text.len() == 4 && (1900..2100).contains(year))?;
    Some((
        Named {
            year: Some(year),
            month: None,
            day: None,
        },
        at + 1,
    ))
}

fn year_at(tokens: &[Token<'_>], at: usize) -> (Option<i32>, usize) {
    let year = tokens.get(at).and_then(|token| {
        token
            .whole()
            .filter(|year| token.text.len() == 4 && (1900..2100).contains(year))
    });
    (year, if year.is_some() { at + 1 } else { at })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::token::cut;

    fn read(text: &str) -> Days {
        Days::read(&cut(text))
    }

    fn told(claim: &str, passage: &str, published: &str) -> Told {
        read(passage).tells(read(claim).named[0], Day::parse(published))
    }

    #[test]
    fn dates_are_read_as_they_are_written() {
        let named = |text: &str| {
            read(text)
                .named
                .iter()
                .map(|named| (named.year, named.month, named.day))
                .collect::<Vec<_>>()
        };
        assert_eq!(named("on 5 March 2022"), [(Some(2022), Some(3), Some(5))]);
        assert_eq!(named("Aug. 4 in Canton"), [(None, Some(8), Some(4))]);
        assert_eq!(named("in May 2026"), [(Some(2026), Some(5), None)]);
        assert_eq!(named("it may end in 2035"), [(Some(2035), None, None)]);
        assert_eq!(named("up 12 % in March"), [(None, Some(3), None)]);
    }

    #[test]
    fn only_another_time_to_come_puts_a_plan_off() {
        let put = |claim: &str, passage: &str| {
            let published = Day::parse("2026-03-10").unwrap();
            read(passage).name_another_to_come(read(claim).named[0], published)
        };
        assert!(put("on 1 September 2026", "opens on June 1"));
        assert!(put("in 2028", "closes in 2035"));
        assert!(put("in 2028", "closes next year"));
        assert!(put("in September 2026", "opens next month"));
        for open in [
            "opens on September 1",
            "opened on January 8",
            // The last one, as it seems.
            "burned on November 3",
            "opens in June",
            "opens soon",
        ] {
            assert!(!put("on 1 September 2026", open), "{open}");
        }
    }

    #[test]
    fn the_day_of_publication_fills_what_is_not_written() {
        assert_eq!(
            told("on 7 May 2026", "signed May 7", "2026-05-08"),
            Told::Held
        );
        assert_eq!(
            told("on 1 September 2026", "launch on June 1", "2026-05-05"),
            Told::Another
        );
        assert_eq!(
            told("on 5 March 2022", "won Saturday's vote", "2022-03-06"),
            Told::Held
        );
        assert_eq!(
            told("on 4 March 2022", "won Saturday's vote", "2022-03-06"),
            Told::Another
        );
        assert_eq!(
            told("on 4 March 2022", "won the vote", "2022-03-04"),
            Told::Held
        );
        assert_eq!(
            told("on 4 March 2022", "won the vote", "2022-03-14"),
            Told::Open
        );
        assert_eq!(
            told("as early as 2028", "dies in 2035", "2022-03-01"),
            Told::Another
        );
        assert_eq!(told("in 2022", "it won", "2022-03-01"), Told::Held);
        assert_eq!(
            told("in 2027", "launch next year", "2026-05-01"),
            Told::Held
        );
        assert_eq!(
            told("in December 2025", "launch last month", "2026-01-15"),
            Told::Held
        );
    }
}
