//! Runs: steps of work under one budget, reported while they happen and recorded afterwards.
//!
//! Anything that works in several steps (a swarm, an agent of the marketplace, a report) is a run. A step is started if
//! the budget covers it and the caller is still listening. A failure affects only its own step. A run ends with a
//! receipt that names the claims that were tested. Steps that do not depend on each other run at the same time. What
//! the steps do is outside the scope of this module.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use model::Timestamp;
use operations::{Context, Error, Registry, Result};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::{RunRow, StepRow};
use tokio::sync::mpsc::Sender;
use utoipa::ToSchema;
use verify::verdict::Verdict;

use crate::OPERATIONS;
use crate::state::State;

/// The status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// Still in progress.
    Running,
    /// Every required step was completed.
    Complete,
    /// It produced no result.
    Failed,
    /// The budget did not cover all of it.
    BudgetExhausted,
}

impl RunStatus {
    /// The status as a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::BudgetExhausted => "budget_exhausted",
        }
    }
}

/// A step as it is reported and recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = RunStep)]
pub struct StepRecord {
    /// Number of the step, starting at 1, in the order in which steps were started.
    pub step: u32,
    /// Name of the step, unique in the run.
    pub name: String,
    /// `complete`, `failed`, or `skipped` if it was not started.
    pub status: String,
    /// Result of the step, in a sentence or more.
    pub summary: String,
    /// The inputs of the step.
    #[schema(value_type = Object)]
    pub inputs: Value,
    /// The output of the step. Null if there was none.
    #[schema(value_type = Option<Object>)]
    pub result: Value,
    /// Confidence from 0 to 1. Null if the step makes no judgement.
    pub confidence: Option<f64>,
    /// Cost in credits.
    pub credits: u64,
    /// Duration in milliseconds.
    pub duration_ms: u64,
    /// Why it failed or was skipped. Null otherwise.
    pub reason: Option<String>,
    /// When it started.
    pub started_at: String,
}

impl StepRecord {
    /// Whether it is complete.
    pub fn is_complete(&self) -> bool {
        self.status == COMPLETE
    }
}

const COMPLETE: &str = "complete";
const FAILED: &str = "failed";
const SKIPPED: &str = "skipped";
/// The beginning of the reason for steps that the budget did not cover.
const BUDGET: &str = "the budget";

/// The subject and terms of a run.
#[derive(Clone, Debug)]
pub(crate) struct NewRun {
    /// The kind of product.
    pub(crate) kind: &'static str,
    /// Slug, ticker or vertical.
    pub(crate) subject: String,
    /// The request.
    pub(crate) inputs: Value,
    /// Maximum number of credits.
    pub(crate) budget: u64,
    /// When the run is recorded.
    pub(crate) keeping: Keeping,
}

/// When a run is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// In one transaction when it has ended.
    AtTheEnd,
    /// Each step when it is complete, so that another process can continue the run.
    EachStep,
}

/// The result of a step.
#[derive(Debug)]
pub(crate) struct Done {
    /// Summary in a sentence or more.
    pub(crate) summary: String,
    /// Output for the steps and readers that use it.
    pub(crate) output: Value,
    /// Confidence from 0 to 1.
    pub(crate) confidence: Option<f64>,
    /// The actual cost, if it is less than was reserved.
    pub(crate) credits: Option<u64>,
}

/// A claim that was tested.
#[derive(Clone, Debug)]
pub(crate) struct Verified {
    /// The claim as it was tested.
    pub(crate) claim: String,
    /// `supported`, `contradicted`, `partially_supported` or `unverifiable`.
    pub(crate) verdict: String,
    /// Confidence from 0 to 1.
    pub(crate) confidence: f64,
    /// Id of its receipt.
    pub(crate) receipt_id: String,
    /// The clearest source on the side of the verdict.
    pub(crate) source: Option<String>,
    /// The verifier's whole response.
    pub(crate) body: Arc<Value>,
}

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) id: String,
    pub(crate) status: RunStatus,
    pub(crate) steps: Vec<StepRecord>,
    pub(crate) credits: u64,
    pub(crate) duration_ms: u64,
    pub(crate) receipt_id: String,
}

/// A run in progress.
pub(crate) struct Run<'a> {
    context: &'a Context,
    id: String,
    about: NewRun,
    session: Option<String>,
    listener: Option<Sender<StepRecord>>,
    state: Mutex<Progress>,
    begun: Instant,
    begun_at: Timestamp,
}

#[derive(Default)]
struct Progress {
    steps: Vec<StepRecord>,
    next: u32,
    spent: u64,
    verified: Vec<Verified>,
    /// Steps completed by an earlier process.
    kept: HashMap<String, StepRecord>,
}

impl<'a> Run<'a> {
    /// Starts a run.
    pub(crate) fn new(
        context: &'a Context,
        about: NewRun,
        listener: Option<Sender<StepRecord>>,
    ) -> Self {
        Self {
            context,
            id: fresh_id(),
            about,
            session: None,
            listener,
            state: Mutex::default(),
            begun: Instant::now(),
            begun_at: context.services.clock.now(),
        }
    }

    /// Continues the run with this id, or starts it. Steps that are recorded as complete are not repeated.
    pub(crate) async fn resume(
        context: &'a Context,
        id: &str,
        about: NewRun,
        listener: Option<Sender<StepRecord>>,
    ) -> Result<Self> {
        let mut run = Self::new(context, about, listener);
        id.clone_into(&mut run.id);
        let mut kept = HashMap::new();
        for row in context.store.runs().steps(id).await? {
            let step: StepRecord = serde_json::from_str(&row.body).map_err(Error::internal)?;
            if step.is_complete() {
                kept.insert(step.name.clone(), step);
            }
        }
        run.state.lock().kept = kept;
        if run.about.keeping == Keeping::EachStep {
            let row = run.row(RunStatus::Running, None, 0, None);
            context.store.runs().record(&row, &[]).await?;
        }
        Ok(run)
    }

    /// The run as part of its caller's session.
    pub(crate) fn in_session(mut self, session: &str) -> Self {
        self.session = Some(session.to_owned());
        self
    }

    /// The context of the caller for whom it works.
    pub(crate) const fn context(&self) -> &'a Context {
        self.context
    }

    /// `run_…`.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// What remains of the budget.
    pub(crate) fn left(&self) -> u64 {
        self.about.budget.saturating_sub(self.spent())
    }

    /// Credits spent so far.
    pub(crate) fn spent(&self) -> u64 {
        self.state.lock().spent
    }

    /// The steps so far, in the order in which they were started.
    pub(crate) fn steps(&self) -> Vec<StepRecord> {
        let mut steps = self.state.lock().steps.clone();
        steps.sort_by_key(|step| step.step);
        steps
    }

    /// The claims tested so far.
    pub(crate) fn verified(&self) -> Vec<Verified> {
        self.state.lock().verified.clone()
    }

    /// Performs one step with a `name` that is unique in the run, reserving `credits` beforehand and returning them if
    /// it fails. The step is not started if the budget does not cover it or the caller has left.
    pub(crate) async fn step<F>(
        &self,
        name: &str,
        inputs: Value,
        credits: u64,
        work: F,
    ) -> Option<Arc<Value>>
    where
        F: Future<Output = Result<Done, String>>,
    {
        let begun = Instant::now();
        let mut record = self.begun(name, inputs);
        let kept = self.state.lock().kept.remove(name);
        if let Some(kept) = kept {
            let mut state = self.state.lock();
            state.spent += kept.credits;
            let result = Arc::new(kept.result.clone());
            state.steps.push(StepRecord {
                step: record.step,
                ..kept
            });
            return Some(result);
        }
        if let Err(reason) = self.take(credits) {
            record.reason = Some(reason);
            self.tell(record).await;
            return None;
        }
        let outcome = work.await;
        record.duration_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let result = match outcome {
            Ok(done) => {
                COMPLETE.clone_into(&mut record.status);
                record.summary = done.summary;
                record.confidence = done.confidence.map(|score| score.clamp(0.0, 1.0));
                record.credits = done.credits.unwrap_or(credits).min(credits);
                self.state.lock().spent -= credits - record.credits;
                record.result = done.output;
                Some(Arc::new(record.result.clone()))
            }
            Err(reason) => {
                self.state.lock().spent -= credits;
                FAILED.clone_into(&mut record.status);
                record.summary.clone_from(&reason);
                record.reason = Some(reason);
                None
            }
        };
        self.tell(record).await;
        result
    }

    /// Records a step that is not performed, and why.
    pub(crate) async fn skip(&self, name: &str, inputs: Value, reason: &str) {
        let mut record = self.begun(name, inputs);
        record.reason = Some(reason.to_owned());
        self.tell(record).await;
    }

    /// A step that starts now, in its state until it is complete.
    fn begun(&self, name: &str, inputs: Value) -> StepRecord {
        let mut state = self.state.lock();
        state.next += 1;
        StepRecord {
            step: state.next,
            name: name.to_owned(),
            status: SKIPPED.to_owned(),
            summary: String::new(),
            inputs,
            result: Value::Null,
            confidence: None,
            credits: 0,
            duration_ms: 0,
            reason: None,
            started_at: self.context.services.clock.now().to_string(),
        }
    }

    /// Takes credits from the budget. The error says why this is not possible.
    fn take(&self, credits: u64) -> Result<(), String> {
        if self.listener.as_ref().is_some_and(Sender::is_closed) {
            return Err("whoever asked has left".to_owned());
        }
        if self.context.limits.cancel.is_cancelled() {
            return Err("the run was cancelled".to_owned());
        }
        let mut state = self.state.lock();
        let left = self.about.budget.saturating_sub(state.spent);
        if credits > left {
            return Err(format!(
                "{BUDGET} of {} does not reach: this step costs {credits} and {left} {} left",
                self.about.budget,
                if left == 1 { "is" } else { "are" }
            ));
        }
        state.spent += credits;
        Ok(())
    }

    async fn tell(&self, record: StepRecord) {
        if self.about.keeping == Keeping::EachStep && record.is_complete() {
            let written = match written(&record) {
                Ok(row) => self.context.store.runs().add_step(&self.id, &row).await,
                Err(_) => Ok(()),
            };
            if let Err(error) = written {
                // Whoever continues the run performs it again.
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    run.id = self.id,
                    "a step of run {} was not written: {error}",
                    self.id
                );
            }
        }
        self.state.lock().steps.push(record.clone());
        if let Some(listener) = &self.context.limits.listener {
            listener.tell(
                &record.name,
                &record.status,
                record.reason.as_deref().unwrap_or(&record.summary),
            );
        }
        if let Some(listener) = &self.listener {
            // A listener that has left is noticed before the next step.
            let _ = listener.send(record).await;
        }
    }

    /// Calls an operation on behalf of the caller. Its gate and key scope apply; the run pays.
    pub(crate) async fn consult(
        &self,
        operation: &str,
        arguments: Value,
    ) -> Result<Arc<Value>, String> {
        let Value::Object(mut arguments) = arguments else {
            return Err("the arguments are no object".to_owned());
        };
        arguments.retain(|_, value| !value.is_null());
        consult(self.context, operation, arguments).await
    }

    /// Tests a claim. Its receipt becomes part of the run's receipt.
    pub(crate) async fn verify(&self, claim: &str) -> Result<Verified, String> {
        let body = self
            .consult("verify_claim", json!({ "claim": claim }))
            .await?;
        let verified = read_verified(claim, body);
        self.note_verified(verified.clone());
        Ok(verified)
    }

    /// Makes the receipt of a claim that was tested elsewhere part of the run's receipt.
    pub(crate) fn note_verified(&self, verified: Verified) {
        self.state.lock().verified.push(verified);
    }

    /// The status of the run, based on its steps.
    pub(crate) fn status(&self) -> RunStatus {
        let state = self.state.lock();
        let of_budget = |step: &StepRecord| {
            let reason = step.reason.as_deref().unwrap_or_default();
            step.status == SKIPPED && reason.starts_with(BUDGET)
        };
        if state.steps.iter().any(of_budget) {
            RunStatus::BudgetExhausted
        } else if state.steps.iter().any(StepRecord::is_complete) {
            RunStatus::Complete
        } else {
            RunStatus::Failed
        }
    }

    /// Ends the run: issues its receipt over `text` and the claims that were tested, and writes the record.
    pub(crate) async fn finish(
        self,
        status: RunStatus,
        text: &str,
        output: Value,
    ) -> Result<Finished> {
        let verified = self.verified();
        let mut claims: Vec<String> = Vec::new();
        for one in &verified {
            if !claims.contains(&one.receipt_id) {
                claims.push(one.receipt_id.clone());
            }
        }
        let confidence = mean(self.steps().iter().filter_map(|step| step.confidence));
        let verdict = whole_verdict(&verified);
        let receipt_id = self
            .context
            .issue_receipt(text, &claims, verdict, confidence.unwrap_or_default())
            .await?;
        let credits = self.spent();
        let duration_ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let steps = self.steps();
        // A caller without an account has nothing that could be read later.
        if self.context.caller.member.is_some() {
            let mut row = self.row(status, Some(output.to_string()), credits, Some(&receipt_id));
            row.duration_ms = duration_ms;
            let rows: Vec<StepRow> = steps.iter().filter_map(|step| written(step).ok()).collect();
            self.context.store.runs().record(&row, &rows).await?;
        }
        Ok(Finished {
            id: self.id,
            status,
            steps,
            credits,
            duration_ms,
            receipt_id,
        })
    }

    fn row(
        &self,
        status: RunStatus,
        output: Option<String>,
        credits: u64,
        receipt: Option<&str>,
    ) -> RunRow {
        let member = self.context.caller.member.as_ref();
        RunRow {
            id: self.id.clone(),
            account: member.map(|member| member.account),
            kind: self.about.kind.to_owned(),
            subject: self.about.subject.clone(),
            status: status.as_str().to_owned(),
            inputs: self.about.inputs.to_string(),
            output,
            credits,
            duration_ms: 0,
            created_at: self.begun_at,
            receipt: receipt.map(str::to_owned),
            session: self.session.clone(),
        }
    }
}

fn fresh_id() -> String {
    format!("run_{}", uuid::Uuid::new_v4().simple())
}

fn written(step: &StepRecord) -> Result<StepRow> {
    Ok(StepRow {
        number: step.step,
        name: step.name.clone(),
        body: serde_json::to_string(step).map_err(Error::internal)?,
    })
}

/// Reads the verifier's response about a claim.
pub(crate) fn read_verified(claim: &str, body: Arc<Value>) -> Verified {
    let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
    let verdict = text("verdict").unwrap_or_else(|| "unverifiable".to_owned());
    let wanted = match verdict.as_str() {
        "contradicted" => "contradicts",
        _ => "supports",
    };
    let evidence = body.get("evidence_chain").and_then(Value::as_array);
    let source = evidence
        .into_iter()
        .flatten()
        .find(|item| item.get("position").and_then(Value::as_str) == Some(wanted))
        .and_then(|item| item.get("source")?.as_str().map(str::to_owned));
    Verified {
        claim: claim.to_owned(),
        verdict,
        confidence: body
            .get("confidence")
            .and_then(Value::as_f64)
            .unwrap_or_default(),
        receipt_id: text("receipt_id").unwrap_or_default(),
        source,
        body,
    }
}

/// Calls an operation with the caller's rights. The error says in words why there is no response.
pub(crate) async fn consult(
    context: &Context,
    operation: &str,
    arguments: Map<String, Value>,
) -> Result<Arc<Value>, String> {
    consult_among(&OPERATIONS, context, operation, arguments).await
}

/// Like [`consult`], among the operations of that registry.
pub(crate) async fn consult_among(
    registry: &Registry,
    context: &Context,
    operation: &str,
    arguments: Map<String, Value>,
) -> Result<Arc<Value>, String> {
    let state = State::of(&context.services);
    let answer = registry.consult_kept(
        context,
        operation,
        arguments,
        &state.whole_results,
        |body| {
            let mut value: Value = serde_json::from_slice(body).map_err(Error::internal)?;
            if let Value::Object(fields) = &mut value {
                fields.retain(|name, _| !matches!(name.as_str(), "status" | "took_ms"));
            }
            Ok(value)
        },
    );
    answer
        .await
        .map_err(|error| crate::run::reason(operation, &error))
}

/// The mean, if there is one.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, number) = values.fold((0.0, 0_u32), |(sum, number), value| {
        (sum + value, number + 1)
    });
    (number > 0).then(|| sum / f64::from(number))
}

/// The verdict on all claims together.
fn whole_verdict(verified: &[Verified]) -> Verdict {
    let has = |word: &str| verified.iter().any(|one| one.verdict == word);
    if has("contradicted") {
        Verdict::Contradicted
    } else if !has("supported") && !has("partially_supported") {
        Verdict::Unverifiable
    } else if has("unverifiable") || has("partially_supported") {
        Verdict::PartiallySupported
    } else {
        Verdict::Supported
    }
}
