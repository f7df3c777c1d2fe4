//! The search index follows the store.
//!
//! The loop gives committed outbox rows their positions (any process may, one at a time does), reads what lies past the
//! index's own position and puts the revisions named there into the index: each together with the one before it, whose
//! validity it ended. The position is part of the index commit, so a crash repeats at most one batch.

use std::collections::BTreeSet;
use std::time::Duration;

use model::BriefId;
use search::{Index, Replacement, RevisionDocument, Writer};
use store::{Store, StoredBrief};
use tokio_util::sync::CancellationToken;

use crate::error::Result;

/// Outbox rows that are indexed between two commits.
const BATCH: u64 = 1_000;
/// How often the store is asked when nothing happens.
const PAUSE: Duration = Duration::from_millis(100);
/// How long the loop waits after a failure.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(2);

/// Follows until cancelled, and serves an index that was built beside as soon as it is finished. `moved` is told every new head of the outbox, before the index has caught up with it.
pub async fn follow(
    store: Store,
    index: Index,
    cancel: CancellationToken,
    moved: impl Fn(i64) + Send + Sync,
) -> Result<()> {
    let mut writer = tokio::task::block_in_place(|| index.writer())?;
    loop {
        if index.replacement_waits() {
            drop(writer);
            writer = tokio::task::block_in_place(|| index.reopen().and_then(|()| index.writer()))?;
            tracing::info!("search index was replaced by the one built beside it");
        }
        let pause = match catch_up(&store, &index, &mut writer, &moved).await {
            Ok(true) => Duration::ZERO,
            Ok(false) => PAUSE,
            Err(error) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "search index does not follow the store"
                );
                PAUSE_AFTER_FAILURE
            }
        };
        tokio::select! {
            () = cancel.cancelled() => return Ok(()),
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Indexes one batch. True where there may be more.
pub async fn catch_up(
    store: &Store,
    index: &Index,
    writer: &mut Writer,
    moved: &(impl Fn(i64) + Send + Sync),
) -> Result<bool> {
    store.outbox().sequence().await?;
    moved(store.outbox().head().await?);
    let events = store.outbox().after(index.position(), BATCH).await?;
    let Some(position) = events.last().map(|event| event.position) else {
        return Ok(false);
    };
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
    tokio::task::block_in_place(|| writer.commit(position))?;
    metrics::gauge!("assay_index_position").set(position as f64);
    Ok(true)
}

/// Builds a whole index from the store, beside the one in use. Returns how many revisions it holds.
pub async fn rebuild(
    store: &Store,
    beside: &mut Replacement,
    mut progress: impl FnMut(u64),
) -> Result<u64> {
    store.outbox().sequence().await?;
    let position = store.outbox().head().await?;
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
    }
    tokio::task::block_in_place(|| beside.commit(position))?;
    Ok(count)
}

fn document(stored: &StoredBrief) -> RevisionDocument<'_> {
    RevisionDocument {
        brief: &stored.brief,
        known_from: stored.known_from,
        known_to: stored.known_to,
    }
}
