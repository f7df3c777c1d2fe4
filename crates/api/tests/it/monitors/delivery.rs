//! Messages on their way: tried again, given up, refused, and not held up by others.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use model::{DataMode, KeyScope, Plan};
use operations::Clock;
use serde_json::{Value, json};
use store::{Location, Store};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use wiremock::{Request, Respond, ResponseTemplate};

use super::fixtures::{DAY, DECEMBER, HOUR, JANUARY, alerted};
use crate::receiver::{address, checked, header, received, receiver};
use crate::support::{StillTime, TestServer, until};

/// Answers with one status after the other, then with the last.
struct InTurn(Vec<ResponseTemplate>, AtomicUsize);

impl InTurn {
    fn new(answers: Vec<ResponseTemplate>) -> Self {
        Self(answers, AtomicUsize::new(0))
    }
}

impl Respond for InTurn {
    fn respond(&self, _: &Request) -> ResponseTemplate {
        let turn = self.1.fetch_add(1, Ordering::SeqCst);
        self.0[turn.min(self.0.len() - 1)].clone()
    }
}

#[tokio::test]
async fn a_message_is_tried_again_from_its_row_until_it_is_delivered() {
    let receiver = receiver(InTurn::new(vec![
        ResponseTemplate::new(500),
        ResponseTemplate::new(429).insert_header("retry-after", "3600"),
        ResponseTemplate::new(302).insert_header("location", "/elsewhere"),
        ResponseTemplate::new(200),
    ]))
    .await;
    let (server, member, monitor) = alerted(&receiver).await;
    let deliver = async || server.worker().deliver_due().await.unwrap();
    assert_eq!((deliver().await, deliver().await), (1, 0));
    server.clock.advance(4_999);
    assert_eq!(deliver().await, 0);
    server.clock.advance(2_000);
    assert_eq!(deliver().await, 1);
    server.clock.advance(HOUR - 1_000);
    assert_eq!(deliver().await, 0, "the receiver asked for an hour");
    server.clock.advance(1_000);
    assert_eq!(deliver().await, 1);
    let pending = &server.shown(&member, &monitor).await["alerts"][0];
    assert_eq!(
        (&pending["delivery"], &pending["attempts"]),
        (&json!("pending"), &json!(3))
    );
    server.clock.advance(HOUR);
    assert_eq!(deliver().await, 1);
    let requests = received(&receiver).await;
    assert_eq!(requests.len(), 4, "no redirect was followed");
    let id = header(&requests[0], "webhook-id");
    assert!(
        requests
            .iter()
            .all(|request| header(request, "webhook-id") == id)
    );
    checked(&requests[3], &monitor["secret"], server.clock.now());
    assert_eq!(
        server.shown(&member, &monitor).await["alerts"][0]["delivery"],
        "delivered"
    );
}

#[tokio::test]
async fn a_message_that_nobody_takes_is_given_up_after_ten_attempts() {
    let receiver = receiver(ResponseTemplate::new(503)).await;
    let (server, member, monitor) = alerted(&receiver).await;
    let mut attempts = 0;
    for _ in 0..20 {
        attempts += server.worker().deliver_due().await.unwrap();
        server.clock.advance(27 * HOUR);
    }
    assert_eq!((attempts, received(&receiver).await.len()), (10, 10));
    let alert = &server.shown(&member, &monitor).await["alerts"][0];
    assert_eq!(
        (
            &alert["delivery"],
            &alert["next_attempt"],
            &alert["delivered_at"]
        ),
        (&json!("failed"), &Value::Null, &Value::Null)
    );
}

#[tokio::test]
async fn a_receiver_that_is_gone_pauses_its_monitor() {
    let receiver = receiver(ResponseTemplate::new(410)).await;
    let (server, member, monitor) = alerted(&receiver).await;
    assert_eq!(server.worker().deliver_due().await.unwrap(), 1);
    let shown = server.shown(&member, &monitor).await;
    assert_eq!(
        (&shown["monitor"]["state"], &shown["alerts"][0]["delivery"]),
        (&json!("paused"), &json!("failed"))
    );
    server.clock.advance(60 * DAY);
    assert_eq!(server.work().await, (0, 0));
    // A call for the agent starts it again.
    assert_eq!(server.monitor(&member, json!({})).await["state"], "active");
    assert_eq!(server.work().await, (1, 0));
}

#[tokio::test]
async fn a_receiver_that_says_nothing_holds_up_nobody() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent_address = silent.local_addr().unwrap();
    let store = Store::open(&Location::Memory, DataMode::Real)
        .await
        .unwrap();
    let allowed = [*receiver.address(), silent_address];
    let server = TestServer::calling(store, &allowed).await;
    server
        .publish_rates(&[("2025-12-01", 3.8), ("2026-01-01", 3.7)])
        .await;
    let first = server.member(Plan::Startup, KeyScope::default()).await;
    let second = server.member(Plan::Startup, KeyScope::default()).await;
    let dead_end = format!("http://{silent_address}/in");
    let mut monitors = Vec::new();
    for (member, address) in [(&first, &dead_end), (&second, &address(&receiver))] {
        server.said(member, &format!("{JANUARY} {DECEMBER}")).await;
        let settings = json!({"alert_webhook": address, "check_interval_hours": 720});
        monitors.push(server.monitor(member, settings).await);
        server.clock.advance(1_000);
    }
    server
        .publish_rates(&[("2025-12-01", 4.4), ("2026-01-01", 4.2)])
        .await;
    server.clock.advance(31 * DAY);
    assert_eq!(server.state.check_due_monitors().await.unwrap(), 2);

    let delivery = server.worker();
    let time = StillTime::begin();
    let delivering = delivery.deliver_due();
    tokio::pin!(delivering);
    let silence = async {
        let (mut stream, _) = silent.accept().await.unwrap();
        stream.read_u8().await.unwrap();
        stream
    };
    let _held = tokio::select! {
        done = &mut delivering => panic!("{done:?}"),
        stream = silence => stream,
    };
    // No time passes, so that the silent receiver is still awaited while the other gets both of its messages.
    let delivered =
        until(async || server.shown(&second, &monitors[1]).await["monitor"]["alerts_sent"] == 2);
    tokio::select! {
        done = &mut delivering => panic!("{done:?}"),
        () = delivered => {}
    }
    drop(silent);
    let made = time
        .pass_during(Duration::from_millis(100), delivering, async || {
            server.state.store.probe().await.unwrap();
        })
        .await;
    assert_eq!(made.unwrap(), 4);
    let alerts = &server.shown(&first, &monitors[0]).await["alerts"];
    assert!(
        alerts
            .as_array()
            .unwrap()
            .iter()
            .all(|alert| alert["delivery"] == "pending")
    );
}
