//! Transactions, their order, and what they leave behind.

use model::{BriefId, Category, EntityKind, EntityRole, OutboxKind, PublicBriefId};
use uuid::Uuid;

use super::on_each_database;
use super::samples::{News, brief, entity, found, hour, join, publish, update};
use crate::database::{Durability, values};
use crate::{Error, NewArticle, NewRevision, Replaced, outbox};

#[tokio::test]
async fn a_transaction_sees_its_own_work() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mut transaction = store.news_transaction().await.unwrap();
        assert_eq!(transaction.last_seq().await.unwrap(), 0);
        let news = News::new(1, hour(0));
        let (first, story) = found(&mut transaction, &news).await.unwrap();
        assert_eq!(
            transaction
                .known(&[&first.sources[0].url, "https://daily.example/none"])
                .await
                .unwrap()
                .len(),
            1
        );
        assert_eq!(
            *transaction
                .current_brief(story)
                .await
                .unwrap()
                .unwrap()
                .brief,
            first
        );
        assert_eq!(transaction.current_brief(99).await.unwrap(), None);
        let second = join(
            &mut transaction,
            story,
            &News {
                domain: "wire.example".into(),
                ..News::new(2, hour(1))
            },
        )
        .await;
        let second = second.unwrap();
        assert_eq!(second.revision, 2);
        let articles = transaction.story_articles(story).await.unwrap();
        assert_eq!(
            articles.iter().map(|stored| stored.seq).collect::<Vec<_>>(),
            [story, story + 1]
        );
        assert_eq!(articles[0].annotations, news.annotations());
        assert_eq!(articles[1].copy_of, Some(articles[0].article.id));
        assert_eq!(transaction.articles_since(0).await.unwrap().len(), 2);
        assert_eq!(transaction.articles_since(1).await.unwrap().len(), 1);
        transaction.commit().await.unwrap();

        let stored = store.briefs().current(first.id).await.unwrap().unwrap();
        assert_eq!(*stored.brief, second);
        assert_eq!(store.articles().by_story(story).await.unwrap(), articles);
        assert_eq!(store.articles().since(0, 1).await.unwrap().len(), 1);
        let day = hour(0).day();
        assert_eq!(store.articles().of_days(day, day).await.unwrap().len(), 2);
        assert_eq!(
            store.articles().of_days(day + 1, day + 2).await.unwrap(),
            []
        );
        let urls: Vec<String> = (0..300)
            .map(|number| format!("https://daily.example/story/{number}"))
            .collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        assert_eq!(store.articles().exists(&urls).await.unwrap().len(), 1);
        assert!(store.articles().exists(&[]).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_dropped_transaction_leaves_nothing() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mut transaction = store.news_transaction().await.unwrap();
        for number in 0..300 {
            found(&mut transaction, &News::new(number, hour(0)))
                .await
                .unwrap();
        }
        drop(transaction);
        let counts = store.counts().await.unwrap();
        let nothing = crate::Counts {
            schema_version: counts.schema_version,
            ..crate::Counts::default()
        };
        assert_eq!(counts, nothing);
        assert_eq!(store.outbox().sequence().await.unwrap(), 0);
        let (_, story) = publish(&store, &News::new(1, hour(0))).await;
        assert_eq!(story, 1);
    })
    .await;
}

#[tokio::test]
async fn a_failed_transaction_cannot_be_committed() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (first, story) = publish(&store, &News::new(1, hour(0))).await;
        // A duplicate address is detected when it is written.
        let mut transaction = store.news_transaction().await.unwrap();
        found(&mut transaction, &News::new(1, hour(0)))
            .await
            .unwrap();
        assert!(matches!(transaction.commit().await, Err(Error::Conflict)));
        // A revision that does not follow the current one.
        let mut transaction = store.news_transaction().await.unwrap();
        let article = News::new(9, hour(0)).article();
        let wrong = brief(
            first.id,
            first.public_id.clone(),
            5,
            &News::new(9, hour(0)),
            &[article],
        );
        let outcome = transaction
            .insert_revision(NewRevision {
                brief: &wrong,
                previous: None,
                story,
                known_from: hour(0),
                recorded_at: hour(0),
                kind: OutboxKind::BriefUpdated,
            })
            .await;
        assert!(matches!(outcome, Err(Error::Conflict)));
        assert!(matches!(transaction.commit().await, Err(Error::Conflict)));
        // One that follows a revision that is not the current one: as claimed, or of any kind.
        for (known_from, times) in [(hour(0).plus_ms(1), 1), (hour(0), 2)] {
            let said = Replaced {
                brief: &first,
                known_from,
                trending_at: None,
            };
            let mut next = wrong.clone();
            next.revision = 2;
            let mut transaction = store.news_transaction().await.unwrap();
            for _ in 0..times {
                let _ = transaction
                    .insert_revision(NewRevision {
                        brief: &next,
                        previous: Some(said),
                        story,
                        known_from: hour(1),
                        recorded_at: hour(1),
                        kind: OutboxKind::BriefUpdated,
                    })
                    .await;
            }
            assert!(matches!(transaction.commit().await, Err(Error::Conflict)));
        }
        let counts = store.counts().await.unwrap();
        assert_eq!(
            (counts.articles, counts.revisions, counts.outbox_unsequenced),
            (1, 1, 1)
        );
    })
    .await;
}

#[tokio::test]
async fn public_numbers_count_each_day_from_one() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mut transaction = store.news_transaction().await.unwrap();
        let (today, tomorrow) = (hour(0), hour(24));
        assert_eq!(transaction.next_public_number(&today).await.unwrap(), 1);
        assert_eq!(transaction.next_public_number(&today).await.unwrap(), 2);
        assert_eq!(transaction.next_public_number(&tomorrow).await.unwrap(), 1);
        transaction.commit().await.unwrap();
        let mut transaction = store.news_transaction().await.unwrap();
        assert_eq!(transaction.next_public_number(&today).await.unwrap(), 3);
        drop(transaction);
        let mut transaction = store.news_transaction().await.unwrap();
        assert_eq!(transaction.next_public_number(&today).await.unwrap(), 3);
    })
    .await;
}

#[tokio::test]
async fn events_are_dense_and_in_order() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (brief, story) = publish(&store, &News::new(1, hour(0))).await;
        update(&store, story, &News::new(2, hour(1))).await;
        assert_eq!(store.counts().await.unwrap().outbox_unsequenced, 2);
        assert_eq!(store.outbox().after(0, 10).await.unwrap(), []);
        assert_eq!(store.outbox().sequence().await.unwrap(), 2);
        let mut transaction = store.news_transaction().await.unwrap();
        transaction
            .mark_trending(brief.id, 2, hour(2))
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        // A revision that nobody published: detected when it is written, at the commit at the latest.
        let mut transaction = store.news_transaction().await.unwrap();
        let marked = transaction.mark_trending(brief.id, 7, hour(2)).await;
        let outcome = marked.and(transaction.commit().await);
        assert!(matches!(outcome, Err(Error::Conflict)), "{outcome:?}");
        assert_eq!(store.outbox().sequence().await.unwrap(), 1);
        let events = store.outbox().after(0, 10).await.unwrap();
        assert_eq!(
            events
                .iter()
                .map(|event| event.position)
                .collect::<Vec<_>>(),
            [1, 2, 3]
        );
        let kinds: Vec<OutboxKind> = events.iter().map(|event| event.kind).collect();
        assert_eq!(
            kinds,
            [
                OutboxKind::BriefPublished,
                OutboxKind::BriefUpdated,
                OutboxKind::BriefTrending
            ]
        );
        assert_eq!(events[2].known_at, hour(2));
        assert_eq!(store.outbox().after(2, 10).await.unwrap(), events[2..]);
        assert_eq!(store.outbox().head().await.unwrap(), 3);
        // The mark stays with later revisions, and is unknown before it was set.
        update(&store, story, &News::new(3, hour(3))).await;
        let now = store.briefs().current(brief.id).await.unwrap().unwrap();
        assert_eq!((now.brief.revision, now.trending_at), (3, Some(hour(2))));
        let before = store
            .briefs()
            .find(&brief.id.to_string(), Some(hour(1).plus_ms(1)))
            .await
            .unwrap()
            .unwrap();
        assert_eq!((before.brief.revision, before.trending_at), (2, None));
    })
    .await;
}

#[tokio::test]
async fn late_commits_are_not_skipped() {
    on_each_database(|place| async move {
        let store = place.open().await;
        if place.is_sqlite() {
            return; // One writer at a time: commits cannot change their order.
        }
        let row = |number: u32| {
            values![
                OutboxKind::BriefPublished.as_str(),
                BriefId(Uuid::new_v4()).0,
                number,
                hour(0)
            ]
        };
        let mut early = store.database().begin(Durability::Process).await.unwrap();
        outbox::append(&mut early, row(1)).await.unwrap();
        let mut late = store.database().begin(Durability::Process).await.unwrap();
        outbox::append(&mut late, row(2)).await.unwrap();
        late.commit().await.unwrap();
        assert_eq!(store.outbox().sequence().await.unwrap(), 1);
        let seen = store.outbox().after(0, 10).await.unwrap();
        assert_eq!((seen.len(), seen[0].revision, seen[0].position), (1, 2, 1));
        early.commit().await.unwrap();
        assert_eq!(store.outbox().sequence().await.unwrap(), 1);
        let next = store.outbox().after(1, 10).await.unwrap();
        assert_eq!((next.len(), next[0].revision, next[0].position), (1, 1, 2));
    })
    .await;
}

#[tokio::test]
async fn facets_follow_the_revisions() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let quill = entity(
            "Quill Foundry",
            EntityKind::Organization,
            EntityRole::Subject,
            Some("qlf"),
        );
        let marn = entity("Marn", EntityKind::Location, EntityRole::Mentioned, None);
        let first = News {
            entities: vec![quill.clone(), marn.clone()],
            ..News::new(1, hour(0))
        };
        let (brief, story) = publish(&store, &first).await;
        // Marn goes, Quill changes its role, the category changes.
        let demoted = entity(
            "QUILL FOUNDRY",
            EntityKind::Organization,
            EntityRole::Related,
            None,
        );
        let second = News {
            entities: vec![demoted],
            category: Category::Business,
            tags: vec![],
            ..News::new(2, hour(1))
        };
        update(&store, story, &second).await;
        // Marn is back at the very same moment.
        let third = News {
            entities: vec![quill, marn],
            category: Category::Business,
            ..News::new(3, hour(1))
        };
        update(&store, story, &third).await;

        let entities = store.entities();
        let found = entities.find("marn").await.unwrap().unwrap();
        assert_eq!(found.brief_count, 1);
        assert_eq!(
            entities.find("qLf").await.unwrap().unwrap().name,
            "Quill Foundry"
        );
        let parts = |role, as_of| async move {
            entities
                .briefs("quill foundry", Some(role), &[], 10, as_of)
                .await
                .unwrap()
                .0
        };
        assert_eq!(parts(EntityRole::Subject, Some(hour(0))).await, 1);
        assert_eq!(parts(EntityRole::Subject, Some(hour(1))).await, 1);
        assert_eq!(parts(EntityRole::Related, Some(hour(1))).await, 0);
        assert_eq!(parts(EntityRole::Subject, None).await, 1);
        let (total, briefs) = entities
            .briefs("MARN", None, &[Category::Business], 10, None)
            .await
            .unwrap();
        assert_eq!((total, briefs[0].brief.id), (1, brief.id));
        assert_eq!(
            entities
                .briefs("Marn", None, &[Category::Tech], 10, None)
                .await
                .unwrap()
                .0,
            0
        );
        assert_eq!(
            entities
                .briefs("Marn", None, &[Category::Tech], 10, Some(hour(0)))
                .await
                .unwrap()
                .0,
            1
        );
        assert_eq!(
            entities
                .briefs("nobody", None, &[], 10, None)
                .await
                .unwrap(),
            (0, vec![])
        );
    })
    .await;
}

#[tokio::test]
async fn articles_without_revision_and_odd_text_are_stored() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mut news = News::new(1, hour(0));
        news.entities.push(entity(
            "  quill foundry ",
            EntityKind::Person,
            EntityRole::Mentioned,
            None,
        ));
        news.entities.push(entity(
            "  ",
            EntityKind::Person,
            EntityRole::Mentioned,
            None,
        ));
        news.tags = vec!["nul\0byte".into(), "NUL\0BYTE".into(), String::new()];
        let mut transaction = store.news_transaction().await.unwrap();
        let (article, annotations) = (news.article(), news.annotations());
        let id = BriefId(Uuid::now_v7());
        let new = NewArticle {
            article: &article,
            annotations: &annotations,
            brief: id,
            story: None,
            copy_of: None,
            joined: None,
            recorded_at: hour(0),
        };
        let story = transaction.insert_article(new).await.unwrap();
        let public = PublicBriefId::new(hour(0), 1);
        let published = brief(id, public, 1, &news, &[article]);
        transaction
            .insert_revision(NewRevision {
                brief: &published,
                previous: None,
                story,
                known_from: hour(0),
                recorded_at: hour(0),
                kind: OutboxKind::BriefPublished,
            })
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        assert_eq!(
            *store.briefs().current(id).await.unwrap().unwrap().brief,
            published
        );
        assert_eq!(store.counts().await.unwrap().entities, 1);
    })
    .await;
}
