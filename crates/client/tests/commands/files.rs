//! What programs read: JSON and CSV in full precision, and nothing that a spreadsheet or a terminal would obey.

use crate::output::run;
use crate::server::Server;

const BACKTEST: &str = r#"{"status":"ok","performance":{"total_return_pct":12.345678901234567,"annualized_return_pct":12.3,"sharpe_ratio":1.1,"max_drawdown_pct":5.5,"win_rate":60.0,"total_trades":1,"avg_holding_days":12.0,"profit_factor":null},"equity_curve":[{"date":"2025-03-03","value":100000.0},{"date":"2025-03-04","value":100123.45678901}],"trades":[{"ticker":"AAPL","entry_date":"2025-03-03","entry_price":200.123456789,"exit_date":"2025-03-10","exit_price":210.5,"return_pct":-5.185,"entry_reason":"=rsi_14 < 30","exit_reason":"end_of_period"}],"settings":{"from":"2025-03-03","to":"2026-03-02","initial_capital":100000.0,"symbols":503,"fees_bps":0.0}}"#;

#[test]
fn a_backtest_gives_its_trades_or_its_curve() {
    let line = "backtest --entry rsi_below=30 --exit rsi_above=60 --exit stop_loss_pct=8 --period 1y --rebalance monthly --capital 50000 --max-positions 5";
    let server = Server::json(BACKTEST);
    let people = run(line, &server);
    assert!(
        people.out.contains("total return          +12.35%\n"),
        "{}",
        people.out
    );
    assert!(
        people
            .out
            .contains("AAPL    2025-03-03  200.12  2025-03-10  210.50  -5.18%"),
        "{}",
        people.out
    );
    assert_eq!(
        server.asked().json(),
        serde_json::json!({
            "strategy": {"entry_filters": {"rsi_below": 30}, "exit_filters": {"rsi_above": 60, "stop_loss_pct": 8}},
            "period": "1y", "rebalance": "monthly", "initial_capital": 50000.0, "max_positions": 5
        })
    );
    let trades = run(&format!("{line} --csv"), &Server::json(BACKTEST));
    assert_eq!(
        trades.out,
        "ticker,entry_date,entry_price,exit_date,exit_price,return_pct,exit_reason,entry_reason\n\
         AAPL,2025-03-03,200.123456789,2025-03-10,210.5,-5.185,end_of_period,'=rsi_14 < 30\n"
    );
    let curve = run(&format!("{line} --equity-csv"), &Server::json(BACKTEST));
    assert_eq!(
        curve.out,
        "date,value\n2025-03-03,100000.0\n2025-03-04,100123.45678901\n"
    );
}

#[test]
fn json_keeps_every_digit_and_escapes_controls() {
    let body =
        "{\"status\":\"ok\",\"price\":12.345678901234567,\"big\":1.10,\"name\":\"\u{9b}31m\"}";
    let output = run("ticker AAPL --view price --json", &Server::json(body));
    assert_eq!(
        output.out,
        "{\n  \"status\": \"ok\",\n  \"price\": 12.345678901234567,\n  \"big\": 1.10,\n  \"name\": \"\\u009b31m\"\n}\n"
    );
    assert_eq!(output.remarks, "");
}

#[test]
fn text_cells_are_no_formulas() {
    let body = r#"{"briefs":[{"id":"PR-1","headline":"=HYPERLINK(\"http://e.example\",\"x\")","summary":"-2+3\u001b[31m","category":"markets","confidence_score":-0.5,"source_count":2}]}"#;
    let output = run("search x --csv", &Server::json(body));
    assert_eq!(
        output.out,
        "id,published_at,category,confidence_score,source_count,headline,summary,search_score\n\
         PR-1,,markets,-0.5,2,\"'=HYPERLINK(\"\"http://e.example\"\",\"\"x\"\")\",'-2+3\u{fffd}[31m,\n"
    );
}
