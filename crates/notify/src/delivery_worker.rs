//! Delivers a store's messages: monitor alerts, ticker alerts, webhooks.
//!
//! Every message is a row that says when it is due. Only one at a time is under way to a receiver and only a few for an
//! account, so that a receiver that does not answer holds up nobody else. A message may arrive twice if a process ends
//! between the answer and its record; its id is then the same.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use model::{AccountId, Timestamp};
use providers::callbacks::Callbacks;
use serde_json::json;
use store::{
    AttemptReport, DISABLED, DeliverySecret, Disabling, DueDelivery, LEASE_MS, ReceiverKind, Store,
    Webhook, WebhookMessage,
};
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::chat;
use crate::delivery::{self, Message, Outcome};

/// Attempts under way at the same time.
const AT_ONCE: usize = 32;
/// How many of them may be for one account.
const OF_ONE_ACCOUNT: usize = 4;
/// How often the store is asked for due messages.
const PAUSE: Duration = Duration::from_millis(250);
/// Consecutive failures that are only logged.
const MOST_FAILURES: u32 = 50;
/// How long attempts under way may still take when the process is to end.
const LAST_ATTEMPTS: Duration = Duration::from_secs(5);

/// Delivers a store's messages.
#[derive(Clone)]
pub struct DeliveryWorker {
    /// Where the messages are.
    pub store: Store,
    /// The client that calls their receivers.
    pub callbacks: Arc<Callbacks>,
    /// Tells the time.
    pub now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

/// What is under way in this process, and for whom. Each attempt is a task of its own. Writers queue for the store, so
/// an attempt that waited there to be polled by the worker, while the worker waits behind it, would stop every writer
/// for good.
#[derive(Default)]
struct UnderWay {
    attempts: JoinSet<()>,
    of: HashMap<Id, AccountId>,
    /// When due messages were last looked for.
    looked_at: Option<Timestamp>,
}

impl DeliveryWorker {
    /// Delivers until cancelled; attempts under way are then ended. Repeated failures are left to the supervisor.
    pub async fn run(&self, cancel: CancellationToken) -> Result<(), store::Error> {
        let mut under_way = UnderWay::default();
        let mut failures = 0;
        while !cancel.is_cancelled() {
            match self.begin(&mut under_way).await {
                Ok(()) => failures = 0,
                Err(error) if failures + 1 >= MOST_FAILURES => return Err(error),
                Err(error) => {
                    failures += 1;
                    tracing::error!(
                        error = &error as &dyn std::error::Error,
                        "messages that are due cannot be read: {error}"
                    );
                }
            }
            tokio::select! {
                () = cancel.cancelled() => {}
                true = under_way.one_ended() => {}
                () = tokio::time::sleep(PAUSE) => {}
            }
        }
        let last = async { while under_way.one_ended().await {} };
        // Whatever takes longer is attempted again by the next process.
        let _ = tokio::time::timeout(LAST_ATTEMPTS, last).await;
        Ok(())
    }

    /// Delivers what is due now and returns when nothing is due or under way any more, with the number of attempts
    /// made.
    pub async fn deliver_due(&self) -> Result<usize, store::Error> {
        let mut under_way = UnderWay::default();
        let mut made = 0;
        loop {
            self.begin(&mut under_way).await?;
            if !under_way.one_ended().await {
                return Ok(made);
            }
            made += 1;
        }
    }

    /// Starts what is due, as far as there is room.
    async fn begin(&self, under_way: &mut UnderWay) -> Result<(), store::Error> {
        let now = (self.now)();
        if under_way.looked_at.is_none_or(|before| now < before) {
            // The clock was set back, or may have been while nothing was running.
            let moved = self.store.deliveries().follow_clock(now).await?;
            if moved > 0 {
                tracing::warn!(
                    "the clock was set back: {moved} messages that were put off under it are due now"
                );
            }
        }
        under_way.looked_at = Some(now);
        while under_way.of.len() < AT_ONCE {
            let deliveries = self.store.deliveries();
            let busy = under_way.busy();
            let Some(due) = deliveries.claim((self.now)(), LEASE_MS, &busy).await? else {
                return Ok(());
            };
            let (worker, account) = (self.clone(), due.account);
            let attempt = async move { worker.attempt(due).await };
            let task = under_way.attempts.spawn(attempt).id();
            under_way.of.insert(task, account);
        }
        Ok(())
    }

    async fn attempt(&self, due: DueDelivery) {
        let message = Message {
            id: &due.delivery.id,
            address: &due.url,
            secret: due.secret.expose(),
            previous_secret: due.previous_secret.as_ref().map(DeliverySecret::expose),
            body: &due.delivery.body,
        };
        let outcome = delivery::attempt(&self.callbacks, message, (self.now)()).await;
        metrics::counter!(
            "assay_deliveries_total",
            "receiver" => due.kind.as_str(), "outcome" => outcome.as_str()
        )
        .increment(1);
        if let Err(error) = self.record(&due, outcome).await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "an attempt cannot be recorded and is made again: {error}"
            );
        }
    }

    async fn record(&self, due: &DueDelivery, outcome: Outcome) -> Result<(), store::Error> {
        let deliveries = self.store.deliveries();
        let now = (self.now)();
        let (kind, receiver) = (due.kind.as_str(), &*due.delivery.receiver);
        let report = |status, error: Option<String>| AttemptReport {
            at: now,
            status,
            error,
        };
        match outcome {
            Outcome::Delivered { status } => {
                deliveries
                    .delivered(due, &report(Some(status), None))
                    .await?;
            }
            Outcome::Gone => {
                let report = report(Some(410), Some("status 410".to_owned()));
                let notices = self.notices(due, Disabling::Gone, now).await?;
                if deliveries.refused(due, &report, &notices).await? {
                    tracing::info!(
                        receiver.id = receiver,
                        "the {kind} {receiver} gets nothing more: it answered 410"
                    );
                }
            }
            Outcome::Failed {
                reason,
                retry_after,
            } => {
                // A test reports how it went, and nothing else.
                let retry = if due.delivery.kind == delivery::TEST {
                    None
                } else {
                    let jitter = rand::random();
                    delivery::retry_at(now, due.delivery.attempts, retry_after, jitter)
                };
                if retry.is_none() {
                    tracing::warn!(
                        receiver.id = receiver,
                        "a message to the {kind} {receiver} is given up after {} attempts",
                        due.delivery.attempts
                    );
                }
                let report = report(reason.status(), Some(reason.to_string()));
                if !due.is_last_straw(now) {
                    deliveries.failed(due, &report, retry, &[]).await?;
                    return Ok(());
                }
                let notices = self.notices(due, Disabling::Failing, now).await?;
                if deliveries.failed(due, &report, retry, &notices).await? {
                    tracing::warn!(
                        webhook.id = receiver,
                        "the webhook {receiver} is disabled: every delivery failed for five days"
                    );
                }
            }
        }
        Ok(())
    }

    /// What the owner is sent if this attempt disables a webhook: a message for each of the account's webhooks that can
    /// take one, and one for the log of the webhook itself.
    async fn notices(
        &self,
        due: &DueDelivery,
        reason: Disabling,
        now: Timestamp,
    ) -> Result<Vec<WebhookMessage>, store::Error> {
        if due.kind != ReceiverKind::Webhook {
            return Ok(Vec::new());
        }
        let webhooks = self.store.webhooks().list(due.account).await?;
        let disabled = webhooks
            .iter()
            .find(|webhook| webhook.id == due.delivery.receiver);
        let Some(disabled) = disabled.filter(|webhook| webhook.disabled.is_none()) else {
            return Ok(Vec::new());
        };
        let active = webhooks.iter().filter(|one| one.disabled.is_none());
        let notices = active.map(|one| self.notice(one, disabled, reason, now));
        Ok(notices.collect())
    }

    /// Notifies one webhook that it, or another one, is disabled.
    fn notice(
        &self,
        told: &Webhook,
        disabled: &Webhook,
        reason: Disabling,
        now: Timestamp,
    ) -> WebhookMessage {
        let (id, reason) = (&*disabled.id, reason.as_str());
        // The reader does not need to see the whole address.
        let url = disabled.url.to_string();
        let text = format!("The webhook {id} ({url}) was disabled: {reason}.");
        let notice = chat::Notice {
            kind: DISABLED,
            title: "Webhook disabled",
            text: &text,
            data: json!({
                "webhook_id": id,
                "url": url,
                "reason": reason,
                "failing_since": disabled.failing_since.unwrap_or(now).to_string(),
                "disabled_at": now.to_string(),
            }),
        };
        let mode = self.store.mode();
        WebhookMessage {
            id: format!("msg_{}", uuid::Uuid::new_v4().simple()),
            webhook: told.id.clone(),
            kind: DISABLED,
            subject: String::new(),
            event: Some(format!("disabled {id} {}", now.ms())),
            body: chat::notice(told.format, &notice, now, mode).to_string(),
        }
    }
}

impl UnderWay {
    /// Waits for an attempt to end; `false` if none is under way.
    async fn one_ended(&mut self) -> bool {
        let Some(ended) = self.attempts.join_next_with_id().await else {
            return false;
        };
        let task = match ended {
            Ok((task, ())) => task,
            Err(error) => note_fault(&error),
        };
        self.of.remove(&task);
        true
    }

    /// Accounts for which nothing more is started now.
    fn busy(&self) -> Vec<AccountId> {
        let mut accounts: Vec<AccountId> = self.of.values().copied().collect();
        let count = |of: AccountId| self.of.values().filter(|account| **account == of).count();
        accounts.retain(|account| count(*account) >= OF_ONE_ACCOUNT);
        accounts.sort_unstable();
        accounts.dedup();
        accounts
    }
}

/// An attempt that panicked was not recorded, and is made again when its lease expires.
fn note_fault(error: &JoinError) -> Id {
    tracing::error!(
        error = error as &dyn std::error::Error,
        "an attempt to deliver a message broke off: {error}"
    );
    error.id()
}
