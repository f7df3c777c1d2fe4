//! How a server reads a document: it waits for a permit, then a worker reads the document.

use std::pin::Pin;
use std::sync::Arc;

use text::page::Page;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::error::Error;
use crate::limits::Limits;
use crate::pdf::{self, PdfText};
use crate::pool::{Pool, WorkerCommand};
use crate::request::{Answer, Request, WebPage};

/// On whose behalf a document is read. Documents of one origin never share a worker with documents of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An API caller named or sent it. Callers together never occupy all workers.
    Caller,
    /// A feed or a file named it.
    Feed,
}

/// Reads pages and PDFs. A clone shares the same workers.
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

    /// Reads in this process, where only the size of a document is limited: for tests, and for our own pages.
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

    /// What documents and workers may use.
    pub fn limits(&self) -> Limits {
        self.0.limits
    }

    /// The article of a page; `None` if there is none. Once begun, a page is read to its end or its budget even if the
    /// caller goes away: `held` is dropped only then, so that hanging up frees nothing early. The budget covers at most
    /// two readings, because a page at which a used worker fails is read again in a fresh one.
    pub async fn extract(
        &self,
        page: WebPage,
        origin: Origin,
        held: impl Send + 'static,
    ) -> Result<Option<Page>, Error> {
        match self.read(Request::Page(page), origin, Box::new(held)).await {
            Ok(Answer::Read(article)) => Ok(article),
            other => Err(not_read("page", other)),
        }
    }

    /// The text of a PDF. The same workers, permits and budgets apply as for [`Self::extract`].
    pub async fn read_pdf(
        &self,
        bytes: Vec<u8>,
        origin: Origin,
        held: impl Send + 'static,
    ) -> Result<PdfText, Error> {
        // Anything that is plainly not a PDF takes up no worker.
        pdf::check(&bytes)?;
        match self.read(Request::Pdf(bytes), origin, Box::new(held)).await {
            Ok(Answer::Pdf(Ok(text))) => Ok(text),
            Ok(Answer::Pdf(Err(reason))) => Err(reason.into()),
            other => Err(not_read("PDF", other)),
        }
    }

    async fn read(
        &self,
        request: Request,
        origin: Origin,
        held: Box<dyn Send>,
    ) -> Result<Answer, Error> {
        let permit = self.permit(origin).await?;
        let shared = Arc::clone(&self.0);
        let reading = tokio::spawn(async move {
            let read = shared.reader.read(request, origin).await;
            drop((permit, held));
            read
        });
        reading.await.unwrap_or(Err(Error::Crashed))
    }

    /// A slot among the documents that are read at the same time.
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

/// Counts and logs a document's failure.
fn not_read(kind: &'static str, answer: Result<Answer, Error>) -> Error {
    // A worker that answers a different request is not healthy.
    let error = answer.err().unwrap_or(Error::Crashed);
    metrics::counter!("assay_pages_not_read_total").increment(1);
    tracing::warn!(error = %error, kind, "{kind} not read: {error}");
    error
}

impl Reader {
    /// Boxed, so that the pool is compiled once here and not in every crate that has pages read.
    fn read(
        &self,
        request: Request,
        origin: Origin,
    ) -> Pin<Box<dyn Future<Output = Result<Answer, Error>> + Send + '_>> {
        Box::pin(async move {
            match self {
                Self::Workers(pool) => pool.read(&request, origin).await,
                Self::InProcess => tokio::task::spawn_blocking(|| request.answer())
                    .await
                    .map_err(|_| Error::Crashed),
            }
        })
    }
}
