//! `/verify/batch`: up to twenty claims at once.

use analysis::verification::Finding;
use futures::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, Type};
use verify::verdict::{Reason, Verdict};

use super::body::{LookAheadBody, WebSources, source as source_of};
use super::claim::look_at;
use super::issue::{self, OnBehalf};
use super::live::LiveTime;
use crate::checked::{Checked, Faults};
use crate::error::Result;
use crate::{About, Address, Context, Keeping, Operation, Posted};

const MOST: usize = 20;
pub(crate) const PER_CLAIM: u64 = 3;
/// The price of the largest batch.
pub(crate) const MOST_CREDITS: u64 = MOST as u64 * PER_CLAIM;
/// Number of claims of one batch that are verified concurrently.
const AT_ONCE: usize = 4;

/// Claims to verify.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct BatchRequest {
    /// The claims, each of 10 to 1000 characters.
    #[schema(schema_with = claims_schema)]
    claims: Vec<String>,
    /// Name of the model or person who made these claims, for the leaderboard.
    #[serde(default)]
    #[schema(max_length = 100, pattern = r"^[^\x00-\x1f\x7f-\x9f]*$")]
    source: Option<String>,
}

/// The bounds of the list and of each claim.
fn claims_schema() -> Array {
    let claim = ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(10))
        .max_length(Some(1000));
    ArrayBuilder::new()
        .items(claim)
        .min_items(Some(1))
        .max_items(Some(MOST))
        .description(Some("The claims, each with 10 to 1000 characters."))
        .build()
}

impl Checked for BatchRequest {
    fn check(&self, faults: &mut Faults) {
        if self.claims.is_empty() {
            faults.note("claims must have at least one entry");
        }
        faults.at_most("claims", &self.claims, MOST);
        for (place, claim) in self.claims.iter().take(MOST).enumerate() {
            faults.length(&format!("claims[{place}]"), claim.trim(), 10..=1000);
        }
        if let Some(source) = &self.source {
            faults.length("source", source, 0..=100);
            faults.one_line("source", source);
        }
    }
}

/// The verdicts of a batch.
#[derive(Serialize, ToSchema)]
pub(crate) struct BatchBody {
    /// One result for each claim, in the order of the request.
    results: Vec<BatchResult>,
    /// Number of claims.
    total: usize,
    /// Number of supported claims.
    supported: usize,
    /// Number of contradicted claims.
    contradicted: usize,
    /// Mean confidence of the claims with a verdict, from 0 to 1; 0 if none has one.
    overall_confidence: f64,
}

/// The verdict of one claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct BatchResult {
    /// The claim as it was sent.
    claim: String,
    /// `supported`, `contradicted`, `partially_supported` or `unverifiable`.
    verdict: &'static str,
    /// Why it is unverifiable. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<&'static str>,
    /// Probability that the verdict is right, from 0 to 1.
    confidence: f64,
    /// What the evidence says instead, with its source. Absent if the claim is not contradicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    correction: Option<String>,
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

/// `POST /verify/batch`.
pub(crate) struct VerifyBatch;

impl Operation for VerifyBatch {
    type Input = Posted<(), BatchRequest>;
    type Output = BatchBody;

    const ABOUT: About = About {
        name: "verify_claims",
        address: Address::post("/api/v1/verify/batch"),
        subject: "verified",
        summary: "Verifies up to 20 claims in the same way as `/verify`.",
        answer: "The verdicts in the order of the claims",
        example: r#"{"claims": ["The central bank raised its key interest rate.", "Oil prices fell on Monday."]}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: Self::Input) -> Result<BatchBody> {
        let BatchRequest { claims, source } = asked.body;
        let behalf = OnBehalf {
            source: source.filter(|source| !source.trim().is_empty()),
            agent: None,
        };
        let credits = claims.len() as u64 * PER_CLAIM;
        context
            .charge
            .raise(&context.services, &context.caller, credits)?;
        let live = LiveTime::default();
        let looking: Vec<_> = claims
            .iter()
            .map(|claim| look_at(&context, claim, None, &live))
            .collect();
        let findings: Vec<Finding> = stream::iter(looking)
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        let mut ids = Vec::with_capacity(findings.len());
        let mut drafts = Vec::with_capacity(findings.len());
        for finding in &findings {
            let (id, draft) = issue::of_claim(&context, finding, &behalf)?;
            ids.push(id);
            drafts.push(draft);
        }
        context.receipts.issue(drafts).await?;
        let count = |verdict| {
            findings
                .iter()
                .filter(|finding| finding.assessment.verdict == verdict)
                .count()
        };
        Ok(BatchBody {
            total: findings.len(),
            supported: count(Verdict::Supported),
            contradicted: count(Verdict::Contradicted),
            overall_confidence: overall(&findings),
            results: claims
                .into_iter()
                .zip(&findings)
                .zip(&ids)
                .map(|((claim, finding), id)| BatchResult {
                    claim,
                    verdict: finding.assessment.verdict.as_str(),
                    reason: finding.assessment.reason.map(Reason::as_str),
                    confidence: finding.assessment.confidence,
                    correction: finding.correction(),
                    source: source_of(finding),
                    web_sources: WebSources::of(finding),
                    look_ahead: finding.look_ahead.map(LookAheadBody::from),
                    receipt_id: id.to_string(),
                })
                .collect(),
        })
    }
}

/// The mean confidence of the findings that have a verdict.
pub(super) fn overall(findings: &[Finding]) -> f64 {
    let decided: Vec<f64> = findings
        .iter()
        .filter(|finding| finding.assessment.verdict != Verdict::Unverifiable)
        .map(|finding| finding.assessment.confidence)
        .collect();
    if decided.is_empty() {
        0.0
    } else {
        decided.iter().sum::<f64>() / decided.len() as f64
    }
}
