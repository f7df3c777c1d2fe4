//! A symbol's figures from candles alone, on which the filters are evaluated.

use crate::beta::fifty_two_week;
use crate::indicators::macd::macd;
use crate::indicators::rsi::{self, rsi};
use crate::indicators::sma::sma;
use crate::{Candles, Day, Range};

/// Within this many days before a period lies the close from which its change is measured.
const LEAD_IN_DAYS: i32 = 10;

/// Days over which volume is averaged.
pub const VOLUME_PERIOD: u16 = 20;

/// A symbol's figures from candles alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the filters")]
pub struct PriceMetrics {
    /// The session of the price.
    pub date: Option<Day>,
    pub price: Option<f64>,
    pub change_pct: Option<f64>,
    pub rsi_14: Option<f64>,
    pub macd_histogram: Option<f64>,
    pub sma_20: Option<f64>,
    pub sma_50: Option<f64>,
    pub sma_200: Option<f64>,
    /// Mean daily volume over 20 days; `None` if volumes are not known.
    pub volume: Option<f64>,
    /// How far the price lies below the 52-week high and above the 52-week low, in percent of each.
    pub from_52w_high: Option<f64>,
    pub from_52w_low: Option<f64>,
    /// Since the last close of the previous year, in percent.
    pub change_ytd: Option<f64>,
    /// Over twelve months, in percent.
    pub change_1y: Option<f64>,
}

impl PriceMetrics {
    /// The metrics at the newest candle, over the history that `range=5y` returns. Indicators and mean volume are
    /// computed from the newest gap in it onwards.
    pub fn newest(history: Candles<'_>) -> Self {
        let candles = history.within(Range::FiveYears);
        let run = candles.newest_run();
        let close = run.close();
        Self {
            date: candles.days().last().copied(),
            price: close.last().copied(),
            change_pct: candles.change_pct(),
            rsi_14: rsi(close).last().filter(|_| has_moved(close)),
            macd_histogram: macd(close).histogram.last(),
            sma_20: sma(close, 20).last(),
            sma_50: sma(close, 50).last(),
            sma_200: sma(close, 200).last(),
            volume: sma(run.volume(), VOLUME_PERIOD)
                .last()
                .filter(|_| candles.measured().has_volumes()),
            from_52w_high: below_high(candles),
            from_52w_low: above_low(candles),
            change_ytd: change_ytd(candles),
            change_1y: change_1y(candles),
        }
    }
}

/// How far the newest close lies below the highest price of the 52 weeks up to it, in percent of that price.
pub(crate) fn below_high(history: Candles<'_>) -> Option<f64> {
    let (high, _) = fifty_two_week(history)?;
    let close = history.close().last()?;
    Some((1.0 - close / high) * 100.0).filter(|percent| percent.is_finite())
}

/// How far the newest close lies above the lowest price of the 52 weeks up to it, in percent of that price.
pub(crate) fn above_low(history: Candles<'_>) -> Option<f64> {
    let (_, low) = fifty_two_week(history)?;
    let close = history.close().last()?;
    Some((close / low - 1.0) * 100.0).filter(|percent| percent.is_finite())
}

/// The change since the last close of the previous year, in percent.
pub(crate) fn change_ytd(history: Candles<'_>) -> Option<f64> {
    let newest = history.days().last()?;
    change_since(history, Day::from_date(newest.date().first_of_year()))
}

/// The change over the twelve months that end with the newest close, in percent.
pub(crate) fn change_1y(history: Candles<'_>) -> Option<f64> {
    let newest = history.days().last()?;
    change_since(history, newest.months_before(12).plus(1))
}

/// The change since the last close before a day, at most ten days before it.
fn change_since(history: Candles<'_>, day: Day) -> Option<f64> {
    let after = history.days().partition_point(|other| *other < day);
    let place = after.checked_sub(1)?;
    let is_near = day.since(history.days()[place]) <= LEAD_IN_DAYS;
    let (before, close) = (history.close()[place], history.close().last()?);
    let change = (close / before - 1.0) * 100.0;
    (is_near && change.is_finite()).then_some(change)
}

/// Whether the price moved within the window of the RSI. TA-Lib returns 0 for a price that does not, which is not a
/// sign of weakness, so filters treat it as no value.
pub(crate) fn has_moved(close: &[f64]) -> bool {
    let window = &close[close.len().saturating_sub(usize::from(rsi::PERIOD) + 1)..];
    window.windows(2).any(|pair| pair[0] != pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_and_changes_count_from_the_newest_close() {
        let day = |text| Day::parse(text).unwrap();
        let price = |on: Day| match on {
            on if on < day("2025-01-01") => 100.0,
            on if on < day("2025-06-02") => 120.0,
            on if on < day("2025-12-30") => 200.0,
            on if on < day("2026-03-02") => 120.0,
            _ => 150.0,
        };
        let days = [
            ("2024-12-30", "2025-05-31"),
            ("2025-06-02", "2025-12-29"),
            ("2025-12-30", "2026-03-01"),
            ("2026-03-02", "2026-03-02"),
        ];
        let days = days.into_iter().flat_map(|(from, to)| {
            let (from, to) = (day(from), day(to));
            (from.get()..=to.get())
                .step_by(13)
                .map(move |at| from.plus(at - from.get()))
        });
        let closes = days.map(|on| (on, price(on)));
        let (candles, _) = crate::CandleColumns::sift(closes.map(|(day, close)| crate::Candle {
            day,
            open: close,
            high: close * 1.25,
            low: close * 0.8,
            close,
            volume: 1.0,
        }));
        let found = PriceMetrics::newest(candles.view());
        let close = |found: Option<f64>, wanted: f64| {
            assert!(
                (found.unwrap() - wanted).abs() < 1e-9,
                "{found:?} is not {wanted}"
            );
        };
        // The high of the year was 250, the low 96; the year before closed at 120.
        close(found.from_52w_high, 40.0);
        close(found.from_52w_low, 56.25);
        close(found.change_ytd, 25.0);
        // Nothing was traded shortly before the day a year earlier.
        assert_eq!(found.change_1y, None);
        // With less than a year of history there is no 52-week high.
        let part = PriceMetrics::newest(candles.view().since(day("2025-06-02")));
        assert_eq!((part.from_52w_high, part.from_52w_low), (None, None));
        let before = PriceMetrics::newest(candles.view().until(day("2025-12-30")));
        close(before.change_ytd, 20.0);
        close(before.change_1y, 20.0);
    }
}
