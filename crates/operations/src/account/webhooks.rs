//! `/webhooks`: addresses that are notified of events concerning briefs. Only the owner of a webhook sees it.

mod body;
pub(crate) mod fan_out;
mod request;

use model::Timestamp;
use notify::delivery::TEST;
use notify::signature::SigningSecret;
use store::{Delivery, DeliveryState, Webhook, WebhookMessage};

pub(crate) use body::{DeliveriesAnswer, DeliveryAnswer, WebhookAnswer, WebhooksAnswer};
pub(crate) use request::NewWebhook;

use crate::account::done::Done;
use crate::alerts::too_many;
use crate::attempt::stored_answer;
use crate::error::{Error, Result};
use crate::{About, Address, Arguments, Context, Effect, Keeping, Operation, Parameters, Posted};

/// Maximum number of webhooks per account.
const MOST_WEBHOOKS: u64 = 20;
/// How long the previous secret remains valid after a rotation.
const PREVIOUS_MS: i64 = 24 * Timestamp::HOUR_MS;

fn unknown_webhook() -> Error {
    Error::not_found("this account has no such webhook")
}

async fn find(context: &Context, id: &str) -> Result<Webhook> {
    let owner = context.owner()?.account;
    let found = context.store.webhooks().find(owner, id).await?;
    found.ok_or_else(unknown_webhook)
}

/// `POST /webhooks`.
pub(crate) struct Create;

impl Operation for Create {
    type Input = Posted<(), NewWebhook>;
    type Output = WebhookAnswer;

    const ABOUT: About = About {
        name: "create_webhook",
        address: Address::post("/api/v1/webhooks"),
        subject: "account",
        summary: "Creates a webhook, which receives a message for each event of a brief.",
        description: "Messages are signed according to Standard Webhooks, with the secret that is returned here and nowhere else. The formats `slack` and `discord` are for the incoming webhooks of these services.",
        answer: "The webhook",
        example: r#"{"url": "https://hooks.example.com/assay", "events": ["brief.published"], "format": "raw"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<WebhookAnswer> {
        let body = asked.body;
        let account = context.owner()?.account;
        let checked = context.callbacks.check(body.url()).await;
        checked.map_err(|fault| Error::invalid(format!("url {fault}")))?;
        let secret = SigningSecret::from_random(rand::random());
        let webhook = Webhook {
            id: format!("whk_{}", uuid::Uuid::new_v4().simple()),
            account,
            url: body.url().into(),
            events: body.events(),
            format: body.format(),
            categories: context.caller.categories().to_vec(),
            created_at: context.attempt.now,
            after_position: 0,
            disabled: None,
            failing_since: None,
        };
        let stored = stored_answer(&WebhookAnswer::new(&webhook, None), &[])?;
        let completion = context.attempt.completion(&stored);
        let written = secret.expose().into();
        let webhooks = context.store.webhooks();
        let inserted = webhooks.insert(&webhook, &written, MOST_WEBHOOKS, completion);
        inserted.await.map_err(too_many)?;
        Ok(WebhookAnswer::new(&webhook, Some(&secret)))
    }
}

/// `GET /webhooks`.
pub(crate) struct List;

impl Operation for List {
    type Input = ();
    type Output = WebhooksAnswer;

    const ABOUT: About = About {
        name: "list_webhooks",
        address: Address::get("/api/v1/webhooks"),
        subject: "account",
        summary: "Lists the webhooks of the account, oldest first, without their secrets.",
        answer: "The webhooks",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<WebhooksAnswer> {
        let owner = context.owner()?.account;
        let found = context.store.webhooks().list(owner).await?;
        Ok(WebhooksAnswer::new(&found))
    }
}

/// The webhook, by its id.
pub(crate) struct ById {
    id: String,
}

impl Parameters for ById {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", "Id of the webhook"),
        }
    }
}

/// What the operations about one webhook have in common.
const OF_WEBHOOK: About = About {
    subject: "account",
    missing: Some("The account has no such webhook"),
    example: r#"{"id": "whk_0"}"#,
    takes_as_of: false,
    keeping: Keeping::Never,
    ..About::READS
};

/// `DELETE /webhooks/{id}`.
pub(crate) struct Remove;

impl Operation for Remove {
    type Input = ById;
    type Output = Done;

    const ABOUT: About = About {
        name: "delete_webhook",
        address: Address::delete("/api/v1/webhooks/{id}"),
        summary: "Deletes a webhook and its messages; messages that have not been delivered yet are no longer sent.",
        answer: "The webhook is deleted",
        ..OF_WEBHOOK
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, ById { id }: ById) -> Result<Done> {
        let owner = context.owner()?.account;
        if context.store.webhooks().delete(owner, &id).await? {
            Ok(Done::new("the webhook is deleted"))
        } else {
            Err(unknown_webhook())
        }
    }
}

/// `POST /webhooks/{id}/test`.
pub(crate) struct Test;

impl Operation for Test {
    type Input = ById;
    type Output = DeliveryAnswer;

    const ABOUT: About = About {
        name: "test_webhook",
        address: Address::post("/api/v1/webhooks/{id}/test"),
        summary: "Sends a message of the type `webhook.test`, once.",
        description: "The message is sent within a second; the deliveries of the webhook show the outcome. A disabled webhook that accepts the message becomes active again.",
        answer: "The delivery, which is still pending",
        ..OF_WEBHOOK
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, ById { id }: ById) -> Result<DeliveryAnswer> {
        let webhook = find(&context, &id).await?;
        let now = context.attempt.now;
        let body = fan_out::test_body(&webhook, now, context.store.mode());
        let message = WebhookMessage {
            id: format!("msg_{}", uuid::Uuid::new_v4().simple()),
            webhook: webhook.id.clone(),
            kind: TEST,
            subject: String::new(),
            event: None,
            body: body.to_string(),
        };
        // As it stands in its row when this is answered.
        let answer = DeliveryAnswer::new(Delivery {
            id: message.id.clone(),
            receiver: webhook.id.clone(),
            kind: message.kind.to_owned(),
            subject: String::new(),
            body: message.body.clone(),
            state: DeliveryState::Pending,
            attempts: 0,
            created_at: now,
            next_attempt_at: now,
            last_attempt_at: None,
            delivered_at: None,
            last_status: None,
            last_error: None,
        })?;
        let stored = stored_answer(&answer, &[])?;
        let completion = context.attempt.completion(&stored);
        let webhooks = context.store.webhooks();
        webhooks.send(&message, now, completion).await?;
        Ok(answer)
    }
}

/// `POST /webhooks/{id}/rotate`.
pub(crate) struct Rotate;

impl Operation for Rotate {
    type Input = ById;
    type Output = WebhookAnswer;

    const ABOUT: About = About {
        name: "rotate_webhook_secret",
        address: Address::post("/api/v1/webhooks/{id}/rotate"),
        summary: "Gives a webhook a new secret.",
        description: "For 24 hours, messages carry two signatures, one made with the new secret and one with the previous secret, so that a receiver can switch over. The secret is returned only here.",
        answer: "The webhook with its new secret",
        ..OF_WEBHOOK
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, ById { id }: ById) -> Result<WebhookAnswer> {
        let webhook = find(&context, &id).await?;
        let secret = SigningSecret::from_random(rand::random());
        let stored = stored_answer(&WebhookAnswer::new(&webhook, None), &[])?;
        let completion = context.attempt.completion(&stored);
        let until = context.attempt.now.plus_ms(PREVIOUS_MS);
        let written = secret.expose().into();
        let webhooks = context.store.webhooks();
        let rotated = webhooks.rotate(webhook.account, &id, &written, until, completion);
        if rotated.await? {
            Ok(WebhookAnswer::new(&webhook, Some(&secret)))
        } else {
            Err(unknown_webhook())
        }
    }
}

/// Parameters for listing the messages of a webhook.
pub(crate) struct DeliveriesParameters {
    id: String,
    limit: u64,
}

impl Parameters for DeliveriesParameters {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", "Id of the webhook"),
            limit: arguments.integer(
                "limit",
                1..=100,
                20,
                "Maximum number of messages, newest first",
            ),
        }
    }
}

/// `GET /webhooks/{id}/deliveries`.
pub(crate) struct Deliveries;

impl Operation for Deliveries {
    type Input = DeliveriesParameters;
    type Output = DeliveriesAnswer;

    const ABOUT: About = About {
        name: "list_deliveries",
        address: Address::get("/api/v1/webhooks/{id}/deliveries"),
        summary: "Lists the messages of a webhook and their outcomes, newest first.",
        description: "Messages are kept for 30 days.",
        answer: "The messages",
        ..OF_WEBHOOK
    };

    async fn run(context: Context, asked: DeliveriesParameters) -> Result<DeliveriesAnswer> {
        let webhook = find(&context, &asked.id).await?;
        let deliveries = context.store.deliveries();
        let found = deliveries
            .list(webhook.account, &webhook.id, asked.limit)
            .await?;
        DeliveriesAnswer::new(found)
    }
}

/// The message of a webhook, by its id.
pub(crate) struct ByDelivery {
    id: String,
    delivery: String,
}

impl Parameters for ByDelivery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", "Id of the webhook"),
            delivery: arguments.path("delivery", "Id of the message"),
        }
    }
}

/// `POST /webhooks/{id}/deliveries/{delivery}/replay`.
pub(crate) struct Replay;

impl Operation for Replay {
    type Input = ByDelivery;
    type Output = DeliveryAnswer;

    const ABOUT: About = About {
        name: "replay_delivery",
        address: Address::post("/api/v1/webhooks/{id}/deliveries/{delivery}/replay"),
        summary: "Sends a message again, under the same `webhook-id`.",
        answer: "The delivery, which is pending again",
        missing: Some("The account has no such webhook or message"),
        example: r#"{"id": "whk_0", "delivery": "msg_0"}"#,
        ..OF_WEBHOOK
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: ByDelivery) -> Result<DeliveryAnswer> {
        let webhook = find(&context, &asked.id).await?;
        let (owner, deliveries) = (webhook.account, context.store.deliveries());
        let missing = || Error::not_found("this webhook has no such message");
        let now = context.attempt.now;
        if !deliveries
            .replay(owner, &webhook.id, &asked.delivery, now)
            .await?
        {
            return Err(missing());
        }
        let found = deliveries.find(owner, &webhook.id, &asked.delivery).await?;
        DeliveryAnswer::new(found.ok_or_else(missing)?)
    }
}
