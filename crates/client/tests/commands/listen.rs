//! What happens, as it happens: over connections that break, and messages that are genuine or not.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

use serde_json::Value;

use crate::output::{Output, run_on};
use crate::server::Asked;

/// A server that gives one answer after the other, each on a connection of its own.
struct Script {
    address: String,
    thread: JoinHandle<Vec<Asked>>,
}

/// What is done with a request that was read.
type Step = Box<dyn FnOnce(&Asked, &mut TcpStream) + Send>;

impl Script {
    fn of(steps: Vec<Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let thread = std::thread::spawn(move || {
            let mut seen = Vec::new();
            for step in steps {
                let (mut stream, _) = listener.accept().unwrap();
                let asked = Asked::read(&mut stream);
                step(&asked, &mut stream);
                seen.push(asked);
            }
            seen
        });
        Self { address, thread }
    }

    fn run(self, line: &str) -> (Output, Vec<Asked>) {
        let output = run_on(100, line, &self.address);
        (output, self.thread.join().unwrap())
    }
}

fn say(body: &str) -> Step {
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nconnection: close\r\n\r\n{body}"
    );
    Box::new(move |_, stream| stream.write_all(answer.as_bytes()).unwrap())
}

fn answer(status: &str, body: String) -> Step {
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    Box::new(move |_, stream| stream.write_all(answer.as_bytes()).unwrap())
}

fn price(id: u32, price: u32) -> String {
    format!(
        "event: price\nid: {id}-0-0\ndata: {{\"ticker\":\"AAPL\",\"price\":{price},\"change_pct\":null,\"timestamp\":\"2026-03-10T12:00:0{id}Z\"}}\n\n"
    )
}

#[test]
fn a_stream_that_breaks_goes_on_where_it_was() {
    let script = Script::of(vec![
        say(&format!(": listening\n\n{}{}", price(1, 10), price(2, 20))),
        answer(
            "503 Service Unavailable",
            "{\"message\":\"busy\"}".to_owned(),
        ),
        say(&format!(
            "event: gap\nid: 3-0-0\ndata: {{\"events\":[\"alert\"]}}\n\n{}",
            price(3, 30)
        )),
    ]);
    let (output, asked) = script.run("listen --tickers AAPL --events price,alert --count 3");
    assert_eq!(
        output.out,
        "\
12:00:01  price      AAPL      10.00
12:00:02  price      AAPL      20.00
12:00:03  price      AAPL      30.00
"
    );
    assert_eq!(output.exit_code(), 0);
    assert!(
        output.remarks.contains("the stream broke"),
        "{}",
        output.remarks
    );
    assert!(
        output
            .remarks
            .contains("missed and are not sent again: alert"),
        "{}",
        output.remarks
    );
    assert_eq!(
        asked[0].line,
        "GET /api/v1/subscribe?tickers=AAPL&events=price%2Calert HTTP/1.1"
    );
    let resumed: Vec<_> = asked
        .iter()
        .map(|one| one.header("last-event-id"))
        .collect();
    assert_eq!(resumed, [None, Some("2-0-0"), Some("2-0-0")]);
}

#[test]
fn a_refusal_ends_it() {
    let body = "{\"message\":\"there is no symbol \\\"NOSUCH\\\" here\"}";
    let script = Script::of(vec![answer("404 Not Found", body.to_owned())]);
    let (output, _) = script.run("listen --tickers NOSUCH");
    assert_eq!(output.exit_code(), 1);
    let script = Script::of(vec![
        say(&price(1, 10)),
        answer("401 Unauthorized", "{\"message\":\"revoked\"}".to_owned()),
    ]);
    let (output, _) = script.run("listen");
    assert_eq!(
        (output.exit_code(), &*output.out),
        (1, "12:00:01  price      AAPL      10.00\n")
    );
}

/// The example of the Standard Webhooks libraries.
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const BODY: &str = "{\"test\": 2432232314}";

/// Posts a message as the server would; the status that comes back.
fn post(url: &str, signature: &str) -> String {
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    let request = format!(
        "POST / HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nwebhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek\r\n\
         webhook-timestamp: 1614265330\r\nwebhook-signature: {signature}\r\n\r\n{BODY}",
        BODY.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line).unwrap();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    line.trim_end().to_owned()
}

#[test]
fn messages_are_received_verified_and_the_webhook_goes_with_the_command() {
    let (address, addresses) = std::sync::mpsc::channel::<String>();
    let script = Script::of(vec![
        Box::new(move |asked, stream| {
            address
                .send(asked.json()["url"].as_str().unwrap().to_owned())
                .unwrap();
            let body = format!(
                "{{\"status\":\"ok\",\"webhook\":{{\"id\":\"wh_1\",\"secret\":\"{SECRET}\"}}}}"
            );
            answer("200 OK", body)(asked, stream);
        }),
        Box::new(move |asked, stream| {
            say(": listening\n\n")(asked, stream);
            let url = addresses.recv().unwrap();
            assert_eq!(post(&url, SIGNATURE), "HTTP/1.1 204 No Content");
            assert_eq!(post(&url, "v1,AAAA"), "HTTP/1.1 401 Unauthorized");
        }),
        answer("200 OK", "{\"status\":\"ok\"}".to_owned()),
    ]);
    let (output, asked) = script.run("listen --webhook --json --count 2");
    output.outcome.as_ref().unwrap();
    let lines: Vec<Value> = output
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let verified: Vec<&Value> = lines.iter().map(|line| &line["verified"]).collect();
    assert_eq!(verified, [true, false]);
    assert_eq!(lines[0]["message"], "msg_p5jXN8AQM9LWM0D4loKWxJek");
    assert_eq!(lines[0]["body"]["test"], 2_432_232_314_u64);
    assert_eq!(asked[0].line, "POST /api/v1/webhooks HTTP/1.1");
    assert!(
        asked[0].json()["url"]
            .as_str()
            .unwrap()
            .starts_with("http://127.0.0.1:")
    );
    assert_eq!(asked[2].line, "DELETE /api/v1/webhooks/wh_1 HTTP/1.1");
}

#[test]
fn a_server_that_does_not_call_this_machine_says_how_it_would() {
    let body = "{\"message\":\"url: must point to a public address\"}";
    let script = Script::of(vec![answer("400 Bad Request", body.to_owned())]);
    let (output, _) = script.run("listen --webhook");
    assert_eq!(output.exit_code(), 2);
    let error = output.outcome.unwrap_err().to_string();
    assert!(error.contains("--allow-private-callbacks"), "{error}");
}
