//! An agent in full: its inputs, its pipeline and its reviews.

use operations::{Context, Result};
use serde::Serialize;
use serde_json::Value;
use store::AgentReview;
use utoipa::ToSchema;

use super::catalogue::{self, AgentSummary};
use super::pipeline::Pipeline;

/// Maximum number of reviews shown with an agent.
const MOST_REVIEWS: u64 = 50;

/// A review of an agent.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentReview)]
pub(crate) struct ReviewBody {
    /// Display name of the reviewer.
    pub(crate) username: String,
    /// Rating from 1 to 5.
    pub(crate) rating: u8,
    /// Comment in words. May be empty.
    pub(crate) comment: String,
    /// When the review was written.
    pub(crate) created_at: String,
}

impl ReviewBody {
    pub(crate) fn new(review: AgentReview) -> Self {
        Self {
            username: review.username,
            rating: review.rating,
            comment: review.comment,
            created_at: review.created_at.to_string(),
        }
    }
}

/// The inputs of an agent, as JSON Schema.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentInputSchema)]
pub(crate) struct InputSchemaBody {
    /// `object`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The inputs by name.
    #[schema(value_type = Object)]
    properties: Value,
    /// The required inputs, without which the agent does not run.
    required: Vec<String>,
}

/// What an agent does.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentPipeline)]
pub(crate) struct PipelineBody {
    /// The steps in order, as written.
    #[schema(value_type = Vec<Object>)]
    steps: Value,
    /// Maximum number of operations that a run calls.
    calls_at_most: u64,
    /// The whole pipeline as TOML, in the form that `POST /agents` takes.
    toml: String,
}

/// An agent in full.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentDetail)]
pub(crate) struct DetailBody {
    #[serde(flatten)]
    summary: AgentSummary,
    /// The inputs of the agent.
    input_schema: InputSchemaBody,
    /// Reviews from accounts, newest first.
    reviews: Vec<ReviewBody>,
    /// What it does.
    pipeline: PipelineBody,
    /// Minimum number of credits that a run needs. A smaller budget is refused.
    least_credits: u64,
    /// Whether only its creator may run it, because it changes what its caller owns, or reads that and also reaches
    /// outside the server.
    personal: bool,
}

/// One agent.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentBody)]
pub(crate) struct AgentBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The agent.
    agent: DetailBody,
}

impl AgentBody {
    pub(crate) async fn of(context: &Context, agent: &catalogue::Agent) -> Result<Self> {
        let agents = context.store.agents();
        let reviews = agents.reviews(&agent.slug, MOST_REVIEWS).await?;
        let summary = catalogue::summary(context, agent).await?;
        let reviews = reviews.into_iter().map(ReviewBody::new).collect();
        Ok(Self::new(summary, &agent.pipeline, &agent.source, reviews))
    }

    /// The response about an agent; `source` is its pipeline as TOML.
    pub(crate) fn new(
        summary: AgentSummary,
        pipeline: &Pipeline,
        source: &str,
        reviews: Vec<ReviewBody>,
    ) -> Self {
        let schema = pipeline.inputs.schema();
        let mut shown = pipeline.shown();
        Self {
            status: "ok",
            agent: DetailBody {
                summary,
                input_schema: InputSchemaBody {
                    kind: "object",
                    properties: schema["properties"].clone(),
                    required: pipeline.inputs.required.clone(),
                },
                reviews,
                pipeline: PipelineBody {
                    calls_at_most: shown["calls_at_most"].as_u64().unwrap_or_default(),
                    steps: shown["steps"].take(),
                    toml: source.to_owned(),
                },
                least_credits: pipeline.least_cost(),
                personal: pipeline.is_personal(),
            },
        }
    }
}
