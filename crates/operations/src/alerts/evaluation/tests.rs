//! A hundred thousand alerts in memory.

use uuid::Uuid;

use super::*;

const ALERTS: usize = 100_000;
const SYMBOLS: usize = 500;

/// Alerts whose thresholds are around 100, one in ten of them on the relative strength index.
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
