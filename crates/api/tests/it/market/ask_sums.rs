//! `/ask`: sums that are converted, positions that are valued, shares and sectors ranked by price.

use model::Frequency;
use serde_json::{Value, json};

use super::fixtures::{SESSIONS, acme, bolt, sessions};
use super::markets::{close_to, put_series};
use super::trading::market_with_news;
use crate::support::{TestMember, TestServer};

async fn ask(server: &TestServer, member: &TestMember, question: &str) -> (Value, String) {
    let body = json!({"question": question});
    let reply = server.post("/api/v1/ask", &body).bearer(&member.key);
    let reply = reply.send().await;
    assert_eq!(reply.status.as_u16(), 200, "{question}: {}", reply.text());
    let body = reply.json();
    let summary = body["summary"].as_str().unwrap().to_owned();
    (body, summary)
}

async fn with_rates() -> (TestServer, TestMember) {
    let (server, member) = market_with_news().await;
    let euro = [("2026-03-06", 1.10), ("2026-03-09", 1.25)];
    let yen = [("2026-03-09", 160.0)];
    put_series(
        &server,
        "2026-03-09T22:00:00Z",
        &[
            ("fx:EURUSD", "USD per EUR", Frequency::Daily, 0, &euro),
            ("fx:USDJPY", "JPY per USD", Frequency::Daily, 0, &yen),
        ],
    )
    .await;
    (server, member)
}

#[tokio::test]
async fn a_sum_is_converted_directly_turned_round_or_by_way_of_the_dollar() {
    let (server, member) = with_rates().await;
    for (question, result, said) in [
        ("100 euros in yen", 20_000.0, "20,000 JPY"),
        ("how much is 8,000 yen in dollars", 50.0, "$50"),
        ("convert 250 usd to eur", 200.0, "200 EUR"),
    ] {
        let (body, summary) = ask(&server, &member, question).await;
        close_to(&body["data"]["conversion"]["result"], result);
        assert!(summary.contains(said), "{question}: {summary}");
        assert!(summary.contains("9 Mar 2026"), "{question}: {summary}");
    }
    let (_, summary) = ask(&server, &member, "EUR/JPY").await;
    assert!(summary.contains("1 EUR = 200.00 JPY"), "{summary}");
    assert!(
        summary.contains("EUR/USD 1.2500") && summary.contains("USD/JPY 160.00"),
        "the route: {summary}"
    );
    let (body, summary) = ask(&server, &member, "1 million usd in rupees").await;
    assert!(body["data"].get("conversion").is_none());
    assert!(
        summary.contains("No rate of the US dollar in the Indian rupee"),
        "{summary}"
    );
    let (_, summary) = ask(&server, &member, "100 pounds in dollars").await;
    assert!(summary.contains("No rate"), "none is stored: {summary}");
}

#[tokio::test]
async fn a_number_of_shares_is_worth_their_number_times_the_price() {
    let (server, member) = market_with_news().await;
    let price = acme(SESSIONS - 1);
    let (body, summary) = ask(&server, &member, "what are 100 shares of ACME worth").await;
    close_to(&body["data"]["position"]["value"], 100.0 * price);
    assert_eq!(body["intents"], json!(["price"]));
    assert_eq!(body["credits_used"], 1);
    assert!(summary.contains("9 Mar 2026"), "{summary}");

    let (body, summary) = ask(
        &server,
        &member,
        "I bought 100 ACME at 200, what is my profit",
    )
    .await;
    close_to(&body["data"]["position"]["gain"], 100.0 * (price - 200.0));
    let word = if price < 200.0 { "loss" } else { "gain" };
    assert!(summary.contains(word), "{summary}");
    assert!(summary.contains("Dividends, fees and taxes"), "{summary}");

    let (body, summary) = ask(
        &server,
        &member,
        "I own 20 ACME and 30 BOLT, what is that worth",
    )
    .await;
    let total = 20.0 * price + 30.0 * bolt(SESSIONS - 1);
    close_to(&body["data"]["position"]["ACME"]["total"], total);
    assert!(summary.contains("Together they are worth"), "{summary}");
}

#[tokio::test]
async fn a_holding_that_decides_is_named_first_by_its_value() {
    let (server, member) = market_with_news().await;
    let question = "I own 500 ACME and 1 BOLT, what should I worry about?";
    let (body, summary) = ask(&server, &member, question).await;
    let share = body["data"]["position"]["ACME"]["weight_pct"]
        .as_f64()
        .unwrap();
    assert!(share > 60.0);
    let told = format!("concentration: **ACME** is {share:.1}% of the portfolio");
    assert!(summary.contains(&told), "{summary}");
    assert!(summary.find(&told) < summary.find("signal"), "{summary}");
    // As many shares of each: none decides.
    let (_, summary) = ask(&server, &member, "my holdings are ACME and BOLT, any risk?").await;
    assert!(!summary.contains("concentration"), "{summary}");
}

#[tokio::test]
async fn what_is_asked_for_stands_first() {
    let (server, member) = market_with_news().await;
    let (body, summary) = ask(&server, &member, "ACME support and resistance").await;
    let levels = &body["data"]["analysis"]["levels"];
    let first = summary.lines().next().unwrap();
    for side in ["support", "resistance"] {
        let level = levels[side].as_f64();
        let told = level.map_or_else(
            || format!("no {side} among"),
            |level| format!("nearest {side} at **${level:.2}**"),
        );
        assert!(first.contains(&told), "{side}: {levels} {summary}");
    }
    let (_, summary) = ask(&server, &member, "how much does ACME pay in dividends").await;
    assert!(
        summary.contains("Dividend payments of ACME are not on record"),
        "{summary}"
    );
}

#[tokio::test]
async fn money_of_then_is_worth_what_its_shares_are_now() {
    let (server, member) = market_with_news().await;
    let question = "$1000 invested in ACME in September 2025 would be worth";
    let (body, summary) = ask(&server, &member, question).await;
    let position = &body["data"]["position"];
    let closes = body["data"]["bought"]["candles"].as_array().unwrap();
    let of_then = closes
        .iter()
        .find(|candle| candle["date"].as_str() >= Some("2025-09-01"))
        .unwrap();
    assert_eq!(position["bought_on"], of_then["date"]);
    let price = acme(SESSIONS - 1);
    let expected = 1_000.0 / of_then["close"].as_f64().unwrap() * price;
    close_to(&position["value"], expected);
    assert!(
        summary.contains("2 Sep 2025"),
        "a holiday before: {summary}"
    );
    assert!(summary.contains("9 Mar 2026"), "{summary}");
    assert!(summary.contains("Dividends, fees and taxes"), "{summary}");
    // Before anything is on record.
    let (body, summary) = ask(&server, &member, "if I had bought ACME in 2010").await;
    assert!(body["data"].get("position").is_none());
    assert!(summary.contains("no price of the time"), "{summary}");
}

#[tokio::test]
async fn shares_and_sectors_are_ranked_by_how_far_they_went() {
    let (server, member) = market_with_news().await;
    let (body, summary) = ask(
        &server,
        &member,
        "which stocks fell more than 5% since September 2025",
    )
    .await;
    let movers = &body["data"]["movers"];
    let matching = movers["matching"].as_array().unwrap();
    assert_eq!(movers["total_matching"], matching.len());
    assert!(matching.iter().any(|one| one["symbol"] == "BOLT"));
    assert!(
        matching
            .iter()
            .all(|one| one["change_pct"].as_f64().unwrap() < -5.0)
    );
    assert!(summary.contains("fell more than 5%"), "{summary}");

    let (body, summary) = ask(&server, &member, "which sector did best today").await;
    let sectors = body["data"]["movers"]["sectors"].as_array().unwrap();
    assert_eq!(
        sectors.len(),
        1,
        "one share alone is no sector: {sectors:?}"
    );
    assert_eq!(sectors[0]["sector"], "Information Technology");
    assert_eq!(sectors[0]["shares"], 3);
    assert!(summary.contains("Information Technology"), "{summary}");
}

#[tokio::test]
async fn the_day_of_a_level_is_looked_up_in_all_candles() {
    let (server, member) = market_with_news().await;
    let days = sessions();
    let at = (0..SESSIONS).rfind(|at| acme(*at) < 120.0).unwrap();
    let (body, summary) = ask(&server, &member, "when did ACME last close below 120").await;
    let found = &body["data"]["crossing"]["day"];
    assert_eq!(found["date"], days[at].to_string());
    close_to(&found["close"], acme(at));
    assert_eq!(found["next_session"]["date"], days[at + 1].to_string());
    close_to(&found["next_session"]["close"], acme(at + 1));
    assert_eq!(body["credits_used"], 1);
    assert!(summary.contains("last closed below $120.00"), "{summary}");

    let (body, summary) = ask(&server, &member, "when did ACME last close above 500").await;
    let crossing = &body["data"]["crossing"];
    assert!(crossing["day"].is_null(), "{crossing}");
    assert_eq!(crossing["held_from"], days[0].to_string());
    assert!(summary.contains("never closed above $500.00"), "{summary}");

    // As of a day nothing later is known.
    let last = days[SESSIONS - 100];
    let question = "when did ACME last close above 110";
    let body = json!({"question": question, "as_of": format!("{last}T23:00:00Z")});
    let reply = server.post("/api/v1/ask", &body).bearer(&member.key);
    let body = reply.send().await.json();
    let crossing = &body["data"]["crossing"];
    let found = crossing["day"]["date"].as_str().unwrap();
    let before = days[SESSIONS - 102].to_string();
    assert!(
        *before < *found && *found <= *last.to_string(),
        "{crossing}"
    );
    assert!(crossing["day"]["next_session"].is_null(), "{crossing}");
}

#[tokio::test]
async fn the_mean_of_a_month_is_that_of_its_sessions() {
    let (server, member) = market_with_news().await;
    let question = "average closing price of ACME in February 2026";
    let (body, summary) = ask(&server, &member, question).await;
    let days = sessions();
    let of_month: Vec<f64> = (0..SESSIONS)
        .filter(|at| days[*at].to_string().starts_with("2026-02"))
        .map(acme)
        .collect();
    let mean = &body["data"]["performance"]["mean"];
    assert_eq!(mean["sessions"], of_month.len());
    close_to(
        &mean["close"],
        of_month.iter().sum::<f64>() / of_month.len() as f64,
    );
    assert!(summary.contains("The mean close of"), "{summary}");
}

#[tokio::test]
async fn a_screen_finds_what_is_near_its_high_of_the_year() {
    let (server, member) = market_with_news().await;
    let (body, summary) = ask(&server, &member, "stocks within 3% of their 52-week high").await;
    let matches = body["data"]["screener"]["matches"].as_array().unwrap();
    let names: Vec<&str> = matches
        .iter()
        .filter_map(|one| one["ticker"].as_str())
        .collect();
    assert!(names.contains(&"OAKS.B"), "flat: {names:?}");
    assert!(!names.contains(&"BOLT"), "far below: {names:?}");
    assert!(
        summary.contains("0.5% below its 52-week high, within 3%"),
        "{summary}"
    );
}

#[tokio::test]
async fn ratios_say_of_when_their_price_and_their_figures_are() {
    let (server, member) = market_with_news().await;
    let (body, summary) = ask(&server, &member, "PE ratio of ACME").await;
    let financials = &body["data"]["financials"];
    assert_eq!(financials["price_date"], "2026-03-09");
    if financials["pe_ratio"].is_number() || financials["market_cap"].is_number() {
        assert!(summary.contains("on 9 Mar 2026"), "{summary}");
    }
}
