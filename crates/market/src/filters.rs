//! The filter language that screener and backtest share.
//!
//! A filter compares one metric of a symbol with a threshold, or with another metric (`above_sma_50`). "Above" and
//! "below" are strict. Entry filters are joined by AND, and exit filters by OR, because each is a reason to sell. A
//! boolean filter that is `false` is not applied. A symbol cannot match on a value that it does not have: a company
//! without profit has no P/E, so neither `pe_below` nor `pe_above` finds it.

mod key;
mod parse;

pub use key::{FilterKey, Metric};
pub use parse::{ExitFilters, FilterValue, Filters};

/// One filter with its threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    key: FilterKey,
    threshold: f64,
}

impl Condition {
    /// Which filter it is.
    pub fn key(&self) -> FilterKey {
        self.key
    }

    /// The threshold given; 0 for boolean filters.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// How far a symbol lies on the wanted side, 0 to 1; `None` if it lies on the other side or has no value.
    ///
    /// The distance ranks the candidates: RSI and sentiment as fractions of their scale, MACD as a fraction of the
    /// price, prices, P/E, market value, volume and debt as `1 − smaller / larger`, and percentages as fractions of a
    /// hundred points.
    pub fn distance(&self, metric: impl Fn(Metric) -> Option<f64>) -> Option<f64> {
        let value = metric(self.key.metric())?;
        let reference = match self.key.reference() {
            Some(reference) => metric(reference)?,
            None => self.threshold,
        };
        let matched = if self.key.wants_above() {
            value > reference
        } else {
            value < reference
        };
        matched.then(|| match self.key.metric() {
            Metric::Rsi | Metric::BelowHigh => (value - reference).abs() / 100.0,
            Metric::Sentiment => (value - reference).abs(),
            Metric::MacdHistogram => {
                metric(Metric::Close).map_or(0.0, |price| (value.abs() / price).min(1.0))
            }
            Metric::ChangeYtd
            | Metric::ChangeYear
            | Metric::RevenueGrowth
            | Metric::EpsGrowth
            | Metric::ProfitMargin => ((value - reference).abs() / 100.0).min(1.0),
            // Zero debt or zero distance on both sides.
            _ if value.max(reference) <= 0.0 => 0.0,
            _ => 1.0 - value.min(reference).max(0.0) / value.max(reference),
        })
    }

    /// Why a symbol matched, as a sentence fragment: `RSI 24.3 below 30`.
    pub fn reason(&self, metric: impl Fn(Metric) -> Option<f64>) -> String {
        let name = self.key.metric().name();
        let side = if self.key.wants_above() {
            "above"
        } else {
            "below"
        };
        let value = metric(self.key.metric()).unwrap_or_default();
        match self.key.reference() {
            Some(Metric::Sma20) => format!("price {side} its 20-day average"),
            Some(Metric::Sma50) => format!("price {side} its 50-day average"),
            Some(_) => format!("price {side} its 200-day average"),
            None if self.key.is_flag() => format!("{name} {side} zero"),
            None if self.key.metric() == Metric::MarketCap => format!(
                "{name} ${}, {side} ${}",
                spoken(value * 1e9),
                spoken(self.threshold * 1e9)
            ),
            None if matches!(self.key.metric(), Metric::BelowHigh | Metric::AboveLow) => {
                let place = match self.key.metric() {
                    Metric::BelowHigh => "below its 52-week high",
                    _ => "above its 52-week low",
                };
                let bound = if self.key.wants_above() {
                    "more than"
                } else {
                    "within"
                };
                format!("{value:.1}% {place}, {bound} {}%", self.threshold)
            }
            None if self.key.metric().is_percent() => {
                format!("{name} {value:.1}%, {side} {}%", self.threshold)
            }
            None if self.key.metric() == Metric::Volume => {
                format!(
                    "{name} {}, {side} {}",
                    spoken(value),
                    spoken(self.threshold)
                )
            }
            None if self.key.metric() == Metric::Price => {
                format!("{name} {value:.2}, {side} {}", self.threshold)
            }
            None => format!(
                "{name} {} {side} {}",
                self.key.metric().rounded(value),
                self.threshold
            ),
        }
    }
}

/// A large number the way people say it: `5.2 trillion`, `10 billion`, `1.5 million`, `250,000`.
fn spoken(value: f64) -> String {
    // A number that rounds up to the next unit is written in that unit: not `1000 billion`.
    let (scaled, word) = match value.abs() {
        large if large >= 999.95e9 => (value / 1e12, " trillion"),
        large if large >= 999.95e6 => (value / 1e9, " billion"),
        large if large >= 999_999.5 => (value / 1e6, " million"),
        large if large >= 1e3 => (value / 1e3, ",000"),
        _ => (value, ""),
    };
    if word == ",000" {
        // Thousands are written out.
        let whole = value.round();
        return format!("{},{:03}", (whole / 1e3).floor(), whole % 1e3);
    }
    let written = format!("{scaled:.1}");
    format!("{}{word}", written.strip_suffix(".0").unwrap_or(&written))
}

#[cfg(test)]
mod tests;
