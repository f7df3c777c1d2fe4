//! Monitors: claimed once, recorded once, alerts delivered once.

use std::collections::HashSet;

use futures::future::join_all;
use model::{AccountId, SecretUrl, Timestamp};

use super::access::account;
use super::on_each_database;
use super::samples::hour;
use crate::{
    AttemptReport, CheckResult, CheckedMemory, Deliveries, DeliveryState, DueDelivery, Error,
    MemoryLimits, Monitor, MonitorState, NewAlert, NewMemory, Store,
};

const LEASE: i64 = 60_000;

fn monitor(id: &str, owner: AccountId) -> Monitor {
    Monitor {
        id: id.to_owned(),
        account: owner,
        agent: format!("scout of {id}"),
        state: MonitorState::Active,
        trust_threshold: 0.75,
        interval_ms: Timestamp::HOUR_MS,
        alert_webhook: Some("https://hooks.example/in?token=swordfish".into()),
        secret: "whsec_1".to_owned().into(),
        escalates: true,
        created_at: hour(0),
        next_check_at: hour(1),
        last_check_at: None,
        last_trust: None,
        alerts_sent: 0,
    }
}

fn result(at: Timestamp, alerts: &[&str]) -> CheckResult {
    CheckResult {
        checked_at: at,
        trust: Some(0.5),
        next_check_at: at.plus_ms(Timestamp::HOUR_MS),
        memories: Vec::new(),
        alerts: alerts
            .iter()
            .map(|id| NewAlert {
                id: (*id).to_owned(),
                kind: "monitor.trust_low",
                claim: "Rates fell.".to_owned(),
                body: format!("{{\"alert\":\"{id}\"}}"),
            })
            .collect(),
    }
}

/// The alert that has been due longest, claimed as by a worker that delivers nothing else.
async fn due_alert(alerts: &Deliveries<'_>, now: Timestamp) -> Option<DueDelivery> {
    let claimed = alerts.claim(now, LEASE, &[]).await;
    claimed.unwrap()
}

fn report(at: Timestamp) -> AttemptReport {
    AttemptReport {
        at,
        status: Some(200),
        error: None,
    }
}

async fn two_accounts(store: &Store) -> (AccountId, AccountId) {
    let (mine, theirs) = (account("a@mail.example"), account("b@mail.example"));
    for one in [&mine, &theirs] {
        store.accounts().insert(one).await.unwrap();
    }
    (mine.id, theirs.id)
}

#[tokio::test]
async fn a_monitor_is_its_owners_alone() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = two_accounts(&store).await;
        let one = monitor("mon_1", mine);
        let monitors = store.monitors();
        monitors.insert(&one, 1, None).await.unwrap();
        let another = monitors.insert(&monitor("mon_2", mine), 1, None).await;
        assert!(matches!(another, Err(Error::Conflict)));
        assert_eq!(monitors.find(mine, "mon_1").await.unwrap(), Some(one));
        let claim = monitors.claim(hour(1), LEASE).await.unwrap().unwrap();
        let found = result(hour(1), &["al_1"]);
        assert!(monitors.record(&claim, &found).await.unwrap());

        let alerts = store.deliveries();
        assert_eq!(monitors.find(theirs, "mon_1").await.unwrap(), None);
        assert!(monitors.list(theirs).await.unwrap().is_empty());
        assert!(alerts.list(theirs, "mon_1", 9).await.unwrap().is_empty());
        for state in [MonitorState::Paused, MonitorState::Deleted] {
            assert!(!monitors.set_state(theirs, "mon_1", state).await.unwrap());
        }
        let seen = &monitors.list(mine).await.unwrap()[0];
        assert_eq!(seen.state, MonitorState::Active);
        assert_eq!(seen.last_check_at, Some(hour(1)));
        assert_eq!((seen.last_trust, seen.next_check_at), (Some(0.5), hour(2)));
        assert_eq!(alerts.list(mine, "mon_1", 9).await.unwrap().len(), 1);
        let printed = format!("{seen:?}");
        assert!(!printed.contains("whsec_1") && !printed.contains("swordfish"));

        let deleted = MonitorState::Deleted;
        assert!(monitors.set_state(mine, "mon_1", deleted).await.unwrap());
        assert!(!monitors.set_state(mine, "mon_1", deleted).await.unwrap());
        assert_eq!(monitors.find(mine, "mon_1").await.unwrap(), None);
        assert!(due_alert(&alerts, hour(9)).await.is_none());
        // It makes room, and is forgotten once others have been deleted after it.
        for number in 2..6 {
            let next = Monitor {
                created_at: hour(number),
                ..monitor(&format!("mon_{number}"), mine)
            };
            monitors.insert(&next, 1, None).await.unwrap();
            assert!(monitors.set_state(mine, &next.id, deleted).await.unwrap());
        }
        let rows = "SELECT COUNT(*) FROM monitor";
        let rows = store.database().number(rows, Vec::new()).await.unwrap();
        assert_eq!(rows, 2);
        let rows = "SELECT COUNT(*) FROM delivery";
        let rows = store.database().number(rows, Vec::new()).await.unwrap();
        assert_eq!(rows, 0, "alerts go with their monitor");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_due_monitor_is_claimed_once() {
    on_each_database(|place| async move {
        let stores = [place.open().await, place.open().await];
        let (mine, theirs) = two_accounts(&stores[0]).await;
        for number in 0..40_u32 {
            let owner = [mine, theirs][(number % 2) as usize];
            let one = Monitor {
                next_check_at: hour(i64::from(number / 30)),
                ..monitor(&format!("mon_{number}"), owner)
            };
            stores[0].monitors().insert(&one, 99, None).await.unwrap();
        }
        let workers = (0..8_usize).map(|number| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move {
                let mut claimed = Vec::new();
                let monitors = store.monitors();
                while let Some(claim) = monitors.claim(hour(0), LEASE).await.unwrap() {
                    let alert = format!("al_{}", claim.monitor.id);
                    let found = result(hour(0), &[&alert]);
                    assert!(monitors.record(&claim, &found).await.unwrap());
                    claimed.push(claim.monitor.id);
                }
                claimed
            })
        });
        let claimed = join_all(workers).await.into_iter();
        let claimed: Vec<String> = claimed.flat_map(Result::unwrap).collect();
        assert_eq!(claimed.len(), 30, "ten are not due yet");
        assert_eq!(claimed.iter().collect::<HashSet<_>>().len(), 30);

        let workers = (0..8_usize).map(|number| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move {
                let mut delivered = 0;
                let alerts = store.deliveries();
                while let Some(due) = due_alert(&alerts, hour(0)).await {
                    assert!(alerts.delivered(&due, &report(hour(0))).await.unwrap());
                    delivered += 1;
                }
                delivered
            })
        });
        let delivered = join_all(workers).await.into_iter().map(Result::unwrap);
        assert_eq!(delivered.sum::<u32>(), 30);
        let seen = stores[1].monitors().list(mine).await.unwrap();
        let sent: u64 = seen.iter().map(|one| one.alerts_sent).sum();
        assert_eq!(sent, 15);
    })
    .await;
}

#[tokio::test]
async fn a_claim_that_ran_out_records_nothing() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, _) = two_accounts(&store).await;
        let monitors = store.monitors();
        let one = monitor("mon_1", mine);
        monitors.insert(&one, 9, None).await.unwrap();
        assert!(monitors.claim(hour(0), LEASE).await.unwrap().is_none());
        let first = monitors.claim(hour(1), LEASE).await.unwrap().unwrap();
        let within = hour(1).plus_ms(LEASE - 1);
        assert!(monitors.claim(within, LEASE).await.unwrap().is_none());
        let after = hour(1).plus_ms(LEASE);
        let second = monitors.claim(after, LEASE).await.unwrap().unwrap();
        let found = result(after, &["al_1"]);
        assert!(!monitors.record(&first, &found).await.unwrap());
        assert!(monitors.record(&second, &found).await.unwrap());
        assert!(!monitors.record(&second, &found).await.unwrap(), "once");

        // A paused monitor is not claimed, and the result of a check in progress is dropped.
        let third = monitors.claim(hour(3), LEASE).await.unwrap().unwrap();
        let paused = MonitorState::Paused;
        assert!(monitors.set_state(mine, "mon_1", paused).await.unwrap());
        let late = result(hour(3), &["al_2"]);
        assert!(!monitors.record(&third, &late).await.unwrap());
        assert!(monitors.claim(hour(9), LEASE).await.unwrap().is_none());
        let active = MonitorState::Active;
        assert!(monitors.set_state(mine, "mon_1", active).await.unwrap());
        assert!(monitors.claim(hour(9), LEASE).await.unwrap().is_some());
        let alerts = store.deliveries().list(mine, "mon_1", 9).await;
        assert_eq!(alerts.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn alerts_are_retried_until_they_are_dead() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = two_accounts(&store).await;
        let monitors = store.monitors();
        let silent = Monitor {
            alert_webhook: None,
            ..monitor("mon_silent", theirs)
        };
        for one in [&monitor("mon_1", mine), &silent] {
            monitors.insert(one, 9, None).await.unwrap();
            let claim = monitors.claim(hour(1), LEASE).await.unwrap().unwrap();
            let alert = format!("al_{}", one.id);
            let found = result(hour(1), &[&alert]);
            assert!(monitors.record(&claim, &found).await.unwrap());
        }
        let alerts = store.deliveries();
        let due = due_alert(&alerts, hour(1)).await.unwrap();
        assert_eq!(due.account, mine);
        let webhook = SecretUrl::from("https://hooks.example/in?token=swordfish");
        assert_eq!((&due.url, due.secret.expose()), (&webhook, "whsec_1"));
        assert_eq!(
            (due.delivery.id.as_str(), due.delivery.attempts),
            ("al_mon_1", 1)
        );
        assert!(
            due_alert(&alerts, hour(1)).await.is_none(),
            "claimed, and without webhook nothing is delivered"
        );
        // The worker is gone: another one takes over, and only its word counts.
        let again = due_alert(&alerts, hour(2)).await.unwrap();
        assert_eq!(again.delivery.attempts, 2);
        assert!(!alerts.delivered(&due, &report(hour(2))).await.unwrap());
        assert!(
            !alerts
                .failed(&due, &report(hour(2)), None, &[])
                .await
                .unwrap()
        );
        assert!(
            alerts
                .failed(&again, &report(hour(2)), Some(hour(5)), &[])
                .await
                .unwrap()
        );
        assert!(due_alert(&alerts, hour(4)).await.is_none());
        let last = due_alert(&alerts, hour(5)).await.unwrap();
        assert!(
            alerts
                .failed(&last, &report(hour(5)), None, &[])
                .await
                .unwrap()
        );
        assert!(due_alert(&alerts, hour(99)).await.is_none());
        let seen = &alerts.list(mine, "mon_1", 9).await.unwrap()[0];
        assert_eq!((seen.state, seen.delivered_at), (DeliveryState::Dead, None));
        assert_eq!(seen.attempts, 3);
        assert_eq!(monitors.list(mine).await.unwrap()[0].alerts_sent, 0);
    })
    .await;
}

#[tokio::test]
async fn the_newest_hundred_alerts_are_kept() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, _) = two_accounts(&store).await;
        let monitors = store.monitors();
        let one = monitor("mon_1", mine);
        monitors.insert(&one, 9, None).await.unwrap();
        for round in 1..5 {
            let claim = monitors.claim(hour(round), LEASE).await.unwrap().unwrap();
            let ids: Vec<String> = (0..30).map(|at| format!("al_{round}_{at:02}")).collect();
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let found = result(hour(round), &ids);
            assert!(monitors.record(&claim, &found).await.unwrap());
        }
        let alerts = store.deliveries();
        let kept = alerts.list(mine, "mon_1", 999).await.unwrap();
        assert_eq!(kept.len(), 100);
        let oldest = kept.iter().filter(|one| one.created_at == hour(1)).count();
        assert_eq!(oldest, 10);
    })
    .await;
}

/// A claim remembered by an agent.
fn claim(id: &str, value: &str) -> NewMemory {
    NewMemory {
        id: id.to_owned(),
        key: format!("key of {id}"),
        value: value.to_owned(),
        category: "claim".to_owned(),
        tickers: Vec::new(),
        confidence: Some(0.9),
        verdict: Some("supported".to_owned()),
        stale_at: None,
        expires_at: None,
        receipt: Some("rcpt_1".to_owned()),
    }
}

const ROOM: MemoryLimits = MemoryLimits {
    per_agent: 99,
    per_account: 99,
};

#[tokio::test]
async fn a_check_and_what_it_found_of_each_memory_are_one() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = two_accounts(&store).await;
        let (monitors, memories) = (store.monitors(), store.memories());
        let one = monitor("mon_1", mine);
        monitors.insert(&one, 9, None).await.unwrap();
        let agent = &*one.agent;
        let older = [
            claim("mem_old", "Rates fell in May."),
            claim("mem_short", "Rates"),
        ];
        let newer = [
            claim("mem_new", "Rates rose in June."),
            NewMemory {
                category: "note".to_owned(),
                ..claim("mem_note", "Rates may rise in July.")
            },
        ];
        for (at, added) in [(hour(0), &older), (hour(1), &newer)] {
            let stored = memories.store(mine, agent, added, ROOM, at, None).await;
            stored.unwrap();
        }
        let others = [claim("mem_other", "Rates fell in April.")];
        let stored = memories.store(theirs, agent, &others, ROOM, hour(0), None);
        stored.await.unwrap();
        let claims = async |most| {
            let found = memories
                .claims(mine, agent, (10, 1000), most, hour(1))
                .await;
            found.unwrap()
        };
        let ids: Vec<String> = claims(9)
            .await
            .into_iter()
            .map(|one| one.content.id)
            .collect();
        assert_eq!(ids, ["mem_new", "mem_old"], "newest first, claims only");
        assert_eq!(claims(1).await.len(), 1);

        let held = monitors.claim(hour(1), LEASE).await.unwrap().unwrap();
        // The agent changes its mind during the check.
        let changed = [claim("mem_new", "Rates rose in May and June.")];
        let stored = memories
            .store(mine, agent, &changed, ROOM, hour(2), None)
            .await;
        stored.unwrap();
        let checked = |id: &str, seen_at, receipt: Option<&str>| CheckedMemory {
            id: id.to_owned(),
            seen_at,
            confidence: 0.25,
            verdict: "contradicted",
            stale_at: hour(99),
            receipt: receipt.map(str::to_owned),
            alert: Some(NewAlert {
                id: format!("al_{id}"),
                kind: "monitor.claim_contradicted",
                claim: "Rates.".to_owned(),
                body: "{}".to_owned(),
            }),
        };
        let found = CheckResult {
            memories: vec![
                checked("mem_old", hour(0), None),
                checked("mem_new", hour(1), Some("rcpt_2")),
                checked("mem_other", hour(0), None),
            ],
            ..result(hour(3), &["al_trust"])
        };
        assert!(monitors.record(&held, &found).await.unwrap());
        let now = claims(9).await;
        let old = now.iter().find(|one| one.content.id == "mem_old").unwrap();
        assert_eq!(old.content.verdict.as_deref(), Some("contradicted"));
        assert_eq!(old.content.confidence, Some(0.25));
        assert_eq!(old.content.receipt.as_deref(), Some("rcpt_1"), "kept");
        assert_eq!(
            (old.content.stale_at, old.updated_at),
            (Some(hour(99)), hour(3))
        );
        let new = now.iter().find(|one| one.content.id == "mem_new").unwrap();
        assert_eq!(new.content.verdict.as_deref(), Some("supported"));
        let other = memories
            .find(theirs, agent, "key of mem_other", hour(3))
            .await;
        let other = other.unwrap().unwrap();
        assert_eq!(other.content.verdict.as_deref(), Some("supported"));
        let alerts = store.deliveries().list(mine, "mon_1", 9).await.unwrap();
        let ids: HashSet<&str> = alerts.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, HashSet::from(["al_mem_old", "al_trust"]));
    })
    .await;
}

#[tokio::test]
async fn an_agent_has_one_monitor_whose_settings_change() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = two_accounts(&store).await;
        let monitors = store.monitors();
        let one = monitor("mon_1", mine);
        assert!(monitors.insert(&one, 9, None).await.unwrap());
        let same = Monitor {
            agent: one.agent.clone(),
            ..monitor("mon_2", mine)
        };
        assert!(!monitors.insert(&same, 9, None).await.unwrap());
        let of_another = Monitor {
            id: "mon_3".to_owned(),
            account: theirs,
            next_check_at: hour(99),
            ..same.clone()
        };
        assert!(monitors.insert(&of_another, 9, None).await.unwrap());
        let found = monitors.find_by_agent(mine, &one.agent).await.unwrap();
        assert_eq!(found.as_ref(), Some(&one));

        let wanted = Monitor {
            trust_threshold: 0.5,
            escalates: false,
            last_trust: None,
            ..one.clone()
        };
        let held = monitors.claim(hour(1), LEASE).await.unwrap().unwrap();
        assert!(monitors.change(&one, &wanted, None).await.unwrap());
        let of_meanwhile = Monitor {
            trust_threshold: 0.9,
            ..one.clone()
        };
        assert!(
            !monitors.change(&one, &of_meanwhile, None).await.unwrap(),
            "set otherwise since it was read"
        );
        let late = result(hour(1), &["al_1"]);
        assert!(
            !monitors.record(&held, &late).await.unwrap(),
            "begun under the old settings"
        );
        let held = monitors.claim(hour(1), LEASE).await.unwrap().unwrap();
        assert_eq!(held.monitor.trust_threshold, 0.5);
        assert!(monitors.record(&held, &result(hour(1), &[])).await.unwrap());
        assert!(
            !monitors.change(&one, &wanted, None).await.unwrap(),
            "checked since it was read"
        );
        let held = monitors.claim(hour(2), LEASE).await.unwrap().unwrap();
        assert!(monitors.postpone(&held, hour(5)).await.unwrap());
        assert!(!monitors.postpone(&held, hour(6)).await.unwrap());
        let seen = monitors.find(mine, "mon_1").await.unwrap().unwrap();
        assert_eq!(
            (seen.next_check_at, seen.last_check_at),
            (hour(5), Some(hour(1)))
        );
        let deleted = MonitorState::Deleted;
        assert!(monitors.set_state(mine, "mon_1", deleted).await.unwrap());
        assert!(!monitors.change(&seen, &wanted, None).await.unwrap());
        assert!(monitors.insert(&same, 9, None).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn what_is_under_way_is_left_to_whoever_has_it() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = two_accounts(&store).await;
        let monitors = store.monitors();
        for (id, owner) in [("mon_1", mine), ("mon_2", mine), ("mon_3", theirs)] {
            monitors.insert(&monitor(id, owner), 9, None).await.unwrap();
            let held = monitors.claim(hour(1), LEASE).await.unwrap().unwrap();
            let ids = [format!("al_{id}_a"), format!("al_{id}_b")];
            let found = result(hour(1), &ids.each_ref().map(String::as_str));
            assert!(monitors.record(&held, &found).await.unwrap());
        }
        let alerts = store.deliveries();
        let mut claimed = Vec::new();
        while let Some(due) = due_alert(&alerts, hour(1)).await {
            claimed.push(due);
        }
        let ids: Vec<&str> = claimed.iter().map(|due| due.delivery.id.as_str()).collect();
        assert_eq!(
            ids,
            ["al_mon_1_a", "al_mon_2_a", "al_mon_3_a"],
            "one of each"
        );
        let last = report(hour(1));
        assert!(alerts.delivered(&claimed[1], &last).await.unwrap());
        assert!(alerts.delivered(&claimed[2], &last).await.unwrap());
        let due = alerts.claim(hour(1), LEASE, &[mine]).await.unwrap();
        assert_eq!(due.unwrap().delivery.id, "al_mon_3_b");

        // A receiver that wants no more messages pauses its monitor, unless the alerts now go elsewhere.
        let first = &claimed[0];
        let moved = DueDelivery {
            url: SecretUrl::from("https://hooks.example/earlier"),
            ..first.clone()
        };
        assert!(!alerts.refused(&moved, &last, &[]).await.unwrap());
        assert!(alerts.refused(first, &last, &[]).await.unwrap());
        let seen = monitors.find(mine, "mon_1").await.unwrap().unwrap();
        assert_eq!(seen.state, MonitorState::Paused);
        let given_up = alerts.list(mine, "mon_1", 9).await.unwrap();
        assert!(given_up.iter().all(|one| one.state == DeliveryState::Dead));
        let next = due_alert(&alerts, hour(99)).await.unwrap();
        assert_ne!(next.delivery.receiver, "mon_1");
    })
    .await;
}
