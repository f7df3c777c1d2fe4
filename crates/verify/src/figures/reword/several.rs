//! What a sentence says about several subjects, times or figures, as one sentence for each.

use std::ops::Range;

use model::Day;

use super::denies;
use crate::figures::amount::Unit;
use crate::figures::items::{self, Item, What};
use crate::figures::period::Period;
use crate::figures::token::{Join, Token, cut};

/// The sentences that a sentence with `and`, `but`, `;` or a list says one after another.
pub(super) fn split(text: &str, today: Day) -> Vec<String> {
    let tokens = cut(text);
    let joins = tokens
        .iter()
        .any(|token| token.is_any(&["or", "either", "between"]));
    // `a day later it was Target's turn`: what follows is not about the first subject or its time.
    let points = tokens
        .iter()
        .any(|token| token.is_any(&["earlier", "afterwards", "turn", "ago"]));
    // `5 % of each of its gains`.
    let of_each = tokens
        .windows(2)
        .any(|pair| pair[0].is("of") && pair[1].is_any(&["each", "both"]));
    if joins || points || of_each || denies(&tokens) {
        return Vec::new();
    }
    let marks = items::mark(text, &tokens, today);
    let written = |first: usize, next: usize| &text[tokens[first].start..tokens[next - 1].end];
    if let Some(parts) = of_list(text, &tokens, &marks.items) {
        return parts;
    }
    if let Some(parts) = of_times(text, &tokens, &marks.items) {
        return parts;
    }
    let Some(subject) = marks
        .items
        .iter()
        .find(|item| matches!(item.what, What::Subject(_)))
    else {
        return Vec::new();
    };
    let joint = (subject.next + 1..tokens.len().saturating_sub(1)).find(|at| {
        let is_joint = tokens[*at].is_any(&["and", "but", "then"])
            || tokens[*at].join == Join::Stop
            || tokens[*at].is("while");
        let inside = marks.items.iter().any(|item| item.holds(*at));
        is_joint
            && !inside
            && says_something(&marks.items, 0..*at)
            && says_something(&marks.items, *at..tokens.len())
    });
    let Some(joint) = joint else {
        return Vec::new();
    };
    let left = written(0, joint).to_owned();
    let mut from = joint;
    while tokens.get(from).is_some_and(|token| {
        token.is_any(&[
            "and", "but", "then", "again", "also", "another", "while", "it", "they", "by",
        ])
    }) {
        from += 1;
    }
    if from >= tokens.len() {
        return Vec::new();
    }
    let right = written(from, tokens.len());
    let of_right: Vec<&Item> = marks
        .items
        .iter()
        .filter(|item| item.first >= from)
        .collect();
    let has = |items: &[&Item], kind: fn(&What) -> bool| items.iter().any(|item| kind(&item.what));
    let has_verb = has(&of_right, |what| {
        matches!(
            what,
            What::Relation(
                "up" | "down"
                    | "flat"
                    | "double"
                    | "triple"
                    | "quadruple"
                    | "quintuple"
                    | "halve"
                    | "close"
                    | "open"
                    | "trade"
                    | "reach"
                    | "exceed"
                    | "undercut"
                    | "peak"
                    | "trough"
                    | "beat"
                    | "lag"
                    | "begin"
            )
        )
    });
    let of_left: Vec<&Item> = marks
        .items
        .iter()
        .filter(|item| item.next <= joint)
        .collect();
    let is_timed = |items: &[&Item]| has(items, |what| matches!(what, What::Period(..)));
    // `broke $2,000 in August, then retreated to end the year below $1,900`: from there, not over the year.
    let follows = tokens[joint..from].iter().any(|token| token.is("then"));
    let moves = has(&of_right, |what| {
        matches!(what, What::Relation("up" | "down"))
    }) && !has(
        &of_right,
        |what| matches!(what, What::Amount(amount) if items::is_relative(amount.unit)),
    );
    if follows && moves {
        return Vec::new();
    }
    if has_verb && is_timed(&of_left) != is_timed(&of_right) {
        // It is unclear whose time it is.
        return Vec::new();
    }
    if has(&of_right, |what| matches!(what, What::Subject(_))) && has_verb {
        return vec![left, right.to_owned()];
    }
    if has_verb {
        let head = written(0, subject.next);
        return vec![left, format!("{head} {right}")];
    }
    // `gained 32 % in 2021 and 64 % in 2022`, `doubled in 2023 and again in 2024`: the first sentence with other
    // numbers, if nothing else is said about them.
    let is_plain = (from..tokens.len()).all(|at| {
        let held = of_right.iter().find(|item| item.holds(at));
        held.map_or_else(
            || tokens[at].is_any(&["in", "on", "the", "a"]),
            |item| {
                matches!(item.what, What::Period(..))
                    || matches!(item.what, What::Amount(amount) if amount.value > 0.0)
            },
        )
    });
    if !is_plain {
        return Vec::new();
    }
    let replaced = |kind: fn(&What) -> bool, text: &str| -> Option<String> {
        let own = cut(text);
        let inner = items::mark(text, &own, today);
        let old = inner.items.iter().rfind(|item| kind(&item.what))?;
        let new = of_right.iter().find(|item| kind(&item.what));
        let Some(new) = new else {
            return Some(text.to_owned());
        };
        Some(format!(
            "{}{}{}",
            &text[..own[old.first].start],
            written(new.first, new.next),
            &text[own[old.next - 1].end..]
        ))
    };
    let again = replaced(|what| matches!(what, What::Period(..)), &left)
        .and_then(|text| replaced(|what| matches!(what, What::Amount(_)), &text).or(Some(text)));
    match again {
        Some(again) if again != left => vec![left, again],
        _ => Vec::new(),
    }
}

/// Whether a stretch contains a number or a move.
fn says_something(items: &[Item], range: Range<usize>) -> bool {
    items
        .iter()
        .filter(|item| range.contains(&item.first))
        .any(|item| {
            matches!(
                item.what,
                What::Amount(_) | What::Relation(_) | What::Period(..)
            )
        })
}

/// `American Airlines, United and Delta all ended 2022 lower`: each of them.
fn of_list(text: &str, tokens: &[Token<'_>], items: &[Item]) -> Option<Vec<String>> {
    let mut names: Vec<&Item> = Vec::new();
    // `All three of the S&P 500, the Dow and the Nasdaq`.
    let mut next = tokens
        .iter()
        .take_while(|token| token.is_any(&["all", "both", "each", "three", "four", "of", "the"]))
        .count();
    // `The shares of regional lenders Comerica and Zions each fell`.
    if let Some(first) = items.first()
        && first.what == What::Word("price")
        && let Some(name) = items.get(1)
    {
        let described = tokens[first.next..name.first].iter().all(|token| {
            token.number.is_none() && !token.is_capital() && token.join == Join::Space
        });
        let of_each = tokens.iter().any(|token| token.is_any(&["each", "both"]));
        if described && of_each && first.next < 4 && name.first < 9 {
            next = name.first;
        }
    }
    let items = if next > 0 && items.first().is_some_and(|item| item.next <= next) {
        &items[1..]
    } else {
        items
    };
    for item in items {
        let is_name = matches!(item.what, What::Subject(_));
        let between = tokens.get(next..item.first)?;
        let joined = between
            .iter()
            .all(|token| token.is_any(&["and", "the", "both", "as", "well"]));
        if !is_name || !joined {
            break;
        }
        names.push(item);
        next = item.next;
    }
    let is_mean = tokens
        .iter()
        .any(|token| token.is_any(&["average", "averaged", "mean"]));
    if names.len() < 2 || is_mean {
        return None;
    }
    // `were worth $5 trillion`: each of them, or both together.
    let counts = |item: &Item| matches!(item.what, What::Amount(amount) if matches!(amount.unit, Unit::Money(_) | Unit::Count));
    let amounts = items
        .iter()
        .filter(|item| matches!(item.what, What::Amount(_)))
        .count();
    let all_but = tokens
        .windows(2)
        .any(|pair| pair[0].is("all") && pair[1].is("but"));
    if items.iter().any(counts) || amounts > 1 || all_but {
        return None;
    }
    let mut rest = next;
    while tokens
        .get(rest)
        .is_some_and(|token| token.is_any(&["all", "both", "each", "shares", "stock", "stocks"]))
    {
        rest += 1;
    }
    let tail = &text[tokens.get(rest)?.start..];
    let parts = names.iter().map(|item| {
        let name = item.written(text, tokens);
        format!("{name} {tail}")
    });
    Some(parts.collect())
}

/// `in each of 2021 and 2022`, `in both 2021 and 2022`: in each of them.
fn of_times(text: &str, tokens: &[Token<'_>], items: &[Item]) -> Option<Vec<String>> {
    let at = tokens
        .iter()
        .position(|token| token.is_any(&["each", "both"]))?;
    let mut times: Vec<&Item> = Vec::new();
    let mut next = at + 1;
    for item in items.iter().filter(|item| item.next > at) {
        let between = tokens.get(next..item.first.max(next))?;
        let joined = between
            .iter()
            .all(|token| token.is_any(&["and", "of", "in", "the", "years"]));
        if !matches!(item.what, What::Period(Period::In(_), _)) || !joined {
            break;
        }
        times.push(item);
        next = item.next;
    }
    if times.len() < 2 {
        return None;
    }
    let head = text[..tokens[at].start].trim_end().strip_suffix(" in")?;
    let tail = tokens.get(next).map_or("", |token| &text[token.start..]);
    let parts = times.iter().map(|item| {
        let time = item
            .written(text, tokens)
            .trim_start_matches("each of ")
            .trim_start_matches("both ")
            .trim_start_matches("in ");
        format!("{head} in {time} {tail}").trim_end().to_owned()
    });
    Some(parts.collect())
}

/// `Brent averaged $100.9 in 2022 compared with $70.9 in 2021`: the same for another time.
pub(super) fn compared_with(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    if denies(&tokens) {
        return None;
    }
    let at = (1..tokens.len())
        .find(|at| tokens[*at].is_any(&["compared", "versus", "vs", "against"]))?;
    let mut from = at + 1;
    while tokens
        .get(from)
        .is_some_and(|token| token.is_any(&["with", "to", "just", "only"]))
    {
        from += 1;
    }
    let left = text[..tokens[at - 1].end].to_owned();
    let own = cut(&left);
    let marks = items::mark(&left, &own, today);
    let right = text.get(tokens.get(from)?.start..)?;
    let others = cut(right);
    let of_right = items::mark(right, &others, today);
    // Only levels that are said to be equal: a bound or a move in the first need not apply to the second.
    let is_level = !marks.items.iter().any(|item| {
        matches!(
            item.what,
            What::Relation(
                "up" | "down"
                    | "above"
                    | "below"
                    | "at_least"
                    | "at_most"
                    | "just_above"
                    | "just_below"
                    | "exceed"
                    | "undercut"
                    | "reach"
            )
        )
    });
    if !is_level || !of_right.unexplained.is_empty() {
        return None;
    }
    let [amount, time] = &of_right.items[..] else {
        return None;
    };
    if !matches!(
        (&amount.what, &time.what),
        (What::Amount(_), What::Period(..))
    ) {
        return None;
    }
    let number = marks
        .items
        .iter()
        .rfind(|item| matches!(item.what, What::Amount(_)))?;
    let when = marks
        .items
        .iter()
        .rfind(|item| matches!(item.what, What::Period(..)))?;
    let written = |item: &Item| item.written(right, &others);
    let (first, second) = if number.first < when.first {
        ((number, written(amount)), (when, written(time)))
    } else {
        ((when, written(time)), (number, written(amount)))
    };
    let again = format!(
        "{}{}{}{}{}",
        &left[..own[first.0.first].start],
        first.1,
        &left[own[first.0.next - 1].end..own[second.0.first].start],
        second.1,
        &left[own[second.0.next - 1].end..]
    );
    Some(vec![left, again])
}

/// `beat both Intel and Nvidia in 2021`: each of them.
pub(super) fn both_others(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    if denies(&tokens) {
        return None;
    }
    let marks = items::mark(text, &tokens, today);
    let relation = marks.items.iter().position(|item| {
        matches!(
            item.what,
            What::Relation("beat" | "lag" | "fall_more" | "fall_less")
        )
    })?;
    let mut others: Vec<&Item> = Vec::new();
    let mut next = marks.items[relation].next;
    for item in &marks.items[relation + 1..] {
        let between = tokens.get(next..item.first)?;
        let joined = between
            .iter()
            .all(|token| token.is_any(&["and", "both", "the", "as", "well"]));
        if !matches!(item.what, What::Subject(_)) || !joined {
            break;
        }
        others.push(item);
        next = item.next;
    }
    if others.len() < 2 {
        return None;
    }
    let head = &text[..tokens[marks.items[relation].next - 1].end];
    let tail = tokens.get(next).map_or("", |token| &text[token.start..]);
    let parts = others.iter().map(|item| {
        let name = item.written(text, &tokens);
        format!("{head} {name} {tail}")
    });
    Some(parts.collect())
}
