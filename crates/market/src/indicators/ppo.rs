//! Percentage price oscillator, 12/26 with a signal of 9: the MACD in percent of the slow mean.
//!
//! `PPO = 100 · (EMA12 − EMA26) / EMA26` as TA-Lib's `PPO` computes it with exponential means, from bar 25 on; the signal is
//! TA-Lib's `EMA` of 9 of that line, the histogram their difference.

use ta_lib::MAType;

use super::Line;
use super::ema::ema;
use super::line::line;

/// Days of the fast mean.
pub const FAST: u16 = 12;
/// Days of the slow mean.
pub const SLOW: u16 = 26;
/// Days of the signal's mean.
pub const SIGNAL: u16 = 9;

/// The three lines, in percent. Signal and histogram begin eight bars after the oscillator.
#[derive(Clone, Debug, PartialEq)]
pub struct Ppo {
    /// The oscillator.
    pub ppo: Line,
    /// Mean of the oscillator.
    pub signal: Line,
    /// Oscillator minus signal.
    pub histogram: Line,
}

/// The three lines.
pub fn ppo(close: &[f64]) -> Ppo {
    let ppo = line(close.len(), |core, end, out| {
        core.ppo(
            0,
            end,
            close,
            i32::from(FAST),
            i32::from(SLOW),
            MAType::EMA,
            out,
        )
    });
    let mean = ema(ppo.values(), SIGNAL);
    let begins = ppo.first_bar() + mean.first_bar();
    let histogram = ppo.values()[mean.first_bar()..]
        .iter()
        .zip(mean.values())
        .map(|(line, signal)| line - signal)
        .collect();
    Ppo {
        signal: Line::new(begins, mean.values().to_vec()),
        histogram: Line::new(begins, histogram),
        ppo,
    }
}
