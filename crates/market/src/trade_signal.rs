//! The trade signal: one score from 0 to 100 for technicals, sentiment, events and fundamentals together.
//!
//! Three parts, each 0 to 1 with 0.5 neutral, are weighted and summed. A part without data drops out, and the others
//! share its weight. Fundamentals alone are not a signal: without news, price and technicals there is none.
//!
//! | part | weight | formula |
//! |---|---|---|
//! | news and price | 0.60 | the score of [`crate::composite`]: sentiment, momentum, attention and events |
//! | technicals | 0.25 | `0.5 + 0.5 · (buy − sell) / total` of [`crate::signals`] |
//! | fundamentals | 0.15 | mean of `0.5 + 0.5 · tanh((E/P − 0.05) / 0.05)` and `0.5 + 0.5 · tanh((margin − 5 %) / 15 %)` |
//!
//! The action: at least 75 `strong_buy`, 58 `lean_buy`, above 42 `hold`, above 25 `lean_sell`, otherwise
//! `strong_sell`. The score from news and price alone is shown separately as the composite score, so the two are
//! views of the same thing: if that is bullish the score is at least 43, and if it is bearish at most 57, whatever
//! the other parts say. The weights are chosen and not fitted to returns; this is a summary of rules, not advice and
//! not a forecast.
//!
//! The score can be written as a sum ([`contributions`]): 50, and the points that each component adds or subtracts:
//! `100 · weight · (value − 0.5)`, where the weight of a component of news and price is its weight within that part
//! times the part's weight.
//!
//! Worked example: news and price give 0.8. With 12 buy and 4 sell of 20 votes, technicals give 0.7. Earnings of 4 on
//! a price of 100 and a margin of 20 % give (0.4013 + 0.8808) / 2 = 0.6410. The score is 100 · (0.48 + 0.175 +
//! 0.0962) = 75.12, so 75: `strong_buy`.

mod contributions;

pub use contributions::{Component, Contribution, contributions};

use crate::composite::Signal;

/// The suggested action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each action names itself")]
pub enum Action {
    StrongSell,
    LeanSell,
    Hold,
    LeanBuy,
    StrongBuy,
}

impl Action {
    /// The action for a score of 0 to 100.
    pub const fn of(score: u32) -> Self {
        match score {
            75.. => Self::StrongBuy,
            58..=74 => Self::LeanBuy,
            43..=57 => Self::Hold,
            26..=42 => Self::LeanSell,
            _ => Self::StrongSell,
        }
    }

    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StrongSell => "strong_sell",
            Self::LeanSell => "lean_sell",
            Self::Hold => "hold",
            Self::LeanBuy => "lean_buy",
            Self::StrongBuy => "strong_buy",
        }
    }
}

/// The inputs; each 0 to 1 with 0.5 neutral, `None` without data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// News and price together: the composite score.
    pub composite: Option<f64>,
    /// The balance of the indicators' votes.
    pub technicals: Option<f64>,
    /// The fundamentals.
    pub fundamentals: Option<f64>,
}

/// The signal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TradeSignal {
    /// The suggested action.
    pub action: Action,
    /// 0 to 100; 50 is neutral.
    pub score: u32,
    /// The parts of the score.
    pub parts: Parts,
    /// The weights that were applied to the composite score, the technicals and the fundamentals; they sum to one.
    pub weights: [f64; 3],
    /// The correction that keeps the score from contradicting news and price; usually nothing.
    pub bound: i32,
}

/// Votes from fewer than half of the indicators do not make a signal: the history is too short for the others.
const LEAST_VOTES: u32 = 10;

const WEIGHTS: [f64; 3] = [0.60, 0.25, 0.15];

/// The lowest and the highest score of `hold`.
const HOLD: (u32, u32) = (43, 57);

/// The signal from the available parts; `None` if there are none, or only the fundamentals: one part of small weight
/// would decide alone, up to the ends of the scale.
pub fn trade_signal(parts: Parts) -> Option<TradeSignal> {
    let values = [parts.composite, parts.technicals, parts.fundamentals];
    let (mut sum, mut weight) = (0.0, 0.0);
    for (value, share) in values.into_iter().zip(WEIGHTS) {
        if let Some(value) = value {
            sum += value.clamp(0.0, 1.0) * share;
            weight += share;
        }
    }
    if parts.composite.is_none() && parts.technicals.is_none() {
        return None;
    }
    let summed = (100.0 * sum / weight).round() as u32;
    let score = match parts.composite.map(Signal::of) {
        Some(Signal::StrongBullish | Signal::Bullish) => summed.max(HOLD.0),
        Some(Signal::StrongBearish | Signal::Bearish) => summed.min(HOLD.1),
        _ => summed,
    };
    let mut weights = WEIGHTS;
    for (applied, value) in weights.iter_mut().zip(values) {
        *applied = value.map_or(0.0, |_| *applied / weight);
    }
    Some(TradeSignal {
        action: Action::of(score),
        score,
        parts,
        weights,
        bound: score.cast_signed() - summed.cast_signed(),
    })
}

/// The votes of the indicators as a part; `None` with fewer than ten.
pub fn technical_part(summary: &crate::signals::SignalSummary) -> Option<f64> {
    let balance = f64::from(summary.buy) - f64::from(summary.sell);
    (summary.total >= LEAST_VOTES).then(|| 0.5 + 0.5 * balance / f64::from(summary.total))
}

/// A company's fundamentals as a part: from earnings per share and price, and from the profit margin in percent.
pub fn fundamental_part(
    earnings_yield: Option<f64>,
    profit_margin_pct: Option<f64>,
) -> Option<f64> {
    let known: Vec<f64> = fundamental_values(earnings_yield, profit_margin_pct)
        .into_iter()
        .flatten()
        .collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

/// The two halves of [`fundamental_part`], each 0 to 1.
fn fundamental_values(
    earnings_yield: Option<f64>,
    profit_margin_pct: Option<f64>,
) -> [Option<f64>; 2] {
    [
        earnings_yield.map(|earned| 0.5 + 0.5 * ((earned - 0.05) / 0.05).tanh()),
        profit_margin_pct.map(|margin| 0.5 + 0.5 * ((margin - 5.0) / 15.0).tanh()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::{SignalSummary, Verdict};

    #[test]
    fn the_worked_example() {
        let votes = SignalSummary {
            overall: Verdict::Buy,
            buy: 12,
            sell: 4,
            neutral: 4,
            total: 20,
        };
        let signal = trade_signal(Parts {
            composite: Some(0.8),
            technicals: technical_part(&votes),
            fundamentals: fundamental_part(Some(0.04), Some(20.0)),
        })
        .unwrap();
        assert_eq!((signal.score, signal.action), (75, Action::StrongBuy));
        assert!((signal.parts.fundamentals.unwrap() - 0.6410).abs() < 1e-4);
    }

    #[test]
    fn actions_change_where_the_contract_says() {
        for (score, action) in [
            (0, "strong_sell"),
            (25, "strong_sell"),
            (26, "lean_sell"),
            (42, "lean_sell"),
            (43, "hold"),
            (57, "hold"),
            (58, "lean_buy"),
            (74, "lean_buy"),
            (75, "strong_buy"),
            (100, "strong_buy"),
        ] {
            assert_eq!(Action::of(score).as_str(), action, "{score}");
        }
        assert_eq!(trade_signal(Parts::default()), None);
        let earns = Parts {
            fundamentals: fundamental_part(None, Some(-36.4)),
            ..Parts::default()
        };
        assert_eq!(trade_signal(earns), None);
    }

    #[test]
    fn the_two_views_are_never_opposites() {
        let steps = || (0..=20).map(|step| f64::from(step) / 20.0);
        for composite in steps() {
            for technicals in steps() {
                for fundamentals in steps() {
                    let signal = trade_signal(Parts {
                        composite: Some(composite),
                        technicals: Some(technicals),
                        fundamentals: Some(fundamentals),
                    });
                    let action = signal.unwrap().action;
                    match Signal::of(composite) {
                        Signal::StrongBullish | Signal::Bullish => assert!(action >= Action::Hold),
                        Signal::StrongBearish | Signal::Bearish => assert!(action <= Action::Hold),
                        Signal::Neutral => {}
                    }
                }
            }
        }
    }
}
