//! What a snapshot stands for: figures of memories that are gone, so that a health check and the next snapshot count them.

use model::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Memory, NewMemory};

/// Contradicted claims of a snapshot that are known one by one at most: the newest.
const MOST_CLAIMS: usize = 1_000;

/// A contradicted claim that a snapshot stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnapshotClaim {
    /// The key under which it was stored.
    pub key: String,
    /// Its [trust](Memory::trust).
    pub trust: Option<f64>,
    /// Whether its key was stored again since, so that the snapshot counts it no longer; its text still has it.
    pub is_superseded: bool,
}

/// What a snapshot stands for. Memories of snapshots that became part of it count, not these snapshots.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// How many memories.
    pub memories: u64,
    /// How many of them had a confidence.
    pub rated: u64,
    /// How many were claims that are contradicted.
    pub contradicted: u64,
    /// Those of these claims that are known one by one, and those that were: at most the newest thousand.
    pub claims: Vec<SnapshotClaim>,
    /// When one of them was last verified.
    pub verified_at: Option<Timestamp>,
    /// When the one that was not stored for the longest time was last stored.
    pub since: Timestamp,
}

impl Snapshot {
    /// What a memory stands for: itself, unless it is a snapshot.
    pub fn of(memory: &Memory) -> Self {
        memory.snapshot.clone().unwrap_or_else(|| Self {
            memories: 1,
            rated: u64::from(memory.content.confidence.is_some()),
            contradicted: u64::from(memory.is_contradicted()),
            claims: memory
                .is_contradicted()
                .then(|| SnapshotClaim {
                    key: memory.content.key.clone(),
                    trust: memory.trust(),
                    is_superseded: false,
                })
                .into_iter()
                .collect(),
            verified_at: memory
                .content
                .verdict
                .is_some()
                .then_some(memory.updated_at),
            since: memory.updated_at,
        })
    }

    /// What several memories stand for together; `None` of none.
    pub fn of_all(memories: &[Memory]) -> Option<Self> {
        let mut whole = memories.iter().map(Self::of).reduce(|mut all, next| {
            all.claims.extend(next.claims);
            Self {
                memories: all.memories + next.memories,
                rated: all.rated + next.rated,
                contradicted: all.contradicted + next.contradicted,
                verified_at: all.verified_at.max(next.verified_at),
                since: all.since.min(next.since),
                ..all
            }
        })?;
        whole.claims.retain(|claim| !claim.is_superseded);
        let surplus = whole.claims.len().saturating_sub(MOST_CLAIMS);
        whole.claims.drain(..surplus);
        Some(whole)
    }

    /// The keys of claims that the text of the snapshot has and that were stored again since.
    pub fn superseded(&self) -> impl Iterator<Item = &str> {
        let superseded = self.claims.iter().filter(|claim| claim.is_superseded);
        superseded.map(|claim| claim.key.as_str())
    }

    /// Counts the claims of these memories, which are verified again, no longer; a note under the key of a claim verifies nothing. `confidence` is the mean trust in what it stands
    /// for, and is that of the rest afterwards. Says whether there was any.
    pub(super) fn supersede(&mut self, again: &[NewMemory], confidence: &mut Option<f64>) -> bool {
        let is_again = |claim: &&mut SnapshotClaim| {
            let is_verified =
                |memory: &NewMemory| memory.verdict.is_some() && memory.key == claim.key;
            !claim.is_superseded && again.iter().any(is_verified)
        };
        let mut is_changed = false;
        for claim in self.claims.iter_mut().filter(is_again) {
            claim.is_superseded = true;
            is_changed = true;
            self.memories = self.memories.saturating_sub(1);
            self.contradicted = self.contradicted.saturating_sub(1);
            if let (Some(trust), Some(mean)) = (claim.trust, *confidence) {
                let sum = mean * self.rated as f64 - trust;
                self.rated = self.rated.saturating_sub(1);
                *confidence = (self.rated > 0).then(|| (sum / self.rated as f64).clamp(0.0, 1.0));
            }
        }
        is_changed
    }

    /// The mean [trust](Memory::trust) in what memories stand for; `None` where nothing has one.
    pub fn mean_trust(memories: &[Memory]) -> Option<f64> {
        let rated = memories
            .iter()
            .filter_map(|memory| Some((memory.trust()?, Self::of(memory).rated as f64)));
        let (sum, count) = rated.fold((0.0, 0.0), |(sum, count), (trust, rated)| {
            (sum + trust * rated, count + rated)
        });
        (count > 0.0).then(|| sum / count)
    }
}
