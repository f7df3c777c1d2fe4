//! The catalogue of everything priced by series rather than by candles: currency pairs, commodities and indices.

use std::collections::HashMap;
use std::sync::LazyLock;

use market::screener::Conversion;
use model::table;

use super::{DataIssue, Level, PointInTime, TimeSeries, Unknown, Values, nearest};
use crate::Result;

/// The currency through which all others are converted.
const DOLLAR: &str = "USD";
/// The currency in which the European Central Bank gives its reference rates.
const EURO: &str = "EUR";
/// Fractions of a currency in which shares are quoted, as data providers and ISO 4217 users write them: one hundredth
/// each.
const HUNDREDTHS: [(&str, &str); 5] = [
    ("GBp", "GBP"),
    ("GBX", "GBP"),
    ("ZAc", "ZAR"),
    ("ZAC", "ZAR"),
    ("ILA", "ILS"),
];
const CURRENCY_PAIRS_FILE: &str = include_str!("../../data/currency_pairs.tsv");
const COMMODITIES_FILE: &str = include_str!("../../data/commodities.tsv");
const INDICES_FILE: &str = include_str!("../../data/indices.tsv");

/// Every currency pair: how much of the second currency one unit of the first costs.
pub static CURRENCY_PAIRS: LazyLock<Vec<PricedSeries>> =
    LazyLock::new(|| read(CURRENCY_PAIRS_FILE));
/// The number of commodities, from the top of the table, that make up the list; those further down are found only when
/// asked for by name.
pub const LISTED_COMMODITIES: usize = 10;
/// Every commodity.
pub static COMMODITIES: LazyLock<Vec<PricedSeries>> = LazyLock::new(|| read(COMMODITIES_FILE));
/// Every index in the market summary, with the volatility index last.
pub static INDICES: LazyLock<Vec<PricedSeries>> = LazyLock::new(|| read(INDICES_FILE));

/// The currencies of indices on other exchanges; every other index is in US dollars.
const FOREIGN_INDICES: [(&str, &str); 19] = [
    ("^N225", "JPY"),
    ("^FTSE", "GBP"),
    ("^FTMC", "GBP"),
    ("^GDAXI", "EUR"),
    ("^FCHI", "EUR"),
    ("^STOXX", "EUR"),
    ("^STOXX50E", "EUR"),
    ("^AEX", "EUR"),
    ("^IBEX", "EUR"),
    ("^SSMI", "CHF"),
    ("^HSI", "HKD"),
    ("^KS11", "KRW"),
    ("^TWII", "TWD"),
    ("^BSESN", "INR"),
    ("^NSEI", "INR"),
    ("^AXJO", "AUD"),
    ("^GSPTSE", "CAD"),
    ("^BVSP", "BRL"),
    ("^MXX", "MXN"),
];

/// The currency of the shares in an index.
pub(super) fn currency_of_index(code: &str) -> &'static str {
    let foreign = FOREIGN_INDICES.iter().find(|(known, _)| *known == code);
    foreign.map_or("USD", |(_, currency)| currency)
}

/// Something with a price that is not an instrument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PricedSeries {
    /// Its code in paths and answers, such as `EURUSD`, `crude` or `^GSPC`.
    pub code: &'static str,
    /// A name such as `Euro / US Dollar`.
    pub name: &'static str,
    /// The series with its price; the one with the latest value counts, and among equals the first.
    pub series: Vec<&'static str>,
}

fn read(file: &'static str) -> Vec<PricedSeries> {
    table::rows(file)
        .map(|[code, name, series]| PricedSeries {
            code,
            name,
            series: series.split(',').collect(),
        })
        .collect()
}

/// The currencies of the pairs.
pub fn currencies() -> Vec<&'static str> {
    let parts = CURRENCY_PAIRS
        .iter()
        .filter_map(|pair| pair.code.split_at_checked(3));
    let mut found: Vec<&'static str> = parts.flat_map(|(one, other)| [one, other]).collect();
    found.sort_unstable();
    found.dedup();
    found
}

impl PricedSeries {
    /// The currency pair that a text names: `EURUSD`, `eur/usd`, `EUR-USD`, `EURUSD=X`.
    pub fn find_currency_pair(text: &str) -> Result<&'static Self, Unknown> {
        let upper = text.trim().to_ascii_uppercase();
        let bare: String = upper
            .strip_suffix("=X")
            .unwrap_or(&upper)
            .chars()
            .filter(|character| !matches!(character, '/' | '-' | '_' | ' '))
            .collect();
        find(&CURRENCY_PAIRS, &bare).map_err(|unknown| Unknown {
            asked: text.chars().take(60).collect(),
            ..unknown
        })
    }

    /// The commodity with this code or common name, case-insensitive.
    pub fn find_commodity(text: &str) -> Result<&'static Self, Unknown> {
        const CALLED: [(&str, &str); 6] = [
            ("oil", "crude"),
            ("crude oil", "crude"),
            ("wti", "crude"),
            ("natural gas", "natgas"),
            ("maize", "corn"),
            ("soybeans", "soybean"),
        ];
        let text = text.trim();
        let called = CALLED
            .into_iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(text));
        find(&COMMODITIES, called.map_or(text, |(_, code)| code))
    }
}

fn find(all: &'static [PricedSeries], code: &str) -> Result<&'static PricedSeries, Unknown> {
    all.iter()
        .find(|one| one.code.eq_ignore_ascii_case(code))
        .ok_or_else(|| nearest(code, all.iter().map(|one| one.code)))
}

impl TimeSeries {
    /// The series with the latest value, and what is missing or old; `what` is what the value is called in words, such
    /// as `price` of `crude`.
    pub async fn latest(
        &self,
        one: &PricedSeries,
        field: &'static str,
        (what, name): (&str, &str),
        when: PointInTime,
    ) -> Result<(Option<(Values, Level)>, Option<DataIssue>)> {
        let values = self.newest_values(&one.series, when).await?;
        let found = values.and_then(|values| values.level().map(|level| (values, level)));
        let issue = if let Some((values, _)) = &found {
            values.staleness(field, name, when)
        } else {
            let reason = format!("no {what} is available for {name}");
            Some(DataIssue::absent(field, reason))
        };
        Ok((found, issue))
    }
}

impl TimeSeries {
    /// The value of one unit of each currency in the stored pairs, in another currency; empty if no rate for that
    /// currency is stored.
    pub async fn conversion(&self, to: &str, when: PointInTime) -> Result<Conversion> {
        let mut in_dollars: HashMap<String, f64> = HashMap::from([(DOLLAR.to_owned(), 1.0)]);
        for pair in CURRENCY_PAIRS.iter() {
            let values = self.newest_values(&pair.series, when).await?;
            let Some(level) = values.as_ref().and_then(Values::level) else {
                continue;
            };
            if let Some(currency) = pair.code.strip_suffix(DOLLAR) {
                in_dollars.insert(currency.to_owned(), level.value);
            } else if let Some(currency) = pair.code.strip_prefix(DOLLAR)
                && level.value > 0.0
            {
                in_dollars.insert(currency.to_owned(), 1.0 / level.value);
            }
        }
        self.reference_rates(&mut in_dollars, when).await?;
        for (part, whole) in HUNDREDTHS {
            if let Some(value) = in_dollars.get(whole).copied() {
                in_dollars.insert(part.to_owned(), value / 100.0);
            }
        }
        let unit = in_dollars.get(to).copied().filter(|unit| *unit > 0.0);
        let rates = unit.map(|unit| {
            let rates = in_dollars.into_iter();
            rates.map(|(code, value)| (code, value / unit)).collect()
        });
        Ok(Conversion {
            to: to.to_owned(),
            rates: rates.unwrap_or_default(),
        })
    }
}

impl TimeSeries {
    /// The value of one unit of each other currency that has a stored rate against the euro.
    async fn reference_rates(
        &self,
        in_dollars: &mut HashMap<String, f64>,
        when: PointInTime,
    ) -> Result<()> {
        let Some(euro) = in_dollars.get(EURO).copied() else {
            return Ok(());
        };
        for series in self.of_kind("fx").await? {
            let Some(currency) = series.id.0.strip_prefix("fx:EUR") else {
                continue;
            };
            if currency.len() != 3 || in_dollars.contains_key(currency) {
                continue;
            }
            let values = self.newest_values(&[&series.id.0], when).await?;
            if let Some(level) = values.as_ref().and_then(Values::level)
                && level.value > 0.0
            {
                in_dollars.insert(currency.to_owned(), euro / level.value);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sound() {
        for (file, count) in [
            (CURRENCY_PAIRS_FILE, 7),
            (COMMODITIES_FILE, 16),
            (INDICES_FILE, 5),
        ] {
            assert_eq!(table::fault(file, 3, 1), None);
            let read = read(file);
            assert_eq!(read.len(), count);
            for one in read {
                assert!(one.series.iter().all(|id| id.contains(':')), "{one:?}");
            }
        }
        assert_eq!(INDICES.last().map(|one| one.code), Some("^VIX"));
    }

    #[test]
    fn every_form_names_the_same_pair() {
        let find = PricedSeries::find_currency_pair;
        for text in ["EURUSD", "eurusd", "EUR/USD", "eur-usd", "EURUSD=X"] {
            assert_eq!(find(text).unwrap().name, "Euro / US Dollar", "{text}");
        }
        assert_eq!(find("EURUSS").unwrap_err().suggestions[0], "EURUSD");
        assert_eq!(find("EUR").unwrap_err().suggestions, ["EURUSD"]);
        assert!(find("\u{1f4a9}=X").is_err());
    }

    #[test]
    fn a_commodity_is_found_in_any_case() {
        let find = PricedSeries::find_commodity;
        assert_eq!(find(" Gold").unwrap().code, "gold");
        assert_eq!(find("Oil").unwrap().code, "crude");
        assert_eq!(find("god").unwrap_err().suggestions, ["gold"]);
    }
}
