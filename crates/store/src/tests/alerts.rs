//! Alerts: each fires once, whoever asks for it and whoever stops in between.

use std::collections::HashSet;

use futures::future::join_all;
use model::{AccountId, AlertType};

use super::access::account;
use super::on_each_database;
use super::samples::hour;
use crate::{
    Alert, AlertStatus, AlertTerms, Callback, DeliverySecret, Error, Fired, Firing, Store, Trigger,
};

const LEASE: i64 = 60_000;

fn terms(number: usize, owner: AccountId, receiver: Option<&str>) -> AlertTerms {
    AlertTerms {
        id: format!("alt_{number:05}"),
        account: owner,
        ticker: "QLF".to_owned(),
        series: "stock:QLF".to_owned(),
        kind: AlertType::PriceAbove,
        threshold: 100.0 + number as f64,
        receiver: receiver.map(str::to_owned),
        categories: Vec::new(),
        created_at: hour(0),
    }
}

fn firing(terms: &AlertTerms) -> Firing<'_> {
    Firing {
        terms,
        trigger: Trigger {
            at: hour(1),
            value: 512.0,
            context: "{}".to_owned(),
        },
        message: Some((format!("msg_{}", terms.id), "{}".to_owned())),
    }
}

async fn owner(store: &Store, email: &str) -> AccountId {
    let account = account(email);
    store.accounts().insert(&account).await.unwrap();
    account.id
}

/// Alerts with one callback address.
async fn stored(store: &Store, count: usize, owner: AccountId) -> Vec<AlertTerms> {
    let secret = DeliverySecret::from("whsec_1".to_owned());
    let mut all = Vec::new();
    for number in 0..count {
        let terms = terms(number, owner, Some("cb_1"));
        let callback = Callback {
            id: "cb_1",
            url: "https://hooks.example/in",
            secret: &secret,
        };
        let alerts = store.alerts();
        let is_new = alerts.insert(&terms, Some(callback), 99_999, None).await;
        assert_eq!(is_new.unwrap(), number == 0);
        all.push(terms);
    }
    all
}

async fn count(store: &Store, sql: &'static str) -> i64 {
    store.database().number(sql, Vec::new()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_who_fire_one_alert_fire_it_once() {
    on_each_database(|place| async move {
        let stores = [place.open().await, place.open().await];
        let mine = owner(&stores[0], "a@mail.example").await;
        let all = stored(&stores[0], 40, mine).await;
        assert_eq!(stores[1].alerts().active_since(-1).await.unwrap(), all);
        let seen = stores[1].alerts().versions().await.unwrap().added;
        assert!(
            stores[1]
                .alerts()
                .active_since(seen)
                .await
                .unwrap()
                .is_empty()
        );
        let workers = (0..8_usize).map(|worker| {
            let (store, mut all) = (stores[worker % 2].clone(), all.clone());
            all.rotate_left(worker * 5);
            tokio::spawn(async move {
                let mut fired = Vec::new();
                for some in all.chunks(7) {
                    let firings: Vec<Firing<'_>> = some.iter().map(firing).collect();
                    // PostgreSQL aborts one of two that wait for each other; it tries again.
                    let outcomes = loop {
                        match store.alerts().fire(&firings, hour(1)).await {
                            Ok(outcomes) => break outcomes,
                            Err(Error::Busy) => {}
                            Err(other) => panic!("{other}"),
                        }
                    };
                    let now = outcomes.iter().zip(some);
                    let now = now.filter(|(outcome, _)| **outcome == Fired::Now);
                    fired.extend(now.map(|(_, terms)| terms.id.clone()));
                }
                fired
            })
        });
        let fired = join_all(workers).await.into_iter().flat_map(Result::unwrap);
        let fired: Vec<String> = fired.collect();
        assert_eq!(fired.len(), 40);
        assert_eq!(fired.iter().collect::<HashSet<_>>().len(), 40);
        assert_eq!(count(&stores[0], "SELECT COUNT(*) FROM delivery").await, 40);

        // Each has its own position in the order, and the single receiver is notified of them one after another.
        let until = stores[0].alerts().versions().await.unwrap().fired;
        let found = stores[0]
            .alerts()
            .fired_between(Some(mine), 0, until, 99)
            .await
            .unwrap();
        assert_eq!(found.len(), 40);
        assert!(
            found
                .windows(2)
                .all(|pair| pair[0].position < pair[1].position)
        );
        let first = stores[0]
            .deliveries()
            .claim(hour(1), LEASE, &[])
            .await
            .unwrap();
        assert_eq!(first.unwrap().delivery.kind, "alert.triggered");
        let second = stores[1]
            .deliveries()
            .claim(hour(1), LEASE, &[])
            .await
            .unwrap();
        assert!(
            second.is_none(),
            "the receiver is called by another process"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_broken_off_fires_all_of_it_or_nothing() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mine = owner(&store, "a@mail.example").await;
        let all = stored(&store, 60, mine).await;
        for (round, some) in all.chunks(3).enumerate() {
            let (owned, other) = (some.to_vec(), store.clone());
            let work = tokio::spawn(async move {
                let firings: Vec<Firing<'_>> = owned.iter().map(firing).collect();
                other.alerts().fire(&firings, hour(1)).await.map(drop)
            });
            // Interrupted after more and more steps, as if killed.
            for _ in 0..round * 3 {
                tokio::task::yield_now().await;
            }
            work.abort();
            let _ = work.await;
            let firings: Vec<Firing<'_>> = some.iter().map(firing).collect();
            let again = store.alerts().fire(&firings, hour(1)).await.unwrap();
            assert!(again.windows(2).all(|pair| pair[0] == pair[1]), "{again:?}");
        }
        let triggered = "SELECT COUNT(*) FROM alert WHERE status = 'triggered'";
        assert_eq!(count(&store, triggered).await, 60);
        assert_eq!(count(&store, "SELECT COUNT(*) FROM delivery").await, 60);
    })
    .await;
}

#[tokio::test]
async fn alerts_have_bounds_owners_and_an_end() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mine = owner(&store, "a@mail.example").await;
        let theirs = owner(&store, "b@mail.example").await;
        let alerts = store.alerts();
        let (one, two) = (terms(1, mine, None), terms(2, theirs, None));
        alerts.insert(&one, None, 1, None).await.unwrap();
        alerts.insert(&two, None, 1, None).await.unwrap();
        let full = alerts.insert(&terms(3, mine, None), None, 1, None).await;
        assert!(matches!(full, Err(Error::Full { most: 1, .. })));
        let listed = alerts.list(mine, None, 9).await.unwrap();
        let expected = Alert {
            terms: one.clone(),
            callback_url: None,
            trigger: None,
        };
        assert_eq!(listed, [expected]);
        assert!(!alerts.delete(mine, &two.id).await.unwrap());
        // A suspended account keeps its alert.
        assert!(store.accounts().disable(mine, hour(1)).await.unwrap());
        let fired = alerts.fire(&[firing(&one)], hour(1)).await.unwrap();
        assert_eq!(fired, [Fired::Resting]);
        assert!(store.accounts().enable(mine).await.unwrap());
        let fired = alerts.fire(&[firing(&one)], hour(1)).await.unwrap();
        assert_eq!(fired, [Fired::Now]);
        let active = Some(AlertStatus::Active);
        assert_eq!(alerts.count(mine, active).await.unwrap(), 0);
        let (found, total) = alerts.triggered(mine, hour(1), 9).await.unwrap();
        assert_eq!((found.len(), total), (1, 1));
        let (none, _) = alerts.triggered(mine, hour(2), 9).await.unwrap();
        assert!(none.is_empty());
        // A different address each time, up to a limit.
        let secret = DeliverySecret::from("whsec_1".to_owned());
        for number in 0..101_usize {
            let id = format!("cb_{number}");
            let terms = terms(10 + number, theirs, Some(&id));
            let callback = Callback {
                id: &id,
                url: "https://hooks.example/in",
                secret: &secret,
            };
            let written = alerts.insert(&terms, Some(callback), 999, None).await;
            assert_eq!(written.is_ok(), number < 100, "{number}");
        }
        // Fired alerts are removed after 90 days, along with any address that nobody needs.
        assert!(alerts.delete(theirs, "alt_00010").await.unwrap());
        assert_eq!(store.deliveries().prune(hour(2)).await.unwrap(), 1);
        assert_eq!(alerts.prune(hour(24 * 80)).await.unwrap(), 0);
        assert_eq!(alerts.prune(hour(24 * 91)).await.unwrap(), 1);
    })
    .await;
}
