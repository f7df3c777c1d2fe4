//! Turns what people type into an instrument: exchange notations, share classes, coins, and what they may have meant
//! instead.

use std::collections::HashMap;
use std::sync::Arc;

use model::{Day, InstrumentKey, Market, Symbol};

use super::Listing;
use super::renaming::Renamings;

/// A symbol that matches nothing, with what was perhaps meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// As it was written.
    pub asked: String,
    /// At most three symbols.
    pub suggestions: Vec<String>,
}

/// Prefixes that say where a symbol trades.
const EXCHANGES: [&str; 10] = [
    "NASDAQ",
    "NYSE",
    "NYSEARCA",
    "NYSEAMERICAN",
    "AMEX",
    "ARCA",
    "BATS",
    "CBOE",
    "OTC",
    "US",
];
const COIN_PREFIXES: [&str; 4] = ["CRYPTO", "COIN", "X", "BINANCE"];
/// The currencies that coins are priced in, longest first.
const QUOTED_IN: [&str; 4] = ["USDT", "USDC", "USD", "EUR"];
pub(super) const SUGGESTIONS: usize = 3;

/// The instrument that a text names: `AAPL`, `nasdaq:aapl`, `AAPL.US`, `BRK-B`, `BTC`, `BTC-USD`, `CRYPTO:BTC`.
///
/// A bare symbol that names both a share and a coin is the coin if the coin is among the fifty largest by market value
/// (`coins`), or if there are prices for the coin and none for the share; otherwise it is the share. A prefix
/// overrides this. A symbol that nobody has any more is the share of the company under its current symbol; with a day,
/// a symbol belongs to the company that had it then.
pub(super) fn look_up(
    listings: &HashMap<InstrumentKey, Arc<Listing>>,
    large_coins: &[Symbol],
    renamings: &Renamings,
    text: &str,
    day: Option<Day>,
) -> Option<Arc<Listing>> {
    let upper: String = text.trim().to_ascii_uppercase().chars().take(60).collect();
    let (market, rest) = match upper.split_once(':') {
        Some((prefix, rest)) if EXCHANGES.contains(&prefix) => (Some(Market::Stock), rest),
        Some((prefix, rest)) if COIN_PREFIXES.contains(&prefix) => (Some(Market::Crypto), rest),
        _ => (None, upper.as_str()),
    };
    let stock = || {
        let bare = rest.strip_suffix(".US").unwrap_or(rest);
        let named = |text: &str| share(listings, renamings, &Symbol::parse(text)?, day);
        named(bare).or_else(|| named(&without_class_mark(bare)?))
    };
    let coin = || {
        let by_symbol = |symbol| {
            let market = Market::Crypto;
            listings.get(&InstrumentKey { market, symbol }).cloned()
        };
        coin_spellings(rest)
            .into_iter()
            .flatten()
            .find_map(by_symbol)
    };
    match market {
        Some(Market::Stock) => stock(),
        Some(Market::Crypto) => coin(),
        None => {
            let is_large = Symbol::parse(rest).is_some_and(|one| large_coins.contains(&one));
            if is_large {
                return coin();
            }
            let (stock, coin) = (stock(), coin());
            let is_coin = |stock: &Arc<Listing>| {
                !stock.is_priced() && coin.as_ref().is_some_and(|coin| coin.is_priced())
            };
            stock.filter(|stock| !is_coin(stock)).or(coin)
        }
    }
}

/// The share or fund with a symbol. With a day, it is that of the company that had the symbol then, under whatever
/// symbol it has now; nothing if that company is not listed and another one has its symbol.
fn share(
    listings: &HashMap<InstrumentKey, Arc<Listing>>,
    renamings: &Renamings,
    symbol: &Symbol,
    day: Option<Day>,
) -> Option<Arc<Listing>> {
    let find = |symbol: &Symbol| listings.get(&InstrumentKey::stock(symbol.clone())).cloned();
    let own = find(symbol);
    let holder = day.and_then(|day| Some((day, renamings.holder(symbol, day)?)));
    let Some((day, holder)) = holder else {
        let successors = || {
            renamings
                .successors(symbol)
                .into_iter()
                .rev()
                .find_map(find)
        };
        return own.or_else(successors);
    };
    // Nobody says who took it over, but somebody traded under it.
    if holder.is_free && own.as_ref().is_some_and(|own| own.traded_by(day)) {
        return own;
    }
    let later = holder.later.into_iter().rev().find_map(find);
    later.or(own.filter(|_| !holder.is_taken))
}

/// The answer for a text that matches nothing. Compares it with every symbol and name.
pub(super) fn unknown(listings: &[Arc<Listing>], text: &str) -> Unknown {
    let upper = text.trim().to_ascii_uppercase();
    let rest = upper
        .rsplit_once(':')
        .map_or(upper.as_str(), |(_, rest)| rest);
    Unknown {
        asked: text.chars().take(60).collect(),
        suggestions: suggestions(listings, rest),
    }
}

/// `BRKB` for `BRK.B`: some sources write the class without punctuation.
fn without_class_mark(text: &str) -> Option<String> {
    let (root, class) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let plausible = root.len() >= 2 && root.bytes().all(|byte| byte.is_ascii_uppercase());
    (plausible && matches!(class, "A" | "B" | "C")).then(|| format!("{root}.{class}"))
}

/// The symbols that a text may mean as a coin: the text itself, and the first of a pair; a prefix such as `CRYPTO:` is
/// dropped.
pub(super) fn coin_spellings(text: &str) -> [Option<Symbol>; 2] {
    let bare = match text.split_once(':') {
        Some((prefix, rest)) if COIN_PREFIXES.contains(&prefix) => rest,
        _ => text,
    };
    [
        Symbol::parse(bare),
        base_of_pair(bare).and_then(Symbol::parse),
    ]
}

/// `BTC` from `BTC-USD`, `BTC/USDT`, `BTCUSD`.
fn base_of_pair(text: &str) -> Option<&str> {
    QUOTED_IN.iter().find_map(|quote| {
        let base = text.strip_suffix(quote)?;
        let base = base.strip_suffix(['-', '/', '_']).unwrap_or(base);
        (base.len() >= 2).then_some(base)
    })
}

/// Symbols that look similar, otherwise those of instruments whose names begin similarly.
fn suggestions(listings: &[Arc<Listing>], asked: &str) -> Vec<String> {
    let lower: String = asked.to_lowercase().chars().take(40).collect();
    if lower.is_empty() {
        return Vec::new();
    }
    let length = asked.chars().count();
    let mut rated: Vec<(usize, &str)> = listings
        .iter()
        .filter_map(|listing| {
            let ticker = listing.ticker();
            let distance = distance(asked, ticker);
            // With two letters, one may be wrong; with six, two.
            let near = distance <= 1 + length / 6 && distance < length;
            let name = listing.instrument.entity_name().to_lowercase();
            let named = lower.len() >= 3
                && name
                    .split(|character: char| !character.is_alphanumeric())
                    .any(|word| word.starts_with(&lower));
            match (near, named) {
                (_, true) => Some((0, ticker)),
                (true, false) => Some((distance, ticker)),
                _ => None,
            }
        })
        .collect();
    rated.sort_unstable();
    let mut suggestions: Vec<String> = Vec::new();
    for (_, ticker) in rated {
        // A share and a coin may have the same symbol.
        if suggestions.len() < SUGGESTIONS && !suggestions.iter().any(|other| other == ticker) {
            suggestions.push(ticker.to_owned());
        }
    }
    suggestions
}

/// The number of letters to change, add or remove, with swapped neighbours counted once (optimal string alignment);
/// the largest number if the lengths alone rule out a match.
pub(super) fn distance(left: &str, right: &str) -> usize {
    if left.chars().count().abs_diff(right.chars().count()) > 3 {
        return usize::MAX;
    }
    strsim::osa_distance(left, right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{AssetType, Candle, Instrument};

    fn listings(symbols: &[(&str, AssetType, &str)]) -> HashMap<InstrumentKey, Arc<Listing>> {
        symbols
            .iter()
            .map(|(symbol, kind, name)| {
                let instrument = Instrument {
                    name: Some((*name).to_owned()),
                    ..Instrument::bare(Symbol::parse(symbol).unwrap(), *kind)
                };
                let listing = Listing::bare(instrument);
                (listing.instrument.key(), Arc::new(listing))
            })
            .collect()
    }

    fn found(text: &str) -> Result<(String, AssetType), Vec<String>> {
        let listings = listings(&[
            ("AAPL", AssetType::Equity, "Apple"),
            ("AMAT", AssetType::Equity, "Applied Materials"),
            ("BRK.B", AssetType::Equity, "Berkshire Hathaway"),
            ("SOL", AssetType::Equity, "Emeren"),
            ("SOL", AssetType::Crypto, "Solana"),
            ("BTC", AssetType::Crypto, "Bitcoin"),
            ("CAT", AssetType::Equity, "Caterpillar"),
            ("CAT", AssetType::Crypto, "Simon's Cat"),
        ]);
        let large = [Symbol::parse("BTC").unwrap(), Symbol::parse("SOL").unwrap()];
        let all: Vec<Arc<Listing>> = listings.values().cloned().collect();
        look_up(&listings, &large, &Renamings::default(), text, None)
            .map(|listing| (listing.ticker().to_owned(), listing.asset_type()))
            .ok_or_else(|| unknown(&all, text).suggestions)
    }

    #[test]
    fn every_form_names_the_same() {
        for text in ["aapl", "NASDAQ:AAPL", "AAPL.US", "$AAPL"] {
            assert_eq!(found(text).unwrap().0, "AAPL", "{text}");
        }
        for text in ["BRK.B", "brk-b", "BRK/B", "NYSE:BRK.B", "BRKB"] {
            assert_eq!(found(text).unwrap().0, "BRK.B", "{text}");
        }
        for text in ["BTC", "btc-usd", "BTC/USDT", "BTCUSD", "CRYPTO:BTC"] {
            assert_eq!(found(text).unwrap().1, AssetType::Crypto, "{text}");
        }
    }

    #[test]
    fn a_large_coin_wins_over_a_share_and_a_small_one_does_not() {
        assert_eq!(found("SOL").unwrap().1, AssetType::Crypto);
        assert_eq!(found("NYSE:SOL").unwrap().1, AssetType::Equity);
        assert_eq!(found("CAT").unwrap().1, AssetType::Equity);
        assert_eq!(found("CAT-USD").unwrap().1, AssetType::Crypto);
    }

    #[test]
    fn a_coin_with_prices_wins_over_a_share_without_any() {
        let all = listings(&[
            ("ETH", AssetType::Etf, "Grayscale Ethereum"),
            ("ETH", AssetType::Crypto, "Ethereum"),
        ]);
        let priced = |share: bool, coin: bool| {
            let mut all = all.clone();
            for listing in all.values_mut() {
                let is_coin = listing.asset_type() == AssetType::Crypto;
                if if is_coin { coin } else { share } {
                    let candle = Candle {
                        day: Day::parse("2021-07-06").unwrap(),
                        open: 1.0,
                        high: 1.0,
                        low: 1.0,
                        close: 1.0,
                        volume: 1.0,
                    };
                    Arc::make_mut(listing).candles =
                        Arc::new(crate::market::cache::columns(&[candle]));
                }
            }
            let found = |text| look_up(&all, &[], &Renamings::default(), text, None);
            // Saying which of the two is meant gets that one.
            assert_eq!(found("ETH-USD").unwrap().asset_type(), AssetType::Crypto);
            assert_eq!(found("NYSE:ETH").unwrap().asset_type(), AssetType::Etf);
            found("ETH").unwrap().asset_type()
        };
        assert_eq!(priced(false, true), AssetType::Crypto);
        for (share, coin) in [(true, true), (true, false), (false, false)] {
            assert_eq!(priced(share, coin), AssetType::Etf);
        }
    }

    #[test]
    fn suggests_what_looks_or_sounds_alike() {
        assert_eq!(found("APPL").unwrap_err(), ["AAPL", "AMAT"]);
        assert_eq!(found("AALP").unwrap_err(), ["AAPL"]);
        assert_eq!(found("bitcoin").unwrap_err(), ["BTC"]);
        // The share resembles it by name, the coin by symbol.
        assert_eq!(found("CATE").unwrap_err(), ["CAT"]);
        assert!(found("ZZZZZZ").unwrap_err().is_empty());
        assert!(found("").is_err());
        assert!(found("é").is_err());
    }
}
