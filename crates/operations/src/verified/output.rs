//! `/verify/output`: verifies the claims in a text that a model wrote, one by one.

use std::collections::BTreeSet;
use std::sync::Arc;

use analysis::verification::{Finding, Passage};
use futures::{StreamExt, TryStreamExt, stream};
use model::Timestamp;
use serde::{Deserialize, Serialize};
use store::{MemoryLimits, NewMemory};
use utoipa::ToSchema;
use verify::claim::Claim;
use verify::receipt::ReceiptId;
use verify::verdict::{Reason, Verdict};

use super::batch::overall;
use super::body::{EvidenceItem, LookAheadBody, WebSources, source as source_of};
use super::claim::look_at_claim;
use super::issue::{self, OnBehalf};
use super::live::LiveTime;
use super::{knowledge, memory};
use crate::checked::{Checked, Faults, whole};
use crate::error::{Error, ErrorCode, Result};
use crate::{About, Address, Context, Effect, Keeping, Operation, Posted};

pub(crate) const BASE: u64 = 5;
const PER_CLAIM: u64 = 2;
const CLAIMS: usize = 5;
const MOST_CLAIMS: usize = 10;
/// The price of the longest text.
pub(crate) const MOST_CREDITS: u64 = BASE + MOST_CLAIMS as u64 * PER_CLAIM;
/// Number of claims that are verified concurrently.
const AT_ONCE: usize = 4;
/// Age after which a verified claim should be verified again.
pub(super) const FRESH_MS: i64 = 7 * Timestamp::DAY_MS;

/// The output of a model.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct OutputRequest {
    /// What the model wrote.
    #[schema(min_length = 1, max_length = 5000, pattern = r"\S")]
    text: String,
    /// Name of the model, for the leaderboard.
    #[serde(default)]
    #[schema(max_length = 100, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$")]
    source: Option<String>,
    /// Your agent (requires a personal key). What it was told to remember is used as evidence too, and its verified
    /// claims are stored as its memories.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100, pattern = r"\S")]
    agent_id: Option<String>,
    /// Maximum number of claims to verify; 5 by default.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 10, default = 5)]
    max_claims: Option<usize>,
    /// Whether to compare with your own documents as well. Requires a personal key.
    #[serde(default)]
    #[schema(default = false)]
    use_knowledge: Option<bool>,
}

impl Checked for OutputRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("text", self.text.trim(), 1..=5000);
        if let Some(source) = &self.source {
            faults.length("source", source, 0..=100);
            faults.one_line("source", source);
        }
        if let Some(agent) = &self.agent_id {
            faults.length("agent_id", agent.trim(), 1..=100);
        }
        if !(1..=MOST_CLAIMS).contains(&self.max_claims.unwrap_or(CLAIMS)) {
            faults.note(format!(
                "max_claims must be an integer from 1 to {MOST_CLAIMS}"
            ));
        }
    }
}

/// The verdicts on a text.
#[derive(Serialize, ToSchema)]
pub(crate) struct OutputBody {
    /// The claims in the order in which they appear in the text.
    claims: Vec<OutputClaim>,
    /// Number of claims that were verified.
    total_claims: usize,
    /// Number of claims in the text, including those beyond `max_claims` and those that cannot be checked.
    claims_extracted: usize,
    /// Number of supported claims.
    verified: usize,
    /// Number of contradicted claims.
    contradicted: usize,
    /// Same as `contradicted`.
    claims_contradicted: usize,
    /// Number of unverifiable claims.
    unverifiable: usize,
    /// Verdict on the whole text: `contradicted` if any claim is contradicted, `supported` if all are supported,
    /// `partially_supported` if some are, otherwise `unverifiable`.
    overall_verdict: &'static str,
    /// Mean confidence of the claims with a verdict, from 0 to 1; 0 if none has one.
    overall_confidence: f64,
    /// Share of supported claims among those with a verdict, weighted by confidence, from 0 to 1; 0.5 if none has one.
    trust_score: f64,
    /// Id of the receipt that covers the text.
    receipt_id: String,
    /// Credits charged for this response.
    credits_used: u64,
}

/// A claim from a text.
#[derive(Serialize, ToSchema)]
pub(crate) struct OutputClaim {
    /// The claim, rewritten to be self-contained.
    claim: String,
    /// Same as `claim`.
    text: String,
    /// `supported`, `contradicted`, `partially_supported` or `unverifiable`.
    verdict: &'static str,
    /// Why it is unverifiable. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<&'static str>,
    /// Probability that the verdict is right, from 0 to 1.
    confidence: f64,
    /// What the evidence says instead, with its source. Null if the claim is not contradicted.
    #[schema(required)]
    correction: Option<String>,
    /// The clearest passage from each source.
    evidence_chain: Vec<EvidenceItem>,
    /// Where the evidence comes from: `corpus`, `data`, or `live` if the web was searched as well.
    source: &'static str,
    /// What the live web search found. Absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    web_sources: Option<WebSources>,
    /// Present only if the claim describes a decision whose reason became known only later.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    look_ahead: Option<LookAheadBody>,
    /// Id of the claim's receipt.
    receipt_id: String,
}

/// `POST /verify/output`.
pub(crate) struct VerifyOutput;

impl Operation for VerifyOutput {
    type Input = Posted<(), OutputRequest>;
    type Output = OutputBody;

    const ABOUT: About = About {
        name: "verify_output",
        address: Address::post("/api/v1/verify/output"),
        subject: "verified",
        summary: "Extracts the claims from the output of a model and verifies each of them.",
        description: "Opinions, questions, predictions and instructions in the text are not claims: they are counted but not verified, and no instruction in a text is followed. What an agent was told to remember (`/memory/store`) is weighted like a source of low trust; claims that were verified before are not. `agent_id` and `use_knowledge` need a personal key.",
        answer: "The verdicts in the order of the text",
        example: r#"{"text": "The central bank raised its key interest rate. Oil prices fell on Monday.", "source": "my-model"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<OutputBody> {
        let asked = asked.body;
        let with_knowledge = asked.use_knowledge.unwrap_or(false);
        if context.caller.is_demo() && (asked.agent_id.is_some() || with_knowledge) {
            return Err(Error::refused(
                ErrorCode::DemoKeyRefused,
                "agent_id and use_knowledge need a personal API key",
            ));
        }
        let all = Claim::all(&asked.text);
        let extracted = all.len();
        let chosen: Vec<Claim> = all
            .into_iter()
            .filter(Claim::is_checkable)
            .take(asked.max_claims.unwrap_or(CLAIMS))
            .collect();
        let credits = BASE + PER_CLAIM * chosen.len() as u64;
        context
            .charge
            .raise(&context.services, &context.caller, credits)?;
        let behalf = OnBehalf {
            source: asked.source.filter(|source| !source.trim().is_empty()),
            agent: asked.agent_id.map(|agent| agent.trim().to_owned()),
        };
        let notes = match &behalf.agent {
            Some(agent) => Arc::new(memory::notes(&context, agent).await?),
            None => Arc::default(),
        };
        let live = LiveTime::default();
        let looking: Vec<_> = chosen
            .iter()
            .map(|claim| {
                let context = context.clone();
                let agent = behalf.agent.clone();
                let notes = Arc::clone(&notes);
                let live = &live;
                async move {
                    let mut own = if with_knowledge {
                        knowledge::passages(&context, agent.as_deref(), &claim.text).await?
                    } else {
                        Vec::<Passage>::new()
                    };
                    if let Some(agent) = agent.filter(|_| !notes.is_empty()) {
                        let text = claim.text.clone();
                        let remembered =
                            analysis::light(move || memory::passages(&notes, &agent, &text));
                        own.extend(remembered.await?);
                    }
                    look_at_claim(&context, claim.clone(), None, own, live).await
                }
            })
            .collect();
        let findings: Vec<Finding> = stream::iter(looking)
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        let mut drafts = Vec::with_capacity(findings.len() + 1);
        let mut ids: Vec<ReceiptId> = Vec::with_capacity(findings.len());
        for finding in &findings {
            let (id, draft) = issue::of_claim(&context, finding, &behalf)?;
            ids.push(id);
            drafts.push(draft);
        }
        let verdict = whole_verdict(&findings);
        let confidence = overall(&findings);
        let (receipt_id, draft) = issue::of_output(
            &context,
            &asked.text,
            ids.clone(),
            verdict,
            confidence,
            &behalf,
        );
        drafts.push(draft);
        context.receipts.issue(drafts).await?;
        if let Some(agent) = &behalf.agent {
            remember(&context, agent, &findings, &ids).await?;
        }
        let count = |verdict| {
            findings
                .iter()
                .filter(|finding| finding.assessment.verdict == verdict)
                .count()
        };
        let contradicted = count(Verdict::Contradicted);
        Ok(OutputBody {
            total_claims: findings.len(),
            claims_extracted: extracted,
            verified: count(Verdict::Supported),
            contradicted,
            claims_contradicted: contradicted,
            unverifiable: count(Verdict::Unverifiable),
            overall_verdict: verdict.as_str(),
            overall_confidence: confidence,
            trust_score: trust(&findings).unwrap_or(0.5),
            receipt_id: receipt_id.to_string(),
            credits_used: BASE + PER_CLAIM * findings.len() as u64,
            claims: findings
                .iter()
                .zip(&ids)
                .map(|(finding, id)| OutputClaim {
                    claim: finding.claim.text.clone(),
                    text: finding.claim.text.clone(),
                    verdict: finding.assessment.verdict.as_str(),
                    reason: finding.assessment.reason.map(Reason::as_str),
                    confidence: finding.assessment.confidence,
                    correction: finding.correction(),
                    evidence_chain: finding.evidence.iter().map(EvidenceItem::from).collect(),
                    source: source_of(finding),
                    web_sources: WebSources::of(finding),
                    look_ahead: finding.look_ahead.map(LookAheadBody::from),
                    receipt_id: id.to_string(),
                })
                .collect(),
        })
    }
}

/// The verdict on a whole text.
fn whole_verdict(findings: &[Finding]) -> Verdict {
    let has = |verdict| {
        findings
            .iter()
            .any(|finding| finding.assessment.verdict == verdict)
    };
    if has(Verdict::Contradicted) {
        Verdict::Contradicted
    } else if !has(Verdict::Supported) && !has(Verdict::PartiallySupported) {
        Verdict::Unverifiable
    } else if has(Verdict::Unverifiable) || has(Verdict::PartiallySupported) {
        Verdict::PartiallySupported
    } else {
        Verdict::Supported
    }
}

/// How far claims can be trusted: the share of supported ones among those with a verdict, weighted by confidence;
/// `None` if none has a verdict.
pub(super) fn trust(findings: &[Finding]) -> Option<f64> {
    let weight = |wanted: Option<Verdict>| -> f64 {
        findings
            .iter()
            .map(|finding| &finding.assessment)
            .filter(|assessment| assessment.verdict != Verdict::Unverifiable)
            .filter(|assessment| wanted.is_none_or(|wanted| assessment.verdict == wanted))
            .map(|assessment| assessment.confidence)
            .sum()
    };
    let all = weight(None);
    let trusted =
        weight(Some(Verdict::Supported)) + 0.5 * weight(Some(Verdict::PartiallySupported));
    // The sum of nothing is -0.0.
    (all > 0.0).then(|| trusted / all + 0.0)
}

/// Stores the claims as memories of the agent.
async fn remember(
    context: &Context,
    agent: &str,
    findings: &[Finding],
    ids: &[ReceiptId],
) -> Result<()> {
    let owner = context.owner()?.account;
    let now = context.attempt.now;
    let memories: Vec<NewMemory> = findings
        .iter()
        .zip(ids)
        .map(|(finding, id)| NewMemory {
            id: format!("mem_{}", uuid::Uuid::new_v4().simple()),
            key: memory::claim_key(&finding.claim.text),
            value: finding.claim.text.clone(),
            category: "claim".to_owned(),
            tickers: memory::tickers_of(finding),
            confidence: Some(finding.assessment.confidence),
            verdict: Some(finding.assessment.verdict.as_str().to_owned()),
            stale_at: Some(now.plus_ms(FRESH_MS)),
            expires_at: None,
            receipt: Some(id.to_string()),
        })
        .collect();
    let mut seen = BTreeSet::new();
    let memories: Vec<NewMemory> = memories
        .into_iter()
        .filter(|memory| seen.insert(memory.key.clone()))
        .collect();
    let limits: MemoryLimits = memory::LIMITS;
    let stored = context
        .store
        .memories()
        .store(owner, agent, &memories, limits, now, None)
        .await;
    stored.map_err(memory::too_many)
}
