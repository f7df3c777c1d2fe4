//! The latest value of each of the twenty indicators: the body of `/ticker/:symbol/technicals`.
//!
//! Whatever range a caller asks for, the recursive indicators run over the history that `range=5y` returns, so an answer does
//! not change with the range, except where the range is their definition: VWAP begins at its start, and Fibonacci takes its
//! high and low. A value that the history is too short for is `None`; no value is ever NaN.

use crate::indicators::adx::{adx, minus_direction, plus_direction};
use crate::indicators::atr::atr;
use crate::indicators::bollinger::bollinger;
use crate::indicators::cci::{self, cci};
use crate::indicators::donchian::{self, donchian};
use crate::indicators::ema::ema;
use crate::indicators::fibonacci::{Fibonacci, fibonacci};
use crate::indicators::ichimoku::{self, ichimoku};
use crate::indicators::macd::{self, macd};
use crate::indicators::mfi::mfi;
use crate::indicators::obv::obv;
use crate::indicators::parabolic_sar::parabolic_sar;
use crate::indicators::ppo::ppo;
use crate::indicators::roc::{self, roc};
use crate::indicators::rsi::rsi;
use crate::indicators::sma::sma;
use crate::indicators::stochastic::stochastic;
use crate::indicators::trix::trix;
use crate::indicators::vwap::vwap;
use crate::indicators::williams_r::{self, williams_r};
use crate::{Candles, Range};

/// A line, its signal and their difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// The line itself.
    pub line: f64,
    /// Its exponential mean of 9.
    pub signal: f64,
    /// Line minus signal.
    pub histogram: f64,
}

/// Three lines around the price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bands {
    /// The upper line.
    pub upper: f64,
    /// The line between.
    pub middle: f64,
    /// The lower line.
    pub lower: f64,
}

/// The slow stochastic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StochasticPoint {
    /// Smoothed position in the window, 0 to 100.
    pub k: f64,
    /// Its mean.
    pub d: f64,
}

/// The cloud at the newest bar. Its lines begin at different bars.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cloud {
    /// Conversion line.
    pub tenkan: Option<f64>,
    /// Base line.
    pub kijun: Option<f64>,
    /// First edge of the cloud.
    pub senkou_a: Option<f64>,
    /// Second edge of the cloud.
    pub senkou_b: Option<f64>,
}

/// The newest value of every indicator, `None` where the history is too short. Units as in [`crate::indicators`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Technicals {
    pub price: f64,
    pub sma_20: Option<f64>,
    pub sma_50: Option<f64>,
    pub sma_200: Option<f64>,
    pub ema_12: Option<f64>,
    pub ema_26: Option<f64>,
    pub rsi_14: Option<f64>,
    pub macd: Option<Oscillator>,
    pub bollinger: Option<Bands>,
    pub stochastic: Option<StochasticPoint>,
    pub atr_14: Option<f64>,
    pub adx_14: Option<f64>,
    pub obv: Option<f64>,
    pub vwap: Option<f64>,
    pub williams_r_14: Option<f64>,
    pub cci_20: Option<f64>,
    pub mfi_14: Option<f64>,
    pub roc_12: Option<f64>,
    pub parabolic_sar: Option<f64>,
    pub ichimoku: Cloud,
    pub ppo: Option<Oscillator>,
    pub trix: Option<f64>,
    pub donchian: Option<Bands>,
    pub fibonacci: Option<Fibonacci>,
    /// What the signals look at beside the values above.
    pub context: Context,
}

/// What some rules of [`crate::signals`] compare with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Context {
    /// Newest close minus the one before.
    pub change: Option<f64>,
    /// Directional indices DI⁺ and DI⁻.
    pub direction: Option<(f64, f64)>,
    /// Mean of the last 20 values of the on-balance volume.
    pub obv_mean: Option<f64>,
    /// Donchian channel one bar earlier.
    pub previous_channel: Option<Bands>,
}

/// The newest value of every indicator. `None` without candles.
///
/// `history` may be longer than five years, the rest is left aside; `range` decides the start of VWAP and Fibonacci.
pub fn technicals(history: Candles<'_>, range: Range) -> Option<Technicals> {
    let candles = history.within(Range::FiveYears);
    let price = candles.last()?.close;
    let close = candles.close();
    let window = candles.within(range);
    // A rolling window forgets: what lies before it cannot change the newest value, so only its own bars are read.
    let tail = |bars: u16| candles.newest(usize::from(bars));
    let roc_window = tail(roc::PERIOD + 1);
    let macd = macd(close);
    let bollinger = bollinger(close);
    let stochastic = stochastic(candles);
    let cloud = ichimoku(candles.newest(ichimoku::WARM_UP));
    let ppo = ppo(close);
    let obv = obv(candles);
    let before = candles.len() - 1;
    Some(Technicals {
        price,
        sma_20: sma(close, 20).last(),
        sma_50: sma(close, 50).last(),
        sma_200: sma(close, 200).last(),
        ema_12: ema(close, macd::FAST).last(),
        ema_26: ema(close, macd::SLOW).last(),
        rsi_14: rsi(close).last(),
        macd: oscillator(macd.macd.last(), macd.signal.last(), macd.histogram.last()),
        bollinger: bands(
            bollinger.upper.last(),
            bollinger.middle.last(),
            bollinger.lower.last(),
        ),
        stochastic: stochastic
            .k
            .last()
            .zip(stochastic.d.last())
            .map(|(k, d)| StochasticPoint { k, d }),
        atr_14: atr(candles).last(),
        adx_14: adx(candles).last(),
        obv: obv.last(),
        vwap: vwap(window).last(),
        williams_r_14: williams_r(tail(williams_r::PERIOD)).last(),
        cci_20: cci(tail(cci::PERIOD)).last(),
        mfi_14: mfi(candles).last(),
        roc_12: roc(roc_window.close()).last(),
        parabolic_sar: parabolic_sar(candles).last(),
        ichimoku: Cloud {
            tenkan: cloud.tenkan.last(),
            kijun: cloud.kijun.last(),
            senkou_a: cloud.senkou_a.last(),
            senkou_b: cloud.senkou_b.last(),
        },
        ppo: oscillator(ppo.ppo.last(), ppo.signal.last(), ppo.histogram.last()),
        trix: trix(close).last(),
        donchian: channel(tail(donchian::PERIOD)),
        fibonacci: fibonacci(window),
        context: Context {
            change: before.checked_sub(1).map(|bar| price - close[bar]),
            direction: plus_direction(candles)
                .last()
                .zip(minus_direction(candles).last()),
            obv_mean: sma(obv.values(), 20).last(),
            previous_channel: channel(
                candles
                    .bars(0, before)
                    .newest(usize::from(donchian::PERIOD)),
            ),
        },
    })
}

fn channel(window: Candles<'_>) -> Option<Bands> {
    let channel = donchian(window);
    bands(
        channel.upper.last(),
        channel.middle.last(),
        channel.lower.last(),
    )
}

fn oscillator(
    line: Option<f64>,
    signal: Option<f64>,
    histogram: Option<f64>,
) -> Option<Oscillator> {
    Some(Oscillator {
        line: line?,
        signal: signal?,
        histogram: histogram?,
    })
}

fn bands(upper: Option<f64>, middle: Option<f64>, lower: Option<f64>) -> Option<Bands> {
    Some(Bands {
        upper: upper?,
        middle: middle?,
        lower: lower?,
    })
}
