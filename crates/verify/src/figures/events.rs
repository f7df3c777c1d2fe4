//! Claims that a company announced or did something: splits, buybacks, mergers, products. Their numbers are terms of
//! the event and not price levels, so the news decides whether they are true, not a series.

use super::assertions::Said;
use super::claim::{Assertion, Measure, Subject};
use super::items::{Item, What};
use super::token::Token;

/// What companies do with their shares and with one another.
const ACTIONS: [&str; 22] = [
    "split",
    "splits",
    "buyback",
    "buybacks",
    "repurchase",
    "repurchases",
    "merger",
    "mergers",
    "merge",
    "merged",
    "takeover",
    "acquisition",
    "acquisitions",
    "acquire",
    "acquires",
    "acquired",
    "acquiring",
    "spinoff",
    "spin",
    "delisting",
    "bankruptcy",
    "layoffs",
];

/// Words that report a decision or its announcement.
const ANNOUNCED: [&str; 22] = [
    "announced",
    "announce",
    "announces",
    "announcing",
    "declared",
    "declares",
    "unveiled",
    "unveils",
    "approved",
    "approves",
    "authorised",
    "authorized",
    "launched",
    "launches",
    "agreed",
    "agrees",
    "proposed",
    "proposes",
    "offered",
    "offers",
    "pledged",
    "signed",
];

/// Whether a claim about a company reports an event of which the numbers are terms. A claim that says how a price moved
/// or what a report says is about that figure, whatever event it mentions as well.
pub(super) fn is_event(
    subject: &Subject,
    said: &Said,
    items: &[Item],
    tokens: &[Token<'_>],
) -> bool {
    let is_term = |assertion: &Assertion| matches!(assertion, Assertion::Value(_));
    if !matches!(subject, Subject::Named { .. })
        || !matches!(said.measure, None | Some(Measure::MarketValue))
        || !said.assertions.iter().all(is_term)
    {
        return false;
    }
    let in_name = |at: usize| {
        items.iter().any(|item| {
            matches!(item.what, What::Subject(_)) && (item.first..item.next).contains(&at)
        })
    };
    let tells = |words: &[&str]| {
        (0..tokens.len()).any(|at| {
            // `split-adjusted` says how prices are to be read.
            let is_manner = tokens
                .get(at + 1)
                .is_some_and(|next| next.is_any(&["adjusted", "adjustment"]));
            tokens[at].is_any(words) && !is_manner && !in_name(at)
        })
    };
    tells(&ACTIONS) || tells(&ANNOUNCED)
}
