//! Idempotency: what happens only once although it is requested twice.

use super::access::{account, api_key, charge};
use super::on_each_database;
use super::samples::hour;
use crate::{AccountKey, Begin, Completion, Error, StoredAnswer};

#[tokio::test]
async fn idempotent_requests_run_once() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let records = store.idempotency();
        let route = "POST /api/v1/keys/create";
        let answer = StoredAnswer {
            status: 200,
            body: b"{\"status\":\"ok\"}".to_vec(),
            content_type: "application/json".into(),
        };
        let begin = |scope: &'static str, body: u8, now| async move {
            records
                .begin(scope, route, "abc", &[body; 32], now)
                .await
                .unwrap()
        };
        assert_eq!(begin("a", 1, hour(0)).await, Begin::Started);
        assert_eq!(
            begin("a", 1, hour(0).plus_ms(59_999)).await,
            Begin::InFlight
        );
        assert_eq!(begin("a", 2, hour(0)).await, Begin::OtherBody);
        assert_eq!(
            begin("b", 2, hour(0)).await,
            Begin::Started,
            "another scope is another request"
        );
        // The lease has expired: somebody else takes over, and the request cannot be completed twice.
        assert_eq!(begin("a", 1, hour(0).plus_ms(60_000)).await, Begin::Started);
        records
            .complete("a", route, "abc", &answer, hour(1))
            .await
            .unwrap();
        assert!(matches!(
            records.complete("a", route, "abc", &answer, hour(1)).await,
            Err(Error::Conflict)
        ));
        assert_eq!(begin("a", 1, hour(2)).await, Begin::Replay(answer.clone()));
        assert_eq!(begin("a", 9, hour(2)).await, Begin::OtherBody);
        // After a day the key is free again.
        assert_eq!(begin("a", 9, hour(26)).await, Begin::Started);
        records.abandon("a", route, "abc").await.unwrap();
        assert_eq!(begin("a", 1, hour(26)).await, Begin::Started);
        assert_eq!(records.prune(hour(49)).await.unwrap(), 1);
    })
    .await;
}

#[tokio::test]
async fn effect_charge_and_record_commit_together() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let owner = account("a@mail.example");
        store.accounts().insert(&owner).await.unwrap();
        let payer = AccountKey::Account(owner.id);
        let answer = StoredAnswer {
            status: 200,
            body: Vec::new(),
            content_type: "application/json".into(),
        };
        let completion = Completion {
            scope: "a",
            route: "r",
            key: "k",
            answer: &answer,
            now: hour(0),
        };
        let entry = charge(&payer, None, 5, hour(0));

        // Nobody began that request: no part of it may stay.
        let refused = store
            .keys()
            .insert_with(&api_key(owner.id, 1), Some(completion), Some(entry.clone()))
            .await;
        assert!(matches!(refused, Err(Error::Conflict)));
        assert_eq!(store.keys().list(owner.id).await.unwrap(), []);
        assert_eq!(store.ledger().total(&payer).await.unwrap(), 0);

        assert_eq!(
            store
                .idempotency()
                .begin("a", "r", "k", &[1; 32], hour(0))
                .await
                .unwrap(),
            Begin::Started
        );
        store
            .keys()
            .insert_with(&api_key(owner.id, 1), Some(completion), Some(entry.clone()))
            .await
            .unwrap();
        assert_eq!(store.ledger().total(&payer).await.unwrap(), 5);
        let again = store
            .idempotency()
            .begin("a", "r", "k", &[1; 32], hour(1))
            .await
            .unwrap();
        assert_eq!(again, Begin::Replay(answer.clone()));

        // The same hash again: record and charge are undone with the effect.
        assert_eq!(
            store
                .idempotency()
                .begin("a", "r", "l", &[1; 32], hour(0))
                .await
                .unwrap(),
            Begin::Started
        );
        let other = Completion {
            key: "l",
            ..completion
        };
        let refused = store
            .keys()
            .insert_with(&api_key(owner.id, 1), Some(other), Some(entry))
            .await;
        assert!(matches!(refused, Err(Error::Conflict)));
        assert_eq!(
            store
                .idempotency()
                .begin("a", "r", "l", &[1; 32], hour(0))
                .await
                .unwrap(),
            Begin::InFlight
        );
        assert_eq!(store.ledger().total(&payer).await.unwrap(), 5);
    })
    .await;
}
