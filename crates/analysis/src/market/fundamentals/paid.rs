//! A year's dividends as they were paid, if corporate actions have them: filings know them only up to a quarter ago.

use model::{ActionKind, CorporateAction, Day, Symbol};
use store::RecordQuery;

use super::{CompanyFigures, Fundamentals};
use crate::Result;
use crate::market::PointInTime;

/// How many days the ex-date of a dividend may move from year to year.
const MOVED_DAYS: i32 = 14;
/// From this many days on, the first and the last of several dividends belong to two different years.
const YEAR_DAYS: i32 = 346;
/// How many days of dividends are read: two years, plus the room for ex-dates that move.
const READ_DAYS: i32 = 800;
/// The share of what filings report that must be on record for the record to cover the year.
const COVERED: f64 = 0.9;

/// What was paid per share, by ex-date, in ascending order.
type Paid = [(Day, f64)];

/// The dividends in the year up to a given day: each annual dividend once, even if its ex-date moved by some days.
fn year_until(paid: &Paid, day: Day) -> &Paid {
    let begin = day.months_before(12).plus(-MOVED_DAYS);
    let from = paid.partition_point(|(on, _)| *on <= begin);
    let to = paid.partition_point(|(on, _)| *on <= day);
    let mut year = &paid[from.min(to)..to];
    while let [(first, _), .., (last, _)] = year
        && last.since(*first) >= YEAR_DAYS
    {
        year = &year[1..];
    }
    year
}

/// The sum of the dividends in the year up to a given day, if the record covers the year: as many as in the year
/// before, or about as much as filings report.
fn sum_of_year(paid: &Paid, day: Day, filed: Option<f64>) -> Option<f64> {
    let year = year_until(paid, day);
    let (first, _) = year.first()?;
    let sum: f64 = year.iter().map(|(_, amount)| amount).sum();
    let before = year_until(paid, first.plus(-1)).len();
    let keeps_rhythm = before > 0 && year.len() >= before;
    let covers = keeps_rhythm || filed.is_some_and(|filed| sum >= COVERED * filed);
    (covers && sum.is_finite()).then_some(sum)
}

impl Fundamentals {
    /// Replaces the dividends from filings with those on record for the trailing twelve months.
    pub(super) async fn take_dividends(
        &self,
        symbol: &Symbol,
        figures: &mut CompanyFigures,
        when: PointInTime,
    ) -> Result<()> {
        let today = when.scale();
        let query = RecordQuery {
            words: vec![ActionKind::Dividend.as_str().to_owned()],
            from: Some(today.plus(-READ_DAYS)),
            to: Some(today),
            as_of: Some(when.end),
            ..RecordQuery::default()
        };
        let stored = self
            .records
            .of_share::<CorporateAction>(symbol, query)
            .await?;
        if stored.is_empty() {
            return Ok(());
        }
        let splits = self.splits_of(symbol).await?;
        let mut paid: Vec<(Day, f64)> = stored
            .into_iter()
            .map(|stored| stored.record)
            .filter(|one| {
                let currency = one.currency.as_deref();
                currency.is_none_or(|currency| currency == figures.currency)
            })
            .filter_map(|one| {
                let amount = one.amount.filter(|amount| *amount > 0.0)?;
                Some((one.ex_date, amount / splits.shares(one.ex_date, today)))
            })
            .collect();
        paid.sort_by_key(|(on, _)| *on);
        let filed = figures.dividends_per_share_ttm;
        figures.dividends_per_share_ttm = sum_of_year(&paid, today, filed).or(filed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    #[test]
    fn the_last_four_quarters_count_whatever_days_they_fall_on() {
        let quarterly = [
            ("2024-11-29", 0.4),
            ("2025-03-14", 0.5),
            ("2025-06-13", 0.5),
            ("2025-09-15", 0.5),
            ("2025-11-28", 0.5),
            ("2026-03-13", 0.6),
            ("2026-06-15", 0.6),
            ("2026-09-15", 0.6),
        ];
        let mut paid: Vec<(Day, f64)> = quarterly.map(|(on, paid)| (day(on), paid)).to_vec();
        let sum = |paid: &Paid, on| sum_of_year(paid, day(on), None).unwrap();
        // The next one falls a few days later in the year.
        assert!((sum(&paid, "2026-12-02") - 2.3).abs() < 1e-9);
        paid.push((day("2026-12-04"), 0.6));
        assert!((sum(&paid, "2026-12-04") - 2.4).abs() < 1e-9);
        // Future dividends have not been paid.
        assert!((sum(&paid, "2026-06-20") - 2.2).abs() < 1e-9);
    }

    #[test]
    fn a_record_that_lacks_some_gives_way_to_filings() {
        let paid = [(day("2026-03-13"), 0.6), (day("2026-06-15"), 0.6)];
        let until = day("2026-12-02");
        assert_eq!(sum_of_year(&paid, until, Some(2.3)), None);
        assert_eq!(sum_of_year(&paid, until, None), None);
        assert_eq!(sum_of_year(&paid, until, Some(1.25)), Some(1.2));
        assert_eq!(sum_of_year(&[], until, Some(1.0)), None);
    }
}
