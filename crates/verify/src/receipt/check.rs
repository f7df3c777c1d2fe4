//! Checking a receipt with nothing but its bytes and a trusted key: no server, no network, no store.
//!
//! A key included in the receipt is never trusted for that reason. It only saves a reader who has a fingerprint from
//! fetching the key.

use serde_json::Value;

use super::keys::PublicKey;
use super::report::{Report, Step, StepName};
use super::{Error, Hash, Receipt, SignedCheckpoint, TrustedKey, Version, signed, tree};

/// The largest receipt that is read, in bytes.
pub const MAX_BYTES: usize = 1024 * 1024;

/// Checks a served receipt. It never fails: whatever the bytes are, the report says what is wrong with them.
pub fn check(bytes: &[u8], trusted: &[TrustedKey]) -> Report {
    let (receipt, canonical_body) = match read(bytes) {
        Ok(read) => read,
        Err(sentence) => {
            let step = Step {
                name: StepName::Format,
                passed: false,
                sentence,
            };
            return Report::new(vec![step], None, serde_json::Map::new());
        }
    };
    let steps = Check::new(&receipt, &canonical_body, trusted).steps();
    Report::new(steps, Some(receipt.proof.key_id), receipt.body)
}

/// The receipt and its canonical body, or what is wrong with its format.
fn read(bytes: &[u8]) -> Result<(Receipt, Vec<u8>), String> {
    if bytes.len() > MAX_BYTES {
        return Err(format!("The file is larger than {MAX_BYTES} bytes."));
    }
    let unreadable = |error: Error| match error {
        Error::Json(cause) => format!("The file is not a receipt: {cause}."),
        other => format!("The file is not a receipt: {other}."),
    };
    let receipt = Receipt::parse(bytes).map_err(unreadable)?;
    if receipt.body.get("version").and_then(Value::as_str) != Some(Version::TEXT) {
        return Err(format!("The version is not {}.", Version::TEXT));
    }
    let canonical_body = receipt.canonical_body().map_err(unreadable)?;
    Ok((receipt, canonical_body))
}

/// A receipt that could be read, and the key that matches it, if there is one.
struct Check<'a> {
    receipt: &'a Receipt,
    canonical_body: &'a [u8],
    key: Option<PublicKey>,
    is_trusted: bool,
}

impl<'a> Check<'a> {
    fn new(receipt: &'a Receipt, canonical_body: &'a [u8], trusted: &[TrustedKey]) -> Self {
        let id = receipt.proof.key_id;
        let carried = receipt.proof.public_key;
        let own = trusted.iter().find_map(|trusted| match trusted {
            TrustedKey::Key(key) => (key.id() == id).then_some(*key),
            TrustedKey::Fingerprint(fingerprint) => {
                carried.filter(|key| key.fingerprint() == *fingerprint)
            }
        });
        let contradicted = carried
            .is_some_and(|carried| carried.id() != id || own.is_some_and(|own| own != carried));
        Self {
            receipt,
            canonical_body,
            key: own.or(carried).filter(|_| !contradicted),
            is_trusted: own.is_some() && !contradicted,
        }
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps = vec![
            step(
                StepName::Format,
                true,
                "The file is a receipt of version assay-receipt-1.",
                "",
            ),
            self.key(),
            self.hash(),
            self.signature(),
            self.inclusion(),
        ];
        steps.extend(self.checkpoint());
        if !self.receipt.proof.disclosures.is_empty() {
            steps.push(self.disclosures());
        }
        steps.push(step(
            StepName::Signer,
            self.is_trusted,
            "The key is one that you trust.",
            "No key that you trust signed this receipt: anyone could have made it.",
        ));
        steps
    }

    fn key(&self) -> Step {
        step(
            StepName::Key,
            self.key.is_some(),
            "The key has the id that the receipt names.",
            "There is no key with the id that the receipt names.",
        )
    }

    fn hash(&self) -> Step {
        step(
            StepName::Hash,
            Hash::of(self.canonical_body) == self.receipt.proof.hash,
            "The hash is that of what the receipt says.",
            "The hash is not that of what the receipt says.",
        )
    }

    fn signature(&self) -> Step {
        let signature = &self.receipt.proof.signature;
        step(
            StepName::Signature,
            self.key
                .is_some_and(|key| signed::is_signed_by(&key, self.canonical_body, signature)),
            "The key signed what the receipt says.",
            "The key did not sign what the receipt says.",
        )
    }

    fn inclusion(&self) -> Step {
        let log = &self.receipt.proof.log;
        let leaf = tree::leaf_hash(self.canonical_body);
        step(
            StepName::Inclusion,
            tree::verify_inclusion(&leaf, log.index, log.size, &log.proof, &log.root),
            "The receipt is in the log that has this root.",
            "The proof does not lead from the receipt to the root of the log.",
        )
    }

    fn checkpoint(&self) -> [Step; 2] {
        let log = &self.receipt.proof.log;
        let signed = SignedCheckpoint::parse(&log.checkpoint).ok();
        let is_signed = signed
            .as_ref()
            .zip(self.key)
            .is_some_and(|(signed, key)| signed.is_signed_by(&key));
        let agrees = signed.is_some_and(|signed| {
            signed.checkpoint.size == log.size && signed.checkpoint.root == log.root
        });
        [
            step(
                StepName::Checkpoint,
                is_signed,
                "The same key signed the checkpoint of the log.",
                "The same key did not sign the checkpoint of the log.",
            ),
            step(
                StepName::Root,
                agrees,
                "The checkpoint states the size and the root of the proof.",
                "The checkpoint states another size or root than the proof.",
            ),
        ]
    }

    fn disclosures(&self) -> Step {
        let evidence = self.receipt.body.get("evidence").and_then(Value::as_array);
        let is_hash_of_evidence = |hash: &Hash| {
            evidence.is_some_and(|items| {
                items
                    .iter()
                    .any(|item| item["content_hash"].as_str() == Some(&hash.to_string()))
            })
        };
        let disclosures = &self.receipt.proof.disclosures;
        step(
            StepName::Disclosures,
            disclosures
                .iter()
                .all(|disclosure| is_hash_of_evidence(&disclosure.content_hash())),
            "What is disclosed is the private evidence of the receipt.",
            "What is disclosed is not the private evidence of the receipt.",
        )
    }
}

fn step(name: StepName, passed: bool, agrees: &str, differs: &str) -> Step {
    Step {
        name,
        passed,
        sentence: if passed { agrees } else { differs }.to_owned(),
    }
}
