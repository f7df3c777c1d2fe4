//! What is removed after a time, and what stays.

use model::{AccountId, Brief, BriefId, OutboxKind, PublicBriefId, Timestamp};
use uuid::Uuid;

use super::access::charge;
use super::on_each_database;
use super::samples::{News, found, hour, join, publish};
use crate::database::observation::{Plan, observe};
use crate::{AccountKey, NewRevision, Pruned, Replaced, Store};

const DAY: i64 = 24;

/// Removes all older news.
async fn remove_news(store: &Store, before: Timestamp) -> Pruned {
    let mut total = Pruned::default();
    let mut removal = store.prune().news(before);
    while let Some(pruned) = removal.remove_some().await.unwrap() {
        total.add(pruned);
    }
    total
}

/// The number of rows in every table that stores news.
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
        assert_eq!(remove_news(&store, before).await, counted);
        assert_eq!(remove_news(&store, before).await, Pruned::default());
        // What is left is what three pieces of news would be on their own.
        for ((table, left), (_, of_four)) in rows(&store).await.into_iter().zip(one_world) {
            assert_eq!(left * 4, of_four * 3, "{table}");
        }
        assert_eq!(store.outbox().head().await.unwrap(), head);

        // All of it is old now: the newest stays, so that no number is assigned twice.
        let before = hour(60 * DAY);
        assert_eq!(remove_news(&store, before).await.briefs, 2);
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

        for (expected, time) in [(38, "2026-02-14T00:00:00Z"), (0, "2026-02-28T00:00:00Z")] {
            let gone = store.prune().forget_demo_addresses(at(time)).await.unwrap();
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

#[tokio::test]
async fn a_removal_goes_on_where_it_stopped_and_keeps_what_became_new_meanwhile() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mut transaction = store.news_transaction().await.unwrap();
        let mut stories = Vec::new();
        for number in 0..300 {
            let news = News::new(number, hour(number as i64 % 7));
            stories.push(found(&mut transaction, &news).await.unwrap().1);
        }
        transaction.commit().await.unwrap();
        publish(&store, &News::new(1_000, hour(20 * DAY))).await;
        store.outbox().sequence().await.unwrap();

        let mut removal = store.prune().news(hour(10 * DAY));
        let first = removal.remove_some().await.unwrap().unwrap();
        assert_eq!(
            (first.briefs, store.prune().times().await.unwrap()),
            (250, 1)
        );
        // The youngest of those left; noon and six hours.
        let story = stories[6 + 7 * 40];
        super::samples::update(&store, story, &News::new(2_000, hour(21 * DAY))).await;
        store.outbox().sequence().await.unwrap();
        let second = removal.remove_some().await.unwrap().unwrap();
        assert_eq!((second.briefs, second.revisions), (49, 49));
        assert_eq!(removal.remove_some().await.unwrap(), None);
        assert_eq!(store.prune().times().await.unwrap(), 2);
        assert_eq!(store.counts().await.unwrap().briefs, 2);
    })
    .await;
}

/// Plans and steps of everything that pruning does while others wait, in a store with this much other data.
async fn prune_beside(others: u64) -> (Vec<Plan>, u64) {
    let directory = tempfile::TempDir::new().unwrap();
    let store = Store::open(
        &crate::Location::Directory(directory.path().join("data")),
        model::DataMode::Real,
    )
    .await
    .unwrap();
    let mut transaction = store.news_transaction().await.unwrap();
    for number in 0..5 {
        let news = News::new(number, hour(number as i64));
        found(&mut transaction, &news).await.unwrap();
    }
    for number in 0..others {
        let news = News::new(1_000 + number, hour(20 * DAY));
        found(&mut transaction, &news).await.unwrap();
    }
    transaction.commit().await.unwrap();
    store.outbox().sequence().await.unwrap();
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let demo = |number: u64| AccountKey::Demo(format!("2001:db8::{number:x}"));
    let mut entries = Vec::new();
    for number in 0..9 {
        for day in ["2026-01-05T08:00:00Z", "2026-01-31T23:59:59.999Z"] {
            entries.push(charge(&demo(number), None, 2, at(day)));
        }
    }
    for number in 0..others {
        let owner = AccountKey::Account(AccountId(Uuid::from_u128(number.into())));
        entries.push(charge(&owner, None, 2, at("2026-01-05T08:00:00Z")));
        entries.push(charge(&demo(number), None, 2, at("2026-02-05T08:00:00Z")));
    }
    store.ledger().append(&entries).await.unwrap();

    let ((gone, pruned), plans, steps) = observe(async {
        let before = at("2026-02-14T00:00:00Z");
        let gone = store.prune().forget_demo_addresses(before).await.unwrap();
        (gone, remove_news(&store, hour(10 * DAY)).await)
    })
    .await;
    assert_eq!((gone, pruned.briefs), (16, 5));
    (plans, steps)
}

#[tokio::test]
async fn what_others_wait_for_depends_on_what_goes_and_not_on_what_there_is() {
    let (plans, steps) = prune_beside(40).await;
    let (_, steps_beside_many) = prune_beside(400).await;
    for plan in &plans {
        for line in &plan.lines {
            let is_scan = line.starts_with("SCAN") && !line.contains("CONSTANT ROW");
            assert!(!is_scan, "{line}: {}", plan.sql);
        }
    }
    let finds_by = |what: &str| {
        plans
            .iter()
            .any(|plan| plan.lines.iter().any(|line| line.contains(what)))
    };
    assert!(finds_by("ledger_demo (at>? AND at<?)"), "{plans:#?}");
    assert!(finds_by("usage_demo (period=?)"), "{plans:#?}");
    assert!(finds_by("brief_facet_brief (brief=?)"), "{plans:#?}");
    assert!(steps > 1_000);
    assert_eq!(steps, steps_beside_many);
}

#[tokio::test]
async fn moves_are_known_as_long_as_their_articles() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (first, story) = publish(&store, &News::new(0, hour(0))).await;
        let mut transaction = store.news_transaction().await.unwrap();
        let brief = join(&mut transaction, story, &News::new(1, hour(1)))
            .await
            .unwrap();
        let seq = transaction.last_seq().await.unwrap();
        let mut other = brief.clone();
        other.id = BriefId(Uuid::from_u128(77));
        other.public_id = PublicBriefId::new(hour(2), 99);
        other.revision = 1;
        let kind = OutboxKind::BriefPublished;
        let left_at = transaction
            .insert_revision(NewRevision {
                brief: &other,
                previous: None,
                story: -seq,
                known_from: hour(2),
                recorded_at: hour(2),
                kind,
            })
            .await
            .unwrap();
        transaction
            .move_articles(&[seq], (story, -seq, other.id), seq, left_at)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let count = async |id, as_of| {
            let found = store.briefs().articles_of(id, as_of).await.unwrap();
            found.len()
        };
        assert_eq!(count(first.id, Some(hour(1))).await, 2);
        assert_eq!(count(first.id, Some(hour(2))).await, 1);
        assert_eq!(count(first.id, None).await, 1);
        assert_eq!(count(other.id, None).await, 1);
        assert_eq!(count(other.id, Some(hour(1))).await, 0);
        let moved = store
            .news_transaction()
            .await
            .unwrap()
            .moved_since(seq - 1)
            .await
            .unwrap();
        assert_eq!(
            (moved.len(), moved[0].left, moved[0].story),
            (1, story, -seq)
        );

        publish(&store, &News::new(10, hour(20 * DAY))).await;
        store.outbox().sequence().await.unwrap();
        assert_eq!(remove_news(&store, hour(10 * DAY)).await.articles, 2);
        let sql = "SELECT COUNT(*) FROM article_move";
        assert_eq!(store.database().number(sql, Vec::new()).await.unwrap(), 0);
    })
    .await;
}

/// Merges a brief, with one article, into another; returns the next revision of that one.
async fn merge(
    store: &Store,
    (gone, left): &(Brief, i64),
    (stays, story): &(Brief, i64),
    at: Timestamp,
) -> (Brief, i64) {
    let mut ended = gone.clone();
    ended.revision += 1;
    ended.merged.into = Some(stays.public_id.clone());
    let mut next = stays.clone();
    next.revision += 1;
    next.merged.from.push(gone.public_id.clone());
    let known = store.briefs().current(gone.id).await.unwrap().unwrap();
    let moved = store.briefs().articles_of(gone.id, None).await.unwrap();
    let mut transaction = store.news_transaction().await.unwrap();
    let replaced = Replaced {
        brief: gone,
        known_from: known.known_from,
        trending_at: None,
    };
    transaction
        .end_brief(&ended, replaced, (stays.id, at), at)
        .await
        .unwrap();
    let known_from = transaction
        .insert_revision(NewRevision {
            brief: &next,
            previous: None,
            story: *story,
            known_from: at,
            recorded_at: at,
            kind: OutboxKind::BriefMerged,
        })
        .await
        .unwrap();
    assert_eq!(known_from, at);
    let seqs: Vec<i64> = moved.iter().map(|stored| stored.seq).collect();
    transaction
        .move_articles(&seqs, (*left, *story, stays.id), at.ms(), at)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    (next, *story)
}

#[tokio::test]
async fn what_became_part_of_another_brief_is_found_there_and_goes_with_it() {
    on_each_database(|place| async move {
        let store = place.open().await;
        publish(&store, &News::new(9, hour(0))).await;
        store.outbox().sequence().await.unwrap();
        let one = publish(&store, &News::new(0, hour(0))).await;
        let two = publish(&store, &News::new(1, hour(1))).await;
        let three = publish(&store, &News::new(2, hour(2))).await;
        let before = rows(&store).await;
        let count = |rows: &[(&str, i64)], name: &str| {
            let row = rows.iter().find(|(table, _)| *table == name);
            row.unwrap().1
        };
        assert_eq!(count(&before, "briefs"), 4);
        let two = merge(&store, &one, &two, hour(5)).await;
        let three = merge(&store, &two, &three, hour(6)).await;
        let counted = rows(&store).await;
        assert_eq!(
            (count(&counted, "briefs"), count(&counted, "briefs:tech")),
            (2, 2)
        );
        assert_eq!(count(&counted, "entity"), 2);
        assert_eq!(
            count(&counted, "revisions"),
            count(&counted, "brief_revision")
        );
        let open = "SELECT COUNT(*) FROM brief_facet WHERE known_to = 9223372036854775807";
        assert_eq!(store.database().number(open, Vec::new()).await.unwrap(), 6);

        let find = async |reference: String, as_of| {
            let found = store.briefs().find(&reference, as_of).await.unwrap();
            found.map(|stored| (stored.brief.id, stored.brief.revision))
        };
        let (first, second, third) = (one.0.id, two.0.id, three.0.id);
        for reference in [
            one.0.public_id.to_string(),
            first.to_string(),
            second.to_string(),
        ] {
            assert_eq!(find(reference, None).await, Some((third, 2)));
        }
        let old = || first.to_string();
        assert_eq!(find(old(), Some(hour(5))).await, Some((second, 2)));
        assert_eq!(find(old(), Some(hour(6))).await, Some((third, 2)));
        assert_eq!(find(old(), Some(hour(4))).await, Some((first, 1)));
        assert_eq!(find(old(), Some(hour(-1))).await, None);
        let of = async |id, as_of| store.briefs().articles_of(id, as_of).await.unwrap().len();
        assert_eq!(of(third, None).await, 3);
        assert_eq!(
            (
                of(second, Some(hour(5))).await,
                of(first, Some(hour(4))).await
            ),
            (2, 1)
        );

        publish(&store, &News::new(10, hour(20 * DAY))).await;
        store.outbox().sequence().await.unwrap();
        let counted = store.prune().count_news(hour(10 * DAY)).await.unwrap();
        let gone = remove_news(&store, hour(10 * DAY)).await;
        assert_eq!(gone, counted);
        assert_eq!((gone.briefs, gone.articles, gone.revisions), (2, 4, 8));
        let rest = rows(&store).await;
        for name in [
            "brief",
            "briefs",
            "brief_revision",
            "revisions",
            "entity",
            "outbox",
        ] {
            assert_eq!(count(&rest, name), 1, "{name}");
        }
        assert_eq!(find(old(), None).await, None);
        assert_eq!(find(old(), Some(hour(4))).await, None);
    })
    .await;
}
