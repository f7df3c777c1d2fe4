//! Series of single values: macro indicators, exchange rates, commodity prices, yields and index levels.

use serde::{Deserialize, Serialize};

use crate::{Day, Timestamp};

/// How often a value appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each frequency names itself")]
pub enum Frequency {
    Daily,
    Weekly,
    Monthly,
    Quarterly,
    Annual,
}

impl Frequency {
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
            Self::Quarterly => "quarterly",
            Self::Annual => "annual",
        }
    }

    /// Derived from the distances between neighbouring observations: the median decides. `None` with fewer than two.
    pub fn of(days: &[Day]) -> Option<Self> {
        let mut gaps: Vec<i32> = days.windows(2).map(|pair| pair[1].since(pair[0])).collect();
        gaps.sort_unstable();
        Some(match *gaps.get(gaps.len() / 2)? {
            ..=4 => Self::Daily,
            5..=10 => Self::Weekly,
            11..=45 => Self::Monthly,
            46..=140 => Self::Quarterly,
            _ => Self::Annual,
        })
    }
}

/// Identity of a series: its kind, a colon, and its name within that kind. The kinds are `macro` (a FRED series ID such
/// as `macro:GDP`, including yields: `macro:DGS10`), `fx` (`fx:EURUSD`), `commodity` (`commodity:crude/futures`,
/// `commodity:crude/spot`), `index` (`index:^GSPC`), `close` (`close:XLK`: a symbol for which only closes are known),
/// `cap` (`cap:BTC`: market value of a coin in USD) and `tvl` (`tvl:aave`: value locked in a protocol in USD).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeriesId(pub String);

impl SeriesId {
    /// The series with that kind and name.
    pub fn new(kind: &str, name: &str) -> Self {
        Self(format!("{kind}:{name}"))
    }

    /// Its kind.
    pub fn kind(&self) -> &str {
        self.0.split_once(':').map_or("", |(kind, _)| kind)
    }

    /// Its name within its kind.
    pub fn name(&self) -> &str {
        self.0
            .split_once(':')
            .map_or(self.0.as_str(), |(_, name)| name)
    }
}

/// The metadata of a series.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// Identity.
    pub id: SeriesId,
    /// For example `Gross Domestic Product`.
    pub name: String,
    /// For example `percent`, `billions of USD`, `USD per barrel`, `index`.
    pub unit: String,
    /// How often there is a value.
    pub frequency: Frequency,
    /// Who publishes it, such as `FRED`, `ECB` or `EIA`, or the name of a file; `simulated` in the demo world.
    pub source: String,
    /// How many days after the day of an observation it is public, counted to the end of that day, if the source does
    /// not give the time.
    pub publication_lag_days: i32,
}

/// One value of a series.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// The day, or the first day of the week, month, quarter or year.
    pub day: Day,
    /// The value, in the unit of the series.
    pub value: f64,
}

/// Sentiment of the coverage of one symbol on one day, before there was a newswire to read: the demo world's simulated
/// past.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are those of the wire contract")]
pub struct SimulatedSentiment {
    pub day: Day,
    pub avg_sentiment: f64,
    pub min_sentiment: f64,
    pub max_sentiment: f64,
    pub brief_count: f64,
}

/// The newest price of something between two closes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    /// The price.
    pub price: f64,
    /// Close of the previous session.
    pub previous_close: Option<f64>,
    /// Shares or coins that changed hands in this session, or in the last 24 hours for markets that never close.
    pub volume: Option<f64>,
    /// When that price was paid.
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequency_is_read_off_the_days() {
        let days = |step: i32, count: i32| {
            (0..count)
                .map(|place| Day::new(10_000 + place * step).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(Frequency::of(&days(1, 9)), Some(Frequency::Daily));
        assert_eq!(Frequency::of(&days(7, 9)), Some(Frequency::Weekly));
        assert_eq!(Frequency::of(&days(30, 9)), Some(Frequency::Monthly));
        assert_eq!(Frequency::of(&days(91, 9)), Some(Frequency::Quarterly));
        assert_eq!(Frequency::of(&days(365, 9)), Some(Frequency::Annual));
        assert_eq!(Frequency::of(&days(1, 1)), None);
    }

    #[test]
    fn an_identity_has_two_parts() {
        let id = SeriesId::new("commodity", "crude/spot");
        assert_eq!((id.kind(), id.name()), ("commodity", "crude/spot"));
    }
}
