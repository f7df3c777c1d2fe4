//! Feedback: limited per day, listed by owner.

use futures::future::join_all;
use model::{AccountId, Timestamp};

use super::access::account;
use super::on_each_database;
use super::samples::hour;
use crate::{Begin, Completion, Error, FeedbackEntry, StoredAnswer};

fn entry(id: &str, owner: Option<AccountId>, at: Timestamp) -> FeedbackEntry {
    FeedbackEntry {
        id: id.to_owned(),
        account: owner,
        kind: "outdated".to_owned(),
        session_id: Some("ask_1".to_owned()),
        message: None,
        claim: Some("Rates fell.".to_owned()),
        created_at: at,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn feedback_is_bounded_by_day_and_listed_by_owner() {
    on_each_database(|place| async move {
        let stores = [place.open().await, place.open().await];
        let (mine, theirs) = (account("a@mail.example"), account("b@mail.example"));
        for one in [&mine, &theirs] {
            stores[0].accounts().insert(one).await.unwrap();
        }
        // Two owners side by side: an account, and all callers that have none.
        let writers = (0..24_usize).map(|number| {
            let store = stores[number % 2].clone();
            let owner = (number % 4 < 2).then_some(mine.id);
            tokio::spawn(async move {
                let one = entry(&format!("fb_{number:02}"), owner, hour(0));
                match store.feedback().insert(&one, 4, None).await {
                    Ok(()) => 1,
                    Err(Error::Conflict) => 0,
                    Err(error) => panic!("{error}"),
                }
            })
        });
        let kept = join_all(writers).await.into_iter().map(Result::unwrap);
        assert_eq!(kept.sum::<u64>(), 8);
        let feedback = stores[0].feedback();
        assert_eq!(feedback.list(mine.id, 99).await.unwrap().len(), 4);
        assert!(feedback.list(theirs.id, 99).await.unwrap().is_empty());
        let next = entry("fb_next", Some(mine.id), hour(12));
        feedback.insert(&next, 4, None).await.unwrap();
        assert_eq!(feedback.list(mine.id, 1).await.unwrap(), [next]);
        assert_eq!(feedback.prune(hour(12)).await.unwrap(), 8);
        assert_eq!(feedback.list(mine.id, 99).await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn feedback_and_the_record_of_its_request_commit_together() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let owner = account("a@mail.example");
        store.accounts().insert(&owner).await.unwrap();
        let answer = StoredAnswer::json(b"{}".to_vec());
        let completion = Completion {
            scope: "a",
            route: "r",
            key: "k",
            answer: &answer,
            now: hour(0),
        };
        let one = entry("fb_1", Some(owner.id), hour(0));
        let feedback = store.feedback();
        let refused = feedback.insert(&one, 4, Some(completion)).await;
        assert!(matches!(refused, Err(Error::Conflict)));
        assert!(feedback.list(owner.id, 9).await.unwrap().is_empty());
        let records = store.idempotency();
        let begun = records.begin("a", "r", "k", &[1; 32], hour(0));
        assert_eq!(begun.await.unwrap(), Begin::Started);
        feedback.insert(&one, 4, Some(completion)).await.unwrap();
        assert_eq!(feedback.list(owner.id, 9).await.unwrap(), [one]);
    })
    .await;
}
