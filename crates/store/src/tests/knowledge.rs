//! Knowledge: documents and their chunks, by owner.

use futures::future::join_all;
use model::AccountId;

use super::access::account;
use super::on_each_database;
use super::samples::hour;
use crate::{Error, KnowledgeDocument, KnowledgeLimits, NewChunk, Store};

const LIMITS: KnowledgeLimits = KnowledgeLimits {
    documents: 10,
    bytes: 10_000,
};

fn document(owner: AccountId, id: &str, agent: Option<&str>, hours: i64) -> KnowledgeDocument {
    KnowledgeDocument {
        id: id.to_owned(),
        account: owner,
        agent: agent.map(str::to_owned),
        filename: format!("{id}.md"),
        title: None,
        kind: "markdown".to_owned(),
        bytes: 100,
        chunk_count: 3,
        created_at: hour(hours),
        content_hash: [9; 32],
    }
}

fn chunks(document: &str) -> Vec<NewChunk> {
    (0..3_u8)
        .map(|place| NewChunk {
            id: format!("chk_{document}_{place}"),
            heading: (place > 0).then(|| format!("Part {place}")),
            content: format!("chunk {place} of {document}"),
            vector: (place == 1).then(|| vec![place; 8]),
        })
        .collect()
}

async fn add(store: &Store, document: &KnowledgeDocument) {
    let (knowledge, chunks) = (store.knowledge(), chunks(&document.id));
    let added = knowledge.insert(document, &chunks, LIMITS, None).await;
    added.unwrap();
}

/// The chunks, read two at a time.
async fn read(store: &Store, owner: AccountId, agent: Option<&str>) -> Vec<String> {
    let (mut after, mut found) = (0, Vec::new());
    loop {
        let page = store.knowledge().chunks(owner, agent, after, 2).await;
        let page = page.unwrap();
        let Some(last) = page.last() else {
            return found;
        };
        after = last.number;
        found.extend(page.into_iter().map(|chunk| chunk.id));
    }
}

async fn two_accounts(store: &Store) -> (AccountId, AccountId) {
    let (mine, theirs) = (account("a@mail.example"), account("b@mail.example"));
    for one in [&mine, &theirs] {
        store.accounts().insert(one).await.unwrap();
    }
    (mine.id, theirs.id)
}

#[tokio::test]
async fn a_document_is_its_owners_alone() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, theirs) = two_accounts(&store).await;
        let one = KnowledgeDocument {
            title: Some("Notes".to_owned()),
            ..document(mine, "one", Some("scout"), 1)
        };
        add(&store, &one).await;
        let knowledge = store.knowledge();
        let found = knowledge.find(mine, "one").await.unwrap();
        assert_eq!(found, Some(one.clone()));
        assert_eq!(knowledge.list(mine, None, 9).await.unwrap(), [one]);
        let page = knowledge.chunks(mine, None, 0, 9).await.unwrap();
        let places: Vec<u64> = page.iter().map(|chunk| chunk.place).collect();
        assert_eq!(places, [0, 1, 2]);
        assert_eq!(page[0].heading, None);
        assert_eq!(page[1].heading.as_deref(), Some("Part 1"));
        assert_eq!(page[1].vector.as_deref(), Some([1_u8; 8].as_slice()));
        assert_eq!(page[2].content, "chunk 2 of one");
        assert_eq!(page[2].document, "one");

        assert_eq!(knowledge.find(theirs, "one").await.unwrap(), None);
        assert!(knowledge.list(theirs, None, 9).await.unwrap().is_empty());
        assert!(read(&store, theirs, Some("scout")).await.is_empty());
        assert!(!knowledge.delete(theirs, "one").await.unwrap());
        let taken = document(theirs, "one", None, 2);
        let refused = knowledge.insert(&taken, &[], LIMITS, None).await;
        assert!(matches!(refused, Err(Error::Conflict)));
        assert_eq!(read(&store, mine, None).await.len(), 3);

        let before = knowledge.extent(mine).await.unwrap();
        assert_eq!((before.documents, before.bytes, before.chunks), (1, 100, 3));
        assert!(knowledge.delete(mine, "one").await.unwrap());
        assert!(!knowledge.delete(mine, "one").await.unwrap());
        let rows = "SELECT COUNT(*) FROM knowledge_chunk";
        let rows = store.database().number(rows, Vec::new()).await.unwrap();
        assert_eq!(rows, 0, "the chunks go with their document");
        // The same again is not the same state as before.
        add(&store, &document(mine, "one", None, 3)).await;
        assert_ne!(knowledge.extent(mine).await.unwrap(), before);
    })
    .await;
}

#[tokio::test]
async fn an_agent_reads_its_documents_and_those_for_all() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, _) = two_accounts(&store).await;
        add(&store, &document(mine, "scouts", Some("scout"), 1)).await;
        add(&store, &document(mine, "clerks", Some("clerk"), 2)).await;
        add(&store, &document(mine, "shared", None, 3)).await;
        for (agent, documents) in [
            (None, vec!["shared", "clerks", "scouts"]),
            (Some("scout"), vec!["shared", "scouts"]),
            (Some("nobody"), vec!["shared"]),
        ] {
            let found = store.knowledge().list(mine, agent, 9).await.unwrap();
            let count = store.knowledge().count(mine, agent).await.unwrap();
            assert_eq!(count, found.len() as u64);
            let ids: Vec<&str> = found.iter().map(|one| one.id.as_str()).collect();
            assert_eq!(ids, documents);
            let mut expected: Vec<String> = Vec::new();
            for id in documents.into_iter().rev() {
                expected.extend(chunks(id).into_iter().map(|chunk| chunk.id));
            }
            assert_eq!(read(&store, mine, agent).await, expected);
        }
        let newest = store.knowledge().list(mine, None, 1).await.unwrap();
        assert_eq!(newest[0].id, "shared");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_has_more_documents_than_the_limits_permit() {
    on_each_database(|place| async move {
        let stores = [place.open().await, place.open().await];
        let (mine, theirs) = two_accounts(&stores[0]).await;
        let few = KnowledgeLimits {
            documents: 3,
            bytes: 10_000,
        };
        let writers = (0..10_usize).map(|number| {
            let store = stores[number % 2].clone();
            tokio::spawn(async move {
                let one = document(mine, &format!("doc_{number}"), None, 1);
                let knowledge = store.knowledge();
                match knowledge.insert(&one, &chunks(&one.id), few, None).await {
                    Ok(()) => 1,
                    Err(Error::Conflict) => 0,
                    Err(error) => panic!("{error}"),
                }
            })
        });
        let added = join_all(writers).await.into_iter().map(Result::unwrap);
        assert_eq!(added.sum::<u64>(), 3);
        assert_eq!(read(&stores[0], mine, None).await.len(), 9);

        let small = KnowledgeLimits {
            documents: 10,
            bytes: 150,
        };
        let knowledge = stores[0].knowledge();
        let (first, second) = (
            document(theirs, "first", None, 1),
            document(theirs, "second", None, 1),
        );
        knowledge.insert(&first, &[], small, None).await.unwrap();
        let refused = knowledge.insert(&second, &[], small, None).await;
        assert!(matches!(refused, Err(Error::Conflict)));
        assert!(knowledge.delete(theirs, "first").await.unwrap());
        knowledge.insert(&second, &[], small, None).await.unwrap();
    })
    .await;
}
