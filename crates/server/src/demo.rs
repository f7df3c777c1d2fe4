//! The simulated world of `serve --demo`: made once, then kept going.

mod market;

use std::sync::Arc;
use std::time::Duration;

use ingest::{Outcome, Publisher};
use model::{OutletTable, RawArticle, Timestamp};
use sim::newswire::{Newswire, outlets};
use store::Store;
use text::clean::Arrival;
use tokio_util::sync::CancellationToken;

use crate::clock::now;
use crate::config::Demo;

pub(crate) use market::DemoMarket;

/// The setting that says up to when the newswire was published.
const PUBLISHED_UNTIL: &str = "demo.published_until";
/// Articles published at a time.
const CHUNK: usize = 400;
/// How often the running newswire is read.
const PAUSE: Duration = Duration::from_secs(20);

/// The simulated outlets and how far they are trusted.
pub(crate) fn outlet_table(own: &[model::Outlet]) -> Arc<OutletTable> {
    Arc::new(OutletTable::new(
        outlets().into_iter().chain(own.iter().cloned()),
    ))
}

/// Publishes everything that the newswire carried since it was last read; at first, the configured number of days.
pub(crate) async fn catch_up(
    store: &Store,
    publisher: &Publisher,
    demo: &Demo,
) -> anyhow::Result<Outcome> {
    let until = now();
    let first = until.plus_ms(-i64::from(demo.days) * Timestamp::DAY_MS);
    let from = match store.setting(PUBLISHED_UNTIL).await? {
        Some(text) => text.parse::<Timestamp>()?.max(first),
        None => Timestamp::start_of_day(first.day()),
    };
    let seed = demo.seed;
    let items =
        tokio::task::spawn_blocking(move || Newswire::new(seed).between(from, until)).await?;
    let mut outcome = Outcome::default();
    let mut rest = items;
    while !rest.is_empty() {
        let later = rest.split_off(rest.len().min(CHUNK));
        let chunk: Vec<RawArticle> = std::mem::replace(&mut rest, later);
        let prepared =
            tokio::task::spawn_blocking(move || ingest::prepare(&chunk, until, Arrival::Backfill))
                .await?;
        let prepared = prepared.into_iter().filter_map(Result::ok).collect();
        outcome.add(publisher.publish(prepared, now()).await?);
    }
    store
        .put_setting(PUBLISHED_UNTIL, &until.to_string())
        .await?;
    Ok(outcome)
}

/// Goes on publishing until cancelled.
pub(crate) async fn run(store: Store, publisher: Publisher, demo: Demo, cancel: CancellationToken) {
    loop {
        tokio::select! {
            () = cancel.cancelled() => return,
            () = tokio::time::sleep(PAUSE) => {}
        }
        if let Err(error) = catch_up(&store, &publisher, &demo).await {
            tracing::error!(error = %format!("{error:#}"), "the simulated newswire could not be continued");
        }
    }
}
