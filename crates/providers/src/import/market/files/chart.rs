//! Yahoo's chart documents: one symbol, its bars as parallel lists.

use model::{AssetType, Day, Instrument, Market, NameSource, Timestamp};
use serde_json::Value;

use super::bars::{Bars, NO_CLOSE};
use super::dates::FUTURE;
use super::names::{Target, target_of};
use super::{FileOptions, document, unknown};
use crate::import::market::{ReadError, Reading};

const EXPECTED: &str = "expected a chart of daily bars";
const DAY_SECONDS: i64 = 86_400;

/// Reads a document. Only daily bars become daily candles.
pub(super) fn parse(document: &Value, options: &FileOptions<'_>) -> Result<Reading, ReadError> {
    let Some(results) = document.pointer("/chart/result").and_then(Value::as_array) else {
        return unknown(EXPECTED);
    };
    let mut reading = Reading::default();
    for result in results {
        parse_result(result, options, &mut reading)?;
    }
    // Splits and dividends that were requested with the prices.
    let events = super::actions::parse_charts(document, options)?;
    reading.batch.actions = events.batch.actions;
    Ok(reading)
}

fn parse_result(
    result: &Value,
    options: &FileOptions<'_>,
    reading: &mut Reading,
) -> Result<(), ReadError> {
    let text = |key: &str| {
        result
            .pointer(&format!("/meta/{key}"))
            .and_then(Value::as_str)
    };
    let Some(symbol) = text("symbol") else {
        return unknown(EXPECTED);
    };
    if text("dataGranularity").is_some_and(|granularity| granularity != "1d") {
        return unknown("the bars of the chart are not daily");
    }
    let coin = text("instrumentType") == Some("CRYPTOCURRENCY");
    if coin && text("currency").is_some_and(|currency| currency != "USD") {
        return unknown("the coin is not priced in USD");
    }
    let market = if coin { Market::Crypto } else { Market::Stock };
    let Some(target) = target_of(symbol, market, false) else {
        return unknown("the chart is of an unsupported instrument");
    };
    if let Target::Candles(key) = &target {
        let asset_type = match text("instrumentType") {
            _ if coin => AssetType::Crypto,
            Some("ETF" | "MUTUALFUND") => AssetType::Etf,
            _ => AssetType::Equity,
        };
        reading.batch.instruments.push(Instrument {
            name: text("longName").or(text("shortName")).map(str::to_owned),
            named_by: NameSource::Table,
            exchange: text("fullExchangeName")
                .filter(|_| !coin)
                .map(str::to_owned),
            currency: text("currency").map(str::to_owned),
            ..Instrument::bare(key.symbol.clone(), asset_type)
        });
    }
    // Only New York follows the New York calendar.
    let new_york = text("exchangeTimezoneName") == Some("America/New_York");
    let open_always = |_: Day| false;
    let own_options = FileOptions {
        closed: if new_york {
            options.closed
        } else {
            &open_always
        },
        ..*options
    };
    let offset = result
        .pointer("/meta/gmtoffset")
        .and_then(Value::as_i64)
        .filter(|offset| offset.abs() < DAY_SECONDS)
        .unwrap_or(0);
    let list = |path: &str| result.pointer(path).and_then(Value::as_array);
    let column = |name: &str| list(&format!("/indicators/quote/0/{name}"));
    let columns = ["open", "high", "low", "close", "volume"].map(column);
    let mut bars = Bars::new(&own_options, market, false);
    // There is always room for the single target.
    let place = bars.at(target).unwrap_or_default();
    let report = &mut reading.report;
    for (index, time) in list("/timestamp").into_iter().flatten().enumerate() {
        let line = index as u64 + 1;
        report.rows += 1;
        let cells = columns.map(|column| document::number(column.and_then(|c| c.get(index))));
        let read = match (
            time.as_i64().map(|seconds| local_day(seconds, offset)),
            cells,
        ) {
            (None, _) => Err(super::dates::NO_DAY.to_owned()),
            (Some(day), _) if day > options.today => Err(FUTURE.to_owned()),
            (Some(day), [Some(open), Some(high), Some(low), Some(close), volume]) => bars.push(
                place,
                line,
                model::Candle {
                    day,
                    open,
                    high,
                    low,
                    close,
                    volume: volume.unwrap_or(f64::NAN),
                },
            ),
            (Some(_), [_, _, _, None, _]) => Err(NO_CLOSE.to_owned()),
            (Some(_), _) => Err("a price is missing".to_owned()),
        };
        if let Err(reason) = read {
            report.refuse(line, reason);
        }
    }
    // The prices in a chart contain the splits up to the time of the request, however long ago its bars are.
    let asked = result
        .pointer("/meta/regularMarketTime")
        .and_then(Value::as_i64)
        .map(|seconds| local_day(seconds, offset));
    bars.is_through(asked);
    bars.hand_over("Yahoo", &mut reading.report, &mut reading.batch);
    Ok(())
}

/// The day of a bar at its exchange. The offset is that at the time of the request, so in the other half of the year
/// a bar that begins at midnight may seem to begin an hour before it.
fn local_day(seconds: i64, offset: i64) -> Day {
    let local = seconds.saturating_add(offset);
    let local = if local.rem_euclid(DAY_SECONDS) == DAY_SECONDS - 3600 {
        local + 3600
    } else {
        local
    };
    Day::of(Timestamp::from_ms(local.saturating_mul(1000)))
}
