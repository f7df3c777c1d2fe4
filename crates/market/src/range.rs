//! Ranges and intervals of the wire contract, and resampling of days to weeks and months.

use std::str::FromStr;

use crate::{CandleColumns, Candles, Day};

/// How far back a response reaches, counted from the newest candle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each range names itself")]
pub enum Range {
    OneMonth,
    ThreeMonths,
    SixMonths,
    OneYear,
    TwoYears,
    FiveYears,
}

impl Range {
    /// Every range, shortest first.
    pub const ALL: [Self; 6] = [
        Self::OneMonth,
        Self::ThreeMonths,
        Self::SixMonths,
        Self::OneYear,
        Self::TwoYears,
        Self::FiveYears,
    ];

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OneMonth => "1mo",
            Self::ThreeMonths => "3mo",
            Self::SixMonths => "6mo",
            Self::OneYear => "1y",
            Self::TwoYears => "2y",
            Self::FiveYears => "5y",
        }
    }

    /// Calendar months.
    pub const fn months(self) -> i32 {
        match self {
            Self::OneMonth => 1,
            Self::ThreeMonths => 3,
            Self::SixMonths => 6,
            Self::OneYear => 12,
            Self::TwoYears => 24,
            Self::FiveYears => 60,
        }
    }

    /// The first day of the range that ends with `newest`: the same day of the month, that many months earlier.
    pub fn start(self, newest: Day) -> Day {
        newest.months_before(self.months())
    }
}

/// A word that is not a range or an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be one of {0}")]
pub struct UnknownWord(pub &'static str);

impl FromStr for Range {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|range| range.as_str() == text)
            .ok_or(UnknownWord("1mo, 3mo, 6mo, 1y, 2y, 5y"))
    }
}

/// The length of one bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each interval names itself")]
pub enum Interval {
    Day,
    Week,
    Month,
}

impl Interval {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Day => "1d",
            Self::Week => "1wk",
            Self::Month => "1mo",
        }
    }

    /// The label of the bar to which a day belongs: the day itself, the Monday of its ISO week or the first of its
    /// month.
    pub fn label(self, day: Day) -> Day {
        match self {
            Self::Day => day,
            Self::Week => day.monday(),
            Self::Month => day.first_of_month(),
        }
    }
}

impl FromStr for Interval {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Day, Self::Week, Self::Month]
            .into_iter()
            .find(|interval| interval.as_str() == text)
            .ok_or(UnknownWord("1d, 1wk, 1mo"))
    }
}

/// Daily candles as bars of an interval: first open, highest high, lowest low, last close, total volume.
///
/// Bars are labelled as on Yahoo Finance, by the Monday of the ISO week or by the first of the month, even if the
/// exchange was closed on that day. The newest bar may be incomplete.
///
/// Worked example: Thursday 2 (1, 5, 1, 4), Friday 3 (4, 6, 3, 3) and Monday 6 January 2025 (3, 4, 2, 4) make two
/// weeks: 2024-12-30 (1, 6, 1, 3) and 2025-01-06 (3, 4, 2, 4).
pub fn resample(candles: Candles<'_>, interval: Interval) -> CandleColumns {
    let mut columns = CandleColumns::with_capacity(candles.len());
    let mut open_bar: Option<crate::Candle> = None;
    for candle in candles.iter() {
        let label = interval.label(candle.day);
        match &mut open_bar {
            Some(bar) if bar.day == label => {
                bar.high = bar.high.max(candle.high);
                bar.low = bar.low.min(candle.low);
                bar.close = candle.close;
                bar.volume += candle.volume;
            }
            bar => {
                let finished = bar.replace(crate::Candle {
                    day: label,
                    ..candle
                });
                if let Some(finished) = finished {
                    columns.push_sound(finished);
                }
            }
        }
    }
    if let Some(bar) = open_bar {
        columns.push_sound(bar);
    }
    columns
}

/// The bars whose label lies between two days, resampled from the whole history.
pub fn chart_between(
    history: Candles<'_>,
    interval: Interval,
    from: Option<Day>,
    to: Option<Day>,
) -> CandleColumns {
    let history = history.until(to.unwrap_or(Day::MAX));
    let bars = resample(history, interval);
    let first = from.map_or(Day::MIN, |from| interval.label(from));
    bars.view().since(first).iter().collect()
}

/// The bars of an interval within a range. The whole history is resampled before it is cut, so the first bar is never
/// a partial week or month: it is the first one whose label lies in the range.
pub fn chart(history: Candles<'_>, interval: Interval, range: Range) -> CandleColumns {
    let Some(newest) = history.last() else {
        return CandleColumns::default();
    };
    let bars = resample(history, interval);
    let mut kept = CandleColumns::default();
    for bar in bars.view().since(range.start(newest.day)).iter() {
        kept.push_sound(bar);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Candle;
    use proptest::prelude::*;

    fn candle(day: &str, [open, high, low, close]: [f64; 4]) -> Candle {
        Candle {
            day: Day::parse(day).unwrap(),
            open,
            high,
            low,
            close,
            volume: 10.0,
        }
    }

    #[test]
    fn the_worked_example() {
        let (days, _) = CandleColumns::sift([
            candle("2025-01-02", [1.0, 5.0, 1.0, 4.0]),
            candle("2025-01-03", [4.0, 6.0, 3.0, 3.0]),
            candle("2025-01-06", [3.0, 4.0, 2.0, 4.0]),
        ]);
        let weeks = resample(days.view(), Interval::Week);
        let first = weeks.view().get(0).unwrap();
        assert_eq!(first.volume, 20.0);
        assert_eq!(
            first,
            Candle {
                volume: 20.0,
                ..candle("2024-12-30", [1.0, 6.0, 1.0, 3.0])
            }
        );
        assert_eq!(
            weeks.view().get(1).unwrap(),
            candle("2025-01-06", [3.0, 4.0, 2.0, 4.0])
        );
        let month = resample(days.view(), Interval::Month);
        assert_eq!(month.view().len(), 1);
        assert_eq!(month.view().days()[0].to_string(), "2025-01-01");
    }

    #[test]
    fn the_first_bar_of_a_chart_is_whole() {
        let (days, _) = CandleColumns::sift((0..120).map(|n| Candle {
            day: Day::parse("2025-01-01").unwrap().plus(n),
            open: 1.0,
            high: 1.0,
            low: 1.0,
            close: 1.0,
            volume: 1.0,
        }));
        let weeks = chart(days.view(), Interval::Week, Range::OneMonth);
        assert!(weeks.view().volume()[0] == 7.0);
        assert!(
            chart(days.view().bars(0, 0), Interval::Week, Range::OneMonth)
                .view()
                .is_empty()
        );
    }

    #[test]
    fn words_read_back() {
        for range in Range::ALL {
            assert_eq!(range.as_str().parse::<Range>(), Ok(range));
        }
        assert!("10y".parse::<Range>().is_err());
        assert!("1h".parse::<Interval>().is_err());
    }

    proptest! {
        #[test]
        fn nothing_is_lost(gaps in prop::collection::vec(1_i32..9, 1..80)) {
            let mut day = Day::new(19_000).unwrap();
            let (days, _) = CandleColumns::sift(gaps.iter().enumerate().map(|(n, gap)| {
                day = day.plus(*gap);
                let price = 1.0 + n as f64;
                Candle { day, open: price, high: price + 1.0, low: price / 2.0, close: price, volume: n as f64 }
            }));
            for interval in [Interval::Day, Interval::Week, Interval::Month] {
                let bars = resample(days.view(), interval);
                let bars = bars.view();
                prop_assert!(bars.iter().all(|bar| bar.defect().is_none()));
                prop_assert!(bars.days().is_sorted_by(|a, b| a < b));
                prop_assert_eq!(bars.volume().iter().sum::<f64>(), days.view().volume().iter().sum::<f64>());
                prop_assert_eq!(bars.last().unwrap().close, days.view().last().unwrap().close);
            }
        }
    }
}
