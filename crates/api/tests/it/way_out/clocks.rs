//! Clocks that jump by hours, back and forth: messages still leave, alerts still fire, once, and streams go on.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use model::{Quote, Score, Timestamp};
use operations::Clock;
use serde_json::json;
use wiremock::ResponseTemplate;

use super::alerts::{brief, create, triggered};
use super::subscribe::{Listener, follow, followed};
use super::webhooks::{Moody, deliveries, subscribe};
use super::world::world;
use crate::news::fixtures::publish;
use crate::receiver::{address, header, received, receiver};
use crate::support::TestServer;

const BACK: i64 = -5 * Timestamp::HOUR_MS;
const FORTH: i64 = 5 * Timestamp::HOUR_MS;

/// A price as its exchange dates it, whatever the clock here says.
async fn quoted(server: &TestServer, price: f64, at: Timestamp) {
    let quote = Quote {
        price,
        previous_close: Some(100.0),
        volume: Some(7.0),
        at,
    };
    let market = server.state.store.market();
    let quotes = [("stock:ACME".to_owned(), quote)];
    market.put_quotes(&quotes).await.unwrap();
}

#[tokio::test]
async fn messages_leave_however_the_clock_jumps() {
    let status = Arc::new(AtomicUsize::new(500));
    let receiver = receiver(Moody(status.clone())).await;
    let (server, member) = world(&receiver).await;
    let webhook = subscribe(&server, &member, &address(&receiver), "raw").await;
    for (number, jump) in (1..).zip([BACK, FORTH, FORTH, BACK]) {
        // The first attempt fails, and the next one is put off by the clock of now.
        status.store(500, Ordering::SeqCst);
        let now = server.clock.now();
        publish(&server, &brief(number, "Acme opens a plant", now).brief).await;
        assert_eq!(server.tell().await, (1, 1), "{number}");
        assert_eq!(server.tell().await, (0, 0), "not before its time");
        server.clock.advance(jump);
        status.store(204, Ordering::SeqCst);
        assert_eq!(
            server.tell().await,
            (0, 1),
            "{number}: nothing waits for hours"
        );
        assert_eq!(server.tell().await, (0, 0), "{number}: once");
    }
    let listed = deliveries(&server, &member, &webhook).await;
    assert!(
        listed.iter().all(|one| one["state"] == "delivered"),
        "{listed:?}"
    );
    let requests = received(&receiver).await;
    let ids: HashSet<&str> = requests
        .iter()
        .map(|one| header(one, "webhook-id"))
        .collect();
    assert_eq!(
        (requests.len(), ids.len()),
        (8, 4),
        "each twice, under one id"
    );
}

#[tokio::test]
async fn a_message_that_was_made_in_the_future_does_not_wait_for_it() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    subscribe(&server, &member, &address(&receiver), "raw").await;
    let now = server.clock.now();
    publish(&server, &brief(1, "Acme opens a plant", now).brief).await;
    server.state.store.outbox().sequence().await.unwrap();
    server.clock.advance(FORTH);
    assert_eq!(server.state.tell_due_webhooks().await.unwrap(), 1);
    server.clock.advance(BACK);
    assert_eq!(server.worker().deliver_due().await.unwrap(), 1);
}

#[tokio::test]
async fn an_alert_fires_once_however_the_clock_jumps() {
    for jump in [BACK, FORTH] {
        let receiver = receiver(ResponseTemplate::new(204)).await;
        let (server, member) = world(&receiver).await;
        let settings = json!({"ticker": "ACME", "alert_type": "price_above", "threshold": 200,
            "callback_url": address(&receiver)});
        create(&server, &member, settings.clone()).await;
        server.price("stock:ACME", 199.0, 7.0).await;
        assert_eq!(server.evaluate().await, 0);
        let true_time = server.clock.now();
        server.clock.advance(jump);
        quoted(&server, 201.25, true_time.plus_ms(1_000)).await;
        assert_eq!(server.evaluate().await, 1, "{jump}");
        assert_eq!(server.worker().deliver_due().await.unwrap(), 1, "{jump}");
        // One that is made now fires as well, and each fires once, also when the clock is right again.
        create(&server, &member, settings).await;
        assert_eq!(server.evaluate().await, 1, "{jump}");
        server.clock.advance(-jump);
        quoted(&server, 202.0, true_time.plus_ms(2_000)).await;
        assert_eq!(server.evaluate().await, 0, "{jump}");
        assert_eq!(server.worker().deliver_due().await.unwrap(), 1, "{jump}");
        let listed = triggered(&server, &member).await;
        assert_eq!(listed["total"], 2, "{jump}");
        assert_eq!(received(&receiver).await.len(), 2, "{jump}");
    }
}

#[tokio::test]
async fn sentiment_is_looked_at_again_when_the_clock_is_set_back() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let now = server.clock.now();
    for (number, sentiment, at) in [
        (1, 0.9, now.plus_ms(-3 * Timestamp::HOUR_MS)),
        (2, 0.1, now.plus_ms(-Timestamp::HOUR_MS)),
    ] {
        let mut written = brief(number, "Acme and its plant", at);
        written.brief.sentiment = Score::new(sentiment).unwrap();
        written.brief.entities[0].sentiment = Score::new(sentiment).unwrap();
        publish(&server, &written.brief).await;
    }
    server.state.store.outbox().sequence().await.unwrap();
    let settings = json!({"ticker": "ACME", "alert_type": "sentiment_above", "threshold": 0.7});
    create(&server, &member, settings).await;
    assert_eq!(server.evaluate().await, 0);
    assert_eq!(server.evaluate().await, 0);
    // Only the good news is known then, and nothing new was published.
    server.clock.advance(-2 * Timestamp::HOUR_MS);
    assert_eq!(server.evaluate().await, 1);
}

#[tokio::test]
async fn a_stream_goes_on_however_the_clock_jumps() {
    let receiver = receiver(ResponseTemplate::new(204)).await;
    let (server, member) = world(&receiver).await;
    let _follower = follow(&server);
    followed(&server).await;
    let query = "tickers=ACME&events=brief,price";
    let mut steady = Listener::open(&server, &member, query, None).await;
    let true_time = server.clock.now();
    let mut last: Option<String> = None;
    for (number, jump) in (1..).zip([BACK, FORTH, FORTH, BACK]) {
        server.clock.advance(jump);
        let now = server.clock.now();
        publish(&server, &brief(number, "Acme opens a plant", now).brief).await;
        server.state.store.outbox().sequence().await.unwrap();
        let sent = steady.next().await;
        assert_eq!(sent.name, "brief", "{number}");
        let told = sent.data;
        let price = 200.0 + number as f64;
        quoted(&server, price, true_time.plus_ms(1_000 * number as i64)).await;
        let sent = steady.next().await;
        assert_eq!((&*sent.name, &sent.data["price"]), ("price", &json!(price)));
        // Who was away meanwhile hears both, in whichever order, and nothing from before.
        let from = last.replace(sent.id);
        if from.is_some() {
            let mut away = Listener::open(&server, &member, query, from.as_deref()).await;
            let heard = [away.next().await.data, away.next().await.data];
            assert!(
                heard.contains(&told) && heard.contains(&sent.data),
                "{number}: {heard:?}"
            );
        }
    }
}
