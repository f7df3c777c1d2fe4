//! Services on a simulated world that stands still.
//!
//! A debug build is long in making a world, so tests of one world that run at the same time share the making: each has
//! a copy of its rows to itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use extraction::Extraction;
use ingest::Publisher;
use market::calendar;
use model::{DataMode, Day, MarketBatch, OutletTable, Timestamp};
use operations::{Clock, Parts, Services, Settings};
use parking_lot::Mutex;
use providers::callbacks::{Callbacks, Reach};
use providers::{Transport, TransportSettings};
use sim::market::{MarketWorld, Session};
use sim::newswire::{Newswire, outlets};
use store::{Location, Store};
use tempfile::TempDir;
use text::clean::Arrival;
use tokio::sync::OnceCell;

const DAYS_OF_NEWS: i32 = 45;
const SEED: u64 = 7;
/// A Monday, before the opening.
pub(super) const NOW: &str = "2026-11-23T09:00:00Z";

/// The database in a data directory.
const FILE: &str = "assay.sqlite";

/// Symbols and months of a world.
type Kind = (&'static [&'static str], i32);
/// The directory with the database of a world, once it is made.
type Made = OnceCell<TempDir>;

/// Worlds that a running test uses.
static WORLDS: Mutex<BTreeMap<Kind, Weak<Made>>> = Mutex::new(BTreeMap::new());

/// What the services of a test stand on: its copy of the rows, and what other tests may still copy.
pub(super) struct Ground {
    _directory: TempDir,
    _made: Arc<Made>,
}

struct Still(Timestamp);

impl Clock for Still {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// The simulated markets of these symbols and of what they are compared with, and the news of the last weeks.
async fn fill(store: &Store, now: Timestamp, symbols: &[&str], months: i32) {
    let today = Day::of(now);
    let sessions = calendar::sessions(MarketWorld::FIRST_DAY, today.plus(60)).filter_map(|day| {
        Some(Session {
            day,
            opens_at: calendar::opens_at(day)?,
            closes_at: calendar::closes_at(day)?,
        })
    });
    let news_from = today.plus(-DAYS_OF_NEWS);
    let world = MarketWorld::new(SEED, sessions.collect())
        .with_history_from(today.months_before(months))
        .with_newswire_from(news_from);
    let world = Arc::new(world);
    let listed = MarketBatch {
        instruments: MarketWorld::instruments(),
        ..MarketBatch::default()
    };
    ingest::market::write_market(store, &listed, now)
        .await
        .unwrap();
    let mut batch = world.between(Day::MIN.starts_at(), now);
    let is_wanted = |key: &str| {
        let symbol = key.rsplit(':').next().unwrap_or(key);
        symbol == "SPY" || !key.starts_with("stock:") || symbols.contains(&symbol)
    };
    batch.candles.retain(|(key, _)| is_wanted(&key.to_string()));
    ingest::market::write_market(store, &batch, now)
        .await
        .unwrap();
    // What is paid before the opening is not what the newest close says.
    let mut quotes = world.quotes(now);
    quotes.retain(|(key, _)| key.starts_with("stock:"));
    for (place, (_, quote)) in quotes.iter_mut().enumerate() {
        quote.price *= if place % 2 == 0 { 1.03 } else { 0.97 };
        quote.at = now;
    }
    assert!(quotes.len() > symbols.len(), "no quotes");
    store.market().put_quotes(&quotes).await.unwrap();
    let articles = Newswire::of(world).between(news_from.starts_at(), now);
    let prepared = ingest::prepare(&articles, now, Arrival::Backfill);
    let publisher = Publisher::open(store.clone(), outlet_table());
    publisher
        .publish(prepared.into_iter().filter_map(Result::ok).collect(), now)
        .await
        .unwrap();
}

fn outlet_table() -> Arc<OutletTable> {
    Arc::new(OutletTable::new(outlets()))
}

/// The world of that kind that another test uses, or a new one.
fn world(kind: Kind) -> Arc<Made> {
    let mut worlds = WORLDS.lock();
    let used = worlds.get(&kind).and_then(Weak::upgrade);
    used.unwrap_or_else(|| {
        let made = Arc::default();
        worlds.insert(kind, Arc::downgrade(&made));
        made
    })
}

/// A directory with the database of that kind of world.
async fn make((symbols, months): Kind, now: Timestamp) -> TempDir {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    fill(&store, now, symbols, months).await;
    let directory = tempfile::tempdir().unwrap();
    store.backup(&directory.path().join(FILE)).await.unwrap();
    store.close().await;
    directory
}

/// The services on this world, with candles of these shares and of the market.
pub(super) async fn services(symbols: &'static [&'static str], months: i32) -> (Services, Ground) {
    let now: Timestamp = NOW.parse().unwrap();
    let kind = (symbols, months);
    let made = world(kind);
    let original = made.get_or_init(|| Box::pin(make(kind, now))).await;
    let directory = tempfile::tempdir().unwrap();
    let copy = directory.path().join(FILE);
    std::fs::copy(original.path().join(FILE), copy).unwrap();
    let location = Location::Directory(directory.path().to_owned());
    let store = Store::open(&location, DataMode::Demo).await.unwrap();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let transport = TransportSettings::default();
    let services = Services::open(Parts {
        store,
        index: search::Index::in_memory().unwrap(),
        callbacks: Arc::new(Callbacks::new(&transport, Reach::Public).unwrap()),
        web: Arc::new(providers::pages::Pages::new(Arc::new(
            Transport::new(transport).unwrap(),
        ))),
        extraction: Extraction::in_process(extraction::Limits::default()),
        web_search: providers::web_search::WebSearches::new(Vec::new()),
        chat: None,
        outlets: outlet_table(),
        clock: Arc::new(Still(now)),
        settings: Settings::default(),
        keys: operations::ReceiptKeys::from_random(&[7; 32]),
    })
    .await
    .unwrap();
    services.market.refresh().await.unwrap();
    let ground = Ground {
        _directory: directory,
        _made: made,
    };
    (services, ground)
}
