//! What a snapshot stands for: figures about memories that are gone, so that a health check and the next snapshot count
//! them.

use model::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Memory, NewMemory};

/// The maximum number of a snapshot's contradicted claims that are known individually: the newest.
const MOST_CLAIMS: usize = 1_000;

/// A contradicted claim that a snapshot stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnapshotClaim {
    /// The key it was stored under.
    pub key: String,
    /// Its [trust](Memory::trust).
    pub trust: Option<f64>,
    /// Whether its key has been stored again since, so that the snapshot no longer counts it; its text still contains
    /// it.
    pub is_superseded: bool,
}

/// What a snapshot stands for. The memories of snapshots that became part of it count, but not those snapshots
/// themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// How many memories.
    pub memories: u64,
    /// How many of them had a confidence.
    pub rated: u64,
    /// How many were claims that have been contradicted.
    pub contradicted: u64,
    /// Which of these claims are, or were, known individually: at most the newest thousand.
    pub claims: Vec<SnapshotClaim>,
    /// When any of them was last verified.
    pub verified_at: Option<Timestamp>,
    /// When the one that has gone unstored the longest was last stored.
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

    /// What several memories stand for together; `None` if there are none.
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

    /// The keys of claims that the snapshot's text contains and that have been stored again since.
    pub fn superseded(&self) -> impl Iterator<Item = &str> {
        let superseded = self.claims.iter().filter(|claim| claim.is_superseded);
        superseded.map(|claim| claim.key.as_str())
    }

    /// Stops counting the claims of these memories, which are verified again; a note under a claim's key verifies
    /// nothing. `confidence` is the mean trust in what the snapshot stands for, and afterwards that of the rest.
    /// Returns whether there were any.
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

    /// The mean [trust](Memory::trust) in what memories stand for; `None` if none of it has a trust.
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
