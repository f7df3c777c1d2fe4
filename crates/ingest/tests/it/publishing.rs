//! Articles become living briefs.

use std::collections::HashSet;
use std::sync::Arc;

use ingest::Publisher;
use model::{OutboxKind, Outlet, OutletTable, RawArticle, TrustLevel};

use crate::world::{RECORDED, at, everything, prepared, publisher, raw, store, week};

#[tokio::test(flavor = "multi_thread")]
async fn articles_about_one_thing_make_one_living_brief() {
    let store = store().await;
    let outcome = publisher(&store)
        .publish(prepared(&week()), at(RECORDED))
        .await
        .unwrap();
    assert_eq!(
        (outcome.articles, outcome.briefs, outcome.revisions),
        (9, 5, 4),
        "{outcome:?}"
    );
    assert_eq!(outcome.copies, 1, "the mirror copies the harbour");

    let port = store
        .briefs()
        .list(&store::BriefQuery {
            limit: 50,
            ..Default::default()
        })
        .await
        .unwrap()
        .briefs;
    let port = port
        .iter()
        .find(|stored| stored.brief.headline.contains("Rotterdam"))
        .unwrap();
    assert_eq!(port.brief.sources.len(), 3);
    assert_eq!(
        port.brief.source_count, 2,
        "a copy is no independent source"
    );
    assert_eq!(port.brief.update_count, 2);
    assert_eq!(port.brief.published_at, at("2026-03-02T08:00:00Z"));
    assert_eq!(port.brief.updated_at, at("2026-03-02T12:00:00Z"));
    assert!(
        port.brief
            .sources
            .iter()
            .any(|source| source.copy_of == Some(0))
    );
    // Each that joined says which article there it resembles, and why that was enough.
    let articles = store
        .briefs()
        .articles_of(port.brief.id, None)
        .await
        .unwrap();
    let known: Vec<_> = articles.iter().map(|stored| stored.article.id).collect();
    assert_eq!(articles[0].joined, None);
    for (place, stored) in articles.iter().enumerate().skip(1) {
        let joined = stored.joined.as_ref().unwrap();
        assert!(known[..place].contains(&joined.alike));
        assert!(joined.score >= joined.threshold && joined.probability > 0.1);
        assert_eq!(joined.measured.len(), text::stories::pair::FEATURES.len());
        if let Some(copied) = stored.copy_of {
            assert_eq!((joined.alike, joined.score), (copied, 1.0));
        }
    }
    for sentence in &port.brief.sentences {
        assert!(
            !sentence.sources.is_empty(),
            "{:?} comes from nowhere",
            sentence.text
        );
        assert!(
            sentence
                .sources
                .iter()
                .all(|source| (*source as usize) < port.brief.sources.len())
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn publishing_again_changes_nothing() {
    let store = store().await;
    publisher(&store)
        .publish(prepared(&week()), at(RECORDED))
        .await
        .unwrap();
    let before = everything(&store).await;
    let again = publisher(&store)
        .publish(prepared(&week()), at("2026-06-02T00:00:00Z"))
        .await
        .unwrap();
    assert_eq!((again.articles, again.known), (0, 9));
    assert_eq!(everything(&store).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_cut_off_and_gone_on_with_ends_like_one_that_was_not() {
    let whole = store().await;
    publisher(&whole)
        .publish(prepared(&week()), at(RECORDED))
        .await
        .unwrap();
    for cut in 1..week().len() {
        let pieces = store().await;
        publisher(&pieces)
            .publish(prepared(&week()[..cut]), at(RECORDED))
            .await
            .unwrap();
        // A new publisher knows only what is stored; the whole input is given again, as after a kill.
        publisher(&pieces)
            .publish(prepared(&week()), at(RECORDED))
            .await
            .unwrap();
        assert_eq!(
            everything(&pieces).await,
            everything(&whole).await,
            "cut after {cut}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_publishers_on_one_store_publish_like_one() {
    let alone = store().await;
    publisher(&alone)
        .publish(prepared(&week()), at(RECORDED))
        .await
        .unwrap();
    let shared = store().await;
    let publishers = [publisher(&shared), publisher(&shared)];
    for (number, article) in prepared(&week()).into_iter().enumerate() {
        publishers[number % 2]
            .publish(vec![article], at(RECORDED))
            .await
            .unwrap();
    }
    assert_eq!(everything(&shared).await, everything(&alone).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn as_of_shows_what_was_known_then_and_nothing_later() {
    let store = store().await;
    publisher(&store)
        .publish(prepared(&week()), at(RECORDED))
        .await
        .unwrap();
    let seen = |time: &'static str| {
        let store = store.clone();
        async move {
            let query = store::BriefQuery {
                limit: 50,
                as_of: Some(at(time)),
                ..Default::default()
            };
            store.briefs().list(&query).await.unwrap()
        }
    };
    assert_eq!(seen("2026-03-02T07:59:59Z").await.total, 0);
    let early = seen("2026-03-02T09:00:00Z").await;
    assert_eq!(early.total, 2);
    assert!(
        early
            .briefs
            .iter()
            .all(|stored| stored.brief.sources.len() == 1)
    );
    assert!(
        early
            .briefs
            .iter()
            .all(|stored| stored.brief.updated_at <= at("2026-03-02T09:00:00Z"))
    );
    assert_eq!(seen("2026-03-04T00:00:00Z").await.total, 4);
    assert_eq!(seen("2026-05-01T00:00:00Z").await.total, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_outbox_tells_each_revision_once_and_in_order() {
    let store = store().await;
    publisher(&store)
        .publish(prepared(&week()), at(RECORDED))
        .await
        .unwrap();
    store.outbox().sequence().await.unwrap();
    let events = store.outbox().after(0, 100).await.unwrap();
    let reports: Vec<_> = events
        .iter()
        .filter(|event| event.kind != OutboxKind::BriefTrending)
        .collect();
    assert_eq!(reports.len(), 9);
    let distinct: HashSet<_> = reports
        .iter()
        .map(|event| (event.brief_id, event.revision))
        .collect();
    assert_eq!(distinct.len(), 9);
    assert!(
        events
            .windows(2)
            .all(|pair| pair[1].position == pair[0].position + 1)
    );
    for event in reports {
        assert_eq!(
            event.kind == OutboxKind::BriefPublished,
            event.revision == 1
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outlet_has_one_name_whatever_its_articles_call_it() {
    let store = store().await;
    let outlets = Arc::new(OutletTable::new([Outlet {
        domain: "harbour.example".into(),
        name: Some("Harbour Post".into()),
        trust: TrustLevel::High,
    }]));
    let items: Vec<RawArticle> = week()
        .into_iter()
        .filter(|item| item.url.starts_with("https://harbour.example/"))
        .zip(["harbour.example", "Harbour Post: World"])
        .map(|(item, name)| RawArticle {
            outlet: Some(name.into()),
            ..item
        })
        .collect();
    Publisher::open(store.clone(), outlets)
        .publish(prepared(&items), at(RECORDED))
        .await
        .unwrap();
    let briefs = everything(&store).await;
    let names: Vec<&str> = briefs
        .iter()
        .flat_map(|stored| &stored.brief.sources)
        .map(|source| source.name.as_str())
        .collect();
    assert_eq!(names, ["Harbour Post", "Harbour Post"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn four_outlets_at_once_make_a_story_trend() {
    let store = store().await;
    let reports = [
        (
            "Strong earthquake shakes northern Chile",
            "A strong earthquake of magnitude 6.8 shook northern Chile on Monday. Authorities in Iquique reported no injuries so far.",
        ),
        (
            "Northern Chile hit by strong earthquake, no tsunami warning",
            "The navy issued no tsunami warning after a strong earthquake hit the north of Chile near Iquique. Power failed in parts of the city.",
        ),
        (
            "Earthquake of magnitude 6.8 near Iquique in northern Chile",
            "Residents of Iquique ran into the streets when the earthquake struck. Geologists measured a magnitude of 6.8 at a depth of 40 kilometres below northern Chile.",
        ),
        (
            "Chile earthquake: schools in Iquique stay closed",
            "Schools in Iquique stay closed on Tuesday after the strong earthquake in northern Chile, the mayor said. Engineers inspect bridges and the port.",
        ),
        (
            "Strong earthquake in northern Chile damages road to Iquique",
            "A landslide set off by the strong earthquake blocked the coastal road to Iquique in northern Chile. The ministry of works sent machines.",
        ),
    ];
    let items: Vec<_> = reports
        .into_iter()
        .enumerate()
        .map(|(number, (title, body))| {
            let url = format!("https://outlet{number}.example/quake");
            raw(&url, title, body, &format!("2026-03-02T0{number}:30:00Z"))
        })
        .collect();
    let outcome = publisher(&store)
        .publish(prepared(&items), at(RECORDED))
        .await
        .unwrap();
    assert_eq!((outcome.briefs, outcome.trending), (1, 1), "{outcome:?}");
    let listed = store
        .briefs()
        .list(&store::BriefQuery {
            limit: 5,
            ..Default::default()
        })
        .await
        .unwrap();
    assert_eq!(
        listed.briefs[0].trending_at,
        Some(at("2026-03-02T03:30:00Z"))
    );
}
