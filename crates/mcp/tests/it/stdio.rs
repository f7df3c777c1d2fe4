//! Conversations over a pair of pipes, as over standard input and output; and another server that answers.

use mcp::{Backend, CallerSource, Lines as JsonLines, Remote, Server};
use model::{KeyScope, Plan};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

use crate::operation::{Call, waiting};
use crate::support::{LIMIT, TestServer, embedded, message, opening, registry};

struct Pipe {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
}

impl Pipe {
    async fn open(server: Server) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        tokio::spawn(async move {
            let (read, write) = tokio::io::split(theirs);
            let conversation = rmcp::serve_server(server, JsonLines::new(read, write)).await;
            conversation.unwrap().waiting().await.unwrap();
        });
        let (read, write) = tokio::io::split(ours);
        let mut pipe = Self {
            lines: BufReader::new(read).lines(),
            write,
        };
        let opened = pipe.ask(0, "initialize", opening()).await;
        assert_eq!(opened["result"]["serverInfo"]["name"], "assay");
        pipe.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string())
            .await;
        pipe
    }

    async fn send(&mut self, message: String) {
        self.write.write_all(message.as_bytes()).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(LIMIT, self.lines.next_line()).await;
        serde_json::from_str(&line.unwrap().unwrap().unwrap()).unwrap()
    }

    async fn ask(&mut self, id: i64, method: &str, params: Value) -> Value {
        self.send(message(id, method, &params)).await;
        let reply = self.next().await;
        assert_eq!(reply["id"], id, "{reply}");
        reply
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.ask(1, "tools/call", params).await["result"].clone()
    }

    /// Cancels a call once it has begun, and waits until it is dropped.
    async fn cancel(&mut self, id: i64, call: &Call) {
        tokio::time::timeout(LIMIT, call.begun.notified())
            .await
            .unwrap();
        let params = json!({"requestId": id});
        let cancelled =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        self.send(cancelled.to_string()).await;
        tokio::time::timeout(LIMIT, call.dropped.notified())
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_conversation_over_pipes() {
    let server = TestServer::start().await;
    let mut pipe = Pipe::open(embedded(&server.state, CallerSource::Anonymous)).await;
    let answer = pipe.call("ask", json!({"question": "why"})).await;
    assert_eq!(answer["structuredContent"]["answer"], "why");
    let params = json!({"name": "nothing"});
    assert_eq!(
        pipe.ask(2, "tools/call", params).await["error"]["code"],
        -32602
    );
    let params = json!({"name": "ask", "arguments": "why"});
    assert_eq!(
        pipe.ask(3, "tools/call", params).await["error"]["code"],
        -32602
    );
}

#[tokio::test]
async fn lines_that_are_no_message_are_answered_with_an_id_of_null() {
    let server = TestServer::start().await;
    let mut pipe = Pipe::open(embedded(&server.state, CallerSource::Anonymous)).await;
    for (line, code) in [
        ("{bad json", -32700),
        ("[]", -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
    ] {
        pipe.send(line.to_owned()).await;
        let answer = pipe.next().await;
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert_eq!(answer.get("id"), Some(&Value::Null), "{answer}");
    }
    pipe.ask(9, "ping", json!({})).await;
}

#[tokio::test]
async fn a_cancelled_call_reports_no_more_progress() {
    let server = TestServer::start().await;
    let mut pipe = Pipe::open(embedded(&server.state, CallerSource::Anonymous)).await;
    let call = waiting("piped with progress");
    let params = json!({
        "name": "ask", "arguments": {"question": "wait piped with progress"},
        "_meta": {"progressToken": "t-3"},
    });
    pipe.send(message(7, "tools/call", &params)).await;
    pipe.cancel(7, &call).await;
    pipe.send(message(8, "ping", &json!({}))).await;
    loop {
        let reply = pipe.next().await;
        if reply["id"] == 8 {
            break;
        }
        let message = reply["params"]["message"].as_str().unwrap_or_default();
        assert!(!message.is_empty() && !message.ends_with("done"), "{reply}");
    }
}

#[tokio::test]
async fn a_cancelled_call_is_not_answered_and_others_are() {
    let server = TestServer::start().await;
    let mut pipe = Pipe::open(embedded(&server.state, CallerSource::Anonymous)).await;
    let call = waiting("piped");
    let params = json!({"name": "ask", "arguments": {"question": "wait piped"}});
    pipe.send(message(7, "tools/call", &params)).await;
    pipe.cancel(7, &call).await;
    pipe.ask(8, "ping", json!({})).await;
}

#[tokio::test]
async fn the_holder_of_a_key_is_known() {
    let server = TestServer::start().await;
    let key = server.key(Plan::Startup, KeyScope::default()).await;
    let caller = CallerSource::Credential(key.into());
    assert_eq!(format!("{caller:?}"), "Credential(…)");
    let mut pipe = Pipe::open(embedded(&server.state, caller)).await;
    let usage = pipe.call("show_usage", json!({})).await;
    assert_eq!(usage["structuredContent"]["plan"], "startup");
    let unknown = CallerSource::Credential("as_live_nonsense".into());
    let mut pipe = Pipe::open(embedded(&server.state, unknown)).await;
    let refused = pipe.call("show_usage", json!({})).await;
    assert!(refused.to_string().contains("invalid_credential"));
}

#[tokio::test]
async fn another_server_answers() {
    let server = TestServer::start().await;
    let key = server.key(Plan::Startup, KeyScope::default()).await;
    let remote = Remote::new(&format!("http://{}", server.address), Some(&key)).unwrap();
    assert!(!format!("{remote:?}").contains(&key));
    let mut pipe = Pipe::open(Server::new(Backend::Remote(remote), &registry())).await;
    let listed = pipe.call("list_briefs", json!({"per_page": 2})).await;
    assert_eq!(listed["structuredContent"]["status"], "ok");
    assert_eq!(listed["_meta"]["assay/credits_charged"], 1);
    let claim = json!({"claim": "The central bank raised its key interest rate."});
    let verified = pipe.call("verify_claim", claim).await;
    assert_eq!(verified["_meta"]["assay/credits_charged"], 3, "{verified}");
    let usage = pipe.call("show_usage", json!({})).await;
    assert_eq!(usage["structuredContent"]["plan"], "startup");
    for (tool, arguments, code) in [
        ("show_price", json!({"symbol": "NOSUCH"}), "unknown_symbol"),
        ("list_briefs", json!({"per_page": 0}), "invalid_request"),
        ("show_price", json!({}), "invalid_request"),
        // Of the tests; the other server has no such route.
        ("ask", json!({"question": "why"}), "unknown_path"),
    ] {
        let refused = pipe.call(tool, arguments).await;
        assert_eq!(refused["_meta"]["assay/error_code"], code, "{refused}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_said() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let remote = Remote::new(&format!("http://{address}"), None).unwrap();
    let mut pipe = Pipe::open(Server::new(Backend::Remote(remote), &registry())).await;
    let refused = pipe.call("list_briefs", json!({})).await;
    assert!(
        refused.to_string().contains("cannot be reached"),
        "{refused}"
    );
}
