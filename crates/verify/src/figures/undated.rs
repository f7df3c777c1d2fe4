//! Claims that name no time and are about every value on record, not about the newest: that something was reached or
//! passed, or never was.

use super::claim::{Assertion, Measure, Over, Undated};
use super::items::{Item, What};
use super::period::Period;
use super::times::Times;
use super::token::Token;

/// What a claim is about if it names no time.
pub(super) fn read(
    items: &[Item],
    tokens: &[Token<'_>],
    times: &Times,
    (measure, over): (Option<Measure>, Over),
    assertions: &[Assertion],
) -> Undated {
    let is_undated = times.period == Period::Unsaid
        && times.base.is_none()
        && times.since.is_none()
        && times.in_a_row.is_none();
    // For figures reported by companies and for market shares the newest is meant.
    let is_held = measure.is_none_or(|one| !one.is_reported() && one != Measure::Dominance);
    let is_level = assertions
        .iter()
        .all(|one| matches!(one, Assertion::Value(_)));
    let says_all = match over {
        Over::Every => tokens.iter().any(|token| token.is("always")),
        Over::Mean | Over::Start | Over::End => false,
        _ => is_record(measure) || says_ever(items, tokens),
    };
    if is_undated && is_held && is_level && says_all && !is_recent(items, tokens) {
        Undated::Ever
    } else {
        Undated::Newest
    }
}

/// Which of all values counts; `None` if the claim may refer to one of several records.
pub(super) fn over(
    over: Over,
    measure: Option<Measure>,
    items: &[Item],
    is_negated: bool,
) -> Option<Over> {
    let passes = has(items, &["reach", "exceed", "undercut"]);
    let is_extreme = is_record(measure) || has(items, &["highest", "lowest"]);
    match measure {
        // `hit a record high of 69,000`: there were others before and after it.
        _ if passes && is_extreme => None,
        Some(Measure::RecordHigh) => Some(Over::Highest),
        Some(Measure::RecordLow) => Some(Over::Lowest),
        // `fell below 200`: it came from above.
        _ if has(items, &["undercut"]) && !is_negated => Some(Over::Reached),
        _ => Some(over),
    }
}

/// Participles that differ from every past tense.
const PARTICIPLES: [&str; 5] = ["fallen", "risen", "gone", "sunk", "broken"];

const fn is_record(measure: Option<Measure>) -> bool {
    matches!(measure, Some(Measure::RecordHigh | Measure::RecordLow))
}

fn has(items: &[Item], codes: &[&str]) -> bool {
    items
        .iter()
        .any(|item| matches!(item.what, What::Relation(code) if codes.contains(&code)))
}

/// Whether a claim says that something was so at some time, or never.
fn says_ever(items: &[Item], tokens: &[Token<'_>]) -> bool {
    items.iter().any(|item| {
        let What::Relation(code) = item.what else {
            return false;
        };
        let word = &tokens[item.first];
        match code {
            // `has fallen below 3 %` is about now, `has never fallen below 3 %` about everything on record.
            "exceed" | "undercut" if word.is_any(&PARTICIPLES) => has(items, &["not"]),
            "reach" | "exceed" | "undercut" | "peak" | "trough" => true,
            "not" => word.is("never"),
            "any" => !word.is("intraday"),
            // `has closed above 200`.
            "close" | "trade" => item.first > 0 && tokens[item.first - 1].is_any(&["has", "have"]),
            _ => false,
        }
    })
}

/// `just hit 120,000`, `recently topped 400`.
fn is_recent(items: &[Item], tokens: &[Token<'_>]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        token.is("recently")
            || token.is("just")
                && items.iter().any(|item| {
                    item.first == at + 1
                        && matches!(item.what, What::Relation("reach" | "exceed" | "undercut"))
                })
    })
}
