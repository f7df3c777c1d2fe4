//! Building an index next to the one in use, and putting it in its place.
//!
//! The replacement of `index` is built in `index.new` and marked when it is finished. The swap is two renames under the
//! writer's lock; a crash between them is repaired by whoever opens the directory next. Readers keep the files they
//! have open until they reopen. While another process writes, a finished replacement waits: the writing process sees
//! [`Index::replacement_waits`], drops its writer and takes a new one.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tantivy::Directory;
use tantivy::directory::{DirectoryLock, INDEX_WRITER_LOCK, MmapDirectory};

use crate::checkpoint::Checkpoint;
use crate::error::{Error, Result};
use crate::index::Index;
use crate::writer::{RevisionDocument, Writer};

/// The file that marks a replacement as finished.
const FINISHED: &str = "finished";

/// An index that is being built next to another.
pub struct Replacement {
    directory: PathBuf,
    writer: Writer,
}

/// How a swap ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Swap {
    /// The replacement is in place; handles see it when they reopen.
    Done,
    /// Somebody is writing to the old index. The replacement is finished, and goes into place when the index is next
    /// opened, reopened or given a writer while nobody is writing.
    Waiting,
}

impl Replacement {
    /// Removes an unfinished or waiting replacement; [`Error::Locked`] while somebody is building one.
    pub(crate) fn start(directory: &Path) -> Result<Self> {
        let beside = beside(directory, "new");
        if beside.is_dir() {
            let lock = lock(&beside)?;
            remove(&beside)?;
            drop(lock);
        }
        let writer = Index::open(&beside)?.writer()?;
        Ok(Self {
            directory: directory.to_owned(),
            writer,
        })
    }

    /// Same as [`Writer::put`].
    pub fn put(&mut self, revision: &RevisionDocument<'_>) -> Result<()> {
        self.writer.put(revision)
    }

    /// Same as [`Writer::commit`]. Only the last one counts for the swap.
    pub fn commit(&mut self, checkpoint: &Checkpoint) -> Result<()> {
        self.writer.commit(checkpoint)
    }

    /// Finishes the replacement and puts it in place if nobody is writing to the old index.
    pub fn swap(self) -> Result<Swap> {
        self.writer.finish()?;
        let mark = beside(&self.directory, "new").join(FINISHED);
        fs::File::create(mark)
            .and_then(|file| file.sync_all())
            .map_err(Error::Files)?;
        settle(&self.directory)
    }
}

/// Whether there is a finished replacement next to the directory.
pub(crate) fn is_waiting(directory: &Path) -> bool {
    beside(directory, "new").join(FINISHED).is_file()
}

/// Puts a finished replacement in place, including one whose swap broke off half-way.
pub(crate) fn settle(directory: &Path) -> Result<Swap> {
    let old = beside(directory, "old");
    if !is_waiting(directory) {
        if old.is_dir() && directory.is_dir() {
            remove(&old)?;
        }
        return Ok(Swap::Done);
    }
    let new = beside(directory, "new");
    let lock = match directory.is_dir().then(|| lock(directory)).transpose() {
        Ok(lock) => lock,
        Err(Error::Locked) => return Ok(Swap::Waiting),
        Err(other) => return Err(other),
    };
    if lock.is_some() {
        remove(&old)?;
        fs::rename(directory, &old).map_err(Error::Files)?;
    }
    fs::rename(&new, directory).map_err(Error::Files)?;
    fs::remove_file(directory.join(FINISHED)).map_err(Error::Files)?;
    drop(lock);
    if let Err(error) = remove(&old) {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "replaced search index could not be removed yet"
        );
    }
    Ok(Swap::Done)
}

fn lock(directory: &Path) -> Result<DirectoryLock> {
    let files = MmapDirectory::open(directory).map_err(tantivy::TantivyError::from)?;
    Ok(files.acquire_lock(&INDEX_WRITER_LOCK)?)
}

fn remove(directory: &Path) -> Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::Files(error)),
        _ => Ok(()),
    }
}

/// The directory with the same name and a suffix.
fn beside(directory: &Path, suffix: &str) -> PathBuf {
    let mut name = directory.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}
