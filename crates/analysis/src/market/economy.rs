//! Economic indicators and Treasury yields.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use market::yields::{Maturity, Yield, YieldCurve, yield_curve};
use model::{Day, Frequency, Observation, SeriesId, table};

use super::{DataIssue, PointInTime, TimeSeries, Unknown, Values, nearest};
use crate::Result;

/// How the values of an indicator are derived from its series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// The series values themselves.
    AsPublished,
    /// The change against the same month a year earlier, in percent.
    YearOverYear,
}

impl Derivation {
    /// The derivation for a word in the table.
    fn find(word: &str) -> Option<Self> {
        match word {
            "as_published" => Some(Self::AsPublished),
            "year_over_year" => Some(Self::YearOverYear),
            _ => None,
        }
    }
}

/// An economic indicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indicator {
    /// Its slug in paths, such as `core_cpi`.
    pub slug: &'static str,
    /// A name such as `Core Consumer Price Index`.
    pub name: &'static str,
    /// The FRED id of its series.
    pub series_id: &'static str,
    /// The ids of series that can stand in for it, separated by commas; empty if there are none.
    others: &'static str,
    /// How its values are derived from the series.
    pub derivation: Derivation,
}

/// A Treasury yield.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreasuryYield {
    /// The maturity of the bonds.
    pub maturity: Maturity,
    /// A name such as `10-Year Treasury`.
    pub name: &'static str,
    /// Its series.
    pub series: &'static str,
}

const INDICATORS_FILE: &str = include_str!("../../data/indicators.tsv");
const YIELDS_FILE: &str = include_str!("../../data/yields.tsv");

/// The number of indicators, from the top of the table, that make up the list; those further down can be found only by
/// their slug.
pub const LISTED: usize = 12;

/// Every indicator.
#[expect(clippy::expect_used, reason = "constant table, asked by a test")]
pub static INDICATORS: LazyLock<Vec<Indicator>> = LazyLock::new(|| {
    table::rows(INDICATORS_FILE)
        .map(|[slug, name, series, derivation]| {
            let (series_id, others) = series.split_once(',').unwrap_or((series, ""));
            Indicator {
                slug,
                name,
                series_id,
                others,
                derivation: Derivation::find(derivation).expect("constant table"),
            }
        })
        .collect()
});

/// The yields by maturity.
#[expect(clippy::expect_used, reason = "constant table, asked by a test")]
pub static YIELDS: LazyLock<Vec<TreasuryYield>> = LazyLock::new(|| {
    let find = |word| Maturity::ALL.into_iter().find(|one| one.as_str() == word);
    table::rows(YIELDS_FILE)
        .map(|[maturity, name, series]| TreasuryYield {
            maturity: find(maturity).expect("constant table"),
            name,
            series,
        })
        .collect()
});

/// By how many days a series must be newer than the preferred one to replace it.
const NEWER_BY: i32 = 62;

/// How many days before the newest yield of any maturity to look for a day that has all of them.
const DAYS_OF_YIELDS: i32 = 60;

/// The values of an indicator as known at a point in time; there is at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct IndicatorReading {
    /// Which indicator.
    pub indicator: &'static Indicator,
    /// The FRED id of the series that was read.
    pub series_id: &'static str,
    /// The unit of the values.
    pub unit: String,
    /// How often values are published.
    pub frequency: Frequency,
    /// Who published the values.
    pub source: String,
    /// In ascending order by day.
    pub observations: Vec<Observation>,
    /// Notes that the newest value is older than it should be.
    pub staleness: Option<DataIssue>,
}

impl Indicator {
    /// The indicator with this slug, case-insensitive, with dashes read as underscores.
    pub fn find(text: &str) -> Result<&'static Self, Unknown> {
        let slug = text.trim().to_ascii_lowercase().replace('-', "_");
        INDICATORS
            .iter()
            .find(|one| one.slug == slug)
            .ok_or_else(|| nearest(&slug, INDICATORS.iter().map(|one| one.slug)))
    }

    fn series_ids(&self) -> impl Iterator<Item = &'static str> {
        let others = self.others.split(',').filter(|id| !id.is_empty());
        std::iter::once(self.series_id).chain(others)
    }
}

/// Reads economic indicators and Treasury yields.
#[derive(Clone, Debug)]
pub struct Economy {
    series: TimeSeries,
}

impl Economy {
    pub(super) fn new(series: TimeSeries) -> Self {
        Self { series }
    }

    /// The values of an indicator as known at a point in time; `None` if there were none. They come from a substitute
    /// series if its own has no values or has fallen behind.
    pub async fn indicator(
        &self,
        indicator: &'static Indicator,
        when: PointInTime,
    ) -> Result<Option<IndicatorReading>> {
        let mut best: Option<(&'static str, Values, Day)> = None;
        for series_id in indicator.series_ids() {
            let id = SeriesId::new("macro", series_id);
            let Some(values) = self.series.values(&id, when).await? else {
                continue;
            };
            let Some(newest) = values.observations.last().map(|one| one.day) else {
                continue;
            };
            if best
                .as_ref()
                .is_none_or(|(_, _, known)| newest.since(*known) > NEWER_BY)
            {
                best = Some((series_id, values, newest));
            }
        }
        let Some((series_id, values, _)) = best else {
            return Ok(None);
        };
        let staleness = values.staleness("latest", indicator.name, when);
        let Values {
            series,
            observations,
            ..
        } = values;
        let (observations, unit) = match indicator.derivation {
            Derivation::AsPublished => (observations, series.unit),
            Derivation::YearOverYear => (year_over_year(&observations), "percent".to_owned()),
        };
        Ok((!observations.is_empty()).then_some(IndicatorReading {
            indicator,
            series_id,
            unit,
            frequency: series.frequency,
            source: series.source,
            observations,
            staleness,
        }))
    }

    /// The yield curve as known at a point in time, and what is missing from it or old.
    pub async fn treasury_yields(&self, when: PointInTime) -> Result<(YieldCurve, Vec<DataIssue>)> {
        let mut recent: Vec<Yield> = Vec::new();
        let mut issues = Vec::new();
        for TreasuryYield {
            maturity,
            name,
            series,
        } in YIELDS.iter().copied()
        {
            let Some(values) = self
                .series
                .values(&SeriesId(series.to_owned()), when)
                .await?
            else {
                issues.push(DataIssue::absent(
                    "yields",
                    format!("no yield is available for the {name}"),
                ));
                continue;
            };
            issues.extend(values.staleness("yields", name, when));
            let newest = values.observations.last().map(|one| one.day);
            let from = newest.map(|newest| newest.plus(-DAYS_OF_YIELDS));
            recent.extend(
                values
                    .observations
                    .iter()
                    .filter(|one| Some(one.day) >= from)
                    .map(|one| Yield {
                        maturity,
                        day: one.day,
                        yield_pct: one.value,
                    }),
            );
        }
        let curve = yield_curve(&recent);
        if curve.spread_10y_2y.is_none() {
            issues.push(DataIssue::absent(
                "spread_10y_2y",
                "no day has both a 10-year and a 2-year yield",
            ));
        }
        Ok((curve, issues))
    }
}

/// The change in each value against the same day a year earlier, in percent; days without an earlier value are left
/// out.
fn year_over_year(observations: &[Observation]) -> Vec<Observation> {
    let by_day: BTreeMap<Day, f64> = observations
        .iter()
        .map(|one| (one.day, one.value))
        .collect();
    observations
        .iter()
        .filter_map(|one| {
            let before = by_day.get(&one.day.months_before(12))?;
            let value = super::time_series::change_pct(one.value, *before)?;
            Some(Observation {
                day: one.day,
                value,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflation_compares_with_the_same_month_of_the_year_before() {
        let index = |day: &str, value| Observation {
            day: Day::parse(day).unwrap(),
            value,
        };
        let found = year_over_year(&[
            index("2025-01-01", 300.0),
            index("2025-03-01", 301.0),
            index("2026-01-01", 309.0),
            index("2026-02-01", 310.0),
            index("2026-03-01", 0.0),
        ]);
        assert_eq!(found.len(), 2, "February a year before is missing");
        assert!((found[0].value - 3.0).abs() < 1e-9);
        assert_eq!(found[1].value, -100.0);
    }

    #[test]
    fn the_tables_are_sound() {
        assert_eq!(table::fault(INDICATORS_FILE, 4, 1), None);
        assert_eq!(table::fault(YIELDS_FILE, 3, 1), None);
        assert_eq!((INDICATORS.len(), YIELDS.len()), (21, 4));
        assert_eq!(INDICATORS[LISTED - 1].slug, "housing_starts");
    }

    #[test]
    fn a_series_that_stands_in_comes_after_the_preferred_one() {
        let ids: Vec<&str> = Indicator::find("cpi").unwrap().series_ids().collect();
        assert_eq!(ids, ["CPIAUCSL", "CPIAUCNS"]);
        let ids: Vec<&str> = Indicator::find("gdp").unwrap().series_ids().collect();
        assert_eq!(ids, ["GDP"]);
    }

    #[test]
    fn a_slug_is_found_in_any_spelling() {
        assert_eq!(Indicator::find("Core-CPI").unwrap().series_id, "CPILFESL");
        assert_eq!(Indicator::find("gdpp").unwrap_err().suggestions, ["gdp"]);
    }
}
