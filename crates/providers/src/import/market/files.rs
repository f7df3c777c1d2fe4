//! Prices, listings and indicators in files: which kind of file is read by whom.
//!
//! The contents decide the form: Parquet by its first bytes, JSON by its first sign, XML by its first bracket, anything else
//! is a table of text. The kind is said by the caller, because a column of dates beside a column of numbers could be
//! anything. Opening and unpacking a file is done before.

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

/// What a file holds, said by whoever brings it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarketFile {
    /// Daily bars or closes of shares, funds, coins and indices.
    Candles,
    /// Which symbols there are, and what is behind them.
    Listings,
    /// Splits, dividends, changes of symbol, mergers, delistings.
    Actions,
    /// Macro indicators and yields.
    Macro,
    /// Exchange rates.
    Fx,
    /// Prices of commodities.
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

/// What a file does not say itself.
#[derive(Clone, Copy)]
pub struct FileOptions<'a> {
    /// What a file of only one thing is about, where neither it nor its name says so: a symbol for candles and coins, the
    /// id of an indicator, a pair such as `EURUSD`, a commodity such as `crude`.
    pub symbol: Option<&'a str>,
    /// The world of the symbols in a file of candles.
    pub market: Market,
    /// Days after this one have not happened yet: rows that speak of them are refused.
    pub today: Day,
    /// The time of what a file reports without saying when, such as a list of protocols.
    pub at: Timestamp,
    /// Whether the exchange was closed on a day. Some sources repeat the bar before a holiday. Not asked for coins,
    /// currencies, commodities, nor for what is listed outside the United States.
    pub closed: &'a dyn Fn(Day) -> bool,
    /// Which splits the prices of a file of candles contain; those until its last day where nothing is said.
    pub scale: Option<PriceScale>,
}

impl FileOptions<'_> {
    /// Shares of the United States, with no day on which the exchange was closed.
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

/// Reads a file of that kind. `name` is its name without the folder: archives of one file per symbol say only there which
/// symbol it is (`AAPL.csv`, `aapl_us_d.csv`, `chart-AAPL.json`).
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

/// Reads a file of that kind and hands over what it holds: of a table of candles in pieces, of everything else at once.
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

/// A file whose form is none of those expected.
fn unknown<T>(expected: &str) -> Result<T, ReadError> {
    Err(ReadError::Unknown(expected.to_owned()))
}

#[cfg(test)]
mod tests;
