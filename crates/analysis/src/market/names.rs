//! From a company's name to its symbol.

use std::sync::Arc;

use text::company;

use super::Listing;

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
