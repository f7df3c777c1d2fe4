//! Laying corrections over what was reported first.

use std::collections::BTreeMap;

use model::Timestamp;

use super::History;
use crate::Result;
use crate::market::block::{self, BlockRow};

/// The blocks of one series, added by year and layer.
#[derive(Debug)]
pub(super) struct Layers {
    as_of: Option<Timestamp>,
    rows: Vec<BlockRow>,
    /// Where the rows of the current year begin.
    year_begins: usize,
    year: i64,
    last_correction: Option<Timestamp>,
}

impl Layers {
    /// Corrections count that were known at `as_of`; `None` is now.
    pub(super) const fn new(as_of: Option<Timestamp>) -> Self {
        Self {
            as_of,
            rows: Vec::new(),
            year_begins: 0,
            year: i64::MIN,
            last_correction: None,
        }
    }

    /// Adds a block; blocks come by year, then by layer.
    pub(super) fn add(
        &mut self,
        series: &str,
        year: i64,
        layer: i64,
        known_at: Timestamp,
        body: &[u8],
    ) -> Result<()> {
        if year != self.year {
            self.year = year;
            self.year_begins = self.rows.len();
        }
        if layer == 0 {
            self.rows.extend(block::decode(body, series, year)?);
            return Ok(());
        }
        let is_later = self.as_of.is_some_and(|as_of| known_at > as_of);
        for correction in block::decode(body, series, year)? {
            let of_year = &mut self.rows[self.year_begins..];
            // A correction is of a day that was reported before, so there is a row to replace.
            let Ok(place) = of_year.binary_search_by_key(&correction.day, |row| row.day) else {
                continue;
            };
            // Who confirms a price changes nothing that was known before.
            if of_year[place].values != correction.values {
                self.last_correction = self.last_correction.max(Some(known_at));
            }
            if !is_later {
                of_year[place] = correction;
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> History<BlockRow> {
        History {
            recorded_at: self.rows.last().map(|row| row.recorded_at),
            rows: self.rows,
            last_correction: self.last_correction,
        }
    }
}

/// What is stored of a series in one year, by day: as reported first, and as it stands.
#[derive(Debug, Default)]
pub(super) struct Year {
    pub(super) base: BTreeMap<i32, BlockRow>,
    /// The newest report of each corrected day.
    pub(super) corrected: BTreeMap<i32, BlockRow>,
    pub(super) last_layer: i64,
}

impl Year {
    pub(super) fn add(&mut self, layer: i64, rows: Vec<BlockRow>) {
        let into = if layer == 0 {
            &mut self.base
        } else {
            &mut self.corrected
        };
        into.extend(rows.into_iter().map(|row| (row.day.get(), row)));
        self.last_layer = self.last_layer.max(layer);
    }

    /// Whether nothing is stored.
    pub(super) fn is_new(&self) -> bool {
        self.base.is_empty() && self.corrected.is_empty()
    }

    /// What stands for a day.
    pub(super) fn standing(&self, day: i32) -> Option<&BlockRow> {
        self.corrected.get(&day).or_else(|| self.base.get(&day))
    }
}
