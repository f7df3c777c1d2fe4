//! Files of daily bars.

use model::Market;

use super::bars::{BarColumns, Bars, SYMBOL, Whose, read_table};
use super::table::Table;
use super::{FileOptions, chart, document, names, unknown};
use crate::import::market::{ReadError, Reading};

const EXPECTED: &str =
    "expected daily bars: a table with a column of dates and one of closes, or a chart in JSON";
const WHOSE: &str =
    "the file does not say whose prices these are: name it after its symbol or give one";

/// Reads candles: a table in long form with a column of symbols, a table of one symbol, a list of bars in JSON, or the chart
/// documents of Yahoo.
///
/// Indices (`^GSPC`) become series `index:^GSPC`, symbols of which only closes are told `close:XLK`, currencies `fx:EURUSD`,
/// known futures `commodity:crude/futures`. The close is taken as it is written and an adjusted close is not used, because
/// it contains dividends. A file without a column of volumes gives volumes of zero.
pub fn read_candles(
    name: &str,
    bytes: &[u8],
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    if document::is_json(bytes) {
        let document = document::read(bytes)?;
        if document.get("chart").is_some() {
            return chart::read(&document, options);
        }
        let Some(list) = document::objects(&document) else {
            return unknown(EXPECTED);
        };
        let own = document
            .get("ticker")
            .or_else(|| document.get("symbol"))
            .and_then(serde_json::Value::as_str);
        return read_bars(&Table::of_objects(list), name, own, options);
    }
    if document::is_xml(bytes) {
        return unknown(EXPECTED);
    }
    read_bars(&Table::open(bytes)?, name, None, options)
}

fn read_bars(
    table: &Table<'_>,
    name: &str,
    own: Option<&str>,
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    let Some(columns) = BarColumns::find(table) else {
        return unknown(EXPECTED);
    };
    let of_file = options
        .symbol
        .or(own)
        .map(str::to_owned)
        .or_else(|| names::symbol_of(name));
    // Some well-known archives call the column of symbols `Name`.
    let symbols = match (table.find(&SYMBOL), options.symbol) {
        (Some(column), _) => Some(column),
        (None, None) if of_file.is_none() => table.find(&["name"]),
        (None, _) => None,
    };
    let whose = match (symbols, of_file.as_deref()) {
        (Some(column), _) => Whose::Column(column),
        (None, Some(symbol)) => Whose::All(symbol),
        (None, None) => return unknown(WHOSE),
    };
    let closes_only = columns.closes_only();
    if closes_only
        && symbols.is_none()
        && options.market == Market::Stock
        && table
            .find(&["close", "closelast", "closeprice", "adjclose"])
            .is_none()
    {
        // A column called `price` or `value` beside dates may be anything: only closes are taken without a symbol.
        return unknown(EXPECTED);
    }
    let bars = Bars::new(options, options.market, closes_only);
    let source = names::stem(name);
    Ok(read_table(table, columns, whose, bars, source))
}
