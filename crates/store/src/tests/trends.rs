//! What is rising, and what happened to one brief.

use model::{Category, EntityKind, EntityRole, OutboxKind, Timestamp};

use super::on_each_database;
use super::samples::{News, entity, hour, publish, update};
use crate::{Facet, Store, TrendQuery, TrendingQuery};

async fn mark(store: &Store, brief: &model::Brief, at: Timestamp) {
    let mut transaction = store.news_transaction().await.unwrap();
    transaction
        .mark_trending(brief.id, brief.revision, at)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

#[tokio::test]
async fn marked_briefs_are_found_by_when_and_what() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (first, story) = publish(&store, &News::new(1, hour(0))).await;
        let mut other = News::new(2, hour(1));
        other.category = Category::World;
        let (second, _) = publish(&store, &other).await;
        publish(&store, &News::new(3, hour(2))).await;
        mark(&store, &first, hour(3)).await;
        mark(&store, &second, hour(4)).await;
        let revised = update(&store, story, &News::new(4, hour(5))).await;

        let ask = |after: i64, until: i64, categories: &[Category], as_of: Option<i64>| {
            let query = TrendingQuery {
                after: hour(after),
                until: hour(until),
                categories: categories.to_vec(),
                limit: 10,
                as_of: as_of.map(hour),
            };
            let store = store.clone();
            async move {
                let found = store.briefs().trending(&query).await.unwrap();
                found
                    .iter()
                    .map(|stored| (stored.brief.id, stored.brief.revision))
                    .collect::<Vec<_>>()
            }
        };
        assert_eq!(
            ask(0, 6, &[], None).await,
            [(second.id, 1), (first.id, revised.revision)],
            "the last marked first, each in its current revision"
        );
        assert_eq!(ask(3, 6, &[], None).await, [(second.id, 1)]);
        assert_eq!(
            ask(0, 6, &[Category::Tech], None).await,
            [(first.id, revised.revision)]
        );
        assert_eq!(ask(0, 3, &[], Some(3)).await, [(first.id, 1)]);
        assert_eq!(ask(0, 2, &[], Some(2)).await, []);
        let last = |until: i64, categories: &'static [Category]| {
            let store = store.clone();
            async move {
                store
                    .briefs()
                    .last_trending(hour(until), categories)
                    .await
                    .unwrap()
            }
        };
        assert_eq!(last(9, &[]).await, Some(hour(4)));
        assert_eq!(last(9, &[Category::Tech]).await, Some(hour(3)));
        assert_eq!(last(2, &[]).await, None);
    })
    .await;
}

#[tokio::test]
async fn a_brief_has_a_history() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (brief, story) = publish(&store, &News::new(1, hour(0))).await;
        publish(&store, &News::new(9, hour(0))).await;
        let revised = update(&store, story, &News::new(2, hour(1))).await;
        mark(&store, &revised, hour(1)).await;
        let events = store.outbox().of_brief(brief.id).await.unwrap();
        let kinds: Vec<_> = events
            .iter()
            .map(|event| (event.kind, event.revision, event.known_at))
            .collect();
        assert_eq!(
            kinds,
            [
                (OutboxKind::BriefPublished, 1, hour(0)),
                (OutboxKind::BriefUpdated, 2, hour(1)),
                (OutboxKind::BriefTrending, 2, hour(1)),
            ]
        );
        let nobody = model::BriefId(uuid::Uuid::nil());
        assert_eq!(store.outbox().of_brief(nobody).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn entities_rise_by_how_far_they_stand_out() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let named = |name: &str, mentions: u32| {
            let mut entity = entity(name, EntityKind::Organization, EntityRole::Subject, None);
            entity.mentions = mentions;
            entity
        };
        let mut number = 0;
        let mut publish_at =
            async |at: i64, category: Category, entities: Vec<model::EntityMention>| {
                number += 1;
                let mut news = News::new(number, hour(at));
                news.category = category;
                news.entities = entities;
                publish(&store, &news).await
            };
        // Earlier, everybody writes about Steady and nobody about Newcomer.
        publish_at(
            -30,
            Category::Tech,
            vec![named("Steady", 100), named("Fading", 9)],
        )
        .await;
        publish_at(-2, Category::Tech, vec![named("Steady", 60)]).await;
        let (_, story) = publish_at(
            -1,
            Category::World,
            vec![
                named("Steady", 50),
                named("Newcomer", 10),
                named("Fading", 2),
            ],
        )
        .await;
        let mut again = News::new(100, hour(0));
        again.category = Category::World;
        again.entities = vec![named("Newcomer", 10)];
        update(&store, story, &again).await;
        let mut place = named("Marn", 1);
        place.kind = EntityKind::Location;
        publish_at(0, Category::Tech, vec![place]).await;
        publish_at(1, Category::Tech, vec![named("Later", 500)]).await;

        let ask = |kind: Option<EntityKind>, categories: &[Category], limit: u64| {
            let query = TrendQuery {
                before: hour(-48),
                since: hour(-24),
                until: hour(0),
                kind,
                categories: categories.to_vec(),
                limit,
            };
            let store = store.clone();
            async move { store.entities().trending(&query).await.unwrap() }
        };
        let all = ask(None, &[], 10).await;
        let rows: Vec<_> = all
            .iter()
            .map(|trend| {
                (
                    trend.entity.name.as_str(),
                    trend.mentions,
                    trend.previous,
                    trend.entity.brief_count,
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                ("Newcomer", 20, 0, 1),
                ("Steady", 110, 100, 2),
                ("Marn", 1, 0, 1)
            ]
        );
        assert_eq!(all[0].entity.last_seen, hour(0));
        assert!((all[0].sentiment - 0.625).abs() < 1e-9);
        assert_eq!(ask(Some(EntityKind::Location), &[], 10).await.len(), 1);
        assert_eq!(ask(None, &[], 1).await.len(), 1);
        let world = ask(None, &[Category::World], 10).await;
        let rows: Vec<_> = world
            .iter()
            .map(|trend| (trend.entity.name.as_str(), trend.mentions, trend.previous))
            .collect();
        assert_eq!(
            rows,
            [("Steady", 50, 0), ("Newcomer", 20, 0), ("Fading", 2, 0)],
            "what Tech said before does not count"
        );
        // What another transaction adds to an hour that has already been read counts the next time.
        let mut late = News::new(200, hour(-1));
        late.entities = vec![named("Marn", 3), named("Latecomer", 90)];
        publish(&store, &late).await;
        let all = ask(None, &[], 2).await;
        assert_eq!(
            (all[0].entity.name.as_str(), all[0].mentions),
            ("Latecomer", 90)
        );
        let marn = ask(Some(EntityKind::Location), &[], 10).await;
        assert_eq!((marn[0].mentions, marn[0].entity.brief_count), (4, 2));

        let entities = store.entities();
        assert_eq!(
            entities.last_mention(hour(0), &[]).await.unwrap(),
            Some(hour(0))
        );
        assert_eq!(
            entities
                .last_mention(hour(-1), &[Category::Tech])
                .await
                .unwrap(),
            Some(hour(-1))
        );
        assert_eq!(entities.last_mention(hour(-40), &[]).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn names_and_tags_come_with_their_briefs() {
    on_each_database(|place| async move {
        let store = place.open().await;
        publish(&store, &News::new(1, hour(0))).await;
        let mut news = News::new(2, hour(1));
        news.category = Category::World;
        news.tags = vec!["Ports".to_owned(), "Chips".to_owned()];
        publish(&store, &news).await;
        let entities = store.entities();
        let names = entities.names(5).await.unwrap();
        assert_eq!(names.len(), 1);
        assert_eq!(
            (names[0].name.as_str(), names[0].brief_count),
            ("Quill Foundry", 2)
        );
        assert_eq!(
            entities.tags(5).await.unwrap(),
            [("chips".to_owned(), 2), ("ports".to_owned(), 1)]
        );
        assert_eq!(entities.tags(1).await.unwrap().len(), 1);
        let count = async |facet, name: &str, categories: &[Category], as_of: Option<i64>| {
            store
                .entities()
                .brief_counts(facet, &[name, "nobody"], categories, as_of.map(hour))
                .await
                .unwrap()
                .into_values()
                .sum::<u64>()
        };
        assert_eq!(count(Facet::Entity, "Quill Foundry", &[], None).await, 2);
        assert_eq!(
            count(Facet::Entity, "Quill Foundry", &[Category::World], None).await,
            1
        );
        assert_eq!(count(Facet::Tag, "chips", &[], Some(0)).await, 1);
        assert_eq!(count(Facet::Tag, "ports", &[], Some(0)).await, 0);
    })
    .await;
}
