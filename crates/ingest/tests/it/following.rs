//! The index follows the store.

use ingest::follow::{catch_up, rebuild};
use search::{Index, SearchRequest, Swap};

use crate::world::{RECORDED, at, newsroom, prepared, store, week};

fn request(query: &str) -> SearchRequest {
    SearchRequest {
        query: query.into(),
        limit: 20,
        ..SearchRequest::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_published_is_found_and_superseded_revisions_are_not() {
    let store = store().await;
    let newsroom = newsroom(&store);
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    for article in prepared(&week()) {
        newsroom.publish(vec![article], at(RECORDED)).await.unwrap();
        while catch_up(&store, &index, &mut writer, &|_| {})
            .await
            .unwrap()
        {}
    }
    assert_eq!(index.position(), store.outbox().head().await.unwrap());
    let found = index.search(&request("rotterdam storm")).unwrap();
    assert_eq!(found.total, 1);
    assert_eq!(found.hits[0].revision, 3);
    let mut then = request("rotterdam storm");
    then.as_of = Some(at("2026-03-02T09:00:00Z"));
    let found = index.search(&then).unwrap();
    assert_eq!((found.total, found.hits[0].revision), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebuilt_index_answers_like_the_one_that_followed() {
    let store = store().await;
    newsroom(&store)
        .publish(prepared(&week()), at(RECORDED))
        .await
        .unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    let index = Index::open(&path).unwrap();
    let mut writer = index.writer().unwrap();
    while catch_up(&store, &index, &mut writer, &|_| {})
        .await
        .unwrap()
    {}
    let ask = || {
        index
            .search(&request("interest rate OR planet OR port"))
            .unwrap()
    };
    let followed = ask();
    assert_eq!(followed.total, 4);

    let mut beside = Index::build_beside(&path).unwrap();
    assert_eq!(rebuild(&store, &mut beside, |_| {}).await.unwrap(), 9);
    assert_eq!(beside.swap().unwrap(), Swap::Waiting, "a writer is at work");
    drop(writer);
    index.reopen().unwrap();
    let rebuilt = ask();
    assert_eq!(rebuilt.total, followed.total);
    let ids = |page: &search::SearchPage| {
        let mut ids: Vec<_> = page
            .hits
            .iter()
            .map(|hit| (hit.brief_id, hit.revision))
            .collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(&rebuilt), ids(&followed));
    assert_eq!(index.position(), store.outbox().head().await.unwrap());
}
