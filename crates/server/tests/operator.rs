//! What an operator gets out of the box: real data that no stranger reads, and commands over accounts that a running
//! server follows.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use reqwest::StatusCode;
use serde_json::{Value, json};

fn assay(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.args(arguments).arg("--data").arg(data);
    command.env_clear().stderr(Stdio::piped());
    command
}

fn run(data: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = assay(data, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
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

fn succeed(data: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(data, arguments, input);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A server that ends with the test.
struct Server {
    child: Child,
    base: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        let mut child = assay(data, &["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let base = loop {
            let line = lines.next().unwrap().unwrap();
            if let Some(base) = line.strip_prefix("listening on ") {
                break base.to_owned();
            }
        };
        Self { child, base }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn real_data_on_loopback_are_read_by_nobody_else() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path();
    let account = ["--email", "me@example.org"];
    succeed(
        data,
        &["user", "add", account[0], account[1], "--password-stdin"],
        "correct horse\n",
    );
    let key = succeed(
        data,
        &["key", "create", account[0], account[1], "--name", "robot"],
        "",
    );
    let server = Server::start(data);
    // The TLS of clients; nothing here speaks it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::new();
    let feed = || client.get(format!("{}/api/v1/feed", server.base));

    let stranger = feed().send().await.unwrap();
    assert_eq!(stranger.status(), StatusCode::UNAUTHORIZED);
    let page = feed()
        .header("origin", "https://page.example")
        .bearer_auth(&key)
        .send()
        .await
        .unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    assert!(
        !page.headers().contains_key("access-control-allow-origin"),
        "no page reads it"
    );
    let rebound = feed()
        .header("host", "rebound.example")
        .bearer_auth(&key)
        .send()
        .await
        .unwrap();
    assert_eq!(rebound.status(), StatusCode::MISDIRECTED_REQUEST);
    let metrics = |host: &'static str| {
        client
            .get(format!("{}/metrics", server.base))
            .header("host", host)
    };
    assert_eq!(
        metrics("localhost").send().await.unwrap().status(),
        StatusCode::OK
    );
    let proxied = metrics("localhost").header("via", "1.1 front");
    assert_eq!(
        proxied.send().await.unwrap().status(),
        StatusCode::FORBIDDEN
    );
}

#[tokio::test]
async fn commands_over_accounts_reach_a_running_server() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path();
    let email = "me@example.org";
    let user = |command: &str, input: &str| {
        let mut arguments = vec!["user", command, "--email", email];
        if !input.is_empty() {
            arguments.push("--password-stdin");
        }
        succeed(data, &arguments, input)
    };
    user("add", "correct horse");
    let key = succeed(
        data,
        &["key", "create", "--email", email, "--name", "robot"],
        "",
    );
    let server = Server::start(data);
    // The TLS of clients; nothing here speaks it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::new();
    let log_in = async |password: &str| {
        let answer = client
            .post(format!("{}/auth/login", server.base))
            .header("content-type", "application/json")
            .body(json!({"email": email, "password": password}).to_string())
            .send()
            .await
            .unwrap();
        let status = answer.status().as_u16();
        let body: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        (
            status,
            body["token"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let usage = async |credential: &str| {
        client
            .get(format!("{}/api/v1/usage", server.base))
            .bearer_auth(credential)
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    // The server looks for changes once a second.
    let becomes = async |credential: &str, expected: u16| {
        for _ in 0..100_000 {
            if usage(credential).await == expected {
                return;
            }
        }
        panic!("never {expected}");
    };

    let (status, token) = log_in("correct horse").await;
    assert_eq!((status, usage(&token).await), (200, 200));
    user("logout", "");
    becomes(&token, 401).await;

    let (_, token) = log_in("correct horse").await;
    user("password", "another horse");
    becomes(&token, 401).await;
    assert_eq!(log_in("correct horse").await.0, 401);
    let (status, token) = log_in("another horse").await;
    assert_eq!((status, usage(&token).await), (200, 200));

    user("disable", "");
    becomes(&key, 403).await;
    assert_eq!(log_in("another horse").await.0, 403);
    let list: Value =
        serde_json::from_str(&succeed(data, &["user", "list", "--json"], "")).unwrap();
    assert!(list[0]["disabled_at"].is_string());
    user("enable", "");
    becomes(&key, 200).await;
    assert_eq!(usage(&token).await, 401, "its sessions stay ended");
}

#[test]
fn what_is_shown_bears_no_secret_and_bad_values_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path();
    let text = "[store]\nurl = \"postgres://me:hushhush@db.example/a?sslmode=prefer\"\n\
                [[feeds]]\nurl = \"https://me:hushhush@feeds.example/x?token=hushhush\"\nname = \"Private\"\n";
    std::fs::write(data.join("assay.toml"), text).unwrap();
    let shown = succeed(data, &["config"], "");
    assert!(shown.contains("feeds.example") && !shown.contains("hushhush"));
    let refused = run(data, &["status"], "");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success());
    assert!(
        said.contains("plain text") && !said.contains("hushhush"),
        "{said}"
    );

    std::fs::write(data.join("assay.toml"), "").unwrap();
    succeed(
        data,
        &[
            "user",
            "add",
            "--email",
            "a@example.org",
            "--password-stdin",
        ],
        "correct horse",
    );
    assert!(
        !run(data, &["prune", "--keep-days", "1"], "")
            .status
            .success()
    );
    let report = succeed(
        data,
        &["prune", "--keep-days", "30", "--dry-run", "--json"],
        "",
    );
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(
        (&report["briefs"], &report["dry_run"]),
        (&json!(0), &json!(true))
    );
    succeed(data, &["prune", "--keep-days", "30"], "");
}

#[tokio::test]
async fn a_verdict_on_a_figure_is_replayed_and_outlives_its_key() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let bars = directory.path().join("AAPL.csv");
    let rows: Vec<String> = (11..=15)
        .map(|day| (day, 160 + day))
        .map(|(day, close)| format!("2024-03-{day},{close},{close}.9,{close},{close}.5,1000"))
        .collect();
    let lines = format!("Date,Open,High,Low,Close,Volume\n{}\n", rows.join("\n"));
    std::fs::write(&bars, lines).unwrap();
    let data = data.as_path();
    let email = ["--email", "me@example.org"];
    succeed(
        data,
        &["user", "add", email[0], email[1], "--password-stdin"],
        "correct horse\n",
    );
    let key = succeed(
        data,
        &["key", "create", email[0], email[1], "--name", "robot"],
        "",
    );
    succeed(
        data,
        &["import", "candles", bars.to_str().unwrap(), "--backfill"],
        "",
    );
    let fingerprint = |rotate: &[&str]| {
        let arguments = [&["receipt", "key", "--json"][..], rotate].concat();
        let said: Value = serde_json::from_str(&succeed(data, &arguments, "")).unwrap();
        said["fingerprint"].as_str().unwrap().to_owned()
    };
    let first_key = fingerprint(&[]);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::new();
    let verify = async |server: &Server, claim: &str, query: &str| -> Value {
        let answer = client
            .post(format!("{}/api/v1/verify{query}", server.base))
            .bearer_auth(&key)
            .header("content-type", "application/json")
            .body(json!({"claim": claim}).to_string())
            .send()
            .await
            .unwrap();
        serde_json::from_str(&answer.text().await.unwrap()).unwrap()
    };
    let claim = "AAPL closed above $174 on 14 March 2024.";
    let server = Server::start(data);
    let supported = verify(&server, claim, "").await;
    assert_eq!(
        (&supported["verdict"], &supported["source"]),
        (&json!("supported"), &json!("data")),
        "{supported}"
    );
    assert!(supported.get("look_ahead").is_none());
    let receipt = supported["receipt_id"].as_str().unwrap();

    // A decision of the 12th that rests on the close of the 14th, and one that does not.
    let decision = "On 12 March 2024 the model bought AAPL because AAPL closed above";
    let early = verify(&server, &format!("{decision} $174 on 14 March 2024."), "").await;
    assert_eq!(early["verdict"], "partially_supported", "{early}");
    let ahead = &early["look_ahead"];
    assert_eq!(ahead["as_of"], "2024-03-12T23:59:59.999Z", "{early}");
    let known_at = ahead["known_at"].as_str().unwrap();
    assert!(known_at.starts_with("2024-03-14"), "{early}");
    let in_time = verify(&server, &format!("{decision} $170 on 11 March 2024."), "").await;
    assert_eq!(in_time["verdict"], "partially_supported", "{in_time}");
    assert!(in_time.get("look_ahead").is_none(), "{in_time}");
    // What is said without its year is read on the day of the decision, not today.
    let undated = verify(&server, &format!("{decision} $171."), "").await;
    assert_eq!(undated["verdict"], "partially_supported", "{undated}");
    assert!(undated.get("look_ahead").is_none(), "{undated}");
    // As of a day on which nobody could know it, nothing of what came later is told.
    let before = verify(&server, claim, "?as_of=2024-03-13T12:00:00Z").await;
    assert_eq!(before["verdict"], "unverifiable", "{before}");
    assert!(before.get("look_ahead").is_none(), "{before}");
    // What the server signed after its last checkpoint nobody could prove.
    let refused = run(data, &["receipt", "key", "--rotate"], "");
    assert!(!refused.status.success());
    drop(server);

    let replayed = |id: &str| -> Value {
        serde_json::from_str(&succeed(data, &["receipt", "replay", id, "--json"], "")).unwrap()
    };
    let of_decision = early["receipt_id"].as_str().unwrap();
    for (id, verdict) in [(receipt, "supported"), (of_decision, "partially_supported")] {
        let replayed = replayed(id);
        assert_eq!(
            (&replayed["replayed"], &replayed["equal"]),
            (&json!(verdict), &json!(true)),
            "{replayed}"
        );
    }

    let second_key = fingerprint(&["--rotate"]);
    assert_ne!(first_key, second_key);
    assert_eq!(fingerprint(&[]), second_key);
    let server = Server::start(data);
    let again = verify(&server, claim, "").await;
    let export = |id: &str, name: &str| {
        let file = directory.path().join(name);
        std::fs::write(&file, succeed(data, &["receipt", "export", id], "")).unwrap();
        file
    };
    let old = export(receipt, "old.json");
    let new = export(again["receipt_id"].as_str().unwrap(), "new.json");
    let is_valid = |file: &Path, keys: &[&str]| {
        let mut arguments = vec!["receipt", "verify", file.to_str().unwrap()];
        for key in keys {
            arguments.extend(["--key", key]);
        }
        run(data, &arguments, "").status.success()
    };
    // Each receipt is proven by a checkpoint of the key that signed it.
    assert!(is_valid(&old, &[&first_key]));
    assert!(!is_valid(&old, &[&second_key]));
    assert!(is_valid(&new, &[&second_key]));
    assert!(!is_valid(&new, &[&first_key]));

    // The server is gone, and all that it kept with it: the files are left.
    drop(server);
    std::fs::remove_dir_all(data).unwrap();
    for (file, key) in [(&old, &first_key), (&new, &second_key)] {
        assert!(is_valid(file, &[key]));
        let whole = std::fs::read(file).unwrap();
        let digit = text_at(&whole, "$174") + 1;
        let signature = text_at(&whole, "\"signature\"") + "\"signature\":\"".len() + 4;
        let mut broken = Vec::new();
        for at in [digit, signature] {
            let mut changed = whole.clone();
            changed[at] = if changed[at] == b'2' { b'3' } else { b'2' };
            let name = directory.path().join(format!("changed-{at}.json"));
            std::fs::write(&name, changed).unwrap();
            assert!(!is_valid(&name, &[key]), "byte {at}");
            broken.push(name);
        }
        // The verifier that shares no code with this program.
        let Some(is_accepted) = accepted_by_python(file, key) else {
            println!("left out: python3 with the package cryptography is missing");
            continue;
        };
        assert!(is_accepted);
        for name in broken {
            assert_eq!(
                accepted_by_python(&name, key),
                Some(false),
                "{}",
                name.display()
            );
        }
    }
}

fn text_at(bytes: &[u8], text: &str) -> usize {
    let found = bytes
        .windows(text.len())
        .position(|window| window == text.as_bytes());
    found.unwrap()
}

/// What `docs/verify_receipt.py` says of a file; `None` where it cannot run here.
fn accepted_by_python(file: &Path, key: &str) -> Option<bool> {
    let can_run = Command::new("python3")
        .args(["-c", "import cryptography"])
        .output()
        .is_ok_and(|output| output.status.success());
    can_run.then(|| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/verify_receipt.py");
        let output = Command::new("python3")
            .arg("-B")
            .arg(script)
            .arg(file)
            .args(["--key", key])
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        // Whatever it says, it says it by its exit status too.
        assert_eq!(
            output.status.success(),
            said.ends_with("\nvalid\n"),
            "{said}"
        );
        output.status.success()
    })
}
