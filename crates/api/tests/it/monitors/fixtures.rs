//! A server with figures that support two claims.

use http::Method;
use model::{DataMode, Day, Frequency, KeyScope, Observation, Plan, Series, SeriesId, Timestamp};
use operations::Clock;
use serde_json::{Value, json};
use store::{Location, Store};
use wiremock::MockServer;

use crate::receiver::address;
use crate::support::{TestMember, TestServer};

pub(super) const CREATE: &str = "/api/v1/agent/auto-monitor";
pub(super) const MONITORS: &str = "/api/v1/agent/monitors";
/// Two claims that the first figures support.
pub(super) const JANUARY: &str = "The unemployment rate was 3.7% in January 2026.";
pub(super) const DECEMBER: &str = "The unemployment rate was 3.8% in December 2025.";
pub(super) const HOUR: i64 = Timestamp::HOUR_MS;
pub(super) const DAY: i64 = Timestamp::DAY_MS;

impl TestServer {
    /// Creates or changes the monitor of the agent `desk`.
    pub(super) async fn monitor(&self, member: &TestMember, settings: Value) -> Value {
        let mut body = json!({"agent_id": "desk"});
        let fields = settings.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(fields);
        let reply = self.call(member, Method::POST, CREATE, Some(body)).await;
        assert_eq!(
            (reply.status.as_u16(), reply.charged()),
            (200, 1),
            "{}",
            reply.text()
        );
        reply.json()
    }

    /// The agent `desk` has said this, and it was verified.
    pub(super) async fn said(&self, member: &TestMember, text: &str) -> Value {
        let path = "/api/v1/verify/output";
        let body = json!({"text": text, "agent_id": "desk"});
        let reply = self.call(member, Method::POST, path, Some(body)).await;
        assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
        reply.json()
    }

    pub(super) async fn shown(&self, member: &TestMember, monitor: &Value) -> Value {
        let path = format!("{MONITORS}/{}", monitor["monitor_id"].as_str().unwrap());
        let reply = self.call(member, Method::GET, &path, None).await;
        assert_eq!(reply.status.as_u16(), 200, "{}", reply.text());
        reply.json()
    }

    /// These are the rates of unemployment from now on.
    pub(super) async fn publish_rates(&self, rates: &[(&str, f64)]) {
        let store = &self.state.store;
        let mut transaction = store.market_transaction(self.clock.now()).await.unwrap();
        let series = Series {
            id: SeriesId("macro:UNRATE".to_owned()),
            name: "Unemployment rate".to_owned(),
            unit: "percent".to_owned(),
            frequency: Frequency::Monthly,
            source: "test".to_owned(),
            publication_lag_days: 45,
        };
        let rows: Vec<Observation> = rates
            .iter()
            .map(|(day, value)| Observation {
                day: Day::parse(day).unwrap(),
                value: *value,
            })
            .collect();
        transaction.put_values(&series, &rows).await.unwrap();
        transaction.commit().await.unwrap();
        self.state.market.refresh().await.unwrap();
    }

    /// Checks what is due, then delivers what is due; how many of both.
    pub(super) async fn work(&self) -> (usize, usize) {
        let checked = self.state.check_due_monitors().await.unwrap();
        (checked, self.worker().deliver_due().await.unwrap())
    }
}

/// A server whose callbacks may reach that receiver, with figures that support both claims.
pub(super) async fn world(receiver: &MockServer) -> (TestServer, TestMember) {
    let store = Store::open(&Location::Memory, DataMode::Real)
        .await
        .unwrap();
    let server = TestServer::calling(store, &[*receiver.address()]).await;
    server
        .publish_rates(&[("2025-12-01", 3.8), ("2026-01-01", 3.7)])
        .await;
    let member = server.member(Plan::Startup, KeyScope::default()).await;
    (server, member)
}

/// A world in which an alert is due to that receiver.
pub(super) async fn alerted(receiver: &MockServer) -> (TestServer, TestMember, Value) {
    let (server, member) = world(receiver).await;
    server.said(&member, JANUARY).await;
    let settings = json!({"alert_webhook": address(receiver), "check_interval_hours": 720});
    let monitor = server.monitor(&member, settings).await;
    server.publish_rates(&[("2026-01-01", 4.2)]).await;
    server.clock.advance(30 * DAY);
    assert_eq!(server.state.check_due_monitors().await.unwrap(), 1);
    (server, member, monitor)
}
