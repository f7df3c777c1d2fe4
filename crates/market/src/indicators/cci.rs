//! Commodity channel index of 20 days: how unusual the typical price is.
//!
//! `CCI = (typical − mean) / (0.015 · mean deviation)` with `typical = (high + low + close) / 3`. Definition: Donald Lambert
//! (1980); TA-Lib `CCI`, which answers 0 for a window without any movement.
//!
//! The one indicator of TA-Lib's that is computed here anew: the library sums two times twenty numbers one after the other
//! for each bar, a third of the time of all twenty indicators together. Here the same sums are made in the same order, but
//! for all bars that are a multiple of 20 apart at once, in vector registers; so the values are the library's to the last bit,
//! which a test holds.

use super::Line;
use crate::Candles;

/// Days of the window.
pub const PERIOD: u16 = 20;

const WINDOW: usize = PERIOD as usize;
/// Lambert's factor, by which most values lie between −100 and 100.
const SCALE: f64 = 0.015;
/// A window whose deviations are below this part of the mean is flat; TA-Lib's bound.
const FLAT: f64 = 1e-14;

/// The index at every bar; most values lie between −100 and 100.
pub fn cci(candles: Candles<'_>) -> Line {
    let bars = candles.len();
    if bars < WINDOW {
        return Line::new(bars, Vec::new());
    }
    // Row `slot` holds the typical prices of the bars slot, slot + 20, slot + 40, …: bar `20 · column + slot`.
    let columns = bars.div_ceil(WINDOW);
    let mut typical = vec![0.0; columns * WINDOW];
    let prices = candles
        .high()
        .iter()
        .zip(candles.low())
        .zip(candles.close());
    for (bar, ((high, low), close)) in prices.enumerate() {
        typical[bar % WINDOW * columns + bar / WINDOW] = (high + low + close) / 3.0;
    }
    let row = |slot: usize| &typical[slot * columns..][..columns];

    let mut values = vec![0.0; bars + 1 - WINDOW];
    let (mut means, mut deviations) = (vec![0.0; columns], vec![0.0; columns]);
    for newest in 0..WINDOW {
        // The window that ends in `newest` of a column takes the slots after it from the column before. Every slot is
        // visited in ascending order, as the library's ring buffer does.
        means.fill(0.0);
        for slot in 0..WINDOW {
            let (means, prices) = window(&mut means, row(slot), slot > newest);
            for (mean, price) in means.iter_mut().zip(prices) {
                *mean += price;
            }
        }
        for mean in &mut means {
            *mean /= WINDOW as f64;
        }
        deviations.fill(0.0);
        for slot in 0..WINDOW {
            let from_before = slot > newest;
            let (deviations, prices) = window(&mut deviations, row(slot), from_before);
            let means = &means[usize::from(from_before)..];
            for ((deviation, price), mean) in deviations.iter_mut().zip(prices).zip(means) {
                *deviation += (price - mean).abs();
            }
        }
        for (column, price) in row(newest).iter().enumerate() {
            let Some(at) = (column * WINDOW + newest + 1).checked_sub(WINDOW) else {
                continue;
            };
            if let Some(value) = values.get_mut(at) {
                *value = index(*price, means[column], deviations[column] / WINDOW as f64);
            }
        }
    }
    Line::new(WINDOW - 1, values)
}

/// Sums and the prices that belong to them: those of the same column, or of the column before.
fn window<'a>(
    sums: &'a mut [f64],
    row: &'a [f64],
    from_before: bool,
) -> (&'a mut [f64], &'a [f64]) {
    if from_before {
        (&mut sums[1..], &row[..row.len() - 1])
    } else {
        (sums, row)
    }
}

fn index(price: f64, mean: f64, deviation: f64) -> f64 {
    let distance = price - mean;
    let flat = FLAT * mean.abs();
    if distance.abs() <= flat || deviation <= flat {
        0.0
    } else {
        distance / (SCALE * deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indicators::line::line;
    use crate::{Candle, CandleColumns, Day};
    use proptest::prelude::*;

    fn library(candles: Candles<'_>) -> Line {
        line(candles.len(), |core, end, out| {
            core.cci(
                0,
                end,
                candles.high(),
                candles.low(),
                candles.close(),
                i32::from(PERIOD),
                out,
            )
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn equals_the_library_to_the_last_bit(
            bars in prop::collection::vec((1.0_f64..100.0, 0.0_f64..0.1, 0_u8..3), 0..150),
            scale in prop_oneof![Just(1.0), Just(1e-9), Just(1e12)],
        ) {
            let mut close = scale;
            let (columns, _) = CandleColumns::sift((0..).zip(bars).map(|(day, (price, wick, kind))| {
                if kind > 0 {
                    close = price * scale;
                }
                Candle {
                    day: Day::new(day).unwrap(),
                    open: close,
                    high: close * (1.0 + wick),
                    low: close * (1.0 - wick),
                    close,
                    volume: 0.0,
                }
            }));
            prop_assert_eq!(cci(columns.view()), library(columns.view()));
        }
    }
}
