//! One price bar, and what makes it unsound.
//!
//! Prices are floats in the currency of their listing. Which splits they include is given by the
//! [`PriceScale`](crate::PriceScale) stored with them. Columns of candles, resampling and indicators live in `market`;
//! this is the type that files, rows and formulas share.

use crate::Day;

/// The smallest price that is accepted. Below it, the squares in the formulas would no longer be normal numbers.
pub const PRICE_MIN: f64 = 1e-12;
/// The largest price that is accepted.
pub const PRICE_MAX: f64 = 1e15;
/// The largest volume that is accepted, in shares or coins.
pub const VOLUME_MAX: f64 = 1e18;

/// One bar: the prices paid on one day, or in one week or month after resampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candle {
    /// The day, or the label of the week or month.
    pub day: Day,
    /// First price.
    pub open: f64,
    /// Highest price.
    pub high: f64,
    /// Lowest price.
    pub low: f64,
    /// Last price.
    pub close: f64,
    /// Shares or coins that changed hands.
    pub volume: f64,
}

/// Why a row cannot be a candle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Defect {
    /// NaN or infinite, zero, negative, or outside [`PRICE_MIN`] to [`PRICE_MAX`].
    #[error("a price is not a positive number")]
    Price,
    /// NaN or infinite, or further from zero than [`PRICE_MAX`]: for a settlement price, which may be zero or negative.
    #[error("a price is not a number")]
    Number,
    /// NaN, negative, or above [`VOLUME_MAX`].
    #[error("the volume is not a number of at least zero")]
    Volume,
    /// The high is below another price of the bar.
    #[error("the high is below another price")]
    High,
    /// The low is above another price of the bar.
    #[error("the low is above another price")]
    Low,
    /// The day equals the one before.
    #[error("the day is repeated")]
    RepeatedDay,
    /// The day is earlier than the one before.
    #[error("the day is earlier than the one before")]
    Order,
    /// The exchange was closed on the day. Some sources repeat the bar before a holiday.
    #[error("the exchange was closed on this day")]
    NoSession,
}

impl Candle {
    /// What is wrong with this bar on its own, if anything.
    pub fn defect(&self) -> Option<Defect> {
        let prices = [self.open, self.high, self.low, self.close];
        if !prices
            .iter()
            .all(|price| (PRICE_MIN..=PRICE_MAX).contains(price))
        {
            Some(Defect::Price)
        } else if !(0.0..=VOLUME_MAX).contains(&self.volume) {
            Some(Defect::Volume)
        } else if self.high < self.open.max(self.close).max(self.low) {
            Some(Defect::High)
        } else if self.low > self.open.min(self.close) {
            Some(Defect::Low)
        } else {
            None
        }
    }
}
