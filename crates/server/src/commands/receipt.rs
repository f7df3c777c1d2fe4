//! `assay receipt`: checks receipts without a server, and exports those in the store.

use std::path::PathBuf;

use analysis::claims::FigureServices;
use analysis::market::MarketServices;
use analysis::verification::{Replay, replay_figures};
use anyhow::{Context, bail, ensure};
use clap::Subcommand;
use operations::ReceiptLog;
use serde::Serialize;
use store::{Store, StoredReceipt};
use verify::receipt::{Body, Outcome, Subject, TrustedKey, check};
use verify::verdict::Assessment;

use super::Place;
use crate::clock::now;
use crate::data::DataDirectory;
use crate::lock::ServerLock;
use crate::output::{say, show};
use crate::receipt_keys::{self, Rotated};

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
    Key {
        /// Make a new key first, while no server runs; the old public key is kept and proves what it signed
        #[arg(long)]
        rotate: bool,
    },
}

/// The key of a data directory.
#[derive(Serialize)]
struct Key {
    key_id: String,
    fingerprint: String,
    public_key: String,
    /// The key that signed until now, if a new one was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    retired: Option<String>,
}

/// A verdict next to the one that was recorded.
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
            replay(place, log.store(), &find(&log, &id).await?).await
        }
        ReceiptCommand::Key { rotate } => {
            let data = place.either()?;
            let rotated = if rotate {
                Some(retire(&data).await?)
            } else {
                None
            };
            let key = match &rotated {
                Some(rotated) => rotated.new,
                None => receipt_keys::load_or_create(&data.path)?
                    .active
                    .public_key(),
            };
            let shown = Key {
                key_id: key.id().to_string(),
                fingerprint: key.fingerprint().to_string(),
                public_key: key.to_base64(),
                retired: rotated.map(|rotated| rotated.old.id().to_string()),
            };
            show(place.json(), &shown, |key| {
                let mut lines = vec![
                    format!("key          {}", key.key_id),
                    format!("fingerprint  {}", key.fingerprint),
                    format!("public key   {}", key.public_key),
                ];
                lines.extend(
                    key.retired
                        .as_ref()
                        .map(|old| format!("retired      {old}: it still proves what it signed")),
                );
                lines
            })
        }
    }
}

/// Retires the signing key after its last checkpoint. Nobody could prove receipts that it signed later, so no server
/// may be running in the meantime.
async fn retire(data: &DataDirectory) -> anyhow::Result<Rotated> {
    let _lock = ServerLock::take(&data.path)?;
    let log = ReceiptLog::new(
        data.open_any().await?,
        receipt_keys::load_or_create(&data.path)?,
    );
    log.close(now()).await?;
    receipt_keys::rotate(&data.path)
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

/// The receipt inside an API response, if the file is one.
fn receipt_of(bytes: &[u8]) -> Option<Vec<u8>> {
    let answer: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    let receipt = answer.get("receipt")?;
    serde_json::to_vec(receipt).ok()
}

/// A key from a file, or else from the text itself.
fn trusted(text: &str) -> anyhow::Result<TrustedKey> {
    let content = std::fs::read_to_string(text).unwrap_or_else(|_| text.to_owned());
    content
        .trim()
        .parse()
        .with_context(|| format!("{text:?} is neither a public key nor a fingerprint"))
}

async fn replay(place: &Place, store: &Store, stored: &StoredReceipt) -> anyhow::Result<()> {
    let receipt = &stored.receipt;
    let assessment = match &receipt.replay {
        Some(recorded) => {
            let replay: Replay =
                serde_json::from_str(recorded).context("the recorded evidence cannot be read")?;
            replay.run()
        }
        None => of_figures(store, receipt).await?,
    };
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

/// Figures are stored with their times, so they are looked up again with the same query as for the verdict.
async fn of_figures(store: &Store, receipt: &store::Receipt) -> anyhow::Result<Assessment> {
    let body: Body = serde_json::from_str(&receipt.body).context("the receipt cannot be read")?;
    let Subject::Claim(claim) = &body.subject else {
        bail!(
            "receipt {} has no evidence of its own to replay",
            receipt.id
        );
    };
    let services = FigureServices::of(&MarketServices::new(store.clone()));
    replay_figures(&services, claim, body.as_of, body.created_at)
        .await?
        .with_context(|| format!("receipt {} does not rest on figures", receipt.id))
}
