//! Tables of hourly bars for coins: those whose neighbouring rows are an hour apart.

use std::collections::HashSet;

use model::{AssetType, HourBar, Instrument, InstrumentKey, Market, Symbol, Timestamp};
use text::date::{self, Order};

use super::bars::BarColumns;
use super::dates::{Days, FUTURE, NO_DAY};
use super::names::{self, Target, target_of};
use super::table::{Row, Table};
use super::{FileOptions, bars};
use crate::import::market::{ReadError, Reading};

/// Rows at the beginning of a table that are examined.
const LOOKED_AT: usize = 8;

/// Why a row is not an hourly bar.
const NOT_FULL: &str = "the time is not a full hour";
const REPEATED: &str = "the hour is repeated";

/// Whether a table contains hours: two neighbours among the first rows are an hour apart.
pub(super) fn are_in(table: &Table<'_>, columns: &BarColumns) -> Result<bool, ReadError> {
    if columns.closes_only() {
        return Ok(false);
    }
    let mut times = Vec::new();
    table.each(|row| {
        if times.len() < LOOKED_AT {
            times.push(time(row.get(columns.date)));
        }
    })?;
    Ok(times.windows(2).any(|pair| {
        pair[0]
            .zip(pair[1])
            .is_some_and(|(one, next)| next.since_ms(one).abs() == Timestamp::HOUR_MS)
    }))
}

/// Reads the hours in a table.
pub(super) fn parse(
    table: &Table<'_>,
    columns: BarColumns,
    (symbols, of_file): (Option<usize>, Option<&str>),
    name: &str,
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    let mut reading = Reading::default();
    let report = &mut reading.report;
    let mut used = columns.used();
    used.push(symbols);
    let taught = table.survey(columns.date, &used, report)?;
    let days = Days {
        taught,
        today: options.today,
    };
    let source = names::stem(name);
    let mut seen: HashSet<(Symbol, Timestamp)> = HashSet::new();
    let mut coins: HashSet<Symbol> = HashSet::new();
    table.each(|row| {
        let written = match symbols {
            Some(_) => row.get(symbols),
            None => of_file.unwrap_or_default(),
        };
        let bar = hour(&row, columns, days, written, source).and_then(|bar| {
            if bar.ends_at() > options.at {
                return Err(FUTURE.to_owned());
            }
            if !seen.insert((bar.symbol.clone(), bar.at)) {
                return Err(REPEATED.to_owned());
            }
            Ok(bar)
        });
        match bar {
            Ok(bar) => {
                if coins.insert(bar.symbol.clone()) {
                    let coin = Instrument::bare(bar.symbol.clone(), AssetType::Crypto);
                    reading.batch.instruments.push(coin);
                }
                reading.batch.hours.push(bar);
            }
            Err(reason) => report.refuse(row.line, reason),
        }
    })?;
    Ok(reading)
}

fn hour(
    row: &Row<'_>,
    columns: BarColumns,
    days: Days,
    written: &str,
    source: &str,
) -> Result<HourBar, String> {
    let Some(Target::Candles(InstrumentKey { symbol, .. })) =
        target_of(written, Market::Crypto, false)
    else {
        return Err(bars::NO_SYMBOL.to_owned());
    };
    let candle = columns.parse(row, days)?;
    if let Some(defect) = candle.defect() {
        return Err(defect.to_string());
    }
    let at = time(row.get(columns.date)).ok_or(NO_DAY)?;
    if at.ms() % Timestamp::HOUR_MS != 0 {
        return Err(NOT_FULL.to_owned());
    }
    Ok(HourBar {
        symbol,
        at,
        open: candle.open,
        high: candle.high,
        low: candle.low,
        close: candle.close,
        volume: candle.volume,
        source: source.to_owned(),
    })
}

/// A time as tables write it; without a zone it is in UTC.
fn time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    match text.parse::<f64>() {
        Ok(number) => date::from_epoch(number),
        Err(_) => date::parse(text, Order::Undeclared),
    }
}
