//! Failures: one sentence, what to do next, and the exit code.

use std::io::{self, Write};

use client::{Error, Terminal};

use crate::output::{ask, command, run};
use crate::server::Server;

fn refusal(status: &str, headers: &str, body: &str) -> Error {
    let server = Server::answering(status, headers, body);
    run("ticker AAPL", &server).outcome.unwrap_err()
}

#[test]
fn every_refusal_is_said_in_the_words_of_the_service() {
    for (status, headers, body, message, next, code) in [
        (
            "400 Bad Request",
            "",
            r#"{"status":"error","message":"days must be at most 365","code":400}"#,
            "days must be at most 365",
            None,
            2,
        ),
        (
            "401 Unauthorized",
            "",
            r#"{"message":"the API key is unknown"}"#,
            "the API key is unknown",
            Some("set ASSAY_API_KEY to a key of this server; `assay key create` makes one"),
            1,
        ),
        (
            "402 Payment Required",
            "",
            r#"{"message":"a paid plan is needed"}"#,
            "a paid plan is needed",
            Some("use a key of a paid plan"),
            1,
        ),
        (
            "403 Forbidden",
            "",
            r#"{"message":"this key may not read ticker"}"#,
            "this key may not read ticker",
            Some("use a key that may do this: set ASSAY_API_KEY"),
            1,
        ),
        (
            "404 Not Found",
            "",
            r#"{"message":"no instrument AAPPL","suggestions":["AAPL",{"symbol":"AA\u001b[2JP"}]}"#,
            "no instrument AAPPL",
            Some("did you mean AAPL, AA\u{fffd}[2JP?"),
            1,
        ),
        (
            "429 Too Many Requests",
            "retry-after: 17\r\n",
            r#"{"message":"too many requests"}"#,
            "too many requests",
            Some("try again in 17 seconds"),
            1,
        ),
        (
            "503 Service Unavailable",
            "retry-after: soon\r\n",
            r#"{"error":"the server is busy"}"#,
            "the server is busy",
            Some("try again in a moment"),
            1,
        ),
    ] {
        let error = refusal(status, headers, body);
        assert_eq!(error.to_string(), message);
        assert_eq!(error.next_step().as_deref(), next, "{status}");
        assert_eq!(error.exit_code(), code, "{status}");
    }
}

#[test]
fn who_is_no_assay_server_is_named() {
    let page = refusal("502 Bad Gateway", "", "<html>\u{1b}[2J</html>");
    assert!(
        page.to_string().ends_with("answers with status 502"),
        "{page}"
    );
    let moved = refusal("302 Found", "location: http://elsewhere.example/\r\n", "");
    assert!(
        moved.to_string().ends_with("answers with status 302"),
        "{moved}"
    );
    let output = run(
        "ticker AAPL",
        &Server::answering("200 OK", "", "<html></html>"),
    );
    assert!(matches!(output.outcome, Err(Error::Unreadable(_))));
}

#[test]
fn a_server_that_is_not_there_is_said_with_its_address() {
    let server = Server::raw("");
    let address = server.address.clone();
    // Hangs up without a word.
    let output = run("ticker AAPL", &server);
    let error = output.outcome.unwrap_err();
    assert!(error.to_string().contains(&address), "{error}");
    assert_eq!(error.exit_code(), 1);
    assert!(error.next_step().unwrap().contains("assay serve"));
}

#[test]
fn a_cut_answer_and_one_without_end_are_errors() {
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"status\":";
    let output = run("ticker AAPL", &Server::raw(cut));
    assert!(matches!(output.outcome, Err(Error::BrokenOff(Some(_)))));
    assert_eq!(output.out, "");
    let mut endless = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n\"".to_vec();
    endless.resize(endless.len() + (33 << 20), b'x');
    let output = run("ticker AAPL", &Server::raw(endless));
    assert!(
        matches!(output.outcome, Err(Error::TooLong)),
        "{:?}",
        output.outcome
    );
}

#[test]
fn what_is_no_table_has_no_csv_and_nobody_is_asked() {
    for line in [
        "ask Apple? --csv",
        "brief PR-1 --csv",
        "ticker AAPL --csv",
        "ticker AAPL --view insider --range 1y",
        "market movers --limit 3",
        "screen",
        "screen --filter rsi_below=30 --filter rsi_below=40",
    ] {
        assert_eq!(command(line).check().unwrap_err().exit_code(), 2, "{line}");
    }
    for line in [
        "ticker AAPL --view candles --csv",
        "market --csv",
        "screen oversold",
    ] {
        assert!(command(line).check().is_ok(), "{line}");
    }
}

/// A pipe whose reader has gone.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_who_has_had_enough_is_no_failure() {
    let server = Server::json(r#"{"price":1.5}"#);
    let mut terminal = Terminal::plain(Box::new(Closed), Box::new(Closed), 80);
    let error = ask("ticker AAPL --view price", &server, &mut terminal).unwrap_err();
    assert!(error.is_quiet(), "{error:?}");
    assert_eq!(error.exit_code(), 0);
}

#[test]
fn secrets_are_in_no_output() {
    let error = refusal("401 Unauthorized", "", r#"{"message":"unknown key"}"#);
    assert!(!format!("{error:?}").contains("as_live_secret"));
    let service = client::Service::new("http://127.0.0.1:1", Some("as_live_secret")).unwrap();
    assert!(!format!("{service:?}").contains("as_live_secret"));
    assert!(client::Service::new("http://127.0.0.1:1", Some("two\nlines")).is_err());
}
