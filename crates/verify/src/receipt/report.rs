//! What a check found, step by step.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::keys::SigningKeyId;

/// What a check found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The result.
    pub outcome: Outcome,
    /// Every step, in order. A receipt that cannot be read has only the first one.
    pub steps: Vec<Step>,
    /// The key named in the receipt; absent if it cannot be read.
    pub key_id: Option<SigningKeyId>,
    /// What the receipt says. It is proven only if the outcome is valid.
    pub body: Map<String, Value>,
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "status", content = "step")]
pub enum Outcome {
    /// Every step passed, with a trusted key.
    Valid,
    /// Nothing contradicts itself, but anyone could have made the receipt.
    SelfConsistent,
    /// This step was the first to fail.
    Invalid(StepName),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Valid => f.write_str("valid"),
            Self::SelfConsistent => f.write_str("self-consistent, signer unknown"),
            Self::Invalid(step) => write!(f, "invalid: {step}"),
        }
    }
}

/// One step of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What was compared.
    pub name: StepName,
    /// Whether it matches.
    pub passed: bool,
    /// The finding in one sentence.
    pub sentence: String,
}

/// The steps of a check, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepName {
    /// The file is a receipt of a known version.
    Format,
    /// A key with the id in the receipt is available.
    Key,
    /// The hash is the hash of the body.
    Hash,
    /// The signature was made with the key.
    Signature,
    /// The body is in the tree with this root.
    Inclusion,
    /// The checkpoint is signed by the same key.
    Checkpoint,
    /// The checkpoint states the root and the size given in the proof.
    Root,
    /// What is disclosed matches what was hashed.
    Disclosures,
    /// The key is trusted.
    Signer,
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => "format",
            Self::Key => "key",
            Self::Hash => "hash",
            Self::Signature => "signature",
            Self::Inclusion => "inclusion",
            Self::Checkpoint => "checkpoint",
            Self::Root => "root",
            Self::Disclosures => "disclosures",
            Self::Signer => "signer",
        })
    }
}

impl Report {
    /// The outcome is that of the first failed step.
    pub(super) fn new(
        steps: Vec<Step>,
        key_id: Option<SigningKeyId>,
        body: Map<String, Value>,
    ) -> Self {
        let outcome = match steps.iter().find(|step| !step.passed) {
            None => Outcome::Valid,
            Some(step) if step.name == StepName::Signer => Outcome::SelfConsistent,
            Some(step) => Outcome::Invalid(step.name),
        };
        Self {
            outcome,
            steps,
            key_id,
            body,
        }
    }
}
