//! Runs: replaced under their ID, read by their owner, limited per day.

use futures::future::join_all;
use model::AccountId;

use super::access::account;
use super::on_each_database;
use super::samples::hour;
use crate::{Error, RunRow, StepRow};

fn run(id: &str, owner: Option<AccountId>, hours: i64) -> RunRow {
    RunRow {
        id: id.to_owned(),
        account: owner,
        kind: "swarm".to_owned(),
        subject: "finance".to_owned(),
        status: "running".to_owned(),
        inputs: "{}".to_owned(),
        output: None,
        credits: 0,
        duration_ms: 0,
        created_at: hour(hours),
        receipt: None,
        session: Some("ses_1".to_owned()),
    }
}

fn step(number: u32, body: &str) -> StepRow {
    StepRow {
        number,
        name: format!("step {number}"),
        body: body.to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_read_by_its_owner_as_it_was_written_last() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = (account("a@mail.example"), account("b@mail.example"));
        for one in [&mine, &theirs] {
            store.accounts().insert(one).await.unwrap();
        }
        let runs = store.runs();
        let begun = run("run_1", Some(mine.id), 0);
        runs.record(&begun, &[step(1, "{\"a\":1}")]).await.unwrap();
        runs.add_step("run_1", &step(2, "{}")).await.unwrap();
        runs.add_step("run_1", &step(2, "{\"b\":2}")).await.unwrap();
        let done = RunRow {
            status: "complete".to_owned(),
            output: Some("{\"summary\":\"\"}".to_owned()),
            credits: 12,
            duration_ms: 7,
            receipt: Some("vr_1".to_owned()),
            ..begun
        };
        runs.record(&done, &[]).await.unwrap();
        assert_eq!(runs.find(mine.id, "run_1").await.unwrap(), Some(done));
        assert_eq!(runs.find(theirs.id, "run_1").await.unwrap(), None);
        let steps = runs.steps("run_1").await.unwrap();
        assert_eq!(steps, [step(1, "{\"a\":1}"), step(2, "{\"b\":2}")]);
        runs.record(&run("run_2", None, 1), &[]).await.unwrap();
        runs.record(&run("run_3", Some(mine.id), 2), &[])
            .await
            .unwrap();
        let listed = runs.list(mine.id, Some("swarm"), 9).await.unwrap();
        let ids: Vec<&str> = listed.iter().map(|one| &*one.id).collect();
        assert_eq!(ids, ["run_3", "run_1"]);
        let others = runs.list(mine.id, Some("agent"), 9).await.unwrap();
        assert!(others.is_empty());
        let counts = runs.counts_by_subject("swarm").await.unwrap();
        assert_eq!(counts, [("finance".to_owned(), 3)]);
        assert_eq!(runs.prune(hour(1)).await.unwrap(), 1);
        assert!(runs.steps("run_1").await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_owner_begins_no_more_than_so_many() {
    on_each_database(|place| async move {
        let stores = [place.open().await, place.open().await];
        let mine = account("a@mail.example");
        stores[0].accounts().insert(&mine).await.unwrap();
        let begin = (0..20_usize).map(|number| {
            let store = stores[number % 2].clone();
            let owner = mine.id;
            tokio::spawn(async move {
                let one = run(&format!("run_{number}"), Some(owner), 1);
                match store.runs().begin(&one, &["swarm"], hour(0), 5).await {
                    Ok(()) => 1,
                    Err(Error::Full { .. }) => 0,
                    Err(error) => panic!("{error}"),
                }
            })
        });
        let begun: u64 = join_all(begin).await.into_iter().map(Result::unwrap).sum();
        assert_eq!(begun, 5);
        let runs = stores[0].runs();
        let counted = runs.count_since(mine.id, &["swarm", "agent"], hour(0));
        assert_eq!(counted.await.unwrap(), 5);
        let later = runs.count_since(mine.id, &["swarm"], hour(2));
        assert_eq!(later.await.unwrap(), 0);
        let next = run("run_next", Some(mine.id), 30);
        runs.begin(&next, &["swarm"], hour(24), 5).await.unwrap();
    })
    .await;
}
