//! Runs a pipeline: independent steps run in parallel, each within the budget, and each is reported when it is done.

mod call;
mod shown;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use model::Day;
use operations::{Context, Result};
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::Sender;

use super::catalogue::Agent;
use super::expression::{Origin, Scope};
use super::pipeline::{Falling, Pipeline, Selection, Step, Work, values};
use super::text;
use crate::alike;
use crate::figures;
use crate::runs::{Done, Finished, Keeping, NewRun, Run, RunStatus, StepRecord};

/// A checked request for a run.
#[derive(Clone)]
pub(crate) struct Order {
    pub(crate) agent: Arc<Agent>,
    pub(crate) inputs: Value,
    pub(crate) budget: u64,
}

/// The result of the run.
pub(crate) struct Outcome {
    pub(crate) finished: Finished,
    pub(crate) output: Value,
}

/// How a step ended.
enum Ended {
    Value(Arc<Value>),
    /// Its condition did not hold.
    NotWanted,
    /// It failed, or the budget was not sufficient.
    Nothing,
}

/// What a run knows so far.
struct Knowledge {
    results: HashMap<String, Arc<Value>>,
    inputs: Value,
    run: Value,
    texts: HashSet<String>,
    today: Day,
}

impl Knowledge {
    fn scope(&self) -> Scope<'_> {
        Scope {
            inputs: &self.inputs,
            results: &self.results,
            run: &self.run,
            item: None,
            item_origin: Origin::Source,
            texts: &self.texts,
            today: self.today,
        }
    }
}

/// What is missing, and why.
type Missing = Mutex<Vec<Value>>;

/// Runs an agent. The listener is informed of each step; if it leaves, no further step is started. Dropping the future
/// ends the work.
pub(crate) async fn execute(
    context: &Context,
    order: &Order,
    id: Option<&str>,
    listener: Option<Sender<StepRecord>>,
) -> Result<Outcome> {
    let about = NewRun {
        kind: super::KIND,
        subject: order.agent.slug.clone(),
        inputs: order.inputs.clone(),
        budget: order.budget,
        keeping: Keeping::AtTheEnd,
    };
    let run = match id {
        Some(id) => Run::resume(context, id, about, listener).await?,
        None => Run::new(context, about, listener),
    };
    let pipeline = &order.agent.pipeline;
    let today = Day::of(context.end());
    let mut knowledge = Knowledge {
        results: HashMap::new(),
        inputs: order.inputs.clone(),
        run: json!({"id": run.id(), "date": today.to_string(), "week_ago": today.plus(-7).to_string(), "month_ago": today.plus(-30).to_string(), "agent": order.agent.slug}),
        texts: texts_of(pipeline),
        today,
    };
    let missing = Missing::default();
    let stopped = work(context, &run, pipeline, &mut knowledge, &missing).await;
    let status = match (stopped.is_some(), run.status()) {
        (true, RunStatus::BudgetExhausted) => RunStatus::BudgetExhausted,
        (true, _) => RunStatus::Failed,
        (false, status) => status,
    };
    let missing = missing.into_inner();
    let (summary, output) = output(pipeline, &knowledge, &missing, stopped.as_deref());
    let finished = run.finish(status, &summary, output.clone()).await?;
    if let Err(error) = context.store.agents().count_run(&order.agent.slug).await {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "a run of {} was not counted: {error}",
            order.agent.slug
        );
    }
    Ok(Outcome { finished, output })
}

/// The steps that write texts.
fn texts_of(pipeline: &Pipeline) -> HashSet<String> {
    let steps = pipeline.steps.iter();
    steps
        .filter(|step| matches!(step.work, Work::Text(_)))
        .map(|step| step.name.clone())
        .collect()
}

/// Performs the steps, each one as soon as the steps that it reads are done. Reports which one ended the run early.
async fn work(
    context: &Context,
    run: &Run<'_>,
    pipeline: &Pipeline,
    knowledge: &mut Knowledge,
    missing: &Missing,
) -> Option<String> {
    let steps = &pipeline.steps;
    let mut is_done = vec![false; steps.len()];
    let mut is_begun = vec![false; steps.len()];
    let mut stopped: Option<String> = None;
    let mut open: FuturesUnordered<BoxFuture<'_, (usize, Ended)>> = FuturesUnordered::new();
    loop {
        for (place, step) in steps.iter().enumerate() {
            let is_ready = !is_begun[place] && step.depends.iter().all(|one| is_done[*one]);
            if is_ready && stopped.is_none() {
                is_begun[place] = true;
                let known = Arc::new(Knowledge {
                    results: knowledge.results.clone(),
                    inputs: knowledge.inputs.clone(),
                    run: knowledge.run.clone(),
                    texts: knowledge.texts.clone(),
                    today: knowledge.today,
                });
                open.push(Box::pin(async move {
                    (place, one(context, run, step, &known, missing).await)
                }));
            }
        }
        let Some((place, ended)) = open.next().await else {
            break;
        };
        is_done[place] = true;
        let step = &steps[place];
        match ended {
            Ended::Value(value) => {
                knowledge.results.insert(step.name.clone(), value);
            }
            Ended::Nothing if step.stops && stopped.is_none() => stopped = Some(step.name.clone()),
            Ended::NotWanted | Ended::Nothing => {}
        }
    }
    if let Some(name) = &stopped {
        for (place, step) in steps.iter().enumerate() {
            if !is_begun[place] {
                let reason = format!("step {name} failed, and the run ends with it");
                run.skip(&step.name, json!({}), &reason).await;
            }
        }
    }
    stopped
}

/// Performs one step.
async fn one(
    context: &Context,
    run: &Run<'_>,
    step: &Step,
    known: &Knowledge,
    missing: &Missing,
) -> Ended {
    let scope = known.scope();
    if let Some(when) = &step.when
        && !when.holds(scope)
    {
        run.skip(&step.name, json!({}), "its condition does not hold")
            .await;
        return Ended::NotWanted;
    }
    if let Work::Call {
        entry,
        arguments,
        price,
    } = &step.work
    {
        let call = call::Call {
            context,
            run,
            step,
            entry,
            arguments,
            price: *price,
            missing,
        };
        return call.make(scope).await;
    }
    let value = match made(step, scope) {
        Ok(value) => value,
        Err(reason) => {
            run.skip(&step.name, json!({}), reason).await;
            return Ended::Nothing;
        }
    };
    let done = async {
        Ok(Done {
            summary: shown::summary(&value),
            output: shown::object(&value),
            confidence: None,
            credits: None,
        })
    };
    let is_done = run.step(&step.name, json!({}), 0, done).await.is_some();
    if is_done {
        Ended::Value(Arc::new(value))
    } else {
        Ended::Nothing
    }
}

/// What a step computes from what is known; one that calls an operation computes nothing by itself.
fn made(step: &Step, scope: Scope<'_>) -> std::result::Result<Value, &'static str> {
    match &step.work {
        Work::Select(selection) => {
            select(selection, scope).ok_or("the list that it reads is missing")
        }
        Work::Compute(fields) => Ok(compute(fields, scope)),
        Work::Text(text) => Ok(texts(step, text, scope)),
        Work::Call { .. } => Err("it is no step of its own"),
    }
}

/// Entries of a list, selected and in order.
fn select(selection: &Selection, scope: Scope<'_>) -> Option<Value> {
    let list = selection.from.value(scope)?;
    let origin = scope.origin(&selection.from);
    let mut items: Vec<&Value> = list.as_array()?.iter().collect();
    if let Some(filter) = &selection.filter {
        let mut place = 0;
        items.retain(|item| {
            place += 1;
            filter.holds(scope.with_item(item, place - 1, origin))
        });
    }
    if let Some((name, falling)) = &selection.sort {
        let key = |item: &Value| super::expression::field(item, name).cloned();
        // Entries without the field come last, whatever the direction.
        items.sort_by(|left, right| match (key(left), key(right)) {
            (Some(left), Some(right)) => {
                let order =
                    super::expression::compare(&left, &right).unwrap_or(std::cmp::Ordering::Equal);
                if *falling == Falling::Yes {
                    order.reverse()
                } else {
                    order
                }
            }
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => std::cmp::Ordering::Equal,
        });
    }
    if let Some(name) = &selection.unique {
        let mut seen: Vec<Value> = Vec::new();
        items.retain(|item| {
            let Some(key) = super::expression::field(item, name) else {
                return true;
            };
            let is_new = !seen.contains(key);
            if is_new {
                seen.push(key.clone());
            }
            is_new
        });
    }
    items.truncate(selection.limit);
    let chosen = items
        .into_iter()
        .enumerate()
        .map(|(place, item)| match &selection.fields {
            Some(fields) => Value::Object(values(fields, scope.with_item(item, place, origin))),
            None => item.clone(),
        });
    Some(chosen.collect())
}

fn compute(fields: &[(String, super::expression::Expression)], scope: Scope<'_>) -> Value {
    let computed = fields.iter().filter_map(|(name, expression)| {
        Some((name.clone(), expression.value(scope)?.into_owned()))
    });
    Value::Object(computed.collect())
}

/// One text, or one for each entry of a list.
fn texts(step: &Step, lines: &text::Text, scope: Scope<'_>) -> Value {
    let Some(list) = &step.for_each else {
        return text::write(lines, scope).into();
    };
    let origin = scope.origin(list);
    let items = list.value(scope);
    let items = items
        .as_deref()
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    items
        .take(step.at_most as usize)
        .enumerate()
        .map(|(place, item)| Value::from(text::write(lines, scope.with_item(item, place, origin))))
        .filter(|text| text.as_str().is_some_and(|text| !text.is_empty()))
        .collect()
}

/// What the sources say about figures that are older than they should be, in sentences; steps that iterate over a list
/// do not say which of its entries they concern.
fn out_of_date(pipeline: &Pipeline, missing: &[Value]) -> Vec<String> {
    /// The most sentences.
    const MOST: usize = 4;
    let looped = |name: &str| {
        let mut steps = pipeline.steps.iter();
        steps.any(|step| step.name == name && step.for_each.is_some())
    };
    let mut reasons: Vec<String> = Vec::new();
    for one in missing {
        let is_old = one.get("stale") == Some(&Value::Bool(true));
        let (Some(field), Some(reason)) = (
            one.get("field").and_then(Value::as_str),
            one.get("reason").and_then(Value::as_str),
        ) else {
            continue;
        };
        let step = field.split('.').next().unwrap_or(field);
        let reason = figures::sentence(&figures::quoted(reason));
        if is_old && !looped(step) && !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let mut reasons = alike::merged(&reasons);
    reasons.truncate(MOST);
    reasons
}

/// Largest output of a run in bytes.
const LONGEST_OUTPUT: usize = 256 << 10;

/// The text and the fields that a run ends with.
fn output(
    pipeline: &Pipeline,
    knowledge: &Knowledge,
    missing: &[Value],
    stopped: Option<&str>,
) -> (String, Value) {
    let scope = knowledge.scope();
    let mut summary = match stopped {
        None => text::write(&pipeline.summary, scope),
        Some(_) => String::new(),
    };
    let failed: Vec<String> = missing
        .iter()
        .filter(|one| one.get("failed") == Some(&Value::Bool(true)))
        .filter_map(|one| {
            let step = one.get("field")?.as_str()?.replace('_', " ");
            let reason = figures::sentence(&figures::quoted(one.get("reason")?.as_str()?));
            Some(format!(
                "{}: {reason}",
                figures::sentence(&step).trim_end_matches('.')
            ))
        })
        .collect();
    if let Some(name) = stopped {
        summary = format!(
            "This run ended early, because its step {} gave nothing.",
            name.replace('_', " ")
        );
    } else if summary.is_empty() {
        "Nothing that this agent reads had an answer.".clone_into(&mut summary);
    }
    let old = out_of_date(pipeline, missing);
    if !old.is_empty() && stopped.is_none() {
        let lines: Vec<String> = old.iter().map(|line| format!("- {line}")).collect();
        summary.push_str("\n\n**Out of date**\n\n");
        summary.push_str(&lines.join("\n"));
    }
    if !failed.is_empty() {
        let lines: Vec<String> = failed.iter().map(|line| format!("- {line}")).collect();
        summary.push_str("\n\n**Not available**\n\n");
        summary.push_str(&lines.join("\n"));
    }
    let mut fields = Map::new();
    fields.insert("summary".to_owned(), summary.clone().into());
    let mut bytes = summary.len();
    for (name, field) in values(&pipeline.output, scope) {
        let field = shown::bounded(&field);
        bytes += field.to_string().len();
        if bytes > LONGEST_OUTPUT {
            fields.insert("cut".to_owned(), true.into());
            break;
        }
        fields.insert(name, field);
    }
    if !missing.is_empty() {
        let missing = missing.iter().map(|one| {
            let mut one = one.clone();
            if let Value::Object(fields) = &mut one {
                fields.remove("failed");
            }
            one
        });
        fields.insert("data_status".to_owned(), missing.collect());
    }
    (summary, Value::Object(fields))
}

#[cfg(test)]
mod tests;
