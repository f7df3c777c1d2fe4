//! Components of responses about alerts.

use model::{AlertType, SecretUrl, Timestamp};
use serde::Serialize;
use store::{Alert, AlertStatus, AlertTerms, Trigger};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use super::context::ContextBody;
use super::preview::PreviewBody;
use crate::caller::Caller;
use crate::error::Result;
use crate::field;

/// An alert.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Alert)]
pub(crate) struct AlertBody {
    /// Id.
    id: String,
    /// Symbol.
    ticker: String,
    /// The condition that is watched.
    #[schema(schema_with = alert_types)]
    alert_type: &'static str,
    /// The threshold value.
    threshold: f64,
    /// Whether it has fired.
    #[schema(schema_with = statuses)]
    status: &'static str,
    /// Where a message is posted when the alert fires, exactly as given. Absent if there is no address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    callback_url: Option<String>,
    /// When it was created.
    #[schema(format = "date-time")]
    created_at: String,
    /// When it fired. Absent until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = "date-time")]
    triggered_at: Option<String>,
    /// The value that met the condition. Absent until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    trigger_value: Option<f64>,
}

fn alert_types() -> Object {
    field::said_word(
        "What the alert watches.",
        AlertType::ALL.map(AlertType::as_str),
    )
}

fn statuses() -> Object {
    let statuses = [AlertStatus::Active, AlertStatus::Triggered];
    field::said_word(
        "Whether the alert has fired.",
        statuses.map(AlertStatus::as_str),
    )
}

impl AlertBody {
    pub(super) fn new(
        terms: &AlertTerms,
        callback: Option<&SecretUrl>,
        trigger: Option<(Timestamp, f64)>,
    ) -> Self {
        let status = if trigger.is_some() {
            AlertStatus::Triggered
        } else {
            AlertStatus::Active
        };
        Self {
            id: terms.id.clone(),
            ticker: terms.ticker.clone(),
            alert_type: terms.kind.as_str(),
            threshold: terms.threshold,
            status: status.as_str(),
            // Its owner compares it with what was sent; nobody else sees it.
            callback_url: callback.map(|url| url.expose().to_owned()),
            created_at: terms.created_at.to_string(),
            triggered_at: trigger.map(|(at, _)| at.to_string()),
            trigger_value: trigger.map(|(_, value)| value),
        }
    }

    fn of(alert: &Alert) -> Self {
        let trigger = alert.trigger.as_ref().map(|one| (one.at, one.value));
        Self::new(&alert.terms, alert.callback_url.as_ref(), trigger)
    }
}

/// An alert that was created, or a preview of what it would have done.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AlertAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The alert. Absent with `preview`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    alert: Option<AlertBody>,
    /// The secret that signs messages to this callback address. Shown only when the account first uses the address, so
    /// keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) secret: Option<String>,
    /// What the alert would have done. Present only with `preview`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    preview: Option<PreviewBody>,
}

impl AlertAnswer {
    pub(super) fn created(terms: &AlertTerms, callback: Option<&str>) -> Self {
        let callback = callback.map(SecretUrl::from);
        Self {
            status: "ok",
            alert: Some(AlertBody::new(terms, callback.as_ref(), None)),
            secret: None,
            preview: None,
        }
    }

    pub(super) fn previewed(preview: PreviewBody) -> Self {
        Self {
            status: "ok",
            alert: None,
            secret: None,
            preview: Some(preview),
        }
    }
}

/// The alerts of an account.
#[derive(Serialize, ToSchema)]
pub(crate) struct AlertsAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The alerts, newest first.
    alerts: Vec<AlertBody>,
    /// Total number of alerts, shown or not.
    total: u64,
}

impl AlertsAnswer {
    pub(super) fn new(alerts: &[Alert], total: u64) -> Self {
        Self {
            status: "ok",
            alerts: alerts.iter().map(AlertBody::of).collect(),
            total,
        }
    }
}

/// Alerts that fired.
#[derive(Serialize, ToSchema)]
pub(crate) struct TriggeredAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The alerts that fired, newest first.
    triggered: Vec<TriggeredBody>,
    /// Total number of alerts that fired, shown or not.
    total: u64,
}

/// An alert that fired, with what triggered it.
#[derive(Serialize, ToSchema)]
#[schema(as = TriggeredAlert)]
pub(crate) struct TriggeredBody {
    #[serde(flatten)]
    alert: AlertBody,
    /// Same as `id`.
    alert_id: String,
    /// What triggered it.
    context: ContextBody,
}

impl TriggeredAnswer {
    pub(super) fn new(alerts: &[Alert], total: u64, caller: &Caller) -> Result<Self> {
        let with_trigger = |alert: &Alert, trigger: &Trigger| {
            Ok(TriggeredBody {
                alert: AlertBody::of(alert),
                alert_id: alert.terms.id.clone(),
                context: ContextBody::read(&trigger.context)?.for_caller(caller),
            })
        };
        let triggered = alerts.iter().filter_map(|alert| {
            let trigger = alert.trigger.as_ref()?;
            Some(with_trigger(alert, trigger))
        });
        Ok(Self {
            status: "ok",
            triggered: triggered.collect::<Result<_>>()?,
            total,
        })
    }
}
