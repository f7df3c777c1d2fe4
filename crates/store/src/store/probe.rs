//! Whether a small write reaches the disk.
//!
//! A row alone does not prove this: SQLite's write-ahead log reuses its existing blocks, so only the write that makes
//! it grow detects a full disk. So a file is written as well, as large as that growth.

use std::path::Path;

use tokio::io::AsyncWriteExt;

use crate::database::{Database, Durability, private_file, values};
use crate::{Error, Result};

const FILE: &str = "assay.probe";
const BYTES: usize = 256 * 1024;

/// Writes a row that carries no information and, on SQLite, a file that is then removed.
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
    // Without a sync: a lack of space shows when the write is accepted, and a file that is removed again causes no disk
    // wear.
    file.flush().await
}
