//! Opening, refusing, reopening, copying.

use model::DataMode;
use tempfile::TempDir;

use super::on_each_database;
use super::samples::{News, found, hour, publish};
use crate::database::values;
use crate::{Error, Location, Mark, Store};

#[tokio::test]
async fn another_mode_and_a_newer_schema_are_refused() {
    on_each_database(|place| async move {
        assert!(matches!(
            Store::open_existing(&place.location).await,
            Err(Error::Missing(_))
        ));
        let store = place.open().await;
        assert_eq!(store.mode(), DataMode::Real);
        let version = store.counts().await.unwrap().schema_version;
        let refused = Store::open(&place.location, DataMode::Demo).await;
        assert!(matches!(
            refused,
            Err(Error::WrongMode {
                is: "real",
                wanted: "demo"
            })
        ));
        assert_eq!(
            Store::open_existing(&place.location).await.unwrap().mode(),
            DataMode::Real
        );

        store
            .database()
            .write(
                "UPDATE schema_version SET version = $1",
                values![version + 7],
            )
            .await
            .unwrap();
        let Err(Error::NewerSchema { found, known }) = Store::open_existing(&place.location).await
        else {
            panic!("a newer schema must be refused");
        };
        assert_eq!((found, known), (version + 7, version));
        assert_eq!(
            store.counts().await.unwrap().schema_version,
            version + 7,
            "nothing was changed"
        );
    })
    .await;
}

#[tokio::test]
async fn many_may_open_a_new_store_at_once() {
    on_each_database(|place| async move {
        let opened =
            futures::future::join_all((0..6).map(|_| Store::open(&place.location, DataMode::Demo)))
                .await;
        for store in opened {
            assert_eq!(store.unwrap().mode(), DataMode::Demo);
        }
    })
    .await;
}

#[tokio::test]
async fn what_was_committed_survives_an_end_without_goodbye() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (brief, _) = publish(&store, &News::new(1, hour(0))).await;
        let mut transaction = store.news_transaction().await.unwrap();
        found(&mut transaction, &News::new(2, hour(1)))
            .await
            .unwrap();
        // The handle and the half-done transaction go away as they would with the process.
        drop(transaction);
        drop(store);
        let store = place.open().await;
        assert_eq!(
            *store
                .briefs()
                .current(brief.id)
                .await
                .unwrap()
                .unwrap()
                .brief,
            brief
        );
        assert_eq!(store.counts().await.unwrap().articles, 1);
    })
    .await;
}

/// Not a test itself: the process that the test below kills.
#[tokio::test]
#[ignore = "started by another test in its own process"]
async fn writer_to_be_killed() {
    let Ok(directory) = std::env::var("ASSAY_TEST_VICTIM") else {
        return;
    };
    let store = Store::open(&Location::Directory(directory.into()), DataMode::Real)
        .await
        .unwrap();
    for number in 0.. {
        publish(&store, &News::new(number, hour(0))).await;
        println!("committed {number}");
    }
}

#[tokio::test]
async fn a_killed_process_loses_nothing_that_it_committed() {
    use std::io::BufRead;
    use std::process::{Command, Stdio};

    let directory = TempDir::new().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "tests::opening::writer_to_be_killed",
            "--ignored",
            "--nocapture",
        ])
        .env("ASSAY_TEST_VICTIM", directory.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    let committed = lines
        .map_while(Result::ok)
        .filter(|line| line.contains("committed"))
        .take(40)
        .count() as u64;
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(committed, 40);
    let store = Store::open_existing(&Location::Directory(directory.path().to_owned()))
        .await
        .unwrap();
    let counts = store.counts().await.unwrap();
    assert!(counts.articles >= committed, "{counts:?}");
    assert_eq!(
        (counts.articles, counts.articles),
        (counts.briefs, counts.outbox_unsequenced)
    );
    assert_eq!(
        store.articles().since(0, 10_000).await.unwrap().len() as u64,
        counts.articles
    );
}

#[tokio::test]
async fn memory_is_gone_with_its_last_handle() {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    publish(&store, &News::new(1, hour(0))).await;
    let mut transaction = store.news_transaction().await.unwrap();
    found(&mut transaction, &News::new(2, hour(0)))
        .await
        .unwrap();
    assert_eq!(
        store.counts().await.unwrap().articles,
        1,
        "readers don't wait for an open transaction"
    );
    transaction.commit().await.unwrap();
    assert_eq!(store.counts().await.unwrap().articles, 2);
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;

    let directory = TempDir::new().unwrap();
    let data = directory.path().join("deep/data");
    let store = Store::open(&Location::Directory(data.clone()), DataMode::Real)
        .await
        .unwrap();
    publish(&store, &News::new(1, hour(0))).await;
    let rights =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(rights(&data), 0o700);
    for file in std::fs::read_dir(&data).unwrap() {
        assert_eq!(rights(&file.unwrap().path()), 0o600);
    }
}

#[tokio::test]
async fn a_directory_that_is_a_file_is_named() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("occupied");
    std::fs::write(&path, "x").unwrap();
    assert!(matches!(
        Store::open(&Location::Directory(path), DataMode::Real).await,
        Err(Error::Files { .. })
    ));
}

#[tokio::test]
async fn a_copy_made_while_writing_is_whole() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let target = TempDir::new().unwrap();
        let copy = target.path().join("assay.sqlite");
        if !place.is_sqlite() {
            assert!(matches!(
                store.backup(&copy).await,
                Err(Error::Unsupported(_))
            ));
            return;
        }
        for number in 0..50 {
            publish(&store, &News::new(number, hour(0))).await;
        }
        let writing = tokio::spawn({
            let store = store.clone();
            async move {
                for number in 50..120 {
                    publish(&store, &News::new(number, hour(0))).await;
                }
            }
        });
        store.backup(&copy).await.unwrap();
        assert!(matches!(store.backup(&copy).await, Err(Error::Exists(_))));
        writing.await.unwrap();

        let restored = Store::open_existing(&Location::Directory(target.path().to_owned()))
            .await
            .unwrap();
        let counts = restored.counts().await.unwrap();
        assert!(counts.articles >= 50, "{counts:?}");
        assert_eq!(
            (counts.articles, counts.articles),
            (counts.briefs, counts.revisions)
        );
        let rows = |sql: &'static str| {
            let restored = restored.clone();
            async move { restored.database().number(sql, Vec::new()).await.unwrap() as u64 }
        };
        assert_eq!(rows("SELECT COUNT(*) FROM article").await, counts.articles);
        assert_eq!(
            rows("SELECT COUNT(*) FROM brief_document").await,
            counts.revisions
        );
        assert_eq!(rows("SELECT COUNT(*) FROM outbox").await, counts.revisions);
    })
    .await;
}

#[tokio::test]
async fn a_store_keeps_the_identity_that_it_was_created_with() {
    on_each_database(|place| async move {
        let opened = futures::future::join_all(
            (0..12).map(|_| Store::open(&place.location, DataMode::Real)),
        )
        .await;
        let ids: Vec<_> = opened
            .iter()
            .map(|store| store.as_ref().unwrap().id())
            .collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        assert_eq!(place.open().await.id(), ids[0]);
        let other = Store::open(&Location::Memory, DataMode::Real)
            .await
            .unwrap();
        assert_ne!(other.id(), ids[0]);
    })
    .await;
}

#[tokio::test]
async fn equal_positions_of_two_histories_have_two_fingerprints() {
    on_each_database(|place| async move {
        let store = place.open().await;
        assert_eq!(store.outbox().newest().await.unwrap(), Mark::default());
        publish(&store, &News::new(1, hour(0))).await;
        store.outbox().sequence().await.unwrap();
        let first = store.outbox().newest().await.unwrap();
        assert_eq!(first.position, 1);
        assert_eq!(store.outbox().find(1).await.unwrap(), Some(first.clone()));
        assert_eq!(store.outbox().find(2).await.unwrap(), None);
        publish(&store, &News::new(2, hour(0))).await;
        let waiting = store.outbox().revisions_after(1).await.unwrap();
        assert_eq!(waiting.len(), 1, "also without a position");
        // A different history of the same store: its rows disappear and others appear.
        let database = store.database();
        for sql in [
            "DELETE FROM outbox WHERE position = 1",
            "UPDATE outbox SET position = 1",
        ] {
            database.write(sql, Vec::new()).await.unwrap();
        }
        let other = store.outbox().newest().await.unwrap();
        assert_eq!(other.position, 1);
        assert_ne!(other.fingerprint, first.fingerprint);
    })
    .await;
}

/// Against the PostgreSQL of `TEST_DATABASE_URL`, if it speaks TLS.
#[tokio::test]
async fn postgres_is_reached_by_tls_and_certificates_are_verified() {
    use sqlx::{Connection, PgConnection};

    let Ok(base) = std::env::var("TEST_DATABASE_URL") else {
        println!("TEST_DATABASE_URL is not set: PostgreSQL is left out");
        return;
    };
    let mut plain = PgConnection::connect(&base).await.unwrap();
    let speaks: String = sqlx::query_scalar("SHOW ssl")
        .fetch_one(&mut plain)
        .await
        .unwrap();
    if speaks != "on" {
        println!("this PostgreSQL does not speak TLS: left out");
        return;
    }
    let joint = if base.contains('?') { '&' } else { '?' };
    let schema = format!("assay_test_{}", uuid::Uuid::new_v4().simple());
    let with = |mode: &str| {
        Location::Postgres(format!(
            "{base}{joint}options%5Bsearch_path%5D={schema}{mode}"
        ))
    };
    let encrypted = async |location: &Location| {
        let store = Store::open(location, DataMode::Real).await?;
        let row = store
            .database()
            .row(
                "SELECT CAST(CASE WHEN ssl THEN 1 ELSE 0 END AS BIGINT) FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
                Vec::new(),
            )
            .await?;
        store.close().await;
        row.unwrap().int(0)
    };
    assert_eq!(encrypted(&with("")).await.unwrap(), 0, "loopback");
    assert_eq!(encrypted(&with("&sslmode=require")).await.unwrap(), 1);
    let unknown = encrypted(&with("&sslmode=verify-full")).await;
    assert!(unknown.is_err(), "nobody vouches for its certificate");
    sqlx::query(sqlx::AssertSqlSafe(format!("DROP SCHEMA {schema} CASCADE")))
        .execute(&mut plain)
        .await
        .unwrap();
}
