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
    RevenueGrowth,
    EpsGrowth,
    ProfitMargin,
    DebtToEquity,
    Price,
}

impl SortBy {
    /// Every order.
    pub const ALL: [Self; 13] = [
        Self::Sentiment,
        Self::Rsi,
        Self::PeRatio,
        Self::MarketCap,
        Self::Volume,
        Self::DividendYield,
        Self::ChangeYtd,
        Self::Change1y,
        Self::RevenueGrowth,
        Self::EpsGrowth,
        Self::ProfitMargin,
        Self::DebtToEquity,
        Self::Price,
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
            Self::RevenueGrowth => "revenue_growth",
            Self::EpsGrowth => "eps_growth",
            Self::ProfitMargin => "profit_margin",
            Self::DebtToEquity => "debt_to_equity",
            Self::Price => "price",
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
            Self::RevenueGrowth => (Metric::RevenueGrowth, true),
            Self::EpsGrowth => (Metric::EpsGrowth, true),
            Self::ProfitMargin => (Metric::ProfitMargin, true),
            Self::DebtToEquity => (Metric::DebtToEquity, false),
            Self::Price => (Metric::Price, true),
        }
    }

    /// The direction in which matches are listed if none is asked for.
    pub const fn usual(self) -> Direction {
        match self.metric() {
            (_, true) => Direction::Descending,
            (_, false) => Direction::Ascending,
        }
    }

    /// Whether the matches have no field of its own for its value.
    pub const fn has_no_field(self) -> bool {
        !matches!(
            self,
            Self::Sentiment | Self::Rsi | Self::PeRatio | Self::MarketCap | Self::Price
        )
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
                "sentiment, rsi, pe_ratio, market_cap, volume, dividend_yield, change_ytd, change_1y, revenue_growth, eps_growth, profit_margin, debt_to_equity, price",
            ))
    }
}

/// Which end of an order comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The lowest value first.
    Ascending,
    /// The highest value first.
    Descending,
}

impl Direction {
    /// Both directions.
    pub const ALL: [Self; 2] = [Self::Ascending, Self::Descending];

    /// The other direction.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Ascending => Self::Descending,
            Self::Descending => Self::Ascending,
        }
    }

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ascending => "asc",
            Self::Descending => "desc",
        }
    }
}

impl FromStr for Direction {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|direction| direction.as_str() == text)
            .ok_or(UnknownWord("asc, desc"))
    }
}
