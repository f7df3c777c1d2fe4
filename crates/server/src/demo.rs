//! The simulated world of `serve --demo`: created once, then kept going.

mod market;
mod world;

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream;
use ingest::{Outcome, Prepared, Publisher};
use model::{OutletTable, RawArticle, Timestamp};
use sim::newswire::{Newswire, outlets};
use store::Store;
use text::clean::Arrival;
use tokio_util::sync::CancellationToken;

use crate::clock::now;
use crate::config::Demo;

pub(crate) use market::DemoMarket;
pub(crate) use world::{catch_up, make, make_first};

/// The setting that records up to when the newswire was published.
const PUBLISHED_UNTIL: &str = "demo.published_until";
/// Articles published at a time.
const CHUNK: usize = 400;
/// Chunks that are read ahead of the one being published.
const READ_AHEAD: usize = 3;
/// How often the running newswire is read.
const PAUSE: Duration = Duration::from_secs(20);

/// The simulated outlets and how far they are trusted.
pub(crate) fn outlet_table(own: &[model::Outlet]) -> Arc<OutletTable> {
    Arc::new(OutletTable::new(
        outlets().into_iter().chain(own.iter().cloned()),
    ))
}

/// Publishes everything the newswire has carried since it was last read; the first time, the configured number of days.
async fn read_newswire(
    store: &Store,
    publisher: &Publisher,
    newswire: &Newswire,
    demo: &Demo,
) -> anyhow::Result<Outcome> {
    let until = now();
    let first = until.plus_ms(-i64::from(demo.days) * Timestamp::DAY_MS);
    let from = match store.setting(PUBLISHED_UNTIL).await? {
        Some(text) => text.parse::<Timestamp>()?.max(first),
        None => Timestamp::start_of_day(first.day()),
    };
    let newswire = newswire.clone();
    let items = tokio::task::spawn_blocking(move || newswire.between(from, until)).await?;
    let outcome = publish(publisher, items, until).await?;
    store
        .put_setting(PUBLISHED_UNTIL, &until.to_string())
        .await?;
    Ok(outcome)
}

async fn publish(
    publisher: &Publisher,
    items: Vec<RawArticle>,
    until: Timestamp,
) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut rest = items.into_iter();
    let chunks = std::iter::from_fn(|| {
        let chunk: Vec<RawArticle> = rest.by_ref().take(CHUNK).collect();
        (!chunk.is_empty()).then_some(chunk)
    });
    // The next articles are read while these are being published.
    let mut chunks = stream::iter(chunks)
        .map(|chunk| tokio::task::spawn_blocking(move || read(&chunk, until)))
        .buffered(READ_AHEAD);
    while let Some(prepared) = chunks.next().await {
        outcome.add(publisher.publish(prepared?, now()).await?);
    }
    Ok(outcome)
}

/// Those of the articles that can be read.
fn read(articles: &[RawArticle], until: Timestamp) -> Vec<Prepared> {
    ingest::prepare(articles, until, Arrival::Backfill)
        .into_iter()
        .filter_map(Result::ok)
        .collect()
}

/// Publishes short reports on prices: one at once, then each when it is due.
async fn publish_snaps(
    publisher: &Publisher,
    newswire: &Newswire,
    since: Option<Timestamp>,
    until: Timestamp,
) -> anyhow::Result<()> {
    let newswire = newswire.clone();
    let items = tokio::task::spawn_blocking(move || match since {
        Some(since) => newswire.snaps(since, until),
        // Someone who has just started the program sees that the stream is live.
        None => newswire.snap(until).into_iter().collect(),
    })
    .await?;
    publish(publisher, items, until).await?;
    Ok(())
}

/// Keeps publishing until cancelled.
pub(crate) async fn run(
    store: Store,
    publisher: Publisher,
    newswire: Newswire,
    demo: Demo,
    cancel: CancellationToken,
) {
    let mut published_until = None;
    loop {
        tokio::select! {
            () = cancel.cancelled() => return,
            () = tokio::time::sleep(PAUSE) => {}
        }
        let until = now();
        let snaps = publish_snaps(&publisher, &newswire, published_until, until).await;
        published_until = Some(until);
        let caught_up = read_newswire(&store, &publisher, &newswire, &demo).await;
        if let Err(error) = snaps.and(caught_up.map(drop)) {
            tracing::error!(error = %format!("{error:#}"), "the simulated newswire could not be continued");
        }
    }
}
