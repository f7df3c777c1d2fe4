//! Delivers the alerts of monitors.
//!
//! Every alert is a row that says when it is due. Of one monitor one alert is under way at a time, of one account a few, so
//! that a receiver that does not answer holds up nobody else. A message may arrive twice, when a process ends between the
//! answer and its record; its id is then the same.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use model::{AccountId, Timestamp};
use providers::callbacks::Callbacks;
use store::{AlertsUnderWay, DueAlert, Store};
use tokio_util::sync::CancellationToken;

use crate::delivery::{self, LEASE_MS, Message, Outcome};

/// Attempts at the same time.
const AT_ONCE: usize = 32;
/// Of them for one account.
const OF_ONE_ACCOUNT: usize = 4;
/// How often the store is asked for what is due.
const PAUSE: Duration = Duration::from_secs(1);
/// Failures in a row that are only logged.
const MOST_FAILURES: u32 = 50;
/// How long attempts under way may still take when the process is to end.
const LAST_ATTEMPTS: Duration = Duration::from_secs(5);

/// Delivers the alerts of a store.
#[derive(Clone)]
pub struct AlertDelivery {
    /// Where they are.
    pub store: Store,
    /// The way to their receivers.
    pub callbacks: Arc<Callbacks>,
    /// Tells the time.
    pub now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

/// What is under way in this process.
#[derive(Default)]
struct UnderWay {
    of: Vec<(String, AccountId)>,
}

/// An attempt: what it was for, once it is over.
type Attempts<'a> = FuturesUnordered<BoxFuture<'a, DueAlert>>;

impl AlertDelivery {
    /// Delivers until cancelled; attempts under way are then ended. What fails again and again is for the supervisor to see.
    pub async fn run(&self, cancel: CancellationToken) -> Result<(), store::Error> {
        let mut attempts = Attempts::new();
        let mut under_way = UnderWay::default();
        let mut failures = 0;
        while !cancel.is_cancelled() {
            match self.begin(&mut attempts, &mut under_way).await {
                Ok(()) => failures = 0,
                Err(error) if failures + 1 >= MOST_FAILURES => return Err(error),
                Err(error) => {
                    failures += 1;
                    tracing::error!(
                        error = &error as &dyn std::error::Error,
                        "alerts that are due cannot be read: {error}"
                    );
                }
            }
            tokio::select! {
                () = cancel.cancelled() => {}
                Some(ended) = attempts.next() => under_way.ended(&ended),
                () = tokio::time::sleep(PAUSE) => {}
            }
        }
        let last = async { while attempts.next().await.is_some() {} };
        // What takes longer is attempted again by whoever comes next.
        let _ = tokio::time::timeout(LAST_ATTEMPTS, last).await;
        Ok(())
    }

    /// Delivers what is due now and comes back when nothing is due or under way any more; says how many attempts were made.
    pub async fn deliver_due(&self) -> Result<usize, store::Error> {
        let mut attempts = Attempts::new();
        let mut under_way = UnderWay::default();
        let mut made = 0;
        loop {
            self.begin(&mut attempts, &mut under_way).await?;
            let Some(ended) = attempts.next().await else {
                return Ok(made);
            };
            under_way.ended(&ended);
            made += 1;
        }
    }

    /// Begins what is due, as far as there is room.
    async fn begin<'a>(
        &'a self,
        attempts: &mut Attempts<'a>,
        under_way: &mut UnderWay,
    ) -> Result<(), store::Error> {
        while attempts.len() < AT_ONCE {
            let alerts = self.store.monitor_alerts();
            let excluded = under_way.excluded();
            let Some(due) = alerts.claim((self.now)(), LEASE_MS, &excluded).await? else {
                return Ok(());
            };
            let of = (due.alert.monitor.clone(), due.account);
            under_way.of.push(of);
            attempts.push(Box::pin(self.attempt(due)));
        }
        Ok(())
    }

    async fn attempt(&self, due: DueAlert) -> DueAlert {
        let message = Message {
            id: &due.alert.id,
            address: &due.webhook,
            secret: due.secret.expose(),
            body: &due.alert.body,
        };
        let outcome = delivery::attempt(&self.callbacks, message, (self.now)()).await;
        metrics::counter!("assay_alert_deliveries_total", "outcome" => outcome.as_str())
            .increment(1);
        if let Err(error) = self.record(&due, outcome).await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "an attempt cannot be recorded and is made again: {error}"
            );
        }
        due
    }

    async fn record(&self, due: &DueAlert, outcome: Outcome) -> Result<(), store::Error> {
        let alerts = self.store.monitor_alerts();
        let now = (self.now)();
        let monitor = &*due.alert.monitor;
        match outcome {
            Outcome::Delivered => {
                alerts.delivered(&due.alert, now).await?;
            }
            Outcome::Gone => {
                if alerts.refused(due).await? {
                    tracing::info!(
                        monitor.id = monitor,
                        "the monitor {monitor} is paused: its webhook answered 410"
                    );
                }
            }
            Outcome::Failed { retry_after } => {
                let jitter = rand::random();
                let retry = delivery::retry_at(now, due.alert.attempts, retry_after, jitter);
                if retry.is_none() {
                    tracing::warn!(
                        monitor.id = monitor,
                        "an alert of the monitor {monitor} is given up after {} attempts",
                        due.alert.attempts
                    );
                }
                alerts.failed(&due.alert, retry).await?;
            }
        }
        Ok(())
    }
}

impl UnderWay {
    fn ended(&mut self, due: &DueAlert) {
        self.of.retain(|(monitor, _)| *monitor != due.alert.monitor);
    }

    /// Of whom nothing more is begun now.
    fn excluded(&self) -> AlertsUnderWay {
        let mut accounts: Vec<AccountId> = self.of.iter().map(|(_, account)| *account).collect();
        let count = |of: AccountId| self.of.iter().filter(|(_, account)| *account == of).count();
        accounts.retain(|account| count(*account) >= OF_ONE_ACCOUNT);
        AlertsUnderWay {
            monitors: self.of.iter().map(|(monitor, _)| monitor.clone()).collect(),
            accounts,
        }
    }
}
