//! What a commit records about itself: how far the index came, in which store, and how many documents it must hold.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::schema;

/// A place in the outbox of one store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The store that the documents come from; nil for an index that has never held anything.
    pub store: Uuid,
    /// The outbox position up to which the documents go.
    pub position: i64,
    /// Which event has that position, in the store's words; empty at position 0.
    pub fingerprint: String,
    /// How often the store had removed old news of which the index no longer has documents; also 0 if a commit from an
    /// earlier version does not say.
    #[serde(default)]
    pub pruned: i64,
}

/// A checkpoint as recorded in a commit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Committed {
    version: u32,
    #[serde(flatten)]
    pub(crate) checkpoint: Checkpoint,
    /// How many documents can be found after the commit. The engine may commit without some documents that it was
    /// given; this number, counted beforehand, reveals that.
    pub(crate) documents: u64,
}

impl Committed {
    pub(crate) fn new(checkpoint: Checkpoint, documents: u64) -> Self {
        Self {
            version: schema::VERSION,
            checkpoint,
            documents,
        }
    }

    /// The payload of the engine's commit.
    pub(crate) fn payload(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|error| Error::Files(error.into()))
    }

    /// What the newest commit of an index records. Fails if it does not fit this program or the documents that are
    /// there.
    pub(crate) fn load(index: &tantivy::Index) -> Result<Self> {
        let metas = index.load_metas().map_err(Error::while_opening)?;
        let Some(payload) = metas.payload else {
            let is_fresh = metas.segments.is_empty();
            return if is_fresh {
                Ok(Self::new(Checkpoint::default(), 0))
            } else {
                Err(Error::rebuild("its commit does not name a position"))
            };
        };
        let value: serde_json::Value = serde_json::from_str(&payload)
            .map_err(|_| Error::rebuild("its commit does not name a position"))?;
        if value.get("version") != Some(&schema::VERSION.into()) {
            return Err(Error::rebuild("its version differs"));
        }
        let committed: Self = serde_json::from_value(value)
            .map_err(|_| Error::rebuild("its commit does not name a position"))?;
        let held: u64 = metas
            .segments
            .iter()
            .map(|segment| u64::from(segment.num_docs()))
            .sum();
        committed.check(held)?;
        Ok(committed)
    }

    /// Fails unless there are as many documents as were committed.
    pub(crate) fn check(&self, held: u64) -> Result<()> {
        if held == self.documents {
            return Ok(());
        }
        tracing::error!(
            index.documents = held,
            index.expected = self.documents,
            "search index holds {held} documents where {} were committed",
            self.documents
        );
        Err(Error::rebuild(
            "its number of documents differs from the number committed",
        ))
    }
}
