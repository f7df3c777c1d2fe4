//! The probability of exactly what the topic asks about a price or a series: `Will NVDA reach $300 by year end?`

use std::ops::RangeInclusive;

use market::forecast::Outlook;
use query::{Figure, Outcome};

use super::history::{History, Subject};
use super::{Draft, Prediction, PredictionKind, Work};
use crate::figures::{change, day, percent};

/// Probabilities that are given: nothing here is certain.
const SAID: RangeInclusive<f64> = 0.01..=0.99;

/// Puts the answer first.
pub(super) fn say(work: &Work<'_>, draft: &mut Draft, text: String, chance: f64, basis: String) {
    let chance = chance.clamp(*SAID.start(), *SAID.end());
    draft.summary.insert(
        0,
        format!(
            "{} The chance is {}.",
            text,
            percent((chance * 100.0).round())
        ),
    );
    draft.predictions.push(Prediction {
        text,
        chance,
        timeframe: work.asked.timeframe.clone(),
        kind: PredictionKind::Asked,
        basis,
    });
}

/// What the topic asks about a price.
pub(super) fn of_price(
    work: &Work<'_>,
    draft: &mut Draft,
    subject: &Subject,
    history: &History,
    made: &Outlook,
) {
    let until = day(&work.end().to_string());
    let code = subject.code();
    let last = history.last();
    let from = history.newest_date();
    match &work.expected.outcome {
        Some(Outcome::Direction(is_up)) => {
            let (word, chance) = if *is_up {
                ("higher", made.chance_up)
            } else {
                ("lower", 1.0 - made.chance_up)
            };
            let text = format!(
                "On {until}, {code} stands {word} than the {} of {from}.",
                history.price(last)
            );
            say(work, draft, text, chance, basis_of_rise(made));
        }
        Some(Outcome::Figure(figure)) => {
            if let Some(other) = figure
                .currency
                .filter(|code| history.currency().is_some_and(|own| own != *code))
            {
                draft.lacks(
                    "predictions",
                    "prices",
                    format!("the figure of the topic is in {other}, the prices of {code} are not"),
                );
                return;
            }
            let Some((change_pct, is_above)) = wanted(figure, last) else {
                draft.lacks(
                    "predictions",
                    "prices",
                    format!("the figure of the topic is no price of {code}"),
                );
                return;
            };
            let level = history.price(last * (1.0 + change_pct / 100.0));
            let is_there = (change_pct < 0.0) == is_above;
            let is_touched = figure.is_touched && !is_there;
            let side = if is_above { "above" } else { "below" };
            let text = if is_touched {
                format!(
                    "By {until}, {code} closes at or {side} {level} at least once ({} from the {} of {from}).",
                    change(change_pct),
                    history.price(last)
                )
            } else {
                format!(
                    "On {until}, {code} stands {side} {level} ({} from the {} of {from}).",
                    change(change_pct),
                    history.price(last)
                )
            };
            let below = made.chance_below(change_pct);
            let chance = match (is_touched, is_above) {
                (true, _) => made.chance_touching(change_pct),
                (false, true) => 1.0 - below,
                (false, false) => below,
            };
            let basis = if is_touched {
                format!(
                    "spread of {} {} changes; that a path touches a level by the reflection principle",
                    history.values.len() - 1,
                    history.rhythm()
                )
            } else {
                format!(
                    "spread of {} {} changes",
                    history.values.len() - 1,
                    history.rhythm()
                )
            };
            say(work, draft, text, chance, basis);
        }
        Some(Outcome::Event(_)) | None => {}
    }
}

/// What the probability of a rise is based on.
pub(super) fn basis_of_rise(made: &Outlook) -> String {
    match made.base_rate {
        Some(rate) => format!(
            "{} of earlier times of this length ended higher, and the drift shrunk towards zero",
            percent(rate * 100.0)
        ),
        None => "the drift, shrunk towards zero".to_owned(),
    }
}

/// The change in percent that leads to a figure, and whether a value above it is wanted.
fn wanted(figure: &Figure, last: f64) -> Option<(f64, bool)> {
    if figure.is_size || figure.is_percent {
        let is_above = figure.is_above?;
        let size = if is_above {
            figure.amount
        } else {
            -figure.amount
        };
        return (size > -100.0 && figure.is_percent).then_some((size, is_above));
    }
    if !(figure.amount > 0.0 && last > 0.0) {
        return None;
    }
    let change_pct = (figure.amount / last - 1.0) * 100.0;
    Some((change_pct, figure.is_above.unwrap_or(change_pct > 0.0)))
}

/// What the topic asks about a series: how far it has to move, whether upwards, and whether once is enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Move {
    pub(super) by: f64,
    pub(super) is_up: bool,
    pub(super) is_touched: bool,
    /// The level, if one was asked for.
    pub(super) level: Option<f64>,
}

/// The move of a series that currently is at `last`; changes smaller than `least` do not count.
pub(super) fn change_of_series(
    outcome: Option<&Outcome>,
    last: f64,
    least: f64,
    is_rate: bool,
) -> Option<Move> {
    match outcome? {
        Outcome::Direction(is_up) => Some(Move {
            by: least,
            is_up: *is_up,
            is_touched: false,
            level: None,
        }),
        Outcome::Figure(figure) if figure.is_size => {
            let by = if is_rate {
                figure.amount
            } else {
                last.abs() * figure.amount / 100.0
            };
            Some(Move {
                by,
                is_up: figure.is_above?,
                is_touched: figure.is_touched,
                level: None,
            })
        }
        Outcome::Figure(figure) => {
            let is_up = figure.is_above.unwrap_or(figure.amount > last);
            let by = (figure.amount - last) * if is_up { 1.0 } else { -1.0 };
            Some(Move {
                by,
                is_up,
                is_touched: figure.is_touched && by > 0.0,
                level: Some(figure.amount),
            })
        }
        Outcome::Event(_) => None,
    }
}

impl Move {
    /// Whether a stretch of values, beginning with its starting value, made the move.
    pub(super) fn is_made(&self, stretch: &[f64]) -> bool {
        let Some((first, rest)) = stretch.split_first() else {
            return false;
        };
        let went = |value: &f64| (value - first) * if self.is_up { 1.0 } else { -1.0 } >= self.by;
        if self.is_touched {
            rest.iter().any(went)
        } else {
            rest.last().is_some_and(went)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: Figure = Figure {
        amount: 300.0,
        currency: None,
        is_percent: false,
        is_size: false,
        is_above: None,
        is_touched: true,
    };

    #[test]
    fn a_level_is_above_or_below_by_where_the_price_stands() {
        assert_eq!(wanted(&LEVEL, 200.0), Some((50.0, true)));
        assert_eq!(wanted(&LEVEL, 400.0), Some((-25.0, false)));
        let fall = Figure {
            amount: 20.0,
            is_percent: true,
            is_size: true,
            is_above: Some(false),
            ..LEVEL
        };
        assert_eq!(wanted(&fall, 50.0), Some((-20.0, false)));
        let all = Figure {
            amount: 100.0,
            ..fall
        };
        assert_eq!(wanted(&all, 50.0), None);
    }

    #[test]
    fn a_series_makes_a_move_at_its_end_or_on_its_way() {
        let up = Move {
            by: 1.0,
            is_up: true,
            is_touched: false,
            level: None,
        };
        let once = Move {
            is_touched: true,
            ..up
        };
        assert!(!up.is_made(&[4.0, 5.5, 4.5]) && once.is_made(&[4.0, 5.5, 4.5]));
        assert!(up.is_made(&[4.0, 4.0, 5.0]) && !once.is_made(&[4.0, 4.5, 4.5]));
        let down = Move { is_up: false, ..up };
        assert!(down.is_made(&[4.0, 3.0]) && !down.is_made(&[4.0, 5.0]));
        assert!(!down.is_made(&[]));
        let level = change_of_series(
            Some(&Outcome::Figure(Figure {
                amount: 5.0,
                ..LEVEL
            })),
            4.0,
            1e-9,
            true,
        );
        assert_eq!(
            level,
            Some(Move {
                by: 1.0,
                is_up: true,
                is_touched: true,
                level: Some(5.0)
            })
        );
    }
}
