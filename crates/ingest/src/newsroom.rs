//! The newsroom: one thread that owns the desk, fed by everybody who has articles.
//!
//! Composing takes milliseconds of computation per article, so it runs beside the threads that answer requests.

use std::sync::Arc;

use model::{RawArticle, Timestamp};
use rayon::prelude::*;
use store::Store;
use text::clean::{Arrival, Rejection, clean};
use tokio::sync::{mpsc, oneshot};

use crate::desk::{Desk, Outcome, Prepared};
use crate::error::{Error, Result};
use crate::outlets::OutletTable;

/// Hands articles to the desk. Cheap to clone; the desk ends when the last handle is dropped.
#[derive(Clone)]
pub struct Newsroom {
    orders: mpsc::Sender<Order>,
}

struct Order {
    batch: Vec<Prepared>,
    recorded_at: Timestamp,
    answer: oneshot::Sender<Result<Outcome>>,
}

impl Newsroom {
    /// Opens a newsroom over a store. Must be called within a tokio runtime.
    pub fn open(store: Store, outlets: Arc<OutletTable>) -> Self {
        let (orders, mut inbox) = mpsc::channel::<Order>(4);
        let runtime = tokio::runtime::Handle::current();
        tokio::task::spawn_blocking(move || {
            let mut desk = Desk::new(store, outlets);
            while let Some(order) = inbox.blocking_recv() {
                let outcome = runtime.block_on(desk.publish(order.batch, order.recorded_at));
                if let Ok(outcome) = &outcome {
                    count(outcome);
                }
                // The one who asked may have gone; what was published stays published.
                let _ = order.answer.send(outcome);
            }
        });
        Self { orders }
    }

    /// Publishes a batch in its order and says what that did.
    pub async fn publish(&self, batch: Vec<Prepared>, recorded_at: Timestamp) -> Result<Outcome> {
        if batch.is_empty() {
            return Ok(Outcome::default());
        }
        let (answer, waiting) = oneshot::channel();
        let order = Order {
            batch,
            recorded_at,
            answer,
        };
        self.orders.send(order).await.map_err(|_| Error::Closed)?;
        waiting.await.map_err(|_| Error::Closed)?
    }
}

fn count(outcome: &Outcome) {
    metrics::counter!("assay_ingest_articles_total").increment(outcome.articles);
    metrics::counter!("assay_ingest_known_total").increment(outcome.known);
    metrics::counter!("assay_ingest_copies_total").increment(outcome.copies);
    metrics::counter!("assay_ingest_briefs_total").increment(outcome.briefs);
    metrics::counter!("assay_ingest_revisions_total").increment(outcome.revisions);
}

/// Cleans and reads items, on all cores, in the order given. Blocks: call it from a blocking thread.
pub fn prepare(
    items: &[RawArticle],
    now: Timestamp,
    arrival: Arrival,
) -> Vec<Result<Prepared, Rejection>> {
    items
        .par_iter()
        .map(|raw| {
            let article = clean(raw, now, arrival)?;
            let annotations = text::annotate::annotate(&article, &raw.categories);
            Ok(Prepared {
                article,
                annotations,
            })
        })
        .collect()
}
