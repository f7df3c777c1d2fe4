//! From a company's name to its symbol.

use std::sync::Arc;

use model::{AssetType, Market};
use text::company;

use super::Listing;
use super::resolve::distance;

/// An instrument that a text may mean.
#[derive(Clone, Debug)]
pub struct NameMatch {
    /// Which one.
    pub listing: Arc<Listing>,
    /// How surely, 0 to 1: 1 for its very symbol, 0.95 for its very name, less for parts of it.
    pub score: f64,
}

/// Words of listed names that nobody says, beside legal forms.
const UNSAID: [&str; 6] = ["the", "class", "common", "stock", "shares", "ordinary"];

/// The instruments whose symbol or name a text may mean, the surest first; equally sure ones by symbol.
pub fn match_names(listings: &[Arc<Listing>], text: &str, most: usize) -> Vec<NameMatch> {
    let wanted = words(text);
    let symbol = text.trim().to_ascii_uppercase();
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<NameMatch> = listings
        .iter()
        .filter_map(|listing| {
            let score = if listing.ticker() == symbol {
                1.0
            } else {
                score(&wanted, &words(listing.instrument.entity_name()))?
            };
            Some(NameMatch {
                listing: Arc::clone(listing),
                score,
            })
        })
        .collect();
    found.sort_by(|left, right| {
        right.score.total_cmp(&left.score).then_with(|| {
            left.listing
                .instrument
                .symbol
                .cmp(&right.listing.instrument.symbol)
        })
    });
    found.truncate(most);
    found
}

/// Letters of a name of one word from which on it may be misspelt.
const MISSPELT: usize = 5;

/// A listing, and what of it changes hands on a usual day, in money; 0 where no price is held.
pub(super) type Weighed = (Arc<Listing>, f64);

/// The instruments that people mean by a text, the surest first. A name that people use for a company counts like its own; of
/// what fits as well, the one that is traded most comes first, and what has prices and an exchange before what has neither.
///
/// An index comes before the funds that follow it, and a letter behind a company's name is its class of shares.
pub(super) fn meant(listings: &[Weighed], text: &str, most: usize) -> Vec<NameMatch> {
    let mut found = ranked(listings, text);
    if let Some(class) = of_class(listings, text) {
        found.retain(|one| one.listing.instrument.key() != class.listing.instrument.key());
        found.insert(0, class);
    }
    found.truncate(most);
    found
}

/// Names of indices beside those that they are listed by; without spaces and marks.
const INDEX_NAMES: [(&str, &str); 14] = [
    ("^GSPC", "sp500"),
    ("^GSPC", "sandp500"),
    ("^GSPC", "spx"),
    ("^GSPC", "standardandpoors500"),
    ("^DJI", "dowjones"),
    ("^DJI", "dowjonesindustrialaverage"),
    ("^DJI", "djia"),
    ("^IXIC", "nasdaqcomposite"),
    ("^NDX", "nasdaq100"),
    ("^RUT", "russell2000"),
    ("^VIX", "cboevolatilityindex"),
    ("^VIX", "volatilityindex"),
    ("^FTSE", "ftse100"),
    ("^N225", "nikkei225"),
];

/// The letters and digits of a text, in lower case.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a text is a name of an index: `vix`, `S&P 500`, `sp500`, `the dow jones index`.
fn names_index(listing: &Listing, text: &str) -> bool {
    let asked = bare(text);
    let asked = asked.strip_prefix("the").unwrap_or(&asked);
    let short = asked.strip_suffix("index").unwrap_or(asked);
    let ticker = listing.ticker();
    let names = INDEX_NAMES
        .iter()
        .filter(|(symbol, _)| *symbol == ticker)
        .map(|(_, name)| (*name).to_owned())
        .chain([bare(ticker), bare(listing.instrument.entity_name())]);
    listing.is_index()
        && names
            .filter(|name| !name.is_empty())
            .any(|name| name == asked || name == short)
}

/// A name with the class of shares behind it: `berkshire hathaway b`, `google class c`, `brk b`.
fn class_asked(text: &str) -> Option<(String, char)> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let last = words.pop()?;
    let letter = last.chars().next()?.to_ascii_uppercase();
    if last.len() != 1 || !letter.is_ascii_uppercase() {
        return None;
    }
    if words
        .last()
        .is_some_and(|word| matches!(word.to_lowercase().as_str(), "class" | "cl" | "series"))
    {
        words.pop();
    }
    (!words.is_empty()).then(|| (words.join(" "), letter))
}

/// The share of the class that a text names, where its company has one.
fn of_class(listings: &[Weighed], text: &str) -> Option<NameMatch> {
    /// A company that is only perhaps meant has no classes to choose from.
    const SURE: f64 = 0.8;
    let (company, letter) = class_asked(text)?;
    let find = |ticker: &str| {
        let mut all = listings.iter().map(|(listing, _)| listing);
        all.find(|one| one.ticker() == ticker && one.instrument.key().market == Market::Stock)
    };
    let found = |listing: &Arc<Listing>| NameMatch {
        listing: Arc::clone(listing),
        score: 0.97,
    };
    if let Some(listing) = find(&format!("{}.{letter}", company.to_ascii_uppercase())) {
        return Some(found(listing));
    }
    let main = ranked(listings, &company)
        .into_iter()
        .find(|one| one.listing.asset_type() == AssetType::Equity && one.score >= SURE)?;
    let symbols: Vec<String> = main.listing.company_tickers();
    let of_company = || symbols.iter().filter_map(|symbol| find(symbol));
    let ending = format!(".{letter}");
    of_company()
        .find(|one| one.instrument.share_class == Some(letter))
        .or_else(|| of_company().find(|one| one.ticker().ends_with(&ending)))
        // `FOX` and `FOXA`: the class is the letter that one symbol has more.
        .or_else(|| {
            of_company().find(|one| {
                let root = one.ticker().strip_suffix(letter);
                root.is_some_and(|root| symbols.iter().any(|symbol| symbol == root))
            })
        })
        .map(found)
}

/// Words of funds that multiply, turn around or leave out what their name says.
const BENT: [&str; 12] = [
    "leveraged",
    "inverse",
    "short",
    "bear",
    "bull",
    "ultra",
    "ultrapro",
    "ultrashort",
    "ex",
    "excluding",
    "yieldmax",
    "covered",
];

/// Whether a fund is not what its name says but a multiple, the opposite or a part of it, and the text does not ask for that.
fn is_bent(listing: &Listing, wanted: &[String]) -> bool {
    let is_multiple = |word: &str| {
        word.strip_suffix('x')
            .is_some_and(|times| !times.is_empty() && times.bytes().all(|b| b.is_ascii_digit()))
    };
    let bends = |word: &String| BENT.contains(&word.as_str()) || is_multiple(word);
    let asked = wanted.iter().any(bends);
    let name = company::words(listing.instrument.entity_name());
    listing.asset_type() == AssetType::Etf && !asked && name.iter().any(bends)
}

/// All that a text may mean, the surest first.
fn ranked(listings: &[Weighed], text: &str) -> Vec<NameMatch> {
    let wanted = words(text);
    if wanted.is_empty() {
        return Vec::new();
    }
    let known = company::symbol_of(text);
    let typed = text.trim();
    let symbol = typed.to_ascii_uppercase();
    // Somebody who writes a word in small letters means a company rather than a symbol of the same letters.
    let is_written_as_symbol = typed == symbol;
    let letters: String = wanted.concat();
    let mut found: Vec<(f64, f64, NameMatch)> = listings
        .iter()
        .filter_map(|(listing, turnover)| {
            let ticker = listing.ticker();
            let is_known =
                known == Some(ticker) && listing.instrument.key().market == Market::Stock;
            let score = if names_index(listing, typed) {
                0.98
            } else if ticker == symbol && (is_written_as_symbol || known.is_none()) {
                1.0
            } else if is_known {
                0.97
            } else if ticker == symbol {
                0.96
            } else {
                let name = words(listing.instrument.entity_name());
                score(&wanted, &name).or_else(|| misspelt(&letters, wanted.len(), &name))?
            };
            let named = listing.instrument.name.is_some() && listing.instrument.exchange.is_some();
            let quality = f64::from(u8::from(listing.has_candles())) + f64::from(u8::from(named));
            // What is traded most is meant most: up to a fifth for what trades billions.
            let weight = (turnover.max(1.0).log10() / 12.0).min(1.0) * 0.15 + quality * 0.025;
            let rank = if score >= 0.96 {
                score + 1.0
            } else if is_bent(listing, &wanted) {
                score + weight - 1.0
            } else {
                score + weight
            };
            let found = NameMatch {
                listing: Arc::clone(listing),
                score,
            };
            Some((rank, *turnover, found))
        })
        .collect();
    found.sort_by(|left, right| {
        let symbol = |one: &(f64, f64, NameMatch)| one.2.listing.instrument.symbol.clone();
        right
            .0
            .total_cmp(&left.0)
            .then_with(|| right.1.total_cmp(&left.1))
            .then_with(|| symbol(left).cmp(&symbol(right)))
    });
    found.into_iter().map(|(_, _, one)| one).collect()
}

/// How well a text that may be misspelt fits a name: one letter in five may be wrong.
fn misspelt(letters: &str, words: usize, name: &[String]) -> Option<f64> {
    let length = letters.chars().count();
    if length < MISSPELT {
        return None;
    }
    let first = name.first()?;
    // As many words as were written, so that `phillip morris` is near to `Philip Morris International`.
    let begun = name[..words.min(name.len())].concat();
    let distance = distance(letters, first)
        .min(distance(letters, &begun))
        .min(distance(letters, &name.concat()));
    (distance <= 1 + length / 6).then_some(0.6 - 0.1 * distance as f64)
}

/// Words in lower case without what nobody says; all of them where nothing else is left.
fn words(text: &str) -> Vec<String> {
    let all = company::words(text);
    let telling: Vec<String> = all
        .iter()
        .filter(|word| !UNSAID.contains(&word.as_str()) && !company::is_legal_form(word))
        .cloned()
        .collect();
    if telling.is_empty() { all } else { telling }
}

fn score(wanted: &[String], name: &[String]) -> Option<f64> {
    if wanted == name {
        return Some(0.95);
    }
    // Every word must begin a word of the name, the first one best its first.
    let mut rest = name.iter();
    let mut letters = 0;
    for word in wanted {
        let begun = rest.find(|known| known.starts_with(word.as_str()))?;
        letters += word.len().min(begun.len());
    }
    let of_name: usize = name.iter().map(String::len).sum();
    let share = letters as f64 / of_name.max(1) as f64;
    let leads = name
        .first()
        .is_some_and(|first| first.starts_with(wanted[0].as_str()));
    Some(if leads {
        0.5 + 0.4 * share
    } else {
        0.3 + 0.4 * share
    })
}

#[cfg(test)]
mod tests {
    use model::{Instrument, Symbol};

    use super::*;

    fn weighed(symbol: &str, kind: AssetType, name: &str, class: Option<char>) -> Weighed {
        let instrument = Instrument {
            name: Some(name.to_owned()),
            share_class: class,
            cik: company::folded(name).starts_with("alphabet").then_some(1),
            exchange: Some("NYSE".to_owned()),
            ..Instrument::bare(Symbol::parse(symbol).unwrap(), kind)
        };
        (Arc::new(Listing::bare(instrument)), 0.0)
    }

    #[test]
    fn classes_indices_and_plain_funds_come_first() {
        use AssetType::{Equity, Etf};
        let mut listings = vec![
            weighed("BRK.A", Equity, "Berkshire Hathaway Inc.", None),
            weighed("BRK.B", Equity, "Berkshire Hathaway Inc.", None),
            weighed("BRKU", Etf, "Direxion Daily BRKB Bull 2X ETF", None),
            weighed("GOOGL", Equity, "Alphabet Inc.", Some('A')),
            weighed("GOOG", Equity, "Alphabet Inc.", Some('C')),
            weighed("DEPW", Equity, "Deep Well Class C", Some('C')),
            weighed("SPXE", Etf, "ProShares S&P 500 ex-Energy ETF", None),
            weighed("SPY", Etf, "S&P 500 ETF Trust", None),
            weighed("^GSPC", Etf, "S&P 500", None),
            weighed("^VIX", Etf, "CBOE Volatility Index", None),
            weighed("VYLD", Etf, "Vixor Yield ETF", None),
            weighed("PM", Equity, "Philip Morris International Inc.", None),
            weighed("XLK", Etf, "Gadget Sector Fund", None),
            weighed("GDTU", Etf, "Gadget 3X Fund", None),
        ];
        for (one, other) in [
            ("GOOG", "GOOGL"),
            ("GOOGL", "GOOG"),
            ("BRK.A", "BRK.B"),
            ("BRK.B", "BRK.A"),
        ] {
            for (listing, _) in &mut listings {
                if listing.ticker() == one {
                    Arc::make_mut(listing).classes = [Symbol::parse(other).unwrap()].into();
                }
            }
        }
        for (text, symbol) in [
            ("brk b", "BRK.B"),
            ("berkshire hathaway b", "BRK.B"),
            ("Berkshire Hathaway class A", "BRK.A"),
            ("google class c", "GOOG"),
            ("alphabet class a", "GOOGL"),
            ("s&p 500", "^GSPC"),
            ("sp500", "^GSPC"),
            ("the S&P 500 index", "^GSPC"),
            ("vix", "^VIX"),
            ("phillip morris", "PM"),
            ("gadget", "XLK"),
            ("gadget 3x", "GDTU"),
        ] {
            let found = meant(&listings, text, 3);
            assert_eq!(
                found.first().map(|one| one.listing.ticker()),
                Some(symbol),
                "{text}"
            );
        }
    }

    fn split(text: &str) -> Vec<String> {
        words(text)
    }

    #[test]
    fn the_very_name_wins_over_a_part() {
        let apple = split("Apple Inc.");
        assert_eq!(score(&split("apple"), &apple), Some(0.95));
        assert!(score(&split("app"), &apple).unwrap() < 0.95);
        assert_eq!(score(&split("pear"), &apple), None);
        let bank = split("Bank of America Corporation");
        assert!(score(&split("bank america"), &bank).unwrap() > 0.7);
        assert!(
            score(&split("america"), &bank).unwrap()
                < score(&split("bank of"), &bank).unwrap() + 0.2
        );
        assert_eq!(split("The Company"), ["the", "company"]);
    }
}
