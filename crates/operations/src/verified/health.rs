//! `/agent/health-check`: how reliable the memories of an agent are.

use serde::{Deserialize, Serialize};
use store::{DailyConfidence, MemoryHealth};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::checked::{Checked, Faults};
use crate::error::Result;
use crate::field;
use crate::{About, Address, Context, Keeping, Operation, Posted};

/// A change in the mean confidence beyond this is a trend.
const TREND: f64 = 0.03;

/// The agent to check.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct AgentRequest {
    /// Your agent.
    #[schema(min_length = 1, max_length = 100, pattern = r"\S")]
    agent_id: String,
}

impl Checked for AgentRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("agent_id", self.agent_id.trim(), 1..=100);
    }
}

/// The state of an agent.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthAnswer {
    /// The figures.
    health: AgentHealth,
}

/// The figures of an agent.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentHealth {
    /// `healthy`: mean confidence above 0.8 and no contradicted claim; `unhealthy`: mean confidence below 0.5, or a
    /// contradicted claim. Otherwise `degraded`, including when there are stale facts or no memory has a confidence.
    #[schema(schema_with = statuses)]
    status: &'static str,
    /// Mean confidence of the memories that have one, from 0 to 1; null if none has one. A contradicted claim counts
    /// with 1 minus the confidence that it is wrong, and a snapshot counts as often as it stands for memories with a
    /// confidence.
    #[schema(required)]
    avg_confidence: Option<f64>,
    /// `improving`, `declining` or `stable`: compares the mean confidence in the later and the earlier half of the last
    /// seven days.
    #[schema(schema_with = trends)]
    trust_trend: &'static str,
    /// Number of memories that should be verified again.
    stale_fact_count: u64,
    /// Number of memories whose claim is contradicted. Those that became part of a snapshot are included until they are
    /// verified again.
    contradicted_claims: u64,
    /// Number of all memories; 0 for an agent that this account does not have.
    total_memories: u64,
    /// When a claim was last verified, including one that became part of a snapshot. Null if never.
    #[schema(required, format = "date-time")]
    last_verified: Option<String>,
}

const STATUSES: [&str; 3] = ["healthy", "degraded", "unhealthy"];
const TRENDS: [&str; 3] = ["improving", "declining", "stable"];

fn statuses() -> Object {
    let meaning = "`healthy`: mean confidence above 0.8 and no contradicted claim; `unhealthy`: mean confidence below 0.5, or a contradicted claim; otherwise `degraded`, which also applies if there are stale facts or if no memory has a confidence.";
    field::said_word(meaning, STATUSES)
}

fn trends() -> Object {
    let meaning = "Trend of the mean confidence over the last seven days: the later half compared with the earlier half.";
    field::said_word(meaning, TRENDS)
}

impl AgentHealth {
    fn new(health: &MemoryHealth) -> Self {
        Self {
            status: status(health),
            avg_confidence: health.average_confidence,
            trust_trend: trend(&health.daily),
            stale_fact_count: health.stale,
            contradicted_claims: health.contradicted,
            total_memories: health.total,
            last_verified: health.last_verified.map(|at| at.to_string()),
        }
    }
}

/// Unhealthy takes precedence over degraded. Exactly 0.5 is degraded.
fn status(health: &MemoryHealth) -> &'static str {
    let average = health.average_confidence;
    if health.contradicted > 0 || average.is_some_and(|average| average < 0.5) {
        "unhealthy"
    } else if health.stale == 0 && average.is_some_and(|average| average > 0.8) {
        "healthy"
    } else {
        "degraded"
    }
}

/// Compares the later half of the days with the earlier one, weighted by memories.
fn trend(daily: &[DailyConfidence]) -> &'static str {
    let mean = |days: &[DailyConfidence]| {
        let count: u64 = days.iter().map(|day| day.memories).sum();
        let sum: f64 = days
            .iter()
            .map(|day| day.average * day.memories as f64)
            .sum();
        (count > 0).then(|| sum / count as f64)
    };
    let (early, late) = daily.split_at(daily.len() / 2);
    match (mean(early), mean(late)) {
        (Some(early), Some(late)) if late - early > TREND => "improving",
        (Some(early), Some(late)) if early - late > TREND => "declining",
        _ => "stable",
    }
}

/// `POST /agent/health-check`.
pub(crate) struct CheckHealth;

impl Operation for CheckHealth {
    type Input = Posted<(), AgentRequest>;
    type Output = HealthAnswer;

    const ABOUT: About = About {
        name: "check_agent_health",
        address: Address::post("/api/v1/agent/health-check"),
        subject: "verified",
        summary: "Reports how reliable the memories of an agent are.",
        answer: "The figures",
        example: r#"{"agent_id": "desk-1"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: Self::Input) -> Result<HealthAnswer> {
        let owner = context.owner()?.account;
        let agent = asked.body.agent_id.trim().to_owned();
        let health = context
            .store
            .memories()
            .health(owner, &agent, context.attempt.now)
            .await?;
        Ok(HealthAnswer {
            health: AgentHealth::new(&health),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn health(average: f64, contradicted: u64, stale: u64) -> MemoryHealth {
        MemoryHealth {
            total: 3,
            average_confidence: Some(average),
            contradicted,
            stale,
            ..MemoryHealth::default()
        }
    }

    #[test]
    fn the_worst_that_applies_counts() {
        assert_eq!(status(&health(0.81, 0, 0)), "healthy");
        assert_eq!(status(&health(0.8, 0, 0)), "degraded");
        assert_eq!(status(&health(0.9, 0, 1)), "degraded");
        assert_eq!(status(&health(0.5, 0, 0)), "degraded");
        assert_eq!(status(&health(0.49, 0, 0)), "unhealthy");
        assert_eq!(status(&health(0.9, 1, 0)), "unhealthy");
        // Of an agent without memories nothing sound is known, and nothing bad.
        assert_eq!(status(&MemoryHealth::default()), "degraded");
    }

    #[test]
    fn a_trend_is_a_change_between_the_halves() {
        let days = |averages: &[f64]| -> Vec<DailyConfidence> {
            (0..)
                .zip(averages)
                .map(|(day, average)| DailyConfidence {
                    day,
                    average: *average,
                    memories: 2,
                })
                .collect()
        };
        assert_eq!(trend(&days(&[0.5, 0.5, 0.7, 0.8])), "improving");
        assert_eq!(trend(&days(&[0.8, 0.7, 0.5])), "declining");
        assert_eq!(trend(&days(&[0.8])), "stable");
        assert_eq!(trend(&[]), "stable");
    }
}
