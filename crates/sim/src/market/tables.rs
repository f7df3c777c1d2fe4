//! What is traded in the simulated world: shares, funds, coins and protocols, read once from tables.
//!
//! Names, exchanges and sectors of real instruments are real; prices and values are rough and only set the level.

use std::sync::LazyLock;

use model::Symbol;

use crate::random::hash_word;
use crate::world::{DataError, World};

const SHARES: &str = include_str!("../../data/market.tsv");
const FUNDS: &str = include_str!("../../data/funds.tsv");
const COINS: &str = include_str!("../../data/coins.tsv");
const DEFI: &str = include_str!("../../data/defi.tsv");

/// The eleven sectors.
pub(super) const SECTORS: [&str; 11] = [
    "Energy",
    "Materials",
    "Industrials",
    "Consumer Discretionary",
    "Consumer Staples",
    "Health Care",
    "Financials",
    "Information Technology",
    "Communication Services",
    "Utilities",
    "Real Estate",
];

/// Position of Financials among the sectors.
pub(super) const FINANCIALS: usize = 6;
/// Position of Information Technology among the sectors.
pub(super) const TECHNOLOGY: usize = 7;

/// A listed company.
#[derive(Clone, Debug)]
pub(super) struct Share {
    pub(super) symbol: Symbol,
    pub(super) name: &'static str,
    pub(super) exchange: &'static str,
    pub(super) currency: &'static str,
    /// Position in [`SECTORS`].
    pub(super) sector: usize,
    pub(super) industry: &'static str,
    /// Close on the reference day, in its currency.
    pub(super) price: f64,
    /// Market value on the reference day, in USD.
    pub(super) value_usd: f64,
    /// Whether the newswire writes about it.
    pub(super) in_the_news: bool,
    /// The random stream it uses: the same for two classes of one company.
    pub(super) stream: u64,
    /// Its filer number, far above those that are actually assigned.
    pub(super) cik: u64,
}

impl Share {
    /// Whether it exists only in the simulated world.
    pub(super) fn is_fictional(&self) -> bool {
        self.symbol.as_str().starts_with("ZZ")
    }

    /// Whether it files with the SEC, unlike foreign listings.
    pub(super) fn files(&self) -> bool {
        self.currency == "USD"
    }

    /// Whether another class of the same company comes first and files for both.
    pub(super) fn is_second_class(&self) -> bool {
        hash_word(self.symbol.as_str()) != self.stream
    }

    /// Whether its past is published in full; companies that nobody writes about have less.
    pub(super) fn is_followed(&self) -> bool {
        !self.is_fictional() || self.in_the_news
    }

    /// How many shares there are.
    pub(super) fn count(&self) -> f64 {
        self.value_usd * per_usd(self.currency) / self.price
    }
}

/// A fund that is traded like a share.
#[derive(Clone, Debug)]
pub(super) struct Fund {
    pub(super) symbol: Symbol,
    pub(super) name: &'static str,
    pub(super) exchange: &'static str,
    /// A sector, or the word of another basket.
    pub(super) follows: &'static str,
    pub(super) price: f64,
    pub(super) value_usd: f64,
}

/// A coin.
#[derive(Clone, Debug)]
pub(super) struct Coin {
    pub(super) symbol: Symbol,
    pub(super) name: &'static str,
    pub(super) price: f64,
    pub(super) supply: f64,
}

impl Coin {
    /// Whether it is worth a dollar by design.
    pub(super) fn is_stable(&self) -> bool {
        matches!(self.symbol.as_str(), "USDT" | "USDC" | "DAI")
    }
}

/// A protocol of decentralised finance.
#[derive(Clone, Debug)]
pub(super) struct ProtocolRow {
    pub(super) slug: &'static str,
    pub(super) name: &'static str,
    pub(super) category: &'static str,
    pub(super) value_usd: f64,
    pub(super) chains: Vec<String>,
}

/// A chain.
#[derive(Clone, Debug)]
pub(super) struct ChainRow {
    pub(super) name: &'static str,
    pub(super) value_usd: f64,
}

/// Every table.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) shares: Vec<Share>,
    pub(super) funds: Vec<Fund>,
    pub(super) coins: Vec<Coin>,
    pub(super) protocols: Vec<ProtocolRow>,
    pub(super) chains: Vec<ChainRow>,
}

impl Tables {
    /// The tables. They are part of the program; a test checks that they can be read.
    pub(super) fn get() -> &'static Self {
        static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::parse().unwrap_or_default());
        &TABLES
    }

    pub(super) fn parse() -> Result<Self, DataError> {
        let mut tables = Self {
            shares: parse_rows(SHARES, share)?,
            funds: parse_rows(FUNDS, fund)?,
            coins: parse_rows(COINS, coin)?,
            ..Self::default()
        };
        for cells in rows(DEFI) {
            match cells.as_slice() {
                ["protocol", slug, name, category, billions, chains] => {
                    tables.protocols.push(ProtocolRow {
                        slug,
                        name,
                        category,
                        value_usd: number(billions, &cells)? * 1e9,
                        chains: chains.split(',').map(str::to_owned).collect(),
                    });
                }
                ["chain", name, billions] => tables.chains.push(ChainRow {
                    name,
                    value_usd: number(billions, &cells)? * 1e9,
                }),
                _ => return Err(bad(&cells)),
            }
        }
        Ok(tables)
    }
}

/// Roughly how many units of a currency there are to the dollar. The simulated exchange rates move around these.
pub(super) fn per_usd(currency: &str) -> f64 {
    match currency {
        "EUR" => 0.86,
        "GBP" => 0.75,
        "CHF" => 0.80,
        "DKK" => 6.4,
        "SEK" => 9.5,
        "HKD" => 7.8,
        "KRW" => 1430.0,
        _ => 1.0,
    }
}

type Cells = Vec<&'static str>;

fn rows(text: &'static str) -> impl Iterator<Item = Cells> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

fn parse_rows<T>(
    text: &'static str,
    parse: impl Fn(&Cells) -> Result<T, DataError>,
) -> Result<Vec<T>, DataError> {
    rows(text).map(|cells| parse(&cells)).collect()
}

fn share(cells: &Cells) -> Result<Share, DataError> {
    let &[
        ticker,
        name,
        exchange,
        currency,
        sector,
        industry,
        price,
        billions,
    ] = cells.as_slice()
    else {
        return Err(bad(cells));
    };
    // Two classes of one company move as one.
    let company = match ticker {
        "GOOG" => "GOOGL",
        "BRK.A" => "BRK.B",
        other => other,
    };
    let stream = hash_word(company);
    Ok(Share {
        symbol: symbol(ticker, cells)?,
        name,
        exchange,
        currency,
        sector: SECTORS
            .iter()
            .position(|known| *known == sector)
            .ok_or_else(|| bad(cells))?,
        industry,
        price: number(price, cells)?,
        value_usd: number(billions, cells)? * 1e9,
        in_the_news: World::get()
            .companies
            .iter()
            .any(|known| known.ticker == ticker),
        stream,
        cik: 9_000_000_000 + stream % 500_000_000,
    })
}

fn fund(cells: &Cells) -> Result<Fund, DataError> {
    let &[ticker, name, exchange, follows, price, billions] = cells.as_slice() else {
        return Err(bad(cells));
    };
    Ok(Fund {
        symbol: symbol(ticker, cells)?,
        name,
        exchange,
        follows,
        price: number(price, cells)?,
        value_usd: number(billions, cells)? * 1e9,
    })
}

fn coin(cells: &Cells) -> Result<Coin, DataError> {
    let &[ticker, name, price, supply] = cells.as_slice() else {
        return Err(bad(cells));
    };
    Ok(Coin {
        symbol: symbol(ticker, cells)?,
        name,
        price: number(price, cells)?,
        supply: number(supply, cells)?,
    })
}

fn symbol(text: &str, cells: &Cells) -> Result<Symbol, DataError> {
    Symbol::parse(text).ok_or_else(|| bad(cells))
}

fn number(text: &str, cells: &Cells) -> Result<f64, DataError> {
    text.parse()
        .ok()
        .filter(|value| f64::is_finite(*value) && *value > 0.0)
        .ok_or_else(|| bad(cells))
}

fn bad(cells: &Cells) -> DataError {
    DataError(format!("market line {cells:?}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tables_can_be_read() {
        let tables = Tables::parse().unwrap();
        assert_eq!(tables.shares.len(), 500);
        assert_eq!(tables.funds.len(), 20);
        assert_eq!(tables.coins.len(), 50);
        assert_eq!(tables.protocols.len(), 25);
        assert_eq!(tables.chains.len(), 12);
        for (place, sector) in SECTORS.iter().enumerate() {
            let members = tables.shares.iter().filter(|share| share.sector == place);
            assert!(members.count() >= 20, "{sector}");
        }
    }

    #[test]
    fn symbols_and_filers_are_unique() {
        let tables = Tables::get();
        let symbols: BTreeSet<_> = tables
            .shares
            .iter()
            .map(|share| &share.symbol)
            .chain(tables.funds.iter().map(|fund| &fund.symbol))
            .collect();
        assert_eq!(symbols.len(), 520);
        let filers: BTreeSet<_> = tables.shares.iter().map(|share| share.cik).collect();
        assert_eq!(filers.len(), 498);
    }

    #[test]
    fn every_company_of_the_news_is_traded() {
        for company in &World::get().companies {
            assert!(
                Tables::get()
                    .shares
                    .iter()
                    .any(|share| share.symbol.as_str() == company.ticker
                        && share.name == company.name),
                "{}",
                company.name
            );
        }
    }
}
