//! Observations collected into series: sorted by day, each day once.

use std::collections::{BTreeMap, BTreeSet};

use model::{Day, Defect, Frequency, Observation, PRICE_MAX, PRICE_MIN, Series, SeriesId};
use rustc_hash::FxHashMap;

use super::{catalogue, settlements};
use crate::import::market::ReadReport;

/// A day, its line in the file, its value.
type Point = (Day, u64, f64);

/// Collects observations.
#[derive(Default)]
pub(super) struct Points {
    places: FxHashMap<SeriesId, usize>,
    series: Vec<(SeriesId, Vec<Point>)>,
}

impl Points {
    /// Adds one observation from a line.
    pub(super) fn push(&mut self, id: &SeriesId, line: u64, day: Day, value: f64) {
        let place = if let Some(place) = self.places.get(id) {
            *place
        } else {
            self.places.insert(id.clone(), self.series.len());
            self.series.push((id.clone(), Vec::new()));
            self.series.len() - 1
        };
        if let Some((_, points)) = self.series.get_mut(place) {
            points.push((day, line, value));
        }
    }

    /// Adds a price, or counts its line as rejected because it is not one.
    pub(super) fn push_price(
        &mut self,
        id: &SeriesId,
        line: u64,
        day: Day,
        value: f64,
        report: &mut ReadReport,
    ) {
        let defect = if settlements::are_of(id) {
            settlements::defect(value)
        } else {
            let is_price = (PRICE_MIN..=PRICE_MAX).contains(&value);
            (!is_price).then_some(Defect::Price)
        };
        match defect {
            None => self.push(id, line, day, value),
            Some(defect) => report.refuse(line, defect.to_string()),
        }
    }

    /// The series. If a day appears in several lines, the first is kept; a line that repeats a day in many columns is
    /// rejected once.
    pub(super) fn finish(
        self,
        source: &str,
        report: &mut ReadReport,
    ) -> Vec<(Series, Vec<Observation>)> {
        let mut repeated = BTreeSet::new();
        let mut finished = BTreeMap::new();
        for (id, mut points) in self.series {
            // Stable: lines for the same day keep their order.
            points.sort_by_key(|(day, _, _)| *day);
            let mut kept: Vec<Observation> = Vec::with_capacity(points.len());
            for (day, line, value) in points {
                if kept.last().is_some_and(|last| last.day == day) {
                    repeated.insert(line);
                } else {
                    kept.push(Observation { day, value });
                }
            }
            let days: Vec<Day> = kept.iter().map(|point| point.day).collect();
            let frequency = Frequency::of(&days);
            finished.insert(id.clone(), (catalogue::series(id, frequency, source), kept));
        }
        for line in repeated {
            report.refuse(line, Defect::RepeatedDay.to_string());
        }
        finished.into_values().collect()
    }
}
