//! The binary as a service: one for each data directory, and a stop that does not wait for everybody.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A server that is killed when the test ends.
struct Server {
    child: Child,
    address: String,
}

fn assay(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command
        .args(arguments)
        .arg("--data")
        .arg(data)
        .env("ASSAY_LOG__FILTER", "warn")
        .stdin(Stdio::null());
    command
}

impl Server {
    fn start(data: &Path, shutdown_seconds: u64) -> Self {
        let mut child = assay(data, &["serve", "--listen", "127.0.0.1:0"])
            .env(
                "ASSAY_SERVER__SHUTDOWN_SECONDS",
                shutdown_seconds.to_string(),
            )
            .env("ASSAY_SERVER__ANONYMOUS", "on")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().unwrap().unwrap();
            if let Some((_, address)) = line.split_once("http://") {
                break address.trim().to_owned();
            }
        };
        Self { child, address }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        let patience = Some(Duration::from_secs(30));
        stream.set_read_timeout(patience).unwrap();
        stream
    }

    fn get(&self, path: &str) -> String {
        let mut stream = self.connect();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .arg(name)
            .arg(self.child.id().to_string())
            .status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn output(mut command: Command) -> Output {
    command.output().unwrap()
}

#[test]
fn a_data_directory_has_one_server_and_kill_frees_it() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let first = Server::start(&data, 5);
    let second = output(assay(&data, &["serve", "--listen", "127.0.0.1:0"]));
    assert_eq!(second.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(complaint.contains(data.to_str().unwrap()), "{complaint}");

    let status = output(assay(&data, &["status"]));
    assert!(status.status.success(), "other commands work beside it");
    assert!(first.get("/ready").starts_with("HTTP/1.1 200"));

    first.signal("-KILL");
    drop(first);
    let third = Server::start(&data, 5);
    let ready = third.get("/ready");
    assert!(ready.starts_with("HTTP/1.1 200"), "{ready}");
    for task in ["ledger", "access", "sweep", "market", "index", "streams"] {
        let named = format!("{{\"name\":\"{task}\",\"state\":\"running\"");
        assert!(ready.contains(&named), "{task}: {ready}");
    }
}

#[test]
fn a_stop_cuts_off_whoever_takes_longer_than_configured() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(&directory.path().join("data"), 2);
    // A request whose body never comes, and a stream without an end.
    let mut dawdler = server.connect();
    write!(
        dawdler,
        "POST /auth/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{{"
    )
    .unwrap();
    let mut stream = server.connect();
    write!(
        stream,
        "GET /api/v1/stream HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
    )
    .unwrap();
    let mut begun = [0; 12];
    stream.read_exact(&mut begun).unwrap();
    assert_eq!(&begun, b"HTTP/1.1 200");

    server.signal("-TERM");
    // The body is still awaited: without its own limit the stop would wait for that of the body.
    let mut log = String::new();
    let mut errors = server.child.stderr.take().unwrap();
    errors.read_to_string(&mut log).unwrap();
    assert!(server.child.wait().unwrap().success(), "{log}");
    assert!(
        log.contains("requests still in flight after 1.5 s are cut off"),
        "{log}"
    );
    assert!(!log.contains("background work did not end"), "{log}");
    let mut rest = String::new();
    let _ = stream.read_to_string(&mut rest);
    assert!(rest.contains("\"reason\":\"stopping\""), "{rest}");
}

#[test]
fn a_demo_world_that_nobody_waits_for_is_not_made() {
    let directory = tempfile::tempdir().unwrap();
    // Standard input is at its end, as it is when the server that started it is gone.
    let ended = output(assay(&directory.path().join("data"), &["demo-world"]));
    assert_eq!(ended.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(complaint.contains("nobody waits"), "{complaint}");
}
