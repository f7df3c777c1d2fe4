//! Pages that crash their readers are not read again.

use model::Timestamp;

use super::on_each_database;
use crate::page_attempts::Attempt;

fn page(number: u32) -> [u8; 32] {
    let mut hash = [7; 32];
    hash[..4].copy_from_slice(&number.to_be_bytes());
    hash
}

fn day(number: i64) -> Timestamp {
    Timestamp::from_ms(number * Timestamp::DAY_MS)
}

#[tokio::test]
async fn a_page_is_left_alone_after_two_attempts_that_did_not_end() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let attempts = store.page_attempts();
        assert_eq!(
            attempts.begin(&page(1), day(100)).await.unwrap(),
            Attempt::Begun
        );
        drop(store);
        // The first attempt brought down the server; it is remembered all the same.
        let store = place.open().await;
        let attempts = store.page_attempts();
        assert_eq!(
            attempts.begin(&page(1), day(100)).await.unwrap(),
            Attempt::Begun
        );
        assert_eq!(
            attempts.begin(&page(1), day(101)).await.unwrap(),
            Attempt::LeftAlone
        );
        assert_eq!(
            attempts.begin(&page(2), day(101)).await.unwrap(),
            Attempt::Begun
        );
        assert_eq!(
            attempts.begin(&page(1), day(106)).await.unwrap(),
            Attempt::LeftAlone
        );
        // After its rest it gets two attempts again.
        assert_eq!(
            attempts.begin(&page(1), day(107)).await.unwrap(),
            Attempt::Begun
        );
        assert_eq!(
            attempts.begin(&page(1), day(107)).await.unwrap(),
            Attempt::Begun
        );
        assert_eq!(
            attempts.begin(&page(1), day(107)).await.unwrap(),
            Attempt::LeftAlone
        );
    })
    .await;
}

#[tokio::test]
async fn what_ends_in_good_order_is_forgotten() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let attempts = store.page_attempts();
        for _ in 0..5 {
            assert_eq!(
                attempts.begin(&page(1), day(1)).await.unwrap(),
                Attempt::Begun
            );
            attempts.end(&page(1)).await.unwrap();
        }
        assert_eq!(attempts.count().await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn the_table_of_attempts_is_bounded() {
    // In memory: what is counted here is rows, and each one is a transaction.
    let store = crate::Store::open(&crate::Location::Memory, model::DataMode::Real)
        .await
        .unwrap();
    let attempts = store.page_attempts();
    for number in 0..10_500 {
        attempts
            .begin(&page(number), Timestamp::from_ms(i64::from(number)))
            .await
            .unwrap();
    }
    let count = attempts.count().await.unwrap();
    assert!((9_000..=10_000).contains(&count), "{count}");
    // The newest stay.
    attempts.begin(&page(10_499), day(1)).await.unwrap();
    assert_eq!(
        attempts.begin(&page(10_499), day(1)).await.unwrap(),
        Attempt::LeftAlone
    );
}
