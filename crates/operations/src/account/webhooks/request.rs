//! A request for a new webhook.

use model::OutboxKind;
use providers::callbacks::LONGEST_ADDRESS;
use serde::Deserialize;
use store::WebhookFormat;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, Object, ObjectBuilder, Type};

use crate::checked::{Checked, Faults};
use crate::field;

/// The events that a webhook can receive.
pub(super) const EVENTS: [OutboxKind; 3] = [
    OutboxKind::BriefPublished,
    OutboxKind::BriefTrending,
    OutboxKind::BriefCorrected,
];

/// A webhook to create.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct NewWebhook {
    /// Where messages are posted: an https address on the public internet, on port 443 or any port from 1024 upwards.
    #[schema(min_length = 1, max_length = 2048, format = "uri")]
    url: String,
    /// The events that the webhook receives.
    #[schema(schema_with = events)]
    events: Vec<String>,
    /// The format of messages.
    #[serde(default)]
    #[schema(schema_with = formats)]
    format: Option<String>,
}

fn events() -> Array {
    let event = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(EVENTS.map(OutboxKind::as_str)));
    ArrayBuilder::new()
        .items(event)
        .min_items(Some(1))
        .max_items(Some(EVENTS.len()))
        .description(Some("Events that are sent to it."))
        .build()
}

fn formats() -> Object {
    let words = WebhookFormat::ALL.map(WebhookFormat::as_str);
    field::optional_word("Format of the messages.", words.into_iter(), Some("raw"))
}

fn event(word: &str) -> Option<OutboxKind> {
    EVENTS.into_iter().find(|kind| kind.as_str() == word)
}

impl Checked for NewWebhook {
    fn check(&self, faults: &mut Faults) {
        faults.length("url", self.url.trim(), 1..=LONGEST_ADDRESS);
        faults.one_line("url", &self.url);
        faults.at_most("events", &self.events, EVENTS.len());
        if self.events.is_empty() {
            faults.note("events must name at least one event");
        }
        if self.events.iter().any(|word| event(word).is_none()) {
            let words = EVENTS.map(OutboxKind::as_str).join(", ");
            faults.note(format!("events must be one of {words}"));
        }
        if self
            .format
            .as_deref()
            .is_some_and(|word| WebhookFormat::parse(word).is_none())
        {
            let words = WebhookFormat::ALL.map(WebhookFormat::as_str).join(", ");
            faults.note(format!("format must be one of {words}"));
        }
    }
}

impl NewWebhook {
    pub(super) fn url(&self) -> &str {
        self.url.trim()
    }

    /// Each event once, in our order.
    pub(super) fn events(&self) -> Vec<OutboxKind> {
        let mut events = EVENTS.to_vec();
        events.retain(|kind| self.events.iter().any(|word| word == kind.as_str()));
        events
    }

    pub(super) fn format(&self) -> WebhookFormat {
        let asked = self.format.as_deref().and_then(WebhookFormat::parse);
        asked.unwrap_or(WebhookFormat::Raw)
    }
}
