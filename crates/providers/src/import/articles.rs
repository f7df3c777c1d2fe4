//! Articles as JSON, one object per line or all in one array.
//!
//! Exports name their fields in a dozen ways. The common names are understood, and the report says how each field was
//! read. A bad line is one error: the rest of the file is still read.

mod mapping;
mod records;

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use model::RawArticle;
use serde::Serialize;

use mapping::parse_record;
use records::{Record, RecordFault, Records};

/// Longest line or array element that is read.
pub const LONGEST_RECORD: usize = 16 << 20;

/// Most field names listed in the report; a file with more has keys that are data.
const REPORTED_FIELDS: usize = 500;

/// Reads articles one at a time; keeps one record in memory.
#[derive(Debug)]
pub struct Reader<Source> {
    records: Records<Source>,
    report: MappingReport,
}

/// How the fields of a file were read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MappingReport {
    /// By field, how often it was read as which meaning.
    pub mapped: BTreeMap<String, BTreeMap<&'static str, u64>>,
    /// By field, how often it occurred and was not understood.
    pub unmapped: BTreeMap<String, u64>,
    /// By field, how often its meaning is known but its value could not be read, for example a date in words.
    pub unreadable: BTreeMap<String, u64>,
}

/// A record that is not an article.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct LineError {
    /// Where the record begins, counted from one.
    pub line: u64,
    /// What is wrong with it.
    #[source]
    pub fault: LineFault,
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum LineFault {
    /// Bytes that are not UTF-8.
    #[error("not valid utf-8")]
    NotText,
    /// More than [`LONGEST_RECORD`].
    #[error("longer than {LONGEST_RECORD} bytes")]
    TooLong,
    /// Malformed JSON.
    #[error("malformed json: {0}")]
    Json(#[source] serde_json::Error),
    /// JSON, but not an object.
    #[error("not a json object")]
    NotAnObject,
    /// No field contains an address, so the article could not be told apart from others.
    #[error("no address")]
    NoAddress,
    /// The address is not one that can be visited.
    #[error("{0:?} is not an address")]
    BadAddress(String),
    /// Neither headline nor text.
    #[error("no title")]
    NoTitle,
    /// The file ended inside an array or could not be read any further; nothing follows.
    #[error("the rest of the file cannot be read: {0}")]
    Broken(#[source] io::Error),
}

impl LineError {
    /// Whether the file ends here because it could not be read any further.
    pub const fn is_final(&self) -> bool {
        matches!(self.fault, LineFault::Broken(_))
    }
}

impl<Source: BufRead> Reader<Source> {
    /// Reads from the beginning of a file, as [`open`](super::open) returns it.
    pub fn new(source: Source) -> Self {
        Self {
            records: Records::new(source),
            report: MappingReport::default(),
        }
    }

    /// How the fields have been read so far.
    pub const fn report(&self) -> &MappingReport {
        &self.report
    }

    fn parse(&mut self, record: Record) -> Result<RawArticle, LineFault> {
        let bytes = record.bytes.map_err(|fault| match fault {
            RecordFault::TooLong => LineFault::TooLong,
            RecordFault::Broken(error) => LineFault::Broken(error),
        })?;
        let text = std::str::from_utf8(&bytes).map_err(|_| LineFault::NotText)?;
        match serde_json::from_str(text).map_err(LineFault::Json)? {
            serde_json::Value::Object(fields) => parse_record(&fields, &mut self.report),
            _ => Err(LineFault::NotAnObject),
        }
    }
}

impl<Source: BufRead> Iterator for Reader<Source> {
    type Item = (u64, Result<RawArticle, LineError>);

    /// The line in which the next record begins, counted from one, and the record.
    fn next(&mut self) -> Option<Self::Item> {
        let record = self.records.next()?;
        let line = record.line;
        Some((
            line,
            self.parse(record)
                .map_err(|fault| LineError { line, fault }),
        ))
    }
}

impl MappingReport {
    fn count_mapped(&mut self, field: &str, meaning: &'static str) {
        if self.mapped.len() < REPORTED_FIELDS || self.mapped.contains_key(field) {
            *self
                .mapped
                .entry(field.to_owned())
                .or_default()
                .entry(meaning)
                .or_default() += 1;
        }
    }

    fn count_unmapped(&mut self, field: &str) {
        count(&mut self.unmapped, field);
    }

    fn count_unreadable(&mut self, field: &str) {
        count(&mut self.unreadable, field);
    }
}

fn count(counts: &mut BTreeMap<String, u64>, field: &str) {
    if counts.len() < REPORTED_FIELDS || counts.contains_key(field) {
        *counts.entry(field.chars().take(80).collect()).or_default() += 1;
    }
}

#[cfg(test)]
mod tests;
