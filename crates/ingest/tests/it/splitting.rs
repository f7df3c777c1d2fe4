//! A story in which two events show is divided.

use ingest::follow::catch_up;
use model::{BriefId, OutboxKind, PublicBriefId};
use search::{Index, SearchRequest};
use store::{NewArticle, NewRevision, Store, StoredBrief};

use crate::world::{RECORDED, at, everything, prepared, publisher, raw, store};

/// The port and the telescope, twice each.
fn port() -> model::RawArticle {
    raw(
        "https://harbour.example/port",
        "Port of Rotterdam reopens after storm",
        "The port of Rotterdam reopened on Monday after a storm closed it for two days. Ships waited off the coast. The port authority said that 40 vessels would be handled by Tuesday.",
        "2026-03-02T08:00:00Z",
    )
}

fn telescope() -> model::RawArticle {
    raw(
        "https://lens.example/telescope",
        "Astronomers find water vapour on distant planet",
        "Astronomers using a space telescope have found water vapour in the atmosphere of a planet 120 light years away. The team published its results in a journal on Monday.",
        "2026-03-02T09:00:00Z",
    )
}

fn port_again() -> model::RawArticle {
    raw(
        "https://dock.example/port",
        "Rotterdam port reopens after two-day storm closure",
        "Rotterdam's port has reopened after a storm closure of two days, the port authority said. About 40 vessels were waiting off the coast on Monday. A storm had closed the port of Rotterdam.",
        "2026-03-02T09:30:00Z",
    )
}

fn telescope_again() -> model::RawArticle {
    raw(
        "https://news.example/telescope",
        "Water vapour detected on distant planet by astronomers",
        "Water vapour has been detected on a planet 120 light years away, astronomers reported. They used a space telescope to study its atmosphere.",
        "2026-03-02T22:00:00Z",
    )
}

async fn current(store: &Store) -> Vec<StoredBrief> {
    let query = store::BriefQuery {
        limit: 50,
        ..Default::default()
    };
    store.briefs().list(&query).await.unwrap().briefs
}

/// A store in which an article about something else stands in the story of the port, as a looser rule would have put it.
async fn mixed() -> (Store, BriefId) {
    let store = store().await;
    publisher(&store)
        .publish(prepared(&[port()]), at(RECORDED))
        .await
        .unwrap();
    let before = current(&store).await.remove(0);
    let known = store.briefs().articles_of(before.brief.id, None).await;
    let story = known.unwrap()[0].story;
    let other = prepared(&[telescope()]).remove(0);
    let mut brief = (*before.brief).clone();
    let mut source = brief.sources[0].clone();
    source.article_id = other.article.id;
    source.url.clone_from(&other.article.url);
    source.domain.clone_from(&other.article.domain);
    brief.sources.push(source);
    brief.revision = 2;
    brief.updated_at = other.article.known_at;
    let mut transaction = store.news_transaction().await.unwrap();
    transaction
        .insert_article(NewArticle {
            article: &other.article,
            annotations: &other.annotations,
            brief: brief.id,
            story: Some(story),
            copy_of: None,
            joined: None,
            recorded_at: at(RECORDED),
        })
        .await
        .unwrap();
    let kind = OutboxKind::BriefUpdated;
    transaction
        .insert_revision(NewRevision {
            brief: &brief,
            previous: None,
            story,
            known_from: brief.updated_at,
            recorded_at: at(RECORDED),
            kind,
        })
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    (store, brief.id)
}

async fn urls(store: &Store, id: BriefId, as_of: Option<&str>) -> Vec<String> {
    let articles = store.briefs().articles_of(id, as_of.map(at)).await.unwrap();
    articles
        .into_iter()
        .map(|stored| stored.article.url)
        .collect()
}

async fn kinds(store: &Store, id: BriefId) -> Vec<OutboxKind> {
    let events = store.outbox().of_brief(id).await.unwrap();
    events.into_iter().map(|event| event.kind).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_story_of_two_events_becomes_two_briefs_that_point_to_each_other() {
    let (store, id) = mixed().await;
    let outcome = publisher(&store)
        .publish(prepared(&[port_again()]), at(RECORDED))
        .await
        .unwrap();
    assert_eq!(
        (
            outcome.articles,
            outcome.splits,
            outcome.briefs,
            outcome.revisions
        ),
        (1, 1, 1, 1),
        "{outcome:?}"
    );
    let briefs = current(&store).await;
    assert_eq!(briefs.len(), 2);
    let stays = briefs.iter().find(|one| one.brief.id == id).unwrap();
    let goes = briefs.iter().find(|one| one.brief.id != id).unwrap();
    assert_eq!((stays.brief.revision, goes.brief.revision), (3, 1));
    assert_eq!(
        stays.brief.split.into.as_slice(),
        std::slice::from_ref(&goes.brief.public_id)
    );
    assert_eq!(goes.brief.split.from.as_ref(), Some(&stays.brief.public_id));
    assert!(stays.brief.split.from.is_none() && goes.brief.split.into.is_empty());
    assert!(PublicBriefId::parse(goes.brief.public_id.as_str()).is_some());
    let of = |stored: &StoredBrief| -> Vec<String> {
        let sources = stored.brief.sources.iter();
        sources.map(|source| source.url.clone()).collect()
    };
    assert_eq!(
        of(stays),
        ["https://harbour.example/port", "https://dock.example/port"]
    );
    assert_eq!(of(goes), ["https://lens.example/telescope"]);
    assert!(goes.brief.headline.contains("water vapour"));
    assert_eq!(
        kinds(&store, id).await,
        [
            OutboxKind::BriefPublished,
            OutboxKind::BriefUpdated,
            OutboxKind::BriefSplit
        ]
    );
    assert_eq!(
        kinds(&store, goes.brief.id).await,
        [OutboxKind::BriefPublished]
    );
    // Both begin when the article came that showed it.
    assert_eq!(stays.known_from, at("2026-03-02T09:30:00Z"));
    assert_eq!(goes.known_from, stays.known_from);
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_division_everything_reads_as_it_did() {
    let (store, id) = mixed().await;
    let briefs = store.briefs();
    let before = briefs
        .find(&id.to_string(), Some(at("2026-03-02T09:10:00Z")))
        .await
        .unwrap()
        .unwrap();
    let mixed = [
        "https://harbour.example/port",
        "https://lens.example/telescope",
    ];
    assert_eq!(urls(&store, id, Some("2026-03-02T09:10:00Z")).await, mixed);
    publisher(&store)
        .publish(prepared(&[port_again()]), at(RECORDED))
        .await
        .unwrap();
    let again = briefs
        .find(&id.to_string(), Some(at("2026-03-02T09:10:00Z")))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(again.brief, before.brief);
    assert_eq!(urls(&store, id, Some("2026-03-02T09:10:00Z")).await, mixed);
    let port = ["https://harbour.example/port", "https://dock.example/port"];
    assert_eq!(urls(&store, id, None).await, port);
    let current = current(&store).await;
    let other = current.iter().find(|one| one.brief.id != id).unwrap();
    assert_eq!(
        urls(&store, other.brief.id, None).await,
        ["https://lens.example/telescope"]
    );
    let then = briefs
        .find(
            &other.brief.id.to_string(),
            Some(at("2026-03-02T09:10:00Z")),
        )
        .await;
    assert!(then.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_later_joins_its_part_whoever_publishes_it() {
    // One that goes on, one that begins after a restart, and one that had read the story before it was divided.
    let mut ends = Vec::new();
    for restarts in [false, true] {
        let (store, id) = mixed().await;
        let first = publisher(&store);
        first
            .publish(prepared(&[port_again()]), at(RECORDED))
            .await
            .unwrap();
        let next = if restarts { publisher(&store) } else { first };
        next.publish(prepared(&[telescope_again()]), at(RECORDED))
            .await
            .unwrap();
        let all = current(&store).await;
        let other = all.iter().find(|one| one.brief.id != id).unwrap();
        assert_eq!((all.len(), other.brief.sources.len()), (2, 2));
        assert!(
            other.brief.split.from.is_some(),
            "later revisions keep the link"
        );
        ends.push(everything(&store).await);
    }
    let (store, _) = mixed().await;
    let [one, other] = [publisher(&store), publisher(&store)];
    let elsewhere = raw(
        "https://pitch.example/final",
        "Lisbon wins the cup final on penalties",
        "Lisbon won the national cup final on penalties on Monday.",
        "2026-03-01T21:00:00Z",
    );
    other
        .publish(prepared(&[elsewhere]), at(RECORDED))
        .await
        .unwrap();
    one.publish(prepared(&[port_again()]), at(RECORDED))
        .await
        .unwrap();
    other
        .publish(prepared(&[telescope_again()]), at(RECORDED))
        .await
        .unwrap();
    let joined = current(&store).await;
    let split = joined.iter().find(|one| one.brief.split.from.is_some());
    assert_eq!(split.unwrap().brief.sources.len(), 2);
    assert_eq!(ends[0], ends[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_index_follows_a_division() {
    let (store, id) = mixed().await;
    publisher(&store)
        .publish(prepared(&[port_again()]), at(RECORDED))
        .await
        .unwrap();
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    while catch_up(&store, &index, &mut writer, &|_| {})
        .await
        .unwrap()
    {}
    let find = |query: &str, as_of: Option<&str>| {
        let request = SearchRequest {
            query: query.into(),
            limit: 20,
            as_of: as_of.map(at),
            ..SearchRequest::default()
        };
        let found = index.search(&request).unwrap().hits;
        found
            .into_iter()
            .map(|hit| (hit.brief_id, hit.revision))
            .collect::<Vec<_>>()
    };
    assert_eq!(find("rotterdam", None), [(id, 3)]);
    let planet = find("planet", None);
    assert_eq!(planet.len(), 1);
    assert_ne!(planet[0].0, id);
    assert_eq!(find("rotterdam", Some("2026-03-02T09:10:00Z")), [(id, 2)]);
    assert!(find("planet", Some("2026-03-02T08:30:00Z")).is_empty());
}
