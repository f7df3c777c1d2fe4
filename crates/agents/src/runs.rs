//! Runs: steps of work under one budget, told while they happen, kept afterwards.
//!
//! Whatever works in several steps (a swarm, an agent of the marketplace, a report) is a run: a step is begun where the
//! budget reaches and its caller still listens; what fails degrades that step and nothing else; the claims that were tested
//! are named by the receipt with which a run ends. Steps that do not depend on each other run at the same time. What the steps
//! do is none of its business.

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

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// It goes on.
    Running,
    /// Every step that matters was done.
    Complete,
    /// Nothing came of it.
    Failed,
    /// The budget did not reach for all of it.
    BudgetExhausted,
}

impl RunStatus {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::BudgetExhausted => "budget_exhausted",
        }
    }
}

/// A step as it is told and kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = RunStep)]
pub struct StepRecord {
    /// From 1, in the order in which steps were begun.
    pub step: u32,
    /// Its name, unique in the run.
    pub name: String,
    /// `complete`, `failed`, or `skipped` where it was not begun.
    pub status: String,
    /// What came of it, in a sentence or more.
    pub summary: String,
    /// What it was given.
    #[schema(value_type = Object)]
    pub inputs: Value,
    /// What it gave; null where it gave nothing.
    #[schema(value_type = Option<Object>)]
    pub result: Value,
    /// 0 to 1; null where the step judges nothing.
    pub confidence: Option<f64>,
    /// What it cost.
    pub credits: u64,
    /// How long it took.
    pub duration_ms: u64,
    /// Why it failed or was skipped; null otherwise.
    pub reason: Option<String>,
    /// When it was begun.
    pub started_at: String,
}

impl StepRecord {
    /// Whether it was done.
    pub fn is_complete(&self) -> bool {
        self.status == COMPLETE
    }
}

const COMPLETE: &str = "complete";
const FAILED: &str = "failed";
const SKIPPED: &str = "skipped";
/// The reason of steps for which the budget did not reach begins with it.
const BUDGET: &str = "the budget";

/// What a run is about.
#[derive(Clone, Debug)]
pub(crate) struct NewRun {
    /// The product.
    pub(crate) kind: &'static str,
    /// Slug, ticker, vertical.
    pub(crate) subject: String,
    /// What was asked.
    pub(crate) inputs: Value,
    /// Credits at most.
    pub(crate) budget: u64,
    /// When it is written.
    pub(crate) keeping: Keeping,
}

/// When a run is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// In one transaction when it is done.
    AtTheEnd,
    /// Each step when it is complete, so that another process can go on with it.
    EachStep,
}

/// What a step comes to.
#[derive(Debug)]
pub(crate) struct Done {
    /// In a sentence or more.
    pub(crate) summary: String,
    /// For those who read on.
    pub(crate) output: Value,
    /// 0 to 1.
    pub(crate) confidence: Option<f64>,
    /// What it came to, where that is less than was taken.
    pub(crate) credits: Option<u64>,
}

/// A claim that was tested.
#[derive(Clone, Debug)]
pub(crate) struct Verified {
    /// As it was tested.
    pub(crate) claim: String,
    /// `supported`, `contradicted`, `partially_supported` or `unverifiable`.
    pub(crate) verdict: String,
    /// 0 to 1.
    pub(crate) confidence: f64,
    /// Its receipt.
    pub(crate) receipt_id: String,
    /// The clearest source on the side of the verdict.
    pub(crate) source: Option<String>,
    /// The whole answer of the verifier.
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

/// A run that goes on.
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
    /// Steps of an earlier process.
    kept: HashMap<String, StepRecord>,
}

impl<'a> Run<'a> {
    /// Begins a run.
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

    /// Goes on with the run of this id, or begins it: what is complete on record is not done again.
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

    /// The run as its caller's session knows it.
    pub(crate) fn in_session(mut self, session: &str) -> Self {
        self.session = Some(session.to_owned());
        self
    }

    /// On behalf of whom it works.
    pub(crate) const fn context(&self) -> &'a Context {
        self.context
    }

    /// `run_…`.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// What is left of the budget.
    pub(crate) fn left(&self) -> u64 {
        self.about.budget.saturating_sub(self.spent())
    }

    /// What was spent.
    pub(crate) fn spent(&self) -> u64 {
        self.state.lock().spent
    }

    /// What was done so far, in the order in which it was begun.
    pub(crate) fn steps(&self) -> Vec<StepRecord> {
        let mut steps = self.state.lock().steps.clone();
        steps.sort_by_key(|step| step.step);
        steps
    }

    /// The claims that were tested so far.
    pub(crate) fn verified(&self) -> Vec<Verified> {
        self.state.lock().verified.clone()
    }

    /// Does one step. `name` is unique in the run. `credits` are taken before and given back where it fails. It is not begun
    /// where the budget does not reach or whoever asked has left.
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

    /// Notes a step that is not done, and why.
    pub(crate) async fn skip(&self, name: &str, inputs: Value, reason: &str) {
        let mut record = self.begun(name, inputs);
        record.reason = Some(reason.to_owned());
        self.tell(record).await;
    }

    /// A step that is begun now, as it stands until it is done.
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

    /// Takes credits from the budget; the error says why it may not.
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
                // It is done again by whoever goes on with the run.
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
            // Whoever left is noticed before the next step.
            let _ = listener.send(record).await;
        }
    }

    /// Asks an operation on behalf of the caller: its gate and key scope hold, the run pays.
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

    /// Tests a claim; its receipt becomes part of the run's.
    pub(crate) async fn verify(&self, claim: &str) -> Result<Verified, String> {
        let body = self
            .consult("verify_claim", json!({ "claim": claim }))
            .await?;
        let verified = read_verified(claim, body);
        self.note_verified(verified.clone());
        Ok(verified)
    }

    /// Makes the receipt of a claim that was tested elsewhere a part of the run's.
    pub(crate) fn note_verified(&self, verified: Verified) {
        self.state.lock().verified.push(verified);
    }

    /// How it stands, by its steps.
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

    /// Ends the run: issues its receipt, over `text` and the claims that were tested, and writes the record.
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
        // Who has no account has nothing that could be read later.
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

/// The answer of the verifier on a claim.
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

/// Asks an operation as the caller may; the error says in words why there is no answer.
pub(crate) async fn consult(
    context: &Context,
    operation: &str,
    arguments: Map<String, Value>,
) -> Result<Arc<Value>, String> {
    consult_among(&OPERATIONS, context, operation, arguments).await
}

/// As [`consult`], among the operations of that registry.
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

/// The mean, where there is one.
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
