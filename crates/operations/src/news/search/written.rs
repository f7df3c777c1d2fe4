//! Briefs as they were written for an earlier answer.
//!
//! A revision never changes, so its fields are written once, in the form in which they are sent; only whether it trends
//! depends on the moment.

use std::sync::Arc;

use model::{BriefId, Timestamp};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde::ser::{Error as _, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use store::StoredBrief;

use crate::error::{Error, Result};
use crate::news::brief_body::BriefBody;

/// Bytes that the written briefs may take.
const MOST_BYTES: u64 = 32 << 20;
/// How many of them are expected.
const EXPECTED: usize = 4_000;
/// The field that depends on the moment.
const TRENDING: &str = "trending";

/// A revision: a restored backup may have another one of the same number, but not one written at the same time.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    brief_id: BriefId,
    revision: u32,
    known_from: i64,
    recorded_at: i64,
}

/// Written briefs by revision.
pub(crate) struct WrittenBriefs(Cache<Key, Arc<Fields>, ByBytes>);

#[derive(Clone)]
struct ByBytes;

/// The fields of a [`BriefBody`] in their order, each as it is sent.
struct Fields(Vec<(String, Box<RawValue>)>);

/// A brief as it reads at a given time; its fields are those of a [`BriefBody`].
pub(crate) struct WrittenBrief {
    fields: Arc<Fields>,
    trends: bool,
}

impl Weighter<Key, Arc<Fields>> for ByBytes {
    fn weight(&self, _: &Key, fields: &Arc<Fields>) -> u64 {
        let bytes = |(name, value): &(String, Box<RawValue>)| 64 + name.len() + value.get().len();
        (128 + fields.0.iter().map(bytes).sum::<usize>()) as u64
    }
}

impl Default for WrittenBriefs {
    fn default() -> Self {
        Self(Cache::with_weighter(EXPECTED, MOST_BYTES, ByBytes))
    }
}

impl WrittenBriefs {
    /// A stored brief as it reads at a given time.
    pub(crate) fn get(&self, stored: &StoredBrief, at: Timestamp) -> Result<WrittenBrief> {
        let key = Key {
            brief_id: stored.brief.id,
            revision: stored.brief.revision,
            known_from: stored.known_from.ms(),
            recorded_at: stored.recorded_at.ms(),
        };
        let fields = if let Some(fields) = self.0.get(&key) {
            fields
        } else {
            let fields = Arc::new(Fields::of(&BriefBody::new(stored, at))?);
            self.0.insert(key, Arc::clone(&fields));
            fields
        };
        Ok(WrittenBrief {
            fields,
            trends: BriefBody::trends(stored, at),
        })
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
        for revision in 0..1_000_000 {
            let key = Key {
                brief_id: BriefId(Uuid::nil()),
                revision,
                known_from: 0,
                recorded_at: 0,
            };
            written.0.insert(key, Arc::clone(&fields));
        }
        assert!(written.0.weight() <= MOST_BYTES, "{}", written.0.weight());
        assert!(written.0.len() > 1_000);
    }
}
