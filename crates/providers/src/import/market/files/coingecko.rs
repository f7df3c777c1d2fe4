//! Documents from `CoinGecko` that were saved to files.
//!
//! Lists and charts do not state their currency. They are in USD unless the file name says otherwise
//! (`…_in_eth.json`) or a price gives them away: a dollar coin that is not worth a dollar, or a bitcoin that never
//! reached ten thousand.

use std::collections::BTreeMap;

use model::{AssetType, CoinSnapshot, CryptoGlobal, Day, Instrument, SeriesId, Symbol, Timestamp};
use serde_json::Value;
use text::date::{self, Order};

use super::document::number;
use super::points::Points;
use super::{FileOptions, names, unknown};
use crate::import::market::{ReadError, ReadReport, Reading};

const SOURCE: &str = "CoinGecko";
const NOT_USD: &str = "the prices are not in USD";
const NO_TIME: &str = "the document does not say when it was taken";
const DAY_MS: i64 = Timestamp::DAY_MS;

/// Reads a document; `None` if it is not one of the known ones.
pub(super) fn parse(
    document: &Value,
    name: &str,
    options: &FileOptions<'_>,
) -> Option<Result<Reading, ReadError>> {
    if let Value::Array(list) = document {
        let first = list.first()?;
        return match first.get("current_price") {
            Some(_) => Some(parse_markets(list, name, options)),
            None if first.is_array() => Some(unknown(
                "hourly bars without a currency are not daily candles",
            )),
            None => None,
        };
    }
    if document.get("market_data").is_some() {
        return Some(parse_coin(document, options));
    }
    if document.pointer("/data/active_cryptocurrencies").is_some() {
        return Some(parse_global(document.get("data")?, options));
    }
    if document.get("prices").is_some_and(Value::is_array) {
        return Some(parse_chart(document, name, options));
    }
    None
}

fn usd(value: Option<&Value>) -> Option<f64> {
    number(value?.get("usd"))
}

fn time(value: Option<&Value>) -> Option<Timestamp> {
    match value? {
        Value::String(text) => date::parse(text, Order::Undeclared),
        number => date::from_epoch(number.as_f64()?),
    }
}

fn positive(value: Option<f64>) -> Option<f64> {
    value.filter(|value| *value > 0.0)
}

fn words(coin: &Value) -> Option<(Symbol, String)> {
    let symbol = Symbol::parse(coin.get("symbol")?.as_str()?)?;
    let name = coin.get("name").and_then(Value::as_str);
    let name = name.unwrap_or(symbol.as_str()).to_owned();
    Some((symbol, name))
}

fn take(reading: &mut Reading, coin: CoinSnapshot) {
    reading.batch.instruments.push(Instrument {
        name: Some(coin.name.clone()),
        ..Instrument::bare(coin.symbol.clone(), AssetType::Crypto)
    });
    reading.batch.coins.push(coin);
}

/// Whether a file name says that its prices are in another currency.
fn named_otherwise(name: &str) -> bool {
    let stem = names::stem(name).to_ascii_lowercase();
    let mut words = stem.split(['_', '-', ' ', '=']).peekable();
    while let Some(word) = words.next() {
        let currency = words.peek().is_some_and(|next| {
            (3..=4).contains(&next.len()) && !matches!(*next, "usd" | "the" | "one" | "last")
        });
        if matches!(word, "in" | "vs" | "currency") && currency {
            return true;
        }
    }
    false
}

fn gives_itself_away(coin: &Value) -> bool {
    let id = coin.get("id").and_then(Value::as_str).unwrap_or_default();
    let price = number(coin.get("current_price"));
    match id {
        "tether" | "usd-coin" | "dai" => price.is_some_and(|price| !(0.8..=1.25).contains(&price)),
        "bitcoin" => number(coin.get("ath")).is_some_and(|highest| highest < 1e4),
        _ => false,
    }
}

fn parse_markets(
    list: &[Value],
    name: &str,
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    if named_otherwise(name) || list.iter().any(gives_itself_away) {
        return unknown(NOT_USD);
    }
    let mut reading = Reading::default();
    for (index, coin) in list.iter().enumerate() {
        let line = index as u64 + 1;
        reading.report.rows += 1;
        let change = |period: &str| {
            number(coin.get(format!("price_change_percentage_{period}_in_currency")))
        };
        match (words(coin), time(coin.get("last_updated"))) {
            (None, _) => reading.report.refuse(line, super::bars::NO_SYMBOL),
            (_, None) => reading.report.refuse(line, NO_TIME),
            (Some(_), Some(at)) if Day::of(at) > options.today => {
                reading.report.refuse(line, super::dates::FUTURE);
            }
            (Some((symbol, name)), Some(at)) => take(
                &mut reading,
                CoinSnapshot {
                    symbol,
                    name,
                    price: positive(number(coin.get("current_price"))),
                    market_cap: positive(number(coin.get("market_cap"))),
                    market_cap_rank: rank(coin.get("market_cap_rank")),
                    volume_24h: number(coin.get("total_volume")),
                    change_1h: change("1h"),
                    change_24h: change("24h")
                        .or_else(|| number(coin.get("price_change_percentage_24h"))),
                    change_7d: change("7d"),
                    change_30d: change("30d"),
                    ath: positive(number(coin.get("ath"))),
                    ath_date: time(coin.get("ath_date")).map(Day::of),
                    circulating_supply: positive(number(coin.get("circulating_supply"))),
                    at,
                    source: SOURCE.to_owned(),
                },
            ),
        }
    }
    Ok(reading)
}

fn rank(value: Option<&Value>) -> Option<u32> {
    u32::try_from(value?.as_u64()?).ok()
}

/// One coin in all currencies, from which the dollar value is taken.
fn parse_coin(coin: &Value, options: &FileOptions<'_>) -> Result<Reading, ReadError> {
    let data = coin.get("market_data");
    let field = |name: &str| data.and_then(|data| data.get(name));
    let Some((symbol, name)) = words(coin) else {
        return unknown("the coin has no symbol");
    };
    let at = time(field("last_updated")).or_else(|| time(coin.get("last_updated")));
    let Some(at) = at.filter(|at| Day::of(*at) <= options.today) else {
        return unknown(NO_TIME);
    };
    let change = |period: &str| {
        let in_usd = usd(field(&format!(
            "price_change_percentage_{period}_in_currency"
        )));
        in_usd.or_else(|| number(field(&format!("price_change_percentage_{period}"))))
    };
    let mut reading = Reading::default();
    reading.report.rows = 1;
    let snapshot = CoinSnapshot {
        symbol,
        name,
        price: positive(usd(field("current_price"))),
        market_cap: positive(usd(field("market_cap"))),
        market_cap_rank: rank(field("market_cap_rank"))
            .or_else(|| rank(coin.get("market_cap_rank"))),
        volume_24h: usd(field("total_volume")),
        change_1h: change("1h"),
        change_24h: change("24h"),
        change_7d: change("7d"),
        change_30d: change("30d"),
        ath: positive(usd(field("ath"))),
        ath_date: field("ath_date")
            .and_then(|dates| time(dates.get("usd")))
            .map(Day::of),
        circulating_supply: positive(number(field("circulating_supply"))),
        at,
        source: SOURCE.to_owned(),
    };
    take(&mut reading, snapshot);
    Ok(reading)
}

fn parse_global(data: &Value, options: &FileOptions<'_>) -> Result<Reading, ReadError> {
    let Some(at) = time(data.get("updated_at")).filter(|at| Day::of(*at) <= options.today) else {
        return unknown(NO_TIME);
    };
    let share = |coin: &str| number(data.pointer(&format!("/market_cap_percentage/{coin}")));
    let mut reading = Reading::default();
    reading.report.rows = 1;
    reading.batch.crypto_globals.push(CryptoGlobal {
        total_market_cap: usd(data.get("total_market_cap")),
        total_volume: usd(data.get("total_volume")),
        btc_dominance: share("btc"),
        eth_dominance: share("eth"),
        active_cryptocurrencies: data.get("active_cryptocurrencies").and_then(Value::as_u64),
        market_cap_change_24h: number(data.get("market_cap_change_percentage_24h_usd")),
        at,
        source: SOURCE.to_owned(),
    });
    Ok(reading)
}

/// Prices and market values with their times. The close of a day is the last price up to its end; the price at
/// midnight belongs to the day that ends with it. The newest day is not over unless its midnight is included.
fn parse_chart(
    document: &Value,
    name: &str,
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    if named_otherwise(name) {
        return unknown(NOT_USD);
    }
    let symbol = options
        .symbol
        .map(str::to_owned)
        .or_else(|| names::symbol_of(name));
    let Some(symbol) = symbol.as_deref().and_then(Symbol::parse) else {
        return unknown("the chart does not say which coin it is: give its symbol");
    };
    let mut reading = Reading::default();
    let mut points = Points::default();
    let report = &mut reading.report;
    let closes = SeriesId::new("close", &format!("{symbol}-USD"));
    let caps = SeriesId::new("cap", symbol.as_str());
    gather(
        document.get("prices"),
        &closes,
        options,
        &mut points,
        report,
    );
    // The market values have the same times: errors in those have already been counted.
    let mut uncounted = ReadReport::default();
    gather(
        document.get("market_caps"),
        &caps,
        options,
        &mut points,
        &mut uncounted,
    );
    reading.batch.series = points.finish(SOURCE, report);
    Ok(reading)
}

fn gather(
    list: Option<&Value>,
    id: &SeriesId,
    options: &FileOptions<'_>,
    points: &mut Points,
    report: &mut ReadReport,
) {
    let mut days: BTreeMap<Day, (Timestamp, u64, f64)> = BTreeMap::new();
    let list = list.and_then(Value::as_array);
    for (index, point) in list.into_iter().flatten().enumerate() {
        let line = index as u64 + 1;
        report.rows += 1;
        let at = point
            .get(0)
            .and_then(Value::as_f64)
            .and_then(date::from_epoch);
        match (at, number(point.get(1))) {
            (None, _) => report.refuse(line, super::dates::NO_DAY),
            (_, None) => report.refuse(line, super::bars::NO_CLOSE),
            (Some(at), Some(_)) if Day::of(at) > options.today => {
                report.refuse(line, super::dates::FUTURE);
            }
            (Some(at), Some(value)) => {
                let day = Day::of(at.plus_ms(-1));
                let last = days.entry(day).or_insert((at, line, value));
                if at >= last.0 {
                    *last = (at, line, value);
                }
            }
        }
    }
    if let Some(newest) = days.last_entry()
        && newest.get().0.ms().rem_euclid(DAY_MS) != 0
    {
        let (_, line, _) = newest.remove();
        report.refuse(line, "the day is not over");
    }
    for (day, (_, line, value)) in days {
        points.push_price(id, line, day, value, report);
    }
}
