//! From a company's name to its symbol.

use std::sync::Arc;

use model::{AssetType, InstrumentKey, Market};
use text::company;

use super::Listing;

mod fit;
pub(super) mod index;
#[cfg(test)]
mod tests;

use fit::{Fit, Wanted, is_common};
use index::NameIndex;

/// An instrument that a text may mean.
#[derive(Clone, Debug)]
pub struct NameMatch {
    /// Which instrument.
    pub listing: Arc<Listing>,
    /// How certain it is, 0 to 1: 1 for its exact symbol, 0.95 for its exact name, less for parts of the name.
    pub score: f64,
    /// Whether the text is neither its symbol nor one of its names, but only resembles one or is the beginning of one.
    pub is_guess: bool,
}

/// Words in listed names that nobody says, apart from legal forms.
const UNSAID: [&str; 6] = ["the", "class", "common", "stock", "shares", "ordinary"];

/// The instruments whose symbol or name a text may mean, most certain first; equally certain ones are ordered by
/// symbol.
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
                is_guess: score < 0.95,
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

/// A listing and its turnover on a usual day, in money; 0 if there is no price.
pub(super) type Weighed = (Arc<Listing>, f64);

/// The instruments that people mean by a text, most certain first. They include `named`, the one whose symbol the text
/// spells in some form. A name that people use for a company counts like its own. Among equally good matches, the most
/// heavily traded comes first, and one with prices and an exchange comes before one with neither.
///
/// An index comes before the funds that track it, and a letter after a company's name is its share class. A word that
/// is neither a symbol nor a name finds similar names, as a guess; an ordinary word of the language finds nothing.
pub(super) fn meant<F>(
    names: &NameIndex,
    find: &F,
    named: Option<Arc<Listing>>,
    text: &str,
    most: usize,
) -> Vec<NameMatch>
where
    F: Fn(&InstrumentKey) -> Option<Weighed>,
{
    let mut found = ranked(names, find, text);
    if let Some(class) = of_class(names, find, text) {
        put_first(&mut found, class);
    }
    if let Some(listing) = named {
        // A spelling such as `NASDAQ:AAPL` or `BTC-USD`; symbols with the same letters may lead to a coin.
        let leads = found.first().is_none_or(|first| first.score < CALLED);
        let is_there = found.iter().any(|one| is_same(one, &listing));
        let is_first = found.first().is_some_and(|one| is_same(one, &listing));
        let score = if leads || is_symbol(text) { 1.0 } else { 0.96 };
        let symbol = NameMatch {
            is_guess: is_also_a_word(text),
            listing,
            score,
        };
        match (score >= 1.0, is_there) {
            (true, _) if !is_first => put_first(&mut found, symbol),
            (false, false) => found.push(symbol),
            _ => {}
        }
    }
    found.truncate(most);
    found
}

/// The score for a name that people use.
const CALLED: f64 = 0.97;

fn is_same(found: &NameMatch, listing: &Listing) -> bool {
    found.listing.instrument.key() == listing.instrument.key()
}

fn put_first(found: &mut Vec<NameMatch>, first: NameMatch) {
    found.retain(|one| !is_same(one, &first.listing));
    found.insert(0, first);
}

/// Whether a text is written like a symbol, in capitals.
pub(super) fn is_symbol(text: &str) -> bool {
    let text = text.trim();
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}

/// Whether a lower-case text is an everyday word that may also be the symbol of something: `now`, `cost`.
fn is_also_a_word(text: &str) -> bool {
    !is_symbol(text) && is_common(&text.trim().to_lowercase())
}

/// The text without the word for a share: `aapl` from `aapl stock`.
fn without_share(text: &str) -> &str {
    let text = text.trim();
    let asked = text.rsplit_once(' ').filter(|(_, last)| {
        matches!(
            last.to_lowercase().as_str(),
            "stock" | "stocks" | "share" | "shares"
        )
    });
    asked.map_or(text, |(front, _)| front.trim_end())
}

/// Names of indices other than those they are listed under, without spaces and punctuation.
const INDEX_NAMES: [(&str, &str); 15] = [
    ("^GSPC", "sp500"),
    ("^GSPC", "sandp500"),
    ("^GSPC", "spx"),
    ("^GSPC", "standardandpoors500"),
    ("^DJI", "dowjones"),
    ("^DJI", "dowjonesindustrialaverage"),
    ("^DJI", "djia"),
    ("^IXIC", "nasdaq"),
    ("^IXIC", "nasdaqcomposite"),
    ("^NDX", "nasdaq100"),
    ("^RUT", "russell2000"),
    ("^VIX", "cboevolatilityindex"),
    ("^VIX", "volatilityindex"),
    ("^FTSE", "ftse100"),
    ("^N225", "nikkei225"),
];

/// The letters and digits in a text, in lower case.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a text is the name of an index: `vix`, `S&P 500`, `sp500`, `the dow jones index`.
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

/// A name followed by a share class: `berkshire hathaway b`, `google class c`, `brk b`.
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

/// The share of the class that a text names, if its company has one.
fn of_class<F>(names: &NameIndex, find: &F, text: &str) -> Option<NameMatch>
where
    F: Fn(&InstrumentKey) -> Option<Weighed>,
{
    /// If the company is only a possible match, there are no classes to choose from.
    const SURE: f64 = 0.8;
    let (company, letter) = class_asked(text)?;
    let share = |ticker: &str| {
        let keys = names.of_symbol(ticker).iter();
        let mut keys = keys.map(|place| names.key(*place));
        let key = keys.find(|key| key.market == Market::Stock)?;
        Some(find(key)?.0)
    };
    let found = |listing: Arc<Listing>| NameMatch {
        listing,
        score: CALLED,
        is_guess: false,
    };
    if let Some(listing) = share(&format!("{}.{letter}", company.to_ascii_uppercase())) {
        return Some(found(listing));
    }
    let main = ranked(names, find, &company)
        .into_iter()
        .find(|one| one.listing.asset_type() == AssetType::Equity && one.score >= SURE)?;
    let symbols: Vec<String> = main.listing.company_tickers();
    let of_company = || symbols.iter().filter_map(|symbol| share(symbol));
    let ending = format!(".{letter}");
    of_company()
        .find(|one| one.instrument.share_class == Some(letter))
        .or_else(|| of_company().find(|one| one.ticker().ends_with(&ending)))
        // `FOX` and `FOXA`: the class is the extra letter in one of the symbols.
        .or_else(|| {
            of_company().find(|one| {
                let root = one.ticker().strip_suffix(letter);
                root.is_some_and(|root| symbols.iter().any(|symbol| symbol == root))
            })
        })
        .map(found)
}

/// Words in fund names that mean a multiple, an inverse or an exclusion of what the name says.
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

/// Whether a fund is not what its name says but a multiple, the inverse or a part of it, and the text does not ask for
/// that.
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

/// Everything that a text may mean, most certain first.
fn ranked<F>(names: &NameIndex, find: &F, text: &str) -> Vec<NameMatch>
where
    F: Fn(&InstrumentKey) -> Option<Weighed>,
{
    let typed = without_share(text);
    let wanted = Wanted::new(typed);
    let mut fits = wanted
        .as_ref()
        .map(|wanted| names.fits(wanted))
        .unwrap_or_default();
    let symbol = typed.to_ascii_uppercase();
    // A user who writes a word in lower case means a company rather than a symbol with the same letters.
    let is_called = typed != symbol && fits.values().any(|fit| fit.score >= CALLED);
    for place in names.of_symbol(&symbol) {
        let fit = Fit {
            score: if is_called { 0.96 } else { 1.0 },
            is_guess: is_also_a_word(typed),
        };
        // A company called by that word is meant by name.
        let known = fits.entry(*place).or_insert(fit);
        if known.score < fit.score {
            *known = fit;
        }
    }
    for place in names.indices() {
        let listing = find(names.key(place));
        if listing.is_some_and(|(listing, _)| names_index(&listing, typed)) {
            let (score, is_guess) = (0.98, false);
            fits.insert(place, Fit { score, is_guess });
        }
    }
    let mut found: Vec<(f64, f64, NameMatch)> = fits
        .into_iter()
        .filter_map(|(place, fit)| {
            let (listing, turnover) = find(names.key(place))?;
            let named = listing.instrument.name.is_some() && listing.instrument.exchange.is_some();
            let quality = f64::from(u8::from(listing.has_candles())) + f64::from(u8::from(named));
            // The more heavily something trades, the more likely it is meant: up to a fifth for turnover in the
            // billions.
            let weight = (turnover.max(1.0).log10() / 12.0).min(1.0) * 0.15 + quality * 0.025;
            let words = wanted.as_ref().map_or(&[][..], |wanted| &wanted.words[..]);
            let rank = if fit.score >= 0.96 {
                fit.score + 1.0
            } else if is_bent(&listing, words) {
                fit.score + weight - 1.0
            } else {
                fit.score + weight
            };
            let found = NameMatch {
                listing,
                score: fit.score,
                is_guess: fit.is_guess,
            };
            Some((rank, turnover, found))
        })
        .collect();
    found.sort_by(|left, right| {
        let key = |one: &(f64, f64, NameMatch)| {
            let key = one.2.listing.instrument.key();
            (key.symbol, key.market)
        };
        right
            .0
            .total_cmp(&left.0)
            .then_with(|| right.1.total_cmp(&left.1))
            .then_with(|| key(left).cmp(&key(right)))
    });
    found.into_iter().map(|(_, _, one)| one).collect()
}

/// Words in lower case, without those that nobody says; all of them if nothing else is left.
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
    // Every word must begin a word of the name; ideally the first word begins the first.
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
