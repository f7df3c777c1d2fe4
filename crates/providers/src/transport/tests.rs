use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;
use crate::error::Outage;
use crate::feeds::FetchFeed;
use crate::guard::Allow;

/// Filler for bodies that are too large.
static FILLER: [u8; 65_536] = [b'x'; 65_536];

/// Reaches the listed servers and no other private address.
fn settings(servers: &[SocketAddr]) -> TransportSettings {
    TransportSettings {
        contact: Some("desk@assay.test".to_owned()),
        allow: Allow::parse(servers.iter().map(ToString::to_string)).unwrap(),
        backoff: Duration::from_millis(1),
        budget: HostBudget {
            spacing: Duration::ZERO,
            burst: 1,
        },
        ..TransportSettings::default()
    }
}

fn transport(servers: &[SocketAddr]) -> Transport {
    Transport::new(settings(servers)).unwrap()
}

fn get(server: &MockServer, path: &str) -> HttpRequest {
    HttpRequest::get(format!("{}{path}", server.uri()))
}

fn body(answer: HttpAnswer) -> HttpBody {
    match answer {
        HttpAnswer::Body(body) => body,
        HttpAnswer::NotModified => panic!("not modified"),
    }
}

async fn answering(template: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(template)
        .mount(&server)
        .await;
    server
}

/// A server that reads a request, writes `start` and then `more` for as long as anyone reads it; without `more` it
/// falls silent.
async fn endless(start: &'static [u8], more: Option<&'static [u8]>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut silent = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 1024]).await;
            let mut result = stream.write_all(start).await;
            while let (Ok(()), Some(more)) = (&result, more) {
                result = stream.write_all(more).await;
            }
            silent.push(stream);
        }
    });
    address
}

#[tokio::test]
async fn says_who_is_asking_and_brings_the_body() {
    let server = MockServer::start().await;
    let agent = format!("Assay/{} (+desk@assay.test)", env!("CARGO_PKG_VERSION"));
    Mock::given(header("user-agent", agent.as_str()))
        .respond_with(
            ResponseTemplate::new(200)
                .set_body_string("ok")
                .insert_header("etag", "\"7\""),
        )
        .mount(&server)
        .await;
    let body = body(
        transport(&[*server.address()])
            .send(&get(&server, "/x"))
            .await
            .unwrap(),
    );
    assert_eq!(
        (body.bytes.as_ref(), body.header("etag")),
        (b"ok".as_slice(), Some("\"7\""))
    );
    assert_eq!(body.url, format!("{}/x", server.uri()));
}

#[tokio::test]
async fn private_addresses_are_not_dialled() {
    let server = answering(ResponseTemplate::new(200)).await;
    let port = server.address().port();
    let transport = transport(&[]);
    // By address and, which only the resolver can see, by name.
    for host in ["127.0.0.1", "localhost", "2130706433"] {
        let result = transport
            .send(&HttpRequest::get(format!("http://{host}:{port}/")))
            .await;
        assert!(
            matches!(result, Err(Error::Blocked { .. })),
            "{host}: {result:?}"
        );
    }
    assert!(server.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_listed_name_is_dialled_on_its_port_only() {
    // `localhost` may resolve to ::1 first; the server listens on both address families if there are two.
    let listener = TcpListener::bind("localhost:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 1024]).await;
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok")
                .await;
        }
    });
    let allow = Allow::parse([format!("localhost:{port}")]).unwrap();
    let transport = Transport::new(TransportSettings {
        allow,
        retries: 0,
        ..settings(&[])
    })
    .unwrap();
    assert!(
        transport
            .send(&HttpRequest::get(format!("http://localhost:{port}/")))
            .await
            .is_ok()
    );
    let other = transport
        .send(&HttpRequest::get(format!("http://localhost:{}/", port ^ 1)))
        .await;
    assert!(matches!(other, Err(Error::Blocked { .. })), "{other:?}");
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_refused() {
    let inside = answering(ResponseTemplate::new(200).set_body_string("secret")).await;
    for target in [
        inside.uri(),
        format!("http://localhost:{}/", inside.address().port()),
        "file:///etc/passwd".to_owned(),
    ] {
        let outside =
            answering(ResponseTemplate::new(302).insert_header("location", target.as_str())).await;
        let result = transport(&[*outside.address()])
            .send(&get(&outside, "/"))
            .await;
        assert!(
            matches!(result, Err(Error::Blocked { .. } | Error::Address { .. })),
            "{target}: {result:?}"
        );
    }
    assert!(inside.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn redirects_are_followed_and_credentials_stay_behind() {
    let second = answering(ResponseTemplate::new(200).set_body_string("there")).await;
    let first = MockServer::start().await;
    let to = |target: String| ResponseTemplate::new(301).insert_header("location", target.as_str());
    Mock::given(path("/a"))
        .respond_with(to("/b?x".to_owned()))
        .mount(&first)
        .await;
    Mock::given(path("/b"))
        .and(header("x-key", "k"))
        .respond_with(to(format!("{}/c", second.uri())))
        .mount(&first)
        .await;
    let request = HttpRequest {
        headers: vec![("x-key".to_owned(), "k".to_owned())],
        etag: Some("\"7\"".to_owned()),
        ..get(&first, "/a")
    };
    let answer = transport(&[*first.address(), *second.address()])
        .send(&request)
        .await
        .unwrap();
    assert_eq!(body(answer).url, format!("{}/c", second.uri()));
    let reached = second.received_requests().await.unwrap();
    assert!(
        !reached[0].headers.contains_key("x-key")
            && !reached[0].headers.contains_key("if-none-match")
    );
}

#[tokio::test]
async fn endless_redirects_end() {
    let server = answering(ResponseTemplate::new(307).insert_header("location", "/again")).await;
    let result = transport(&[*server.address()])
        .send(&get(&server, "/"))
        .await;
    assert!(
        matches!(
            result,
            Err(Error::Redirect {
                fault: RedirectFault::TooMany,
                ..
            })
        ),
        "{result:?}"
    );
    assert_eq!(
        server.received_requests().await.unwrap().len(),
        MAX_REDIRECTS + 1
    );
}

#[test]
fn redirects_do_not_leave_https() {
    let from = Url::parse("https://a.test/x").unwrap();
    let target = |location: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(LOCATION, HeaderValue::from_str(location).unwrap());
        redirect_target(&from, &headers)
    };
    assert_eq!(target("//b.test/y").unwrap().as_str(), "https://b.test/y");
    assert!(matches!(
        target("http://a.test/x"),
        Err(Error::Redirect {
            fault: RedirectFault::Downgrade,
            ..
        })
    ));
    assert!(matches!(
        target("https://"),
        Err(Error::Redirect {
            fault: RedirectFault::Target,
            ..
        })
    ));
    assert!(matches!(
        redirect_target(&from, &HeaderMap::new()),
        Err(Error::Redirect { .. })
    ));
}

#[tokio::test]
async fn validators_are_sent_and_nothing_new_is_reported() {
    let server = MockServer::start().await;
    Mock::given(header("if-none-match", "\"7\""))
        .respond_with(ResponseTemplate::new(304))
        .mount(&server)
        .await;
    let feed = FetchFeed {
        url: server.uri(),
        etag: Some("\"7\"".to_owned()),
        last_modified: Some("Tue, 10 Jun 2025 16:00:00 GMT".to_owned()),
    };
    assert_eq!(
        transport(&[*server.address()]).call(feed).await.unwrap(),
        Fetched::NotModified
    );
    // The test server's matcher would take the comma in the date for a list.
    let received = server.received_requests().await.unwrap();
    assert_eq!(
        received[0].headers["if-modified-since"],
        "Tue, 10 Jun 2025 16:00:00 GMT"
    );
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_what_may_not_is_not() {
    let server = MockServer::start().await;
    Mock::given(path("/later"))
        .respond_with(ResponseTemplate::new(503))
        .up_to_n_times(2)
        .mount(&server)
        .await;
    Mock::given(path("/later"))
        .respond_with(ResponseTemplate::new(200))
        .mount(&server)
        .await;
    let transport = transport(&[*server.address()]);
    assert!(transport.send(&get(&server, "/later")).await.is_ok());
    assert_eq!(server.received_requests().await.unwrap().len(), 3);
    let result = transport.send(&get(&server, "/missing")).await;
    assert!(
        matches!(result, Err(Error::Status { status: 404, .. })),
        "{result:?}"
    );
    assert_eq!(server.received_requests().await.unwrap().len(), 4);
}

#[tokio::test]
async fn a_server_that_asks_for_a_long_pause_is_left_alone() {
    let server = answering(ResponseTemplate::new(429).insert_header("retry-after", "3600")).await;
    let transport = transport(&[*server.address()]);
    let error = transport.send(&get(&server, "/")).await.unwrap_err();
    assert_eq!(error.wait(), Some(Duration::from_hours(1)));
    assert!(matches!(
        transport.send(&get(&server, "/")).await,
        Err(Error::Resting { .. })
    ));
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
}

#[test]
fn a_pause_until_a_date_is_measured_by_the_servers_clock() {
    let mut headers = HeaderMap::new();
    headers.insert(
        RETRY_AFTER,
        HeaderValue::from_static("Tue, 10 Jun 2025 16:02:00 GMT"),
    );
    assert_eq!(retry_after(&headers), None);
    headers.insert(
        reqwest::header::DATE,
        HeaderValue::from_static("Tue, 10 Jun 2025 16:00:00 GMT"),
    );
    assert_eq!(retry_after(&headers), Some(Duration::from_mins(2)));
}

#[tokio::test]
async fn a_host_that_keeps_failing_is_left_alone() {
    let server = answering(ResponseTemplate::new(500)).await;
    let settings = TransportSettings {
        breaker_failures: 3,
        retries: 0,
        ..settings(&[*server.address()])
    };
    let transport = Transport::new(settings).unwrap();
    for _ in 0..3 {
        assert!(matches!(
            transport.send(&get(&server, "/")).await,
            Err(Error::Status { status: 500, .. })
        ));
    }
    assert!(matches!(
        transport.send(&get(&server, "/")).await,
        Err(Error::Resting { .. })
    ));
    assert_eq!(server.received_requests().await.unwrap().len(), 3);
}

#[tokio::test]
async fn one_purpose_does_not_use_up_the_budget_or_open_the_breaker_of_another() {
    let failing = answering(ResponseTemplate::new(500)).await;
    let settings = TransportSettings {
        breaker_failures: 1,
        retries: 0,
        budget: HostBudget {
            spacing: Duration::from_hours(1),
            burst: 2,
        },
        ..settings(&[*failing.address()])
    };
    let feeds = Transport::new(settings).unwrap();
    let callers = feeds.separate();
    let ask = async |transport: &Transport| transport.send(&get(&failing, "/")).await;
    assert!(matches!(ask(&callers).await, Err(Error::Status { .. })));
    assert!(matches!(ask(&callers).await, Err(Error::Resting { .. })));
    assert!(
        matches!(ask(&feeds).await, Err(Error::Status { .. })),
        "the breaker of callers is not that of feeds"
    );

    let fine = answering(ResponseTemplate::new(200)).await;
    let settings = TransportSettings {
        allow: settings_allow(&fine),
        ..feeds.settings().clone()
    };
    let callers = Transport::new(settings).unwrap();
    let feeds = callers.separate();
    let ask = async |transport: &Transport| transport.send(&get(&fine, "/")).await;
    for _ in 0..2 {
        ask(&callers).await.unwrap();
    }
    assert!(matches!(ask(&callers).await, Err(Error::Queued { .. })));
    ask(&feeds).await.unwrap();
}

fn settings_allow(server: &MockServer) -> Allow {
    Allow::parse([server.address().to_string()]).unwrap()
}

#[tokio::test]
async fn a_page_with_status_200_is_an_outage_and_opens_the_breaker() {
    let page = "<!DOCTYPE html><html><title>We will be right back</title></html>";
    let server = answering(ResponseTemplate::new(200).set_body_string(page)).await;
    let settings = TransportSettings {
        breaker_failures: 2,
        ..settings(&[*server.address()])
    };
    let transport = Transport::new(settings).unwrap();
    for _ in 0..2 {
        let error = transport
            .call(FetchFeed::new(server.uri()))
            .await
            .unwrap_err();
        assert!(
            matches!(
                error,
                Error::Answer {
                    source: ParseError::Outage(Outage::Page),
                    ..
                }
            ),
            "{error:?}"
        );
        assert!(error.is_retryable());
    }
    assert!(matches!(
        transport.call(FetchFeed::new(server.uri())).await,
        Err(Error::Resting { .. })
    ));
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_gzip_bomb_and_an_endless_body_stop_at_the_limit() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..800 {
        encoder.write_all(&FILLER).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 1 << 20);
    let packed = ResponseTemplate::new(200)
        .set_body_bytes(bomb)
        .insert_header("content-encoding", "gzip");
    let server = answering(packed).await;
    let request = HttpRequest {
        size_limit: 1 << 20,
        ..get(&server, "/")
    };
    let result = transport(&[*server.address()]).send(&request).await;
    assert!(
        matches!(
            result,
            Err(Error::TooLarge {
                limit: 1_048_576,
                ..
            })
        ),
        "{result:?}"
    );

    let announced =
        answering(ResponseTemplate::new(200).set_body_bytes(vec![b'x'; 50_000_000])).await;
    let result = transport(&[*announced.address()])
        .send(&get(&announced, "/"))
        .await;
    assert!(matches!(result, Err(Error::TooLarge { .. })), "{result:?}");

    let address = endless(b"HTTP/1.1 200 OK\r\n\r\n", Some(&FILLER)).await;
    let result = transport(&[address])
        .send(&HttpRequest::get(format!("http://{address}/")))
        .await;
    assert!(matches!(result, Err(Error::TooLarge { .. })), "{result:?}");
}

#[tokio::test]
async fn a_server_that_dawdles_runs_into_the_time_limit() {
    for start in [
        b"".as_slice(),
        b"HTTP/1.1 200 O",
        b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx",
    ] {
        let address = endless(start, None).await;
        let settings = TransportSettings {
            total_timeout: Duration::from_millis(150),
            retries: 0,
            ..settings(&[address])
        };
        let result = Transport::new(settings)
            .unwrap()
            .send(&HttpRequest::get(format!("http://{address}/")))
            .await;
        assert!(matches!(result, Err(Error::Timeout { .. })), "{result:?}");
    }
}

#[tokio::test]
async fn a_broken_connection_leaks_no_secret() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let request = HttpRequest::get(format!("http://{address}/x?api_key=hush"));
    let error = transport(&[address]).send(&request).await.unwrap_err();
    assert!(matches!(error, Error::Connection { .. }) && error.is_retryable());
    let mut shown = format!("{error} {error:?}");
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        shown.push_str(&cause.to_string());
        source = cause.source();
    }
    assert!(!shown.contains("hush"), "{shown}");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_read_all_the_same() {
    let feed =
        b"<rss><channel><title>x</title><item><title>caf\xe9 \xff</title><link>/1</link></item>"
            .to_vec();
    let server = answering(ResponseTemplate::new(200).set_body_bytes(feed)).await;
    let fetched = transport(&[*server.address()])
        .call(FetchFeed::new(server.uri()))
        .await
        .unwrap();
    assert_eq!(fetched.new_answer().unwrap().items.len(), 1);
}

#[tokio::test]
async fn a_defect_of_a_parser_is_contained() {
    struct Defective(String);
    impl Call for Defective {
        type Output = ();
        fn request(&self) -> HttpRequest {
            HttpRequest::get(&self.0)
        }
        fn parse(&self, _: &HttpBody) -> Result<(), ParseError> {
            panic!("a defect, as this test wants it")
        }
    }
    let server = answering(ResponseTemplate::new(200)).await;
    let result = transport(&[*server.address()])
        .call(Defective(server.uri()))
        .await;
    assert!(
        matches!(
            result,
            Err(Error::Answer {
                source: ParseError::Defect,
                ..
            })
        ),
        "{result:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn requests_to_one_host_are_spaced() {
    let budget = HostBudget {
        spacing: Duration::from_secs(2),
        burst: 1,
    };
    // Nothing listens on the port: what is measured is the wait before the attempts.
    let address: SocketAddr = "127.0.0.1:1".parse().unwrap();
    let settings = TransportSettings {
        budget,
        retries: 0,
        breaker_failures: 99,
        ..settings(&[address])
    };
    let transport = Arc::new(Transport::new(settings).unwrap());
    let started = Instant::now();
    for _ in 0..3 {
        let _ = transport.wait_for_slot("127.0.0.1:1").await;
    }
    assert_eq!(started.elapsed().as_secs(), 4);
}

#[test]
fn the_user_agent_survives_any_contact() {
    let agent = |contact: Option<&str>| {
        TransportSettings {
            contact: contact.map(str::to_owned),
            ..TransportSettings::default()
        }
        .user_agent()
    };
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        agent(Some("a@b.test\r\nx: y")),
        format!("Assay/{version} (+a@b.testx: y)")
    );
    for contact in [None, Some(""), Some(" \n"), Some("()")] {
        assert_eq!(agent(contact), format!("Assay/{version}"));
    }
}
