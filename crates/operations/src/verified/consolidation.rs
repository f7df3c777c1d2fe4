//! `/memory/consolidate`: merges old memories of an agent into one snapshot.

mod summary;

use model::{Symbol, Timestamp};
use serde::{Deserialize, Serialize};
use store::{Memory, NewMemory, Snapshot};
use utoipa::ToSchema;

use crate::checked::{Checked, Faults, whole};
use crate::error::Result;
use crate::{About, Address, Context, Effect, Keeping, Operation, Posted};

/// The memories to merge into a snapshot.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ConsolidateRequest {
    /// Your agent.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S")]
    agent_id: String,
    /// Memories that were last stored more than this many hours ago become part of the snapshot; 24 by default.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 87600, default = 24)]
    max_age_hours: Option<f64>,
    /// Number of newest memories that are kept, however old they are; 10 by default.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 10000, default = 10)]
    keep_recent: Option<u64>,
}

impl Checked for ConsolidateRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("agent_id", self.agent_id.trim(), 1..=100);
        if !(0.0..=87_600.0).contains(&self.max_age_hours.unwrap_or(24.0)) {
            faults.note("max_age_hours must be a number from 0 to 87600");
        }
        if self.keep_recent.unwrap_or(10) > 10_000 {
            faults.note("keep_recent must be an integer from 0 to 10000");
        }
    }
}

/// The outcome of a consolidation.
#[derive(Serialize, ToSchema)]
pub(crate) struct ConsolidatedBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Name of the agent.
    agent_id: String,
    /// Number of memories that this call replaced with the snapshot. An earlier snapshot among them counts as one.
    consolidated: usize,
    /// Number of memories that had expired and were removed.
    expired: u64,
    /// Whether a snapshot was created.
    snapshot_created: bool,
    /// Key of the snapshot. Null if there is none.
    #[schema(required)]
    snapshot_key: Option<String>,
    /// Symbols that the snapshot is about.
    tickers_covered: Vec<String>,
    /// Mean confidence of the consolidated memories, from 0 to 1; null if none had a confidence. A contradicted claim
    /// counts with 1 minus the confidence that it is wrong, as in `/agent/health-check`.
    #[schema(required)]
    avg_confidence: Option<f64>,
}

/// `POST /memory/consolidate`.
pub(crate) struct Consolidate;

impl Operation for Consolidate {
    type Input = Posted<(), ConsolidateRequest>;
    type Output = ConsolidatedBody;

    const ABOUT: About = About {
        name: "consolidate_memories",
        address: Address::post("/api/v1/memory/consolidate"),
        subject: "verified",
        summary: "Replaces old memories of an agent with one snapshot.",
        description: "The snapshot contains the symbols covered, the mean confidence, the number of contradicted claims, and the texts, newest first, with contradicted claims marked. It has as many texts as fit into 64 KiB, and the number of those left out. A contradicted claim that is verified again no longer counts in it. Snapshots that are old enough become part of it. The newest `keep_recent` memories are always kept, and so are those with a time limit until they expire; expired memories are removed.",
        answer: "What was consolidated",
        example: r#"{"agent_id": "desk-1", "max_age_hours": 24, "keep_recent": 10}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<ConsolidatedBody> {
        let body = asked.body;
        let owner = context.owner()?.account;
        let now = context.attempt.now;
        let agent = body.agent_id.trim().to_owned();
        let age_ms = (body.max_age_hours.unwrap_or(24.0) * 3_600_000.0) as i64;
        let done = context
            .store
            .memories()
            .consolidate(
                owner,
                &agent,
                now.plus_ms(-age_ms),
                body.keep_recent.unwrap_or(10),
                now,
                move |old| snapshot(old, now),
            )
            .await?;
        let content = done.snapshot.map(|memory| memory.content);
        Ok(ConsolidatedBody {
            status: "ok",
            agent_id: agent,
            consolidated: done.replaced.len(),
            expired: done.expired,
            snapshot_created: content.is_some(),
            snapshot_key: content.as_ref().map(|content| content.key.clone()),
            tickers_covered: content
                .iter()
                .flat_map(|content| &content.tickers)
                .map(|symbol| symbol.as_str().to_owned())
                .collect(),
            avg_confidence: content.and_then(|content| content.confidence),
        })
    }
}

/// One memory in place of several; `None` if there are none.
fn snapshot(old: &[Memory], now: Timestamp) -> Option<NewMemory> {
    let stands_for = Snapshot::of_all(old)?;
    let mut tickers: Vec<Symbol> = old
        .iter()
        .flat_map(|memory| memory.content.tickers.iter().cloned())
        .collect();
    tickers.sort();
    tickers.dedup();
    Some(NewMemory {
        id: format!("mem_{}", uuid::Uuid::new_v4().simple()),
        key: format!("snapshot:{}:{}", now.date(), uuid::Uuid::new_v4().simple()),
        value: summary::of(old, &stands_for),
        category: "snapshot".to_owned(),
        tickers,
        confidence: Snapshot::mean_trust(old),
        verdict: None,
        stale_at: None,
        expires_at: None,
        receipt: None,
    })
}
