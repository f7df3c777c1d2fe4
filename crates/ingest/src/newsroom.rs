//! The newsroom: one thread that owns the desk, fed by everybody who has articles.
//!
//! Composing takes milliseconds of computation per article, so it runs beside the threads that answer requests.

use std::sync::Arc;

use model::{RawArticle, Timestamp};
use rayon::prelude::*;
use store::Store;
use text::clean::{Arrival, clean};
use tokio::sync::{mpsc, oneshot};

use crate::desk::{Desk, Outcome, Prepared};
use crate::error::{Error, Result};
use crate::isolated::{Refusal, isolated};
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

/// Cleans and reads items, on all cores, in the order given; each stands for itself. Blocks: call it from a blocking
/// thread.
pub fn prepare(
    items: &[RawArticle],
    now: Timestamp,
    arrival: Arrival,
) -> Vec<Result<Prepared, Refusal>> {
    prepare_each(items, |raw| {
        let article = clean(raw, now, arrival)?;
        let annotations = text::annotate::annotate(&article, &raw.categories);
        Ok(Prepared {
            article,
            annotations,
        })
    })
}

fn prepare_each(
    items: &[RawArticle],
    read: impl Fn(&RawArticle) -> Result<Prepared, Refusal> + Sync,
) -> Vec<Result<Prepared, Refusal>> {
    items
        .par_iter()
        .map(|raw| {
            let read = isolated(|| read(raw)).flatten();
            if matches!(read, Err(Refusal::Defect)) {
                tracing::error!(article.url = %raw.url, "item left out: reading it ended in a panic");
            }
            read
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_that_panics_is_left_out_alone() {
        let items = ["one", "two", "three"].map(|title| RawArticle {
            url: format!("https://news.example/{title}"),
            title: format!("The council widens bridge number {title}"),
            ..RawArticle::default()
        });
        let now = Timestamp::from_ms(1_772_366_400_000);
        let read = prepare_each(&items, |raw| {
            assert!(!raw.url.ends_with("two"), "a defect");
            let article = clean(raw, now, Arrival::Live)?;
            let annotations = text::annotate::annotate(&article, &[]);
            Ok(Prepared {
                article,
                annotations,
            })
        });
        let refused: Vec<_> = read.iter().map(|read| read.as_ref().err()).collect();
        assert_eq!(refused, [None, Some(&Refusal::Defect), None]);
    }
}
