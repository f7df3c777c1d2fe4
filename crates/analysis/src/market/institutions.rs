//! Who holds a share according to Forms 13F: the newest report from each institution.
//!
//! An institution that has reported a later quarter without the share no longer holds it and is left out.

use std::collections::BTreeMap;

use model::{Day, HoldingLine};
use store::RecordQuery;

use super::{Disclosures, Listing, PointInTime};
use crate::Result;

/// The number of institutions that are checked for a later report; those with larger holdings come first.
const ASKED: usize = 200;

/// An institution's holding of a share.
#[derive(Clone, Debug, PartialEq)]
pub struct Holder {
    /// Its name.
    pub institution: String,
    /// Its SEC number.
    pub institution_cik: u64,
    /// The number of shares.
    pub shares: f64,
    /// Their value in USD.
    pub value: f64,
    /// The share of its whole reported portfolio, in percent.
    pub portfolio_pct: Option<f64>,
    /// Change in the number of shares against its report for the previous quarter, in percent; `None` if that report
    /// is unknown or did not name the share.
    pub change_pct: Option<f64>,
    /// The last day of the quarter.
    pub report_date: Day,
}

/// Who holds a share, largest holding first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Holders {
    /// The institutions.
    pub holders: Vec<Holder>,
}

impl Holders {
    /// The number of shares held by all of them.
    pub fn shares(&self) -> f64 {
        self.holders.iter().map(|holder| holder.shares).sum()
    }

    /// The newest quarter that any of them reported.
    pub fn newest(&self) -> Option<Day> {
        self.holders.iter().map(|holder| holder.report_date).max()
    }
}

/// The holders in the lines about one share, whether or not they reported a later quarter without it.
fn holders(lines: Vec<HoldingLine>) -> Vec<Holder> {
    // The quarters of each institution; lines for several securities of the issuer are added up.
    let mut found: BTreeMap<u64, BTreeMap<Day, Holder>> = BTreeMap::new();
    for line in lines {
        let quarters = found.entry(line.institution_cik).or_default();
        let held = line.holding;
        let holder = quarters.entry(line.report_date).or_insert_with(|| Holder {
            institution: line.institution,
            institution_cik: line.institution_cik,
            shares: 0.0,
            value: 0.0,
            portfolio_pct: None,
            change_pct: None,
            report_date: line.report_date,
        });
        holder.shares += held.shares;
        holder.value += held.value;
        holder.portfolio_pct = match (holder.portfolio_pct, held.portfolio_pct) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
    }
    let newest = found.into_values().filter_map(|mut quarters| {
        let (day, mut holder) = quarters.pop_last()?;
        holder.change_pct = quarters.get(&quarter_before(day)).and_then(|before| {
            let change = (holder.shares / before.shares - 1.0) * 100.0;
            change.is_finite().then_some(change)
        });
        Some(holder)
    });
    let mut holders: Vec<Holder> = newest.filter(|holder| holder.shares > 0.0).collect();
    holders.sort_by(|left, right| {
        let by_value = right.value.total_cmp(&left.value);
        by_value
            .then_with(|| right.shares.total_cmp(&left.shares))
            .then_with(|| left.institution.cmp(&right.institution))
    });
    holders
}

/// The last day of the quarter before the one that ends on this day.
fn quarter_before(end: Day) -> Day {
    end.first_of_month().months_before(2).plus(-1)
}

impl Disclosures {
    /// Who holds a share as known at a point in time.
    pub async fn holders_of(&self, listing: &Listing, when: PointInTime) -> Result<Holders> {
        let found = self
            .records
            .of::<HoldingLine>(listing, when, RecordQuery::default());
        let lines = found.await?.into_iter().map(|stored| stored.record);
        let reported = holders(lines.collect());
        let Some(newest) = reported.iter().map(|holder| holder.report_date).max() else {
            return Ok(Holders::default());
        };
        let mut kept = Vec::with_capacity(reported.len());
        let mut asked = 0;
        for holder in reported {
            if holder.report_date < newest {
                asked += 1;
                if asked > ASKED || self.has_reported_later(&holder, when).await? {
                    continue;
                }
            }
            kept.push(holder);
        }
        Ok(Holders { holders: kept })
    }

    async fn has_reported_later(&self, holder: &Holder, when: PointInTime) -> Result<bool> {
        let query = RecordQuery {
            words: vec![holder.institution_cik.to_string()],
            from: Some(holder.report_date.plus(1)),
            limit: 1,
            ..RecordQuery::default()
        };
        let later = self.records.known::<HoldingLine>(when, query).await?;
        Ok(!later.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Holding, Symbol};

    fn line(cik: u64, date: &str, cusip: &str, shares: f64) -> HoldingLine {
        HoldingLine {
            institution: format!("Fund {cik}"),
            institution_cik: cik,
            report_date: Day::parse(date).unwrap(),
            accession: format!("{cik}-{date}"),
            filed: Day::parse(date).unwrap(),
            holding: Holding {
                symbol: Symbol::parse("ACME"),
                cusip: cusip.to_owned(),
                issuer: "Acme".to_owned(),
                class: String::new(),
                shares,
                value: shares * 10.0,
                portfolio_pct: Some(1.0),
            },
        }
    }

    #[test]
    fn changes_are_against_the_quarter_before() {
        let found = holders(vec![
            line(1, "2025-12-31", "a", 150.0),
            line(1, "2025-09-30", "a", 100.0),
            // Two securities of the same issuer.
            line(2, "2025-12-31", "a", 400.0),
            line(2, "2025-12-31", "b", 100.0),
            line(2, "2025-06-30", "a", 250.0),
            line(3, "2025-12-31", "a", 0.0),
        ]);
        let reported: Vec<_> = found
            .iter()
            .map(|one| (one.institution_cik, one.shares, one.change_pct))
            .collect();
        assert_eq!(reported, [(2, 500.0, None), (1, 150.0, Some(50.0))]);
        assert_eq!(found[0].portfolio_pct, Some(2.0));
    }

    #[test]
    fn quarters_follow_each_other() {
        for (end, before) in [
            ("2025-03-31", "2024-12-31"),
            ("2025-06-30", "2025-03-31"),
            ("2025-12-31", "2025-09-30"),
        ] {
            assert_eq!(quarter_before(Day::parse(end).unwrap()).to_string(), before);
        }
    }
}
