//! Movers, indices, currencies and commodities.

use http::StatusCode;
use model::{Frequency, Observation, Quote, Series, SeriesId};
use serde_json::{Value, json};

use super::fixtures::{SESSIONS, acme, bolt, day, fill, market, sessions, time};
use crate::support::TestServer;

pub(super) fn close_to(found: &Value, wanted: f64) {
    let found = found.as_f64().unwrap_or(f64::NAN);
    assert!(
        (found - wanted).abs() <= 1e-9 * wanted.abs().max(1.0),
        "{found} is not {wanted}"
    );
}

pub(super) async fn get(server: &TestServer, path: &str) -> Value {
    let reply = server.get(&format!("/api/v1{path}")).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    let body = reply.json();
    assert_eq!(body["status"], "ok");
    body
}

/// What a series says: identity, unit, frequency, days of lag, values by day.
pub(super) type SeriesRows<'a> = (&'a str, &'a str, Frequency, i32, &'a [(&'a str, f64)]);

/// Writes series as of a time.
pub(super) async fn put_series(server: &TestServer, at: &str, series: &[SeriesRows<'_>]) {
    let store = &server.state.store;
    let mut transaction = store.market_transaction(time(at)).await.unwrap();
    for (id, unit, frequency, lag, rows) in series {
        let series = Series {
            id: SeriesId((*id).to_owned()),
            name: (*id).to_owned(),
            unit: (*unit).to_owned(),
            frequency: *frequency,
            source: "FRED".to_owned(),
            publication_lag_days: *lag,
        };
        let rows: Vec<Observation> = rows
            .iter()
            .map(|(date, value)| Observation {
                day: day(date),
                value: *value,
            })
            .collect();
        transaction.put_values(&series, &rows).await.unwrap();
    }
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
}

pub(super) async fn quote(server: &TestServer, series: &str, price: f64, before: f64, at: &str) {
    let quote = Quote {
        price,
        previous_close: Some(before),
        volume: Some(5e6),
        at: time(at),
    };
    let market = server.state.store.market();
    market
        .put_quotes(&[(series.to_owned(), quote)])
        .await
        .unwrap();
    server.state.market.refresh().await.unwrap();
}

fn fields(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[tokio::test]
async fn movers_are_shares_against_the_close_before() {
    let server = market().await;
    let body = get(&server, "/market/movers").await;
    assert_eq!(body["date"], "2026-03-09");
    let change =
        |price: fn(usize) -> f64| (price(SESSIONS - 1) / price(SESSIONS - 2) - 1.0) * 100.0;
    let gainers = &body["gainers"];
    assert_eq!(gainers[0]["symbol"], "YNG");
    close_to(&gainers[0]["change_pct"], (12.0 / 11.0 - 1.0) * 100.0);
    assert_eq!(gainers[1]["symbol"], "BOLT");
    close_to(&gainers[1]["change_pct"], change(bolt));
    assert_eq!(gainers[2]["symbol"], "ACME");
    assert_eq!(gainers[2]["name"], "Acme Instruments");
    close_to(&gainers[2]["price"], acme(SESSIONS - 1));
    close_to(&gainers[2]["change_pct"], change(acme));
    assert_eq!(gainers.as_array().unwrap().len(), 3, "OAKS.B stood still");
    assert_eq!(body["losers"].as_array().unwrap().len(), 0);
    assert_eq!(body["most_active"][0]["symbol"], "BOLT");
    assert_eq!(body["most_active"][0]["volume"], 2e6);
    // Neither the fund nor the coin, though both moved; what did not trade is not active.
    let text = body.to_string();
    assert!(!text.contains("FUND") && !text.contains("BTC"));
    assert_eq!(body["most_active"].as_array().unwrap().len(), 3);
    assert_eq!(
        fields(&body["gainers"][0]),
        [
            "symbol",
            "name",
            "price",
            "change_pct",
            "volume",
            "date",
            "currency",
            "stale"
        ]
    );
    assert!(body["data_status"].is_null());
}

#[tokio::test]
async fn a_quote_counts_during_the_session_and_not_as_of_it() {
    let server = market().await;
    server.clock.set("2026-03-10T15:00:00Z");
    let close = acme(SESSIONS - 1);
    quote(
        &server,
        "stock:ACME",
        close * 1.5,
        close,
        "2026-03-10T14:59:00Z",
    )
    .await;
    let body = get(&server, "/market/movers").await;
    assert_eq!(body["date"], "2026-03-10");
    assert_eq!(body["gainers"][0]["symbol"], "ACME");
    close_to(&body["gainers"][0]["change_pct"], 50.0);
    assert_eq!(body["gainers"][0]["volume"], 5e6);
    quote(&server, "stock:BOLT", 30.0, 40.0, "2026-03-10T14:59:30Z").await;
    let body = get(&server, "/market/movers").await;
    assert_eq!(body["losers"][0]["symbol"], "BOLT");
    close_to(&body["losers"][0]["change_pct"], -25.0);
    let then = get(&server, "/market/movers?as_of=2026-03-10T15:00:00Z").await;
    assert_eq!(then["date"], "2026-03-09");
    // Before Monday's close Friday was the newest session; long before there was none.
    let then = get(&server, "/market/movers?as_of=2026-03-09T19:59:00Z").await;
    assert_eq!(then["date"], "2026-03-06");
    let none = get(&server, "/market/movers?as_of=2010-01-01").await;
    assert_eq!(none["gainers"].as_array().unwrap().len(), 0);
    assert_eq!(none["data_status"][0]["field"], "gainers");
    assert!(none["date"].is_null());
}

#[tokio::test]
async fn movers_of_a_stretch_count_from_the_close_before_it() {
    let server = market().await;
    let days = sessions();
    let from = days[SESSIONS - 20];
    let body = get(&server, &format!("/market/movers?from={from}")).await;
    assert_eq!(
        (body["from"].as_str(), body["date"].as_str()),
        (Some(from.to_string().as_str()), Some("2026-03-09"))
    );
    let change =
        |price: fn(usize) -> f64, last: usize| (price(last) / price(SESSIONS - 21) - 1.0) * 100.0;
    let all = |body: &Value| -> Vec<Value> {
        let lists = ["gainers", "losers"];
        let lists = lists.iter().map(|list| body[list].as_array().unwrap());
        lists.flatten().cloned().collect()
    };
    let of = |body: &Value, symbol: &str| -> Value {
        let found = all(body).into_iter().find(|one| one["symbol"] == symbol);
        found.unwrap_or_else(|| panic!("no {symbol} in {body}"))
    };
    close_to(&of(&body, "ACME")["change_pct"], change(acme, SESSIONS - 1));
    close_to(&of(&body, "BOLT")["change_pct"], change(bolt, SESSIONS - 1));
    // A share that was listed in between has no close to count from.
    assert!(all(&body).iter().all(|one| one["symbol"] != "YNG"));
    assert_eq!(body["left_out"], 1);
    assert_eq!(body["most_active"][0]["symbol"], "BOLT");
    assert_eq!(body["most_active"][0]["volume"], 40e6);

    // With `as_of` the stretch lies in the past.
    let path = format!("/market/movers?from={from}&as_of=2026-03-06T23:00:00Z");
    let then = get(&server, &path).await;
    assert_eq!(then["date"], "2026-03-06");
    close_to(&of(&then, "ACME")["change_pct"], change(acme, SESSIONS - 2));

    // A stretch of which no session is known yet is empty, and says what is the latest.
    let ahead = get(&server, "/market/movers?from=2027-01-01").await;
    assert_eq!(all(&ahead), Vec::<Value>::new());
    assert_eq!(
        (&ahead["compared"], &ahead["left_out"]),
        (&json!(0), &json!(0))
    );
    let issue = &ahead["data_status"][0];
    assert_eq!(issue["newest_available"], "2026-03-09T20:00:00Z");
    let reason = "the latest session with prices is 2026-03-09, before 2027-01-01";
    assert_eq!(issue["reason"], reason);
}

#[tokio::test]
async fn old_sessions_are_called_stale() {
    let server = market().await;
    server.clock.set("2026-04-10T15:00:00Z");
    let body = get(&server, "/market/movers").await;
    assert_eq!(body["date"], "2026-03-09");
    assert_eq!(body["data_status"][0]["stale"], true);
}

#[tokio::test]
async fn the_summary_names_the_indices_that_it_lacks() {
    let server = TestServer::start().await;
    let rows = [("2026-03-06", 6000.0), ("2026-03-09", 6060.0)];
    put_series(
        &server,
        "2026-03-09T22:00:00Z",
        &[
            ("index:^GSPC", "index", Frequency::Daily, 0, &rows),
            (
                "index:^VIX",
                "index",
                Frequency::Daily,
                0,
                &[("2026-02-02", 17.5)],
            ),
        ],
    )
    .await;
    let body = get(&server, "/market/summary").await;
    let indices = body["indices"].as_array().unwrap();
    assert_eq!(indices.len(), 2);
    assert_eq!(indices[0]["symbol"], "^GSPC");
    assert_eq!(indices[0]["name"], "S&P 500");
    assert_eq!(indices[0]["price"], 6060.0);
    close_to(&indices[0]["change_pct"], 1.0);
    assert_eq!(indices[1]["symbol"], "^VIX");
    assert!(indices[1]["change_pct"].is_null());
    let status = body["data_status"].to_string();
    for missing in ["^DJI", "^IXIC", "^RUT"] {
        assert!(status.contains(missing), "{status}");
    }
    let stale: Vec<&Value> = body["data_status"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["stale"] == true)
        .collect();
    assert_eq!(stale.len(), 1);
    assert_eq!(stale[0]["reported_at"], "2026-02-02T21:00:00Z");
    assert_eq!(stale[0]["fetched_at"], "2026-03-09T22:00:00Z");

    quote(
        &server,
        "index:^GSPC",
        6120.6,
        6060.0,
        "2026-03-10T11:00:00Z",
    )
    .await;
    let body = get(&server, "/market/summary").await;
    assert_eq!(body["indices"][0]["price"], 6120.6);
    close_to(&body["indices"][0]["change_pct"], 1.0);
    let then = get(&server, "/market/summary?as_of=2026-03-10T11:30:00Z").await;
    assert_eq!(then["indices"][0]["price"], 6060.0);
    let then = get(&server, "/market/summary?as_of=2026-03-09T12:00:00Z").await;
    assert_eq!(then["indices"][0]["price"], 6000.0, "Monday was not over");
}

#[tokio::test]
async fn pairs_are_found_in_every_form() {
    let server = TestServer::start().await;
    let rows = [("2026-03-06", 1.10), ("2026-03-09", 1.155)];
    let yen = [("2026-03-09", 150.0)];
    put_series(
        &server,
        "2026-03-09T22:00:00Z",
        &[
            ("fx:EURUSD", "USD per EUR", Frequency::Daily, 0, &rows),
            ("fx:USDJPY", "JPY per USD", Frequency::Daily, 0, &yen),
        ],
    )
    .await;
    for form in ["EURUSD", "eurusd", "EUR-USD", "EUR%2FUSD", "EURUSD=X"] {
        let body = get(&server, &format!("/forex/{form}")).await;
        assert_eq!(body["pair"], "EURUSD", "{form}");
        assert_eq!(body["label"], "Euro / US Dollar");
        assert_eq!(body["rate"], 1.155);
        close_to(&body["change_pct"], 5.0);
        assert!(body["data_status"].is_null());
    }
    let list = get(&server, "/forex").await;
    assert_eq!(list["pairs"].as_array().unwrap().len(), 2);
    assert_eq!(list["pairs"][1]["pair"], "USDJPY");
    assert!(list["pairs"][1]["change_pct"].is_null());
    assert_eq!(list["data_status"].as_array().unwrap().len(), 5);
    let unknown = get(&server, "/forex/GBPUSD").await;
    assert!(unknown["rate"].is_null());
    assert_eq!(unknown["data_status"][0]["field"], "rate");
    let body = server.get("/api/v1/forex/EURUSS").send().await;
    let body = body.expect_error(404, "not_found");
    assert_eq!(body["suggestions"][0], "EURUSD");
    let reply = server.get("/api/v1/forex/EURUSD").send().await;
    assert_eq!(reply.charged(), 1);
    let reply = server.get("/api/v1/forex?as_of=2099-01-01").send().await;
    reply.expect_error(400, "invalid_request");
}

#[tokio::test]
async fn of_two_sources_of_a_commodity_the_newer_counts() {
    let server = TestServer::start().await;
    let futures = [("2026-03-05", 70.0), ("2026-03-06", 77.0)];
    let spot = [("2026-03-05", 60.0), ("2026-03-09", 66.0)];
    let copper = [("2025-12-01", 8000.0), ("2026-01-01", 8400.0)];
    put_series(
        &server,
        "2026-03-09T22:00:00Z",
        &[
            (
                "commodity:crude/futures",
                "USD per barrel",
                Frequency::Daily,
                0,
                &futures,
            ),
            (
                "commodity:crude/spot",
                "USD per barrel",
                Frequency::Daily,
                0,
                &spot,
            ),
            (
                "macro:PCOPPUSDM",
                "USD per tonne",
                Frequency::Monthly,
                45,
                &copper,
            ),
        ],
    )
    .await;
    let body = get(&server, "/commodities/crude").await;
    assert_eq!(body["symbol"], "crude");
    assert_eq!(body["name"], "Crude Oil (WTI)");
    assert_eq!(body["price"], 66.0);
    close_to(&body["change_pct"], 10.0);
    assert_eq!(body["currency"], "USD");
    assert_eq!(body["unit"], "USD per barrel");
    assert_eq!(body["series"], "commodity:crude/spot");
    assert_eq!(body["frequency"], "daily");
    assert_eq!(body["date"], "2026-03-09");
    // The Monday was over at midnight.
    let then = get(&server, "/commodities/CRUDE?as_of=2026-03-09T23:00:00Z").await;
    assert_eq!(then["price"], 77.0);
    let list = get(&server, "/commodities").await;
    let found = list["commodities"].as_array().unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!(found[1]["symbol"], "copper");
    assert_eq!(found[1]["frequency"], "monthly");
    assert_eq!(found[1]["source"], "FRED");
    assert_eq!(list["data_status"].as_array().unwrap().len(), 8);
    assert_eq!(get(&server, "/commodities/oil").await["symbol"], "crude");
    let body = server.get("/api/v1/commodities/sliver").send().await;
    assert_eq!(
        body.expect_error(404, "not_found")["suggestions"][0],
        "silver"
    );
}

#[tokio::test]
async fn what_is_quoted_in_cents_is_served_in_dollars_from_every_source() {
    let server = TestServer::start().await;
    let daily = Frequency::Daily;
    let wheat = [("2026-03-06", 550.0), ("2026-03-09", 545.0)];
    let month = [("2026-01-01", 210.0), ("2026-02-01", 200.0)];
    let coffee = [("2026-01-01", 350.5)];
    let at = "2026-03-09T22:00:00Z";
    let series: [SeriesRows<'_>; 3] = [
        (
            "commodity:wheat/futures",
            "US cents per bushel",
            daily,
            0,
            &wheat,
        ),
        (
            "macro:PWHEAMTUSDM",
            "USD per tonne",
            Frequency::Monthly,
            45,
            &month,
        ),
        (
            "macro:PCOFFOTMUSDM",
            "US cents per pound",
            Frequency::Monthly,
            45,
            &coffee,
        ),
    ];
    put_series(&server, at, &series).await;
    let body = get(&server, "/commodities/wheat?range=1mo").await;
    close_to(&body["price"], 5.45);
    close_to(&body["change_pct"], (545.0 / 550.0 - 1.0) * 100.0);
    assert_eq!(
        (&body["currency"], &body["unit"]),
        (&"USD".into(), &"USD per bushel".into())
    );
    close_to(&body["history"][0]["value"], 5.5);
    let list = get(&server, "/commodities").await;
    let rows = list["commodities"].as_array().unwrap();
    for (row, price, unit) in [
        (&rows[0], 5.45, "USD per bushel"),
        (&rows[1], 3.505, "USD per pound"),
    ] {
        close_to(&row["price"], price);
        assert_eq!(row["unit"], unit);
    }
    // The spot price of a month before the futures began to be stored.
    let then = get(&server, "/commodities/wheat?as_of=2026-03-01").await;
    assert_eq!(
        (&then["price"], &then["unit"]),
        (&210.0.into(), &"USD per tonne".into())
    );
    quote(
        &server,
        "commodity:wheat/futures",
        560.0,
        545.0,
        "2026-03-10T11:00:00Z",
    )
    .await;
    let body = get(&server, "/commodities/wheat").await;
    close_to(&body["price"], 5.6);
    close_to(&body["change_pct"], (560.0 / 545.0 - 1.0) * 100.0);
}

#[tokio::test]
async fn a_correction_of_a_rate_is_known_from_when_it_was_reported() {
    let server = TestServer::start().await;
    fill(&server).await;
    for (at, rate) in [("2026-03-09T22:00:00Z", 1.1), ("2026-03-10T09:00:00Z", 1.2)] {
        let rows = [("2026-03-06", rate)];
        put_series(
            &server,
            at,
            &[("fx:EURUSD", "", Frequency::Daily, 0, &rows)],
        )
        .await;
    }
    let rate =
        async |as_of: &str| get(&server, &format!("/forex/EURUSD{as_of}")).await["rate"].as_f64();
    assert_eq!(rate("").await, Some(1.2));
    assert_eq!(rate("?as_of=2026-03-10T08:00:00Z").await, Some(1.1));
    assert_eq!(rate("?as_of=2026-03-06T23:59:59Z").await, None);
}
