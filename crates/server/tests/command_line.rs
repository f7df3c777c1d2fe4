//! The binary as a client: which server answers, how it ends, and that it needs none where there is a data directory.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn assay(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command
        .args(arguments)
        .current_dir(directory)
        .env_remove("ASSAY_URL")
        .env_remove("ASSAY_API_KEY")
        .env_remove("ASSAY_DATA")
        .env("ASSAY_LOG__FILTER", "warn")
        .stdin(Stdio::null());
    command
}

fn run(directory: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    read(&assay(directory, arguments).output().unwrap())
}

fn read(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// Makes a store for real data, with an account in it.
fn make_store(directory: &Path) {
    let arguments = [
        "user",
        "add",
        "--email",
        "you@example.org",
        "--password-stdin",
    ];
    let mut child = assay(directory, &arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"a long enough password").unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// A server that is killed when the test ends.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(directory: &Path) -> Self {
        let mut child = assay(directory, &["serve", "--listen", "127.0.0.1:0"])
            .env("ASSAY_SERVER__ANONYMOUS", "on")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().unwrap().unwrap();
            if let Some(address) = line.strip_prefix("listening on ") {
                break address.trim().to_owned();
            }
        };
        Self { child, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_data_directory_answers_by_itself() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    make_store(here);
    // Whoever may open the directory needs no key, although real data are closed to strangers.
    let (code, out, err) = run(here, &["market", "sectors"]);
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "nothing is known\n"),
        "{err}"
    );
    let (code, out, _) = run(here, &["market", "sectors", "--csv"]);
    let header = "sector,brief_count,avg_sentiment,signal,top_ticker\n";
    assert_eq!((code, out.as_str()), (Some(0), header));
    let (code, out, err) = run(here, &["ticker", "AAPL", "--json"]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("AAPL"), "{err}");
    let (code, _, err) = run(here, &["market", "--api-key", "as_live_unknown"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("ASSAY_API_KEY"), "{err}");
}

#[test]
fn a_server_answers_where_there_is_one() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    make_store(here);
    let server = Server::start(here);
    let (code, out, err) = run(here, &["search", "rates", "--url", &server.address]);
    assert_eq!((code, out.as_str()), (Some(0), "nothing found\n"), "{err}");
    let asked = assay(here, &["search", "rates", "--json"])
        .env("ASSAY_URL", &server.address)
        .output()
        .unwrap();
    let (code, out, err) = read(&asked);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("{\n  \"status\": \"ok\",\n"), "{out}");
    // The directory is open elsewhere, at an address that is not in its configuration.
    let elsewhere = assay(here, &["search", "rates"])
        .env("ASSAY_SERVER__LISTEN", "127.0.0.1:1")
        .output()
        .unwrap();
    let (code, _, err) = read(&elsewhere);
    assert_eq!(code, Some(1));
    assert!(err.contains("set ASSAY_URL"), "{err}");
}

#[test]
fn usage_and_absence_have_codes_of_their_own() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    for wrong in [
        &["screen"][..],
        &["ask"],
        &["ticker", "AAPL", "--csv"],
        &["ticker", "AAPL", "--view", "nonsense"],
        &[
            "backtest",
            "--entry",
            "rsi_below=low",
            "--exit",
            "rsi_above=60",
        ],
        &["market", "--url", "nonsense"],
        &["market", "--csv", "--json"],
    ] {
        assert_eq!(run(here, wrong).0, Some(2), "{wrong:?}");
    }
    let (code, _, err) = run(here, &["market", "--url", "http://127.0.0.1:1"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("assay serve"), "{err}");
    let (code, _, err) = run(here, &["market", "--data", "nowhere"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("nowhere"), "{err}");
    assert!(!here.join("nowhere").exists(), "a question makes no store");
}

#[test]
fn completions_are_there_for_every_shell() {
    let directory = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, _) = run(directory.path(), &["completions", shell]);
        assert_eq!(code, Some(0), "{shell}");
        assert!(
            out.contains("backtest") && out.contains("equity-csv"),
            "{shell}"
        );
    }
}

#[test]
fn whoever_has_read_enough_of_an_import_ends_it_without_complaint() {
    let directory = tempfile::tempdir().unwrap();
    make_store(directory.path());
    let mut bars = String::from("Date,Open,High,Low,Close,Volume\n");
    for day in 1..=28 {
        let row = format!("2025-02-{day:02},10,11,9,10.5,1000\n2025-02-{day:02},x,y,z\n");
        bars.push_str(&row);
    }
    std::fs::write(directory.path().join("ACME.csv"), bars).unwrap();
    for remarks in [Stdio::inherit as fn() -> Stdio, Stdio::piped] {
        let mut child = assay(directory.path(), &["import", "candles", "ACME.csv"])
            .stdout(Stdio::piped())
            .stderr(remarks())
            .spawn()
            .unwrap();
        // `| head -0`, and `2>&1 | head -0`.
        drop(child.stdout.take());
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    // The rows were written all the same.
    let (code, found, _) = run(directory.path(), &["import", "candles", "ACME.csv"]);
    assert_eq!(code, Some(0), "{found}");
    assert!(found.contains("known already"), "{found}");
}
