//! Reports: ordered and charged, written by a worker, read by those who may, and shown as a page.

use model::{Category, KeyScope, Plan};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::market::fixtures::fill;
use crate::market::trading::publish_news;
use crate::support::{Reply, TestMember, TestServer};

const GENERATE: &str = "/api/v1/reports/generate";
const UPLOAD: &str = "/api/v1/reports/upload";
const LIST: &str = "/api/v1/reports";

async fn market_with_news() -> TestServer {
    let server = TestServer::start().await;
    fill(&server).await;
    publish_news(&server).await;
    server
}

async fn get(server: &TestServer, member: &TestMember, path: &str) -> Reply {
    server.get(path).bearer(&member.key).send().await
}

async fn order(server: &TestServer, member: &TestMember, ticker: &str, tier: &str) -> Value {
    let body = json!({"ticker": ticker, "tier": tier});
    let reply = server
        .post(GENERATE, &body)
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    assert_eq!(reply.json()["credits_charged"], json!(reply.charged()));
    reply.json()
}

/// Writes what waits; how many came to an end.
async fn write(server: &TestServer) -> usize {
    let cancel = CancellationToken::new();
    agents::reports::worker::write_due(&server.state.services, &cancel)
        .await
        .unwrap()
}

async fn report(server: &TestServer, member: &TestMember, id: &str) -> Value {
    let reply = get(server, member, &format!("{LIST}/{id}")).await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    reply.json()["report"].clone()
}

fn id_of(ordered: &Value) -> String {
    ordered["report_id"].as_str().unwrap().to_owned()
}

async fn used(server: &TestServer, member: &TestMember) -> u64 {
    let usage = get(server, member, "/api/v1/usage").await.json();
    usage["credits_used_month"].as_u64().unwrap()
}

#[tokio::test]
async fn each_tier_is_written_for_shares_funds_and_coins() {
    let server = market_with_news().await;
    let member = server.unlimited().await;
    for (tier, credits, steps) in [("quick", 10, 2), ("full", 250, 7), ("deep", 1_000, 10)] {
        for ticker in ["ACME", "FUND", "BTC", "YNG"] {
            let ordered = order(&server, &member, ticker, tier).await;
            assert_eq!(ordered["credits_charged"], credits);
            let id = id_of(&ordered);
            assert_eq!(ordered["poll_url"], format!("{LIST}/{id}"));
            let waiting = report(&server, &member, &id).await;
            assert_eq!(
                (&waiting["status"], &waiting["progress"]["done"]),
                (&json!("queued"), &json!(0))
            );
            assert_eq!(write(&server).await, 1);
            let done = report(&server, &member, &id).await;
            assert_eq!(done["status"], "complete", "{ticker} {tier}: {done}");
            assert_eq!(done["progress"]["total"], steps);
            assert_eq!(done["progress"]["done"], steps, "{}", done["progress"]);
            assert_eq!(done["url"], format!("/reports/{id}"));
            assert_eq!(
                (&done["is_public"], &done["cached"]),
                (&json!(false), &json!(false))
            );
            let text = done["markdown"].as_str().unwrap();
            assert!(
                text.contains("Simulated:") && text.contains("## In short"),
                "{text}"
            );
            let receipt = done["receipt"].as_str().unwrap();
            assert!(text.contains(receipt));
            let shown = server
                .get(&format!("/api/v1/verify/receipt/{receipt}"))
                .send()
                .await;
            assert_eq!(shown.status.as_u16(), 200);
            for word in ["NaN", "null", "Some(", "inf%", "-0%", "  ", ".."] {
                assert!(!text.contains(word), "{word:?} in {ticker} {tier}: {text}");
            }
            let paragraphs: Vec<&str> = text
                .lines()
                .filter(|line| line.len() > 60 && !line.starts_with('|'))
                .collect();
            for (place, line) in paragraphs.iter().enumerate() {
                assert!(!paragraphs[place + 1..].contains(line), "twice: {line}");
            }
        }
    }
    let listed = get(&server, &member, &format!("{LIST}?limit=5"))
        .await
        .json();
    assert_eq!(
        (
            listed["total"].as_u64(),
            listed["reports"].as_array().map(Vec::len)
        ),
        (Some(12), Some(5))
    );
    assert_eq!(used(&server, &member).await, 4 * 1_260);
}

#[tokio::test]
async fn what_a_report_cannot_read_it_says_in_every_format() {
    let server = TestServer::start().await;
    fill(&server).await;
    let member = server.unlimited().await;
    // Without news there is nothing for two of the five analysts and for the audit.
    let id = id_of(&order(&server, &member, "ACME", "deep").await);
    assert_eq!(write(&server).await, 1);
    let file = async |end: &str| {
        let reply = get(&server, &member, &format!("/reports/{id}{end}")).await;
        assert_eq!(reply.status.as_u16(), 200, "{end}");
        reply.text()
    };
    let (markdown, page) = (file(".md").await, file("").await);
    let document: Value = serde_json::from_str(&file(".json").await).unwrap();
    for title in ["Sentiment", "News", "Bias audit"] {
        let sections = document["sections"].as_array().unwrap();
        let section = sections.iter().find(|one| one["title"] == title).unwrap();
        let sentence = section["blocks"][0]["text"].as_str().unwrap();
        assert!(sentence.len() > 40, "{title}: {sentence}");
        let missing = document["missing"].as_array().unwrap();
        let row = missing.iter().find(|one| one["what"] == title).unwrap();
        let why = row["why"].as_str().unwrap();
        assert!(!why.is_empty());
        // Names hold nothing that either format would write otherwise.
        assert!(markdown.contains(&format!("## {title}\n")), "{title}");
        assert!(markdown.contains(sentence) && markdown.contains(&format!("| {title} | {why} |")));
        assert!(page.contains(&format!("<h2>{title}</h2>")), "{title}");
        assert!(
            page.contains(sentence) && page.contains(&format!("<td>{title}</td><td>{why}</td>"))
        );
    }
}

#[tokio::test]
async fn scenarios_are_those_of_the_forecast() {
    let server = market_with_news().await;
    let member = server.unlimited().await;
    let id = id_of(&order(&server, &member, "ACME", "deep").await);
    assert_eq!(write(&server).await, 1);
    let text = report(&server, &member, &id).await["markdown"]
        .as_str()
        .unwrap()
        .to_owned();
    let scenarios = text.split("## Scenarios").nth(1).unwrap();
    for (timeframe, place) in [("1 month", 0), ("3 months", 1), ("12 months", 2)] {
        let body = json!({"topic": "ACME", "depth": "deep", "timeframe": timeframe});
        let reply = server
            .post("/api/v1/forecast", &body)
            .bearer(&member.key)
            .send()
            .await;
        assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
        let forecast = reply.json()["forecast"].clone();
        let cases: Vec<(String, f64)> = forecast["predictions"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["kind"] == "case")
            .map(|one| {
                let said = one["prediction"].as_str().unwrap().to_owned();
                (said, one["confidence"].as_f64().unwrap())
            })
            .collect();
        let sum: f64 = cases.iter().map(|(_, chance)| chance).sum();
        assert!(cases.len() == 3 && (sum - 1.0).abs() < 1e-9, "{cases:?}");
        let rows: Vec<Vec<&str>> = scenarios
            .lines()
            .skip_while(|line| !line.starts_with("| Time | The price stands"))
            .skip(2 + 3 * place)
            .take(3)
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        assert!(rows[0][0].starts_with(timeframe), "{rows:?}");
        let mut shown_sum = 0;
        for row in rows {
            let (word, rest) = row[1].split_once(' ').unwrap();
            let level = rest.split(' ').next().unwrap();
            let (_, chance) = cases
                .iter()
                .find(|(said, _)| said.contains(&format!("{word} {level}")))
                .unwrap_or_else(|| panic!("{row:?} is none of {cases:?}"));
            let shown: i32 = row[2].trim_end_matches('%').parse().unwrap();
            assert!(
                (f64::from(shown) - chance * 100.0).abs() <= 1.0,
                "{row:?} {chance}"
            );
            shown_sum += shown;
        }
        assert_eq!(shown_sum, 100);
        let claims = forecast["claims"].as_array().unwrap();
        assert!(
            claims.iter().any(
                |one| one["claim"].as_str().unwrap().starts_with("ACME closed at")
                    && one["verdict"] == "supported"
            ),
            "{claims:?}"
        );
    }
}

#[tokio::test]
async fn what_cannot_be_ordered_costs_nothing() {
    let server = TestServer::start().await;
    fill(&server).await;
    let member = server.member(Plan::Builder, KeyScope::default()).await;
    for (body, status) in [
        (json!({"ticker": "ACNE", "tier": "quick"}), 404),
        (json!({"ticker": "ACME", "tier": "huge"}), 400),
        (json!({"ticker": "", "tier": "quick"}), 400),
        (json!({"ticker": "A".repeat(41)}), 400),
        (json!({"ticker": "../../etc/passwd"}), 404),
        (json!({"ticker": "<script>"}), 404),
        (json!({"ticker": "AB\n\u{202e}"}), 404),
        (json!({"ticker": "A\u{0}B"}), 400),
        (json!({"tier": "quick"}), 400),
    ] {
        let reply = server
            .post(GENERATE, &body)
            .bearer(&member.key)
            .send()
            .await;
        assert_eq!(reply.status.as_u16(), status, "{body}: {}", reply.text());
        assert_eq!(reply.charged(), 0);
    }
    let unknown = server
        .post(GENERATE, &json!({"ticker": "ACNE"}))
        .bearer(&member.key)
        .send()
        .await;
    assert!(
        unknown.text().contains("ACME"),
        "suggests: {}",
        unknown.text()
    );
    let stranger = server
        .post(GENERATE, &json!({"ticker": "ACME"}))
        .send()
        .await;
    assert_eq!(stranger.status.as_u16(), 401);
    assert_eq!(used(&server, &member).await, 0);
    assert_eq!(write(&server).await, 0);
}

#[tokio::test]
async fn a_cheap_report_is_for_those_who_cannot_pay_a_dear_one() {
    let server = TestServer::with_credits(15).await;
    fill(&server).await;
    let member = server.member(Plan::Free, KeyScope::default()).await;
    let dear = server
        .post(GENERATE, &json!({"ticker": "ACME", "tier": "full"}))
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(dear.status.as_u16(), 429, "{}", dear.text());
    order(&server, &member, "ACME", "quick").await;
    let second = server
        .post(GENERATE, &json!({"ticker": "ACME"}))
        .bearer(&member.key)
        .send()
        .await;
    assert_eq!(second.status.as_u16(), 429);
    assert_eq!(used(&server, &member).await, 10);
    write(&server).await;
}

#[tokio::test]
async fn an_order_that_is_repeated_is_one() {
    let server = TestServer::start().await;
    fill(&server).await;
    let member = server.unlimited().await;
    let body = json!({"ticker": "BOLT", "tier": "full"});
    let send = async || {
        let ask = server.post(GENERATE, &body).bearer(&member.key);
        ask.header("idempotency-key", "report-1").send().await
    };
    let (first, second) = (send().await, send().await);
    assert_eq!((first.charged(), second.charged()), (250, 0));
    assert_eq!(first.json()["report_id"], second.json()["report_id"]);
    assert_eq!(write(&server).await, 1);
    assert_eq!(used(&server, &member).await, 250);
}

#[tokio::test]
async fn a_worker_that_was_killed_is_followed_and_charged_once() {
    let server = market_with_news().await;
    let member = server.unlimited().await;
    let id = id_of(&order(&server, &member, "ACME", "deep").await);
    let store = &server.state.store;
    let run = format!("run_{}", id.trim_start_matches("RPT-"));
    let mut kept = 0;
    // Broken off after more and more steps, as by a kill; the lease ends each time.
    for steps in [40, 120, 400] {
        let work = write(&server);
        if crate::support::hang_up_after(steps, work).await.is_some() {
            break;
        }
        let steps = store.runs().steps(&run).await.unwrap().len();
        assert!(steps >= kept, "nothing that was done is lost");
        kept = steps;
        server.clock.advance(61_000);
    }
    server.clock.advance(61_000);
    write(&server).await;
    let done = report(&server, &member, &id).await;
    assert_eq!(done["status"], "complete", "{done}");
    assert_eq!(used(&server, &member).await, 1_000);
    let names: Vec<String> = store
        .runs()
        .steps(&run)
        .await
        .unwrap()
        .into_iter()
        .map(|step| step.name)
        .collect();
    let mut once = names.clone();
    once.sort();
    once.dedup();
    assert_eq!(
        once.len(),
        names.len(),
        "each step is on record once: {names:?}"
    );
}

#[tokio::test]
async fn a_report_that_fails_is_refunded() {
    let server = TestServer::start().await;
    fill(&server).await;
    let member = server.member(Plan::Builder, KeyScope::default()).await;
    let id = id_of(&order(&server, &member, "ACME", "full").await);
    assert_eq!(used(&server, &member).await, 250);
    // Whoever claims it dies again and again.
    for _ in 0..5 {
        let now = operations::Clock::now(&*server.clock);
        let _ = server
            .state
            .store
            .jobs()
            .claim(&["report"], now, 60_000)
            .await
            .unwrap();
        server.clock.advance(61_000);
    }
    assert_eq!(write(&server).await, 1);
    let failed = report(&server, &member, &id).await;
    assert_eq!(
        (&failed["status"], &failed["credits_charged"]),
        (&json!("failed"), &json!(0))
    );
    assert!(
        failed["reason"].as_str().unwrap().contains("several times"),
        "{failed}"
    );
    assert_eq!(used(&server, &member).await, 0);
    let page = server
        .get(&format!("/reports/{id}?api_key={}", member.key))
        .send()
        .await;
    assert!(page.text().contains("failed"), "{}", page.text());
}

#[tokio::test]
async fn a_private_report_is_its_owners() {
    let server = market_with_news().await;
    let (mine, yours) = (server.unlimited().await, server.unlimited().await);
    let id = id_of(&order(&server, &mine, "ACME", "quick").await);
    write(&server).await;
    let path = format!("{LIST}/{id}");
    for file in [
        format!("/reports/{id}"),
        format!("/reports/{id}.md"),
        format!("/reports/{id}.json"),
        path.clone(),
    ] {
        assert_eq!(
            server.get(&file).send().await.status.as_u16(),
            404,
            "{file}"
        );
        assert_eq!(
            get(&server, &yours, &file).await.status.as_u16(),
            404,
            "{file}"
        );
        assert_eq!(
            server
                .get(&file)
                .bearer("as_live_nonsense")
                .send()
                .await
                .status
                .as_u16(),
            404,
            "{file}"
        );
        let own = get(&server, &mine, &file).await;
        assert_eq!(own.status.as_u16(), 200, "{file}");
    }
    let by_query = server
        .get(&format!("/reports/{id}?api_key={}", mine.key))
        .send()
        .await;
    assert_eq!(by_query.status.as_u16(), 200);
    assert_eq!(by_query.header("cache-control"), "no-store");
    let publish = async |member: &TestMember, is_public: bool| {
        let ask = server.ask(http::Method::PATCH, &path).bearer(&member.key);
        ask.json(&json!({"is_public": is_public}))
            .send()
            .await
            .status
            .as_u16()
    };
    assert_eq!(publish(&yours, true).await, 404);
    assert_eq!(publish(&mine, true).await, 200);
    assert_eq!(
        server.get(&path).send().await.json()["report"]["is_public"],
        true
    );
    assert_eq!(
        server
            .get(&format!("/reports/{id}"))
            .send()
            .await
            .status
            .as_u16(),
        200
    );
    assert_eq!(publish(&mine, false).await, 200);
    assert_eq!(
        server
            .get(&format!("/reports/{id}"))
            .send()
            .await
            .status
            .as_u16(),
        404
    );
    let delete = async |member: &TestMember| {
        let ask = server.ask(http::Method::DELETE, &path).bearer(&member.key);
        ask.send().await.status.as_u16()
    };
    assert_eq!(
        (
            delete(&yours).await,
            delete(&mine).await,
            delete(&mine).await
        ),
        (404, 200, 404)
    );
}

#[tokio::test]
async fn a_report_keeps_within_the_scope_of_its_key() {
    let server = market_with_news().await;
    let narrow = KeyScope {
        allowed_endpoints: vec!["reports".to_owned()],
        allowed_categories: vec![Category::Sports],
    };
    let member = server.member(Plan::Unlimited, narrow).await;
    let id = id_of(&order(&server, &member, "ACME", "quick").await);
    write(&server).await;
    let done = report(&server, &member, &id).await;
    let text = done["markdown"].as_str().unwrap();
    // Its key may call nothing but reports, so that nothing else may be asked on its behalf.
    assert!(
        done["status"] == "failed" || !text.contains("## Coverage"),
        "{text}"
    );
}

#[tokio::test]
async fn the_free_set_is_written_when_it_is_first_asked_for() {
    let server = TestServer::start_with(|settings| {
        settings.service.cached_reports =
            vec!["ACME".to_owned(), "BTC".to_owned(), "GONE".to_owned()];
    })
    .await;
    fill(&server).await;
    let path = |ticker: &str| format!("{LIST}/cached/{ticker}");
    let first = server.get(&path("acme")).send().await;
    assert_eq!(first.status.as_u16(), 200, "{}", first.text());
    assert_eq!(first.charged(), 0);
    let found = first.json()["report"].clone();
    assert_eq!(
        (&found["cached"], &found["is_public"], &found["tier"]),
        (&json!(true), &json!(true), &json!("quick"))
    );
    let page = server.get(found["url"].as_str().unwrap()).send().await;
    assert_eq!(page.status.as_u16(), 200);
    let outside = server.get(&path("BOLT")).send().await;
    assert_eq!(outside.status.as_u16(), 404);
    assert!(
        outside.text().contains("ACME, BTC, GONE"),
        "{}",
        outside.text()
    );
    assert_eq!(server.get(&path("GONE")).send().await.status.as_u16(), 404);

    let refresh = async || {
        let cancel = CancellationToken::new();
        agents::reports::refresh_due_cached(&server.state.services, &cancel)
            .await
            .unwrap()
    };
    assert_eq!(refresh().await, 1, "the other one that the store holds");
    assert_eq!(refresh().await, 0);
    server.clock.advance(4 * 3_600_000);
    assert_eq!(refresh().await, 2);
    let again = server.get(&path("ACME")).send().await.json();
    assert_eq!(
        again["report"]["id"], found["id"],
        "its page keeps its address"
    );
    assert_ne!(again["report"]["created_at"], found["created_at"]);
    let narrow = KeyScope {
        allowed_categories: vec![Category::Sports],
        ..KeyScope::default()
    };
    let member = server.member(Plan::Builder, narrow).await;
    assert_eq!(
        get(&server, &member, &path("ACME")).await.status.as_u16(),
        403
    );
}

#[tokio::test]
async fn uploads_are_public_bounded_and_harmless() {
    let server = TestServer::start().await;
    fill(&server).await;
    let member = server.unlimited().await;
    let upload = async |body: Value| server.post(UPLOAD, &body).bearer(&member.key).send().await;
    let hostile = "# Hi\n\n<script>alert(1)</script> [x](javascript:alert(1)) ![b](https://t.example/p.gif)\n\n<svg onload=alert(1)>";
    let reply = upload(json!({"ticker": "acme", "markdown": hostile})).await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
    assert_eq!(reply.charged(), 0);
    let (id, url) = (
        id_of(&reply.json()),
        reply.json()["url"].as_str().unwrap().to_owned(),
    );
    let page = server.get(&url).send().await;
    assert_eq!(page.status.as_u16(), 200);
    let html = page.text();
    assert!(
        html.contains("<h1>Hi</h1>") && html.contains("&lt;script&gt;"),
        "{html}"
    );
    for part in ["<script", "<img", "<svg onload", "href=\"javascript"] {
        assert!(!html.contains(part), "{part}: {html}");
    }
    let policy = page.header("content-security-policy").to_owned();
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"));
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(page.header("referrer-policy"), "no-referrer");
    assert!(html.contains("prefers-color-scheme:dark") && html.contains("@media print"));
    let raw = server.get(&format!("{url}.md")).send().await;
    assert_eq!(
        (raw.text(), raw.header("content-type")),
        (hostile.to_owned(), "text/markdown; charset=utf-8")
    );
    let shown = server.get(&format!("{LIST}/{id}")).send().await.json();
    assert_eq!(
        (&shown["report"]["tier"], &shown["report"]["is_public"]),
        (&json!("cli"), &json!(true))
    );

    let longest = "é".repeat(250_000);
    assert_eq!(
        upload(json!({"ticker": "ACME", "markdown": longest, "tier": "My <b>view</b>"}))
            .await
            .status
            .as_u16(),
        200
    );
    for body in [
        json!({"ticker": "ACME", "markdown": format!("{longest}x")}),
        json!({"ticker": "ACME", "markdown": "  \n"}),
        json!({"ticker": "ACME", "markdown": "x", "tier": "two\nlines"}),
        json!({"ticker": "ACME", "markdown": 7}),
        json!({"ticker": "ACME"}),
    ] {
        assert_eq!(upload(body).await.status.as_u16(), 400);
    }
    let far_too_long = upload(json!({"ticker": "ACME", "markdown": "x".repeat(3 << 20)})).await;
    assert_eq!(far_too_long.status.as_u16(), 413);
    assert_eq!(
        upload(json!({"ticker": "NOPE1", "markdown": "x"}))
            .await
            .status
            .as_u16(),
        404
    );
    for _ in 2..200 {
        assert_eq!(
            upload(json!({"ticker": "ACME", "markdown": "x"}))
                .await
                .status
                .as_u16(),
            200
        );
    }
    let more = upload(json!({"ticker": "ACME", "markdown": "x"})).await;
    assert_eq!(more.status.as_u16(), 409, "{}", more.text());
}

#[tokio::test]
async fn pages_that_are_not_there_are_not_found() {
    let server = TestServer::start().await;
    for file in [
        "RPT-0",
        "RPT-0.md",
        "%00",
        "..%2f..%2fetc%2fpasswd",
        ".json",
        "<script>",
    ] {
        let path = format!("/reports/{file}")
            .replace('<', "%3C")
            .replace('>', "%3E");
        let reply = server.get(&path).send().await;
        assert_eq!(reply.status.as_u16(), 404, "{path}: {}", reply.text());
    }
}
