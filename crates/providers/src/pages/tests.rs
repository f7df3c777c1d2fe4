use std::net::SocketAddr;

use wiremock::matchers::path;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;
use crate::error::Outage;
use crate::guard::Allow;
use crate::transport::{HostBudget, TransportSettings};

fn pages(servers: &[SocketAddr]) -> Pages {
    let settings = TransportSettings {
        allow: Allow::parse(servers.iter().map(ToString::to_string)).unwrap(),
        budget: HostBudget {
            spacing: Duration::ZERO,
            burst: 1,
        },
        retries: 0,
        ..TransportSettings::default()
    };
    Pages::new(Arc::new(Transport::new(settings).unwrap()))
}

/// A site with these rules, or without any, whose pages say `hello`.
async fn site(robots: Option<&str>) -> MockServer {
    let server = MockServer::start().await;
    let rules = robots.map_or_else(
        || ResponseTemplate::new(404),
        |rules| ResponseTemplate::new(200).set_body_string(rules),
    );
    Mock::given(path("/robots.txt"))
        .respond_with(rules)
        .expect(1)
        .mount(&server)
        .await;
    let moved = ResponseTemplate::new(302).insert_header("location", "/private/x");
    Mock::given(path("/moved"))
        .respond_with(moved)
        .mount(&server)
        .await;
    Mock::given(wiremock::matchers::any())
        .respond_with(ResponseTemplate::new(200).set_body_string("<p>hello</p>"))
        .mount(&server)
        .await;
    server
}

#[tokio::test]
async fn a_site_without_rules_is_open_and_asked_once() {
    let server = site(None).await;
    let pages = pages(&[*server.address()]);
    for path in ["/a", "/b"] {
        let page = pages
            .fetch(&format!("{}{path}", server.uri()))
            .await
            .unwrap();
        assert_eq!(
            (page.html.as_str(), page.url),
            ("<p>hello</p>", format!("{}{path}", server.uri()))
        );
    }
}

#[tokio::test]
async fn closed_pages_are_not_fetched() {
    let server = site(Some("User-agent: *\nDisallow: /private")).await;
    let pages = pages(&[*server.address()]);
    let address = |path: &str| format!("{}{path}", server.uri());
    assert!(matches!(
        pages.fetch(&address("/private/x")).await,
        Err(Error::Disallowed { .. })
    ));
    assert!(!pages.is_permitted(&address("/private")).await.unwrap());
    assert!(pages.is_permitted(&address("/open")).await.unwrap());
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
    assert!(
        matches!(
            pages.fetch(&address("/moved")).await,
            Err(Error::Disallowed { .. })
        ),
        "redirects do not lead in"
    );
}

#[tokio::test]
async fn a_site_in_trouble_is_not_read_against_unknown_rules() {
    let server = MockServer::start().await;
    Mock::given(path("/robots.txt"))
        .respond_with(ResponseTemplate::new(503))
        .mount(&server)
        .await;
    let result = pages(&[*server.address()]).fetch(&server.uri()).await;
    assert!(
        matches!(result, Err(Error::Status { status: 503, .. })),
        "{result:?}"
    );
}

#[tokio::test]
async fn private_and_malformed_addresses_are_refused() {
    let pages = pages(&[]);
    for address in [
        "http://127.0.0.1/",
        "http://localhost:1/",
        "ftp://a.test/",
        "not an address",
        "https://me:word@a.test/",
    ] {
        let result = pages.fetch(address).await;
        assert!(
            matches!(result, Err(Error::Blocked { .. } | Error::Address { .. })),
            "{address}: {result:?}"
        );
    }
}

#[test]
fn what_is_no_page_is_recognised() {
    let call = FetchPage {
        url: "https://a.test/".to_owned(),
    };
    let parse = |bytes: &'static [u8], content_type: Option<&'static str>| {
        let mut body = HttpBody::new("https://a.test/", bytes);
        if let Some(content_type) = content_type {
            body.headers
                .insert("content-type", content_type.parse().unwrap());
        }
        call.parse(&body)
    };
    assert!(matches!(
        parse(b"%PDF-1.7", None),
        Err(ParseError::Unsupported(_))
    ));
    assert!(
        matches!(parse(b"x", Some("image/png")), Err(ParseError::Unsupported(kind)) if kind == "image/png")
    );
    assert!(matches!(parse(b" ", None), Err(ParseError::Empty)));
    let challenge = b"<html><title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/x'></script>";
    assert!(matches!(
        parse(challenge, Some("text/html")),
        Err(ParseError::Outage(Outage::Challenge))
    ));
    let page = parse(b"<meta charset=iso-8859-1><p>caf\xe9", Some("text/html")).unwrap();
    assert!(page.html.ends_with("café"));
}

#[tokio::test]
async fn rules_of_many_sites_stay_within_their_bytes() {
    let pages = pages(&[]);
    let large = format!("User-agent: *\nDisallow: /{}\n", "é".repeat(200_000));
    for number in 0..100 {
        let origin = format!("https://large{number}.test");
        pages.remember(origin, Robots::parse(&large));
        assert!(pages.sites.weight() <= REMEMBERED_BYTES);
    }
    // The last of them may be requested next.
    assert!(pages.sites.len() > 10, "{}", pages.sites.len());
    for number in 0..1_000_000 {
        pages.remember(format!("https://{number}.test"), Robots::default());
    }
    assert!(pages.sites.weight() <= REMEMBERED_BYTES);
    let refused = pages
        .is_permitted(&format!("https://a.test/{}", "x".repeat(LONGEST_ADDRESS)))
        .await;
    assert!(matches!(refused, Err(Error::Address { .. })));
}

#[tokio::test]
async fn of_rules_without_end_the_beginning_counts() {
    let endless = format!(
        "User-agent: *\nDisallow: /private\n{}",
        "# padding\n".repeat(100_000)
    );
    let server = site(Some(&endless)).await;
    let pages = pages(&[*server.address()]);
    let address = |path: &str| format!("{}{path}", server.uri());
    assert!(!pages.is_permitted(&address("/private")).await.unwrap());
    assert!(pages.is_permitted(&address("/open")).await.unwrap());
}
