//! `assay receipt`: checks receipts without a server, and writes down what the store holds of them.

use std::path::PathBuf;

use analysis::verification::Replay;
use anyhow::{Context, bail, ensure};
use clap::Subcommand;
use operations::ReceiptLog;
use serde::Serialize;
use store::StoredReceipt;
use verify::receipt::{Outcome, TrustedKey, check};

use super::Place;
use crate::clock::now;
use crate::output::{say, show};
use crate::receipt_keys;

#[derive(Debug, Subcommand)]
pub(crate) enum ReceiptCommand {
    /// Check a receipt, without a server and without a network
    Verify {
        /// The receipt, as `/verify/receipt/:id` or `assay receipt export` give it
        file: PathBuf,
        /// A public key (PEM file or base64) or a fingerprint `sha256:…` that you trust; a key that the receipt brings
        /// along is never trusted
        #[arg(long, value_name = "KEY")]
        key: Vec<String>,
    },
    /// Print a stored receipt with its proofs
    Export {
        /// Id of the receipt
        id: String,
    },
    /// Reach a verdict again from the evidence that was recorded
    Replay {
        /// Id of the receipt of a claim
        id: String,
    },
    /// Print the public key and the fingerprint with which this data directory signs
    Key,
}

/// The key of a data directory.
#[derive(Serialize)]
struct Key {
    key_id: String,
    fingerprint: String,
    public_key: String,
}

/// A verdict beside the one that was recorded.
#[derive(Serialize)]
struct Replayed {
    receipt: String,
    recorded: String,
    replayed: String,
    confidence: f64,
    equal: bool,
}

pub(crate) async fn run(place: &Place, command: ReceiptCommand) -> anyhow::Result<()> {
    match command {
        ReceiptCommand::Verify { file, key } => verify_file(place, &file, &key),
        ReceiptCommand::Export { id } => {
            let data = place.either()?;
            let log = ReceiptLog::new(
                data.open_any().await?,
                receipt_keys::load_or_create(&data.path)?,
            );
            let stored = find(&log, &id).await?;
            let receipt = log.served(&stored, now()).await?;
            say(&serde_json::to_string_pretty(&receipt)?);
            Ok(())
        }
        ReceiptCommand::Replay { id } => {
            let data = place.either()?;
            let log = ReceiptLog::new(
                data.open_any().await?,
                receipt_keys::load_or_create(&data.path)?,
            );
            replay(place, &find(&log, &id).await?)
        }
        ReceiptCommand::Key => {
            let data = place.either()?;
            let key = receipt_keys::load_or_create(&data.path)?
                .active
                .public_key();
            let shown = Key {
                key_id: key.id().to_string(),
                fingerprint: key.fingerprint().to_string(),
                public_key: key.to_base64(),
            };
            show(place.json(), &shown, |key| {
                vec![
                    format!("key          {}", key.key_id),
                    format!("fingerprint  {}", key.fingerprint),
                    format!("public key   {}", key.public_key),
                ]
            })
        }
    }
}

async fn find(log: &ReceiptLog, id: &str) -> anyhow::Result<StoredReceipt> {
    let stored = log.store().receipts().find(id).await?;
    stored.with_context(|| format!("there is no receipt {id}"))
}

fn verify_file(place: &Place, file: &PathBuf, keys: &[String]) -> anyhow::Result<()> {
    let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
    let trusted = keys
        .iter()
        .map(|key| trusted(key))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let report = check(receipt_of(&bytes).as_deref().unwrap_or(&bytes), &trusted);
    show(place.json(), &report, |report| {
        let mut lines: Vec<String> = report
            .steps
            .iter()
            .map(|step| {
                let mark = if step.passed { "ok    " } else { "FAILED" };
                format!("{mark}  {}: {}", step.name, step.sentence)
            })
            .collect();
        lines.push(report.outcome.to_string());
        lines
    })?;
    match report.outcome {
        Outcome::Valid => Ok(()),
        outcome => bail!("{outcome}"),
    }
}

/// The receipt inside an answer of the API, where the file is one.
fn receipt_of(bytes: &[u8]) -> Option<Vec<u8>> {
    let answer: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    let receipt = answer.get("receipt")?;
    serde_json::to_vec(receipt).ok()
}

/// A key from a file, else from the text itself.
fn trusted(text: &str) -> anyhow::Result<TrustedKey> {
    let content = std::fs::read_to_string(text).unwrap_or_else(|_| text.to_owned());
    content
        .trim()
        .parse()
        .with_context(|| format!("{text:?} is neither a public key nor a fingerprint"))
}

fn replay(place: &Place, stored: &StoredReceipt) -> anyhow::Result<()> {
    let receipt = &stored.receipt;
    let Some(recorded) = &receipt.replay else {
        bail!(
            "receipt {} has no evidence of its own to replay",
            receipt.id
        );
    };
    let replay: Replay =
        serde_json::from_str(recorded).context("the recorded evidence cannot be read")?;
    let assessment = replay.run();
    let replayed = Replayed {
        receipt: receipt.id.clone(),
        recorded: receipt.verdict.clone().unwrap_or_default(),
        replayed: assessment.verdict.as_str().to_owned(),
        confidence: assessment.confidence,
        equal: receipt.verdict.as_deref() == Some(assessment.verdict.as_str()),
    };
    show(place.json(), &replayed, |replayed| {
        vec![format!(
            "recorded {}, replayed {} with confidence {:.4}",
            replayed.recorded, replayed.replayed, replayed.confidence
        )]
    })?;
    ensure!(replayed.equal, "the verdict is another one now");
    Ok(())
}
