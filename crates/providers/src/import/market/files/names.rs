//! What a file name says about the contents, and what a written symbol stands for.

use model::{InstrumentKey, Market, SeriesId, Symbol};

use super::catalogue::COMMODITIES;

/// Suffixes that show how a file is stored.
const ENDINGS: [&str; 8] = [
    ".gz", ".csv", ".tsv", ".txt", ".json", ".parquet", ".us", ".xml",
];

/// Prefixes and suffixes that archives with one file per symbol put around it.
const BEGINNINGS: [&str; 3] = ["historical-via-chart-", "chart-", "coin_"];
const TAILS: [&str; 8] = [
    "_us_d", "-daily", "_daily", "_us", "_1d", "_d", "_history", "_data",
];

/// Indices that files refer to by their bare names.
const INDICES: [(&str, &str); 7] = [
    ("VIX", "^VIX"),
    ("SPX", "^GSPC"),
    ("GSPC", "^GSPC"),
    ("DJI", "^DJI"),
    ("IXIC", "^IXIC"),
    ("NDX", "^NDX"),
    ("RUT", "^RUT"),
];

/// A file name without its suffixes.
pub(super) fn stem(name: &str) -> &str {
    let mut stem = name;
    while let Some(ending) = ENDINGS
        .iter()
        .find(|ending| ends_with(stem, ending) && stem.len() > ending.len())
    {
        stem = &stem[..stem.len() - ending.len()];
    }
    stem
}

fn ends_with(text: &str, ending: &str) -> bool {
    text.len() >= ending.len()
        && text
            .get(text.len() - ending.len()..)
            .is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

/// The symbol in a file name: `AAPL` from `AAPL.csv`, `aapl_us_d.csv` and `chart-AAPL.json`, `^VIX` from
/// `vix_daily.csv`.
pub(super) fn symbol_of(name: &str) -> Option<String> {
    let mut stem = stem(name);
    for beginning in BEGINNINGS {
        stem = stem.strip_prefix(beginning).unwrap_or(stem);
    }
    for tail in TAILS {
        if ends_with(stem, tail) {
            stem = &stem[..stem.len() - tail.len()];
        }
    }
    let symbol = Symbol::parse(stem)?.to_string();
    let index = INDICES.iter().find(|(bare, _)| *bare == symbol);
    Some(index.map_or(symbol, |(_, index)| (*index).to_owned()))
}

/// The commodity of a future such as `CL=F`.
pub(super) fn commodity_of_future(symbol: &str) -> Option<&'static str> {
    let root = symbol.strip_suffix("=F")?;
    COMMODITIES
        .iter()
        .find(|known| known.future == Some(root))
        .map(|known| known.slug)
}

/// Where the prices of a symbol belong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    /// To the candles of a share, fund or coin.
    Candles(InstrumentKey),
    /// To a series of closes.
    Series(SeriesId),
}

/// What a written symbol stands for. Indices, currencies and futures have series here instead of candles; so does
/// anything for which a file gives only closes. A coin with closes only is written with its currency
/// (`close:BTC-USD`), because its letters alone may be those of a share.
pub(super) fn target_of(text: &str, market: Market, closes_only: bool) -> Option<Target> {
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix(".US").unwrap_or(&upper);
    if let Some(pair) = upper.strip_suffix("=X") {
        return pair_of(pair).map(|pair| Target::Series(SeriesId::new("fx", &pair)));
    }
    if upper.ends_with("=F") {
        let slug = commodity_of_future(upper)?;
        let name = format!("{slug}/futures");
        return Some(Target::Series(SeriesId::new("commodity", &name)));
    }
    if market == Market::Crypto {
        let coin = upper
            .strip_suffix("-USD")
            .or_else(|| upper.strip_suffix("/USD"))
            .unwrap_or(upper);
        let coin = Symbol::parse(coin)?;
        return Some(if closes_only {
            Target::Series(SeriesId::new("close", &format!("{coin}-USD")))
        } else {
            Target::Candles(InstrumentKey::crypto(coin))
        });
    }
    let symbol = Symbol::parse(upper)?;
    Some(if symbol.as_str().starts_with('^') {
        Target::Series(SeriesId::new("index", symbol.as_str()))
    } else if closes_only {
        Target::Series(SeriesId::new("close", symbol.as_str()))
    } else {
        Target::Candles(InstrumentKey::stock(symbol))
    })
}

/// Six letters for two currencies; `JPY` alone is against the dollar.
pub(super) fn pair_of(text: &str) -> Option<String> {
    let letters: String = text
        .trim()
        .chars()
        .filter(|c| !matches!(c, '/' | '-' | '_'))
        .collect::<String>()
        .to_ascii_uppercase();
    if !letters.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    match letters.len() {
        6 => Some(letters),
        3 => Some(format!("USD{letters}")),
        _ => None,
    }
}

/// Whether a symbol follows the calendar of the New York exchanges. A listing elsewhere has a two-letter market code
/// after a dot; London's single letter looks like a share class.
pub(super) fn follows_new_york(target: &Target) -> bool {
    let name = match target {
        Target::Candles(key) if key.market == Market::Crypto => return false,
        Target::Candles(key) => key.symbol.as_str(),
        Target::Series(id) if matches!(id.kind(), "close" | "index") => id.name(),
        Target::Series(_) => return false,
    };
    let abroad = name
        .rsplit_once('.')
        .is_some_and(|(_, place)| place.len() > 1);
    !abroad && !name.ends_with("-USD")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_give_symbols() {
        for (name, expected) in [
            ("AAPL.csv", Some("AAPL")),
            ("aapl_us_d.csv.gz", Some("AAPL")),
            ("aapl.us.txt", Some("AAPL")),
            ("chart-AAPL.json", Some("AAPL")),
            ("BRK.B.parquet", Some("BRK.B")),
            ("vix_daily.csv", Some("^VIX")),
            ("all_the_prices.csv", None),
        ] {
            assert_eq!(symbol_of(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_symbol_stands_for_candles_or_a_series() {
        let name = |text: &str, market, closes| match target_of(text, market, closes) {
            Some(Target::Candles(key)) => key.to_string(),
            Some(Target::Series(id)) => id.0,
            None => String::new(),
        };
        for (text, market, closes, expected) in [
            ("aapl.us", Market::Stock, false, "stock:AAPL"),
            ("XLK", Market::Stock, true, "close:XLK"),
            ("^GSPC", Market::Stock, false, "index:^GSPC"),
            ("EURUSD=X", Market::Stock, false, "fx:EURUSD"),
            ("JPY=X", Market::Stock, false, "fx:USDJPY"),
            ("CL=F", Market::Stock, false, "commodity:crude/futures"),
            ("QQ=F", Market::Stock, false, ""),
            ("btc-usd", Market::Crypto, false, "crypto:BTC"),
            ("BTC", Market::Crypto, true, "close:BTC-USD"),
            ("--", Market::Stock, false, ""),
        ] {
            assert_eq!(name(text, market, closes), expected, "{text}");
        }
    }
}
