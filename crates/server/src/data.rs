//! The data directory: where the store and the index live.

use std::path::{Path, PathBuf};

use anyhow::Context;
use model::DataMode;
use store::{Location, Store};

use crate::config::Config;

/// A data directory with its configuration.
#[derive(Clone, Debug)]
pub(crate) struct DataDirectory {
    pub(crate) path: PathBuf,
    pub(crate) config: Config,
    /// The configuration file, if one was named.
    pub(crate) config_file: Option<PathBuf>,
}

impl DataDirectory {
    /// The directory of a command and the configuration that applies there.
    pub(crate) fn new(path: PathBuf, config_file: Option<&Path>) -> anyhow::Result<Self> {
        let config = Config::load(config_file, &path)?;
        Ok(Self {
            path,
            config,
            config_file: config_file.map(Path::to_path_buf),
        })
    }

    fn location(&self) -> Location {
        if self.config.store.url.is_empty() {
            Location::Directory(self.path.clone())
        } else {
            Location::Postgres(self.config.store.url.expose().to_owned())
        }
    }

    /// Opens the store, creating it if there is none; refuses a store of the other mode.
    pub(crate) async fn open(&self, mode: DataMode) -> anyhow::Result<Store> {
        Store::open(&self.location(), mode)
            .await
            .with_context(|| self.named())
    }

    /// Opens the store in whatever mode it has; a new one is for real data.
    pub(crate) async fn open_any(&self) -> anyhow::Result<Store> {
        match Store::open_existing(&self.location()).await {
            Ok(store) => Ok(store),
            Err(store::Error::Missing(_)) => self.open(DataMode::Real).await,
            Err(error) => Err(error).with_context(|| self.named()),
        }
    }

    /// Opens a store that must be there.
    pub(crate) async fn open_existing(&self) -> anyhow::Result<Store> {
        Store::open_existing(&self.location())
            .await
            .with_context(|| self.named())
    }

    /// Where the search index is.
    pub(crate) fn index_path(&self) -> PathBuf {
        self.path.join("index")
    }

    /// Where charges are kept before they are in the ledger.
    pub(crate) fn journal_path(&self) -> PathBuf {
        self.path.join("journal")
    }

    fn named(&self) -> String {
        format!("data directory {}", self.path.display())
    }
}
