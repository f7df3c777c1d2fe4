//! Removes from the index what was pruned from the store.
//!
//! The store removes old news in many short transactions, possibly from another server or a command, and reports only
//! how often it did so ([`store::Prune::times`]). The index remembers the count up to which it has followed. If it is
//! behind, its revisions are compared with those in the store in one walk over a narrow table, and whatever the store
//! does not have is removed. This is correct whatever was pruned and by whom, and takes some seconds for a million
//! revisions, while the index goes on answering and following. Rebuilding the index would cost minutes in which it does
//! not follow, for each server and each time.
//!
//! A large removal keeps the counter moving for a while, and each walk finds what has gone by then. So there is a pause
//! between walks.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use model::BriefId;
use search::{Checkpoint, Index, Writer};
use store::Store;

use crate::divergence::{Divergence, find_divergence};
use crate::error::Result;

/// Revisions on one page of the walk.
const PAGE: u64 = 5_000;
/// The earliest the next walk begins after the last one: a fraction of the time after which `/ready` considers the
/// index stuck.
const PAUSE: Duration = Duration::from_secs(10);

/// When the next walk may begin.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    not_before: Option<Instant>,
}

impl Pace {
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.not_before.is_none_or(|time| time <= now)
    }

    pub(crate) fn ended(&mut self, now: Instant) {
        self.not_before = Some(now + PAUSE);
    }
}

/// Removes the revisions that the store no longer has, if it has pruned any since the last time. Returns how many there
/// were, or `None` if the index is not behind or has to be rebuilt for another reason. The writer must hold nothing
/// uncommitted; after an error it is no longer usable.
pub async fn remove_pruned(
    store: &Store,
    index: &Index,
    writer: &mut Writer,
) -> Result<Option<u64>> {
    // Before the walk: anything pruned meanwhile is removed next time.
    let pruned = store.prune().times().await?;
    if pruned == index.checkpoint().pruned
        || find_divergence(store, index).await? != Some(Divergence::Pruned)
    {
        return Ok(None);
    }
    let mut surplus: HashSet<(BriefId, u32)> = HashSet::new();
    tokio::task::block_in_place(|| {
        index.for_each_revision(|held| {
            surplus.insert((held.brief_id, held.revision));
        });
    });
    // After the index was read, so that the store has everything in it unless it was pruned.
    let mut after = None;
    loop {
        let page = store.briefs().page_of_spans(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some((last.brief_id, last.revision));
        for row in page {
            surplus.remove(&(row.brief_id, row.revision));
        }
        // Streams and other readers of the outbox wait for positions.
        store.outbox().sequence().await?;
    }
    let checkpoint = Checkpoint {
        pruned,
        ..index.checkpoint()
    };
    tokio::task::block_in_place(|| {
        surplus
            .iter()
            .try_for_each(|(brief_id, revision)| writer.remove(*brief_id, *revision))?;
        writer.commit(&checkpoint)
    })?;
    let count = surplus.len() as u64;
    tracing::info!(
        index.removed = count,
        "{count} revisions of pruned news were removed from the search index"
    );
    Ok(Some(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removal_in_many_parts_costs_few_walks() {
        let mut pace = Pace::default();
        let start = Instant::now();
        let mut walks = 0;
        // A minute in which every look finds that the counter has moved.
        for look in 0..600 {
            let now = start + look * Duration::from_millis(100);
            if pace.is_due(now) {
                walks += 1;
                pace.ended(now);
            }
        }
        assert_eq!(walks, 6, "the first at once");
    }
}
