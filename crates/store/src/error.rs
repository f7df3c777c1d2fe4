//! Why the store could not respond.

use std::path::PathBuf;

/// The result of a store call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why the store could not respond.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// May succeed if retried after a pause.
    #[error("database is busy")]
    Busy,
    /// A row no longer fits its type: a bug or a hand edit, never the caller's fault.
    #[error("stored {table} row {id} cannot be read")]
    Corrupt {
        /// The table it is in.
        table: &'static str,
        /// Its key.
        id: String,
    },
    /// The data was written by a newer version of Assay. Nothing was changed.
    #[error(
        "data have schema version {found}, this assay knows up to {known}; nothing was changed, use a newer assay"
    )]
    NewerSchema {
        /// The version of the data.
        found: i64,
        /// The newest version that this program supports.
        known: i64,
    },
    /// A data directory is either demo or real, permanently.
    #[error("data are {is}, not {wanted}: a data directory is demo or real for ever")]
    WrongMode {
        /// What the data is.
        is: &'static str,
        /// What was asked for.
        wanted: &'static str,
    },
    /// There is no data at that location.
    #[error("no assay data in {0}")]
    Missing(String),
    /// A unique value is already taken, or the state that the change builds on has moved on.
    #[error("conflicts with what is stored")]
    Conflict,
    /// Somebody already has as many of something as anyone may have.
    #[error("an account has at most {most} {kind}")]
    Full {
        /// What there is too much of.
        kind: &'static str,
        /// The maximum number.
        most: u64,
    },
    /// The database address would send rows and the password in plain text over a network.
    #[error(
        "database host {host:?} is not this machine, and sslmode={mode} may go there in plain text: \
         use sslmode=verify-full or require, or sslmode=disable where the network is trusted"
    )]
    PlainText {
        /// The host.
        host: String,
        /// What the address asks for.
        mode: &'static str,
    },
    /// The database address has an unknown parameter, which may be a misspelt password. Its value is not part of the
    /// error.
    #[error("database address has an unknown parameter {0:?}")]
    UnknownParameter(String),
    /// The target of a backup must not exist yet.
    #[error("{0} exists already")]
    Exists(PathBuf),
    /// This database does not support that.
    #[error("not supported on this database: {0}")]
    Unsupported(&'static str),
    /// A value cannot be written as JSON.
    #[error("{table} cannot be written")]
    Encode {
        /// The table it was meant for.
        table: &'static str,
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
    /// A document cannot be packed.
    #[error("{table} cannot be packed")]
    Pack {
        /// The table it was meant for.
        table: &'static str,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The data directory cannot be used.
    #[error("{path} cannot be used")]
    Files {
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The database failed.
    #[error("database failed")]
    Database(#[source] sqlx::Error),
}

impl Error {
    /// Whether the same call may succeed after a pause.
    pub const fn is_busy(&self) -> bool {
        matches!(self, Self::Busy)
    }

    pub(crate) fn corrupt(table: &'static str, id: impl Into<String>) -> Self {
        Self::Corrupt {
            table,
            id: id.into(),
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::PoolTimedOut) {
            return Self::Busy;
        }
        if let sqlx::Error::Database(cause) = &error {
            if cause.is_unique_violation() || cause.is_foreign_key_violation() {
                return Self::Conflict;
            }
            if cause.code().is_some_and(|code| means_busy(&code)) {
                return Self::Busy;
            }
        }
        Self::Database(error)
    }
}

/// SQLite: busy and locked with their extended forms. PostgreSQL: serialisation failure, deadlock, lock timeout,
/// too many connections, starting up or shutting down.
fn means_busy(code: &str) -> bool {
    const POSTGRES: [&str; 6] = ["40001", "40P01", "55P03", "53300", "57P03", "57P01"];
    POSTGRES.contains(&code)
        || (code.len() < 5
            && code
                .parse::<i32>()
                .is_ok_and(|code| matches!(code & 0xff, 5 | 6)))
}
