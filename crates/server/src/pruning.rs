//! `assay prune` and its daily run inside `serve`: removes old news, and the addresses of the demo key's users.
//!
//! The store deletes rows and counts how often it did. Every server of the store notices this by that number and
//! removes the rows from its own search index as it follows, whoever pruned. The command does so itself if no server is
//! running, so that searches find nothing that is gone.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use model::Timestamp;
use search::Index;
use serde::Serialize;
use store::{Pruned, Store};
use tokio_util::sync::CancellationToken;

use crate::clock::now;
use crate::commands::Place;
use crate::output::{remark, show};

/// Stories grow for days, and the worker keeps them in memory meanwhile: nothing younger is removed.
const FEWEST_DAYS: u32 = 7;
/// Demo addresses stay through the month after the one in which they made a call.
const ADDRESS_DAYS: i64 = 31;

const FIRST_RUN: Duration = Duration::from_mins(1);
const EVERY: Duration = Duration::from_hours(24);

#[derive(Debug, Args)]
pub(crate) struct PruneOptions {
    /// Remove stories with nothing newer than this many days, at least 7
    #[arg(long, value_name = "N")]
    keep_days: u32,
    /// Only show what would be removed
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    before: String,
    dry_run: bool,
    briefs: u64,
    revisions: u64,
    articles: u64,
    ledger_entries_merged: u64,
    index_revisions_removed: u64,
}

pub(crate) async fn prune(place: &Place, options: PruneOptions) -> anyhow::Result<()> {
    check(options.keep_days)?;
    let data = place.either()?;
    let store = data.open_existing().await?;
    let before = days_ago(options.keep_days);
    let mut report = Report {
        before: before.to_string(),
        dry_run: options.dry_run,
        briefs: 0,
        revisions: 0,
        articles: 0,
        ledger_entries_merged: 0,
        index_revisions_removed: 0,
    };
    let pruned = if options.dry_run {
        store.prune().count_news(before).await?
    } else {
        report.ledger_entries_merged = forget_addresses(&store).await?;
        let cancel = CancellationToken::new();
        let pruned = news(&store, before, &cancel).await?;
        report.index_revisions_removed = clear_index(&store, &data.index_path())
            .await
            .context("the search index still holds what was pruned; run `assay reindex`")?;
        pruned
    };
    (report.briefs, report.revisions, report.articles) =
        (pruned.briefs, pruned.revisions, pruned.articles);
    show(place.json(), &report, |report| {
        let verb = if report.dry_run {
            "would be removed"
        } else {
            "were removed"
        };
        vec![format!(
            "{} briefs in {} revisions and {} articles from before {} {verb}",
            report.briefs, report.revisions, report.articles, report.before
        )]
    })
}

/// Whether a number of days is an allowed value; none means everything.
pub(crate) fn check(keep_days: u32) -> anyhow::Result<()> {
    ensure!(
        keep_days >= FEWEST_DAYS,
        "at least {FEWEST_DAYS} days are kept, because stories grow for that long"
    );
    Ok(())
}

/// Prunes once a day until cancelled. With `keep_days` 0 all news stays, and only demo addresses are removed.
pub(crate) async fn run(store: Store, keep_days: u32, cancel: CancellationToken) {
    let mut pause = FIRST_RUN;
    loop {
        tokio::select! {
            () = cancel.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        pause = EVERY;
        if let Err(error) = once(&store, keep_days, &cancel).await {
            tracing::error!("old rows could not be removed yet: {error:#}");
        }
    }
}

async fn once(store: &Store, keep_days: u32, cancel: &CancellationToken) -> anyhow::Result<()> {
    forget_addresses(store).await?;
    if keep_days == 0 {
        return Ok(());
    }
    let pruned = news(store, days_ago(keep_days), cancel).await?;
    if pruned.briefs > 0 {
        tracing::info!(
            prune.briefs = pruned.briefs,
            prune.articles = pruned.articles,
            "{} old briefs and {} articles were removed",
            pruned.briefs,
            pruned.articles
        );
    }
    Ok(())
}

fn days_ago(keep_days: u32) -> Timestamp {
    now().plus_ms(-i64::from(keep_days) * Timestamp::DAY_MS)
}

async fn forget_addresses(store: &Store) -> anyhow::Result<u64> {
    let before = now().plus_ms(-ADDRESS_DAYS * Timestamp::DAY_MS);
    Ok(store.prune().forget_demo_addresses(before).await?)
}

/// Removes older news.
async fn news(
    store: &Store,
    before: Timestamp,
    cancel: &CancellationToken,
) -> anyhow::Result<Pruned> {
    let mut total = Pruned::default();
    let mut removal = store.prune().news(before);
    while !cancel.is_cancelled()
        && let Some(pruned) = removal.remove_some().await?
    {
        total.add(pruned);
    }
    Ok(total)
}

/// Removes from this data directory's index what was pruned, unless a server does so. Returns how many revisions that
/// was.
async fn clear_index(store: &Store, path: &Path) -> anyhow::Result<u64> {
    if !path.exists() {
        return Ok(0);
    }
    let index = tokio::task::block_in_place(|| Index::open(path))?;
    let mut writer = match tokio::task::block_in_place(|| index.writer()) {
        Ok(writer) => writer,
        Err(search::Error::Locked) => {
            remark("the running server removes them from its search index within seconds");
            return Ok(0);
        }
        Err(other) => return Err(other.into()),
    };
    let removed = ingest::remove_pruned(store, &index, &mut writer).await?;
    // An index that does not fit for some other reason is rebuilt by the next server.
    Ok(removed.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ingest::Publisher;
    use model::{DataMode, OutletTable, RawArticle};
    use store::Location;
    use text::clean::Arrival;

    use super::*;

    async fn publish(store: &Store, url: &str, title: &str, at: Timestamp) {
        let item = RawArticle {
            url: url.to_owned(),
            title: title.to_owned(),
            body: Some(format!("{title}. The council said so on Monday.")),
            outlet: Some("Outlet".to_owned()),
            published_at: Some(at),
            ..RawArticle::default()
        };
        let articles = ingest::prepare(&[item], at, Arrival::Backfill);
        let articles = articles.into_iter().map(Result::unwrap).collect();
        let publisher = Publisher::open(store.clone(), Arc::new(OutletTable::new([])));
        publisher.publish(articles, at).await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_went_is_not_found_where_no_server_runs() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("index");
        let store = Store::open(&Location::Memory, DataMode::Real)
            .await
            .unwrap();
        let day = |day: i64| Timestamp::start_of_day(20_000 + day);
        publish(
            &store,
            "https://a.test/1",
            "A bridge opens in Ghent",
            day(0),
        )
        .await;
        publish(
            &store,
            "https://a.test/2",
            "Zinc mine closes in Peru",
            day(30),
        )
        .await;
        assert_eq!(clear_index(&store, &path).await.unwrap(), 0, "no index yet");
        let index = Index::open(&path).unwrap();
        let mut writer = index.writer().unwrap();
        while ingest::follow::catch_up(&store, &index, &mut writer, &|_| {})
            .await
            .unwrap()
        {}
        assert_eq!(index.documents(), 2);

        let cancel = CancellationToken::new();
        let pruned = news(&store, day(20), &cancel).await.unwrap();
        assert_eq!((pruned.briefs, pruned.articles), (1, 1));
        assert_eq!(
            clear_index(&store, &path).await.unwrap(),
            0,
            "a writer is at work"
        );
        drop(writer);
        assert_eq!(clear_index(&store, &path).await.unwrap(), 1);
        assert_eq!(Index::open(&path).unwrap().documents(), 1);
        assert_eq!(
            clear_index(&store, &path).await.unwrap(),
            0,
            "nothing is left to do"
        );
    }
}
