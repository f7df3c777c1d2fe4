//! A directory whose operations fail when a test wants them to.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

/// No space left on device.
pub(crate) const DISK_FULL: i32 = 28;
/// Too many open files.
pub(crate) const TOO_MANY_FILES: i32 = 24;

/// Which of the operations that change something fail, counted from one, and how.
#[derive(Debug)]
pub(crate) struct Plan {
    done: AtomicU64,
    from: AtomicU64,
    to: AtomicU64,
    errno: i32,
}

impl Plan {
    /// Nothing fails yet.
    pub(crate) fn new(errno: i32) -> Arc<Self> {
        Arc::new(Self {
            done: AtomicU64::new(0),
            from: AtomicU64::new(u64::MAX),
            to: AtomicU64::new(u64::MAX),
            errno,
        })
    }

    /// From now on the operations from `from` to before `to` fail.
    pub(crate) fn fail(&self, from: u64, to: u64) {
        let done = self.done();
        self.to.store(done.saturating_add(to), Ordering::SeqCst);
        self.from.store(done.saturating_add(from), Ordering::SeqCst);
    }

    /// Nothing fails any more.
    pub(crate) fn heal(&self) {
        self.from.store(u64::MAX, Ordering::SeqCst);
    }

    /// How many operations there were.
    pub(crate) fn done(&self) -> u64 {
        self.done.load(Ordering::SeqCst)
    }

    /// Whether the failure has begun.
    pub(crate) fn has_failed(&self) -> bool {
        self.done() >= self.from.load(Ordering::SeqCst)
    }

    fn step(&self) -> io::Result<()> {
        let number = self.done.fetch_add(1, Ordering::SeqCst) + 1;
        let fails =
            (self.from.load(Ordering::SeqCst)..self.to.load(Ordering::SeqCst)).contains(&number);
        if fails {
            Err(io::Error::from_raw_os_error(self.errno))
        } else {
            Ok(())
        }
    }
}

/// A directory over another one.
#[derive(Clone)]
pub(crate) struct FaultyDirectory {
    pub(crate) files: Box<dyn Directory>,
    pub(crate) plan: Arc<Plan>,
}

impl fmt::Debug for FaultyDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FaultyDirectory").finish_non_exhaustive()
    }
}

struct FaultyFile {
    file: WritePtr,
    plan: Arc<Plan>,
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.plan.step()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl TerminatingWrite for FaultyFile {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        self.plan.step()?;
        self.file.terminate_ref(token)
    }
}

impl Directory for FaultyDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.files.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.plan
            .step()
            .map_err(|error| OpenWriteError::wrap_io_error(error, path.to_owned()))?;
        let file = FaultyFile {
            file: self.files.open_write(path)?,
            plan: Arc::clone(&self.plan),
        };
        Ok(BufWriter::new(Box::new(file)))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.files.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.plan.step()?;
        self.files.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.plan.step()?;
        self.files.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.files.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
    }
}
