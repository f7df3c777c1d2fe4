//! Importers that are killed now and then and begin the same file again.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::place::Place;

/// A loop that imports one file after the other.
pub(crate) struct Importer {
    control: Arc<Control>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Control {
    kill: Notify,
    is_ending: AtomicBool,
    killed: AtomicU64,
    imported: AtomicU64,
}

impl Importer {
    /// `file` makes or names the file of each round; `least` rounds are done in any case.
    pub(crate) fn start(
        place: Arc<Place>,
        kind: &'static str,
        least: u64,
        file: impl Fn(u64) -> PathBuf + Send + 'static,
    ) -> Self {
        let control = Arc::new(Control::default());
        let task = tokio::spawn(run(place, kind, least, file, control.clone()));
        Self { control, task }
    }

    /// `kill -9` to the process that is running, or to the next one.
    pub(crate) fn kill(&self) {
        self.control.kill.notify_one();
    }

    /// Lets it finish; returns how many files it imported and how often it was killed.
    pub(crate) async fn finish(self) -> (u64, u64) {
        self.control.is_ending.store(true, Ordering::SeqCst);
        self.task.await.unwrap();
        (
            self.control.imported.load(Ordering::SeqCst),
            self.control.killed.load(Ordering::SeqCst),
        )
    }
}

async fn run(
    place: Arc<Place>,
    kind: &'static str,
    least: u64,
    file: impl Fn(u64) -> PathBuf,
    control: Arc<Control>,
) {
    let mut round = 0;
    while round < least || !control.is_ending.load(Ordering::SeqCst) {
        let path = file(round);
        let arguments = ["import", kind, path.to_str().unwrap(), "--backfill"];
        let mut child = place.assay(&arguments).spawn().unwrap();
        let is_killed = tokio::select! {
            status = child.wait() => {
                let status = status.unwrap();
                assert!(status.success(), "import of {kind} ended with {status}\n{}", place.log());
                false
            }
            () = control.kill.notified() => true,
        };
        if is_killed {
            child.kill().await.unwrap();
            control.killed.fetch_add(1, Ordering::SeqCst);
        } else {
            round += 1;
            control.imported.fetch_add(1, Ordering::SeqCst);
        }
    }
}
