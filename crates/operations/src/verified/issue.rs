//! From a finding to its receipt.

use analysis::verification::{Evidence, Finding, Replay, SourceKind};
use model::{AccountId, PublicBriefId, Score, Timestamp};
use verify::receipt::{
    Body, Disclosure, Engine, Evidence as Signed, FourDecimals, Hash, OutputText, PrivateSource,
    PublicEvidence, PublicSource, ReceiptId, Subject, Version,
};
use verify::verdict::{Position, Verdict};

use super::body::shortened;
use crate::Context;
use crate::error::{Error, Result};
use crate::receipt_log::Draft;

/// The engine that reaches verdicts. A new version may judge differently.
fn engine() -> Engine {
    Engine {
        name: "assay".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// For whom a claim was verified, besides the caller.
#[derive(Clone, Debug, Default)]
pub(super) struct OnBehalf {
    /// The model that made the claim.
    pub(super) source: Option<String>,
    /// The agent of the account.
    pub(super) agent: Option<String>,
}

/// Whose verdict it is, and as of when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occasion {
    /// The caller; `None` under the demo key.
    pub(super) account: Option<AccountId>,
    /// The as-of time of the request; `None` means now.
    pub(super) as_of: Option<Timestamp>,
    /// When the verdict was reached.
    pub(super) now: Timestamp,
}

impl Occasion {
    fn of(context: &Context) -> Self {
        Self {
            account: context.caller.member.as_ref().map(|member| member.account),
            as_of: context.as_of.0,
            now: context.attempt.now,
        }
    }
}

/// The receipt of one finding. Callers without an account get receipts too: anyone who knows the id may read them.
pub(super) fn of_claim(
    context: &Context,
    finding: &Finding,
    behalf: &OnBehalf,
) -> Result<(ReceiptId, Draft)> {
    on_occasion(Occasion::of(context), finding, behalf)
}

/// The receipt of one finding that was not requested by a call.
pub(super) fn on_occasion(
    occasion: Occasion,
    finding: &Finding,
    behalf: &OnBehalf,
) -> Result<(ReceiptId, Draft)> {
    let id = ReceiptId::from_random(rand::random());
    let mut disclosures = Vec::new();
    let evidence = finding
        .evidence
        .iter()
        .map(|evidence| signed(evidence, &mut disclosures))
        .collect();
    let assessment = &finding.assessment;
    let body = Body {
        version: Version::One,
        id: id.clone(),
        subject: Subject::Claim(finding.claim.text.clone()),
        verdict: assessment.verdict,
        reason: assessment.reason,
        confidence: FourDecimals::from(Score::clamped(assessment.confidence)),
        as_of: occasion.as_of,
        evidence,
        created_at: occasion.now,
        engine: engine(),
    };
    let disclosures = (!disclosures.is_empty())
        .then(|| serde_json::to_string(&disclosures))
        .transpose()
        .map_err(Error::internal)?;
    // Figures are stored with their two clocks: they are looked up again, not copied.
    let replay = (!finding.is_of_data())
        .then(|| serde_json::to_string(&Replay::of(finding)))
        .transpose()
        .map_err(Error::internal)?;
    let draft = Draft {
        body,
        account: occasion.account,
        kind: "claim",
        source: behalf.source.clone(),
        agent: behalf.agent.clone(),
        disclosures,
        replay,
    };
    Ok((id, draft))
}

/// The receipt of a whole text, which lists the receipts of its claims.
pub(super) fn of_output(
    context: &Context,
    text: &str,
    receipts: Vec<ReceiptId>,
    verdict: Verdict,
    confidence: f64,
    behalf: &OnBehalf,
) -> (ReceiptId, Draft) {
    let id = ReceiptId::from_random(rand::random());
    let body = Body {
        version: Version::One,
        id: id.clone(),
        subject: Subject::Output(OutputText::new(text, receipts)),
        verdict,
        reason: None,
        confidence: FourDecimals::from(Score::clamped(confidence)),
        as_of: context.as_of.0,
        evidence: Vec::new(),
        created_at: context.attempt.now,
        engine: engine(),
    };
    let draft = Draft {
        body,
        account: context.caller.member.as_ref().map(|member| member.account),
        kind: "output",
        source: behalf.source.clone(),
        agent: behalf.agent.clone(),
        disclosures: None,
        replay: None,
    };
    (id, draft)
}

impl Context {
    /// Issues a receipt for a text, which lists the receipts of the claims in it. Invalid ids are left out.
    pub async fn issue_receipt(
        &self,
        text: &str,
        claims: &[String],
        verdict: Verdict,
        confidence: f64,
    ) -> Result<String> {
        let receipts = claims
            .iter()
            .filter_map(|id| ReceiptId::parse(id).ok())
            .collect();
        let behalf = OnBehalf::default();
        let (id, draft) = of_output(self, text, receipts, verdict, confidence, &behalf);
        self.receipts.issue(vec![draft]).await?;
        Ok(id.to_string())
    }
}

fn signed(evidence: &Evidence, disclosures: &mut Vec<Disclosure>) -> Signed {
    let passage = &evidence.passage;
    let stance = &evidence.stance;
    let strength = FourDecimals::from(Score::clamped(match evidence.position {
        Position::Supports => stance.supports,
        Position::Contradicts => stance.contradicts,
        Position::Neutral => stance.neutral,
    }));
    let private = |source, disclosures: &mut Vec<Disclosure>| {
        let disclosure =
            Disclosure::new(rand::random(), evidence.quote.clone(), passage.name.clone());
        let signed = Signed::private(source, evidence.position, strength, &disclosure);
        disclosures.push(disclosure);
        signed
    };
    let source = match passage.kind {
        SourceKind::Knowledge => return private(PrivateSource::Knowledge, disclosures),
        SourceKind::Memory => return private(PrivateSource::Memory, disclosures),
        SourceKind::Corpus => PublicSource::Corpus,
        SourceKind::Live => PublicSource::Live,
        SourceKind::Data => PublicSource::Data,
    };
    Signed::Public(PublicEvidence {
        source,
        name: passage.name.clone(),
        url: passage.url.clone(),
        brief_id: passage
            .brief
            .as_ref()
            .and_then(|brief| PublicBriefId::parse(&brief.id)),
        published: passage.published_at,
        position: evidence.position,
        strength,
        content_hash: Hash::of(evidence.quote.as_bytes()),
        snippet: shortened(&evidence.quote),
    })
}
