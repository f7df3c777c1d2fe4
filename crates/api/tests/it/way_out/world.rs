//! A small market with a price that a test sets.

use http::Method;
use model::{DataMode, KeyScope, OutboxKind, Plan, Quote};
use operations::Clock;
use serde_json::Value;
use store::{Location, Store};
use wiremock::MockServer;

use crate::market::fixtures::fill;
use crate::support::{TestMember, TestServer};

pub(super) const ALERTS: &str = "/api/v1/alerts";
pub(super) const WEBHOOKS: &str = "/api/v1/webhooks";

impl TestServer {
    /// A success with what it says.
    pub(super) async fn done(
        &self,
        member: &TestMember,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Value {
        let reply = self.call(member, method, path, body).await;
        assert_eq!(reply.status.as_u16(), 200, "{path}: {}", reply.text());
        reply.json()
    }

    /// The price of a symbol is this from now on; the cache has not read it.
    pub(super) async fn price(&self, series: &str, price: f64, volume: f64) {
        self.clock.advance(1_000);
        let quote = Quote {
            price,
            previous_close: Some(100.0),
            volume: Some(volume),
            at: self.clock.now(),
        };
        let market = self.state.store.market();
        market
            .put_quotes(&[(series.to_owned(), quote)])
            .await
            .unwrap();
    }

    /// Evaluates what changed; how many alerts fired.
    pub(super) async fn evaluate(&self) -> usize {
        self.state.evaluate_due_alerts().await.unwrap()
    }

    /// Makes messages of events, then delivers what is due; how many of both.
    pub(super) async fn tell(&self) -> (usize, usize) {
        self.state.store.outbox().sequence().await.unwrap();
        let told = self.state.tell_due_webhooks().await.unwrap();
        (told, self.worker().deliver_due().await.unwrap())
    }
}

/// A server with the small market whose callbacks may reach that receiver.
pub(super) async fn world(receiver: &MockServer) -> (TestServer, TestMember) {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    let server = TestServer::calling(store, &[*receiver.address()]).await;
    fill(&server).await;
    let member = server.member(Plan::Unlimited, KeyScope::default()).await;
    (server, member)
}

pub(super) const PUBLISHED: &str = OutboxKind::BriefPublished.as_str();
