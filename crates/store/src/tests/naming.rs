//! Entities: lists, counts, timelines.

use model::{Category, EntityKind, EntityRole};

use super::on_each_database;
use super::samples::{News, entity, hour, publish, update};
use crate::EntityQuery;

#[tokio::test]
async fn entities_are_counted_by_brief() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let quill = entity(
            "Quill Foundry",
            EntityKind::Organization,
            EntityRole::Subject,
            Some("QLF"),
        );
        let marn = entity(
            "Marn 100% Bay",
            EntityKind::Location,
            EntityRole::Mentioned,
            None,
        );
        for number in 0..6_u64 {
            let mut news = News::new(number, hour(24 * number as i64));
            news.entities = vec![quill.clone()];
            if number % 2 == 0 {
                news.entities.push(marn.clone());
                news.category = Category::World;
            }
            let (_, story) = publish(&store, &news).await;
            // Another source for the same story is not another brief.
            update(
                &store,
                story,
                &News {
                    number: number + 100,
                    domain: "wire.example".into(),
                    ..news
                },
            )
            .await;
        }
        let list = |query: EntityQuery| {
            let store = store.clone();
            async move {
                let rows = store.entities().list(&query).await.unwrap();
                rows.into_iter()
                    .map(|row| (row.name, row.brief_count))
                    .collect::<Vec<_>>()
            }
        };
        let all = EntityQuery {
            limit: 10,
            ..EntityQuery::default()
        };
        let (quill, marn) = ("Quill Foundry".to_owned(), "Marn 100% Bay".to_owned());
        assert_eq!(
            list(all.clone()).await,
            [(quill.clone(), 6), (marn.clone(), 3)]
        );
        assert_eq!(
            list(EntityQuery {
                limit: 1,
                ..all.clone()
            })
            .await,
            [(quill.clone(), 6)]
        );
        assert_eq!(
            list(EntityQuery {
                text: Some("FOUND".into()),
                ..all.clone()
            })
            .await,
            [(quill.clone(), 6)]
        );
        assert_eq!(
            list(EntityQuery {
                text: Some("0% b".into()),
                ..all.clone()
            })
            .await,
            [(marn.clone(), 3)]
        );
        assert_eq!(
            list(EntityQuery {
                text: Some("_".into()),
                ..all.clone()
            })
            .await,
            []
        );
        assert_eq!(
            list(EntityQuery {
                kind: Some(EntityKind::Location),
                ..all.clone()
            })
            .await,
            [(marn.clone(), 3)]
        );
        let world = EntityQuery {
            categories: vec![Category::World],
            ..all.clone()
        };
        assert_eq!(list(world).await, [(marn.clone(), 3), (quill.clone(), 3)]);
        let then = EntityQuery {
            as_of: Some(hour(24)),
            ..all
        };
        assert_eq!(list(then.clone()).await, [(quill, 2), (marn, 1)]);
        assert_eq!(
            store.entities().list(&then).await.unwrap()[0].last_seen,
            hour(24)
        );

        let timeline = store
            .entities()
            .timeline("qlf", 4, hour(24 * 5), &[])
            .await
            .unwrap();
        let dates: Vec<&str> = timeline.iter().map(|(date, _)| date.as_str()).collect();
        assert_eq!(
            dates,
            ["2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"]
        );
        assert_eq!(
            timeline.iter().map(|(_, count)| *count).collect::<Vec<_>>(),
            [4, 4, 4, 4]
        );
        let world = store
            .entities()
            .timeline("quill foundry", 3, hour(24 * 6), &[Category::World])
            .await
            .unwrap();
        assert_eq!(
            world.iter().map(|(_, count)| *count).collect::<Vec<_>>(),
            [4, 0, 0]
        );
        let nobody = store
            .entities()
            .timeline("nobody", 2, hour(0), &[])
            .await
            .unwrap();
        assert_eq!(nobody.iter().map(|(_, count)| *count).sum::<u64>(), 0);
        let (total, newest) = store
            .entities()
            .briefs("Quill Foundry", None, &[], 2, None)
            .await
            .unwrap();
        assert_eq!((total, newest.len()), (6, 2));
        assert!(newest[0].brief.published_at > newest[1].brief.published_at);
    })
    .await;
}
