//! Weekdays on which the American stock exchanges are closed, or close early.
//!
//! Source: rule 7.2 of the New York Stock Exchange and its published calendars.

use jiff::civil::{Date, Weekday, date};

use model::easter_sunday;

use crate::Day;

/// Closures outside the rules, since 2000: attacks, mourning for presidents, a hurricane.
const SINGLE_CLOSURES: [Date; 10] = [
    date(2001, 9, 11),
    date(2001, 9, 12),
    date(2001, 9, 13),
    date(2001, 9, 14),
    date(2004, 6, 11),
    date(2007, 1, 2),
    date(2012, 10, 29),
    date(2012, 10, 30),
    date(2018, 12, 5),
    date(2025, 1, 9),
];

/// Half days outside the rules, since 2000.
const SINGLE_HALF_DAYS: [Date; 2] = [date(2002, 7, 5), date(2003, 12, 26)];

/// Whether the exchange is closed on a weekday.
pub(super) fn is_holiday(day: Day) -> bool {
    let today = day.date();
    let year = today.year();
    let is = |holiday: Day| holiday == day;
    // A New Year's Day that falls on a Saturday is not observed on the Friday before, which closes the year's books.
    let new_year = fixed(year, 1, 1);
    is(sunday_to_monday(new_year))
        || (year >= 1998 && is(nth(year, 1, Weekday::Monday, 3)))
        || is(nth(year, 2, Weekday::Monday, 3))
        || is(easter_sunday(year).plus(-2))
        || is(last_monday(year, 5))
        || (year >= 2022 && is(observed(fixed(year, 6, 19))))
        || is(observed(fixed(year, 7, 4)))
        || is(nth(year, 9, Weekday::Monday, 1))
        || is(nth(year, 11, Weekday::Thursday, 4))
        || is(observed(fixed(year, 12, 25)))
        || SINGLE_CLOSURES.contains(&today)
}

/// Whether trading ends at 13:00 on a weekday that is not a holiday: the day after Thanksgiving, Christmas Eve, and
/// the eve of Independence Day if that is a weekday after Monday.
pub(super) fn is_half_day(day: Day) -> bool {
    let today = day.date();
    let year = today.year();
    let independence = fixed(year, 7, 4);
    let before_independence = match independence.weekday() {
        // Until 2012 the Friday after was the half day.
        Weekday::Thursday if year < 2013 => false,
        Weekday::Saturday | Weekday::Sunday | Weekday::Monday => false,
        _ => day == independence.plus(-1),
    };
    before_independence
        || day == nth(year, 11, Weekday::Thursday, 4).plus(1)
        || day == fixed(year, 12, 24)
        || SINGLE_HALF_DAYS.contains(&today)
}

fn fixed(year: i16, month: i8, day: i8) -> Day {
    Day::from_date(date(year, month, day))
}

/// A holiday on a Saturday is observed on Friday, one on a Sunday on Monday.
fn observed(day: Day) -> Day {
    if day.weekday() == Weekday::Saturday {
        day.plus(-1)
    } else {
        sunday_to_monday(day)
    }
}

fn sunday_to_monday(day: Day) -> Day {
    if day.weekday() == Weekday::Sunday {
        day.plus(1)
    } else {
        day
    }
}

/// The n-th given weekday of a month.
fn nth(year: i16, month: i8, weekday: Weekday, n: i32) -> Day {
    let first = fixed(year, month, 1);
    let ahead = first.weekday().until(weekday);
    first.plus(i32::from(ahead) + 7 * (n - 1))
}

fn last_monday(year: i16, month: i8) -> Day {
    let fourth = nth(year, month, Weekday::Monday, 4);
    let fifth = fourth.plus(7);
    if fifth.date().month() == month {
        fifth
    } else {
        fourth
    }
}
