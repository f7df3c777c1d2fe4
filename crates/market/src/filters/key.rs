//! The names of the filters, and what each compares.

/// A metric of a symbol at a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Newest close, on the scale of its day: the price that was paid.
    Price,
    /// Newest close, on the scale of the averages with which it is compared.
    Close,
    /// RSI(14), 0 to 100.
    Rsi,
    /// Sentiment, 0 to 1.
    Sentiment,
    /// Price over annual earnings per share; only for companies with a profit.
    PeRatio,
    /// Market value in billions (10⁹) of USD.
    MarketCap,
    /// Trailing-twelve-month dividends over the price, in percent.
    DividendYield,
    /// Mean daily volume over 20 days.
    Volume,
    /// MACD minus its signal line, in units of price.
    MacdHistogram,
    /// Simple moving average of 20 closes.
    Sma20,
    /// Simple moving average of 50 closes.
    Sma50,
    /// Simple moving average of 200 closes.
    Sma200,
    /// How far the newest close lies below the 52-week high, in percent of the high.
    BelowHigh,
    /// How far the newest close lies above the 52-week low, in percent of the low.
    AboveLow,
    /// Change since the last close of the previous year, in percent.
    ChangeYtd,
    /// Change over twelve months, in percent.
    ChangeYear,
    /// Trailing-twelve-month revenue compared with the year before, in percent.
    RevenueGrowth,
    /// Trailing-twelve-month earnings per share compared with the year before, in percent; only if those were
    /// positive.
    EpsGrowth,
    /// Net income as a percentage of revenue.
    ProfitMargin,
    /// Interest-bearing debt over equity, as a ratio.
    DebtToEquity,
}

impl Metric {
    /// Metrics that come from company reports rather than prices.
    pub const OF_COMPANIES: [Self; 7] = [
        Self::PeRatio,
        Self::MarketCap,
        Self::DividendYield,
        Self::RevenueGrowth,
        Self::EpsGrowth,
        Self::ProfitMargin,
        Self::DebtToEquity,
    ];

    /// Whether it is in the currency of the listing.
    pub(crate) const fn is_price(self) -> bool {
        matches!(
            self,
            Self::Price
                | Self::Close
                | Self::MacdHistogram
                | Self::Sma20
                | Self::Sma50
                | Self::Sma200
        )
    }

    /// Whether it is in percent.
    pub(crate) const fn is_percent(self) -> bool {
        matches!(
            self,
            Self::DividendYield
                | Self::BelowHigh
                | Self::AboveLow
                | Self::ChangeYtd
                | Self::ChangeYear
                | Self::RevenueGrowth
                | Self::EpsGrowth
                | Self::ProfitMargin
        )
    }

    /// What people call it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Price | Self::Close => "price",
            Self::Rsi => "RSI",
            Self::Sentiment => "sentiment",
            Self::PeRatio => "P/E",
            Self::MarketCap => "market value",
            Self::DividendYield => "dividend yield",
            Self::Volume => "average daily volume",
            Self::MacdHistogram => "MACD histogram",
            Self::Sma20 => "20-day average",
            Self::Sma50 => "50-day average",
            Self::Sma200 => "200-day average",
            Self::BelowHigh => "distance from the 52-week high",
            Self::AboveLow => "distance from the 52-week low",
            Self::ChangeYtd => "change this year",
            Self::ChangeYear => "change over twelve months",
            Self::RevenueGrowth => "revenue growth",
            Self::EpsGrowth => "growth of earnings per share",
            Self::ProfitMargin => "profit margin",
            Self::DebtToEquity => "debt to equity",
        }
    }

    /// A value with the number of decimal places that people expect.
    pub(super) fn rounded(self, value: f64) -> String {
        match self {
            Self::Volume => format!("{value:.0}"),
            Self::Sentiment | Self::DebtToEquity => format!("{value:.2}"),
            percent if percent.is_percent() => format!("{value:.1}%"),
            _ => format!("{value:.1}"),
        }
    }
}

/// The filters of the wire contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each filter names itself")]
pub enum FilterKey {
    RsiBelow,
    RsiAbove,
    SentimentAbove,
    SentimentBelow,
    PeBelow,
    PeAbove,
    MarketCapAbove,
    VolumeAbove,
    MacdBullish,
    MacdBearish,
    AboveSma20,
    BelowSma20,
    AboveSma50,
    BelowSma50,
    AboveSma200,
    BelowSma200,
    PriceBelow,
    PriceAbove,
    DividendYieldAbove,
    DividendYieldBelow,
    MarketCapBelow,
    VolumeBelow,
    From52wHighAbove,
    From52wHighBelow,
    From52wLowAbove,
    From52wLowBelow,
    ChangeYtdAbove,
    ChangeYtdBelow,
    Change1yAbove,
    Change1yBelow,
    RevenueGrowthAbove,
    RevenueGrowthBelow,
    EpsGrowthAbove,
    EpsGrowthBelow,
    ProfitMarginAbove,
    ProfitMarginBelow,
    DebtToEquityAbove,
    DebtToEquityBelow,
}

impl FilterKey {
    /// Every filter, with those in the specification first and in its order.
    pub const ALL: [Self; 38] = [
        Self::RsiBelow,
        Self::RsiAbove,
        Self::SentimentAbove,
        Self::SentimentBelow,
        Self::PeBelow,
        Self::PeAbove,
        Self::MarketCapAbove,
        Self::VolumeAbove,
        Self::MacdBullish,
        Self::MacdBearish,
        Self::AboveSma20,
        Self::BelowSma20,
        Self::AboveSma50,
        Self::BelowSma50,
        Self::AboveSma200,
        Self::BelowSma200,
        Self::PriceBelow,
        Self::PriceAbove,
        Self::DividendYieldAbove,
        Self::DividendYieldBelow,
        Self::MarketCapBelow,
        Self::VolumeBelow,
        Self::From52wHighAbove,
        Self::From52wHighBelow,
        Self::From52wLowAbove,
        Self::From52wLowBelow,
        Self::ChangeYtdAbove,
        Self::ChangeYtdBelow,
        Self::Change1yAbove,
        Self::Change1yBelow,
        Self::RevenueGrowthAbove,
        Self::RevenueGrowthBelow,
        Self::EpsGrowthAbove,
        Self::EpsGrowthBelow,
        Self::ProfitMarginAbove,
        Self::ProfitMarginBelow,
        Self::DebtToEquityAbove,
        Self::DebtToEquityBelow,
    ];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RsiBelow => "rsi_below",
            Self::RsiAbove => "rsi_above",
            Self::SentimentAbove => "sentiment_above",
            Self::SentimentBelow => "sentiment_below",
            Self::PeBelow => "pe_below",
            Self::PeAbove => "pe_above",
            Self::MarketCapAbove => "market_cap_above",
            Self::VolumeAbove => "volume_above",
            Self::MacdBullish => "macd_bullish",
            Self::MacdBearish => "macd_bearish",
            Self::AboveSma20 => "above_sma_20",
            Self::BelowSma20 => "below_sma_20",
            Self::AboveSma50 => "above_sma_50",
            Self::BelowSma50 => "below_sma_50",
            Self::AboveSma200 => "above_sma_200",
            Self::BelowSma200 => "below_sma_200",
            Self::PriceBelow => "price_below",
            Self::PriceAbove => "price_above",
            Self::DividendYieldAbove => "dividend_yield_above",
            Self::DividendYieldBelow => "dividend_yield_below",
            Self::MarketCapBelow => "market_cap_below",
            Self::VolumeBelow => "volume_below",
            Self::From52wHighAbove => "from_52w_high_above",
            Self::From52wHighBelow => "from_52w_high_below",
            Self::From52wLowAbove => "from_52w_low_above",
            Self::From52wLowBelow => "from_52w_low_below",
            Self::ChangeYtdAbove => "change_ytd_above",
            Self::ChangeYtdBelow => "change_ytd_below",
            Self::Change1yAbove => "change_1y_above",
            Self::Change1yBelow => "change_1y_below",
            Self::RevenueGrowthAbove => "revenue_growth_above",
            Self::RevenueGrowthBelow => "revenue_growth_below",
            Self::EpsGrowthAbove => "eps_growth_above",
            Self::EpsGrowthBelow => "eps_growth_below",
            Self::ProfitMarginAbove => "profit_margin_above",
            Self::ProfitMarginBelow => "profit_margin_below",
            Self::DebtToEquityAbove => "debt_to_equity_above",
            Self::DebtToEquityBelow => "debt_to_equity_below",
        }
    }

    /// The filter with a given name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.as_str() == name)
    }

    /// The metric that it looks at.
    pub const fn metric(self) -> Metric {
        match self {
            Self::RsiBelow | Self::RsiAbove => Metric::Rsi,
            Self::SentimentAbove | Self::SentimentBelow => Metric::Sentiment,
            Self::PeBelow | Self::PeAbove => Metric::PeRatio,
            Self::MarketCapAbove | Self::MarketCapBelow => Metric::MarketCap,
            Self::VolumeAbove | Self::VolumeBelow => Metric::Volume,
            Self::DividendYieldAbove | Self::DividendYieldBelow => Metric::DividendYield,
            Self::MacdBullish | Self::MacdBearish => Metric::MacdHistogram,
            Self::From52wHighAbove | Self::From52wHighBelow => Metric::BelowHigh,
            Self::From52wLowAbove | Self::From52wLowBelow => Metric::AboveLow,
            Self::ChangeYtdAbove | Self::ChangeYtdBelow => Metric::ChangeYtd,
            Self::Change1yAbove | Self::Change1yBelow => Metric::ChangeYear,
            Self::RevenueGrowthAbove | Self::RevenueGrowthBelow => Metric::RevenueGrowth,
            Self::EpsGrowthAbove | Self::EpsGrowthBelow => Metric::EpsGrowth,
            Self::ProfitMarginAbove | Self::ProfitMarginBelow => Metric::ProfitMargin,
            Self::DebtToEquityAbove | Self::DebtToEquityBelow => Metric::DebtToEquity,
            Self::PriceAbove | Self::PriceBelow => Metric::Price,
            _ => Metric::Close,
        }
    }

    /// The metric with which it compares, if that is not a threshold.
    pub const fn reference(self) -> Option<Metric> {
        match self {
            Self::AboveSma20 | Self::BelowSma20 => Some(Metric::Sma20),
            Self::AboveSma50 | Self::BelowSma50 => Some(Metric::Sma50),
            Self::AboveSma200 | Self::BelowSma200 => Some(Metric::Sma200),
            _ => None,
        }
    }

    /// Whether it takes `true` instead of a number.
    pub const fn is_flag(self) -> bool {
        self.reference().is_some() || matches!(self, Self::MacdBullish | Self::MacdBearish)
    }

    /// Whether the metric must lie above the reference, rather than below it.
    pub const fn wants_above(self) -> bool {
        matches!(
            self,
            Self::RsiAbove
                | Self::SentimentAbove
                | Self::PeAbove
                | Self::MarketCapAbove
                | Self::VolumeAbove
                | Self::MacdBullish
                | Self::AboveSma20
                | Self::AboveSma50
                | Self::AboveSma200
                | Self::PriceAbove
                | Self::DividendYieldAbove
                | Self::From52wHighAbove
                | Self::From52wLowAbove
                | Self::ChangeYtdAbove
                | Self::Change1yAbove
                | Self::RevenueGrowthAbove
                | Self::EpsGrowthAbove
                | Self::ProfitMarginAbove
                | Self::DebtToEquityAbove
        )
    }

    /// The smallest and largest meaningful threshold, and the two in words.
    pub const fn bounds(self) -> (f64, f64, &'static str) {
        match self.metric() {
            Metric::Rsi | Metric::DividendYield | Metric::BelowHigh => {
                (0.0, 100.0, "a number from 0 to 100")
            }
            Metric::ChangeYtd
            | Metric::ChangeYear
            | Metric::RevenueGrowth
            | Metric::EpsGrowth
            | Metric::ProfitMargin => (-1e6, 1e6, "a number from -10^6 to 10^6"),
            Metric::Sentiment => (0.0, 1.0, "a number from 0 to 1"),
            _ => (0.0, 1e15, "a number from 0 to 10^15"),
        }
    }

    /// The filters that look at the same metric from opposite sides.
    pub(crate) const OPPOSITES: [(Self, Self); 19] = [
        (Self::RsiAbove, Self::RsiBelow),
        (Self::SentimentAbove, Self::SentimentBelow),
        (Self::PeAbove, Self::PeBelow),
        (Self::MacdBullish, Self::MacdBearish),
        (Self::AboveSma20, Self::BelowSma20),
        (Self::AboveSma50, Self::BelowSma50),
        (Self::AboveSma200, Self::BelowSma200),
        (Self::PriceAbove, Self::PriceBelow),
        (Self::DividendYieldAbove, Self::DividendYieldBelow),
        (Self::MarketCapAbove, Self::MarketCapBelow),
        (Self::VolumeAbove, Self::VolumeBelow),
        (Self::From52wHighAbove, Self::From52wHighBelow),
        (Self::From52wLowAbove, Self::From52wLowBelow),
        (Self::ChangeYtdAbove, Self::ChangeYtdBelow),
        (Self::Change1yAbove, Self::Change1yBelow),
        (Self::RevenueGrowthAbove, Self::RevenueGrowthBelow),
        (Self::EpsGrowthAbove, Self::EpsGrowthBelow),
        (Self::ProfitMarginAbove, Self::ProfitMarginBelow),
        (Self::DebtToEquityAbove, Self::DebtToEquityBelow),
    ];
}
