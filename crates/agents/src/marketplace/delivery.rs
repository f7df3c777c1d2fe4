//! The result of a run, sent to a webhook of the caller: a message in its queue, signed and retried like all others.

use model::DataMode;
use operations::{Context, Error, Result};
use serde_json::{Value, json};
use store::{Webhook, WebhookFormat, WebhookMessage};

use super::catalogue::Agent;
use super::run::AgentRunOutcome;

/// The type of the message.
pub(crate) const KIND: &str = "agent.run";
/// How many messages of a webhook may wait; any more are not sent.
const MOST_WAITING: u64 = 100;
/// How many characters of a text chat services accept.
const LONGEST_TEXT: usize = 2_900;

/// The webhook of the caller.
pub(crate) async fn target(context: &Context, id: &str) -> Result<Webhook> {
    let owner = context.owner()?.account;
    let webhook = context.store.webhooks().find(owner, id).await?;
    let webhook = webhook
        .ok_or_else(|| Error::not_found("delivery_target_id: this account has no such webhook"))?;
    if let Some((_, reason)) = &webhook.disabled {
        return Err(Error::invalid(format!(
            "delivery_target_id: this webhook is disabled ({reason}); send it a test first"
        )));
    }
    let waiting = context.store.webhooks().waiting(&webhook.id).await?;
    if waiting >= MOST_WAITING {
        return Err(Error::invalid(format!(
            "delivery_target_id: {waiting} messages wait for this webhook already"
        )));
    }
    Ok(webhook)
}

/// Puts the message into the queue; returns its id. A webhook that has gone in the meantime gets none.
pub(crate) async fn send(
    context: &Context,
    webhook: &Webhook,
    agent: &Agent,
    outcome: &AgentRunOutcome,
) -> Result<Option<String>> {
    let now = context.services.clock.now();
    let is_simulated = context.store.mode() == DataMode::Demo;
    let message = WebhookMessage {
        id: format!("msg_{}", uuid::Uuid::new_v4().simple()),
        webhook: webhook.id.clone(),
        kind: KIND,
        subject: outcome.run_id.clone(),
        event: Some(outcome.run_id.clone()),
        body: body(
            webhook.format,
            agent,
            outcome,
            &now.to_string(),
            is_simulated,
        )
        .to_string(),
    };
    let sent = context.store.webhooks().send(&message, now, None).await;
    match sent {
        Ok(()) => Ok(Some(message.id)),
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                run.id = outcome.run_id,
                "run {} was not queued for its webhook: {error}",
                outcome.run_id
            );
            Ok(None)
        }
    }
}

fn body(
    format: WebhookFormat,
    agent: &Agent,
    outcome: &AgentRunOutcome,
    at: &str,
    is_simulated: bool,
) -> Value {
    let summary = outcome
        .output
        .get("summary")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let name = &agent.pipeline.name;
    match format {
        WebhookFormat::Raw => {
            let mut data = json!({
                "run_id": outcome.run_id,
                "agent_slug": agent.slug,
                "status": outcome.status,
                "output": outcome.output,
                "credits_used": outcome.credits,
                "duration_ms": outcome.duration_ms,
                "receipt_id": outcome.receipt_id,
            });
            if is_simulated {
                data["simulated"] = true.into();
            }
            json!({"type": KIND, "timestamp": at, "data": data})
        }
        WebhookFormat::Slack => {
            // Plain text: what sources say cannot contain links or mention anybody.
            let text = cut(&plain(summary));
            let note = if is_simulated {
                "simulated"
            } else {
                agent.slug.as_str()
            };
            json!({
                "text": name,
                "blocks": [
                    {"type": "header", "text": {"type": "plain_text", "text": name.chars().take(140).collect::<String>()}},
                    {"type": "section", "text": {"type": "plain_text", "text": text}},
                    {"type": "context", "elements": [{"type": "plain_text", "text": note}]},
                ],
            })
        }
        WebhookFormat::Discord => {
            let mut fields = vec![json!({"name": "Run", "value": outcome.run_id, "inline": true})];
            if is_simulated {
                fields.push(json!({"name": "Note", "value": "simulated", "inline": true}));
            }
            json!({
                "embeds": [{"title": name, "description": cut(summary), "timestamp": at, "fields": fields}],
                "allowed_mentions": {"parse": []},
            })
        }
    }
}

/// Markdown without its markup.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.extend(characters.next()),
            '*' => {}
            other => plain.push(other),
        }
    }
    plain
}

fn cut(text: &str) -> String {
    let mut cut: String = text.chars().take(LONGEST_TEXT).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    if cut.is_empty() {
        "–".to_owned()
    } else {
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_markdown_are_no_words() {
        assert_eq!(plain("**A** \\*b\\_c"), "A *b_c");
        assert_eq!(cut(&"a".repeat(4_000)).chars().count(), LONGEST_TEXT + 1);
    }
}
