//! No charge is lost with the process, and none is made twice.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::Method;
use model::DataMode;
use store::{AccountKey, Location, Store};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::support::{TestMember, TestServer};

/// A server with a journal; the end of a process is what is dropped without a last flush.
async fn with_journal(directory: &Path) -> TestServer {
    TestServer::start_with(|settings| settings.service.journal = Some(directory.to_owned())).await
}

/// The next process on the same store and directory.
async fn again(store: Store, directory: &Path) -> TestServer {
    TestServer::on(store, |settings| {
        settings.service.journal = Some(directory.to_owned());
    })
    .await
}

async fn total(store: &Store, member: &TestMember) -> u64 {
    let account = AccountKey::Account(member.account);
    store.ledger().total(&account).await.unwrap()
}

fn segments(directory: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|word| word == "charges"))
        .collect();
    paths.sort();
    paths
}

#[tokio::test]
async fn charges_outlive_the_process_and_count_once() {
    let directory = TempDir::new().unwrap();
    let journal = directory.path().join("journal");
    let server = with_journal(&journal).await;
    let store = server.state.store.clone();
    let member = server.unlimited().await;
    let mut charged = 0;
    for path in ["one", "variable", "free", "one", "kept/journal"] {
        let ask = server.get(&format!("/api/v1/test/{path}"));
        charged += ask.bearer(&member.key).send().await.charged();
    }
    let page = server.get("/api/v1/test/kept/journal").bearer(&member.key);
    let tag = page.send().await.header("etag").to_owned();
    let page = server.get("/api/v1/test/kept/journal").bearer(&member.key);
    let unchanged = page.header("if-none-match", &tag).send().await;
    assert_eq!((unchanged.status.as_u16(), unchanged.charged()), (304, 1));
    let stream = server.get("/api/v1/stream").bearer(&member.key);
    charged += 1 + unchanged.charged() + stream.send().await.charged();
    let demo = server.get("/api/v1/test/variable").from("192.0.2.7");
    assert_eq!(demo.send().await.charged(), 3);
    assert_eq!(charged, 5 + 1 + 3);
    assert_eq!(total(&store, &member).await, 0, "nothing is flushed yet");

    let left = segments(&journal);
    assert_eq!(left.len(), 1);
    let copy = directory.path().join("copy");
    std::fs::copy(&left[0], &copy).unwrap();
    drop(server);
    let server = again(store.clone(), &journal).await;
    assert_eq!(total(&store, &member).await, charged);
    let visitor = AccountKey::Demo("192.0.2.7".into());
    assert_eq!(store.ledger().total(&visitor).await.unwrap(), 3);
    let usage = server.get("/api/v1/usage").bearer(&member.key).send().await;
    let usage = usage.json();
    assert_eq!(usage["credits_used_month"], charged);
    assert_eq!(usage["calls_this_month"], 8);
    assert!(segments(&journal).iter().all(|path| !left.contains(path)));

    // Killed after the commit and before the file was removed.
    drop(server);
    std::fs::copy(&copy, &left[0]).unwrap();
    let server = again(store.clone(), &journal).await;
    assert_eq!(total(&store, &member).await, charged);
    assert!(!left[0].exists());
    drop(server);
}

#[tokio::test]
async fn a_record_that_is_cut_off_takes_no_other_with_it() {
    let directory = TempDir::new().unwrap();
    let server = with_journal(directory.path()).await;
    let store = server.state.store.clone();
    let member = server.unlimited().await;
    for _ in 0..3 {
        let ask = server.get("/api/v1/test/one").bearer(&member.key);
        assert_eq!(ask.send().await.charged(), 1);
    }
    drop(server);
    let left = segments(directory.path());
    let mut bytes = std::fs::read(&left[0]).unwrap();
    bytes.truncate(bytes.len() - 3);
    std::fs::write(&left[0], &bytes).unwrap();
    std::fs::write(directory.path().join("empty.charges"), b"").unwrap();
    std::fs::write(
        directory.path().join("strange.charges"),
        b"something else, and long enough",
    )
    .unwrap();
    let server = again(store.clone(), directory.path()).await;
    assert_eq!(total(&store, &member).await, 2);
    let left = segments(directory.path());
    assert_eq!(left, [directory.path().join("strange.charges")]);
    drop(server);
}

/// A full disk, as it were: no segment can be made.
#[tokio::test]
async fn without_its_journal_a_charge_goes_straight_to_the_ledger() {
    let directory = TempDir::new().unwrap();
    let journal = directory.path().join("journal");
    let server = with_journal(&journal).await;
    let store = server.state.store.clone();
    let member = server.unlimited().await;
    std::fs::remove_dir_all(&journal).unwrap();
    let one = || server.get("/api/v1/test/one").bearer(&member.key);
    assert_eq!(one().send().await.charged(), 1);
    assert!(!server.state.meter.health().journal_works);
    assert_eq!(total(&store, &member).await, 1, "without any flush");
    let five = server.ask(Method::POST, "/api/v1/test/five");
    assert_eq!(five.bearer(&member.key).send().await.charged(), 5);
    let free = server.get("/api/v1/test/free").bearer(&member.key);
    assert_eq!(free.send().await.status, 200);
    assert_eq!(total(&store, &member).await, 6);

    std::fs::create_dir_all(&journal).unwrap();
    assert_eq!(one().send().await.charged(), 1);
    assert!(server.state.meter.health().journal_works);
    assert_eq!(total(&store, &member).await, 6, "with the next flush");
    server.state.meter.flush().await.unwrap();
    assert_eq!(total(&store, &member).await, 7);
}

/// Neither journal nor ledger: nothing is charged, and nothing that costs is answered.
#[tokio::test]
async fn what_cannot_be_written_down_is_not_sold() {
    let directory = TempDir::new().unwrap();
    let journal = directory.path().join("journal");
    let server = with_journal(&journal).await;
    let member = server.unlimited().await;
    let ask = |path: &str| server.get(path).bearer(&member.key);
    assert_eq!(ask("/api/v1/test/one").send().await.charged(), 1);
    server.state.meter.flush().await.unwrap();
    std::fs::remove_dir_all(&journal).unwrap();
    server.state.store.close().await;
    let reply = ask("/api/v1/test/one").send().await;
    reply.expect_error(503, "busy");
    assert_eq!(ask("/api/v1/test/free").send().await.status, 200);
}

#[tokio::test]
async fn two_processes_do_not_share_a_journal() {
    let directory = TempDir::new().unwrap();
    let server = with_journal(directory.path()).await;
    let other = {
        let (store, path) = (server.state.store.clone(), directory.path().to_owned());
        tokio::spawn(async move { drop(again(store, &path).await) })
    };
    let refused = other.await.unwrap_err().into_panic();
    let refused = refused.downcast_ref::<String>().unwrap();
    assert!(refused.contains("InUse"), "{refused}");
    drop(server);
}

/// Stands between store and PostgreSQL and can lose the answer to a commit.
struct Lossy {
    port: u16,
    loses_next: Arc<AtomicBool>,
}

impl Lossy {
    async fn before(host: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let loses_next = Arc::new(AtomicBool::new(false));
        let loses = loses_next.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&host).await.unwrap();
                tokio::spawn(pass(client, server, loses.clone()));
            }
        });
        Self { port, loses_next }
    }
}

async fn pass(client: TcpStream, server: TcpStream, loses: Arc<AtomicBool>) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let is_lost = AtomicBool::new(false);
    let forth = async {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(count @ 1..) = from_client.read(&mut bytes).await {
            let is_commit = bytes[..count].windows(6).any(|word| word == b"COMMIT");
            if is_commit && loses.swap(false, Ordering::SeqCst) {
                is_lost.store(true, Ordering::SeqCst);
            }
            if to_server.write_all(&bytes[..count]).await.is_err() {
                return;
            }
        }
    };
    let back = async {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(count @ 1..) = from_server.read(&mut bytes).await {
            // The commit is done on the other side; nobody hears of it here.
            if is_lost.load(Ordering::SeqCst) || to_client.write_all(&bytes[..count]).await.is_err()
            {
                return;
            }
        }
    };
    tokio::select! {
        () = forth => {}
        () = back => {}
    }
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_is_not_charged_twice() {
    let Ok(base) = std::env::var("TEST_DATABASE_URL") else {
        println!("TEST_DATABASE_URL is not set: PostgreSQL is left out");
        return;
    };
    let authority = base
        .parse::<http::Uri>()
        .unwrap()
        .into_parts()
        .authority
        .unwrap();
    let host = format!(
        "{}:{}",
        authority.host(),
        authority.port_u16().unwrap_or(5_432)
    );
    let lossy = Lossy::before(host).await;
    let direct = authority.as_str().rsplit('@').next().unwrap();
    let url = base.replacen(direct, &format!("127.0.0.1:{}", lossy.port), 1);
    let joint = if url.contains('?') { '&' } else { '?' };
    let schema = uuid::Uuid::new_v4().simple();
    let location = Location::Postgres(format!(
        "{url}{joint}options%5Bsearch_path%5D=assay_contract_{schema}"
    ));
    let store = Store::open(&location, DataMode::Demo).await.unwrap();
    let server = TestServer::on(store.clone(), |_| {}).await;
    let member = server.unlimited().await;
    let one = server.get("/api/v1/test/one").bearer(&member.key);
    assert_eq!(one.send().await.charged(), 1);
    lossy.loses_next.store(true, Ordering::SeqCst);
    assert!(server.state.meter.flush().await.is_err());
    assert_eq!(total(&store, &member).await, 1, "it did arrive");
    server.state.meter.flush().await.unwrap();
    assert_eq!(total(&store, &member).await, 1);

    let five = || {
        let ask = server.ask(Method::POST, "/api/v1/test/five");
        ask.bearer(&member.key)
    };
    lossy.loses_next.store(true, Ordering::SeqCst);
    let reply = five().send().await;
    assert!(reply.status.is_server_error(), "{}", reply.status);
    assert_eq!(reply.charged(), 0);
    server.state.meter.flush().await.unwrap();
    assert_eq!(total(&store, &member).await, 1, "charged and taken back");
    assert_eq!(five().send().await.charged(), 5);
    assert_eq!(total(&store, &member).await, 6);
}
