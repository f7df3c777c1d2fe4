//! Whether a small write reaches the disk.
//!
//! A row alone does not show it: SQLite's write-ahead log reuses the blocks that it has, so that a full disk is noticed
//! only by the write that makes it grow. Hence a file beside it as well, as large as such a growth.

use std::path::Path;

use tokio::io::AsyncWriteExt;

use crate::database::{Database, Durability, private_file, values};
use crate::{Error, Result};

const FILE: &str = "assay.probe";
const BYTES: usize = 256 * 1024;

/// Writes a row that says nothing, and on SQLite a file that is removed again.
pub(crate) async fn probe(database: &Database) -> Result<()> {
    if let Some(directory) = database.directory() {
        let path = directory.join(FILE);
        let written = write(&path).await;
        let removed = tokio::fs::remove_file(&path).await;
        written.and(removed).map_err(|source| Error::Files {
            path: path.clone(),
            source,
        })?;
    }
    let sql = "INSERT INTO setting (name, value) VALUES ($1, $2) \
               ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    let mut tx = database.begin(Durability::Power).await?;
    let token = uuid::Uuid::new_v4().simple().to_string();
    tx.execute(sql, values!["probe", token]).await?;
    tx.commit().await
}

async fn write(path: &Path) -> std::io::Result<()> {
    let mut file = private_file()
        .create(true)
        .write(true)
        .truncate(true)
        .open(path)
        .await?;
    file.write_all(&vec![0x5a; BYTES]).await?;
    // Without a sync: room is found, or missed, when the write is taken, and a file that is gone again wears no disk.
    file.flush().await
}
