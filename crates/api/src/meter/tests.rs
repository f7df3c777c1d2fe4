use std::net::Ipv4Addr;
use std::time::Instant;

use model::{AccountId, DataMode};
use store::{Location, MonthUsage};
use tempfile::TempDir;

use super::pending::Pending;
use super::*;
use crate::client::ClientAddress;

struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(1_772_366_400_000)
    }
}

async fn meter(journal: Option<&Path>) -> Arc<Meter> {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    Arc::new(Meter::open(store, Arc::new(Noon), journal).await.unwrap())
}

fn client(number: u32) -> Payer {
    Payer::Client(ClientAddress::new(Ipv4Addr::from_bits(number).into()))
}

fn line(credits: u64) -> Line {
    Line {
        key: None,
        operation: 0,
        endpoint: "GET /api/v1/feed".into(),
        calls: 1,
        credits,
        overage: MicroUsd(0),
        at: Noon.now(),
        kind: LedgerKind::Charge,
    }
}

fn reservation(meter: &Arc<Meter>, payer: Payer) -> Reservation {
    meter
        .shard(payer)
        .lock()
        .tallies
        .entry(payer)
        .or_insert_with(|| Tally::new(MonthUsage::default(), Noon.now()));
    Reservation {
        meter: meter.clone(),
        payer,
        key: None,
        endpoint: "GET /api/v1/feed".into(),
        operation: 0,
        price: 1,
        included: None,
        overage: MicroUsd(0),
        is_open: true,
    }
}

fn segments(directory: &Path) -> usize {
    let files = std::fs::read_dir(directory).unwrap();
    files
        .filter(|file| {
            let path = file.as_ref().unwrap().path();
            path.extension().is_some_and(|word| word == "charges")
        })
        .count()
}

/// A million addresses while the ledger cannot be written: memory and journal stay within their bounds.
#[tokio::test]
async fn a_ledger_that_cannot_be_written_fills_no_memory_and_no_disk() {
    let directory = TempDir::new().unwrap();
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    let journal = Journal::open(directory.path(), &store, Noon.now())
        .await
        .unwrap();
    let pending = Pending::new(Some(journal), Noon.now());
    let mut refused = 0;
    for number in 0..1_000_000 {
        match pending.note(client(number), line(1)) {
            Ok(_) => {}
            Err(NotedError::Full) => refused += 1,
            Err(error) => panic!("{error}"),
        }
    }
    let health = pending.health();
    assert_eq!(health.pending_rows, 65 * 400);
    assert_eq!(refused, 1_000_000 - 65 * 400);
    assert!(health.journal_bytes < 8 << 20, "{health:?}");
    assert_eq!(segments(directory.path()), 65);
    assert_eq!(health.oldest_pending, Some(Noon.now()));
    assert!(
        pending.note(client(7_000_000), line(0)).is_ok(),
        "what is free is answered"
    );
    assert_eq!(pending.health().pending_rows, 65 * 400);
}

/// One caller who calls for hours does not grow a segment without end.
#[tokio::test]
async fn a_segment_is_closed_before_it_is_long() {
    let directory = TempDir::new().unwrap();
    let meter = meter(Some(directory.path())).await;
    for _ in 0..40_000 {
        meter.pending.note(client(1), line(1)).unwrap();
    }
    let health = meter.health();
    assert!(health.pending_rows > 1, "{health:?}");
    meter.flush().await.unwrap();
    assert_eq!(meter.health().journal_bytes, 0);
    assert_eq!(segments(directory.path()), 0);
    let account = client(1).ledger_account();
    assert_eq!(meter.store.ledger().total(&account).await.unwrap(), 40_000);
}

/// What the journal costs a settled call. Printed, not judged:
/// `cargo test --release -p api --lib cost_of_the_journal -- --ignored --nocapture`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn cost_of_the_journal() {
    const CALLS: u32 = 200_000;
    let directory = TempDir::new().unwrap();
    for round in 0..3 {
        for journal in [None, Some(directory.path())] {
            let meter = meter(journal).await;
            let end = CancellationToken::new();
            let flusher = tokio::spawn({
                let (meter, end) = (meter.clone(), end.clone());
                async move { meter.run(end).await }
            });
            let started = Instant::now();
            for number in 0..CALLS {
                let payer = if number % 2 == 0 {
                    Payer::Account(AccountId(uuid::Uuid::from_u128(u128::from(number % 50))))
                } else {
                    client(number % 50)
                };
                reservation(&meter, payer).settle(1).await.unwrap();
            }
            let each = started.elapsed() / CALLS;
            println!(
                "round {round}, journal {}: {each:?} a call",
                journal.is_some()
            );
            end.cancel();
            flusher.await.unwrap();
        }
    }
}
