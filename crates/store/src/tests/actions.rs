//! Corporate actions that several sources report: a repetition changes nothing, anything else is a revision.

use model::{ActionKind, CorporateAction, Day, Symbol, Timestamp};

use super::on_each_database;
use super::samples::hour;
use crate::{RecordQuery, Store, StoredRecord, Written};

fn split(ratio: f64, source: &str) -> CorporateAction {
    CorporateAction {
        symbol: Symbol::parse("ACME").unwrap(),
        kind: ActionKind::Split,
        ex_date: Day::parse("2026-03-02").unwrap(),
        ratio: Some(ratio),
        amount: None,
        currency: None,
        new_symbol: None,
        announced: None,
        no_later_than: None,
        source: source.to_owned(),
    }
}

async fn put(store: &Store, at: i64, action: CorporateAction, known: i64) -> Written {
    let mut transaction = store.market_transaction(hour(at)).await.unwrap();
    let written = transaction.put_records([(action, hour(known))]).await;
    transaction.commit().await.unwrap();
    written.unwrap()
}

/// Ratio, source and time of what stands.
async fn standing(store: &Store, as_of: Option<i64>) -> Vec<(f64, String, Timestamp)> {
    let query = RecordQuery {
        as_of: as_of.map(hour),
        ..RecordQuery::default()
    };
    let found = store.records::<CorporateAction>().list(&query).await;
    let said = |stored: StoredRecord<CorporateAction>| {
        let action = stored.record;
        (action.ratio.unwrap(), action.source, stored.known_at)
    };
    found.unwrap().into_iter().map(said).collect()
}

#[tokio::test]
async fn an_action_that_is_reported_again_stays_known_since_the_first_report() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let first = [(3.0, "one".to_owned(), hour(5))];
        put(&store, 20, split(3.0, "one"), 5).await;
        // The same file, another source, one that rounds, and one that says nothing of the ratio.
        let silent = CorporateAction {
            ratio: None,
            ..split(0.0, "four")
        };
        let again = [
            (split(3.0, "one"), 5),
            (split(3.0, "two"), 5),
            (split(3.000_1, "three"), 7),
            (silent, 5),
        ];
        for (action, known) in again {
            let written = put(&store, 21, action, known).await;
            assert_eq!((written.known, written.total()), (1, 1));
            assert_eq!(standing(&store, None).await, first);
        }
    })
    .await;
}

#[tokio::test]
async fn an_action_that_is_reported_otherwise_is_a_revision_known_from_the_report_on() {
    on_each_database(|place| async move {
        let store = place.open().await;
        put(&store, 20, split(3.0, "one"), 5).await;
        for (at, ratio) in [(21, 4.0), (22, 5.0)] {
            let written = put(&store, at, split(ratio, "two"), 5).await;
            assert_eq!((written.corrected, written.total()), (1, 1));
        }
        let ratio = async |as_of| {
            let found = standing(&store, as_of).await;
            assert_eq!(found.len(), 1, "{found:?}");
            (found[0].0, found[0].2)
        };
        assert_eq!(ratio(Some(20)).await, (3.0, hour(5)));
        assert_eq!(ratio(Some(21)).await, (4.0, hour(21)));
        assert_eq!(ratio(None).await, (5.0, hour(22)));
        // Files that were read before change nothing when they are read again.
        for known in [3.0, 4.0, 5.0] {
            let written = put(&store, 23, split(known, "again"), 5).await;
            assert_eq!(written.known, 1, "{known}");
        }
        assert_eq!(ratio(None).await, (5.0, hour(22)));
    })
    .await;
}

#[tokio::test]
async fn who_says_when_an_action_was_announced_may_come_first_or_last() {
    on_each_database(|place| async move {
        let announced = CorporateAction {
            announced: Some(Day::parse("2026-03-01").unwrap()),
            ..split(3.0, "one")
        };
        let store = place.open().await;
        for turned in [false, true] {
            let mut reports = [(announced.clone(), 2), (split(3.0, "two"), 5)];
            if turned {
                reports.reverse();
            }
            let symbol = Symbol::parse(if turned { "BOLT" } else { "ACME" }).unwrap();
            for (report, known) in reports {
                let action = CorporateAction {
                    symbol: symbol.clone(),
                    ..report
                };
                put(&store, 20, action, known).await;
            }
            let query = |as_of| RecordQuery {
                symbol: Some(symbol.clone()),
                as_of,
                ..RecordQuery::default()
            };
            for as_of in [Some(hour(3)), None] {
                let records = store.records::<CorporateAction>();
                let found = records.list(&query(as_of)).await.unwrap();
                assert_eq!(found.len(), 1);
                assert_eq!(found[0].known_at, hour(2));
                assert_eq!(found[0].record.source, "one");
            }
            let records = store.records::<CorporateAction>();
            let before = records.list(&query(Some(hour(1)))).await.unwrap();
            assert!(before.is_empty());
        }
    })
    .await;
}
