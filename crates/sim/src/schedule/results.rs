//! Company results on their calendar day, and the dates of upcoming ones.

use model::Timestamp;

use super::{Givens, Schedule, company};
use crate::agreement::Given;
use crate::facts::Value;
use crate::market::{MarketWorld, Results};

/// The maximum number of results reported per day, starting with the largest companies.
const MOST: usize = 3;
/// How many days before a report its date is a story.
const AHEAD: i64 = 6;
/// How far from the estimate, in percent of it, results still count as expected.
const EXPECTED: f64 = 1.0;

impl Schedule<'_> {
    pub(super) fn add_results(&mut self) {
        let most = if self.world.has_daily_news(self.day) {
            MOST
        } else {
            MOST - 1
        };
        for results in self.world.results_on(self.day).into_iter().take(most) {
            self.add_result(&results);
        }
        let ahead = self.world.results_on(self.day + AHEAD);
        let large = ahead
            .into_iter()
            .filter(|results| MarketWorld::largest().contains(&results.ticker));
        for results in large.take(1) {
            self.add_preview(&results);
        }
    }

    fn add_result(&mut self, results: &Results) {
        let Some(company) = company(results.ticker) else {
            return;
        };
        let at = self.after(results.at, [2, 14], results.ticker);
        // A report late in the evening stays on its day.
        let at = at.min(Timestamp::start_of_day(self.day + 1).plus_ms(-1000));
        let growth = 100.0 * (results.revenue / results.revenue_before - 1.0);
        let against =
            100.0 * (results.eps - results.eps_estimate) / results.eps_estimate.abs().max(0.01);
        let mut given: Givens = vec![
            ("co", Given::Value(Value::Company(company))),
            ("growth", Given::number(tenth(growth.abs()), 1)),
            ("growth_way", Given::way(growth)),
            ("eps", Given::text(&dollars(results.eps))),
            ("expected", Given::text(&dollars(results.eps_estimate))),
            ("sales", Given::text(&amount(results.revenue))),
            ("sales_before", Given::text(&amount(results.revenue_before))),
            (
                "sales_expected",
                Given::text(&amount(results.revenue_estimate)),
            ),
            ("profit", Given::text(&amount(results.income.abs()))),
            ("made", Given::Place(usize::from(results.eps < 0.0))),
        ];
        let verdict = if against > EXPECTED {
            0
        } else if against < -EXPECTED {
            1
        } else {
            2
        };
        given.push(("verdict", Given::Place(verdict)));
        let is_large = results.revenue >= 1e9 && results.revenue_before >= 1e9;
        let kind = if is_large && growth >= 0.2 && verdict != 1 && results.eps > 0.0 {
            given.retain(|(slot, _)| !["eps", "expected"].contains(slot));
            given.push(("revenue", Given::number(results.revenue / 1e9, 2)));
            given.push(("prior", Given::number(results.revenue_before / 1e9, 2)));
            given.push(("eps", Given::number(results.eps, 2)));
            given.push(("expected", Given::number(results.eps_estimate, 2)));
            "earnings_day"
        } else if !company.real && results.eps < 0.0 && growth < -0.5 && verdict == 1 {
            given.push(("loss", Given::number((-results.income / 1e6).round(), 0)));
            given.push(("revenue", Given::number((results.revenue / 1e6).round(), 0)));
            given.push(("fall", Given::number(tenth(-growth), 1)));
            "earnings_miss"
        } else {
            "earnings_mixed"
        };
        self.add(kind, results.ticker, at, given);
    }

    fn add_preview(&mut self, results: &Results) {
        let Some(company) = company(results.ticker) else {
            return;
        };
        let given: Givens = vec![
            ("co", Given::Value(Value::Company(company))),
            (
                "date",
                Given::Value(Value::Day(i64::from(results.day.get()))),
            ),
            ("expected", Given::text(&dollars(results.eps_estimate))),
            (
                "sales_expected",
                Given::text(&amount(results.revenue_estimate)),
            ),
            ("sales_before", Given::text(&amount(results.revenue_before))),
        ];
        let at = self.between([9 * 60, 16 * 60], results.ticker);
        self.add("results_preview", results.ticker, at, given);
    }
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Dollars and cents per share.
fn dollars(value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}${:.2}", value.abs())
}

/// An amount in billions, or in millions if it is smaller.
pub(super) fn amount(value: f64) -> String {
    if value >= 1e9 {
        format!("${:.2} billion", value / 1e9)
    } else {
        format!("${:.0} million", value / 1e6)
    }
}
