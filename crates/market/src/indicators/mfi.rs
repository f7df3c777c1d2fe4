//! 14-day money flow index: a relative strength index that weights days by the money that changed hands.
//!
//! `MFI = 100 · positive / (positive + negative)` over the flows `typical price · volume` on rising and falling days;
//! 0 for a window without any flow. Definition: TA-Lib `MFI`. TA-Lib adds and subtracts flows in running totals,
//! which after one huge flow permanently keep a rounding error of about `2⁻⁵³` of it; here every window is summed
//! from its own flows alone.

use super::Line;
use super::rolling::{higher, sums};
use super::typical_price::typical_prices;
use crate::Candles;

/// Days in the window.
pub const PERIOD: u16 = 14;

/// A change of less than this fraction of the price counts as none; TA-Lib's bound.
const UNCHANGED: f64 = 1e-14;

/// The index, 0 to 100, at every bar.
pub fn mfi(candles: Candles<'_>) -> Line {
    let typical: Vec<f64> = typical_prices(candles).collect();
    let days = typical
        .windows(2)
        .zip(candles.volume().iter().skip(1))
        .map(|(prices, volume)| {
            let change = prices[1] - prices[0];
            let flow = prices[1] * volume;
            if change.abs() <= UNCHANGED * (prices[0] + prices[1]) {
                0.0
            } else if change > 0.0 {
                flow
            } else {
                -flow
            }
        });
    let flows: Vec<f64> = days.collect();
    let of_sign =
        |sign: f64| -> Vec<f64> { flows.iter().map(|flow| higher(sign * flow, 0.0)).collect() };
    let positive = sums(&of_sign(1.0), PERIOD);
    let negative = sums(&of_sign(-1.0), PERIOD);
    let flows = positive.into_iter().zip(negative);
    let indices = flows.map(|(positive, negative)| {
        let both = positive + negative;
        if both > 0.0 {
            100.0 * (positive / both)
        } else {
            0.0
        }
    });
    Line::collect(candles.len(), indices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, CandleColumns, Day};

    #[test]
    fn a_huge_flow_leaves_nothing_behind() {
        // Rising and falling days alternate, so that both flows in a window are 7 times one day's.
        let (columns, _) = CandleColumns::sift((0..40).map(|day| {
            let price = if day % 2 == 0 { 1.0 } else { 3.0 };
            Candle {
                day: Day::new(day).unwrap(),
                open: price,
                high: price,
                low: price,
                close: price,
                volume: if day == 5 { 1e18 } else { 1.0 },
            }
        }));
        let line = mfi(columns.view());
        assert_eq!(line.at(18), Some(100.0));
        assert_eq!(line.at(19), Some(75.0));
        assert_eq!(line.last(), Some(75.0));
    }
}
