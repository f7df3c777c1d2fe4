//! The indicators bar by bar, for charts and for rules that look at crossings.

use super::{Bands, Cloud, Context, Oscillator, StochasticPoint, Technicals, technicals};
use crate::indicators::Line;
use crate::indicators::adx::adx;
use crate::indicators::atr::atr;
use crate::indicators::bollinger::{Bollinger, bollinger};
use crate::indicators::cci::cci;
use crate::indicators::donchian::{Donchian, donchian};
use crate::indicators::ema::ema;
use crate::indicators::ichimoku::{Ichimoku, ichimoku};
use crate::indicators::macd::{self, Macd, macd};
use crate::indicators::mfi::mfi;
use crate::indicators::obv::obv;
use crate::indicators::parabolic_sar::parabolic_sar;
use crate::indicators::ppo::{Ppo, ppo};
use crate::indicators::roc::roc;
use crate::indicators::rsi::rsi;
use crate::indicators::sma::sma;
use crate::indicators::stochastic::{Stochastic, stochastic};
use crate::indicators::trix::trix;
use crate::indicators::vwap::vwap;
use crate::indicators::williams_r::williams_r;
use crate::{Candles, Day, Range};

/// Every indicator along the bars of a history.
struct Lines {
    sma: [Line; 3],
    ema: [Line; 2],
    rsi: Line,
    macd: Macd,
    bollinger: Bollinger,
    stochastic: Stochastic,
    atr: Line,
    adx: Line,
    obv: Line,
    williams_r: Line,
    cci: Line,
    mfi: Line,
    roc: Line,
    parabolic_sar: Line,
    ichimoku: Ichimoku,
    ppo: Ppo,
    trix: Line,
    donchian: Donchian,
}

impl Lines {
    fn of(candles: Candles<'_>) -> Self {
        let close = candles.close();
        Self {
            sma: [20, 50, 200].map(|bars| sma(close, bars)),
            ema: [macd::FAST, macd::SLOW].map(|bars| ema(close, bars)),
            rsi: rsi(close),
            macd: macd(close),
            bollinger: bollinger(close),
            stochastic: stochastic(candles),
            atr: atr(candles),
            adx: adx(candles),
            obv: obv(candles),
            williams_r: williams_r(candles),
            cci: cci(candles),
            mfi: mfi(candles),
            roc: roc(close),
            parabolic_sar: parabolic_sar(candles),
            ichimoku: ichimoku(candles),
            ppo: ppo(close),
            trix: trix(close),
            donchian: donchian(candles),
        }
    }

    /// The values at a bar.
    fn at(&self, bar: usize, price: f64, vwap: Option<f64>) -> Technicals {
        let [sma_20, sma_50, sma_200] = [0, 1, 2].map(|place: usize| self.sma[place].at(bar));
        let [ema_12, ema_26] = [0, 1].map(|place: usize| self.ema[place].at(bar));
        Technicals {
            price,
            sma_20,
            sma_50,
            sma_200,
            ema_12,
            ema_26,
            rsi_14: self.rsi.at(bar),
            macd: oscillator(
                [&self.macd.macd, &self.macd.signal, &self.macd.histogram],
                bar,
            ),
            bollinger: bands(
                [
                    &self.bollinger.upper,
                    &self.bollinger.middle,
                    &self.bollinger.lower,
                ],
                bar,
            ),
            stochastic: self
                .stochastic
                .k
                .at(bar)
                .zip(self.stochastic.d.at(bar))
                .map(|(k, d)| StochasticPoint { k, d }),
            atr_14: self.atr.at(bar),
            adx_14: self.adx.at(bar),
            obv: self.obv.at(bar),
            vwap,
            williams_r_14: self.williams_r.at(bar),
            cci_20: self.cci.at(bar),
            mfi_14: self.mfi.at(bar),
            roc_12: self.roc.at(bar),
            parabolic_sar: self.parabolic_sar.at(bar),
            ichimoku: Cloud {
                tenkan: self.ichimoku.tenkan.at(bar),
                kijun: self.ichimoku.kijun.at(bar),
                senkou_a: self.ichimoku.senkou_a.at(bar),
                senkou_b: self.ichimoku.senkou_b.at(bar),
            },
            ppo: oscillator([&self.ppo.ppo, &self.ppo.signal, &self.ppo.histogram], bar),
            trix: self.trix.at(bar),
            donchian: bands(
                [
                    &self.donchian.upper,
                    &self.donchian.middle,
                    &self.donchian.lower,
                ],
                bar,
            ),
            fibonacci: None,
            context: Context::default(),
        }
    }
}

fn oscillator(lines: [&Line; 3], bar: usize) -> Option<Oscillator> {
    let [line, signal, histogram] = lines.map(|line| line.at(bar));
    Some(Oscillator {
        line: line?,
        signal: signal?,
        histogram: histogram?,
    })
}

fn bands(lines: [&Line; 3], bar: usize) -> Option<Bands> {
    let [upper, middle, lower] = lines.map(|line| line.at(bar));
    Some(Bands {
        upper: upper?,
        middle: middle?,
        lower: lower?,
    })
}

/// The indicators at every bar of a range, oldest first. They run over the history that
/// [`technicals`](super::technicals) reads, so the newest row agrees with it, except for Fibonacci: its levels belong
/// to a whole range, and no single bar has them.
pub fn technicals_series(history: Candles<'_>, range: Range) -> Vec<(Day, Technicals)> {
    let candles = history.within(Range::FiveYears);
    let measured = candles.measured();
    let mut rows: Vec<(Day, Technicals)> = Vec::new();
    let mut before = candles.len() - candles.within(range).len();
    for run in candles.runs() {
        let first = before.min(run.len());
        before -= first;
        let shown = run.bars(first, run.len());
        if shown.is_empty() {
            continue;
        }
        let lines = Lines::of(run);
        let vwap = vwap(shown);
        let days = shown.days().iter().zip(shown.close()).enumerate();
        rows.extend(days.map(|(place, (day, price))| {
            let values = lines.at(first + place, *price, vwap.at(place));
            (*day, values.measured(measured))
        }));
    }
    // To the last digit: sums that roll along a history are rounded differently from those over its end alone.
    if let Some(((_, last), newest)) = rows.last_mut().zip(technicals(history, range)) {
        *last = Technicals {
            fibonacci: None,
            context: Context::default(),
            ..newest
        };
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candle, CandleColumns};
    use proptest::prelude::*;

    /// Everything except VWAP, which is counted from the first bar of the range.
    fn figures(of: &Technicals) -> Vec<Option<f64>> {
        let oscillator = |one: Option<Oscillator>| {
            [
                one.map(|one| one.line),
                one.map(|one| one.signal),
                one.map(|one| one.histogram),
            ]
        };
        let bands = |one: Option<Bands>| {
            [
                one.map(|one| one.upper),
                one.map(|one| one.middle),
                one.map(|one| one.lower),
            ]
        };
        let mut found = vec![
            Some(of.price),
            of.sma_20,
            of.sma_50,
            of.sma_200,
            of.ema_12,
            of.ema_26,
            of.rsi_14,
            of.atr_14,
            of.adx_14,
            of.obv,
            of.williams_r_14,
            of.cci_20,
            of.mfi_14,
            of.roc_12,
            of.parabolic_sar,
            of.trix,
            of.ichimoku.tenkan,
            of.ichimoku.kijun,
            of.ichimoku.senkou_a,
            of.ichimoku.senkou_b,
            of.stochastic.map(|one| one.k),
            of.stochastic.map(|one| one.d),
        ];
        found.extend(oscillator(of.macd));
        found.extend(oscillator(of.ppo));
        found.extend(bands(of.bollinger));
        found.extend(bands(of.donchian));
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn a_row_says_what_the_values_of_that_day_said(
            bars in prop::collection::vec((1.0..100.0_f64, 0.0..5.0_f64, 0.0..1e6_f64), 1..320),
            cut in 0.0..1.0_f64,
            hole in 0..320_usize,
        ) {
            let first = Day::parse("2024-01-01").unwrap();
            let apart = |place: usize| if place < hole { 0 } else { 60 };
            let candles = bars.iter().enumerate().map(|(place, (price, spread, volume))| Candle {
                day: first.plus(place as i32 + apart(place)),
                open: *price,
                high: price + spread,
                low: price / (1.0 + spread),
                close: *price,
                volume: *volume,
            });
            let (candles, _) = CandleColumns::sift(candles);
            let history = candles.view();
            let range = Range::SixMonths;
            let rows = technicals_series(history, range);
            prop_assert_eq!(rows.len(), history.within(range).len());
            let newest = technicals(history, range).unwrap();
            let (day, last) = *rows.last().unwrap();
            prop_assert_eq!(day, *history.days().last().unwrap());
            prop_assert_eq!(
                last,
                Technicals { fibonacci: None, context: Context::default(), ..newest }
            );
            let (day, row) = rows[(cut * rows.len() as f64) as usize % rows.len()];
            let then = technicals(history.until(day), range).unwrap();
            for (found, wanted) in figures(&row).into_iter().zip(figures(&then)) {
                if let (Some(found), Some(wanted)) = (found, wanted) {
                    let off = (found - wanted).abs() / (1.0 + wanted.abs());
                    prop_assert!(off < 1e-6, "{} is not {}", found, wanted);
                } else {
                    prop_assert_eq!(found, wanted);
                }
            }
        }
    }
}
