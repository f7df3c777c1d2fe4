//! Symbols, and the metadata of the instruments that they name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Day;

/// A symbol as it is written here: upper case, a dot before the letter of a share class (`BRK.B`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Symbol(String);

/// Text that can be no symbol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a symbol such as AAPL, BRK.B or BTC")]
pub struct InvalidSymbol(pub String);

impl Symbol {
    /// The longest symbol, in characters.
    pub const LONGEST: usize = 20;

    /// Reads a symbol in any case. Class shares may be written `BRK.B`, `BRK-B` or `BRK/B`; what a stray source writes for
    /// nothing (`--`, `N/A`) is none.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches('$');
        // In capitals it is a fund.
        if matches!(text, "nan" | "NaN") {
            return None;
        }
        let text = text.to_ascii_uppercase();
        let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b".-^=&/".contains(&byte);
        let plausible = (1..=Self::LONGEST).contains(&text.len())
            && text.bytes().all(is_known)
            && text.bytes().any(|byte| byte.is_ascii_alphanumeric())
            && !matches!(text.as_str(), "N/A" | "NULL" | "NONE");
        if !plausible {
            return None;
        }
        // A single letter after a dash or a slash is a share class.
        if let Some((root, class)) = text.rsplit_once(['-', '/'])
            && !root.is_empty()
            && class.len() == 1
            && class.bytes().all(|byte| byte.is_ascii_uppercase())
        {
            return Some(Self(format!("{root}.{class}")));
        }
        (!text.contains('/')).then_some(Self(text))
    }

    /// The symbol as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Symbol {
    type Err = InvalidSymbol;

    fn from_str(text: &str) -> Result<Self, InvalidSymbol> {
        Self::parse(text).ok_or_else(|| InvalidSymbol(text.chars().take(40).collect()))
    }
}

impl TryFrom<String> for Symbol {
    type Error = InvalidSymbol;

    fn try_from(text: String) -> Result<Self, InvalidSymbol> {
        text.parse()
    }
}

impl From<Symbol> for String {
    fn from(symbol: Symbol) -> Self {
        symbol.0
    }
}

/// What kind of thing a symbol is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each kind names itself")]
pub enum AssetType {
    #[default]
    Equity,
    Etf,
    Crypto,
}

impl AssetType {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Equity, Self::Etf, Self::Crypto];

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Equity => "equity",
            Self::Etf => "etf",
            Self::Crypto => "crypto",
        }
    }

    /// Whether it trades around the clock, every day of the week.
    pub const fn never_closes(self) -> bool {
        matches!(self, Self::Crypto)
    }
}

impl FromStr for AssetType {
    type Err = UnknownAssetType;

    fn from_str(text: &str) -> Result<Self, UnknownAssetType> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or(UnknownAssetType)
    }
}

/// A word that names no asset type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be one of equity, etf, crypto")]
pub struct UnknownAssetType;

/// The two worlds of symbols. The same letters may name a share and a coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Market {
    /// Shares and funds of the exchanges.
    Stock,
    /// Coins.
    Crypto,
}

impl Market {
    /// The word under which rows are kept.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stock => "stock",
            Self::Crypto => "crypto",
        }
    }

    /// The market of that word.
    pub fn find(word: &str) -> Option<Self> {
        [Self::Stock, Self::Crypto]
            .into_iter()
            .find(|market| market.as_str() == word)
    }
}

/// Which thing exactly: a symbol in its world.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct InstrumentKey {
    /// Its world.
    pub market: Market,
    /// Its symbol.
    pub symbol: Symbol,
}

impl InstrumentKey {
    /// A share or fund.
    pub const fn stock(symbol: Symbol) -> Self {
        Self {
            market: Market::Stock,
            symbol,
        }
    }

    /// A coin.
    pub const fn crypto(symbol: Symbol) -> Self {
        Self {
            market: Market::Crypto,
            symbol,
        }
    }
}

impl fmt::Display for InstrumentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.market.as_str(), self.symbol)
    }
}

/// The metadata of a share, fund or coin. Absent fields are unknown; a later listing fills them in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instrument {
    /// Its symbol.
    pub symbol: Symbol,
    /// What kind of thing it is.
    pub asset_type: AssetType,
    /// Name of the company, fund or coin; the symbol where no listing named it.
    pub name: Option<String>,
    /// Such as `NASDAQ`, `NYSE`, `NYSE ARCA`.
    pub exchange: Option<String>,
    /// One of the eleven sectors of the Global Industry Classification Standard, by its name.
    pub sector: Option<String>,
    /// Sub-industry.
    pub industry: Option<String>,
    /// ISO 4217 code of its prices; USD where nothing else is said.
    pub currency: Option<String>,
    /// Central Index Key at the SEC.
    pub cik: Option<u64>,
    /// The last day on which it could be traded, for those that are gone.
    pub delisted: Option<Day>,
}

impl Instrument {
    /// Only symbol and kind.
    pub const fn bare(symbol: Symbol, asset_type: AssetType) -> Self {
        Self {
            symbol,
            asset_type,
            name: None,
            exchange: None,
            sector: None,
            industry: None,
            currency: None,
            cik: None,
            delisted: None,
        }
    }

    /// Which thing exactly.
    pub fn key(&self) -> InstrumentKey {
        InstrumentKey {
            market: if self.asset_type == AssetType::Crypto {
                Market::Crypto
            } else {
                Market::Stock
            },
            symbol: self.symbol.clone(),
        }
    }

    /// What one calls it.
    pub fn entity_name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.symbol.as_str())
    }

    /// The currency of its prices.
    pub fn currency(&self) -> &str {
        self.currency.as_deref().unwrap_or("USD")
    }

    /// What `newer` says, and where that is silent, what was known before. A fund stays a fund when a price file calls
    /// everything an equity.
    #[must_use]
    pub fn merged(self, newer: Self) -> Self {
        Self {
            asset_type: match (self.asset_type, newer.asset_type) {
                (AssetType::Etf, AssetType::Equity) if newer.name.is_none() => AssetType::Etf,
                (_, newer) => newer,
            },
            symbol: newer.symbol,
            name: newer.name.or(self.name),
            exchange: newer.exchange.or(self.exchange),
            sector: newer.sector.or(self.sector),
            industry: newer.industry.or(self.industry),
            currency: newer.currency.or(self.currency),
            cik: newer.cik.or(self.cik),
            delisted: newer.delisted.or(self.delisted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_shares_have_one_spelling() {
        for text in ["brk.b", "BRK-B", "BRK/B", " $brk.b "] {
            assert_eq!(Symbol::parse(text).unwrap().as_str(), "BRK.B", "{text}");
        }
        assert_eq!(Symbol::parse("VOW3.de").unwrap().as_str(), "VOW3.DE");
        assert_eq!(Symbol::parse("BTC-USD").unwrap().as_str(), "BTC-USD");
        assert_eq!(Symbol::parse("^gspc").unwrap().as_str(), "^GSPC");
    }

    #[test]
    fn refuses_what_names_nothing() {
        for text in [
            "--",
            "",
            " ",
            "N/A",
            "a b",
            "é",
            "ABCDEFGHIJKLMNOPQRSTU",
            "..",
            "A/BC",
        ] {
            assert_eq!(Symbol::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_said_again_stays() {
        let symbol = Symbol::parse("XLK").unwrap();
        let listed = Instrument {
            name: Some("Technology Select Sector SPDR Fund".into()),
            ..Instrument::bare(symbol.clone(), AssetType::Etf)
        };
        let merged = listed
            .clone()
            .merged(Instrument::bare(symbol, AssetType::Equity));
        assert_eq!(merged, listed);
    }
}
