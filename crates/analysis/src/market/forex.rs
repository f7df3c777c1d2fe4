//! The currency pairs.

use super::{Unknown, nearest};

/// A pair of currencies: how much of the second one unit of the first costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Six letters, such as `EURUSD`.
    pub pair: &'static str,
    /// Such as `Euro / US Dollar`.
    pub label: &'static str,
    /// Series of its rate; that with the newest value counts.
    pub series: [&'static str; 2],
}

const fn pair(pair: &'static str, label: &'static str, series: [&'static str; 2]) -> Pair {
    Pair {
        pair,
        label,
        series,
    }
}

/// Every pair.
pub const PAIRS: [Pair; 7] = [
    pair("EURUSD", "Euro / US Dollar", ["fx:EURUSD", "macro:DEXUSEU"]),
    pair(
        "GBPUSD",
        "British Pound / US Dollar",
        ["fx:GBPUSD", "macro:DEXUSUK"],
    ),
    pair(
        "USDJPY",
        "US Dollar / Japanese Yen",
        ["fx:USDJPY", "macro:DEXJPUS"],
    ),
    pair(
        "AUDUSD",
        "Australian Dollar / US Dollar",
        ["fx:AUDUSD", "macro:DEXUSAL"],
    ),
    pair(
        "USDCAD",
        "US Dollar / Canadian Dollar",
        ["fx:USDCAD", "macro:DEXCAUS"],
    ),
    pair(
        "USDCHF",
        "US Dollar / Swiss Franc",
        ["fx:USDCHF", "macro:DEXSZUS"],
    ),
    pair(
        "NZDUSD",
        "New Zealand Dollar / US Dollar",
        ["fx:NZDUSD", "macro:DEXUSNZ"],
    ),
];

impl Pair {
    /// The pair that a text names: `EURUSD`, `eur/usd`, `EUR-USD`, `EURUSD=X`.
    pub fn find(text: &str) -> Result<&'static Self, Unknown> {
        let upper = text.trim().to_ascii_uppercase();
        let bare: String = upper
            .strip_suffix("=X")
            .unwrap_or(&upper)
            .chars()
            .filter(|character| !matches!(character, '/' | '-' | '_' | ' '))
            .collect();
        PAIRS
            .iter()
            .find(|one| one.pair == bare)
            .ok_or_else(|| Unknown {
                asked: text.chars().take(60).collect(),
                ..nearest(&bare, PAIRS.iter().map(|one| one.pair))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_names_the_same_pair() {
        for text in ["EURUSD", "eurusd", "EUR/USD", "eur-usd", "EURUSD=X"] {
            assert_eq!(
                Pair::find(text).unwrap().label,
                "Euro / US Dollar",
                "{text}"
            );
        }
        assert_eq!(Pair::find("EURUSS").unwrap_err().suggestions[0], "EURUSD");
        assert_eq!(Pair::find("EUR").unwrap_err().suggestions, ["EURUSD"]);
        assert!(Pair::find("\u{1f4a9}=X").is_err());
    }
}
