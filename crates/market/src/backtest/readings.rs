//! What was known about an instrument at the close of each of its bars. Only what the strategy's filters use is
//! computed. Indicators start again after a gap in the candles.

use crate::backtest::{Instrument, Strategy};
use crate::filters::Metric;
use crate::indicators::Line;
use crate::indicators::macd::macd;
use crate::indicators::rsi::rsi;
use crate::indicators::sma::sma;
use crate::screener::{VOLUME_PERIOD, above_low, below_high, change_1y, change_ytd, has_moved};
use crate::{Candles, along_runs};

/// The indicators of one instrument by bar; empty if no filter needs them.
#[derive(Default)]
pub(super) struct Readings {
    rsi: Vec<Option<f64>>,
    macd_histogram: Vec<Option<f64>>,
    sma_20: Vec<Option<f64>>,
    sma_50: Vec<Option<f64>>,
    sma_200: Vec<Option<f64>>,
    volume: Vec<Option<f64>>,
    below_high: Vec<Option<f64>>,
    above_low: Vec<Option<f64>>,
}

impl Readings {
    pub(super) fn new(instrument: &Instrument<'_>, strategy: &Strategy) -> Self {
        let (days, close) = (instrument.candles.days(), instrument.candles.close());
        let needs = |metric| strategy.entry.need(metric) || strategy.exit.need(metric);
        let line = |metric, values: &[f64], indicator: &dyn Fn(&[f64]) -> Line| {
            if needs(metric) {
                along_runs(days, values, indicator)
            } else {
                Vec::new()
            }
        };
        let along = |metric, read: fn(Candles<'_>) -> Option<f64>| -> Vec<Option<f64>> {
            let bars = if needs(metric) {
                instrument.candles.len()
            } else {
                0
            };
            let until = |bar| instrument.candles.bars(0, bar + 1);
            (0..bars).map(|bar| read(until(bar))).collect()
        };
        Self {
            below_high: along(Metric::BelowHigh, below_high),
            above_low: along(Metric::AboveLow, above_low),
            rsi: line(Metric::Rsi, close, &rsi),
            macd_histogram: line(Metric::MacdHistogram, close, &|close: &[f64]| {
                macd(close).histogram
            }),
            sma_20: line(Metric::Sma20, close, &|close: &[f64]| sma(close, 20)),
            sma_50: line(Metric::Sma50, close, &|close: &[f64]| sma(close, 50)),
            sma_200: line(Metric::Sma200, close, &|close: &[f64]| sma(close, 200)),
            volume: line(
                Metric::Volume,
                instrument.candles.volume(),
                &|volumes: &[f64]| sma(volumes, VOLUME_PERIOD),
            ),
        }
    }

    /// A metric at the close of a bar.
    pub(super) fn metric(
        &self,
        instrument: &Instrument<'_>,
        bar: usize,
        metric: Metric,
    ) -> Option<f64> {
        let day = || instrument.candles.days()[bar];
        let value = |line: &[Option<f64>]| line.get(bar).copied().flatten();
        match metric {
            Metric::Close => Some(instrument.candles.close()[bar]),
            Metric::Price => {
                let splits = instrument.later_splits;
                let later = if splits.is_empty() {
                    1.0
                } else {
                    splits.at(day())?
                };
                Some(instrument.candles.close()[bar] * later)
            }
            Metric::Rsi => {
                value(&self.rsi).filter(|_| has_moved(&instrument.candles.close()[..=bar]))
            }
            Metric::MacdHistogram => value(&self.macd_histogram),
            Metric::Sma20 => value(&self.sma_20),
            Metric::Sma50 => value(&self.sma_50),
            Metric::Sma200 => value(&self.sma_200),
            Metric::Volume => value(&self.volume)
                .filter(|_| instrument.candles.bars(0, bar + 1).measured().has_volumes()),
            Metric::Sentiment => instrument.sentiment.at(day()),
            Metric::BelowHigh => value(&self.below_high),
            Metric::AboveLow => value(&self.above_low),
            Metric::ChangeYtd => change_ytd(instrument.candles.bars(0, bar + 1)),
            Metric::ChangeYear => change_1y(instrument.candles.bars(0, bar + 1)),
            Metric::PeRatio => instrument
                .reported(metric, day())
                .filter(|ratio| *ratio > 0.0),
            Metric::MarketCap
            | Metric::DividendYield
            | Metric::RevenueGrowth
            | Metric::EpsGrowth
            | Metric::ProfitMargin
            | Metric::DebtToEquity => instrument.reported(metric, day()),
        }
    }
}
