//! Statistics and central bank decisions, on the days on which they are announced.

use super::{Givens, Schedule};
use crate::agreement::Given;
use crate::facts::Value;
use crate::market::{Decision, Release, Statistics};

/// The maximum number of announcements reported per day; US ones come first.
const MOST: usize = 3;
/// Economies with statistics that are news everywhere.
const LARGE: [&str; 3] = ["US", "EA", "JP"];

impl Schedule<'_> {
    pub(super) fn add_economy(&mut self) {
        for statistics in self.world.released_on(self.day).into_iter().take(MOST) {
            let share = if LARGE.contains(&statistics.code) {
                0.7
            } else {
                0.3
            };
            if self.is_taken_up(statistics.code, share) {
                self.add_statistics(statistics);
            }
        }
        for decision in self.world.decided_on(self.day) {
            self.add_decision(decision);
        }
    }

    fn add_statistics(&mut self, Statistics { code, release }: Statistics) {
        let mut given: Givens = vec![("place", Given::Named(code.to_owned()))];
        let kind = match release {
            Release::Prices {
                rate,
                before,
                core,
                monthly,
            } => {
                given.push(("rate", Given::number(rate, 1)));
                given.push(("before", Given::number(before, 1)));
                given.push(("change", Given::number((rate - before).abs(), 1)));
                given.push(("core", Given::number(core, 1)));
                given.extend(monthly.map(|monthly| ("monthly", Given::number(monthly, 1))));
                if rate < before {
                    "inflation"
                } else if rate > before {
                    "inflation_rise"
                } else {
                    "inflation_steady"
                }
            }
            Release::Jobs {
                thousands,
                unemployment,
                before,
                wages,
            } => {
                given.push(("jobs", Given::number(thousands.abs(), 0)));
                given.push(("rate", Given::number(unemployment, 1)));
                given.push(("rate_before", Given::number(before, 1)));
                given.push(("wages", Given::number(wages, 1)));
                if thousands < 0.0 {
                    "jobs_fall"
                } else {
                    "jobs_report"
                }
            }
            Release::Growth {
                quarter,
                year,
                before,
            } => {
                given.push(("growth", Given::number(quarter, 1)));
                given.push(("annual", Given::number(year, 1)));
                given.push(("before", Given::number(before, 1)));
                "growth_figures"
            }
        };
        // US figures appear in the Washington morning, others in the European morning.
        let hours = if code == "US" { [810, 840] } else { [360, 600] };
        let at = self.between(hours, code);
        self.add(kind, code, at, given);
    }

    fn add_decision(&mut self, decision: Decision) {
        let mut given: Givens = vec![
            ("bank", Given::Named(decision.code.to_owned())),
            ("rate", Given::number(decision.after, 2)),
            ("inflation", Given::number(decision.inflation, 1)),
            (
                "next",
                Given::Value(Value::Day(i64::from(decision.next.get()))),
            ),
        ];
        let step = decision.after - decision.before;
        let kind = if step == 0.0 {
            "rate_decision"
        } else {
            given.push(("before", Given::number(decision.before, 2)));
            given.push(("way", Given::way(step)));
            "rate_change"
        };
        let hours = if decision.code == "US" {
            [1140, 1155]
        } else {
            [660, 780]
        };
        let at = self.between(hours, decision.code);
        self.add(kind, decision.code, at, given);
    }
}
