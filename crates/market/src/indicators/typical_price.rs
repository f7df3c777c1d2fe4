//! The typical price of a bar: the mean of high, low and close.

use crate::Candles;

/// `(high + low + close) / 3` of every bar, in units of price.
pub(super) fn typical_prices(candles: Candles<'_>) -> impl Iterator<Item = f64> {
    let prices = candles
        .high()
        .iter()
        .zip(candles.low())
        .zip(candles.close());
    prices.map(|((high, low), close)| (high + low + close) / 3.0)
}
