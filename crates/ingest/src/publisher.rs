//! The publisher: one worker that owns the story writer, fed by everything that has articles.
//!
//! Composing takes milliseconds of computation per article, so it runs on a separate thread from those that answer
//! requests. An article that makes the story writer panic is left out, and its neighbours are published without it by a
//! new story writer, which reads what it needs from the store again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use model::{OutletTable, RawArticle, Timestamp};
use rayon::prelude::*;
use store::Store;
use text::clean::{Arrival, clean};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::error::{Error, Result};
use crate::isolated::{Refusal, isolated};
use crate::story_writer::{Compose, Outcome, Prepared, StoryWriter};

/// Batches that wait for the worker.
const WAITING: usize = 4;

/// Hands articles to the story writer. Cheap to clone.
#[derive(Clone)]
pub struct Publisher {
    orders: mpsc::Sender<Order>,
}

/// Publishes a publisher's batches whenever it runs. If it ends, run it again for the batches that are waiting.
pub struct PublishWorker {
    store: Store,
    outlets: Arc<OutletTable>,
    inbox: Mutex<mpsc::Receiver<Order>>,
    compose: Compose,
}

struct Order {
    batch: Vec<Prepared>,
    recorded_at: Timestamp,
    answer: oneshot::Sender<Result<Outcome>>,
}

impl Publisher {
    /// A publisher over a store, and its worker, which the caller has to run.
    pub fn new(store: Store, outlets: Arc<OutletTable>) -> (Self, PublishWorker) {
        let (orders, inbox) = mpsc::channel(WAITING);
        let worker = PublishWorker {
            store,
            outlets,
            inbox: Mutex::new(inbox),
            compose: text::compose::compose_read,
        };
        (Self { orders }, worker)
    }

    /// Opens a publisher whose worker runs on its own until the last handle is dropped. Must be called within a tokio
    /// runtime.
    pub fn open(store: Store, outlets: Arc<OutletTable>) -> Self {
        let (publisher, worker) = Self::new(store, outlets);
        tokio::spawn(async move {
            while let Err(error) = worker.run(CancellationToken::new()).await {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "publisher continues with a new story writer: {error}"
                );
            }
        });
        publisher
    }

    /// Publishes a batch in order and returns what that did.
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

impl PublishWorker {
    /// Publishes batch after batch until cancelled or until no handle is left.
    pub async fn run(&self, cancel: CancellationToken) -> Result<()> {
        let mut inbox = self.inbox.lock().await;
        let mut story_writer = self.story_writer();
        loop {
            let received = tokio::select! {
                biased;
                () = cancel.cancelled() => return Ok(()),
                received = inbox.recv() => received,
            };
            let Some(order) = received else { return Ok(()) };
            let runtime = tokio::runtime::Handle::current();
            let worked = tokio::task::spawn_blocking(move || {
                let mut writer = BlockingWriter {
                    story_writer,
                    runtime,
                };
                writer.work(order);
                writer.story_writer
            });
            // A panic in an article was caught there, and the story writer is a new one: nobody has to wait.
            story_writer = worked.await.map_err(|_| Error::Panicked)?;
        }
    }

    /// An empty story writer: it reads what it needs.
    fn story_writer(&self) -> StoryWriter {
        StoryWriter::new(self.store.clone(), Arc::clone(&self.outlets)).composing_with(self.compose)
    }
}

/// A story writer at work on a thread that may block.
struct BlockingWriter {
    story_writer: StoryWriter,
    runtime: tokio::runtime::Handle,
}

impl BlockingWriter {
    /// Publishes a batch, or each article alone if the whole batch made the story writer panic.
    fn work(&mut self, order: Order) {
        let Order {
            mut batch,
            recorded_at,
            answer,
        } = order;
        let attempt = self.attempt(&mut batch, recorded_at);
        let outcome = attempt.unwrap_or_else(|| self.one_by_one(&mut batch, recorded_at));
        if let Ok(outcome) = &outcome {
            count(outcome);
        }
        // The caller may have gone; what was published stays published.
        let _ = answer.send(outcome);
    }

    fn one_by_one(&mut self, batch: &mut [Prepared], recorded_at: Timestamp) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        for prepared in batch {
            let attempt = self.attempt(std::slice::from_mut(prepared), recorded_at);
            if let Some(published) = attempt {
                outcome.add(published?);
            } else {
                outcome.failed += 1;
                tracing::error!(
                    article.url = %prepared.article.url,
                    "article skipped, because publishing it panics: {}",
                    prepared.article.url
                );
            }
        }
        Ok(outcome)
    }

    /// `None` if it panicked; the story writer is then a new one.
    fn attempt(
        &mut self,
        batch: &mut [Prepared],
        recorded_at: Timestamp,
    ) -> Option<Result<Outcome>> {
        let publish = || {
            self.runtime
                .block_on(self.story_writer.publish(batch, recorded_at))
        };
        // The story writer is discarded after a panic, so that nobody sees it half changed.
        let attempt = catch_unwind(AssertUnwindSafe(publish)).ok();
        if attempt.is_none() {
            self.story_writer = self.story_writer.sibling();
        }
        attempt
    }
}

fn count(outcome: &Outcome) {
    metrics::counter!("assay_ingest_articles_total").increment(outcome.articles);
    metrics::counter!("assay_ingest_known_total").increment(outcome.known);
    metrics::counter!("assay_ingest_copies_total").increment(outcome.copies);
    metrics::counter!("assay_ingest_briefs_total").increment(outcome.briefs);
    metrics::counter!("assay_ingest_failed_total").increment(outcome.failed);
    metrics::counter!("assay_ingest_revisions_total").increment(outcome.revisions);
}

/// Cleans and reads items on all cores, in the order given, each on its own. Blocks: call it from a blocking thread.
pub fn prepare(
    items: &[RawArticle],
    now: Timestamp,
    arrival: Arrival,
) -> Vec<Result<Prepared, Refusal>> {
    prepare_each(items, |raw| {
        let article = clean(raw, now, arrival)?;
        let annotations = text::annotate::annotate(&article, &raw.categories);
        Ok(Prepared::new(article, annotations))
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
                tracing::error!(article.url = %raw.url, "item skipped: reading it ended in a panic");
            }
            read
        })
        .collect()
}

#[cfg(test)]
mod tests;
