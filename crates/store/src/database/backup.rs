//! A copy of the database while it is in use.

use std::path::Path;

use sqlx::SqlSafeStr;
use sqlx::{ConnectOptions, Connection};

use super::{Database, Pools, Value, Work, private_file, statement};
use crate::Error;

impl Database {
    /// Writes a consistent copy to a new file. Readers and writers carry on.
    pub(crate) fn copy_to<'a>(&'a self, to: &'a Path) -> Work<'a, ()> {
        Box::pin(async move {
            let Pools::Sqlite { durable, .. } = &self.pools else {
                return Err(Error::Unsupported("use pg_dump to back up PostgreSQL"));
            };
            let fault = |source: std::io::Error| match source.kind() {
                std::io::ErrorKind::AlreadyExists => Error::Exists(to.to_owned()),
                _ => Error::Files {
                    path: to.to_owned(),
                    source,
                },
            };
            // Created first, so that it is never readable by others; SQLite accepts an empty file.
            let file = private_file()
                .write(true)
                .create_new(true)
                .open(to)
                .await
                .map_err(fault)?;
            let copied = async {
                let name = to
                    .to_str()
                    .ok_or_else(|| fault(std::io::ErrorKind::InvalidFilename.into()))?;
                // A separate connection: a copy takes a long time, and the pools must not wait for it.
                let mut connection = durable.connect_options().as_ref().clone().connect().await?;
                let target = vec![Value::Text(Some(name.to_owned()))];
                let outcome = statement::sqlite_execute(
                    &mut connection,
                    "VACUUM INTO $1".into_sql_str(),
                    target,
                )
                .await;
                connection.close().await?;
                outcome?;
                file.sync_all().await.map_err(fault)
            }
            .await;
            if copied.is_err()
                && let Err(error) = tokio::fs::remove_file(to).await
            {
                tracing::warn!(%error, "unfinished backup stays behind");
            }
            copied
        })
    }
}
