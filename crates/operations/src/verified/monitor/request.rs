//! A request for a monitor, and how it changes the existing one.

use model::Timestamp;
use notify::signature::SigningSecret;
use providers::callbacks::LONGEST_ADDRESS;
use serde::Deserialize;
use store::{Monitor, MonitorState};
use utoipa::ToSchema;

use crate::Context;
use crate::checked::{Checked, Faults};
use crate::error::Result;

const THRESHOLD: f64 = 0.7;
const INTERVAL_HOURS: f64 = 24.0;
const SHORTEST_HOURS: f64 = 1.0;
const LONGEST_HOURS: f64 = 720.0;

/// What is to be monitored, and how. Absent fields keep the value of the agent's existing monitor.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct MonitorRequest {
    /// Your agent: the name under which its claims are remembered.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S")]
    pub(super) agent_id: String,
    /// Trust below this value, from 0 to 1, counts as low; initially 0.7.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1, default = 0.7)]
    trust_threshold: Option<f64>,
    /// Hours between checks; initially 24.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 720, default = 24)]
    check_interval_hours: Option<f64>,
    /// Where alerts are posted: an https address on the public internet, on port 443 or any port from 1024 upwards.
    /// Without an address, alerts are only listed.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 2048, format = "uri")]
    alert_webhook: Option<String>,
    /// Also sends an alert when trust falls below the threshold, and marks alerts that are sent while it remains there.
    #[serde(default)]
    #[schema(default = false)]
    escalate_on_low_trust: Option<bool>,
}

impl Checked for MonitorRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("agent_id", self.agent_id.trim(), 1..=100);
        let threshold = self.trust_threshold.unwrap_or(THRESHOLD);
        if !(0.0..=1.0).contains(&threshold) {
            faults.note("trust_threshold must be a number from 0 to 1");
        }
        let hours = self.check_interval_hours.unwrap_or(INTERVAL_HOURS);
        if !(SHORTEST_HOURS..=LONGEST_HOURS).contains(&hours) {
            faults.note("check_interval_hours must be a number from 1 to 720");
        }
        if let Some(address) = &self.alert_webhook {
            faults.length("alert_webhook", address.trim(), 1..=LONGEST_ADDRESS);
            faults.one_line("alert_webhook", address);
        }
    }
}

impl MonitorRequest {
    fn interval_ms(&self) -> Option<i64> {
        let hours = self.check_interval_hours?;
        Some((hours * Timestamp::HOUR_MS as f64).round() as i64)
    }

    pub(super) fn webhook(&self) -> Option<&str> {
        self.alert_webhook.as_deref().map(str::trim)
    }

    /// The monitor that this request creates, and its secret if it has a webhook.
    pub(super) fn create(&self, context: &Context) -> Result<(Monitor, Option<SigningSecret>)> {
        let now = context.attempt.now;
        let interval_ms = self
            .interval_ms()
            .unwrap_or((INTERVAL_HOURS * Timestamp::HOUR_MS as f64) as i64);
        let secret = self
            .webhook()
            .map(|_| SigningSecret::from_random(rand::random()));
        let monitor = Monitor {
            id: format!("mon_{}", uuid::Uuid::new_v4().simple()),
            account: context.owner()?.account,
            agent: self.agent_id.trim().to_owned(),
            state: MonitorState::Active,
            trust_threshold: self.trust_threshold.unwrap_or(THRESHOLD),
            interval_ms,
            alert_webhook: self.webhook().map(Into::into),
            secret: text_of(secret.as_ref()).into(),
            escalates: self.escalate_on_low_trust.unwrap_or(false),
            created_at: now,
            next_check_at: now.plus_ms(interval_ms),
            last_check_at: None,
            last_trust: None,
            alerts_sent: 0,
        };
        Ok((monitor, secret))
    }

    /// How this request changes a monitor, and the secret if there is a new one: each address has its own.
    pub(super) fn change(
        &self,
        read: &Monitor,
        now: Timestamp,
    ) -> (Monitor, Option<SigningSecret>) {
        let mut monitor = read.clone();
        monitor.state = MonitorState::Active;
        monitor.trust_threshold = self.trust_threshold.unwrap_or(read.trust_threshold);
        monitor.escalates = self.escalate_on_low_trust.unwrap_or(read.escalates);
        if (monitor.trust_threshold, monitor.escalates) != (read.trust_threshold, read.escalates) {
            // Whether trust fell below the threshold is asked of the new one.
            monitor.last_trust = None;
        }
        monitor.interval_ms = self.interval_ms().unwrap_or(read.interval_ms);
        if monitor.interval_ms != read.interval_ms {
            let since = read.last_check_at.unwrap_or(read.created_at);
            monitor.next_check_at = since.plus_ms(monitor.interval_ms);
        }
        monitor.next_check_at = monitor.next_check_at.max(now);
        let known = read.alert_webhook.as_ref().map(model::SecretUrl::expose);
        let fresh = self.webhook().filter(|address| Some(*address) != known);
        let secret = fresh.map(|_| SigningSecret::from_random(rand::random()));
        if let Some(address) = fresh {
            monitor.alert_webhook = Some(address.into());
            monitor.secret = text_of(secret.as_ref()).into();
        }
        (monitor, secret)
    }
}

fn text_of(secret: Option<&SigningSecret>) -> String {
    secret.map(SigningSecret::expose).unwrap_or_default()
}
