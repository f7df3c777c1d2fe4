//! What was known about an instrument at the close of each of its bars; only what the strategy's filters look at is
//! computed.

use crate::backtest::{Instrument, Strategy};
use crate::filters::Metric;
use crate::indicators::Line;
use crate::indicators::macd::macd;
use crate::indicators::rsi::rsi;
use crate::indicators::sma::sma;
use crate::screener::{VOLUME_PERIOD, has_moved};

/// The indicator lines of one instrument; empty where no filter needs them.
#[derive(Default)]
pub(super) struct Readings {
    rsi: Line,
    macd_histogram: Line,
    sma_20: Line,
    sma_50: Line,
    sma_200: Line,
    volume: Line,
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
        Self {
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
            Metric::Price => Some(instrument.candles.close()[bar]),
            Metric::Rsi => self
                .rsi
                .at(bar)
                .filter(|_| has_moved(&instrument.candles.close()[..=bar])),
            Metric::MacdHistogram => self.macd_histogram.at(bar),
            Metric::Sma20 => self.sma_20.at(bar),
            Metric::Sma50 => self.sma_50.at(bar),
            Metric::Sma200 => self.sma_200.at(bar),
            Metric::Volume => self.volume.at(bar),
            Metric::Sentiment => instrument.sentiment.at(day()),
            Metric::PeRatio => instrument.pe_ratio.at(day()).filter(|ratio| *ratio > 0.0),
            Metric::MarketCap => instrument.market_cap_b.at(day()),
            // Dividends along time are not read.
            Metric::DividendYield => None,
        }
    }
}
