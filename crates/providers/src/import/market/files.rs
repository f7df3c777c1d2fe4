//! Prices, listings and indicators in files: which reader takes which kind of file.
//!
//! The contents decide the format: Parquet by its first bytes, JSON by its first character, XML by its first bracket;
//! anything else is a text table. The caller states the kind of data, because a column of dates next to a column of
//! numbers could be anything. Opening and unpacking a file happens before.

mod actions;
mod bars;
mod candles;
mod catalogue;
mod chart;
mod coingecko;
mod columnar;
mod commodities;
mod crypto;
mod dates;
mod defillama;
mod document;
mod fx;
mod hours;
mod indicators;
mod listings;
mod names;
mod number;

mod points;
mod rows;
mod settlements;
mod table;
mod treasury;
mod valuations;

pub use actions::parse_actions;
pub use candles::parse_candles;
pub use commodities::parse_commodities;
pub use crypto::parse_crypto;
pub use fx::parse_fx;
pub use indicators::parse_macro;
pub use listings::parse_listings;
pub(super) use listings::parse_members;

use model::{Day, Market, MarketBatch, PriceScale, Timestamp};

use super::{ReadError, ReadReport, Reading, Source, load_document};

/// What a file contains, as stated by whoever supplies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarketFile {
    /// Daily bars or closes of shares, funds, coins and indices.
    Candles,
    /// Which symbols there are, and what they stand for.
    Listings,
    /// Splits, dividends, symbol changes, mergers, delistings.
    Actions,
    /// Macro indicators and yields.
    Macro,
    /// Exchange rates.
    Fx,
    /// Commodity prices.
    Commodities,
    /// Coins and decentralised finance.
    Crypto,
}

impl MarketFile {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Candles,
        Self::Listings,
        Self::Actions,
        Self::Macro,
        Self::Fx,
        Self::Commodities,
        Self::Crypto,
    ];

    /// The word of the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Candles => "candles",
            Self::Listings => "listings",
            Self::Actions => "actions",
            Self::Macro => "macro",
            Self::Fx => "fx",
            Self::Commodities => "commodities",
            Self::Crypto => "crypto",
        }
    }
}

/// Information that a file does not itself contain.
#[derive(Clone, Copy)]
pub struct FileOptions<'a> {
    /// The subject of a file with only one, if neither the file nor its name says so: a symbol for candles and coins,
    /// the id of an indicator, a pair such as `EURUSD`, a commodity such as `crude`.
    pub symbol: Option<&'a str>,
    /// The market to which the symbols in a file of candles belong.
    pub market: Market,
    /// Days after this one have not happened yet: rows that refer to them are rejected.
    pub today: Day,
    /// The time of undated figures in a file, such as a list of protocols.
    pub at: Timestamp,
    /// Whether the exchange was closed on a day. Some sources repeat the previous bar on a holiday. Not used for
    /// coins, currencies, commodities, or anything listed outside the United States.
    pub closed: &'a dyn Fn(Day) -> bool,
    /// Which splits the prices in a file of candles contain; if nothing is stated, those up to its last day.
    pub scale: Option<PriceScale>,
}

impl FileOptions<'_> {
    /// US shares, with no day on which the exchange was closed.
    pub fn new(today: Day) -> FileOptions<'static> {
        FileOptions {
            symbol: None,
            market: Market::Stock,
            today,
            at: today.starts_at(),
            closed: &|_| false,
            scale: None,
        }
    }
}

/// Reads a file of that kind. `name` is its name without the folder: in archives with one file per symbol, only the
/// name says which symbol it is (`AAPL.csv`, `aapl_us_d.csv`, `chart-AAPL.json`).
pub fn parse(
    kind: MarketFile,
    name: &str,
    bytes: &[u8],
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    match kind {
        MarketFile::Candles => parse_candles(name, bytes, options),
        MarketFile::Listings => parse_listings(name, bytes, options),
        MarketFile::Actions => parse_actions(name, bytes, options),
        MarketFile::Macro => parse_macro(name, bytes, options),
        MarketFile::Fx => parse_fx(name, bytes, options),
        MarketFile::Commodities => parse_commodities(name, bytes, options),
        MarketFile::Crypto => parse_crypto(name, bytes, options),
    }
}

/// Reads a file of that kind and hands over its contents: a table of candles in pieces, everything else at once.
pub fn load_in_pieces(
    kind: MarketFile,
    name: &str,
    source: &dyn Source,
    options: &FileOptions<'_>,
    take: &mut dyn FnMut(MarketBatch) -> Result<(), ReadError>,
) -> Result<ReadReport, ReadError> {
    if kind == MarketFile::Candles
        && let Some(report) = candles::load_in_pieces(name, source, options, (bars::PIECE, take))?
    {
        return Ok(report);
    }
    let Reading { batch, report } = parse(kind, name, &load_document(source)?, options)?;
    take(batch)?;
    Ok(report)
}

/// A file in none of the expected formats.
fn unknown<T>(expected: &str) -> Result<T, ReadError> {
    Err(ReadError::Unknown(expected.to_owned()))
}

#[cfg(test)]
mod tests;
