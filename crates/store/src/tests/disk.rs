//! The write probe: on both databases, and on a full disk.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use model::DataMode;

use super::on_each_database;
use crate::{Error, Location, Store};

#[tokio::test]
async fn a_small_write_reaches_the_disk() {
    on_each_database(|place| async move {
        let store = place.open().await;
        store.probe().await.unwrap();
        let first = store.setting("probe").await.unwrap();
        store.probe().await.unwrap();
        assert_ne!(store.setting("probe").await.unwrap(), first);
    })
    .await;
}

#[tokio::test]
async fn a_directory_that_takes_no_files_fails_the_probe() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(
        &Location::Directory(directory.path().into()),
        DataMode::Real,
    )
    .await
    .unwrap();
    std::fs::create_dir(directory.path().join("assay.probe")).unwrap();
    assert!(matches!(store.probe().await, Err(Error::Files { .. })));
    std::fs::remove_dir(directory.path().join("assay.probe")).unwrap();
    store.probe().await.unwrap();
}

/// A small disk of its own; `None` if we are not allowed to mount one.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"])
            .arg(at)
            .output();
        mounted
            .is_ok_and(|mounted| mounted.status.success())
            .then(|| Self(at.to_owned()))
    }

    /// Fills the disk to the last byte.
    fn fill(&self) {
        let mut filler = std::fs::File::create(self.0.join("filler")).unwrap();
        for bytes in [1 << 20, 4_096] {
            let block = vec![1; bytes];
            while filler.write_all(&block).is_ok() {}
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

#[tokio::test]
async fn a_full_disk_fails_the_probe_until_there_is_room() {
    let directory = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(directory.path()) else {
        println!("no right to mount a small disk: left out");
        return;
    };
    let place = Location::Directory(disk.0.join("data"));
    let store = Store::open(&place, DataMode::Real).await.unwrap();
    store.probe().await.unwrap();
    disk.fill();
    match store.probe().await {
        Err(Error::Files { source, .. }) => assert_eq!(source.kind(), ErrorKind::StorageFull),
        other => panic!("{other:?}"),
    }
    std::fs::remove_file(disk.0.join("filler")).unwrap();
    store.probe().await.unwrap();
    store.close().await;
}
