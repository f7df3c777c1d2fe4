//! The webhook that leads to this command for as long as it runs.

use serde_json::json;

use crate::error::{Error, Result};
use crate::page::text;
use crate::service::Service;

/// Everything that a webhook can be told of.
const EVENTS: [&str; 3] = ["brief.published", "brief.trending", "brief.corrected"];

/// A webhook of the server.
pub(super) struct Webhook {
    id: String,
    secret: String,
}

impl Webhook {
    /// Makes the server call that address.
    pub(super) async fn create(service: &Service, address: &str) -> Result<Self> {
        let body = json!({"url": address, "events": EVENTS, "format": "raw"});
        let created = service.post(&["webhooks"], &[], &body).await;
        let created = created.map_err(|error| match error {
            Error::Refused {
                status: 400,
                message,
                ..
            } => Error::Usage(format!(
                "the server does not call this machine ({message}); start it with --allow-private-callbacks"
            )),
            other => other,
        })?;
        let webhook = created.value.get("webhook").cloned().unwrap_or_default();
        Ok(Self {
            id: text(&webhook, "id").to_owned(),
            secret: text(&webhook, "secret").to_owned(),
        })
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn secret(&self) -> &str {
        &self.secret
    }

    /// Takes it away with its messages.
    pub(super) async fn remove(&self, service: &Service) -> Result<()> {
        service.delete(&["webhooks", &self.id]).await.map(drop)
    }
}
