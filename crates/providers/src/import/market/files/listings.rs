//! Lists of traded instruments: the symbol directories of the exchanges, members of an index, the SEC's tickers.

use std::collections::BTreeSet;

use model::{AssetType, Instrument, NameSource, Symbol};
use serde_json::Value;
use text::company;

use super::bars::NO_SYMBOL;
use super::table::Table;
use super::{FileOptions, document, names, unknown, valuations};
use crate::import::market::{ReadError, Reading};

const EXPECTED: &str =
    "expected a list of symbols: a column of symbols and one of names, or the tickers of the SEC";
const EXPECTED_FIGURES: &str = "expected a companyfacts document of data.sec.gov, or a table with the columns Symbol and \
                                Price/Earnings or Market Cap";
const TEST_ISSUE: &str = "a test issue of the exchange";
const REPEATED: &str = "the symbol is repeated";

/// Letters that the directory of other exchanges uses.
const EXCHANGES: [(&str, &str); 5] = [
    ("A", "NYSE AMERICAN"),
    ("N", "NYSE"),
    ("P", "NYSE ARCA"),
    ("Z", "BATS"),
    ("V", "IEX"),
];

/// The sectors of the Global Industry Classification Standard.
const SECTORS: [&str; 11] = [
    "Communication Services",
    "Consumer Discretionary",
    "Consumer Staples",
    "Energy",
    "Financials",
    "Health Care",
    "Industrials",
    "Information Technology",
    "Materials",
    "Real Estate",
    "Utilities",
];

/// Words in a name that identify a fund, if a list has no column for that.
const FUNDS: [&str; 3] = ["etf", "etfs", "etn"];

/// The position of the fields in a table.
struct Columns {
    symbol: Option<usize>,
    other_symbol: Option<usize>,
    name: Option<usize>,
    security: Option<usize>,
    exchange: Option<usize>,
    fund: Option<usize>,
    test: Option<usize>,
    sector: Option<usize>,
    industry: Option<usize>,
    cik: Option<usize>,
    currency: Option<usize>,
    kind: Option<usize>,
}

impl Columns {
    fn find(table: &Table<'_>) -> Self {
        Self {
            symbol: table.find(&["symbol", "actsymbol", "ticker", "code"]),
            other_symbol: table.find(&["nasdaqsymbol"]),
            name: table.find(&[
                "companyname",
                "longname",
                "security",
                "securityname",
                "name",
                "title",
                "shortname",
            ]),
            security: table.find(&["securityname", "security"]),
            exchange: table.find(&["fullexchangename", "exchange", "listingexchange"]),
            fund: table.find(&["etf", "isetf"]),
            test: table.find(&["testissue"]),
            sector: table.find(&["gicssector", "sector"]),
            industry: table.find(&["gicssubindustry", "subindustry", "industry"]),
            cik: table.find(&["cik", "cikstr"]),
            currency: table.find(&["currency"]),
            kind: table.find(&["quotetype"]),
        }
    }

    /// The source of the names in the list: an exchange says more about each issue than others do, and the SEC gives
    /// company numbers.
    fn name_source(&self, of_nasdaq: bool) -> NameSource {
        let is_directory = self.test.is_some() || self.fund.is_some();
        if is_directory || of_nasdaq {
            NameSource::Exchange
        } else if self.cik.is_some() && self.sector.is_none() {
            NameSource::Register
        } else {
            NameSource::Table
        }
    }

    fn used(&self) -> [Option<usize>; 12] {
        [
            self.symbol,
            self.other_symbol,
            self.name,
            self.security,
            self.exchange,
            self.fund,
            self.test,
            self.sector,
            self.industry,
            self.cik,
            self.currency,
            self.kind,
        ]
    }
}

/// The name of an issue: some directories cut the company name at its first hyphen (`Coca` instead of
/// `Coca-Cola Company`).
fn whole_name<'a>(name: Option<&'a str>, security: Option<&'a str>) -> Option<&'a str> {
    let is_cut = |(name, security): &(&str, &str)| {
        let rest = security.strip_prefix(*name);
        rest.is_some_and(|rest| rest.starts_with('-'))
    };
    match name.zip(security).filter(is_cut) {
        Some((_, security)) => Some(security),
        None => name,
    }
}

/// Reads a list of symbols. Preferred shares are written as `ABR-PD`, whatever the exchange writes. A table of index
/// members that includes their figures gives those figures as well.
pub fn parse_listings(
    name: &str,
    bytes: &[u8],
    _options: &FileOptions<'_>,
) -> Result<Reading, ReadError> {
    if document::is_xml(bytes) {
        return unknown(EXPECTED);
    }
    if !document::is_json(bytes) {
        return parse_table(&Table::open(bytes)?, name);
    }
    let document = document::parse(bytes)?;
    if let Some(quotes) = document
        .pointer("/quoteResponse/result")
        .and_then(Value::as_array)
    {
        return parse_table(&Table::of_objects(quotes), name);
    }
    let as_fields = (document.get("fields"), document.get("data"));
    if let (Some(Value::Array(fields)), Some(Value::Array(rows))) = as_fields {
        let keys: Vec<&str> = fields.iter().filter_map(Value::as_str).collect();
        let object = |row: &Value| -> Value {
            let cells = row.as_array().into_iter().flatten().cloned();
            keys.iter()
                .map(|key| (*key).to_owned())
                .zip(cells)
                .collect()
        };
        let rows: Vec<Value> = rows.iter().map(object).collect();
        return parse_table(&Table::of_objects(&rows), name);
    }
    let rows: Vec<Value> = match &document {
        Value::Object(map) => map
            .values()
            .filter(|row| row.is_object())
            .cloned()
            .collect(),
        Value::Array(list) => list.clone(),
        _ => Vec::new(),
    };
    parse_table(&Table::of_objects(&rows), name)
}

/// Reads the figures from a table of index members, such as
/// `Symbol,Name,Sector,Price,Price/Earnings,Dividend Yield,…`.
pub(in crate::import::market) fn parse_members(
    name: &str,
    bytes: &[u8],
) -> Result<Reading, ReadError> {
    let table = Table::open(bytes)?;
    let figures = valuations::Columns::find(&table);
    if !figures.is_any() {
        return unknown(EXPECTED_FIGURES);
    }
    parse_rows(&table, name, Some(&figures))
}

fn parse_table(table: &Table<'_>, name: &str) -> Result<Reading, ReadError> {
    let figures = valuations::Columns::find(table);
    parse_rows(
        table,
        name,
        Some(&figures).filter(|figures| figures.is_whole()),
    )
}

fn parse_rows(
    table: &Table<'_>,
    name: &str,
    figures: Option<&valuations::Columns>,
) -> Result<Reading, ReadError> {
    let columns = Columns::find(table);
    if columns.symbol.is_none()
        || table.header().len() < 2
        || table.find(&["currentprice"]).is_some()
    {
        return unknown(EXPECTED);
    }
    let of_nasdaq = table.find(&["marketcategory", "financialstatus"]).is_some()
        || names::stem(name).to_ascii_lowercase().starts_with("nasdaq");
    let named_by = columns.name_source(of_nasdaq);
    let mut reading = Reading::default();
    let mut used = columns.used().to_vec();
    used.extend(figures.into_iter().flat_map(valuations::Columns::used));
    table.survey(None, &used, &mut reading.report)?;
    let mut seen = BTreeSet::new();
    table.each(|row| {
        let get = |column| Some(row.get(column)).filter(|cell| !cell.is_empty());
        let written = get(columns.symbol).and_then(symbol_of);
        let Some(symbol) = written.or_else(|| get(columns.other_symbol).and_then(symbol_of)) else {
            return reading.report.refuse(row.line, NO_SYMBOL);
        };
        let title = whole_name(get(columns.name), get(columns.security));
        if get(columns.test).is_some_and(|flag| flag.eq_ignore_ascii_case("y"))
            || title.is_some_and(is_test_issue)
        {
            return reading.report.refuse(row.line, TEST_ISSUE);
        }
        if !seen.insert(symbol.clone()) {
            return reading.report.refuse(row.line, REPEATED);
        }
        let kind = get(columns.kind).unwrap_or("EQUITY");
        let asset_type = match (kind, get(columns.fund)) {
            ("ETF" | "MUTUALFUND", _) | (_, Some("Y" | "y" | "true" | "TRUE" | "1")) => {
                AssetType::Etf
            }
            ("EQUITY", None) if title.is_some_and(says_fund) => AssetType::Etf,
            ("EQUITY", _) => AssetType::Equity,
            _ => {
                return reading
                    .report
                    .refuse(row.line, "neither a share nor a fund");
            }
        };
        let exchange = get(columns.exchange).map(|code| {
            let known = EXCHANGES.iter().find(|(letter, _)| *letter == code);
            known.map_or_else(
                || code.to_uppercase(),
                |(_, exchange)| (*exchange).to_owned(),
            )
        });
        let sector = get(columns.sector);
        let is_sector = sector.is_some_and(|sector| SECTORS.contains(&sector));
        // Some tables put the sub-industry into the column of the sector.
        let industry = get(columns.industry).or(sector.filter(|_| !is_sector));
        reading.batch.instruments.push(Instrument {
            name: title.map(|name| company_name(name, of_nasdaq, asset_type)),
            named_by: title.map_or(NameSource::Other, |_| named_by),
            share_class: get(columns.security)
                .or(title)
                .filter(|_| asset_type == AssetType::Equity)
                .and_then(company::share_class),
            exchange: exchange.or_else(|| of_nasdaq.then(|| "NASDAQ".to_owned())),
            sector: sector.filter(|_| is_sector).map(str::to_owned),
            industry: industry.map(str::to_owned),
            currency: get(columns.currency).map(str::to_owned),
            cik: get(columns.cik).and_then(|cik| cik.trim_end_matches(".0").parse().ok()),
            ..Instrument::bare(symbol.clone(), asset_type)
        });
        let valuation = figures.and_then(|figures| figures.parse(&row, symbol, names::stem(name)));
        reading.batch.valuations.extend(valuation);
    })?;
    Ok(reading)
}

/// The symbol as it is written here. The exchange writes `$` before the series of a preferred share.
fn symbol_of(text: &str) -> Option<Symbol> {
    match text.split_once('$') {
        Some((root, series)) if !root.is_empty() => {
            let class = series.strip_prefix('.').unwrap_or(series);
            Symbol::parse(&format!("{root}-P{class}"))
        }
        _ => Symbol::parse(text),
    }
}

/// The company or fund without its share type.
fn company_name(name: &str, of_nasdaq: bool, asset_type: AssetType) -> String {
    let name = name.trim();
    if asset_type == AssetType::Etf {
        return name.to_owned();
    }
    let name = match name.split_once(" - ") {
        Some((company, _)) if of_nasdaq && !company.trim().is_empty() => company.trim(),
        _ => name,
    };
    company::without_description(name).to_owned()
}

/// Whether a name identifies a fund.
fn says_fund(name: &str) -> bool {
    company::words(name)
        .iter()
        .any(|word| FUNDS.contains(&word.as_str()))
}

/// Whether a name is that of a symbol with which an exchange tests its systems: `NASDAQ TEST STOCK`,
/// `Nasdaq Symbology Test Common Stock`. A company with the word in its name, such as Aehr Test Systems, has another
/// word of its own after it.
fn is_test_issue(name: &str) -> bool {
    let words = company::words(name);
    words.windows(2).any(|pair| {
        pair[0] == "test"
            && matches!(
                pair[1].as_str(),
                "stock" | "common" | "issue" | "symbol" | "security"
            )
    })
}
