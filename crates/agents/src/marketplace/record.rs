//! A run as it is read later.

use model::AccountId;
use operations::{Context, Error, Result};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::runs::StepRecord;

/// A run of an agent.
#[derive(Serialize, ToSchema)]
#[schema(as = AgentRun)]
pub(crate) struct AgentRunBody {
    /// `run_…`.
    pub(crate) id: String,
    /// The agent. For runs of other kinds the subject, such as the vertical or the topic.
    pub(crate) agent_slug: String,
    /// `agent`, `swarm`, `runtime`, `research`, `forecast` or `report`.
    pub(crate) kind: String,
    /// `complete`, `failed` (a required step returned nothing) or `budget_exhausted`.
    pub(crate) status: String,
    /// The inputs of the run, including defaults.
    #[schema(value_type = Object)]
    pub(crate) inputs: Value,
    /// The output: `summary` in Markdown, whose numbers all come from the steps; the agent's own fields; and
    /// `data_status` if something is missing.
    #[schema(value_type = Object)]
    pub(crate) output: Value,
    /// Credits charged. Steps that failed or were not needed cost nothing.
    pub(crate) credits_used: u64,
    /// Duration in milliseconds.
    pub(crate) duration_ms: u64,
    /// When it started.
    pub(crate) created_at: String,
    /// Id of the receipt that covers the text and the claims that were tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) receipt_id: Option<String>,
    /// The steps in the order in which they were started. Long lists of results are truncated.
    pub(crate) steps: Vec<StepRecord>,
}

/// A run that belongs to the caller.
pub(crate) async fn find(
    context: &Context,
    owner: AccountId,
    id: &str,
) -> Result<Option<AgentRunBody>> {
    let runs = context.store.runs();
    let Some(run) = runs.find(owner, id).await? else {
        return Ok(None);
    };
    let json = |text: &str| serde_json::from_str::<Value>(text).map_err(Error::internal);
    let mut steps = Vec::new();
    for step in runs.steps(id).await? {
        steps.push(serde_json::from_str(&step.body).map_err(Error::internal)?);
    }
    Ok(Some(AgentRunBody {
        agent_slug: run.subject,
        kind: run.kind,
        status: run.status,
        inputs: json(&run.inputs)?,
        output: run
            .output
            .as_deref()
            .map_or(Ok(Value::Object(serde_json::Map::new())), json)?,
        credits_used: run.credits,
        duration_ms: run.duration_ms,
        created_at: run.created_at.to_string(),
        receipt_id: run.receipt,
        steps,
        id: run.id,
    }))
}
