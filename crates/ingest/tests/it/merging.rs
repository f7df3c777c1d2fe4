//! Two stories that report one event become one.

use ingest::comparison::compare_with_store;
use ingest::follow::catch_up;
use model::{BriefId, OutboxKind, RawArticle};
use search::{Index, SearchRequest};
use store::{NewArticle, NewRevision, Store, StoredBrief};

use crate::world::{RECORDED, at, everything, prepared, publisher, raw, store};

fn telescope() -> RawArticle {
    raw(
        "https://lens.example/telescope",
        "Astronomers find water vapour on distant planet",
        "Astronomers using a space telescope have found water vapour in the atmosphere of a planet 120 light years away. The team published its results in a journal on Monday.",
        "2026-03-02T07:00:00Z",
    )
}

fn port() -> RawArticle {
    raw(
        "https://harbour.example/port",
        "Port of Rotterdam reopens after storm",
        "The port of Rotterdam reopened on Monday after a storm closed it for two days. Ships waited off the coast. The port authority said that 40 vessels would be handled by Tuesday.",
        "2026-03-02T08:00:00Z",
    )
}

fn port_again() -> RawArticle {
    raw(
        "https://dock.example/port",
        "Rotterdam port reopens after two-day storm closure",
        "Rotterdam's port has reopened after a storm closure of two days, the port authority said. About 40 vessels were waiting off the coast on Monday.",
        "2026-03-02T09:00:00Z",
    )
}

fn port_third() -> RawArticle {
    raw(
        "https://quay.example/port",
        "Storm over: port of Rotterdam reopens after two days",
        "The port of Rotterdam has reopened after a storm that closed it for two days. Some 40 vessels waited off the coast, the port authority said on Monday.",
        "2026-03-02T10:00:00Z",
    )
}

fn port_fourth() -> RawArticle {
    raw(
        "https://tide.example/port",
        "Rotterdam: ships enter the port as it reopens after the storm",
        "Ships entered the port of Rotterdam on Monday, which reopened after a storm of two days. The port authority counted 40 vessels off the coast.",
        "2026-03-02T11:00:00Z",
    )
}

async fn current(store: &Store) -> Vec<StoredBrief> {
    let query = store::BriefQuery {
        limit: 50,
        ..Default::default()
    };
    store.briefs().list(&query).await.unwrap().briefs
}

/// A store in which two reports of one event stand in two stories, as a stricter rule would have put them: the first brief and the second.
async fn in_pieces() -> (Store, BriefId, BriefId) {
    let elsewhere = store().await;
    for item in [telescope(), port_again()] {
        let publisher = publisher(&elsewhere);
        publisher
            .publish(prepared(&[item]), at(RECORDED))
            .await
            .unwrap();
    }
    let all = current(&elsewhere).await;
    let second = all
        .iter()
        .find(|stored| stored.brief.sources[0].domain == "dock.example")
        .unwrap();
    let store = store().await;
    publisher(&store)
        .publish(prepared(&[port()]), at(RECORDED))
        .await
        .unwrap();
    let first = current(&store).await.remove(0).brief.id;
    let again = prepared(&[port_again()]).remove(0);
    let mut transaction = store.news_transaction().await.unwrap();
    let number = transaction
        .next_public_number(&again.article.known_at)
        .await
        .unwrap();
    assert_eq!(number, 2);
    // The same article has another identity each time that it comes in.
    let mut brief = (*second.brief).clone();
    brief.sources[0].article_id = again.article.id;
    let seq = transaction
        .insert_article(NewArticle {
            article: &again.article,
            annotations: &again.annotations,
            brief: brief.id,
            story: None,
            copy_of: None,
            joined: None,
            recorded_at: at(RECORDED),
        })
        .await
        .unwrap();
    transaction
        .insert_revision(NewRevision {
            brief: &brief,
            previous: None,
            story: seq,
            known_from: brief.updated_at,
            recorded_at: at(RECORDED),
            kind: OutboxKind::BriefPublished,
        })
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    (store, first, brief.id)
}

async fn urls(store: &Store, id: BriefId, as_of: Option<&str>) -> Vec<String> {
    let articles = store.briefs().articles_of(id, as_of.map(at)).await.unwrap();
    articles
        .into_iter()
        .map(|stored| stored.article.url)
        .collect()
}

async fn find(store: &Store, reference: &str, as_of: Option<&str>) -> Option<StoredBrief> {
    let found = store.briefs().find(reference, as_of.map(at)).await;
    found.unwrap()
}

async fn kinds(store: &Store, id: BriefId) -> Vec<OutboxKind> {
    let events = store.outbox().of_brief(id).await.unwrap();
    events.into_iter().map(|event| event.kind).collect()
}

/// Which of both is there now, and which is not.
fn told_apart(briefs: &[StoredBrief], first: BriefId, second: BriefId) -> (BriefId, BriefId) {
    assert_eq!(briefs.len(), 1);
    if briefs[0].brief.id == first {
        (first, second)
    } else {
        assert_eq!(briefs[0].brief.id, second);
        (second, first)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_article_that_both_would_take_makes_two_briefs_one() {
    let (store, first, second) = in_pieces().await;
    assert_eq!(current(&store).await.len(), 2);
    let outcome = publisher(&store)
        .publish(prepared(&[port_third()]), at(RECORDED))
        .await
        .unwrap();
    let done = (outcome.articles, outcome.merges, outcome.briefs);
    assert_eq!(done, (1, 1, 0), "{outcome:?}");
    assert_eq!(outcome.revisions, 1);
    let briefs = current(&store).await;
    let (stays, goes) = told_apart(&briefs, first, second);
    let brief = &briefs[0].brief;
    assert_eq!(
        urls(&store, stays, None).await,
        [
            "https://harbour.example/port",
            "https://dock.example/port",
            "https://quay.example/port"
        ]
    );
    assert_eq!((brief.sources.len(), brief.source_count), (3, 3));
    assert_eq!(brief.published_at, at("2026-03-02T08:00:00Z"));
    assert_eq!(briefs[0].known_from, at("2026-03-02T10:00:00Z"));
    let last = store.briefs().revisions(goes).await.unwrap();
    let last = &last.last().unwrap().brief;
    assert_eq!(last.merged.into.as_ref(), Some(&brief.public_id));
    assert_eq!(
        brief.merged.from.as_slice(),
        std::slice::from_ref(&last.public_id)
    );
    assert_eq!(
        kinds(&store, stays).await,
        [OutboxKind::BriefPublished, OutboxKind::BriefMerged]
    );
    assert_eq!(
        kinds(&store, goes).await,
        [OutboxKind::BriefPublished, OutboxKind::BriefMerged]
    );
    // Whoever asks for the one that is no more gets the other one, by either name.
    for reference in [goes.to_string(), last.public_id.to_string()] {
        let found = find(&store, &reference, None).await.unwrap();
        assert_eq!((found.brief.id, found.brief.revision), (stays, 2));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn before_they_were_one_everything_reads_as_it_did() {
    let (store, first, second) = in_pieces().await;
    let then = Some("2026-03-02T09:30:00Z");
    let mut before = Vec::new();
    for id in [first, second] {
        let found = find(&store, &id.to_string(), then).await.unwrap();
        before.push((found.brief, urls(&store, id, then).await));
    }
    publisher(&store)
        .publish(prepared(&[port_third()]), at(RECORDED))
        .await
        .unwrap();
    for (id, before) in [first, second].into_iter().zip(before) {
        let found = find(&store, &id.to_string(), then).await.unwrap();
        assert_eq!((found.brief, urls(&store, id, then).await), before);
    }
    let query = store::BriefQuery {
        limit: 50,
        as_of: then.map(at),
        ..Default::default()
    };
    assert_eq!(store.briefs().list(&query).await.unwrap().total, 2);
    let early = find(&store, &second.to_string(), Some("2026-03-02T08:30:00Z")).await;
    assert!(early.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_later_joins_the_one_whoever_publishes_it() {
    let mut ends = Vec::new();
    for restarts in [false, true] {
        let (store, ..) = in_pieces().await;
        let first = publisher(&store);
        first
            .publish(prepared(&[port_third()]), at(RECORDED))
            .await
            .unwrap();
        let next = if restarts { publisher(&store) } else { first };
        next.publish(prepared(&[port_fourth()]), at(RECORDED))
            .await
            .unwrap();
        let all = current(&store).await;
        assert_eq!((all.len(), all[0].brief.sources.len()), (1, 4));
        assert_eq!(
            all[0].brief.merged.from.len(),
            1,
            "later revisions keep the link"
        );
        let revisions = everything(&store).await.into_iter();
        let told = revisions.map(|one| (one.brief.revision, one.known_from, one.known_to));
        ends.push(told.collect::<Vec<_>>());
    }
    assert_eq!(ends[0], ends[1]);
    // One that had read both stories before they were one.
    let (store, ..) = in_pieces().await;
    let [one, other] = [publisher(&store), publisher(&store)];
    other
        .publish(prepared(&[telescope()]), at(RECORDED))
        .await
        .unwrap();
    one.publish(prepared(&[port_third()]), at(RECORDED))
        .await
        .unwrap();
    other
        .publish(prepared(&[port_fourth()]), at(RECORDED))
        .await
        .unwrap();
    let all = current(&store).await;
    let sources: Vec<usize> = all.iter().map(|one| one.brief.sources.len()).collect();
    assert!(sources == [4, 1] || sources == [1, 4], "{sources:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_index_follows() {
    let (store, first, second) = in_pieces().await;
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    while catch_up(&store, &index, &mut writer, &|_| {})
        .await
        .unwrap()
    {}
    publisher(&store)
        .publish(prepared(&[port_third()]), at(RECORDED))
        .await
        .unwrap();
    while catch_up(&store, &index, &mut writer, &|_| {})
        .await
        .unwrap()
    {}
    let find = |as_of: Option<&str>| {
        let request = SearchRequest {
            query: "rotterdam".into(),
            limit: 20,
            as_of: as_of.map(at),
            ..SearchRequest::default()
        };
        let hits = index.search(&request).unwrap().hits.into_iter();
        let mut found: Vec<_> = hits.map(|hit| (hit.brief_id, hit.revision)).collect();
        found.sort_unstable();
        found
    };
    let (stays, _) = told_apart(&current(&store).await, first, second);
    assert_eq!(find(None), [(stays, 2)]);
    let mut both = [(first, 1), (second, 1)];
    both.sort_unstable();
    assert_eq!(find(Some("2026-03-02T09:30:00Z")), both);
    let comparison = compare_with_store(&store, &index).await.unwrap();
    assert_eq!(comparison.outdated.count, 0);
    assert_eq!((comparison.missing.count, comparison.surplus.count), (0, 0));
    assert_eq!(comparison.expected, 4);
}
