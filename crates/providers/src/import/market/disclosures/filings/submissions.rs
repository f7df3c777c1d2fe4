//! `submissions/CIK##########.json` of data.sec.gov: who a filer is, and its filings as columns.
//!
//! Older filings are in additional files that contain only the columns; only the file name says whose they are
//! (`CIK0000320193-submissions-001.json`).

use model::{AssetType, Day, Filing, Instrument, NameSource, Symbol};
use serde_json::Value;

use super::super::{DisclosureOptions, cik_of, edgar};
use super::items;
use crate::import::market::{ReadReport, Reading};

pub(super) fn parse(
    name: &str,
    document: &Value,
    options: &DisclosureOptions<'_>,
) -> Option<Reading> {
    let mut reading = Reading::default();
    if let Some(columns) = document
        .get("filings")
        .and_then(|filings| filings.get("recent"))
    {
        let cik = document.get("cik").and_then(cik_of)?;
        let company_name = document
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let list = |key: &str| {
            let list = document.get(key).and_then(Value::as_array);
            list.into_iter().flatten().filter_map(Value::as_str)
        };
        let own = || list("tickers").find_map(Symbol::parse);
        let symbol = super::symbol_or(cik, own, options);
        for (ticker, place) in list("tickers").zip(0..) {
            let exchange = document.get("exchanges").and_then(|names| names.get(place));
            let exchange = exchange
                .and_then(Value::as_str)
                .filter(|name| !name.is_empty());
            if let Some(ticker) = Symbol::parse(ticker) {
                reading.batch.instruments.push(Instrument {
                    name: Some(company_name.trim().to_owned()).filter(|name| !name.is_empty()),
                    named_by: NameSource::Register,
                    exchange: exchange.map(str::to_uppercase),
                    cik: Some(cik),
                    ..Instrument::bare(ticker, AssetType::Equity)
                });
            }
        }
        let filer = Filer {
            cik,
            symbol,
            name: company_name,
        };
        rows(columns, &filer, &mut reading);
        return Some(reading);
    }
    document.get("accessionNumber")?.as_array()?;
    let cik = name
        .find("CIK")
        .and_then(|place| name.get(place + 3..place + 13))
        .and_then(|digits| digits.parse().ok());
    let Some(cik) = cik else {
        reading.report.rows = 1;
        reading.report.refuse(1, "the older filings do not name their company: keep the file name CIK##########-submissions-001.json");
        return Some(reading);
    };
    let filer = Filer {
        cik,
        symbol: options.symbol(cik),
        name: "",
    };
    rows(document, &filer, &mut reading);
    Some(reading)
}

struct Filer<'a> {
    cik: u64,
    symbol: Option<Symbol>,
    name: &'a str,
}

fn rows(columns: &Value, filer: &Filer<'_>, reading: &mut Reading) {
    let count = columns
        .get("accessionNumber")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    reading.report.rows += count as u64;
    for place in 0..count {
        match row(columns, place, filer) {
            Ok(filing) => reading.batch.filings.push(filing),
            Err(reason) => refuse(&mut reading.report, place, reason),
        }
    }
}

fn refuse(report: &mut ReadReport, place: usize, reason: &'static str) {
    report.refuse(place as u64 + 1, reason);
}

fn row(columns: &Value, place: usize, filer: &Filer<'_>) -> Result<Filing, &'static str> {
    let cell = |key: &str| {
        let cell = columns.get(key)?.get(place)?.as_str()?.trim();
        (!cell.is_empty()).then_some(cell)
    };
    let accession = cell("accessionNumber")
        .and_then(edgar::accession)
        .ok_or("the accession number is invalid")?;
    let form = cell("form").ok_or("the filing does not name a form")?;
    let document = cell("primaryDocument");
    Ok(Filing {
        symbol: filer.symbol.clone(),
        cik: filer.cik,
        company_name: filer.name.trim().to_owned(),
        form_type: form.to_owned(),
        filed_date: cell("filingDate")
            .and_then(Day::parse)
            .ok_or("the day of filing is not a date")?,
        accepted_at: cell("acceptanceDateTime").and_then(edgar::acceptance),
        period_of_report: cell("reportDate").and_then(Day::parse),
        filing_url: edgar::filing_url(filer.cik, &accession, document),
        description: items::describe(
            form,
            cell("primaryDocDescription").unwrap_or_default(),
            &[cell("items").unwrap_or_default()],
        ),
        accession,
        other_parties: Vec::new(),
    })
}
