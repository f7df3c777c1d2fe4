//! Tables of index members with valuations, as `Symbol,Name,Sector,Price,Price/Earnings,Dividend Yield,…`.
//!
//! The yield of these tables is a fraction and becomes percent; empty cells are absent. The column called sector may hold
//! sub-industries, so only the names of the eleven sectors are taken as such.

use model::{AssetType, Instrument, Symbol, Valuation};

use super::super::{ReadError, Reading};
use super::unknown;

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

/// A fraction above this is a percent already, or nonsense.
const LARGEST_FRACTION: f64 = 1.0;

pub(super) fn read(name: &str, text: &str) -> Result<Reading, ReadError> {
    let mut rows = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let headers = rows.headers().cloned().unwrap_or_default();
    let column = |names: &[&str]| {
        headers
            .iter()
            .position(|header| names.iter().any(|name| header.eq_ignore_ascii_case(name)))
    };
    let symbol = column(&["Symbol", "Ticker"]);
    let company = column(&["Name", "Security", "Company"]);
    let ratio = column(&["Price/Earnings", "P/E"]);
    let cap = column(&["Market Cap"]);
    let (Some(symbol), true) = (symbol, ratio.is_some() || cap.is_some()) else {
        return Err(unknown(
            "expected a companyfacts document of data.sec.gov, or a table with the columns Symbol and Price/Earnings or \
             Market Cap",
        ));
    };
    let sector = column(&["Sector", "GICS Sector"]);
    let industry = column(&["Sub-Industry", "GICS Sub-Industry", "Industry"]);
    let dividend = column(&["Dividend Yield"]);
    let eps = column(&["Earnings/Share", "EPS"]);
    let price = column(&["Price"]);
    let low = column(&["52 Week Low"]);
    let high = column(&["52 Week High"]);
    let used = [symbol].into_iter().chain(
        [
            company, ratio, cap, sector, industry, dividend, eps, price, low, high,
        ]
        .into_iter()
        .flatten(),
    );
    let used: Vec<usize> = used.collect();
    let source = name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();

    let mut reading = Reading::default();
    let mut record = csv::StringRecord::new();
    loop {
        match rows.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => {
                reading
                    .report
                    .refuse(rows.position().line(), "the row is no sound CSV");
                continue;
            }
        }
        reading.report.rows += 1;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |place: Option<usize>| record.get(place?).filter(|cell| !cell.is_empty());
        let number = |place| {
            let number: f64 = cell(place)?.replace([',', '$'], "").parse().ok()?;
            number.is_finite().then_some(number)
        };
        let Some(symbol) = record.get(symbol).and_then(Symbol::parse) else {
            reading.report.refuse(line, "the row names no symbol");
            continue;
        };
        let is_sector = |name: &str| SECTORS.contains(&name);
        let named_sector = cell(sector).map(ToOwned::to_owned);
        let (sector, other) = match named_sector {
            Some(name) if is_sector(&name) => (Some(name), None),
            other => (None, other),
        };
        reading.batch.instruments.push(Instrument {
            name: cell(company).map(ToOwned::to_owned),
            sector,
            industry: cell(industry).map(ToOwned::to_owned).or(other),
            ..Instrument::bare(symbol.clone(), AssetType::Equity)
        });
        let positive = |number: Option<f64>| number.filter(|number| *number > 0.0);
        let valuation = Valuation {
            symbol,
            price: positive(number(price)),
            market_cap_usd: positive(number(cap)),
            pe_ratio: positive(number(ratio)),
            eps: number(eps),
            dividend_yield_pct: number(dividend)
                .filter(|fraction| (0.0..=LARGEST_FRACTION).contains(fraction))
                .map(|fraction| fraction * 100.0),
            fifty_two_week_high: positive(number(high)),
            fifty_two_week_low: positive(number(low)),
            source: source.clone(),
        };
        for (place, header) in headers.iter().enumerate() {
            if !used.contains(&place) && cell(Some(place)).is_some() {
                *reading.report.unused.entry(header.to_owned()).or_default() += 1;
            }
        }
        reading.batch.valuations.push(valuation);
    }
    Ok(reading)
}
