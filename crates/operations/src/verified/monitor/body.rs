//! Components of responses about monitors.

use model::Timestamp;
use notify::signature::SigningSecret;
use serde::Serialize;
use serde_json::Value;
use store::{Delivery, DeliveryState, Monitor, MonitorState};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::error::{Error, Result};
use crate::field;

/// A monitor that was created or changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct SavedMonitor {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Id of the monitor.
    monitor_id: String,
    /// Name of the agent.
    agent_id: String,
    /// When it will be checked next.
    #[schema(format = "date-time")]
    next_check: String,
    /// Trust below this value, from 0 to 1, counts as low.
    trust_threshold: f64,
    /// `active`.
    state: &'static str,
    /// Hours between checks.
    check_interval_hours: f64,
    /// Whether low trust triggers an alert of its own.
    escalate_on_low_trust: bool,
    /// Where alerts are posted, with anything that may be a secret masked. Null if alerts are only listed.
    #[schema(required)]
    alert_webhook: Option<String>,
    /// The secret that signs alerts to this address. Shown only when the address is first given, so keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
}

impl SavedMonitor {
    pub(super) fn new(monitor: &Monitor, secret: Option<&SigningSecret>) -> Self {
        Self {
            status: "ok",
            monitor_id: monitor.id.clone(),
            agent_id: monitor.agent.clone(),
            next_check: monitor.next_check_at.to_string(),
            trust_threshold: monitor.trust_threshold,
            state: monitor.state.as_str(),
            check_interval_hours: hours(monitor.interval_ms),
            escalate_on_low_trust: monitor.escalates,
            alert_webhook: monitor.alert_webhook.as_ref().map(ToString::to_string),
            secret: secret.map(SigningSecret::expose),
        }
    }
}

fn hours(ms: i64) -> f64 {
    ms as f64 / Timestamp::HOUR_MS as f64
}

/// A monitor.
#[derive(Serialize, ToSchema)]
#[schema(as = Monitor)]
pub(crate) struct MonitorBody {
    /// Id.
    monitor_id: String,
    /// Name of the agent.
    agent_id: String,
    /// Whether the monitor is checked.
    #[schema(schema_with = states)]
    state: &'static str,
    /// Trust below this value, from 0 to 1, counts as low.
    trust_threshold: f64,
    /// Hours between checks.
    check_interval_hours: f64,
    /// Whether low trust triggers an alert of its own.
    escalate_on_low_trust: bool,
    /// Where alerts are posted, with anything that may be a secret masked. Null if alerts are only listed.
    #[schema(required)]
    alert_webhook: Option<String>,
    /// When it was created.
    #[schema(format = "date-time")]
    created_at: String,
    /// When it will be checked next. Null while it is paused.
    #[schema(required, format = "date-time")]
    next_check: Option<String>,
    /// When it was last checked. Null if never.
    #[schema(required, format = "date-time")]
    last_check: Option<String>,
    /// Share of supported claims among those with a verdict, weighted by confidence, from 0 to 1, at the last check
    /// that reached a verdict on any claim. Null if there has been none since the threshold was set.
    #[schema(required)]
    last_trust: Option<f64>,
    /// Number of alerts that were delivered.
    alerts_sent: u64,
}

fn states() -> Object {
    let states = [MonitorState::Active, MonitorState::Paused];
    field::said_word("Whether checks run.", states.map(MonitorState::as_str))
}

impl MonitorBody {
    fn new(monitor: &Monitor) -> Self {
        let is_active = monitor.state == MonitorState::Active;
        Self {
            monitor_id: monitor.id.clone(),
            agent_id: monitor.agent.clone(),
            state: monitor.state.as_str(),
            trust_threshold: monitor.trust_threshold,
            check_interval_hours: hours(monitor.interval_ms),
            escalate_on_low_trust: monitor.escalates,
            alert_webhook: monitor.alert_webhook.as_ref().map(ToString::to_string),
            created_at: monitor.created_at.to_string(),
            next_check: is_active.then(|| monitor.next_check_at.to_string()),
            last_check: monitor.last_check_at.map(|at| at.to_string()),
            last_trust: monitor.last_trust,
            alerts_sent: monitor.alerts_sent,
        }
    }
}

/// One monitor.
#[derive(Serialize, ToSchema)]
pub(crate) struct MonitorAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The monitor.
    monitor: MonitorBody,
}

impl MonitorAnswer {
    pub(super) fn new(monitor: &Monitor) -> Self {
        Self {
            status: "ok",
            monitor: MonitorBody::new(monitor),
        }
    }
}

/// The monitors of an account.
#[derive(Serialize, ToSchema)]
pub(crate) struct MonitorsAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The monitors, oldest first.
    monitors: Vec<MonitorBody>,
    /// Number of monitors.
    total: usize,
}

impl MonitorsAnswer {
    pub(super) fn new(monitors: &[Monitor]) -> Self {
        Self {
            status: "ok",
            monitors: monitors.iter().map(MonitorBody::new).collect(),
            total: monitors.len(),
        }
    }
}

/// A monitor and its newest alerts.
#[derive(Serialize, ToSchema)]
pub(crate) struct MonitorDetail {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The monitor.
    monitor: MonitorBody,
    /// The newest alerts of the monitor, newest first; at most 20.
    alerts: Vec<MonitorAlertBody>,
}

impl MonitorDetail {
    pub(super) fn new(monitor: &Monitor, alerts: Vec<Delivery>) -> Result<Self> {
        let alerts = alerts.into_iter().map(MonitorAlertBody::new);
        Ok(Self {
            status: "ok",
            monitor: MonitorBody::new(monitor),
            alerts: alerts.collect::<Result<_>>()?,
        })
    }
}

/// An alert and its delivery status.
#[derive(Serialize, ToSchema)]
#[schema(as = MonitorAlert)]
pub(crate) struct MonitorAlertBody {
    /// Id of the alert, which is the `webhook-id` of its delivery.
    id: String,
    /// When the check was made.
    #[schema(format = "date-time")]
    created_at: String,
    /// `pending`, `delivered`, `failed` (given up) or `not_sent` (there was no webhook).
    delivery: &'static str,
    /// Number of delivery attempts.
    attempts: u32,
    /// When it was delivered. Null if it was not.
    #[schema(required, format = "date-time")]
    delivered_at: Option<String>,
    /// When the next delivery attempt is due, or when the attempt in progress counts as lost. Null if no further
    /// attempt will be made.
    #[schema(required, format = "date-time")]
    next_attempt: Option<String>,
    /// The message as posted: `type`, `timestamp` and `data`.
    #[schema(value_type = Object)]
    message: Value,
}

impl MonitorAlertBody {
    fn new(alert: Delivery) -> Result<Self> {
        let is_open = alert.state == DeliveryState::Pending;
        let delivery = match alert.state {
            DeliveryState::Delivered => "delivered",
            DeliveryState::Pending => "pending",
            DeliveryState::NotSent => "not_sent",
            DeliveryState::Dead => "failed",
        };
        Ok(Self {
            created_at: alert.created_at.to_string(),
            delivery,
            attempts: alert.attempts,
            delivered_at: alert.delivered_at.map(|at| at.to_string()),
            next_attempt: is_open.then(|| alert.next_attempt_at.to_string()),
            message: serde_json::from_str(&alert.body).map_err(Error::internal)?,
            id: alert.id,
        })
    }
}
