//! The order in which matches are listed.

use std::str::FromStr;

use crate::UnknownWord;
use crate::filters::Metric;

/// The order of the matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each order names itself")]
pub enum SortBy {
    #[default]
    Sentiment,
    Rsi,
    PeRatio,
    MarketCap,
    Volume,
    DividendYield,
    ChangeYtd,
    Change1y,
}

impl SortBy {
    /// Every order.
    pub const ALL: [Self; 8] = [
        Self::Sentiment,
        Self::Rsi,
        Self::PeRatio,
        Self::MarketCap,
        Self::Volume,
        Self::DividendYield,
        Self::ChangeYtd,
        Self::Change1y,
    ];

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sentiment => "sentiment",
            Self::Rsi => "rsi",
            Self::PeRatio => "pe_ratio",
            Self::MarketCap => "market_cap",
            Self::Volume => "volume",
            Self::DividendYield => "dividend_yield",
            Self::ChangeYtd => "change_ytd",
            Self::Change1y => "change_1y",
        }
    }

    /// The metric, and whether its highest value comes first.
    pub const fn metric(self) -> (Metric, bool) {
        match self {
            Self::Sentiment => (Metric::Sentiment, true),
            Self::Rsi => (Metric::Rsi, false),
            Self::PeRatio => (Metric::PeRatio, false),
            Self::MarketCap => (Metric::MarketCap, true),
            Self::Volume => (Metric::Volume, true),
            Self::DividendYield => (Metric::DividendYield, true),
            Self::ChangeYtd => (Metric::ChangeYtd, true),
            Self::Change1y => (Metric::ChangeYear, true),
        }
    }

    /// Whether it ranks by how far prices moved.
    pub const fn is_change(self) -> bool {
        matches!(self, Self::ChangeYtd | Self::Change1y)
    }
}

impl FromStr for SortBy {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|order| order.as_str() == text)
            .ok_or(UnknownWord(
                "sentiment, rsi, pe_ratio, market_cap, volume, dividend_yield, change_ytd, change_1y",
            ))
    }
}
