//! The outputs of the crate in the order of `scripts/golden_indicators.py`, and how they are compared.

use std::fmt;

use market::Candles;
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

/// How far a value may differ from TA-Lib's, relative to the larger of the two.
const TOLERANCE: f64 = 1e-9;
/// A value beside zero that is the difference of two nearly equal ones (a histogram where the lines cross) has no more digits
/// than they leave: 45 units of the last place of their size, which is the price or 100.
const ROUNDING: f64 = 1e-14;
/// TA-Lib sums the flows of the MFI in running totals, which keep a rounding of the largest flow of all years; ours do not.
const MFI_DRIFT: f64 = 1e-11;
/// Outputs whose size is 100; that of the others is the price.
const IN_PERCENT: [&str; 10] = [
    "rsi", "stoch", "adx", "_di", "williams", "cci", "mfi", "roc", "ppo", "trix",
];

/// Every output that TA-Lib defines.
pub(crate) fn outputs(candles: Candles<'_>) -> Vec<(&'static str, Line)> {
    let close = candles.close();
    let macd = macd(close);
    let bands = bollinger(close);
    let stochastic = stochastic(candles);
    let ppo = ppo(close);
    let channel = donchian(candles);
    vec![
        ("sma_20", sma(close, 20)),
        ("sma_50", sma(close, 50)),
        ("sma_200", sma(close, 200)),
        ("ema_12", ema(close, 12)),
        ("ema_26", ema(close, 26)),
        ("rsi_14", rsi(close)),
        ("macd", macd.macd),
        ("macd_signal", macd.signal),
        ("macd_histogram", macd.histogram),
        ("bollinger_upper", bands.upper),
        ("bollinger_middle", bands.middle),
        ("bollinger_lower", bands.lower),
        ("stochastic_k", stochastic.k),
        ("stochastic_d", stochastic.d),
        ("atr_14", atr(candles)),
        ("adx_14", adx(candles)),
        ("plus_di_14", plus_direction(candles)),
        ("minus_di_14", minus_direction(candles)),
        ("obv", obv(candles)),
        ("williams_r_14", williams_r(candles)),
        ("cci_20", cci(candles)),
        ("mfi_14", mfi(candles)),
        ("roc_12", roc(close)),
        ("parabolic_sar", parabolic_sar(candles)),
        ("ppo", ppo.ppo),
        ("ppo_signal", ppo.signal),
        ("trix", trix(close)),
        ("donchian_upper", channel.upper),
        ("donchian_lower", channel.lower),
    ]
}

/// The largest relative difference seen, and where.
#[derive(Default)]
pub(crate) struct Worst {
    difference: f64,
    place: String,
    values: usize,
    cancelled: usize,
}

impl Worst {
    /// Compares value by value; the warm-up must end at the same bar. `close` gives the size of what is in units of price.
    pub(crate) fn compare(&mut self, name: &str, line: &Line, expected: &[f64], close: &[f64]) {
        for (bar, (expected, close)) in expected.iter().zip(close).enumerate() {
            self.compare_bar(name, line, bar, *expected, *close);
        }
    }

    /// Compares one value; NaN is expected in the warm-up.
    pub(crate) fn compare_bar(
        &mut self,
        name: &str,
        line: &Line,
        bar: usize,
        expected: f64,
        close: f64,
    ) {
        let Some(found) = line.at(bar) else {
            assert!(expected.is_nan(), "{name}: no value at bar {bar}");
            return;
        };
        assert!(
            !expected.is_nan(),
            "{name}: {found} in the warm-up, bar {bar}"
        );
        self.values += 1;
        let size = found.abs().max(expected.abs()).max(f64::MIN_POSITIVE);
        let difference = (found - expected).abs() / size;
        if difference > TOLERANCE {
            let in_percent = IN_PERCENT.iter().any(|word| name.contains(word));
            let size = if in_percent { 100.0 } else { close };
            let rounding = if name.contains("mfi") {
                MFI_DRIFT
            } else {
                ROUNDING
            };
            assert!(
                (found - expected).abs() <= rounding * size,
                "{name}, bar {bar}: {found:e}, TA-Lib {expected:e}, relative {difference:e}"
            );
            self.cancelled += 1;
        } else if difference > self.difference {
            self.difference = difference;
            self.place = format!("{name}, bar {bar}");
        }
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            difference,
            place,
            values,
            cancelled,
        } = self;
        write!(
            f,
            "{difference:.1e} of {values} values ({place}), {cancelled} beside zero within rounding"
        )
    }
}
