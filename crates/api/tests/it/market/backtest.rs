//! The backtester over HTTP: what it knows when, and what it refuses.

use model::{Category, SimulatedSentiment};
use serde_json::{Value, json};

use super::fixtures::{day, market, sessions, symbol, time};
use super::trading::{answer, close_to, post, publish_brief, refuses, says, texts};
use crate::news::fixtures::{keys, narrow};
use crate::support::hang_up_after;

const PATH: &str = "/backtest";

fn rule(entry: Value, exit: Value) -> Value {
    json!({"strategy": {"entry_filters": entry, "exit_filters": exit}})
}

#[tokio::test]
async fn a_rule_is_tried_until_the_newest_session_and_echoed() {
    let server = market().await;
    let member = server.unlimited().await;
    let mut asked = rule(
        json!({"rsi_below": 45}),
        json!({"rsi_above": 55, "stop_loss_pct": 8}),
    );
    asked["max_positions"] = json!(2);
    let body = answer(&server, &member, PATH, asked.clone(), 10).await;
    assert_eq!(body["strategy"], asked["strategy"]);
    assert_eq!(
        keys(&body["performance"]),
        [
            "annualized_return_pct",
            "avg_holding_days",
            "exposure_pct",
            "max_drawdown_pct",
            "profit_factor",
            "sharpe_ratio",
            "total_return_pct",
            "total_trades",
            "turnover_pct",
            "win_rate"
        ]
    );
    let curve = body["equity_curve"].as_array().unwrap();
    assert_eq!(curve[0], json!({"date": "2025-03-10", "value": 100_000.0}));
    assert_eq!(curve.last().unwrap()["date"], "2026-03-09");
    let trades = body["trades"].as_array().unwrap();
    assert!(trades.len() > 3, "{trades:?}");
    assert_eq!(body["performance"]["total_trades"], trades.len());
    assert_eq!(
        keys(&trades[0]),
        [
            "entry_date",
            "entry_price",
            "entry_reason",
            "exit_date",
            "exit_price",
            "exit_reason",
            "return_pct",
            "ticker"
        ]
    );
    for trade in trades {
        assert!(trade["entry_date"].as_str() <= trade["exit_date"].as_str());
        let gain = trade["exit_price"].as_f64().unwrap() / trade["entry_price"].as_f64().unwrap();
        close_to(&trade["return_pct"], (gain - 1.0) * 100.0);
    }
    let last = curve.last().unwrap()["value"].as_f64().unwrap();
    close_to(
        &body["performance"]["total_return_pct"],
        (last / 1e5 - 1.0) * 100.0,
    );
    assert!(says(&body, "settings.symbols", "YNG"), "{body}");
    let again = answer(&server, &member, PATH, asked.clone(), 10).await;
    assert_eq!(body, again);

    let late = answer(&server, &member, "/backtest?lag=1", asked.clone(), 10).await;
    assert_eq!(late["settings"]["lag"], 1);
    assert!(late["trades"][0]["entry_date"].as_str() > body["trades"][0]["entry_date"].as_str());
    asked["fees_bps"] = json!(50);
    let paid = answer(&server, &member, PATH, asked.clone(), 10).await;
    assert!(
        paid["performance"]["total_return_pct"].as_f64()
            < body["performance"]["total_return_pct"].as_f64()
    );
    let earlier = answer(
        &server,
        &member,
        "/backtest?as_of=2026-03-06T20:00:00Z",
        asked,
        10,
    )
    .await;
    assert_eq!(earlier["settings"]["to"], "2026-03-05");
}

#[tokio::test]
async fn a_period_does_not_begin_after_its_end() {
    let server = market().await;
    let member = server.unlimited().await;
    let all = rule(json!({}), json!({}));
    for (from, to, path, said) in [
        (
            "2026-01-02",
            Some("2026-01-01"),
            PATH,
            "from must not be after to",
        ),
        // The newest session is that of 9 March, before noon of the next day.
        ("2026-03-10", None, PATH, "that session 2026-03-09"),
        (
            "2027-01-04",
            Some("2027-06-30"),
            PATH,
            "that session 2026-03-09",
        ),
        // A weekend has no session.
        (
            "2026-03-07",
            Some("2026-03-08"),
            PATH,
            "that session 2026-03-06",
        ),
        (
            "2026-03-06",
            None,
            "/backtest?as_of=2026-03-06T20:00:00Z",
            "that session 2026-03-05",
        ),
    ] {
        let mut asked = all.clone();
        asked["from"] = json!(from);
        if let Some(to) = to {
            asked["to"] = json!(to);
        }
        let reply = post(&server, &member, path, asked).await;
        assert_eq!(reply.charged(), 0, "{from}");
        let error = reply.expect_error(400, "invalid_request");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(said), "{message}");
    }
    let mut last = all;
    last["from"] = json!("2026-03-09");
    let body = answer(&server, &member, PATH, last, 10).await;
    assert_eq!(body["settings"]["from"], body["settings"]["to"]);
}

#[tokio::test]
async fn kinds_sectors_periods_and_short_histories() {
    let server = market().await;
    let member = server.unlimited().await;
    let ask = async |body| answer(&server, &member, PATH, body, 10).await;
    let mut asked = rule(json!({}), json!({}));
    asked["strategy"]["asset_type"] = json!("etf");
    asked["period"] = json!("6mo");
    let funds = ask(asked.clone()).await;
    assert_eq!(texts(&funds["trades"], "ticker"), ["FUND"]);
    assert_eq!(texts(&funds["trades"], "exit_reason"), ["end_of_period"]);
    assert_eq!(funds["settings"]["from"], "2025-09-09");
    asked["period"] = json!("2y");
    let long = ask(asked.clone()).await;
    assert!(
        says(&long, "equity_curve", "the history begins on"),
        "{long}"
    );
    asked["strategy"]["asset_type"] = json!("crypto");
    let coins = ask(asked.clone()).await;
    assert_eq!(coins["settings"]["to"], "2026-03-09");
    asked["strategy"] = json!({"entry_filters": {}, "exit_filters": {}, "sector": "utilities"});
    let flat = ask(asked.clone()).await;
    assert_eq!(texts(&flat["trades"], "ticker"), ["OAKS.B"]);
    assert_eq!(flat["performance"]["total_return_pct"], 0.0);
    assert!(flat["performance"]["sharpe_ratio"].is_null());
    asked["strategy"]["sector"] = json!("Energy");
    let nothing = ask(asked.clone()).await;
    assert_eq!(nothing["equity_curve"], json!([]));
    assert!(says(&nothing, "trades", "Energy"), "{nothing}");
    asked["strategy"]["sector"] = json!("Space");
    let reply = post(&server, &member, PATH, asked).await;
    assert_eq!(reply.charged(), 0);
    let error = reply.expect_error(400, "invalid_request");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.starts_with("strategy.sector must be one of"),
        "{message}"
    );
    assert!(message.contains("Health Care"), "{message}");
    for (entry, words) in [
        (json!({"rsi_below": 1}), "no symbol matched"),
        (json!({"pe_below": 10}), "pe_below"),
        (json!({"sentiment_above": 0.5}), "sentiment_above"),
    ] {
        let body = ask(rule(entry, json!({}))).await;
        assert_eq!(body["trades"], json!([]));
        assert!(says(&body, "trades", words), "{body}");
    }
}

#[tokio::test]
async fn sentiment_is_what_was_known_at_each_close() {
    let server = market().await;
    let member = server.unlimited().await;
    // Published after Monday's close and read by Tuesday's: the first weekly rebalancing that sees it is a week later.
    publish_brief(
        &server,
        1,
        Category::Tech,
        "ACME",
        0.9,
        "2026-02-23T21:30:00Z",
    )
    .await;
    let asked = rule(json!({"sentiment_above": 0.8}), json!({}));
    let body = answer(&server, &member, PATH, asked.clone(), 10).await;
    assert_eq!(texts(&body["trades"], "ticker"), ["ACME"], "{body}");
    assert_eq!(body["trades"][0]["entry_date"], "2026-03-03");
    assert!(!says(&body, "strategy", "simulated"), "{body}");
    let sports = narrow(&server, &[Category::Sports]).await;
    let blind = answer(&server, &sports, PATH, asked.clone(), 10).await;
    assert_eq!(blind["trades"], json!([]));

    let simulated = SimulatedSentiment {
        day: sessions()[200],
        avg_sentiment: 0.95,
        min_sentiment: 0.9,
        max_sentiment: 1.0,
        brief_count: 4.0,
    };
    let mut transaction = server
        .state
        .store
        .market_transaction(time("2026-03-10T08:00:00Z"))
        .await
        .unwrap();
    transaction
        .put_simulated_sentiment(&symbol("BOLT"), &[simulated])
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    let body = answer(&server, &member, PATH, asked, 10).await;
    let trades = body["trades"].as_array().unwrap();
    let bolt = trades
        .iter()
        .find(|trade| trade["ticker"] == "BOLT")
        .unwrap();
    assert!(day(bolt["entry_date"].as_str().unwrap()) > simulated.day.plus(1));
    let words = format!("sentiment before {} is simulated", simulated.day.plus(1));
    assert!(says(&body, "strategy", &words), "{body}");
}

#[tokio::test]
async fn bad_rules_name_the_key() {
    let server = market().await;
    let with = |name: &str, value: Value| {
        let mut body = rule(json!({}), json!({}));
        body[name] = value;
        body
    };
    refuses(
        &server,
        PATH,
        &[
            (json!({}), "strategy"),
            (json!({"strategy": {"entry_filters": {}}}), "exit_filters"),
            (json!({"strategy": {"exit_filters": {}}}), "entry_filters"),
            (rule(json!([]), json!({})), "entry_filters"),
            (rule(json!({"rsi_under": 3}), json!({})), "rsi_under"),
            (
                rule(json!({"stop_loss_pct": 3}), json!({})),
                "stop_loss_pct",
            ),
            (
                rule(json!({}), json!({"stop_loss_pct": 0})),
                "stop_loss_pct",
            ),
            (
                rule(json!({}), json!({"stop_loss_pct": "5"})),
                "stop_loss_pct",
            ),
            (
                rule(json!({"rsi_below": 30, "rsi_above": 70}), json!({})),
                "contradict",
            ),
            (with("period", json!("5y")), "period"),
            (with("rebalance", json!("daily")), "rebalance"),
            (with("initial_capital", json!(0)), "initial_capital"),
            (with("initial_capital", json!(1e13)), "initial_capital"),
            (with("max_positions", json!(0)), "max_positions"),
            (with("max_positions", json!(1001)), "max_positions"),
            (with("max_positions", json!(2.5)), "max_positions"),
            (with("fees_bps", json!(-1)), "fees_bps"),
        ],
    )
    .await;
    let reply = server
        .post("/api/v1/backtest?lag=21", &rule(json!({}), json!({})))
        .send()
        .await;
    let error = reply.expect_error(400, "invalid_request");
    assert!(error["message"].as_str().unwrap().contains("lag"));
}

#[tokio::test(flavor = "multi_thread")]
async fn hanging_up_and_asking_at_once_leave_the_backtester_working() {
    let server = market().await;
    let member = server.unlimited().await;
    let rule = rule(json!({"rsi_below": 45}), json!({"rsi_above": 55}));
    let path = "/api/v1/backtest";
    for steps in 1..=40 {
        let asked = server.post(path, &rule).bearer(&member.key).send();
        hang_up_after(steps, asked).await;
    }
    let asked = (0..30).map(|_| server.post(path, &rule).bearer(&member.key).send());
    let mut answered = 0;
    for reply in futures::future::join_all(asked).await {
        if reply.status == 200 {
            answered += 1;
        } else {
            reply.expect_error(429, "work_limited");
            assert!(!reply.header("retry-after").is_empty());
        }
    }
    assert!(answered > 0, "those within the share are answered");
    assert_eq!(
        answer(&server, &member, "/backtest", rule, 10).await["status"],
        "ok"
    );
}

#[tokio::test]
async fn a_period_before_anything_that_is_held_is_refused() {
    let server = market().await;
    let mut asked = rule(json!({"rsi_below": 45}), json!({"rsi_above": 55}));
    asked["from"] = json!("1990-01-01");
    asked["to"] = json!("1995-01-01");
    let member = server.unlimited().await;
    let reply = server.post("/api/v1/backtest", &asked).bearer(&member.key);
    let error = reply.send().await.expect_error(400, "invalid_request");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("first session that is held"), "{message}");
    let never = rule(json!({"rsi_below": 0.001}), json!({"rsi_above": 55}));
    let body = answer(&server, &member, PATH, never, 10).await;
    let turnover = body["performance"]["turnover_pct"].as_f64().unwrap();
    assert!(turnover.is_sign_positive(), "{turnover}");
}
