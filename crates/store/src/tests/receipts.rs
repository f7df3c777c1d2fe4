//! Receipts: what is written can be found by whoever may list it.

use model::AccountId;
use uuid::Uuid;

use super::access::account;
use super::log::{Hash, grow, leaf};
use super::on_each_database;
use super::samples::hour;
use crate::{Begin, Completion, Error, Receipt, Result, SourceVerdicts, Store, StoredAnswer};

pub(super) fn receipt(id: &str, owner: Option<AccountId>) -> Receipt {
    Receipt {
        id: id.to_owned(),
        account: owner,
        kind: "claim".to_owned(),
        created_at: hour(0),
        body: format!("{{\"id\":\"{id}\"}}"),
        signature: vec![7; 64],
        key_id: "key-1".to_owned(),
        disclosures: None,
        verdict: Some("supported".to_owned()),
        confidence: Some(0.875),
        source: None,
        agent: None,
        replay: None,
    }
}

/// Appends receipts with leaves made from their bodies.
pub(super) async fn append(store: &Store, receipts: &[Receipt]) -> Result<std::ops::Range<u64>> {
    let leaves: Vec<Hash> = receipts.iter().map(|one| leaf(&one.body)).collect();
    store.receipts().append(receipts, None, grow(leaves)).await
}

#[tokio::test]
async fn a_receipt_is_read_as_it_was_written() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let owner = account("a@mail.example");
        store.accounts().insert(&owner).await.unwrap();
        let full = Receipt {
            disclosures: Some("{\"memory\":\"x\"}".to_owned()),
            source: Some("model-a".to_owned()),
            agent: Some("scout".to_owned()),
            replay: Some("{}".to_owned()),
            ..receipt("vr_1", Some(owner.id))
        };
        let anonymous = Receipt {
            verdict: None,
            confidence: None,
            ..receipt("vr_2", None)
        };
        let written = [full.clone(), anonymous.clone()];
        assert_eq!(append(&store, &written).await.unwrap(), 0..2);
        let found = store.receipts().find("vr_1").await.unwrap().unwrap();
        assert_eq!((found.log_index, found.receipt), (0, full));
        let found = store.receipts().find("vr_2").await.unwrap().unwrap();
        assert_eq!((found.log_index, found.receipt), (1, anonymous));
        assert_eq!(store.receipts().find("vr_3").await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn an_account_lists_its_own_receipts() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = (account("a@mail.example"), account("b@mail.example"));
        for one in [&mine, &theirs] {
            store.accounts().insert(one).await.unwrap();
        }
        for number in 0..6 {
            let one = Receipt {
                agent: (number % 3 == 0).then(|| "scout".to_owned()),
                ..receipt(&format!("vr_{number}"), Some(mine.id))
            };
            append(&store, &[one]).await.unwrap();
        }
        append(&store, &[receipt("vr_anonymous", None)])
            .await
            .unwrap();
        let receipts = store.receipts();
        let ids = |found: Vec<crate::StoredReceipt>| -> Vec<String> {
            found.into_iter().map(|one| one.receipt.id).collect()
        };
        let newest = receipts.list(mine.id, 3).await.unwrap();
        assert_eq!(ids(newest), ["vr_5", "vr_4", "vr_3"]);
        let of_agent = receipts.list_of_agent(mine.id, "scout", 9).await.unwrap();
        assert_eq!(ids(of_agent), ["vr_3", "vr_0"]);
        assert!(receipts.list(theirs.id, 9).await.unwrap().is_empty());
        let none = receipts.list_of_agent(theirs.id, "scout", 9).await.unwrap();
        assert!(none.is_empty());
    })
    .await;
}

#[tokio::test]
async fn receipts_and_the_record_of_their_request_commit_together() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let answer = StoredAnswer::json(b"{}".to_vec());
        let completion = Completion {
            scope: "a",
            route: "r",
            key: "k",
            answer: &answer,
            now: hour(0),
        };
        let one = [receipt("vr_1", None)];
        let append_with = async || {
            let leaves = grow(vec![leaf(&one[0].body)]);
            store
                .receipts()
                .append(&one, Some(completion), leaves)
                .await
        };
        // Nobody began that request: neither receipt nor leaf may stay.
        assert!(matches!(append_with().await, Err(Error::Conflict)));
        assert_eq!(store.log().size().await.unwrap(), 0);
        assert_eq!(store.receipts().find("vr_1").await.unwrap(), None);
        let records = store.idempotency();
        let begun = records.begin("a", "r", "k", &[1; 32], hour(0));
        assert_eq!(begun.await.unwrap(), Begin::Started);
        assert_eq!(append_with().await.unwrap(), 0..1);
        let again = records.begin("a", "r", "k", &[1; 32], hour(0));
        assert_eq!(again.await.unwrap(), Begin::Replay(answer.clone()));

        // The same identity again: the log does not grow.
        assert!(matches!(append(&store, &one).await, Err(Error::Conflict)));
        assert_eq!(store.log().size().await.unwrap(), 1);
    })
    .await;
}

#[tokio::test]
async fn the_leaderboard_counts_claims_by_source() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let verdicts = [
            ("model-a", "supported", 0),
            ("model-a", "contradicted", 1),
            ("model-a", "supported", 2),
            ("model-a", "unverifiable", 3),
            ("model-b", "partially_supported", 3),
            ("model-b", "supported", -1),
            ("model-c", "supported", 1),
            ("model-d", "unverifiable", 1),
            ("model-d", "unverifiable", 2),
        ];
        let mut written = Vec::new();
        for (number, (source, verdict, hours)) in verdicts.into_iter().enumerate() {
            written.push(Receipt {
                source: Some(source.to_owned()),
                verdict: Some(verdict.to_owned()),
                created_at: hour(hours),
                ..receipt(&format!("vr_{number}"), None)
            });
        }
        // The receipt for a whole text, one without a source and one without a verdict do not count.
        written.push(Receipt {
            kind: "text".to_owned(),
            source: Some("model-a".to_owned()),
            ..receipt("vr_text", None)
        });
        written.push(receipt("vr_nobody", None));
        written.push(Receipt {
            source: Some("model-a".to_owned()),
            verdict: None,
            ..receipt("vr_open", None)
        });
        let id = Uuid::new_v4().to_string();
        written.push(receipt(&id, None));
        append(&store, &written).await.unwrap();
        let board = store
            .receipts()
            .leaderboard("claim", hour(0), 10)
            .await
            .unwrap();
        let first = SourceVerdicts {
            source: "model-a".to_owned(),
            claims: 4,
            supported: 2,
            contradicted: 1,
            partially_supported: 0,
            unverifiable: 1,
        };
        let second = SourceVerdicts {
            source: "model-b".to_owned(),
            claims: 1,
            supported: 0,
            contradicted: 0,
            partially_supported: 1,
            unverifiable: 0,
        };
        let best = SourceVerdicts {
            source: "model-c".to_owned(),
            claims: 1,
            supported: 1,
            contradicted: 0,
            partially_supported: 0,
            unverifiable: 0,
        };
        let undecided = SourceVerdicts {
            source: "model-d".to_owned(),
            claims: 2,
            supported: 0,
            unverifiable: 2,
            ..best.clone()
        };
        assert_eq!(board.total, 4);
        // With nothing decided the score is one half, between two out of three and none out of one.
        assert_eq!(board.first, [best.clone(), first, undecided, second]);
        // The source with the most claims is not the best one.
        let cut = store.receipts().leaderboard("claim", hour(0), 1).await;
        let cut = cut.unwrap();
        assert_eq!((cut.total, cut.first), (4, vec![best]));
        let later = store.receipts().leaderboard("claim", hour(9), 1).await;
        assert_eq!(later.unwrap().total, 0);

        // Nine out of ten ranks above one out of one; ties are broken by name.
        let sure = (0..10).map(|number| {
            (
                "model-z",
                if number > 0 {
                    "supported"
                } else {
                    "contradicted"
                },
            )
        });
        let verdicts = sure.chain([("model-y", "supported"), ("model-x", "supported")]);
        let written: Vec<Receipt> = verdicts
            .enumerate()
            .map(|(number, (source, verdict))| Receipt {
                source: Some(source.to_owned()),
                verdict: Some(verdict.to_owned()),
                created_at: hour(20),
                ..receipt(&format!("vr_late_{number}"), None)
            })
            .collect();
        append(&store, &written).await.unwrap();
        let late = store
            .receipts()
            .leaderboard("claim", hour(20), 10)
            .await
            .unwrap();
        let names: Vec<&str> = late.first.iter().map(|row| row.source.as_str()).collect();
        assert_eq!(names, ["model-z", "model-x", "model-y"]);
    })
    .await;
}
