//! Trades of lawmakers: the tables published by volunteers and the chambers, as CSV or as JSON lists.
//!
//! A trade counts as known from its disclosure on, so rows without that day or without a member are rejected, as are
//! scans whose trades nobody has typed in. If the day of the trade itself is impossible, it is left absent. The
//! amounts are the ranges set by law.

use std::collections::{BTreeMap, HashMap};

use model::{Chamber, CongressTrade, Day, Symbol};
use serde_json::Value;
use text::references;

use super::super::{ReadError, Reading};
use super::legislators::{self, parse_legislators};
use super::member::{MemberName, folded};
use super::{DisclosureOptions, edgar, text_of, unknown};

/// The law that requires lawmakers to disclose dates from 2012.
const FIRST_DISCLOSURE: i16 = 2012;
/// Trades from long ago are disclosed late, but not trades from before this year.
const FIRST_TRADE: i16 = 2000;
/// No disclosure is this far in the future.
const LAST_YEAR: i16 = 2199;

/// Longest asset text that is kept, in characters.
const LONGEST_ASSET: usize = 300;

/// The statutory ranges, by their lower end.
const RANGES: &[(f64, f64)] = &[
    (1.0, 1_000.0),
    (1_001.0, 15_000.0),
    (15_001.0, 50_000.0),
    (50_001.0, 100_000.0),
    (100_001.0, 250_000.0),
    (250_001.0, 500_000.0),
    (500_001.0, 1_000_000.0),
    (1_000_001.0, 5_000_000.0),
    (5_000_001.0, 25_000_000.0),
    (25_000_001.0, 50_000_000.0),
];

/// Words in brackets after the name of an asset that are not symbols.
const NO_SYMBOLS: &[&str] = &[
    "MUNI", "ETF", "ADR", "ADS", "REIT", "CEF", "IRA", "LLC", "LP", "NEW", "USA", "US", "UK",
    "DRIP", "SPAC", "INC", "GO", "JT", "SP", "DC", "BDC", "AMT", "ST", "PS", "OP", "GS", "CS",
    "HN", "OT", "EF", "OI", "AB", "CT", "RP", "FA", "VA", "TX", "NY", "CA",
];

/// Assets of these kinds do not have a share symbol.
const WITHOUT_SYMBOL: &[&str] = &[
    "municipal security",
    "corporate bond",
    "cryptocurrency",
    "non-public stock",
];

/// A row, with its fields by name.
type Row = HashMap<String, String>;

/// Reads a table of trades. The name of the member column shows which chamber it is.
pub fn parse_congress(
    _name: &str,
    bytes: &[u8],
    options: &DisclosureOptions<'_>,
) -> Result<Reading, ReadError> {
    let text = text_of(bytes);
    let expected = || {
        unknown(
            "expected a CSV table or JSON list of trades with representative or senator, type, amount and disclosure_date",
        )
    };
    let rows = rows(&text).ok_or_else(expected)?;
    if rows.iter().all(|(_, row)| member(row).is_none()) {
        if parse_legislators(bytes).is_ok() {
            return Err(unknown(
                "this is a table of legislators, which gives the parties: import it together with a table of trades",
            ));
        }
        return Err(expected());
    }
    let mut reading = Reading::default();
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut trades: BTreeMap<String, (u64, CongressTrade)> = BTreeMap::new();
    for (line, row) in rows {
        reading.report.rows += 1;
        let mut trade = match trade(&row, options) {
            Ok(trade) => trade,
            Err(reason) => {
                reading.report.refuse(line, reason);
                continue;
            }
        };
        // Equal lines with the same disclosure day, which may come from several reports, are numbered; those of a
        // later day replace them.
        let count = counts
            .entry(format!("{}|{}", trade.id, trade.disclosure_date))
            .or_default();
        *count += 1;
        trade.id = format!("{}:{count}", trade.id);
        match trades.get(&trade.id) {
            Some((_, known)) if known.disclosure_date > trade.disclosure_date => {
                reading
                    .report
                    .refuse(line, "replaced by a later disclosure of the same trade");
            }
            Some((replaced, _)) => {
                reading.report.refuse(
                    *replaced,
                    "replaced by a later disclosure of the same trade",
                );
                trades.insert(trade.id.clone(), (line, trade));
            }
            None => {
                trades.insert(trade.id.clone(), (line, trade));
            }
        }
    }
    let mut trades: Vec<(u64, CongressTrade)> = trades.into_values().collect();
    trades.sort_by_key(|(line, _)| *line);
    reading.batch.congress_trades = trades.into_iter().map(|(_, trade)| trade).collect();
    Ok(reading)
}

fn rows(text: &str) -> Option<Vec<(u64, Row)>> {
    if text.trim_start().starts_with('[') {
        let list: Vec<Value> = serde_json::from_str(text).ok()?;
        let row = |value: Value| -> Row {
            let Value::Object(fields) = value else {
                return Row::new();
            };
            let text = |value: Value| match value {
                Value::String(text) => Some(text),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            };
            fields
                .into_iter()
                .filter_map(|(key, value)| Some((key, text(value)?)))
                .collect()
        };
        return Some(
            list.into_iter()
                .map(row)
                .zip(1..)
                .map(|(row, line)| (line, row))
                .collect(),
        );
    }
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let headers = reader.headers().ok()?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let Ok(record) = record else {
            continue;
        };
        let line = record.position().map_or(0, csv::Position::line);
        let fields = headers.iter().zip(record.iter());
        rows.push((
            line,
            fields
                .map(|(key, value)| (key.trim().to_lowercase(), value.to_owned()))
                .collect(),
        ));
    }
    Some(rows)
}

/// A field with a meaningful value.
fn field<'a>(row: &'a Row, names: &[&str]) -> Option<&'a str> {
    names
        .iter()
        .filter_map(|name| row.get(*name))
        .map(|text| text.trim())
        .find(|text| !matches!(*text, "" | "--" | "N/A" | "None" | "null"))
}

fn member(row: &Row) -> Option<(Chamber, &str)> {
    [
        ("representative", Chamber::House),
        ("senator", Chamber::Senate),
    ]
    .into_iter()
    .find_map(|(name, chamber)| Some((chamber, field(row, &[name])?)))
}

/// A trade whose identity has not yet been numbered.
fn trade(row: &Row, options: &DisclosureOptions<'_>) -> Result<CongressTrade, &'static str> {
    let (chamber, name) = member(row).ok_or("the row does not name a member")?;
    let name = MemberName::parse(name).ok_or("the row does not name a member")?;
    let disclosed = field(row, &["disclosure_date", "filed_date", "date_received"])
        .ok_or("the row does not say when it was disclosed")?;
    let disclosure_date =
        plausible(disclosed, FIRST_DISCLOSURE).ok_or("the day of disclosure is impossible")?;
    let kind = field(row, &["asset_type"]).map(str::to_lowercase);
    if kind.as_deref() == Some("pdf disclosed filing") {
        return Err("a scan whose trades are not in the table");
    }
    let asset = field(row, &["asset_description", "asset", "asset_name"]).map(clean_asset);
    let asset = asset.filter(|asset| !asset.is_empty());
    let ticker = field(row, &["ticker", "symbol"]);
    let asset = asset
        .or_else(|| ticker.map(ToOwned::to_owned))
        .ok_or("the row does not name an asset")?;
    let transaction_type = field(row, &["type", "transaction_type"])
        .and_then(action)
        .ok_or("the row does not give the type of trade")?;
    let transaction_date = field(row, &["transaction_date"])
        .and_then(|text| plausible(text, FIRST_TRADE))
        .filter(|day| *day <= disclosure_date);
    let amount_range = field(row, &["amount", "amount_range"])
        .unwrap_or("Unknown")
        .to_owned();
    let (amount_low, amount_high) = amounts(&amount_range);
    let symbol = symbol(ticker, &asset, kind.as_deref());
    let day = transaction_date.unwrap_or(disclosure_date);
    let owned_by = field(row, &["owner"]).and_then(owner);
    let id = [
        chamber.as_str(),
        &name.identity(),
        &folded(&asset),
        &day.to_string(),
        transaction_type,
        owned_by.unwrap_or_default(),
    ]
    .join(":");
    Ok(CongressTrade {
        id,
        party: legislators::party(&name, chamber, options.legislators),
        member: name.shown,
        chamber,
        symbol,
        asset,
        transaction_type: transaction_type.to_owned(),
        amount_range,
        amount_low,
        amount_high,
        transaction_date,
        disclosure_date,
        owner: owned_by.map(ToOwned::to_owned),
        url: field(row, &["ptr_link", "source_url", "url", "link"])
            .filter(|url| url.starts_with("https://") || url.starts_with("http://"))
            .map(ToOwned::to_owned),
    })
}

fn plausible(text: &str, first_year: i16) -> Option<Day> {
    edgar::day(text).filter(|day| (first_year..=LAST_YEAR).contains(&day.date().year()))
}

/// An asset's text without markup, and without whatever forms print before it.
fn clean_asset(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut in_tag = false;
    for c in text.chars() {
        match c {
            '<' => {
                in_tag = true;
                plain.push(' ');
            }
            '>' if in_tag => in_tag = false,
            _ if !in_tag => plain.push(c),
            _ => {}
        }
    }
    // An opening bracket that never closes is not a tag.
    let plain = if in_tag { text.to_owned() } else { plain };
    let decoded = references::decode(&plain).replace('\u{a0}', " ");
    let joined = decoded.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = joined.as_str();
    for printed in ["$200?", "F S: New", "FILING STATUS: New"] {
        rest = rest.strip_prefix(printed).unwrap_or(rest).trim_start();
    }
    rest.chars().take(LONGEST_ASSET).collect()
}

/// The word of the wire contract for the type of transaction.
fn action(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase().replace('_', " ");
    Some(match text.trim() {
        "purchase" | "p" | "buy" => "buy",
        "sale" | "s" | "sell" => "sell",
        "sale (partial)" | "sale partial" | "s (partial)" => "sell_partial",
        "sale (full)" | "sale full" | "s (full)" => "sell_full",
        "exchange" | "e" => "exchange",
        "receive" | "received" => "receive",
        _ => return None,
    })
}

fn owner(text: &str) -> Option<&'static str> {
    Some(match text.to_lowercase().as_str() {
        "self" => "self",
        "spouse" | "sp" => "spouse",
        "joint" | "jt" => "joint",
        "dependent" | "dependent child" | "child" | "dc" => "dependent",
        _ => return None,
    })
}

/// Both ends of a range. An upper end that was cut off is taken from the law; `Over $50,000,000` and `$1,000,000 +`
/// have none.
fn amounts(text: &str) -> (Option<f64>, Option<f64>) {
    let numbers: Vec<f64> = text
        .split(|c: char| !(c.is_ascii_digit() || matches!(c, ',' | '.')))
        .filter_map(|part| part.replace(',', "").parse().ok())
        .filter(|number: &f64| number.is_finite() && *number >= 0.0)
        .collect();
    match numbers[..] {
        [low, high] if low <= high => (Some(low), Some(high)),
        [low] => {
            let cut = text.trim_end().ends_with('-');
            let range = RANGES.iter().find(|(first, _)| cut && *first == low);
            (Some(low), range.map(|(_, high)| *high))
        }
        _ => (None, None),
    }
}

/// The symbol as given, otherwise one in brackets within the asset's text.
fn symbol(ticker: Option<&str>, asset: &str, kind: Option<&str>) -> Option<Symbol> {
    if kind.is_some_and(|kind| WITHOUT_SYMBOL.contains(&kind)) {
        return None;
    }
    // Pairs such as BTC-USD are coins.
    let given = ticker.filter(|ticker| !ticker.to_uppercase().ends_with("-USD"));
    if let Some(symbol) = given.and_then(Symbol::parse) {
        return Some(symbol);
    }
    if ticker.is_some() {
        return None;
    }
    asset.split('(').skip(1).find_map(|rest| {
        let word = rest.split_once(')')?.0.trim();
        let root = word.split(['.', '-']).next().unwrap_or(word);
        let plausible = (1..=5).contains(&root.len())
            && word.len() <= 7
            && word
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'.' | b'-'))
            && !NO_SYMBOLS.contains(&word);
        plausible.then(|| Symbol::parse(word))?
    })
}
