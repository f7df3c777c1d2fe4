//! Files of corporate actions: splits, dividends, symbol changes, mergers, delistings.
//!
//! Archives write them in three ways: a table with a word for the kind of each row (`date, action, ticker, value`), a
//! table of one kind whose columns show which (`execution_date, split_from, split_to`;
//! `ex_dividend_date, cash_amount`), and prices with a column of splits or dividends next to them. A row whose cells
//! are zero on an ordinary day is not an action. Yahoo charts include them among their events.

use model::{ActionKind, CorporateAction, Day, MarketBatch, Symbol};
use serde_json::Value;

use super::bars::{NO_SYMBOL, SYMBOL};
use super::dates::Days;
use super::number;
use super::table::{Row, Table};
use super::{FileOptions, document, names, unknown};
use crate::import::market::{ReadError, ReadReport, Reading};

const EXPECTED: &str = "expected corporate actions: a table with a column of dates and one of actions, splits or dividends, or a chart in JSON with its events";
const NO_KIND: &str = "the action is none that is kept";
const NO_RATIO: &str = "the split ratio is missing or not positive";
const NO_AMOUNT: &str = "the dividend is missing or not positive";
const NO_NEW_SYMBOL: &str = "the new symbol is missing";

/// The largest possible split ratio; its inverse is the smallest.
const RATIO_MAX: f64 = 10_000.0;
/// How far ahead actions are announced, in days.
const AHEAD: i32 = 3 * 366;

/// The words that archives use for the kinds; the first column is plain, without punctuation.
const WORDS: [(&str, ActionKind); 24] = [
    ("split", ActionKind::Split),
    ("stocksplit", ActionKind::Split),
    ("forwardsplit", ActionKind::Split),
    ("reversesplit", ActionKind::Split),
    ("adrratiosplit", ActionKind::Split),
    ("dividend", ActionKind::Dividend),
    ("cashdividend", ActionKind::Dividend),
    ("specialdividend", ActionKind::Dividend),
    ("div", ActionKind::Dividend),
    ("symbolchange", ActionKind::SymbolChange),
    ("tickerchange", ActionKind::SymbolChange),
    ("tickerchangeto", ActionKind::SymbolChange),
    ("rename", ActionKind::SymbolChange),
    ("namechange", ActionKind::SymbolChange),
    ("merger", ActionKind::Merger),
    ("mergerto", ActionKind::Merger),
    ("acquisition", ActionKind::Merger),
    ("acquisitionby", ActionKind::Merger),
    ("delisting", ActionKind::Delisting),
    ("delisted", ActionKind::Delisting),
    ("voluntarydelisting", ActionKind::Delisting),
    ("regulatorydelisting", ActionKind::Delisting),
    ("bankruptcyliquidation", ActionKind::Delisting),
    ("bankruptcy", ActionKind::Delisting),
];

/// The position of the fields in a table.
struct Columns {
    date: Option<usize>,
    symbol: Option<usize>,
    kind: Option<usize>,
    /// A ratio in one cell: `10:1`, `10 for 1`, `10`.
    ratio: Option<usize>,
    /// Old and new shares in two cells.
    old_shares: Option<usize>,
    new_shares: Option<usize>,
    dividend: Option<usize>,
    /// A ratio or an amount, depending on the word in the row.
    value: Option<usize>,
    currency: Option<usize>,
    new_symbol: Option<usize>,
    announced: Option<usize>,
}

impl Columns {
    fn find(table: &Table<'_>) -> Self {
        Self {
            date: table.find(&[
                "exdate",
                "exdividenddate",
                "executiondate",
                "effectivedate",
                "exsplitdate",
                "date",
                "paydate",
                "datetime",
                "timestamp",
                "lasttradedate",
                "delistingdate",
            ]),
            symbol: table.find(&SYMBOL).or_else(|| table.find(&["oldsymbol"])),
            kind: table.find(&["action", "actiontype", "type", "event", "kind"]),
            ratio: table.find(&[
                "splitratio",
                "stocksplits",
                "splits",
                "split",
                "splitfactor",
                "ratio",
            ]),
            old_shares: table.find(&["splitfrom", "fromfactor", "denominator", "oldshares"]),
            new_shares: table.find(&["splitto", "tofactor", "numerator", "newshares"]),
            dividend: table.find(&[
                "cashamount",
                "dividend",
                "dividends",
                "divcash",
                "amount",
                "cash",
            ]),
            value: table.find(&["value"]),
            currency: table.find(&["currency"]),
            new_symbol: table.find(&["newsymbol", "newticker", "contraticker", "acquirer"]),
            announced: table.find(&["announced", "declarationdate", "announcementdate"]),
        }
    }

    fn used(&self) -> [Option<usize>; 11] {
        [
            self.date,
            self.symbol,
            self.kind,
            self.ratio,
            self.old_shares,
            self.new_shares,
            self.dividend,
            self.value,
            self.currency,
            self.new_symbol,
            self.announced,
        ]
    }

    fn is_any(&self) -> bool {
        self.date.is_some()
            && (self.kind.is_some()
                || self.ratio.is_some()
                || self.new_shares.is_some()
                || self.dividend.is_some())
    }
}

/// Reads a file of actions.
pub fn parse_actions(
    name: &str,
    bytes: &[u8],
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    if document::is_xml(bytes) {
        return unknown(EXPECTED);
    }
    if !document::is_json(bytes) {
        return parse_table(&Table::open(bytes)?, name, options);
    }
    let document = document::parse(bytes)?;
    if document.get("chart").is_some() {
        return parse_charts(&document, options);
    }
    match document::objects(&document) {
        Some(list) => parse_table(&Table::of_objects(list), name, options),
        None => unknown(EXPECTED),
    }
}

fn parse_table(
    table: &Table<'_>,
    name: &str,
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    let columns = Columns::find(table);
    let of_file = options
        .symbol
        .map(str::to_owned)
        .or_else(|| names::symbol_of(name));
    if !columns.is_any() || columns.symbol.is_none() && of_file.is_none() {
        return unknown(EXPECTED);
    }
    let mut report = ReadReport::default();
    let taught = table.survey(columns.date, &columns.used(), &mut report)?;
    let days = Days {
        taught,
        today: options.today.plus(AHEAD),
    };
    let mut actions = Vec::new();
    let source = names::stem(name);
    table.each(|row| {
        let written = match columns.symbol {
            Some(_) => row.get(columns.symbol),
            None => of_file.as_deref().unwrap_or_default(),
        };
        match parse_row(&row, &columns, written, days) {
            Ok(found) => actions.extend(found.into_iter().map(|action| CorporateAction {
                source: source.to_owned(),
                ..action
            })),
            Err(reason) => report.refuse(row.line, reason),
        }
    })?;
    Ok(Reading {
        batch: MarketBatch {
            actions,
            ..MarketBatch::default()
        },
        report,
    })
}

/// The actions in a row: one, or none, one or two in a row of prices.
fn parse_row(
    row: &Row<'_>,
    columns: &Columns,
    symbol: &str,
    days: Days,
) -> Result<Vec<CorporateAction>, String> {
    let Some(symbol) = Symbol::parse(symbol) else {
        return Err(NO_SYMBOL.to_owned());
    };
    let word = columns
        .kind
        .map(|_| super::table::plain(row.get(columns.kind)));
    let ratio = ratio(row, columns);
    let paid = number::parse(row.get(columns.dividend)).number();
    let value = number::parse(row.get(columns.value)).number();
    let kinds: Vec<ActionKind> = if let Some(word) = &word {
        let known = WORDS.iter().find(|(known, _)| known == word);
        vec![known.ok_or(NO_KIND)?.1]
    } else {
        let is_split = ratio.is_some_and(|ratio| ratio > 0.0 && (ratio - 1.0).abs() > 1e-9);
        let is_paid = paid.is_some_and(|paid| paid > 0.0);
        let kinds = [
            (is_split, ActionKind::Split),
            (is_paid, ActionKind::Dividend),
        ];
        let kinds = kinds.into_iter().filter(|(is, _)| *is);
        kinds.map(|(_, kind)| kind).collect()
    };
    if kinds.is_empty() {
        return Ok(Vec::new());
    }
    let ex_date = days.parse(row.get(columns.date))?;
    let announced = days.parse(row.get(columns.announced)).ok();
    let currency = row.get(columns.currency).to_ascii_uppercase();
    let currency = (currency.len() == 3).then_some(currency);
    let new_symbol = Symbol::parse(row.get(columns.new_symbol));
    let made = |kind| {
        let ratio = ratio.or(value).filter(|_| kind == ActionKind::Split);
        let cash = matches!(kind, ActionKind::Dividend | ActionKind::Merger);
        let amount = paid.or(value).filter(|_| cash);
        check(kind, ratio, amount, new_symbol.as_ref())?;
        Ok(CorporateAction {
            symbol: symbol.clone(),
            kind,
            ex_date,
            ratio,
            amount,
            currency: currency.clone().filter(|_| amount.is_some()),
            new_symbol: new_symbol.clone(),
            announced: announced.filter(|day| *day <= ex_date),
            no_later_than: None,
            source: String::new(),
        })
    };
    kinds.into_iter().map(made).collect()
}

fn check(
    kind: ActionKind,
    ratio: Option<f64>,
    amount: Option<f64>,
    new_symbol: Option<&Symbol>,
) -> Result<(), String> {
    let bounds = 1.0 / RATIO_MAX..=RATIO_MAX;
    let fault = match kind {
        ActionKind::Split if !ratio.is_some_and(|ratio| bounds.contains(&ratio)) => NO_RATIO,
        ActionKind::Dividend if !amount.is_some_and(|amount| amount > 0.0) => NO_AMOUNT,
        ActionKind::SymbolChange if new_symbol.is_none() => NO_NEW_SYMBOL,
        _ => return Ok(()),
    };
    Err(fault.to_owned())
}

/// The number of new shares for one old share.
fn ratio(row: &Row<'_>, columns: &Columns) -> Option<f64> {
    let number = |column| number::parse(row.get(column)).number();
    if let (Some(new), Some(old)) = (number(columns.new_shares), number(columns.old_shares)) {
        return (old > 0.0).then(|| new / old);
    }
    ratio_of(row.get(columns.ratio))
}

/// `10:1`, `3-for-2`, `3 for 2`, `1/8`, `0.125`.
fn ratio_of(text: &str) -> Option<f64> {
    if let Some(value) = number::parse(text).number() {
        return Some(value);
    }
    let lower = text.to_ascii_lowercase().replace("-for-", ":");
    let (new, old) = lower
        .split_once(" for ")
        .or_else(|| lower.split_once(':'))
        .or_else(|| lower.split_once('/'))?;
    let (new, old) = (number::parse(new).number()?, number::parse(old).number()?);
    (old > 0.0).then(|| new / old)
}

/// The events of charts.
pub(super) fn parse_charts(
    document: &Value,
    options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    let Some(results) = document.pointer("/chart/result").and_then(Value::as_array) else {
        return unknown(EXPECTED);
    };
    let mut reading = Reading::default();
    for result in results {
        let text = |path: &str| result.pointer(path).and_then(Value::as_str);
        let Some(symbol) = text("/meta/symbol").and_then(Symbol::parse) else {
            return unknown(EXPECTED);
        };
        let currency = text("/meta/currency");
        for (events, kind) in [
            ("/events/splits", ActionKind::Split),
            ("/events/dividends", ActionKind::Dividend),
        ] {
            let found = result.pointer(events).and_then(Value::as_object);
            for event in found.into_iter().flat_map(|events| events.values()) {
                reading.report.rows += 1;
                let line = reading.report.rows;
                match event_of(event, kind, &symbol, currency, options.today) {
                    Ok(action) => reading.batch.actions.push(action),
                    Err(reason) => reading.report.refuse(line, reason),
                }
            }
        }
    }
    Ok(reading)
}

fn event_of(
    event: &Value,
    kind: ActionKind,
    symbol: &Symbol,
    currency: Option<&str>,
    today: Day,
) -> Result<CorporateAction, String> {
    let number = |key: &str| document::number(event.get(key));
    let days = Days {
        taught: super::dates::Taught::default(),
        today: today.plus(AHEAD),
    };
    let date = match event.get("date") {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let ex_date = days.parse(&date)?;
    let ratio = match (number("numerator"), number("denominator")) {
        (Some(new), Some(old)) if old > 0.0 => Some(new / old),
        _ => None,
    };
    let ratio = ratio.filter(|_| kind == ActionKind::Split);
    let amount = number("amount").filter(|_| kind == ActionKind::Dividend);
    check(kind, ratio, amount, None)?;
    Ok(CorporateAction {
        symbol: symbol.clone(),
        kind,
        ex_date,
        ratio,
        amount,
        currency: currency.filter(|_| amount.is_some()).map(str::to_owned),
        new_symbol: None,
        announced: None,
        no_later_than: None,
        source: "Yahoo".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Reading {
        let options = FileOptions::new(Day::parse("2026-11-23").unwrap());
        parse_actions(name, text.as_bytes(), &options).unwrap()
    }

    fn shown(reading: &Reading) -> Vec<String> {
        let actions = reading.batch.actions.iter();
        let shown = actions.map(|one| {
            let number = one.ratio.or(one.amount).unwrap_or_default();
            let kind = one.kind.as_str();
            format!("{} {kind} {} {number}", one.symbol, one.ex_date)
        });
        shown.collect()
    }

    #[test]
    fn every_common_form_is_read() {
        let nvda = ["NVDA split 2024-06-10 10"];
        for (name, text) in [
            ("NVDA.csv", "Date,Stock Splits\n2024-06-10,10:1\n"),
            (
                "splits.csv",
                "ticker,execution_date,split_from,split_to\nNVDA,2024-06-10,1,10\n",
            ),
            (
                "actions.csv",
                "date,action,ticker,name,value\n2024-06-10,split,NVDA,NVIDIA,10\n",
            ),
            (
                "splits.json",
                r#"{"results": [{"ticker": "NVDA", "execution_date": "2024-06-10", "split_from": 1, "split_to": 10}]}"#,
            ),
            (
                "NVDA.csv",
                "Date,Close,Dividends,Stock Splits\n2024-06-07,120.9,0,0\n2024-06-10,121.8,0,10\n",
            ),
            (
                "x.csv",
                "symbol,ex_date,type,ratio\nNVDA,2024-06-10,split,10-for-1\n",
            ),
        ] {
            assert_eq!(shown(&read(name, text)), nvda, "{text}");
        }
        let chart = r#"{"chart": {"result": [{"meta": {"symbol": "AAPL", "currency": "USD"}, "events": {"splits": {"1598880600": {"date": 1598880600, "numerator": 4, "denominator": 1}}, "dividends": {"1604673000": {"amount": 0.205, "date": 1604673000}}}}]}}"#;
        let found = shown(&read("chart.json", chart));
        assert_eq!(
            found,
            ["AAPL split 2020-08-31 4", "AAPL dividend 2020-11-06 0.205"]
        );
    }

    #[test]
    fn names_and_lives_are_read_and_dirt_is_refused() {
        let text = "date,action,ticker,value,contraticker\n\
                    2022-06-09,tickerchangeto,FB,,META\n\
                    2023-05-01,delisted,FRC,,\n\
                    2022-10-27,acquisitionby,TWTR,54.2,\n\
                    2022-10-27,spinoff,ABC,1,\n\
                    2022-10-27,split,ABC,0,\n\
                    2022-10-27,dividend,ABC,-1,\n\
                    2022-10-27,tickerchangeto,ABC,,\n\
                    2022-13-27,split,ABC,2,\n\
                    2022-10-27,split,--,2,\n";
        let read = read("actions.csv", text);
        assert_eq!(
            shown(&read),
            [
                "FB symbol_change 2022-06-09 0",
                "FRC delisting 2023-05-01 0",
                "TWTR merger 2022-10-27 54.2",
            ]
        );
        assert_eq!(read.report.refused.values().sum::<u64>(), 6);
        assert_eq!(read.batch.actions[0].new_symbol, Symbol::parse("META"));
    }
}
