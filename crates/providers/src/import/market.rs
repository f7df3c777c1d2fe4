//! Market data files: what an operator brings along, read into [`MarketBatch`]es.
//!
//! A reader is pure: bytes in, a batch and a report out. Dirt stays out, counted by its reason and shown with its line; gaps
//! are gaps. Nothing here stores anything.

pub mod disclosures;

use std::collections::BTreeMap;

use crate::MarketBatch;

/// Refused rows that are kept with their line; the rest is only counted.
const SHOWN: usize = 200;

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
}

impl ReadReport {
    /// Counts a row that is not taken.
    pub fn refuse(&mut self, line: u64, reason: impl Into<String>) {
        let reason = reason.into();
        *self.refused.entry(reason.clone()).or_default() += 1;
        if self.problems.len() < SHOWN {
            self.problems.push(Refused { line, reason });
        }
    }

    /// How many rows were not taken.
    pub fn refused_total(&self) -> u64 {
        self.refused.values().sum()
    }
}
