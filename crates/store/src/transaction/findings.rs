//! Writes what a revision states: opens what is new, closes what is gone, and leaves the time of what stays unchanged.

use std::collections::BTreeMap;

use model::{Brief, Timestamp};

use super::NewsTransaction;
use crate::database::values;
use crate::entities::entity_key;
use crate::findings::{CONTRADICTION, EVENT};
use crate::{Error, Result};

macro_rules! close {
    () => {
        "UPDATE finding SET known_to = $1 WHERE kind = $2 AND brief = $3 AND identity = $4 \
         AND known_to = 9223372036854775807"
    };
}

const CLOSE: &str = close!();

/// Kind and identity within the brief.
type Key = (&'static str, String);

/// One row without its time columns.
#[derive(PartialEq)]
struct Stated {
    word: &'static str,
    subject: String,
    document: String,
}

impl NewsTransaction {
    /// Writes the findings of a revision that replaces `previous`.
    pub(super) async fn write_findings(
        &mut self,
        brief: &Brief,
        known_from: Timestamp,
        previous: Option<&Brief>,
    ) -> Result<()> {
        let after = stated(brief)?;
        let before = previous.map(stated).transpose()?.unwrap_or_default();
        let is_moved = previous.is_some_and(|previous| previous.category != brief.category);
        let stays = |key: &Key| {
            !is_moved
                && before
                    .get(key)
                    .is_some_and(|row| after.get(key) == Some(row))
        };
        let mut since = BTreeMap::new();
        for key in before.keys().filter(|key| !stays(key)) {
            if !after.contains_key(key) {
                self.close_finding(brief, known_from, key).await?;
            } else if let Some(first) = self.replace_finding(brief, known_from, key).await? {
                since.insert(key, first);
            }
        }
        for (key, row) in after.iter().filter(|(key, _)| !stays(key)) {
            let (kind, identity) = key;
            self.pending.findings.extend(values![
                *kind,
                brief.id.0,
                identity,
                known_from,
                Timestamp::END,
                since.get(key).copied().unwrap_or(known_from),
                brief.category.as_str(),
                row.word,
                &row.subject,
                &row.document,
            ]);
        }
        Ok(())
    }

    /// Closes an open finding that is no longer stated.
    async fn close_finding(
        &mut self,
        brief: &Brief,
        at: Timestamp,
        (kind, identity): &Key,
    ) -> Result<()> {
        let values = values![at, *kind, brief.id.0, identity];
        self.tx.queue(CLOSE, values).await
    }

    /// Closes an open finding that is now stated differently; returns since when it was stated.
    async fn replace_finding(
        &mut self,
        brief: &Brief,
        at: Timestamp,
        (kind, identity): &Key,
    ) -> Result<Option<Timestamp>> {
        let values = values![at, *kind, brief.id.0, identity];
        let row = self
            .tx
            .row(concat!(close!(), " RETURNING since"), values)
            .await?;
        row.map(|row| row.time(0)).transpose()
    }
}

/// What a brief states. If two findings have the same identity, the first counts.
fn stated(brief: &Brief) -> Result<BTreeMap<Key, Stated>> {
    let encode = |source| Error::Encode {
        table: "finding",
        source,
    };
    let mut rows = BTreeMap::new();
    for event in &brief.events {
        let subject = entity_key(&event.subject);
        let object = event.object.as_deref().map(entity_key).unwrap_or_default();
        rows.entry((EVENT, format!("{}|{subject}|{object}", event.kind)))
            .or_insert(Stated {
                word: event.kind.as_str(),
                subject,
                document: serde_json::to_string(event).map_err(encode)?,
            });
    }
    for contradiction in &brief.contradictions {
        let sides: Vec<String> = contradiction
            .claims
            .iter()
            .map(|claim| claim.source.to_string())
            .collect();
        let identity = format!("{}|{}", contradiction.kind.as_str(), sides.join("|"));
        rows.entry((CONTRADICTION, identity)).or_insert(Stated {
            word: contradiction.severity.as_str(),
            subject: String::new(),
            document: serde_json::to_string(contradiction).map_err(encode)?,
        });
    }
    Ok(rows)
}
