//! A hundred thousand alerts: how long one tick takes.

use std::time::{Duration, Instant};

use uuid::Uuid;

use super::*;

const ALERTS: usize = 100_000;
const SYMBOLS: usize = 500;

/// Alerts whose thresholds lie around 100, one in ten of them on the relative strength index.
fn evaluator() -> Evaluator {
    let mut evaluator = Evaluator::default();
    for number in 0..ALERTS {
        let kind = AlertType::ALL[(number / SYMBOLS) % 5];
        evaluator.insert(AlertTerms {
            id: format!("alt_{}", Uuid::from_u128(number as u128).simple()),
            account: AccountId(Uuid::from_u128((number % 97) as u128)),
            ticker: format!("S{}", number % SYMBOLS),
            series: format!("stock:S{}", number % SYMBOLS),
            kind,
            threshold: 50.0 + (number / SYMBOLS) as f64 / 2.0,
            receiver: None,
            categories: Vec::new(),
            created_at: Timestamp::from_ms(0),
        });
    }
    evaluator
}

#[test]
fn deleted_and_fired_alerts_leave_nothing_behind() {
    let mut evaluator = evaluator();
    for slot in 0..ALERTS as Slot {
        evaluator.remove(slot);
        evaluator.remove(slot);
    }
    assert!(evaluator.slots.is_empty() && evaluator.by_series.is_empty());
}

/// `cargo test --release -p operations -- --ignored a_tick --nocapture` says the figures of `docs/performance.md`.
#[test]
#[ignore = "figures of a release build"]
fn a_tick_of_one_symbol_and_of_all() {
    let evaluator = evaluator();
    let look = |series: &str, price: f64| {
        let thresholds = &evaluator.by_series[series];
        let above = thresholds.met(AlertType::PriceAbove, price).len();
        above + thresholds.met(AlertType::PriceBelow, price).len()
    };
    let names: Vec<String> = (0..SYMBOLS)
        .map(|number| format!("stock:S{number}"))
        .collect();
    let started = Instant::now();
    let mut met = 0;
    for round in 0..100 {
        for name in &names {
            met += look(name, 50.0 + f64::from(round));
        }
    }
    let all = started.elapsed() / 100;
    let one = all / SYMBOLS as u32;
    println!("{ALERTS} alerts, {SYMBOLS} symbols: one tick {one:?}, all {all:?} ({met} met)");
    assert!(one < Duration::from_millis(1) && all < Duration::from_millis(100));
}
