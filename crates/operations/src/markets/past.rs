//! Past values of a series, if they are requested along with the latest one.

use analysis::market::{DataIssue, Values};
use market::Range;
use model::{Day, Observation};
use serde::Serialize;
use utoipa::ToSchema;

use crate::Arguments;

/// The past values requested.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stretch {
    range: Option<Range>,
    from: Option<Day>,
    to: Option<Day>,
}

/// One value of a series.
#[derive(Serialize, ToSchema)]
#[schema(as = Observation)]
pub(crate) struct ObservationBody {
    /// Day of the value, or the first day of its month or quarter, YYYY-MM-DD.
    date: String,
    /// Value in the unit of the series.
    value: f64,
}

impl From<Observation> for ObservationBody {
    fn from(observation: Observation) -> Self {
        Self {
            date: observation.day.to_string(),
            value: observation.value,
        }
    }
}

impl Stretch {
    /// Reads its arguments: `range`, or `from` and `to`.
    pub(crate) fn read(arguments: &mut Arguments<'_>) -> Self {
        let ranges = Range::ALL.map(|range| (range.as_str(), range));
        let stretch = Self {
            range: arguments.word(
                "range",
                &ranges,
                "Lists the values for this period, up to the latest value",
            ),
            from: arguments
                .date(
                    "from",
                    "Lists the values from this day on, YYYY-MM-DD; replaces `range`",
                )
                .map(Day::of),
            to: arguments
                .date(
                    "to",
                    "Lists the values up to this day, YYYY-MM-DD; replaces `range`",
                )
                .map(Day::of),
        };
        arguments.in_order(stretch.from, stretch.to);
        stretch
    }

    /// The first and last day, if the period is given by them.
    pub(crate) fn days(self) -> Option<(Day, Day)> {
        let is_given = self.from.is_some() || self.to.is_some();
        is_given.then_some((self.from.unwrap_or(Day::MIN), self.to.unwrap_or(Day::MAX)))
    }

    /// The values in the period, oldest first, with the reason if there are none; `None` if none are requested.
    pub(crate) fn cut(
        self,
        values: Option<&Values>,
    ) -> Option<(Vec<ObservationBody>, Option<DataIssue>)> {
        let Self { range, from, to } = self;
        if range.is_none() && from.is_none() && to.is_none() {
            return None;
        }
        let all = values.map_or(&[][..], |values| &values.observations);
        let (from, to) = match (range, all.last()) {
            _ if from.is_some() || to.is_some() => {
                (from.unwrap_or(Day::MIN), to.unwrap_or(Day::MAX))
            }
            (Some(range), Some(newest)) => (range.start(newest.day), Day::MAX),
            _ => (Day::MIN, Day::MAX),
        };
        let found: Vec<ObservationBody> = all
            .iter()
            .filter(|one| (from..=to).contains(&one.day))
            .map(|one| ObservationBody::from(*one))
            .collect();
        let issue = found.is_empty().then(|| DataIssue {
            newest_available: all.last().map(|newest| newest.day.plus(1).starts_at()),
            ..DataIssue::absent("history", "no value lies in the period")
        });
        Some((found, issue))
    }
}

/// Which of several histories covers a period best: of those with similar coverage, the one with the most values, and
/// the first of equals. A monthly mean hides the daily price moves, and daily prices that end years earlier hide the
/// rest.
pub(crate) fn fullest(histories: &[&[Observation]], (from, to): (Day, Day)) -> Option<usize> {
    /// How many days later histories with similar coverage may begin, and how many days earlier they may end.
    const APART: i32 = 45;
    let within = |history: &&[Observation]| {
        let mut days = history.iter().map(|one| one.day);
        let first = days.find(|day| (from..=to).contains(day))?;
        let last = history.iter().rfind(|one| (from..=to).contains(&one.day))?;
        let count = history.iter().filter(|one| (from..=to).contains(&one.day));
        Some((first, last.day, count.count()))
    };
    let found: Vec<_> = histories.iter().map(within).collect();
    let first = found.iter().flatten().map(|(first, ..)| *first).min()?;
    let last = found.iter().flatten().map(|(_, last, _)| *last).max()?;
    let mut best: Option<(usize, usize)> = None;
    for (place, one) in found.iter().enumerate() {
        let Some((begins, ends, count)) = *one else {
            continue;
        };
        let covers = begins.since(first) <= APART && last.since(ends) <= APART;
        if covers && best.is_none_or(|(_, most)| count > most) {
            best = Some((place, count));
        }
    }
    best.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn daily_prices_tell_more_of_a_period_unless_they_end_before_it() {
        let day = |text: &str| Day::parse(text).unwrap();
        let every = |first: &str, last: &str, step: i32| {
            let (first, last) = (day(first), day(last));
            let places = 0..=last.since(first) / step;
            places
                .map(|place| Observation {
                    day: first.plus(place * step),
                    value: 1.0,
                })
                .collect::<Vec<_>>()
        };
        let monthly = every("2015-01-01", "2026-06-01", 30);
        let daily = every("2015-01-02", "2024-04-17", 1);
        let histories = [&monthly[..], &daily[..]];
        let check = |from: &str, to: &str, expected| {
            let found = fullest(&histories, (day(from), day(to)));
            assert_eq!(found, expected, "{from} to {to}");
        };
        check("2020-08-01", "2020-08-31", Some(1));
        check("2015-01-01", "2026-11-26", Some(0));
        check("2025-01-01", "2025-12-31", Some(0));
        check("1990-01-01", "1990-12-31", None);
    }
}
