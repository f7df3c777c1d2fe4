//! The twenty indicators, one file each.
//!
//! Sixteen follow TA-Lib: the definition, smoothing, first value and treatment of flat prices are TA-Lib's own, with
//! the parameters of the wire contract. Tests compare every value with Python's TA-Lib and with its Rust port. VWAP,
//! Ichimoku, Donchian and Fibonacci have no such reference; their files give the formula, its source and a worked
//! example. The building blocks that several indicators share have files of their own: rolling windows, smoothed
//! means, true range, directional movement. Each function returns a [`Line`]: one value per bar, starting with the
//! first bar that has one. Nothing here interprets the values; that is the job of [`crate::signals`].
//!
//! | indicator | parameters | unit | first value at bar |
//! |---|---|---|---|
//! | [`sma`] | 20, 50, 200 | price | period − 1 |
//! | [`ema`] | 12, 26, seeded with the mean | price | period − 1 |
//! | [`rsi`] | 14, Wilder | 0 to 100 | 14 |
//! | [`macd`] | 12, 26, 9 | price | 33 |
//! | [`bollinger`] | 20, 2 population deviations | price | 19 |
//! | [`stochastic`] | 14, 3, 3 (simple means) | 0 to 100 | 17 |
//! | [`atr`] | 14, Wilder | price | 14 |
//! | [`adx`] | 14, Wilder | 0 to 100 | 27 |
//! | [`obv`] | begins with the first volume | volume | 0 |
//! | [`vwap`] | anchored at the range's start | price | first with volume |
//! | [`williams_r`] | 14 | −100 to 0 | 13 |
//! | [`cci`] | 20 | none | 19 |
//! | [`mfi`] | 14 | 0 to 100 | 14 |
//! | [`roc`] | 12 | percent | 12 |
//! | [`parabolic_sar`] | step 0.02, at most 0.2 | price | 1 |
//! | [`ichimoku`] | 9, 26, 52, shifted by 26 | price | 8, 25, 51, 77 |
//! | [`ppo`] | 12, 26, signal 9 | percent | 25, signal 33 |
//! | [`trix`] | 15 | percent | 43 |
//! | [`donchian`] | 20 | price | 19 |
//! | [`fibonacci`] | range's high and low | price | – |

pub mod adx;
pub mod atr;
pub mod bollinger;
pub mod cci;
mod directional_movement;
pub mod donchian;
pub mod ema;
pub mod fibonacci;
pub mod ichimoku;
mod line;
pub mod macd;
pub mod mfi;
pub mod obv;
pub mod parabolic_sar;
pub mod ppo;
mod price_range;
pub mod roc;
mod rolling;
pub mod rsi;
pub mod sma;
mod smoothed_mean;
pub mod stochastic;
pub mod trix;
mod true_range;
mod typical_price;
pub mod vwap;
pub mod williams_r;

pub use line::Line;
