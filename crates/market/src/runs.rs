//! Runs of sessions: if a history has a gap in its bars, anything that counts sessions starts again after it.
//!
//! Two bars with months between them are not consecutive sessions. A mean of twenty closes across such a gap is not a
//! mean of twenty sessions, and a relative strength index takes the move of those months for the move of a day.
//! Shares are suspended for days and exchanges close for a week, so a gap is more than ten working days without a
//! bar, whatever the exchange.

use std::ops::Range;

use crate::Day;
use crate::indicators::Line;

/// The most working days without a bar that do not yet count as a gap.
const LONGEST_PAUSE: i32 = 10;

/// The positions of the bars of each run, oldest first; `days` ascend.
pub fn runs(days: &[Day]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut begins = 0;
    std::iter::from_fn(move || {
        let rest = days.get(begins..).filter(|rest| !rest.is_empty())?;
        let run = rest
            .windows(2)
            .position(|pair| is_hole(pair[0], pair[1]))
            .map_or(rest.len(), |last| last + 1);
        let found = begins..begins + run;
        begins = found.end;
        Some(found)
    })
}

/// An indicator's values from one value a day, with each run on its own.
pub fn along_runs(
    days: &[Day],
    values: &[f64],
    indicator: impl Fn(&[f64]) -> Line,
) -> Vec<Option<f64>> {
    let mut found = Vec::with_capacity(values.len());
    for run in runs(days) {
        let Some(values) = values.get(run) else {
            break;
        };
        let line = indicator(values);
        found.extend((0..values.len()).map(|bar| line.at(bar)));
    }
    found
}

/// Whether there are so many days between two bars that they are not consecutive sessions.
pub(crate) fn is_hole(before: Day, after: Day) -> bool {
    let apart = after.since(before);
    if apart <= LONGEST_PAUSE {
        return false;
    }
    let mut working = (1..apart).filter(|days| !before.plus(*days).is_weekend());
    working.nth(LONGEST_PAUSE as usize).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indicators::sma::sma;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    #[test]
    fn more_than_ten_working_days_are_a_hole() {
        for (before, after, expected) in [
            ("2025-01-03", "2025-01-06", false),
            // Friday to Monday two weeks later: ten working days.
            ("2025-01-03", "2025-01-20", false),
            ("2025-01-03", "2025-01-21", true),
            ("2025-01-06", "2025-01-21", false),
            ("2025-01-06", "2025-01-22", true),
            ("2024-01-06", "2025-01-22", true),
        ] {
            let found = is_hole(day(before), day(after));
            assert_eq!(found, expected, "{before} {after}");
        }
    }

    #[test]
    fn an_indicator_begins_again_after_a_hole() {
        let mut days: Vec<Day> = (0..4).map(|at| day("2025-01-06").plus(at)).collect();
        days.extend((0..3).map(|at| day("2025-03-03").plus(at)));
        assert_eq!(runs(&days).collect::<Vec<_>>(), [0..4, 4..7]);
        assert!(runs(&days[..4]).eq(std::iter::once(0..4)));
        assert_eq!(runs(&[]).count(), 0);
        let closes = [1.0, 3.0, 5.0, 7.0, 100.0, 102.0, 104.0];
        let mean = along_runs(&days, &closes, |values| sma(values, 2));
        let expected = [None, Some(2.0), Some(4.0), Some(6.0), None, Some(101.0)];
        assert_eq!(mean[..6], expected);
    }
}
