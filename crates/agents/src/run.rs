//! Runs the steps of a plan side by side.

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use operations::{Context, Error, ErrorCode, Result};
use serde_json::Value;
use tokio::sync::mpsc::Sender;

use crate::OPERATIONS;
use crate::ask::Event;
use crate::plan::Step;

/// What came of a step.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) step: Step,
    pub(crate) result: Result<Value, String>,
}

/// Fields of briefs that an answer does not repeat; a brief is found under its id.
const LEFT_OUT: [&str; 9] = [
    "body",
    "entities",
    "entities_enriched",
    "tags",
    "provenance",
    "bias_analysis",
    "highlights",
    "facets",
    "related_queries",
];

/// Runs the steps, all at the same time, and sends each result to the listener as it is there. Dropping the future ends the
/// work; so does a listener that left.
pub(crate) async fn run(
    context: &Context,
    steps: Vec<Step>,
    listener: Option<&Sender<Event>>,
) -> Vec<Outcome> {
    let mut open: FuturesUnordered<_> = steps
        .into_iter()
        .enumerate()
        .map(|(place, step)| async move { (place, consult(context, step).await) })
        .collect();
    let mut outcomes = Vec::with_capacity(open.len());
    while let Some((place, outcome)) = open.next().await {
        let is_heard = match (&outcome.result, listener) {
            (Ok(data), Some(listener)) => {
                listener.send(data_event(&outcome.step, data)).await.is_ok()
            }
            _ => true,
        };
        outcomes.push((place, outcome));
        if !is_heard {
            break;
        }
    }
    outcomes.sort_by_key(|(place, _)| *place);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn data_event(step: &Step, data: &Value) -> Event {
    Event::Data {
        key: step.key,
        subject: step.subject.clone(),
        data: data.clone(),
    }
}

async fn consult(context: &Context, step: Step) -> Outcome {
    let body = OPERATIONS
        .consult(context, step.operation, step.arguments.clone())
        .await;
    let result = body
        .and_then(|body| serde_json::from_slice(&body).map_err(Error::internal))
        .map(|mut value: Value| {
            if let Value::Object(fields) = &mut value {
                fields.retain(|name, _| !matches!(name.as_str(), "status" | "took_ms"));
            }
            shorten(&mut value);
            value
        })
        .map_err(|error| reason(&step, &error));
    Outcome { step, result }
}

/// Why a step has no result, for whoever asked.
fn reason(step: &Step, error: &Error) -> String {
    let endpoint = &step.endpoint;
    match error.code() {
        ErrorCode::EndpointNotAllowed
        | ErrorCode::CategoryNotAllowed
        | ErrorCode::DemoKeyRefused => {
            format!("this key may not call {endpoint}")
        }
        ErrorCode::Internal => {
            tracing::warn!(
                error = error as &dyn std::error::Error,
                step.operation = step.operation,
                "a step failed: {error}"
            );
            format!("{endpoint} failed")
        }
        _ => error.to_string(),
    }
}

/// Without what is long and stands elsewhere.
fn shorten(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
            fields.values_mut().for_each(shorten);
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        _ => {}
    }
}
