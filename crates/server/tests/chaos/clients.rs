//! Callers who add up what they were charged, whatever happens to the server.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use reqwest::{Client, RequestBuilder, Response};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::random::Random;

/// Callers at the same time: half of them with the key, half of them under the demo key from addresses of their own.
pub(crate) const CALLERS: u64 = 32;
/// How long a caller waits for an answer to begin.
const PATIENCE: Duration = Duration::from_mins(1);

/// What one payer knows of its charges.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// Credits of `X-Credits-Charged`.
    pub(crate) received: u64,
    /// Requests that were answered.
    pub(crate) answers: u64,
    /// The most that requests can have cost whose answer never came.
    pub(crate) lost: u64,
}

/// What all payers know, by the account as the ledger names it; the key's account under the empty name.
#[derive(Clone, Default)]
pub(crate) struct Accounts {
    sums: Arc<Mutex<BTreeMap<String, Sums>>>,
    /// How many answers all of them received.
    answers: watch::Sender<u64>,
}

impl Accounts {
    pub(crate) fn sums(&self) -> BTreeMap<String, Sums> {
        self.sums.lock().clone()
    }

    fn add(&self, payer: &str, change: impl FnOnce(&mut Sums)) {
        change(self.sums.lock().entry(payer.to_owned()).or_default());
    }
}

/// The callers. They pause while there is no server.
pub(crate) struct Clients {
    pub(crate) accounts: Accounts,
    base: watch::Sender<Option<String>>,
    under_way: watch::Sender<u64>,
    tasks: JoinSet<()>,
}

impl Clients {
    /// Each of them rests for up to `rest` between two calls.
    pub(crate) fn start(key: &str, rest: Duration, random: &mut Random) -> Self {
        let accounts = Accounts::default();
        let (base, bases) = watch::channel(None);
        let under_way = watch::Sender::new(0);
        let mut tasks = JoinSet::new();
        for number in 0..CALLERS {
            let caller = Caller {
                client: client(),
                key: (number % 2 == 0).then(|| key.to_owned()),
                address: format!("198.51.100.{number}"),
                accounts: accounts.clone(),
                under_way: under_way.clone(),
                random: Random::new(random.draw()),
                rest,
                tag: None,
            };
            tasks.spawn(caller.call(bases.clone()));
        }
        Self {
            accounts,
            base,
            under_way,
            tasks,
        }
    }

    /// There is a server from now on.
    pub(crate) fn turn_to(&self, base: &str) {
        self.base.send_replace(Some(base.to_owned()));
    }

    /// Waits for this many further answers.
    pub(crate) async fn receive(&self, answers: u64) {
        let mut received = self.accounts.answers.subscribe();
        let enough = *received.borrow() + answers;
        received.wait_for(|all| *all >= enough).await.unwrap();
    }

    /// There is none any more; returns when everybody has noticed.
    pub(crate) async fn pause(&self) {
        self.base.send_replace(None);
        let mut under_way = self.under_way.subscribe();
        under_way.wait_for(|calls| *calls == 0).await.unwrap();
    }

    /// Lets the calls under way finish.
    pub(crate) async fn finish(self) -> Accounts {
        let Self {
            accounts,
            base,
            mut tasks,
            ..
        } = self;
        drop(base);
        while let Some(ended) = tasks.join_next().await {
            ended.unwrap();
        }
        accounts
    }
}

struct Caller {
    client: Client,
    key: Option<String>,
    address: String,
    accounts: Accounts,
    under_way: watch::Sender<u64>,
    random: Random,
    rest: Duration,
    /// The entity tag of the last page.
    tag: Option<String>,
}

impl Caller {
    async fn call(mut self, mut bases: watch::Receiver<Option<String>>) {
        // Ends with the sender.
        while bases.has_changed().is_ok() {
            tokio::time::sleep(self.rest.mul_f64(self.random.below(100) as f64 / 100.0)).await;
            self.under_way.send_modify(|calls| *calls += 1);
            let base = bases.borrow_and_update().clone();
            let is_answered = match base {
                Some(base) => self.ask(&base).await,
                None => false,
            };
            self.under_way.send_modify(|calls| *calls -= 1);
            if !is_answered {
                // There is no server; the next one has another address.
                let _ = bases.changed().await;
            }
        }
    }

    /// One call. False where no answer came.
    async fn ask(&mut self, base: &str) -> bool {
        let (request, most) = self.request(base);
        let payer = match self.key {
            Some(_) => String::new(),
            None => format!("demo:{}", self.address),
        };
        match request.send().await {
            Ok(response) => {
                let credits: u64 = response.headers()["x-credits-charged"]
                    .to_str()
                    .unwrap()
                    .parse()
                    .unwrap();
                self.accounts.add(&payer, |sums| {
                    sums.received += credits;
                    sums.answers += 1;
                });
                self.accounts.answers.send_modify(|answers| *answers += 1);
                self.read(response).await
            }
            Err(error) => {
                // What never reached the server cannot have been charged.
                if !error.is_connect() {
                    self.accounts.add(&payer, |sums| sums.lost += most);
                }
                false
            }
        }
    }

    async fn read(&mut self, mut response: Response) -> bool {
        if let Some(tag) = response.headers().get("etag") {
            self.tag = tag.to_str().ok().map(str::to_owned);
        }
        let is_stream = response
            .headers()
            .get("content-type")
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        if is_stream {
            // It has no end; its first words are enough.
            response.chunk().await.is_ok()
        } else {
            response.bytes().await.is_ok()
        }
    }

    /// A request, and the most that it can cost.
    fn request(&mut self, base: &str) -> (RequestBuilder, u64) {
        let get = |path: &str| self.client.get(format!("{base}{path}"));
        let choice = self.random.below(12);
        let (request, most) = match choice {
            0 => (get("/api/v1/search?q=harbour"), 1),
            1 => (get("/api/v1/entities?limit=5"), 1),
            2 => (get("/api/v1/stream"), 1),
            3 => (get("/api/v1/ticker/AAAA/price"), 1),
            4 => (get("/api/v1/ticker/AAAA/technicals"), 2),
            5 => {
                let request = get("/api/v1/feed?per_page=3");
                let request = match &self.tag {
                    Some(tag) => request.header("if-none-match", tag),
                    None => request,
                };
                (request, 1)
            }
            6 | 7 if self.key.is_some() => {
                let request = self
                    .client
                    .post(format!("{base}/api/v1/screener"))
                    .header("content-type", "application/json")
                    .body("{\"filters\":{\"rsi_below\":60}}");
                let request = if choice == 6 {
                    request.header("idempotency-key", format!("{:x}", self.random.draw()))
                } else {
                    request
                };
                (request, 5)
            }
            8 => (get("/api/v1/suggest?q=ha"), 0),
            _ => {
                let size = 1 + self.random.below(20);
                let path = format!("{base}/api/v1/feed?per_page={size}");
                (self.client.get(path), 1)
            }
        };
        let request = match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request.header("x-forwarded-for", &self.address),
        };
        (request, most)
    }
}

fn client() -> Client {
    // The TLS of clients; nothing here speaks it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().timeout(PATIENCE).build().unwrap()
}
