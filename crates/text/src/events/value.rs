//! The sum of an event: the nearest amount of money in its sentence.

use model::{Amount, DataPointKind, EventKind};

use super::clause::Clause;
use crate::statement::figures::{self, Figure};

/// The maximum number of words between an amount and a trigger.
const REACH: usize = 16;

/// The amount that belongs to the trigger `start..end` of a kind, and the index of its first word. The price of a share
/// does not count, and if something is raised, neither does a company's valuation.
pub(super) fn near(
    clause: &Clause<'_, '_, '_>,
    kind: EventKind,
    start: usize,
    end: usize,
) -> Option<(Amount, usize)> {
    if !clause.text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let is_raised = matches!(kind, EventKind::Funding | EventKind::Ipo);
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
        .filter(|figure| !is_each(clause, figure))
        .filter(|figure| !is_raised || figure.measure != Some("valuation"))
        .map(|figure| {
            let apart = if figure.first >= end {
                figure.first - end
            } else if figure.first >= start {
                0
            } else {
                // An amount before the verb is less likely to belong to it.
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

/// Whether a sum is a price per item: `$125 a share`, `$4 per token`, `€9 apiece`.
fn is_each(clause: &Clause<'_, '_, '_>, figure: &Figure<'_>) -> bool {
    let is = |at: usize, any: &[&str]| {
        let token = clause.tokens.get(at);
        token.is_some_and(|token| any.iter().any(|word| token.text.eq_ignore_ascii_case(word)))
    };
    is(figure.next, &["per", "each", "apiece"])
        || is(figure.next, &["a"])
            && is(
                figure.next + 1,
                &["share", "unit", "token", "coin", "barrel", "month", "year"],
            )
        || is(figure.next, &["share"]) && is(figure.next + 1, &["price"])
}
