//! Files of commodity prices: futures as bars, spot prices as single values.

use model::{Candle, SeriesId};

use super::bars::{BarColumns, Bars, NO_SYMBOL, SYMBOL};
use super::catalogue::COMMODITIES;
use super::dates::Days;
use super::names::{self, Target, commodity_of_future};
use super::table::Table;
use super::{FileOptions, catalogue, chart, document, indicators, unknown};
use crate::import::market::{ReadError, Reading};

const EXPECTED: &str = "expected prices of commodities: a table with a column of dates and one of prices, or series of FRED";
const WHICH: &str =
    "the file does not say which commodity it is: give one such as crude, gold or wheat";

/// Reads commodity prices: bars with a column of commodities or of futures (`CL=F`) into series
/// `commodity:crude/futures` of settlements, and single values into `commodity:crude/spot`. The option or the file
/// name says which commodity a file of spot prices is about.
pub fn parse_commodities(
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
            let reading = chart::parse(&document, options)?;
            let only_futures = reading.batch.candles.is_empty()
                && reading
                    .batch
                    .series
                    .iter()
                    .all(|(series, _)| series.id.kind() == "commodity");
            return if only_futures {
                Ok(reading)
            } else {
                unknown(EXPECTED)
            };
        }
        let id = |_: &serde_json::Value| match options.symbol {
            Some(slug) => fred(slug).or_else(|| spot(slug)),
            None => indicators::id_of_name(name)
                .and_then(|id| fred(&id))
                .or_else(|| spot(&slug_of(name)?)),
        };
        return indicators::parse_observations(bytes, id, options);
    }
    let table = Table::open(bytes)?;
    if table.find(&["seriesid"]).is_none()
        && let Some(columns) = BarColumns::find(&table)
    {
        return parse_bars(&table, columns, name, options);
    }
    indicators::parse_table(&table, name, options, &fred).or_else(|_| unknown(EXPECTED))
}

fn fred(id: &str) -> Option<SeriesId> {
    let found = COMMODITIES.iter().find(|known| known.fred == Some(id));
    found.and_then(|known| spot(known.slug))
}

fn spot(slug: &str) -> Option<SeriesId> {
    let slug = slug.trim().to_ascii_lowercase();
    catalogue::is_commodity(&slug).then(|| SeriesId::new("commodity", &format!("{slug}/spot")))
}

/// The commodity that a file name refers to.
fn slug_of(name: &str) -> Option<String> {
    let stem = names::stem(name).to_ascii_lowercase();
    let mut words = stem.split(['_', '-', ' ', '.']);
    words.find_map(|word| {
        let known = COMMODITIES.iter().find(|known| known.is_called(word))?;
        Some(known.slug.to_owned())
    })
}

fn parse_bars(
    table: &Table<'_>,
    columns: BarColumns,
    name: &str,
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    let slugs = table.find(&["slug", "commodity"]);
    let symbols = table.find(&SYMBOL);
    let of_file = options
        .symbol
        .map(str::to_ascii_lowercase)
        .or_else(|| slug_of(name));
    if slugs.is_none() && symbols.is_none() && of_file.is_none() {
        return unknown(WHICH);
    }
    let market = if columns.closes_only() {
        "spot"
    } else {
        "futures"
    };
    let target = |slug: &str| {
        let known = catalogue::is_commodity(slug);
        known.then(|| Target::Series(SeriesId::new("commodity", &format!("{slug}/{market}"))))
    };
    let mut reading = Reading::default();
    let report = &mut reading.report;
    let mut used = columns.used();
    used.extend([slugs, symbols]);
    let taught = table.survey(columns.date, &used, report)?;
    let days = Days {
        taught,
        today: options.today,
    };
    let mut bars = Bars::new(options, model::Market::Stock, columns.closes_only());
    table.each(|row| {
        let slug = row.get(slugs).to_ascii_lowercase();
        let future = commodity_of_future(&row.get(symbols).to_ascii_uppercase());
        let slug = match (slugs, symbols) {
            (Some(_), _) => Some(slug.as_str()),
            (None, Some(_)) => future,
            (None, None) => of_file.as_deref(),
        };
        let read: Result<Candle, String> = columns.parse(&row, days);
        let taken = match slug.and_then(target) {
            None => Err(NO_SYMBOL.to_owned()),
            Some(target) => {
                let place = bars.at(target);
                read.and_then(|candle| bars.push(place?, row.line, candle))
            }
        };
        if let Err(reason) = taken {
            report.refuse(row.line, reason);
        }
    })?;
    bars.hand_over(names::stem(name), report, &mut reading.batch);
    Ok(reading)
}
