//! Writing records: versions of one identity follow each other in the order they became known.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use model::Timestamp;

use super::{Comparison, Record, RecordFacets};
use crate::database::{Tx, Value, parameters, values};
use crate::market::Written;
use crate::{Error, Result};

/// How many identities are looked up at a time.
const CHUNK: usize = 128;

/// A record on its way in.
#[derive(Clone, Debug)]
pub(crate) struct NewRecord {
    kind: &'static str,
    facets: RecordFacets,
    known_at: Timestamp,
    document: String,
    compare: Option<fn(&str, &str) -> Comparison>,
}

impl NewRecord {
    pub(crate) fn of<R: Record>(record: &R, known_at: Timestamp) -> Result<Self> {
        let document = serde_json::to_string(record).map_err(|source| Error::Encode {
            table: "record",
            source,
        })?;
        Ok(Self {
            kind: R::KIND,
            facets: record.facets(),
            known_at,
            document,
            compare: R::COMPARE,
        })
    }

    /// How it compares with a version.
    fn beside(&self, version: &Version) -> Comparison {
        if self.document == version.document {
            return Comparison::Same(Ordering::Equal);
        }
        self.compare.map_or(Comparison::Other, |compare| {
            compare(&self.document, &version.document)
        })
    }

    /// Whether it says everything that a version says.
    fn contains(&self, version: &Version) -> bool {
        matches!(self.beside(version), Comparison::Same(_) | Comparison::More)
    }

    /// Where it belongs among the versions of its identity, oldest first.
    fn place(&self, versions: &[Version]) -> Place {
        // The versions known by then; the last of them was in force.
        let stood = versions.partition_point(|one| one.known_from <= self.known_at);
        let first = stood.saturating_sub(1);
        let is_of_same_time = versions[first..stood]
            .iter()
            .any(|one| one.known_from == self.known_at);
        // Differing reports from several sources about one time are revisions, each placed after those before it.
        let next = if is_of_same_time && self.compare.is_some() {
            versions.len()
        } else {
            stood
        };
        let mut instead = None;
        for (index, version) in versions.iter().enumerate().take(next).skip(first) {
            match self.beside(version) {
                Comparison::More | Comparison::Same(Ordering::Greater) if is_of_same_time => {
                    instead = instead.or(Some((index, version.known_from)));
                }
                Comparison::Less | Comparison::Same(_) => return Place::Known,
                Comparison::More | Comparison::Other => {}
            }
        }
        if let Some((index, known_from)) = instead {
            return Place::Of(index, known_from);
        }
        match versions.get(next) {
            Some(version) if version.document == self.document => Place::Known,
            Some(version) if self.contains(version) => Place::Of(next, self.known_at),
            _ => Place::Before(next),
        }
    }
}

/// Where a record belongs among the versions of its identity.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Nowhere: it adds nothing new.
    Known,
    /// In place of a version that says no more than it does, known since a given time.
    Of(usize, Timestamp),
    /// Before the version at this index.
    Before(usize),
}

/// A version that is stored or about to be.
#[derive(Clone, Debug)]
struct Version {
    known_from: Timestamp,
    known_to: Timestamp,
    document: String,
    /// Its position among the rows waiting to be written; `None` if it is already stored.
    waits: Option<usize>,
}

/// The columns of a row; some of them hold from when and until when a version is in force, and what it says.
const COLUMNS: usize = 12;
const KNOWN_FROM: usize = 2;
const KNOWN_TO: usize = 3;
const WORD: usize = 7;
const AMOUNT: usize = 8;
const CONTENT: usize = 9;
const DOCUMENT: usize = 11;

/// Writes records within a transaction.
#[derive(Debug)]
pub(crate) struct RecordWriter {
    recorded_at: Timestamp,
    /// By kind: the identities written so far, if nothing of the kind was stored before; nobody looks up any others.
    fresh: HashMap<&'static str, Option<HashSet<String>>>,
    /// Whether anything already known has since been put into the words of another source.
    pub(crate) has_replaced: bool,
}

impl RecordWriter {
    pub(crate) fn new(recorded_at: Timestamp) -> Self {
        Self {
            recorded_at,
            fresh: HashMap::new(),
            has_replaced: false,
        }
    }

    pub(crate) async fn put(&mut self, tx: &mut Tx, records: Vec<NewRecord>) -> Result<Written> {
        let mut written = Written::default();
        let mut records = records;
        // The versions of one identity, in order, next to each other: most of what they replace is waiting in the same
        // chunk.
        records.sort_by(|left, right| left.facets.id.cmp(&right.facets.id));
        let mut records = records.into_iter();
        while records.len() > 0 {
            let chunk = records.by_ref().take(CHUNK).collect();
            written.add(self.put_chunk(tx, chunk).await?);
        }
        Ok(written)
    }

    async fn put_chunk(&mut self, tx: &mut Tx, records: Vec<NewRecord>) -> Result<Written> {
        let mut stored = self.stored(tx, &records).await?;
        let mut written = Written::default();
        let mut rows: Vec<Vec<Value>> = Vec::new();
        for record in records {
            let versions = stored.entry(record.facets.id.clone()).or_default();
            let place = match record.place(versions) {
                Place::Known => {
                    written.known += 1;
                    continue;
                }
                Place::Of(place, known_from) => {
                    let is_repeated = versions.get(place).is_some_and(|version| {
                        version.known_from == known_from
                            && matches!(record.beside(version), Comparison::Same(_))
                    });
                    replace(tx, &mut rows, &record, versions, (place, known_from)).await?;
                    if is_repeated {
                        written.known += 1;
                        self.has_replaced = true;
                    } else {
                        written.corrected += 1;
                    }
                    continue;
                }
                Place::Before(place) => place,
            };
            let known_to = versions
                .get(place)
                .map_or(Timestamp::END, |one| one.known_from);
            let mut known_from = record.known_at;
            if let Some(previous) = versions[..place].last_mut() {
                if previous.known_from >= known_from {
                    // Reported differently for the same time: known from now on.
                    known_from = self.recorded_at.max(previous.known_from.plus_ms(1));
                }
                if known_from >= known_to {
                    written.known += 1;
                    continue;
                }
                end(tx, &mut rows, &record, previous, known_from).await?;
                written.corrected += 1;
            } else {
                written.added += 1;
            }
            versions.insert(
                place,
                Version {
                    known_from,
                    known_to,
                    document: record.document.clone(),
                    waits: Some(rows.len()),
                },
            );
            let RecordFacets {
                id,
                symbol,
                day,
                word,
                amount,
                text,
                bundle,
            } = record.facets;
            rows.push(values![
                record.kind,
                id,
                known_from,
                known_to,
                self.recorded_at,
                symbol,
                i64::from(day.get()),
                word,
                amount,
                text,
                bundle,
                record.document,
            ]);
        }
        self.insert(tx, rows.into_iter().flatten().collect())
            .await?;
        Ok(written)
    }

    /// The stored versions of the identities of a chunk, oldest first.
    async fn stored(
        &mut self,
        tx: &mut Tx,
        records: &[NewRecord],
    ) -> Result<HashMap<String, Vec<Version>>> {
        let Some(kind) = records.first().map(|record| record.kind) else {
            return Ok(HashMap::new());
        };
        if !self.fresh.contains_key(kind) {
            let sql =
                "SELECT COUNT(*) FROM (SELECT 1 FROM record WHERE kind = $1 LIMIT 1) AS first";
            let is_fresh = tx.number(sql, values![kind]).await? == 0;
            self.fresh.insert(kind, is_fresh.then(HashSet::new));
        }
        let ids = records.iter().map(|record| record.facets.id.as_str());
        let mut asked: Vec<&str> = ids.clone().collect();
        if let Some(Some(written)) = self.fresh.get_mut(kind) {
            asked.retain(|id| written.contains(*id));
            written.extend(ids.map(str::to_owned));
        }
        versions(tx, kind, &asked).await
    }

    async fn insert(&self, tx: &mut Tx, rows: Vec<Value>) -> Result<()> {
        tx.queue_insert(
            "INSERT INTO record (kind, id, known_from, known_to, recorded_at, symbol, day, word, amount, content, bundle, \
             document) VALUES",
            "",
            COLUMNS,
            rows,
        )
        .await
    }

    pub(crate) async fn bundle<R: Record>(&self, tx: &mut Tx, bundle: &str) -> Result<Vec<R>> {
        let sql = "SELECT id, document FROM record WHERE kind = $1 AND bundle = $2 \
                   AND known_to = 9223372036854775807 ORDER BY id";
        tx.rows(sql, values![R::KIND, bundle])
            .await?
            .iter()
            .map(|row| {
                serde_json::from_str(&row.text(1)?)
                    .map_err(|_| Error::corrupt("record", row.text(0).unwrap_or_default()))
            })
            .collect()
    }

    /// Versions about no symbol, with an identity after a given one, by identity; each with the time from which it was
    /// known.
    pub(crate) async fn without_symbol<R: Record>(
        &self,
        tx: &mut Tx,
        after: &str,
        most: u64,
    ) -> Result<Vec<(Timestamp, R)>> {
        let sql = "SELECT id, known_from, document FROM record WHERE kind = $1 AND symbol = '' AND id > $2 \
                   ORDER BY id, known_from LIMIT $3";
        tx.rows(sql, values![R::KIND, after, most])
            .await?
            .iter()
            .map(|row| {
                let record = R::parse(&row.text(2)?)
                    .map_err(|_| Error::corrupt("record", row.text(0).unwrap_or_default()))?;
                Ok((row.time(1)?, record))
            })
            .collect()
    }

    /// Writes a version again once it has become clear what it is about; `false` if that is already on record
    /// separately.
    pub(crate) async fn restate<R: Record>(
        &self,
        tx: &mut Tx,
        (id, known_from): (&str, Timestamp),
        record: &R,
    ) -> Result<bool> {
        let new = NewRecord::of(record, known_from)?;
        let sql = "UPDATE record SET symbol = $1, content = $2, bundle = $3, document = $4, id = $5 \
                   WHERE kind = $6 AND id = $7 AND known_from = $8 AND ($5 = $7 OR NOT EXISTS \
                   (SELECT 1 FROM record other WHERE other.kind = $6 AND other.id = $5 \
                   AND other.known_from < record.known_to AND other.known_to > record.known_from))";
        let RecordFacets {
            id: new_id,
            symbol,
            text,
            bundle,
            ..
        } = new.facets;
        let values = values![
            symbol,
            text,
            bundle,
            new.document,
            new_id,
            R::KIND,
            id,
            known_from
        ];
        Ok(tx.execute(sql, values).await? > 0)
    }

    pub(crate) async fn close(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        id: &str,
        at: Timestamp,
    ) -> Result<bool> {
        let sql = "UPDATE record SET known_to = CASE WHEN known_from > $1 THEN known_from ELSE $1 END \
                   WHERE kind = $2 AND id = $3 AND known_to = 9223372036854775807";
        Ok(tx.execute(sql, values![at, kind, id]).await? > 0)
    }
}

/// Ends a version at a time, if it is in force longer than that.
async fn end(
    tx: &mut Tx,
    rows: &mut [Vec<Value>],
    record: &NewRecord,
    version: &mut Version,
    at: Timestamp,
) -> Result<()> {
    if version.known_to <= at {
        return Ok(());
    }
    if let Some(row) = version.waits {
        rows[row][KNOWN_TO] = at.into();
    } else {
        let sql = "UPDATE record SET known_to = $1 WHERE kind = $2 AND id = $3 AND known_from = $4";
        let values = values![at, record.kind, &record.facets.id, version.known_from];
        tx.queue(sql, values).await?;
    }
    version.known_to = at;
    Ok(())
}

/// Puts a record in place of a version that says no more than it does, known since a given time. It also replaces those
/// directly after it that say no more, as it would have done if it had come first.
async fn replace(
    tx: &mut Tx,
    rows: &mut [Vec<Value>],
    record: &NewRecord,
    versions: &mut Vec<Version>,
    (place, known_from): (usize, Timestamp),
) -> Result<()> {
    let goes_on = |versions: &[Version]| match versions {
        [version, next, ..] => version.known_to == next.known_from && record.contains(next),
        _ => false,
    };
    while goes_on(&versions[place..]) {
        let next = versions.remove(place + 1);
        versions[place].known_to = next.known_to;
        if let Some(row) = next.waits {
            rows[row].clear();
        } else {
            let sql = "DELETE FROM record WHERE kind = $1 AND id = $2 AND known_from = $3";
            let values = values![record.kind, &record.facets.id, next.known_from];
            tx.queue(sql, values).await?;
        }
    }
    let (before, version) = versions.split_at_mut(place);
    let Some(version) = version.first_mut() else {
        return Ok(());
    };
    if let Some(previous) = before.last_mut() {
        end(tx, rows, record, previous, known_from).await?;
    }
    let facets = &record.facets;
    if let Some(row) = version.waits {
        let row = &mut rows[row];
        row[KNOWN_FROM] = known_from.into();
        row[KNOWN_TO] = version.known_to.into();
        row[WORD] = facets.word.as_str().into();
        row[AMOUNT] = facets.amount.into();
        row[CONTENT] = facets.text.as_str().into();
        row[DOCUMENT] = record.document.as_str().into();
    } else {
        let sql = "UPDATE record SET known_from = $1, known_to = $2, word = $3, amount = $4, content = $5, document = $6 \
                   WHERE kind = $7 AND id = $8 AND known_from = $9";
        let values = values![
            known_from,
            version.known_to,
            &facets.word,
            facets.amount,
            &facets.text,
            record.document.as_str(),
            record.kind,
            &facets.id,
            version.known_from
        ];
        tx.queue(sql, values).await?;
    }
    version.known_from = known_from;
    version.document.clone_from(&record.document);
    Ok(())
}

/// The stored versions of these identities, oldest first.
async fn versions(tx: &mut Tx, kind: &str, ids: &[&str]) -> Result<HashMap<String, Vec<Version>>> {
    let mut found: HashMap<String, Vec<Version>> = HashMap::new();
    let Some(last) = ids.last() else {
        return Ok(found);
    };
    // A few statement sizes serve every number; the last identity pads them.
    let size = ids.len().next_power_of_two();
    let sql = format!(
        "SELECT id, known_from, known_to, document FROM record WHERE kind = $1 AND id IN ({}) ORDER BY id, known_from",
        parameters(2, size)
    );
    let mut values = values![kind];
    values.extend(
        ids.iter()
            .chain(std::iter::repeat(last))
            .take(size)
            .map(|id| Value::from(*id)),
    );
    for row in tx.rows(sql, values).await? {
        found.entry(row.text(0)?).or_default().push(Version {
            known_from: row.time(1)?,
            known_to: row.time(2)?,
            document: row.text(3)?,
            waits: None,
        });
    }
    Ok(found)
}
