//! The content of an alert: the body that is posted, in the Standard Webhooks format.

use analysis::verification::Finding;
use model::{DataMode, Timestamp};
use serde::Serialize;
use store::{Memory, Monitor, NewAlert};
use verify::verdict::Position;

use crate::error::{Error, Result};
use crate::verified::body::EvidenceItem;

/// Maximum number of passages in an alert, clearest first.
const SHOWN: usize = 5;

/// A message.
#[derive(Serialize)]
struct Message<Data> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: String,
    data: Data,
}

/// A claim newly contradicted by the evidence at this check.
#[derive(Serialize)]
struct ContradictedClaim<'a> {
    #[serde(flatten)]
    about: About<'a>,
    /// The claim as the agent remembers it.
    claim: &'a str,
    memory_id: &'a str,
    memory_key: &'a str,
    previous_verdict: Option<&'a str>,
    previous_confidence: Option<f64>,
    verdict: &'static str,
    updated_confidence: f64,
    new_evidence: Vec<EvidenceItem>,
    correction: Option<String>,
    summary: String,
    receipt_id: Option<&'a str>,
}

/// Trust that has fallen below the threshold.
#[derive(Serialize)]
struct LowTrust<'a> {
    #[serde(flatten)]
    about: About<'a>,
    previous_trust: Option<f64>,
    claims_checked: usize,
    claims_contradicted: usize,
}

/// What all alerts contain.
#[derive(Serialize)]
struct About<'a> {
    monitor_id: &'a str,
    agent_id: &'a str,
    trust: Option<f64>,
    trust_threshold: f64,
    escalated: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    simulated: bool,
}

/// The check that alerts are about.
pub(super) struct Check<'a> {
    pub(super) monitor: &'a Monitor,
    pub(super) at: Timestamp,
    /// The overall trust in the claims; `None` if none has a verdict.
    pub(super) trust: Option<f64>,
    pub(super) mode: DataMode,
}

impl Check<'_> {
    /// Whether trust is below the threshold.
    pub(super) fn is_low(&self) -> bool {
        self.trust
            .is_some_and(|trust| trust < self.monitor.trust_threshold)
    }

    /// Whether it has fallen below the threshold since the last check.
    pub(super) fn has_fallen(&self) -> bool {
        let threshold = self.monitor.trust_threshold;
        let was_low = self
            .monitor
            .last_trust
            .is_some_and(|trust| trust < threshold);
        self.is_low() && !was_low
    }

    fn about(&self) -> About<'_> {
        About {
            monitor_id: &self.monitor.id,
            agent_id: &self.monitor.agent,
            trust: self.trust,
            trust_threshold: self.monitor.trust_threshold,
            escalated: self.monitor.escalates && self.is_low(),
            simulated: self.mode == DataMode::Demo,
        }
    }

    /// The alert about a claim that is now contradicted.
    pub(super) fn contradicted(
        &self,
        memory: &Memory,
        finding: &Finding,
        receipt: Option<&str>,
    ) -> Result<NewAlert> {
        let remembered = &memory.content;
        let evidence = finding.on(Position::Contradicts).take(SHOWN);
        let data = ContradictedClaim {
            about: self.about(),
            claim: &remembered.value,
            memory_id: &remembered.id,
            memory_key: &remembered.key,
            previous_verdict: remembered.verdict.as_deref(),
            previous_confidence: remembered.confidence,
            verdict: finding.assessment.verdict.as_str(),
            updated_confidence: finding.assessment.confidence,
            new_evidence: evidence.map(EvidenceItem::from).collect(),
            correction: finding.correction(),
            summary: finding.summary(),
            receipt_id: receipt,
        };
        self.alert("monitor.claim_contradicted", &remembered.value, data)
    }

    /// The alert that trust has fallen.
    pub(super) fn low_trust(&self, checked: usize, contradicted: usize) -> Result<NewAlert> {
        let data = LowTrust {
            about: self.about(),
            previous_trust: self.monitor.last_trust,
            claims_checked: checked,
            claims_contradicted: contradicted,
        };
        self.alert("monitor.trust_low", "", data)
    }

    fn alert(&self, kind: &'static str, claim: &str, data: impl Serialize) -> Result<NewAlert> {
        let message = Message {
            kind,
            timestamp: self.at.to_string(),
            data,
        };
        Ok(NewAlert {
            id: format!("al_{}", uuid::Uuid::new_v4().simple()),
            kind,
            claim: claim.to_owned(),
            body: serde_json::to_string(&message).map_err(Error::internal)?,
        })
    }
}
