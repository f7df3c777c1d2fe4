//! How new the figures are: old prices take no part in rankings and signals, and rows say of which session they are.

use http::StatusCode;
use model::{AssetType, Category, Instrument};
use serde_json::{Value, json};

use super::company::records::annual;
use super::crypto::put as put_records;
use super::fixtures::{
    ACME, BOLT, NEWEST, bars, instrument, market, sessions, symbol, time, write,
};
use super::markets::quote;
use super::trading::{publish_brief, says};
use crate::support::{TestMember, TestServer};

const OLD: &str = "OLDX";

/// The small market with a share whose prices end 40 sessions before the newest.
async fn with_an_old_share() -> TestServer {
    let server = market().await;
    let days = sessions();
    let candles = bars(&days[..days.len() - 40], 1e6, |at| 20.0 + (at % 7) as f64);
    let old = instrument(OLD, AssetType::Equity, "Old Works", Some("Utilities"));
    put(&server, &old, &candles).await;
    server
}

async fn put(server: &TestServer, instrument: &Instrument, candles: &[model::Candle]) {
    let recorded = time("2026-03-09T23:00:00Z");
    let store = &server.state.store;
    let mut transaction = store.market_transaction(recorded).await.unwrap();
    let list = std::slice::from_ref(instrument);
    transaction.put_instruments(list).await.unwrap();
    transaction.put_candles(instrument, candles).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
}

async fn get(server: &TestServer, path: &str) -> Value {
    let reply = server.get(&format!("/api/v1{path}")).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    reply.json()
}

fn tickers(body: &Value) -> Vec<&str> {
    let rows = body["matches"].as_array().unwrap();
    rows.iter()
        .map(|row| row["ticker"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn old_prices_and_none_take_no_part_in_a_screen_and_are_counted() {
    let server = with_an_old_share().await;
    let bare = Instrument::bare(symbol("BARE"), AssetType::Equity);
    put(&server, &bare, &[]).await;
    let screen = async |body: Value| {
        let reply = server.post("/api/v1/screener", &body).send().await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
        reply.json()
    };
    let body = screen(json!({"filters": {}})).await;
    let found = tickers(&body);
    assert!(found.contains(&ACME) && !found.contains(&OLD) && !found.contains(&"BARE"));
    let said: Vec<&str> = body["data_status"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["field"] == "total_scanned")
        .map(|one| one["reason"].as_str().unwrap())
        .collect();
    assert!(
        said[0].starts_with("1 of 6 symbols are excluded"),
        "{said:?}"
    );
    assert!(said[1].contains("no price"), "{said:?}");
    let row = &body["matches"][0];
    assert_eq!(
        (&row["date"], &row["currency"], &row["stale"]),
        (&NEWEST.into(), &"USD".into(), &false.into())
    );
    let wide = screen(json!({"filters": {}, "max_age": 60})).await;
    let rows = wide["matches"].as_array().unwrap();
    let old = rows.iter().find(|row| row["ticker"] == OLD).unwrap();
    assert_eq!(old["stale"], true);
    let reply = server
        .post("/api/v1/screener", &json!({"filters": {}, "max_age": 2501}))
        .send();
    assert_eq!(reply.await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn an_old_price_and_the_news_of_now_make_no_signal() {
    let server = with_an_old_share().await;
    let score = get(&server, &format!("/ticker/{OLD}/score")).await;
    assert_eq!(score["composite_score"], Value::Null);
    assert_eq!(score["data_status"][0]["field"], "composite_score");
    let analysis = get(&server, &format!("/ticker/{OLD}/analysis")).await;
    assert!(analysis.get("trade_signal").is_none_or(Value::is_null));
    let summary = analysis["summary"].as_str().unwrap();
    assert!(
        summary.starts_with("The newest price of OLDX is of 2026-01-"),
        "{summary}"
    );
    let technicals = get(&server, &format!("/ticker/{OLD}/technicals")).await;
    assert!(technicals["latest"]["rsi_14"].is_number() && technicals["signal_summary"].is_null());
    assert!(says(&technicals, "signal_summary", "no current signal"));
    let full = get(&server, &format!("/ticker/{OLD}/full")).await;
    assert!(full["technicals"]["signal"].is_null(), "{full}");
    let fresh = get(&server, "/ticker/ACME/score").await;
    assert!(fresh["composite_score"].is_number());
    // A quote of now makes no momentum of the candles before it.
    let key = format!("stock:{OLD}");
    quote(&server, &key, 30.0, 29.0, "2026-03-10T11:00:00Z").await;
    let quoted = get(&server, &format!("/ticker/{OLD}/score")).await;
    assert_eq!(quoted["composite_score"], Value::Null);
}

/// Shares whose prices all end 200 sessions before the newest, of which the newspapers write now.
async fn where_every_share_is_old() -> TestServer {
    let server = TestServer::start().await;
    let days = sessions();
    let candles = bars(&days[..days.len() - 200], 1e6, |at| 20.0 + (at % 7) as f64);
    let names = [ACME, BOLT, OLD];
    let listed = names.map(|ticker| {
        let sector = Some("Utilities");
        let share = instrument(ticker, AssetType::Equity, ticker, sector);
        (share, candles.clone())
    });
    write(&server, listed.into()).await;
    for (number, ticker) in (1..).zip(names) {
        let at = "2026-03-10T08:00:00Z";
        publish_brief(&server, number, Category::Markets, ticker, 0.9, at).await;
    }
    server
}

#[tokio::test]
async fn where_every_price_is_old_the_news_of_now_make_no_match_of_them() {
    let server = where_every_share_is_old().await;
    let screen = async |body: Value| {
        let reply = server.post("/api/v1/screener", &body).send().await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
        reply.json()
    };
    let well_spoken_of = json!({"filters": {"sentiment_above": 0.5}});
    let body = screen(well_spoken_of.clone()).await;
    assert_eq!(body["matches"], json!([]));
    let first = &body["data_status"][0];
    assert_eq!(
        (&first["field"], &first["stale"]),
        (&"matches.sentiment_score".into(), &true.into())
    );
    let said = first["reason"].as_str().unwrap();
    assert!(
        said.starts_with("the sentiment of 3 of 3 symbols"),
        "{said}"
    );
    // Prices alone are ranked among each other, and the rows say of when they are.
    let body = screen(json!({"filters": {"rsi_above": 1}, "sort": "rsi"})).await;
    let rows = body["matches"].as_array().unwrap();
    assert_eq!(rows.len(), 3, "{body}");
    for row in rows {
        assert_eq!(
            (&row["stale"], &row["sentiment_score"]),
            (&true.into(), &Value::Null)
        );
    }
    // Who asks for prices that old gets both.
    let mut wide = well_spoken_of;
    wide["max_age"] = 250.into();
    let body = screen(wide).await;
    assert_eq!(body["total_matches"], 3, "{body}");

    let member = server.unlimited().await;
    let list = json!({"name": "mine", "tickers": [ACME, BOLT]});
    let created = member_post(&server, &member, "/watchlists", list).await;
    let id = created["watchlist"]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/watchlist/{id}/technicals");
    let body = server.get(&path).bearer(&member.key).send().await.json();
    for row in body["technicals"].as_array().unwrap() {
        assert_eq!(
            (&row["stale"], &row["signal_summary"]),
            (&true.into(), &Value::Null)
        );
    }
    assert!(
        says(&body, "technicals.signal_summary", "null for 2 of 2"),
        "{body}"
    );
}

#[tokio::test]
async fn figures_of_long_before_are_no_factor_of_a_signal() {
    let server = market().await;
    let components = |body: &Value| -> Vec<String> {
        let parts = body["trade_signal"]["contributions"].as_array().unwrap();
        let words = parts.iter().map(|one| one["component"].as_str().unwrap());
        words.map(str::to_owned).collect()
    };
    put_records(
        &server,
        vec![annual(ACME, "2024-02-10", 2023, 10e9, 1e9, 5.0)],
    )
    .await;
    let body = get(&server, "/ticker/ACME/analysis").await;
    let found = components(&body);
    assert!(found.contains(&"technicals".to_owned()), "{found:?}");
    for part in ["earnings_yield", "profit_margin"] {
        assert!(!found.contains(&part.to_owned()), "{found:?}");
    }
    let why = "the newest reported period ended on 2023-12-31, more than 18 months before";
    assert!(says(&body, "trade_signal.factors", why), "{body}");
    assert!(body["summary"].as_str().unwrap().contains(why), "{body}");
    assert_eq!(body["fundamentals"]["eps"], 5.0, "shown, with its time");
    // The figures of a report that still counts.
    put_records(
        &server,
        vec![annual(ACME, "2025-02-10", 2024, 11e9, 1e9, 5.5)],
    )
    .await;
    let body = get(&server, "/ticker/ACME/analysis").await;
    let found = components(&body);
    for part in ["earnings_yield", "profit_margin"] {
        assert!(found.contains(&part.to_owned()), "{found:?}");
    }
    assert!(
        !says(&body, "trade_signal.factors", "do not count"),
        "{body}"
    );
}

#[tokio::test]
async fn a_price_filter_in_words_finds_what_it_says() {
    let server = market().await;
    let sentence = json!({"query": "stocks under $55 with price above 40"});
    let reply = server.post("/api/v1/screener/natural", &sentence).send();
    let body = reply.await.json();
    assert_eq!(tickers(&body), ["OAKS.B"]);
    assert_eq!(
        body["matches"][0]["match_reasons"][0],
        "price 50.00, below 55"
    );
    let nonsense = json!({"query": "founded by pirates"});
    let reply = server
        .post("/api/v1/screener/natural", &nonsense)
        .send()
        .await;
    assert_eq!(reply.headers["x-credits-charged"], "0");
    let body = reply.json();
    assert_eq!(
        (tickers(&body).len(), &body["credits_used"]),
        (0, &0.into())
    );
}

#[tokio::test]
async fn names_lead_to_the_companies_that_people_mean() {
    let server = market().await;
    let listed = |ticker: &str, name: &str| instrument(ticker, AssetType::Equity, name, None);
    for (ticker, name) in [
        ("GOOGL", "Alphabet Inc. Class A Common Stock"),
        ("META", "Meta Platforms, Inc."),
        ("F", "Ford Motor Company"),
        ("FORD", "Forward Industries, Inc."),
        ("JNJ", "Johnson & Johnson"),
        ("BRK.B", "Berkshire Hathaway Inc."),
        ("BRKH", "BurTech Acquisition Corp."),
        ("MSFT", "Microsoft Corporation"),
        ("MCR", "Microchip Fund Trust"),
        ("TM", "TOYOTA MOTOR CORP/"),
        ("ODC", "Oil-Dri Corporation of America"),
        ("CORN", "Corn Research Corporation"),
    ] {
        put(&server, &listed(ticker, name), &[]).await;
    }
    let member = server.unlimited().await;
    let asked = async |path: String| {
        let request = server.get(&format!("/api/v1/ticker/{path}"));
        request.bearer(&member.key).send().await
    };
    let resolved = async |text: &str| {
        let query = text.replace('&', "%26").replace(' ', "+");
        let reply = asked(format!("resolve?q={query}")).await;
        assert_eq!(reply.status, StatusCode::OK, "{text}: {}", reply.text());
        reply.json()
    };
    for (text, ticker) in [
        ("google", "GOOGL"),
        ("ford", "F"),
        ("FORD", "FORD"),
        ("johnson & johnson", "JNJ"),
        ("microsft", "MSFT"),
        ("nasdaq:acme", ACME),
    ] {
        assert_eq!(resolved(text).await["ticker"], ticker, "{text}");
    }
    assert_eq!(resolved("toyota").await["entity_name"], "Toyota Motor");
    let list = resolved("alphabet, microsft,Ford, facebook,berkshire, acme").await;
    let found: Vec<&str> = list["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["ticker"].as_str().unwrap())
        .collect();
    assert_eq!(found, ["GOOGL", "MSFT", "F", "META", "BRK.B", ACME]);
    for (text, is_guess) in [("microsft", true), ("instagram", false), ("ford", false)] {
        let one = resolved(text).await;
        assert_eq!(one["guess"], is_guess, "{text}");
        assert_eq!(one["matches"][0]["guess"], is_guess, "{text}");
    }
    let twice = resolved("google, alphabet").await;
    assert_eq!(twice["results"].as_array().unwrap().len(), 2);
    assert_eq!(twice["matches"].as_array().unwrap().len(), 1);
    for (text, tickers) in [
        ("google and facebook", ["GOOGL", "META"]),
        ("ford vs johnson and johnson", ["F", "JNJ"]),
        ("google facebook", ["GOOGL", "META"]),
    ] {
        let list = resolved(text).await;
        let results = list["results"].as_array().unwrap();
        let found: Vec<&str> = results
            .iter()
            .map(|one| one["ticker"].as_str().unwrap())
            .collect();
        assert_eq!(found, tickers, "{text}");
    }
    let oil = asked("resolve?q=oil".to_owned()).await;
    let oil = oil.expect_error(404, "unknown_symbol");
    let message = oil["message"].as_str().unwrap();
    assert!(message.contains("/api/v1/commodities/crude"), "{message}");
    assert!(!message.contains("did you mean"), "{message}");
    // A symbol that is spelled like a commodity is one, and the full name is no guess.
    for (text, ticker) in [("corn", "CORN"), ("oil dri", "ODC"), ("ODC", "ODC")] {
        assert_eq!(resolved(text).await["ticker"], ticker, "{text}");
    }
    for text in ["weather", "chasing"] {
        let none = asked(format!("resolve?q={text}")).await;
        none.expect_error(404, "unknown_symbol");
    }
    let near = asked("facebok/price".to_owned()).await;
    let near = near.expect_error(404, "unknown_symbol");
    assert_eq!(near["suggestions"][0], "META");
}

#[tokio::test]
async fn the_address_alone_says_what_this_is() {
    let server = TestServer::start().await;
    let reply = server.get("/").send().await;
    assert_eq!(reply.status, StatusCode::OK);
    let page = reply.text();
    assert!(
        page.contains("curl -s 'http://") && page.contains("simulated"),
        "{page}"
    );
    let reference = server.get("/docs/").send().await.text();
    assert!(reference.contains("<title>Assay: reference</title>"));
}

#[tokio::test]
async fn a_strategy_stands_beside_its_benchmark() {
    let server = market().await;
    let asked = json!({
        "strategy": {"entry_filters": {}, "exit_filters": {}, "asset_type": "etf"},
        "from": "2025-06-02",
        "to": "2026-03-05",
        "benchmark": ACME,
        "slippage_bps": 10,
    });
    let reply = server.post("/api/v1/backtest", &asked).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    let body = reply.json();
    assert_eq!(
        (&body["settings"]["from"], &body["settings"]["to"]),
        (&"2025-06-02".into(), &"2026-03-05".into())
    );
    // The fund is the share halved: a tenth of the money is in it, which moves as the share does.
    let benchmark = &body["benchmark"];
    assert_eq!(benchmark["ticker"], ACME);
    let beta = benchmark["beta"].as_f64().unwrap();
    assert!((0.05..0.2).contains(&beta), "{benchmark}");
    assert!(benchmark["total_return_pct"].is_number() && benchmark["alpha_pct"].is_number());
    let exposure = body["performance"]["exposure_pct"].as_f64().unwrap();
    assert!((5.0..20.0).contains(&exposure), "{exposure}");
    for wrong in [
        json!({"from": "yesterday"}),
        json!({"from": "2026-01-02", "to": "2026-01-01"}),
        json!({"slippage_bps": 2000}),
    ] {
        let mut asked = asked.clone();
        for (key, value) in wrong.as_object().unwrap() {
            asked[key] = value.clone();
        }
        let reply = server.post("/api/v1/backtest", &asked).send().await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{asked}");
    }
}

async fn member_post(server: &TestServer, member: &TestMember, path: &str, body: Value) -> Value {
    let asked = server.post(&format!("/api/v1{path}"), &body);
    let reply = asked.bearer(&member.key).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    reply.json()
}

const TOO_OLD: &str = "symbols are excluded: their newest price is too old";

#[tokio::test]
async fn old_prices_take_no_part_in_movers_and_sectors() {
    let server = with_an_old_share().await;
    for (number, ticker) in [(1, OLD), (2, ACME)] {
        let at = "2026-03-10T08:00:00Z";
        publish_brief(&server, number, Category::Markets, ticker, 0.9, at).await;
    }
    let listed = |body: &Value| {
        let rows = body["matching"].as_array().unwrap();
        rows.iter().find(|row| row["symbol"] == OLD).cloned()
    };
    let movers = "/market/movers?change_above=-100";
    let body = get(&server, movers).await;
    assert_eq!(listed(&body), None);
    assert!(
        says(&body, "compared", "1 of 5 shares are excluded"),
        "{body}"
    );
    let body = get(&server, &format!("{movers}&max_age=60")).await;
    let row = listed(&body).unwrap();
    let old_day = sessions()[sessions().len() - 41].to_string();
    assert_eq!(
        (&row["date"], &row["currency"], &row["stale"]),
        (&old_day.into(), &"USD".into(), &true.into())
    );
    assert!(!says(&body, "compared", "are excluded"), "{body}");
    let fresh = body["matching"].as_array().unwrap();
    let fresh = fresh.iter().find(|row| row["symbol"] == ACME).unwrap();
    assert_eq!(
        (&fresh["date"], &fresh["stale"]),
        (&NEWEST.into(), &false.into())
    );

    let body = get(&server, "/market/movers?from=2000-01-01").await;
    assert_eq!(body["compared"], 0);
    assert!(
        says(
            &body,
            "gainers",
            "has a close in the 10 days before 2000-01-01"
        ),
        "{body}"
    );

    let body = get(&server, "/sectors").await;
    let sectors = body["sectors"].as_array().unwrap();
    assert_eq!(sectors.len(), 1, "{body}");
    assert!(
        says(&body, "sectors.brief_count", &format!("1 of 2 {TOO_OLD}")),
        "{body}"
    );
    assert!(says(&body, "sectors.brief_count", OLD), "{body}");
    let body = get(&server, "/sectors?max_age=60").await;
    let rows = body["sectors"].as_array().unwrap();
    let utilities = rows
        .iter()
        .find(|row| row["sector"] == "Utilities")
        .unwrap();
    assert_eq!(
        (&utilities["top_ticker"], &utilities["stale"]),
        (&OLD.into(), &true.into())
    );
    for path in ["/market/movers?max_age=-1", "/sectors?max_age=2501"] {
        let reply = server.get(&format!("/api/v1{path}")).send().await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{path}");
    }
}

#[tokio::test]
async fn old_prices_take_no_part_in_watchlists_correlations_and_portfolios() {
    let server = with_an_old_share().await;
    let member = server.unlimited().await;
    let at = "2026-03-10T08:00:00Z";
    for (number, ticker) in [(1, OLD), (2, ACME)] {
        publish_brief(&server, number, Category::Markets, ticker, 0.9, at).await;
    }
    let list = json!({"name": "mine", "tickers": [OLD, ACME]});
    let created = member_post(&server, &member, "/watchlists", list).await;
    let id = created["watchlist"]["id"].as_str().unwrap().to_owned();
    let technicals = async |query: &str| -> Value {
        let path = format!("/api/v1/watchlist/{id}/technicals{query}");
        server.get(&path).bearer(&member.key).send().await.json()
    };
    let body = technicals("").await;
    let rows = body["technicals"].as_array().unwrap();
    assert_eq!(rows[1]["ticker"], OLD, "last, whatever its RSI: {body}");
    assert_eq!(
        (&rows[1]["signal_summary"], &rows[1]["stale"]),
        (&Value::Null, &true.into())
    );
    assert!(rows[0]["signal_summary"].is_object());
    assert!(
        says(&body, "technicals", &format!("1 of 2 {TOO_OLD}")),
        "{body}"
    );
    let body = technicals("?max_age=60").await;
    assert!(
        body["technicals"][1]["signal_summary"].is_object(),
        "{body}"
    );

    let asked = json!({"tickers": [ACME, OLD, BOLT], "days": 90});
    let body = member_post(&server, &member, "/correlation", asked.clone()).await;
    assert_eq!(body["to"], NEWEST);
    assert!(body["matrix"][ACME][BOLT].is_number(), "{body}");
    assert_eq!(
        (&body["matrix"][ACME][OLD], &body["matrix"][OLD][OLD]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(body["pairs"].as_array().unwrap().len(), 3);
    assert!(
        says(&body, "matrix", &format!("1 of 3 {TOO_OLD}")),
        "{body}"
    );
    let mut wide = asked.clone();
    wide["max_age"] = 60.into();
    let body = member_post(&server, &member, "/correlation", wide).await;
    assert!(body["matrix"][ACME][OLD].is_number(), "{body}");
    assert_ne!(body["to"], NEWEST);

    let held =
        json!({"holdings": [{"ticker": ACME, "weight": 0.5}, {"ticker": OLD, "weight": 0.5}]});
    let body = member_post(&server, &member, "/portfolio/feed", held.clone()).await;
    assert_eq!(body["total"], 1, "{body}");
    assert!(
        says(&body, "briefs", &format!("1 of 2 {TOO_OLD}")),
        "{body}"
    );
    let mut wide = held;
    wide["max_age"] = 60.into();
    let body = member_post(&server, &member, "/portfolio/feed", wide).await;
    assert_eq!(body["total"], 2);
}

#[tokio::test]
async fn what_is_stale_was_fetched_when_it_was_recorded() {
    let server = with_an_old_share().await;
    let body = get(&server, &format!("/ticker/{OLD}/price")).await;
    let status = &body["data_status"][0];
    assert_eq!(status["stale"], true);
    // Written on the evening of the newest session; the price is of the close of its own.
    assert_eq!(status["fetched_at"], "2026-03-09T23:00:00Z");
    let reported = status["reported_at"].as_str().unwrap();
    assert!(reported.starts_with("2026-01-"), "{status}");
}
