//! Lists, pages, as-of reads, entities.

use model::{Category, Timestamp};

use super::on_each_database;
use super::samples::{News, hour, publish, update};
use crate::database::values;
use crate::{BriefQuery, BriefSort, Store};

async fn headlines(store: &Store, query: BriefQuery) -> (u64, Vec<String>) {
    let page = store.briefs().list(&query).await.unwrap();
    (
        page.total,
        page.briefs
            .iter()
            .map(|stored| stored.brief.headline.clone())
            .collect(),
    )
}

fn query() -> BriefQuery {
    BriefQuery {
        limit: 10,
        ..BriefQuery::default()
    }
}

/// Ten briefs, one an hour; every third in energy, every second from the wire, growing confidence.
async fn ten(store: &Store) -> Vec<i64> {
    let mut stories = Vec::new();
    for number in 0..10_u64 {
        let mut news = News::new(number, hour(number as i64));
        news.confidence = number as f64 / 10.0;
        if number % 3 == 0 {
            news.category = Category::Energy;
            news.tags = vec!["Grid".into(), "power".into()];
        }
        if number % 2 == 0 {
            news.domain = "wire.example".into();
        }
        stories.push(publish(store, &news).await.1);
    }
    stories
}

#[tokio::test]
async fn lists_filter_sort_and_page() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let stories = ten(&store).await;
        let (total, all) = headlines(&store, query()).await;
        assert_eq!(
            (total, all.len(), all[0].as_str()),
            (10, 10, "Hall 9 opens")
        );
        let (total, second) = headlines(
            &store,
            BriefQuery {
                limit: 4,
                offset: 4,
                ..query()
            },
        )
        .await;
        assert_eq!((total, second), (10, all[4..8].to_vec()));
        assert_eq!(
            headlines(
                &store,
                BriefQuery {
                    offset: 10,
                    ..query()
                }
            )
            .await,
            (10, vec![])
        );
        assert_eq!(
            headlines(
                &store,
                BriefQuery {
                    limit: 0,
                    ..query()
                }
            )
            .await,
            (10, vec![])
        );

        let energy = BriefQuery {
            categories: vec![Category::Energy],
            ..query()
        };
        assert_eq!(headlines(&store, energy.clone()).await.0, 4);
        let two = BriefQuery {
            categories: vec![Category::Energy, Category::Tech, Category::Tech],
            ..query()
        };
        assert_eq!(headlines(&store, two).await.0, 10);
        let none = BriefQuery {
            categories: vec![Category::Sports],
            ..query()
        };
        assert_eq!(headlines(&store, none).await, (0, vec![]));
        let sure = BriefQuery {
            min_confidence: Some(0.8),
            ..query()
        };
        assert_eq!(
            headlines(&store, sure).await,
            (2, vec!["Hall 9 opens".into(), "Hall 8 opens".into()])
        );
        let tagged = BriefQuery {
            tags: vec!["GRID".into(), "nothing".into()],
            ..query()
        };
        assert_eq!(headlines(&store, tagged).await.0, 4);
        let wire = BriefQuery {
            include_sources: vec!["Wire.example".into()],
            ..query()
        };
        assert_eq!(headlines(&store, wire.clone()).await.0, 5);
        let both = BriefQuery {
            categories: vec![Category::Energy],
            ..wire.clone()
        };
        assert_eq!(
            headlines(&store, both).await,
            (2, vec!["Hall 6 opens".into(), "Hall 0 opens".into()])
        );
        let without = BriefQuery {
            exclude_sources: vec!["wire.example".into()],
            ..query()
        };
        assert_eq!(headlines(&store, without.clone()).await.0, 5);
        let neither = BriefQuery {
            include_sources: wire.include_sources.clone(),
            ..without.clone()
        };
        assert_eq!(headlines(&store, neither).await.0, 0);

        // An old story gains a source of the wire: totals and orders follow at once.
        let late = News {
            domain: "wire.example".into(),
            category: Category::Sports,
            ..News::new(11, hour(20))
        };
        update(&store, stories[1], &late).await;
        assert_eq!(headlines(&store, without).await.0, 4);
        assert_eq!(headlines(&store, wire).await.0, 6);
        assert_eq!(
            headlines(
                &store,
                BriefQuery {
                    updates_only: true,
                    ..query()
                }
            )
            .await,
            (1, vec!["Hall 11 opens".into()])
        );
        let sports = BriefQuery {
            updates_only: true,
            categories: vec![Category::Sports],
            ..query()
        };
        assert_eq!(headlines(&store, sports).await.0, 1);
        let tech = BriefQuery {
            categories: vec![Category::Tech],
            ..query()
        };
        assert_eq!(headlines(&store, tech).await.0, 5);
        let updated = headlines(
            &store,
            BriefQuery {
                sort: BriefSort::Updated,
                ..query()
            },
        )
        .await
        .1;
        assert_eq!(updated[..2], ["Hall 11 opens", "Hall 9 opens"]);
        assert_eq!(
            headlines(&store, query()).await.1[8],
            "Hall 11 opens",
            "published order does not change"
        );
    })
    .await;
}

#[tokio::test]
async fn pages_are_stable_among_equal_times() {
    on_each_database(|place| async move {
        let store = place.open().await;
        for number in 0..23 {
            publish(&store, &News::new(number, hour(0))).await;
        }
        for sort in [BriefSort::Published, BriefSort::Updated] {
            for categories in [vec![], vec![Category::Tech]] {
                let mut seen = Vec::new();
                for page in 0..5 {
                    let query = BriefQuery {
                        limit: 5,
                        offset: page * 5,
                        sort,
                        categories: categories.clone(),
                        ..query()
                    };
                    seen.extend(headlines(&store, query).await.1);
                }
                assert_eq!(seen.len(), 23);
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), 23);
            }
        }
    })
    .await;
}

#[tokio::test]
async fn the_past_is_answered_from_what_was_known() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (first, story) = publish(&store, &News::new(1, hour(0))).await;
        let second = update(
            &store,
            story,
            &News {
                domain: "wire.example".into(),
                ..News::new(2, hour(10))
            },
        )
        .await;
        let public = first.public_id.as_str().to_lowercase();
        let find = |reference: String, as_of: Option<Timestamp>| {
            let store = store.clone();
            async move {
                store
                    .briefs()
                    .find(&reference, as_of)
                    .await
                    .unwrap()
                    .map(|stored| stored.brief.revision)
            }
        };
        let uuid = first.id.to_string().to_uppercase();
        for reference in [public, uuid] {
            assert_eq!(
                find(reference.clone(), Some(hour(0).plus_ms(-1))).await,
                None
            );
            assert_eq!(find(reference.clone(), Some(hour(0))).await, Some(1));
            assert_eq!(
                find(reference.clone(), Some(hour(10).plus_ms(-1))).await,
                Some(1)
            );
            assert_eq!(find(reference.clone(), Some(hour(10))).await, Some(2));
            assert_eq!(find(reference.clone(), None).await, Some(2));
            assert_eq!(find(reference, Some(Timestamp::END)).await, Some(2));
        }
        assert_eq!(find("PR-none".into(), None).await, None);
        assert_eq!(find("'; DROP TABLE brief; --".into(), None).await, None);

        for (as_of, total) in [(hour(-1), 0), (hour(0), 1), (hour(11), 1)] {
            let page = store
                .briefs()
                .list(&BriefQuery {
                    as_of: Some(as_of),
                    ..query()
                })
                .await
                .unwrap();
            assert_eq!(page.total, total);
            assert_eq!(page.briefs.len() as u64, total);
        }
        let then = store
            .briefs()
            .list(&BriefQuery {
                as_of: Some(hour(1)),
                ..query()
            })
            .await
            .unwrap();
        assert_eq!(*then.briefs[0].brief, first);
        assert_eq!(
            (then.briefs[0].known_from, then.briefs[0].known_to),
            (hour(0), hour(10))
        );
        let wire = BriefQuery {
            include_sources: vec!["wire.example".into()],
            as_of: Some(hour(9)),
            ..query()
        };
        assert_eq!(store.briefs().list(&wire).await.unwrap().total, 0);
        assert_eq!(
            store
                .briefs()
                .list(&BriefQuery {
                    as_of: Some(hour(10)),
                    ..wire
                })
                .await
                .unwrap()
                .total,
            1
        );
        assert_eq!(
            store
                .briefs()
                .articles_of(first.id, Some(hour(9)))
                .await
                .unwrap()
                .len(),
            1
        );
        assert_eq!(
            store
                .briefs()
                .articles_of(first.id, None)
                .await
                .unwrap()
                .len(),
            2
        );

        let revisions = store.briefs().revisions(first.id).await.unwrap();
        assert_eq!(
            revisions
                .iter()
                .map(|stored| (*stored.brief).clone())
                .collect::<Vec<_>>(),
            [first.clone(), second]
        );
        let wanted = [(first.id, 2), (first.id, 9), (first.id, 1)];
        let loaded = store.briefs().load(&wanted).await.unwrap();
        assert_eq!(loaded, [revisions[1].clone(), revisions[0].clone()]);
        assert_eq!(store.briefs().load(&[]).await.unwrap(), []);
        let page = store.briefs().page_for_reindex(None, 1).await.unwrap();
        assert_eq!(page, revisions[..1]);
        assert_eq!(
            store
                .briefs()
                .page_for_reindex(Some((first.id, 1)), 5)
                .await
                .unwrap(),
            revisions[1..]
        );
    })
    .await;
}

#[tokio::test]
async fn a_revision_that_became_known_earlier_leaves_no_overlap() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (first, story) = publish(&store, &News::new(1, hour(5))).await;
        update(&store, story, &News::new(2, hour(3))).await;
        update(&store, story, &News::new(3, hour(4))).await;
        for as_of in 0..8 {
            let page = store
                .briefs()
                .list(&BriefQuery {
                    as_of: Some(hour(as_of)),
                    ..query()
                })
                .await
                .unwrap();
            assert_eq!(page.total, u64::from(as_of >= 5));
            let found = store
                .briefs()
                .find(first.public_id.as_str(), Some(hour(as_of)))
                .await
                .unwrap();
            assert_eq!(
                found.map(|stored| stored.brief.revision),
                (as_of >= 5).then_some(3)
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_revision_that_was_read_before_shows_what_became_of_it() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (first, story) = publish(&store, &News::new(1, hour(0))).await;
        let wanted = [(first.id, 1)];
        let before = store.briefs().load(&wanted).await.unwrap();
        assert_eq!(before[0].known_to, Timestamp::END);
        let mut transaction = store.news_transaction().await.unwrap();
        transaction
            .mark_trending(first.id, 1, hour(1))
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        update(&store, story, &News::new(2, hour(2))).await;
        let after = store.briefs().load(&wanted).await.unwrap();
        assert_eq!(*after[0].brief, first);
        assert_eq!(
            (after[0].known_to, after[0].trending_at),
            (hour(2), Some(hour(1)))
        );
    })
    .await;
}

#[tokio::test]
async fn documents_that_were_stored_as_text_are_read() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (first, story) = publish(&store, &News::new(1, hour(0))).await;
        let articles = store.articles().by_story(story).await.unwrap();
        let database = store.database();
        database
            .write(
                "UPDATE brief_document SET packed = NULL, document = $1",
                values![serde_json::to_string(&first).unwrap()],
            )
            .await
            .unwrap();
        let annotations = serde_json::json!({
            "language": "en", "category": "tech", "sentiment": articles[0].annotations.sentiment,
            "entities": articles[0].annotations.entities, "tags": articles[0].annotations.tags,
            "bias": articles[0].annotations.bias,
        });
        database
            .write(
                "UPDATE article SET packed = NULL, document = $1, annotations = $2",
                values![
                    serde_json::to_string(&articles[0].article).unwrap(),
                    annotations.to_string()
                ],
            )
            .await
            .unwrap();
        let read = store.briefs().current(first.id).await.unwrap().unwrap();
        assert_eq!(*read.brief, first);
        assert_eq!(store.articles().by_story(story).await.unwrap(), articles);
        let next = update(&store, story, &News::new(2, hour(2))).await;
        let loaded = store.briefs().load(&[(next.id, 1), (next.id, 2)]).await;
        let loaded: Vec<_> = loaded.unwrap().into_iter().map(|one| one.brief).collect();
        assert_eq!(loaded, [first.into(), next.into()]);
    })
    .await;
}
