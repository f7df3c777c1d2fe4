//! The keys that sign receipts, as files in the data directory.
//!
//! `keys/receipts.pem` is the private key in the format that OpenSSL reads, accessible to its owner only; it is created
//! at the first start. `keys/retired/*.pem` are the public keys of earlier signing keys. A private key is never
//! printed.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use operations::ReceiptKeys;
use verify::receipt::keys::{PrivateKey, PublicKey};

/// The location of a data directory's private key.
pub(crate) fn private_key_file(data: &Path) -> PathBuf {
    data.join("keys").join("receipts.pem")
}

/// The location of the public keys of earlier signing keys.
pub(crate) fn retired_folder(data: &Path) -> PathBuf {
    data.join("keys").join("retired")
}

/// The keys of a data directory; a private key is created if there is none.
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

/// Creates a private key and writes it, readable by its owner only. An existing key stays.
pub(crate) fn create(file: &Path) -> anyhow::Result<PrivateKey> {
    let key = PrivateKey::from_random(&rand::random());
    let shown = || file.display().to_string();
    if let Some(folder) = file.parent() {
        make_own_folder(folder).with_context(shown)?;
    }
    let written = write_beside(file, 0o600, &key.to_pem()?).with_context(shown)?;
    // Unlike a rename, a link does not replace a key that another process has created in the meantime.
    let linked = fs::hard_link(&written, file);
    fs::remove_file(&written)
        .and_then(|()| match linked {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            linked => linked,
        })
        .and_then(|()| sync_folder_of(file))
        .with_context(shown)?;
    // The other process's key, if there was one.
    let pem = fs::read_to_string(file).with_context(shown)?;
    PrivateKey::from_pem(&pem).with_context(shown)
}

/// The keys before and after a rotation.
#[derive(Debug)]
pub(crate) struct Rotated {
    /// Signed until now.
    pub(crate) old: PublicKey,
    /// Signs from the next start.
    pub(crate) new: PublicKey,
}

/// Replaces the signing key with a new private key. The old one's public key joins the retired ones, so that what it
/// signed stays provable. Wherever this is interrupted, there is a key that signs, and the public key of every key that
/// ever did.
pub(crate) fn rotate(data: &Path) -> anyhow::Result<Rotated> {
    let file = private_key_file(data);
    let old = load_or_create(data)?.active.public_key();
    let folder = retired_folder(data);
    let kept = folder.join(format!("{}.pem", old.id()));
    make_own_folder(&folder)
        .and_then(|()| write_beside(&kept, 0o644, &old.to_pem().map_err(std::io::Error::other)?))
        .and_then(|written| fs::rename(written, &kept))
        .and_then(|()| sync_folder_of(&kept))
        .with_context(|| kept.display().to_string())?;
    let key = PrivateKey::from_random(&rand::random());
    write_beside(&file, 0o600, &key.to_pem()?)
        .and_then(|written| fs::rename(written, &file))
        .and_then(|()| sync_folder_of(&file))
        .with_context(|| file.display().to_string())?;
    Ok(Rotated {
        old,
        new: key.public_key(),
    })
}

/// Creates a folder that only its owner may enter.
fn make_own_folder(folder: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// A changed name is on disk once its folder is.
fn sync_folder_of(file: &Path) -> std::io::Result<()> {
    match file.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// Writes a text to disk under a name next to `file`, so that a rename or a link can put it in place as a whole.
fn write_beside(file: &Path, mode: u32, text: &str) -> std::io::Result<PathBuf> {
    let beside = file.with_extension(format!("{:016x}.part", rand::random::<u64>()));
    let mut opened = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(&beside)?;
    opened.write_all(text.as_bytes())?;
    opened.sync_all()?;
    Ok(beside)
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_a_rotated_key_signed_stays_provable() {
        let data = tempfile::tempdir().unwrap();
        let first = load_or_create(data.path()).unwrap();
        let signature = first.active.sign(b"message");
        let second = rotate(data.path()).unwrap();
        let third = rotate(data.path()).unwrap();
        assert_eq!(second.old, first.active.public_key());
        assert_eq!(third.old, second.new);

        let now = load_or_create(data.path()).unwrap();
        assert_eq!(now.active.public_key(), third.new);
        let found = now
            .find(&first.active.public_key().id().to_string())
            .unwrap();
        assert!(found.verifies(b"message", &signature));
        assert_eq!(now.retired.len(), 2);

        // The private key is accessible to its owner only, and no other trace of it is left.
        let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode() & 0o777;
        let file = private_key_file(data.path());
        assert_eq!(mode(&file), 0o600);
        assert_eq!(mode(file.parent().unwrap()), 0o700);
        let mut left: Vec<_> = fs::read_dir(file.parent().unwrap())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["receipts.pem", "retired"]);
    }

    #[test]
    fn a_key_that_another_made_meanwhile_stays() {
        let data = tempfile::tempdir().unwrap();
        let first = load_or_create(data.path()).unwrap().active.public_key();
        let second = create(&private_key_file(data.path())).unwrap();
        assert_eq!(second.public_key(), first);
    }
}
