//! Volume-weighted average price, anchored at the first bar given.
//!
//! `VWAP[t] = Σ typical · volume / Σ volume` over the bars from the anchor to `t`, with
//! `typical = (high + low + close) / 3`. It has no value until shares have changed hands. The service's responses
//! anchor it at the start of their range.
//!
//! Worked example: bars with typical prices 10, 20, 40 and volumes 0, 3, 1 have no value, 20, and (60 + 40) / 4 = 25.

use super::Line;
use super::typical_price::typical_prices;
use crate::Candles;

/// The average at every bar from the first one with volume, in units of price.
pub fn vwap(candles: Candles<'_>) -> Line {
    let first = candles
        .volume()
        .iter()
        .position(|volume| *volume > 0.0)
        .unwrap_or(candles.len());
    let (mut money, mut shares) = (0.0, 0.0);
    let bars = typical_prices(candles).zip(candles.volume()).skip(first);
    let averages = bars.map(move |(price, volume)| {
        money += price * volume;
        shares += volume;
        money / shares
    });
    Line::collect(candles.len(), averages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, CandleColumns, Day};

    #[test]
    fn the_worked_example() {
        let bars = [(10.0, 0.0), (20.0, 3.0), (40.0, 1.0)];
        let (columns, _) = CandleColumns::sift(bars.into_iter().enumerate().map(
            |(n, (price, volume))| Candle {
                day: Day::new(n as i32).unwrap(),
                open: price,
                high: price,
                low: price,
                close: price,
                volume,
            },
        ));
        let line = vwap(columns.view());
        assert_eq!((line.first_bar(), line.values()), (1, &[20.0, 25.0][..]));
        assert_eq!(vwap(columns.view().bars(0, 1)).last(), None);
    }
}
