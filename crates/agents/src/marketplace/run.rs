//! `/agents/run`: an agent is run on behalf of whoever asks, for what its steps cost.

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

/// What a run costs, as price lists say it. Nothing is set aside before the agent is known.
pub const PRICE: Price = Price::up_to(0, "by the agent's pipeline");

/// What a run is given: either so, or the bare inputs in their place.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[schema(as = AgentRunRequest)]
pub struct RunRequest {
    /// The inputs, as `input_schema` of the agent says; without it, the other fields of the body are the inputs.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    inputs: Option<Map<String, Value>>,
    /// One of the caller's webhooks, which gets what comes of the run.
    #[serde(default)]
    #[schema(max_length = 100)]
    delivery_target_id: Option<String>,
    /// Credits that the run may cost at most; steps that it does not reach for are left out.
    #[serde(default, deserialize_with = "operations::whole")]
    #[schema(minimum = 1)]
    budget: Option<u64>,
    /// Runs as of this time (ISO 8601), as the parameter of the query; of both the earlier counts.
    #[serde(default)]
    #[schema(format = DateTime)]
    as_of: Option<String>,
    /// The inputs, where there is no `inputs`.
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
    /// As a schedule asks.
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

/// A run that can begin: everything about it was checked, and nothing charged.
pub struct AgentRun {
    pub(crate) order: Order,
    target: Option<Webhook>,
    cost: u64,
}

/// What came of a run.
pub struct AgentRunOutcome {
    /// `run_…`.
    pub run_id: String,
    /// `complete`, `failed` or `budget_exhausted`.
    pub status: &'static str,
    /// What came of it.
    pub output: Value,
    /// What it cost.
    pub credits: u64,
    /// How long it took.
    pub duration_ms: u64,
    /// Its receipt.
    pub receipt_id: String,
    /// The message to the delivery target.
    pub delivery_id: Option<String>,
}

impl AgentRun {
    /// Checks what was asked: the agent, its inputs, the budget, the delivery target.
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

    /// What it can cost at most.
    pub(crate) const fn cost(&self) -> u64 {
        self.cost
    }

    /// Sets aside what it can cost, or says why that cannot be paid.
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

    /// Does it, and settles what was done. Dropping the future ends the work and charges nothing; a listener that leaves ends
    /// the work, and what was done until then is charged.
    pub async fn run(
        self,
        context: &Context,
        charge: &Charge,
        listener: Option<Sender<StepRecord>>,
    ) -> Result<AgentRunOutcome> {
        self.run_as(context, charge, listener, None).await
    }

    /// As [`AgentRun::run`], under an id that was known before.
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

/// `POST /agents/run/{slug}`, answered as one document.
pub(crate) struct RunAgent;

impl Operation for RunAgent {
    type Input = Posted<BySlug, RunRequest>;
    type Output = RunAnswer;

    const ABOUT: About = About {
        name: "run_agent",
        address: Address::post("/api/v1/agents/run/{slug}"),
        summary: "Runs an agent.",
        description: "Its steps are told as they are done, as server-sent events: `step {step, name, status, result}` for each, then `complete {run_id, output, credits_used, duration_ms}`. With `Accept: application/json` the same run is answered as one document. Steps run under the scopes of the key that asks; a step that fails or is not needed costs nothing, and what it would have said is named as missing. A client that leaves ends the run and is charged for what was done.",
        answer: "What the run came to",
        missing: Some("There is no such agent, or no such webhook of the account"),
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

/// The run as it was written.
async fn answered(context: &Context, outcome: &AgentRunOutcome) -> Result<AgentRunBody> {
    let owner = context.owner()?.account;
    let found = record::find(context, owner, &outcome.run_id).await?;
    found.ok_or_else(|| Error::internal("a run that was done is not on record"))
}

/// The operation of a run, for those who route it by hand.
pub const RUN_AGENT: &str = "run_agent";

/// The agent of a run.
impl AgentRun {
    /// Its slug.
    pub fn slug(&self) -> &str {
        &Arc::as_ref(&self.order.agent).slug
    }
}
