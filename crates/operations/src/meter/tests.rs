use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use model::{AccountId, DataMode};
use store::{LedgerKind, Location, MonthUsage};
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::batch::Line;
use super::pending::{NotedError, Pending};
use super::*;
use crate::client::ClientAddress;
use crate::price::{Gate, Price, Tariff};

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

/// A call under way that may cost so much; what it may cost is not limited.
fn reservation(meter: &Arc<Meter>, payer: Payer, price: u64) -> Reservation {
    let terms = PlanTerms {
        price: MicroUsd(0),
        requests_per_minute: 0,
        credits: None,
        overage: None,
        default_cap: MicroUsd(0),
    };
    meter
        .shard(payer)
        .lock()
        .insert(payer, MonthUsage::default(), Noon.now(), 0)
        .reserve(&terms, MicroUsd(0), price)
        .unwrap();
    Reservation {
        meter: meter.clone(),
        payer,
        key: None,
        endpoint: "GET /api/v1/feed".into(),
        operation: 0,
        price,
        included: None,
        overage: MicroUsd(0),
        reserved: price,
    }
}

/// What is used and promised of a payer's month after room was made, as it is for a flood of newcomers; `None` where the
/// payer was forgotten.
fn committed(meter: &Meter, payer: Payer) -> Option<u64> {
    let written = meter.pending.written();
    let mut shard = meter.shard(payer).lock();
    shard.make_room(written);
    shard.tallies.get(&payer).map(Tally::committed)
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

#[tokio::test]
async fn a_call_counts_at_every_step_of_its_settlement() {
    let meter = meter(None).await;
    let payer = client(1);
    let total = async || {
        let ledger = meter.store.ledger();
        ledger.total(&payer.ledger_account()).await.unwrap()
    };

    let mut call = reservation(&meter, payer, 9);
    assert_eq!(committed(&meter, payer), Some(9));
    let settled = call.book(4);
    assert_eq!(committed(&meter, payer), Some(4), "noted nowhere yet");
    call.note(settled, LedgerKind::Charge).unwrap();
    assert_eq!(committed(&meter, payer), Some(4));
    drop(call);
    assert_eq!(committed(&meter, payer), Some(4), "not written yet");
    meter.flush().await.unwrap();
    assert_eq!((committed(&meter, payer), total().await), (None, 4));

    // The handler writes the row together with its effect.
    let (entry, booked) = reservation(&meter, payer, 9).into_entry(5);
    assert_eq!(committed(&meter, payer), Some(5), "not committed yet");
    let ledger = meter.store.ledger();
    ledger.append_completing(entry, None).await.unwrap();
    assert_eq!(committed(&meter, payer), Some(5));
    drop(booked);
    assert_eq!((committed(&meter, payer), total().await), (None, 9));

    drop(reservation(&meter, payer, 9));
    assert_eq!((committed(&meter, payer), total().await), (None, 9));
}

/// The caller hangs up after its row was committed and before anybody knew of that.
#[tokio::test]
async fn a_charge_that_is_being_committed_is_kept_although_the_caller_hangs_up() {
    let meter = meter(None).await;
    let payer = client(1);
    let charge = Charge::default();
    charge.hold(reservation(&meter, payer, 9));
    charge.claim(5);

    let (committed, mut is_committed) = oneshot::channel();
    let (answer, answered) = oneshot::channel::<()>();
    let ledger = meter.store.clone();
    let writing = charge.commit(9, |entry| async move {
        ledger.ledger().append_completing(entry, None).await?;
        committed.send(()).unwrap();
        let _ = answered.await;
        Ok(())
    });
    tokio::select! {
        biased;
        _ = writing => panic!("the commit is not answered yet"),
        received = &mut is_committed => received.unwrap(),
    }
    let _ = answer.send(());
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    let used = meter.shard(payer).lock().tallies[&payer].committed();
    let total = meter.store.ledger().total(&payer.ledger_account()).await;
    assert_eq!((used, total.unwrap(), charge.credits()), (5, 5, 5));
}

/// The transaction that holds the charge fails, or the task that writes it ends.
#[tokio::test]
async fn a_charge_whose_commit_fails_is_abandoned() {
    for ends_early in [false, true] {
        let meter = meter(None).await;
        let payer = client(1);
        let charge = Charge::default();
        charge.hold(reservation(&meter, payer, 9));
        charge.claim(5);
        // The row is written by nobody, and while that is open the credits stay promised.
        let seen = meter.clone();
        let writing = charge.commit(9, |_| async move {
            let promised = seen.shard(payer).lock().tallies[&payer].committed();
            assert_eq!(promised, 5);
            assert!(!ends_early, "ends the task on purpose");
            Err(store::Error::Busy.into())
        });
        assert!(writing.await.is_err());
        assert_eq!((charge.credits(), charge.is_open()), (0, false));
        // Neither what follows nor a flush charges it after all.
        charge.settle(9).await.unwrap();
        meter.flush().await.unwrap();
        assert_eq!(charge.credits(), 0);
        assert_eq!(committed(&meter, payer), None, "nothing is promised");
        let total = meter.store.ledger().total(&payer.ledger_account()).await;
        assert_eq!(total.unwrap(), 0);
        // The abandoned call cannot be charged a second time with a new row.
        let again = charge.commit(9, |_| async { Ok(()) }).await;
        assert!(again.is_err());
    }
}

#[tokio::test]
async fn what_is_charged_while_the_ledger_is_asked_stays_in_memory() {
    let meter = meter(None).await;
    let payer = client(1);
    let question = meter.ask(payer);
    // What the ledger says now will be taken in late.
    reservation(&meter, payer, 5).settle(5).await.unwrap();
    assert_eq!(committed(&meter, payer), Some(5));
    meter.sweep(Noon.now().plus_ms(2 * FORGET_AFTER_MS));
    assert_eq!(committed(&meter, payer), Some(5));
    let second = meter.ask(payer);
    drop(question);
    assert_eq!(committed(&meter, payer), Some(5), "the other still waits");
    drop(second);
    assert_eq!(committed(&meter, payer), None);
    assert!(meter.shard(payer).lock().asked.is_empty());
}

/// Three calls at once where one can be paid, again and again, while somebody makes room all the time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_credit_is_spent_twice_while_room_is_made() {
    const PRICE: u64 = 5;
    const ROUNDS: u32 = 200;
    let directory = TempDir::new().unwrap();
    let meter = meter(Some(directory.path())).await;
    let terms = PlanTerms {
        price: MicroUsd(0),
        requests_per_minute: 0,
        credits: Some(PRICE),
        overage: None,
        default_cap: MicroUsd(0),
    };
    let tariff = Tariff::new(0, Price::fixed(PRICE), Gate::Read, "GET", "/api/v1/feed");
    let asked = Arc::new((terms, tariff));
    let round = Arc::new(AtomicU32::new(0));
    let making_room = std::thread::spawn({
        let (meter, round) = (meter.clone(), round.clone());
        move || {
            while let number @ 0..ROUNDS = round.load(Ordering::Relaxed) {
                committed(&meter, client(number));
            }
        }
    });
    for number in 0..ROUNDS {
        round.store(number, Ordering::Relaxed);
        let calls = (0..3).map(|_| {
            let (meter, asked) = (meter.clone(), asked.clone());
            tokio::spawn(async move {
                let (terms, tariff) = &*asked;
                let client = ClientAddress::new(Ipv4Addr::from_bits(number).into());
                let caller = Caller {
                    member: None,
                    client,
                };
                for _ in 0..20 {
                    if let Ok(call) = meter.reserve(PRICE, &caller, terms, tariff).await {
                        return call.settle(PRICE).await.unwrap();
                    }
                    tokio::task::yield_now().await;
                }
                0
            })
        });
        let paid: u64 = futures::future::join_all(calls)
            .await
            .into_iter()
            .map(Result::unwrap)
            .sum();
        assert_eq!(paid, PRICE, "round {number}");
    }
    round.store(ROUNDS, Ordering::Relaxed);
    making_room.join().unwrap();
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
                reservation(&meter, payer, 1).settle(1).await.unwrap();
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
