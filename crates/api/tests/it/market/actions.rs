//! Corporate actions: what is listed of them, and that prices and reported figures are in one scale on every day.

use http::StatusCode;
use model::{ActionKind, AssetType, Candle, CorporateAction, Instrument};
use serde_json::Value;

use super::company::records::world;
use super::fixtures::{self, ACME, SESSIONS, acme, bar, day, instrument, symbol, time};
use crate::support::TestServer;

async fn get(server: &TestServer, path: &str) -> Value {
    let reply = server.get(&format!("/api/v1{path}")).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    reply.json()
}

fn action(kind: ActionKind, on: &str) -> CorporateAction {
    CorporateAction {
        symbol: symbol(ACME),
        kind,
        ex_date: day(on),
        ratio: None,
        amount: None,
        currency: None,
        new_symbol: None,
        announced: None,
        no_later_than: None,
        source: "actions".to_owned(),
    }
}

async fn put(server: &TestServer, actions: Vec<CorporateAction>) {
    let store = &server.state.store;
    let recorded = time("2026-03-09T23:00:00Z");
    let mut transaction = store.market_transaction(recorded).await.unwrap();
    let acme = Instrument::bare(symbol(ACME), AssetType::Equity);
    transaction.touch(&acme);
    let records = actions.into_iter().map(|action| {
        let announced = action.announced.map(|day| day.plus(1).starts_at());
        let known_at = announced.unwrap_or(action.ex_date.starts_at());
        (action, known_at)
    });
    transaction.put_records(records).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
}

fn split(ratio: f64) -> CorporateAction {
    CorporateAction {
        ratio: Some(ratio),
        announced: Some(day("2026-02-16")),
        ..action(ActionKind::Split, "2026-02-27")
    }
}

/// A split of ACME that follows from prices alone and took effect between 27 February and 2 March.
fn inferred() -> CorporateAction {
    CorporateAction {
        announced: None,
        no_later_than: Some(day("2026-03-02")),
        source: CorporateAction::INFERRED.to_owned(),
        ..split(2.0)
    }
}

/// The reasons of an answer that come from a split which follows from prices alone, by field.
fn inferences(body: &Value) -> Vec<(&str, &str)> {
    let rows = body["data_status"].as_array().into_iter().flatten();
    let inferred = rows.filter(|row| row["source"] == CorporateAction::INFERRED);
    inferred
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap();
            (text("field"), text("reason"))
        })
        .collect()
}

fn close_to(found: &Value, wanted: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{found}"));
    assert!(
        (found / wanted - 1.0).abs() < 1e-9,
        "{found} is not {wanted}"
    );
}

fn close_on(body: &Value, date: &str) -> Value {
    let candles = body["candles"].as_array().unwrap();
    let found = candles.iter().find(|candle| candle["date"] == date);
    found.unwrap_or_else(|| panic!("no {date}: {body}"))["close"].clone()
}

#[tokio::test]
async fn price_and_earnings_are_in_one_scale_before_and_after_a_split() {
    let server = world().await;
    let price = acme(SESSIONS - 1);
    put(&server, vec![split(2.0)]).await;
    // The filings of February report the old number of shares, the prices contain the split.
    let now = get(&server, "/ticker/ACME/financials").await;
    close_to(&now["eps"], 3.0);
    close_to(&now["pe_ratio"], price / 3.0);
    close_to(&now["market_cap"], price * 4e8);
    close_to(&now["dividend_yield"], 0.75 / price * 100.0);
    // Before it, as it was then: twice the price, the reported earnings, the same ratio.
    let then = "2026-02-20T22:00:00Z";
    let before = get(&server, &format!("/ticker/ACME/financials?as_of={then}")).await;
    let shown = get(&server, &format!("/ticker/ACME/price?as_of={then}")).await;
    close_to(&before["eps"], 6.0);
    let paid = shown["price"].as_f64().unwrap();
    close_to(&before["pe_ratio"], paid / 6.0);
    close_to(&before["market_cap"], paid * 2e8);
    let adjusted = get(&server, "/ticker/ACME/candles").await;
    close_to(&close_on(&adjusted, "2026-02-20"), paid / 2.0);
    // The same in the screener's rows.
    let screen = serde_json::json!({"filters": {"market_cap_above": 1}, "sort": "market_cap"});
    let found = server.post("/api/v1/screener", &screen).send().await.json();
    let row = &found["matches"][0];
    assert_eq!(row["ticker"], ACME);
    close_to(&row["pe_ratio"], price / 3.0);
    close_to(&row["market_cap_b"], price * 0.4);
}

#[tokio::test]
async fn the_yield_is_of_the_dividends_of_the_last_year() {
    let server = world().await;
    let price = acme(SESSIONS - 1);
    let paid = ["2025-06-04", "2025-09-03", "2025-12-03", "2026-03-04"];
    let paid = paid.map(|on| CorporateAction {
        amount: Some(0.4),
        currency: Some("USD".to_owned()),
        ..action(ActionKind::Dividend, on)
    });
    let [first, rest @ ..] = paid;
    // Filings say 1.5 of a year; three of four quarters are no year.
    put(&server, rest.to_vec()).await;
    let before = get(&server, "/ticker/ACME/financials").await;
    close_to(&before["dividend_yield"], 1.5 / price * 100.0);
    put(&server, vec![first]).await;
    let now = get(&server, "/ticker/ACME/financials").await;
    close_to(&now["dividend_yield"], 1.6 / price * 100.0);
    let screen = serde_json::json!({"filters": {}, "sort": "dividend_yield"});
    let found = server.post("/api/v1/screener", &screen).send().await.json();
    let rows = found["matches"].as_array().unwrap();
    let row = rows.iter().find(|row| row["ticker"] == ACME).unwrap();
    close_to(&row["sort_value"], 1.6 / price * 100.0);
}

#[tokio::test]
async fn candles_are_served_as_traded_and_with_dividends_taken_off() {
    let server = world().await;
    let dividend = CorporateAction {
        amount: Some(1.0),
        currency: Some("USD".to_owned()),
        ..action(ActionKind::Dividend, "2026-03-04")
    };
    put(&server, vec![split(2.0), dividend]).await;
    let splits = get(&server, "/ticker/ACME/candles").await;
    let none = get(&server, "/ticker/ACME/candles?adjust=none").await;
    let all = get(&server, "/ticker/ACME/candles?adjust=all").await;
    let close = |body: &Value, date: &str| close_on(body, date).as_f64().unwrap();
    let words = [&splits, &none, &all].map(|body| body["adjust"].as_str().unwrap().to_owned());
    assert_eq!(words, ["splits", "none", "all"]);
    close_to(
        &close_on(&none, "2026-02-26"),
        2.0 * close(&splits, "2026-02-26"),
    );
    close_to(&close_on(&none, "2026-02-27"), close(&splits, "2026-02-27"));
    let kept = 1.0 - 1.0 / close(&splits, "2026-03-03");
    close_to(
        &close_on(&all, "2026-03-03"),
        kept * close(&splits, "2026-03-03"),
    );
    close_to(&close_on(&all, "2026-03-04"), close(&splits, "2026-03-04"));
    let between = get(
        &server,
        "/ticker/ACME/candles?from=2026-02-26&to=2026-03-03",
    )
    .await;
    assert_eq!(between["candle_count"], 4);
    let reply = server.get("/api/v1/ticker/ACME/candles?adjust=both").send();
    assert_eq!(reply.await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn actions_are_listed_as_known_then_and_new_names_lead_on() {
    let server = world().await;
    let renamed = CorporateAction {
        symbol: symbol("OLDACME"),
        new_symbol: Some(symbol(ACME)),
        ..action(ActionKind::SymbolChange, "2025-06-02")
    };
    put(&server, vec![split(2.0), renamed]).await;
    let body = get(&server, "/ticker/ACME/actions").await;
    let one = &body["actions"][0];
    assert_eq!(
        (
            &one["type"],
            &one["ex_date"],
            &one["ratio"],
            &one["inferred"]
        ),
        (
            &"split".into(),
            &"2026-02-27".into(),
            &2.0.into(),
            &false.into()
        )
    );
    // Announced on the 16th, known at the end of that day.
    let count = async |as_of: &str| {
        let path = format!("/ticker/ACME/actions?type=split&as_of={as_of}");
        let body = get(&server, &path).await;
        body["actions"].as_array().unwrap().len()
    };
    assert_eq!(count("2026-02-16T23:59:59Z").await, 0);
    assert_eq!(count("2026-02-17T00:00:00Z").await, 1);
    let none = get(&server, "/ticker/ACME/actions?type=dividend").await;
    assert_eq!(none["data_status"][0]["field"], "actions");
    let old = get(&server, "/ticker/OLDACME/price").await;
    assert_eq!(old["ticker"], ACME);
}

#[tokio::test]
async fn a_history_goes_on_under_a_new_symbol() {
    let server = world().await;
    let store = &server.state.store;
    let old = Instrument::bare(symbol("OLDACME"), AssetType::Equity);
    let candle = |on: &str, close: f64| super::fixtures::bar(day(on), close, close, 1e6);
    let before = [
        candle("2020-01-02", 40.0),
        candle("2020-01-03", 44.0),
        // After the change, so of somebody else.
        candle("2026-02-20", 1.0),
    ];
    let recorded = time("2026-03-09T23:00:00Z");
    let mut transaction = store.market_transaction(recorded).await.unwrap();
    transaction.put_candles(&old, &before[..2]).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let alone = get(&server, "/ticker/OLDACME/price").await;
    assert_eq!(
        (&alone["ticker"], &alone["price"]),
        (&"OLDACME".into(), &44.0.into())
    );

    let of_old = |kind, on| CorporateAction {
        symbol: symbol("OLDACME"),
        ..action(kind, on)
    };
    let renamed = CorporateAction {
        new_symbol: Some(symbol(ACME)),
        ..of_old(ActionKind::SymbolChange, "2020-06-01")
    };
    let halved = CorporateAction {
        ratio: Some(2.0),
        ..of_old(ActionKind::Split, "2020-01-03")
    };
    let dividend = CorporateAction {
        amount: Some(0.5),
        currency: Some("USD".to_owned()),
        ..of_old(ActionKind::Dividend, "2020-01-03")
    };
    put(&server, vec![renamed, halved, dividend]).await;
    let path = "candles?from=2020-01-01&to=2020-12-31";
    for name in ["OLDACME", ACME] {
        let body = get(&server, &format!("/ticker/{name}/{path}")).await;
        assert_eq!(
            (&body["ticker"], &body["candle_count"]),
            (&ACME.into(), &2.into())
        );
        close_to(&close_on(&body, "2020-01-03"), 44.0);
        let why = body["data_status"][0]["reason"].as_str().unwrap();
        assert!(
            why.ends_with("those of 2020-01-02 to 2020-01-03 are of OLDACME"),
            "{why}"
        );
        let now = get(&server, &format!("/ticker/{name}/price")).await;
        close_to(&now["price"], acme(SESSIONS - 1));
    }
    let traded = get(&server, &format!("/ticker/ACME/{path}&adjust=none")).await;
    close_to(&close_on(&traded, "2020-01-02"), 80.0);
    let all = get(&server, &format!("/ticker/ACME/{path}&adjust=all")).await;
    close_to(&close_on(&all, "2020-01-02"), 40.0 * (1.0 - 0.5 / 40.0));
    let listed = get(&server, "/ticker/ACME/actions").await;
    let kinds: Vec<&str> = listed["actions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["symbol"] == "OLDACME")
        .filter_map(|one| one["type"].as_str())
        .collect();
    assert_eq!(kinds[0], "symbol_change");
    assert_eq!(kinds.len(), 3, "{listed}");

    // Another company takes up the old symbol.
    let mut transaction = store.market_transaction(recorded).await.unwrap();
    transaction.put_candles(&old, &before[2..]).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let other = get(&server, "/ticker/OLDACME/candles?range=5y").await;
    assert_eq!(
        (&other["ticker"], &other["candle_count"]),
        (&"OLDACME".into(), &1.into())
    );
    close_to(&close_on(&other, "2026-02-20"), 1.0);
    let whole = get(&server, &format!("/ticker/ACME/{path}")).await;
    assert_eq!(whole["candle_count"], 2);
}

fn renamed(old: &str, new: &str, on: &str) -> CorporateAction {
    CorporateAction {
        symbol: symbol(old),
        new_symbol: Some(symbol(new)),
        ..action(ActionKind::SymbolChange, on)
    }
}

fn closes(closes: &[(&str, f64)]) -> Vec<Candle> {
    let bars = closes.iter();
    bars.map(|(on, close)| bar(day(on), *close, *close, 1e6))
        .collect()
}

/// META was a fund, which is METV since, before it became the symbol of the company that was FB.
#[tokio::test]
async fn a_symbol_of_the_past_is_that_of_the_company_that_had_it_then() {
    let server = world().await;
    let share = |ticker, name| instrument(ticker, AssetType::Equity, name, None);
    let listed = vec![
        (
            share("META", "Meta Platforms"),
            closes(&[("2021-01-05", 15.0), ("2022-06-09", 184.0)]),
        ),
        (
            share("FB", "Facebook"),
            closes(&[("2021-01-05", 270.0), ("2022-06-08", 196.0)]),
        ),
        (
            instrument("METV", AssetType::Etf, "Metaverse Fund", None),
            closes(&[("2022-01-31", 11.0)]),
        ),
    ];
    fixtures::write(&server, listed).await;
    let changes = vec![
        renamed("META", "METV", "2022-01-31"),
        renamed("FB", "META", "2022-06-09"),
    ];
    put(&server, changes).await;
    let member = server.unlimited().await;
    let read = async |path: &str| {
        let asked = server.get(&format!("/api/v1{path}")).bearer(&member.key);
        let reply = asked.send().await;
        assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
        reply.json()
    };
    for (asked, as_of, ticker, price) in [
        ("META", "2021-01-06", "METV", 15.0),
        ("NASDAQ:META", "2021-01-06", "METV", 15.0),
        ("METV", "2021-01-06", "METV", 15.0),
        ("FB", "2021-01-06", "META", 270.0),
        // Nobody had it then: it led to the fund.
        ("META", "2022-03-15", "METV", 11.0),
        ("META", "2022-06-10", "META", 184.0),
        ("FB", "2022-06-10", "META", 184.0),
    ] {
        let found = read(&format!("/ticker/{asked}/price?as_of={as_of}")).await;
        assert_eq!(
            (&found["ticker"], &found["price"]),
            (&ticker.into(), &price.into()),
            "{asked} as of {as_of}"
        );
    }
    let now = read("/ticker/META/price").await;
    assert_eq!(
        (&now["ticker"], &now["price"]),
        (&"META".into(), &184.0.into())
    );
    // A change belongs to the company that had the symbol until then.
    for (asked, old) in [("META", "FB"), ("METV", "META")] {
        let listed = read(&format!("/ticker/{asked}/actions")).await;
        let listed = listed["actions"].as_array().unwrap();
        assert_eq!(listed.len(), 1, "{asked}: {listed:?}");
        assert_eq!(listed[0]["symbol"], old);
    }
    // Wherever a symbol is taken.
    for route in [
        "",
        "/candles?range=1mo",
        "/actions",
        "/technicals",
        "/score",
        "/history",
        "/financials",
    ] {
        let mark = if route.contains('?') { '&' } else { '?' };
        let path = format!("/ticker/META{route}{mark}as_of=2021-01-06");
        assert_eq!(read(&path).await["ticker"], "METV", "{path}");
    }
    let several = read("/ticker/prices?symbols=META,FB&as_of=2021-01-06").await;
    for (row, ticker, price) in [(0, "METV", 15.0), (1, "META", 270.0)] {
        let row = &several["prices"][row];
        assert_eq!(row["ticker"], ticker, "{several}");
        assert_eq!(row["price"], price, "{several}");
    }
}

#[tokio::test]
async fn a_symbol_of_a_company_that_ended_is_not_the_one_that_took_it_up() {
    let server = world().await;
    let gone = Instrument {
        delisted: Some(day("2018-05-01")),
        ..instrument("WELD", AssetType::Equity, "Quill Works", None)
    };
    let quill = instrument("QUILL", AssetType::Equity, "Quill Works", None);
    let listed = vec![
        (
            gone,
            closes(&[
                ("2018-04-30", 3.0),
                ("2020-01-02", 50.0),
                ("2026-03-09", 60.0),
            ]),
        ),
        (quill, closes(&[("2018-04-30", 41.0)])),
    ];
    fixtures::write(&server, listed).await;
    let delisting = CorporateAction {
        symbol: symbol("WELD"),
        ..action(ActionKind::Delisting, "2018-05-01")
    };
    put(
        &server,
        vec![delisting, renamed("QUILL", "WELD", "2020-01-02")],
    )
    .await;
    let path = "/api/v1/ticker/WELD/price?as_of=2018-05-01";
    let body = server.get(path).send().await;
    let body = body.expect_error(404, "unknown_symbol");
    assert_eq!(body["suggestions"], serde_json::json!(["QUILL"]));
    let then = get(&server, "/ticker/QUILL/price?as_of=2018-05-01").await;
    assert_eq!(
        (&then["ticker"], &then["price"]),
        (&"WELD".into(), &41.0.into())
    );
    // The end of the company before is not its own.
    let now = get(&server, "/ticker/WELD").await;
    assert_eq!(now["price"]["current"], 60.0);
    assert!(now.get("delisted").is_none(), "{now}");
}

#[tokio::test]
async fn a_share_that_trades_on_is_not_delisted() {
    let server = world().await;
    let ended = |ticker, name| Instrument {
        delisted: Some(day("2026-02-02")),
        ..instrument(ticker, AssetType::Equity, name, None)
    };
    let listed = vec![
        (
            ended("WELD", "Weld Works"),
            closes(&[("2026-02-02", 3.0), ("2026-02-11", 60.0)]),
        ),
        // Settled some days later.
        (
            ended("QUILL", "Quill Works"),
            closes(&[("2026-02-02", 41.0), ("2026-02-06", 41.5)]),
        ),
    ];
    fixtures::write(&server, listed).await;
    for (symbol, as_of, delisted) in [
        ("WELD", "", false),
        ("QUILL", "", true),
        // Nobody knew that it would be traded again.
        ("WELD", "?as_of=2026-02-06T12:00:00Z", true),
    ] {
        let body = get(&server, &format!("/ticker/{symbol}/price{as_of}")).await;
        let found = body.get("delisted").and_then(Value::as_str);
        let expected = delisted.then_some("2026-02-02");
        assert_eq!(found, expected, "{symbol}{as_of}: {body}");
    }
}

#[tokio::test]
async fn an_action_that_is_reported_again_stays_known_since_the_first_report() {
    let server = world().await;
    let reported = |ratio, source: &str| CorporateAction {
        announced: None,
        source: source.to_owned(),
        ..split(ratio)
    };
    let shown = async |as_of: &str| {
        let path = format!("/ticker/ACME/actions?type=split{as_of}");
        let body = get(&server, &path).await;
        assert_eq!(body["actions"].as_array().unwrap().len(), 1, "{body}");
        let one = &body["actions"][0];
        (one["ratio"].clone(), one["known_at"].clone())
    };
    for source in ["one", "one", "two"] {
        put(&server, vec![reported(2.0, source)]).await;
        let first = (2.0.into(), "2026-02-27T00:00:00Z".into());
        assert_eq!(shown("").await, first, "{source}");
    }
    put(&server, vec![reported(3.0, "two")]).await;
    let (ratio, known_at) = shown("").await;
    assert_eq!(ratio, 3.0);
    assert_eq!(known_at, "2026-03-09T23:00:00Z");
    assert_eq!(shown("&as_of=2026-03-01").await.0, 2.0);
}

#[tokio::test]
async fn a_gap_of_two_months_is_not_the_change_of_a_day() {
    let server = TestServer::start().await;
    let candle = |on: &str, close: f64| super::fixtures::bar(day(on), close, close, 1e6);
    let candles = [candle("2026-01-05", 200.0), candle("2026-03-09", 20.0)];
    let gaps = Instrument::bare(symbol("GAPS"), AssetType::Equity);
    let store = &server.state.store;
    let recorded = time("2026-03-09T23:00:00Z");
    let mut transaction = store.market_transaction(recorded).await.unwrap();
    transaction.put_candles(&gaps, &candles).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let price = get(&server, "/ticker/GAPS/price").await;
    assert_eq!(price["price"], 20.0);
    assert!(price.get("change_pct").is_none(), "{price}");
    let movers = get(&server, "/market/movers").await;
    assert_eq!(movers["losers"].as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn indicators_begin_again_after_a_gap_of_two_months() {
    let server = TestServer::start().await;
    let days = super::fixtures::sessions();
    let mut candles = super::fixtures::bars(&days, 1e6, acme);
    let (before, after) = (days[SESSIONS - 71], days[SESSIONS - 30]);
    candles.retain(|candle| candle.day <= before || candle.day >= after);
    let gaps = Instrument::bare(symbol("GAPS"), AssetType::Equity);
    let recorded = time("2026-03-09T23:00:00Z");
    let store = &server.state.store;
    let mut transaction = store.market_transaction(recorded).await.unwrap();
    transaction.put_candles(&gaps, &candles).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let technicals = get(&server, "/ticker/GAPS/technicals?series=true&range=1y").await;
    let latest = &technicals["latest"];
    let mean = (SESSIONS - 20..SESSIONS).map(acme).sum::<f64>() / 20.0;
    close_to(&latest["sma_20"], mean);
    assert!(latest["sma_50"].is_null() && latest["sma_200"].is_null());
    let why = technicals["data_status"][0]["reason"].as_str().unwrap();
    let hole = format!("no prices of GAPS are held between {before} and {after}");
    assert!(why.starts_with(&hole), "{technicals}");
    let why = technicals["data_status"][1]["reason"].as_str().unwrap();
    assert!(why.starts_with("there are only 30 candles since then"));
    let rows = technicals["series"].as_array().unwrap();
    let on = |day: model::Day| {
        let day = day.to_string();
        rows.iter().find(|row| row["date"] == day.as_str()).unwrap()
    };
    assert!(on(before)["sma_200"].is_number() && on(after)["rsi_14"].is_null());
    let full = get(&server, "/ticker/GAPS/full").await;
    assert_eq!(full["technicals"]["rsi"], latest["rsi_14"]);
}

#[tokio::test]
async fn a_backtest_knows_nothing_of_later_splits() {
    let server = world().await;
    // In the scale of now no price of the year lies above one and a half times the last one, but before the split it was twice.
    let above = acme(SESSIONS - 1) * 1.5;
    let rule = serde_json::json!({
        "strategy": {"entry_filters": {"price_above": above}, "exit_filters": {"rsi_above": 99}}
    });
    let member = server.unlimited().await;
    let trades = async || {
        let body = super::trading::answer(&server, &member, "/backtest", rule.clone(), 10).await;
        let trades = body["trades"]
            .as_array()
            .unwrap_or_else(|| panic!("{body}"));
        let of_acme = trades.iter().filter(|trade| trade["ticker"] == ACME);
        of_acme.count()
    };
    assert_eq!(trades().await, 0);
    put(&server, vec![split(2.0)]).await;
    assert!(trades().await > 0);
}

#[tokio::test]
async fn a_backtest_knows_no_price_before_an_inferred_split() {
    let server = world().await;
    // Twice the price of now before it, if it took effect on its first day.
    put(&server, vec![inferred()]).await;
    let member = server.unlimited().await;
    let above = acme(SESSIONS - 1) * 1.5;
    let rule = serde_json::json!({
        "strategy": {"entry_filters": {"price_above": above}, "exit_filters": {"rsi_above": 99}}
    });
    let body = super::trading::answer(&server, &member, "/backtest", rule, 10).await;
    let trades = body["trades"].as_array().unwrap();
    assert!(!trades.iter().any(|trade| trade["ticker"] == ACME));
    let rows = body["data_status"].as_array().unwrap();
    let said = rows.iter().filter_map(|row| row["reason"].as_str());
    let mut said = said.filter(|reason| reason.contains("it is not known what was paid"));
    let said = said.next().unwrap_or_else(|| panic!("{body}"));
    assert!(said.ends_with("import actions of ACME"), "{said}");
}

#[tokio::test]
async fn a_price_of_before_the_end_of_an_inferred_split_says_that_it_is_adjusted() {
    let server = world().await;
    let member = server.unlimited().await;
    let get = async |path: &str| {
        let request = server.get(&format!("/api/v1{path}"));
        let reply = request.bearer(&member.key).send().await;
        assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
        reply.json()
    };
    put(&server, vec![inferred()]).await;
    let said = async |path: &str, as_of: &str| {
        let join = if path.contains('?') { '&' } else { '?' };
        let body: Value = get(&format!("{path}{join}as_of={as_of}")).await;
        let rows = body["data_status"].as_array().cloned().unwrap_or_default();
        let reasons = rows.iter().filter_map(|row| row["reason"].as_str());
        let is_one =
            |reason: &&str| reason.contains("what was paid within these days is not known");
        reasons.filter(is_one).count()
    };
    for path in [
        "/ticker/ACME",
        "/ticker/ACME/price",
        "/ticker/ACME/full",
        "/ticker/ACME/financials",
        "/ticker/ACME/technicals",
        "/ticker/ACME/analysis",
        "/ticker/prices?symbols=ACME",
        "/ticker/ACME/candles",
    ] {
        assert_eq!(said(path, "2026-02-28T00:00:00Z").await, 1, "{path}");
    }
    assert_eq!(said("/ticker/ACME/price", "2026-03-05T00:00:00Z").await, 0);
    // Candles of after it are those that were paid.
    let after = "/ticker/ACME/candles?from=2026-03-03";
    assert_eq!(said(after, "2026-03-06T00:00:00Z").await, 0);
    // Before anybody knew it, actions do not list it and do not say that there is none.
    let then: Value = get("/ticker/ACME/actions?as_of=2026-02-20T22:00:00Z").await;
    assert_eq!(then["actions"], serde_json::json!([]));
    let reason = then["data_status"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("was known then"), "{reason}");
}

#[tokio::test]
async fn figures_per_share_within_the_days_of_an_inferred_split_are_of_unknown_shares() {
    let server = world().await;
    let member = server.unlimited().await;
    put(&server, vec![inferred()]).await;
    let (statements, earnings) = ("statements?period=year&", "earnings?");
    for (path, field, as_of, wanted) in [
        (statements, "statements.eps", "2026-02-28", true),
        // Before the first of its days everything is counted as it was reported, and after the last one it has taken effect.
        (statements, "statements.eps", "2026-02-20", false),
        (statements, "statements.eps", "2026-03-05", false),
        (earnings, "eps_estimate", "2026-03-01", true),
        (earnings, "eps_estimate", "2026-03-05", false),
        // No estimate was known yet.
        (earnings, "eps_estimate", "2026-02-28", false),
    ] {
        let path = format!("/api/v1/ticker/ACME/{path}as_of={as_of}T12:00:00Z");
        let reply = server.get(&path).bearer(&member.key).send().await;
        assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
        let body = reply.json();
        let said = inferences(&body);
        assert_eq!(said.len(), usize::from(wanted), "{path}: {body}");
        for (of, reason) in said {
            assert_eq!(of, field, "{path}");
            let unknown =
                "whether per-share figures of these days are adjusted for it is not known";
            assert!(reason.contains(unknown), "{reason}");
        }
    }
}

#[tokio::test]
async fn rows_of_before_the_end_of_an_inferred_split_are_named() {
    let server = world().await;
    let member = server.unlimited().await;
    put(&server, vec![inferred()]).await;
    let (before, after) = ("2026-02-28T00:00:00Z", "2026-03-05T00:00:00Z");
    let is_named = |body: &Value, field: &str| match inferences(body)[..] {
        [] => false,
        [(of, reason)] => {
            assert_eq!(of, field);
            assert!(reason.starts_with("ACME: two files"), "{reason}");
            let unknown = "what was paid within these days is not known";
            assert!(reason.contains(unknown), "{reason}");
            true
        }
        _ => panic!("{body}"),
    };
    // The one of the sector is the other, whose own prices depend on nothing.
    for (path, as_of, wanted) in [
        ("/ticker/BOLT/competitors", before, true),
        ("/ticker/BOLT/competitors", after, false),
        ("/ticker/ACME/competitors", before, false),
    ] {
        let path = format!("/api/v1{path}?as_of={as_of}");
        let reply = server.get(&path).bearer(&member.key).send().await;
        assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
        let body = reply.json();
        assert!(!body["competitors"].as_array().unwrap().is_empty());
        assert_eq!(is_named(&body, "competitors.price"), wanted, "{path}");
    }
    let all = serde_json::json!({"filters": {}});
    let in_words = serde_json::json!({"query": "large cap stocks"});
    // What is not shown is not named.
    let utilities = serde_json::json!({"filters": {}, "sector": "Utilities"});
    for (path, asked, as_of, wanted) in [
        ("/screener", &all, before, true),
        ("/screener", &all, after, false),
        ("/screener", &utilities, before, false),
        ("/screener/natural", &in_words, before, true),
        ("/screener/natural", &in_words, after, false),
    ] {
        let path = format!("{path}?as_of={as_of}");
        let body = super::trading::answer(&server, &member, &path, asked.clone(), 5).await;
        assert!(!body["matches"].as_array().unwrap().is_empty(), "{body}");
        assert_eq!(is_named(&body, "matches.price"), wanted, "{path}");
    }
}

#[tokio::test]
async fn trades_of_before_an_inferred_split_are_at_prices_that_nobody_paid() {
    let server = world().await;
    let member = server.unlimited().await;
    let rule = serde_json::json!({
        "strategy": {"entry_filters": {"volume_above": 500_000}, "exit_filters": {"rsi_above": 99}}
    });
    let tried = async |from: &str| {
        let mut asked = rule.clone();
        asked["from"] = from.into();
        let body = super::trading::answer(&server, &member, "/backtest", asked, 10).await;
        let trades = body["trades"].as_array().unwrap();
        assert!(trades.iter().any(|trade| trade["ticker"] == ACME), "{body}");
        let said = inferences(&body);
        let said = said
            .into_iter()
            .map(|(field, reason)| format!("{field}: {reason}"));
        said.collect::<Vec<_>>()
    };
    assert_eq!(tried("2026-01-05").await, Vec::<String>::new());
    put(&server, vec![inferred()]).await;
    let said = tried("2026-01-05").await;
    let [said] = &said[..] else {
        panic!("{said:?}")
    };
    assert!(said.starts_with("trades: splits of ACME are "), "{said}");
    assert!(said.contains("what was paid then is not known"), "{said}");
    // Since it has taken effect, prices are those that were paid.
    assert_eq!(tried("2026-03-03").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_backtest_names_jumps_that_look_like_a_split_that_nobody_reports() {
    let server = world().await;
    let days = fixtures::sessions();
    let jump = SESSIONS - 30;
    let price = |at: usize| {
        let level = if at < jump { 400.0 } else { 40.0 };
        level + 0.01 * (at % 3) as f64 * level
    };
    let listed = |ticker: &str, volume_after: f64| {
        let mut candles = fixtures::bars(&days, 1e6, price);
        for candle in &mut candles[jump..] {
            candle.volume = volume_after;
        }
        let share = instrument(ticker, AssetType::Equity, ticker, None);
        (share, candles)
    };
    // Ten times the shares are as much money as before, and as many shares a tenth of it.
    let shares = vec![listed("JUMP", 1e7), listed("FELL", 1e6)];
    fixtures::write(&server, shares).await;
    let member = server.unlimited().await;
    let said = async |to: Option<&str>| {
        let mut rule = serde_json::json!({
            "strategy": {"entry_filters": {"price_above": 300}, "exit_filters": {"rsi_above": 99}}
        });
        if let Some(to) = to {
            rule["from"] = days[jump - 40].to_string().into();
            rule["to"] = to.into();
        }
        let body = super::trading::answer(&server, &member, "/backtest", rule, 10).await;
        let trades = body["trades"].as_array().unwrap();
        for ticker in ["JUMP", "FELL"] {
            let is_traded = trades.iter().any(|trade| trade["ticker"] == ticker);
            assert!(is_traded, "{ticker}: {body}");
        }
        let rows = body["data_status"].as_array().cloned().unwrap_or_default();
        let of_trades = rows.into_iter().filter(|row| row["field"] == "trades");
        let reasons = of_trades.map(|row| row["reason"].as_str().unwrap().to_owned());
        reasons.collect::<Vec<_>>()
    };
    let found = said(None).await;
    let [reason] = &found[..] else {
        panic!("{found:?}")
    };
    let named = format!("import actions of JUMP ({})", days[jump]);
    assert!(reason.ends_with(&named), "{reason}");
    // Trades that end before it do not depend on it.
    let before = days[jump - 1].to_string();
    assert_eq!(said(Some(&before)).await, Vec::<String>::new());
    let reported = CorporateAction {
        symbol: symbol("JUMP"),
        ex_date: days[jump],
        ..split(10.0)
    };
    put(&server, vec![reported]).await;
    assert_eq!(said(None).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_dividend_that_two_sources_date_a_day_apart_is_taken_off_once() {
    let server = world().await;
    let bare = get(&server, "/ticker/ACME/candles?adjust=all").await;
    let reason = bare["data_status"].to_string();
    assert!(
        reason.contains("no dividend of ACME is on record"),
        "{reason}"
    );
    let dividend = |source: &str, on: &str| CorporateAction {
        amount: Some(1.0),
        source: source.to_owned(),
        ..action(ActionKind::Dividend, on)
    };
    put(
        &server,
        vec![
            dividend("one", "2026-03-04"),
            dividend("other", "2026-03-05"),
        ],
    )
    .await;
    let listed = get(&server, "/ticker/ACME/actions?type=dividend").await;
    let listed = listed["actions"].as_array().unwrap();
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0]["ex_date"], "2026-03-04");
    let splits = get(&server, "/ticker/ACME/candles").await;
    let all = get(&server, "/ticker/ACME/candles?adjust=all").await;
    let close = |body: &Value, date: &str| close_on(body, date).as_f64().unwrap();
    let kept = 1.0 - 1.0 / close(&splits, "2026-03-03");
    close_to(
        &close_on(&all, "2026-03-03"),
        kept * close(&splits, "2026-03-03"),
    );
    assert!(!all["data_status"].to_string().contains("no dividend"));
}
