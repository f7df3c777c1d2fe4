//! What a snapshot stands for: figures of memories that are gone, so that a health check and the next snapshot count them.

use model::Timestamp;

use super::Memory;

/// What a snapshot stands for. Memories of snapshots that became part of it count, not these snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// How many memories.
    pub memories: u64,
    /// How many of them had a confidence.
    pub rated: u64,
    /// How many were claims that are contradicted.
    pub contradicted: u64,
    /// When one of them was last verified.
    pub verified_at: Option<Timestamp>,
    /// When the one that was not stored for the longest time was last stored.
    pub since: Timestamp,
}

impl Snapshot {
    /// What a memory stands for: itself, unless it is a snapshot.
    pub fn of(memory: &Memory) -> Self {
        memory.snapshot.unwrap_or_else(|| Self {
            memories: 1,
            rated: u64::from(memory.content.confidence.is_some()),
            contradicted: u64::from(memory.is_contradicted()),
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
        memories.iter().map(Self::of).reduce(|all, next| Self {
            memories: all.memories + next.memories,
            rated: all.rated + next.rated,
            contradicted: all.contradicted + next.contradicted,
            verified_at: all.verified_at.max(next.verified_at),
            since: all.since.min(next.since),
        })
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
