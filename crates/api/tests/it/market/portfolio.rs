//! Briefs ranked by what they mean for a portfolio.

use model::Category;
use serde_json::json;

use super::trading::{answer, close_to, market_with_news, post, refuses, says, texts};
use crate::news::fixtures::{keys, narrow};

const PATH: &str = "/portfolio/feed";

#[tokio::test]
async fn briefs_rank_by_share_sentiment_and_freshness() {
    let (server, member) = market_with_news().await;
    let body = json!({"holdings": [
        {"ticker": "nasdaq:acme", "weight": 0.6},
        {"ticker": "BOLT", "weight": 0.2, "direction": "short"},
        {"ticker": "OAKS.B", "weight": 0.2, "direction": "long"},
    ], "unknown": 1});
    let body = answer(&server, &member, PATH, body, 17).await;
    assert_eq!(
        texts(&body["briefs"], "id"),
        ["PR-2026-0310-001", "PR-2026-0310-002", "PR-2026-0310-003"]
    );
    assert_eq!(body["total"], 3);
    let first = &body["briefs"][0];
    assert_eq!(
        keys(first),
        [
            "category",
            "confidence_score",
            "headline",
            "id",
            "portfolio_relevance",
            "published_at",
            "updated_at"
        ]
    );
    let relevance = &first["portfolio_relevance"];
    // 0.6 of the portfolio, wholly about it, sentiment 0.4 from neutral, two hours old, confidence 0.5.
    let expected = 0.6 * 0.9 * (-2.0_f64 / 24.0).exp2() * 0.75;
    close_to(&relevance["score"], expected);
    let matched = &relevance["matched_holdings"][0];
    assert_eq!(
        keys(matched),
        [
            "change_pct",
            "currency",
            "date",
            "impact",
            "price",
            "sentiment_score",
            "stale",
            "ticker",
            "weight"
        ]
    );
    assert_eq!(
        (&matched["date"], &matched["currency"], &matched["stale"]),
        (&"2026-03-09".into(), &"USD".into(), &false.into())
    );
    assert_eq!(matched["ticker"], "ACME");
    assert_eq!(matched["weight"], 0.6);
    close_to(&matched["impact"], 0.6 * 0.8);
    // Bad news of what is sold short is good.
    let short = &body["briefs"][2]["portfolio_relevance"]["matched_holdings"][0];
    close_to(&short["impact"], 0.2 * 0.6);
    let summary = &body["portfolio_summary"];
    assert_eq!(summary["holdings_with_activity"], 2);
    close_to(
        &summary["avg_portfolio_sentiment"],
        (0.8 * 0.6 + 0.8 * 0.2) / 0.8,
    );
}

#[tokio::test]
async fn windows_pages_scopes_and_times_narrow() {
    let (server, member) = market_with_news().await;
    let holdings = json!([{"ticker": "ACME", "weight": 50}, {"ticker": "BOLT", "weight": 50}]);
    let ask = |since: &str| json!({"holdings": holdings, "since": since});
    let body = answer(&server, &member, PATH, ask("3h"), 17).await;
    assert_eq!(texts(&body["briefs"], "id"), ["PR-2026-0310-001"]);
    let body = answer(&server, &member, PATH, ask("1h"), 17).await;
    assert_eq!(body["briefs"], json!([]));
    assert!(body["portfolio_summary"]["avg_portfolio_sentiment"].is_null());
    assert!(says(&body, "briefs", "no brief in the last hour"), "{body}");
    let paged = json!({"holdings": holdings, "since": "7d", "per_page": 1});
    let body = answer(&server, &member, PATH, paged, 17).await;
    assert_eq!(
        (body["briefs"].as_array().unwrap().len(), &body["total"]),
        (1, &json!(3))
    );
    let path = format!("{PATH}?as_of=2026-03-10T08:00:00Z");
    let body = answer(&server, &member, &path, ask("24h"), 17).await;
    assert_eq!(
        texts(&body["briefs"], "id"),
        ["PR-2026-0310-003", "PR-2026-0310-002"]
    );
    let markets = narrow(&server, &[Category::Markets]).await;
    let body = answer(&server, &markets, PATH, ask("7d"), 17).await;
    assert_eq!(texts(&body["briefs"], "id"), ["PR-2026-0310-002"]);
    let uncovered = json!({"holdings": [{"ticker": "ZZZZ", "weight": 1}]});
    let body = answer(&server, &member, PATH, uncovered, 17).await;
    assert!(says(&body, "holdings", "ZZZZ"), "{body}");
}

#[tokio::test]
async fn the_heaviest_weights_are_still_numbers() {
    let (server, member) = market_with_news().await;
    let body = json!({"holdings": [{"ticker": "ACME", "weight": 1e12}, {"ticker": "BOLT", "weight": 1e12}]});
    let body = answer(&server, &member, PATH, body, 17).await;
    let matched = &body["briefs"][0]["portfolio_relevance"]["matched_holdings"][0];
    // Half of the portfolio, sentiment 0.4 from neutral.
    close_to(&matched["impact"], 0.5 * 0.8);
}

#[tokio::test]
async fn bad_portfolios_are_refused_by_name() {
    let (server, member) = market_with_news().await;
    let one =
        |weight: serde_json::Value| json!({"holdings": [{"ticker": "ACME", "weight": weight}]});
    let many: Vec<_> = (0..101)
        .map(|at| json!({"ticker": format!("T{at}"), "weight": 1}))
        .collect();
    let with = |name: &str, value: serde_json::Value| json!({"holdings": [{"ticker": "ACME", "weight": 1}], name: value});
    refuses(
        &server,
        PATH,
        &[
            (json!({}), "holdings"),
            (json!({"holdings": []}), "holdings"),
            (json!({"holdings": many}), "holdings"),
            (json!({"holdings": [{"ticker": "ACME"}]}), "weight"),
            (one(json!(-0.1)), "holdings[0].weight"),
            (one(json!("half")), "holdings[0].weight"),
            (one(json!(1_000_000_000_001_u64)), "holdings[0].weight"),
            (one(json!(1e300)), "holdings[0].weight"),
            (one(json!(0)), "holdings"),
            (json!({"holdings": [{"ticker": "a b", "weight": 1}]}), "holdings[0].ticker"),
            (
                json!({"holdings": [{"ticker": "ACME", "weight": 50}, {"ticker": "BOLT", "weight": 0.5}]}),
                "mix weights such as 50 with weights such as 0.5",
            ),
            (with("max_age", json!(2501)), "max_age"),
            (json!({"holdings": [{"ticker": "ACME", "weight": 1, "direction": "up"}]}), "direction"),
            (
                json!({"holdings": [{"ticker": "ACME", "weight": 1}, {"ticker": "acme", "weight": 1}]}),
                "ACME appears twice",
            ),
            (with("per_page", json!(0)), "per_page"),
            (with("per_page", json!(51)), "per_page"),
            (with("since", json!("2w")), "since"),
            (with("since", json!("31d")), "since"),
            (with("since", json!(24)), "since"),
        ],
    )
    .await;
    let reply = post(
        &server,
        &member,
        &format!("{PATH}?as_of=2027-01-01"),
        one(json!(1)),
    )
    .await;
    reply.expect_error(400, "invalid_request");
}

#[tokio::test]
async fn a_repeated_question_costs_once() {
    let (server, member) = market_with_news().await;
    let body = json!({"holdings": [{"ticker": "ACME", "weight": 1}]});
    let ask = async |query: &str| {
        server
            .post(&format!("/api/v1{PATH}{query}"), &body)
            .bearer(&member.key)
            .header("idempotency-key", "again")
            .send()
            .await
    };
    let first = ask("").await;
    let again = ask("").await;
    assert_eq!((first.charged(), again.charged()), (17, 0));
    assert_eq!(first.json(), again.json());
    // Another as-of time is another request.
    ask("?as_of=2026-03-09T00:00:00Z")
        .await
        .expect_error(422, "idempotency_mismatch");
    let demo = server.post(&format!("/api/v1{PATH}"), &body).send().await;
    assert_eq!(demo.charged(), 17);
}
