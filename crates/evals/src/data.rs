//! Labelled files, found by folder and prefix.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;

/// A folder of labelled data.
pub(crate) struct Data {
    folder: PathBuf,
}

impl Data {
    pub(crate) fn open(folder: PathBuf) -> anyhow::Result<Self> {
        if !folder.is_dir() {
            bail!("there is no folder {}", folder.display());
        }
        Ok(Self { folder })
    }

    /// The files whose names begin with a prefix such as `news/clusters_gold_wikinews`, in the order of their names.
    pub(crate) fn files(&self, prefix: &str) -> Vec<PathBuf> {
        let (folder, start) = prefix.rsplit_once('/').unwrap_or(("", prefix));
        let Ok(entries) = fs::read_dir(self.folder.join(folder)) else {
            return Vec::new();
        };
        let mut found: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                path.file_name()
                    .and_then(|name| name.to_str())
                    .is_some_and(|name| name.starts_with(start))
            })
            .collect();
        found.sort();
        found
    }

    /// The rows of all line-delimited JSON files of a prefix; `None`, said aloud, where there is no such file.
    pub(crate) fn rows<T: DeserializeOwned>(&self, prefix: &str) -> anyhow::Result<Option<Vec<T>>> {
        let files = self.files(prefix);
        if files.is_empty() {
            absent(prefix);
            return Ok(None);
        }
        let mut rows = Vec::new();
        for file in files {
            for (number, line) in read(&file)?.lines().enumerate() {
                if line.trim().is_empty() {
                    continue;
                }
                let row = serde_json::from_str(line)
                    .with_context(|| format!("{} line {}", file.display(), number + 1))?;
                rows.push(row);
            }
        }
        Ok(Some(rows))
    }

    /// The records of all comma-separated files of a prefix; `None`, said aloud, where there is no such file.
    pub(crate) fn records<T: DeserializeOwned>(
        &self,
        prefix: &str,
    ) -> anyhow::Result<Option<Vec<T>>> {
        let files = self.files(prefix);
        if files.is_empty() {
            absent(prefix);
            return Ok(None);
        }
        let mut records = Vec::new();
        for file in files {
            let text = read(&file)?;
            for record in csv::Reader::from_reader(text.as_bytes()).deserialize() {
                records.push(record.with_context(|| file.display().to_string())?);
            }
        }
        Ok(Some(records))
    }
}

/// The text of a file, plain or compressed by gzip.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let bytes = if path.extension().is_some_and(|extension| extension == "gz") {
        let mut plain = Vec::new();
        GzDecoder::new(bytes.as_slice())
            .read_to_end(&mut plain)
            .with_context(|| format!("cannot unpack {}", path.display()))?;
        plain
    } else {
        bytes
    };
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Says that a set is not there.
pub(crate) fn absent(prefix: &str) {
    println!("skipped: the data has no {prefix}*");
}
