//! Alerts on tickers: what can be watched.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an alert waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertType {
    /// The price is at or above the threshold.
    PriceAbove,
    /// The price is at or below the threshold.
    PriceBelow,
    /// The sentiment is at or above the threshold.
    SentimentAbove,
    /// The sentiment is at or below the threshold.
    SentimentBelow,
    /// The day's volume is at least this many times the average.
    VolumeSpike,
    /// The relative strength index crosses the threshold from either side.
    RsiCross,
}

impl AlertType {
    /// Every type.
    pub const ALL: [Self; 6] = [
        Self::PriceAbove,
        Self::PriceBelow,
        Self::SentimentAbove,
        Self::SentimentBelow,
        Self::VolumeSpike,
        Self::RsiCross,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PriceAbove => "price_above",
            Self::PriceBelow => "price_below",
            Self::SentimentAbove => "sentiment_above",
            Self::SentimentBelow => "sentiment_below",
            Self::VolumeSpike => "volume_spike",
            Self::RsiCross => "rsi_cross",
        }
    }

    /// The type for that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Whether it concerns what briefs say.
    pub const fn is_about_sentiment(self) -> bool {
        matches!(self, Self::SentimentAbove | Self::SentimentBelow)
    }
}

impl fmt::Display for AlertType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_its_word() {
        for kind in AlertType::ALL {
            assert_eq!(AlertType::parse(kind.as_str()), Some(kind));
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{kind}\""));
        }
        assert_eq!(AlertType::parse("price"), None);
    }
}
