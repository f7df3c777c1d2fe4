//! Memories: stored under a key, recalled, consolidated.

use futures::future::join_all;
use model::{AccountId, Symbol, Timestamp};
use uuid::Uuid;

use super::access::account;
use super::on_each_database;
use super::samples::hour;
use crate::{Error, Memory, MemoryLimits, MemoryQuery, NewMemory, Snapshot, SnapshotClaim, Store};

/// In hours.
const DAY: i64 = 24;

const LIMITS: MemoryLimits = MemoryLimits {
    per_agent: 50,
    per_account: 80,
};

fn memory(key: &str) -> NewMemory {
    NewMemory {
        id: format!("mem_{}", Uuid::new_v4().simple()),
        key: key.to_owned(),
        value: format!("what {key} says"),
        category: "fact".to_owned(),
        tickers: Vec::new(),
        confidence: None,
        verdict: None,
        stale_at: None,
        expires_at: None,
        receipt: None,
    }
}

fn symbol(text: &str) -> Symbol {
    Symbol::parse(text).unwrap()
}

/// Stores one memory of the agent `scout`.
async fn keep(store: &Store, owner: AccountId, memory: NewMemory, at: Timestamp) {
    let (memories, new) = (store.memories(), [memory]);
    let stored = memories.store(owner, "scout", &new, LIMITS, at, None);
    stored.await.unwrap();
}

/// The keys of the agent `scout`, newest first.
async fn keys(store: &Store, owner: AccountId, now: Timestamp) -> Vec<String> {
    let found = store.memories().list(owner, "scout", 100, now).await;
    let found = found.unwrap().into_iter();
    found.map(|memory| memory.content.key).collect()
}

async fn two_accounts(store: &Store) -> (AccountId, AccountId) {
    let (mine, theirs) = (account("a@mail.example"), account("b@mail.example"));
    for one in [&mine, &theirs] {
        store.accounts().insert(one).await.unwrap();
    }
    (mine.id, theirs.id)
}

#[tokio::test]
async fn a_memory_is_its_owners_alone() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = two_accounts(&store).await;
        let full = NewMemory {
            tickers: vec![symbol("NVDA"), symbol("BRK-B")],
            confidence: Some(0.75),
            verdict: Some("supported".to_owned()),
            stale_at: Some(hour(9)),
            expires_at: Some(hour(20)),
            receipt: Some("vr_1".to_owned()),
            ..memory("growth")
        };
        keep(&store, mine, full.clone(), hour(1)).await;
        let expected = Memory {
            account: mine,
            agent: "scout".to_owned(),
            content: full,
            created_at: hour(1),
            updated_at: hour(1),
            snapshot: None,
        };
        let find = async |owner, agent, at| {
            let memories = store.memories();
            memories.find(owner, agent, "growth", at).await.unwrap()
        };
        assert_eq!(find(mine, "scout", hour(2)).await, Some(expected.clone()));
        assert_eq!(find(mine, "other", hour(2)).await, None);
        assert_eq!(find(mine, "scout", hour(20)).await, None, "expired");

        // The same agent and key in another account are something else.
        assert_eq!(find(theirs, "scout", hour(2)).await, None);
        assert!(keys(&store, theirs, hour(2)).await.is_empty());
        keep(&store, theirs, memory("growth"), hour(2)).await;
        let everything = |_: &[Memory]| Some(memory("snapshot"));
        let memories = store.memories();
        let done = memories.consolidate(theirs, "scout", hour(3), 0, hour(3), everything);
        assert_eq!(done.await.unwrap().replaced.len(), 1);
        assert_eq!(find(mine, "scout", hour(3)).await, Some(expected));
    })
    .await;
}

#[tokio::test]
async fn a_key_that_exists_gets_new_content() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, _) = two_accounts(&store).await;
        let first = memory("growth");
        keep(&store, mine, first.clone(), hour(1)).await;
        let second = NewMemory {
            value: "changed".to_owned(),
            tickers: vec![symbol("AMD")],
            confidence: Some(0.5),
            ..memory("growth")
        };
        // Twice in one call does no harm either: the last one counts.
        let memories = store.memories();
        let both = [memory("growth"), second.clone()];
        let stored = memories.store(mine, "scout", &both, LIMITS, hour(2), None);
        stored.await.unwrap();
        let found = memories.find(mine, "scout", "growth", hour(2)).await;
        let found = found.unwrap().unwrap();
        assert_eq!((found.created_at, found.updated_at), (hour(1), hour(2)));
        let content = NewMemory {
            id: first.id,
            ..second
        };
        assert_eq!(found.content, content);
        assert_eq!(keys(&store, mine, hour(2)).await, ["growth"]);
    })
    .await;
}

#[tokio::test]
async fn memories_are_recalled_by_ticker_and_category() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, _) = two_accounts(&store).await;
        let about = |key: &str, category: &str, tickers: &[&str]| NewMemory {
            category: category.to_owned(),
            tickers: tickers.iter().map(|ticker| symbol(ticker)).collect(),
            ..memory(key)
        };
        keep(&store, mine, about("a", "fact", &["NVDA", "AMD"]), hour(1)).await;
        keep(&store, mine, about("b", "risk", &["AMD"]), hour(2)).await;
        keep(&store, mine, about("c", "risk", &["AM"]), hour(3)).await;
        keep(&store, mine, about("d", "risk", &[]), hour(4)).await;
        let scan = async |ticker: Option<&str>, category: Option<&str>, most| {
            let query = MemoryQuery {
                ticker: ticker.map(symbol),
                category: category.map(str::to_owned),
            };
            let memories = store.memories();
            let found = memories.scan(mine, "scout", &query, most, hour(5)).await;
            let found = found.unwrap().into_iter();
            found.map(|one| one.content.key).collect::<String>()
        };
        assert_eq!(scan(None, None, 9).await, "dcba");
        assert_eq!(scan(Some("AMD"), None, 9).await, "ba");
        assert_eq!(scan(Some("AM"), None, 9).await, "c");
        assert_eq!(scan(Some("NV"), None, 9).await, "");
        assert_eq!(scan(None, Some("risk"), 2).await, "dc");
        assert_eq!(scan(Some("AMD"), Some("risk"), 9).await, "b");
        let risks = MemoryQuery {
            category: Some("risk".to_owned()),
            ..MemoryQuery::default()
        };
        for (query, count) in [(&MemoryQuery::default(), 4), (&risks, 3)] {
            let memories = store.memories();
            let counted = memories.count(mine, "scout", query, hour(5));
            assert_eq!(counted.await.unwrap(), count);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_keeps_more_than_the_limits_permit() {
    on_each_database(|place| async move {
        let stores = [place.open().await, place.open().await];
        let (mine, theirs) = two_accounts(&stores[0]).await;
        let limits = MemoryLimits {
            per_agent: 3,
            per_account: 5,
        };
        let writers = (0..12_usize).map(|number| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move {
                let agent = ["scout", "clerk"][number / 2 % 2];
                let new = [memory(&number.to_string())];
                let memories = store.memories();
                let stored = memories.store(mine, agent, &new, limits, hour(1), None);
                match stored.await {
                    Ok(()) => 1,
                    Err(Error::Conflict) => 0,
                    Err(error) => panic!("{error}"),
                }
            })
        });
        let stored = join_all(writers).await.into_iter().map(Result::unwrap);
        assert_eq!(stored.sum::<u64>(), 5);
        let memories = stores[0].memories();
        let store = async |owner, agent: &str, new: &[NewMemory], now| {
            let stored = memories.store(owner, agent, new, limits, now, None);
            stored.await
        };
        let expiring = NewMemory {
            expires_at: Some(hour(2)),
            ..memory("brief")
        };
        store(theirs, "scout", &[expiring, memory("x")], hour(1))
            .await
            .unwrap();
        // All or none, and never those of another account.
        let two = [memory("y"), memory("z")];
        let refused = store(theirs, "scout", &two, hour(1)).await;
        assert!(matches!(refused, Err(Error::Conflict)));
        assert_eq!(keys(&stores[0], theirs, hour(1)).await.len(), 2);
        // Expired memories make room; an existing key may be stored again.
        store(theirs, "scout", &two, hour(2)).await.unwrap();
        store(theirs, "scout", &two, hour(3)).await.unwrap();
        assert_eq!(keys(&stores[0], theirs, hour(3)).await.len(), 3);
    })
    .await;
}

#[tokio::test]
async fn old_memories_become_one_snapshot_once() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, _) = two_accounts(&store).await;
        for number in 0..8 {
            keep(&store, mine, memory(&format!("m{number}")), hour(number)).await;
        }
        let expired = NewMemory {
            expires_at: Some(hour(20)),
            ..memory("brief")
        };
        keep(&store, mine, expired, hour(8)).await;
        let memories = store.memories();
        let consolidate = async |older_than, keep_recent, now, key: &str| {
            let snapshot = |old: &[Memory]| {
                let named: Vec<&str> = old.iter().map(|one| one.content.key.as_str()).collect();
                Some(NewMemory {
                    value: named.join(" "),
                    ..memory(key)
                })
            };
            memories
                .consolidate(mine, "scout", older_than, keep_recent, now, snapshot)
                .await
                .unwrap()
        };
        // Six are old enough, m0 to m5; of the eight, the newest three stay.
        let done = consolidate(hour(5), 3, hour(24), "s1").await;
        assert_eq!((done.expired, done.replaced.len()), (1, 5));
        let snapshot = done.snapshot.unwrap();
        let stands_for = snapshot.snapshot.as_ref();
        assert_eq!(stands_for.map(|all| all.memories), Some(5));
        assert_eq!(snapshot.content.value, "m0 m1 m2 m3 m4");
        let found = memories.find(mine, "scout", "s1", hour(24)).await.unwrap();
        assert_eq!(found, Some(snapshot));
        assert_eq!(keys(&store, mine, hour(24)).await, ["s1", "m7", "m6", "m5"]);

        // The same again, even when all are old: the newest three stay, and a snapshot alone is not replaced.
        for older_than in [hour(5), hour(48)] {
            let done = consolidate(older_than, 3, hour(48), "s2").await;
            assert_eq!(done, crate::Consolidated::default());
        }
        assert_eq!(keys(&store, mine, hour(48)).await, ["s1", "m7", "m6", "m5"]);

        // With a memory that has become old, the old snapshot becomes part of the new one.
        keep(&store, mine, memory("m8"), hour(49)).await;
        let done = consolidate(hour(48), 3, hour(50), "s2").await;
        assert_eq!(done.snapshot.unwrap().content.value, "m5 s1");
        assert_eq!(keys(&store, mine, hour(50)).await, ["s2", "m8", "m7", "m6"]);

        // A caller that declines keeps everything.
        let declined = memories.consolidate(mine, "scout", hour(50), 0, hour(50), |_| None);
        assert_eq!(declined.await.unwrap(), crate::Consolidated::default());
        // A key taken by a memory that stays is not overwritten.
        let taken = |_: &[Memory]| Some(memory("m8"));
        let refused = memories.consolidate(mine, "scout", hour(50), 1, hour(50), taken);
        assert!(matches!(refused.await, Err(Error::Conflict)));
        assert_eq!(keys(&store, mine, hour(50)).await, ["s2", "m8", "m7", "m6"]);

        // A memory with a time limit does not live on in a snapshot. What was replaced is counted, with an old snapshot
        // as one.
        let limited = NewMemory {
            expires_at: Some(hour(60)),
            ..memory("limited")
        };
        keep(&store, mine, limited, hour(51)).await;
        let done = consolidate(hour(52), 0, hour(52), "s3").await;
        assert_eq!(done.replaced.len(), 4);
        assert_eq!(done.snapshot.unwrap().content.value, "m6 m7 m8 s2");
        assert_eq!(keys(&store, mine, hour(53)).await, ["s3", "limited"]);
        assert_eq!(consolidate(hour(61), 0, hour(61), "s4").await.expired, 1);
    })
    .await;
}

/// Consolidates all of an agent's memories up to then; returns their snapshot.
async fn consolidated(store: &Store, owner: AccountId, now: Timestamp) -> Memory {
    let snapshot = |old: &[Memory]| {
        Some(NewMemory {
            confidence: Snapshot::mean_trust(old),
            ..memory(&format!("snapshot of {}", now.ms()))
        })
    };
    let memories = store.memories();
    let done = memories.consolidate(owner, "scout", now, 0, now, snapshot);
    done.await.unwrap().snapshot.unwrap()
}

#[tokio::test]
async fn a_snapshot_counts_as_what_it_stands_for() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, _) = two_accounts(&store).await;
        let memories = store.memories();
        let rated = |key: &str, confidence: f64| NewMemory {
            confidence: Some(confidence),
            ..memory(key)
        };
        let consolidate = async |now: Timestamp| consolidated(&store, mine, now).await;
        for number in 0..8 {
            keep(&store, mine, rated(&format!("m{number}"), 0.0), hour(1)).await;
        }
        let wrong = NewMemory {
            verdict: Some("contradicted".to_owned()),
            ..rated("claim", 1.0)
        };
        keep(&store, mine, wrong, hour(2)).await;
        keep(&store, mine, memory("unrated"), hour(3)).await;
        let first = consolidate(hour(4)).await;
        let stands_for = Snapshot {
            memories: 10,
            rated: 9,
            contradicted: 1,
            claims: vec![SnapshotClaim {
                key: "claim".to_owned(),
                trust: Some(0.0),
                is_superseded: false,
            }],
            verified_at: Some(hour(2)),
            since: hour(1),
        };
        assert_eq!(first.snapshot.as_ref(), Some(&stands_for));
        assert_eq!(first.content.confidence, Some(0.0));
        let key = &first.content.key;
        let found = memories.find(mine, "scout", key, hour(5)).await.unwrap();
        assert_eq!(found.as_ref(), Some(&first), "as it was stored");

        keep(&store, mine, rated("sure", 1.0), hour(5)).await;
        let health = async |now| memories.health(mine, "scout", now).await.unwrap();
        let before = health(hour(6)).await;
        assert_eq!((before.total, before.contradicted), (2, 1));
        assert_eq!(before.average_confidence, Some(0.1));
        assert_eq!(before.last_verified, Some(hour(2)));

        let second = consolidate(hour(7)).await;
        assert_eq!(second.content.confidence, Some(0.1));
        let all = Snapshot {
            memories: 11,
            rated: 10,
            ..stands_for
        };
        assert_eq!(second.snapshot, Some(all));
        let after = health(hour(8)).await;
        assert_eq!((after.total, after.contradicted), (1, 1));
        assert_eq!(after.average_confidence, before.average_confidence);
        assert_eq!(after.last_verified, before.last_verified);

        // A memory under a snapshot's key is not a snapshot.
        keep(&store, mine, rated(&second.content.key, 0.5), hour(9)).await;
        let replaced = health(hour(9)).await;
        assert_eq!((replaced.total, replaced.contradicted), (1, 0));
        assert_eq!(replaced.last_verified, None);
    })
    .await;
}

#[tokio::test]
async fn a_claim_that_is_stored_again_counts_in_no_snapshot() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, _) = two_accounts(&store).await;
        let memories = store.memories();
        let claim = |key: &str, verdict: &str| NewMemory {
            verdict: Some(verdict.to_owned()),
            confidence: Some(1.0),
            ..memory(key)
        };
        let consolidate = async |now: Timestamp| consolidated(&store, mine, now).await;
        let health = async |now| {
            let health = memories.health(mine, "scout", now).await.unwrap();
            (
                health.total,
                health.contradicted,
                health.average_confidence.unwrap(),
            )
        };
        for key in ["a", "b"] {
            keep(&store, mine, claim(key, "contradicted"), hour(1)).await;
        }
        for key in ["c", "d"] {
            keep(&store, mine, claim(key, "supported"), hour(1)).await;
        }
        consolidate(hour(2)).await;
        assert_eq!(health(hour(2)).await, (1, 2, 0.5));

        // A note under its key verifies nothing.
        keep(&store, mine, memory("a"), hour(2)).await;
        assert_eq!(health(hour(2)).await.1, 2);
        // Found to be right after all, it is one supported claim, and there is no contradicted one next to it.
        keep(&store, mine, claim("a", "supported"), hour(3)).await;
        assert_eq!(health(hour(3)).await, (2, 1, 0.75));
        // And again it is that claim.
        keep(&store, mine, claim("a", "contradicted"), hour(4)).await;
        assert_eq!(health(hour(4)).await, (2, 2, 0.5));

        // As part of the next snapshot, it counts there as it is then.
        let second = consolidate(hour(5)).await.snapshot.unwrap();
        assert_eq!((second.memories, second.contradicted), (4, 2));
        assert_eq!(second.superseded().count(), 0);
        assert_eq!(health(hour(5)).await, (1, 2, 0.5));
        for key in ["a", "b"] {
            keep(&store, mine, claim(key, "supported"), hour(6)).await;
        }
        assert_eq!(health(hour(6)).await, (3, 0, 1.0));
        let found = memories.list(mine, "scout", 9, hour(6)).await.unwrap();
        let superseded = found.iter().find_map(|memory| memory.snapshot.as_ref());
        let mut superseded: Vec<&str> = superseded.unwrap().superseded().collect();
        superseded.sort_unstable();
        assert_eq!(superseded, ["a", "b"]);
    })
    .await;
}

#[tokio::test]
async fn a_snapshot_of_claims_that_are_all_stored_again_is_gone() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, _) = two_accounts(&store).await;
        let memories = store.memories();
        let claim = NewMemory {
            verdict: Some("contradicted".to_owned()),
            ..memory("claim")
        };
        keep(&store, mine, claim.clone(), hour(1)).await;
        let snapshot = |_: &[Memory]| Some(memory("snapshot"));
        let done = memories.consolidate(mine, "scout", hour(2), 0, hour(2), snapshot);
        done.await.unwrap();
        assert_eq!(keys(&store, mine, hour(2)).await, ["snapshot"]);
        keep(&store, mine, claim, hour(3)).await;
        assert_eq!(keys(&store, mine, hour(3)).await, ["claim"]);
    })
    .await;
}

#[tokio::test]
async fn a_snapshot_knows_so_many_claims_one_by_one() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, _) = two_accounts(&store).await;
        let memories = store.memories();
        let claims: Vec<NewMemory> = (0..1_001)
            .map(|number| NewMemory {
                verdict: Some("contradicted".to_owned()),
                ..memory(&format!("claim {number}"))
            })
            .collect();
        let limits = MemoryLimits {
            per_agent: 2_000,
            per_account: 2_000,
        };
        let stored = memories.store(mine, "scout", &claims, limits, hour(1), None);
        stored.await.unwrap();
        let snapshot = |_: &[Memory]| Some(memory("snapshot"));
        let done = memories.consolidate(mine, "scout", hour(2), 0, hour(2), snapshot);
        let snapshot = done.await.unwrap().snapshot.unwrap().snapshot.unwrap();
        assert_eq!(
            (snapshot.contradicted, snapshot.claims.len()),
            (1_001, 1_000)
        );
    })
    .await;
}

#[tokio::test]
async fn health_counts_what_has_not_expired() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = two_accounts(&store).await;
        let verified = |key: &str, verdict: &str, confidence: f64| NewMemory {
            verdict: Some(verdict.to_owned()),
            confidence: Some(confidence),
            ..memory(key)
        };
        keep(
            &store,
            mine,
            verified("a", "supported", 1.0),
            hour(-7 * DAY),
        )
        .await;
        keep(&store, mine, verified("b", "supported", 0.5), hour(-DAY)).await;
        let stale = NewMemory {
            stale_at: Some(hour(1)),
            ..verified("c", "contradicted", 0.25)
        };
        keep(&store, mine, stale, hour(-DAY)).await;
        keep(&store, mine, verified("d", "unverifiable", 0.75), hour(0)).await;
        keep(&store, mine, memory("e"), hour(1)).await;
        let expired = NewMemory {
            expires_at: Some(hour(1)),
            ..verified("f", "contradicted", 0.0)
        };
        keep(&store, mine, expired, hour(0)).await;
        let health = store.memories().health(mine, "scout", hour(1)).await;
        let health = health.unwrap();
        assert_eq!((health.total, health.contradicted, health.stale), (5, 1, 1));
        // A claim contradicted with 0.25 is believed with 0.75.
        assert_eq!(health.average_confidence, Some(0.75));
        assert_eq!(health.last_verified, Some(hour(0)));
        let daily: Vec<(i64, f64, u64)> = health
            .daily
            .iter()
            .map(|one| (one.day, one.average, one.memories))
            .collect();
        let today = hour(1).day();
        assert_eq!(daily, [(today - 1, 0.625, 2), (today, 0.75, 1)]);
        let nothing = store.memories().health(theirs, "scout", hour(1)).await;
        assert_eq!(nothing.unwrap(), crate::MemoryHealth::default());

        assert_eq!(store.memories().prune(hour(1)).await.unwrap(), 1);
        assert_eq!(store.memories().prune(hour(1)).await.unwrap(), 0);
    })
    .await;
}
