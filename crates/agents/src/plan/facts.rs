//! Steps for a fact about a company that is found in one place only, or nowhere here.

use query::{Fact, ReportPeriod};
use serde_json::json;

use super::Draft;

/// How many actions are listed if their history is asked for.
const ACTIONS: u32 = 12;
/// The days within which somebody who holds an office trades or is granted shares, as far back as the operation goes.
const OFFICE_DAYS: i32 = 365;

/// The most periods that the operation lists.
const STATEMENTS: i32 = 80;

impl Draft<'_> {
    /// The step for reported figures of named periods; returns whether the question asks for any.
    pub(super) fn report(&mut self, symbol: &str, subject: Option<&str>) -> bool {
        let Some(report) = &self.reading.report else {
            return false;
        };
        let is_quarterly = report.periods.iter().any(|one| one.is_quarterly());
        let this_year = i32::from(self.today.date().year());
        // A company's fiscal year may begin up to a year before the one that it is named by.
        let back_to = |year: i32| (this_year - year + 2).max(1);
        let needed = report.periods.iter().map(|period| match *period {
            ReportPeriod::Quarter { year, .. } => back_to(year.unwrap_or(this_year - 1)) * 4,
            ReportPeriod::QuarterTo(end) => back_to(i32::from(end.date().year())) * 4,
            ReportPeriod::Year(year) | ReportPeriod::YearsSince(year) => back_to(year),
            ReportPeriod::NewestQuarters(count) | ReportPeriod::NewestYears(count) => {
                i32::try_from(count).unwrap_or(STATEMENTS)
            }
        });
        let limit = needed.max().unwrap_or(1).clamp(1, STATEMENTS);
        let period = if is_quarterly { "quarter" } else { "year" };
        let arguments = json!({"symbol": symbol, "period": period, "limit": limit});
        let path = "ticker/{symbol}/statements";
        let operation = "list_statements";
        self.add("statements", subject, operation, path, arguments, true);
        true
    }

    /// The steps for the fact that the question asks for; returns whether they answer the whole question.
    pub(super) fn fact(&mut self, symbol: &str, subject: Option<&str>, name: &str) -> bool {
        let Some(fact) = self.reading.fact else {
            return false;
        };
        match fact {
            Fact::Action("split") => {
                self.actions("splits", symbol, subject, "split");
                true
            }
            Fact::Action(kind) => {
                self.actions("dividends", symbol, subject, kind);
                false
            }
            Fact::Office(_) => {
                let arguments = json!({"symbol": symbol, "days": OFFICE_DAYS, "limit": 100});
                let path = "ticker/{symbol}/insider";
                let operation = "list_insider_trades";
                self.add("insider", subject, operation, path, arguments, true);
                true
            }
            Fact::Reported(_) => {
                let arguments = json!({"symbol": symbol, "limit": 5});
                let path = "ticker/{symbol}/statements";
                let operation = "list_statements";
                self.add("statements", subject, operation, path, arguments, true);
                false
            }
            Fact::Elsewhere(what) => {
                // One name of a company finds it; its legal form does not stand in headlines.
                let name = name.split([' ', ',']).next().unwrap_or(name);
                let arguments = json!({"q": format!("{name} {what}"), "per_page": 20});
                self.add("search", None, "search_briefs", "search", arguments, true);
                true
            }
        }
    }

    fn actions(
        &mut self,
        key: &'static str,
        symbol: &str,
        subject: Option<&str>,
        kind: &'static str,
    ) {
        let arguments = json!({"symbol": symbol, "type": kind, "limit": ACTIONS});
        let path = "ticker/{symbol}/actions";
        let operation = "list_corporate_actions";
        self.add(key, subject, operation, path, arguments, true);
    }
}
