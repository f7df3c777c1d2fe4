//! Ichimoku cloud, 9/26/52, with the cloud that is plotted at the bar itself.
//!
//! `tenkan` is the midpoint of the highest high and the lowest low over 9 bars, `kijun` over 26. `senkou A` is the
//! mean of the two and `senkou B` the midpoint over 52 bars. They are plotted 26 bars ahead, so the cloud *at* a bar
//! was computed 26 bars earlier. Source: Goichi Hosoda's construction as drawn by charting programs.
//!
//! Worked example: with highs `n + 1` and lows `n` at bars `n = 0, 1, …, 77`, tenkan at bar 77 is (78 + 69) / 2 =
//! 73.5 and kijun (78 + 52) / 2 = 65. At bar 77 the cloud comes from bar 51, with A = (47.5 + 39) / 2 = 43.25 and B =
//! (52 + 0) / 2 = 26.

use super::Line;
use super::donchian::halfway;
use super::rolling::{highest, lowest};
use crate::Candles;

/// Bars in tenkan.
pub const TENKAN: u16 = 9;
/// Bars in kijun.
pub const KIJUN: u16 = 26;
/// Bars in senkou B.
pub const SENKOU_B: u16 = 52;
/// Bars by which the cloud is plotted ahead.
pub const SHIFT: usize = 26;
/// Bars after which every line has a value.
pub const WARM_UP: usize = SENKOU_B as usize + SHIFT;

/// The four lines, in units of price.
#[derive(Clone, Debug, PartialEq)]
pub struct Ichimoku {
    /// Conversion line.
    pub tenkan: Line,
    /// Base line.
    pub kijun: Line,
    /// First edge of the cloud at the bar.
    pub senkou_a: Line,
    /// Second edge of the cloud at the bar.
    pub senkou_b: Line,
}

/// The four lines at every bar.
pub fn ichimoku(candles: Candles<'_>) -> Ichimoku {
    let bars = candles.len();
    let tenkan = middle(candles, TENKAN);
    let kijun = middle(candles, KIJUN);
    let since_kijun = &tenkan[tenkan.len() - kijun.len()..];
    Ichimoku {
        senkou_a: shifted(bars, halfway(since_kijun, &kijun)),
        senkou_b: shifted(bars, middle(candles, SENKOU_B)),
        tenkan: Line::new(bars, tenkan),
        kijun: Line::new(bars, kijun),
    }
}

/// The midpoint between the highest high and the lowest low of the last `period` bars.
fn middle(candles: Candles<'_>, period: u16) -> Vec<f64> {
    halfway(
        &highest(candles.high(), period),
        &lowest(candles.low(), period),
    )
}

/// A line plotted [`SHIFT`] bars ahead, without the part that lies beyond the newest bar.
fn shifted(bars: usize, mut values: Vec<f64>) -> Line {
    values.truncate(values.len().saturating_sub(SHIFT));
    Line::new(bars, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, CandleColumns, Day};

    #[test]
    fn the_worked_example() {
        let (columns, _) = CandleColumns::sift((0..78).map(|n| {
            let low = f64::from(n).max(1e-9);
            Candle {
                day: Day::new(n).unwrap(),
                open: low,
                high: f64::from(n) + 1.0,
                low,
                close: low,
                volume: 1.0,
            }
        }));
        let cloud = ichimoku(columns.view());
        let lines = [
            &cloud.tenkan,
            &cloud.kijun,
            &cloud.senkou_a,
            &cloud.senkou_b,
        ];
        assert_eq!(lines.map(Line::first_bar), [8, 25, 51, 77]);
        for (line, expected) in lines.into_iter().zip([73.5, 65.0, 43.25, 26.0]) {
            assert!((line.last().unwrap() - expected).abs() < 1e-8);
        }
        for bars in [0, 8, 9, 26, 51, 52, 77] {
            let cloud = ichimoku(columns.view().bars(0, bars));
            assert_eq!(cloud.senkou_b.last(), None);
            assert_eq!(cloud.senkou_b.first_bar(), bars);
        }
    }
}
