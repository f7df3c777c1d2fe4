//! Components of responses about webhooks.

use notify::signature::SigningSecret;
use serde::Serialize;
use serde_json::Value;
use store::{Delivery, DeliveryState, Webhook};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::error::{Error, Result};
use crate::field;

/// A webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(crate) struct WebhookBody {
    /// Id.
    id: String,
    /// Where messages are posted, exactly as given.
    url: String,
    /// The events that the webhook receives: `brief.published`, `brief.trending`, `brief.corrected`.
    events: Vec<&'static str>,
    /// `raw`, `slack` or `discord`.
    format: &'static str,
    /// The secret that signs messages. Shown only when it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
    /// Whether the webhook receives messages.
    #[schema(schema_with = states)]
    state: &'static str,
    /// When it was created.
    #[schema(format = "date-time")]
    created_at: String,
    /// The time since which deliveries have been failing. Null while they succeed.
    #[schema(required, format = "date-time")]
    failing_since: Option<String>,
    /// When it was disabled. Null while it is active.
    #[schema(required, format = "date-time")]
    disabled_at: Option<String>,
    /// The reason why it was disabled. Null while it is active.
    #[schema(required)]
    disabled_reason: Option<String>,
}

const ACTIVE: &str = "active";
const DISABLED: &str = "disabled";

fn states() -> Object {
    field::said_word("Whether messages are sent to it.", [ACTIVE, DISABLED])
}

impl WebhookBody {
    fn new(webhook: &Webhook, secret: Option<&SigningSecret>) -> Self {
        let disabled = webhook.disabled.as_ref();
        Self {
            id: webhook.id.clone(),
            // Its owner compares it with what was sent; nobody else sees it.
            url: webhook.url.expose().to_owned(),
            events: webhook.events.iter().map(|kind| kind.as_str()).collect(),
            format: webhook.format.as_str(),
            secret: secret.map(SigningSecret::expose),
            state: if disabled.is_some() { DISABLED } else { ACTIVE },
            created_at: webhook.created_at.to_string(),
            failing_since: webhook.failing_since.map(|at| at.to_string()),
            disabled_at: disabled.map(|(at, _)| at.to_string()),
            disabled_reason: disabled
                .map(|(_, reason)| format!("{reason}; send a test to enable the webhook again")),
        }
    }
}

/// One webhook.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The webhook.
    webhook: WebhookBody,
}

impl WebhookAnswer {
    pub(super) fn new(webhook: &Webhook, secret: Option<&SigningSecret>) -> Self {
        Self {
            status: "ok",
            webhook: WebhookBody::new(webhook, secret),
        }
    }
}

/// The webhooks of an account.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhooksAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The webhooks, oldest first.
    webhooks: Vec<WebhookBody>,
    /// Number of webhooks.
    total: usize,
}

impl WebhooksAnswer {
    pub(super) fn new(webhooks: &[Webhook]) -> Self {
        Self {
            status: "ok",
            webhooks: webhooks
                .iter()
                .map(|webhook| WebhookBody::new(webhook, None))
                .collect(),
            total: webhooks.len(),
        }
    }
}

/// A message and its delivery status.
#[derive(Serialize, ToSchema)]
#[schema(as = Delivery)]
pub(crate) struct DeliveryBody {
    /// Id of the message, sent as `webhook-id`.
    id: String,
    /// Type of the message, such as `brief.published`.
    event: String,
    /// Id of the brief that the message is about. Null for a test.
    #[schema(required)]
    brief_id: Option<String>,
    /// Delivery status.
    #[schema(schema_with = outcomes)]
    state: &'static str,
    /// Number of delivery attempts.
    attempts: u32,
    /// When the message was created.
    #[schema(format = "date-time")]
    created_at: String,
    /// When delivery was last attempted. Null if never.
    #[schema(required, format = "date-time")]
    last_attempt: Option<String>,
    /// When the next delivery attempt is due, or when the attempt in progress counts as lost. Null if no further
    /// attempt will be made.
    #[schema(required, format = "date-time")]
    next_attempt: Option<String>,
    /// When it was delivered. Null if it was not.
    #[schema(required, format = "date-time")]
    delivered_at: Option<String>,
    /// The receiver's latest response status. Null if it did not respond.
    #[schema(required)]
    response_status: Option<u16>,
    /// Why the last attempt failed. Null if it did not.
    #[schema(required)]
    error: Option<String>,
    /// The message as posted.
    #[schema(value_type = Object)]
    message: Value,
}

fn outcomes() -> Object {
    let meaning = "Outcome of the delivery: `dead` means that it was given up, `not_sent` is the notice that this webhook was disabled.";
    let states = [
        DeliveryState::Pending,
        DeliveryState::Delivered,
        DeliveryState::Dead,
        DeliveryState::NotSent,
    ];
    field::said_word(meaning, states.map(DeliveryState::as_str))
}

impl DeliveryBody {
    fn new(delivery: Delivery) -> Result<Self> {
        let is_open = delivery.state == DeliveryState::Pending;
        let about = Some(delivery.subject).filter(|subject| !subject.is_empty());
        Ok(Self {
            event: delivery.kind,
            brief_id: about,
            state: delivery.state.as_str(),
            attempts: delivery.attempts,
            created_at: delivery.created_at.to_string(),
            last_attempt: delivery.last_attempt_at.map(|at| at.to_string()),
            next_attempt: is_open.then(|| delivery.next_attempt_at.to_string()),
            delivered_at: delivery.delivered_at.map(|at| at.to_string()),
            response_status: delivery.last_status,
            error: delivery.last_error,
            message: serde_json::from_str(&delivery.body).map_err(Error::internal)?,
            id: delivery.id,
        })
    }
}

/// One message.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeliveryAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The message.
    delivery: DeliveryBody,
}

impl DeliveryAnswer {
    pub(super) fn new(delivery: Delivery) -> Result<Self> {
        Ok(Self {
            status: "ok",
            delivery: DeliveryBody::new(delivery)?,
        })
    }
}

/// Messages of a webhook.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeliveriesAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The messages, newest first.
    deliveries: Vec<DeliveryBody>,
    /// Number of messages shown.
    total: usize,
}

impl DeliveriesAnswer {
    pub(super) fn new(deliveries: Vec<Delivery>) -> Result<Self> {
        let deliveries: Vec<DeliveryBody> = deliveries
            .into_iter()
            .map(DeliveryBody::new)
            .collect::<Result<_>>()?;
        Ok(Self {
            status: "ok",
            total: deliveries.len(),
            deliveries,
        })
    }
}
