//! Thresholds against the plain reading of each condition.

use proptest::prelude::*;

use super::*;
use crate::CandleColumns;
use model::Candle;

fn history(closes: &[f64], volumes: &[f64]) -> CandleColumns {
    let mut columns = CandleColumns::default();
    for (place, (close, volume)) in closes.iter().zip(volumes).enumerate() {
        let candle = Candle {
            day: Day::new(20_000 + place as i32).unwrap(),
            open: *close,
            high: close * 1.01,
            low: close * 0.99,
            close: *close,
            volume: *volume,
        };
        columns.push(candle).unwrap();
    }
    columns
}

#[test]
fn thresholds_are_inclusive() {
    for (kind, threshold, met, not_met) in [
        (AlertType::PriceAbove, 100.0, [100.0, 101.0], 99.9),
        (AlertType::PriceBelow, 100.0, [100.0, 99.0], 100.1),
        (AlertType::SentimentAbove, 1.0, [1.0, 1.0], 0.99),
        (AlertType::SentimentBelow, 0.0, [0.0, -0.0], 0.01),
        (AlertType::VolumeSpike, 2.0, [2.0, 7.0], 1.9),
    ] {
        for value in met {
            assert!(is_met(kind, threshold, value), "{kind} {value}");
        }
        assert!(!is_met(kind, threshold, not_met), "{kind}");
    }
}

#[test]
fn a_crossing_needs_two_sides() {
    for (before, now, crossed) in [
        (69.0, 71.0, true),
        (71.0, 69.0, true),
        (69.0, 70.0, true),
        (71.0, 70.0, true),
        (70.0, 71.0, false),
        (70.0, 69.0, false),
        (70.0, 70.0, false),
        (60.0, 69.9, false),
    ] {
        assert_eq!(has_crossed(70.0, before, now), crossed, "{before} {now}");
    }
}

#[test]
fn a_volume_is_compared_with_twenty_days_before_it() {
    let columns = history(&[10.0; 21], &[100.0; 21]);
    assert_eq!(volume_ratio(columns.view(), 250.0), Some(2.5));
    assert_eq!(volume_ratio(columns.view().bars(0, 19), 250.0), None);
    let silent = history(&[10.0; 20], &[0.0; 20]);
    assert_eq!(volume_ratio(silent.view(), 250.0), None);
}

#[test]
fn a_crossing_before_the_alert_is_not_seen() {
    let mut closes: Vec<f64> = (0..30).map(|day| 100.0 - f64::from(day)).collect();
    closes.extend((0..10).map(|day| 71.0 + 4.0 * f64::from(day)));
    let columns = history(&closes, &vec![1.0; closes.len()]);
    let steps = rsi_steps(columns.view());
    let known_at = |day: Day| day.plus(1).starts_at();
    let start = Timestamp::from_ms(0);
    let up = first_crossing(&steps, 50.0, start, known_at).unwrap();
    assert!(up.before < 50.0 && up.now >= 50.0);
    let later = known_at(up.day);
    assert_eq!(first_crossing(&steps, 50.0, later, known_at), None);
    let just_before = later.plus_ms(-1);
    assert_eq!(
        first_crossing(&steps, 50.0, just_before, known_at),
        Some(up)
    );
    assert!(rsi_steps(history(&[5.0; 40], &[1.0; 40]).view()).is_empty());
}

#[test]
fn the_past_says_when_an_alert_would_have_fired() {
    let closes: Vec<f64> = (0..60).map(|day| 100.0 + f64::from(day % 10)).collect();
    let mut volumes = vec![10.0; 60];
    volumes[45] = 55.0;
    let columns = history(&closes, &volumes);
    let (view, first) = (columns.view(), columns.view().days()[30]);
    let above = days_met(AlertType::PriceAbove, 109.0, view, first);
    assert_eq!(above.len(), 6, "the highest of each tenth and ninth day");
    assert!(
        above
            .iter()
            .all(|met| met.value >= 109.0 && met.day >= first)
    );
    assert!(days_met(AlertType::PriceBelow, 90.0, view, first).is_empty());
    let spike = days_met(AlertType::VolumeSpike, 5.0, view, first);
    let day = view.days()[45];
    assert_eq!(spike, [Met { day, value: 5.5 }]);
}

fn any_type() -> impl Strategy<Value = AlertType> {
    prop::sample::select(AlertType::ALL.to_vec())
}

proptest! {
    #[test]
    fn what_is_found_by_order_is_what_is_met(
        alerts in prop::collection::vec((any_type(), 0_u8..20), 0..200),
        removed in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        kind in any_type(),
        value in 0_u8..20,
    ) {
        let mut thresholds = Thresholds::default();
        let mut expected: Vec<(AlertType, f64, usize)> = Vec::new();
        for (id, (kind, threshold)) in alerts.into_iter().enumerate() {
            thresholds.insert(kind, f64::from(threshold), id);
            expected.push((kind, f64::from(threshold), id));
        }
        for index in removed {
            if !expected.is_empty() {
                let (kind, threshold, id) = expected.swap_remove(index.index(expected.len()));
                thresholds.remove(kind, threshold, id);
                thresholds.remove(kind, threshold, id);
            }
        }
        let value = f64::from(value);
        let mut found = thresholds.met(kind, value);
        found.sort_unstable();
        let mut ids: Vec<usize> = expected
            .iter()
            .filter(|(other, threshold, _)| *other == kind && is_met(kind, *threshold, value))
            .map(|(_, _, id)| *id)
            .collect();
        ids.sort_unstable();
        prop_assert_eq!(found, ids);
        prop_assert_eq!(thresholds.is_empty(), expected.is_empty());
        prop_assert_eq!(thresholds.of(kind).count(), expected.iter().filter(|one| one.0 == kind).count());
    }
}
