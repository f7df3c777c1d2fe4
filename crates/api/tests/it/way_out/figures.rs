//! The figures of `docs/performance.md` about streams and deliveries. They count in a release build only:
//! `cargo test --release --workspace --test it -- --ignored way_out::figures --nocapture --test-threads 1`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use api::Connections;
use http::Method;
use model::{
    AlertType, AssetType, Category, DataMode, EntityKind, EntityRole, KeyScope, Plan, Quote, Score,
};
use operations::Clock;
use serde_json::json;
use store::{AlertTerms, Location, Store};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_util::sync::CancellationToken;

use super::subscribe::follow;
use super::world::ALERTS;
use crate::market::fixtures::{bars, fill, instrument, sessions};
use crate::news::fixtures::{BriefBuilder, publish_unindexed};
use crate::support::TestServer;

const SUBSCRIBERS: usize = 5_000;
const SYMBOLS: usize = 100;
/// Briefs of a second. Each moves the sentiment of its ticker, so each is two events.
const BRIEFS: u32 = 100;
const EVENTS_OF_A_BRIEF: u32 = 2;
const SECONDS: u32 = 10;
/// The load counts only where it kept up with its pace.
const SLOWEST_LOAD: f64 = 0.98 * (BRIEFS * EVENTS_OF_A_BRIEF) as f64;
/// Where the other process finds the server, and with which key.
const WHERE: &str = "ASSAY_FIGURES_SERVER";
/// Precedes the time of its commit in a headline, in microseconds.
const MARK: &str = "at ";

#[expect(
    clippy::disallowed_methods,
    reason = "two processes have this clock in common"
)]
fn micros() -> u64 {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    u64::try_from(since.as_micros()).unwrap()
}

/// Resident memory of this process in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn ticker(number: usize) -> String {
    format!("S{number}")
}

async fn directory() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let location = Location::Directory(directory.path().to_owned());
    let store = Store::open(&location, DataMode::Real).await.unwrap();
    (directory, store)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "figures of a release build"]
async fn five_thousand_subscribers_hear_within_a_tenth_of_a_second() {
    let (_directory, store) = directory().await;
    let server = TestServer::on(store, |settings| {
        settings.streams_per_account = 2 * SUBSCRIBERS;
        settings.streams_per_address = 2 * SUBSCRIBERS;
    })
    .await;
    let mut transaction = server
        .state
        .store
        .market_transaction(server.clock.now())
        .await
        .unwrap();
    for number in 0..SYMBOLS {
        let name = format!("Company {number}");
        let listed = instrument(&ticker(number), AssetType::Equity, &name, None);
        transaction.put_instruments(&[listed]).await.unwrap();
    }
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
    let member = server.member(Plan::Unlimited, KeyScope::default()).await;
    let _follower = follow(&server);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (router, end) = (server.router.clone(), CancellationToken::new());
    tokio::spawn(api::serve(
        listener,
        router,
        Connections::default(),
        end.clone(),
    ));

    let before = resident();
    let mut other = Command::new(std::env::current_exe().unwrap())
        .args([
            "--ignored",
            "--exact",
            "way_out::figures::listeners",
            "--nocapture",
        ])
        .env(WHERE, format!("{address} {}", member.key))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while (server.state.hub.live().listeners()) < SUBSCRIBERS {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let each = (resident() - before) as f64 / SUBSCRIBERS as f64;
    let mut ticks = tokio::time::interval(Duration::from_secs(1) / BRIEFS);
    let started = Instant::now();
    for number in 0..BRIEFS * SECONDS {
        ticks.tick().await;
        server.clock.advance(1);
        let about = ticker(number as usize % SYMBOLS);
        let headline = format!("Company news {MARK}{}", micros());
        let id = format!("PR-2026-0310-{:03}", number + 1);
        let mut written = BriefBuilder::new(u128::from(number) + 1, &id, Category::Tech, &headline)
            .source("tribune.example", &server.clock.now().to_string())
            .entity(
                &format!("Company {about}"),
                EntityKind::Organization,
                Some(&about),
                EntityRole::Subject,
                3,
            );
        // Good and bad news in turn: the mean moves with each.
        let is_good = (number as usize / SYMBOLS).is_multiple_of(2);
        let sentiment = Score::new(if is_good { 0.9 } else { 0.1 }).unwrap();
        written.brief.sentiment = sentiment;
        written.brief.entities[0].sentiment = sentiment;
        publish_unindexed(&server, &written.brief).await;
    }
    let rate = f64::from(BRIEFS * SECONDS * EVENTS_OF_A_BRIEF) / started.elapsed().as_secs_f64();
    let after = resident();
    let said = tokio::task::spawn_blocking(move || {
        let mut said = String::new();
        std::io::Read::read_to_string(&mut other.stdout.take().unwrap(), &mut said).unwrap();
        assert!(other.wait().unwrap().success());
        said
    });
    let said = said.await.unwrap();
    let figures: Vec<f64> = said
        .lines()
        .find_map(|line| line.split_once("figures ").map(|(_, figures)| figures))
        .unwrap()
        .split(' ')
        .map(|figure| figure.parse().unwrap())
        .collect();
    let [heard, p50, p99, most] = figures[..] else {
        panic!("{said}");
    };
    println!(
        "{SUBSCRIBERS} subscribers, {rate:.0} events/s: {heard} events heard, commit to last byte p50 {p50} ms, p99 {p99} ms, \
         most {most} ms; {each:.1} KiB each when open, {:.1} KiB after the run",
        (after - before) as f64 / SUBSCRIBERS as f64
    );
    let expected = (BRIEFS * SECONDS * EVENTS_OF_A_BRIEF) as usize * SUBSCRIBERS / SYMBOLS;
    assert_eq!(heard as usize, expected, "nothing is lost");
    assert!(rate >= SLOWEST_LOAD, "{rate} events/s");
    assert!(each <= 50.0 && p99 <= 100.0);
    end.cancel();
}

/// The other process of the test above.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "started by the test above"]
async fn listeners() {
    let Ok(place) = std::env::var(WHERE) else {
        return;
    };
    let (address, key) = place.split_once(' ').unwrap();
    let address: SocketAddr = address.parse().unwrap();
    let each = (BRIEFS * SECONDS * EVENTS_OF_A_BRIEF) as usize / SYMBOLS;
    let mut readers = tokio::task::JoinSet::new();
    for number in 0..SUBSCRIBERS {
        let socket = TcpSocket::new_v4().unwrap();
        // As many addresses as the server's limit asks for.
        let from = Ipv4Addr::new(127, 0, 1, u8::try_from(number % 200 + 1).unwrap());
        socket.bind(SocketAddr::new(IpAddr::V4(from), 0)).unwrap();
        let mut stream = socket.connect(address).await.unwrap();
        let about = ticker(number % SYMBOLS);
        let request = format!(
            "GET /api/v1/subscribe?tickers={about} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        readers.spawn(hear(stream, each));
    }
    let mut times = Vec::new();
    while let Some(heard) = readers.join_next().await {
        times.extend(heard.unwrap());
    }
    times.sort_unstable();
    let at = |share: f64| {
        let place = (times.len() as f64 * share) as usize;
        times[place.min(times.len() - 1)] as f64 / 1e3
    };
    println!(
        "figures {} {} {} {}",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// How long after the commit of its brief each of so many events was heard, in microseconds. Only briefs tell that time;
/// their sentiment follows them.
async fn hear(mut stream: TcpStream, events: usize) -> Vec<u64> {
    let (mut text, mut times) = (String::new(), Vec::new());
    let mut bytes = vec![0; 4_096];
    let mut committed = 0;
    while times.len() < events {
        let count = stream.read(&mut bytes).await.unwrap();
        assert!(count > 0, "{text}");
        let now = micros();
        text.push_str(&String::from_utf8_lossy(&bytes[..count]));
        while let Some((block, rest)) = text.split_once("\n\n") {
            if let Some((_, after)) = block.split_once(MARK) {
                let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
                committed = digits.parse().unwrap();
            }
            if block.lines().any(|line| line.starts_with("data:")) {
                times.push(now - committed);
            }
            text = rest.to_owned();
        }
    }
    times
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "figures of a release build"]
async fn deliveries_to_fast_receivers() {
    const MESSAGES: usize = 4_000;
    for receivers in [1, 4, 16] {
        let received = Arc::new(AtomicUsize::new(0));
        let mut addresses = Vec::new();
        for _ in 0..receivers {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            addresses.push(listener.local_addr().unwrap());
            let received = Arc::clone(&received);
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(thank(stream, Arc::clone(&received)));
                }
            });
        }
        let (_directory, store) = directory().await;
        let server = TestServer::calling(store, &addresses).await;
        fill(&server).await;
        // Four to an account, which is what one may have under way.
        let mut member = server.unlimited().await;
        for (number, address) in addresses.iter().enumerate() {
            if number % 4 == 0 && number > 0 {
                member = server.unlimited().await;
            }
            for _ in 0..MESSAGES / receivers {
                let alert = json!({"ticker": "ACME", "alert_type": "price_above", "threshold": 200,
                    "callback_url": format!("http://{address}/in")});
                server
                    .done(&member, Method::POST, ALERTS, Some(alert))
                    .await;
            }
        }
        server.price("stock:ACME", 210.0, 7.0).await;
        assert_eq!(server.evaluate().await, MESSAGES);
        let started = Instant::now();
        assert_eq!(server.worker().deliver_due().await.unwrap(), MESSAGES);
        let took = started.elapsed();
        assert_eq!(received.load(Ordering::SeqCst), MESSAGES);
        let rate = MESSAGES as f64 / took.as_secs_f64();
        println!("{MESSAGES} messages to {receivers} receivers in {took:?}: {rate:.0} a second");
        assert!(rate >= 500.0, "{rate} a second to {receivers} receivers");
    }
}

/// How long it takes from a price in the store until every alert on it has been looked at, none of which it meets.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "figures of a release build"]
async fn a_tick_among_a_hundred_thousand_alerts() {
    const ALERTS: usize = 100_000;
    const LISTED: usize = 500;
    const OWNERS: usize = 50;
    const ROUNDS: usize = 20;
    let (_directory, store) = directory().await;
    let server = TestServer::on(store, |_| {}).await;
    let store = &server.state.store;
    let mut transaction = store.market_transaction(server.clock.now()).await.unwrap();
    let days = sessions();
    for number in 0..LISTED {
        let name = format!("Company {number}");
        let listed = instrument(&ticker(number), AssetType::Equity, &name, None);
        let listed = std::slice::from_ref(&listed);
        transaction.put_instruments(listed).await.unwrap();
        let candles = bars(&days, 1_000.0, |at| 100.0 + (at % 7) as f64);
        transaction.put_candles(&listed[0], &candles).await.unwrap();
    }
    transaction.commit().await.unwrap();
    let mut owners = Vec::new();
    for _ in 0..OWNERS {
        owners.push(server.unlimited().await.account);
    }
    for number in 0..ALERTS {
        // Around 100, none of them near enough to be met.
        let step = 2.0 + (number / LISTED % 40) as f64;
        let (kind, threshold) = match number / LISTED % 4 {
            0 | 1 => (AlertType::PriceAbove, 130.0 + step),
            2 => (AlertType::PriceBelow, 90.0 - step),
            _ => (AlertType::RsiCross, 99.0),
        };
        let terms = AlertTerms {
            id: format!("alt_{number:032x}"),
            account: owners[number % OWNERS],
            ticker: ticker(number % LISTED),
            series: format!("stock:{}", ticker(number % LISTED)),
            kind,
            threshold,
            receiver: None,
            categories: Vec::new(),
            created_at: server.clock.now(),
        };
        store
            .alerts()
            .insert(&terms, None, u64::MAX >> 1, None)
            .await
            .unwrap();
    }
    server.state.market.refresh().await.unwrap();
    let started = Instant::now();
    assert_eq!(server.evaluate().await, 0);
    let read = started.elapsed();
    let mut figures = Vec::new();
    for symbols in [1, LISTED] {
        let mut times = Vec::new();
        for round in 0..ROUNDS {
            server.clock.advance(1_000);
            let quotes: Vec<(String, Quote)> = (0..symbols)
                .map(|number| {
                    let quote = Quote {
                        price: 100.0 + (round % 20) as f64,
                        previous_close: Some(100.0),
                        volume: Some(10.0),
                        at: server.clock.now(),
                    };
                    (format!("stock:{}", ticker(number)), quote)
                })
                .collect();
            store.market().put_quotes(&quotes).await.unwrap();
            let started = Instant::now();
            assert_eq!(server.evaluate().await, 0);
            times.push(started.elapsed());
        }
        times.sort_unstable();
        figures.push((times[ROUNDS / 2], times[ROUNDS - 1]));
    }
    println!(
        "{ALERTS} alerts over {LISTED} symbols: read in {read:?}; one symbol ticks: median {:?}, most {:?}; all of them: median {:?}, \
         most {:?}",
        figures[0].0, figures[0].1, figures[1].0, figures[1].1
    );
    assert!(
        figures[0].0 <= Duration::from_millis(1),
        "the median of one symbol"
    );
    assert!(
        figures[1].1 <= Duration::from_millis(100),
        "all of them, at most"
    );
}

/// Answers each request with 204.
async fn thank(mut stream: TcpStream, received: Arc<AtomicUsize>) {
    let mut read = Vec::new();
    let mut bytes = [0; 8_192];
    loop {
        let Ok(count @ 1..) = stream.read(&mut bytes).await else {
            return;
        };
        read.extend_from_slice(&bytes[..count]);
        let text = String::from_utf8_lossy(&read).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let head = head.to_lowercase();
        let length = head.split_once("content-length: ").map_or(0, |(_, rest)| {
            rest.lines().next().unwrap().trim().parse().unwrap()
        });
        if body.len() >= length {
            received.fetch_add(1, Ordering::SeqCst);
            let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
            let _ = stream.write_all(answer).await;
            return;
        }
    }
}
