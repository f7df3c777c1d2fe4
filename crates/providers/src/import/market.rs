//! Market data files: supplied by an operator and read into [`MarketBatch`]es.
//!
//! A reader is pure: bytes in, a batch and a report out. Bad data stays out, counted by reason and shown with its
//! line number; missing data stays missing. Nothing here stores anything.
//!
//! Tables of candles are read from a [`Source`] row by row and handed over in pieces, so a file of any length takes
//! the same memory. Everything else is a document that is read whole, up to a limit in bytes.

pub mod disclosures;
pub mod files;
mod source;

use std::collections::BTreeMap;

use model::MarketBatch;

pub use source::{
    DOCUMENT_BYTES, FileSource, JSON_BYTES, MemorySource, Places, Source, load_document,
};

/// Rejected rows that are kept with their line; the rest are only counted.
const SHOWN: usize = 200;
/// Reasons and column names that are counted separately; the rest are counted together.
const NAMED: usize = 500;
/// Characters of a column name that are shown.
const SHOWN_NAME: usize = 80;
/// Characters of a reason that are shown.
const SHOWN_REASON: usize = 200;
/// The name for everything not counted separately.
const OTHERS: &str = "others";

/// The result of reading one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The valid data.
    pub batch: MarketBatch,
    /// The report on the file.
    pub report: ReadReport,
}

/// A report on the contents of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct ReadReport {
    /// Rows, records or entries, depending on the file.
    pub rows: u64,
    /// Rejected ones by reason.
    pub refused: BTreeMap<String, u64>,
    /// The first rejected ones.
    pub problems: Vec<Refused>,
    /// Columns or keys that were not used, with the number of rows that contain them.
    pub unused: BTreeMap<String, u64>,
}

/// A row that was rejected.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Refused {
    /// Its line in the file, counted from one; for JSON documents its position in the list, counted from one.
    pub line: u64,
    /// The reason.
    pub reason: String,
}

/// A file that cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its format is not one that this kind of import knows; the words say what was expected.
    #[error("{0}")]
    Unknown(String),
    /// Reading failed.
    #[error("the file cannot be read")]
    File(#[from] std::io::Error),
    /// A document that is read whole is larger than permitted.
    #[error("the document is larger than {} MiB and is not read; split it", .0 >> 20)]
    TooLarge(u64),
    /// A JSON document has more values than permitted.
    #[error("the document has more than {0} values and is not read; split it")]
    TooManyValues(usize),
    /// The receiver of the data wants no more.
    #[error("the import was stopped")]
    Stopped,
}

impl ReadReport {
    /// Counts a rejected row.
    pub fn refuse(&mut self, line: u64, reason: impl Into<String>) {
        let mut reason: String = reason.into();
        reason.truncate(reason.floor_char_boundary(SHOWN_REASON));
        count(&mut self.refused, &reason, 1);
        if self.problems.len() < SHOWN {
            self.problems.push(Refused { line, reason });
        }
    }

    /// Counts a column or key that is not used.
    pub(crate) fn note_unused(&mut self, name: &str, rows: u64) {
        let name: String = name.chars().take(SHOWN_NAME).collect();
        count(&mut self.unused, &name, rows);
    }

    /// How many rows were rejected.
    pub fn refused_total(&self) -> u64 {
        self.refused.values().sum()
    }
}

fn count(counts: &mut BTreeMap<String, u64>, name: &str, more: u64) {
    if let Some(counted) = counts.get_mut(name) {
        *counted += more;
        return;
    }
    let name = if counts.len() < NAMED { name } else { OTHERS };
    *counts.entry(name.to_owned()).or_default() += more;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_bounded_whatever_a_file_holds() {
        let mut report = ReadReport::default();
        for number in 0..1_000_000_u64 {
            report.refuse(number, format!("reason {number}"));
        }
        for number in 0..10_000 {
            report.note_unused(&format!("{number} {}", "x".repeat(1_000)), 1);
        }
        assert_eq!(report.refused_total(), 1_000_000);
        assert_eq!(report.problems.len(), SHOWN);
        assert!(report.refused.len() <= NAMED + 1 && report.unused.len() <= NAMED + 1);
        assert!(report.unused.keys().all(|name| name.len() <= SHOWN_NAME));
    }
}
