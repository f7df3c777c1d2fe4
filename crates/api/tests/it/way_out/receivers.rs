//! Receivers that break every rule: each costs its own attempt and nothing else, in bounded time and memory, and its log says
//! why.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::Method;
use model::{DataMode, KeyScope, Plan};
use operations::Clock;
use serde_json::{Value, json};
use store::{Location, Store};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use wiremock::ResponseTemplate;

use super::alerts::brief;
use super::world::{PUBLISHED, WEBHOOKS};
use crate::market::fixtures::fill;
use crate::news::fixtures::publish;
use crate::receiver::{received, receiver};
use crate::support::{StillTime, TestMember, TestServer, until};

/// What no receiver can make us take: the buffers of both sockets and of the client.
const BOUND: usize = 16 << 20;

/// How a receiver behaves.
#[derive(Clone, Copy, Debug)]
enum Mood {
    /// Hangs up before it has read anything.
    HangsUp,
    /// Hangs up in the middle of the head.
    BreaksOff,
    /// Says nothing.
    Silent,
    /// Sends one byte of its head after the other, without end.
    Dawdles,
    /// Sends headers without end.
    EndlessHead,
    /// Says again and again that it is about to answer.
    EndlessHints,
    /// A body without end.
    EndlessBody,
    /// A body of 100 MB, announced.
    BigBody,
    /// A body that is small on the wire only, and no end of it.
    Compressed,
    /// No HTTP at all.
    Garbage,
    /// Speaks no TLS where TLS is expected.
    NoTls,
    /// Begins with TLS, then says nothing.
    SilentTls,
    /// Sends the message elsewhere.
    Redirects(SocketAddr),
    /// Sends it to itself.
    RedirectsInCircles,
}

impl Mood {
    const fn scheme(self) -> &'static str {
        match self {
            Self::NoTls | Self::SilentTls => "https",
            _ => "http",
        }
    }

    /// State and reason in the log, after the first attempt.
    const fn expected(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::HangsUp | Self::BreaksOff | Self::EndlessHead | Self::Garbage | Self::NoTls => {
                ("pending", Some("connection failed"))
            }
            Self::Silent | Self::Dawdles | Self::EndlessHints | Self::SilentTls => {
                ("pending", Some("timeout"))
            }
            // What counts is the status; a body is not read.
            Self::EndlessBody | Self::BigBody | Self::Compressed => ("delivered", None),
            Self::Redirects(_) => ("pending", Some("redirect 307")),
            Self::RedirectsInCircles => ("pending", Some("redirect 308")),
        }
    }

    /// What it says, and what it goes on saying; nothing more where that is `None`.
    fn words(self) -> (Vec<u8>, Option<Vec<u8>>) {
        let head = |more: &str| format!("HTTP/1.1 200 OK\r\n{more}").into_bytes();
        match self {
            Self::HangsUp | Self::Silent | Self::SilentTls => (Vec::new(), None),
            Self::BreaksOff => (head("content-le"), None),
            Self::Dawdles => (head("x: "), Some(b"y".to_vec())),
            Self::EndlessHead => (head(""), Some(b"x-more: and more of it\r\n".repeat(1_000))),
            Self::EndlessHints => (
                Vec::new(),
                Some(b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".to_vec()),
            ),
            Self::EndlessBody => (
                head("transfer-encoding: chunked\r\n\r\n"),
                Some(format!("10000\r\n{}\r\n", "x".repeat(0x10000)).into_bytes()),
            ),
            Self::BigBody => (head("content-length: 104857600\r\n\r\n"), Some(vec![b'x'; 1 << 16])),
            Self::Compressed => (
                head("content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n"),
                Some(b"4\r\n\x1f\x8b\x08\x00\r\n".to_vec()),
            ),
            Self::Garbage | Self::NoTls => (b"220 mail.example ESMTP ready\r\n".to_vec(), None),
            Self::Redirects(to) => (
                format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: http://{to}/in\r\ncontent-length: 0\r\n\r\n").into_bytes(),
                None,
            ),
            Self::RedirectsInCircles => (
                b"HTTP/1.1 308 Permanent Redirect\r\nlocation: /in\r\ncontent-length: 0\r\n\r\n".to_vec(),
                None,
            ),
        }
    }
}

/// A receiver of that mood.
struct Nuisance {
    mood: Mood,
    address: SocketAddr,
    /// Connections that it had.
    called: Arc<AtomicUsize>,
    /// Bytes that somebody took from it.
    taken: Arc<AtomicUsize>,
}

impl Nuisance {
    async fn start(mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (called, taken) = (Arc::default(), Arc::default());
        let (calls, takes) = (Arc::clone(&called), Arc::clone(&taken));
        // Ends with the runtime of the test.
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let calls: &AtomicUsize = &calls;
                calls.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(annoy(stream, mood, Arc::clone(&takes)));
            }
        });
        Self {
            mood,
            address,
            called,
            taken,
        }
    }
}

async fn annoy(mut stream: TcpStream, mood: Mood, taken: Arc<AtomicUsize>) -> std::io::Result<()> {
    if matches!(mood, Mood::HangsUp) {
        return Ok(());
    }
    // The head of the request, or the greeting of TLS.
    let _ = stream.read(&mut [0; 16 << 10]).await?;
    let (first, more) = mood.words();
    stream.write_all(&first).await?;
    let Some(more) = more else {
        if matches!(mood, Mood::Silent | Mood::SilentTls) {
            // Until the other side has had enough.
            while stream.read(&mut [0; 1024]).await? > 0 {}
        }
        return Ok(());
    };
    loop {
        stream.write_all(&more).await?;
        taken.fetch_add(more.len(), Ordering::SeqCst);
        tokio::task::yield_now().await;
    }
}

async fn subscribed(server: &TestServer, url: &str) -> (TestMember, String) {
    let member = server.member(Plan::Unlimited, KeyScope::default()).await;
    let body = json!({"url": url, "events": [PUBLISHED]});
    let created = server
        .done(&member, Method::POST, WEBHOOKS, Some(body))
        .await;
    let id = created["webhook"]["id"].as_str().unwrap().to_owned();
    (member, id)
}

async fn newest(server: &TestServer, (member, id): &(TestMember, String)) -> Value {
    let path = format!("{WEBHOOKS}/{id}/deliveries");
    server.done(member, Method::GET, &path, None).await["deliveries"][0].clone()
}

#[tokio::test]
async fn every_nuisance_costs_its_own_attempt_and_nothing_else() {
    let good = receiver(ResponseTemplate::new(204)).await;
    let inside = receiver(ResponseTemplate::new(204)).await;
    let mut nuisances = Vec::new();
    for mood in [
        Mood::HangsUp,
        Mood::BreaksOff,
        Mood::Silent,
        Mood::Dawdles,
        Mood::EndlessHead,
        Mood::EndlessHints,
        Mood::EndlessBody,
        Mood::BigBody,
        Mood::Compressed,
        Mood::Garbage,
        Mood::NoTls,
        Mood::SilentTls,
        Mood::Redirects(*inside.address()),
        Mood::RedirectsInCircles,
    ] {
        nuisances.push(Nuisance::start(mood).await);
    }
    let mut allowed: Vec<SocketAddr> = nuisances.iter().map(|one| one.address).collect();
    allowed.extend([*good.address(), *inside.address()]);
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    let server = TestServer::calling(store, &allowed).await;
    fill(&server).await;
    let mut webhooks = Vec::new();
    for nuisance in &nuisances {
        let url = format!("{}://{}/in", nuisance.mood.scheme(), nuisance.address);
        webhooks.push(subscribed(&server, &url).await);
    }
    // The last in the queue.
    let last = subscribed(&server, &format!("{}/in", good.uri())).await;
    let now = server.clock.now();
    publish(&server, &brief(1, "Acme opens a plant", now).brief).await;
    server.state.store.outbox().sequence().await.unwrap();
    assert_eq!(
        server.state.tell_due_webhooks().await.unwrap(),
        webhooks.len() + 1
    );

    let worker = server.worker();
    let time = StillTime::begin();
    let delivering = worker.deliver_due();
    tokio::pin!(delivering);
    // No time passes, so that those who say nothing are still awaited when the last in the queue has its message, and when
    // everybody has been called who can be told by what they say.
    let ended = async {
        until(async || newest(&server, &last).await["state"] == "delivered").await;
        for (nuisance, webhook) in nuisances.iter().zip(&webhooks) {
            if nuisance.mood.expected().1 != Some("timeout") {
                until(async || {
                    let delivery = newest(&server, webhook).await;
                    delivery["state"] == "delivered" || !delivery["error"].is_null()
                })
                .await;
            }
        }
    };
    tokio::select! {
        done = &mut delivering => panic!("{done:?}"),
        () = ended => {}
    }
    let made = time
        .pass_during(Duration::from_millis(100), delivering, async || {
            server.state.store.probe().await.unwrap();
        })
        .await;
    assert_eq!(made.unwrap(), webhooks.len() + 1);
    for (nuisance, webhook) in nuisances.iter().zip(&webhooks) {
        let mood = nuisance.mood;
        let delivery = newest(&server, webhook).await;
        let (state, reason) = mood.expected();
        assert_eq!(
            (
                &delivery["state"],
                &delivery["error"],
                &delivery["attempts"]
            ),
            (&json!(state), &json!(reason), &json!(1)),
            "{mood:?}"
        );
        assert_eq!(
            nuisance.called.load(Ordering::SeqCst),
            1,
            "{mood:?} is called once"
        );
        let taken = nuisance.taken.load(Ordering::SeqCst);
        assert!(taken < BOUND, "{taken} bytes were taken of {mood:?}");
    }
    assert_eq!(received(&good).await.len(), 1);
    assert!(
        received(&inside).await.is_empty(),
        "no redirect is followed"
    );
}
