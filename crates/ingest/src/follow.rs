//! The search index follows the store.
//!
//! The loop gives committed outbox rows their positions (any process may do this, one at a time), reads what lies past
//! the index's own position, and puts the revisions named there into the index. Each goes in together with the one
//! before it, whose validity it ended. The position is part of the index commit, so a crash repeats at most one batch.
//!
//! A failure costs the writer: the next attempt takes a new one and begins where the last commit ended. An index that
//! does not fit the store, or whose files are damaged, is rebuilt next to the one in use. What the store has pruned is
//! removed from it ([`remove_pruned`]).

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use model::BriefId;
use search::{Index, Replacement, RevisionDocument, Swap, Writer};
use store::{Store, StoredBrief};
use tokio_util::sync::CancellationToken;

use crate::divergence::{Divergence, checkpoint, compare};
use crate::error::{Error, Result};
use crate::pruned::{Pace, remove_pruned};

/// Outbox rows indexed between two commits.
const BATCH: u64 = 1_000;
/// How often the store is queried when nothing happens.
const PAUSE: Duration = Duration::from_millis(100);
/// How long the loop waits after a failure; the wait doubles with each further one.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);
/// Consecutive failures after which the loop gives up.
const MOST_FAILURES: u32 = 6;

/// Follows until cancelled, and serves an index that was built alongside as soon as it is finished. `moved` is called
/// with every head of the outbox, before the index has caught up with it.
///
/// Ends with an error if several attempts in a row failed. It keeps nothing between two calls, so it can simply be
/// called again.
pub async fn follow(
    store: Store,
    index: Index,
    cancel: CancellationToken,
    moved: impl Fn(i64) + Send + Sync,
) -> Result<()> {
    let mut kept = Kept::default();
    let mut failures = 0;
    loop {
        let attempt = tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            attempt = attempt(&store, &index, &mut kept, &moved) => attempt,
        };
        let pause = match attempt {
            Ok(has_more) => {
                failures = 0;
                if has_more { Duration::ZERO } else { PAUSE }
            }
            Err(error) => {
                failures += 1;
                metrics::counter!("assay_index_failures_total").increment(1);
                if failures >= MOST_FAILURES {
                    return Err(error);
                }
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "search index does not follow the store: {error}"
                );
                PAUSE_AFTER_FAILURE * 2_u32.pow(failures - 1)
            }
        };
        tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// What one attempt leaves for the next.
#[derive(Default)]
struct Kept {
    writer: Option<Writer>,
    pace: Pace,
}

/// Handles one batch with the current writer or a new one, which stays for the next attempt only if all went well. True
/// if there may be more to do.
async fn attempt(
    store: &Store,
    index: &Index,
    kept: &mut Kept,
    moved: &(impl Fn(i64) + Send + Sync),
) -> Result<bool> {
    if index.replacement_waits() {
        kept.writer = None;
        tracing::info!("search index was replaced by the one built beside it");
    }
    let writer = if let Some(writer) = kept.writer.take() {
        Ok(writer)
    } else {
        // Even if no writer is available: streams and other readers of the outbox wait for positions.
        store.outbox().sequence().await?;
        tokio::task::block_in_place(|| index.writer())
    };
    let outcome = match writer {
        Ok(writer) => go_on(store, index, writer, &mut kept.pace, moved).await,
        Err(error) => Err(error.into()),
    };
    match outcome {
        Ok((writer, has_more)) => {
            kept.writer = Some(writer);
            Ok(has_more)
        }
        Err(error @ (Error::Diverged(_) | Error::Search(search::Error::Rebuild { .. }))) => {
            replace(store, index, error).await?;
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

async fn go_on(
    store: &Store,
    index: &Index,
    mut writer: Writer,
    pace: &mut Pace,
    moved: &(impl Fn(i64) + Send + Sync),
) -> Result<(Writer, bool)> {
    let has_more = catch_up(store, index, &mut writer, moved).await?;
    if pace.is_due(Instant::now()) && remove_pruned(store, index, &mut writer).await?.is_some() {
        pace.ended(Instant::now());
    }
    Ok((writer, has_more))
}

/// Rebuilds the index next to the one in use, which answers until the new one is complete.
async fn replace(store: &Store, index: &Index, cause: Error) -> Result<()> {
    let Some(directory) = index.directory() else {
        return Err(cause);
    };
    tracing::warn!(
        error = &cause as &dyn std::error::Error,
        "rebuilding the search index: {cause}"
    );
    metrics::counter!("assay_index_rebuilds_total").increment(1);
    let mut beside = tokio::task::block_in_place(|| Index::build_beside(directory))?;
    let count = rebuild(store, &mut beside, |_| {}).await?;
    let swap = tokio::task::block_in_place(|| beside.swap())?;
    tokio::task::block_in_place(|| index.reopen())?;
    match swap {
        Swap::Done => tracing::info!("search index was rebuilt from {count} revisions"),
        Swap::Waiting => tracing::warn!(
            "search index was rebuilt from {count} revisions and waits for another writer to end"
        ),
    }
    Ok(())
}

/// Indexes one batch. True if there may be more. What was pruned is left for [`remove_pruned`]. After an error the
/// writer is no longer usable.
pub async fn catch_up(
    store: &Store,
    index: &Index,
    writer: &mut Writer,
    moved: &(impl Fn(i64) + Send + Sync),
) -> Result<bool> {
    store.outbox().sequence().await?;
    let newest = store.outbox().newest().await?;
    moved(newest.position);
    let former = index.checkpoint();
    // Before any revision is read: an index without documents then holds nothing that has been pruned so far.
    let mut pruned = store.prune().times().await?;
    match compare(store, &former, &newest, pruned).await? {
        Some(Divergence::Pruned) => pruned = former.pruned,
        Some(divergence) => return Err(divergence.into()),
        None => {}
    }
    let before = former.position;
    let events = store.outbox().after(before, BATCH).await?;
    let Some(last) = events.last() else {
        return Ok(false);
    };
    let gap = || Error::Diverged(Divergence::Gap { position: before });
    // Positions are dense. If one is missing, rows were removed that the index never saw.
    if last.position - before != events.len() as i64 {
        return Err(gap());
    }
    let mark = store.outbox().find(last.position).await?.ok_or_else(gap)?;
    let named: BTreeSet<(BriefId, u32)> = events
        .iter()
        .flat_map(|event| {
            [
                (event.brief_id, event.revision),
                (event.brief_id, event.revision.saturating_sub(1)),
            ]
        })
        .filter(|(_, revision)| *revision > 0)
        .collect();
    let named: Vec<_> = named.into_iter().collect();
    for some in named.chunks(200) {
        let revisions = store.briefs().load(some).await?;
        tokio::task::block_in_place(|| {
            revisions
                .iter()
                .try_for_each(|stored| writer.put(&document(stored)))
        })?;
    }
    let position = mark.position;
    tokio::task::block_in_place(|| writer.commit(&checkpoint(store, mark, pruned)))?;
    metrics::gauge!("assay_index_position").set(position as f64);
    Ok(true)
}

/// Builds a whole index from the store, next to the one in use. Returns how many revisions it holds.
pub async fn rebuild(
    store: &Store,
    beside: &mut Replacement,
    mut progress: impl FnMut(u64),
) -> Result<u64> {
    store.outbox().sequence().await?;
    // Before the revisions are read: anything published or pruned meanwhile is followed afterwards.
    let newest = store.outbox().newest().await?;
    let pruned = store.prune().times().await?;
    let mut after = None;
    let mut count = 0;
    loop {
        let page = store.briefs().page_for_reindex(after, 500).await?;
        let Some(last) = page.last() else { break };
        after = Some((last.brief.id, last.brief.revision));
        count += page.len() as u64;
        tokio::task::block_in_place(|| {
            page.iter()
                .try_for_each(|stored| beside.put(&document(stored)))
        })?;
        progress(count);
        // Streams and other readers of the outbox wait for positions, and this may take minutes.
        store.outbox().sequence().await?;
    }
    tokio::task::block_in_place(|| beside.commit(&checkpoint(store, newest, pruned)))?;
    Ok(count)
}

fn document(stored: &StoredBrief) -> RevisionDocument<'_> {
    RevisionDocument {
        brief: &stored.brief,
        known_from: stored.known_from,
        known_to: stored.known_to,
    }
}
