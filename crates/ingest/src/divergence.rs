//! Whether an index still belongs to the store that it follows.
//!
//! A position alone does not show this. A store that lost its last transactions in a power cut, or was restored from a
//! backup, gives the same positions to other events, and a data directory may be pointed at a different store
//! altogether. So every commit of the index names the store and the event at its position, and both are compared before
//! anything is added. The number of times the store had pruned old news by then is compared as well, because pruning
//! leaves no event.

use std::cmp::Ordering;

use search::{Checkpoint, Index};
use store::{Mark, Store};

use crate::error::Result;

/// Why an index must be rebuilt although its files are intact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Divergence {
    /// Its documents come from another store.
    #[error("it was built from another store")]
    OtherStore,
    /// The store lost what the index has: a power cut, or a backup was restored.
    #[error("it is at position {position}, but the store only at {head}")]
    Ahead {
        /// Where the index is.
        position: i64,
        /// Where the store is.
        head: i64,
    },
    /// The store lost what the index has and continued differently.
    #[error("the store has another event at position {position}")]
    OtherHistory {
        /// Where the index is.
        position: i64,
    },
    /// The store has pruned news since then, which may still be in the index. It is the only divergence that following
    /// resolves without rebuilding the index.
    #[error("the store has since pruned news that it may still hold")]
    Pruned,
    /// The store was restored from a backup made before news was pruned, so that news is missing.
    #[error("the store has news again that was pruned from it")]
    Restored,
    /// Events between the index and the store's head were removed.
    #[error("the store no longer has the event after position {position}")]
    Gap {
        /// Where the index is.
        position: i64,
    },
}

/// How an index does not fit its store; `None` if it can continue from its position.
pub async fn find_divergence(store: &Store, index: &Index) -> Result<Option<Divergence>> {
    let newest = store.outbox().newest().await?;
    let pruned = store.prune().times().await?;
    compare(store, &index.checkpoint(), &newest, pruned).await
}

/// Same as [`find_divergence`], with the newest event and the number of prunings already known.
pub(crate) async fn compare(
    store: &Store,
    checkpoint: &Checkpoint,
    newest: &Mark,
    pruned: i64,
) -> Result<Option<Divergence>> {
    let position = checkpoint.position;
    if *checkpoint == Checkpoint::default() {
        return Ok(None);
    }
    if checkpoint.store != store.id() {
        return Ok(Some(Divergence::OtherStore));
    }
    if position > newest.position {
        let head = newest.position;
        return Ok(Some(Divergence::Ahead { position, head }));
    }
    let is_same = if position == 0 {
        true
    } else if position == newest.position {
        checkpoint.fingerprint == newest.fingerprint
    } else {
        let mark = store.outbox().find(position).await?;
        mark.is_some_and(|mark| checkpoint.fingerprint == mark.fingerprint)
    };
    if !is_same {
        return Ok(Some(Divergence::OtherHistory { position }));
    }
    Ok(match checkpoint.pruned.cmp(&pruned) {
        Ordering::Less => Some(Divergence::Pruned),
        Ordering::Equal => None,
        Ordering::Greater => Some(Divergence::Restored),
    })
}

/// The checkpoint of an index that has everything up to an event, and nothing that the store had pruned, after this
/// number of prunings.
pub(crate) fn checkpoint(store: &Store, mark: Mark, pruned: i64) -> Checkpoint {
    Checkpoint {
        store: store.id(),
        position: mark.position,
        fingerprint: mark.fingerprint,
        pruned,
    }
}
