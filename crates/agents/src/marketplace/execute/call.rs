//! A step that calls an operation, once or for each entry of a list.

use std::sync::Arc;

use futures::StreamExt;
use operations::{Context, Entry};
use serde_json::{Map, Value, json};

use super::super::expression::Scope;
use super::super::pipeline::{Argument, Step, values};
use super::super::read::CALLABLE;
use super::super::shape::Described;
use super::{Ended, Missing, shown};
use crate::runs::{Done, Run, consult_among, read_verified};

/// How many calls of one step run in parallel.
const AT_ONCE: usize = 8;
/// How many bytes of an answer a run reads.
const LONGEST_ANSWER: usize = 8 << 20;

/// A call as its step describes it.
pub(super) struct Call<'r> {
    pub(super) context: &'r Context,
    pub(super) run: &'r Run<'r>,
    pub(super) step: &'r Step,
    pub(super) entry: &'r Arc<Entry>,
    pub(super) arguments: &'r [(String, Argument)],
    pub(super) price: u64,
    pub(super) missing: &'r Missing,
}

impl Call<'_> {
    pub(super) async fn make(&self, scope: Scope<'_>) -> Ended {
        match &self.step.for_each {
            None => self.once(scope).await,
            Some(list) => match list.value(scope).as_deref().and_then(Value::as_array) {
                Some(items) => {
                    let items: Vec<Value> = items
                        .iter()
                        .take(self.step.at_most as usize)
                        .cloned()
                        .collect();
                    self.each(scope, &items).await
                }
                None => {
                    self.nothing("the list that it goes through is missing")
                        .await
                }
            },
        }
    }

    async fn once(&self, scope: Scope<'_>) -> Ended {
        let arguments = values(self.arguments, scope);
        if let Some(name) = self.lacks(&arguments) {
            return self
                .nothing(&format!("its argument {name} is missing"))
                .await;
        }
        let mut whole = None;
        let inputs = Value::Object(arguments.clone());
        let work = async {
            let (value, cost) = self.ask(arguments).await?;
            let done = Done {
                summary: shown::summary(&value),
                output: shown::object(&value),
                confidence: self.confidence(&value),
                credits: Some(cost),
            };
            whole = Some(value);
            Ok(done)
        };
        let done = self
            .run
            .step(&self.step.name, inputs, self.price, work)
            .await;
        match (done, whole) {
            (Some(_), Some(value)) => {
                self.note_missing(&value);
                Ended::Value(value)
            }
            _ => self.failed(),
        }
    }

    async fn each(&self, scope: Scope<'_>, items: &[Value]) -> Ended {
        let wanted = items.len() as u64;
        let affordable = self.run.left().checked_div(self.price).unwrap_or(wanted);
        // Part of a list is better than none of it.
        let count = if affordable == 0 {
            wanted
        } else {
            wanted.min(affordable)
        };
        let mut whole = None;
        let work = async {
            let calls =
                items
                    .iter()
                    .take(count as usize)
                    .enumerate()
                    .map(|(place, item)| async move {
                        let origin = self
                            .step
                            .for_each
                            .as_ref()
                            .map_or(super::super::expression::Origin::Source, |list| {
                                scope.origin(list)
                            });
                        let arguments =
                            values(self.arguments, scope.with_item(item, place, origin));
                        let answer = match self.lacks(&arguments) {
                            Some(name) => Err(format!("its argument {name} is missing")),
                            None => self.ask(arguments).await,
                        };
                        (place, answer)
                    });
            let calls: Vec<_> = calls.collect();
            let mut answers: Vec<_> = futures::stream::iter(calls)
                .buffer_unordered(AT_ONCE)
                .collect()
                .await;
            answers.sort_by_key(|(place, _)| *place);
            let (mut found, mut cost, mut reasons) = (Vec::new(), 0, Vec::new());
            for (place, answer) in answers {
                match answer {
                    Ok((value, credits)) => {
                        cost += credits;
                        found.push(json!({"item": items[place], "result": value.as_ref()}));
                    }
                    Err(reason) => reasons.push(reason),
                }
            }
            if found.is_empty() && count > 0 {
                return Err(reasons
                    .into_iter()
                    .next()
                    .unwrap_or_else(|| "nothing answered".to_owned()));
            }
            let mut summary = format!("{} of {wanted}", found.len());
            if let Some(reason) = reasons.first() {
                summary.push_str("; ");
                summary.push_str(reason);
                self.note(reason, false);
            }
            if count < wanted {
                let reason = format!("the budget reached for {count} of {wanted} calls");
                summary.push_str("; ");
                summary.push_str(&reason);
                self.note(&reason, true);
            }
            let value = Arc::new(Value::Array(found));
            let done = Done {
                summary,
                output: shown::object(&value),
                confidence: None,
                credits: Some(cost),
            };
            whole = Some(value);
            Ok(done)
        };
        let inputs = json!({"entries": wanted});
        let credits = self.price * count;
        let done = self.run.step(&self.step.name, inputs, credits, work).await;
        match (done, whole) {
            (Some(_), Some(value)) => Ended::Value(value),
            _ => self.failed(),
        }
    }

    /// Calls the operation; returns its answer and its cost.
    async fn ask(&self, arguments: Map<String, Value>) -> Result<(Arc<Value>, u64), String> {
        let name = self.entry.about.name;
        let claim = arguments
            .get("claim")
            .and_then(Value::as_str)
            .map(str::to_owned);
        let value = consult_among(&CALLABLE, self.context, name, arguments).await?;
        if value.to_string().len() > LONGEST_ANSWER {
            return Err(format!("the answer of {name} is too large for a run"));
        }
        let charged = value.get("credits_used").and_then(Value::as_u64);
        // If the price varies, the answer says what it was.
        let cost = match self.entry.tariff.price.words {
            Some(_) => charged.unwrap_or(self.price),
            None => self.price,
        };
        self.note_claims(&value, claim);
        Ok((value, cost.min(self.price)))
    }

    /// The receipts of claims become part of the receipt of the run.
    fn note_claims(&self, value: &Arc<Value>, claim: Option<String>) {
        if let Some(claim) = claim
            && value.get("receipt_id").is_some()
        {
            self.run
                .note_verified(read_verified(&claim, Arc::clone(value)));
        }
        for list in ["results", "claims"] {
            let claims = value.get(list).and_then(Value::as_array);
            for one in claims.into_iter().flatten() {
                if let Some(claim) = one.get("claim").and_then(Value::as_str)
                    && one.get("receipt_id").is_some()
                {
                    self.run
                        .note_verified(read_verified(claim, Arc::new(one.clone())));
                }
            }
        }
    }

    fn confidence(&self, value: &Value) -> Option<f64> {
        let is_verdict = self.entry.about.name.starts_with("verify_");
        let confidence = value
            .get("confidence")
            .or_else(|| value.get("overall_confidence"));
        confidence.filter(|_| is_verdict)?.as_f64()
    }

    /// The first required argument that is missing.
    fn lacks(&self, arguments: &Map<String, Value>) -> Option<String> {
        let described = Described::of(self.entry);
        let required = described.required.iter();
        required
            .into_iter()
            .find(|name| !arguments.contains_key(*name))
            .cloned()
    }

    async fn nothing(&self, reason: &str) -> Ended {
        self.run.skip(&self.step.name, json!({}), reason).await;
        self.failed()
    }

    /// Notes why there is no result, in the words of the run's record.
    fn failed(&self) -> Ended {
        let steps = self.run.steps();
        let record = steps.iter().rev().find(|one| one.name == self.step.name);
        let reason = record.and_then(|one| one.reason.clone());
        self.note(
            &reason.unwrap_or_else(|| "it gave nothing".to_owned()),
            true,
        );
        Ended::Nothing
    }

    fn note(&self, reason: &str, is_whole: bool) {
        let mut note = json!({"field": self.step.name, "reason": reason, "source": self.entry.about.address.path});
        if is_whole {
            note["failed"] = true.into();
        }
        self.missing.lock().push(note);
    }

    /// What the source itself reports as missing.
    fn note_missing(&self, value: &Value) {
        let status = value.get("data_status").and_then(Value::as_array);
        for one in status.into_iter().flatten().take(5) {
            let field = one.get("field").and_then(Value::as_str).unwrap_or_default();
            let mut note = one.clone();
            note["field"] = format!("{}.{field}", self.step.name).into();
            let mut missing = self.missing.lock();
            if missing.len() < 40 {
                missing.push(note);
            }
        }
    }
}
