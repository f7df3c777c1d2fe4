//! Applies corrections on top of what was first reported.

use std::collections::{BTreeMap, BTreeSet};

use model::{Day, Timestamp};

use super::History;
use crate::Result;
use crate::market::block::{self, BlockRow};

/// The blocks of one series, added by year and layer.
#[derive(Debug)]
pub(super) struct Layers {
    as_of: Option<Timestamp>,
    rows: Vec<BlockRow>,
    /// Where the rows for the current year begin.
    year_begins: usize,
    year: i64,
    last_correction: Option<Timestamp>,
}

impl Layers {
    /// Only corrections known at `as_of` count; `None` means now.
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
            // A correction is for a day that was reported before, so there is a row to replace.
            let Ok(place) = of_year.binary_search_by_key(&correction.day, |row| row.day) else {
                continue;
            };
            // A source that confirms a price changes nothing that was known before.
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

/// What is stored for a series in one year, by day: as first reported, and as corrected since.
#[derive(Debug, Default)]
pub(super) struct Year {
    /// As first reported (layer 0), and the corrections of each later layer.
    layers: BTreeMap<i64, BTreeMap<i32, BlockRow>>,
    /// The layers that have changed since they were stored.
    changed: BTreeSet<i64>,
}

impl Year {
    pub(super) fn add(&mut self, layer: i64, rows: Vec<BlockRow>) {
        let into = self.layers.entry(layer).or_default();
        into.extend(rows.into_iter().map(|row| (row.day.get(), row)));
    }

    /// Whether nothing is stored.
    pub(super) fn is_new(&self) -> bool {
        self.layers.is_empty()
    }

    /// The row in force for a day.
    pub(super) fn standing(&self, day: Day) -> Option<&BlockRow> {
        let mut newest_first = self.layers.values().rev();
        newest_first.find_map(|rows| rows.get(&day.get()))
    }

    /// The rows in force for each day, ascending.
    pub(super) fn all_standing(&self) -> impl Iterator<Item = &BlockRow> {
        let reported = self.layers.get(&0).into_iter().flat_map(BTreeMap::values);
        reported.filter_map(move |row| self.standing(row.day))
    }

    /// Puts a row in place of everything reported for its day, as if it had come first.
    pub(super) fn replace(&mut self, row: BlockRow) {
        self.layers.entry(0).or_default().insert(row.day.get(), row);
        for (layer, rows) in &mut self.layers {
            if let Some(before) = rows.get_mut(&row.day.get()) {
                *before = row;
                self.changed.insert(*layer);
            }
        }
    }

    /// Applies corrections on top of the rows in force.
    pub(super) fn correct(&mut self, rows: Vec<BlockRow>) {
        if rows.is_empty() {
            return;
        }
        let layer = self.layers.last_key_value().map_or(0, |(last, _)| last + 1);
        self.add(layer, rows);
        self.changed.insert(layer);
    }

    /// The layers that have changed since they were stored, each with all its rows, ascending by day.
    pub(super) fn into_changed(mut self) -> impl Iterator<Item = (i64, Vec<BlockRow>)> {
        self.changed.into_iter().filter_map(move |layer| {
            let rows = self.layers.remove(&layer)?;
            Some((layer, rows.into_values().collect()))
        })
    }
}
