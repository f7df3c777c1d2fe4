//! Facts from filings: the `companyfacts` documents of data.sec.gov, statements collected by others, and tables of
//! index members.
//!
//! A document contains every number that a company ever reported, once for each filing that reports it. The result is
//! one set of facts per filing, so that what was known on a day can be reconstructed. Only annual, quarterly and
//! interim reports are read.

use std::collections::BTreeMap;

use model::{AssetType, Concept, Day, Fact, FactSet, Instrument, NameSource};
use serde_json::{Map, Value};

use super::super::{ReadError, ReadReport, Reading, files};
use super::{DisclosureOptions, cik_of, edgar, number_of, statements, tags, text_of, unknown};

/// Forms whose numbers count as facts; amendments have the suffix `/A`.
const FORMS: [&str; 7] = ["10-K", "10-Q", "10-KT", "10-QT", "20-F", "40-F", "6-K"];

/// Reads a `companyfacts` document or a table of index members with their valuations.
pub fn parse_fundamentals(
    name: &str,
    bytes: &[u8],
    options: &DisclosureOptions<'_>,
) -> Result<Reading, ReadError> {
    let text = text_of(bytes);
    if !text.trim_start().starts_with('{') {
        return files::parse_members(name, bytes);
    }
    let document: Value = serde_json::from_str(&text)
        .map_err(|error| unknown(format!("the document is not valid JSON: {error}")))?;
    if document.get("timeseries").is_some() {
        return statements::parse_time_series(&document, options);
    }
    if document.get("quoteSummary").is_some() {
        return statements::parse_summary(&document, options);
    }
    let facts = document.get("facts").and_then(Value::as_object);
    let (Some(facts), Some(cik)) = (facts, document.get("cik").and_then(cik_of)) else {
        return Err(unknown(
            "expected a companyfacts document of data.sec.gov, with the keys cik and facts, or fundamentals of Yahoo Finance, with \
             the key timeseries or quoteSummary",
        ));
    };
    let entity = document.get("entityName").and_then(Value::as_str);
    let entity = entity.map(str::trim).filter(|name| !name.is_empty());
    let Some(symbol) = options.symbol(cik) else {
        return Err(unknown(format!(
            "the facts are those of {} (CIK {cik}), for which no symbol is known: give it with --symbol, or import \
             company_tickers.json first",
            entity.unwrap_or("a company without a name"),
        )));
    };
    let mut reading = Reading::default();
    let filings = collect(facts, &mut reading.report);
    for (accession, filing) in filings {
        reading.batch.facts.push(FactSet {
            symbol: symbol.clone(),
            cik: Some(cik),
            accession,
            form: filing.form,
            filed: filing.filed,
            accepted_at: None,
            facts: facts_of(filing.values),
        });
    }
    reading.batch.instruments.push(Instrument {
        name: entity.map(ToOwned::to_owned),
        named_by: NameSource::Register,
        cik: Some(cik),
        ..Instrument::bare(symbol, AssetType::Equity)
    });
    Ok(reading)
}

/// Concept, first and last day, unit.
type Period = (Concept, Option<Day>, Day, String);

/// Tier, part and rank of a tag.
type Place = (u8, u8, usize);

struct FilingFacts {
    form: String,
    filed: Day,
    values: BTreeMap<Period, BTreeMap<Place, f64>>,
}

/// A number as reported in one filing.
struct Entry {
    accession: String,
    form: String,
    filed: Day,
    start: Option<Day>,
    end: Day,
    value: f64,
}

fn collect(facts: &Map<String, Value>, report: &mut ReadReport) -> BTreeMap<String, FilingFacts> {
    let mut filings: BTreeMap<String, FilingFacts> = BTreeMap::new();
    for (taxonomy, by_tag) in facts {
        for (tag, said) in by_tag.as_object().into_iter().flatten() {
            let meanings: Vec<_> = tags::meanings(taxonomy, tag).collect();
            let units = said.get("units").and_then(Value::as_object);
            for (unit, entries) in units.into_iter().flatten() {
                let entries = entries.as_array().map_or(&[][..], Vec::as_slice);
                report.rows += entries.len() as u64;
                if meanings.is_empty() {
                    report.note_unused(tag, entries.len() as u64);
                    continue;
                }
                for (place, entry) in entries.iter().enumerate() {
                    let entry = match parse_entry(entry) {
                        Ok(entry) => entry,
                        Err(reason) => {
                            report.refuse(place as u64 + 1, format!("{tag}: {reason}"));
                            continue;
                        }
                    };
                    let filing = filings.entry(entry.accession).or_insert(FilingFacts {
                        form: entry.form,
                        filed: entry.filed,
                        values: BTreeMap::new(),
                    });
                    for meaning in &meanings {
                        filing
                            .values
                            .entry((meaning.concept, entry.start, entry.end, unit.clone()))
                            .or_default()
                            .entry((meaning.tier, meaning.part, meaning.order))
                            .or_insert(entry.value);
                    }
                }
            }
        }
    }
    filings
}

fn parse_entry(entry: &Value) -> Result<Entry, &'static str> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    let form = text("form").ok_or("the fact does not name a form")?;
    if !FORMS.contains(&form.strip_suffix("/A").unwrap_or(form)) {
        return Err("the form is not an annual, quarterly or interim report");
    }
    let start = match text("start") {
        Some(start) => Some(Day::parse(start).ok_or("the first day is not a date")?),
        None => None,
    };
    let end = text("end")
        .and_then(Day::parse)
        .ok_or("the last day is not a date")?;
    if start.is_some_and(|start| start > end) {
        return Err("the period ends before it begins");
    }
    Ok(Entry {
        accession: text("accn")
            .and_then(edgar::accession)
            .ok_or("the fact does not name a filing")?,
        form: form.to_owned(),
        filed: text("filed")
            .and_then(Day::parse)
            .ok_or("the day of filing is not a date")?,
        start,
        end,
        value: entry
            .get("val")
            .and_then(number_of)
            .ok_or("the value is not a number")?,
    })
}

/// The lowest tier for each period; its parts are added up, with the first value for each part.
fn facts_of(values: BTreeMap<Period, BTreeMap<Place, f64>>) -> Vec<Fact> {
    let mut facts = Vec::with_capacity(values.len());
    for ((concept, start, end, unit), places) in values {
        let Some(&(lowest, ..)) = places.keys().next() else {
            continue;
        };
        let mut parts: BTreeMap<u8, f64> = BTreeMap::new();
        for ((tier, part, _), value) in places {
            if tier == lowest {
                parts.entry(part).or_insert(value);
            }
        }
        facts.push(Fact {
            concept,
            start,
            end,
            value: parts.values().sum(),
            unit,
        });
    }
    facts
}
