//! The names of the days on which the exchange is closed or closes early.

use jiff::civil::Weekday;
use model::Day;

use super::EventKind;

/// The name of a holiday or half day; `None` for a weekend.
pub(super) fn name(day: Day, kind: EventKind) -> Option<&'static str> {
    let weekday = day.weekday();
    if matches!(weekday, Weekday::Saturday | Weekday::Sunday) {
        return None;
    }
    let date = day.date();
    if kind == EventKind::HalfDay {
        return Some(match (date.month(), date.day()) {
            (7, _) => "Independence Day, early close",
            (11, _) => "Day after Thanksgiving, early close",
            (12, 24) => "Christmas Eve, early close",
            _ => "Early close",
        });
    }
    Some(match (date.month(), date.day(), weekday) {
        (1, 1, _) | (1, 2, Weekday::Monday) => "New Year's Day",
        (1, 15..=21, Weekday::Monday) => "Martin Luther King Jr. Day",
        (2, 15..=21, Weekday::Monday) => "Washington's Birthday",
        (3 | 4, _, Weekday::Friday) => "Good Friday",
        (5, 25..=31, Weekday::Monday) => "Memorial Day",
        (6, 18..=20, _) => "Juneteenth",
        (7, 3..=5, _) => "Independence Day",
        (9, 1..=7, Weekday::Monday) => "Labor Day",
        (11, 22..=28, Weekday::Thursday) => "Thanksgiving Day",
        (12, 24..=26, _) => "Christmas Day",
        _ => "Exchange closed",
    })
}
