//! Sectors by volume of briefs.

use model::Category;

use super::fixtures::{NEWEST, SESSIONS, acme, market};
use super::trading::{close_to, market_with_news, says};
use crate::news::fixtures::{keys, narrow};

#[tokio::test]
async fn sectors_rank_by_briefs_and_the_silent_ones_are_absent() {
    let (server, member) = market_with_news().await;
    let reply = server
        .get("/api/v1/sectors")
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(reply.charged(), 2);
    let body = reply.json();
    let sectors = body["sectors"].as_array().unwrap();
    assert_eq!(sectors.len(), 1, "{body}");
    let first = &sectors[0];
    assert_eq!(
        keys(first),
        [
            "as_of",
            "avg_sentiment",
            "brief_count",
            "change_pct",
            "currency",
            "date",
            "price",
            "sector",
            "signal",
            "stale",
            "top_ticker"
        ]
    );
    assert_eq!(first["as_of"], "2026-03-10T10:00:00Z");
    close_to(&first["price"], acme(SESSIONS - 1));
    assert_eq!(
        (&first["date"], &first["currency"], &first["stale"]),
        (&NEWEST.into(), &"USD".into(), &false.into())
    );
    assert_eq!(first["sector"], "Information Technology");
    assert_eq!(first["brief_count"], 3);
    close_to(&first["avg_sentiment"], 0.6);
    assert_eq!(first["signal"], "bullish");
    assert_eq!(first["top_ticker"], "ACME");
    assert!(says(&body, "sectors", "1 of 2 sectors"), "{body}");

    let wide = server.get("/api/v1/sectors?days=90").send().await.json();
    assert_eq!(wide["sectors"].as_array().unwrap().len(), 2);
    assert_eq!(wide["sectors"][1]["sector"], "Utilities");
    assert!(wide.get("data_status").is_none(), "{wide}");

    let before = server
        .get("/api/v1/sectors?as_of=2026-03-09T19:00:00Z")
        .send()
        .await
        .json();
    assert_eq!(before["sectors"][0]["brief_count"], 1);
}

#[tokio::test]
async fn a_narrow_key_counts_only_its_briefs_and_bounds_hold() {
    let (server, _) = market_with_news().await;
    let member = narrow(&server, &[Category::Markets]).await;
    let body = server
        .get("/api/v1/sectors")
        .bearer(&member.key)
        .send()
        .await
        .json();
    assert_eq!(body["sectors"][0]["brief_count"], 1);
    for days in ["0", "91", "x", "-1"] {
        let reply = server
            .get(&format!("/api/v1/sectors?days={days}"))
            .send()
            .await;
        let error = reply.expect_error(400, "invalid_request");
        assert!(error["message"].as_str().unwrap().contains("days"));
    }
    let silent = market().await;
    let body = silent.get("/api/v1/sectors").send().await.json();
    assert_eq!(body["sectors"], serde_json::json!([]));
    assert!(says(&body, "sectors", "2 of 2 sectors"), "{body}");
}
