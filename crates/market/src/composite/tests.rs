use model::Score;
use proptest::prelude::*;

use super::*;
use crate::{Candle, CandleColumns, Day};

const NOW: Timestamp = Timestamp::from_ms(1_772_000_000_000);

fn reading(hours_ago: i64, sentiment: f64) -> SentimentReading<'static> {
    SentimentReading {
        published_at: NOW.plus_ms(-hours_ago * Timestamp::HOUR_MS),
        sentiment: Score::new(sentiment).unwrap(),
        confidence: Score::NEUTRAL,
        headline: "",
    }
}

fn candles(closes: impl IntoIterator<Item = f64>) -> CandleColumns {
    let rows = (0..).zip(closes).map(|(day, close)| Candle {
        day: Day::new(day).unwrap(),
        open: close,
        high: close,
        low: close,
        close,
        volume: 1.0,
    });
    CandleColumns::sift(rows).0
}

#[test]
fn the_worked_example() {
    // Six briefs today at 0.8 and twelve before, so that the mean for the week is 0.7 = (6 · 0.8 + 12 · 0.65) / 18.
    let mut readings = vec![reading(1, 0.8); 6];
    readings.extend([reading(60, 0.65); 12]);
    let events = [(EventKind::Acquisition, NOW)];
    let found = composite(&readings, candles([]).view(), &events, NOW);
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-4, "{found}");
    near(found.sentiment.week_avg.unwrap(), 0.7);
    near(found.composite_score.unwrap(), 0.7355);
    near(found.sentiment.weight, 4.0 / 7.0);
    near(found.volume.velocity_change_pct.unwrap(), 200.0);
    assert_eq!(found.momentum.weight, 0.0);
    assert_eq!(found.signal.as_str(), "bullish");
    assert_eq!(found.events.latest_type, Some(EventKind::Acquisition));
}

#[test]
fn nothing_known_is_no_score() {
    let found = composite(&[], candles([5.0; 100]).view(), &[], NOW);
    assert_eq!(found.composite_score, None);
    assert_eq!(found.signal, Signal::Neutral);
    assert_eq!(found.momentum.value, None, "a flat price has no momentum");
    assert_eq!(found.momentum.direction, None);
    let stale = [reading(-1, 0.9), reading(24 * 7, 0.9)];
    let old = [(EventKind::Bankruptcy, NOW.plus_ms(1))];
    assert_eq!(
        composite(&stale, candles([]).view(), &old, NOW).composite_score,
        None
    );
}

#[test]
fn a_rising_price_is_bullish_and_a_failing_company_is_not() {
    let wave = |day: i32| 0.01 * f64::from(day % 3);
    let rising = candles((0..80).map(|day| (0.01 * f64::from(day) + wave(day)).exp()));
    let falling = candles((0..80).map(|day| (-0.01 * f64::from(day) + wave(day)).exp()));
    let up = composite(&[], rising.view(), &[], NOW);
    let down = composite(&[], falling.view(), &[], NOW);
    assert_eq!(
        (up.signal, up.momentum.direction),
        (Signal::StrongBullish, Some(MomentumDirection::Up))
    );
    assert_eq!(down.momentum.direction, Some(MomentumDirection::Down));
    assert!((up.momentum.weight - 1.0).abs() < 1e-12);
    let bankrupt = composite(&[], rising.view(), &[(EventKind::Bankruptcy, NOW)], NOW);
    assert!(bankrupt.composite_score < up.composite_score);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn scores_stay_in_bounds_and_weights_sum_to_one(
        sentiments in prop::collection::vec((0_i64..200, 0.0_f64..=1.0), 0..30),
        closes in prop::collection::vec(1e-6_f64..1e6, 0..90),
        events in prop::collection::vec((0_usize..8, 0_i64..200), 0..9),
    ) {
        let readings: Vec<_> = sentiments.iter().map(|(hours, sentiment)| reading(*hours, *sentiment)).collect();
        let events: Vec<_> = events
            .iter()
            .map(|(kind, hours)| (EventKind::ALL[*kind], NOW.plus_ms(-hours * Timestamp::HOUR_MS)))
            .collect();
        let found = composite(&readings, candles(closes).view(), &events, NOW);
        if let Some(score) = found.composite_score {
            prop_assert!((0.0..=1.0).contains(&score));
            let weights = found.sentiment.weight + found.momentum.weight + found.volume.weight + found.events.weight;
            prop_assert!((weights - 1.0).abs() < 1e-12);
        }
    }
}
