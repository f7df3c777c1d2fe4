//! Files of exchange rates: the ECB reference rates, bars for a single pair, and FRED's daily series.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use model::{Day, Market, SeriesId, table};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::bars::{BarColumns, BarSymbol, Bars, SYMBOL, parse_table};
use super::dates::{Days, Taught};
use super::names::{self, pair_of};
use super::number::{self, Cell};
use super::points::Points;
use super::table::Table;
use super::{FileOptions, chart, document, indicators, unknown};
use crate::import::market::{ReadError, ReadReport, Reading};

const EXPECTED: &str =
    "expected exchange rates: the reference rates of the ECB, or bars of a pair such as EURUSD";
const NO_NUMBER: &str = "a rate is not a number";

/// The pairs, how each is derived from rates against the euro (divided by the first, multiplied by the second), and
/// its daily FRED series.
static PAIRS: LazyLock<Vec<[&str; 4]>> =
    LazyLock::new(|| table::rows(include_str!("../../../../data/market/pairs.tsv")).collect());

/// Reads exchange rates into series `fx:…`. Rates against the euro are crossed to the seven pairs on days that have
/// both; those for other currencies are kept as they are.
pub fn parse_fx(name: &str, bytes: &[u8], options: &FileOptions<'_>) -> Result<Reading, ReadError> {
    if document::is_xml(bytes) {
        return parse_cubes(bytes, options);
    }
    if document::is_json(bytes) {
        let document = document::parse(bytes)?;
        if document.get("chart").is_some() {
            let reading = chart::parse(&document, options)?;
            let only_rates = reading.batch.candles.is_empty()
                && reading
                    .batch
                    .series
                    .iter()
                    .all(|(series, _)| series.id.kind() == "fx");
            return if only_rates {
                Ok(reading)
            } else {
                unknown(EXPECTED)
            };
        }
        let id = |_: &serde_json::Value| {
            let id = options
                .symbol
                .map(str::to_owned)
                .or_else(|| indicators::id_of_name(name))?;
            fred(&id)
        };
        return indicators::parse_observations(bytes, id, options);
    }
    let table = Table::open(bytes)?;
    let date = table.find(&["date"]);
    let currencies: Vec<(usize, String)> = table
        .header()
        .iter()
        .enumerate()
        .filter(|(_, header)| header.len() == 3 && header.bytes().all(|b| b.is_ascii_uppercase()))
        .map(|(column, header)| (column, header.clone()))
        .collect();
    if let Some(date) = date
        && currencies.iter().any(|(_, code)| code == "USD")
    {
        return parse_reference(&table, date, &currencies, options);
    }
    if let Some(columns) = BarColumns::find(&table) {
        let pair = options
            .symbol
            .map(str::to_owned)
            .or_else(|| names::symbol_of(name))
            .as_deref()
            .and_then(pair_of);
        let symbols = table
            .find(&SYMBOL)
            .or_else(|| table.find(&["pair", "currencypair"]));
        let pair = pair.map(|pair| format!("{pair}=X"));
        let bar_symbol = match (symbols, pair.as_deref()) {
            (Some(column), _) => Some(BarSymbol::Column(column)),
            (None, pair) => pair.map(BarSymbol::All),
        };
        if let Some(bar_symbol) = bar_symbol {
            let table = with_pairs(table, symbols)?;
            let bars = Bars::new(options, Market::Stock, columns.closes_only());
            return parse_table(&table, columns, bar_symbol, bars, names::stem(name));
        }
    }
    indicators::parse_table(&table, name, options, &fred).or_else(|_| unknown(EXPECTED))
}

fn fred(id: &str) -> Option<SeriesId> {
    let found = PAIRS.iter().find(|[.., known]| *known == id);
    found.map(|[pair, ..]| SeriesId::new("fx", pair))
}

/// A table whose pair column uses the symbols of currencies.
fn with_pairs(table: Table<'_>, symbols: Option<usize>) -> Result<Table<'_>, ReadError> {
    let Some(symbols) = symbols else {
        return Ok(table);
    };
    let mut rows = Vec::new();
    table.each(|row| {
        let cells = (0..table.header().len()).map(|column| {
            let cell = row.get(Some(column));
            let pair =
                (column == symbols).then(|| pair_of(cell.strip_suffix("=X").unwrap_or(cell)));
            match pair {
                Some(Some(pair)) => format!("{pair}=X"),
                Some(None) => String::new(),
                None => cell.to_owned(),
            }
        });
        rows.push(cells.collect());
    })?;
    Ok(Table::of_rows(table.header().to_vec(), rows))
}

fn parse_reference(
    table: &Table<'_>,
    date: usize,
    currencies: &[(usize, String)],
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    let mut reading = Reading::default();
    let used: Vec<_> = currencies.iter().map(|(column, _)| Some(*column)).collect();
    let report = &mut reading.report;
    let taught = table.survey(Some(date), &used, report)?;
    let days = Days {
        taught,
        today: options.today,
    };
    let mut points = Points::default();
    table.each(|row| match days.parse(row.get(Some(date))) {
        Err(reason) => report.refuse(row.line, reason),
        Ok(day) => {
            let rates = currencies
                .iter()
                .map(|(column, code)| (code.as_str(), number::parse(row.get(Some(*column)))))
                .collect();
            cross(&mut points, row.line, day, &rates, report);
        }
    })?;
    reading.batch.series = points.finish("ECB", &mut reading.report);
    Ok(reading)
}

/// Adds the pairs for one day.
fn cross(
    points: &mut Points,
    line: u64,
    day: Day,
    rates: &BTreeMap<&str, Cell>,
    report: &mut ReadReport,
) {
    if rates.values().any(|rate| *rate == Cell::Bad) {
        report.refuse(line, NO_NUMBER);
        return;
    }
    if rates
        .values()
        .filter_map(|rate| rate.number())
        .any(|rate| rate <= 0.0)
    {
        report.refuse(line, model::Defect::Price.to_string());
        return;
    }
    let rate = |code: &str| match code {
        "EUR" => Some(1.0),
        code => rates.get(code)?.number(),
    };
    for &[pair, base, quote, _] in PAIRS.iter() {
        if let (Some(base), Some(quote)) = (rate(base), rate(quote)) {
            let id = SeriesId::new("fx", pair);
            points.push_price(&id, line, day, quote / base, report);
        }
    }
    let others = rates.iter().filter(|(code, _)| !is_paired(code));
    for (code, rate) in others {
        if let Some(rate) = rate.number() {
            let id = SeriesId::new("fx", &format!("EUR{code}"));
            points.push_price(&id, line, day, rate, report);
        }
    }
}

/// Whether a currency is in one of the seven pairs.
fn is_paired(code: &str) -> bool {
    PAIRS
        .iter()
        .any(|[_, base, quote, _]| code == *base || code == *quote)
}

/// Whether a text is a currency code, so that a document cannot name arbitrary series.
fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Reads the ECB's XML: a cube for each day with a cube for each currency.
fn parse_cubes(bytes: &[u8], options: &FileOptions<'_>) -> Result<Reading, ReadError> {
    let mut cubes: Vec<(String, Vec<(String, String)>)> = Vec::new();
    let mut reader = Reader::from_reader(bytes);
    loop {
        let cube = match reader.read_event() {
            Err(_) => return unknown("the XML of the exchange rates is broken"),
            Ok(Event::Eof) => break,
            Ok(Event::Start(cube) | Event::Empty(cube)) => cube,
            Ok(_) => continue,
        };
        if cube.local_name().as_ref() != "Cube" {
            continue;
        }
        if let Some(time) = attribute(&cube, "time") {
            cubes.push((time, Vec::new()));
        } else if let (Some(code), Some(rate), Some((_, rates))) = (
            attribute(&cube, "currency"),
            attribute(&cube, "rate"),
            cubes.last_mut(),
        ) {
            rates.push((code, rate));
        }
    }
    if cubes.is_empty() {
        return unknown(EXPECTED);
    }
    let mut reading = Reading::default();
    let mut points = Points::default();
    let days = Days {
        taught: Taught::default(),
        today: options.today,
    };
    for (time, rates) in &cubes {
        reading.report.rows += 1;
        let line = reading.report.rows;
        match days.parse(time) {
            Err(reason) => reading.report.refuse(line, reason),
            Ok(day) => {
                let rates = rates
                    .iter()
                    .filter(|(code, _)| is_code(code))
                    .map(|(code, rate)| (code.as_str(), number::parse(rate)))
                    .collect();
                cross(&mut points, line, day, &rates, &mut reading.report);
            }
        }
    }
    reading.batch.series = points.finish("ECB", &mut reading.report);
    Ok(reading)
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.as_ref() == name)?;
    Some(found.value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        let file = include_str!("../../../../data/market/pairs.tsv");
        assert_eq!(table::fault(file, 4, 1), None);
    }
}
