//! The answer to a question about one time; a question about two times has two of these.

use operations::Context;
use query::Reading;
use serde_json::{Map, Value};
use tokio::sync::mpsc::Sender;

use super::{Confidence, Event, MissingBody, collect, keep_first_found, missing};
use crate::answer::{self, Answer};
use crate::plan::Plan;
use crate::run::{self, Outcome};
use crate::view::View;

/// What was found and written for one reading.
pub(super) struct Part {
    pub(super) outcomes: Vec<Outcome>,
    pub(super) data: Map<String, Value>,
    pub(super) missing: Vec<MissingBody>,
    pub(super) answer: Answer,
    pub(super) confidence: Confidence,
}

impl Part {
    /// Runs the plan and writes the answer.
    pub(super) async fn answer(
        context: &Context,
        reading: &Reading,
        plan: &Plan,
        listener: Option<&Sender<Event>>,
    ) -> Self {
        let outcomes = run::run(context, plan.steps.clone(), listener).await;
        let mut data = collect(&outcomes);
        if !plan.asks_newest && !plan.is_since_close {
            keep_first_found(&mut data, &outcomes);
        }
        crate::plan::closed::mark_running(&mut data, context.end());
        if plan.is_since_close {
            crate::plan::closed::keep_since_close(&mut data, context.end());
        }
        if crate::plan::hours::asks(reading)
            && let Some(hours) = crate::plan::hours::hours(reading, context.end())
        {
            data.insert("exchange".to_owned(), hours);
        }
        answer::derive(&mut data, reading);
        if let Some(day) = plan.as_of {
            data.insert("as_of".to_owned(), Value::String(day.to_string()));
        }
        let when = &reading.when;
        if !when.is_unsaid() && !data.is_empty() {
            let time = serde_json::json!({
                "from": when.from.map(|day| day.to_string()),
                "to": when.to.map(|day| day.to_string()),
            });
            data.insert("time".to_owned(), time);
        }
        let missing = missing(&outcomes);
        let answer = answer::write(reading, plan, &data, &missing);
        let confidence = confidence(reading, plan, &outcomes, answer.at_most);
        Self {
            outcomes,
            data,
            missing,
            answer,
            confidence,
        }
    }

    /// Appends the answer for another time: its words below, its results as `other_time`. The combined confidence is no
    /// higher than either one's.
    pub(super) fn join(&mut self, other: Self) {
        self.outcomes.extend(other.outcomes);
        self.data
            .insert("other_time".to_owned(), Value::Object(other.data));
        self.missing.extend(other.missing);
        self.answer.summary = format!("{}\n\n{}", self.answer.summary, other.answer.summary);
        if other.confidence.score < self.confidence.score {
            self.confidence = other.confidence;
        }
    }
}

fn confidence(
    reading: &Reading,
    plan: &Plan,
    outcomes: &[Outcome],
    at_most: Option<f64>,
) -> Confidence {
    let needed = outcomes.iter().filter(|outcome| outcome.step.is_needed);
    let (mut all, mut found) = (0.0, 0.0);
    for outcome in needed {
        all += 1.0;
        found += match &outcome.result {
            Ok(data) => answer::found(reading, outcome.step.key, data),
            Err(_) => 0.0,
        };
    }
    let mut score: f64 = if all > 0.0 { found / all } else { 0.0 };
    if let Some(sure) = at_most {
        score = score.min(sure);
    }
    // Reports about something else, and trades by people other than those asked about, are not an answer.
    let is_open = match reading.fact {
        Some(query::Fact::Elsewhere(_)) => true,
        Some(query::Fact::Office(title)) => !outcomes.iter().any(|outcome| {
            let found = outcome.result.as_ref().ok();
            found.is_some_and(|found| answer::names_office(found, title))
        }),
        _ => false,
    };
    // Nor are figures of another time.
    if is_open || reading.unserved.is_some() || reading.has_unread_time {
        score = score.min(0.4);
    }
    // Old data are not a reliable answer about the present.
    let is_old = reading.when.is_unsaid()
        && outcomes.iter().any(|outcome| {
            let found = outcome.result.as_ref().ok();
            outcome.step.is_needed
                && found.is_some_and(|found| answer::old_since(View(found)).is_some())
        });
    if is_old {
        score = score.min(0.7);
    }
    let is_guessed = reading
        .instruments
        .iter()
        .any(|one| one.how == query::How::Misspelt);
    if is_guessed || !reading.unknown.is_empty() {
        score -= 0.2;
    }
    let mut conversions = reading.conversions.iter();
    let is_unserved = conversions
        .any(|asked| asked.from != asked.to && crate::plan::route(asked.from, asked.to).is_none());
    if is_unserved {
        // Other rates are not an answer.
        score = score.min(0.4);
    }
    let mut results = outcomes.iter().filter_map(|one| one.result.as_ref().ok());
    if results.any(|result| answer::not_known_as_paid(reading, plan, View(result)).is_some()) {
        score = score.min(0.7);
    }
    let score = score.clamp(0.0, 1.0);
    let level = match score {
        0.8.. => "high",
        0.45.. => "medium",
        _ => "low",
    };
    Confidence { level, score }
}
