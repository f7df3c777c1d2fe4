//! The Atom list of the latest filings: one entry for each filer and each subject of a filing.
//!
//! If a filing has several entries, the one for the issuer or subject counts, as it has the symbol.

use std::collections::BTreeMap;

use model::{Filing, Timestamp};

use super::super::xml::Element;
use super::super::{DisclosureOptions, edgar};
use crate::import::market::Reading;

pub(super) fn parse(root: &Element, options: &DisclosureOptions<'_>) -> Option<Reading> {
    let is_list = root.name() == "feed"
        && root.all("entry").next().is_none_or(|entry| {
            entry
                .text(&["id"])
                .is_some_and(|id| id.contains("accession-number="))
        });
    if !is_list {
        return None;
    }
    let mut reading = Reading::default();
    // Accession number → whether the entry is only that of a reporter, and the filing.
    let mut filings: BTreeMap<String, (bool, Filing)> = BTreeMap::new();
    for (place, entry) in root.all("entry").enumerate() {
        reading.report.rows += 1;
        let Some((reports, filing)) = filing(entry, options) else {
            reading.report.refuse(
                place as u64 + 1,
                "the entry lacks its form, filer, number or time",
            );
            continue;
        };
        let known = filings.get(&filing.accession).map(|(reports, _)| *reports);
        if known.is_some() {
            reading.report.refuse(
                place as u64 + 1,
                "another party to a filing that is already listed",
            );
        }
        if known.is_none_or(|known| known && !reports) {
            filings.insert(filing.accession.clone(), (reports, filing));
        }
    }
    reading.batch.filings = filings.into_values().map(|(_, filing)| filing).collect();
    Some(reading)
}

/// `4 - Hinge Health, Inc. (0001673743) (Issuer)`
fn filing(entry: &Element, options: &DisclosureOptions<'_>) -> Option<(bool, Filing)> {
    let title = entry.text(&["title"])?;
    let (form, rest) = title.split_once(" - ")?;
    let (rest, role) = rest.trim().strip_suffix(')')?.rsplit_once(" (")?;
    let (name, cik) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    let cik: u64 = cik.parse().ok()?;
    let accession = edgar::accession(entry.text(&["id"])?.rsplit('=').next()?)?;
    // The time is New York time with its offset.
    let updated = entry.text(&["updated"])?;
    let accepted_at: Timestamp = updated.parse().ok()?;
    let filed = entry
        .text(&["summary"])
        .and_then(|summary| summary.split("Filed:</b>").nth(1))
        .and_then(|rest| edgar::day(rest.split('<').next()?))
        .or_else(|| edgar::day(updated))?;
    let folder = accession.replace('-', "");
    let filing = Filing {
        symbol: options.symbol(cik),
        cik,
        company_name: name.trim().to_owned(),
        form_type: form.trim().to_owned(),
        filed_date: filed,
        accepted_at: Some(accepted_at),
        period_of_report: None,
        filing_url: format!(
            "https://www.sec.gov/Archives/edgar/data/{cik}/{folder}/{accession}-index.htm"
        ),
        description: form.trim().to_owned(),
        other_parties: Vec::new(),
        accession,
    };
    Some((matches!(role, "Reporting" | "Filed by"), filing))
}
