//! The names of the filters, and what each compares.

/// A metric of a symbol at a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Newest close.
    Price,
    /// RSI(14), 0 to 100.
    Rsi,
    /// Sentiment, 0 to 1.
    Sentiment,
    /// Price per annual profit per share; only where there is profit.
    PeRatio,
    /// Market value in 10⁹ USD.
    MarketCap,
    /// Dividends of twelve months over the price, in percent.
    DividendYield,
    /// Mean daily volume of 20 days.
    Volume,
    /// MACD minus its signal, in units of price.
    MacdHistogram,
    /// Simple average of 20 closes.
    Sma20,
    /// Simple average of 50 closes.
    Sma50,
    /// Simple average of 200 closes.
    Sma200,
}

impl Metric {
    /// How people call it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Price => "price",
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
        }
    }

    /// A value with as many places as people read.
    pub(super) fn rounded(self, value: f64) -> String {
        match self {
            Self::Volume => format!("{value:.0}"),
            Self::Sentiment => format!("{value:.2}"),
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
}

impl FilterKey {
    /// Every filter, those of the specification first and in its order.
    pub const ALL: [Self; 22] = [
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
        }
    }

    /// The filter of a name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.as_str() == name)
    }

    /// What it looks at.
    pub const fn metric(self) -> Metric {
        match self {
            Self::RsiBelow | Self::RsiAbove => Metric::Rsi,
            Self::SentimentAbove | Self::SentimentBelow => Metric::Sentiment,
            Self::PeBelow | Self::PeAbove => Metric::PeRatio,
            Self::MarketCapAbove | Self::MarketCapBelow => Metric::MarketCap,
            Self::VolumeAbove | Self::VolumeBelow => Metric::Volume,
            Self::DividendYieldAbove | Self::DividendYieldBelow => Metric::DividendYield,
            Self::MacdBullish | Self::MacdBearish => Metric::MacdHistogram,
            _ => Metric::Price,
        }
    }

    /// The metric it compares with, where that is not a threshold.
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
        )
    }

    /// The smallest and largest threshold that mean something, and these in words.
    pub const fn bounds(self) -> (f64, f64, &'static str) {
        match self.metric() {
            Metric::Rsi | Metric::DividendYield => (0.0, 100.0, "a number from 0 to 100"),
            Metric::Sentiment => (0.0, 1.0, "a number from 0 to 1"),
            _ => (0.0, 1e15, "a number from 0 to 10^15"),
        }
    }

    /// The filters that look at the same from opposite sides.
    pub(crate) const OPPOSITES: [(Self, Self); 11] = [
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
    ];
}
