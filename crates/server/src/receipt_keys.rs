//! The keys that sign receipts, as files of the data directory.
//!
//! `keys/receipts.pem` is the private key in the form that OpenSSL reads, for its owner alone; it is made at the first start.
//! `keys/retired/*.pem` are the public keys of those that signed before it. Nothing prints a private key.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use operations::ReceiptKeys;
use verify::receipt::keys::{PrivateKey, PublicKey};

/// Where the private key of a data directory is.
pub(crate) fn private_key_file(data: &Path) -> PathBuf {
    data.join("keys").join("receipts.pem")
}

/// Where the public keys are that signed before.
pub(crate) fn retired_folder(data: &Path) -> PathBuf {
    data.join("keys").join("retired")
}

/// The keys of a data directory; a private key is made where there is none.
pub(crate) fn load_or_create(data: &Path) -> anyhow::Result<ReceiptKeys> {
    let file = private_key_file(data);
    let active = match fs::read_to_string(&file) {
        Ok(pem) => PrivateKey::from_pem(&pem)
            .with_context(|| format!("{} cannot be read as a private key", file.display()))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => create(&file)?,
        Err(error) => return Err(error).with_context(|| file.display().to_string()),
    };
    Ok(ReceiptKeys {
        active: Arc::new(active),
        retired: retired(&retired_folder(data))?,
    })
}

/// Makes a private key and writes it, readable for its owner alone.
pub(crate) fn create(file: &Path) -> anyhow::Result<PrivateKey> {
    let key = PrivateKey::from_random(&rand::random());
    let shown = || file.display().to_string();
    if let Some(folder) = file.parent() {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .with_context(shown)?;
    }
    let mut opened = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file)
        .with_context(shown)?;
    opened
        .write_all(key.to_pem()?.as_bytes())
        .and_then(|()| opened.sync_all())
        .with_context(shown)?;
    Ok(key)
}

fn retired(folder: &Path) -> anyhow::Result<Vec<PublicKey>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| folder.display().to_string()),
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "pem"))
        .collect();
    files.sort();
    files
        .iter()
        .map(|path| {
            let pem = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            PublicKey::from_pem(&pem)
                .with_context(|| format!("{} cannot be read as a public key", path.display()))
        })
        .collect()
}
