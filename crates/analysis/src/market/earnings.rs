//! Earnings: the next report, and how the last ones differed from what was expected.

mod rhythm;

use model::{Day, Earnings, EarningsStatus, Filing, ReportTime};
use store::RecordQuery;

pub use rhythm::Projection;

use super::{Estimates, Listing, PointInTime};
use crate::Result;

/// The number of filings searched to find when a company reports.
const FILINGS: u64 = 200;

/// Reports of a company.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EarningsView {
    /// The next one: the earliest from today on that has not been reported yet.
    pub next: Option<Earnings>,
    /// When the next report is to be expected, based on when the company reported before, if no source gives a date.
    pub projection: Option<Projection>,
    /// The reports that have been published, newest first.
    pub reported: Vec<Surprise>,
}

/// How a report differed from what was expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Surprise {
    /// The report.
    pub report: Earnings,
    /// Actual minus expected earnings per share, in percent of the absolute expected value; `None` if either is
    /// unknown or the expected value is zero.
    pub surprise_pct: Option<f64>,
}

impl EarningsView {
    /// The view of these reports.
    pub fn of(reports: Vec<Earnings>, today: Day) -> Self {
        let (reported, open): (Vec<_>, Vec<_>) = reports.into_iter().partition(|report| {
            report.status == EarningsStatus::Reported || report.eps_actual.is_some()
        });
        let mut reported: Vec<Surprise> = reported
            .into_iter()
            .filter(|report| report.date <= today)
            .map(|report| Surprise {
                surprise_pct: surprise_pct(report.eps_actual, report.eps_estimate),
                report,
            })
            .collect();
        reported.sort_by_key(|one| std::cmp::Reverse(one.report.date));
        let next = open
            .into_iter()
            .filter(|report| report.date >= today)
            .min_by_key(|report| report.date);
        let projection = if next.is_none() {
            let dated = reported
                .iter()
                .map(|one| (one.report.date, one.report.time));
            rhythm::projected(dated.collect(), today)
        } else {
            None
        };
        Self {
            next,
            projection,
            reported,
        }
    }

    /// The day of the next report.
    pub fn next_day(&self) -> Option<Day> {
        let projected = self.projection.as_ref().map(|projection| projection.day);
        self.next.as_ref().map(|next| next.date).or(projected)
    }

    /// The time of day at which the next report is published: what its source says, or for a projected report, when
    /// most of the last ones were.
    pub fn usual_time(&self) -> Option<ReportTime> {
        match &self.next {
            Some(next) => next.time,
            None => self.projection.as_ref()?.time,
        }
    }

    /// What the next report covers, such as `Q3 2026`: for a projected report, the quarter of the report a year
    /// earlier, moved on by one year.
    pub fn next_quarter(&self) -> Option<String> {
        if let Some(next) = &self.next {
            return Some(next.fiscal_quarter.clone());
        }
        let from = self.projection.as_ref()?.from.first()?;
        let mut reported = self.reported.iter().map(|one| &one.report);
        let before = reported.find(|report| report.date == *from)?;
        let (quarter, year) = before.fiscal_quarter.rsplit_once(' ')?;
        let year: u16 = year.parse().ok()?;
        Some(format!("{quarter} {}", year + 1))
    }
}

fn surprise_pct(actual: Option<f64>, estimate: Option<f64>) -> Option<f64> {
    let (actual, estimate) = actual.zip(estimate)?;
    let surprise = (actual - estimate) / estimate.abs() * 100.0;
    (estimate != 0.0 && surprise.is_finite()).then_some(surprise)
}

impl Estimates {
    /// The reports of a company as known at a point in time.
    pub async fn earnings_of(&self, listing: &Listing, when: PointInTime) -> Result<EarningsView> {
        let found = self
            .records
            .of::<Earnings>(listing, when, RecordQuery::default());
        let reports = found.await?.into_iter().map(|stored| stored.record);
        let today = Day::of(when.end);
        let mut view = EarningsView::of(reports.collect(), today);
        if view.next_day().is_none() {
            let wanted = RecordQuery {
                limit: FILINGS,
                words: ["8-K", "10-Q", "10-K"].map(str::to_owned).to_vec(),
                ..RecordQuery::default()
            };
            let filings = self.records.of::<Filing>(listing, when, wanted).await?;
            let filings: Vec<Filing> = filings.into_iter().map(|stored| stored.record).collect();
            view.projection = rhythm::projected(rhythm::announcements(&filings), today);
        }
        Ok(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Symbol;

    #[test]
    fn a_surprise_is_of_the_amount_expected() {
        for (actual, estimate, wanted) in [
            (Some(1.1), Some(1.0), Some(10.0)),
            (Some(-1.0), Some(-2.0), Some(50.0)),
            (Some(1.0), Some(0.0), None),
            (Some(1.0), None, None),
            (None, Some(1.0), None),
        ] {
            let found = surprise_pct(actual, estimate);
            match (found, wanted) {
                (Some(found), Some(wanted)) => assert!((found - wanted).abs() < 1e-9),
                _ => assert_eq!(found, wanted),
            }
        }
    }

    #[test]
    fn the_next_is_the_earliest_that_is_not_over() {
        let report = |quarter: &str, date: &str, status| Earnings {
            symbol: Symbol::parse("ACME").unwrap(),
            fiscal_quarter: quarter.to_owned(),
            date: Day::parse(date).unwrap(),
            status,
            time: None,
            eps_estimate: None,
            revenue_estimate: None,
            eps_actual: None,
            revenue_actual: None,
            source: "table".to_owned(),
        };
        let reports = vec![
            report("Q4", "2026-08-01", EarningsStatus::Estimated),
            report("Q3", "2026-05-01", EarningsStatus::Confirmed),
            report("Q2", "2026-02-01", EarningsStatus::Reported),
            report("Q1", "2025-11-01", EarningsStatus::Confirmed),
        ];
        let next = |today: &str| {
            let view = EarningsView::of(reports.clone(), Day::parse(today).unwrap());
            view.next.map(|report| report.fiscal_quarter)
        };
        assert_eq!(next("2026-02-01").as_deref(), Some("Q3"));
        assert_eq!(next("2026-05-01").as_deref(), Some("Q3"));
        assert_eq!(next("2026-05-02").as_deref(), Some("Q4"));
        assert_eq!(next("2026-08-02"), None);
    }

    #[test]
    fn the_time_of_day_is_that_of_the_source_or_of_most_reports() {
        let report = |date: &str, status| Earnings {
            symbol: Symbol::parse("ACME").unwrap(),
            fiscal_quarter: date.to_owned(),
            date: Day::parse(date).unwrap(),
            status,
            time: Some(ReportTime::BeforeMarket),
            eps_estimate: None,
            revenue_estimate: None,
            eps_actual: None,
            revenue_actual: None,
            source: "table".to_owned(),
        };
        let days = ["2025-07-30", "2025-10-30", "2026-01-29", "2026-04-30"];
        let mut reports: Vec<Earnings> = days
            .iter()
            .map(|date| report(date, EarningsStatus::Reported))
            .collect();
        let today = Day::parse("2026-05-10").unwrap();
        let projected = EarningsView::of(reports.clone(), today);
        assert!(projected.next.is_none() && projected.projection.is_some());
        assert_eq!(projected.usual_time(), Some(ReportTime::BeforeMarket));
        reports.push(Earnings {
            time: Some(ReportTime::AfterMarket),
            ..report("2026-07-30", EarningsStatus::Confirmed)
        });
        let announced = EarningsView::of(reports, today);
        assert_eq!(announced.usual_time(), Some(ReportTime::AfterMarket));
    }
}
