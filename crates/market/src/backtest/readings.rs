//! What was known about an instrument at the close of each of its bars; only what the strategy's filters look at is
//! computed.

use crate::Candles;
use crate::backtest::{Instrument, Strategy};
use crate::filters::Metric;
use crate::indicators::Line;
use crate::indicators::macd::macd;
use crate::indicators::rsi::rsi;
use crate::indicators::sma::sma;
use crate::screener::{VOLUME_PERIOD, above_low, below_high, change_1y, change_ytd, has_moved};

/// The indicator lines of one instrument; empty where no filter needs them.
#[derive(Default)]
pub(super) struct Readings {
    rsi: Line,
    macd_histogram: Line,
    sma_20: Line,
    sma_50: Line,
    sma_200: Line,
    volume: Line,
    below_high: Vec<Option<f64>>,
    above_low: Vec<Option<f64>>,
}

impl Readings {
    pub(super) fn new(instrument: &Instrument<'_>, strategy: &Strategy) -> Self {
        let close = instrument.candles.close();
        let line = |metric, compute: &dyn Fn() -> Line| {
            if strategy.entry.need(metric) || strategy.exit.need(metric) {
                compute()
            } else {
                Line::default()
            }
        };
        let needs = |metric| strategy.entry.need(metric) || strategy.exit.need(metric);
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
            rsi: line(Metric::Rsi, &|| rsi(close)),
            macd_histogram: line(Metric::MacdHistogram, &|| macd(close).histogram),
            sma_20: line(Metric::Sma20, &|| sma(close, 20)),
            sma_50: line(Metric::Sma50, &|| sma(close, 50)),
            sma_200: line(Metric::Sma200, &|| sma(close, 200)),
            volume: line(Metric::Volume, &|| {
                sma(instrument.candles.volume(), VOLUME_PERIOD)
            }),
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
            Metric::Rsi => self
                .rsi
                .at(bar)
                .filter(|_| has_moved(&instrument.candles.close()[..=bar])),
            Metric::MacdHistogram => self.macd_histogram.at(bar),
            Metric::Sma20 => self.sma_20.at(bar),
            Metric::Sma50 => self.sma_50.at(bar),
            Metric::Sma200 => self.sma_200.at(bar),
            Metric::Volume => self
                .volume
                .at(bar)
                .filter(|_| instrument.candles.bars(0, bar + 1).measured().has_volumes()),
            Metric::Sentiment => instrument.sentiment.at(day()),
            Metric::BelowHigh => self.below_high.get(bar).copied().flatten(),
            Metric::AboveLow => self.above_low.get(bar).copied().flatten(),
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
