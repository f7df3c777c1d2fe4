//! Stretches of a sentence that say nothing about a figure.

use model::Day;

use super::{denies, segments};
use crate::figures::Subject;
use crate::figures::doubts;
use crate::figures::items::{self, Item, What};
use crate::figures::period::{Period, Role, is_seq};
use crate::figures::token::{Join, Token, cut};

/// Words that make an aside part of the claim.
const LIMITS: [&str; 33] = [
    "false",
    "measured",
    "seen",
    "weighted",
    "dividends",
    "payouts",
    "said",
    "reported",
    "claimed",
    "priced",
    "half",
    "not",
    "no",
    "never",
    "without",
    "except",
    "excluding",
    "unless",
    "unlike",
    "if",
    "neither",
    "nor",
    "or",
    "either",
    "adjusted",
    "after-hours",
    "annualised",
    "annualized",
    "including",
    "ignoring",
    "reinvested",
    "terms",
    "intraday",
];

/// Words that begin a circumstantial clause.
const SUBORDINATE: [&str; 21] = [
    "when",
    "while",
    "as",
    "after",
    "before",
    "following",
    "amid",
    "because",
    "despite",
    "although",
    "though",
    "since",
    "even",
    "whatever",
    "however",
    "where",
    "which",
    "who",
    "thanks",
    "driven",
    "helped",
];

/// Removes the event that a time is said to be part of: `at the height of the boom in August 2021`,
/// `during the crash of March 2020`.
pub(super) fn without_circumstance(text: &str, today: Day) -> String {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    for time in &marks.items {
        if !matches!(time.what, What::Period(Period::In(_), Role::Main)) {
            continue;
        }
        let free = |at: &usize| {
            let holds = |item: &&Item| item.holds(*at);
            marks
                .items
                .iter()
                .find(holds)
                .is_none_or(|item| matches!(item.what, What::Relation("up" | "down")))
        };
        let begin = (0..time.first).rev().take_while(free).take(9).find(|at| {
            // `on the day of the announcement, 9 November`.
            let is_day_of = tokens[*at].is("on")
                && tokens.get(at + 2).is_some_and(|token| token.is("day"))
                && tokens.get(at + 3).is_some_and(|token| token.is("of"));
            tokens[*at].is_any(&["during", "amid"]) || is_day_of
        });
        let Some(begin) = begin else { continue };
        let is_plain = tokens[begin..time.first].iter().all(|token| {
            token.number.is_none()
                && !token.is_any(&LIMITS)
                && (token.start == tokens[begin].start
                    || !matches!(token.join, Join::Break | Join::Stop))
        });
        // A part of the time in question is kept.
        let is_part = tokens[begin..time.first]
            .iter()
            .skip(4)
            .chain(
                tokens
                    .get(begin + 1..(begin + 3).min(time.first))
                    .unwrap_or_default(),
            )
            .any(|token| {
                token.is_any(&[
                    "hour", "session", "days", "week", "weeks", "month", "months", "minutes",
                    "part", "first", "last", "before", "after", "single", "early", "late", "end",
                    "start",
                ])
            });
        let is_plain = is_plain && !is_part && tokens[time.first].join != Join::Stop;
        // The words of the time may include its preposition.
        let written = &text[tokens[time.first].start..];
        if is_plain && time.first > begin + 1 {
            let preposition = if written.starts_with("in ")
                || written.starts_with("on ")
                || written.starts_with("of ")
            {
                ""
            } else {
                "in "
            };
            let written = written.strip_prefix("of ").map_or_else(
                || format!("{preposition}{written}"),
                |rest| format!("in {rest}"),
            );
            return format!("{}{written}", &text[..tokens[begin].start]);
        }
    }
    text.to_owned()
}

/// Removes the stretches between commas that say nothing about a figure. `None` if there are none.
pub(super) fn without_asides(text: &str, today: Day) -> Option<String> {
    let tokens = cut(text);
    let ranges = segments(&tokens);
    if ranges.len() < 2 {
        return trailing(text, &tokens, today);
    }
    let whole = items::mark(text, &tokens, today);
    let first_subject = whole
        .items
        .iter()
        .find(|item| matches!(item.what, What::Subject(_)))
        .map_or(usize::MAX, |item| item.first);
    let mut kept: Vec<String> = Vec::new();
    let (mut dropped, mut says) = (false, 0);
    for range in ranges {
        let part = &tokens[range.clone()];
        let written = &text[part.first()?.start..part.last()?.end];
        let own = cut(written);
        let marks = items::mark(written, &own, today);
        let times: Vec<&Item> = marks
            .items
            .iter()
            .filter(|item| matches!(item.what, What::Period(..)))
            .collect();
        let is_timed = match times[..] {
            [] => true,
            [time] => matches!(time.what, What::Period(Period::In(_), Role::Main)),
            _ => false,
        };
        let subordinate = part.first()?.is_any(&SUBORDINATE);
        if is_of_event(part.first()?) && !names_time(&whole.items) {
            return None;
        }
        let names = !subordinate && range.contains(&first_subject);
        if names || !is_timed || !is_aside(&own, &marks.items) {
            says += usize::from(marks.items.iter().any(|item| {
                matches!(
                    item.what,
                    What::Relation(_) | What::Amount(_) | What::Word(_)
                )
            }));
            kept.push(written.to_owned());
            continue;
        }
        dropped = true;
        // What follows may be about somebody whom the aside names.
        let names_other = !subordinate
            && marks
                .items
                .iter()
                .any(|item| matches!(item.what, What::Subject(_)));
        let goes_on = whole.items.iter().any(|item| {
            item.first >= range.end && matches!(item.what, What::Amount(_) | What::Relation(_))
        });
        if names_other && goes_on {
            return None;
        }
        // `While lenders burned on 13 March 2023, Schwab rose`: the time is kept.
        if let Some(time) = times.first() {
            let time = time.written(written, &own);
            kept.push(
                if time.to_lowercase().starts_with("in ") || time.to_lowercase().starts_with("on ")
                {
                    time.to_owned()
                } else {
                    format!("in {time}")
                },
            );
        }
    }
    // With more than one stretch it is unclear what a denial belongs to.
    let is_plain = !denies(&tokens) || says <= 1;
    (dropped && is_plain && !kept.is_empty()).then(|| kept.join(", "))
}

/// Whether a word begins a clause about an event that gives the time: `jumped after the strait was closed`. Without a
/// date nothing says which day is meant.
fn is_of_event(token: &Token<'_>) -> bool {
    token.is_any(&["after", "when", "once", "following"])
}

fn names_time(items: &[Item]) -> bool {
    let is_time = |item: &Item| matches!(item.what, What::Period(..));
    items.iter().any(is_time)
}

/// Whether a stretch says nothing about a figure.
fn is_aside(tokens: &[Token<'_>], items: &[Item]) -> bool {
    let says = items.iter().any(|item| match &item.what {
        What::Subject(subject) => !matches!(subject, Subject::Named { .. }),
        What::Amount(_) | What::Measure(_) | What::Basis(_) => true,
        _ => false,
    });
    // A subordinate clause may say that something rose; a main one is the claim.
    let opens = tokens.first().is_some_and(|first| {
        first.is_any(&SUBORDINATE)
            || first.is_any(&["the", "a", "an", "sure"])
            // `Dreadful as 2022 was`.
            || tokens.get(1).is_some_and(|second| second.is("as"))
    });
    let limits = tokens.iter().any(|token| token.is_any(&LIMITS));
    let words = |phrase: &[&str]| tokens.len() == phrase.len() && is_seq(tokens, 0, phrase);
    // Emphasis on what is said anyway, or part of the figure's name.
    if words(&["not", "even", "intraday"])
        || words(&["excluding", "food", "and", "energy"])
        || words(&["dividends", "aside"])
    {
        return true;
    }
    // `…, on the University of Michigan's index`: who measured.
    let is_source = tokens
        .first()
        .is_some_and(|first| first.is_any(&["on", "by", "per", "according", "going", "judging"]))
        && items
            .iter()
            .all(|item| matches!(item.what, What::Subject(_) | What::Word("price")))
        && (!items.is_empty()
            || tokens.iter().any(|token| {
                token.is_any(&[
                    "ecb",
                    "fed",
                    "bls",
                    "fixing",
                    "fixings",
                    "data",
                    "settlement",
                ])
            }));
    if is_source && !limits {
        return true;
    }
    !says && !limits && opens
}

/// Removes what follows a circumstantial verb: `… on 26 October 2022 following Q3 earnings`.
fn trailing(text: &str, tokens: &[Token<'_>], today: Day) -> Option<String> {
    let marks = items::mark(text, tokens, today);
    let said = marks
        .items
        .iter()
        .rev()
        .find(|item| matches!(item.what, What::Amount(_) | What::Period(..)))?;
    let opens = (said.next..tokens.len()).find(|at| {
        tokens[*at].is_any(&[
            "following",
            "after",
            "amid",
            "as",
            "when",
            "while",
            "despite",
            "because",
        ])
    })?;
    let rest = &tokens[opens..];
    if is_of_event(&tokens[opens]) && !names_time(&marks.items) {
        return None;
    }
    // `while gold fell` is a claim of its own.
    if doubts::is_another_move(text, rest, today) {
        return None;
    }
    let names = marks.items.iter().any(|item| {
        item.first >= opens && matches!(&item.what, What::Subject(subject) if !matches!(subject, Subject::Named { .. }))
    });
    let is_plain = !names
        && rest
            .iter()
            .all(|token| token.number.is_none() && !token.is_any(&LIMITS));
    (is_plain && opens > 2).then(|| text[..tokens[opens - 1].end].to_owned())
}
