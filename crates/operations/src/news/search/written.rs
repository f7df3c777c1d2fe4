//! Briefs as serialized for an earlier response.
//!
//! A revision never changes, so its fields are serialized once, in the form in which they are sent. Only whether it is
//! trending depends on the time of the request.

use std::collections::HashMap;
use std::sync::Arc;

use model::{BriefId, Timestamp};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde::ser::{Error as _, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use store::{Store, StoredBrief};

use crate::error::{Error, Result};
use crate::news::brief_body::BriefBody;
use crate::revision::NewsState;

/// Maximum size of the serialized briefs, in bytes.
const MOST_BYTES: u64 = 32 << 20;
/// Expected number of serialized briefs.
const EXPECTED: usize = 4_000;
/// The field that depends on the time of the request.
const TRENDING: &str = "trending";

/// Brief and revision.
type Key = (BriefId, u32);

/// Serialized briefs by revision.
pub(crate) struct WrittenBriefs(Cache<Key, Kept, ByBytes>);

#[derive(Clone)]
struct ByBytes;

/// A revision as it was stored.
#[derive(Clone)]
struct Kept {
    fields: Arc<Fields>,
    trending_at: Option<Timestamp>,
    /// A restored backup may have another revision with the same number, but not one written at the same time.
    written_at: (Timestamp, Timestamp),
    /// The state of the news before it was read. As long as this is unchanged, the store need not be queried.
    state: NewsState,
}

/// The fields of a [`BriefBody`] in their order, each as it is sent.
struct Fields(Vec<(String, Box<RawValue>)>);

/// A brief as it reads at a given time. Its fields are those of a [`BriefBody`].
pub(crate) struct WrittenBrief {
    fields: Arc<Fields>,
    trends: bool,
}

impl Weighter<Key, Kept> for ByBytes {
    fn weight(&self, _: &Key, kept: &Kept) -> u64 {
        let bytes = |(name, value): &(String, Box<RawValue>)| 64 + name.len() + value.get().len();
        (192 + kept.fields.0.iter().map(bytes).sum::<usize>()) as u64
    }
}

impl Default for WrittenBriefs {
    fn default() -> Self {
        Self(Cache::with_weighter(EXPECTED, MOST_BYTES, ByBytes))
    }
}

impl WrittenBriefs {
    /// The revisions as they read at a given time, in the order requested; `None` for one that the store no longer has.
    /// The state of the news is the one from before the call.
    pub(crate) async fn load(
        &self,
        store: &Store,
        state: NewsState,
        revisions: &[Key],
        at: Timestamp,
    ) -> Result<Vec<Option<WrittenBrief>>> {
        let mut found: Vec<Option<WrittenBrief>> = revisions
            .iter()
            .map(|key| {
                let kept = self.0.get(key).filter(|kept| kept.state == state)?;
                Some(kept.at(at))
            })
            .collect();
        let missing: Vec<Key> = revisions
            .iter()
            .zip(&found)
            .filter(|(_, found)| found.is_none())
            .map(|(key, _)| *key)
            .collect();
        if missing.is_empty() {
            return Ok(found);
        }
        let mut read = HashMap::with_capacity(missing.len());
        for stored in store.briefs().load(&missing).await? {
            read.insert((stored.brief.id, stored.brief.revision), stored);
        }
        for (key, found) in revisions.iter().zip(&mut found) {
            if found.is_none()
                && let Some(stored) = read.get(key)
            {
                *found = Some(self.keep(*key, stored, state)?.at(at));
            }
        }
        Ok(found)
    }

    fn keep(&self, key: Key, stored: &StoredBrief, state: NewsState) -> Result<Kept> {
        let written_at = (stored.known_from, stored.recorded_at);
        let former = self.0.get(&key);
        let fields = match former.filter(|former| former.written_at == written_at) {
            Some(former) => former.fields,
            None => Arc::new(Fields::of(&BriefBody::new(stored, stored.known_from))?),
        };
        let kept = Kept {
            fields,
            trending_at: stored.trending_at,
            written_at,
            state,
        };
        self.0.insert(key, kept.clone());
        Ok(kept)
    }
}

impl Kept {
    fn at(&self, at: Timestamp) -> WrittenBrief {
        WrittenBrief {
            fields: Arc::clone(&self.fields),
            trends: BriefBody::trends(self.trending_at, at),
        }
    }
}

impl Fields {
    fn of(body: &BriefBody) -> Result<Self> {
        let Value::Object(fields) = serde_json::to_value(body).map_err(Error::internal)? else {
            return Err(Error::internal(serde_json::Error::custom("no object")));
        };
        let written = fields
            .into_iter()
            .map(|(name, value)| Ok((name, to_raw_value(&value)?)));
        let written: serde_json::Result<_> = written.collect();
        Ok(Self(written.map_err(Error::internal)?))
    }
}

impl Serialize for WrittenBrief {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.0.len()))?;
        for (name, value) in &self.fields.0 {
            if name == TRENDING {
                map.serialize_entry(name, &self.trends)?;
            } else {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_million_briefs_stay_within_their_bytes() {
        let written = WrittenBriefs::default();
        let text = to_raw_value(&"x".repeat(2_000)).unwrap();
        let fields = Arc::new(Fields(vec![("body".to_owned(), text)]));
        let kept = Kept {
            fields,
            trending_at: None,
            written_at: (Timestamp::from_ms(0), Timestamp::from_ms(0)),
            state: NewsState::at(1),
        };
        for revision in 0..1_000_000 {
            written
                .0
                .insert((BriefId(Uuid::nil()), revision), kept.clone());
        }
        assert!(written.0.weight() <= MOST_BYTES, "{}", written.0.weight());
        assert!(written.0.len() > 1_000);
    }
}
