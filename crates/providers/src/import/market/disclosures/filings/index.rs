//! Form indexes for a day or a quarter: fixed-width lines, form type first.
//!
//! A filing has a line for each of its parties, and the index does not say which is the issuer. The first one with a
//! symbol counts, otherwise the first; the others are kept in case one of them is listed later.

use std::collections::HashMap;

use model::Filing;

use super::super::{DisclosureOptions, edgar};
use crate::import::market::Reading;

pub(super) fn parse(text: &str, options: &DisclosureOptions<'_>) -> Option<Reading> {
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().take(20).position(|line| {
        line.starts_with("Form Type") && line.contains("Company Name") && line.contains("CIK")
    })?;
    let header = lines[head];
    let columns = [
        header.find("Company Name")?,
        header.find("CIK")?,
        header.find("Date Filed")?,
        header.find("File Name")?,
    ];
    let mut reading = Reading::default();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (place, line) in lines.iter().enumerate().skip(head + 1) {
        if line.trim().is_empty() || line.starts_with("---") {
            continue;
        }
        reading.report.rows += 1;
        let line_number = place as u64 + 1;
        let Some(filing) = filing(line, columns, options) else {
            reading.report.refuse(
                line_number,
                "the line does not fit the columns of the header",
            );
            continue;
        };
        let filings = &mut reading.batch.filings;
        let known = places
            .get(&filing.accession)
            .and_then(|known| filings.get_mut(*known));
        let Some(known) = known else {
            places.insert(filing.accession.clone(), filings.len());
            filings.push(filing);
            continue;
        };
        if known.symbol.is_none() {
            if filing.symbol.is_some() {
                *known = filing;
            } else {
                known.add_party(filing.cik, filing.company_name);
            }
        }
        reading.report.refuse(
            line_number,
            "another party to a filing that is already listed",
        );
    }
    Some(reading)
}

fn filing(line: &str, columns: [usize; 4], options: &DisclosureOptions<'_>) -> Option<Filing> {
    let [name, cik, filed, file] = columns;
    let form = line.get(..name)?.trim();
    let cik: u64 = line.get(cik..filed)?.trim().parse().ok()?;
    let path = line.get(file..)?.trim();
    let accession = edgar::accession_in(path.rsplit('/').next()?)?;
    (!form.is_empty() && path.starts_with("edgar/data/")).then_some(())?;
    Some(Filing {
        accession,
        symbol: options.symbol(cik),
        cik,
        company_name: line.get(name..columns[1])?.trim().to_owned(),
        form_type: form.to_owned(),
        filed_date: edgar::day(line.get(filed..file)?)?,
        accepted_at: None,
        period_of_report: None,
        filing_url: format!("https://www.sec.gov/Archives/{path}"),
        description: form.to_owned(),
        other_parties: Vec::new(),
    })
}
