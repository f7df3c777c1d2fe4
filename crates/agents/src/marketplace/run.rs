//! `/agents/run`: runs an agent on behalf of the caller, for the cost of its steps.

use std::sync::Arc;

use operations::{
    About, Address, AsOf, Charge, Checked, Context, Effect, Error, ErrorCode, Faults, Keeping,
    Operation, Posted, Price, Result, Tariff,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use store::Webhook;
use tokio::sync::mpsc::Sender;
use utoipa::ToSchema;

use super::catalogue;
use super::delivery;
use super::execute::{Order, Outcome, execute};
use super::operation::{BySlug, RunAnswer};
use super::record::{self, AgentRunBody};
use crate::runs::StepRecord;

/// The price of a run as shown in price lists. Nothing is reserved before the agent is known.
pub const PRICE: Price = Price::up_to(0, "by the agent's pipeline");

/// The inputs of a run: either in this form, or the bare inputs instead.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[schema(as = AgentRunRequest)]
pub struct RunRequest {
    /// The inputs, as defined by the agent's `input_schema`. If this is absent, the other fields of the body are the
    /// inputs.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    inputs: Option<Map<String, Value>>,
    /// One of the caller's webhooks, which receives the result of the run.
    #[serde(default)]
    #[schema(max_length = 100)]
    delivery_target_id: Option<String>,
    /// Maximum number of credits that the run may cost. Steps that the budget does not cover are left out.
    #[serde(default, deserialize_with = "operations::whole")]
    #[schema(minimum = 1)]
    budget: Option<u64>,
    /// Runs as of this time (ISO 8601), like the query parameter of the same name. If both are given, the earlier one
    /// applies.
    #[serde(default)]
    #[schema(format = DateTime)]
    as_of: Option<String>,
    /// The inputs, if there is no `inputs` field.
    #[serde(flatten)]
    #[schema(ignore)]
    bare: Map<String, Value>,
}

impl Checked for RunRequest {
    fn check(&self, faults: &mut Faults) {
        if self.budget == Some(0) {
            faults.note("budget must be at least 1");
        }
        if let Some(target) = &self.delivery_target_id {
            faults.length("delivery_target_id", target, 1..=100);
        }
    }
}

impl RunRequest {
    /// A request from a schedule.
    pub(crate) fn scheduled(
        inputs: Map<String, Value>,
        target: Option<String>,
        budget: Option<u64>,
    ) -> Self {
        Self {
            inputs: Some(inputs),
            delivery_target_id: target,
            budget,
            ..Self::default()
        }
    }
}

/// A run that is ready to start: everything about it has been checked, and nothing has been charged.
pub struct AgentRun {
    pub(crate) order: Order,
    target: Option<Webhook>,
    cost: u64,
}

/// The result of a run.
pub struct AgentRunOutcome {
    /// `run_…`.
    pub run_id: String,
    /// `complete`, `failed` or `budget_exhausted`.
    pub status: &'static str,
    /// The output of the run.
    pub output: Value,
    /// Cost in credits.
    pub credits: u64,
    /// Duration in milliseconds.
    pub duration_ms: u64,
    /// Id of its receipt.
    pub receipt_id: String,
    /// Id of the message to the delivery target.
    pub delivery_id: Option<String>,
}

impl AgentRun {
    /// Checks the request: the agent, its inputs, the budget and the delivery target.
    pub async fn prepare(context: &mut Context, slug: &str, request: RunRequest) -> Result<Self> {
        let agent = catalogue::find(context, slug).await?;
        let owner = context.owner()?.account;
        if agent.pipeline.is_personal() && agent.account != Some(owner) {
            return Err(Error::refused(
                ErrorCode::EndpointNotAllowed,
                "this agent changes what its caller owns, or reads that and reaches outside, so only its creator may run it; fork it to make it yours",
            ));
        }
        let RunRequest {
            inputs,
            delivery_target_id,
            budget,
            as_of,
            mut bare,
        } = request;
        bare.remove("slug");
        if let Some(text) = as_of {
            let at = text.trim().parse();
            let at = at.map_err(|error| Error::invalid(format!("as_of: {error}")))?;
            let AsOf(asked) = AsOf::new(Some(at), &context.services)?;
            context.as_of = match (asked, context.as_of) {
                (Some(asked), AsOf(Some(other))) => AsOf(Some(asked.min(other))),
                (asked, AsOf(other)) => AsOf(asked.or(other)),
            };
        }
        let inputs = agent.pipeline.inputs.check(&inputs.unwrap_or(bare))?;
        let (most, least) = (agent.pipeline.credit_cost(), agent.pipeline.least_cost());
        let budget = budget.unwrap_or(u64::MAX).min(context.limits.budget);
        if budget < least.max(1) {
            return Err(Error::invalid(format!(
                "budget is {budget}; the smallest run of {slug} costs {least}, a whole one up to {most}"
            )));
        }
        let target = match &delivery_target_id {
            Some(id) => Some(delivery::target(context, id).await?),
            None => None,
        };
        let cost = budget.min(most);
        Ok(Self {
            order: Order {
                agent,
                inputs,
                budget: cost,
            },
            target,
            cost,
        })
    }

    /// The maximum cost.
    pub(crate) const fn cost(&self) -> u64 {
        self.cost
    }

    /// Reserves the maximum cost, or says why it cannot be paid.
    pub fn reserve(&self, context: &Context, charge: &Charge) -> Result<()> {
        let path = RunAgent::ABOUT.address.path;
        let tariff = Tariff::new(
            0,
            Price::fixed(self.cost),
            operations::Gate::Key,
            "POST",
            path,
        );
        charge.pay(&context.services, &context.caller, &tariff)
    }

    /// Runs the agent and settles the cost. Dropping the future ends the work and charges nothing; if the listener
    /// leaves, the work ends and whatever was done until then is charged.
    pub async fn run(
        self,
        context: &Context,
        charge: &Charge,
        listener: Option<Sender<StepRecord>>,
    ) -> Result<AgentRunOutcome> {
        self.run_as(context, charge, listener, None).await
    }

    /// Like [`AgentRun::run`], under an id that is already known.
    pub(crate) async fn run_as(
        self,
        context: &Context,
        charge: &Charge,
        listener: Option<Sender<StepRecord>>,
        id: Option<&str>,
    ) -> Result<AgentRunOutcome> {
        let Outcome { finished, output } = execute(context, &self.order, id, listener).await?;
        charge.claim(finished.credits);
        charge.settle(self.cost).await?;
        let mut outcome = AgentRunOutcome {
            run_id: finished.id,
            status: finished.status.as_str(),
            output,
            credits: finished.credits,
            duration_ms: finished.duration_ms,
            receipt_id: finished.receipt_id,
            delivery_id: None,
        };
        if let Some(target) = &self.target {
            outcome.delivery_id =
                delivery::send(context, target, &self.order.agent, &outcome).await?;
        }
        Ok(outcome)
    }
}

/// `POST /agents/run/{slug}`, answered with one document.
pub(crate) struct RunAgent;

impl Operation for RunAgent {
    type Input = Posted<BySlug, RunRequest>;
    type Output = RunAnswer;

    const ABOUT: About = About {
        name: "run_agent",
        address: Address::post("/api/v1/agents/run/{slug}"),
        summary: "Runs an agent.",
        description: "Steps are reported as they finish, as server-sent events: `step {step, name, status, result}` for each, then `complete {run_id, output, credits_used, duration_ms}`. With `Accept: application/json`, the same run returns one document. Steps run with the scopes of the calling key. A step that fails or is not needed costs nothing, and its result is listed as missing. If the client disconnects, the run ends and the work done so far is charged.",
        answer: "The result of the run",
        missing: Some("There is no such agent, or the account has no such webhook"),
        example: r#"{"slug": "morning-brief", "inputs": {}}"#,
        subject: "agents",
        takes_as_of: true,
        keeping: Keeping::Never,
    };
    const EFFECT: Effect = Effect::Reads;

    async fn run(context: Context, asked: Self::Input) -> Result<RunAnswer> {
        let mut context = context;
        let run = AgentRun::prepare(&mut context, &asked.parameters.slug, asked.body).await?;
        let charge = context.charge.clone();
        run.reserve(&context, &charge)?;
        let outcome = run.run(&context, &charge, None).await?;
        let run = answered(&context, &outcome).await?;
        Ok(RunAnswer { status: "ok", run })
    }
}

/// The run as it was recorded.
async fn answered(context: &Context, outcome: &AgentRunOutcome) -> Result<AgentRunBody> {
    let owner = context.owner()?.account;
    let found = record::find(context, owner, &outcome.run_id).await?;
    found.ok_or_else(|| Error::internal("a run that was done is not on record"))
}

/// The operation of a run, for interfaces that route it by hand.
pub const RUN_AGENT: &str = "run_agent";

/// The agent of a run.
impl AgentRun {
    /// Slug of the agent.
    pub fn slug(&self) -> &str {
        &Arc::as_ref(&self.order.agent).slug
    }
}
