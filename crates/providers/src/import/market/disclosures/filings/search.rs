//! Responses of EDGAR's full-text search: one entry per document, so there may be several for one filing.

use std::collections::BTreeSet;

use model::{Day, Filing, Symbol};
use serde_json::Value;

use super::super::{DisclosureOptions, cik_of, edgar};
use super::items;
use crate::import::market::Reading;

pub(super) fn parse(document: &Value, options: &DisclosureOptions<'_>) -> Option<Reading> {
    let hits = document.get("hits")?.get("hits")?.as_array()?;
    let mut reading = Reading::default();
    let mut seen = BTreeSet::new();
    for (place, hit) in hits.iter().enumerate() {
        reading.report.rows += 1;
        match filing(hit, options) {
            Ok(filing) if seen.insert(filing.accession.clone()) => {
                reading.batch.filings.push(filing);
            }
            Ok(_) => reading.report.refuse(
                place as u64 + 1,
                "another document of a filing that is already listed",
            ),
            Err(reason) => reading.report.refuse(place as u64 + 1, reason),
        }
    }
    Some(reading)
}

fn filing(hit: &Value, options: &DisclosureOptions<'_>) -> Result<Filing, &'static str> {
    let source = hit.get("_source").ok_or("the entry has no source")?;
    let text = |key: &str| {
        source
            .get(key)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    let first = |key: &str| source.get(key).and_then(|list| list.get(0));
    let accession = text("adsh")
        .and_then(edgar::accession)
        .ok_or("the accession number is invalid")?;
    let cik = first("ciks")
        .and_then(cik_of)
        .ok_or("the entry does not name a filer")?;
    // `BrightSpring Health Services, Inc.  (BTSG, BTSGU)  (CIK 0001865782)`
    let display = first("display_names")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let display = display.split("(CIK").next().unwrap_or(display).trim();
    let (name, tickers) = match display
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once("  ("))
    {
        Some((name, tickers)) => (name.trim(), tickers),
        None => (display, ""),
    };
    let form = text("form")
        .or_else(|| text("file_type"))
        .ok_or("the filing does not name a form")?;
    let document = hit
        .get("_id")
        .and_then(Value::as_str)
        .and_then(|id| id.split_once(':'))
        .map(|(_, document)| document);
    let listed: Vec<&str> = source
        .get("items")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    Ok(Filing {
        symbol: super::symbol_or(cik, || tickers.split(',').find_map(Symbol::parse), options),
        cik,
        company_name: name.to_owned(),
        form_type: form.to_owned(),
        filed_date: text("file_date")
            .and_then(Day::parse)
            .ok_or("the day of filing is not a date")?,
        accepted_at: None,
        period_of_report: text("period_ending").and_then(Day::parse),
        filing_url: edgar::filing_url(cik, &accession, document),
        description: items::describe(form, text("file_description").unwrap_or_default(), &listed),
        accession,
        other_parties: Vec::new(),
    })
}
