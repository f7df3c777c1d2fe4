//! Statements as collected by a data provider: Yahoo Finance's time series of fundamentals and its quote summaries.
//!
//! Such a document says what a company reported for a period, but not when. Its contents are therefore known from the
//! time at which it was retrieved, if it says so, otherwise from its import; it never replaces a filing at an earlier
//! time.

use std::collections::BTreeMap;

use model::{
    AnalystRating, AssetType, Concept, Day, Fact, FactSet, InsiderAction, InsiderForm,
    InsiderTrade, Instrument, Rating, Symbol, Timestamp,
};
use serde_json::Value;

use super::super::{ReadError, ReadReport, Reading};
use super::{DisclosureOptions, number_of, person, tags, unknown};

/// The provider's taxonomy in the table of tags.
const TAXONOMY: &str = "yahoo";

/// The length of a number's period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Length {
    Year,
    Quarter,
}

impl Length {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Year => "annual",
            Self::Quarter => "quarterly",
        }
    }

    /// The first day of a period of that length: the day after the end of the month that many months before.
    fn first_day(self, end: Day) -> Day {
        let months = match self {
            Self::Year => 12,
            Self::Quarter => 3,
        };
        let next = end.plus(1);
        let is_whole = next.date().day() == 1;
        if is_whole {
            next.months_before(months)
        } else {
            end.months_before(months).plus(1)
        }
    }
}

/// The periods in one document: concept and unit by tier, order and value.
type Values = BTreeMap<(Concept, String), BTreeMap<(u8, usize), f64>>;

/// The contents of a document, by period.
#[derive(Default)]
struct Statements {
    periods: BTreeMap<(Day, Length), Values>,
}

impl Statements {
    fn add(&mut self, period: (Day, Length), item: &str, currency: &str, value: f64) -> bool {
        let mut is_used = false;
        for meaning in tags::meanings(TAXONOMY, item) {
            is_used = true;
            let unit = match meaning.concept {
                Concept::EpsBasic | Concept::EpsDiluted | Concept::DividendsPerShare => {
                    format!("{currency}/shares")
                }
                Concept::SharesOutstanding | Concept::DilutedShares => "shares".to_owned(),
                _ => currency.to_owned(),
            };
            // Money spent is written as a negative flow.
            let value = if meaning.concept == Concept::CapitalExpenditure {
                value.abs()
            } else {
                value
            };
            self.periods
                .entry(period)
                .or_default()
                .entry((meaning.concept, unit))
                .or_default()
                .entry((meaning.tier, meaning.order))
                .or_insert(value);
        }
        is_used
    }

    fn sets(self, symbol: &Symbol, known: Known) -> Vec<FactSet> {
        let of_period = |((end, length), values): ((Day, Length), Values)| FactSet {
            symbol: symbol.clone(),
            cik: None,
            accession: FactSet::collected(length.as_str(), end),
            form: format!("{} statement", length.as_str()),
            filed: known.day,
            accepted_at: known.at,
            facts: facts(end, length, values),
        };
        self.periods.into_iter().map(of_period).collect()
    }
}

fn facts(end: Day, length: Length, values: Values) -> Vec<Fact> {
    values
        .into_iter()
        .filter_map(|((concept, unit), by_tier)| {
            let is_point = matches!(
                concept,
                Concept::Assets
                    | Concept::Liabilities
                    | Concept::Equity
                    | Concept::Cash
                    | Concept::LongTermDebt
                    | Concept::ShortTermDebt
                    | Concept::TotalDebt
                    | Concept::SharesOutstanding
            );
            let start = if is_point {
                None
            } else {
                Some(length.first_day(end))
            };
            Some(Fact {
                concept,
                start,
                end,
                value: by_tier.into_values().next()?,
                unit,
            })
        })
        .collect()
}

/// From when a document is known.
#[derive(Clone, Copy)]
struct Known {
    day: Day,
    at: Option<Timestamp>,
}

impl Known {
    /// From the day that the operator gives, otherwise from its retrieval, otherwise from its import.
    fn of(options: &DisclosureOptions<'_>, taken: Option<Timestamp>) -> Result<Self, ReadError> {
        if let Some(day) = options.filed {
            return Ok(Self { day, at: None });
        }
        let at = taken
            .or(options.at)
            .ok_or_else(|| unknown("the document does not say since when it is known"))?;
        Ok(Self {
            day: Day::of(at),
            at: Some(at),
        })
    }
}

/// Reads a `timeseries` document.
pub(super) fn parse_time_series(
    document: &Value,
    options: &DisclosureOptions<'_>,
) -> Result<Reading, ReadError> {
    let result = document.pointer("/timeseries/result");
    let series = result.and_then(Value::as_array);
    let series = series.ok_or_else(|| unknown("expected the key result in timeseries"))?;
    let mut report = ReadReport::default();
    let mut statements = Statements::default();
    let mut named = None;
    for one in series {
        let symbol = one.pointer("/meta/symbol/0").and_then(Value::as_str);
        named = named.or_else(|| symbol.and_then(Symbol::parse));
        let Some(kind) = one.pointer("/meta/type/0").and_then(Value::as_str) else {
            continue;
        };
        let (length, item) = match (kind.strip_prefix("annual"), kind.strip_prefix("quarterly")) {
            (Some(item), _) => (Length::Year, item),
            (_, Some(item)) => (Length::Quarter, item),
            _ => continue,
        };
        let values = one.get(kind).and_then(Value::as_array);
        for (place, value) in values.into_iter().flatten().enumerate() {
            if value.is_null() {
                continue;
            }
            report.rows += 1;
            let end = value.get("asOfDate").and_then(Value::as_str);
            let currency = value.get("currencyCode").and_then(Value::as_str);
            let number = value.pointer("/reportedValue/raw").and_then(number_of);
            let (Some(end), Some(currency), Some(number)) =
                (end.and_then(Day::parse), currency, number)
            else {
                report.refuse(
                    place as u64 + 1,
                    format!("{kind}: no day, currency or value"),
                );
                continue;
            };
            if !statements.add((end, length), item, currency, number) {
                report.note_unused(item, 1);
            }
        }
    }
    finish(statements, named, None, options, report)
}

/// Reads the income statements, ratings and insider trades in a `quoteSummary` document.
pub(super) fn parse_summary(
    document: &Value,
    options: &DisclosureOptions<'_>,
) -> Result<Reading, ReadError> {
    let summary = document.pointer("/quoteSummary/result/0");
    let summary = summary.ok_or_else(|| unknown("the summary is empty"))?;
    let text = |pointer: &str| summary.pointer(pointer).and_then(Value::as_str);
    let named = ["/price/symbol", "/quoteType/symbol"]
        .into_iter()
        .find_map(text)
        .and_then(Symbol::parse);
    // The currency in which a company reports is given in one module only.
    let currency = text("/financialData/financialCurrency");
    let taken = summary
        .pointer("/price/regularMarketTime")
        .and_then(Value::as_i64)
        .map(at_second);
    let mut report = ReadReport::default();
    let mut statements = Statements::default();
    for (length, module) in [
        (Length::Year, "incomeStatementHistory"),
        (Length::Quarter, "incomeStatementHistoryQuarterly"),
    ] {
        let rows = summary.pointer(&format!("/{module}/incomeStatementHistory"));
        let rows = rows.and_then(Value::as_array).into_iter().flatten();
        for (place, row) in rows.enumerate() {
            report.rows += 1;
            let end = row.pointer("/endDate/fmt").and_then(Value::as_str);
            let (Some(end), Some(currency)) = (end.and_then(Day::parse), currency) else {
                report.refuse(place as u64 + 1, format!("{module}: no day or currency"));
                continue;
            };
            for (key, item) in [("totalRevenue", "TotalRevenue"), ("netIncome", "NetIncome")] {
                // A missing value appears as a zero without a text.
                let is_given = row
                    .pointer(&format!("/{key}/fmt"))
                    .is_some_and(|text| !text.is_null());
                let number = row.pointer(&format!("/{key}/raw")).and_then(number_of);
                if let Some(number) = number.filter(|_| is_given) {
                    statements.add((end, length), item, currency, number);
                }
            }
        }
    }
    let symbol = options.symbol.cloned().or_else(|| named.clone());
    if symbol.is_none() {
        return Err(unknown(
            "the summary names no symbol: give it with --symbol",
        ));
    }
    let mut reading = finish(statements, named, taken, options, report)?;
    let history = summary.pointer("/upgradeDowngradeHistory/history");
    let history = history.and_then(Value::as_array);
    if let (Some(symbol), Some(history)) = (&symbol, history) {
        for (place, row) in history.iter().enumerate() {
            reading.report.rows += 1;
            match rating(row, symbol) {
                Ok(rating) => reading.batch.ratings.push(rating),
                Err(reason) => reading.report.refuse(place as u64 + 1, reason),
            }
        }
    }
    let trades = summary.pointer("/insiderTransactions/transactions");
    let trades = trades.and_then(Value::as_array);
    if let (Some(symbol), Some(trades)) = (&symbol, trades) {
        let known = Known::of(options, taken)?;
        let issuer = text("/price/longName").unwrap_or_else(|| symbol.as_str());
        for (place, row) in trades.iter().enumerate() {
            reading.report.rows += 1;
            match insider_trade(row) {
                Ok(Some((name, title, trade))) => reading.batch.insider_forms.push(InsiderForm {
                    accession: accession_of(&name, &trade),
                    symbol: symbol.clone(),
                    issuer: issuer.to_owned(),
                    owner_cik: 0,
                    name,
                    title,
                    filed: known.day,
                    accepted_at: known.at,
                    amends: None,
                    filing_url: String::new(),
                    trades: vec![trade],
                }),
                Ok(None) => reading.report.note_unused("transaction without a text", 1),
                Err(reason) => reading.report.refuse(place as u64 + 1, reason),
            }
        }
    }
    Ok(reading)
}

/// A substitute for a trade's form number, so that the trade is stored once however often it is imported.
fn accession_of(name: &str, trade: &InsiderTrade) -> String {
    let price = trade.price.unwrap_or_default();
    let collected = FactSet::collected(name, trade.date);
    format!("{collected}:{}:{}@{price:.2}", trade.code, trade.shares)
}

/// An insider's trade with name and title; `None` if the type of transaction is not given.
fn insider_trade(row: &Value) -> Result<Option<(String, String, InsiderTrade)>, String> {
    let text = |key: &str| row.get(key).and_then(Value::as_str).map(str::trim);
    let number = |key: &str| row.pointer(&format!("/{key}/raw")).and_then(number_of);
    let said = text("transactionText").unwrap_or_default();
    let (action, code) = match said.split(" at price").next() {
        Some("Sale") => (InsiderAction::Sell, "S"),
        Some("Purchase") => (InsiderAction::Buy, "P"),
        Some("Stock Gift") => (InsiderAction::Gift, "G"),
        Some("Stock Award(Grant)") => (InsiderAction::Award, "A"),
        Some("Conversion of Exercise of derivative security") => (InsiderAction::Exercise, "M"),
        _ => return Ok(None),
    };
    let name = text("filerName").filter(|name| !name.is_empty());
    let date = row.pointer("/startDate/fmt").and_then(Value::as_str);
    let value = number("value").filter(|value| *value > 0.0);
    let shares = number("shares").filter(|shares| *shares > 0.0);
    let shares = shares.ok_or("the trade has no number of shares")?;
    let trade = InsiderTrade {
        transaction_type: action,
        code: code.to_owned(),
        shares,
        price: value.map(|value| value / shares),
        value,
        date: date.and_then(Day::parse).ok_or("the trade has no day")?,
        derivative: false,
    };
    let name = name.ok_or("the trade names nobody")?;
    let title = text("filerRelation").unwrap_or_default();
    Ok(Some((
        person::first_name_first(name),
        title.to_owned(),
        trade,
    )))
}

fn finish(
    statements: Statements,
    named: Option<Symbol>,
    taken: Option<Timestamp>,
    options: &DisclosureOptions<'_>,
    report: ReadReport,
) -> Result<Reading, ReadError> {
    if statements.periods.is_empty() {
        // For funds and coins the provider has none.
        return Ok(Reading {
            report,
            ..Reading::default()
        });
    }
    let symbol = options
        .symbol
        .cloned()
        .or(named)
        .ok_or_else(|| unknown("the document names no symbol: give it with --symbol"))?;
    let mut reading = Reading {
        report,
        ..Reading::default()
    };
    reading.batch.facts = statements.sets(&symbol, Known::of(options, taken)?);
    reading
        .batch
        .instruments
        .push(Instrument::bare(symbol, AssetType::Equity));
    Ok(reading)
}

fn at_second(seconds: i64) -> Timestamp {
    Timestamp::from_ms(seconds.saturating_mul(1000))
}

/// A change or confirmation of a rating.
fn rating(row: &Value, symbol: &Symbol) -> Result<AnalystRating, String> {
    let text = |key: &str| {
        let text = row.get(key).and_then(Value::as_str).map(str::trim);
        text.filter(|text| !text.is_empty())
    };
    let seconds = match row.get("epochGradeDate") {
        Some(Value::Object(value)) => value.get("raw").and_then(Value::as_i64),
        Some(value) => value.as_i64(),
        None => None,
    };
    let at = seconds.map(at_second);
    let at = at.ok_or("the rating has no day")?;
    let firm = text("firm").ok_or("the rating names no firm")?;
    let grade = text("toGrade").ok_or("the rating is not given")?;
    let target = row
        .get("currentPriceTarget")
        .and_then(number_of)
        .filter(|target| *target > 0.0);
    Ok(AnalystRating {
        symbol: symbol.clone(),
        analyst: None,
        firm: firm.to_owned(),
        rating: grade_of(grade).ok_or_else(|| format!("`{grade}` is none of the usual ratings"))?,
        target,
        day: Day::of(at),
        source: "yahoo".to_owned(),
    })
}

/// A rating as one of the five usual words; brokers use many.
fn grade_of(grade: &str) -> Option<Rating> {
    Some(match grade.to_lowercase().as_str() {
        "strong buy" | "conviction buy" | "top pick" | "action list buy" => Rating::StrongBuy,
        "buy" | "overweight" | "outperform" | "positive" | "accumulate" | "add"
        | "market outperform" | "sector outperform" | "long-term buy" | "long term buy"
        | "outperformer" | "moderate buy" | "speculative buy" => Rating::Buy,
        "hold" | "neutral" | "equal-weight" | "equal weight" | "market perform"
        | "sector perform" | "sector weight" | "peer perform" | "perform" | "in-line"
        | "in line" | "mixed" | "fair value" | "market weight" | "sector performer"
        | "performer" => Rating::Hold,
        "sell"
        | "underweight"
        | "underperform"
        | "negative"
        | "reduce"
        | "market underperform"
        | "sector underperform"
        | "underperformer"
        | "moderate sell" => Rating::Sell,
        "strong sell" | "conviction sell" => Rating::StrongSell,
        _ => return None,
    })
}
