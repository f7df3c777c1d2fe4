//! How a server reads a page: it waits for a permit, then a worker reads.

use std::pin::Pin;
use std::sync::Arc;

use text::page::Page;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::error::Error;
use crate::limits::Limits;
use crate::pool::{Pool, WorkerCommand};

/// A page as it was fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebPage {
    /// The address that answered.
    pub url: String,
    /// The page, decoded, markup and all.
    pub html: String,
}

/// On whose behalf a page is read. Pages of one origin never share a worker with those of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A caller of the API named it. Callers together never have all workers.
    Caller,
    /// A feed or a file named it.
    Feed,
}

/// Reads pages. A clone is the same one, with the same workers.
#[derive(Clone, Debug)]
pub struct Extraction(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    reader: Reader,
    limits: Limits,
    permits: Arc<Semaphore>,
    permits_of_callers: Arc<Semaphore>,
}

#[derive(Debug)]
enum Reader {
    Workers(Pool),
    InProcess,
}

impl Extraction {
    /// Reads in worker processes, which are started when they are needed. Must be used within a tokio runtime.
    pub fn in_workers(command: WorkerCommand, limits: Limits) -> Self {
        Self::new(Reader::Workers(Pool::new(command, limits)), limits)
    }

    /// Reads in this process, where nothing but the size of a page is bounded: for tests, and for pages of our own.
    pub fn in_process(limits: Limits) -> Self {
        Self::new(Reader::InProcess, limits)
    }

    fn new(reader: Reader, limits: Limits) -> Self {
        let workers = limits.workers.max(1);
        Self(Arc::new(Shared {
            reader,
            limits,
            permits: Arc::new(Semaphore::new(workers)),
            permits_of_callers: Arc::new(Semaphore::new((workers - 1).max(1))),
        }))
    }

    /// What pages and workers may take.
    pub fn limits(&self) -> Limits {
        self.0.limits
    }

    /// The article of a page; `None` where there is none. A page that has begun is read to its end or its budget, also
    /// when the caller goes away: `held` is dropped only then, so that hanging up frees nothing early. The budget is that
    /// of two readings at most, as a page at which a used worker fails is read again in a fresh one.
    pub async fn extract(
        &self,
        page: WebPage,
        origin: Origin,
        held: impl Send + 'static,
    ) -> Result<Option<Page>, Error> {
        let permit = self.permit(origin).await?;
        let shared = Arc::clone(&self.0);
        let reading = tokio::spawn(async move {
            let read = shared.reader.extract(page, origin).await;
            drop((permit, held));
            read
        });
        let read = reading.await.unwrap_or(Err(Error::Crashed));
        if let Err(error) = &read {
            metrics::counter!("assay_pages_not_read_total").increment(1);
            tracing::warn!(error = %error, "page not read: {error}");
        }
        read
    }

    /// A place among the pages that are read at the same time.
    async fn permit(
        &self,
        origin: Origin,
    ) -> Result<(Option<OwnedSemaphorePermit>, OwnedSemaphorePermit), Error> {
        let latest = Instant::now() + self.0.limits.wait;
        let take = async |semaphore: &Arc<Semaphore>| {
            let permit = timeout_at(latest, Arc::clone(semaphore).acquire_owned()).await;
            permit.ok().and_then(Result::ok).ok_or(Error::Busy)
        };
        let of_caller = match origin {
            Origin::Caller => Some(take(&self.0.permits_of_callers).await?),
            Origin::Feed => None,
        };
        Ok((of_caller, take(&self.0.permits).await?))
    }
}

impl Reader {
    /// Boxed, so that the pool is compiled here once and not by every crate that has pages read.
    fn extract(
        &self,
        page: WebPage,
        origin: Origin,
    ) -> Pin<Box<dyn Future<Output = Result<Option<Page>, Error>> + Send + '_>> {
        Box::pin(async move {
            match self {
                Self::Workers(pool) => pool.extract(&page, origin).await,
                Self::InProcess => tokio::task::spawn_blocking(move || {
                    let WebPage { url, html } = page;
                    text::page::extract(&html, Some(url.as_str()).filter(|url| !url.is_empty()))
                })
                .await
                .map_err(|_| Error::Crashed),
            }
        })
    }
}
