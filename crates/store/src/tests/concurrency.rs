//! Many at once, in one process and in several.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures::future::join_all;
use model::{AccountId, DataMode};
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::access::charge;
use super::on_each_database;
use super::samples::{News, found, hour, publish};
use crate::{AccountKey, Begin, Store};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn credits_are_exact_among_many() {
    on_each_database(|place| async move {
        let store = place.open().await;
        // A second handle has its own pools, as another process would.
        let beside = place.open().await;
        let owner = AccountKey::Account(AccountId(Uuid::new_v4()));
        let tasks = (0..64_u64).map(|task| {
            let store = if task % 2 == 0 {
                store.clone()
            } else {
                beside.clone()
            };
            let owner = owner.clone();
            tokio::spawn(async move {
                for round in 0..5 {
                    let entries = [
                        charge(&owner, None, task, hour(round)),
                        charge(&owner, None, 1, hour(-round)),
                    ];
                    if task % 8 == 0 {
                        store.ledger().append_durable(&entries).await.unwrap();
                    } else {
                        store.ledger().append(&entries).await.unwrap();
                    }
                }
            })
        });
        for task in join_all(tasks).await {
            task.unwrap();
        }
        let expected = (0..64).sum::<u64>() * 5 + 64 * 5;
        assert_eq!(store.ledger().total(&owner).await.unwrap(), expected);
        let march = store.ledger().month(&owner, "2026-03").await.unwrap();
        assert_eq!((march.credits, march.calls), (expected, 640));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_is_claimed_once() {
    on_each_database(|place| async move {
        let stores = [place.open().await, place.open().await];
        for number in 0..60 {
            assert!(
                stores[0]
                    .jobs()
                    .enqueue("poll", &number.to_string(), hour(0), None)
                    .await
                    .unwrap()
            );
        }
        stores[0]
            .jobs()
            .enqueue("other", "x", hour(0), None)
            .await
            .unwrap();
        // An hour after the claims: anything still due later is taken to have been postponed by a clock that was set
        // back.
        stores[0]
            .jobs()
            .enqueue("poll", "later", hour(2), None)
            .await
            .unwrap();
        let claimers = (0..8).map(|number| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move {
                let mut claimed = Vec::new();
                while let Some(job) = store
                    .jobs()
                    .claim(&["poll", "push"], hour(1), 60_000)
                    .await
                    .unwrap()
                {
                    claimed.push(job.id);
                }
                claimed
            })
        });
        let claimed: Vec<i64> = join_all(claimers)
            .await
            .into_iter()
            .flat_map(Result::unwrap)
            .collect();
        assert_eq!(claimed.len(), 60);
        assert_eq!(claimed.iter().collect::<HashSet<_>>().len(), 60);
        assert_eq!(stores[1].jobs().pending().await.unwrap(), 62);
    })
    .await;
}

#[tokio::test]
async fn jobs_are_retried_and_unique() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let jobs = store.jobs();
        assert!(
            jobs.enqueue("poll", "a", hour(0), Some("feed-1"))
                .await
                .unwrap()
        );
        assert!(
            !jobs
                .enqueue("poll", "b", hour(0), Some("feed-1"))
                .await
                .unwrap()
        );
        assert!(
            jobs.claim(&["poll"], hour(-1), 1_000)
                .await
                .unwrap()
                .is_none(),
            "not due"
        );
        assert!(jobs.claim(&[], hour(1), 1_000).await.unwrap().is_none());
        let job = jobs
            .claim(&["poll"], hour(0), 1_000)
            .await
            .unwrap()
            .unwrap();
        assert_eq!((job.payload.as_str(), job.attempts), ("a", 1));
        assert!(
            jobs.claim(&["poll"], hour(0).plus_ms(999), 1_000)
                .await
                .unwrap()
                .is_none()
        );
        let again = jobs
            .claim(&["poll"], hour(0).plus_ms(1_000), 1_000)
            .await
            .unwrap()
            .unwrap();
        assert_eq!((again.id, again.attempts), (job.id, 2));
        jobs.fail(job.id, "no answer", Some(hour(2))).await.unwrap();
        assert!(
            jobs.claim(&["poll"], hour(1), 1_000)
                .await
                .unwrap()
                .is_none()
        );
        assert_eq!(
            jobs.claim(&["poll"], hour(2), 1_000)
                .await
                .unwrap()
                .unwrap()
                .attempts,
            3
        );
        jobs.fail(job.id, "gave up", None).await.unwrap();
        assert_eq!(jobs.pending().await.unwrap(), 0);
        assert!(
            jobs.enqueue("poll", "c", hour(0), Some("feed-1"))
                .await
                .unwrap(),
            "a dead job blocks nobody"
        );
        let next = jobs
            .claim(&["poll"], hour(3), 1_000)
            .await
            .unwrap()
            .unwrap();
        jobs.complete(next.id).await.unwrap();
        assert_eq!(jobs.pending().await.unwrap(), 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_equal_requests_starts() {
    on_each_database(|place| async move {
        let stores = [place.open().await, place.open().await];
        let requests = (0..16).map(|number: usize| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move {
                store
                    .idempotency()
                    .begin("a", "r", "k", &[1; 32], hour(0))
                    .await
                    .unwrap()
            })
        });
        let outcomes: Vec<Begin> = join_all(requests)
            .await
            .into_iter()
            .map(Result::unwrap)
            .collect();
        assert_eq!(
            outcomes
                .iter()
                .filter(|outcome| **outcome == Begin::Started)
                .count(),
            1
        );
        assert_eq!(
            outcomes
                .iter()
                .filter(|outcome| **outcome == Begin::InFlight)
                .count(),
            15
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn publishers_take_turns() {
    on_each_database(|place| async move {
        let stores = [place.open().await, place.open().await];
        let publishers = (0..8_u64).map(|publisher| {
            let store = stores[(publisher % 2) as usize].clone();
            tokio::spawn(async move {
                for round in 0..6 {
                    publish(&store, &News::new(publisher * 100 + round, hour(0))).await;
                    store.outbox().sequence().await.unwrap();
                }
            })
        });
        for publisher in join_all(publishers).await {
            publisher.unwrap();
        }
        stores[0].outbox().sequence().await.unwrap();
        let articles = stores[0].articles().since(0, 100).await.unwrap();
        assert_eq!(
            articles
                .iter()
                .map(|article| article.seq)
                .collect::<Vec<_>>(),
            (1..=48).collect::<Vec<_>>()
        );
        let events = stores[1].outbox().after(0, 100).await.unwrap();
        assert_eq!(
            events
                .iter()
                .map(|event| event.position)
                .collect::<Vec<_>>(),
            (1..=48).collect::<Vec<_>>()
        );
        assert_eq!(stores[0].counts().await.unwrap().briefs, 48);
    })
    .await;
}

/// Transactions that may be committed while somebody waits to write. After this many an import ends, so that anyone it
/// starved is noticed.
const MOST_TRANSACTIONS: u64 = 500;

/// An import that writes transaction after transaction without a pause.
struct Import {
    /// How many have been committed.
    transactions: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
    task: JoinHandle<u64>,
}

impl Import {
    fn start(store: Store) -> Self {
        let (transactions, over) = (Arc::<AtomicU64>::default(), Arc::<AtomicBool>::default());
        let (count, is_over) = (transactions.clone(), over.clone());
        let task = tokio::spawn(async move {
            let (mut number, mut waited) = (0, 0);
            while !is_over.load(Ordering::SeqCst) && waited < 10 * MOST_TRANSACTIONS {
                let mut transaction = store.news_transaction().await.unwrap();
                for _ in 0..20 {
                    found(&mut transaction, &News::new(number, hour(0)))
                        .await
                        .unwrap();
                    number += 1;
                }
                transaction.commit().await.unwrap();
                waited = 1 + count.fetch_add(1, Ordering::SeqCst);
            }
            number
        });
        Self {
            transactions,
            over,
            task,
        }
    }

    /// Ends it; returns how many articles it wrote.
    async fn end(self) -> u64 {
        self.over.store(true, Ordering::SeqCst);
        self.task.await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_are_not_starved_by_an_import() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let import = Import::start(store.clone());
        let owner = AccountKey::Demo("192.0.2.1".to_owned());
        let clients = (0..32).map(|_| {
            let (store, owner) = (store.clone(), owner.clone());
            let transactions = import.transactions.clone();
            tokio::spawn(async move {
                for _ in 0..10 {
                    let before = transactions.load(Ordering::SeqCst);
                    let entries = [charge(&owner, None, 1, hour(0))];
                    store.ledger().append(&entries).await.unwrap();
                    let passed = transactions.load(Ordering::SeqCst) - before;
                    assert!(
                        passed < MOST_TRANSACTIONS,
                        "{passed} transactions went first"
                    );
                }
            })
        });
        for client in join_all(clients).await {
            client.unwrap();
        }
        let published = import.end().await;
        assert!(published > 0);
        assert_eq!(store.counts().await.unwrap().articles, published);
        assert_eq!(store.ledger().total(&owner).await.unwrap(), 320);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_process_that_writes_without_a_pause_lets_others_in() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let beside = place.open().await;
        let import = Import::start(beside);
        let owner = AccountKey::Demo("192.0.2.1".to_owned());
        for _ in 0..30 {
            let before = import.transactions.load(Ordering::SeqCst);
            let entries = [charge(&owner, None, 1, hour(0))];
            store.ledger().append(&entries).await.unwrap();
            let passed = import.transactions.load(Ordering::SeqCst) - before;
            assert!(
                passed < MOST_TRANSACTIONS,
                "{passed} transactions went first"
            );
        }
        assert!(import.end().await > 0);
        assert_eq!(store.ledger().total(&owner).await.unwrap(), 30);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_write_frees_its_place() {
    on_each_database(|place| async move {
        let store = place.open().await;
        for number in 0..40 {
            let mut transaction = store.news_transaction().await.unwrap();
            found(&mut transaction, &News::new(number, hour(0)))
                .await
                .unwrap();
            // The commit's future is dropped before or after it was polled.
            let commit = transaction.commit();
            if number % 2 == 0 {
                drop(commit);
            } else {
                futures::future::select(Box::pin(commit), std::future::ready(())).await;
            }
        }
        publish(&store, &News::new(1_000, hour(0))).await;
        let counts = store.counts().await.unwrap();
        assert_eq!(
            (counts.articles, counts.articles),
            (counts.briefs, counts.revisions)
        );
        let again = Store::open(&place.location, DataMode::Real).await.unwrap();
        assert_eq!(again.counts().await.unwrap(), counts);
    })
    .await;
}
