//! Questions: the answer while it comes, whole, and broken.

use client::Error;

use crate::output::{run, run_at};
use crate::server::Server;

const THINKING: &str = "event: thinking\ndata: {\"intents\":[\"price\",\"technical_analysis\"],\"tickers\":[\"AAPL\"],\"sectors\":[]}\n\n";
const DATA: &str =
    "event: data\ndata: {\"key\":\"technicals\",\"subject\":\"AAPL\",\"data\":{\"rsi_14\":28}}\n\n";
const TEMPLATE: &str = "event: summary_template\ndata: {\"text\":\"## Apple\\n\\nRSI is **28**.\\n\\n- oversold\"}\n\n";
const DONE: &str = "event: done\ndata: {\"trade_signal\":{\"action\":\"lean_buy\",\"score\":62,\"factors\":[\"RSI is low\"]},\"confidence\":{\"level\":\"high\",\"score\":0.8},\"credits\":3,\"response_time_ms\":1234,\"follow_ups\":[\"What about Microsoft?\"]}\n\n";

#[test]
fn without_a_model_the_template_is_the_summary() {
    let server = Server::events(&format!(": beat\n\n{THINKING}{DATA}{TEMPLATE}{DONE}"));
    let output = run_at(80, "ask is Apple oversold? --budget 5", &server);
    assert_eq!(
        output.out,
        "\
Apple

RSI is 28.

• oversold

Signal  lean buy, 62 of 100 · confidence high
        RSI is low

Ask next
• What about Microsoft?
"
    );
    assert_eq!(
        output.remarks,
        "thinking: intents price, technical analysis · tickers AAPL\nread technicals AAPL\ncredits 3 · 1,234 ms\n"
    );
    assert_eq!(output.exit_code(), 0);
    assert_eq!(
        server.asked().line,
        "GET /api/v1/ask/stream?question=is+Apple+oversold%3F&budget=5 HTTP/1.1"
    );
}

#[test]
fn a_session_is_named_and_can_be_gone_on_with() {
    let done = "event: done\ndata: {\"credits\":1,\"session_id\":\"ses_abc\"}\n\n";
    let server = Server::events(&format!("{THINKING}{TEMPLATE}{done}"));
    let output = run("ask and its P/E? --session ses_abc", &server);
    assert!(
        output
            .remarks
            .ends_with("credits 1 · go on with --session ses_abc\n"),
        "{}",
        output.remarks
    );
    assert_eq!(
        server.asked().line,
        "GET /api/v1/ask/stream?question=and+its+P%2FE%3F&session_id=ses_abc HTTP/1.1"
    );
}

#[test]
fn words_of_a_model_replace_the_template() {
    let tokens: String = ["RSI ", "is **2", "8**", ".\\u001b[31m"]
        .iter()
        .map(|token| {
            [
                "event: summary_token\ndata: {\"token\":\"",
                token,
                "\"}\n\n",
            ]
            .concat()
        })
        .collect();
    let done = "event: done\r\ndata: {\"confidence\":\"medium\"}\r\n\r\n";
    let server = Server::events(&format!("{THINKING}{TEMPLATE}{tokens}{done}"));
    let output = run("ask Apple?", &server);
    assert_eq!(output.out, "RSI is 28.\u{fffd}[31m\n");
    assert_eq!(output.exit_code(), 0);
}

#[test]
fn a_broken_stream_prints_what_came_and_fails() {
    for (body, out) in [
        (
            format!("{THINKING}{TEMPLATE}"),
            "Apple\n\nRSI is 28.\n\n• oversold\n",
        ),
        (
            format!(
                "{TEMPLATE}event: summary_token\ndata: {{\"token\":\"RSI is\"}}\n\nevent: done\ndata: {{"
            ),
            "RSI is\n",
        ),
        (
            format!("{THINKING}event: summary_token\ndata: nonsense\n\n{DONE}"),
            "",
        ),
        (String::new(), ""),
    ] {
        let output = run("ask Apple?", &Server::events(&body));
        assert_eq!(output.out, out, "{body}");
        assert!(
            matches!(output.outcome, Err(Error::BrokenOff(_))),
            "{output:?}"
        );
        assert_eq!(output.exit_code(), 1);
    }
}

#[test]
fn an_error_within_a_stream_is_that_of_the_service() {
    let body = format!(
        "{THINKING}event: error\ndata: {{\"status\":\"error\",\"message\":\"internal\\u0007 error\",\"code\":500}}\n\n"
    );
    let output = run("ask Apple?", &Server::events(&body));
    let error = output.outcome.unwrap_err();
    assert_eq!(error.to_string(), "internal\u{fffd} error");
    assert_eq!(error.exit_code(), 1);
}

#[test]
fn json_is_the_whole_answer() {
    let server = Server::json(r#"{"status":"ok","summary":"x"}"#);
    let output = run("ask Apple? --json --budget 9", &server);
    assert_eq!(
        output.out,
        "{\n  \"status\": \"ok\",\n  \"summary\": \"x\"\n}\n"
    );
    let asked = server.asked();
    assert_eq!(asked.line, "POST /api/v1/ask HTTP/1.1");
    assert_eq!(
        asked.json(),
        serde_json::json!({"question": "Apple?", "budget": 9})
    );
}

#[test]
fn an_answer_that_is_no_stream_is_not_read() {
    let output = run("ask Apple?", &Server::json("{}"));
    assert!(matches!(output.outcome, Err(Error::Unreadable(_))));
}
