//! Pages that kill their readers are remembered and not read again.

#![cfg(unix)]

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use extraction::{Extraction, Limits, WorkerCommand};
use ingest::{Error, PageReader};
use model::Timestamp;
use providers::guard::Allow;
use providers::pages::Pages;
use providers::{Transport, TransportSettings};
use store::Store;

use crate::world::{at, store};

/// A worker that says that it is ready and then does what the script says.
fn extraction(script: &str) -> Extraction {
    let script = format!("printf '\\000\\000\\000\\000'; {script}");
    let command = WorkerCommand {
        program: "/bin/sh".into(),
        arguments: ["-c".into(), OsString::from(script)].into(),
        environment: vec![("PATH".into(), "/bin:/usr/bin".into())],
    };
    let limits = Limits {
        page_time: Duration::from_secs(20),
        // Each script answers once.
        pages_per_worker: 1,
        ..Limits::default()
    };
    Extraction::in_workers(command, limits)
}

async fn site(asked: Arc<AtomicUsize>) -> String {
    let page = move || async move {
        asked.fetch_add(1, Ordering::SeqCst);
        Html("<p>x")
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = Router::new().route("/page", get(page));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    address.to_string()
}

fn reader(store: &Store, host: &str, script: &str) -> PageReader {
    let settings = TransportSettings {
        allow: Allow::parse([host]).unwrap(),
        retries: 0,
        ..TransportSettings::default()
    };
    let pages = Pages::new(Arc::new(Transport::new(settings).unwrap()));
    PageReader::new(store.clone(), Arc::new(pages), extraction(script))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_killed_its_reader_twice_is_left_alone_for_a_week() {
    let store = store().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let host = site(Arc::clone(&asked)).await;
    let url = format!("http://{host}/page");
    let now = at("2026-03-02T12:00:00Z");
    for _ in 0..2 {
        // As after a restart: nothing is remembered but what is stored.
        let reader = reader(&store, &host, "kill -9 $$");
        let error = reader.load(&url, now).await.unwrap_err();
        assert!(matches!(error, Error::Page { .. }), "{error}");
    }
    let reader_now = reader(&store, &host, "kill -9 $$");
    let error = reader_now.load(&url, now).await.unwrap_err();
    assert!(matches!(error, Error::LeftAlone { .. }), "{error}");
    assert_eq!(asked.load(Ordering::SeqCst), 2, "not even fetched");
    let later = now.plus_ms(8 * Timestamp::DAY_MS);
    assert!(matches!(
        reader_now.load(&url, later).await,
        Err(Error::Page { .. })
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_read_in_good_order_is_not_remembered() {
    let store = store().await;
    let host = site(Arc::new(AtomicUsize::new(0))).await;
    let good = "printf '\\015\\000\\000\\000{\"Read\":null}'; exec cat >/dev/null";
    let reader = reader(&store, &host, good);
    let now = at("2026-03-02T12:00:00Z");
    for path in ["page", "missing"] {
        for _ in 0..3 {
            let read = reader.load(&format!("http://{host}/{path}"), now).await;
            let expected = matches!(read, Err(Error::NoArticle { .. } | Error::Upstream(_)));
            assert!(expected, "{read:?}");
        }
    }
    assert_eq!(store.page_attempts().count().await.unwrap(), 0);
}
