//! From a company's name to its symbol.

use std::sync::Arc;

use model::Market;
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
pub(super) fn meant(listings: &[Weighed], text: &str, most: usize) -> Vec<NameMatch> {
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
            let score = if ticker == symbol && (is_written_as_symbol || known.is_none()) {
                1.0
            } else if is_known {
                0.97
            } else if ticker == symbol {
                0.96
            } else {
                let name = words(listing.instrument.entity_name());
                score(&wanted, &name).or_else(|| misspelt(&letters, &name))?
            };
            let named = listing.instrument.name.is_some() && listing.instrument.exchange.is_some();
            let quality = f64::from(u8::from(listing.has_candles())) + f64::from(u8::from(named));
            // What is traded most is meant most: up to a fifth for what trades billions.
            let weight = (turnover.max(1.0).log10() / 12.0).min(1.0) * 0.15 + quality * 0.025;
            let rank = if score >= 0.96 {
                score + 1.0
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
    found.truncate(most);
    found.into_iter().map(|(_, _, one)| one).collect()
}

/// How well a text that may be misspelt fits a name: one letter in five may be wrong.
fn misspelt(letters: &str, name: &[String]) -> Option<f64> {
    let length = letters.chars().count();
    if length < MISSPELT {
        return None;
    }
    let first = name.first()?;
    let distance = distance(letters, first).min(distance(letters, &name.concat()));
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
    use super::*;

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
