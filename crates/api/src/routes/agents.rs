//! `/agents/run/{slug}`: a run of an agent as it progresses, as server-sent events, or as one document.

use std::sync::Arc;

use agents::StepRecord;
use agents::marketplace::{AgentRun, AgentRunOutcome, RunRequest};
use axum::extract::{Path, Request, State};
use axum::response::Response;
use http::HeaderMap;
use http::header::ACCEPT;
use operations::{Attempt, Charge, Context, Entry, Limits, Naming, Result, parse_body};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, RefOr};

use crate::binding;
use crate::error::Failure;
use crate::event_stream::{AnswerEvent, sse_answer};
use crate::extract::{AsOfQuery, CallerOf, ChargeOf, read_body, require_json};
use crate::idempotency;
use crate::router::Line;
use crate::state::AppState;

/// Steps that wait for a reader; a reader that accepts none stops the work.
const WAITING: usize = 32;

/// The line of an operation that is answered event by event, unless its caller wants a single document.
pub(crate) fn line(entry: &Arc<Entry>) -> Line {
    let mut line = binding::bind(entry);
    let whole = entry.clone();
    let handler = move |state: State<AppState>,
                        slug: Path<String>,
                        caller: CallerOf,
                        charge: ChargeOf,
                        as_of: AsOfQuery,
                        request: Request| {
        let whole = whole.clone();
        async move {
            if wants_document(request.headers()) {
                return binding::serve(&whole, state.0, request).await;
            }
            stream(state, slug, caller, charge, as_of, request).await
        }
    };
    line.methods = axum::routing::post(handler);
    describe_events(&mut line);
    line
}

/// Adds to the document that there are events as well.
fn describe_events(line: &mut Line) {
    let text = ObjectBuilder::new().schema_type(Type::String).build();
    let events = ContentBuilder::new().schema(Some(text)).build();
    let operations = line
        .paths
        .paths
        .values_mut()
        .filter_map(|item| item.post.as_mut());
    for operation in operations {
        if let Some(RefOr::T(response)) = operation.responses.responses.get_mut("200") {
            response
                .content
                .insert("text/event-stream".to_owned(), RefOr::T(events.clone()));
        }
    }
}

/// Whether the caller names JSON but no events.
fn wants_document(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter();
    let accepted: Vec<&str> = accepted.filter_map(|value| value.to_str().ok()).collect();
    let accepted = accepted.join(",").to_ascii_lowercase();
    accepted.contains("application/json") && !accepted.contains("text/event-stream")
}

async fn stream(
    State(state): State<AppState>,
    Path(slug): Path<String>,
    CallerOf(caller): CallerOf,
    ChargeOf(charge): ChargeOf,
    AsOfQuery(as_of): AsOfQuery,
    request: Request,
) -> Result<Response, Failure> {
    let place = state.streams.open(&caller)?;
    require_json(request.headers())?;
    // A stream is not repeated, but what would be rejected for a document is rejected here as well.
    idempotency::parse_key(request.headers())?;
    let body = read_body(request, &state.http).await?;
    let asked: RunRequest = parse_body(&body)?;
    let mut context = Context {
        services: state.services.clone(),
        caller,
        as_of,
        price: agents::marketplace::PRICE,
        charge: charge.clone(),
        attempt: Arc::new(Attempt::new(None, state.clock.now())),
        limits: Limits::default(),
        naming: Naming::default(),
    };
    let run = AgentRun::prepare(&mut context, &slug, asked).await?;
    run.reserve(&context, &charge)?;
    // The head is sent before the work is done, so the work settles the charge.
    let charge = charge.take();
    let (sender, mut receiver) = mpsc::channel::<StepRecord>(WAITING);
    let work = tokio::spawn(async move {
        // Held for as long as there is work, even when nobody is listening any more.
        let _place = place;
        finish(context, run, charge, sender).await
    });
    let events = async_stream::stream! {
        while let Some(step) = receiver.recv().await {
            yield event("step", written(step));
        }
        yield work.await.unwrap_or_else(|_| {
            event("error", json!({"status": "error", "message": "internal error", "code": 500}))
        });
    };
    Ok(sse_answer(events))
}

/// Does the run and says how it ended.
async fn finish(
    context: Context,
    run: AgentRun,
    charge: Charge,
    sender: mpsc::Sender<StepRecord>,
) -> AnswerEvent {
    let slug = run.slug().to_owned();
    match run.run(&context, &charge, Some(sender)).await {
        Ok(outcome) => event("complete", complete(&slug, outcome)),
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                agent.slug = slug,
                "a run of {slug} did not end well: {error}"
            );
            let code = error.code().status();
            let message = if code >= 500 {
                "internal error".to_owned()
            } else {
                error.to_string()
            };
            event(
                "error",
                json!({"status": "error", "message": message, "code": code}),
            )
        }
    }
}

fn complete(slug: &str, outcome: AgentRunOutcome) -> Value {
    let mut complete = json!({
        "run_id": outcome.run_id,
        "output": outcome.output,
        "credits_used": outcome.credits,
        "duration_ms": outcome.duration_ms,
        "agent_slug": slug,
        "status": outcome.status,
        "receipt_id": outcome.receipt_id,
    });
    if let Some(delivery) = outcome.delivery_id {
        complete["delivery_id"] = delivery.into();
    }
    complete
}

/// A step as the stream reports it; its result is always an object.
fn written(step: StepRecord) -> Value {
    let result = match step.result {
        Value::Object(_) => step.result,
        Value::Null => json!({}),
        other => json!({"value": other}),
    };
    let mut written = json!({
        "step": step.step,
        "name": step.name,
        "status": step.status,
        "result": result,
        "summary": step.summary,
        "credits": step.credits,
        "duration_ms": step.duration_ms,
    });
    if let Some(reason) = step.reason {
        written["reason"] = reason.into();
    }
    if let Some(confidence) = step.confidence {
        written["confidence"] = confidence.into();
    }
    written
}

fn event(name: &'static str, data: Value) -> AnswerEvent {
    AnswerEvent { name, data }
}
