//! Which operations to call: a reading becomes steps.
//!
//! A step is one operation with its arguments, and costs one credit. Steps without which the question stays open are
//! needed; the others improve the answer and are left out if the budget does not cover them. The plan is a pure
//! function of the reading and the day.

mod between;
pub(crate) mod closed;
mod facts;
mod history;
pub(crate) mod hours;
mod instruments;
mod markets;
mod sums;
mod values;
pub(crate) mod yields;

use model::Day;
use query::{Intent, Reading};
use serde_json::{Map, Value, json};

pub(crate) use markets::asks_last_step;
pub(crate) use sums::{Leg, closes_of_end, route, shown_in};

use crate::MOST_SOURCES;

/// One operation to call.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The key in `data` for its result.
    pub key: &'static str,
    /// The instrument it is about, if the question names several.
    pub subject: Option<String>,
    /// The operation's name in the registry.
    pub operation: &'static str,
    /// Its path with the arguments filled in, for display.
    pub endpoint: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// Whether the question stays open without it.
    pub is_needed: bool,
}

/// The steps of a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// In the order in which their results are read; all of them may run at the same time.
    pub steps: Vec<Step>,
    /// What is left out or done differently, and why.
    pub notes: Vec<String>,
    /// The past day as of which everything is answered, if the question names one.
    pub as_of: Option<Day>,
    /// Whether the news in the plan is the news since the exchange closed.
    pub is_since_close: bool,
    /// Whether the newest of the news found comes first.
    pub asks_newest: bool,
    /// Whether only part of the period that is asked about is covered.
    pub is_partial: bool,
}

impl Plan {
    /// What it costs.
    pub fn credits(&self) -> u64 {
        self.steps.len() as u64
    }

    /// The cost of the smallest plan that still answers.
    pub fn least_credits(&self) -> u64 {
        self.steps.iter().filter(|step| step.is_needed).count() as u64
    }

    /// Leaves steps out until the given number of credits is enough: first those that are not needed, from the end.
    /// Needed steps stay.
    pub fn cut_to(&mut self, budget: u64) {
        let before = self.steps.len();
        while self.credits() > budget {
            let Some(place) = self.steps.iter().rposition(|step| !step.is_needed) else {
                break;
            };
            self.steps.remove(place);
        }
        let left_out = before - self.steps.len();
        if left_out > 0 {
            let (noun, verb) = if left_out == 1 {
                ("source", "was")
            } else {
                ("sources", "were")
            };
            self.notes.push(format!(
                "{left_out} further {noun} {verb} not asked: the budget is {budget} {}",
                if budget == 1 { "credit" } else { "credits" }
            ));
        }
    }
}

impl Plan {
    /// Like [`Plan::cut_to`]; after that, needed steps too, from the end.
    pub(crate) fn cut_whatever(&mut self, budget: u64) {
        self.cut_to(budget);
        self.steps
            .truncate(usize::try_from(budget).unwrap_or(usize::MAX));
    }

    /// Leaves out steps that do not fit into one run, and says so. This is not a budget of the caller.
    pub(crate) fn cut_to_room(&mut self, room: u64) {
        let (steps, notes) = (self.steps.len(), self.notes.len());
        self.cut_whatever(room);
        self.notes.truncate(notes);
        let left_out = (steps - self.steps.len()) as u64;
        if left_out > 0 {
            self.notes.push(format!(
                "{} not asked: this run has room for {room}",
                crate::figures::count(left_out, "further source was", "further sources were")
            ));
        }
    }
}

/// Assembles steps.
struct Draft<'a> {
    reading: &'a Reading,
    today: Day,
    plan: Plan,
}

impl Draft<'_> {
    /// Adds a step unless it is already there. `arguments` is a JSON object; those that appear in braces in `path` are
    /// filled in.
    fn add(
        &mut self,
        key: &'static str,
        subject: Option<&str>,
        operation: &'static str,
        path: &'static str,
        arguments: Value,
        is_needed: bool,
    ) {
        let Value::Object(mut arguments) = arguments else {
            return;
        };
        arguments.retain(|_, value| !value.is_null());
        let mut endpoint = format!("/api/v1/{path}");
        for (name, value) in &arguments {
            if let Value::String(text) = value {
                endpoint = endpoint.replace(&format!("{{{name}}}"), text);
            }
        }
        if let Some(as_of) = self.plan.as_of {
            arguments.insert("as_of".to_owned(), json!(end_of(as_of)));
        }
        let step = Step {
            key,
            subject: subject.map(str::to_owned),
            operation,
            endpoint,
            arguments,
            is_needed,
        };
        let same =
            self.plan.steps.iter_mut().find(|other| {
                other.operation == step.operation && other.arguments == step.arguments
            });
        match same {
            Some(other) => other.is_needed |= is_needed,
            None => self.plan.steps.push(step),
        }
    }

    /// The same step for the time before the period that the question names, so that the change can be reported.
    fn add_before(
        &mut self,
        key: &'static str,
        subject: Option<&str>,
        operation: &'static str,
        path: &'static str,
        arguments: Value,
    ) {
        if let Some(day) = self.compared_from() {
            self.add_as_of(day, (key, subject), operation, path, arguments);
        }
    }

    /// The day before the period that the question names; a month ago if it ranks by price moves and names no time.
    fn compared_from(&self) -> Option<Day> {
        const USUAL_DAYS: i32 = 30;
        let is_of_day = self.reading.when.begins_on_day;
        let begins = self.stretch();
        let begins = begins.map(|(from, _)| if is_of_day { from } else { from.plus(-1) });
        let is_usual = self.reading.ranks_prices && self.reading.when.is_unsaid();
        // `today`, and `this week` on its first day: coins are traded around the clock.
        let is_today = self.reading.when.from == Some(self.today)
            && !self.reading.when.is_ahead
            && self.ranks_coins();
        begins
            .or_else(|| is_today.then(|| self.today.plus(-1)))
            .or_else(|| is_usual.then(|| self.today.plus(-USUAL_DAYS)))
    }

    /// A step for context that is answered as of a day.
    fn add_as_of(
        &mut self,
        day: Day,
        (key, subject): (&'static str, Option<&str>),
        operation: &'static str,
        path: &'static str,
        arguments: Value,
    ) {
        let usual = self.plan.as_of.replace(day);
        self.add(key, subject, operation, path, arguments, false);
        self.plan.as_of = usual;
    }

    /// The same list for the time before the period that the question names, or a month ago if it ranks by price moves.
    fn add_list_before(
        &mut self,
        key: &'static str,
        operation: &'static str,
        path: &'static str,
        arguments: Value,
    ) {
        if let Some(day) = self.compared_from() {
            self.add_as_of(day, (key, None), operation, path, arguments);
        }
    }

    /// The first and the last day of the past period that the question names; a single day does not count.
    fn stretch(&self) -> Option<(Day, Day)> {
        stretch(self.reading, self.today)
    }

    fn wants(&self, intent: Intent) -> bool {
        self.reading.wants(intent)
    }

    fn note(&mut self, note: impl Into<String>) {
        self.plan.notes.push(note.into());
    }

    /// The number of days back that the question names, within limits.
    fn days(&self, least: i32, usual: i32, most: i32) -> i32 {
        // The windows of operations end at their as-of time.
        let end = self.plan.as_of.unwrap_or(self.today);
        let days = self
            .reading
            .when
            .days_back(end)
            .filter(|_| !self.reading.when.is_ahead);
        days.unwrap_or(usual).clamp(least, most)
    }
}

/// The first and the last day of the past period that a question names; neither a single day nor the day so far counts.
pub(crate) fn stretch(reading: &Reading, today: Day) -> Option<(Day, Day)> {
    let when = &reading.when;
    let from = when.from.filter(|from| !when.is_ahead && *from < today)?;
    let to = when.to.map_or(today, |to| to.min(today));
    // `this week`, asked on its second day.
    let is_said = when.to.is_some() && to > from;
    (is_said || to.since(from) >= 2).then_some((from, to))
}

/// The end of a day in UTC: what closes with it is known.
fn end_of(day: Day) -> String {
    format!("{}T00:00:00Z", day.plus(1))
}

/// The steps of a reading, at most [`MOST_SOURCES`]. `today` is the day on which it is asked.
pub fn plan(reading: &Reading, today: Day) -> Plan {
    plan_with(reading, today, false)
}

/// Like [`plan`], with the prices for a chart if one is wanted.
pub fn plan_with(reading: &Reading, today: Day, wants_chart: bool) -> Plan {
    let mut draft = Draft {
        reading,
        today,
        plan: Plan::default(),
    };
    draft.plan.notes.extend(reading.notes.iter().cloned());
    draft.point_in_time();
    if draft.wants(Intent::Verification) {
        draft.verification();
    } else if !draft.wants(Intent::Help) && !draft.wants(Intent::Unclear) {
        draft.of_instruments();
        if wants_chart {
            draft.chart();
        }
        if hours::asks(reading) {
            // The hours answer it completely; the question does not ask how the market did.
            draft.calendar();
        } else {
            draft.of_markets();
            draft.of_news();
        }
    }
    let mut plan = draft.plan;
    // If no step looks back, the answer is a current one about that time.
    let looks_back = |day: Day| {
        let end = json!(end_of(day));
        plan.steps
            .iter()
            .any(|step| step.arguments.get("as_of") == Some(&end))
    };
    plan.as_of = plan.as_of.filter(|day| looks_back(*day));
    // Needed steps come first if there are too many in total.
    if plan.credits() > MOST_SOURCES {
        plan.cut_to(MOST_SOURCES);
        plan.notes.pop();
        plan.steps.truncate(MOST_SOURCES as usize);
        plan.notes.push(format!(
            "the question asks for more than {MOST_SOURCES} sources; the first {MOST_SOURCES} were asked"
        ));
    }
    plan
}

impl Draft<'_> {
    /// A question about the state of something at a past time is answered from what was known at the time. A question
    /// about a period is not: its window is passed to the operations that take one.
    fn point_in_time(&mut self) {
        const STATES: [Intent; 14] = [
            Intent::Price,
            Intent::Technicals,
            Intent::Fundamentals,
            Intent::Earnings,
            Intent::Analysts,
            Intent::Institutions,
            Intent::Outlook,
            Intent::Comparison,
            Intent::Competitors,
            Intent::WhyMoved,
            Intent::Movers,
            Intent::Sectors,
            Intent::MarketOverview,
            Intent::Performance,
        ];
        let past = self.reading.when.past_end(self.today);
        let asks_state = STATES.iter().any(|intent| self.wants(*intent))
            || self.wants(Intent::Macro)
            || self.wants(Intent::Forex)
            || self.wants(Intent::Commodities)
            || self.wants(Intent::Crypto)
            || self.wants(Intent::Insider)
            || self.wants(Intent::Congress)
            || self.wants(Intent::Filings)
            || self.wants(Intent::Sentiment)
            || self.wants(Intent::Portfolio);
        let asks_window = [Intent::Verification, Intent::Calendar, Intent::Events]
            .iter()
            .any(|intent| self.wants(*intent));
        if self.reading.when.is_ahead && asks_state && !asks_window {
            self.note("what lies ahead is not on record; the figures are current");
        }
        let lower = self.reading.question.to_lowercase();
        let asks_ahead = ["will ", "going to ", "is the fed about to "]
            .iter()
            .any(|words| lower.starts_with(words) || lower.contains(&format!(" {words}")));
        let of_series = self.wants(Intent::Macro) && self.reading.instruments.is_empty();
        if asks_ahead && of_series && !self.reading.when.is_ahead && !asks_window {
            self.note("what will be is not on record; the figures are current (`/forecast` weighs chances)");
        }
        // A past purchase is compared with the current price.
        let looks_back = self
            .reading
            .positions
            .iter()
            .any(|position| position.bought.is_some() || position.paid.is_some());
        // `beat estimates last quarter`: a period that is reported on later, not a day on which something was known.
        let said = self.reading.when.said.to_lowercase();
        let is_of_reports = self.wants(Intent::Earnings) && said.contains("quarter");
        if asks_state && !asks_window && !looks_back && !is_of_reports {
            self.plan.as_of = past;
        }
    }

    fn verification(&mut self) {
        let claim = self.reading.claim.clone().unwrap_or_default();
        // The limits of the operation.
        if claim.chars().count() < 10 {
            self.note("the claim is too short to be tested; write it as a whole sentence");
            return;
        }
        let claim: String = claim.chars().take(1_000).collect();
        self.add(
            "verification",
            None,
            "verify_claim",
            "verify",
            json!({"claim": claim}),
            true,
        );
    }
}

#[cfg(test)]
mod tests;
