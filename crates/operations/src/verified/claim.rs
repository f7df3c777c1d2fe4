//! `/verify`: one claim checked against the stored news.

use std::time::Instant;

use analysis::claims::check_figures;
use analysis::verification::{ClaimQuery, DecisionQuery, Finding, Passage, verify_claim};
use model::Category;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use verify::claim::Claim;
use verify::figures::Level;
use verify::verdict::{Position, Reason, Verdict};

use super::body::{
    BriefItem, ConfidenceBreakdown, EvidenceItem, LookAheadBody, WebSources, briefs, source,
};
use super::issue::{self, OnBehalf};
use super::live::{LiveTime, look_further};
use crate::checked::{Checked, Faults, category_of};
use crate::error::Result;
use crate::services::Services;
use crate::{About, Address, Context, Keeping, Operation, Posted};

pub(crate) const CREDITS: u64 = 3;

/// A claim to verify.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ClaimRequest {
    /// The claim, in plain words.
    #[schema(min_length = 10, max_length = 1000)]
    claim: String,
    /// Category slug, in any case. Only briefs in this category are used as evidence.
    #[serde(default)]
    #[schema(schema_with = crate::field::category_word)]
    context: Option<String>,
}

impl Checked for ClaimRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("claim", self.claim.trim(), 10..=1000);
        faults.category("context", self.context.as_deref());
    }
}

/// What the evidence says about a claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct VerificationBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The claim as it was sent.
    claim: String,
    /// `supported`, `contradicted`, `partially_supported` or `unverifiable`.
    verdict: &'static str,
    /// Why it is unverifiable: `no_evidence`, `source_blocked`, `stale`, `conflicting` or `not_checkable`. Absent
    /// otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<&'static str>,
    /// Probability that the verdict is right, from 0 to 1.
    confidence: f64,
    /// The components of the confidence.
    confidence_breakdown: ConfidenceBreakdown,
    /// The clearest passage from each source; at most 12. Passages on the side of the verdict come first.
    evidence_chain: Vec<EvidenceItem>,
    /// What was found, in one or two sentences.
    summary: String,
    /// Briefs that support the claim.
    supporting_briefs: Vec<BriefItem>,
    /// Briefs that contradict the claim.
    contradicting_briefs: Vec<BriefItem>,
    /// Caveats to bear in mind. Always a sentence.
    nuances: String,
    /// Number of independent sources compared with the claim.
    sources_analyzed: usize,
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
    /// Id of the signed receipt, which can be read at `/verify/receipt/{id}`.
    receipt_id: String,
    /// Credits charged for this response.
    credits_used: u64,
    /// Processing time in milliseconds.
    processing_time_ms: u64,
}

impl VerificationBody {
    fn new(
        asked: String,
        finding: &Finding,
        receipt_id: String,
        credits_used: u64,
        started: Instant,
    ) -> Self {
        let assessment = &finding.assessment;
        Self {
            status: "ok",
            claim: asked,
            verdict: assessment.verdict.as_str(),
            reason: assessment.reason.map(Reason::as_str),
            confidence: assessment.confidence,
            confidence_breakdown: assessment.breakdown.into(),
            evidence_chain: finding.evidence.iter().map(EvidenceItem::from).collect(),
            summary: finding.summary(),
            supporting_briefs: briefs(finding, Position::Supports),
            contradicting_briefs: briefs(finding, Position::Contradicts),
            nuances: finding.nuances(),
            sources_analyzed: finding.sources_analyzed,
            source: source(finding),
            web_sources: WebSources::of(finding),
            look_ahead: finding.look_ahead.map(LookAheadBody::from),
            receipt_id,
            credits_used,
            processing_time_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// `POST /verify`.
pub(crate) struct VerifyClaim;

impl Operation for VerifyClaim {
    type Input = Posted<(), ClaimRequest>;
    type Output = VerificationBody;

    const ABOUT: About = About {
        name: "verify_claim",
        address: Address::post("/api/v1/verify"),
        subject: "verified",
        summary: "Verifies a claim against stored news and market data.",
        description: "Claims about market and economic figures are checked against the stored series first, then against the news. Each independent source counts once, by its clearest passage; syndicated copies count as one source. If the stored news is not conclusive and the operator has configured a search service, the live web is searched: `source` is then `live`, and `web_sources` lists the pages. Missing evidence is never a contradiction: the verdict is then `unverifiable`, with the reason.",
        answer: "The verdict with its evidence",
        example: r#"{"claim": "The central bank raised its key interest rate.", "context": "economy"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: Self::Input) -> Result<VerificationBody> {
        let started = Instant::now();
        let Posted { body, .. } = asked;
        let category = category_of(body.context.as_deref());
        let live = LiveTime::default();
        let finding = look_at(&context, &body.claim, category, &live).await?;
        let (receipt_id, draft) = issue::of_claim(&context, &finding, &OnBehalf::default())?;
        context.receipts.issue(vec![draft]).await?;
        Ok(VerificationBody::new(
            body.claim,
            &finding,
            receipt_id.to_string(),
            context.credits(),
            started,
        ))
    }
}

/// A statement from an answer, tested.
#[derive(Serialize, ToSchema)]
pub(crate) struct TestedStatement {
    /// The statement as it was tested.
    claim: String,
    /// `supported`, `contradicted`, `partially_supported` or `unverifiable`.
    verdict: &'static str,
    /// Probability that the verdict is right, from 0 to 1.
    confidence: f64,
    /// Id of the signed receipt, which can be read at `/verify/receipt/{id}`.
    receipt_id: String,
}

/// Tests statements from another answer in the same way as this operation tests a claim. Each gets its own receipt.
pub(crate) async fn test_statements(
    context: &Context,
    statements: Vec<String>,
) -> Result<Vec<TestedStatement>> {
    let live = LiveTime::default();
    let looked = statements
        .iter()
        .map(|statement| look_at(context, statement, None, &live));
    let findings = futures::future::try_join_all(looked).await?;
    let mut tested = Vec::new();
    let mut drafts = Vec::new();
    for (claim, finding) in statements.into_iter().zip(findings) {
        let (receipt_id, draft) = issue::of_claim(context, &finding, &OnBehalf::default())?;
        drafts.push(draft);
        tested.push(TestedStatement {
            claim,
            verdict: finding.assessment.verdict.as_str(),
            confidence: finding.assessment.confidence,
            receipt_id: receipt_id.to_string(),
        });
    }
    if !drafts.is_empty() {
        context.receipts.issue(drafts).await?;
    }
    Ok(tested)
}

/// Compares a claim with what the caller may see.
pub(super) async fn look_at(
    context: &Context,
    claim: &str,
    category: Option<Category>,
    live: &LiveTime,
) -> Result<Finding> {
    look_at_claim(context, Claim::parse(claim), category, Vec::new(), live).await
}

/// Compares a claim with what the caller may see and with `own` passages of the caller. If these decide nothing, the
/// live web is searched as long as time permits.
pub(super) async fn look_at_claim(
    context: &Context,
    claim: Claim,
    category: Option<Category>,
    own: Vec<Passage>,
    live: &LiveTime,
) -> Result<Finding> {
    let query = ClaimQuery {
        claim,
        categories: context.categories(category)?,
        as_of: context.as_of.0,
        now: context.end(),
    };
    let Some(decision) = DecisionQuery::of(&query) else {
        let mut looked = of_stored(&context.services, &query, own).await?;
        looked.finding = look_further(context, looked.finding, live).await;
        return Ok(looked.settled());
    };
    of_decision(&context.services, &decision, own).await
}

/// Compares a claim with the stored figures and news.
pub(super) async fn assess(services: &Services, query: ClaimQuery) -> Result<Finding> {
    match DecisionQuery::of(&query) {
        Some(decision) => of_decision(services, &decision, Vec::new()).await,
        None => Ok(of_stored(services, &query, Vec::new()).await?.settled()),
    }
}

/// Examines the reason for a decision, first from what was known on its day. The live web cannot be searched as of a
/// day, so it is not queried.
async fn of_decision(
    services: &Services,
    decision: &DecisionQuery,
    own: Vec<Passage>,
) -> Result<Finding> {
    let then = of_stored(services, &decision.then, own.clone())
        .await?
        .settled();
    match &decision.later {
        Some(later) if then.assessment.verdict == Verdict::Unverifiable => {
            let found = of_stored(services, later, own).await?.settled();
            Ok(decision.whole(found, true))
        }
        _ => Ok(decision.whole(then, false)),
    }
}

/// What was found, and what the figures say if they leave the claim open.
struct Looked {
    finding: Finding,
    open: Option<Finding>,
    /// The number that the news must name to decide the claim, if the figures leave one open.
    level: Option<Level>,
    /// Whether the news may only support what the figures leave open.
    is_undenied: bool,
}

impl Looked {
    /// A figure that is not stored may still appear in the news. If it does not, the stored figures say more.
    fn settled(self) -> Finding {
        let is_beside = |level: &Level| !self.finding.is_told_of(level);
        let verdict = self.finding.assessment.verdict;
        let is_open = verdict == Verdict::Unverifiable
            || verdict == Verdict::Contradicted && self.is_undenied
            || self.level.as_ref().is_some_and(is_beside);
        match self.open {
            Some(open) if is_open => open,
            _ => self.finding,
        }
    }
}

async fn of_stored(services: &Services, query: &ClaimQuery, own: Vec<Passage>) -> Result<Looked> {
    let (mut open, mut level, mut is_undenied) = (None, None, false);
    if query.claim.is_checkable() {
        let (text, now) = (&query.claim.text, query.now);
        if let Some(found) = check_figures(&services.figures, text, query.as_of, now).await? {
            let finding = Finding::of_figures(&query.claim, &found, now);
            if finding.assessment.verdict != Verdict::Unverifiable || found.is_settled {
                return Ok(Looked {
                    finding,
                    open: None,
                    level: None,
                    is_undenied: false,
                });
            }
            open = Some(finding);
            level = found.level;
            is_undenied = found.is_undenied;
        }
    }
    let finding = verify_claim(&services.store, &services.index, query, own).await?;
    Ok(Looked {
        finding,
        open,
        level,
        is_undenied,
    })
}
