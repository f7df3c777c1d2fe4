//! Lists of filings in the formats in which EDGAR publishes them, and Form 13F.
//!
//! Supported are the `submissions` documents of data.sec.gov and their continuations, responses of the full-text
//! search, daily and quarterly form indexes, the Atom list of the latest filings, complete submissions, and the
//! documents of a Form 13F. Other structured forms, such as Schedule 13D, are refused by name.

mod index;
mod items;
mod latest;
mod search;
mod submissions;

use model::{Filing, Symbol};
use serde_json::Value;

use super::super::{ReadError, Reading};
use super::holdings::{self, Cover};
use super::submission::Submission;
use super::xml::Element;
use super::{DisclosureOptions, edgar, text_of, unknown};

const EXPECTED: &str = "expected a submissions document, an answer of the full-text search, a form index, the Atom list of \
                        latest filings, a complete submission, or a Form 13F";

/// Reads a list of filings or a Form 13F.
pub fn parse_filings(
    name: &str,
    bytes: &[u8],
    options: &DisclosureOptions<'_>,
) -> Result<Reading, ReadError> {
    let text = text_of(bytes);
    let start = text.trim_start();
    if start.starts_with('{') {
        let document: Value = serde_json::from_str(start)
            .map_err(|error| unknown(format!("the document is not valid JSON: {error}")))?;
        return submissions::parse(name, &document, options)
            .or_else(|| search::parse(&document, options))
            .ok_or_else(|| unknown(EXPECTED));
    }
    if Submission::recognises(start) {
        let submission = Submission::parse(start).ok_or_else(|| {
            unknown(
                "the header of the submission lacks its accession number, form or day of filing",
            )
        })?;
        return Ok(of_submission(&submission, options));
    }
    if start.starts_with('<') {
        let root = Element::parse(start)
            .ok_or_else(|| unknown("the document is not valid XML, or too large"))?;
        return of_xml(name, bytes, &root, options);
    }
    index::parse(&text, options).ok_or_else(|| unknown(EXPECTED))
}

fn of_xml(
    name: &str,
    bytes: &[u8],
    root: &Element,
    options: &DisclosureOptions<'_>,
) -> Result<Reading, ReadError> {
    if let Some(reading) = latest::parse(root, options) {
        return Ok(reading);
    }
    if holdings::is_table(root) {
        let accession =
            edgar::accession_in(name).unwrap_or_else(|| edgar::accession_of_contents(bytes));
        let cover = Cover {
            accession: Some(accession),
            ..Cover::default()
        };
        let mut reading = Reading::default();
        let report = holdings::report(cover, root, options, &mut reading.report);
        reading
            .batch
            .holdings_reports
            .push(report.map_err(unknown)?);
        return Ok(reading);
    }
    if Cover::parse(root).is_some() {
        return Err(unknown(
            "this is the cover of a Form 13F without its information table: import the complete submission",
        ));
    }
    let form = root
        .text(&["headerData", "submissionType"])
        .unwrap_or(root.name());
    Err(unknown(format!(
        "{form} is not a supported form; {EXPECTED}"
    )))
}

fn of_submission(submission: &Submission<'_>, options: &DisclosureOptions<'_>) -> Reading {
    let mut reading = Reading::default();
    reading.report.rows = 1;
    let Some(party) = submission.party(&["ISSUER", "SUBJECT COMPANY", "FILER", "FILED BY"]) else {
        reading.report.refuse(1, "the header does not name a filer");
        return reading;
    };
    let document = submission.documents.first();
    let description = document.and_then(|document| document.description);
    let items: Vec<&str> = submission.items.iter().map(String::as_str).collect();
    reading.batch.filings.push(Filing {
        accession: submission.accession.clone(),
        symbol: options.symbol(party.cik),
        cik: party.cik,
        company_name: party.name.clone(),
        form_type: submission.form.clone(),
        filed_date: submission.filed,
        accepted_at: submission.accepted_at,
        period_of_report: submission.period,
        filing_url: edgar::filing_url(
            party.cik,
            &submission.accession,
            document.and_then(|document| document.file_name),
        ),
        description: items::describe(&submission.form, description.unwrap_or_default(), &items),
        other_parties: Vec::new(),
    });
    if submission.form.starts_with("13F-HR") {
        holdings_of(submission, party.cik, &party.name, options, &mut reading);
    }
    reading
}

fn holdings_of(
    submission: &Submission<'_>,
    cik: u64,
    name: &str,
    options: &DisclosureOptions<'_>,
    reading: &mut Reading,
) {
    let roots: Vec<Element> = submission
        .documents
        .iter()
        .filter(|document| document.text.starts_with('<'))
        .filter_map(|document| Element::parse(document.text))
        .collect();
    let mut cover = roots.iter().find_map(Cover::parse).unwrap_or_default();
    cover.accession = Some(submission.accession.clone());
    cover.filed = Some(submission.filed);
    cover.cik = cover.cik.or(Some(cik));
    cover.institution = cover.institution.or_else(|| Some(name.to_owned()));
    cover.report_date = cover.report_date.or(submission.period);
    let Some(table) = roots.iter().find(|root| holdings::is_table(root)) else {
        reading
            .report
            .refuse(1, "the Form 13F has no information table as XML");
        return;
    };
    match holdings::report(cover, table, options, &mut reading.report) {
        Ok(report) => reading.batch.holdings_reports.push(report),
        Err(reason) => reading.report.refuse(1, reason),
    }
}

/// The symbol given in the response itself, if the operator gives none and no table knows the number.
fn symbol_or(
    cik: u64,
    own: impl FnOnce() -> Option<Symbol>,
    options: &DisclosureOptions<'_>,
) -> Option<Symbol> {
    options
        .symbol
        .cloned()
        .or_else(own)
        .or_else(|| options.symbol(cik))
}
