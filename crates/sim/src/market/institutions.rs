//! Forms 13F filed by invented institutions.

use std::ops::Range;
use std::sync::LazyLock;

use model::{Holding, HoldingsReport, MarketBatch, Timestamp, table};

use super::MarketWorld;
use super::chance::normal;
use super::clock::{end_of, working_day};
use super::paths::Line;
use super::prices::close_on;
use super::reports::Quarter;
use super::tables::{Share, Tables};
use crate::random::Random;

/// Names, and the maximum that each holds in a company, in percent. Together less than 80, whoever holds what.
static INSTITUTIONS: LazyLock<Vec<(&str, f64)>> = LazyLock::new(|| {
    table::rows(include_str!("../../data/institutions.tsv"))
        .filter_map(|[name, most]| Some((name, most.parse().ok()?)))
        .collect()
});

/// The minimum that an institution holds in a company, in percent; smaller positions are left out.
const LEAST_PCT: f64 = 0.2;

/// Quarters are published if they end at least this many days after the first filings.
const LATER_DAYS: i32 = 53;

impl MarketWorld {
    pub(super) fn add_institutions(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let begin = self.filings_from().plus(LATER_DAYS);
        let months = Self::months(stretch, begin, 120);
        let quarters = Quarter::of_month(*months.start()).0..=Quarter::of_month(*months.end()).0;
        let lines = &self.paths().shares;
        for quarter in quarters
            .map(Quarter)
            .filter(|quarter| quarter.end() >= begin)
        {
            for (place, &(name, most)) in INSTITUTIONS.iter().enumerate() {
                let mut random = Random::of(&[self.seed, 51, place as u64, quarter.0 as u64]);
                // The law gives them 45 days.
                let days = random.range(24, 43) as i32;
                let filed = working_day(quarter.end().plus(days));
                if stretch.contains(&end_of(filed)) {
                    let cik = 9_950_000_000 + place as u64;
                    let year = filed.date().year() % 100;
                    batch.holdings_reports.push(HoldingsReport {
                        accession: format!("{cik:010}-{year:02}-{:06}", quarter.0 % 1000),
                        institution: name.to_owned(),
                        institution_cik: cik,
                        report_date: quarter.end(),
                        filed,
                        amendment: None,
                        holdings: self.holdings(place, most, quarter, lines),
                    });
                }
            }
        }
    }

    fn holdings(&self, place: usize, most: f64, quarter: Quarter, lines: &[Line]) -> Vec<Holding> {
        let mut habits = Random::of(&[self.seed, 52, place as u64]);
        let wanted = habits.range(36, 140) as f64;
        let shares = &Tables::get().shares;
        let mut holdings: Vec<Holding> = shares
            .iter()
            .zip(lines)
            .filter(|(share, _)| share.files())
            .filter_map(|(share, line)| self.holding(place, most, quarter, share, line, wanted))
            .collect();
        let total: f64 = holdings.iter().map(|holding| holding.value).sum();
        for holding in &mut holdings {
            holding.portfolio_pct = (total > 0.0).then(|| 100.0 * holding.value / total);
        }
        holdings.sort_by(|left, right| right.value.total_cmp(&left.value));
        holdings
    }

    fn holding(
        &self,
        place: usize,
        most: f64,
        quarter: Quarter,
        share: &Share,
        line: &Line,
        wanted: f64,
    ) -> Option<Holding> {
        let mut random = Random::of(&[self.seed, 53, place as u64, share.cusip_number()]);
        // Large companies are held by more institutions.
        let size = (share.value_usd / 1e10).powf(0.25).clamp(0.4, 3.0);
        if !random.chance(wanted / 620.0 * size) {
            return None;
        }
        let usual = most * (-0.4 * normal(&mut random).abs()).exp();
        // Bought and sold a little each quarter since some starting point, and now and then all of it.
        let mut factor = 0.0;
        for past in 0..6 {
            let number = (quarter.0 - past) as u64;
            let mut random =
                Random::of(&[self.seed, 54, place as u64, share.cusip_number(), number]);
            factor += 0.1 * normal(&mut random);
            if past == 0 && random.chance(0.05) {
                return None;
            }
        }
        let percent = (usual * factor.exp()).clamp(LEAST_PCT, most);
        let held = (percent / 100.0 * share.count()).round();
        let price = close_on(line, &self.clock, quarter.end())?;
        (held >= 1.0).then(|| Holding {
            symbol: Some(share.symbol.clone()),
            cusip: format!("Z{:08}", share.cusip_number() % 100_000_000),
            issuer: share.name.to_uppercase(),
            class: String::new(),
            shares: held,
            value: (held * price).round(),
            portfolio_pct: None,
        })
    }
}

impl Share {
    /// A separate number for each share class.
    fn cusip_number(&self) -> u64 {
        crate::random::hash_word(self.symbol.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        let file = include_str!("../../data/institutions.tsv");
        assert_eq!(table::fault(file, 2, 1), None);
        assert_eq!(table::lines(file).count(), INSTITUTIONS.len());
    }
}
