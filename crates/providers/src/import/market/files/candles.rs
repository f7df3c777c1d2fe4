//! Files of daily bars.

use model::Market;

use super::bars::{self, BarColumns, BarSymbol, Bars, SYMBOL, Take, parse_table};
use super::table::Table;
use super::{FileOptions, chart, crypto, document, names, unknown};
use crate::import::market::{ReadError, ReadReport, Reading, Source};

const EXPECTED: &str =
    "expected daily bars: a table with a column of dates and one of closes, or a chart in JSON";
const WHOSE: &str = "the file does not say which symbol its prices are of: name the file after its symbol or give one";

/// Reads candles: a table in long form with a symbol column, a table for one symbol, a list of bars in JSON, or
/// Yahoo's chart documents.
///
/// Indices (`^GSPC`) become series `index:^GSPC`, symbols with closes only become `close:XLK`, currencies
/// `fx:EURUSD`, known futures `commodity:crude/futures`. The close is used as it is written; an adjusted close is not
/// used, because it contains dividends. A file without a volume column gives volumes of zero. For coins, names and
/// market values are read as well.
pub fn parse_candles(
    name: &str,
    bytes: &[u8],
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    if document::is_json(bytes) {
        let document = document::parse(bytes)?;
        if document.get("chart").is_some() {
            return chart::parse(&document, options);
        }
        let Some(list) = document::objects(&document) else {
            return unknown(EXPECTED);
        };
        let own = document
            .get("ticker")
            .or_else(|| document.get("symbol"))
            .and_then(serde_json::Value::as_str);
        return parse_bars(&Table::of_objects(list), name, own, options);
    }
    if document::is_xml(bytes) {
        return unknown(EXPECTED);
    }
    parse_bars(&Table::open(bytes)?, name, None, options)
}

/// Reads a table of candles row by row and hands them over in pieces, so that its length does not matter. `None` if
/// the source contains no such table: it is then read whole, by [`parse_candles`].
pub(super) fn load_in_pieces(
    name: &str,
    source: &dyn Source,
    options: &FileOptions<'_>,
    take: (usize, Take<'_>),
) -> Result<Option<ReadReport>, ReadError> {
    let Some(table) = Table::of_source(source)? else {
        return Ok(None);
    };
    if options.market == Market::Crypto && crypto::says_more(&table) {
        return Ok(None);
    }
    let found = Found::of(&table, name, None, options)?;
    let bars = Bars::new(options, options.market, found.columns.closes_only());
    let stem = names::stem(name);
    bars::load_in_pieces(&table, found.columns, found.bar_symbol(), bars, stem, take).map(Some)
}

fn parse_bars(
    table: &Table<'_>,
    name: &str,
    own: Option<&str>,
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    let found = Found::of(table, name, own, options)?;
    if options.market == Market::Crypto && crypto::says_more(table) {
        return crypto::parse_bars(table, found.columns, name, options);
    }
    let bars = Bars::new(options, options.market, found.columns.closes_only());
    parse_table(
        table,
        found.columns,
        found.bar_symbol(),
        bars,
        names::stem(name),
    )
}

/// Where the bars are in a table, and to which symbol they belong.
struct Found {
    columns: BarColumns,
    symbols: Option<usize>,
    of_file: String,
}

impl Found {
    fn bar_symbol(&self) -> BarSymbol<'_> {
        match self.symbols {
            Some(column) => BarSymbol::Column(column),
            None => BarSymbol::All(&self.of_file),
        }
    }

    fn of(
        table: &Table<'_>,
        name: &str,
        own: Option<&str>,
        options: &FileOptions<'_>,
    ) -> Result<Self, ReadError> {
        let Some(columns) = BarColumns::find(table) else {
            return unknown(EXPECTED);
        };
        let of_file = options
            .symbol
            .or(own)
            .map(str::to_owned)
            .or_else(|| names::symbol_of(name));
        // Some well-known archives call the symbol column `Name`.
        let symbols = match (table.find(&SYMBOL), options.symbol) {
            (Some(column), _) => Some(column),
            (None, None) if of_file.is_none() => table.find(&["name"]),
            (None, _) => None,
        };
        if symbols.is_none() && of_file.is_none() {
            return unknown(WHOSE);
        }
        if columns.closes_only()
            && symbols.is_none()
            && options.market == Market::Stock
            && table
                .find(&["close", "closelast", "closeprice", "adjclose"])
                .is_none()
        {
            // A column called `price` or `value` next to dates may be anything: without a symbol, only closes are
            // taken.
            return unknown(EXPECTED);
        }
        Ok(Self {
            columns,
            symbols,
            of_file: of_file.unwrap_or_default(),
        })
    }
}
