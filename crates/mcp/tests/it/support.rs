//! A server on loopback and a client that speaks to it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::{AppState, Connections, Settings, Wiring};
use extraction::Extraction;
use mcp::{Backend, CallerSource, Embedded, Server};
use model::{AccountId, DataMode, KeyId, KeyScope, OutletTable, Plan, Timestamp};
use operations::{Clock, Entry, Gate, Price, Registry};
use providers::callbacks::{Callbacks, Reach};
use providers::pages::Pages;
use providers::web_search::WebSearches;
use providers::{Transport, TransportSettings};
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use store::{Account, ApiKey, Location, Store};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::operation::Ask;

pub(crate) const LIMIT: Duration = Duration::from_secs(30);

struct StillClock;

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        "2026-03-10T12:00:00Z".parse().unwrap()
    }
}

/// Every operation of the table, and the one of the tests.
pub(crate) fn registry() -> Arc<Registry> {
    let ours = Entry::of::<Ask>(Price::fixed(2), Gate::Read);
    let table = Registry::new();
    let table = table.entries().iter().map(|entry| (**entry).clone());
    Arc::new(Registry::of(table.chain([ours])))
}

/// A server on loopback.
pub(crate) struct TestServer {
    pub(crate) state: AppState,
    pub(crate) address: SocketAddr,
    _end: DropGuard,
}

impl TestServer {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::default();
        settings.service.anonymous = true;
        let mut terms = settings.service.plans.terms(Plan::Free).clone();
        terms.requests_per_minute = 1_000;
        settings.service.plans.set_demo(terms);
        change(&mut settings);
        let body_limit = settings.body_limit;
        let transport = Transport::new(TransportSettings::default()).unwrap();
        let callbacks = Callbacks::new(transport.settings(), Reach::Public).unwrap();
        let state = AppState::open(Wiring {
            store: Store::open(&Location::Memory, DataMode::Demo)
                .await
                .unwrap(),
            index: search::Index::in_memory().unwrap(),
            hub: notify::Hub::default(),
            web: Arc::new(Pages::new(Arc::new(transport))),
            extraction: Extraction::in_process(extraction::Limits::default()),
            callbacks: Arc::new(callbacks),
            web_search: WebSearches::new(Vec::new()),
            chat: None,
            outlets: Arc::new(OutletTable::new([])),
            clock: Arc::new(StillClock),
            settings,
            keys: operations::ReceiptKeys::from_random(&[7; 32]),
        })
        .await
        .unwrap();
        let server = embedded(&state, CallerSource::Request);
        let router = api::with_guest(
            api::router(state.clone()),
            &state,
            mcp::PATH,
            mcp::http(server, body_limit),
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let cancel = CancellationToken::new();
        tokio::spawn(api::serve(
            listener,
            router,
            Connections::default(),
            cancel.clone(),
        ));
        Self {
            state,
            address,
            _end: cancel.drop_guard(),
        }
    }

    /// A key of an account of that plan.
    pub(crate) async fn key(&self, plan: Plan, scope: KeyScope) -> String {
        let account = Account {
            id: AccountId(uuid::Uuid::new_v4()),
            email: format!("{}@example.org", uuid::Uuid::new_v4()),
            name: "somebody".into(),
            password_hash: "$none".into(),
            plan,
            spending_cap: None,
            created_at: StillClock.now(),
            standing: store::Standing::default(),
        };
        self.state.store.accounts().insert(&account).await.unwrap();
        let raw = operations::fresh_key();
        let key = ApiKey {
            id: KeyId(uuid::Uuid::new_v4()),
            account: account.id,
            name: "test".into(),
            prefix: operations::visible_prefix(&raw),
            hash: operations::digest(&raw),
            scope,
            created_at: StillClock.now(),
            last_used_at: None,
            revoked_at: None,
        };
        self.state.store.keys().insert(&key).await.unwrap();
        raw
    }

    pub(crate) fn client(&self) -> Client {
        Client::of(self.address)
    }
}

pub(crate) fn embedded(state: &AppState, caller: CallerSource) -> Server {
    let registry = registry();
    let backend = Backend::Embedded(Embedded {
        services: state.services.clone(),
        registry: registry.clone(),
        caller,
    });
    Server::new(backend, &registry)
}

/// A client over HTTP that keeps to the protocol; tests change what it sends.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    url: String,
    pub(crate) headers: Vec<(&'static str, String)>,
}

impl Client {
    fn of(address: SocketAddr) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().timeout(LIMIT);
        Self {
            http: http.build().unwrap(),
            url: format!("http://{address}/mcp"),
            headers: vec![
                ("accept", "application/json, text/event-stream".to_owned()),
                ("content-type", "application/json".to_owned()),
                ("mcp-protocol-version", "2025-06-18".to_owned()),
            ],
        }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn bearer(self, key: &str) -> Self {
        self.with("authorization", format!("Bearer {key}"))
    }

    pub(crate) async fn send(&self, body: impl Into<String>) -> Response {
        let mut request = self.http.post(&self.url).body(body.into());
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        request.send().await.unwrap()
    }

    pub(crate) async fn get(&self) -> Response {
        self.http.get(&self.url).send().await.unwrap()
    }

    /// The whole answer of the protocol to a request.
    pub(crate) async fn reply(&self, method: &str, params: Value) -> Value {
        let response = self.send(message(1, method, &params)).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "application/json");
        json_of(response).await
    }

    pub(crate) async fn result(&self, method: &str, params: Value) -> Value {
        let reply = self.reply(method, params).await;
        assert!(reply.get("error").is_none(), "{reply}");
        reply["result"].clone()
    }

    pub(crate) async fn error(&self, method: &str, params: Value) -> Value {
        let reply = self.reply(method, params).await;
        assert!(reply.get("result").is_none(), "{reply}");
        reply["error"].clone()
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.result("tools/call", params).await
    }

    /// The text of a call that fails.
    pub(crate) async fn refusal(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        assert!(result.get("structuredContent").is_none());
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

/// A request of the protocol.
pub(crate) fn message(id: i64, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

/// What a client opens the conversation with.
pub(crate) fn opening() -> Value {
    json!({
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    })
}

/// The body of an answer.
pub(crate) async fn json_of(response: Response) -> Value {
    let body = response.bytes().await.unwrap();
    serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{error}: {body:?}"))
}
