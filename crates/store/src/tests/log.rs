//! The log of receipts: dense indices and correct nodes, whoever writes.

use std::hash::{DefaultHasher, Hasher};

use futures::future::join_all;
use tempfile::TempDir;

use super::on_each_database;
use super::receipts::{append, receipt};
use super::samples::hour;
use crate::{Checkpoint, Error, Location, LogNode, LogPlace, Receipt, Store};

pub(super) type Hash = [u8; 32];

/// Stands in for a leaf hash.
pub(super) fn leaf(body: &str) -> Hash {
    digest(&[b"leaf", body.as_bytes()])
}

fn parent(left: &Hash, right: &Hash) -> Hash {
    digest(&[b"node", left, right])
}

fn digest(parts: &[&[u8]]) -> Hash {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        hasher.write(part);
    }
    let mut hash = [0; 32];
    hash[..8].copy_from_slice(&hasher.finish().to_be_bytes());
    hash
}

/// The arithmetic done by another crate: joins equal subtrees as leaves come in.
pub(super) fn grow(leaves: Vec<Hash>) -> impl FnOnce(u64, &[LogNode]) -> Vec<LogNode> + Send {
    move |size, edge| {
        let mut stack = edge.to_vec();
        let mut nodes = Vec::new();
        for (position, hash) in (size..).zip(leaves) {
            let place = LogPlace { level: 0, position };
            let mut node = LogNode { place, hash };
            nodes.push(node);
            while let Some(left) = stack.pop_if(|left| left.place.level == node.place.level) {
                node = LogNode {
                    place: LogPlace {
                        level: node.place.level + 1,
                        position: node.place.position / 2,
                    },
                    hash: parent(&left.hash, &node.hash),
                };
                nodes.push(node);
            }
            stack.push(node);
        }
        nodes
    }
}

/// Checks every complete subtree of the log against the bodies, in the order of their indices.
async fn assert_tree(store: &Store, bodies: &[String]) {
    let size = store.log().size().await.unwrap();
    assert_eq!(size, bodies.len() as u64);
    let mut level: Vec<Hash> = bodies.iter().map(|body| leaf(body)).collect();
    for height in 0.. {
        let places: Vec<LogPlace> = (0..level.len() as u64)
            .map(|position| LogPlace {
                level: height,
                position,
            })
            .collect();
        assert_eq!(store.log().hashes(&places).await.unwrap(), level);
        if level.is_empty() {
            break;
        }
        level = level
            .as_chunks::<2>()
            .0
            .iter()
            .map(|[left, right]| parent(left, right))
            .collect();
    }
    let nodes = "SELECT COUNT(*) FROM log_node";
    let nodes = store.database().number(nodes, Vec::new()).await.unwrap();
    let complete: u64 = (0..64).map(|level| size >> level).sum();
    assert_eq!(nodes as u64, complete, "nothing else is kept");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_append_at_once_and_the_log_is_dense() {
    on_each_database(|place| async move {
        // A second handle has its own pools, as another process would.
        let stores = [place.open().await, place.open().await];
        let writers = (0..8_usize).map(|writer| {
            let store = stores[writer % 2].clone();
            tokio::spawn(async move {
                let mut ranges = Vec::new();
                for round in 0..6 {
                    let batch: Vec<Receipt> = (0..=(writer + round) % 5)
                        .map(|number| receipt(&format!("vr_{writer}_{round}_{number}"), None))
                        .collect();
                    let indices = append(&store, &batch).await.unwrap();
                    assert_eq!(indices.end - indices.start, batch.len() as u64);
                    ranges.push((indices, batch));
                }
                ranges
            })
        });
        let mut written: Vec<(u64, String)> = Vec::new();
        for writer in join_all(writers).await {
            for (indices, batch) in writer.unwrap() {
                written.extend(indices.zip(batch.into_iter().map(|one| one.body)));
            }
        }
        written.sort_unstable();
        let indices: Vec<u64> = written.iter().map(|(index, _)| *index).collect();
        assert_eq!(indices, (0..written.len() as u64).collect::<Vec<_>>());
        let bodies: Vec<String> = written.into_iter().map(|(_, body)| body).collect();
        assert_tree(&stores[1], &bodies).await;
        let last = store_index(&stores[0], "vr_7_5_0").await;
        assert_eq!(bodies[last as usize], receipt("vr_7_5_0", None).body);
    })
    .await;
}

async fn store_index(store: &Store, id: &str) -> u64 {
    let found = store.receipts().find(id).await.unwrap();
    found.unwrap().log_index
}

#[tokio::test]
async fn nodes_that_do_not_fit_are_refused() {
    on_each_database(|place| async move {
        let store = place.open().await;
        append(&store, &[receipt("vr_0", None)]).await.unwrap();
        let next = [receipt("vr_1", None)];
        let full = |size: u64, edge: &[LogNode]| grow(vec![leaf("x")])(size, edge);
        // Nodes are missing, one is there twice, one belongs to nothing, one is written again.
        let wrong: [fn(&mut Vec<LogNode>); 4] = [
            Vec::clear,
            |nodes| nodes.push(nodes[0]),
            |nodes| nodes[0].place.position = 5,
            |nodes| nodes[0].place.position = 0,
        ];
        for spoil in wrong {
            let receipts = store.receipts();
            let outcome = receipts.append(&next, None, |size, edge| {
                let mut nodes = full(size, edge);
                spoil(&mut nodes);
                nodes
            });
            assert!(matches!(
                outcome.await,
                Err(Error::Corrupt {
                    table: "log_node",
                    ..
                })
            ));
        }
        assert_eq!(store.log().size().await.unwrap(), 1);
        assert_eq!(append(&store, &next).await.unwrap(), 1..2);
        assert_eq!(append(&store, &[]).await.unwrap(), 2..2);
        let beyond = LogPlace {
            level: 0,
            position: 2,
        };
        assert!(store.log().hashes(&[beyond]).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn of_each_size_the_first_checkpoint_is_valid() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let log = store.log();
        assert_eq!(log.newest_checkpoint().await.unwrap(), None);
        let at = |size, text: &str| Checkpoint {
            size,
            text: text.to_owned(),
            created_at: hour(1),
        };
        for size in [3, 12, 7] {
            let kept = log.keep_checkpoint(&at(size, "first")).await.unwrap();
            assert_eq!(kept, at(size, "first"));
        }
        let again = log.keep_checkpoint(&at(7, "second")).await.unwrap();
        assert_eq!(again, at(7, "first"));
        let newest = log.newest_checkpoint().await.unwrap();
        assert_eq!(newest, Some(at(12, "first")));
        assert_eq!(log.checkpoint(7).await.unwrap(), Some(again));
        assert_eq!(log.checkpoint(8).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn the_log_goes_on_after_reopening_and_in_a_copy() {
    on_each_database(|place| async move {
        let mut bodies = Vec::new();
        for round in 0..3 {
            let store = place.open().await;
            let batch: Vec<Receipt> = (0..5)
                .map(|number| receipt(&format!("vr_{round}_{number}"), None))
                .collect();
            append(&store, &batch).await.unwrap();
            bodies.extend(batch.into_iter().map(|one| one.body));
            store.close().await;
        }
        let store = place.open().await;
        assert_tree(&store, &bodies).await;
        if place.is_sqlite() {
            let target = TempDir::new().unwrap();
            let copy = target.path().join("assay.sqlite");
            store.backup(&copy).await.unwrap();
            let location = Location::Directory(target.path().to_owned());
            let restored = Store::open_existing(&location).await.unwrap();
            assert_tree(&restored, &bodies).await;
        }
    })
    .await;
}
