//! The score of a trade signal as a sum: 50, and the points of each component.
//!
//! Points are given to a tenth and sum to the score itself, which is a whole number: what rounding leaves over goes,
//! a tenth at a time, to the components whose points it changes least.

use super::{TradeSignal, fundamental_values};
use crate::composite::Composite;

/// A component that adds points to a score or subtracts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each component names itself")]
pub enum Component {
    Sentiment,
    Momentum,
    Attention,
    Events,
    Technicals,
    EarningsYield,
    ProfitMargin,
    /// The bound that keeps the score from contradicting news and price.
    Bound,
}

impl Component {
    /// Its word in responses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sentiment => "sentiment",
            Self::Momentum => "momentum",
            Self::Attention => "attention",
            Self::Events => "events",
            Self::Technicals => "technicals",
            Self::EarningsYield => "earnings_yield",
            Self::ProfitMargin => "profit_margin",
            Self::Bound => "bound",
        }
    }
}

/// The points of one component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contribution {
    /// The component.
    pub component: Component,
    /// The points it adds, to a tenth; negative if it subtracts.
    pub points: f64,
}

/// What each component adds to the 50 points of a neutral score. The sum of all is the score. `composite` is the one
/// that the signal uses, as are earnings yield and margin.
pub fn contributions(
    signal: &TradeSignal,
    composite: &Composite,
    earnings_yield: Option<f64>,
    profit_margin_pct: Option<f64>,
) -> Vec<Contribution> {
    let [news, votes, figures] = signal.weights;
    let [earned, margin] = fundamental_values(earnings_yield, profit_margin_pct);
    let halves = [earned, margin].iter().flatten().count().max(1) as f64;
    let known = [
        (
            Component::Sentiment,
            composite.sentiment.value,
            news * composite.sentiment.weight,
        ),
        (
            Component::Momentum,
            composite.momentum.value,
            news * composite.momentum.weight,
        ),
        (
            Component::Attention,
            composite.volume.value,
            news * composite.volume.weight,
        ),
        (
            Component::Events,
            composite.events.value,
            news * composite.events.weight,
        ),
        (Component::Technicals, signal.parts.technicals, votes),
        (Component::EarningsYield, earned, figures / halves),
        (Component::ProfitMargin, margin, figures / halves),
    ];
    let exact: Vec<(Component, f64)> = known
        .into_iter()
        .filter(|(_, _, weight)| *weight > 0.0)
        .filter_map(|(component, value, weight)| {
            Some((component, 1_000.0 * weight * (value? - 0.5)))
        })
        .collect();
    let summed = signal.score.cast_signed() - signal.bound;
    let mut points: Vec<Contribution> = tenths(&exact, 10 * (summed - 50))
        .into_iter()
        .map(|(component, tenths)| Contribution {
            component,
            points: f64::from(tenths) / 10.0,
        })
        .collect();
    if signal.bound != 0 {
        points.push(Contribution {
            component: Component::Bound,
            points: f64::from(signal.bound),
        });
    }
    points
}

/// Whole tenths that sum to a total, each as close as possible to its exact value.
fn tenths(exact: &[(Component, f64)], total: i32) -> Vec<(Component, i32)> {
    let mut rounded: Vec<(Component, i32)> = exact
        .iter()
        .map(|(component, value)| (*component, value.round() as i32))
        .collect();
    let mut left = total - rounded.iter().map(|(_, tenths)| tenths).sum::<i32>();
    while left != 0 && !rounded.is_empty() {
        let step = left.signum();
        // The one whose distance from its exact value grows least.
        let distance = |place: usize| (f64::from(rounded[place].1 + step) - exact[place].1).abs();
        let nearest =
            (0..rounded.len()).min_by(|left, right| distance(*left).total_cmp(&distance(*right)));
        if let Some(place) = nearest {
            rounded[place].1 += step;
        }
        left -= step;
    }
    rounded
}

#[cfg(test)]
mod tests {
    use model::{Day, EventKind, Score, Timestamp};
    use proptest::prelude::*;

    use super::*;
    use crate::composite::composite;
    use crate::sentiment::SentimentReading;
    use crate::trade_signal::{Parts, fundamental_part, trade_signal};
    use crate::{Candle, CandleColumns};

    const NOW: Timestamp = Timestamp::from_ms(1_772_000_000_000);

    fn rising(by: f64, sessions: i32) -> CandleColumns {
        let rows = (0..sessions).map(|day| {
            let close = (by * f64::from(day) + 0.01 * f64::from(day % 3)).exp();
            Candle {
                day: Day::new(day).unwrap(),
                open: close,
                high: close,
                low: close,
                close,
                volume: 1.0,
            }
        });
        CandleColumns::sift(rows).0
    }

    fn points(found: &[Contribution], component: Component) -> f64 {
        let one = found.iter().find(|one| one.component == component);
        one.map_or(0.0, |one| one.points)
    }

    proptest! {
        #[test]
        fn fifty_and_the_points_are_the_score(
            sentiments in prop::collection::vec((0_i64..200, 0.0_f64..=1.0), 0..9),
            (by, sessions) in (-0.03_f64..0.03, 0_i32..80),
            events in prop::collection::vec((0_usize..8, 0_i64..200), 0..4),
            technicals in prop::option::of(0.0_f64..=1.0),
            earned in prop::option::of(-0.5_f64..0.5),
            margin in prop::option::of(-90.0_f64..90.0),
        ) {
            let readings: Vec<_> = sentiments
                .iter()
                .map(|(hours, sentiment)| SentimentReading {
                    published_at: NOW.plus_ms(-hours * Timestamp::HOUR_MS),
                    sentiment: Score::new(*sentiment).unwrap(),
                    confidence: Score::NEUTRAL,
                    headline: "",
                })
                .collect();
            let events: Vec<_> = events
                .iter()
                .map(|(kind, hours)| (EventKind::ALL[*kind], NOW.plus_ms(-hours * Timestamp::HOUR_MS)))
                .collect();
            let news = composite(&readings, rising(by, sessions).view(), &events, NOW);
            let signal = trade_signal(Parts {
                composite: news.composite_score,
                technicals,
                fundamentals: fundamental_part(earned, margin),
            });
            if let Some(signal) = signal {
                let found = contributions(&signal, &news, earned, margin);
                let tenths: i32 = found.iter().map(|one| (one.points * 10.0).round() as i32).sum();
                prop_assert_eq!(500 + tenths, 10 * signal.score.cast_signed(), "{:?}", found);
                // Points follow the direction of their value, apart from rounding.
                if let Some(value) = news.momentum.value {
                    let exact = 100.0 * signal.weights[0] * news.momentum.weight * (value - 0.5);
                    prop_assert!((points(&found, Component::Momentum) - exact).abs() < 0.61);
                }
            }
        }
    }

    #[test]
    fn a_bound_is_a_line_of_its_own() {
        let news = composite(&[], rising(0.02, 80).view(), &[], NOW);
        let signal = trade_signal(Parts {
            composite: Some(0.58),
            technicals: Some(0.0),
            fundamentals: fundamental_part(Some(-0.4), Some(-80.0)),
        })
        .unwrap();
        assert_eq!((signal.score, signal.bound), (43, 8));
        let found = contributions(&signal, &news, Some(-0.4), Some(-80.0));
        assert_eq!(found.last().unwrap().component, Component::Bound);
        assert_eq!(points(&found, Component::Bound), 8.0);
    }
}
