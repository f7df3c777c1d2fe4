//! Compares the index with the store: which revisions search cannot find although it should.
//!
//! Every revision is compared, not a sample: one walk over a narrow table, which takes some seconds for a million. What
//! the index has not reached yet does not count as missing.

use std::collections::{HashMap, HashSet};

use model::{BriefId, Timestamp};
use search::Index;
use store::Store;

use crate::divergence::{Divergence, find_divergence};
use crate::error::Result;

/// Revisions on one page of the walk.
const PAGE: u64 = 5_000;
/// Examples kept of each kind.
const EXAMPLES: usize = 5;

/// A revision of a brief.
pub type Revision = (BriefId, u32);

/// What a comparison found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Where the index is in the outbox.
    pub position: i64,
    /// Where the outbox ends.
    pub head: i64,
    /// Why the index does not belong to this store; absent if it does.
    pub divergence: Option<Divergence>,
    /// Revisions that the index should hold.
    pub expected: u64,
    /// Documents that it holds.
    pub documents: u64,
    /// Revisions that should be there and are not.
    pub missing: Found,
    /// Documents that the store does not know, or that are there twice.
    pub surplus: Found,
    /// Documents whose validity differs from the one in the store.
    pub outdated: Found,
}

/// How many were found, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// How many.
    pub count: u64,
    /// Some of them.
    pub examples: Vec<Revision>,
}

impl Comparison {
    /// Whether search finds what it should.
    pub fn is_sound(&self) -> bool {
        self.divergence.is_none()
            && self.missing.count == 0
            && self.surplus.count == 0
            && self.outdated.count == 0
    }
}

impl Found {
    fn note(&mut self, revision: Revision) {
        self.count += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(revision);
        }
    }
}

/// Compares every document of the index with its row. Both may change meanwhile.
pub async fn compare_with_store(store: &Store, index: &Index) -> Result<Comparison> {
    let position = index.position();
    let mut comparison = Comparison {
        position,
        divergence: find_divergence(store, index).await?,
        ..Comparison::default()
    };
    let mut held: HashMap<Revision, (Timestamp, Timestamp)> = HashMap::new();
    tokio::task::block_in_place(|| {
        index.for_each_revision(|found| {
            comparison.documents += 1;
            let revision = (found.brief_id, found.revision);
            let span = (found.known_from, found.known_to);
            if held.insert(revision, span).is_some() {
                comparison.surplus.note(revision);
            }
        });
    });
    // After the index was read, so that what is published meanwhile counts as still to come. A revision that is still
    // to come also ends the validity of the one before.
    let to_come: HashSet<BriefId> = store
        .outbox()
        .revisions_after(position)
        .await?
        .into_iter()
        .map(|(brief_id, _)| brief_id)
        .collect();
    let mut after = None;
    loop {
        let page = store.briefs().page_of_spans(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some((last.brief_id, last.revision));
        for row in page {
            let revision = (row.brief_id, row.revision);
            let found = held.remove(&revision);
            if to_come.contains(&row.brief_id) {
                continue;
            }
            comparison.expected += 1;
            match found {
                None => comparison.missing.note(revision),
                Some(span) if span != (row.known_from, row.known_to) => {
                    comparison.outdated.note(revision);
                }
                Some(_) => {}
            }
        }
    }
    for revision in held.into_keys() {
        comparison.surplus.note(revision);
    }
    comparison.head = store.outbox().head().await?;
    Ok(comparison)
}
