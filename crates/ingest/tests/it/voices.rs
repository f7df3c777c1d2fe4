//! A feed speaks for itself only.

use std::sync::Arc;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use ingest::poll::{Poller, Polling};
use ingest::{Outcome, Publisher};
use model::{FeedSource, Outlet, OutletTable, RawArticle, TextOrigin, TrustLevel, Via};
use providers::guard::Allow;
use providers::{Transport, TransportSettings};
use store::{BriefQuery, Store, StoredBrief};

use crate::world::{RECORDED, at, everything, prepared, raw, store};

/// One story in five wordings, each under the address of another great outlet.
const STORY: [(&str, &str, &str); 5] = [
    (
        "https://first.example/port",
        "Port of Rotterdam reopens after storm",
        "The port of Rotterdam reopened on Monday after a storm closed it for two days. Ships waited off the coast.",
    ),
    (
        "https://second.example/port",
        "Rotterdam port reopens after two-day storm closure",
        "Rotterdam's port has reopened after a storm closure of two days, the authority said. About 40 vessels were waiting on Monday.",
    ),
    (
        "https://third.example/port",
        "Storm over, port of Rotterdam reopens to ships",
        "Ships enter the port of Rotterdam again on Monday, which a storm had closed for two days, its authority announced.",
    ),
    (
        "https://fourth.example/port",
        "Port of Rotterdam reopens to waiting ships after storm",
        "After two days of storm the port of Rotterdam reopens; 40 ships had waited off the coast until Monday morning.",
    ),
    (
        "https://fifth.example/port",
        "Rotterdam reopens its port after the storm",
        "The storm is over and Rotterdam reopens its port, closed for two days. The authority counts 40 waiting ships on Monday.",
    ),
];

const PAGE: &str = r#"<!doctype html><html lang="en"><head><title>Port of Rotterdam reopens after storm</title>
<meta property="og:site_name" content="The Quay"></head><body><article><h1>Port of Rotterdam reopens after storm</h1>
<p>The port of Rotterdam reopened on Monday after a storm had closed it for two days, the port authority said in the morning.</p>
<p>Ships had waited off the coast since Saturday. The authority said that 40 vessels would be handled by Tuesday evening at the
latest, and that the largest of them would go first because they hold up the others.</p>
<p>Two cranes were damaged by the wind. Repairs will take a week, according to the operator of the terminal, and cost little.</p>
</article></body></html>"#;

fn feed_of(items: &[(&str, &str, &str)]) -> String {
    let items: Vec<String> = items
        .iter()
        .map(|(link, title, text)| {
            format!(
                "<item><title>{title}</title><link>{link}</link><description>{text}</description>\
                 <pubDate>Mon, 02 Mar 2026 08:00:00 GMT</pubDate></item>"
            )
        })
        .collect();
    let items = items.concat();
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>First Example</title>\
         <link>https://first.example/</link>{items}</channel></rss>"
    )
}

/// Serves a feed and one page.
fn serve(listener: tokio::net::TcpListener, feed: String) {
    let router = Router::new()
        .route(
            "/feed",
            get(move || {
                let feed = feed.clone();
                async move { ([(CONTENT_TYPE, "application/rss+xml")], feed) }
            }),
        )
        .route(
            "/port",
            get(|| async { ([(CONTENT_TYPE, "text/html; charset=utf-8")], PAGE) }),
        );
    tokio::spawn(async move { axum::serve(listener, router).await });
}

fn publisher(store: &Store) -> Publisher {
    let domains = ["first", "second", "third", "fourth", "fifth"];
    let rows = domains.map(|name| Outlet {
        domain: format!("{name}.example"),
        name: None,
        trust: TrustLevel::High,
    });
    Publisher::open(store.clone(), Arc::new(OutletTable::new(rows)))
}

async fn poll(store: &Store, items: &[(&str, &str, &str)], speaks_for: &[&str]) -> Outcome {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let items: Vec<(String, &str, &str)> = items
        .iter()
        .map(|(link, title, text)| (link.replace("PORT", &port.to_string()), *title, *text))
        .collect();
    let items: Vec<(&str, &str, &str)> = items
        .iter()
        .map(|(link, title, text)| (link.as_str(), *title, *text))
        .collect();
    serve(listener, feed_of(&items));
    let settings = TransportSettings {
        allow: Allow::parse([format!("127.0.0.1:{port}"), format!("localhost:{port}")]).unwrap(),
        retries: 0,
        ..TransportSettings::default()
    };
    let polling = Polling {
        feeds: vec![FeedSource {
            url: format!("http://127.0.0.1:{port}/feed").into(),
            name: "Anybody".into(),
            category: None,
            enabled: true,
            speaks_for: speaks_for.iter().map(|name| (*name).to_owned()).collect(),
        }],
        every_minutes: 15,
        full_text: items.iter().any(|(link, ..)| link.contains("localhost")),
        now: Arc::new(|| at("2026-03-02T12:00:00Z")),
    };
    let transport = Arc::new(Transport::new(settings).unwrap());
    let poller = Poller::new(
        store.clone(),
        publisher(store),
        transport,
        extraction::Extraction::in_process(extraction::Limits::default()),
        polling,
    );
    let mut outcomes = poller.poll_due().await.unwrap();
    outcomes.remove(0).1.unwrap()
}

async fn briefs(store: &Store) -> Vec<StoredBrief> {
    let query = BriefQuery {
        limit: 50,
        ..BriefQuery::default()
    };
    store.briefs().list(&query).await.unwrap().briefs
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_links_to_five_outlets_is_one_source_of_unknown_trust() {
    let store = store().await;
    let outcome = poll(&store, &STORY, &[]).await;
    assert_eq!((outcome.articles, outcome.briefs), (5, 1), "{outcome:?}");
    let brief = &briefs(&store).await[0].brief;
    assert_eq!(brief.source_count, 1, "one feed is one voice");
    for source in &brief.sources {
        assert_eq!(
            (source.name.as_str(), source.domain.as_str()),
            ("Anybody", "127.0.0.1")
        );
        assert_eq!(source.trust_level, TrustLevel::Unknown);
        assert_eq!(source.via.as_ref().unwrap().text, TextOrigin::Feed);
    }
    assert_eq!(
        brief.sources[0].url, STORY[0].0,
        "readers are led to the page"
    );

    let addresses: Vec<&str> = STORY.iter().map(|(link, ..)| *link).collect();
    let occupied = store.articles().exists(&addresses).await.unwrap();
    assert!(occupied.is_empty(), "{occupied:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_says_for_whom_a_feed_speaks() {
    let store = store().await;
    let domains: Vec<&str> = STORY
        .iter()
        .map(|(link, ..)| link.split('/').nth(2).unwrap())
        .collect();
    poll(&store, &STORY, &domains).await;
    let brief = &briefs(&store).await[0].brief;
    assert_eq!(brief.source_count, 5);
    assert!(
        brief
            .sources
            .iter()
            .all(|source| source.trust_level == TrustLevel::High && source.via.is_none())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_outlets_own_article_takes_the_place_of_the_stand_in() {
    let store = store().await;
    poll(&store, &STORY[..1], &[]).await;
    let before = briefs(&store).await.remove(0);

    let own = raw(
        STORY[0].0,
        "Port of Rotterdam reopens after storm",
        "The port of Rotterdam reopened on Monday after a storm closed it for two days. Ships waited off the coast. The port authority said that 40 vessels would be handled by Tuesday.",
        "2026-03-02T13:00:00Z",
    );
    let outcome = publisher(&store)
        .publish(prepared(&[own]), at(RECORDED))
        .await
        .unwrap();
    assert_eq!((outcome.articles, outcome.revisions), (1, 1), "{outcome:?}");
    let after = briefs(&store).await;
    assert_eq!(after.len(), 1, "the story goes on");
    let brief = &after[0].brief;
    assert_eq!((brief.id, brief.revision), (before.brief.id, 2));
    assert_eq!((brief.sources.len(), brief.source_count), (1, 1));
    let source = &brief.sources[0];
    assert_eq!(source.domain, "first.example");
    assert_eq!(source.trust_level, TrustLevel::High);
    assert_eq!((source.via.as_ref(), source.copy_of), (None, None));
    for sentence in &brief.sentences {
        assert!(sentence.sources.iter().all(|index| *index == 0));
    }

    let found = |as_of| {
        let store = store.clone();
        let id = before.brief.id;
        async move {
            let articles = store.briefs().articles_of(id, as_of).await.unwrap();
            articles
                .into_iter()
                .map(|stored| stored.article.domain)
                .collect::<Vec<_>>()
        }
    };
    assert_eq!(found(None).await, ["first.example"]);
    assert_eq!(
        found(Some(at("2026-03-02T12:30:00Z"))).await,
        ["127.0.0.1"],
        "what was known then stays known then"
    );

    // Another feed that passes the article on adds nothing.
    let outcome = poll(&store, &STORY[..1], &["another.example"]).await;
    assert_eq!((outcome.articles, outcome.known), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_was_read_speaks_for_itself() {
    let store = store().await;
    let item = (
        "http://localhost:PORT/port",
        "Rotterdam is lost for ever",
        "Invented by the feed.",
    );
    poll(&store, &[item], &[]).await;
    let brief = &briefs(&store).await[0].brief;
    let source = &brief.sources[0];
    assert_eq!(source.title, "Port of Rotterdam reopens after storm");
    assert_eq!(
        (source.domain.as_str(), source.name.as_str()),
        ("localhost", "The Quay")
    );
    let via = source.via.as_ref().unwrap();
    assert_eq!(
        (via.name.as_str(), via.domain.as_str(), via.text),
        ("Anybody", "127.0.0.1", TextOrigin::Page)
    );
    assert!(!brief.body.contains("Invented"));
}

#[tokio::test(flavor = "multi_thread")]
async fn feeds_that_pass_on_one_article_are_one_voice() {
    let store = store().await;
    let passed_on = |(_, title, text): (&str, &str, &str), feed: &str| RawArticle {
        via: Some(Via {
            name: feed.into(),
            domain: feed.into(),
            text: TextOrigin::Feed,
        }),
        ..raw(STORY[0].0, title, text, "2026-03-02T08:00:00Z")
    };
    let first = passed_on(STORY[0], "one.example");
    let second = passed_on(STORY[1], "two.example");
    let own = raw(STORY[0].0, STORY[2].1, STORY[2].2, "2026-03-02T13:00:00Z");
    let all = [first, second, own];
    publisher(&store)
        .publish(prepared(&all[..2]), at(RECORDED))
        .await
        .unwrap();
    let brief = &briefs(&store).await[0].brief;
    assert_eq!((brief.sources.len(), brief.source_count), (2, 1));
    publisher(&store)
        .publish(prepared(&all), at(RECORDED))
        .await
        .unwrap();
    let brief = &briefs(&store).await[0].brief;
    assert_eq!((brief.sources.len(), brief.revision), (1, 3));

    // Whatever is published in one run or in several, before a restart or after it, comes to the same briefs.
    let whole = crate::world::store().await;
    publisher(&whole)
        .publish(prepared(&all), at(RECORDED))
        .await
        .unwrap();
    assert_eq!(everything(&whole).await, everything(&store).await);
}
