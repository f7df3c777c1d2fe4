//! Every address and every name that a stranger might try, at every way out: feeds, pages, `/extract` and web search go
//! through the transport, alerts, monitors and webhooks through callbacks.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use providers::callbacks::{CallbackFault, CallbackRequest, Callbacks, Reach};
use providers::feeds::FetchFeed;
use providers::guard::{Allow, Names};
use providers::pages::Pages;
use providers::transport::HostBudget;
use providers::{AddressFault, Error, HttpRequest, Transport, TransportSettings};

/// Address, what is wrong with it, and why it is here.
const ADDRESSES: &str = include_str!("hostile/addresses.tsv");

/// Names, and what they stand for.
const NAMES: [(&str, &[&str]); 28] = [
    ("loopback.example", &["127.0.0.1"]),
    ("loopback6.example", &["::1"]),
    ("dotted.example.", &["127.0.0.1"]),
    ("unspecified.example", &["0.0.0.0"]),
    ("unspecified6.example", &["::"]),
    ("ten.example", &["10.1.2.3"]),
    ("seventeen.example", &["172.16.5.5"]),
    ("home.example", &["192.168.0.10"]),
    ("carrier.example", &["100.64.3.4"]),
    ("link.example", &["169.254.1.1"]),
    ("metadata.example", &["169.254.169.254"]),
    ("metadata.google.internal", &["169.254.169.254"]),
    ("metadata6.example", &["fd00:ec2::254"]),
    ("multicast.example", &["224.0.0.251"]),
    ("multicast6.example", &["ff02::fb"]),
    ("broadcast.example", &["255.255.255.255"]),
    ("reserved.example", &["240.1.1.1"]),
    ("benchmark.example", &["198.19.0.1"]),
    ("unique.example", &["fc00::7"]),
    ("link6.example", &["fe80::7"]),
    ("mapped.example", &["::ffff:127.0.0.1"]),
    ("translated.example", &["::ffff:0:10.0.0.1"]),
    ("nat64.example", &["64:ff9b::7f00:1"]),
    ("localnat64.example", &["64:ff9b:1::7f00:1"]),
    ("sixtofour.example", &["2002:a9fe:a9fe::1"]),
    ("teredo.example", &["2001:0:7f00:1::"]),
    ("several.example", &["10.0.0.1", "127.0.0.1", "::1"]),
    ("xn--bcher-kva.example", &["127.0.0.1"]),
];

/// What is wrong with an address, in the words of the table.
fn addresses() -> Vec<(&'static str, &'static str)> {
    let lines = ADDRESSES.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<_> = lines
        .map(|line| {
            let mut cells = line.split('\t');
            (cells.next().unwrap(), cells.next().unwrap())
        })
        .collect();
    assert!(rows.len() >= 120, "{}", rows.len());
    rows
}

fn settings(names: Names, allow: &[String]) -> TransportSettings {
    TransportSettings {
        allow: Allow::parse(allow).unwrap(),
        names,
        retries: 0,
        budget: HostBudget {
            spacing: Duration::ZERO,
            burst: 1,
        },
        ..TransportSettings::default()
    }
}

/// Names of the table, and one public one.
fn table() -> Names {
    let mut known: HashMap<String, Vec<IpAddr>> = HashMap::new();
    for (name, addresses) in NAMES {
        let addresses = addresses.iter().map(|text| text.parse().unwrap());
        known.insert(name.to_owned(), addresses.collect());
    }
    Names::answered_by(move |host| known.get(host).cloned().unwrap_or_default())
}

fn word(error: &Error) -> &'static str {
    match error {
        Error::Blocked { .. } => "private",
        Error::Address { fault, .. } => match fault {
            AddressFault::Scheme => "scheme",
            AddressFault::Credentials => "credentials",
            AddressFault::Port => "port",
            AddressFault::Malformed | AddressFault::Host => "malformed",
            AddressFault::Header => "header",
        },
        _ => "not refused by the guard",
    }
}

fn message(url: &str) -> CallbackRequest {
    CallbackRequest {
        url: url.to_owned(),
        headers: Vec::new(),
        body: Bytes::from_static(b"{}"),
    }
}

fn feed(url: &str) -> FetchFeed {
    FetchFeed {
        url: url.to_owned(),
        etag: None,
        last_modified: None,
    }
}

#[tokio::test]
async fn every_hostile_address_is_refused_at_every_way_out() {
    let settings = settings(table(), &[]);
    let callbacks = Callbacks::new(&settings, Reach::Public).unwrap();
    let transport = Arc::new(Transport::new(settings).unwrap());
    let pages = Pages::new(Arc::clone(&transport));
    for (address, fault) in addresses() {
        let sent = transport.send(&HttpRequest::get(address.to_owned())).await;
        assert_eq!(word(&sent.unwrap_err()), fault, "request: {address}");
        let polled = transport.call(feed(address)).await;
        assert_eq!(word(&polled.unwrap_err()), fault, "feed: {address}");
        let read = pages.fetch(address).await;
        assert_eq!(word(&read.unwrap_err()), fault, "page: {address}");
        let expected = match fault {
            "private" => CallbackFault::Private,
            "scheme" => CallbackFault::Scheme,
            "credentials" => CallbackFault::Credentials,
            "port" => CallbackFault::Port,
            _ => CallbackFault::Malformed,
        };
        let named = callbacks.check(address).await;
        assert_eq!(named, Err(expected), "callback: {address}");
        let posted = callbacks.post(message(address)).await;
        assert_eq!(word(&posted.unwrap_err()), fault, "message: {address}");
    }
}

#[tokio::test]
async fn every_name_of_a_private_address_is_refused_at_every_way_out() {
    let settings = settings(table(), &[]);
    let callbacks = Callbacks::new(&settings, Reach::Public).unwrap();
    let transport = Arc::new(Transport::new(settings).unwrap());
    let pages = Pages::new(Arc::clone(&transport));
    for (name, _) in NAMES {
        for address in [
            format!("https://{name}/in"),
            format!("https://{name}:8443/in"),
        ] {
            let sent = transport.send(&HttpRequest::get(address.clone())).await;
            assert_eq!(word(&sent.unwrap_err()), "private", "request: {address}");
            let polled = transport.call(feed(&address)).await;
            assert_eq!(word(&polled.unwrap_err()), "private", "feed: {address}");
            let read = pages.fetch(&address).await;
            assert_eq!(word(&read.unwrap_err()), "private", "page: {address}");
            let named = callbacks.check(&address).await;
            assert_eq!(named, Err(CallbackFault::Private), "callback: {address}");
            let posted = callbacks.post(message(&address)).await;
            assert_eq!(word(&posted.unwrap_err()), "private", "message: {address}");
        }
    }
}

#[tokio::test]
async fn no_redirect_leads_to_a_hostile_address() {
    let server = MockServer::start().await;
    let opened = server.address().to_string();
    let transport = Transport::new(settings(table(), &[opened])).unwrap();
    let of_names = NAMES.map(|(name, _)| (format!("http://{name}/"), "private"));
    // What is relative, or no address at all, leads to the server itself.
    let of_addresses = addresses()
        .into_iter()
        .filter(|(_, fault)| *fault != "malformed")
        .map(|(address, fault)| (address.to_owned(), fault));
    let mut tried = 0;
    for (target, fault) in of_addresses.chain(of_names) {
        let Ok(location) = http_header(&target) else {
            continue;
        };
        server.reset().await;
        Mock::given(any())
            .respond_with(ResponseTemplate::new(302).insert_header("location", &*location))
            .mount(&server)
            .await;
        let sent = transport.send(&HttpRequest::get(server.uri())).await;
        assert_eq!(word(&sent.unwrap_err()), fault, "{target}");
        assert_eq!(
            server.received_requests().await.unwrap().len(),
            1,
            "{target}"
        );
        tried += 1;
    }
    assert!(tried >= 100, "{tried}");
}

/// An address as a header has it; what no header can carry leads nowhere.
fn http_header(target: &str) -> Result<String, ()> {
    if target.is_ascii() {
        Ok(target.to_owned())
    } else {
        Err(())
    }
}

/// A name that stands for one address after the other.
fn rebinding(answers: &[&str]) -> (Names, Arc<AtomicUsize>) {
    let answers: Vec<IpAddr> = answers.iter().map(|text| text.parse().unwrap()).collect();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let names = Names::answered_by(move |_| {
        let turn = count.fetch_add(1, Ordering::SeqCst);
        vec![answers[turn.min(answers.len() - 1)]]
    });
    (names, asked)
}

#[tokio::test]
async fn a_name_that_changes_between_check_and_call_is_refused() {
    let inside = MockServer::start().await;
    let port = inside.address().port();
    let address = format!("https://rebind.example:{port}/in");
    let (names, asked) = rebinding(&["8.8.8.8", "127.0.0.1"]);
    let callbacks = Callbacks::new(&settings(names, &[]), Reach::Public).unwrap();
    assert_eq!(
        callbacks.check(&address).await,
        Ok(()),
        "public when it is named"
    );
    for _ in 0..3 {
        let posted = callbacks.post(message(&address)).await;
        assert_eq!(word(&posted.unwrap_err()), "private");
    }
    assert_eq!(
        asked.load(Ordering::SeqCst),
        4,
        "asked again at every connection"
    );

    // The answer that is checked is the one that is dialled: nobody asks a second time.
    let (names, asked) = rebinding(&["10.0.0.1", "127.0.0.1"]);
    let transport = Transport::new(settings(names, &[])).unwrap();
    let request = HttpRequest::get(format!("http://rebind.example:{port}/"));
    let sent = transport.send(&request).await;
    assert!(
        matches!(&sent, Err(Error::Blocked { address: Some(address), .. }) if address.to_string() == "10.0.0.1"),
        "{sent:?}"
    );
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    assert!(inside.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn an_opened_port_opens_no_other_and_no_other_name() {
    let server = MockServer::start().await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(200))
        .mount(&server)
        .await;
    let port = server.address().port();
    let names = || Names::answered_by(|_| vec![IpAddr::from([127, 0, 0, 1])]);
    let opened = settings(names(), &[format!("inside.example:{port}")]);
    let transport = Transport::new(opened).unwrap();
    let ask = async |host: &str, port: u16| {
        let request = HttpRequest::get(format!("http://{host}:{port}/"));
        transport.send(&request).await
    };
    assert!(ask("inside.example", port).await.is_ok());
    for (host, port) in [
        ("inside.example", port ^ 1),
        ("other.example", port),
        ("127.0.0.1", port),
    ] {
        let refused = ask(host, port).await.unwrap_err();
        assert_eq!(word(&refused), "private", "{host}:{port}");
    }
}
