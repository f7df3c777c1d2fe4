//! Pages that crash, stall or bloat whoever reads them, against the real binary: each fails alone, and in time.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use extraction::{Error, Extraction, Limits, Origin, WebPage, WorkerCommand};
use serde_json::{Value, json};

const ASSAY: &str = env!("CARGO_BIN_EXE_assay");

const ARTICLE: &str = "<!doctype html><html lang=\"en\"><head><title>Ferry service resumes</title></head><body><article>\
    <h1>Ferry service resumes</h1>\
    <p>The ferry between Marn and the islands will sail again from Monday morning, the harbour authority said on Sunday \
    after two weeks of repairs to the pier that the January storm had damaged.</p>\
    <p>Tickets that were bought before the storm stay valid until the end of the month, and the first boats leave at six, \
    the authority said. A café on the pier opens a week later.</p></article></body></html>";

fn flood(bytes: usize) -> String {
    let open: Vec<String> = (0..bytes / 9)
        .map(|number| format!("<b id={number}>"))
        .collect();
    format!("{}<p>x", open.concat())
}

/// Six million bytes in few tags: small enough for every count, large enough for a small worker.
fn heavy() -> String {
    format!(
        "<article><h1>Title of it</h1>{}",
        "<p>many words of text here. ".repeat(90_000)
    )
}

fn hostile() -> Vec<(&'static str, String)> {
    vec![
        ("deep", "<div></x>".repeat(20_000)),
        ("deeper", "<div></x>".repeat(49_000)),
        ("flood6", flood(6_000)),
        ("flood16", flood(16_000)),
        ("tables", "<table><tr><td>".repeat(6_000)),
    ]
}

fn workers(limits: Limits) -> Extraction {
    let command = WorkerCommand {
        program: ASSAY.into(),
        arguments: [
            "page-worker".into(),
            "--page-ms".into(),
            limits.page_time.as_millis().to_string().into(),
            "--memory-bytes".into(),
            limits.memory_bytes.to_string().into(),
        ]
        .into(),
        environment: vec![("MIMALLOC_ARENA_RESERVE".into(), "0".into())],
    };
    Extraction::in_workers(command, limits)
}

/// Debug builds on busy machines are slow; what is measured is that an end comes at all.
fn patient() -> Limits {
    Limits {
        workers: 2,
        page_time: Duration::from_mins(1),
        wait: Duration::from_mins(2),
        ..Limits::default()
    }
}

fn page(html: &str) -> WebPage {
    WebPage {
        url: "https://example.org/ferry".into(),
        html: html.to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_reads_what_this_process_would_read() {
    let extraction = workers(patient());
    let read = extraction.extract(page(ARTICLE), Origin::Feed, ()).await;
    let expected = text::page::extract(ARTICLE, Some("https://example.org/ferry"));
    assert!(expected.is_some());
    assert_eq!(read.unwrap(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_pages_end_and_their_neighbours_are_read() {
    let extraction = workers(patient());
    let reading = hostile().into_iter().map(|(name, html)| {
        let extraction = extraction.clone();
        async move {
            let read = extraction.extract(page(&html), Origin::Caller, ()).await;
            assert!(
                !matches!(read, Ok(Some(_)) | Err(Error::Worker(_))),
                "{name}: {read:?}"
            );
            let neighbour = extraction.extract(page(ARTICLE), Origin::Caller, ()).await;
            assert!(neighbour.unwrap().is_some(), "the neighbour of {name}");
        }
    });
    futures::future::join_all(reading).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_has_its_time_and_its_memory() {
    let short = Limits {
        page_time: Duration::from_millis(1),
        ..patient()
    };
    let read = workers(short)
        .extract(page(&heavy()), Origin::Feed, ())
        .await;
    assert!(matches!(read, Err(Error::TooSlow(_))), "{read:?}");

    let small = Limits {
        memory_bytes: 128 << 20,
        ..patient()
    };
    let extraction = workers(small);
    let read = extraction.extract(page(&heavy()), Origin::Feed, ()).await;
    assert!(matches!(read, Err(Error::Crashed)), "{read:?}");
    let neighbour = extraction.extract(page(ARTICLE), Origin::Feed, ()).await;
    assert!(neighbour.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_starts_in_little_memory_every_time() {
    let small = Limits {
        memory_bytes: 64 << 20,
        pages_per_worker: 1,
        ..patient()
    };
    let extraction = workers(small);
    let reading = (0..16).map(|_| extraction.extract(page(ARTICLE), Origin::Feed, ()));
    for read in futures::future::join_all(reading).await {
        assert!(matches!(read, Ok(Some(_))), "{read:?}");
    }
}

/// Serves pages by path on this machine until the test ends.
fn site(pages: HashMap<String, String>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let pages = Arc::new(pages);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (pages, mut stream) = (Arc::clone(&pages), stream.unwrap());
            std::thread::spawn(move || {
                let mut line = String::new();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                reader.read_line(&mut line).unwrap();
                let mut header = String::from("x");
                while !header.trim().is_empty() {
                    header.clear();
                    reader.read_line(&mut header).unwrap();
                }
                let path = line.split(' ').nth(1).unwrap_or_default();
                let (status, body) = match pages.get(path) {
                    Some(body) => ("200 OK", body.as_str()),
                    None => ("404 Not Found", ""),
                };
                let length = body.len();
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
                );
            });
        }
    });
    address
}

fn pages() -> HashMap<String, String> {
    let mut pages: HashMap<String, String> = hostile()
        .into_iter()
        .map(|(name, html)| (format!("/{name}"), html))
        .collect();
    pages.insert("/article".into(), ARTICLE.into());
    pages.insert("/heavy".into(), heavy());
    pages
}

fn directory(site: SocketAddr) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let configuration = format!(
        "[server]\nrequest_timeout_seconds = 150\n[network]\nallow = [\"{site}\"]\n[extraction]\npage_seconds = 60\nmemory_mb = 64\n"
    );
    std::fs::write(directory.path().join("assay.toml"), configuration).unwrap();
    directory
}

fn assay(data: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(ASSAY)
        .args(arguments)
        .arg("--data")
        .arg(data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

/// A running server; it ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        let mut child = Command::new(ASSAY)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        std::thread::spawn(move || output.read_to_string(&mut String::new()));
        let address = line.trim().rsplit("http://").next().unwrap().to_owned();
        Self { child, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn extract_answers_for_each_page_and_the_server_goes_on() {
    let site = site(pages());
    let directory = directory(site);
    let data = directory.path();
    let user = [
        "user",
        "add",
        "--email",
        "a@example.org",
        "--password-stdin",
    ];
    assert!(
        assay(data, &user, "a long enough password")
            .status
            .success()
    );
    let key = assay(
        data,
        &[
            "key",
            "create",
            "--email",
            "a@example.org",
            "--name",
            "test",
        ],
        "",
    );
    let key = String::from_utf8(key.stdout).unwrap();
    let server = Server::start(data);
    // The TLS of clients; nothing here speaks it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::new();
    for asked in [
        ["deep", "deeper", "flood16", "heavy", "article"],
        ["article", "flood6", "tables", "missing", "heavy"],
    ] {
        let urls = asked.map(|name| format!("http://{site}/{name}"));
        let answer = client
            .post(format!("http://{}/api/v1/extract", server.address))
            .bearer_auth(key.trim())
            .header("content-type", "application/json")
            .body(json!({ "urls": urls }).to_string())
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status().as_u16(), 200);
        let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        for (name, result) in asked.iter().zip(answer["results"].as_array().unwrap()) {
            assert_eq!(result["success"], *name == "article", "{name}: {result}");
            let expected = match *name {
                "article" => Value::Null,
                "heavy" => json!("too_complex"),
                "missing" => json!("http_status"),
                _ => json!("no_article"),
            };
            assert_eq!(result["error_code"], expected, "{name}: {result}");
        }
        assert_eq!(answer["credits_used"], 1);
    }
    let health = client
        .get(format!("http://{}/health", server.address))
        .send()
        .await;
    assert!(health.unwrap().status().is_success());
}

#[test]
fn an_import_names_the_pages_that_cannot_be_read_and_goes_on() {
    let site = site(pages());
    let directory = directory(site);
    let data = directory.path();
    let list = data.join("urls.txt");
    let names = ["deep", "heavy", "article", "flood16"];
    std::fs::write(
        &list,
        names.map(|name| format!("http://{site}/{name}\n")).concat(),
    )
    .unwrap();
    let arguments = ["import", "urls", list.to_str().unwrap(), "--json"];
    let report = |output: &Output| -> Value { serde_json::from_slice(&output.stdout).unwrap() };
    let first = report(&assay(data, &arguments, ""));
    assert_eq!(
        (&first["imported"], &first["failed"]),
        (&json!(1), &json!(3)),
        "{first}"
    );
    assay(data, &arguments, "");
    let third = report(&assay(data, &arguments, ""));
    let reason = third["problems"][1]["reason"].as_str().unwrap();
    assert!(reason.contains("is not read for a week"), "{reason}");
    assert_eq!(third["known_already"], 1);
}
