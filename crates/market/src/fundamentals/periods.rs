//! Spans of one concept: quarters derived from years and years to date, twelve months derived from quarters.

use std::collections::BTreeMap;

use model::{Concept, Day};

use super::Newest;

/// Fiscal years of 52 or 53 weeks begin and end a few days off the calendar year; so do their quarters.
const SLACK_DAYS: i32 = 4;

/// Number of days in a span, both ends included.
pub(super) fn is_quarter(days: i32) -> bool {
    (84..=98).contains(&days)
}

pub(super) fn is_year(days: i32) -> bool {
    (350..=380).contains(&days)
}

/// How many quarters a span has, if it is one, two, three or four.
fn quarters_of(days: i32) -> Option<i32> {
    match days {
        84..=98 => Some(1),
        172..=192 => Some(2),
        258..=288 => Some(3),
        350..=380 => Some(4),
        _ => None,
    }
}

/// The spans of one concept by last and first day.
#[derive(Debug, Default)]
pub(super) struct Spans {
    /// Last day, first day → value.
    by_end: BTreeMap<(Day, Day), f64>,
}

impl Spans {
    pub(super) fn of(newest: &Newest<'_>, concept: Concept) -> Self {
        let by_end = newest
            .iter()
            .filter(|((known, ..), _)| *known == concept)
            .filter_map(|((_, start, end), fact)| Some(((*end, (*start)?), fact.value)))
            .filter(|((end, start), _)| quarters_of(length(*start, *end)).is_some());
        Self {
            by_end: by_end.collect(),
        }
    }

    /// Last day of the newest span.
    pub(super) fn newest_end(&self) -> Option<Day> {
        self.by_end.keys().next_back().map(|(end, _)| *end)
    }

    /// Last days of the spans of a given length.
    pub(super) fn ends_of(&self, fits: fn(i32) -> bool) -> impl Iterator<Item = Day> + '_ {
        self.by_end
            .keys()
            .filter(move |(end, start)| fits(length(*start, *end)))
            .map(|(end, _)| *end)
    }

    /// Values of all spans that end within the year up to a day, inclusive.
    pub(super) fn within_a_year(&self, end: Day) -> impl Iterator<Item = f64> + '_ {
        let first = end.plus(-370);
        self.by_end
            .iter()
            .filter(move |((last, start), _)| {
                *last <= end && *start >= first && is_quarter(length(*start, *last))
            })
            .map(|(_, value)| *value)
    }

    /// The value of the shortest span that ends on a day.
    pub(super) fn newest_value(&self, end: Day) -> Option<f64> {
        self.ending(end).next_back().map(|(_, value)| value)
    }

    /// The spans that end on a day, longest first: first day and value.
    fn ending(&self, end: Day) -> impl DoubleEndedIterator<Item = (Day, f64)> + '_ {
        self.by_end
            .range((end, Day::MIN)..=(end, Day::MAX))
            .map(|((_, start), value)| (*start, *value))
    }

    /// The quarter that ends on a day: as reported, otherwise the difference between two spans of one fiscal year.
    /// Returns its first day, its value, and whether it is a difference.
    pub(super) fn quarter(&self, end: Day) -> Option<(Day, f64, bool)> {
        let reported = self
            .ending(end)
            .find(|(start, _)| is_quarter(length(*start, end)));
        if let Some((start, value)) = reported {
            return Some((start, value, false));
        }
        self.ending(end).find_map(|(start, value)| {
            let count = quarters_of(length(start, end)).filter(|count| *count > 1)?;
            let before = self.by_end.iter().rev().find(|((last, first), _)| {
                near(*first, start)
                    && quarters_of(length(*first, *last)) == Some(count - 1)
                    && is_quarter(end.since(*last))
            });
            if let Some(((last, _), earlier)) = before {
                return Some((last.plus(1), value - earlier, true));
            }
            // Without the nine months, three reported quarters will do as well.
            if count != 4 {
                return None;
            }
            let mut rest = value;
            let mut next = start;
            for _ in 0..3 {
                let ((last, _), quarter) = self.by_end.iter().find(|((last, first), _)| {
                    near(*first, next) && is_quarter(length(*first, *last))
                })?;
                rest -= quarter;
                next = last.plus(1);
            }
            is_quarter(length(next, end)).then_some((next, rest, true))
        })
    }

    /// The value of the twelve months that end on a day.
    pub(super) fn twelve_months(&self, end: Day) -> Option<f64> {
        self.year(end)
            .map(|(_, value)| value)
            .or_else(|| self.four_quarters(end))
            .or_else(|| self.year_rolled_on(end))
            .filter(|value| value.is_finite())
    }

    /// The year that ends on a day, as reported: its first day and its value.
    pub(super) fn year(&self, end: Day) -> Option<(Day, f64)> {
        self.ending(end)
            .find(|(start, _)| is_year(length(*start, end)))
    }

    fn four_quarters(&self, end: Day) -> Option<f64> {
        let mut last = end;
        let mut sum = 0.0;
        for place in 0..4 {
            let end = if place == 0 {
                last
            } else {
                self.end_near(last)?
            };
            let (start, value, _) = self.quarter(end)?;
            sum += value;
            last = start.plus(-1);
        }
        Some(sum)
    }

    /// The last day of the same period of the year before.
    pub(super) fn year_before(&self, end: Day) -> Option<Day> {
        let ends = self.by_end.keys().rev().map(|(end, _)| *end);
        let mut ends = ends.skip_while(|other| *other > end);
        ends.find(|other| (355..=375).contains(&end.since(*other)))
    }

    /// A last day on or next to a given day.
    fn end_near(&self, day: Day) -> Option<Day> {
        let near = self
            .by_end
            .range((day.plus(-SLACK_DAYS), Day::MIN)..=(day.plus(SLACK_DAYS), Day::MAX))
            .map(|((end, _), _)| *end);
        near.min_by_key(|end| end.since(day).abs())
    }

    /// The year before, plus the year to date, less the year to date of the year before.
    fn year_rolled_on(&self, end: Day) -> Option<f64> {
        self.ending(end).find_map(|(start, so_far)| {
            let count = quarters_of(length(start, end)).filter(|count| *count < 4)?;
            let year_end = self.end_near(start.plus(-1))?;
            let (year_start, year) = self.year(year_end)?;
            let before = self.by_end.iter().find(|((last, first), _)| {
                near(*first, year_start) && quarters_of(length(*first, *last)) == Some(count)
            });
            Some(year + so_far - before?.1)
        })
    }
}

/// Number of days from the first to the last, both included.
pub(super) fn length(start: Day, end: Day) -> i32 {
    end.since(start) + 1
}

fn near(a: Day, b: Day) -> bool {
    a.since(b).abs() <= SLACK_DAYS
}
