//! From events to messages: each webhook that subscribes to an event gets one, in its format.
//!
//! The position reached is committed together with the messages. Several processes can therefore share the work, and a
//! kill neither loses an event nor reports one twice.

use std::time::Duration;

use model::{DataMode, OutboxKind, Timestamp};
use notify::{Published, chat, read_after};
use serde::Serialize;
use serde_json::{Value, json};
use store::{Webhook, WebhookFormat, WebhookMessage};
use tokio_util::sync::CancellationToken;

use super::request::EVENTS;
use crate::error::{Error, Result};
use crate::news::brief_body::BriefBody;
use crate::services::Services;

/// How often the outbox is queried.
const PAUSE: Duration = Duration::from_millis(250);
/// Number of consecutive failures that are only logged.
const MOST_FAILURES: u32 = 50;
/// Number of events that become messages in one transaction.
const BATCH: u64 = 50;

/// Creates messages for webhooks until cancelled.
pub(crate) async fn run(services: &Services, cancel: CancellationToken) -> Result<()> {
    let mut failures = 0;
    loop {
        match tell(services).await {
            Ok(_) => failures = 0,
            Err(error) if failures + 1 >= MOST_FAILURES => return Err(error),
            Err(error) => {
                failures += 1;
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "webhooks could not be told and are told again: {error}"
                );
            }
        }
        tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Creates the messages for all pending events. Returns how many.
pub(crate) async fn tell(services: &Services) -> Result<usize> {
    let webhooks = services.store.webhooks();
    let mut told = 0;
    loop {
        let from = webhooks.position().await?;
        let (published, to) = read_after(&services.store, from, BATCH).await?;
        if to == from {
            return Ok(told);
        }
        let now = services.clock.now();
        let is_wanted = published.iter().any(|event| EVENTS.contains(&event.kind));
        let subscribed = if is_wanted {
            webhooks.subscribed().await?
        } else {
            Vec::new()
        };
        let messages = messages(&subscribed, &published, now, services.store.mode())?;
        if webhooks.tell(from, to, &messages, now).await? {
            told += messages.len();
        }
    }
}

fn messages(
    webhooks: &[Webhook],
    published: &[Published],
    now: Timestamp,
    mode: DataMode,
) -> Result<Vec<WebhookMessage>> {
    let mut messages = Vec::new();
    for event in published {
        let brief = &event.brief.brief;
        // Written once for each format, however many want it.
        let mut bodies: [Option<String>; WebhookFormat::ALL.len()] = [None, None, None];
        for webhook in webhooks {
            let sees =
                webhook.categories.is_empty() || webhook.categories.contains(&brief.category);
            let is_new = event.position > webhook.after_position;
            if !sees || !is_new || !webhook.events.contains(&event.kind) {
                continue;
            }
            let written = &mut bodies[webhook.format as usize];
            let body = if let Some(body) = written {
                body.clone()
            } else {
                let body = body(webhook.format, event, now, mode)?;
                written.insert(body).clone()
            };
            messages.push(WebhookMessage {
                id: format!("msg_{}", uuid::Uuid::new_v4().simple()),
                webhook: webhook.id.clone(),
                kind: event.kind.as_str(),
                subject: brief.public_id.as_str().to_owned(),
                event: Some(event.position.to_string()),
                body,
            });
        }
    }
    Ok(messages)
}

#[derive(Serialize)]
struct Message<Data> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: String,
    data: Data,
}

#[derive(Serialize)]
struct BriefData {
    brief: BriefBody,
}

fn body(
    format: WebhookFormat,
    event: &Published,
    now: Timestamp,
    mode: DataMode,
) -> Result<String> {
    let stored = &event.brief;
    let body = match format {
        WebhookFormat::Raw => {
            let at = match event.kind {
                OutboxKind::BriefTrending => stored.trending_at,
                _ => None,
            };
            let message = Message {
                kind: event.kind.as_str(),
                timestamp: at.unwrap_or(stored.known_from).to_string(),
                data: BriefData {
                    brief: BriefBody::new(stored, now),
                },
            };
            return serde_json::to_string(&message).map_err(Error::internal);
        }
        WebhookFormat::Slack => chat::slack(event.kind, &stored.brief),
        WebhookFormat::Discord => chat::discord(event.kind, &stored.brief),
    };
    Ok(chat::simulated(body, format, mode).to_string())
}

/// The body of a test, in the format of the webhook.
pub(crate) fn test_body(webhook: &Webhook, now: Timestamp, mode: DataMode) -> Value {
    let text = "This is a test of your webhook.";
    let notice = chat::Notice {
        kind: notify::delivery::TEST,
        title: "Test",
        text,
        data: json!({"webhook_id": webhook.id, "message": text}),
    };
    chat::notice(webhook.format, &notice, now, mode)
}
