//! 14-day average directional index: how strongly the price trends, in either direction.
//!
//! `DX = 100 · |DI⁺ − DI⁻| / (DI⁺ + DI⁻)`, with Wilder's averaging; a day without any movement leaves the average
//! unchanged.
//! Definition: TA-Lib `ADX`, `PLUS_DI` and `MINUS_DI`.

use super::Line;
use super::directional_movement::{DirectionalMovement, directional_movements};
use super::smoothed_mean::SmoothedMean;
use crate::Candles;

/// Days in Wilder's averages.
pub const PERIOD: u16 = 14;

/// The strength of the trend, 0 to 100, at every bar.
pub fn adx(candles: Candles<'_>) -> Line {
    let mut average = SmoothedMean::wilder(PERIOD);
    let averages =
        directional_movements(candles, PERIOD).filter_map(move |movement| match movement.index() {
            Some(index) => average.next(index),
            None => average.skip(),
        });
    Line::collect(candles.len(), averages)
}

/// The upward direction DI⁺, 0 to 100, at every bar.
pub fn plus_direction(candles: Candles<'_>) -> Line {
    let movements = directional_movements(candles, PERIOD);
    Line::collect(
        candles.len(),
        movements.map(|movement| DirectionalMovement::plus(&movement)),
    )
}

/// The downward direction DI⁻, 0 to 100, at every bar.
pub fn minus_direction(candles: Candles<'_>) -> Line {
    let movements = directional_movements(candles, PERIOD);
    Line::collect(
        candles.len(),
        movements.map(|movement| DirectionalMovement::minus(&movement)),
    )
}
