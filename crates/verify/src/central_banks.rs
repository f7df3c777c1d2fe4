//! Central banks mentioned in a text: by name, by country (`Sweden's central bank`), and by their seat if the text is
//! about interest rates (`rate-setters in Frankfurt`).

use std::ops::Range;
use std::sync::LazyLock;

use model::table;

use crate::figures::token::{Token, cut};
use crate::places;

const TABLE: &str = include_str!("../data/central_banks.tsv");

/// A central bank, by its position in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CentralBank(usize);

impl CentralBank {
    /// The first entry in the table.
    pub(crate) const FEDERAL_RESERVE: Self = Self(0);
}

/// A central bank at the place where a text names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) bank: CentralBank,
    /// Its byte range in the text.
    pub(crate) bytes: Range<usize>,
}

struct Row {
    /// The words of each name.
    names: Vec<Vec<String>>,
    country: &'static str,
    city: Vec<String>,
}

static BANKS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    table::rows(TABLE)
        .map(|[name, others, country, city]| Row {
            names: std::iter::once(name)
                .chain(others.split('|'))
                .map(words)
                .collect(),
            country,
            city: words(city),
        })
        .collect()
});

/// The central banks that a text mentions by name or by country, in order.
pub(crate) fn named(text: &str) -> Vec<Mention> {
    let tokens = cut(text);
    let mut found: Vec<Mention> = (0..tokens.len())
        .filter_map(|at| by_name(&tokens, at))
        .chain(by_country(text))
        .collect();
    found.sort_by_key(|mention| mention.bytes.start);
    found
}

/// The bytes of a text that name a central bank other than the Federal Reserve, or the first if it names several; empty
/// if the bank is mentioned by its seat.
pub fn other_than_fed(text: &str) -> Option<Range<usize>> {
    let is_other = |bank: CentralBank| bank != CentralBank::FEDERAL_RESERVE;
    let named = named(text);
    if let Some(mention) = named.iter().find(|mention| is_other(mention.bank)) {
        return Some(mention.bytes.clone());
    }
    meant(text).into_iter().any(is_other).then_some(0..0)
}

/// The same, plus those that it mentions by their seat if it names none and is about interest rates.
pub(crate) fn meant(text: &str) -> Vec<CentralBank> {
    let named = named(text);
    let tokens = cut(text);
    if !named.is_empty() {
        return named.into_iter().map(|mention| mention.bank).collect();
    }
    let is_of_rates = tokens.iter().any(|token| {
        token.is_any(&[
            "rate",
            "rates",
            "policymakers",
            "policymaker",
            "monetary",
            "central",
        ])
    });
    if !is_of_rates {
        return Vec::new();
    }
    let sits = |row: &Row| (0..tokens.len()).any(|at| stands_at(&tokens, at, &row.city));
    let seats = BANKS.iter().enumerate().filter(|(_, row)| sits(row));
    seats.map(|(place, _)| CentralBank(place)).collect()
}

/// The longest name that begins with a token.
fn by_name(tokens: &[Token<'_>], at: usize) -> Option<Mention> {
    let mention = |place: usize, last: usize| Mention {
        bank: CentralBank(place),
        bytes: tokens[at].start..tokens[last].end,
    };
    // `fed` is also a verb.
    let is_fed =
        tokens[at].is("fed") && (tokens[at].is_capital() || at > 0 && tokens[at - 1].is("the"));
    if is_fed {
        return Some(mention(CentralBank::FEDERAL_RESERVE.0, at));
    }
    let lengths = BANKS.iter().enumerate().flat_map(|(place, row)| {
        row.names
            .iter()
            .filter(|name| stands_at(tokens, at, name))
            .map(move |name| (name.len(), place))
    });
    let (length, place) = lengths.max()?;
    Some(mention(place, at + length - 1))
}

/// `Sweden's central bank`, `the Swedish central bank`.
fn by_country(text: &str) -> Vec<Mention> {
    const BANK: &str = " central bank";
    places::named(text)
        .into_iter()
        .filter_map(|place| {
            let behind = text.get(place.bytes.end..)?;
            let behind = ["'s", "’s"]
                .iter()
                .find_map(|ending| behind.strip_prefix(ending))
                .unwrap_or(behind);
            behind.strip_prefix(BANK)?;
            let of_country = |row: &Row| row.country == place.name.to_lowercase();
            let end = text.len() - behind.len() + BANK.len();
            Some(Mention {
                bank: CentralBank(BANKS.iter().position(of_country)?),
                bytes: place.bytes.start..end,
            })
        })
        .collect()
}

fn words(phrase: &str) -> Vec<String> {
    cut(phrase).into_iter().map(|token| token.lower).collect()
}

fn stands_at(tokens: &[Token<'_>], at: usize, words: &[String]) -> bool {
    tokens.get(at..at + words.len()).is_some_and(|found| {
        found
            .iter()
            .zip(words)
            .all(|(token, word)| token.lower == *word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        named(text)
            .into_iter()
            .map(|mention| BANKS[mention.bank.0].names[0].join(" "))
            .collect()
    }

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(TABLE, 4, 1), None);
        assert_eq!(names("The Federal Reserve"), ["federal reserve"]);
        let countries = table::lines(include_str!("../data/demonyms.tsv"))
            .map(|line| line.split('\t').next().unwrap_or(line).to_lowercase())
            .collect::<Vec<_>>();
        for row in BANKS.iter().filter(|row| row.country != "-") {
            assert!(
                countries.iter().any(|one| one == row.country),
                "{}",
                row.country
            );
        }
    }

    #[test]
    fn banks_are_found_by_name_and_by_country() {
        for (text, expected) in [
            ("the fed cut rates", vec!["federal reserve"]),
            (
                "Fed raises rates as the ECB waits",
                vec!["federal reserve", "european central bank"],
            ),
            ("The FOMC met", vec!["federal reserve"]),
            ("Sweden's Riksbank held", vec!["riksbank"]),
            ("The Swedish central bank held", vec!["riksbank"]),
            ("Sweden’s central bank held", vec!["riksbank"]),
            (
                "The PBOC and the People's Bank of China",
                vec!["people bank of china"; 2],
            ),
            ("She fed the dog", vec![]),
            ("Frankfurt fell", vec![]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn other_banks_than_the_fed_are_told_from_it() {
        assert_eq!(other_than_fed("BoJ policy rate"), Some(0..3));
        assert_eq!(other_than_fed("the rate in Frankfurt"), Some(0..0));
        assert_eq!(other_than_fed("the Fed and the BOE"), Some(16..19));
        assert_eq!(other_than_fed("Fed funds rate"), None);
    }

    #[test]
    fn a_seat_stands_for_its_bank_where_rates_are_set() {
        let ecb = named("ECB")[0].bank;
        assert_eq!(
            meant("Rate-setters in Frankfurt raised the policy rate"),
            [ecb]
        );
        assert_eq!(meant("Policymakers in Frankfurt waited"), [ecb]);
        assert!(meant("Shares in Frankfurt fell").is_empty());
        // What counts is who is named, not where it was said.
        let riksbank = named("Riksbank")[0].bank;
        assert_eq!(
            meant("The Riksbank told London that rates rise"),
            [riksbank]
        );
    }
}
