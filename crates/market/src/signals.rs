//! What the twenty indicators say taken together: `signal_summary`.
//!
//! Each indicator that has a value casts one vote by a fixed textbook rule. Those without a value do not vote (for a
//! series of closes, those that need highs, lows or volumes), so `buy + sell + neutral = total` and `total` is at
//! most 20. The balance `(buy − sell) / total` decides: at least 0.5 `strong_buy`, at least 0.15 `buy`, at most −0.5
//! `strong_sell`, at most −0.15 `sell`, otherwise `neutral`. A price that never moves is neutral under every rule,
//! and fewer than five votes give neutral overall.
//!
//! | indicator | buy | sell |
//! |---|---|---|
//! | SMA | price above each of 20, 50, 200 that exists | below each |
//! | EMA | 12 above 26 | below |
//! | RSI | below 30 | above 70 |
//! | MACD | histogram above 0 | below |
//! | Bollinger | price below the lower band | above the upper |
//! | Stochastic | %K below 20 | above 80 |
//! | ATR | day's change above one ATR | below minus one |
//! | ADX | above 25 and DI⁺ leads | above 25 and DI⁻ leads |
//! | OBV | above its mean of 20 | below |
//! | VWAP | price above | below |
//! | Williams %R | below −80 | above −20 |
//! | CCI | below −100 | above 100 |
//! | MFI | below 20 | above 80 |
//! | ROC | above 0 | below |
//! | Parabolic SAR | price above the stop | below |
//! | Ichimoku | price above both edges of the cloud | below both |
//! | PPO | histogram above 0 | below |
//! | TRIX | above 0 | below |
//! | Donchian | price above the channel of the bars before | below |
//! | Fibonacci | price above the 38.2 % level | below the 61.8 % level |
//!
//! Oscillators return a bound (0) for a window without movement, and the MFI also for one without any money flow.
//! That is not a signal and counts as neutral. This is a summary of rules, not advice and not a forecast.

use std::fmt;

use crate::technicals::Technicals;

/// The verdict of one rule, or of all together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each verdict names itself")]
pub enum Verdict {
    StrongSell,
    Sell,
    Neutral,
    Buy,
    StrongBuy,
}

impl Verdict {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StrongSell => "strong_sell",
            Self::Sell => "sell",
            Self::Neutral => "neutral",
            Self::Buy => "buy",
            Self::StrongBuy => "strong_buy",
        }
    }

    /// The verdict for a balance of votes in −1 to 1.
    fn of_balance(balance: f64) -> Self {
        match balance {
            b if b >= 0.5 => Self::StrongBuy,
            b if b >= 0.15 => Self::Buy,
            b if b <= -0.5 => Self::StrongSell,
            b if b <= -0.15 => Self::Sell,
            _ => Self::Neutral,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The vote count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalSummary {
    /// The verdict from the balance of the votes.
    pub overall: Verdict,
    /// Votes to buy.
    pub buy: u32,
    /// Votes to sell.
    pub sell: u32,
    /// Votes for neither.
    pub neutral: u32,
    /// Indicators that voted, at most 20.
    pub total: u32,
}

/// One vote per indicator: its name on the wire, and its verdict. `None` if it has no value.
pub type Votes = [(&'static str, Option<Verdict>); 20];

/// Fewer votes than this are inconclusive: a single day's price has two.
const LEAST_VOTES: u32 = 5;

/// Counts the votes.
pub fn summary(technicals: &Technicals) -> SignalSummary {
    let votes = votes(technicals);
    let count = |wanted: Verdict| {
        votes
            .iter()
            .filter(|(_, vote)| *vote == Some(wanted))
            .count() as u32
    };
    let (buy, sell, neutral) = (
        count(Verdict::Buy),
        count(Verdict::Sell),
        count(Verdict::Neutral),
    );
    let total = buy + sell + neutral;
    let balance = (f64::from(buy) - f64::from(sell)) / f64::from(total.max(1));
    let overall = if total < LEAST_VOTES {
        Verdict::Neutral
    } else {
        Verdict::of_balance(balance)
    };
    SignalSummary {
        overall,
        buy,
        sell,
        neutral,
        total,
    }
}

/// Each indicator's verdict by the rules above.
pub fn votes(t: &Technicals) -> Votes {
    let price = t.price;
    let averages = [t.sma_20, t.sma_50, t.sma_200];
    let moved = match (t.donchian, t.bollinger) {
        (Some(channel), _) => channel.upper > channel.lower,
        // With closes only there is no channel. A deviation includes the rounding of squares.
        (None, Some(bands)) => bands.upper - bands.lower > price * ROUNDING.sqrt(),
        (None, None) => true,
    };
    [
        ("sma", unanimous(price, averages.into_iter().flatten())),
        (
            "ema",
            t.ema_12
                .zip(t.ema_26)
                .map(|(fast, slow)| above(fast, slow, price)),
        ),
        (
            "rsi_14",
            t.rsi_14
                .map(|value| if_moved(moved, reversal(value, 30.0, 70.0, HUNDRED))),
        ),
        ("macd", t.macd.map(|macd| above(macd.histogram, 0.0, price))),
        (
            "bollinger",
            t.bollinger
                .map(|bands| reversal(price, bands.lower, bands.upper, price)),
        ),
        (
            "stochastic",
            t.stochastic
                .map(|point| if_moved(moved, reversal(point.k, 20.0, 80.0, HUNDRED))),
        ),
        (
            "atr_14",
            t.atr_14
                .zip(t.context.change)
                .map(|(atr, change)| breakout(change, -atr, atr, price)),
        ),
        (
            "adx_14",
            t.adx_14
                .zip(t.context.direction)
                .map(|(adx, (plus, minus))| if_moved(adx > 25.0, above(plus, minus, HUNDRED))),
        ),
        (
            "obv",
            t.obv
                .zip(t.context.obv_mean)
                .map(|(obv, mean)| if_moved(moved, above(obv, mean, obv.abs().max(mean.abs())))),
        ),
        ("vwap", t.vwap.map(|vwap| above(price, vwap, price))),
        (
            "williams_r_14",
            t.williams_r_14
                .map(|value| if_moved(moved, reversal(value, -80.0, -20.0, HUNDRED))),
        ),
        (
            "cci_20",
            t.cci_20
                .map(|value| reversal(value, -100.0, 100.0, HUNDRED)),
        ),
        (
            "mfi_14",
            t.mfi_14
                .map(|value| if_moved(moved && value != 0.0, reversal(value, 20.0, 80.0, HUNDRED))),
        ),
        ("roc_12", t.roc_12.map(|value| above(value, 0.0, HUNDRED))),
        (
            "parabolic_sar",
            t.parabolic_sar.map(|stop| above(price, stop, price)),
        ),
        (
            "ichimoku",
            t.ichimoku
                .senkou_a
                .zip(t.ichimoku.senkou_b)
                .and_then(|(a, b)| unanimous(price, [a, b].into_iter())),
        ),
        ("ppo", t.ppo.map(|ppo| above(ppo.histogram, 0.0, HUNDRED))),
        ("trix", t.trix.map(|value| above(value, 0.0, HUNDRED))),
        (
            "donchian",
            t.context
                .previous_channel
                .map(|channel| breakout(price, channel.lower, channel.upper, price)),
        ),
        (
            "fibonacci",
            t.fibonacci
                .map(|levels| breakout(price, levels.golden(), levels.shallow(), price)),
        ),
    ]
}

/// Differences below this fraction of the quantity's usual size are rounding, not a signal: recursive means of a flat
/// price end a few units in the last place off it.
const ROUNDING: f64 = 1e-12;

/// The usual size of percentages and oscillators.
const HUNDRED: f64 = 100.0;

/// Buy if `value` lies above `reference` by more than rounding; `size` is the usual size of the quantity.
fn above(value: f64, reference: f64, size: f64) -> Verdict {
    let noise = ROUNDING * size;
    match value - reference {
        difference if difference > noise => Verdict::Buy,
        difference if difference < -noise => Verdict::Sell,
        _ => Verdict::Neutral,
    }
}

/// Buy above the upper bound, sell below the lower one: a price that breaks out carries on.
fn breakout(value: f64, lower: f64, upper: f64, size: f64) -> Verdict {
    match (above(value, lower, size), above(value, upper, size)) {
        (_, Verdict::Buy) => Verdict::Buy,
        (Verdict::Sell, _) => Verdict::Sell,
        _ => Verdict::Neutral,
    }
}

/// Buy below the lower bound, sell above the upper one: what went too far comes back.
fn reversal(value: f64, lower: f64, upper: f64, size: f64) -> Verdict {
    match breakout(value, lower, upper, size) {
        Verdict::Buy => Verdict::Sell,
        Verdict::Sell => Verdict::Buy,
        other => other,
    }
}

/// Buy if the price is above every reference, sell if it is below every one; `None` without references.
fn unanimous(price: f64, references: impl Iterator<Item = f64>) -> Option<Verdict> {
    references
        .map(|reference| above(price, reference, price))
        .reduce(|one, other| if one == other { one } else { Verdict::Neutral })
}

fn if_moved(condition: bool, verdict: Verdict) -> Verdict {
    if condition { verdict } else { Verdict::Neutral }
}
