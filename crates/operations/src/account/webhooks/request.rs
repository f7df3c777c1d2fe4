//! What a caller wants of a new webhook.

use model::OutboxKind;
use providers::callbacks::LONGEST_ADDRESS;
use serde::Deserialize;
use store::WebhookFormat;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, Object, ObjectBuilder, Type};

use crate::checked::{Checked, Faults};
use crate::field;

/// The events that a webhook can be told.
pub(super) const EVENTS: [OutboxKind; 3] = [
    OutboxKind::BriefPublished,
    OutboxKind::BriefTrending,
    OutboxKind::BriefCorrected,
];

/// A webhook to be created.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct NewWebhook {
    /// Where messages are posted: an https address on the public internet, port 443 or one from 1024 on.
    #[schema(min_length = 1, max_length = 2048, format = "uri")]
    url: String,
    /// What it is told.
    #[schema(schema_with = events)]
    events: Vec<String>,
    /// What messages look like.
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
        .description(Some("What it is told."))
        .build()
}

fn formats() -> Object {
    let words = WebhookFormat::ALL.map(WebhookFormat::as_str);
    field::optional_word("What messages look like.", words.into_iter(), Some("raw"))
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

    /// Each once, in our order.
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
