//! The sum of an event: the nearest amount of money in its sentence.

use model::{Amount, DataPointKind};

use super::clause::Clause;
use crate::statement::figures;

/// How many words an amount and a trigger may stand apart.
const REACH: usize = 16;

/// The amount that belongs to the trigger `start..end`, and the index of its first word.
pub(super) fn near(
    clause: &Clause<'_, '_, '_>,
    start: usize,
    end: usize,
) -> Option<(Amount, usize)> {
    if !clause.text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    figures::of_sentence(clause.text, clause.tokens)
        .into_iter()
        .filter(|figure| figure.kind == DataPointKind::Money)
        .filter(|figure| {
            !matches!(
                figure.measure,
                Some(
                    "share price" | "price" | "revenue" | "sales" | "profit" | "loss" | "dividend"
                )
            )
        })
        .map(|figure| {
            let apart = if figure.first >= end {
                figure.first - end
            } else if figure.first >= start {
                0
            } else {
                // What stands before the verb belongs to it less often.
                start.saturating_sub(figure.next) + 3
            };
            (apart, figure)
        })
        .filter(|(apart, _)| *apart <= REACH)
        .min_by_key(|(apart, _)| *apart)
        .map(|(_, figure)| {
            let amount = Amount {
                printed: figure.printed.to_owned(),
                value: figure.value,
                currency: (!figure.unit.is_empty()).then(|| figure.unit.to_owned()),
            };
            (amount, figure.first)
        })
}
