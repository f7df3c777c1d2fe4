//! `/swarm/run` and `/runtime/run`.

use operations::{
    About, Address, Checked, Context, Error, Faults, Keeping, Operation, Posted, Result,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::critic::Fault;
use super::{Analysis, Asked, LEAST, MOST, Role, Vertical, analyze};
use crate::ask::LENGTH;
use crate::ask::MissingBody;
use crate::runs::StepRecord;

/// An analysis to be carried out by several roles.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SwarmRequest {
    /// The question to analyse, in plain English.
    #[schema(
        min_length = 2,
        max_length = 500,
        pattern = r"\S[\s\S]*\S",
        example = "Is NVDA overvalued?"
    )]
    query: String,
    /// The roles that take part: `planner`, `researcher`, `verifier`, `critic`, `synthesizer`; all by default. Whatever
    /// a researcher finds is always verified.
    #[serde(default)]
    #[schema(min_items = 1, max_items = 5)]
    roles: Option<Vec<RoleWord>>,
    /// Maximum number of credits that the analysis may cost, at least 9; `credit_budget` is accepted as an alternative
    /// name.
    #[serde(
        default,
        alias = "credit_budget",
        deserialize_with = "operations::whole"
    )]
    #[schema(minimum = 9)]
    budget: Option<u64>,
    /// Whether to skip the language model, if there is one. The synthesis is then the one from the template.
    #[serde(default)]
    fast: Option<bool>,
}

/// A role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AnalysisRole)]
pub(crate) enum RoleWord {
    /// Reads the question and chooses sources.
    Planner,
    /// Queries the sources.
    Researcher,
    /// Tests what the sources state.
    Verifier,
    /// Looks for faults.
    Critic,
    /// Writes the synthesis.
    Synthesizer,
}

impl From<RoleWord> for Role {
    fn from(word: RoleWord) -> Self {
        match word {
            RoleWord::Planner => Self::Planner,
            RoleWord::Researcher => Self::Researcher,
            RoleWord::Verifier => Self::Verifier,
            RoleWord::Critic => Self::Critic,
            RoleWord::Synthesizer => Self::Synthesizer,
        }
    }
}

fn check(query: &str, roles: Option<&[RoleWord]>, budget: Option<u64>, faults: &mut Faults) {
    faults.length("query", query.trim(), LENGTH);
    if roles.is_some_and(|roles| roles.is_empty() || roles.len() > Role::ALL.len()) {
        faults.note("roles takes 1 to 5 words".to_owned());
    }
    if budget.is_some_and(|budget| budget < LEAST) {
        faults.note(format!(
            "budget must be at least {LEAST}, the price of the smallest analysis"
        ));
    }
}

impl Checked for SwarmRequest {
    fn check(&self, faults: &mut Faults) {
        check(&self.query, self.roles.as_deref(), self.budget, faults);
    }
}

fn roles(words: Option<Vec<RoleWord>>) -> Vec<Role> {
    let Some(words) = words else {
        return Role::ALL.to_vec();
    };
    let named: Vec<Role> = words.into_iter().map(Role::from).collect();
    Role::ALL
        .into_iter()
        .filter(|role| {
            named.contains(role) || (*role == Role::Verifier && named.contains(&Role::Researcher))
        })
        .collect()
}

/// The confidence of a step.
#[derive(Serialize, ToSchema)]
#[schema(as = StepConfidence)]
pub(crate) struct ConfidenceBody {
    /// `high`, `medium` or `low`.
    level: &'static str,
    /// Score from 0 to 1.
    score: f64,
}

/// A statement that was tested.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisClaim)]
pub(crate) struct ClaimBody {
    /// The statement as its source printed it.
    claim: String,
    /// Whether it is supported.
    verified: bool,
    /// The clearest source on the side of the verdict, or else the one that printed the statement. Null if neither is
    /// known.
    #[schema(required)]
    source: Option<String>,
    /// `supported`, `partially_supported`, `contradicted` or `unverifiable`.
    verdict: String,
    /// Probability that the verdict is right, from 0 to 1.
    confidence: f64,
    /// Outlets that say the same, other than the one it was taken from.
    confirmed_by: Vec<String>,
    /// Id of the brief that contains it. Null if none does.
    #[schema(required)]
    brief_id: Option<String>,
    /// The day on which it was printed: anything it says about the present refers to that day. Null if it is not a
    /// statement from a source.
    #[schema(required)]
    printed: Option<String>,
    /// Id of its signed receipt.
    receipt_id: String,
}

/// The work of one role.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisStep)]
pub(crate) struct StepBody {
    /// The role: `planner`, `researcher`, `verifier`, `critic` or `synthesizer`. A role that worked twice appears
    /// twice.
    role: String,
    /// `complete`, `failed`, or `skipped` if the budget did not cover it.
    status: String,
    /// Result of the step.
    summary: String,
    /// Confidence of the role; 0 if it did not start.
    confidence: ConfidenceBody,
    /// The statements that were tested. Present only in steps of the verifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    claims: Option<Vec<ClaimBody>>,
    /// Cost of the step in credits.
    credits: u64,
    /// Duration in milliseconds.
    duration_ms: u64,
}

/// The text of the analysis.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisSynthesis)]
pub(crate) struct SynthesisBody {
    /// The text in Markdown. Every number in it appears in the results.
    summary: String,
    /// `template`, or `llm` if the operator's language model wrote the answer at the beginning of the text.
    summary_source: &'static str,
    /// The text without the model. Present if `summary_source` is `llm`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    summary_template: Option<String>,
}

/// The overall confidence of the steps.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisVerification)]
pub(crate) struct VerificationSummary {
    /// Mean confidence of the steps that make a judgement, from 0 to 1.
    avg_confidence: f64,
    /// Number of steps that have a confidence below 0.5, failed or were skipped.
    flagged_steps: usize,
    /// Total number of steps.
    steps_total: usize,
}

/// The receipt of the analysis, which lists the receipts of its claims.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisReceipt)]
pub(crate) struct ReceiptBody {
    /// Id of the receipt, `vr_…`.
    id: String,
    /// Where the receipt can be read without a credential.
    verifiable_at: String,
}

/// An analysis.
#[derive(Serialize, ToSchema)]
pub(crate) struct SwarmBody {
    /// What the roles did, in the order in which they worked.
    steps: Vec<StepBody>,
    /// The text of the analysis.
    synthesis: SynthesisBody,
    /// The overall confidence of the steps.
    verification_summary: VerificationSummary,
    /// Credits charged for the analysis: 1 for the planner, for each source that answered and for each statement
    /// tested, and 2 each for critic and synthesizer; at least 9 and at most 25.
    total_credits_used: u64,
    /// Whether a person should review the analysis: the mean confidence of the steps is low, or a statement that the
    /// answer relies on is contradicted.
    escalated: bool,
    /// The signed receipt.
    receipt: ReceiptBody,
    /// The critic's objections, most serious first.
    objections: Vec<Fault>,
    /// `complete`, or `budget_exhausted` if steps were skipped.
    run_status: &'static str,
    /// Id of the run, which its owner can read at `/agents/runs/{id}`.
    run_id: String,
    /// Id of the session, for `/feedback` and for `/ask`, where a question may refer to this one.
    session_id: String,
    /// Sources that did not answer. Absent if all of them did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<MissingBody>,
    /// Processing time in milliseconds.
    processing_time_ms: u64,
}

fn level(score: f64) -> &'static str {
    match score {
        0.8.. => "high",
        0.5.. => "medium",
        _ => "low",
    }
}

fn step(record: &StepRecord) -> StepBody {
    let role = record.name.split(' ').next().unwrap_or_default();
    let claims = record.result.get("claims").and_then(Value::as_array);
    StepBody {
        role: role.to_owned(),
        status: record.status.clone(),
        summary: match (&record.reason, record.is_complete()) {
            (Some(reason), false) => crate::figures::sentence(reason),
            _ => record.summary.clone(),
        },
        confidence: {
            let score = record.confidence.unwrap_or_default();
            ConfidenceBody {
                level: level(score),
                score,
            }
        },
        claims: claims.map(|claims| claims.iter().map(claim).collect()),
        credits: record.credits,
        duration_ms: record.duration_ms,
    }
}

fn claim(shown: &Value) -> ClaimBody {
    let text = |name: &str| shown.get(name).and_then(Value::as_str).map(str::to_owned);
    let confirmed = shown.get("confirmed_by").and_then(Value::as_array);
    ClaimBody {
        claim: text("claim").unwrap_or_default(),
        verified: shown.get("verified") == Some(&Value::Bool(true)),
        source: text("source"),
        verdict: text("verdict").unwrap_or_default(),
        confidence: shown
            .get("confidence")
            .and_then(Value::as_f64)
            .unwrap_or_default(),
        confirmed_by: confirmed
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect(),
        brief_id: text("brief_id"),
        printed: text("printed"),
        receipt_id: text("receipt_id").unwrap_or_default(),
    }
}

impl SwarmBody {
    fn new(context: &Context, analysis: Analysis, credits: u64) -> Self {
        let steps: Vec<StepBody> = analysis.run.steps.iter().map(step).collect();
        let flagged = analysis.run.steps.iter().filter(|step| {
            !step.is_complete() || step.confidence.is_some_and(|score| score < super::DOUBTFUL)
        });
        Self {
            verification_summary: VerificationSummary {
                avg_confidence: analysis.avg_confidence,
                flagged_steps: flagged.count(),
                steps_total: steps.len(),
            },
            steps,
            synthesis: SynthesisBody {
                summary: analysis.synthesis,
                summary_source: if analysis.template.is_some() {
                    "llm"
                } else {
                    "template"
                },
                summary_template: analysis.template,
            },
            total_credits_used: credits,
            escalated: analysis.is_escalated,
            receipt: ReceiptBody {
                verifiable_at: context.services.settings.address_of(&format!(
                    "/api/v1/verify/receipt/{}",
                    analysis.run.receipt_id
                )),
                id: analysis.run.receipt_id,
            },
            objections: analysis.faults,
            run_status: analysis.run.status.as_str(),
            run_id: analysis.run.id,
            session_id: analysis.session,
            data_status: analysis.missing,
            processing_time_ms: analysis.run.duration_ms,
        }
    }
}

/// Carries out the analysis and charges the actual cost.
async fn analyzed(context: &Context, asked: &Asked) -> Result<SwarmBody> {
    context
        .charge
        .raise(&context.services, &context.caller, asked.budget)?;
    let analysis = analyze(context, asked).await?;
    if analysis.run.status == crate::runs::RunStatus::Failed {
        return Err(Error::internal("an analysis came to nothing"));
    }
    let credits = analysis.run.credits.clamp(LEAST, MOST.min(asked.budget));
    context.charge.claim(credits);
    Ok(SwarmBody::new(context, analysis, credits))
}

/// `POST /swarm/run`.
pub(crate) struct RunSwarm;

impl Operation for RunSwarm {
    type Input = Posted<(), SwarmRequest>;
    type Output = SwarmBody;

    const ABOUT: About = About {
        name: "run_swarm",
        address: Address::post("/api/v1/swarm/run"),
        subject: "verified",
        summary: "Analyses a question with five roles, each of which states its confidence.",
        description: "The planner chooses sources, the researcher queries them, the verifier tests what they state, the critic looks for errors and may send the work back once, and the synthesizer writes the text. The free plan includes 5 runs a day; beyond that, the response is 429 `runs_limited`.",
        answer: "The steps, the text and how reliable it is",
        example: r#"{"query": "Is NVDA overvalued?"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, input: Self::Input) -> Result<SwarmBody> {
        let body = input.body;
        let asked = Asked {
            query: body.query.trim().to_owned(),
            roles: roles(body.roles),
            budget: body.budget.unwrap_or(MOST).min(MOST),
            is_fast: body.fast.unwrap_or(false),
            vertical: None,
        };
        analyzed(&context, &asked).await
    }
}

/// A field of analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RuntimeVertical)]
pub(crate) enum VerticalWord {
    /// Filings, company figures and series.
    Finance,
    /// Courts and regulators, by jurisdiction and date.
    Legal,
    /// Sources compared with each other.
    Research,
    /// Rules and sanctions: who says so, and what changed.
    Compliance,
    /// No particular field: the roles named in the request.
    Custom,
}

/// An analysis to be carried out in one field.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct RuntimeRequest {
    /// The question to analyse, in plain English.
    #[schema(
        min_length = 2,
        max_length = 500,
        pattern = r"\S[\s\S]*\S",
        example = "Apple antitrust exposure"
    )]
    query: String,
    /// The field of analysis.
    vertical: VerticalWord,
    /// The roles that take part, as in `/swarm/run`.
    #[serde(default)]
    #[schema(min_items = 1, max_items = 5)]
    roles: Option<Vec<RoleWord>>,
    /// Maximum number of credits that the analysis may cost, at least 9.
    #[serde(
        default,
        alias = "credit_budget",
        deserialize_with = "operations::whole"
    )]
    #[schema(minimum = 9)]
    budget: Option<u64>,
}

impl Checked for RuntimeRequest {
    fn check(&self, faults: &mut Faults) {
        check(&self.query, self.roles.as_deref(), self.budget, faults);
    }
}

/// An analysis in one field.
#[derive(Serialize, ToSchema)]
pub(crate) struct RuntimeBody {
    /// The field of analysis.
    vertical: &'static str,
    /// The analysis, in the form that `/swarm/run` returns.
    #[serde(flatten)]
    analysis: SwarmBody,
}

/// `POST /runtime/run`.
pub(crate) struct RunRuntime;

impl Operation for RunRuntime {
    type Input = Posted<(), RuntimeRequest>;
    type Output = RuntimeBody;

    const ABOUT: About = About {
        name: "run_runtime",
        address: Address::post("/api/v1/runtime/run"),
        subject: "verified",
        summary: "Analyses a question with the sources and checks of one field.",
        description: "Works like `/swarm/run`. Finance reads filings, company figures and series; legal sorts court and regulatory events by jurisdiction and day; research compares outlets; compliance asks which authority says so and what changed; custom uses the roles named in the request.",
        answer: "The steps, the text and how reliable it is",
        example: r#"{"query": "Apple antitrust exposure", "vertical": "legal"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, input: Self::Input) -> Result<RuntimeBody> {
        let body = input.body;
        let vertical = match body.vertical {
            VerticalWord::Finance => Vertical::Finance,
            VerticalWord::Legal => Vertical::Legal,
            VerticalWord::Research => Vertical::Research,
            VerticalWord::Compliance => Vertical::Compliance,
            VerticalWord::Custom => Vertical::Custom,
        };
        let asked = Asked {
            query: body.query.trim().to_owned(),
            roles: roles(body.roles),
            budget: body.budget.unwrap_or(MOST).min(MOST),
            is_fast: false,
            vertical: Some(vertical),
        };
        Ok(RuntimeBody {
            vertical: vertical.as_str(),
            analysis: analyzed(&context, &asked).await?,
        })
    }
}
