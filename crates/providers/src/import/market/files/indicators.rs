//! Files of macro indicators: FRED in its four forms, Treasury yields, and the tables of well-known archives.
//!
//! A missing value (`.`, an empty cell) is missing data and not an error: it is neither accepted nor rejected.

use model::SeriesId;
use serde_json::Value;

use super::bars::DATE;
use super::dates::Days;
use super::number::{self, Cell};
use super::points::Points;
use super::table::{Table, plain};
use super::{FileOptions, catalogue, document, names, treasury, unknown};
use crate::import::market::{ReadError, ReadReport, Reading};

pub(super) const NO_NUMBER: &str = "a value is not a number";
const NO_ID: &str = "the series has no identifier";
const EXPECTED: &str = "expected indicators: columns `series_id,date,value`, a column of dates and one for each series, the \
                        observations of FRED in JSON, or Treasury yields";
const WHICH: &str = "the file does not say which series it is: give its identifier";

/// The meaning of the columns in well-known archives. The first column is required; the others are optional.
const ARCHIVES: [&[(&str, &str)]; 3] = [
    // Consumer prices of all urban consumers, all items, not seasonally adjusted.
    &[("index", "CPIAUCNS"), ("inflation", "")],
    &[
        ("levelcurrent", "GDP"),
        ("levelchained", "GDPC1"),
        ("changecurrent", ""),
        ("changechained", ""),
    ],
    &[
        ("pe10", "SHILLER_PE10"),
        ("sp500", "SHILLER_SP500"),
        ("dividend", "SHILLER_DIVIDEND"),
        ("earnings", "SHILLER_EARNINGS"),
        ("consumerpriceindex", "SHILLER_CPI"),
        ("longinterestrate", "SHILLER_LONG_RATE"),
        ("realprice", "SHILLER_REAL_PRICE"),
        ("realdividend", "SHILLER_REAL_DIVIDEND"),
        ("realearnings", "SHILLER_REAL_EARNINGS"),
    ],
];

/// Reads indicators into series `macro:…`, by their FRED identifiers.
pub fn parse_macro(
    name: &str,
    bytes: &[u8],
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    if document::is_json(bytes) {
        let id = |document: &Value| {
            series_id(name, document, options).map(|id| SeriesId::new("macro", &id))
        };
        return parse_observations(bytes, id, options);
    }
    if document::is_xml(bytes) {
        return treasury::parse_feed(bytes, options);
    }
    let table = Table::open(bytes)?;
    parse_table(&table, name, options, &|id| {
        Some(SeriesId::new("macro", id))
    })
}

/// Reads FRED observations: a list, or an envelope around it.
pub(super) fn parse_observations(
    bytes: &[u8],
    id: impl Fn(&Value) -> Option<SeriesId>,
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    let document = document::parse(bytes)?;
    let list = match &document {
        Value::Array(list) => Some(list),
        _ => document.get("observations").and_then(Value::as_array),
    };
    let Some(list) = list.filter(|list| {
        list.first()
            .is_some_and(|first| first.get("value").is_some())
    }) else {
        return unknown(EXPECTED);
    };
    // Changes and growth rates are different series from the one from which they are computed.
    if document
        .get("units")
        .and_then(Value::as_str)
        .is_some_and(|units| units != "lin")
    {
        return unknown("the observations are transformed: expected levels (units=lin)");
    }
    let Some(id) = id(&document) else {
        return unknown(WHICH);
    };
    let table = Table::of_objects(list);
    let mut reading = Reading::default();
    let (date, value) = (table.find(&DATE), table.find(&["value"]));
    let vintage = [table.find(&["realtimestart"]), table.find(&["realtimeend"])];
    let used = [value, vintage[0], vintage[1]];
    let taught = table.survey(date, &used, &mut reading.report)?;
    let days = Days {
        taught,
        today: options.today,
    };
    let mut points = Points::default();
    table.each(|row| {
        let day = days.parse(row.get(date));
        push(
            &mut points,
            &id,
            row.line,
            day,
            row.get(value),
            &mut reading.report,
        );
    })?;
    reading.batch.series = points.finish("FRED", &mut reading.report);
    Ok(reading)
}

fn push(
    points: &mut Points,
    id: &SeriesId,
    line: u64,
    day: Result<model::Day, &'static str>,
    cell: &str,
    report: &mut ReadReport,
) {
    match (day, number::parse(cell)) {
        (Err(reason), _) => report.refuse(line, reason),
        (Ok(_), Cell::Missing) => {}
        (Ok(_), Cell::Bad) => report.refuse(line, NO_NUMBER),
        // Anything with a price is checked for a valid price; an indicator may be any number.
        (Ok(day), Cell::Number(value)) if id.kind() != "macro" => {
            points.push_price(id, line, day, value, report);
        }
        (Ok(day), Cell::Number(value)) => points.push(id, line, day, value),
    }
}

/// Reads a table in long or wide form. `identity` returns the series for an identifier, if it is wanted.
pub(super) fn parse_table(
    table: &Table<'_>,
    name: &str,
    options: &FileOptions<'_>,
    identity: &dyn Fn(&str) -> Option<SeriesId>,
) -> Result<Reading, ReadError> {
    let Some(date) = table.find(&DATE) else {
        return unknown(EXPECTED);
    };
    let ids = table.find(&["seriesid", "series", "id"]);
    let value = table.find(&["value", "observation"]);
    if let (Some(ids), Some(value)) = (ids, value) {
        return parse_long(table, [date, ids, value], options, identity);
    }
    let (columns, source, zero_is_nothing) = columns(table, date, name, options, identity);
    if columns.is_empty() {
        return unknown(if table.header().len() == 2 {
            WHICH
        } else {
            EXPECTED
        });
    }
    let mut reading = Reading::default();
    let report = &mut reading.report;
    let used: Vec<_> = columns.iter().map(|(column, _)| Some(*column)).collect();
    let taught = table.survey(Some(date), &used, report)?;
    let days = Days {
        taught,
        today: options.today,
    };
    let mut points = Points::default();
    table.each(|row| {
        let day = days.parse(row.get(Some(date)));
        if let Err(reason) = day {
            report.refuse(row.line, reason);
            return;
        }
        if columns
            .iter()
            .any(|(column, _)| number::parse(row.get(Some(*column))) == Cell::Bad)
        {
            report.refuse(row.line, NO_NUMBER);
            return;
        }
        for (column, id) in &columns {
            let cell = row.get(Some(*column));
            if !(zero_is_nothing && number::parse(cell) == Cell::Number(0.0)) {
                push(&mut points, id, row.line, day, cell, report);
            }
        }
    })?;
    reading.batch.series = points.finish(source, &mut reading.report);
    Ok(reading)
}

fn parse_long(
    table: &Table<'_>,
    [date, ids, value]: [usize; 3],
    options: &FileOptions<'_>,
    identity: &dyn Fn(&str) -> Option<SeriesId>,
) -> Result<Reading, ReadError> {
    let mut reading = Reading::default();
    let report = &mut reading.report;
    let taught = table.survey(Some(date), &[Some(ids), Some(value)], report)?;
    let days = Days {
        taught,
        today: options.today,
    };
    let mut points = Points::default();
    let mut known: Option<(String, Option<SeriesId>)> = None;
    table.each(|row| {
        let written = row.get(Some(ids));
        // Long tables keep the rows of a series together.
        if known.as_ref().is_none_or(|(last, _)| last != written) {
            let id = is_id(written).then(|| identity(written)).flatten();
            known = Some((written.to_owned(), id));
        }
        match &known {
            Some((_, Some(id))) => {
                let day = days.parse(row.get(Some(date)));
                push(&mut points, id, row.line, day, row.get(Some(value)), report);
            }
            _ => report.refuse(row.line, NO_ID),
        }
    })?;
    reading.batch.series = points.finish("FRED", &mut reading.report);
    Ok(reading)
}

/// Which columns of a wide table are which series, who publishes them, and whether the archive writes zero for no
/// value.
fn columns(
    table: &Table<'_>,
    date: usize,
    name: &str,
    options: &FileOptions<'_>,
    identity: &dyn Fn(&str) -> Option<SeriesId>,
) -> (Vec<(usize, SeriesId)>, &'static str, bool) {
    let series = |id: &str| identity(id).filter(|_| !id.is_empty());
    for archive in ARCHIVES {
        let has = |place: usize| {
            archive
                .get(place)
                .is_some_and(|(column, _)| table.find(&[column]).is_some())
        };
        if has(0) && has(1) {
            let found = archive
                .iter()
                .filter_map(|(column, id)| Some((table.find(&[column])?, series(id)?)))
                .collect();
            let shiller = archive.len() > 4;
            return (found, if shiller { "Shiller" } else { "datahub" }, shiller);
        }
    }
    let others = || {
        table
            .header()
            .iter()
            .enumerate()
            .filter(|(column, _)| *column != date)
    };
    let yields: Vec<_> = others()
        .filter_map(|(column, header)| Some((column, series(&treasury::maturity(header)?)?)))
        .collect();
    if !yields.is_empty() {
        return (yields, "US Treasury", false);
    }
    // A single column whose name says nothing: the identifier comes from elsewhere.
    if let [(column, header)] = others().collect::<Vec<_>>()[..]
        && (options.symbol.is_some()
            || ["value", "rate", "price", "index"].contains(&plain(header).as_str()))
    {
        let id = options
            .symbol
            .map(str::to_ascii_uppercase)
            .or_else(|| id_of_name(name));
        let found = id.and_then(|id| series(&id)).map(|id| (column, id));
        return (found.into_iter().collect(), "FRED", false);
    }
    let found = others()
        .filter(|(_, header)| is_id(header))
        .filter_map(|(column, header)| Some((column, series(header)?)))
        .collect();
    (found, "FRED", false)
}

/// Whether a text is written like a FRED identifier.
fn is_id(text: &str) -> bool {
    (1..=40).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn series_id(name: &str, document: &Value, options: &FileOptions<'_>) -> Option<String> {
    let own = ["series_id", "id"]
        .iter()
        .find_map(|key| document.get(*key)?.as_str());
    options
        .symbol
        .or(own)
        .map(str::to_ascii_uppercase)
        .filter(|id| is_id(id))
        .or_else(|| id_of_name(name))
}

/// The identifier in a file name: the whole name or a part of it that is a well-known one, or a last part that is
/// written like one (`observations_array_XYZ.json`).
pub(super) fn id_of_name(name: &str) -> Option<String> {
    let stem = names::stem(name);
    let upper = stem.to_ascii_uppercase();
    // The monthly table of the ten-year yield is named after its contents.
    if upper.starts_with("US10Y") {
        return Some("GS10".to_owned());
    }
    if catalogue::is_known(&upper) {
        return Some(upper);
    }
    let known = upper
        .split(['_', '-', ' '])
        .find(|part| catalogue::is_known(part));
    let written = stem
        .rsplit('_')
        .next()
        .filter(|part| is_id(part) && part.len() > 2);
    known.or(written).map(str::to_owned)
}
