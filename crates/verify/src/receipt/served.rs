//! The receipt as it is served and kept in files: the body's fields together with its proofs.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::canonical::canonical;
use super::keys::{PublicKey, Signature, SigningKeyId};
use super::{Disclosure, Error, Hash, Signed, json};

/// A served receipt. Anything that is not one of the named fields belongs to the signed body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Receipt {
    /// The fields of the body.
    #[serde(flatten)]
    pub body: Map<String, Value>,
    /// What proves them.
    #[serde(flatten)]
    pub proof: Proof,
}

/// The fields of a receipt that are not signed with the body; each of them is compared with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// SHA-256 of the canonical body.
    pub hash: Hash,
    /// The signature of the body.
    pub signature: Signature,
    /// The id of the key that signed.
    pub key_id: SigningKeyId,
    /// The key that signed. It is accepted only if its fingerprint is already trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_key: Option<PublicKey>,
    /// The entry in the log.
    pub log: LogEntry,
    /// The content behind private evidence; for the owner only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disclosures: Vec<Disclosure>,
}

/// The receipt's position in the log, and the proof of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogEntry {
    /// The number of the leaf, from 0.
    pub index: u64,
    /// Number of leaves in the tree stated by the checkpoint.
    pub size: u64,
    /// The root of that tree.
    pub root: Hash,
    /// The inclusion proof of RFC 6962, from the leaf upwards.
    pub proof: Vec<Hash>,
    /// The checkpoint in the format of C2SP tlog-checkpoint, signed by the key of the receipt.
    pub checkpoint: String,
}

/// The fields that are not part of the signed body.
const UNSIGNED: [&str; 6] = [
    "hash",
    "signature",
    "key_id",
    "public_key",
    "log",
    "disclosures",
];

impl Receipt {
    /// The receipt of a signed body that is in the log.
    pub fn new(signed: &Signed, public_key: PublicKey, log: LogEntry) -> Self {
        Self {
            body: signed.body().clone(),
            proof: Proof {
                hash: signed.hash(),
                signature: signed.signature(),
                key_id: signed.key_id(),
                public_key: Some(public_key),
                log,
                disclosures: Vec::new(),
            },
        }
    }

    /// Adds the content behind private evidence, for its owner.
    pub fn with_disclosures(mut self, disclosures: Vec<Disclosure>) -> Self {
        self.proof.disclosures = disclosures;
        self
    }

    /// Reads a receipt and keeps every field of its body. Nothing is verified yet.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let value = json::parse(bytes)?;
        let mut body: Map<String, Value> = serde_json::from_value(value).map_err(Error::Json)?;
        let mut unsigned = Map::new();
        for name in UNSIGNED {
            if let Some(value) = body.shift_remove(name) {
                unsigned.insert(name.to_owned(), value);
            }
        }
        let proof = serde_json::from_value(Value::Object(unsigned)).map_err(Error::Json)?;
        Ok(Self { body, proof })
    }

    /// The canonical form of the body.
    pub fn canonical_body(&self) -> Result<Vec<u8>, Error> {
        canonical(&self.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_beside_the_body_are_those_of_the_proof() {
        let proof = serde_json::json!({
            "hash": "00".repeat(32),
            "signature": format!("{}==", "A".repeat(86)),
            "key_id": "00".repeat(8),
            "public_key": "PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=",
            "log": {"index": 0, "size": 1, "root": "00".repeat(32), "proof": [], "checkpoint": ""},
            "disclosures": [{"salt": "00".repeat(16), "content": "", "name": ""}],
        });
        let parsed: Proof = serde_json::from_value(proof.clone()).unwrap();
        let written = serde_json::to_value(&parsed).unwrap();
        assert_eq!(written, proof);
        let names: Vec<&String> = written.as_object().unwrap().keys().collect();
        assert_eq!(names, UNSIGNED);
    }
}
