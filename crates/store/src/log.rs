//! The log of receipts: a Merkle tree with the receipts as its leaves, and the checkpoints signed for it.
//!
//! The hashes are computed elsewhere; this module stores them and makes sure that the tree has neither holes nor
//! duplicates. A node is the hash of a complete subtree, so it never changes once written.

use std::collections::{BTreeSet, HashMap};

use model::Timestamp;

use crate::database::{Database, Durability, Row, Tx, Value, tuples, values};
use crate::{Error, Result};

/// How many nodes are looked up at a time.
const CHUNK: usize = 128;

/// Where a node is in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogPlace {
    /// The height of its subtree; 0 is a leaf.
    pub level: u32,
    /// Its index within its level: it covers the leaves from `position << level` on.
    pub position: u64,
}

/// The hash of a complete subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogNode {
    /// Where it is.
    pub place: LogPlace,
    /// Its hash.
    pub hash: [u8; 32],
}

/// A signed statement about the log at a given size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// How many leaves the log had.
    pub size: u64,
    /// What was signed, with its signature.
    pub text: String,
    /// When.
    pub created_at: Timestamp,
}

/// The log of receipts.
#[derive(Clone, Copy, Debug)]
pub struct Log<'a> {
    pub(crate) database: &'a Database,
}

impl Log<'_> {
    /// How many leaves it has.
    pub async fn size(&self) -> Result<u64> {
        let size = self.database.number(SIZE, Vec::new()).await?;
        Ok(u64::try_from(size).unwrap_or(0))
    }

    /// The hashes at these places, in order. [`Error::Corrupt`] names a place where the log has no node.
    pub async fn hashes(&self, places: &[LogPlace]) -> Result<Vec<[u8; 32]>> {
        let mut found = HashMap::with_capacity(places.len());
        for some in places.chunks(CHUNK) {
            let (sql, values) = nodes_at(some);
            collect(&self.database.rows(sql, values).await?, &mut found)?;
        }
        in_order(places, &found)
    }

    /// Stores a checkpoint and returns the one that is valid for its size: the first one stored.
    pub async fn keep_checkpoint(&self, checkpoint: &Checkpoint) -> Result<Checkpoint> {
        let mut tx = self.database.begin(Durability::Power).await?;
        tx.execute(
            "INSERT INTO checkpoint (size, content, created_at) VALUES ($1, $2, $3) ON CONFLICT (size) DO NOTHING",
            values![checkpoint.size, &checkpoint.text, checkpoint.created_at],
        )
        .await?;
        let kept = tx.row(CHECKPOINT_AT, values![checkpoint.size]).await?;
        tx.commit().await?;
        read_checkpoint(&kept.ok_or(Error::Busy)?)
    }

    /// The checkpoint for that size.
    pub async fn checkpoint(&self, size: u64) -> Result<Option<Checkpoint>> {
        let row = self.database.row(CHECKPOINT_AT, values![size]).await?;
        row.as_ref().map(read_checkpoint).transpose()
    }

    /// The checkpoint with the greatest size among those from one origin, which is the first line of the note.
    pub async fn newest_checkpoint_of(&self, origin: &str) -> Result<Option<Checkpoint>> {
        let sql = "SELECT size, content, created_at FROM checkpoint WHERE substr(content, 1, $1) = $2 \
                   ORDER BY size DESC LIMIT 1";
        let line = format!("{origin}\n");
        let length = line.chars().count() as u64;
        let row = self.database.row(sql, values![length, line]).await?;
        row.as_ref().map(read_checkpoint).transpose()
    }

    /// The checkpoint with the greatest size.
    pub async fn newest_checkpoint(&self) -> Result<Option<Checkpoint>> {
        let sql = "SELECT size, content, created_at FROM checkpoint ORDER BY size DESC LIMIT 1";
        let row = self.database.row(sql, Vec::new()).await?;
        row.as_ref().map(read_checkpoint).transpose()
    }
}

const SIZE: &str = "SELECT size FROM log_head";
const CHECKPOINT_AT: &str = "SELECT size, content, created_at FROM checkpoint WHERE size = $1";

/// Adds `count` leaves inside a transaction that holds the log's lock, and returns the index of the first.
///
/// `grow` receives the current size with the largest complete subtrees, from the left, and returns every node that
/// becomes complete. The store does not compute hashes, but it refuses nodes that would leave a hole or be written
/// twice.
pub(crate) async fn extend(
    tx: &mut Tx,
    count: u64,
    grow: impl FnOnce(u64, &[LogNode]) -> Vec<LogNode> + Send,
) -> Result<u64> {
    let size = u64::try_from(tx.number(SIZE, Vec::new()).await?).unwrap_or(0);
    let edge = right_edge(size);
    let mut found = HashMap::with_capacity(edge.len());
    if !edge.is_empty() {
        let (sql, values) = nodes_at(&edge);
        collect(&tx.rows(sql, values).await?, &mut found)?;
    }
    let hashes = in_order(&edge, &found)?;
    let edge: Vec<LogNode> = edge
        .into_iter()
        .zip(hashes)
        .map(|(place, hash)| LogNode { place, hash })
        .collect();
    let grown = size + count;
    let nodes = grow(size, &edge);
    let places: BTreeSet<LogPlace> = nodes.iter().map(|node| node.place).collect();
    if places.len() != nodes.len() || places != completed(size, grown) {
        return Err(Error::corrupt("log_node", format!("{size} to {grown}")));
    }
    let mut rows: Vec<Value> = Vec::with_capacity(nodes.len() * 3);
    for LogNode { place, hash } in &nodes {
        rows.extend(values![place.level, place.position, hash.as_slice()]);
    }
    tx.insert(
        "INSERT INTO log_node (level, position, hash) VALUES",
        "",
        3,
        rows,
    )
    .await?;
    let sql = "UPDATE log_head SET size = $1 WHERE size = $2";
    if tx.execute(sql, values![grown, size]).await? != 1 {
        return Err(Error::Conflict);
    }
    Ok(size)
}

/// The largest complete subtrees of a log of that size, from the left: one for each bit that is set.
fn right_edge(size: u64) -> Vec<LogPlace> {
    (0..u64::BITS)
        .rev()
        .filter(|level| (size >> level) & 1 == 1)
        .map(|level| LogPlace {
            level,
            position: (size >> level) - 1,
        })
        .collect()
}

/// The subtrees that become complete between two sizes.
fn completed(before: u64, after: u64) -> BTreeSet<LogPlace> {
    (0..u64::BITS)
        .take_while(|level| after >> level > 0)
        .flat_map(|level| {
            (before >> level..after >> level).map(move |position| LogPlace { level, position })
        })
        .collect()
}

/// The statement that reads nodes. A few statement sizes serve any number of places; the last place pads them.
fn nodes_at(places: &[LogPlace]) -> (String, Vec<Value>) {
    let size = places.len().next_power_of_two();
    let sql = format!(
        "SELECT level, position, hash FROM log_node WHERE (level, position) IN (VALUES {})",
        tuples(size, 2)
    );
    let last = places.last().copied().unwrap_or_default();
    let all = places.iter().copied().chain(std::iter::repeat(last));
    let values = all
        .take(size)
        .flat_map(|place| values![place.level, place.position]);
    (sql, values.collect())
}

fn collect(rows: &[Row], found: &mut HashMap<LogPlace, [u8; 32]>) -> Result<()> {
    for row in rows {
        let (level, position) = (row.int(0)?, row.int(1)?);
        let corrupt = || Error::corrupt("log_node", format!("{level}/{position}"));
        let place = LogPlace {
            level: u32::try_from(level).map_err(|_| corrupt())?,
            position: u64::try_from(position).map_err(|_| corrupt())?,
        };
        found.insert(place, row.blob(2)?.try_into().map_err(|_| corrupt())?);
    }
    Ok(())
}

fn in_order(places: &[LogPlace], found: &HashMap<LogPlace, [u8; 32]>) -> Result<Vec<[u8; 32]>> {
    places
        .iter()
        .map(|place| {
            found.get(place).copied().ok_or_else(|| {
                Error::corrupt("log_node", format!("{}/{}", place.level, place.position))
            })
        })
        .collect()
}

fn read_checkpoint(row: &Row) -> Result<Checkpoint> {
    Ok(Checkpoint {
        size: row.count(0)?,
        text: row.text(1)?,
        created_at: row.time(2)?,
    })
}
