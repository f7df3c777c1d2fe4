//! Every indicator that TA-Lib has, beside its Rust port, the crate `ta-lib`, on random series: walks, steps on a grid, prices
//! that never move or have stopped moving, bars that repeat each other or have no range, days without volume and days with a billion times that of
//! the day before, tiny and huge prices, and series shorter than the warm-up.
//!
//! The line must begin at the library's bar and have its length, and every value may differ by `1e-9 · max(size, |value|)`. The
//! size is 1 for percents and oscillators. For what is in units of price it is the highest price so far: lines that are a
//! difference (MACD) have no more digits than prices leave, and the library's running totals keep the rounding of the highest
//! price that ever passed through them. Where its arithmetic is worse than ours by more than that, the bound is beside the
//! indicator. It is also the library that we differ from in one definition, the RSI before the first movement.

use std::sync::LazyLock;

use market::indicators::Line;
use market::indicators::adx::{adx, minus_direction, plus_direction};
use market::indicators::atr::atr;
use market::indicators::bollinger::bollinger;
use market::indicators::cci::cci;
use market::indicators::donchian::donchian;
use market::indicators::ema::ema;
use market::indicators::macd::macd;
use market::indicators::mfi::mfi;
use market::indicators::obv::obv;
use market::indicators::parabolic_sar::parabolic_sar;
use market::indicators::ppo::ppo;
use market::indicators::roc::roc;
use market::indicators::rsi::rsi;
use market::indicators::sma::sma;
use market::indicators::stochastic::stochastic;
use market::indicators::trix::trix;
use market::indicators::williams_r::williams_r;
use market::{Candle, CandleColumns, Candles, Day};
use proptest::prelude::*;
use ta_lib::{Core, MAType, OutRange, RetCode};

static TA_LIB: LazyLock<Core> = LazyLock::new(Core::new);

const TOLERANCE: f64 = 1e-9;

/// What the library answers: the values from the bar `first_bar` on.
struct Answer {
    first_bar: usize,
    values: Vec<f64>,
}

/// Calls the library over a whole series of `bars` with `N` outputs. It refuses an empty series.
fn library<const N: usize>(
    bars: usize,
    call: impl FnOnce(&Core, usize, &mut [Vec<f64>; N]) -> Result<OutRange, RetCode>,
) -> [Answer; N] {
    let mut outputs = std::array::from_fn(|_| vec![0.0; bars]);
    let count = match bars.checked_sub(1) {
        Some(end) => call(&TA_LIB, end, &mut outputs).unwrap().count,
        None => 0,
    };
    outputs.map(|mut values| {
        values.truncate(count);
        Answer {
            first_bar: bars - count,
            values,
        }
    })
}

/// [`library`] with one output.
fn library_line(
    bars: usize,
    call: impl FnOnce(&Core, usize, &mut [f64]) -> Result<OutRange, RetCode>,
) -> Answer {
    let [answer] = library(bars, |core, end, [out]: &mut [Vec<f64>; 1]| {
        call(core, end, out)
    });
    answer
}

/// Compares a line in percent.
fn same(name: &str, found: &Line, expected: &Answer) -> Result<(), TestCaseError> {
    same_within(name, found, expected, |_, value| {
        TOLERANCE * value.abs().max(1.0)
    })
}

/// Compares a line in units of price.
fn same_price(
    name: &str,
    found: &Line,
    expected: &Answer,
    prices: &[f64],
) -> Result<(), TestCaseError> {
    let so_far: Vec<f64> = prices
        .iter()
        .scan(0.0_f64, |highest, price| {
            *highest = highest.max(*price);
            Some(*highest)
        })
        .collect();
    same_within(name, found, expected, |bar, value| {
        TOLERANCE * value.abs().max(so_far[bar])
    })
}

/// Compares a line with a bound by bar and value.
fn same_within(
    name: &str,
    found: &Line,
    expected: &Answer,
    bound: impl Fn(usize, f64) -> f64,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(found.first_bar(), expected.first_bar, "{} begins", name);
    prop_assert_eq!(
        found.values().len(),
        expected.values.len(),
        "{} values",
        name
    );
    for (bar, (found, expected)) in
        (expected.first_bar..).zip(found.values().iter().zip(&expected.values))
    {
        prop_assert!(
            (found - expected).abs() <= bound(bar, *expected),
            "{}, bar {}: {:e}, TA-Lib {:e}",
            name,
            bar,
            found,
            expected
        );
    }
    Ok(())
}

/// How the prices of a series go.
#[derive(Clone, Copy, Debug)]
enum Course {
    Walk,
    /// Whole prices from 1 to 4, so that highs, lows and closes are often equal.
    Steps,
    Constant,
    /// A walk that stops moving after some bars.
    Halted,
    /// A walk that repeats one bar after some: its range goes on, its movement does not.
    Repeated,
}

/// What decides on one bar.
#[derive(Clone, Debug)]
struct Step {
    change: f64,
    /// Parts of the price by which high and low lie outside open and close.
    wicks: [f64; 2],
    stays: bool,
    has_wicks: bool,
    is_traded: bool,
    /// 0 to 1.
    dice: f64,
}

fn step() -> impl Strategy<Value = Step> {
    let wick = || 0.0_f64..0.05;
    let likely = prop::bool::weighted;
    (
        -0.3_f64..0.3,
        [wick(), wick()],
        likely(0.25),
        likely(0.5),
        likely(0.75),
        0.0_f64..1.0,
    )
        .prop_map(|(change, wicks, stays, has_wicks, is_traded, dice)| Step {
            change,
            wicks,
            stays,
            has_wicks,
            is_traded,
            dice,
        })
}

/// Candles of every kind at every level of price.
fn series() -> impl Strategy<Value = CandleColumns> {
    let course = prop_oneof![
        4 => Just(Course::Walk),
        2 => Just(Course::Steps),
        1 => Just(Course::Constant),
        1 => Just(Course::Halted),
        1 => Just(Course::Repeated),
    ];
    let scale = prop_oneof![3 => Just(1.0), 1 => Just(1e-8), 1 => Just(1e11)];
    // Powers of ten between the smallest volume of a day and the largest.
    let volumes = prop_oneof![Just(None), Just(Some(1.0)), Just(Some(9.0))];
    let steps = prop_oneof![
        4 => prop::collection::vec(step(), 0..60),
        4 => prop::collection::vec(step(), 60..420),
        1 => prop::collection::vec(step(), 700..900),
    ];
    let has_range = prop::bool::weighted(0.8);
    (course, scale, volumes, has_range, steps).prop_map(
        |(course, scale, volumes, has_range, steps)| {
            candles(course, scale, volumes, has_range, &steps)
        },
    )
}

fn candles(
    course: Course,
    scale: f64,
    volumes: Option<f64>,
    has_range: bool,
    steps: &[Step],
) -> CandleColumns {
    let mut rows: Vec<Candle> = Vec::new();
    for (bar, step) in steps.iter().enumerate() {
        let before = rows.last().map_or(scale, |row| row.close);
        let ended = bar > steps.len() / 5;
        let close = match course {
            Course::Steps => scale * (1.0 + (step.dice * 4.0).floor()),
            Course::Constant => scale,
            Course::Halted | Course::Repeated if ended => before,
            _ if step.stays => before,
            _ => (before * (1.0 + step.change)).clamp(scale / 1e3, scale * 1e3),
        };
        let open = if has_range { before } else { close };
        let (mut high, mut low) = (open.max(close), open.min(close));
        match (course, rows.last()) {
            (Course::Repeated, Some(row)) if ended => (high, low) = (row.high, row.low),
            (Course::Walk | Course::Repeated, _) if has_range && step.has_wicks => {
                high *= 1.0 + step.wicks[0];
                low *= 1.0 - step.wicks[1];
            }
            _ => {}
        }
        let volume = match volumes {
            Some(powers) if step.is_traded => 10_f64.powf(step.dice * powers).floor(),
            _ => 0.0,
        };
        rows.push(Candle {
            day: Day::new(bar as i32).unwrap(),
            open,
            high,
            low,
            close,
            volume,
        });
    }
    let (columns, refusals) = CandleColumns::sift(rows);
    assert_eq!(refusals, []);
    columns
}

/// `(high + low + close) / 3`.
fn typical(candles: Candles<'_>) -> Vec<f64> {
    candles
        .iter()
        .map(|bar| (bar.high + bar.low + bar.close) / 3.0)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn sma_equals_the_library(columns in series(), period in 2_u16..220) {
        let close = columns.view().close();
        let expected = library_line(close.len(), |core, end, out| {
            core.sma(0, end, close, i32::from(period), out)
        });
        same_price("sma", &sma(close, period), &expected, close)?;
    }

    #[test]
    fn ema_equals_the_library(columns in series(), period in 2_u16..60) {
        let close = columns.view().close();
        let expected = library_line(close.len(), |core, end, out| {
            core.ema(0, end, close, i32::from(period), out)
        });
        same_price("ema", &ema(close, period), &expected, close)?;
    }

    #[test]
    fn rsi_equals_the_library(columns in series()) {
        let close = columns.view().close();
        let mut expected = library_line(close.len(), |core, end, out| {
            core.rsi(0, end, close, 14, out)
        });
        // Without any movement the port answers 50, Python's TA-Lib and we 0.
        let moved = close.iter().take_while(|price| **price == close[0]).count();
        let still = moved.saturating_sub(expected.first_bar).min(expected.values.len());
        prop_assert!(expected.values[..still].iter().all(|value| *value == 50.0));
        expected.values[..still].fill(0.0);
        same("rsi", &rsi(close), &expected)?;
    }

    #[test]
    fn macd_equals_the_library(columns in series()) {
        let close = columns.view().close();
        let [line, signal, histogram] = library(close.len(), |core, end, [line, signal, histogram]| {
            core.macd(0, end, close, 12, 26, 9, line, signal, histogram)
        });
        let found = macd(close);
        same_price("macd", &found.macd, &line, close)?;
        same_price("signal", &found.signal, &signal, close)?;
        same_price("histogram", &found.histogram, &histogram, close)?;
    }

    #[test]
    fn bollinger_equals_the_library(columns in series()) {
        let close = columns.view().close();
        let [upper, middle, lower] = library(close.len(), |core, end, [upper, middle, lower]| {
            core.bbands(0, end, close, 20, 2.0, 2.0, MAType::SMA, upper, middle, lower)
        });
        let found = bollinger(close);
        same_price("upper", &found.upper, &upper, close)?;
        same_price("middle", &found.middle, &middle, close)?;
        same_price("lower", &found.lower, &lower, close)?;
    }

    #[test]
    fn stochastic_equals_the_library(columns in series()) {
        let candles = columns.view();
        let [k, d] = library(candles.len(), |core, end, [k, d]| {
            let [high, low, close] = [candles.high(), candles.low(), candles.close()];
            core.stoch(0, end, high, low, close, 14, 3, MAType::SMA, 3, MAType::SMA, k, d)
        });
        let found = stochastic(candles);
        same("k", &found.k, &k)?;
        same("d", &found.d, &d)?;
    }

    #[test]
    fn atr_equals_the_library(columns in series()) {
        let candles = columns.view();
        let expected = library_line(candles.len(), |core, end, out| {
            core.atr(0, end, candles.high(), candles.low(), candles.close(), 14, out)
        });
        same_price("atr", &atr(candles), &expected, candles.high())?;
    }

    #[test]
    fn adx_equals_the_library(columns in series()) {
        let candles = columns.view();
        let expected = library_line(candles.len(), |core, end, out| {
            core.adx(0, end, candles.high(), candles.low(), candles.close(), 14, out)
        });
        same("adx", &adx(candles), &expected)?;
    }

    #[test]
    fn plus_direction_equals_the_library(columns in series()) {
        let candles = columns.view();
        let expected = library_line(candles.len(), |core, end, out| {
            core.plus_di(0, end, candles.high(), candles.low(), candles.close(), 14, out)
        });
        same("plus", &plus_direction(candles), &expected)?;
    }

    #[test]
    fn minus_direction_equals_the_library(columns in series()) {
        let candles = columns.view();
        let expected = library_line(candles.len(), |core, end, out| {
            core.minus_di(0, end, candles.high(), candles.low(), candles.close(), 14, out)
        });
        same("minus", &minus_direction(candles), &expected)?;
    }

    #[test]
    fn obv_equals_the_library(columns in series()) {
        let candles = columns.view();
        let expected = library_line(candles.len(), |core, end, out| {
            core.obv(0, end, candles.close(), candles.volume(), out)
        });
        same("obv", &obv(candles), &expected)?;
    }

    #[test]
    fn williams_r_equals_the_library(columns in series()) {
        let candles = columns.view();
        let expected = library_line(candles.len(), |core, end, out| {
            core.willr(0, end, candles.high(), candles.low(), candles.close(), 14, out)
        });
        same("williams", &williams_r(candles), &expected)?;
    }

    #[test]
    fn cci_equals_the_library(columns in series()) {
        let candles = columns.view();
        let expected = library_line(candles.len(), |core, end, out| {
            core.cci(0, end, candles.high(), candles.low(), candles.close(), 20, out)
        });
        same("cci", &cci(candles), &expected)?;
    }

    /// The library's totals of flows keep a rounding of the largest flow that ever passed through them, for each bar once;
    /// where what flows now is small beside it, the index is off by that part.
    #[test]
    fn mfi_equals_the_library(columns in series()) {
        let candles = columns.view();
        let expected = library_line(candles.len(), |core, end, out| {
            let [high, low, close] = [candles.high(), candles.low(), candles.close()];
            core.mfi(0, end, high, low, close, candles.volume(), 14, out)
        });
        let typical = typical(candles);
        let flows: Vec<f64> = (0..candles.len())
            .map(|bar| match bar.checked_sub(1) {
                Some(before) if typical[bar] != typical[before] => typical[bar] * candles.volume()[bar],
                _ => 0.0,
            })
            .collect();
        same_within("mfi", &mfi(candles), &expected, |bar, value| {
            let largest = flows[..=bar].iter().copied().fold(0.0, f64::max);
            let present: f64 = flows[bar - 13..=bar].iter().sum();
            let drift = bar as f64 * f64::EPSILON * largest;
            let drift = if present > 0.0 { drift / present } else { 0.0 };
            TOLERANCE * value.abs().max(1.0) + 100.0 * drift
        })?;
    }

    #[test]
    fn roc_equals_the_library(columns in series()) {
        let close = columns.view().close();
        let expected = library_line(close.len(), |core, end, out| core.roc(0, end, close, 12, out));
        same("roc", &roc(close), &expected)?;
    }

    #[test]
    fn parabolic_sar_equals_the_library(columns in series()) {
        let candles = columns.view();
        let expected = library_line(candles.len(), |core, end, out| {
            core.sar(0, end, candles.high(), candles.low(), 0.02, 0.2, out)
        });
        same_price("sar", &parabolic_sar(candles), &expected, candles.high())?;
    }

    #[test]
    fn ppo_equals_the_library(columns in series()) {
        let close = columns.view().close();
        let expected = library_line(close.len(), |core, end, out| {
            core.ppo(0, end, close, 12, 26, MAType::EMA, out)
        });
        let mut signal = library_line(expected.values.len(), |core, end, out| {
            core.ema(0, end, &expected.values, 9, out)
        });
        signal.first_bar += expected.first_bar;
        let found = ppo(close);
        same("ppo", &found.ppo, &expected)?;
        same("signal", &found.signal, &signal)?;
        let differences = found.ppo.values().iter().rev().zip(found.signal.values().iter().rev());
        prop_assert!(differences.map(|(ppo, signal)| ppo - signal).eq(found.histogram.values().iter().rev().copied()));
        prop_assert_eq!(found.histogram.first_bar(), found.signal.first_bar());
    }

    #[test]
    fn trix_equals_the_library(columns in series()) {
        let close = columns.view().close();
        let expected = library_line(close.len(), |core, end, out| core.trix(0, end, close, 15, out));
        same("trix", &trix(close), &expected)?;
    }

    #[test]
    fn donchian_equals_the_library(columns in series()) {
        let candles = columns.view();
        let upper = library_line(candles.len(), |core, end, out| {
            core.max(0, end, candles.high(), 20, out)
        });
        let lower = library_line(candles.len(), |core, end, out| {
            core.min(0, end, candles.low(), 20, out)
        });
        let found = donchian(candles);
        prop_assert_eq!((found.upper.first_bar(), found.upper.values()), (upper.first_bar, &upper.values[..]));
        prop_assert_eq!((found.lower.first_bar(), found.lower.values()), (lower.first_bar, &lower.values[..]));
    }
}
