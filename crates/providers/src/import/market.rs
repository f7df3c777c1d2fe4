//! Market data files: what an operator brings along, read into [`MarketBatch`]es.
//!
//! A reader is pure: bytes in, a batch and a report out. Dirt stays out, counted by its reason and shown with its line; gaps
//! are gaps. Nothing here stores anything.
//!
//! Tables of candles are read from a [`Source`] row by row and handed over in pieces, so that a file of any length takes the
//! same memory. Everything else is a document that is read whole and bounded in bytes.

pub mod disclosures;
pub mod files;
mod source;

use std::collections::BTreeMap;

use model::MarketBatch;

pub use source::{
    DOCUMENT_BYTES, FileSource, JSON_BYTES, MemorySource, Places, Source, load_document,
};

/// Refused rows that are kept with their line; the rest is only counted.
const SHOWN: usize = 200;
/// Reasons and names of columns that are counted apart; the rest is counted together.
const NAMED: usize = 500;
/// Characters of a name of a column that are shown.
const SHOWN_NAME: usize = 80;
/// Characters of a reason that are shown.
const SHOWN_REASON: usize = 200;
/// What is not counted apart.
const OTHERS: &str = "others";

/// What reading one file brought.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// What is sound.
    pub batch: MarketBatch,
    /// What was met.
    pub report: ReadReport,
}

/// What was met in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct ReadReport {
    /// Rows, records or entries, whatever the file consists of.
    pub rows: u64,
    /// Refused ones by reason.
    pub refused: BTreeMap<String, u64>,
    /// The first refused ones.
    pub problems: Vec<Refused>,
    /// Columns or keys that were not used, with the number of rows that have them.
    pub unused: BTreeMap<String, u64>,
}

/// A row that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Refused {
    /// Its line in the file, from one; for JSON documents its place in the list, from one.
    pub line: u64,
    /// Why.
    pub reason: String,
}

/// A file that cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its form is none that this kind of import knows; the words say what was expected.
    #[error("{0}")]
    Unknown(String),
    /// Reading failed.
    #[error("the file cannot be read")]
    File(#[from] std::io::Error),
    /// A document that is read whole is larger than it may be.
    #[error("the document is larger than {} MiB and is not read; split it", .0 >> 20)]
    TooLarge(u64),
    /// A document of JSON has more values than it may.
    #[error("the document has more than {0} values and is not read; split it")]
    TooManyValues(usize),
    /// Whoever takes what is read wants no more.
    #[error("the import was stopped")]
    Stopped,
}

impl ReadReport {
    /// Counts a row that is not taken.
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

    /// How many rows were not taken.
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
