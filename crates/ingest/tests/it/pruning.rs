//! Old news goes from the store, and whoever holds something of it notices.

use ingest::comparison::compare_with_store;
use ingest::follow::{catch_up, rebuild};
use ingest::{Divergence, find_divergence, remove_pruned};
use search::Index;
use store::{Pruned, Store};

use crate::following::{assert_sound, follow_until_even, publish, stored_in};
use crate::world::{RECORDED, at, prepared, publisher, raw, store, week};

/// Later than anything of the tests was written.
const LATER: &str = "2026-07-01T00:00:00Z";

/// Removes everything but the newest article and the newest event.
async fn prune_all(store: &Store) -> Pruned {
    // What has no position yet stays.
    store.outbox().sequence().await.unwrap();
    let mut total = Pruned::default();
    let mut removal = store.prune().news(at(LATER));
    while let Some(pruned) = removal.remove_some().await.unwrap() {
        total.add(pruned);
    }
    total
}

#[tokio::test(flavor = "multi_thread")]
async fn every_index_of_a_store_gives_up_what_was_pruned() {
    let store = store().await;
    publish(&store, &week()).await;
    let directory = tempfile::tempdir().unwrap();
    let open = |name: &str| Index::open(&directory.path().join(name)).unwrap();
    // As two servers, each with its own data directory, and a third that was built again.
    let (one, other) = (open("one"), open("other"));
    follow_until_even(&store, &one).await;
    follow_until_even(&store, &other).await;
    let mut beside = Index::build_beside(&directory.path().join("rebuilt")).unwrap();
    rebuild(&store, &mut beside, |_| {}).await.unwrap();

    let pruned = prune_all(&store).await;
    assert_eq!((pruned.briefs, pruned.revisions), (4, 8));
    // The third was finished only now.
    let _ = beside.swap().unwrap();
    for index in [&one, &other, &open("rebuilt")] {
        assert_eq!(index.documents(), 9);
        assert_eq!(
            find_divergence(&store, index).await.unwrap(),
            Some(Divergence::Pruned)
        );
        let found = compare_with_store(&store, index).await.unwrap();
        assert_eq!((found.is_sound(), found.surplus.count), (false, 8));
        follow_until_even(&store, index).await;
        assert_eq!(find_divergence(&store, index).await.unwrap(), None);
        assert_sound(&store, index).await;
        assert_eq!(index.documents(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_follows_on_before_and_after_it_gives_up_what_was_pruned() {
    let store = store().await;
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    publish(&store, &week()).await;
    let moved = |_| {};
    let even = async |writer: &mut _| {
        while catch_up(&store, &index, writer, &moved).await.unwrap() {}
    };
    even(&mut writer).await;
    prune_all(&store).await;
    let zinc = raw(
        "https://mine.example/zinc",
        "Zinc mine closes in Peru",
        "A zinc mine in Peru closed on Friday after forty years. The owner said that the ore is used up.",
        "2026-05-20T08:00:00Z",
    );
    publish(&store, &[zinc]).await;
    even(&mut writer).await;
    assert_eq!(index.documents(), 10);
    assert_eq!(
        find_divergence(&store, &index).await.unwrap(),
        Some(Divergence::Pruned),
        "following alone does not hide it"
    );
    let removed = remove_pruned(&store, &index, &mut writer).await.unwrap();
    assert_eq!((removed, index.documents()), (Some(8), 2));
    assert_eq!(
        remove_pruned(&store, &index, &mut writer).await.unwrap(),
        None
    );

    // What a feed still lists comes back as news, maybe under the old name.
    publish(&store, &week()[..1]).await;
    even(&mut writer).await;
    assert_eq!(index.documents(), 3);
    assert_sound(&store, &index).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn news_that_a_restored_store_has_again_is_found_again() {
    let directory = tempfile::tempdir().unwrap();
    let again = directory.path().join("again");
    let store = stored_in(&directory.path().join("data")).await;
    publish(&store, &week()).await;
    store.outbox().sequence().await.unwrap();
    std::fs::create_dir(&again).unwrap();
    store.backup(&again.join("assay.sqlite")).await.unwrap();
    prune_all(&store).await;
    let index = Index::open(&directory.path().join("index")).unwrap();
    // A new index of an old store is built from what is there.
    follow_until_even(&store, &index).await;
    assert_eq!(index.documents(), 1);
    store.close().await;

    let store = stored_in(&again).await;
    assert_eq!(
        find_divergence(&store, &index).await.unwrap(),
        Some(Divergence::Restored)
    );
    follow_until_even(&store, &index).await;
    assert_sound(&store, &index).await;
    assert_eq!(index.documents(), 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_article_about_a_pruned_story_founds_a_brief_of_its_own() {
    let store = store().await;
    let publisher = publisher(&store);
    publisher
        .publish(prepared(&week()), at(RECORDED))
        .await
        .unwrap();
    assert_eq!(prune_all(&store).await.briefs, 4);
    let late = |number: u32| {
        raw(
            &format!("https://late{number}.example/port"),
            "Port of Rotterdam reopens after storm",
            "The port of Rotterdam reopened on Monday after a storm closed it for two days. Ships waited off the coast. The port authority said that 40 vessels would be handled by Tuesday.",
            "2026-03-02T14:00:00Z",
        )
    };
    let first = publisher
        .publish(prepared(&[late(1)]), at(RECORDED))
        .await
        .unwrap();
    assert_eq!((first.articles, first.briefs, first.copies), (1, 1, 0));
    // What comes next joins that one, not the one that went.
    let second = publisher
        .publish(prepared(&[late(2)]), at(RECORDED))
        .await
        .unwrap();
    assert_eq!((second.briefs, second.revisions, second.copies), (0, 1, 1));
}
