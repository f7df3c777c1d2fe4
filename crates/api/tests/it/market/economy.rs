//! Indicators and the yield curve.

use model::Frequency;

use super::markets::{close_to, get, put_series};
use crate::support::TestServer;

const AT: &str = "2026-03-09T22:00:00Z";

async fn economy() -> TestServer {
    let server = TestServer::start().await;
    let prices: Vec<(String, f64)> = (0..26)
        .map(|month| {
            let date = format!("{}-{:02}-01", 2024 + month / 12, month % 12 + 1);
            (date, 300.0 * 1.0025_f64.powi(month))
        })
        .collect();
    let prices: Vec<(&str, f64)> = prices
        .iter()
        .map(|(date, value)| (date.as_str(), *value))
        .collect();
    let rates = [("2026-01-01", 4.3), ("2026-02-01", 4.4)];
    put_series(
        &server,
        AT,
        &[
            ("macro:CPIAUCSL", "index", Frequency::Monthly, 43, &prices),
            ("macro:UNRATE", "percent", Frequency::Monthly, 35, &rates),
            (
                "macro:GDP",
                "billions of USD",
                Frequency::Quarterly,
                119,
                &[("2024-01-01", 28_000.0)],
            ),
        ],
    )
    .await;
    server
}

#[tokio::test]
async fn indicators_have_names_ids_and_newest_values() {
    let server = economy().await;
    let body = get(&server, "/economy").await;
    let found = body["indicators"].as_array().unwrap();
    let names: Vec<&str> = found
        .iter()
        .filter_map(|one| one["slug"].as_str())
        .collect();
    assert_eq!(names, ["gdp", "cpi", "unemployment", "inflation"]);
    assert_eq!(found[2]["name"], "Unemployment Rate");
    assert_eq!(found[2]["series_id"], "UNRATE");
    assert_eq!(found[2]["latest_value"], 4.4);
    assert_eq!(found[2]["latest_date"], "2026-02-01");
    assert_eq!(found[3]["series_id"], "CPIAUCSL");
    assert_eq!(found[3]["unit"], "percent");
    let status = body["data_status"].as_array().unwrap();
    let missing = status.iter().filter(|one| one["stale"] == false).count();
    assert_eq!(found.len() + missing, 12);
    let names = body["data_status"].to_string();
    assert!(
        names.contains("HOUST") && !names.contains("GDPC1"),
        "{names}"
    );
    let stale: Vec<&str> = status
        .iter()
        .filter(|one| one["stale"] == true)
        .filter_map(|one| one["reason"].as_str())
        .collect();
    assert!(
        stale.len() == 1 && stale[0].contains("Gross Domestic Product"),
        "{stale:?}"
    );
    let reply = server.get("/api/v1/economy").send().await;
    assert_eq!(reply.charged(), 2);
}

#[tokio::test]
async fn observations_come_newest_first_and_as_they_were_published() {
    let server = economy().await;
    let body = get(&server, "/economy/cpi").await;
    assert_eq!(body["name"], "Consumer Price Index");
    assert_eq!(body["observations"].as_array().unwrap().len(), 10);
    assert_eq!(body["observations"][0], body["latest"]);
    assert_eq!(body["latest"]["date"], "2026-02-01");
    assert_eq!(body["observations"][1]["date"], "2026-01-01");
    assert_eq!(body["unit"], "index");
    assert_eq!(body["frequency"], "monthly");
    // January's index is public 43 days after 1 January, at the end of 13 February.
    for (time, newest) in [
        ("2026-02-13T23:59:59Z", "2025-12-01"),
        ("2026-02-14T00:00:00Z", "2026-01-01"),
    ] {
        let then = get(&server, &format!("/economy/cpi?as_of={time}&limit=1")).await;
        assert_eq!(then["latest"]["date"], newest);
        assert_eq!(then["observations"].as_array().unwrap().len(), 1);
    }
    for limit in ["0", "501", "ten"] {
        let path = format!("/api/v1/economy/cpi?limit={limit}");
        let body = server
            .get(&path)
            .send()
            .await
            .expect_error(400, "invalid_request");
        assert!(body["message"].as_str().unwrap().contains("limit"));
    }
}

#[tokio::test]
async fn inflation_is_the_change_of_a_year() {
    let server = economy().await;
    let body = get(&server, "/economy/inflation?limit=500").await;
    assert_eq!(body["observations"].as_array().unwrap().len(), 14);
    assert_eq!(body["series_id"], "CPIAUCSL");
    assert_eq!(body["unit"], "percent");
    let year = (1.0025_f64.powi(12) - 1.0) * 100.0;
    close_to(&body["latest"]["value"], year);
    close_to(&body["observations"][13]["value"], year);
}

#[tokio::test]
async fn what_is_not_known_is_said() {
    let server = economy().await;
    // Not one of the twelve, and still found by its word.
    let body = get(&server, "/economy/real_gdp").await;
    assert_eq!(body["name"], "Real Gross Domestic Product");
    let body = get(&server, "/economy/housing_starts").await;
    assert!(body["latest"].is_null());
    assert_eq!(body["observations"].as_array().unwrap().len(), 0);
    assert!(
        body["data_status"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("HOUST")
    );
    let body = server.get("/api/v1/economy/unemploymnt").send().await;
    let body = body.expect_error(404, "not_found");
    assert_eq!(body["suggestions"][0], "unemployment");
    let empty = get(&server, "/economy/yields").await;
    assert_eq!(empty["yields"].as_array().unwrap().len(), 0);
    assert!(empty["spread_10y_2y"].is_null() && empty["inverted"].is_null());
    assert_eq!(empty["data_status"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn the_spread_is_of_the_newest_day_with_both() {
    let server = TestServer::start().await;
    let daily = Frequency::Daily;
    put_series(
        &server,
        AT,
        &[
            (
                "macro:DGS2",
                "percent",
                daily,
                1,
                &[("2026-03-05", 4.3), ("2026-03-06", 4.5)],
            ),
            ("macro:DGS5", "percent", daily, 1, &[("2026-03-06", 4.0)]),
            (
                "macro:DGS10",
                "percent",
                daily,
                1,
                &[
                    ("2026-03-05", 4.4),
                    ("2026-03-06", 4.2),
                    ("2026-03-09", 4.9),
                ],
            ),
            ("macro:DGS30", "percent", daily, 1, &[("2026-03-06", 4.6)]),
        ],
    )
    .await;
    let body = get(&server, "/economy/yields").await;
    let words: Vec<&str> = body["yields"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["maturity"].as_str())
        .collect();
    assert_eq!(words, ["2y", "5y", "10y", "30y"]);
    assert_eq!(body["yields"][2]["yield_pct"], 4.9);
    assert_eq!(body["yields"][2]["date"], "2026-03-09");
    assert_eq!(body["yields"][2]["name"], "10-Year Treasury");
    close_to(&body["spread_10y_2y"], -0.3);
    assert_eq!(body["inverted"], true);
    // Friday's yields are public at the end of Saturday.
    let then = get(&server, "/economy/yields?as_of=2026-03-07T23:00:00Z").await;
    close_to(&then["spread_10y_2y"], 0.1);
    assert_eq!(then["inverted"], false);
}

#[tokio::test]
async fn a_value_names_the_series_that_it_is_from() {
    let server = TestServer::start().await;
    let prices = [("2025-02-01", 300.0), ("2026-02-01", 309.0)];
    put_series(
        &server,
        AT,
        &[
            ("macro:CPIAUCNS", "index", Frequency::Monthly, 43, &prices),
            (
                "macro:DFF",
                "percent",
                Frequency::Daily,
                1,
                &[("2026-03-06", 3.6)],
            ),
        ],
    )
    .await;
    let list = get(&server, "/economy").await;
    let listed = list["indicators"].as_array().unwrap();
    assert_eq!(listed.len(), 3, "{list}");
    for one in listed {
        let slug = one["slug"].as_str().unwrap();
        let single = get(&server, &format!("/economy/{slug}")).await;
        assert_eq!(one["series_id"], single["series_id"], "{slug}");
        assert_eq!(one["latest_value"], single["latest"]["value"], "{slug}");
        let expected = if slug == "fed_funds" {
            "DFF"
        } else {
            "CPIAUCNS"
        };
        assert_eq!(one["series_id"], expected, "{slug}");
    }
}
