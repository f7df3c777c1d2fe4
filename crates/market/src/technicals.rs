//! The latest value of each of the twenty indicators: the body of `/ticker/:symbol/technicals`.
//!
//! Whatever range a caller asks for, the recursive indicators run over the history that `range=5y` returns. A result
//! therefore does not change with the range, unless the range is part of the definition: VWAP begins at its start,
//! and Fibonacci takes its high and low. If the history has a gap of more than ten working days, all of them start
//! again after it. A value for which the history is too short is `None`, and so is one that needs highs and lows or
//! volumes when only closes are available ([`Measured`]). No value is ever NaN.

mod series;

pub use series::technicals_series;

use crate::indicators::Line;
use crate::indicators::adx::{adx, minus_direction, plus_direction};
use crate::indicators::atr::atr;
use crate::indicators::bollinger::{self, bollinger};
use crate::indicators::cci::{self, cci};
use crate::indicators::donchian::{self, donchian};
use crate::indicators::ema::ema;
use crate::indicators::fibonacci::{Fibonacci, fibonacci};
use crate::indicators::ichimoku::{self, ichimoku};
use crate::indicators::macd::{self, macd};
use crate::indicators::mfi::{self, mfi};
use crate::indicators::obv::obv;
use crate::indicators::parabolic_sar::parabolic_sar;
use crate::indicators::ppo::ppo;
use crate::indicators::roc::{self, roc};
use crate::indicators::rsi::rsi;
use crate::indicators::sma::sma;
use crate::indicators::stochastic::{self, stochastic};
use crate::indicators::trix::trix;
use crate::indicators::vwap::vwap;
use crate::indicators::williams_r::{self, williams_r};
use crate::{Candles, Measured, Range};

/// A line, its signal line and their difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// The line itself.
    pub line: f64,
    /// Its exponential moving average over 9 bars.
    pub signal: f64,
    /// Line minus signal line.
    pub histogram: f64,
}

/// Three lines around the price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bands {
    /// The upper line.
    pub upper: f64,
    /// The middle line.
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

/// The newest value of every indicator, `None` if the history is too short or lacks the data it needs. Units as in
/// [`crate::indicators`].
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
    /// What the signals look at in addition to the values above.
    pub context: Context,
}

impl Technicals {
    /// The indicators available from closes alone: simple and exponential moving averages, RSI, MACD, Bollinger
    /// bands, ROC, PPO and TRIX.
    fn without_ranges(self) -> Self {
        Self {
            stochastic: None,
            atr_14: None,
            adx_14: None,
            williams_r_14: None,
            cci_20: None,
            parabolic_sar: None,
            ichimoku: Cloud::default(),
            donchian: None,
            fibonacci: None,
            context: Context {
                direction: None,
                previous_channel: None,
                ..self.context
            },
            ..self
        }
    }

    /// The indicators that need no volume.
    fn without_volumes(self) -> Self {
        Self {
            obv: None,
            vwap: None,
            mfi_14: None,
            context: Context {
                obv_mean: None,
                ..self.context
            },
            ..self
        }
    }

    /// The indicators that can be computed from what was measured.
    fn measured(self, measured: Measured) -> Self {
        match measured {
            Measured::Bars => self,
            Measured::Prices => self.without_volumes(),
            Measured::Closes => self.without_ranges().without_volumes(),
        }
    }
}

/// Values with which some rules of [`crate::signals`] compare.
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
/// `history` may be longer than five years; the rest is ignored, and so is anything before a gap in the bars. `range`
/// determines the start of VWAP and Fibonacci.
pub fn technicals(history: Candles<'_>, range: Range) -> Option<Technicals> {
    let held = history.within(Range::FiveYears);
    let candles = held.newest_run();
    let price = candles.last()?.close;
    let close = candles.close();
    let window = candles.within(range);
    // A rolling window forgets: bars before it cannot change the newest value, so only its own bars are read.
    let tail = |bars: u16| candles.newest(usize::from(bars));
    let mean = |bars: u16| sma(tail(bars).close(), bars).last();
    let obv = obv(candles);
    let before = candles.len() - 1;
    let found = Technicals {
        price,
        sma_20: mean(20),
        sma_50: mean(50),
        sma_200: mean(200),
        ema_12: ema(close, macd::FAST).last(),
        ema_26: ema(close, macd::SLOW).last(),
        rsi_14: rsi(close).last(),
        macd: macd_point(close),
        bollinger: bollinger_point(tail(bollinger::PERIOD).close()),
        stochastic: stochastic_point(tail(stochastic::WINDOW + 2 * (stochastic::MEAN - 1))),
        atr_14: atr(candles).last(),
        adx_14: adx(candles).last(),
        obv: obv.last(),
        vwap: vwap(window).last(),
        williams_r_14: williams_r(tail(williams_r::PERIOD)).last(),
        cci_20: cci(tail(cci::PERIOD)).last(),
        mfi_14: mfi(tail(mfi::PERIOD + 1)).last(),
        roc_12: roc(tail(roc::PERIOD + 1).close()).last(),
        parabolic_sar: parabolic_sar(candles).last(),
        ichimoku: cloud(candles.newest(ichimoku::WARM_UP)),
        ppo: ppo_point(close),
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
    };
    Some(found.measured(held.measured()))
}

// One function per indicator with several lines: they are dropped before the next is computed, so all of them use the
// same piece of memory, which then stays in the processor's cache.

fn macd_point(close: &[f64]) -> Option<Oscillator> {
    let lines = macd(close);
    oscillator(&lines.macd, &lines.signal, &lines.histogram)
}

fn ppo_point(close: &[f64]) -> Option<Oscillator> {
    let lines = ppo(close);
    oscillator(&lines.ppo, &lines.signal, &lines.histogram)
}

fn bollinger_point(close: &[f64]) -> Option<Bands> {
    let lines = bollinger(close);
    bands(&lines.upper, &lines.middle, &lines.lower)
}

fn channel(window: Candles<'_>) -> Option<Bands> {
    let lines = donchian(window);
    bands(&lines.upper, &lines.middle, &lines.lower)
}

fn stochastic_point(candles: Candles<'_>) -> Option<StochasticPoint> {
    let lines = stochastic(candles);
    Some(StochasticPoint {
        k: lines.k.last()?,
        d: lines.d.last()?,
    })
}

fn cloud(window: Candles<'_>) -> Cloud {
    let lines = ichimoku(window);
    Cloud {
        tenkan: lines.tenkan.last(),
        kijun: lines.kijun.last(),
        senkou_a: lines.senkou_a.last(),
        senkou_b: lines.senkou_b.last(),
    }
}

fn oscillator(line: &Line, signal: &Line, histogram: &Line) -> Option<Oscillator> {
    Some(Oscillator {
        line: line.last()?,
        signal: signal.last()?,
        histogram: histogram.last()?,
    })
}

fn bands(upper: &Line, middle: &Line, lower: &Line) -> Option<Bands> {
    Some(Bands {
        upper: upper.last()?,
        middle: middle.last()?,
        lower: lower.last()?,
    })
}
