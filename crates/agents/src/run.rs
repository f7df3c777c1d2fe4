//! Runs the steps of a plan side by side.

use std::collections::VecDeque;
use std::sync::Arc;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use operations::{Context, Error, ErrorCode, Result};
use serde_json::Value;
use tokio::sync::mpsc::Sender;

use crate::OPERATIONS;
use crate::ask::Event;
use crate::plan::Step;
use crate::state::State;
use crate::view::{View, stems};

/// The most briefs about an instrument in an answer.
const NEWS_OF_INSTRUMENT: usize = 5;

/// The result of a step.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) step: Step,
    pub(crate) result: Result<Arc<Value>, String>,
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

/// Runs the steps, all at the same time, and sends each result to the listener as soon as it is available. Dropping the
/// future ends the work, and so does a listener that has left.
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
    // Results that the listener has no room for yet. Meanwhile the steps go on: one that has a place in a queue of the
    // store must not wait there for a slow reader, with every writer behind it.
    let mut untold = VecDeque::new();
    while !open.is_empty() || !untold.is_empty() {
        let next = match listener {
            Some(listener) => tokio::select! {
                biased;
                () = listener.closed() => break,
                room = listener.reserve(), if !untold.is_empty() => {
                    if let (Ok(room), Some(event)) = (room, untold.pop_front()) {
                        room.send(event);
                    }
                    continue;
                }
                next = open.next(), if !open.is_empty() => next,
            },
            None => open.next().await,
        };
        let Some((place, outcome)) = next else {
            break;
        };
        if let (Ok(data), Some(_)) = (&outcome.result, listener) {
            untold.push_back(data_event(&outcome.step, data));
        }
        outcomes.push((place, outcome));
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
    let state = State::of(&context.services);
    let (operation, arguments) = (step.operation, step.arguments.clone());
    let result = OPERATIONS
        .consult_kept(context, operation, arguments, &state.results, |body| {
            read(operation, body)
        })
        .await
        .map_err(|error| reason(&step.endpoint, &error));
    Outcome { step, result }
}

/// The parts of a step's response that an answer needs.
fn read(operation: &str, body: &[u8]) -> Result<Value> {
    let mut value = serde_json::from_slice(body).map_err(Error::internal)?;
    if let Value::Object(fields) = &mut value {
        fields.retain(|name, _| !matches!(name.as_str(), "status" | "took_ms" | "credits_used"));
    }
    if operation == "list_ticker_news" {
        own_first(&mut value);
    }
    if operation == "search_briefs" {
        about_first(&mut value);
    }
    shorten(&mut value);
    if operation == "search_briefs" {
        keep_relevant(&mut value);
    }
    Ok(value)
}

/// Why a step has no result, for whoever asked.
pub(crate) fn reason(endpoint: &str, error: &Error) -> String {
    match error.code() {
        ErrorCode::EndpointNotAllowed
        | ErrorCode::CategoryNotAllowed
        | ErrorCode::DemoKeyRefused => {
            format!("this key may not call {endpoint}")
        }
        ErrorCode::Internal => {
            tracing::warn!(
                error = error as &dyn std::error::Error,
                step.endpoint = endpoint,
                "a step failed: {error}"
            );
            format!("{endpoint} failed")
        }
        _ => error.to_string(),
    }
}

/// A story about this many instruments is a market round-up, and says nothing about any of them in particular.
pub(crate) const LOOK_AT_MANY: usize = 4;

/// How many instruments a brief is about or names.
pub(crate) fn instruments_of(brief: View<'_>) -> usize {
    let entities = brief.list("entities_enriched").into_iter();
    entities.filter(|one| one.text("ticker").is_some()).count()
}

/// Briefs on an instrument: those about it before those that name it among many, each newest first, and as many as an
/// answer lists.
fn own_first(found: &mut Value) {
    let Some(Value::Array(briefs)) = found.get_mut("briefs") else {
        return;
    };
    briefs.sort_by_cached_key(|brief| {
        let brief = View(brief);
        let is_own = brief.text("role") == Some("subject") && instruments_of(brief) < LOOK_AT_MANY;
        let told = brief.told_at().unwrap_or_default().to_owned();
        (!is_own, std::cmp::Reverse(told))
    });
    briefs.truncate(NEWS_OF_INSTRUMENT);
}

/// For a search for a name and nothing else, puts briefs about the bearer of the name before those that only contain
/// the word, and among these first the ones with more sources.
fn about_first(found: &mut Value) {
    let query = found.get("query").and_then(Value::as_str);
    let name = query.unwrap_or_default().to_lowercase();
    let Some(Value::Array(briefs)) = found.get_mut("briefs") else {
        return;
    };
    let is_named = |entity: &View<'_>| {
        let said = entity.text("name").unwrap_or_default().to_lowercase();
        said == name
    };
    let is_of = |brief: &Value, role: Option<&str>| {
        let entities = View(brief).list("entities_enriched").into_iter();
        entities
            .filter(is_named)
            .any(|entity| role.is_none() || entity.text("role") == role)
    };
    if !briefs.iter().any(|brief| is_of(brief, None)) {
        return;
    }
    // Equal briefs stay in the order of the search.
    briefs.sort_by_cached_key(|brief| {
        let sources = View(brief).whole("source_count").unwrap_or_default();
        let is_corroborated = sources > 1;
        let is_about = is_of(brief, Some("subject"));
        (
            !(is_about && is_corroborated),
            !is_about,
            std::cmp::Reverse(sources),
        )
    });
}

/// Leaves out briefs that contain fewer than half of the words that were searched for: search finds something for
/// everything.
fn keep_relevant(found: &mut Value) {
    let query = found
        .get("query")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let stems = stems(query);
    let Some(Value::Array(briefs)) = found.get_mut("briefs") else {
        return;
    };
    briefs.retain(|brief| View(brief).held(&stems) * 2 >= stems.len());
}

/// Removes fields that are long and appear elsewhere.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_name_is_the_subject_of_stands_before_what_only_holds_the_word() {
        let brief = |id: &str, role: &str, sources: u64| {
            json!({"id": id, "headline": format!("OpenAI {id}"), "source_count": sources,
                "entities_enriched": [{"name": "OpenAI", "role": role}]})
        };
        let mut found = json!({"query": "openai", "briefs": [
            brief("openai-2.1 is released", "mentioned", 1),
            brief("a note", "subject", 1),
            brief("a chat with many names", "mentioned", 9),
            brief("raises money", "subject", 4),
            brief("signs a lease", "subject", 6),
        ]});
        let order = |found: &Value| -> Vec<String> {
            let briefs = found["briefs"].as_array().unwrap().iter();
            briefs
                .map(|one| one["id"].as_str().unwrap().to_owned())
                .collect()
        };
        about_first(&mut found);
        assert_eq!(
            order(&found),
            [
                "signs a lease",
                "raises money",
                "a note",
                "a chat with many names",
                "openai-2.1 is released",
            ]
        );
        // A search for more than a name keeps its order.
        let mut other = found.clone();
        other["query"] = json!("openai raises money");
        let before = order(&other);
        about_first(&mut other);
        assert_eq!(order(&other), before);
    }
}
