//! What companies report and disclose, what others say of them, and all of it together.

pub(super) mod records;

use http::StatusCode;
use model::{
    AssetType, EntityKind, EntityRole, Event, EventKind, Filing, Frequency, InsiderAction,
    InsiderLine, InsiderTrade, Score, Series, SeriesId,
};
use serde_json::{Value, json};

use super::crypto::put as put_records;
use super::fixtures::{
    ACME, BOLT, RECORDED, SESSIONS, acme, bars, bolt, instrument, sessions, symbol, time,
};
use super::markets::quote;
use crate::news::fixtures::{BriefBuilder, keys, publish};
use crate::support::TestServer;
use records::world;

async fn get(server: &TestServer, path: &str) -> Value {
    let reply = server.get(&format!("/api/v1{path}")).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    reply.json()
}

/// The fields of an object but `data_status`, sorted.
fn fields(body: &Value) -> Vec<&str> {
    let mut keys = keys(body);
    keys.retain(|key| !matches!(*key, "data_status" | "simulated"));
    keys
}

fn sorted(words: &str) -> Vec<&str> {
    let mut words: Vec<&str> = words.split_whitespace().collect();
    words.sort_unstable();
    words
}

fn reason<'a>(body: &'a Value, field: &str) -> &'a str {
    body["data_status"]
        .as_array()
        .unwrap_or_else(|| panic!("no data_status: {body}"))
        .iter()
        .find(|one| one["field"] == field)
        .unwrap_or_else(|| panic!("{field} has no reason: {body}"))["reason"]
        .as_str()
        .unwrap()
}

fn close_to(found: &Value, wanted: f64) {
    let found = found
        .as_f64()
        .unwrap_or_else(|| panic!("{found} is no number"));
    assert!(
        (found - wanted).abs() <= 1e-9 * wanted.abs().max(1.0),
        "{found} is not {wanted}"
    );
}

#[tokio::test]
async fn the_next_report_and_what_is_expected() {
    let server = world().await;
    let body = get(&server, "/ticker/ACME/earnings").await;
    let wanted = "status ticker earnings_date eps_estimate revenue_estimate revenue_estimate_formatted fiscal_quarter \
                  earnings_status usual_time currency";
    assert_eq!(fields(&body), sorted(wanted));
    assert_eq!(body["status"], "ok");
    assert_eq!(body["ticker"], ACME);
    assert_eq!(body["earnings_date"], "2026-04-20");
    assert_eq!(body["eps_estimate"], 1.2);
    assert_eq!(body["revenue_estimate"], 12.34e9);
    assert_eq!(body["revenue_estimate_formatted"], "$12.34B");
    assert_eq!(body["fiscal_quarter"], "Q1 2026");
    assert_eq!(body["currency"], "USD");
    assert_eq!(body["earnings_status"], "confirmed");
    assert_eq!(body["usual_time"], "after_market");

    let unknown = get(&server, "/ticker/ACME/earnings?as_of=2026-02-28").await;
    assert_eq!(fields(&unknown), ["status", "ticker"]);
    reason(&unknown, "earnings_date");
    assert_eq!(
        fields(&get(&server, "/ticker/BTC/earnings").await),
        ["status", "ticker"]
    );
}

#[tokio::test]
async fn the_range_of_a_year_holds_the_price_of_now() {
    let server = world().await;
    // Of a high half a percent above the highest close.
    let before = (SESSIONS - 251..SESSIONS).map(acme).fold(0.0, f64::max) * 1.005;
    let above = before * 1.02;
    let close = acme(SESSIONS - 1);
    quote(&server, "stock:ACME", above, close, "2026-03-10T11:00:00Z").await;
    let now = get(&server, "/ticker/ACME/financials").await;
    close_to(&now["fifty_two_week_high"], above);
    let then = get(
        &server,
        "/ticker/ACME/financials?as_of=2026-03-10T10:00:00Z",
    )
    .await;
    close_to(&then["fifty_two_week_high"], before);
    assert_eq!(now["fifty_two_week_low"], then["fifty_two_week_low"]);
}

#[tokio::test]
async fn figures_of_filings_stand_beside_the_price() {
    let server = world().await;
    let price = acme(SESSIONS - 1);
    let body = get(&server, "/ticker/ACME/financials").await;
    assert_eq!(body["status"], "ok");
    close_to(&body["market_cap"], price * 2e8);
    let billions = format!("${:.2}", price * 2e8 / 1e9);
    let billions = billions.trim_end_matches('0').trim_end_matches('.');
    assert_eq!(body["market_cap_formatted"], format!("{billions}B"));
    close_to(&body["pe_ratio"], price / 6.0);
    assert_eq!(body["eps"], 6.0);
    assert_eq!(body["currency"], "USD");
    assert_eq!(body["price_currency"], "USD");
    close_to(&body["dividend_yield"], 1.5 / price * 100.0);
    assert_eq!(body["revenue_formatted"], "$12B");
    close_to(&body["profit_margin"], 10.0);
    assert_eq!(body["debt_to_equity"], 0.25);
    let year: Vec<f64> = (SESSIONS - 251..SESSIONS).map(acme).collect();
    let highest = year.iter().copied().fold(0.0, f64::max) * 1.005;
    close_to(&body["fifty_two_week_high"], highest);
    assert!(
        body["fifty_two_week_low"].as_f64().unwrap()
            < body["fifty_two_week_high"].as_f64().unwrap()
    );
    assert!(body.get("beta").is_none());
    assert!(reason(&body, "beta").contains("SPY"));

    // Before the newest report was accepted the loss of the year before counts.
    let before = get(
        &server,
        "/ticker/ACME/financials?as_of=2026-02-10T21:29:59Z",
    )
    .await;
    assert_eq!(
        (before["eps"].as_f64(), &before["pe_ratio"]),
        (Some(-5.0), &Value::Null)
    );
    assert!(reason(&before, "pe_ratio").contains("not positive"));
    assert_eq!(before["revenue_formatted"], "$10B");
    let after = get(
        &server,
        "/ticker/ACME/financials?as_of=2026-02-10T21:30:00Z",
    )
    .await;
    assert_eq!(after["eps"], 6.0);
}

#[tokio::test]
async fn figures_of_reports_in_another_currency_say_which() {
    let server = world().await;
    let mut facts = records::annual("OAKS.B", "2026-02-10", 2025, 12e9, 1.2e9, 6.0);
    for fact in &mut facts.facts {
        fact.unit = fact.unit.replace("USD", "EUR");
    }
    let known_at = facts.accepted_at.unwrap();
    let store = &server.state.store;
    let mut transaction = store.market_transaction(known_at).await.unwrap();
    transaction.put_records([(facts, known_at)]).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let body = get(&server, "/ticker/OAKS.B/financials").await;
    assert_eq!(
        (&body["eps"], &body["currency"]),
        (&6.0.into(), &"EUR".into())
    );
    assert_eq!(
        (&body["price"], &body["price_currency"]),
        (&50.0.into(), &"USD".into())
    );
    // Dollars over euros are no ratio.
    assert!(body["pe_ratio"].is_null() && body.get("dividend_yield").is_none());
    let statements = get(&server, "/ticker/OAKS.B/statements").await;
    assert_eq!(statements["currency"], body["currency"]);
}

#[tokio::test]
async fn a_table_serves_where_no_filing_does_and_says_so() {
    let server = world().await;
    let body = get(&server, "/ticker/BOLT/financials").await;
    assert_eq!(body["market_cap_formatted"], "$45.6B");
    assert_eq!(
        (body["eps"].as_f64(), &body["pe_ratio"]),
        (Some(-1.5), &Value::Null)
    );
    assert_eq!(body["dividend_yield"], 2.5);
    // Prices know the range better than an undated table.
    assert!(body["fifty_two_week_high"].as_f64().unwrap() < 1_000.0);
    let status = &body["data_status"][0];
    assert_eq!(
        (&status["field"], &status["stale"]),
        (&"financials".into(), &true.into())
    );
    assert_eq!(status["source"], "a table of members");
    assert_eq!(status["fetched_at"], "2026-03-09T22:00:00Z");
    let early = get(
        &server,
        "/ticker/BOLT/financials?as_of=2026-03-09T21:59:59Z",
    )
    .await;
    assert!(early.get("market_cap").is_none());

    for path in ["/ticker/FUND/financials", "/ticker/BTC/financials"] {
        let body = get(&server, path).await;
        assert_eq!(fields(&body), ["status", "ticker"], "{path}");
        assert_eq!(reason(&body, "financials"), "equities only");
    }
}

#[tokio::test]
async fn figures_are_kept_until_something_is_imported() {
    let server = world().await;
    let beta = async || get(&server, "/ticker/ACME/financials").await["beta"].clone();
    assert!(beta().await.is_null());
    let series = Series {
        id: SeriesId::new("index", "^GSPC"),
        name: "S&P 500".to_owned(),
        unit: "index".to_owned(),
        frequency: Frequency::Daily,
        source: "test".to_owned(),
        publication_lag_days: 0,
    };
    let closes: Vec<_> = sessions()
        .into_iter()
        .enumerate()
        .map(|(at, day)| model::Observation {
            day,
            value: acme(at).sqrt(),
        })
        .collect();
    let store = &server.state.store;
    let mut transaction = store
        .market_transaction(time("2026-03-10T11:00:00Z"))
        .await
        .unwrap();
    transaction.put_values(&series, &closes).await.unwrap();
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    // The share is the square of the index.
    close_to(&beta().await, 2.0);
}

#[tokio::test]
async fn insiders_of_one_company_and_of_all() {
    let server = world().await;
    let body = get(&server, "/ticker/ACME/insider").await;
    assert_eq!(fields(&body), ["insider_trades"]);
    let trades = body["insider_trades"].as_array().unwrap();
    assert_eq!(trades.len(), 2);
    let first = &trades[0];
    let wanted = "name title transaction_type shares value date filing_url derivative";
    assert_eq!(fields(first), sorted(wanted));
    assert_eq!(first["name"], "Maren Oduya");
    assert_eq!(first["title"], "Director");
    assert_eq!(first["transaction_type"], "buy");
    assert_eq!(first["shares"], 10.0);
    assert_eq!(first["value"], 1_000.0);
    assert_eq!(first["date"], "2026-03-02");
    assert_eq!(first["filing_url"], "https://sec.example/a");
    let year = get(&server, "/ticker/ACME/insider?days=365&limit=3").await;
    assert_eq!(year["insider_trades"][2]["transaction_type"], "award");
    assert!(year["insider_trades"][2]["value"].is_null());
    // Known with its filing, not with the trade.
    let before = get(
        &server,
        "/ticker/ACME/insider?days=5&as_of=2026-03-03T21:59:59Z",
    )
    .await;
    assert_eq!(before["insider_trades"], Value::Array(Vec::new()));
    assert_eq!(
        before["data_status"][0]["newest_available"],
        "2026-01-15T00:00:00Z"
    );
    assert_eq!(
        get(&server, "/ticker/BTC/insider").await["insider_trades"],
        Value::Array(Vec::new())
    );

    let symbols = async |query: &str| {
        let body = get(&server, &format!("/insider/recent{query}")).await;
        let trades = body["trades"].as_array().unwrap();
        trades
            .iter()
            .map(|trade| {
                format!(
                    "{} {}",
                    trade["symbol"].as_str().unwrap(),
                    trade["date"].as_str().unwrap()
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(
        symbols("?limit=2").await,
        ["BOLT 2026-03-05", "ACME 2026-03-02"]
    );
    assert_eq!(symbols("?type=buy").await, ["ACME 2026-03-02"]);
    assert_eq!(
        symbols("?type=sell&min_value=10000").await,
        ["ACME 2026-01-15"]
    );
    assert_eq!(symbols("?min_value=50001").await, [""; 0]);
}

#[tokio::test]
async fn filings_of_one_company_and_by_words() {
    let server = world().await;
    let body = get(&server, "/ticker/ACME/filings").await;
    let forms: Vec<_> = body["filings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["form_type"])
        .collect();
    assert_eq!(forms, ["10-K/A", "8-K", "10-K"]);
    let exact = get(&server, "/ticker/ACME/filings?form=10-k").await;
    assert_eq!(exact["filings"].as_array().unwrap().len(), 1);
    let filing = &exact["filings"][0];
    let wanted = "form_type filed_date period_of_report filing_url description";
    assert_eq!(fields(filing), sorted(wanted));
    assert_eq!(filing["filed_date"], "2026-02-10");
    assert_eq!(filing["period_of_report"], "2025-12-31");
    assert_eq!(filing["filing_url"], "https://sec.example/10-K");
    assert_eq!(filing["description"], "Annual report");
    assert!(body["filings"][1]["period_of_report"].is_null());

    let found = async |query: &str| {
        let body = get(&server, &format!("/filings/search?q={query}")).await;
        let filings = body["filings"].as_array().unwrap().clone();
        if filings.is_empty() {
            assert!(reason(&body, "filings").contains("full text of documents is not searched"));
        }
        filings
    };
    let trust = found("TRUST%20harbor").await;
    assert_eq!(trust.len(), 1);
    let wanted = "symbol company_name form_type filed_date filing_url description";
    assert_eq!(fields(&trust[0]), sorted(wanted));
    assert!(trust[0]["symbol"].is_null());
    assert_eq!(trust[0]["company_name"], "Harbor Trust");
    assert_eq!(found("acme%20director").await[0]["form_type"], "8-K");
    assert_eq!(found("acme%20annual&form=10-K").await.len(), 1);
    // A percent sign is a percent sign.
    assert_eq!(found("100%25").await.len(), 1);
    assert!(found("acme%20trust").await.is_empty());
    assert!(found("acme&as_of=2026-02-10T21:59:59Z").await.is_empty());
}

#[tokio::test]
async fn what_was_filed_under_no_address_has_none() {
    let server = world().await;
    let day = sessions()[SESSIONS - 1];
    let filing = Filing {
        accession: "file-1".to_owned(),
        symbol: Some(symbol(ACME)),
        cik: 1,
        company_name: "Acme Instruments Inc".to_owned(),
        form_type: "6-K".to_owned(),
        filed_date: day,
        accepted_at: None,
        period_of_report: None,
        filing_url: String::new(),
        description: "Report of a foreign issuer".to_owned(),
        other_parties: Vec::new(),
    };
    let line = InsiderLine {
        symbol: symbol(ACME),
        issuer: "Acme".to_owned(),
        owner_cik: 8,
        name: "Ada Quill".to_owned(),
        title: "Director".to_owned(),
        accession: "file-2".to_owned(),
        line: 0,
        filed: day,
        filing_url: String::new(),
        trade: InsiderTrade {
            transaction_type: InsiderAction::Buy,
            code: "P".to_owned(),
            shares: 3.0,
            price: Some(100.0),
            value: Some(300.0),
            date: day,
            derivative: false,
        },
    };
    put_records(&server, vec![filing]).await;
    put_records(&server, vec![line]).await;
    for (path, list) in [
        ("/ticker/ACME/filings?form=6-k", "filings"),
        ("/filings/search?q=foreign%20issuer", "filings"),
        ("/ticker/ACME/insider?limit=1", "insider_trades"),
    ] {
        let body = get(&server, path).await;
        let first = &body[list][0];
        assert!(first.is_object(), "{path}: {body}");
        assert_eq!(first["filing_url"], Value::Null, "{path}");
    }
}

#[tokio::test]
async fn analysts_together_and_each() {
    let server = world().await;
    let body = get(&server, "/ticker/ACME/analysts").await;
    let wanted = "consensus avg_target high_target low_target num_analysts recent_ratings";
    assert_eq!(fields(&body), sorted(wanted));
    // Strong buy and hold: (5 + 3) / 2.
    assert_eq!(body["consensus"], "buy");
    assert_eq!(body["avg_target"], 175.0);
    assert_eq!(body["high_target"], 200.0);
    assert_eq!(body["low_target"], 150.0);
    assert_eq!(body["num_analysts"], 2);
    let ratings = body["recent_ratings"].as_array().unwrap();
    assert_eq!(ratings.len(), 3);
    assert_eq!(
        fields(&ratings[0]),
        sorted("analyst firm rating target date source")
    );
    assert_eq!(ratings[0]["analyst"], "J. Reed");
    assert_eq!(ratings[0]["rating"], "strong_buy");
    assert_eq!(ratings[0]["date"], "2026-03-01");
    assert!(ratings[1]["analyst"].is_null());
    let none = get(&server, "/ticker/BOLT/analysts").await;
    assert!(none["consensus"].is_null() && none["avg_target"].is_null());
    assert_eq!(none["num_analysts"], 0);
    reason(&none, "consensus");
}

#[tokio::test]
async fn lawmakers_tell_what_they_traded() {
    let server = world().await;
    let body = get(&server, "/congress/trades").await;
    let trades = body["trades"].as_array().unwrap();
    let members: Vec<_> = trades.iter().map(|trade| &trade["member"]).collect();
    assert_eq!(members, ["Member 2", "Member 1", "Member 3"]);
    let one = get(&server, "/congress/trades?member=2+MEMBER").await;
    assert_eq!(one["trades"], json!([trades[0]]));
    let none = get(&server, "/congress/trades?member=nobody").await;
    assert_eq!(none["trades"], json!([]));
    let wanted = "member party chamber symbol transaction_type amount_range disclosure_date asset transaction_date owner url";
    assert_eq!(fields(&trades[1]), sorted(wanted));
    assert_eq!(trades[1]["party"], "Independent");
    assert_eq!(trades[1]["chamber"], "house");
    assert_eq!(trades[1]["symbol"], ACME);
    assert_eq!(trades[1]["transaction_type"], "sell_partial");
    assert_eq!(trades[1]["amount_range"], "$1,001 - $15,000");
    assert_eq!(trades[1]["disclosure_date"], "2026-03-01");
    assert!(trades[2]["symbol"].is_null());
    for (query, count) in [
        ("symbol=gone", 1),
        ("chamber=SENATE", 2),
        ("chamber=house&symbol=GONE", 0),
        ("limit=1", 1),
    ] {
        let body = get(&server, &format!("/congress/trades?{query}")).await;
        assert_eq!(body["trades"].as_array().unwrap().len(), count, "{query}");
    }
}

#[tokio::test]
async fn institutions_show_their_newest_quarter() {
    let server = world().await;
    let holders = async |query: &str| {
        let body = get(&server, &format!("/ticker/ACME/institutions{query}")).await;
        body["holders"].as_array().unwrap().clone()
    };
    let listed = holders("").await;
    let names: Vec<_> = listed.iter().map(|one| &one["institution"]).collect();
    assert_eq!(names, ["Fund 1", "Fund 2", "Fund 4"]);
    let wanted = "institution shares value portfolio_pct change_pct report_date";
    assert_eq!(fields(&listed[0]), sorted(wanted));
    assert_eq!(listed[0]["shares"], 3e6);
    assert_eq!(listed[0]["value"], 3e8);
    assert_eq!(listed[0]["portfolio_pct"], 12.5);
    close_to(&listed[0]["change_pct"], 50.0);
    assert_eq!(listed[0]["report_date"], "2025-12-31");
    assert!(listed[1]["change_pct"].is_null());
    assert_eq!(listed[2]["report_date"], "2025-09-30");
    assert_eq!(holders("?limit=1").await.len(), 1);
    let earlier = holders("?as_of=2026-02-14T21:59:59Z").await;
    assert_eq!(earlier[0]["institution"], "Fund 3");
    assert!(holders("?as_of=2025-11-14T21:59:59Z").await.is_empty());
}

#[tokio::test]
async fn competitors_share_the_sector() {
    let server = world().await;
    let body = get(&server, "/ticker/ACME/competitors").await;
    let wanted = "status ticker entity_name sector competitors credits_used";
    assert_eq!(fields(&body), sorted(wanted));
    assert_eq!(body["credits_used"], 2);
    assert_eq!(body["sector"], "Information Technology");
    let peers = body["competitors"].as_array().unwrap();
    let wanted = "ticker entity_name price change_pct rsi_14 sentiment_score briefs_7d market_cap_b date currency stale";
    assert_eq!(fields(&peers[0]), sorted(wanted));
    assert_eq!(
        (&peers[0]["ticker"], &peers[1]["ticker"]),
        (&BOLT.into(), &"YNG".into())
    );
    close_to(&peers[0]["price"], bolt(SESSIONS - 1));
    close_to(
        &peers[0]["change_pct"],
        (bolt(SESSIONS - 1) / bolt(SESSIONS - 2) - 1.0) * 100.0,
    );
    close_to(&peers[0]["market_cap_b"], 45.6);
    assert!(peers[1]["rsi_14"].is_null() && peers[1]["market_cap_b"].is_null());
    assert_eq!(peers[0]["briefs_7d"], 0);
    // Without a market value of its own, and with too few days to compare: by name.
    let young = get(&server, "/ticker/YNG/competitors").await;
    assert_eq!(young["competitors"][0]["ticker"], ACME);
    assert!(reason(&young, "competitors").contains("move most like"));
    let alone = get(&server, "/ticker/OAKS.B/competitors").await;
    assert_eq!(alone["competitors"], Value::Array(Vec::new()));
    reason(&alone, "competitors");
    let fund = get(&server, "/ticker/FUND/competitors").await;
    assert!(fund["sector"].is_null());
    reason(&fund, "sector");
}

#[tokio::test]
async fn without_a_market_value_those_come_first_that_move_alike() {
    let server = world().await;
    let store = &server.state.store;
    let mut transaction = store.market_transaction(time(RECORDED)).await.unwrap();
    let days = sessions();
    let sector = Some("Information Technology");
    // One that moves as BOLT does, and one whose newest price is three sessions old.
    let twin = instrument("TWIN", AssetType::Equity, "Twin", sector);
    let late = instrument("LATE", AssetType::Equity, "Aardvark", sector);
    let of_late = bars(&days[..SESSIONS - 3], 1e5, acme);
    for (one, bars) in [
        (twin, bars(&days, 1e5, |at| bolt(at) * 2.0)),
        (late, of_late),
    ] {
        transaction
            .put_instruments(std::slice::from_ref(&one))
            .await
            .unwrap();
        transaction.put_candles(&one, &bars).await.unwrap();
    }
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let order = async |path: &str| -> Vec<String> {
        let body = get(&server, path).await;
        let peers = body["competitors"].as_array().unwrap().iter();
        peers
            .map(|peer| peer["ticker"].as_str().unwrap().to_owned())
            .collect()
    };
    let found = order("/ticker/TWIN/competitors").await;
    assert_eq!((found[0].as_str(), found.len()), (BOLT, 4));
    assert_eq!(found[3], "YNG");
    let fresh = get(&server, "/ticker/TWIN/competitors?max_age=2").await;
    assert_eq!(fresh["competitors"].as_array().unwrap().len(), 3);
    let reason = fresh["data_status"][1]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("1 of the sector's companies")
            && reason.contains("more than 2 sessions"),
        "{reason}"
    );
}

/// A brief about ACME.
async fn publish_brief(
    server: &TestServer,
    number: u128,
    id: &str,
    at: &str,
    sentiment: f64,
    tags: &[&str],
) {
    let mut builder = BriefBuilder::new(number, id, model::Category::Tech, "Acme speaks")
        .source("courier.example", at)
        .confidence(0.5)
        .tags(tags)
        .entity(
            "Acme",
            EntityKind::Organization,
            Some(ACME),
            EntityRole::Related,
            1,
        );
    builder.brief.entities[0].sentiment = Score::new(sentiment).unwrap();
    builder.brief.events = vec![Event {
        kind: EventKind::Launch,
        subject: "Acme".to_owned(),
        object: None,
        value: None,
        date: time(at),
        confidence: Score::new(0.9).unwrap(),
        sentence: "Acme launched it.".to_owned(),
    }];
    publish(server, &builder.brief).await;
}

#[tokio::test]
async fn the_whole_of_a_symbol() {
    let server = world().await;
    publish_brief(
        &server,
        1,
        "PR-2026-0301-001",
        "2026-03-01T10:00:00Z",
        0.6,
        &["old"],
    )
    .await;
    publish_brief(
        &server,
        2,
        "PR-2026-0308-001",
        "2026-03-08T10:00:00Z",
        0.7,
        &["chips", "rates"],
    )
    .await;
    publish_brief(
        &server,
        3,
        "PR-2026-0309-001",
        "2026-03-09T10:00:00Z",
        0.9,
        &["chips"],
    )
    .await;
    let body = get(&server, "/ticker/ACME/full").await;
    let wanted = "symbol name price technicals earnings sentiment news insider filings analysts institutions";
    assert_eq!(fields(&body), sorted(wanted));
    assert_eq!(
        (&body["symbol"], &body["name"]),
        (&ACME.into(), &"Acme Instruments".into())
    );

    let price = acme(SESSIONS - 1);
    assert_eq!(
        fields(&body["price"]),
        sorted("current change change_pct volume market_cap")
    );
    close_to(&body["price"]["current"], price);
    close_to(&body["price"]["change"], price - acme(SESSIONS - 2));
    close_to(&body["price"]["market_cap"], price * 2e8);
    let technicals = get(&server, "/ticker/ACME/technicals").await;
    assert_eq!(
        fields(&body["technicals"]),
        sorted("rsi macd sma_50 sma_200 signal signal_count")
    );
    assert_eq!(body["technicals"]["rsi"], technicals["latest"]["rsi_14"]);
    assert_eq!(
        body["technicals"]["macd"],
        technicals["latest"]["macd"]["macd"]
    );
    assert_eq!(
        body["technicals"]["signal"],
        technicals["signal_summary"]["overall"]
    );
    assert_eq!(body["technicals"]["signal_count"], 20);

    let earnings = &body["earnings"];
    assert_eq!(
        fields(earnings),
        sorted("next_date eps_estimate revenue_estimate currency surprise_history")
    );
    assert_eq!(earnings["next_date"], "2026-04-20");
    assert_eq!(earnings["surprise_history"][0]["fiscal_quarter"], "Q4 2025");
    close_to(&earnings["surprise_history"][0]["surprise_pct"], 10.0);
    assert!(earnings["surprise_history"][1]["surprise_pct"].is_null());

    let sentiment = &body["sentiment"];
    assert_eq!(
        fields(sentiment),
        sorted("score brief_count shift_7d top_themes")
    );
    close_to(&sentiment["score"], 0.8);
    assert_eq!(sentiment["brief_count"], 2);
    close_to(&sentiment["shift_7d"], 0.2);
    assert_eq!(
        sentiment["top_themes"],
        serde_json::json!(["chips", "launch", "rates"])
    );
    let news = body["news"].as_array().unwrap();
    assert_eq!(news.len(), 3);
    assert_eq!(
        fields(&news[0]),
        sorted("brief_id headline impact_score published_at")
    );
    assert_eq!(news[0]["brief_id"], "PR-2026-0309-001");
    // |0.9 - 0.5| · 2 · 0.5 · 0.6.
    close_to(&news[0]["impact_score"], 0.24);

    assert_eq!(body["insider"][0]["date"], "2026-03-02");
    assert_eq!(body["filings"][0]["form_type"], "10-K/A");
    let analysts = &body["analysts"];
    assert_eq!(
        fields(analysts),
        sorted("consensus target_mean target_high target_low count")
    );
    assert_eq!(
        (&analysts["consensus"], &analysts["target_mean"]),
        (&"buy".into(), &175.0.into())
    );
    let institutions = &body["institutions"];
    assert_eq!(
        fields(institutions),
        sorted("holder_count ownership_pct top_holders")
    );
    assert_eq!(institutions["holder_count"], 3);
    close_to(&institutions["ownership_pct"], 4.5e6 / 2e8 * 100.0);
    assert_eq!(
        fields(&institutions["top_holders"][0]),
        sorted("name shares pct")
    );
    close_to(&institutions["top_holders"][0]["pct"], 1.5);

    // A coin has no company behind it, and says so.
    let coin = get(&server, "/ticker/BTC/full").await;
    assert_eq!(fields(&coin), fields(&body));
    assert!(coin["price"]["market_cap"].is_null());
    for field in [
        "price.market_cap",
        "earnings_date",
        "insider",
        "filings",
        "institutions",
        "consensus",
    ] {
        reason(&coin, field);
    }
}

#[tokio::test]
async fn a_key_of_some_categories_sees_only_their_briefs() {
    let server = world().await;
    publish_brief(
        &server,
        2,
        "PR-2026-0308-001",
        "2026-03-08T10:00:00Z",
        0.7,
        &["chips"],
    )
    .await;
    let narrow = crate::news::fixtures::narrow(&server, &[model::Category::Sports]).await;
    let ask = async |path: &str| {
        let path = format!("/api/v1{path}");
        server.get(&path).bearer(&narrow.key).send().await.json()
    };
    let full = ask("/ticker/ACME/full").await;
    assert_eq!(full["news"], Value::Array(Vec::new()));
    assert!(full["sentiment"]["score"].is_null());
    assert_eq!(
        ask("/ticker/BOLT/competitors").await["competitors"][0]["briefs_7d"],
        0
    );
    let all = get(&server, "/ticker/BOLT/competitors").await;
    assert_eq!(all["competitors"][0]["ticker"], ACME);
    assert_eq!(all["competitors"][0]["briefs_7d"], 1);
    close_to(&all["competitors"][0]["sentiment_score"], 0.7);
}

#[tokio::test]
async fn what_is_wrong_is_named_and_costs_nothing() {
    let server = world().await;
    let member = server.unlimited().await;
    let ask = async |path: &str| {
        let path = format!("/api/v1{path}");
        server.get(&path).bearer(&member.key).send().await
    };
    for (path, named) in [
        ("/ticker/ACME/insider?days=0", "days"),
        ("/ticker/ACME/insider?limit=many", "limit"),
        ("/insider/recent?type=gift", "type"),
        ("/insider/recent?min_value=-1", "min_value"),
        ("/insider/recent?limit=101", "limit"),
        (
            "/ticker/ACME/filings?form=an-endless-name-of-a-form",
            "form",
        ),
        ("/filings/search", "q"),
        ("/filings/search?q=%20", "q"),
        ("/filings/search?q=a+b+c+d+e+f+g+h+i+j+k+l+m", "q"),
        ("/congress/trades?chamber=lords", "chamber"),
        ("/congress/trades?symbol=%F0%9F%92%A9", "symbol"),
        ("/ticker/ACME/institutions?limit=0", "limit"),
        ("/ticker/ACME/full?as_of=2027-01-01", "as_of"),
        ("/ticker/ACME/earnings?as_of=soon", "as_of"),
    ] {
        let reply = ask(path).await;
        let body = reply.expect_error(400, "invalid_request");
        assert!(
            body["message"].as_str().unwrap().contains(named),
            "{path}: {body}"
        );
    }
    for rest in [
        "earnings",
        "financials",
        "insider",
        "filings",
        "analysts",
        "institutions",
        "competitors",
        "full",
    ] {
        let reply = ask(&format!("/ticker/ACNE/{rest}")).await;
        let body = reply.expect_error(404, "unknown_symbol");
        assert_eq!(body["suggestions"][0], ACME, "{rest}");
    }
    let reply = ask("/ticker/ACME/full").await;
    assert_eq!(reply.charged(), 5);
}
