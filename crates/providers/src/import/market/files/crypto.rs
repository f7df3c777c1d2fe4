//! Files of coins and decentralised finance.

use std::collections::BTreeMap;

use model::{AssetType, Instrument, InstrumentKey, Market, SeriesId, Symbol};

use super::bars::{BarColumns, Bars, SYMBOL};
use super::dates::Days;
use super::names::{self, Target, target_of};
use super::number::{self, Cell};
use super::points::Points;
use super::table::Table;
use super::{FileOptions, chart, coingecko, defillama, document, hours, unknown};
use crate::import::market::{ReadError, ReadReport, Reading};

/// Columns of market values, and of names.
const VALUES: [&str; 3] = ["marketcap", "mktcap", "marketcapusd"];
const NAMES: [&str; 2] = ["name", "coin"];

const EXPECTED: &str = "expected coins: daily or hourly bars in a table, lists and charts of CoinGecko, or protocols and chains of DefiLlama";

/// Reads coins: a table of daily bars into candles of the coins, with their market values as series `cap:BTC` and
/// their names; one of hourly bars into hours; `CoinGecko`'s lists into snapshots and its charts into series
/// `close:BTC-USD`; `DefiLlama`'s protocols and chains. Prices not in USD are rejected.
pub fn parse_crypto(
    name: &str,
    bytes: &[u8],
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    if document::is_xml(bytes) {
        return unknown(EXPECTED);
    }
    if document::is_json(bytes) {
        let document = document::parse(bytes)?;
        if document.get("chart").is_some() {
            return chart::parse(&document, options);
        }
        return match defillama::parse(&document, options) {
            Some(reading) => Ok(reading),
            None => coingecko::parse(&document, name, options).unwrap_or_else(|| unknown(EXPECTED)),
        };
    }
    let table = Table::open(bytes)?;
    let Some(columns) = BarColumns::find(&table) else {
        return unknown(EXPECTED);
    };
    parse_bars(&table, columns, name, options)
}

/// Whether a table of coin bars has data that candles alone do not keep: the name of a coin, or its market value.
pub(super) fn says_more(table: &Table<'_>) -> bool {
    table.find(&SYMBOL).is_some() && (table.find(&NAMES).is_some() || table.find(&VALUES).is_some())
}

/// Reads a table of coin bars, with their names and market values if it has them.
pub(super) fn parse_bars(
    table: &Table<'_>,
    columns: BarColumns,
    name: &str,
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    let symbols = table.find(&SYMBOL);
    let of_file = options
        .symbol
        .map(str::to_owned)
        .or_else(|| names::symbol_of(name));
    if symbols.is_none() && of_file.is_none() {
        return unknown(
            "the file does not say which coin it is: name it after its symbol or give one",
        );
    }
    if hours::are_in(table, &columns)? {
        return hours::parse(table, columns, (symbols, of_file.as_deref()), name, options);
    }
    let coin_names = table.find(&NAMES);
    let caps = table.find(&VALUES);
    let mut reading = Reading::default();
    let report = &mut reading.report;
    let mut used = columns.used();
    used.extend([symbols, coin_names, caps]);
    let taught = table.survey(columns.date, &used, report)?;
    let days = Days {
        taught,
        today: options.today,
    };
    let mut bars = Bars::new(options, Market::Crypto, columns.closes_only());
    let mut values = Points::default();
    let mut named: BTreeMap<Symbol, String> = BTreeMap::new();
    let mut last = (String::new(), None);
    table.each(|row| {
        let written = match symbols {
            Some(_) => row.get(symbols),
            None => of_file.as_deref().unwrap_or_default(),
        };
        let taken = bars.place(written).and_then(|place| {
            let bar = columns.parse(&row, days)?;
            bars.push(place, row.line, bar)?;
            Ok(bar.day)
        });
        let day = match taken {
            Ok(day) => day,
            Err(reason) => return report.refuse(row.line, reason),
        };
        if last.0 != written {
            let coin = match target_of(written, Market::Crypto, false) {
                Some(Target::Candles(InstrumentKey { symbol, .. })) => Some(symbol),
                _ => None,
            };
            if let Some(coin) = &coin {
                let name = row.get(coin_names);
                if !name.is_empty() {
                    named.entry(coin.clone()).or_insert_with(|| name.to_owned());
                }
            }
            last = (written.to_owned(), coin);
        }
        // A market value of zero is one that was not known.
        if let (Some(coin), Cell::Number(value)) = (&last.1, number::parse(row.get(caps)))
            && value > 0.0
        {
            values.push(&SeriesId::new("cap", coin.as_str()), row.line, day, value);
        }
    })?;
    reading.batch.instruments = named
        .into_iter()
        .map(|(coin, name)| Instrument {
            name: Some(name),
            ..Instrument::bare(coin, AssetType::Crypto)
        })
        .collect();
    let source = names::stem(name);
    bars.hand_over(source, report, &mut reading.batch);
    // A repeated day was counted with its bar.
    let caps = values.finish(source, &mut ReadReport::default());
    reading.batch.series.extend(caps);
    Ok(reading)
}
