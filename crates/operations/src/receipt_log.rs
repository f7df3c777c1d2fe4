//! Issues receipts: signs them, appends them to the log, and proves where they stand in it.
//!
//! Receipts of callers that come at the same time are written in one transaction: whoever finds the log free writes what has
//! gathered. A receipt that a caller has in hands is on the disk.

use std::sync::Arc;

use model::Timestamp;
use parking_lot::Mutex;
use store::{Checkpoint as StoredCheckpoint, LogNode, LogPlace, Store, StoredReceipt};
use tokio::sync::oneshot;
use verify::receipt::keys::{PrivateKey, PublicKey, Signature, SigningKeyId};
use verify::receipt::tree::{self, Frontier, ProofPlan, Subtree};
use verify::receipt::{Body, Checkpoint, Hash, LogEntry, Receipt, Signed};

use crate::error::{Error, Result};

/// Receipts that are written in one transaction at most.
const BATCH: usize = 512;

/// The keys of this server: the one that signs, and those that signed before it.
#[derive(Clone, Debug)]
pub struct ReceiptKeys {
    /// Signs.
    pub active: Arc<PrivateKey>,
    /// Signed before.
    pub retired: Vec<PublicKey>,
}

impl ReceiptKeys {
    /// Of these random bytes, for a server that keeps no data.
    pub fn from_random(seed: &[u8; 32]) -> Self {
        Self {
            active: Arc::new(PrivateKey::from_random(seed)),
            retired: Vec::new(),
        }
    }

    /// The key of that id.
    pub fn find(&self, id: &str) -> Option<PublicKey> {
        std::iter::once(self.active.public_key())
            .chain(self.retired.iter().copied())
            .find(|key| key.id().to_string() == id)
    }
}

/// A receipt to be written: what is signed, and what stands beside it in the store.
pub(crate) struct Draft {
    pub(crate) body: Body,
    pub(crate) account: Option<model::AccountId>,
    /// The word of its kind.
    pub(crate) kind: &'static str,
    /// The model whose claim it was.
    pub(crate) source: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) disclosures: Option<String>,
    pub(crate) replay: Option<String>,
}

struct Waiting {
    receipts: Vec<(store::Receipt, Hash)>,
    written: oneshot::Sender<bool>,
}

/// The log of receipts.
#[derive(Clone)]
pub struct ReceiptLog(Arc<Inner>);

struct Inner {
    store: Store,
    keys: ReceiptKeys,
    waiting: Mutex<Vec<Waiting>>,
    writing: tokio::sync::Mutex<()>,
}

impl ReceiptLog {
    /// The log of a store.
    pub fn new(store: Store, keys: ReceiptKeys) -> Self {
        Self(Arc::new(Inner {
            store,
            keys,
            waiting: Mutex::default(),
            writing: tokio::sync::Mutex::default(),
        }))
    }

    /// The store that holds it.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The keys.
    pub fn keys(&self) -> &ReceiptKeys {
        &self.0.keys
    }

    /// Signs receipts and appends them, all or none.
    pub(crate) async fn issue(&self, drafts: Vec<Draft>) -> Result<()> {
        let receipts = drafts
            .into_iter()
            .map(|draft| self.signed(draft))
            .collect::<Result<Vec<_>>>()?;
        let (written, outcome) = oneshot::channel();
        self.0.waiting.lock().push(Waiting { receipts, written });
        let log = self.clone();
        // Others may have put theirs beside ours, so this goes on when our caller hangs up.
        tokio::spawn(async move { log.write().await });
        match outcome.await {
            Ok(true) => Ok(()),
            _ => Err(Error::internal("a receipt could not be written")),
        }
    }

    fn signed(&self, draft: Draft) -> Result<(store::Receipt, Hash)> {
        let signed = Signed::new(&draft.body, &self.0.keys.active).map_err(Error::internal)?;
        let body = String::from_utf8(signed.canonical().to_vec()).map_err(Error::internal)?;
        let receipt = store::Receipt {
            id: draft.body.id.to_string(),
            account: draft.account,
            kind: draft.kind.to_owned(),
            created_at: draft.body.created_at,
            body,
            signature: signed.signature().as_bytes().to_vec(),
            key_id: signed.key_id().to_string(),
            disclosures: draft.disclosures,
            verdict: (draft.kind == "claim").then(|| draft.body.verdict.as_str().to_owned()),
            confidence: Some(draft.body.confidence.get()),
            source: draft.source,
            agent: draft.agent,
            replay: draft.replay,
        };
        Ok((receipt, signed.leaf_hash()))
    }

    /// Writes what waits, unless another does so already; then it has nothing left to do.
    async fn write(&self) {
        let _turn = self.0.writing.lock().await;
        loop {
            let taken: Vec<Waiting> = {
                let mut waiting = self.0.waiting.lock();
                let mut count = 0;
                let end = waiting
                    .iter()
                    .position(|next| {
                        count += next.receipts.len();
                        count > BATCH
                    })
                    .unwrap_or(waiting.len());
                // One that is larger than a batch is a batch of its own.
                let end = end.max(1).min(waiting.len());
                waiting.drain(..end).collect()
            };
            if taken.is_empty() {
                return;
            }
            let leaves: Vec<Hash> = taken
                .iter()
                .flat_map(|waiting| waiting.receipts.iter().map(|(_, leaf)| *leaf))
                .collect();
            let mut rows = Vec::with_capacity(leaves.len());
            let mut callers = Vec::with_capacity(taken.len());
            for waiting in taken {
                rows.extend(waiting.receipts.into_iter().map(|(receipt, _)| receipt));
                callers.push(waiting.written);
            }
            let outcome = self
                .0
                .store
                .receipts()
                .append(&rows, None, move |size, edge| grow(size, edge, leaves))
                .await;
            if let Err(error) = &outcome {
                tracing::error!(
                    error = error as &dyn std::error::Error,
                    "receipts could not be written: {error}"
                );
            }
            for written in callers {
                let _ = written.send(outcome.is_ok());
            }
        }
    }

    /// A stored receipt with the proof that it stands in the log.
    pub async fn served(&self, stored: &StoredReceipt, now: Timestamp) -> Result<Receipt> {
        let receipt = &stored.receipt;
        let key = self
            .0
            .keys
            .find(&receipt.key_id)
            .ok_or_else(|| Error::internal("the key of a receipt is unknown"))?;
        let signature: [u8; 64] = receipt
            .signature
            .as_slice()
            .try_into()
            .map_err(|_| Error::internal("the signature of a receipt cannot be read"))?;
        let signature = Signature::from_bytes(signature);
        let signed = Signed::from_stored(receipt.body.as_bytes().to_vec(), signature, key.id())
            .map_err(Error::internal)?;
        let checkpoint = self
            .checkpoint_of(key.id(), stored.log_index + 1, now)
            .await?;
        let plan = ProofPlan::inclusion(stored.log_index, checkpoint.size)
            .ok_or_else(|| Error::internal("a receipt stands beyond its log"))?;
        let proof = self.proof(&plan).await?;
        let parsed =
            verify::receipt::SignedCheckpoint::parse(&checkpoint.text).map_err(Error::internal)?;
        let entry = LogEntry {
            index: stored.log_index,
            size: checkpoint.size,
            root: parsed.checkpoint.root,
            proof,
            checkpoint: checkpoint.text,
        };
        Ok(Receipt::new(&signed, key, entry))
    }

    /// Signs a last checkpoint before the active key is retired, which holds all that it signed.
    pub async fn close(&self, now: Timestamp) -> Result<()> {
        let origin = Checkpoint::origin(self.0.keys.active.public_key().id());
        let kept = self.checkpoint(now).await?;
        if kept.size == 0 || kept.text.starts_with(&origin) {
            return Ok(());
        }
        // Whoever shares the store has signed the log at this size; a receipt more, and it is ours to sign.
        Err(Error::internal(
            "another server has signed the newest checkpoint: issue one more receipt before the key is retired",
        ))
    }

    /// The newest checkpoint: of the log as it stands now.
    pub(crate) async fn checkpoint(&self, now: Timestamp) -> Result<StoredCheckpoint> {
        self.checkpoint_of(self.0.keys.active.public_key().id(), 0, now)
            .await
    }

    /// A checkpoint that this key signed and that has so many leaves at least.
    async fn checkpoint_of(
        &self,
        key: SigningKeyId,
        least: u64,
        now: Timestamp,
    ) -> Result<StoredCheckpoint> {
        let log = self.0.store.log();
        let active = self.0.keys.active.public_key().id();
        if key != active {
            // A key that was retired signed a last checkpoint, which holds all its receipts.
            let found = log
                .newest_checkpoint_of(&Checkpoint::origin(key))
                .await?
                .filter(|found| found.size >= least);
            return found.ok_or_else(|| {
                Error::internal("a retired key has left no checkpoint behind its receipts")
            });
        }
        let size = log.size().await?;
        if let Some(known) = log.checkpoint(size).await?
            && known.text.starts_with(&Checkpoint::origin(active))
        {
            return Ok(known);
        }
        let root = self.root(size).await?;
        let text = Checkpoint::new(active, size, root).sign(&self.0.keys.active);
        let checkpoint = StoredCheckpoint {
            size,
            text,
            created_at: now,
        };
        Ok(log.keep_checkpoint(&checkpoint).await?)
    }

    /// The root of the log when it had that many leaves.
    pub(crate) async fn root(&self, size: u64) -> Result<Hash> {
        let peaks: Vec<LogPlace> = tree::peaks(size).into_iter().map(place).collect();
        let hashes = self.0.store.log().hashes(&peaks).await?;
        let hashes: Vec<Hash> = hashes.into_iter().map(Hash::from_bytes).collect();
        Ok(tree::root(&hashes))
    }

    /// The hashes of a proof.
    pub(crate) async fn proof(&self, plan: &ProofPlan) -> Result<Vec<Hash>> {
        let nodes: Vec<Subtree> = plan.nodes().collect();
        let places: Vec<LogPlace> = nodes.iter().copied().map(place).collect();
        let hashes = self.0.store.log().hashes(&places).await?;
        plan.assemble(|subtree| {
            let at = nodes.iter().position(|node| *node == subtree)?;
            hashes.get(at).copied().map(Hash::from_bytes)
        })
        .map_err(Error::internal)
    }
}

fn place(subtree: Subtree) -> LogPlace {
    LogPlace {
        level: u32::from(subtree.level),
        position: subtree.index,
    }
}

/// The nodes that become complete with these leaves.
fn grow(size: u64, edge: &[LogNode], leaves: Vec<Hash>) -> Vec<LogNode> {
    let hashes = edge
        .iter()
        .map(|node| Hash::from_bytes(node.hash))
        .collect();
    let Some(mut frontier) = Frontier::new(size, hashes) else {
        // The store refuses what has holes.
        return Vec::new();
    };
    frontier
        .extend(leaves)
        .into_iter()
        .map(|node| LogNode {
            place: place(node.subtree),
            hash: *node.hash.as_bytes(),
        })
        .collect()
}

#[cfg(test)]
mod speed;
