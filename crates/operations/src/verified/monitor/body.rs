//! What answers about monitors consist of.

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
    /// The agent.
    agent_id: String,
    /// When it is checked next.
    #[schema(format = "date-time")]
    next_check: String,
    /// A trust below it counts as low, 0 to 1.
    trust_threshold: f64,
    /// `active`.
    state: &'static str,
    /// Hours from one check to the next.
    check_interval_hours: f64,
    /// Whether low trust is an alert of its own.
    escalate_on_low_trust: bool,
    /// Where alerts are posted, with what may be a secret in it masked; null where they are only listed.
    #[schema(required)]
    alert_webhook: Option<String>,
    /// What alerts to this address are signed with. Shown only when the address is first given; keep it.
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
    /// The agent.
    agent_id: String,
    /// Whether it is checked.
    #[schema(schema_with = states)]
    state: &'static str,
    /// A trust below it counts as low, 0 to 1.
    trust_threshold: f64,
    /// Hours from one check to the next.
    check_interval_hours: f64,
    /// Whether low trust is an alert of its own.
    escalate_on_low_trust: bool,
    /// Where alerts are posted, with what may be a secret in it masked; null where they are only listed.
    #[schema(required)]
    alert_webhook: Option<String>,
    /// When it was created.
    #[schema(format = "date-time")]
    created_at: String,
    /// When it is checked next; null while it is paused.
    #[schema(required, format = "date-time")]
    next_check: Option<String>,
    /// When it was last checked; null for never.
    #[schema(required, format = "date-time")]
    last_check: Option<String>,
    /// Share of supported claims among those with a verdict, weighted by confidence, 0 to 1, at the last check that gave a
    /// verdict on any; null where there was none since the threshold was set.
    #[schema(required)]
    last_trust: Option<f64>,
    /// Alerts that were delivered.
    alerts_sent: u64,
}

fn states() -> Object {
    let states = [MonitorState::Active, MonitorState::Paused];
    field::said_word("Whether it is checked.", states.map(MonitorState::as_str))
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
    /// Oldest first.
    monitors: Vec<MonitorBody>,
    /// How many there are.
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
    /// Its newest alerts, newest first; at most 20.
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

/// An alert and what became of it.
#[derive(Serialize, ToSchema)]
#[schema(as = MonitorAlert)]
pub(crate) struct MonitorAlertBody {
    /// Id: the `webhook-id` of its delivery.
    id: String,
    /// When the check was made.
    #[schema(format = "date-time")]
    created_at: String,
    /// `pending`, `delivered`, `failed` (given up) or `not_sent` (there was no webhook).
    delivery: &'static str,
    /// Attempts to deliver it.
    attempts: u32,
    /// When it was delivered; null where it was not.
    #[schema(required, format = "date-time")]
    delivered_at: Option<String>,
    /// When delivery is attempted next, or the attempt under way counts as lost; null where nothing is attempted any more.
    #[schema(required, format = "date-time")]
    next_attempt: Option<String>,
    /// The message, as it is posted: `type`, `timestamp` and `data`.
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
