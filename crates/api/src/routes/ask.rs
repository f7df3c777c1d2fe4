//! `/ask/stream`: an answer as it is produced, as server-sent events.

use std::sync::Arc;

use agents::MOST_SOURCES;
use agents::ask::operation::read;
use agents::ask::{Answered, Asked, Event as Told, Question};
use axum::extract::State;
use axum::response::Response;
use operations::{Arguments, Attempt, Charge, Context, Limits, Naming, Parameters, Price, Result};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use utoipa::openapi::{RefOr, Schema};

use crate::error::Failure;
use crate::event_stream::{AnswerEvent, sse_answer};
use crate::extract::{AsOfQuery, CallerOf, ChargeOf, ValidQuery};
use crate::state::AppState;

/// Events that wait for a reader; a reader that accepts none stops the work.
const WAITING: usize = 32;
/// Credits of one stream.
pub(crate) const PRICE: Price = Price::between(1, MOST_SOURCES, "1 per source queried");

/// The query of `/ask/stream`.
pub(crate) struct AskStreamQuery(Asked);

impl Parameters for AskStreamQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self(read(arguments, "question"))
    }
}

/// The parameter that says what else should come with the answer.
pub(crate) const INCLUDE: &str = "include";

/// The values it can have, for the document.
pub(crate) fn include_words() -> RefOr<Schema> {
    let mut fields = Arguments::describe(AskStreamQuery::read).into_iter();
    fields
        .find(|field| field.name == INCLUDE)
        .map_or_else(|| RefOr::T(Schema::default()), |field| field.schema)
}

/// Answers a question, event by event.
///
/// Server-sent events in this order, each with one `data` line of JSON and an `id` that counts them:
/// `thinking {intents, tickers, sectors}`; `data {key, data}` for each source as it answers, with `subject` where the
/// question names several instruments; `summary_template {text}`; `summary_token {token}`, only where a language model
/// writes;
/// `done {trade_signal, confidence {level, score}, credits, response_time_ms, follow_ups, summary_source, session_id}`.
/// If `summary_source` is `template`, discard the tokens that came before: the model did not finish, or too much of
/// what it wrote was struck. A client that disconnects ends the work and is charged for what was done; the answer
/// cannot be resumed. A comment is sent every 15 seconds while nothing else is.
#[utoipa::path(
    get,
    path = "/api/v1/ask/stream",
    tag = "ask",
    params(
        ("question" = String, Query, description = "The question in plain English", min_length = 2, max_length = 500, example = "How is NVDA doing?"),
        ("budget" = Option<u64>, Query, description = "Maximum number of credits that the answer may cost", minimum = 1, maximum = 20),
        ("include" = Option<String>, Query, description = "`chart`: a chart of the prices of the instruments in question, in `done`"),
        ("session_id" = Option<String>, Query, description = "Session of an earlier answer that this question may refer to", max_length = 80),
        ("as_of" = Option<String>, Query, description = "Respond with what was known at this time (ISO 8601), which must not be in the future", format = DateTime),
    ),
    responses((status = 200, description = "The answer, event by event", body = String, content_type = "text/event-stream"))
)]
pub(crate) async fn stream(
    State(state): State<AppState>,
    CallerOf(caller): CallerOf,
    ChargeOf(charge): ChargeOf,
    AsOfQuery(as_of): AsOfQuery,
    ValidQuery(AskStreamQuery(asked)): ValidQuery<AskStreamQuery>,
) -> Result<Response, Failure> {
    let place = state.streams.open(&caller)?;
    let context = Context {
        services: state.services.clone(),
        caller,
        as_of,
        price: PRICE,
        charge: charge.clone(),
        attempt: Arc::new(Attempt::new(None, state.clock.now())),
        limits: Limits {
            cancel: CancellationToken::new(),
            ..Limits::default()
        },
        naming: Naming::default(),
    };
    let question = Question::prepare(&context, asked).await?;
    // The head is sent before the work is done, so the work settles the charge.
    let charge = charge.take();
    let (sender, mut receiver) = mpsc::channel(WAITING);
    let first = written(question.thinking());
    let work = tokio::spawn(async move {
        // Held for as long as there is work, even when nobody is listening any more.
        let _place = place;
        answer(context, question, charge, sender).await
    });
    let events = async_stream::stream! {
        yield first;
        while let Some(told) = receiver.recv().await {
            yield written(told);
        }
        let last = work.await.unwrap_or_else(|_| {
            let message = json!({"status": "error", "message": "internal error", "code": 500});
            vec![event("error", message)]
        });
        for event in last {
            yield event;
        }
    };
    Ok(sse_answer(events))
}

/// Runs the plan, settles the charge for what was done, and reports how it ended.
async fn answer(
    context: Context,
    question: Question,
    charge: Charge,
    sender: mpsc::Sender<Told>,
) -> Vec<AnswerEvent> {
    let answered = question.answer(&context, Some(&sender)).await;
    charge.claim(answered.credits);
    if let Err(error) = charge.settle(PRICE.most).await {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "a stream could not be charged: {error}"
        );
        return vec![event(
            "error",
            json!({"status": "error", "message": error.to_string(), "code": error.code().status()}),
        )];
    }
    last(answered)
}

/// The events after the last result.
fn last(answered: Answered) -> Vec<AnswerEvent> {
    let mut done = Map::new();
    if let Some(signal) = answered.trade_signal() {
        let signal = json!({"action": signal.action, "score": signal.score});
        done.insert("trade_signal".to_owned(), signal);
    }
    let confidence =
        json!({"level": answered.confidence.level, "score": answered.confidence.score});
    done.insert("confidence".to_owned(), confidence);
    done.insert("credits".to_owned(), json!(answered.credits));
    done.insert("response_time_ms".to_owned(), json!(answered.took_ms));
    done.insert("follow_ups".to_owned(), json!(answered.answer.follow_ups));
    let source = if answered.prose.is_some() {
        "llm"
    } else {
        "template"
    };
    done.insert("summary_source".to_owned(), json!(source));
    done.insert("session_id".to_owned(), json!(answered.session));
    if let Some(chart) = &answered.chart {
        done.insert("chart".to_owned(), json!(chart));
    }
    if !answered.missing.is_empty() {
        done.insert("data_status".to_owned(), json!(answered.missing));
    }
    vec![event("done", Value::Object(done))]
}

fn written(told: Told) -> AnswerEvent {
    match told {
        Told::Thinking {
            intents,
            tickers,
            sectors,
        } => event(
            "thinking",
            json!({"intents": intents, "tickers": tickers, "sectors": sectors}),
        ),
        Told::Data { key, subject, data } => {
            let mut fields = Map::new();
            fields.insert("key".to_owned(), json!(key));
            if let Some(subject) = subject {
                fields.insert("subject".to_owned(), json!(subject));
            }
            fields.insert("data".to_owned(), data);
            event("data", Value::Object(fields))
        }
        Told::Template(text) => event("summary_template", json!({"text": text})),
        Told::Token(token) => event("summary_token", json!({"token": token})),
    }
}

fn event(name: &'static str, data: Value) -> AnswerEvent {
    AnswerEvent { name, data }
}
