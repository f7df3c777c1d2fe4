//! What people read, at two widths; and what the server is asked for it.

use crate::output::{run, run_at};
use crate::server::Server;

const SEARCH: &str = r#"{"status":"ok","query":"rates","total":1234,"took_ms":1.5,"briefs":[
 {"id":"PR-2026-0301-001","headline":"Central bank raises rates by a quarter point and says that more may follow this year","summary":"It did.","body":"It did.","category":"markets","published_at":"2026-03-01T09:30:00.000Z","confidence_score":0.8734,"source_count":4,"search_score":12.25,"highlights":{"headline":"","summary":""}},
 {"id":"PR-2026-0228-017","headline":"\u001b[2J\u001b]0;owned\u0007=cmd|' /C calc'!A0","summary":"\u202egpj","category":"ai_ml","published_at":"2026-02-28T23:59:59Z","confidence_score":0.5,"source_count":12,"search_score":3.5,"by_meaning":true}],
 "facts":{},"related_queries":["inflation"],"meta":{"total":1234,"page":1,"per_page":2,"sort":"relevance"}}"#;

#[test]
fn search_fits_a_narrow_and_a_wide_terminal() {
    let narrow = run_at(80, "search rates", &Server::json(SEARCH));
    assert_eq!(
        narrow.out,
        "\
ID                PUBLISHED         CATEGORY  CONF  SOURCES  HEADLINE
PR-2026-0301-001  2026-03-01 09:30  markets   0.87        4  Central bank raises
                                                             rates by a quarter
                                                             point and says that
                                                             more may follow
                                                             this year
PR-2026-0228-017  2026-02-28 23:59  ai ml     0.50       12  \u{fffd}[2J\u{fffd}]0;owned\u{fffd}=cmd|
                                                             ' /C calc'!A0
"
    );
    let wide = run_at(120, "search rates", &Server::json(SEARCH));
    assert_eq!(
        wide.out,
        "\
ID                PUBLISHED         CATEGORY  CONF  SOURCES  HEADLINE
PR-2026-0301-001  2026-03-01 09:30  markets   0.87        4  Central bank raises rates by a quarter point and says that
                                                             more may follow this year
PR-2026-0228-017  2026-02-28 23:59  ai ml     0.50       12  \u{fffd}[2J\u{fffd}]0;owned\u{fffd}=cmd|' /C calc'!A0
"
    );
    assert_eq!(
        wide.remarks,
        "1 of 1,234 matches, and 1 that are similar in meaning\nrelated: inflation\n"
    );
}

#[test]
fn search_sends_what_was_asked() {
    let server = Server::json(SEARCH);
    let line = "search rates ~-oil --limit 5 --category markets --from 2026-01-01 --to 2026-02-01 --sort newest --depth deep --as-of 2026-03-01T12:00:00Z";
    run(line, &server);
    let asked = server.asked();
    assert_eq!(
        asked.line,
        "GET /api/v1/search?as_of=2026-03-01T12%3A00%3A00Z&q=rates++-oil&per_page=5&category=markets&from=2026-01-01&to=2026-02-01&sort=newest&depth=deep HTTP/1.1"
    );
    assert_eq!(asked.header("authorization"), Some("Bearer as_live_secret"));
}

#[test]
fn nothing_found_says_what_there_is() {
    let body = r#"{"status":"ok","query":"x","total":0,"briefs":[],"meta":{"newest_available":"2026-02-28T10:00:00Z"}}"#;
    let output = run("search xylophone", &Server::json(body));
    assert_eq!(output.out, "nothing found\n");
    assert_eq!(
        output.remarks,
        "0 of 0 matches\nthe newest brief is of 2026-02-28 10:00\n"
    );
}

#[test]
fn a_brief_shows_both_sides() {
    let body = r#"{"status":"ok","brief":{"id":"PR-1","headline":"Rates rise","summary":"They rose.","body":"They rose. By **a quarter**.","category":"markets","published_at":"2026-03-01T09:30:00Z","confidence_score":0.9,"bias_score":0.125,"bias_analysis":{"direction":"none"},"counter_argument":"One outlet disagrees.","entities":["Bank","US"],"sources":[{"name":"Daily","url":"https://daily.example/1","trust_level":"high","published_at":"2026-03-01T09:30:00Z"}],"simulated":true}}"#;
    let server = Server::json(body);
    let output = run_at(80, "brief PR-1 --full-text", &server);
    assert_eq!(
        output.out,
        "\
Rates rise
id          PR-1
category    markets
published   2026-03-01 09:30
confidence  0.90
bias        0.12
direction   none
about       Bank, US

They rose.

They rose. By a quarter.

On the other hand
One outlet disagrees.

SOURCE  TRUST  PUBLISHED         ADDRESS
Daily   high   2026-03-01 09:30  https://daily.example/1
"
    );
    assert_eq!(
        server.asked().line,
        "GET /api/v1/brief/PR-1?include_full_text=true HTTP/1.1"
    );
}

#[test]
fn a_ticker_shows_what_is_there_and_says_what_is_not() {
    let body = r#"{"status":"ok","ticker":"BRK.B","entity_name":"Berkshire Hathaway","exchange":"NYSE","asset_type":"equity","sector":null,"briefs_24h":3,"sentiment_score":0.612,"trending":false,"price":{"current":1234567.891,"change_pct":-1.236,"market_state":"CLOSED","currency":"USD","updated_at":"2026-03-01T21:00:00Z"},"data_status":[{"field":"sector","reason":"no listing gives the sector","stale":false}]}"#;
    let server = Server::json(body);
    let output = run_at(80, "ticker BRK/B", &server);
    assert_eq!(
        output.out,
        "\
BRK.B Berkshire Hathaway
price           1,234,567.89
change          -1.24%
currency        USD
market          CLOSED
updated         2026-03-01 21:00
exchange        NYSE
kind            equity
sentiment       0.61
briefs in 24 h  3
trending        no
"
    );
    assert_eq!(output.remarks, "sector: no listing gives the sector\n");
    assert_eq!(server.asked().line, "GET /api/v1/ticker/BRK%2FB HTTP/1.1");
}

#[test]
fn technicals_are_a_table() {
    let body = r#"{"status":"ok","ticker":"AAPL","date":"2026-02-27","latest":{"price":200.5,"rsi_14":28.123456,"macd":{"macd":-1.5,"signal":-1.0,"histogram":-0.5},"obv":1234567,"sma_200":null},"signal_summary":{"overall":"strong_buy","buy":15,"sell":2,"neutral":3,"total":20}}"#;
    let output = run_at(80, "ticker AAPL --view technicals", &Server::json(body));
    assert_eq!(
        output.out,
        "\
AAPL
session  2026-02-27
price    200.50
overall  strong buy
buy      15
sell     2
neutral  3

INDICATOR              VALUE
rsi_14                 28.12
macd.macd              -1.50
macd.signal            -1.00
macd.histogram       -0.5000
obv             1,234,567.00
sma_200                    –
"
    );
    let csv = run("ticker AAPL --view technicals --csv", &Server::json(body));
    assert!(
        csv.out.starts_with("indicator,value\nrsi_14,28.123456\n"),
        "{}",
        csv.out
    );
}

#[test]
fn a_sentence_is_screened_and_explained() {
    let body = r#"{"status":"ok","matches":[{"ticker":"AAPL","entity_name":"Apple Inc.","sector":"Information Technology","price":200.5,"change_pct":1.5,"date":"2026-02-27","rsi_14":28.1,"sentiment_score":null,"pe_ratio":31.25,"market_cap_b":3012.4,"match_reasons":["rsi_14 28.1 < 30"]}],"filters_applied":{"rsi_below":30},"total_scanned":4021,"total_matches":1,"query":"oversold tech sharks","explanation":["oversold: RSI below 30"],"not_understood":["sharks"]}"#;
    let server = Server::json(body);
    let output = run_at(80, "screen oversold tech sharks --limit 5", &server);
    assert_eq!(
        output.out,
        "\
oversold: RSI below 30

session of 2026-02-27

TICKER  NAME        SECTOR        PRICE  CHANGE   RSI  SENTIMENT   P/E
AAPL    Apple Inc.  Information  200.50  +1.50%  28.1          –  31.2
                    Technology
"
    );
    assert_eq!(
        output.remarks,
        "no room for VALUE BN: use a wider terminal, --csv or --json\n\
         not understood: sharks\n1 of 1 matches, 4,021 symbols compared\n"
    );
    let asked = server.asked();
    assert_eq!(asked.line, "POST /api/v1/screener/natural HTTP/1.1");
    assert_eq!(
        asked.json(),
        serde_json::json!({"query": "oversold tech sharks", "limit": 5})
    );
}

#[test]
fn filters_are_screened_as_given() {
    let server = Server::json(r#"{"status":"ok","matches":[]}"#);
    let line = "screen --filter rsi_below=30 --filter macd_bullish --sort rsi --asset-type etf --as-of 2026-01-01";
    assert_eq!(run(line, &server).out, "nothing matches\n");
    let asked = server.asked();
    assert_eq!(
        asked.line,
        "POST /api/v1/screener?as_of=2026-01-01 HTTP/1.1"
    );
    assert_eq!(
        asked.json(),
        serde_json::json!({"filters": {"rsi_below": 30, "macd_bullish": true}, "sort": "rsi", "asset_type": "etf"})
    );
}

#[test]
fn movers_are_three_tables() {
    let row = r#"{"symbol":"AAPL","name":"Apple","price":200.5,"change_pct":2.0,"volume":50000000,"date":"2026-02-27"}"#;
    let body = format!(r#"{{"status":"ok","gainers":[{row}],"losers":[],"most_active":[{row}]}}"#);
    let output = run_at(80, "market movers", &Server::json(&body));
    assert_eq!(
        output.out,
        "\
session of 2026-02-27

Gainers
SYMBOL  NAME    PRICE  CHANGE      VOLUME
AAPL    Apple  200.50  +2.00%  50,000,000

Losers
none

Most active
SYMBOL  NAME    PRICE  CHANGE      VOLUME
AAPL    Apple  200.50  +2.00%  50,000,000
"
    );
    let csv = run("market movers --csv", &Server::json(&body));
    assert_eq!(
        csv.out,
        "list,symbol,name,price,change_pct,volume\n\
         gainers,AAPL,Apple,200.5,2.0,50000000\nmost_active,AAPL,Apple,200.5,2.0,50000000\n"
    );
}

#[test]
fn movers_of_several_sessions_have_a_column_of_it() {
    let row = |symbol: &str, date: &str| {
        format!(
            r#"{{"symbol":"{symbol}","name":"A","price":2.0,"change_pct":1.0,"volume":5,"date":"{date}"}}"#
        )
    };
    let (newer, older) = (row("NEW", "2026-02-27"), row("OLD", "2026-02-26"));
    let body = format!(
        r#"{{"status":"ok","gainers":[{newer},{older}],"losers":[],"most_active":[{newer}]}}"#
    );
    let output = run_at(80, "market movers", &Server::json(&body));
    assert_eq!(
        output.out,
        "\
Gainers
SYMBOL  NAME  PRICE  CHANGE  VOLUME  SESSION
NEW     A      2.00  +1.00%       5  2026-02-27
OLD     A      2.00  +1.00%       5  2026-02-26

Losers
none

Most active
SYMBOL  NAME  PRICE  CHANGE  VOLUME  SESSION
NEW     A      2.00  +1.00%       5  2026-02-27
"
    );
    let csv = run("market movers --csv", &Server::json(&body));
    assert!(!csv.out.contains("2026-02"), "{}", csv.out);
}
