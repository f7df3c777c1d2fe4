//! Symbols, and the metadata of the instruments they name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Day;

/// A symbol in the house spelling: upper case, with a dot before the letter of a share class (`BRK.B`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Symbol(String);

/// Text that cannot be a symbol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a symbol such as AAPL, BRK.B or BTC")]
pub struct InvalidSymbol(pub String);

impl Symbol {
    /// The longest symbol, in characters.
    pub const LONGEST: usize = 20;

    /// Reads a symbol in any case. Share classes may be written `BRK.B`, `BRK-B` or `BRK/B`. What some sources write
    /// for a missing value (`--`, `N/A`) is not a symbol.
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

/// What kind of instrument a symbol is.
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

    /// The word used in the wire contract.
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

/// A word that does not name an asset type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be one of equity, etf, crypto")]
pub struct UnknownAssetType;

/// The two namespaces of symbols. The same letters may name a share and a coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Market {
    /// Exchange-traded shares and funds.
    Stock,
    /// Coins.
    Crypto,
}

impl Market {
    /// The word under which rows are stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stock => "stock",
            Self::Crypto => "crypto",
        }
    }

    /// The market for that word.
    pub fn find(word: &str) -> Option<Self> {
        [Self::Stock, Self::Crypto]
            .into_iter()
            .find(|market| market.as_str() == word)
    }
}

/// Exactly which instrument: a symbol in its market.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct InstrumentKey {
    /// Its market.
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

/// Who gives an instrument its name, in ascending order of how well such names are maintained.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum NameSource {
    /// Anything else, such as a file of prices.
    #[default]
    Other,
    /// A company register: in capitals, and often long out of date.
    Register,
    /// A table of index members, or one from a data provider.
    Table,
    /// The directory of an exchange.
    Exchange,
}

/// The metadata of a share, fund or coin. Absent fields are unknown; a later listing fills them in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instrument {
    /// Its symbol.
    pub symbol: Symbol,
    /// What kind of instrument it is.
    pub asset_type: AssetType,
    /// Name of the company, fund or coin; the symbol if no listing gave a name.
    pub name: Option<String>,
    /// Who gave it the name.
    #[serde(default)]
    pub named_by: NameSource,
    /// The letter of its share class, if a listing gives one.
    #[serde(default)]
    pub share_class: Option<char>,
    /// For example `NASDAQ`, `NYSE`, `NYSE ARCA`.
    pub exchange: Option<String>,
    /// One of the eleven sectors of the Global Industry Classification Standard, by its name.
    pub sector: Option<String>,
    /// Sub-industry.
    pub industry: Option<String>,
    /// ISO 4217 code of the currency of its prices; USD unless otherwise stated.
    pub currency: Option<String>,
    /// Central Index Key at the SEC.
    pub cik: Option<u64>,
    /// The last day on which it could be traded, for instruments that no longer exist.
    pub delisted: Option<Day>,
}

impl Instrument {
    /// Only the symbol and its kind.
    pub const fn bare(symbol: Symbol, asset_type: AssetType) -> Self {
        Self {
            symbol,
            asset_type,
            name: None,
            named_by: NameSource::Other,
            share_class: None,
            exchange: None,
            sector: None,
            industry: None,
            currency: None,
            cik: None,
            delisted: None,
        }
    }

    /// Exactly which instrument.
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

    /// What it is usually called.
    pub fn entity_name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.symbol.as_str())
    }

    /// The currency of its prices.
    pub fn currency(&self) -> &str {
        self.currency.as_deref().unwrap_or("USD")
    }

    /// What two sources say when combined. Anything that depends on the kind of source does not depend on which was
    /// read first: a fund stays a fund even if one source says nothing about it, and a name from a better source stays.
    /// Of two statements of equal standing the newer one counts, so a company that was renamed gets its new name.
    #[must_use]
    pub fn merged(self, newer: Self) -> Self {
        // In ascending order of kind; the two namespaces of symbols never meet here.
        let asset_type = self.asset_type.max(newer.asset_type);
        // A better source for names is also a better source for the place of trading.
        let (better, other) = if self.named_by > newer.named_by {
            (&self, &newer)
        } else {
            (&newer, &self)
        };
        let exchange = better.exchange.clone().or_else(|| other.exchange.clone());
        let share_class = better.share_class.or(other.share_class);
        let (sector, industry) =
            industry_of((self.sector, self.industry), (newer.sector, newer.industry));
        let (name, named_by) =
            better_name((self.name, self.named_by), (newer.name, newer.named_by));
        Self {
            asset_type,
            symbol: newer.symbol,
            name,
            named_by,
            share_class,
            exchange,
            sector,
            industry,
            currency: newer.currency.or(self.currency),
            // Numbers are issued in ascending order, so the larger of two belongs to the newer registration.
            cik: newer.cik.max(self.cik),
            // The later one knows about the earlier.
            delisted: newer.delisted.max(self.delisted),
        }
    }
}

type Named = (Option<String>, NameSource);

/// The name from the better source. Of two sources of one kind the newer one counts, unless both write the same name
/// and one adds to it; then the shorter one counts.
fn better_name(known: Named, newer: Named) -> Named {
    let (Some(before), Some(after)) = (&known.0, &newer.0) else {
        return if newer.0.is_some() { newer } else { known };
    };
    let is_longer_form = |long: &str, short: &str| {
        long.get(..short.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(short))
    };
    let stays = known.1 > newer.1
        || known.1 == newer.1
            && (is_longer_form(after, before) && after.len() > before.len()
                || after.eq_ignore_ascii_case(before) && before > after);
    if stays { known } else { newer }
}

type Branch = (Option<String>, Option<String>);

/// Sector and sub-industry belong together. They are taken from the source that knows more of them; if two know equally
/// much, from the newer one.
fn industry_of(known: Branch, newer: Branch) -> Branch {
    let detail =
        |(sector, industry): &Branch| 2 * u8::from(sector.is_some()) + u8::from(industry.is_some());
    let (main, other) = if detail(&known) > detail(&newer) {
        (known, newer)
    } else {
        (newer, known)
    };
    (main.0.or(other.0), main.1.or(other.1))
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

    /// What these say when combined, in every order in which they can be read.
    fn in_every_order(statements: &[Instrument]) -> Vec<Instrument> {
        let mut orders = vec![Vec::new()];
        for one in statements {
            orders = orders
                .into_iter()
                .flat_map(|order: Vec<&Instrument>| {
                    (0..=order.len()).map(move |place| {
                        let mut order = order.clone();
                        order.insert(place, one);
                        order
                    })
                })
                .collect();
        }
        let merge = |order: Vec<&Instrument>| {
            let statements = order.into_iter().cloned();
            statements.reduce(Instrument::merged).unwrap()
        };
        orders.into_iter().map(merge).collect()
    }

    fn named(symbol: &str, kind: AssetType, name: &str, named_by: NameSource) -> Instrument {
        Instrument {
            name: Some(name.to_owned()),
            named_by,
            ..Instrument::bare(Symbol::parse(symbol).unwrap(), kind)
        }
    }

    #[test]
    fn neither_kind_nor_name_depends_on_the_order() {
        use AssetType::{Equity, Etf};
        use NameSource::{Exchange, Other, Register, Table};
        for (statements, kind, name) in [
            (
                vec![
                    named("SPY", Etf, "State Street SPDR S&P 500 ETF Trust", Exchange),
                    named("SPY", Equity, "SPDR S&P 500 ETF TRUST", Register),
                    Instrument::bare(Symbol::parse("SPY").unwrap(), Equity),
                ],
                Etf,
                "State Street SPDR S&P 500 ETF Trust",
            ),
            (
                vec![
                    named("TM", Equity, "TOYOTA MOTOR CORP/", Register),
                    named("TM", Equity, "Toyota Motor Corporation", Exchange),
                    named("TM", Equity, "Toyota Motor", Table),
                    named("TM", Equity, "Toyota", Other),
                ],
                Equity,
                "Toyota Motor Corporation",
            ),
            (
                vec![
                    named("AGM.A", Equity, "Farmer Mac", Exchange),
                    named("AGM.A", Equity, "Farmer Mac Class A", Exchange),
                ],
                Equity,
                "Farmer Mac",
            ),
        ] {
            for merged in in_every_order(&statements) {
                assert_eq!(merged.asset_type, kind);
                assert_eq!(merged.name.as_deref(), Some(name));
            }
        }
    }

    #[test]
    fn a_sector_with_its_industry_counts_more_than_half_of_it() {
        let of = |sector: Option<&str>, industry: Option<&str>| Instrument {
            sector: sector.map(str::to_owned),
            industry: industry.map(str::to_owned),
            ..Instrument::bare(Symbol::parse("GOOGL").unwrap(), AssetType::Equity)
        };
        let whole = of(Some("Communication Services"), Some("Interactive Media"));
        let statements = [
            whole.clone(),
            of(Some("Information Technology"), None),
            of(None, Some("Telecommunication")),
        ];
        for merged in in_every_order(&statements) {
            assert_eq!(merged, whole);
        }
    }

    #[test]
    fn of_two_ends_the_later_one_counts() {
        let ended = |delisted: Option<&str>| Instrument {
            delisted: delisted.and_then(Day::parse),
            ..Instrument::bare(Symbol::parse("WELD").unwrap(), AssetType::Equity)
        };
        let statements = [
            ended(Some("2018-05-01")),
            ended(None),
            ended(Some("2024-02-02")),
        ];
        for merged in in_every_order(&statements) {
            assert_eq!(merged, statements[2]);
        }
    }

    #[test]
    fn a_company_that_is_renamed_gets_its_new_name() {
        let old = named(
            "META",
            AssetType::Equity,
            "Facebook, Inc.",
            NameSource::Exchange,
        );
        let new = named(
            "META",
            AssetType::Equity,
            "Meta Platforms, Inc.",
            NameSource::Exchange,
        );
        assert_eq!(old.merged(new.clone()), new);
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
