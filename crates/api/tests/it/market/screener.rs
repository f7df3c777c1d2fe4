//! The screener: filters, orders, bounds, sentences.

use model::{AssetType, Category, Frequency, Instrument, Quote, Valuation};
use serde_json::{Value, json};

use super::fixtures::{
    ACME, RECORDED, SESSIONS, acme, bars, instrument, market, sessions, symbol, time,
};
use super::markets::put_series;
use super::trading::{
    answer, close_to, market_with_news, post, publish_brief, refuses, says, texts,
};
use crate::news::fixtures::{keys, narrow};

const PATH: &str = "/screener";
const NATURAL: &str = "/screener/natural";

#[tokio::test]
async fn matches_satisfy_every_filter_and_show_what_it_judged() {
    let (server, member) = market_with_news().await;
    let quote = Quote {
        price: 175.5,
        previous_close: Some(acme(SESSIONS - 1)),
        volume: None,
        at: time("2026-03-10T11:59:00Z"),
    };
    let quotes = [("stock:ACME".to_owned(), quote)];
    server
        .state
        .store
        .market()
        .put_quotes(&quotes)
        .await
        .unwrap();
    let valuation = Valuation {
        symbol: symbol(ACME),
        price: None,
        market_cap_usd: Some(25e9),
        pe_ratio: Some(14.0),
        eps: None,
        dividend_yield_pct: None,
        fifty_two_week_high: None,
        fifty_two_week_low: None,
        source: "table".to_owned(),
        at: None,
    };
    let mut transaction = server
        .state
        .store
        .market_transaction(time("2026-03-10T11:00:00Z"))
        .await
        .unwrap();
    transaction
        .put_records([(valuation, time("2026-03-10T11:00:00Z"))])
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let asked = json!({"filters": {"above_sma_200": true, "sentiment_above": 0.6, "macd_bearish": false,
        "pe_below": 15, "market_cap_above": 20}});
    let body = answer(&server, &member, PATH, asked, 5).await;
    assert_eq!(
        (&body["total_scanned"], &body["total_matches"]),
        (&json!(4), &json!(1))
    );
    assert_eq!(
        body["filters_applied"],
        json!({"above_sma_200": true, "sentiment_above": 0.6, "pe_below": 15.0, "market_cap_above": 20.0})
    );
    let found = &body["matches"][0];
    assert_eq!(
        keys(found),
        [
            "change_pct",
            "currency",
            "date",
            "entity_name",
            "market_cap_b",
            "match_reasons",
            "pe_ratio",
            "price",
            "rsi_14",
            "sector",
            "sentiment_score",
            "sort_value",
            "stale",
            "ticker"
        ]
    );
    assert_eq!(
        (&found["ticker"], &found["price"]),
        // The newest price is of now; the filters judged the close.
        (&json!("ACME"), &json!(acme(SESSIONS - 1)))
    );
    close_to(&found["sentiment_score"], 0.8);
    close_to(&found["market_cap_b"], 25.0);
    assert_eq!(found["sort_value"], found["sentiment_score"]);
    assert_eq!(found["match_reasons"].as_array().unwrap().len(), 4);
    assert_eq!(found["match_reasons"][0], "price above its 200-day average");
}

#[tokio::test]
async fn orders_kinds_sectors_and_limits() {
    let (server, member) = market_with_news().await;
    let ask = async |body| answer(&server, &member, PATH, body, 5).await;
    let body = ask(json!({"filters": {}})).await;
    assert_eq!(
        texts(&body["matches"], "ticker"),
        ["ACME", "BOLT", "OAKS.B", "YNG"]
    );
    assert!(says(&body, "matches.sentiment_score", "2 of 4"), "{body}");
    let by_rsi = ask(json!({"filters": {}, "sort": "rsi"})).await;
    assert_eq!(texts(&by_rsi["matches"], "ticker").last(), Some(&"YNG"));
    let by_volume = ask(json!({"filters": {}, "sort": "volume", "limit": 1})).await;
    assert_eq!(texts(&by_volume["matches"], "ticker"), ["BOLT"]);
    assert_eq!(by_volume["total_matches"], 4);
    let tech = ask(json!({"filters": {}, "sector": "tech"})).await;
    assert_eq!(tech["total_scanned"], 3);
    let funds = ask(json!({"filters": {"above_sma_50": true}, "asset_type": "etf"})).await;
    assert_eq!(texts(&funds["matches"], "ticker"), ["FUND"]);
    let coins = ask(json!({"filters": {}, "asset_type": "crypto"})).await;
    assert_eq!(texts(&coins["matches"], "ticker"), ["BTC"]);
}

#[tokio::test]
async fn the_snapshot_follows_news_scopes_and_times() {
    let (server, member) = market_with_news().await;
    let asked = json!({"filters": {"sentiment_above": 0.55}});
    let found = async |member, path: &str| {
        let body = answer(&server, member, path, asked.clone(), 5).await;
        body["matches"][0]["sentiment_score"].as_f64()
    };
    assert!((found(&member, PATH).await.unwrap() - 0.8).abs() < 1e-12);
    publish_brief(
        &server,
        9,
        Category::Tech,
        "ACME",
        0.5,
        "2026-03-10T11:30:00Z",
    )
    .await;
    assert!((found(&member, PATH).await.unwrap() - 0.7).abs() < 1e-12);
    let markets = narrow(&server, &[Category::Markets]).await;
    assert!((found(&markets, PATH).await.unwrap() - 0.7).abs() < 1e-12);
    let tech = narrow(&server, &[Category::Tech]).await;
    assert!((found(&tech, PATH).await.unwrap() - 0.7).abs() < 1e-12);
    let sports = narrow(&server, &[Category::Sports]).await;
    assert_eq!(found(&sports, PATH).await, None);
    let path = format!("{PATH}?as_of=2026-03-10T11:00:00Z");
    assert!((found(&member, &path).await.unwrap() - 0.8).abs() < 1e-12);
    let path = format!("{PATH}?as_of=2020-01-01");
    let body = answer(
        &server,
        &member,
        &path,
        json!({"filters": {"rsi_below": 50}}),
        5,
    )
    .await;
    // Before the first price of each nothing was listed.
    assert_eq!(body["total_scanned"], 0);
    assert!(says(&body, "matches", "no equity is listed"), "{body}");
    // A week later nothing of it counts.
    server.clock.set("2026-03-18T12:00:00Z");
    assert_eq!(found(&member, PATH).await, None);
}

#[tokio::test]
async fn bad_screens_name_the_key_and_empty_ones_the_reason() {
    let (server, member) = market_with_news().await;
    let with = |name: &str, value: serde_json::Value| json!({"filters": {}, name: value});
    refuses(
        &server,
        PATH,
        &[
            (json!({}), "filters"),
            (json!({"filters": []}), "filters"),
            (json!({"filters": {"rsi_under": 30}}), "rsi_under"),
            (json!({"filters": {"stop_loss_pct": 5}}), "stop_loss_pct"),
            (json!({"filters": {"rsi_below": 101}}), "rsi_below"),
            (json!({"filters": {"rsi_below": "30"}}), "rsi_below"),
            (json!({"filters": {"macd_bullish": 1}}), "macd_bullish"),
            (
                json!({"filters": {"sentiment_above": 1.5}}),
                "sentiment_above",
            ),
            (json!({"filters": {"volume_above": -1}}), "volume_above"),
            (
                json!({"filters": {"rsi_below": 30, "rsi_above": 70}}),
                "contradict",
            ),
            (
                json!({"filters": {"x".repeat(5000): 1}}),
                "unknown filter xxx",
            ),
            (with("asset_type", json!("bond")), "asset_type"),
            (with("asset_type", json!(1)), "asset_type"),
            (with("sort", json!("name")), "sort"),
            (with("sector", json!("")), "sector"),
            (with("sector", json!("Nope")), "sector must be one of"),
            (with("exchange", json!("Nope")), "NYSE"),
            (with("limit", json!(0)), "limit"),
            (with("limit", json!(51)), "limit"),
            (with("limit", json!("5")), "limit"),
        ],
    )
    .await;
    for (body, words) in [
        (json!({"filters": {"rsi_below": 1}}), "no symbol matches"),
        (json!({"filters": {"pe_below": 10}}), "pe_below"),
        (
            json!({"filters": {}, "sector": "energy"}),
            "no equity is listed in sector \"Energy\"",
        ),
    ] {
        let body = answer(&server, &member, PATH, body, 5).await;
        assert_eq!(body["matches"], json!([]));
        assert!(says(&body, "matches", words), "{body}");
    }
    // What nobody knows is not searched in vain at a price, and an exchange without anything on it is an answer.
    for (path, mut body) in [
        (PATH, json!({"filters": {}})),
        (NATURAL, json!({"query": "oversold stocks"})),
    ] {
        body["exchange"] = json!(" bats ");
        let found = answer(&server, &member, path, body.clone(), 5).await;
        assert_eq!(found["matches"], json!([]), "{path}");
        for field in ["sector", "exchange"] {
            body[field] = json!("Nope");
            let reply = post(&server, &member, path, body.clone()).await;
            assert_eq!(reply.charged(), 0, "{path}");
            let error = reply.expect_error(400, "invalid_request");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains("must be one of"), "{message}");
            body[field] = Value::Null;
        }
    }
    // Flat prices without volume have values and no NaN.
    let asked = json!({"filters": {}, "sector": "Utilities"});
    let flat = answer(&server, &member, PATH, asked, 5).await;
    assert_eq!(flat["matches"][0]["change_pct"], 0.0);
}

#[tokio::test]
async fn a_sentence_is_a_screen_and_says_how_it_was_read() {
    let (server, member) = market_with_news().await;
    let asked = json!({"query": "bullish tech stocks above their 200-day average, purple ones", "limit": 5});
    let body = answer(&server, &member, NATURAL, asked, 5).await;
    assert_eq!(texts(&body["matches"], "ticker"), ["ACME"]);
    assert_eq!(
        body["understood"],
        json!({"filters": {"sentiment_above": 0.58, "above_sma_200": true}, "asset_type": "equity",
               "sector": "Information Technology", "sort": "sentiment", "order": "desc"})
    );
    assert_eq!(body["not_understood"], json!(["purple"]));
    assert_eq!(body["explanation"].as_array().unwrap().len(), 4);
    assert_eq!(body["total_scanned"], 3);
    let over = json!({"query": "most oversold ETFs", "asset_type": "crypto", "sort": "volume"});
    let body = answer(&server, &member, NATURAL, over, 5).await;
    assert_eq!(body["understood"]["asset_type"], "crypto");
    assert_eq!(body["understood"]["sort"], "volume");
    let none = answer(
        &server,
        &member,
        NATURAL,
        json!({"query": "what is the weather"}),
        0,
    )
    .await;
    assert_eq!(none["matches"], json!([]));
    assert!(
        says(
            &none,
            "matches",
            "nothing in the query was understood; try RSI"
        ),
        "{none}"
    );
    let both = answer(
        &server,
        &member,
        NATURAL,
        json!({"query": "oversold and overbought"}),
        5,
    )
    .await;
    assert!(says(&both, "matches", "contradict"), "{both}");
    assert_eq!(both["understood"]["filters"]["rsi_above"], 70.0);
    refuses(
        &server,
        NATURAL,
        &[
            (json!({}), "query"),
            (json!({"query": " x "}), "query"),
            (json!({"query": "x".repeat(301)}), "query"),
            (json!({"query": 5}), "query"),
            (json!({"query": "cheap", "limit": 99}), "limit"),
        ],
    )
    .await;
}

#[tokio::test]
async fn yields_and_changes_rank_and_orders_that_are_not_understood_cost_nothing() {
    let (server, member) = market_with_news().await;
    let valuation = |ticker: &str, paid| Valuation {
        symbol: symbol(ticker),
        price: None,
        market_cap_usd: None,
        pe_ratio: None,
        eps: None,
        dividend_yield_pct: Some(paid),
        fifty_two_week_high: None,
        fifty_two_week_low: None,
        source: "table".to_owned(),
        at: None,
    };
    let at = time("2026-03-10T11:00:00Z");
    let mut transaction = server.state.store.market_transaction(at).await.unwrap();
    transaction
        .put_records([(valuation(ACME, 1.5), at), (valuation("BOLT", 4.0), at)])
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();

    let asked = json!({"query": "highest dividend stocks"});
    let body = answer(&server, &member, NATURAL, asked, 5).await;
    assert_eq!(
        texts(&body["matches"], "ticker"),
        ["BOLT", "ACME", "OAKS.B", "YNG"]
    );
    assert_eq!(body["understood"]["sort"], "dividend_yield");
    assert_eq!(body["not_understood"], json!([]));
    close_to(&body["matches"][0]["sort_value"], 4.0);
    assert!(body["matches"][2]["sort_value"].is_null());
    assert!(says(&body, "matches.sort_value", "2 of 4"), "{body}");

    let asked = json!({"filters": {}, "sort": "change_ytd", "limit": 1});
    let body = answer(&server, &member, PATH, asked, 5).await;
    assert_eq!(texts(&body["matches"], "ticker"), ["ACME"]);
    assert!(body["matches"][0]["sort_value"].as_f64().unwrap() > 0.0);

    let asked = json!({"query": "stocks with the lowest dividend yield"});
    let body = answer(&server, &member, NATURAL, asked, 5).await;
    assert_eq!(
        texts(&body["matches"], "ticker"),
        ["ACME", "BOLT", "OAKS.B", "YNG"]
    );
    assert_eq!(body["understood"]["order"], "asc");
    let asked = json!({"filters": {}, "sort": "dividend_yield", "order": "asc", "limit": 1});
    let body = answer(&server, &member, PATH, asked, 5).await;
    assert_eq!(texts(&body["matches"], "ticker"), ["ACME"]);

    for query in [
        "tech stocks with the most employees",
        "stocks ranked by beta",
    ] {
        let body = answer(&server, &member, NATURAL, json!({"query": query}), 0).await;
        assert_eq!(body["matches"], json!([]), "{query}");
        assert_ne!(body["not_understood"], json!([]), "{query}");
    }
}

#[tokio::test]
async fn an_order_by_what_nobody_knows_is_none() {
    let server = market().await;
    let member = server.unlimited().await;
    let query = json!({"query": "most bullish stocks"});
    let body = answer(&server, &member, NATURAL, query, 0).await;
    assert_eq!(body["matches"], json!([]));
    assert!(
        says(&body, "matches", "has a value of `sentiment`"),
        "{body}"
    );
    let asked = json!({"filters": {}, "sort": "sentiment"});
    let body = answer(&server, &member, PATH, asked, 5).await;
    assert_eq!(body["total_matches"], 4);
    let reason = "none of the matches has a value of `sentiment`";
    assert!(says(&body, "matches.sort_value", reason), "{body}");
    // A condition that stands in the sentence is answered, whatever the usual order.
    let query = json!({"query": "stocks above their 50-day average"});
    answer(&server, &member, NATURAL, query, 5).await;
}

#[tokio::test]
async fn figures_that_are_not_on_record_cost_nothing() {
    let (server, member) = market_with_news().await;
    for query in [
        "free cash flow yield above 5%",
        "S&P 500 stocks with a return on equity above 20%",
        "tech stocks with a forward P/E below 15",
    ] {
        let body = answer(&server, &member, NATURAL, json!({"query": query}), 0).await;
        assert_eq!(body["matches"], json!([]), "{query}");
        // In the words of the sentence.
        assert!(says(&body, "matches", query), "{body}");
    }
}

#[tokio::test]
async fn presets_can_be_sent_as_they_are() {
    let server = market().await;
    let member = server.unlimited().await;
    let reply = server.get("/api/v1/screener/presets").send().await;
    assert_eq!(reply.charged(), 0);
    let presets = reply.json();
    for preset in presets["presets"].as_array().unwrap() {
        assert_eq!(
            keys(preset),
            ["asset_type", "description", "filters", "id", "name", "sort"]
        );
        let asked = json!({"filters": preset["filters"], "asset_type": preset["asset_type"], "sort": preset["sort"]});
        answer(&server, &member, PATH, asked, 5).await;
    }
}

#[tokio::test]
async fn prices_are_compared_in_one_currency_where_one_is_asked_for() {
    let server = market().await;
    let store = &server.state.store;
    let mut transaction = store.market_transaction(time(RECORDED)).await.unwrap();
    let days = sessions();
    for (ticker, currency, price) in [
        ("EURO", "EUR", 50.0),
        ("YENS", "JPY", 9_000.0),
        ("ZLOT", "PLN", 50.0),
    ] {
        let share = Instrument {
            currency: Some(currency.to_owned()),
            ..instrument(ticker, AssetType::Equity, ticker, Some("Foreign"))
        };
        transaction
            .put_instruments(std::slice::from_ref(&share))
            .await
            .unwrap();
        transaction
            .put_candles(&share, &bars(&days, 1e6, |_| price))
            .await
            .unwrap();
    }
    transaction.commit().await.unwrap();
    let rate = |value| [("2026-03-09", value)];
    put_series(
        &server,
        RECORDED,
        &[
            ("fx:EURUSD", "USD per EUR", Frequency::Daily, 0, &rate(1.2)),
            (
                "fx:USDJPY",
                "JPY per USD",
                Frequency::Daily,
                0,
                &rate(150.0),
            ),
        ],
    )
    .await;
    server.state.market.refresh().await.unwrap();
    let member = server.unlimited().await;
    let ask = async |body: Value| {
        let asked = server.post("/api/v1/screener", &body).bearer(&member.key);
        asked.send().await
    };
    let rows = async |body: Value| -> Vec<(String, f64, String)> {
        let body = ask(body).await.json();
        let rows = body["matches"].as_array().unwrap().iter();
        let mut rows: Vec<_> = rows
            .map(|row| {
                let text = |name: &str| row[name].as_str().unwrap().to_owned();
                (
                    text("ticker"),
                    (row["price"].as_f64().unwrap() * 1e6).round() / 1e6,
                    text("currency"),
                )
            })
            .collect();
        rows.sort_by(|one, other| one.0.cmp(&other.0));
        rows
    };
    let row =
        |ticker: &str, price: f64, currency: &str| (ticker.to_owned(), price, currency.to_owned());
    let own = json!({"filters": {"volume_above": 1}, "sector": "Foreign"});
    assert_eq!(
        rows(own).await,
        [
            row("EURO", 50.0, "EUR"),
            row("YENS", 9_000.0, "JPY"),
            row("ZLOT", 50.0, "PLN")
        ]
    );
    // A number is one of dollars where nothing else is said.
    let number = json!({"filters": {"price_above": 55}, "sector": "Foreign"});
    assert_eq!(
        rows(number).await,
        [row("EURO", 60.0, "USD"), row("YENS", 60.0, "USD")]
    );
    let dollars = json!({"filters": {"price_above": 55}, "sector": "Foreign", "currency": "USD"});
    assert_eq!(
        rows(dollars.clone()).await,
        [row("EURO", 60.0, "USD"), row("YENS", 60.0, "USD")]
    );
    let body = ask(dollars).await.json();
    let reason = body["data_status"][0]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("1 of 3 symbols") && reason.contains("rate"),
        "{reason}"
    );
    let reasons = &body["matches"][0]["match_reasons"][0];
    assert_eq!(*reasons, "price 60.00, above 55");
    let euros = json!({"filters": {"price_below": 49}, "sector": "Foreign", "currency": "eur"});
    assert_eq!(rows(euros).await, []);
    let words =
        json!({"query": "foreign stocks above $55", "sector": "Foreign", "currency": "USD"});
    let said = server
        .post("/api/v1/screener/natural", &words)
        .bearer(&member.key);
    assert_eq!(said.send().await.json()["total_matches"], 2);
    // Dollars in a sentence are dollars, whatever the shares are listed in.
    let natural = async |query: &str, currency: Option<&str>| {
        let mut words = json!({"query": query, "sector": "Foreign"});
        if let Some(currency) = currency {
            words["currency"] = currency.into();
        }
        let asked = server.post("/api/v1/screener/natural", &words);
        let body = asked.bearer(&member.key).send().await.json();
        let rows = body["matches"].as_array().unwrap();
        let mut found: Vec<String> = rows
            .iter()
            .map(|row| format!("{} {}", row["ticker"], row["currency"]).replace('"', ""))
            .collect();
        found.sort();
        (found.join(", "), body["understood"]["currency"].clone())
    };
    let both = "EURO USD, YENS USD".to_owned();
    for (query, found) in [
        ("stocks above $55", both.clone()),
        ("stocks above 55 dollars", both),
        ("stocks under $55", String::new()),
        ("penny stocks", String::new()),
    ] {
        assert_eq!(natural(query, None).await, (found, "USD".into()), "{query}");
    }
    // The same dollars, shown in euros; and a number that is none of any currency.
    let euros = ("EURO EUR, YENS EUR".to_owned(), "EUR".into());
    assert_eq!(natural("stocks above $55", Some("EUR")).await, euros);
    let own = natural("price above 55", None).await;
    assert_eq!(own, ("YENS JPY".to_owned(), Value::Null));
    let unknown = ask(json!({"filters": {}, "currency": "XXX"})).await;
    let unknown = unknown.expect_error(400, "invalid_request");
    assert!(unknown["message"].as_str().unwrap().contains("EUR"));
}

#[tokio::test]
async fn the_past_is_screened_among_what_was_listed_then() {
    let server = market().await;
    let member = server.unlimited().await;
    let days = sessions();
    // A share that stopped trading forty sessions ago, and one that has a price of then and none before.
    let last = days[days.len() - 40];
    let gone = model::Instrument {
        delisted: Some(last),
        ..instrument("GONE", AssetType::Equity, "Gone Works", Some("Utilities"))
    };
    let early = &days[..days.len() - 39];
    let store = &server.state.store;
    let mut transaction = store
        .market_transaction(time("2026-03-09T23:00:00Z"))
        .await
        .unwrap();
    let list = std::slice::from_ref(&gone);
    transaction.put_instruments(list).await.unwrap();
    let candles = bars(early, 1e6, |at| 30.0 + (at % 3) as f64);
    transaction.put_candles(&gone, &candles).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let scanned = async |as_of: &str| {
        let path = format!("/api/v1/screener{as_of}");
        let asked = json!({"filters": {}, "max_age": 2500, "limit": 50});
        let body = server
            .post(&path, &asked)
            .bearer(&member.key)
            .send()
            .await
            .json();
        let rows = body["matches"].as_array().unwrap();
        let mut found: Vec<String> = rows
            .iter()
            .map(|row| row["ticker"].as_str().unwrap().to_owned())
            .collect();
        found.sort();
        (found.join(" "), body["total_scanned"].clone())
    };
    let now = scanned("").await;
    assert_eq!(now, ("ACME BOLT OAKS.B YNG".to_owned(), 4.into()));
    let then = scanned(&format!("?as_of={last}T23:00:00Z")).await;
    assert_eq!(then, ("ACME BOLT GONE OAKS.B".to_owned(), 4.into()));
    let next = days[days.len() - 38];
    let after = scanned(&format!("?as_of={next}T23:00:00Z")).await;
    assert_eq!(after, ("ACME BOLT OAKS.B".to_owned(), 3.into()));
}
