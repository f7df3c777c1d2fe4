//! Past values of a series, where they are asked for beside the newest one.

use analysis::market::{DataIssue, Values};
use market::Range;
use model::{Day, Observation};
use serde::Serialize;
use utoipa::ToSchema;

use crate::Arguments;

/// Which past values are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stretch {
    range: Option<Range>,
    from: Option<Day>,
    to: Option<Day>,
}

/// A value.
#[derive(Serialize, ToSchema)]
#[schema(as = Observation)]
pub(crate) struct ObservationBody {
    /// Its day, or the first day of its month or quarter, YYYY-MM-DD.
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
    /// Its arguments: `range`, or `from` and `to`.
    pub(crate) fn read(arguments: &mut Arguments<'_>) -> Self {
        let ranges = Range::ALL.map(|range| (range.as_str(), range));
        let stretch = Self {
            range: arguments.word(
                "range",
                &ranges,
                "Lists the values of this period up to the latest one",
            ),
            from: arguments
                .date(
                    "from",
                    "Lists the values from this day on, YYYY-MM-DD; instead of `range`",
                )
                .map(Day::of),
            to: arguments
                .date(
                    "to",
                    "Lists the values until this day, YYYY-MM-DD; instead of `range`",
                )
                .map(Day::of),
        };
        arguments.in_order(stretch.from, stretch.to);
        stretch
    }

    /// The values of the stretch, oldest first, and why there are none; `None` where none are asked for.
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
