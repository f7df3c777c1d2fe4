//! A data directory, the database that belongs to it, and the commands that are run there.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

/// Where the rows are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

pub(crate) struct Place {
    directory: TempDir,
    /// URL of the database and name of the schema, on PostgreSQL.
    pub(crate) postgres: Option<(String, String)>,
}

impl Place {
    /// A fresh one; `None` where there is no PostgreSQL to be had.
    pub(crate) fn new(kind: Kind) -> Option<Self> {
        let postgres = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => {
                let base = std::env::var("TEST_DATABASE_URL").ok()?;
                let schema = format!("assay_chaos_{}", uuid::Uuid::new_v4().simple());
                let joint = if base.contains('?') { '&' } else { '?' };
                let url = format!("{base}{joint}options%5Bsearch_path%5D={schema}");
                Some((url, schema))
            }
        };
        Some(Self {
            directory: TempDir::new().unwrap(),
            postgres,
        })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path("data")
    }

    /// Writes the configuration; `more` is added to it.
    pub(crate) fn configure(&self, more: &str) {
        let url = self.postgres.as_ref().map_or("", |(url, _)| url);
        std::fs::create_dir_all(self.data()).unwrap();
        let text = format!(
            "[server]\nlisten = \"127.0.0.1:0\"\ntrusted_proxies = [\"127.0.0.0/8\"]\nanonymous = \"on\"\n\
             [store]\nurl = \"{url}\"\n\
             [plans.free]\nrequests_per_minute = 1000000\ncredits_per_month = 1000000000\n{more}"
        );
        std::fs::write(self.data().join("assay.toml"), text).unwrap();
    }

    /// The binary with this directory; what it complains about is appended to a log.
    pub(crate) fn assay(&self, arguments: &[&str]) -> Command {
        let program = std::env::var("ASSAY_CHAOS_BINARY")
            .unwrap_or_else(|_| env!("CARGO_BIN_EXE_assay").to_owned());
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.path("log"))
            .unwrap();
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("ASSAY_DATA", self.data())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true);
        command
    }

    /// Runs a command to its end and returns what it printed.
    pub(crate) async fn run(&self, arguments: &[&str]) -> String {
        let output = self.assay(arguments).output().await.unwrap();
        self.printed(arguments, &output)
    }

    /// Opens an account without limits and returns a key of it.
    pub(crate) async fn account(&self, email: &str) -> String {
        let add = ["user", "add", "--email", email, "--password-stdin"];
        let mut child = self.assay(&add).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"correct horse battery").await.unwrap();
        drop(stdin);
        let output = child.wait_with_output().await.unwrap();
        self.printed(&add, &output);
        let create = ["key", "create", "--email", email, "--name", "chaos"];
        self.run(&create).await.trim().to_owned()
    }

    pub(crate) fn printed(&self, arguments: &[&str], output: &Output) -> String {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "assay {arguments:?} ended with {}: {text}\n{}",
            output.status,
            self.log()
        );
        text
    }

    /// The end of what all processes complained about.
    pub(crate) fn log(&self) -> String {
        let text = read(&self.path("log"));
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }

    /// Drops the schema on PostgreSQL.
    pub(crate) async fn remove(self) {
        let (Some((_, schema)), Ok(base)) = (&self.postgres, std::env::var("TEST_DATABASE_URL"))
        else {
            return;
        };
        let mut admin = PgConnection::connect(&base).await.unwrap();
        let sql = format!("DROP SCHEMA IF EXISTS {schema} CASCADE");
        admin.execute(AssertSqlSafe(sql)).await.unwrap();
    }
}

fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
