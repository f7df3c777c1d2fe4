//! Value locked in protocols and on chains.

use std::ops::Range;

use model::{Chain, MarketBatch, Observation, Protocol, Timestamp};

use super::chance::normal;
use super::clock::end_of;
use super::factors::stream;
use super::prices::{daily, day_at};
use super::tables::Tables;
use super::{MarketWorld, SOURCE};

impl MarketWorld {
    pub(super) fn add_defi(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let days = self.days_over(stretch);
        if days.is_empty() {
            return;
        }
        let tables = Tables::get();
        for row in &tables.protocols {
            let values = self.locked(row.slug, row.value_usd, days.end);
            let observations: Vec<Observation> = days
                .clone()
                .filter(|&place| day_at(place) >= self.disclosures_from())
                .filter_map(|place| {
                    Some(Observation {
                        day: day_at(place),
                        value: *values.get(place)?,
                    })
                })
                .collect();
            if !observations.is_empty() {
                let id = format!("tvl:{}", row.slug);
                let name = format!("Value locked in {}", row.name);
                batch.series.push((daily(&id, &name, "USD"), observations));
            }
            let shown = days.clone().filter(|&place| self.has_snapshots(place));
            batch.protocols.extend(shown.filter_map(|place| {
                let tvl = *values.get(place)?;
                let change = |days: usize| {
                    let before = values.get(place.checked_sub(days)?)?;
                    Some(100.0 * (tvl / before - 1.0))
                };
                Some(Protocol {
                    slug: row.slug.to_owned(),
                    name: row.name.to_owned(),
                    category: row.category.to_owned(),
                    tvl,
                    change_1d: change(1),
                    change_7d: change(7),
                    chains: row.chains.clone(),
                    at: end_of(day_at(place)),
                    source: SOURCE.to_owned(),
                })
            }));
        }
        for row in &tables.chains {
            let values = self.locked(row.name, row.value_usd, days.end);
            let shown = days.clone().filter(|&place| self.has_snapshots(place));
            batch.chains.extend(shown.filter_map(|place| {
                Some(Chain {
                    name: row.name.to_owned(),
                    tvl: *values.get(place)?,
                    at: end_of(day_at(place)),
                    source: SOURCE.to_owned(),
                })
            }));
        }
    }

    /// Value locked by UTC day before `end`: it moves with the coins that are locked.
    fn locked(&self, name: &str, usual: f64, end: usize) -> Vec<f64> {
        let moods = &self.paths().factors.coins;
        let mut random = stream(self.seed, name);
        let mut strayed = 0.0;
        let mut mood = 0.0;
        moods
            .iter()
            .take(end)
            .map(|today| {
                strayed += 0.011 * normal(&mut random) - 0.004 * strayed;
                mood += today;
                let level: f64 = 0.6 * mood + strayed;
                (usual * level.clamp(-3.0, 3.0).exp()).round()
            })
            .collect()
    }
}
