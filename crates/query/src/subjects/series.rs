//! Figures that are not listed: indicators, indices, commodities and currency pairs.

use std::ops::Range;
use std::sync::LazyLock;

use model::table;
use verify::figures::{KnownSeries, SeriesKind};

use crate::words::Word;

/// Codes of series, with a phrase as words.
static CALLED: LazyLock<Vec<(&str, Vec<&str>)>> = LazyLock::new(|| {
    table::rows(include_str!("../../data/series.tsv"))
        .flat_map(|[code, phrases]| {
            let phrases = phrases.split('|');
            phrases.map(move |phrase| (code, phrase.split(' ').collect()))
        })
        .collect()
});

/// Codes of the series in a group, with a phrase as words.
static GROUPS: LazyLock<Vec<(Vec<&str>, Vec<&str>)>> = LazyLock::new(|| {
    table::rows(include_str!("../../data/groups.tsv"))
        .flat_map(|[codes, phrases]| {
            let codes: Vec<&str> = codes.split('|').collect();
            let phrases = phrases.split('|');
            phrases.map(move |phrase| (codes.clone(), phrase.split(' ').collect()))
        })
        .collect()
});

/// Words after the name of a group that show that shares are meant.
const OF_SHARES: [&str; 17] = [
    "sector",
    "sectors",
    "stock",
    "stocks",
    "industry",
    "company",
    "companies",
    "names",
    "space",
    "etf",
    "etfs",
    "shares",
    "equities",
    "industries",
    "plays",
    "miners",
    "producers",
];

/// Something unlisted that has values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// An indicator, index or commodity by the code of [`KnownSeries`].
    Known(&'static str),
    /// How much of the second currency one unit of the first costs.
    Pair(&'static str, &'static str),
}

impl Series {
    /// Its name for use in sentences.
    pub fn name(self) -> String {
        match self {
            Self::Known(code) => {
                KnownSeries::find(code).map_or_else(|| code.to_owned(), |known| known.name.into())
            }
            Self::Pair(base, quote) => format!("{base}/{quote}"),
        }
    }
}

/// Figures by the words of the table.
pub(super) fn called(words: &[Word]) -> Vec<(Series, Range<usize>)> {
    CALLED
        .iter()
        .filter_map(|(code, phrase)| Some((Series::Known(code), place_of(phrase, words)?)))
        .collect()
}

/// The first position of the words of a phrase.
fn place_of(phrase: &[&str], words: &[Word]) -> Option<Range<usize>> {
    let is_word = |(word, wanted): (&Word, &&str)| word.lower == **wanted;
    let first = words
        .windows(phrase.len())
        .position(|slice| slice.iter().zip(phrase).all(is_word))?;
    Some(first..first + phrase.len())
}

/// The figures of groups: `precious metals`, and then not `metals` within it; `metals stocks` are shares.
pub(super) fn groups(words: &[Word]) -> Vec<(Series, Range<usize>)> {
    let placed: Vec<(&[&'static str], Range<usize>)> = GROUPS
        .iter()
        .filter_map(|(codes, phrase)| Some((codes.as_slice(), place_of(phrase, words)?)))
        .filter(|(_, range)| {
            let next = words.get(range.end);
            !next.is_some_and(|next| next.is_any(&OF_SHARES))
        })
        .collect();
    placed
        .iter()
        .filter(|(_, range)| {
            let is_wider = |other: &Range<usize>| {
                other.len() > range.len() && other.start <= range.start && range.end <= other.end
            };
            !placed.iter().any(|(_, other)| is_wider(other))
        })
        .flat_map(|(codes, range)| {
            let codes = codes.iter();
            codes.map(|code| (Series::Known(code), range.clone()))
        })
        .collect()
}

/// Pairs are quoted in one direction: how many yen a dollar costs, and how many dollars a euro.
pub(super) fn usual_pair(base: &'static str, quote: &'static str) -> Series {
    const ORDER: [&str; 8] = ["EUR", "GBP", "AUD", "NZD", "USD", "CAD", "CHF", "JPY"];
    // Currencies outside the order are counted per unit of those in it: pesos per dollar.
    let place = |code| {
        let place = ORDER.iter().position(|other| *other == code);
        place.unwrap_or(ORDER.len())
    };
    if place(base) <= place(quote) {
        Series::Pair(base, quote)
    } else {
        Series::Pair(quote, base)
    }
}

fn known(series: Series) -> Option<&'static KnownSeries> {
    match series {
        Series::Known(code) => KnownSeries::find(code),
        Series::Pair(..) => None,
    }
}

fn starts(series: Series, prefixes: &[&str]) -> bool {
    known(series).is_some_and(|known| {
        known
            .ids
            .first()
            .is_some_and(|id| prefixes.iter().any(|prefix| id.starts_with(prefix)))
    })
}

/// Whether a series is of this kind.
pub fn is_commodity(series: Series) -> bool {
    starts(series, &["commodity:"])
}

/// Whether a series is of this kind.
pub fn is_index(series: Series) -> bool {
    starts(series, &["index:"])
}

/// Whether a series is of this kind.
pub fn is_pair(series: Series) -> bool {
    matches!(series, Series::Pair(..)) || starts(series, &["fx:"])
}

/// Whether a series is of this kind.
pub fn is_macro(series: Series) -> bool {
    known(series)
        .is_some_and(|known| known.kind != SeriesKind::Price || starts(series, &["macro:"]))
        && !is_commodity(series)
        && !is_index(series)
        && !is_pair(series)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_called_by_what_is_known() {
        for file in [
            include_str!("../../data/series.tsv"),
            include_str!("../../data/groups.tsv"),
        ] {
            assert_eq!(table::fault(file, 2, 1), None);
        }
        let of_groups = GROUPS.iter().flat_map(|(codes, _)| codes);
        for code in CALLED.iter().map(|(code, _)| code).chain(of_groups) {
            assert!(KnownSeries::find(code).is_some(), "{code}");
        }
    }

    #[test]
    fn pairs_are_quoted_one_way() {
        assert_eq!(usual_pair("JPY", "USD"), Series::Pair("USD", "JPY"));
        assert_eq!(usual_pair("EUR", "USD"), Series::Pair("EUR", "USD"));
        assert_eq!(usual_pair("USD", "GBP"), Series::Pair("GBP", "USD"));
    }

    #[test]
    fn every_series_has_one_kind() {
        for known in KnownSeries::all() {
            let series = Series::Known(known.code);
            let kinds = [is_commodity, is_index, is_pair, is_macro];
            let count = kinds.iter().filter(|is| is(series)).count();
            assert!(count <= 1, "{}", known.code);
        }
    }
}
