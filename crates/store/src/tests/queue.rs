//! Statements that queue while their caller carries on.

use super::on_each_database;
use crate::Error;
use crate::database::{Durability, Tx, values};

const INSERT: &str = "INSERT INTO counter (name, value) VALUES ($1, $2)";
const ADD: &str = "UPDATE counter SET value = value + $1 WHERE name = $2";
const READ: &str = "SELECT value FROM counter WHERE name = 'queued'";

async fn read(tx: &mut Tx) -> i64 {
    tx.number(READ, Vec::new()).await.unwrap()
}

#[tokio::test]
async fn what_is_queued_runs_in_its_order_and_before_what_is_asked_later() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mut tx = store.database().begin(Durability::Process).await.unwrap();
        tx.queue(INSERT, values!["queued", 1_i64]).await.unwrap();
        // More than can wait at a time.
        for _ in 0..50 {
            tx.queue_for_one(ADD, values![1_i64, "queued"])
                .await
                .unwrap();
        }
        assert_eq!(read(&mut tx).await, 51);
        let rows = (0..200).flat_map(|row| values![format!("row {row:03}"), 1_i64]);
        let head = "INSERT INTO counter (name, value) VALUES";
        tx.queue_insert(head, "", 2, rows.collect()).await.unwrap();
        assert_eq!(tx.execute(ADD, values![1_i64, "row 199"]).await.unwrap(), 1);
        tx.queue(ADD, values![9_i64, "queued"]).await.unwrap();
        tx.commit().await.unwrap();
        let mut tx = store.database().begin(Durability::Process).await.unwrap();
        assert_eq!(read(&mut tx).await, 60);
    })
    .await;
}

#[tokio::test]
async fn what_fails_in_the_queue_is_told_and_nothing_is_kept() {
    on_each_database(|place| async move {
        let store = place.open().await;
        for is_taken in [true, false] {
            for asks_first in [true, false] {
                let mut tx = store.database().begin(Durability::Process).await.unwrap();
                tx.queue(INSERT, values!["queued", 1_i64]).await.unwrap();
                // A value that is taken, or a row that does not exist.
                let (sql, fault) = if is_taken {
                    (INSERT, values!["queued", 2_i64])
                } else {
                    (ADD, values![1_i64, "nobody"])
                };
                tx.queue_for_one(sql, fault).await.unwrap();
                // Whether the error is returned here depends on which comes first.
                let later = tx.queue(ADD, values![1_i64, "queued"]).await;
                assert!(matches!(later, Ok(()) | Err(Error::Conflict)), "{later:?}");
                if asks_first && later.is_ok() {
                    let asked = tx.rows(READ, Vec::new()).await;
                    assert!(matches!(asked, Err(Error::Conflict)), "{asked:?}");
                }
                let committed = tx.commit().await;
                assert!(matches!(committed, Err(Error::Conflict)), "{committed:?}");
                let mut tx = store.database().begin(Durability::Process).await.unwrap();
                assert_eq!(read(&mut tx).await, 0);
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_transaction_that_is_dropped_with_a_queue_is_undone_before_the_next() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mut tx = store.database().begin(Durability::Process).await.unwrap();
        for value in 0..10_i64 {
            let name = format!("queued {value}");
            tx.queue(INSERT, values![name, value]).await.unwrap();
        }
        drop(tx);
        let mut tx = store.database().begin(Durability::Process).await.unwrap();
        let sql = "SELECT COUNT(*) FROM counter WHERE name LIKE 'queued%'";
        assert_eq!(tx.number(sql, Vec::new()).await.unwrap(), 0);
    })
    .await;
}
