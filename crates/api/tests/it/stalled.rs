//! Readers that stall, senders that dawdle, and too many connections of one address.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use api::Connections;
use axum::Router;
use axum::routing::get;
use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::support::{StillTime, TestServer, until};

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_mins(1);
/// More than the buffers of both sockets take.
const BIG: usize = 16 << 20;

struct Served {
    address: SocketAddr,
    end: CancellationToken,
    serving: JoinHandle<()>,
}

impl Served {
    async fn start(router: Router, limits: Connections) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let end = CancellationToken::new();
        let serving = tokio::spawn(api::serve(listener, router, limits, end.clone()));
        Self {
            address,
            end,
            serving,
        }
    }

    async fn stop(self) {
        self.end.cancel();
        tokio::time::timeout(PATIENCE, self.serving)
            .await
            .unwrap()
            .unwrap();
    }

    /// A connection from the `number`th loopback address, with a small window for what comes in.
    async fn dial(&self, number: u8) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(4_096)?;
        let from = IpAddr::V4(Ipv4Addr::new(127, 0, 0, number));
        socket.bind(SocketAddr::new(from, 0))?;
        socket.connect(self.address).await
    }

    /// Whether a request from that address is answered.
    async fn answers(&self, number: u8) -> bool {
        let ask = async {
            let mut stream = self.dial(number).await.ok()?;
            let request = b"GET /small HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
            stream.write_all(request).await.ok()?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await.ok()?;
            answer.starts_with(b"HTTP/1.1 200").then_some(())
        };
        tokio::time::timeout(Duration::from_secs(10), ask)
            .await
            .is_ok_and(|answered| answered.is_some())
    }
}

/// A big answer on its way.
struct Big {
    bytes: Bytes,
    _under_way: Arc<()>,
}

impl AsRef<[u8]> for Big {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// `under_way` is held by every big answer until its connection ends.
fn sizes(under_way: Arc<()>) -> Router {
    let bytes = Bytes::from(vec![b'x'; BIG]);
    let big = async move || {
        Bytes::from_owner(Big {
            bytes: bytes.clone(),
            _under_way: under_way.clone(),
        })
    };
    Router::new()
        .route("/small", get(async || "small"))
        .route("/big", get(big))
}

/// Reads what is left; true when the other side has ended the connection before everything was said.
async fn is_cut_off(mut stream: TcpStream) -> bool {
    let mut rest = Vec::new();
    // A connection that is left open ends the test here.
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut rest))
        .await
        .unwrap();
    read.is_err() || rest.len() < BIG
}

#[tokio::test]
async fn two_thousand_stalled_readers_leave_the_service_answering() {
    let time = StillTime::begin();
    let limits = Connections {
        headers_within: Duration::from_hours(1),
        reads_within: Duration::from_secs(30),
        ..Connections::default()
    };
    let under_way = Arc::new(());
    let served = Served::start(sizes(under_way.clone()), limits.clone()).await;
    let idle = Arc::strong_count(&under_way);
    let answers = || Arc::strong_count(&under_way) - idle;
    let mut readers = Vec::new();
    let mut dawdlers = Vec::new();
    for number in 0..1_000_u16 {
        let from = 2 + (number % 200) as u8;
        let mut reader = served.dial(from).await.unwrap();
        let request = b"GET /big HTTP/1.1\r\nhost: x\r\n\r\n";
        reader.write_all(request).await.unwrap();
        readers.push(reader);
        let mut dawdler = served.dial(from).await.unwrap();
        dawdler
            .write_all(b"GET /small HTTP/1.1\r\nho")
            .await
            .unwrap();
        dawdlers.push(dawdler);
        if number % 100 == 0 {
            assert!(served.answers(250).await, "with {number} pairs");
        }
    }
    until(async || served.answers(250).await && answers() == readers.len()).await;
    // What the kernel takes a little later counts as reading.
    let began = Instant::now();
    while answers() > 0 {
        time.pass(limits.reads_within).await;
        assert!(served.answers(250).await);
        assert!(began.elapsed() < limits.reads_within * 4, "{}", answers());
    }
    for reader in readers {
        assert!(is_cut_off(reader).await);
    }
    time.pass(limits.headers_within).await;
    for dawdler in dawdlers {
        assert!(is_cut_off(dawdler).await);
    }
    assert!(served.answers(250).await);
    served.stop().await;
}

#[tokio::test]
async fn one_address_cannot_take_every_connection() {
    let limits = Connections {
        most_per_address: 16,
        ..Connections::default()
    };
    let served = Served::start(sizes(Arc::default()), limits).await;
    let mut held = Vec::new();
    for _ in 0..16 {
        held.push(served.dial(2).await.unwrap());
    }
    // Accepted connections are counted in the order in which they came.
    assert!(!served.answers(2).await, "one too many is closed");
    assert!(served.answers(3).await, "another address");
    held.pop();
    tokio::time::timeout(PATIENCE, async {
        while !served.answers(2).await {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("a place that was left is free again");
    served.stop().await;
}

#[tokio::test]
async fn a_trusted_proxy_is_limited_by_the_whole_only() {
    let limits = Connections {
        most: 24,
        most_per_address: 4,
        trusted_proxies: vec!["127.0.0.7/32".parse().unwrap()],
        ..Connections::default()
    };
    let served = Served::start(sizes(Arc::default()), limits).await;
    let mut held = Vec::new();
    for _ in 0..20 {
        held.push(served.dial(7).await.unwrap());
    }
    assert!(served.answers(7).await);
    served.stop().await;
}

#[tokio::test]
async fn a_body_that_dawdles_is_refused() {
    let time = StillTime::begin();
    let server = TestServer::start().await;
    let limits = Connections {
        headers_within: Duration::from_hours(1),
        ..Connections::default()
    };
    let served = Served::start(server.router.clone(), limits).await;
    let mut stream = served.dial(2).await.unwrap();
    let head = "POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                content-length: 500\r\n\r\n{\"email\"";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let reading = stream.read_to_end(&mut answer);
    let began = Instant::now();
    time.pass_during(Duration::from_secs(1), reading, async || ())
        .await
        .unwrap();
    let (took, within) = (began.elapsed(), Duration::from_secs(15));
    assert!(within <= took && took < within * 2, "{took:?}");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("body_timeout"), "{answer}");
    served.stop().await;
}

#[tokio::test]
async fn what_is_in_flight_when_the_time_to_drain_is_over_is_cut_off() {
    let time = StillTime::begin();
    let asked = Arc::new(Notify::new());
    let signal = asked.clone();
    let router = Router::new().route(
        "/never",
        get(async move || {
            signal.notify_one();
            std::future::pending::<()>().await;
        }),
    );
    let limits = Connections::default();
    let drain = limits.drain;
    let served = Served::start(router, limits).await;
    let mut stream = served.dial(2).await.unwrap();
    stream
        .write_all(b"GET /never HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    asked.notified().await;
    let began = Instant::now();
    time.pass_during(Duration::from_secs(1), served.stop(), async || ())
        .await;
    let took = began.elapsed();
    assert!(drain <= took && took < drain * 2, "{took:?}");
    let mut rest = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut rest)).await;
    assert!(read.is_ok(), "the connection is left open");
}
