//! One suite for both databases: always SQLite, and PostgreSQL if `TEST_DATABASE_URL` names one.

mod access;
mod actions;
mod agents;
mod alerts;
mod clocks;
mod concurrency;
mod disk;
mod feedback;
mod findings;
mod knowledge;
mod log;
mod market;
mod memories;
mod monitors;
mod naming;
mod opening;
mod pages;
mod pruning;
mod publishing;
mod queue;
mod reading;
mod receipts;
mod repeating;
mod reports;
mod runs;
pub(crate) mod samples;
mod trends;
mod webhooks;

use std::future::Future;

use model::DataMode;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{Location, Store};

/// A fresh place for a store.
struct Place {
    location: Location,
    _directory: Option<TempDir>,
}

impl Place {
    async fn open(&self) -> Store {
        Store::open(&self.location, DataMode::Real).await.unwrap()
    }

    fn is_sqlite(&self) -> bool {
        matches!(self.location, Location::Directory(_))
    }
}

/// Runs a test on a fresh SQLite directory, then on a fresh PostgreSQL schema, which is dropped at the end.
async fn on_each_database<Test, Outcome>(test: Test)
where
    Test: Fn(Place) -> Outcome,
    Outcome: Future<Output = ()> + Send + 'static,
{
    let directory = TempDir::new().unwrap();
    let location = Location::Directory(directory.path().join("data"));
    test(Place {
        location,
        _directory: Some(directory),
    })
    .await;

    let Ok(base) = std::env::var("TEST_DATABASE_URL") else {
        println!("TEST_DATABASE_URL is not set: PostgreSQL is left out");
        return;
    };
    let schema = format!("assay_test_{}", Uuid::new_v4().simple());
    let mut admin = PgConnection::connect(&base).await.unwrap();
    admin
        .execute(AssertSqlSafe(format!("CREATE SCHEMA {schema}")))
        .await
        .unwrap();
    let joint = if base.contains('?') { '&' } else { '?' };
    let location = Location::Postgres(format!("{base}{joint}options%5Bsearch_path%5D={schema}"));
    let outcome = tokio::spawn(test(Place {
        location,
        _directory: None,
    }))
    .await;
    admin
        .execute(AssertSqlSafe(format!("DROP SCHEMA {schema} CASCADE")))
        .await
        .unwrap();
    if let Err(failure) = outcome {
        std::panic::resume_unwind(failure.into_panic());
    }
}
