//! Corporate actions reported by several sources: whatever the order, the same record stands; a differing report is a
//! revision.

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

/// Ratio, source and time of the record in force.
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
        // The same file, another source, one that rounds, and one that does not give the ratio.
        let again = [
            (split(3.0, "one"), 5),
            (split(3.0, "another"), 5),
            (split(3.000_1, "three"), 7),
            (silent("two"), 5),
        ];
        for (action, known) in again {
            let written = put(&store, 21, action, known).await;
            assert_eq!((written.known, written.total()), (1, 1));
            assert_eq!(standing(&store, None).await, first);
        }
        // Of reports for the same time, the same source's always stands, and it corrects nothing.
        let written = put(&store, 21, split(3.0, "two"), 5).await;
        assert_eq!((written.known, written.total()), (1, 1));
        assert_eq!(
            standing(&store, None).await,
            [(3.0, "two".to_owned(), hour(5))]
        );
        assert_eq!(put(&store, 22, split(3.0, "one"), 5).await.known, 1);
    })
    .await;
}

/// A report that does not give the ratio.
fn silent(source: &str) -> CorporateAction {
    CorporateAction {
        ratio: None,
        ..split(0.0, source)
    }
}

/// What was in force at each of several hours after these reports, each with the hour since which it was known.
async fn histories(
    store: &Store,
    symbol: Symbol,
    reports: &[(CorporateAction, i64)],
    is_one_transaction: bool,
) -> Vec<Option<(CorporateAction, Timestamp)>> {
    let of_symbol = |(report, known): &(CorporateAction, i64)| {
        let symbol = symbol.clone();
        let action = CorporateAction {
            symbol,
            ..report.clone()
        };
        (action, hour(*known))
    };
    let reports = reports.iter().map(of_symbol);
    let transactions: Vec<Vec<(CorporateAction, Timestamp)>> = if is_one_transaction {
        vec![reports.collect()]
    } else {
        reports.map(|one| vec![one]).collect()
    };
    for reports in transactions {
        let mut transaction = store.market_transaction(hour(20)).await.unwrap();
        transaction.put_records(reports).await.unwrap();
        transaction.commit().await.unwrap();
    }
    let mut found = Vec::new();
    for at in [1, 2, 5, 8, 30] {
        let query = RecordQuery {
            symbol: Some(symbol.clone()),
            as_of: Some(hour(at)),
            ..RecordQuery::default()
        };
        let records = store.records::<CorporateAction>();
        let stood = records.list(&query).await.unwrap();
        assert!(stood.len() <= 1, "{stood:?}");
        let stood = stood.into_iter().next();
        found.push(stood.map(|one| {
            let symbol = split(0.0, "").symbol;
            let record = CorporateAction {
                symbol,
                ..one.record
            };
            (record, one.known_at)
        }));
    }
    found
}

#[tokio::test]
async fn reports_that_agree_stand_alike_in_whichever_order_they_come() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let dollars = |source: &str| CorporateAction {
            currency: Some("USD".to_owned()),
            ..split(3.0, source)
        };
        for (number, (reports, expected)) in [
            // Equal reports for the same time: the greater source stands.
            (
                [
                    (split(3.0, "one"), 5),
                    (split(3.0, "two"), 5),
                    (silent("x"), 5),
                ],
                [None, None, Some((1, 5)), Some((1, 5)), Some((1, 5))],
            ),
            // One that says more and was known at the same time.
            (
                [
                    (split(3.0, "two"), 5),
                    (dollars("one"), 5),
                    (silent("x"), 5),
                ],
                [None, None, Some((1, 5)), Some((1, 5)), Some((1, 5))],
            ),
            // The first of several equal ones.
            (
                [
                    (split(3.0, "one"), 2),
                    (split(3.0, "two"), 5),
                    (silent("x"), 8),
                ],
                [None, Some((0, 2)), Some((0, 2)), Some((0, 2)), Some((0, 2))],
            ),
            // One that says less was known earlier, and one that says more was known later.
            (
                [(silent("x"), 2), (split(3.0, "one"), 5), (dollars("a"), 8)],
                [None, Some((0, 2)), Some((1, 5)), Some((2, 8)), Some((2, 8))],
            ),
            // One that says more than all that follow it.
            (
                [(dollars("a"), 2), (split(3.0, "one"), 5), (silent("x"), 8)],
                [None, Some((0, 2)), Some((0, 2)), Some((0, 2)), Some((0, 2))],
            ),
            (
                [(silent("x"), 5), (dollars("a"), 5), (split(3.0, "one"), 8)],
                [None, None, Some((1, 5)), Some((1, 5)), Some((1, 5))],
            ),
            // Differs, and known later.
            (
                [
                    (split(3.0, "one"), 2),
                    (split(4.0, "two"), 5),
                    (split(4.0, "x"), 8),
                ],
                [None, Some((0, 2)), Some((1, 5)), Some((1, 5)), Some((1, 5))],
            ),
        ]
        .into_iter()
        .enumerate()
        {
            let expected = expected.map(|stood| {
                stood.map(|(report, at): (usize, i64)| {
                    let (report, _): &(CorporateAction, i64) = &reports[report];
                    (report.clone(), hour(at))
                })
            });
            for (turn, order) in ORDERS.into_iter().enumerate() {
                let reports = order.map(|place| reports[place].clone());
                for is_one_transaction in [false, true] {
                    let name = format!("A{number}{turn}{}", u8::from(is_one_transaction));
                    let symbol = Symbol::parse(&name).unwrap();
                    let found = histories(&store, symbol, &reports, is_one_transaction).await;
                    assert_eq!(found, expected, "{number}: {order:?}");
                }
            }
        }
        // What lists are filtered by: the ratio of the fuller report.
        let query = RecordQuery {
            symbol: Some(Symbol::parse("A330").unwrap()),
            min_amount: Some(2.0),
            ..RecordQuery::default()
        };
        let records = store.records::<CorporateAction>();
        assert_eq!(records.count(&query).await.unwrap(), 1);
        for turn in 0..6 {
            let query = RecordQuery {
                symbol: Some(Symbol::parse(&format!("A5{turn}0")).unwrap()),
                ..query.clone()
            };
            assert_eq!(records.count(&query).await.unwrap(), 1, "{turn}");
        }
    })
    .await;
}

const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

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
        // Neither of two brought in by one import is lost.
        for other in [6.0, 7.0] {
            let written = put(&store, 24, split(other, "two"), 5).await;
            assert_eq!(written.corrected, 1, "{other}");
        }
        assert_eq!(ratio(None).await, (7.0, hour(24).plus_ms(1)));
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
