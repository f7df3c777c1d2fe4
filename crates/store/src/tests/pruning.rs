//! What goes after a time, and what stays.

use model::{AccountId, Timestamp};
use uuid::Uuid;

use super::access::charge;
use super::on_each_database;
use super::samples::{News, hour, publish};
use crate::{AccountKey, Store};

const DAY: i64 = 24;

/// The rows of every table that news is kept in.
async fn rows(store: &Store) -> Vec<(&'static str, i64)> {
    let mut found = Vec::new();
    for (table, sql) in [
        ("brief", "SELECT COUNT(*) FROM brief"),
        ("brief_revision", "SELECT COUNT(*) FROM brief_revision"),
        ("brief_document", "SELECT COUNT(*) FROM brief_document"),
        ("brief_facet", "SELECT COUNT(*) FROM brief_facet"),
        ("article", "SELECT COUNT(*) FROM article"),
        ("article_feature", "SELECT COUNT(*) FROM article_feature"),
        ("mention", "SELECT COUNT(*) FROM mention"),
        ("opinion", "SELECT COUNT(*) FROM opinion"),
        ("outbox", "SELECT COUNT(*) FROM outbox"),
        (
            "entity",
            "SELECT CAST(COALESCE(SUM(brief_count), 0) AS BIGINT) FROM entity",
        ),
        (
            "articles",
            "SELECT value FROM counter WHERE name = 'articles'",
        ),
        ("briefs", "SELECT value FROM counter WHERE name = 'briefs'"),
        (
            "revisions",
            "SELECT value FROM counter WHERE name = 'revisions'",
        ),
        (
            "briefs:tech",
            "SELECT value FROM counter WHERE name = 'briefs:tech'",
        ),
    ] {
        found.push((
            table,
            store.database().number(sql, Vec::new()).await.unwrap(),
        ));
    }
    found
}

#[tokio::test]
async fn old_news_goes_as_a_whole_and_numbers_go_on() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let old: Vec<News> = (0..4).map(|number| News::new(number, hour(0))).collect();
        let young: Vec<News> = (10..13)
            .map(|number| News::new(number, hour(20 * DAY)))
            .collect();
        for news in &old {
            publish(&store, news).await;
        }
        store.outbox().sequence().await.unwrap();
        let one_world = rows(&store).await;
        for news in &young {
            publish(&store, news).await;
        }
        store.outbox().sequence().await.unwrap();
        let head = store.outbox().head().await.unwrap();

        let before = hour(10 * DAY);
        let counted = store.prune().count_news(before).await.unwrap();
        assert_eq!((counted.briefs, counted.articles), (4, 4));
        assert_eq!(store.prune().news(before).await.unwrap(), counted);
        assert_eq!(
            store.prune().news(before).await.unwrap(),
            crate::Pruned::default()
        );
        // What is left is what three pieces of news alone would be.
        for ((table, left), (_, of_four)) in rows(&store).await.into_iter().zip(one_world) {
            assert_eq!(left * 4, of_four * 3, "{table}");
        }
        assert_eq!(store.outbox().head().await.unwrap(), head);

        // All of it is old now: the newest stays, so that no number is given twice.
        let before = hour(60 * DAY);
        assert_eq!(store.prune().news(before).await.unwrap().briefs, 2);
        assert_eq!(store.outbox().head().await.unwrap(), head);
        publish(&store, &News::new(20, hour(61 * DAY))).await;
        store.outbox().sequence().await.unwrap();
        assert_eq!(store.outbox().head().await.unwrap(), head + 1);
    })
    .await;
}

#[tokio::test]
async fn demo_addresses_are_forgotten_and_no_sum_is_lost() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let owner = AccountKey::Account(AccountId(Uuid::new_v4()));
        let somebody = |number: u8| AccountKey::Demo(format!("192.0.2.{number}"));
        let mut entries = Vec::new();
        for number in 0..20 {
            for day in ["2026-01-05T08:00:00Z", "2026-01-31T23:59:59.999Z"] {
                entries.push(charge(&somebody(number), None, 2, at(day)));
            }
        }
        entries.push(charge(&somebody(1), None, 5, at("2026-02-01T00:00:00Z")));
        entries.push(charge(&owner, None, 7, at("2026-01-05T08:00:00Z")));
        store.ledger().append(&entries).await.unwrap();

        for (expected, moment) in [(38, "2026-02-14T00:00:00Z"), (0, "2026-02-28T00:00:00Z")] {
            let gone = store
                .prune()
                .forget_demo_addresses(at(moment))
                .await
                .unwrap();
            assert_eq!(gone, expected);
            let all = AccountKey::Demo("*".to_owned());
            assert_eq!(store.ledger().total(&all).await.unwrap(), 80);
            let january = store.ledger().month(&all, "2026-01").await.unwrap();
            assert_eq!((january.calls, january.credits), (40, 80));
            assert_eq!(store.ledger().total(&somebody(1)).await.unwrap(), 5);
            assert_eq!(store.ledger().total(&owner).await.unwrap(), 7);
            let of = async |sql| store.database().number(sql, Vec::new()).await.unwrap();
            assert_eq!(
                of("SELECT COUNT(*) FROM ledger WHERE account LIKE 'demo:%'").await,
                3
            );
            assert_eq!(
                of("SELECT COUNT(*) FROM usage WHERE account LIKE 'demo:192%'").await,
                2,
                "the day and the month of February"
            );
        }
    })
    .await;
}
