//! Common screens, ready to be sent.

use model::AssetType;

use super::SortBy;
use crate::filters::{FilterKey, FilterValue};

/// A preset screen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct Preset {
    pub id: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    pub filters: &'static [(FilterKey, FilterValue)],
    pub asset_type: AssetType,
    pub sort: SortBy,
}

const YES: FilterValue = FilterValue::Flag(true);

const fn number(value: f64) -> FilterValue {
    FilterValue::Number(value)
}

/// The preset screens.
pub const PRESETS: [Preset; 8] = [
    Preset {
        id: "oversold",
        name: "Oversold",
        description: "Shares that fell fast: RSI below 30, the most oversold first.",
        filters: &[(FilterKey::RsiBelow, number(30.0))],
        asset_type: AssetType::Equity,
        sort: SortBy::Rsi,
    },
    Preset {
        id: "dip_in_uptrend",
        name: "Dip in an uptrend",
        description: "RSI below 40 while the price is still above its 200-day average.",
        filters: &[
            (FilterKey::RsiBelow, number(40.0)),
            (FilterKey::AboveSma200, YES),
        ],
        asset_type: AssetType::Equity,
        sort: SortBy::Rsi,
    },
    Preset {
        id: "momentum",
        name: "Momentum",
        description: "Above the 50-day and 200-day averages with a bullish MACD and an RSI above 50.",
        filters: &[
            (FilterKey::RsiAbove, number(50.0)),
            (FilterKey::MacdBullish, YES),
            (FilterKey::AboveSma50, YES),
            (FilterKey::AboveSma200, YES),
        ],
        asset_type: AssetType::Equity,
        sort: SortBy::Volume,
    },
    Preset {
        id: "overbought",
        name: "Overbought",
        description: "RSI above 70: a fast rise.",
        filters: &[(FilterKey::RsiAbove, number(70.0))],
        asset_type: AssetType::Equity,
        sort: SortBy::Volume,
    },
    Preset {
        id: "good_news",
        name: "Good news",
        description: "Positive coverage over the last week: sentiment above 0.58.",
        filters: &[(FilterKey::SentimentAbove, number(0.58))],
        asset_type: AssetType::Equity,
        sort: SortBy::Sentiment,
    },
    Preset {
        id: "value",
        name: "Value",
        description: "Priced below 15 times earnings, with a market value above 10 billion dollars.",
        filters: &[
            (FilterKey::PeBelow, number(15.0)),
            (FilterKey::MarketCapAbove, number(10.0)),
        ],
        asset_type: AssetType::Equity,
        sort: SortBy::PeRatio,
    },
    Preset {
        id: "funds_in_uptrend",
        name: "Funds in an uptrend",
        description: "Funds above their 50-day and 200-day averages.",
        filters: &[(FilterKey::AboveSma50, YES), (FilterKey::AboveSma200, YES)],
        asset_type: AssetType::Etf,
        sort: SortBy::Volume,
    },
    Preset {
        id: "oversold_coins",
        name: "Oversold coins",
        description: "Coins with an RSI below 35, the most oversold first.",
        filters: &[(FilterKey::RsiBelow, number(35.0))],
        asset_type: AssetType::Crypto,
        sort: SortBy::Rsi,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filters::Filters;

    #[test]
    fn every_preset_is_a_sound_screen() {
        for preset in PRESETS {
            let given = preset.filters.iter();
            let filters = Filters::parse(given.map(|(key, value)| (key.as_str(), *value))).unwrap();
            assert_eq!(filters.conditions().len(), preset.filters.len());
            let same = PRESETS.iter().filter(|other| other.id == preset.id);
            assert_eq!(same.count(), 1, "{}", preset.id);
        }
    }
}
