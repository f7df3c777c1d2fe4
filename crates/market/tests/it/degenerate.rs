//! Inputs that a formula could trip over: nothing, one bar, three bars, prices that never move, no volume, the smallest and
//! the largest prices. Every number that comes out is finite, and what has no meaning is absent.

use market::indicators::Line;
use market::screener::PriceMetrics;
use market::signals::{Verdict, summary, votes};
use market::technicals::{Cloud, Technicals, technicals, technicals_series};
use market::{Candle, CandleColumns, Day, PRICE_MAX, PRICE_MIN, Range, VOLUME_MAX};
use proptest::prelude::*;

use crate::oracle::outputs;

fn flat(bars: i32, price: f64, volume: f64) -> CandleColumns {
    let rows = (0..bars).map(|day| Candle {
        day: Day::new(day).unwrap(),
        open: price,
        high: price,
        low: price,
        close: price,
        volume,
    });
    let (columns, refusals) = CandleColumns::sift(rows);
    assert!(refusals.is_empty());
    columns
}

/// Every number of the answer, those inside its parts included.
fn numbers(found: &Technicals) -> Vec<f64> {
    let text = format!("{found:?}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    text.split(|c: char| !(c.is_ascii_digit() || ".-e".contains(c)))
        .filter_map(|word| word.parse().ok())
        .collect()
}

#[test]
fn without_candles_there_is_no_answer() {
    assert_eq!(technicals(flat(0, 1.0, 1.0).view(), Range::OneMonth), None);
    assert_eq!(PriceMetrics::newest(flat(0, 1.0, 1.0).view()).price, None);
}

#[test]
fn three_candles_give_what_three_candles_can() {
    let columns = flat(3, 10.0, 5.0);
    let found = technicals(columns.view(), Range::OneYear).unwrap();
    assert_eq!(found.price, 10.0);
    assert_eq!((found.sma_20, found.rsi_14, found.macd), (None, None, None));
    assert_eq!(found.vwap, Some(10.0));
    assert_eq!(found.fibonacci.unwrap().levels, [10.0; 5]);
    let votes = summary(&found);
    assert_eq!(votes.overall, Verdict::Neutral);
    assert_eq!(votes.buy + votes.sell + votes.neutral, votes.total);
    assert!(votes.total < 20);
}

#[test]
fn a_price_that_never_moves_is_neutral_to_every_rule() {
    for price in [42.1, 0.1, 1.0 / 3.0, PRICE_MIN, PRICE_MAX, 1e-9] {
        for volume in [0.0, 1000.0, VOLUME_MAX / 1e6] {
            let columns = flat(300, price, volume);
            let found = technicals(columns.view(), Range::SixMonths).unwrap();
            numbers(&found);
            for (name, vote) in votes(&found) {
                let is_measured = volume > 0.0 || OF_CLOSES.contains(&name);
                let expected = is_measured.then_some(Verdict::Neutral);
                assert_eq!(vote, expected, "{name} at {price}, volume {volume}");
            }
        }
    }
}

/// Closes of a wave as candles, with the spread around them and the volume of each.
fn wave(spread: f64, volume: f64) -> CandleColumns {
    let rows = (0..300).map(|day| {
        let close = 50.0 + 10.0 * (f64::from(day) / 7.0).sin();
        Candle {
            day: Day::new(day).unwrap(),
            open: close,
            high: close + spread,
            low: close - spread,
            close,
            volume,
        }
    });
    CandleColumns::sift(rows).0
}

/// The indicators that need nothing but closes.
const OF_CLOSES: [&str; 8] = [
    "sma",
    "ema",
    "rsi_14",
    "macd",
    "bollinger",
    "roc_12",
    "ppo",
    "trix",
];

#[test]
fn what_is_not_measured_makes_no_indicator_and_no_vote() {
    let known = |columns: &CandleColumns| -> Vec<&str> {
        let found = technicals(columns.view(), Range::SixMonths).unwrap();
        let series = technicals_series(columns.view(), Range::SixMonths);
        assert_eq!(votes(&series.last().unwrap().1).len(), 20);
        let cast = votes(&found).into_iter();
        let cast = cast.filter(|(_, vote)| vote.is_some());
        cast.map(|(name, _)| name).collect()
    };
    let (closes, prices, bars) = (wave(0.0, 0.0), wave(1.0, 0.0), wave(1.0, 500.0));
    assert_eq!(known(&closes), OF_CLOSES);
    assert_eq!(known(&bars).len(), 20);
    let without_volume = known(&prices);
    assert_eq!(without_volume.len(), 17);
    for name in ["obv", "vwap", "mfi_14"] {
        assert!(!without_volume.contains(&name), "{name}");
    }
    let found = technicals(closes.view(), Range::SixMonths).unwrap();
    assert_eq!((found.obv, found.vwap, found.mfi_14), (None, None, None));
    assert_eq!((found.atr_14, found.stochastic), (None, None));
    assert_eq!((found.donchian, found.fibonacci), (None, None));
    assert_eq!(found.ichimoku, Cloud::default());
    for (_, row) in technicals_series(closes.view(), Range::SixMonths) {
        assert_eq!((row.obv, row.vwap, row.atr_14), (None, None, None));
        assert_eq!((row.mfi_14, row.williams_r_14), (None, None));
    }
    assert_eq!(PriceMetrics::newest(closes.view()).volume, None);
    assert_eq!(PriceMetrics::newest(prices.view()).volume, None);
    assert_eq!(PriceMetrics::newest(bars.view()).volume, Some(500.0));
}

#[test]
fn a_range_longer_than_the_history_is_the_history() {
    let columns = flat(30, 5.0, 1.0);
    let found = [Range::ThreeMonths, Range::OneYear, Range::FiveYears]
        .map(|range| technicals(columns.view(), range));
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn indicators_begin_again_after_two_months_without_a_bar() {
    let whole = wave(1.0, 500.0);
    let moved = whole.view().iter().enumerate().map(|(bar, candle)| Candle {
        day: candle.day.plus(if bar < 260 { 0 } else { 60 }),
        ..candle
    });
    let (parted, _) = CandleColumns::sift(moved);
    let since = parted.view().bars(260, 300);
    for range in [Range::OneMonth, Range::OneYear] {
        let found = technicals(parted.view(), range).unwrap();
        assert_eq!(found, technicals(since, range).unwrap());
        assert!(found.sma_20.is_some() && found.rsi_14.is_some());
        assert_eq!((found.sma_50, found.sma_200), (None, None));
        assert_eq!(found.ichimoku.senkou_b, None);
    }
    let series = technicals_series(parted.view(), Range::OneYear);
    assert_eq!(series.len(), 300);
    assert!(series[259].1.sma_200.is_some());
    assert_eq!((series[260].1.ema_12, series[260].1.roc_12), (None, None));
    let metrics = PriceMetrics::newest(parted.view());
    assert_eq!(metrics.rsi_14, PriceMetrics::newest(since).rsi_14);
    assert_eq!((metrics.sma_50, metrics.sma_200), (None, None));
    // An exchange that is closed for a week makes no hole.
    let closed = whole.view().iter().enumerate().map(|(bar, candle)| Candle {
        day: candle.day.plus(if bar < 260 { 0 } else { 9 }),
        ..candle
    });
    let (closed, _) = CandleColumns::sift(closed);
    let sma = |candles: &CandleColumns| technicals(candles.view(), Range::OneYear).unwrap().sma_200;
    assert_eq!(sma(&closed), sma(&whole));
}

/// Candles of a random walk with gaps, halts and days without volume, at any price level.
pub(crate) fn walks(bars: std::ops::Range<usize>) -> impl Strategy<Value = CandleColumns> {
    let bar = (
        -0.2_f64..0.2,
        0.0_f64..0.05,
        0.0_f64..0.05,
        0_u8..4,
        1_i32..4,
    );
    let scale = prop_oneof![Just(1.0), Just(1e-9), Just(1e11)];
    (scale, prop::collection::vec(bar, bars)).prop_map(|(scale, bars)| {
        let (mut price, mut day) = (scale, 15_000);
        let rows = bars.into_iter().map(|(step, up, down, kind, gap)| {
            day += gap;
            let open = price * if kind == 1 { 1.0 + step / 2.0 } else { 1.0 };
            if kind > 0 {
                price = (price * (1.0 + step)).clamp(scale / 1e3, scale * 1e3);
            }
            Candle {
                day: Day::new(day).unwrap(),
                open,
                high: open.max(price) * (1.0 + up),
                low: open.min(price) * (1.0 - down),
                close: price,
                volume: if kind == 2 { 0.0 } else { (up * 1e8).floor() },
            }
        });
        CandleColumns::sift(rows).0
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_value_is_finite_and_within_its_bounds(columns in walks(1..300)) {
        let candles = columns.view();
        for (name, line) in outputs(candles) {
            prop_assert!(line.values().iter().all(|value| value.is_finite()), "{}", name);
            let (low, high) = match name {
                "rsi_14" | "stochastic_k" | "stochastic_d" | "adx_14" | "mfi_14" => (0.0, 100.0),
                "williams_r_14" => (-100.0, 0.0),
                _ => continue,
            };
            let rounding = 1e-9;
            let inside = |value: &f64| (low - rounding..=high + rounding).contains(value);
            prop_assert!(line.values().iter().all(inside), "{}", name);
        }
        let found = technicals(candles, Range::SixMonths).unwrap();
        numbers(&found);
        let votes = summary(&found);
        prop_assert_eq!(votes.buy + votes.sell + votes.neutral, votes.total);
        prop_assert!(votes.total <= 20);
    }

    #[test]
    fn the_latest_block_is_the_end_of_the_lines(columns in walks(1..300)) {
        let candles = columns.view().within(Range::FiveYears);
        let found = technicals(candles, Range::OneYear).unwrap();
        let of = |wanted: &str| {
            let lines = outputs(candles);
            lines.iter().find(|(name, _)| *name == wanted).and_then(|(_, line)| Line::last(line))
        };
        for (name, value) in [
            ("sma_20", found.sma_20),
            ("sma_200", found.sma_200),
            ("bollinger_upper", found.bollinger.map(|bands| bands.upper)),
            ("mfi_14", found.mfi_14),
            ("cci_20", found.cci_20),
            ("williams_r_14", found.williams_r_14),
            ("roc_12", found.roc_12),
            ("donchian_upper", found.donchian.map(|bands| bands.upper)),
            ("rsi_14", found.rsi_14),
            ("stochastic_d", found.stochastic.map(|point| point.d)),
        ] {
            match (value, of(name)) {
                (Some(value), Some(line)) => prop_assert!((value - line).abs() <= 1e-9 * value.abs().max(1.0), "{}", name),
                (value, line) => prop_assert_eq!(value, line, "{}", name),
            }
        }
    }

    #[test]
    fn later_bars_change_no_earlier_value(columns in walks(40..200), cut in 20_usize..40) {
        let all = outputs(columns.view());
        let some = outputs(columns.view().bars(0, cut));
        for ((name, all), (_, some)) in all.iter().zip(&some) {
            for bar in 0..cut {
                prop_assert_eq!(all.at(bar), some.at(bar), "{} at {}", name, bar);
            }
        }
    }
}
