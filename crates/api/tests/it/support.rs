//! A server to ask, and operations that behave as a test wants.

use std::future::poll_fn;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;

use api::{
    AppState, AsOfQuery, Cacheable, CallerOf, ChargeOf, Failure, Line, Settings, ValidQuery,
    Wiring, line,
};
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, State};
use axum::response::Response;
use extraction::Extraction;
use http::{HeaderMap, Method, Request, StatusCode};
use model::{
    AccountId, DataMode, KeyId, KeyScope, Outlet, OutletTable, Plan, Timestamp, TrustLevel,
};
use operations::{Clock, Entry, Gate, Price};
use providers::callbacks::{Callbacks, Reach};
use providers::chat::ChatModel;
use providers::guard::Allow;
use providers::pages::Pages;
use providers::transport::HostBudget;
use providers::web_search::{WebSearch, WebSearches};
use providers::{Transport, TransportSettings};
use serde_json::{Value, json};
use store::{Account, ApiKey, Location, Store};
use tower::ServiceExt;
use utoipa_axum::routes;

/// A clock that moves only when told.
pub(crate) struct StillClock(AtomicI64);

impl StillClock {
    pub(crate) fn advance(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }

    pub(crate) fn set(&self, time: &str) {
        self.0
            .store(time.parse::<Timestamp>().unwrap().ms(), Ordering::SeqCst);
    }
}

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.0.load(Ordering::SeqCst))
    }
}

/// The events of an answer that was sent as server-sent events, whose ids count them.
pub(crate) fn events_of(text: &str) -> Vec<(String, Value)> {
    let blocks = text.split_terminator("\n\n");
    // What begins with a colon is a sign of life.
    let blocks = blocks.filter(|block| !block.starts_with(':'));
    (1..)
        .zip(blocks)
        .map(|(number, block)| {
            let lines: Vec<&str> = block.lines().collect();
            let [name, id, data] = lines[..] else {
                panic!("{block}");
            };
            assert_eq!(id, format!("id: {number}"), "{block}");
            let name = name.strip_prefix("event: ").unwrap().to_owned();
            let data = data.strip_prefix("data: ").unwrap();
            (name, serde_json::from_str(data).unwrap())
        })
        .collect()
}

/// Tokio's clock, standing still from here on: it passes only as a test says. Unlike under `pause` alone it does not turn
/// ahead either while threads of the store or the other end of a socket are at work.
pub(crate) struct StillTime {
    /// Tokio does not turn its clock ahead as long as a blocking task is at work.
    _hold: std::sync::mpsc::Sender<()>,
}

impl StillTime {
    pub(crate) fn begin() -> Self {
        tokio::time::pause();
        let (hold, held) = std::sync::mpsc::channel();
        // After that time the clock turns ahead by itself, so that whoever waits in vain hears of it.
        tokio::task::spawn_blocking(move || held.recv_timeout(Duration::from_mins(2)));
        Self { _hold: hold }
    }

    /// Lets so much time pass; timers are rounded up to a millisecond.
    pub(crate) async fn pass(&self, time: Duration) {
        tokio::time::advance(time + Duration::from_millis(1)).await;
    }

    /// Does something while time passes by steps, and something else after each of them. Where the work waits for the store, ask the
    /// store there: its writers have a patience too, which must not end before the machine has come to their turn.
    pub(crate) async fn pass_during<T>(
        &self,
        step: Duration,
        work: impl Future<Output = T>,
        mut beside: impl AsyncFnMut(),
    ) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            let step = async {
                self.pass(step).await;
                beside().await;
            };
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = step => {}
            }
        }
    }
}

/// What comes of some work, unless whoever asked for it hangs up at that step of it.
pub(crate) async fn hang_up_after<T>(steps: usize, work: impl Future<Output = T>) -> Option<T> {
    let mut work = std::pin::pin!(work);
    let mut taken = 0;
    poll_fn(|context| {
        taken += 1;
        match work.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending if taken >= steps => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

/// Asks until it is so. What is asked waits for something each time, such as an answer of the store, so that whatever goes
/// on beside it comes to its turn.
pub(crate) async fn until(mut is_so: impl AsyncFnMut() -> bool) {
    for _ in 0..10_000 {
        if is_so().await {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("it never comes to be");
}

/// A store of its own: in memory, or on the PostgreSQL of `TEST_DATABASE_URL` in a schema that nobody else uses.
fn location() -> Location {
    std::env::var("TEST_DATABASE_URL").map_or(Location::Memory, |base| {
        let joint = if base.contains('?') { '&' } else { '?' };
        let schema = uuid::Uuid::new_v4().simple();
        Location::Postgres(format!(
            "{base}{joint}options%5Bsearch_path%5D=assay_contract_{schema}"
        ))
    })
}

/// One server.
pub(crate) struct TestServer {
    pub(crate) state: AppState,
    pub(crate) clock: Arc<StillClock>,
    pub(crate) router: Router,
}

/// What a server may be connected with.
#[derive(Default)]
struct Wires {
    allow: Vec<String>,
    services: Vec<Arc<dyn WebSearch>>,
    chat: Option<Arc<ChatModel>>,
}

impl Wires {
    fn allowing(allow: &[SocketAddr]) -> Self {
        Self {
            allow: allow.iter().map(ToString::to_string).collect(),
            ..Self::default()
        }
    }
}

impl TestServer {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut Settings)) -> Self {
        let store = Store::open(&location(), DataMode::Demo).await.unwrap();
        Self::on(store, change).await
    }

    /// A server where the free plan and the demo key have this many credits a month.
    pub(crate) async fn with_credits(credits: u64) -> Self {
        Self::start_with(|settings| {
            let mut terms = settings.service.plans.terms(Plan::Free).clone();
            terms.credits = Some(credits);
            terms.requests_per_minute = 10_000;
            settings.service.plans.set(Plan::Free, terms.clone());
            settings.service.plans.set_demo(terms);
        })
        .await
    }

    /// A server that may read pages of these addresses, as the operator's `network.allow` says it.
    pub(crate) async fn reading(allow: &[SocketAddr], change: impl FnOnce(&mut Settings)) -> Self {
        let store = Store::open(&location(), DataMode::Demo).await.unwrap();
        Self::wired(store, Wires::allowing(allow), change).await
    }

    /// A server of that kind of data whose operator configured these search services.
    pub(crate) async fn searching(
        mode: DataMode,
        services: Vec<Arc<dyn WebSearch>>,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let store = Store::open(&location(), mode).await.unwrap();
        Self::wired(
            store,
            Wires {
                services,
                ..Wires::default()
            },
            change,
        )
        .await
    }

    /// A server whose operator configured this language model.
    pub(crate) async fn with_model(model: ChatModel) -> Self {
        let store = Store::open(&location(), DataMode::Demo).await.unwrap();
        let wires = Wires {
            chat: Some(Arc::new(model)),
            ..Wires::default()
        };
        Self::wired(store, wires, |_| {}).await
    }

    /// Another process on the same store, as it were.
    pub(crate) async fn on(store: Store, change: impl FnOnce(&mut Settings)) -> Self {
        Self::wired(store, Wires::default(), change).await
    }

    /// The same, where callbacks may go to these addresses.
    pub(crate) async fn calling(store: Store, allow: &[SocketAddr]) -> Self {
        Self::wired(store, Wires::allowing(allow), |_| {}).await
    }

    async fn wired(store: Store, wires: Wires, change: impl FnOnce(&mut Settings)) -> Self {
        let Wires {
            allow,
            services,
            chat,
        } = wires;
        let clock = Arc::new(StillClock(AtomicI64::new(0)));
        clock.set("2026-03-10T12:00:00Z");
        let mut settings = Settings {
            origins: api::Origins::Any,
            ..Settings::default()
        };
        settings.service.registration = true;
        settings.service.anonymous = true;
        change(&mut settings);
        let transport = TransportSettings {
            allow: Allow::parse(allow).unwrap(),
            budget: HostBudget {
                spacing: Duration::ZERO,
                burst: 1,
            },
            retries: 0,
            ..TransportSettings::default()
        };
        let callbacks = Callbacks::new(&transport, Reach::Public).unwrap();
        let transport = Arc::new(Transport::new(transport).unwrap());
        let state = AppState::open(Wiring {
            store,
            web: Arc::new(Pages::new(transport)),
            extraction: Extraction::in_process(extraction::Limits::default()),
            callbacks: Arc::new(callbacks),
            web_search: WebSearches::new(services),
            chat,
            outlets: Arc::new(OutletTable::new([Outlet {
                domain: "courier.example".to_owned(),
                name: Some("The Courier".to_owned()),
                trust: TrustLevel::High,
            }])),
            index: search::Index::in_memory().unwrap(),
            hub: notify::Hub::default(),
            clock: clock.clone(),
            settings,
            keys: operations::ReceiptKeys::from_random(&[7; 32]),
        })
        .await
        .unwrap();
        let router = api::router_with(state.clone(), test_lines());
        Self {
            state,
            clock,
            router,
        }
    }

    pub(crate) fn ask(&self, method: Method, path: &str) -> Ask<'_> {
        Ask {
            server: self,
            request: Request::builder()
                .method(method)
                .uri(path)
                .body(Body::empty())
                .unwrap(),
            peer: IpAddr::V4(Ipv4Addr::new(203, 0, 113, 1)),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Ask<'_> {
        self.ask(Method::GET, path)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Ask<'_> {
        self.ask(Method::POST, path).json(body)
    }

    /// An account of that plan with a key of that scope.
    pub(crate) async fn member(&self, plan: Plan, scope: KeyScope) -> TestMember {
        let account = Account {
            id: AccountId(uuid::Uuid::new_v4()),
            email: format!("{}@example.org", uuid::Uuid::new_v4()),
            name: "somebody".into(),
            password_hash: "$none".into(),
            plan,
            spending_cap: None,
            created_at: self.clock.now(),
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
            created_at: self.clock.now(),
            last_used_at: None,
            revoked_at: None,
        };
        self.state.store.keys().insert(&key).await.unwrap();
        TestMember {
            account: account.id,
            key: raw,
            key_id: key.id,
        }
    }

    pub(crate) async fn unlimited(&self) -> TestMember {
        self.member(Plan::Unlimited, KeyScope::default()).await
    }

    /// Registers and returns the token.
    pub(crate) async fn register(&self, email: &str) -> String {
        let reply = self
            .post(
                "/auth/register",
                &json!({"email": email, "password": "correct horse"}),
            )
            .send()
            .await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
        reply.json()["token"].as_str().unwrap().to_owned()
    }
}

pub(crate) struct TestMember {
    pub(crate) account: AccountId,
    pub(crate) key: String,
    pub(crate) key_id: KeyId,
}

/// A request in the making.
pub(crate) struct Ask<'a> {
    server: &'a TestServer,
    request: Request<Body>,
    peer: IpAddr,
}

impl Ask<'_> {
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.request
            .headers_mut()
            .append(name, value.parse().unwrap());
        self
    }

    pub(crate) fn raw_header(mut self, name: &'static str, value: http::HeaderValue) -> Self {
        self.request.headers_mut().append(name, value);
        self
    }

    pub(crate) fn bearer(self, credential: &str) -> Self {
        self.header("authorization", &format!("Bearer {credential}"))
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json")
            .body(body.to_string())
    }

    pub(crate) fn body(mut self, body: impl Into<Body>) -> Self {
        *self.request.body_mut() = body.into();
        self
    }

    pub(crate) fn from(mut self, peer: &str) -> Self {
        self.peer = peer.parse().unwrap();
        self
    }

    /// Sends it and comes back with the head of the answer.
    pub(crate) async fn open(mut self) -> http::Response<Body> {
        self.request
            .extensions_mut()
            .insert(ConnectInfo(SocketAddr::new(self.peer, 40_000)));
        let router = self.server.router.clone();
        router.oneshot(self.request).await.unwrap()
    }

    pub(crate) async fn send(self) -> Reply {
        let method = self.request.method().clone();
        let path = self.request.uri().path().to_owned();
        let response = self.open().await;
        let (parts, body) = response.into_parts();
        // A stream of news has no end to wait for; that of an answer has.
        let has_end = path == "/api/v1/ask/stream" || path.starts_with("/api/v1/agents/run/");
        let is_stream = !has_end
            && parts
                .headers
                .get("content-type")
                .is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream"));
        let body = if is_stream {
            Vec::new()
        } else {
            axum::body::to_bytes(body, usize::MAX)
                .await
                .unwrap()
                .to_vec()
        };
        let content_type = parts.headers.get("content-type");
        let is_plain = content_type.is_some_and(|value| value == "application/json")
            && !parts.headers.contains_key("content-encoding");
        crate::contract::check(
            &method,
            &path,
            parts.status,
            parts.headers["x-data-mode"].to_str().unwrap(),
            if is_plain { &body } else { &[] },
        );
        Reply {
            status: parts.status,
            headers: parts.headers,
            body,
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    pub(crate) fn number(&self, name: &str) -> u64 {
        self.header(name)
            .parse()
            .unwrap_or_else(|_| panic!("{name} is {:?}", self.header(name)))
    }

    pub(crate) fn charged(&self) -> u64 {
        self.number("x-credits-charged")
    }

    /// Asserts status, shape and word of an error.
    pub(crate) fn expect_error(&self, status: u16, word: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        let body = self.json();
        assert_eq!(body["status"], "error");
        assert_eq!(body["code"], status);
        assert_eq!(body["error_code"], word, "{body}");
        assert_eq!(body["message"], body["error"]);
        assert!(
            body["next_step"]
                .as_str()
                .is_some_and(|step| step.ends_with('.'))
        );
        assert!(
            body["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty())
        );
        assert_eq!(self.header("content-type"), "application/json");
        let is_demo = self.header("x-data-mode") == "demo";
        assert_eq!(body["simulated"] == true, is_demo, "{body}");
        assert_eq!(self.charged(), 0);
        body
    }
}

/// Operations that behave as a test wants.
fn test_lines() -> Vec<Line> {
    vec![
        line(routes!(test_routes::one), Price::fixed(1), Gate::Read),
        line(routes!(test_routes::five), Price::fixed(5), Gate::Read),
        line(routes!(test_routes::free), Price::FREE, Gate::Read),
        line(
            routes!(test_routes::variable),
            Price::up_to(9, "3 to 9"),
            Gate::Read,
        ),
        line(routes!(test_routes::failing), Price::fixed(5), Gate::Read),
        line(routes!(test_routes::panicking), Price::fixed(5), Gate::Read),
        line(routes!(test_routes::slow), Price::fixed(5), Gate::Read),
        line(routes!(test_routes::personal), Price::fixed(1), Gate::Key),
        line(
            routes!(test_routes::growth),
            Price::fixed(1),
            Gate::Plan(Plan::Growth),
        ),
        line(routes!(test_routes::kept), Price::fixed(1), Gate::Read),
        line(routes!(test_routes::overtaken), Price::FREE, Gate::Read),
        line(routes!(test_routes::dated), Price::FREE, Gate::Read),
        line(routes!(test_routes::scoped), Price::FREE, Gate::Read),
        api::bind(&Arc::new(Entry::of::<test_routes::Repeat>(
            Price::fixed(2),
            Gate::Read,
        ))),
    ]
}

pub(crate) mod test_routes {
    use std::collections::BTreeMap;

    use ::operations::{About, Address, Arguments, AsOf, Context, Keeping, Operation, Parameters};
    use axum::extract::Path;
    use parking_lot::Mutex;
    use tokio::sync::Notify;

    use super::*;

    #[utoipa::path(get, path = "/api/v1/test/one", responses((status = 200)))]
    pub(crate) async fn one(CallerOf(caller): CallerOf) -> String {
        format!("{:?}", caller.plan())
    }

    #[utoipa::path(post, path = "/api/v1/test/five", responses((status = 200)))]
    pub(crate) async fn five() -> &'static str {
        "done"
    }

    #[utoipa::path(get, path = "/api/v1/test/free", responses((status = 200)))]
    pub(crate) async fn free() -> &'static str {
        "done"
    }

    pub(crate) struct Cost(u64);

    impl Parameters for Cost {
        fn read(arguments: &mut Arguments<'_>) -> Self {
            Self(arguments.integer("credits", 0..=100, 3, "What it costs"))
        }
    }

    #[utoipa::path(get, path = "/api/v1/test/variable", responses((status = 200)))]
    pub(crate) async fn variable(
        ValidQuery(Cost(credits)): ValidQuery<Cost>,
        ChargeOf(charge): ChargeOf,
    ) -> &'static str {
        charge.claim(credits);
        "done"
    }

    #[utoipa::path(get, path = "/api/v1/test/failing", responses((status = 200)))]
    pub(crate) async fn failing() -> Result<&'static str, Failure> {
        Err(operations::Error::internal("the cause stays inside").into())
    }

    #[utoipa::path(get, path = "/api/v1/test/panicking", responses((status = 200)))]
    pub(crate) async fn panicking() -> &'static str {
        panic!("on purpose")
    }

    static UNDER_WAY: Mutex<BTreeMap<String, Arc<Notify>>> = Mutex::new(BTreeMap::new());

    /// Is notified when a request is under way that never ends; names keep tests apart.
    pub(crate) fn under_way(name: &str) -> Arc<Notify> {
        let mut all = UNDER_WAY.lock();
        all.entry(name.to_owned()).or_default().clone()
    }

    #[utoipa::path(get, path = "/api/v1/test/slow/{name}", responses((status = 200)))]
    pub(crate) async fn slow(Path(name): Path<String>) -> &'static str {
        under_way(&name).notify_one();
        std::future::pending().await
    }

    #[utoipa::path(get, path = "/api/v1/test/personal", responses((status = 200)))]
    pub(crate) async fn personal() -> &'static str {
        "done"
    }

    #[utoipa::path(get, path = "/api/v1/test/growth", responses((status = 200)))]
    pub(crate) async fn growth() -> &'static str {
        "done"
    }

    pub(crate) static MADE: AtomicU64 = AtomicU64::new(0);

    #[utoipa::path(get, path = "/api/v1/test/kept/{name}", responses((status = 200)))]
    pub(crate) async fn kept(
        State(state): State<AppState>,
        page: Cacheable,
    ) -> Result<Response, Failure> {
        page.answer(&state, || {
            let made = MADE.fetch_add(1, Ordering::SeqCst);
            let body = json!({"made": made, "padding": "word ".repeat(400)}).to_string();
            Box::pin(async { Ok(body.into_bytes()) })
        })
        .await
        .map_err(Failure::from)
    }

    /// The data change between its reading and its end.
    #[utoipa::path(get, path = "/api/v1/test/overtaken", responses((status = 200)))]
    pub(crate) async fn overtaken(
        State(state): State<AppState>,
        page: Cacheable,
    ) -> Result<Response, Failure> {
        page.answer(&state, || {
            Box::pin(async {
                let market = state.store.market();
                let read = market.versions().await?.quotes;
                let quote = model::Quote {
                    price: 1.0,
                    previous_close: None,
                    volume: None,
                    at: state.clock.now(),
                };
                market
                    .put_quotes(&[("stock:ACME".to_owned(), quote)])
                    .await?;
                state.market.refresh().await?;
                Ok(json!({"read": read}).to_string().into_bytes())
            })
        })
        .await
        .map_err(Failure::from)
    }

    #[utoipa::path(get, path = "/api/v1/test/dated", responses((status = 200)))]
    pub(crate) async fn dated(AsOfQuery(AsOf(as_of)): AsOfQuery) -> String {
        as_of.map(|time| time.to_string()).unwrap_or_default()
    }

    #[utoipa::path(get, path = "/api/v1/test/scoped", responses((status = 200)))]
    pub(crate) async fn scoped(CallerOf(caller): CallerOf) -> Result<String, Failure> {
        Ok(format!("{:?}", caller.narrow(Some(model::Category::Tech))?))
    }

    pub(crate) struct Named(String);

    impl Parameters for Named {
        fn read(arguments: &mut Arguments<'_>) -> Self {
            Self(arguments.path("name", "What is repeated"))
        }
    }

    /// An operation that changes nothing and has a variable in its path.
    pub(crate) struct Repeat;

    impl Operation for Repeat {
        type Input = Named;
        type Output = String;

        const ABOUT: About = About {
            name: "repeat",
            address: Address::post("/api/v1/test/repeat/{name}"),
            subject: "test",
            summary: "Repeats a name.",
            description: "",
            answer: "The name",
            missing: None,
            example: r#"{"name": "a"}"#,
            takes_as_of: false,
            keeping: Keeping::Never,
        };

        async fn run(_: Context, Named(name): Named) -> ::operations::Result<String> {
            Ok(name)
        }
    }
}
