//! The true range of a bar: how far the price has moved since the previous close.
//!
//! The largest of high − low, |high − previous close| and |low − previous close|, which equals the higher of high and
//! previous close minus the lower of low and previous close. Source: J. Welles Wilder (1978).

use super::rolling::{higher, lower};
use crate::Candles;

/// The true range of every bar from the second onwards, in units of price.
pub(super) fn true_ranges(candles: Candles<'_>) -> impl Iterator<Item = f64> {
    let bars = candles.high().iter().zip(candles.low()).skip(1);
    bars.zip(candles.close())
        .map(|((high, low), before)| higher(*high, *before) - lower(*low, *before))
}
