//! Agents of accounts: owned, limited, counted; schedules: each due time taken once.

use futures::future::join_all;
use model::AccountId;

use super::access::account;
use super::on_each_database;
use super::samples::hour;
use crate::{AgentReview, AgentRow, AgentSchedule, Error};

fn agent(slug: &str, owner: AccountId, from: Option<&str>) -> AgentRow {
    AgentRow {
        slug: slug.to_owned(),
        account: owner,
        creator: "somebody".to_owned(),
        name: "Watch".to_owned(),
        description: "Watches.".to_owned(),
        category: "trading".to_owned(),
        tags: "[]".to_owned(),
        pipeline: "name = \"Watch\"".to_owned(),
        credit_cost: 3,
        forked_from: from.map(str::to_owned),
        created_at: hour(0),
        updated_at: hour(0),
    }
}

fn review(slug: &str, owner: AccountId, rating: u8) -> AgentReview {
    AgentReview {
        agent: slug.to_owned(),
        account: owner,
        username: "somebody".to_owned(),
        rating,
        comment: String::new(),
        created_at: hour(0),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_are_owned_bounded_and_counted() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = (account("a@mail.example"), account("b@mail.example"));
        for one in [&mine, &theirs] {
            store.accounts().insert(one).await.unwrap();
        }
        let agents = store.agents();
        let first = agent("watch", mine.id, None);
        agents.insert(&first, 2, None).await.unwrap();
        let taken = agents
            .insert(&agent("watch", theirs.id, None), 2, None)
            .await;
        assert!(matches!(taken, Err(Error::Conflict)));
        agents
            .insert(&agent("watch-2", mine.id, Some("watch")), 2, None)
            .await
            .unwrap();
        let full = agents
            .insert(&agent("watch-3", mine.id, None), 2, None)
            .await;
        assert!(matches!(full, Err(Error::Full { most: 2, .. })));
        assert_eq!(agents.find("watch").await.unwrap(), Some(first.clone()));
        assert_eq!(agents.list().await.unwrap().len(), 2);
        let mut changed = first.clone();
        changed.name = "Other".to_owned();
        changed.account = theirs.id;
        assert!(!agents.replace(&changed).await.unwrap());
        assert!(!agents.delete(theirs.id, "watch").await.unwrap());
        agents
            .review(&review("watch", mine.id, 1), 5, None)
            .await
            .unwrap();
        agents
            .review(&review("watch", theirs.id, 2), 5, None)
            .await
            .unwrap();
        agents
            .review(&review("watch", theirs.id, 4), 5, None)
            .await
            .unwrap();
        let many = agents.review(&review("other", theirs.id, 4), 1, None).await;
        assert!(matches!(many, Err(Error::Full { most: 1, .. })));
        join_all((0..5).map(|_| agents.count_run("watch")))
            .await
            .into_iter()
            .for_each(|counted| counted.unwrap());
        let counts = agents.counts().await.unwrap();
        let (_, watch) = counts.iter().find(|(slug, _)| slug == "watch").unwrap();
        assert_eq!((watch.runs, watch.forks, watch.reviews), (5, 1, 2));
        assert!((watch.rating - 2.5).abs() < 1e-12);
        assert!(agents.delete(mine.id, "watch").await.unwrap());
        assert_eq!(agents.reviews("watch", 10).await.unwrap(), []);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_due_time_becomes_one_job() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let owner = account("a@mail.example");
        store.accounts().insert(&owner).await.unwrap();
        let schedule = AgentSchedule {
            id: "sch_1".to_owned(),
            account: owner.id,
            key: None,
            agent: "watch".to_owned(),
            every_ms: Some(3_600_000),
            minute: None,
            zone: "UTC".to_owned(),
            inputs: "{}".to_owned(),
            target: None,
            budget: Some(5),
            next_at: Some(hour(1)),
            created_at: hour(0),
            last_at: None,
            last_run: None,
            note: None,
        };
        let schedules = store.agent_schedules();
        schedules.insert(&schedule, 1, None).await.unwrap();
        let full = schedules.insert(&schedule, 1, None).await;
        assert!(matches!(full, Err(Error::Full { .. })));
        assert_eq!(schedules.due(hour(0)).await.unwrap(), []);
        let due = schedules.due(hour(1)).await.unwrap();
        assert_eq!(due, [schedule]);
        let job = ("agent.schedule", "{}", "agent.schedule:sch_1:1");
        let taken = join_all((0..4).map(|_| schedules.take(&due[0], hour(2), job, hour(1)))).await;
        let taken: Vec<bool> = taken.into_iter().map(|one| one.unwrap()).collect();
        assert_eq!(taken.iter().filter(|one| **one).count(), 1);
        assert_eq!(store.jobs().pending().await.unwrap(), 1);
        schedules
            .note("sch_1", Some("run_1"), None, false)
            .await
            .unwrap();
        schedules
            .note("sch_1", None, Some("gone"), true)
            .await
            .unwrap();
        let found = schedules.list(owner.id).await.unwrap();
        assert_eq!(found[0].last_run.as_deref(), Some("run_1"));
        assert_eq!(
            (found[0].next_at, found[0].note.as_deref()),
            (None, Some("gone"))
        );
        assert!(schedules.delete(owner.id, "sch_1").await.unwrap());
    })
    .await;
}
