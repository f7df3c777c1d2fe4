//! The journal: every charge is in a file before its answer leaves, so that a killed process loses none.
//!
//! A segment holds the charges of one batch and is removed when the batch is in the ledger. What a killed process left
//! behind is read and written to the ledger at the next start, under the same batch number, so that a batch which had
//! arrived counts once. A record is handed to the operating system, not to the disk: that survives the process, and the
//! ledger itself is flushed to the disk every 100 ms. One process at a time uses a directory.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use model::{KeyId, Timestamp};
use store::{AccountKey, BatchId, LedgerEntry, LedgerKind, Store};
use uuid::Uuid;

use super::record;

const MAGIC: &[u8; 8] = b"assay\0\0\x01";
const EXTENSION: &str = "charges";
const LOCK: &str = "lock";
/// A segment that grows beyond this is closed, and another begun.
const LONGEST_SEGMENT: u64 = 1 << 20;
/// Segments are far smaller; a longer file is none of ours.
const LONGEST_FILE: u64 = 4 * LONGEST_SEGMENT;
/// How long the ledger remembers which batches of a journal it has. What lay still for longer is not read again, because
/// it could be counted twice.
const REMEMBERED_MS: i64 = 400 * Timestamp::DAY_MS;

/// Why the journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JournalError {
    /// Another process has it.
    #[error("journal {0} is in use by another process")]
    InUse(PathBuf),
    /// The directory or a file in it cannot be used.
    #[error("journal {path} cannot be used")]
    Files {
        /// Which file or directory.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// What was left behind cannot be written to the ledger.
    #[error("charges of the journal cannot be written to the ledger")]
    Store(#[from] store::Error),
}

/// The directory, held for this process.
#[derive(Debug)]
pub(super) struct Journal {
    directory: PathBuf,
    /// Names this run of the process in the ledger.
    pub(super) id: Uuid,
    /// Unlocked when it is closed, and so at the latest by the end of the process.
    _lock: File,
}

/// A file with the charges of one batch.
#[derive(Debug)]
pub(super) struct Segment {
    path: PathBuf,
    file: File,
    /// How far it is whole.
    length: u64,
    /// The end could not be cut off after a failed write: what followed would not be found.
    is_broken: bool,
}

impl Journal {
    /// Takes the directory and writes what was left there to the ledger.
    pub(super) async fn open(
        directory: &Path,
        store: &Store,
        now: Timestamp,
    ) -> Result<Self, JournalError> {
        let failed = |source| JournalError::Files {
            path: directory.to_owned(),
            source,
        };
        std::fs::create_dir_all(directory).map_err(failed)?;
        let lock = private_file()
            .create(true)
            .open(directory.join(LOCK))
            .map_err(failed)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::InUse(directory.to_owned()));
            }
            // On a file system without locks the operator sees to it that only one process works here.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        store
            .ledger()
            .prune_journals(now.plus_ms(-REMEMBERED_MS))
            .await?;
        let mut left: Vec<Left> = Vec::new();
        for entry in std::fs::read_dir(directory).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|word| word == EXTENSION) {
                let read = Left::read(&path);
                left.extend(read.map_err(|source| JournalError::Files { path, source })?);
            }
        }
        // The ledger knows the last batch of each journal, so they come in order.
        left.sort_by_key(|segment| (segment.id.journal, segment.id.number));
        for segment in left {
            segment.settle(store, now).await?;
        }
        Ok(Self {
            directory: directory.to_owned(),
            id: Uuid::new_v4(),
            _lock: lock,
        })
    }

    /// Begins the segment of a batch.
    pub(super) fn segment(&self, number: u64, now: Timestamp) -> io::Result<Segment> {
        let name = format!("{}-{number:012}.{EXTENSION}", self.id.simple());
        let path = self.directory.join(name);
        let mut head = MAGIC.to_vec();
        head.extend(self.id.as_bytes());
        head.extend(number.to_le_bytes());
        head.extend(now.ms().to_le_bytes());
        let file = private_file().create_new(true).open(&path)?;
        let mut segment = Segment {
            path,
            file,
            length: 0,
            is_broken: false,
        };
        match segment.append(&head) {
            Ok(()) => Ok(segment),
            Err(error) => {
                segment.remove();
                Err(error)
            }
        }
    }

    /// Brings the names of the segments to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        File::open(&self.directory)?.sync_all()
    }
}

impl Segment {
    /// Appends whole records or nothing.
    pub(super) fn append(&mut self, records: &[u8]) -> io::Result<()> {
        if self.is_broken {
            return Err(io::Error::other("an earlier record is cut off"));
        }
        match self.file.write_all(records) {
            Ok(()) => {
                self.length += records.len() as u64;
                Ok(())
            }
            Err(error) => {
                // Part of it may be there, and nothing behind it would be found.
                self.is_broken = self.file.set_len(self.length).is_err();
                Err(error)
            }
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_broken || self.length >= LONGEST_SEGMENT
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Another handle, to bring it to the disk without holding anybody up.
    pub(super) fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// The batch is in the ledger, or never came to be.
    pub(super) fn remove(&self) {
        remove(&self.path);
    }
}

/// A segment that another run left behind.
struct Left {
    path: PathBuf,
    id: BatchId,
    begun: Timestamp,
    entries: Vec<LedgerEntry>,
    /// Bytes at its end that are no record.
    unread: usize,
}

impl Left {
    /// `None` where the file is not a segment as this program writes them.
    fn read(path: &Path) -> io::Result<Option<Self>> {
        let length = std::fs::metadata(path)?.len();
        let bytes = if length <= LONGEST_FILE {
            std::fs::read(path)?
        } else {
            Vec::new()
        };
        let mut rest = bytes.as_slice();
        let mut head = || {
            let magic: [u8; 8] = record::take(&mut rest)?;
            let journal = Uuid::from_bytes(record::take(&mut rest)?);
            let number = u64::from_le_bytes(record::take(&mut rest)?);
            let begun = Timestamp::from_ms(i64::from_le_bytes(record::take(&mut rest)?));
            (&magic == MAGIC).then_some((BatchId { journal, number }, begun))
        };
        let Some((id, begun)) = head() else {
            if length == 0 {
                // Killed between making the file and its first record.
                remove(path);
            } else {
                tracing::error!(
                    "{} is not a segment of the charge journal and is left alone",
                    path.display()
                );
            }
            return Ok(None);
        };
        let (entries, unread) = record::decode(rest);
        Ok(Some(Self {
            path: path.to_owned(),
            id,
            begun,
            entries: summed(entries),
            unread,
        }))
    }

    /// Writes it to the ledger unless it is there, and removes it.
    async fn settle(self, store: &Store, now: Timestamp) -> Result<(), JournalError> {
        let name = self.path.display();
        if self.unread > 0 {
            tracing::warn!(
                "{name}: the last {} bytes are not a complete charge",
                self.unread
            );
        }
        // A little earlier than the ledger forgets.
        if now.since_ms(self.begun) > REMEMBERED_MS - Timestamp::DAY_MS {
            tracing::error!("{name} is too old to be written to the ledger and is left alone");
            return Ok(());
        }
        if !self.entries.is_empty()
            && store
                .ledger()
                .append_batch(self.id, &self.entries, now)
                .await?
        {
            let credits: u64 = self.entries.iter().map(|entry| entry.credits).sum();
            tracing::info!(
                ledger.rows = self.entries.len(),
                ledger.credits = credits,
                "charges of {credits} credits left in the journal by an earlier run are now in the ledger"
            );
        }
        remove(&self.path);
        Ok(())
    }
}

/// Charges of one row together, as they would have been written.
fn summed(entries: Vec<LedgerEntry>) -> Vec<LedgerEntry> {
    type Same = (AccountKey, Option<KeyId>, String, bool, i64);
    let mut rows: BTreeMap<Same, LedgerEntry> = BTreeMap::new();
    for entry in entries {
        let same = (
            entry.account.clone(),
            entry.key,
            entry.endpoint.clone(),
            entry.kind == LedgerKind::Refund,
            entry.at.day(),
        );
        match rows.entry(same) {
            std::collections::btree_map::Entry::Occupied(mut same) => {
                let other = same.get_mut();
                other.calls = other.calls.saturating_add(entry.calls);
                other.credits = other.credits.saturating_add(entry.credits);
                other.overage.0 = other.overage.0.saturating_add(entry.overage.0);
                other.at = other.at.max(entry.at);
            }
            std::collections::btree_map::Entry::Vacant(free) => {
                free.insert(entry);
            }
        }
    }
    rows.into_values().collect()
}

fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_file(path) {
        // Read again at the next start, it changes nothing: the ledger knows its number.
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "{} cannot be removed: {error}",
            path.display()
        );
    }
}

/// Appending, and for the owner alone.
fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
