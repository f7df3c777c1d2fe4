//! `assay prune` and its daily run inside `serve`: news that is old goes, and the addresses of the demo key's users.
//!
//! The store lets rows go; the index is derived from it and is built again beside the old one. Should the process end in
//! between, the next run notices by a setting in the store and builds the index then.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use model::Timestamp;
use serde::Serialize;
use store::{Pruned, Store};
use tokio_util::sync::CancellationToken;

use crate::clock::now;
use crate::commands::Place;
use crate::output::{remark, show};

/// Stories grow for days, and the worker holds them in memory meanwhile: nothing younger goes.
const FEWEST_DAYS: u32 = 7;
/// Demo addresses stay through the month after the one in which they called.
const ADDRESS_DAYS: i64 = 31;
/// Set in the store while its index may hold what the store no longer has.
const INDEX_BEHIND: &str = "prune.index_behind";

const FIRST_RUN: Duration = Duration::from_mins(1);
const EVERY: Duration = Duration::from_hours(24);

#[derive(Debug, Args)]
pub(crate) struct PruneOptions {
    /// Remove news of which everything is older than so many days, 7 at least
    #[arg(long, value_name = "N")]
    keep_days: u32,
    /// Only say what would go
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
    index_rebuilt: bool,
}

pub(crate) async fn prune(place: &Place, options: PruneOptions) -> anyhow::Result<()> {
    check(options.keep_days)?;
    let data = place.either()?;
    let store = data.open_existing().await?;
    let before = moment(options.keep_days);
    let mut report = Report {
        before: before.to_string(),
        dry_run: options.dry_run,
        briefs: 0,
        revisions: 0,
        articles: 0,
        ledger_entries_merged: 0,
        index_rebuilt: false,
    };
    let pruned = if options.dry_run {
        store.prune().count_news(before).await?
    } else {
        report.ledger_entries_merged = forget_addresses(&store).await?;
        let cancel = CancellationToken::new();
        let (pruned, rebuilt) = news(&store, &data.index_path(), before, &cancel).await?;
        report.index_rebuilt = rebuilt;
        pruned
    };
    (report.briefs, report.revisions, report.articles) =
        (pruned.briefs, pruned.revisions, pruned.articles);
    show(place.json(), &report, |report| {
        let verb = if report.dry_run { "would go" } else { "went" };
        vec![format!(
            "{} briefs in {} revisions and {} articles from before {} {verb}",
            report.briefs, report.revisions, report.articles, report.before
        )]
    })
}

/// Whether a number of days can be kept; none means everything.
pub(crate) fn check(keep_days: u32) -> anyhow::Result<()> {
    ensure!(
        keep_days >= FEWEST_DAYS,
        "at least {FEWEST_DAYS} days are kept, because stories grow for that long"
    );
    Ok(())
}

/// Prunes once a day until cancelled. With `keep_days` 0 all news stays, and only demo addresses are forgotten.
pub(crate) async fn run(store: Store, index: PathBuf, keep_days: u32, cancel: CancellationToken) {
    let mut pause = FIRST_RUN;
    loop {
        tokio::select! {
            () = cancel.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        pause = EVERY;
        if let Err(error) = once(&store, &index, keep_days, &cancel).await {
            tracing::error!("old rows stay for now: {error:#}");
        }
    }
}

async fn once(
    store: &Store,
    index: &Path,
    keep_days: u32,
    cancel: &CancellationToken,
) -> anyhow::Result<()> {
    forget_addresses(store).await?;
    let before = if keep_days == 0 {
        // Nothing is older: only an index that an interrupted command left behind is built.
        Timestamp::from_ms(0)
    } else {
        moment(keep_days)
    };
    let (pruned, _) = news(store, index, before, cancel).await?;
    if pruned.briefs > 0 {
        tracing::info!(
            prune.briefs = pruned.briefs,
            prune.articles = pruned.articles,
            "{} old briefs and {} articles are removed",
            pruned.briefs,
            pruned.articles
        );
    }
    Ok(())
}

fn moment(keep_days: u32) -> Timestamp {
    now().plus_ms(-i64::from(keep_days) * Timestamp::DAY_MS)
}

async fn forget_addresses(store: &Store) -> anyhow::Result<u64> {
    let before = now().plus_ms(-ADDRESS_DAYS * Timestamp::DAY_MS);
    Ok(store.prune().forget_demo_addresses(before).await?)
}

/// Removes what is older, and builds the index again if anything was. True where it was.
async fn news(
    store: &Store,
    index: &Path,
    before: Timestamp,
    cancel: &CancellationToken,
) -> anyhow::Result<(Pruned, bool)> {
    let mut total = Pruned::default();
    let mut is_behind = store.setting(INDEX_BEHIND).await?.as_deref() == Some("yes");
    let mut removal = store.prune().news(before);
    while !cancel.is_cancelled() {
        if !is_behind && store.prune().count_news(before).await?.briefs > 0 {
            store.put_setting(INDEX_BEHIND, "yes").await?;
            is_behind = true;
        }
        let Some(pruned) = removal.remove_some().await? else {
            break;
        };
        total.add(pruned);
    }
    if !is_behind || cancel.is_cancelled() {
        return Ok((total, false));
    }
    if index.exists() {
        let mut beside = tokio::task::block_in_place(|| search::Index::build_beside(index))?;
        ingest::follow::rebuild(store, &mut beside, |_| {})
            .await
            .context("the search index cannot be built again; run `assay reindex`")?;
        if matches!(
            tokio::task::block_in_place(|| beside.swap())?,
            search::Swap::Waiting
        ) {
            remark("the running server takes the new search index over within a second");
        }
    }
    store.put_setting(INDEX_BEHIND, "no").await?;
    Ok((total, true))
}
