//! The index follows the store.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ingest::comparison::compare_with_store;
use ingest::follow::{catch_up, follow, rebuild};
use ingest::{Divergence, find_divergence};
use model::{DataMode, Timestamp};
use search::{Index, SearchRequest, Swap};
use store::{Location, Store};
use tantivy::directory::MmapDirectory;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::faulty::{DISK_FULL, FaultyDirectory, Plan};
use crate::world::{RECORDED, at, everything, prepared, publisher, raw, store, week};

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
    let publisher = publisher(&store);
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    for article in prepared(&week()) {
        publisher
            .publish(vec![article], at(RECORDED))
            .await
            .unwrap();
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
    publisher(&store)
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

/// Follows until the index has everything that the store has, then stops.
pub(crate) async fn follow_until_even(store: &Store, index: &Index) {
    store.outbox().sequence().await.unwrap();
    let head = store.outbox().newest().await.unwrap();
    let pruned = store.prune().times().await.unwrap();
    let cancel = CancellationToken::new();
    let looked = Arc::new(Notify::new());
    let signal = looked.clone();
    let following = follow(store.clone(), index.clone(), cancel.clone(), move |_| {
        signal.notify_one();
    });
    let mut following = tokio::spawn(following);
    let is_even = || {
        let checkpoint = index.checkpoint();
        checkpoint.pruned == pruned
            && (checkpoint.position, checkpoint.fingerprint)
                == (head.position, head.fingerprint.clone())
    };
    // Each look at the store comes after what the one before it led to.
    for _ in 0..300 {
        if is_even() {
            break;
        }
        tokio::select! {
            () = looked.notified() => {}
            ended = &mut following => panic!("the follower has ended: {ended:?}"),
        }
    }
    cancel.cancel();
    following.await.unwrap().unwrap();
    assert!(is_even(), "the index does not catch up");
}

pub(crate) async fn assert_sound(store: &Store, index: &Index) {
    let found = compare_with_store(store, index).await.unwrap();
    assert!(found.is_sound(), "{found:?}");
    assert_eq!(found.expected, found.documents);
}

pub(crate) async fn publish(store: &Store, articles: &[model::RawArticle]) {
    publisher(store)
        .publish(prepared(articles), at(RECORDED))
        .await
        .unwrap();
}

/// A store in files, which can be copied; whatever the database of the other tests.
pub(crate) async fn stored_in(directory: &Path) -> Store {
    let location = Location::Directory(directory.to_owned());
    Store::open(&location, DataMode::Real).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_that_fail_delay_revisions_and_lose_none() {
    let store = store().await;
    let plan = Plan::new(DISK_FULL);
    let directory = tempfile::tempdir().unwrap();
    let index = Index::open_in(FaultyDirectory {
        files: Box::new(MmapDirectory::open(directory.path()).unwrap()),
        plan: Arc::clone(&plan),
    })
    .unwrap();
    for (number, article) in week().into_iter().enumerate() {
        publish(&store, &[article]).await;
        // Each time at another place.
        let from = 1 + 3 * number as u64;
        plan.fail(from, from + 2);
        follow_until_even(&store, &index).await;
        assert!(plan.has_failed());
        plan.heal();
        assert_sound(&store, &index).await;
    }
    assert_eq!(index.documents(), 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_go_on_says_so_and_may_be_called_again() {
    let store = store().await;
    publish(&store, &week()).await;
    let plan = Plan::new(DISK_FULL);
    let directory = tempfile::tempdir().unwrap();
    let index = Index::open_in(FaultyDirectory {
        files: Box::new(MmapDirectory::open(directory.path()).unwrap()),
        plan: Arc::clone(&plan),
    })
    .unwrap();
    plan.fail(1, u64::MAX);
    let cancel = CancellationToken::new();
    let ended = follow(store.clone(), index.clone(), cancel, |_| {}).await;
    assert!(matches!(ended, Err(ingest::Error::Search(_))), "{ended:?}");
    assert_eq!(index.position(), 0);
    assert!(
        store.outbox().head().await.unwrap() > 0,
        "others get their positions all the same"
    );
    plan.heal();
    follow_until_even(&store, &index).await;
    assert_sound(&store, &index).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_of_another_store_is_replaced() {
    let (first, second) = (store().await, store().await);
    publish(&first, &week()).await;
    publish(&second, &week()[..2]).await;
    assert_ne!(first.id(), second.id());
    let directory = tempfile::tempdir().unwrap();
    let index = Index::open(&directory.path().join("index")).unwrap();
    follow_until_even(&first, &index).await;
    assert_eq!(
        find_divergence(&second, &index).await.unwrap(),
        Some(Divergence::OtherStore)
    );
    follow_until_even(&second, &index).await;
    assert_sound(&second, &index).await;
    assert_eq!(index.documents(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_ahead_of_a_restored_store_is_replaced() {
    let week = week();
    let directory = tempfile::tempdir().unwrap();
    let (data, restored) = (
        directory.path().join("data"),
        directory.path().join("again"),
    );
    let store = stored_in(&data).await;
    publish(&store, &week[..3]).await;
    std::fs::create_dir(&restored).unwrap();
    store.backup(&restored.join("assay.sqlite")).await.unwrap();
    publish(&store, &week[3..7]).await;
    let index = Index::open(&data.join("index")).unwrap();
    follow_until_even(&store, &index).await;
    let ahead = index.checkpoint();
    let files = fs_copy(&data.join("index"), directory.path(), "kept");
    store.close().await;

    let store = stored_in(&restored).await;
    assert_eq!(store.id(), ahead.store, "a copy is the same store");
    store.outbox().sequence().await.unwrap();
    let head = store.outbox().head().await.unwrap();
    let position = ahead.position;
    assert_eq!(
        find_divergence(&store, &index).await.unwrap(),
        Some(Divergence::Ahead { position, head })
    );
    follow_until_even(&store, &index).await;
    assert_sound(&store, &index).await;
    assert_eq!(index.documents(), 3);

    // The restored store goes on and passes the position at which the index was.
    publish(&store, &week[4..]).await;
    publish(&store, &week[3..4]).await;
    let index = Index::open(&files).unwrap();
    store.outbox().sequence().await.unwrap();
    assert!(store.outbox().head().await.unwrap() > position);
    assert_eq!(
        find_divergence(&store, &index).await.unwrap(),
        Some(Divergence::OtherHistory { position })
    );
    follow_until_even(&store, &index).await;
    assert_sound(&store, &index).await;
    assert_eq!(index.documents(), 9);
}

fn fs_copy(from: &Path, parent: &Path, name: &str) -> PathBuf {
    let to = parent.join(name);
    std::fs::create_dir(&to).unwrap();
    for file in std::fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
    to
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_index_is_replaced_while_running() {
    let store = store().await;
    publish(&store, &week()[..8]).await;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    let index = Index::open(&path).unwrap();
    follow_until_even(&store, &index).await;
    let meta = path.join("meta.json");
    let text = std::fs::read_to_string(&meta).unwrap();
    let claimed = text.replace(r#"\"documents\":8"#, r#"\"documents\":9"#);
    assert_ne!(claimed, text);
    std::fs::write(&meta, claimed).unwrap();
    publish(&store, &week()[8..]).await;
    follow_until_even(&store, &index).await;
    index.reopen().unwrap();
    assert_sound(&store, &index).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comparison_says_what_search_cannot_find() {
    let store = store().await;
    publish(&store, &week()).await;
    store.outbox().sequence().await.unwrap();
    let newest = store.outbox().newest().await.unwrap();
    let all = everything(&store).await;
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    let mut stranger = (*all[0].brief).clone();
    stranger.id = model::BriefId(uuid::Uuid::from_u128(7));
    let known_to = Timestamp::END.plus_ms(-1);
    for stored in &all[2..] {
        let brief = &stored.brief;
        writer
            .put(&search::RevisionDocument {
                brief,
                known_from: stored.known_from,
                known_to: if brief.id == all[2].brief.id && brief.revision == all[2].brief.revision
                {
                    known_to
                } else {
                    stored.known_to
                },
            })
            .unwrap();
    }
    writer
        .put(&search::RevisionDocument {
            brief: &stranger,
            known_from: all[0].known_from,
            known_to: Timestamp::END,
        })
        .unwrap();
    let checkpoint = search::Checkpoint {
        store: store.id(),
        position: newest.position,
        fingerprint: newest.fingerprint,
        pruned: 0,
    };
    writer.commit(&checkpoint).unwrap();
    let found = compare_with_store(&store, &index).await.unwrap();
    let name = |stored: &store::StoredBrief| (stored.brief.id, stored.brief.revision);
    assert!(!found.is_sound());
    assert_eq!((found.expected, found.documents), (9, 8));
    assert_eq!(found.missing.examples, [name(&all[0]), name(&all[1])]);
    assert_eq!(found.surplus.examples, [(stranger.id, stranger.revision)]);
    assert_eq!(found.outdated.examples, [name(&all[2])]);

    // What is still to come is not missing.
    publish(
        &store,
        &[raw(
            "https://harbour.example/new",
            "A bridge opens in Ghent",
            "A bridge opened in Ghent on Friday after two years of work. The city said that it cost ten million euros.",
            "2026-05-20T08:00:00Z",
        )],
    )
    .await;
    let later = compare_with_store(&store, &index).await.unwrap();
    assert_eq!(later.missing, found.missing);
}
