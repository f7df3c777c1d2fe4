//! Two clauses of one sentence, each as a separate sentence.

use std::ops::Range;

use model::Day;

use super::{denies, segments};
use crate::figures::items::{self, Item, What};
use crate::figures::period::{Period, Role};
use crate::figures::token::cut;

/// `moved from $144.85 at year-end 2021 to $88.23 at year-end 2022`: one level at each time. `None` if the stated
/// direction contradicts the numbers.
pub(super) fn from_to(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let places: Vec<&Item> = marks
        .items
        .iter()
        .filter(|item| matches!(item.what, What::Amount(_) | What::Period(..)))
        .collect();
    let from = places.windows(4).find(|four| {
        let [first, time, second, other] = four else {
            return false;
        };
        matches!(first.what, What::Amount(_))
            && matches!(time.what, What::Period(..))
            && matches!(second.what, What::Amount(_))
            && matches!(other.what, What::Period(..))
            && first.first > 0
            && tokens[first.first - 1].is("from")
            && tokens[time.next.min(second.first)..second.first]
                .iter()
                .any(|token| token.is("to"))
    })?;
    let (What::Amount(before), What::Amount(after)) = (&from[0].what, &from[2].what) else {
        return None;
    };
    let rises = after.value > before.value;
    let subject = marks
        .items
        .iter()
        .find(|item| matches!(item.what, What::Subject(_)))?;
    let others = marks
        .items
        .iter()
        .filter(|item| matches!(item.what, What::Subject(_)))
        .count();
    let is_plain = marks
        .unexplained
        .iter()
        .all(|word| ["went", "moved", "gone", "moving", "going"].contains(&word.as_str()));
    if !is_plain {
        return None;
    }
    let turned = marks.items.iter().any(|item| match item.what {
        What::Relation("up") => !rises,
        What::Relation("down") => rises,
        _ => false,
    });
    if turned || others != 1 || subject.first > from[0].first || places.len() != 4 {
        return None;
    }
    let head = &text[tokens[0].start..tokens[subject.next - 1].end];
    let level = |amount: &Item, time: &Item| {
        let amount = amount.written(text, &tokens);
        let time = time.written(text, &tokens);
        let time = time.strip_prefix("to ").unwrap_or(time);
        let has_preposition = ["in ", "on ", "at ", "by "]
            .iter()
            .any(|word| time.starts_with(word));
        format!(
            "{head} was {amount} {}{time}",
            if has_preposition { "" } else { "in " }
        )
    };
    Some(vec![level(from[0], from[1]), level(from[2], from[3])])
}

/// `The Nasdaq, which sank 33 % in 2022, clawed back 43 % in 2023`,
/// `Amazon rebounded 44 % in 2023, having halved in 2022`,
/// `While the S&P 500 was falling 19 % in 2022, Exxon was climbing 80 %`.
pub(super) fn two_clauses(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    if denies(&tokens) {
        return None;
    }
    let ranges = segments(&tokens);
    let written = |range: &Range<usize>| {
        let part = tokens.get(range.clone())?;
        Some(&text[part.first()?.start..part.last()?.end])
    };
    let says = |part: &str| {
        let own = cut(part);
        let marks = items::mark(part, &own, today);
        marks.items.iter().any(|item| {
            matches!(
                item.what,
                What::Amount(_)
                    | What::Relation("double" | "triple" | "halve" | "quadruple" | "beat" | "lag")
            )
        })
    };
    let bare = |part: &str| {
        [
            "which had ",
            "which has ",
            "which ",
            "having ",
            "who ",
            "already ",
        ]
        .iter()
        .find_map(|word| part.strip_prefix(word))
        .unwrap_or(part)
        .to_owned()
    };
    let whole = items::mark(text, &tokens, today);
    let subject = whole
        .items
        .iter()
        .find(|item| matches!(item.what, What::Subject(_)))?;
    let head = &text[tokens[0].start..tokens[subject.next - 1].end];
    match ranges.len() {
        // `S, which did this, did that`.
        3.. => {
            let (first, second) = (written(&ranges[0])?, written(&ranges[1])?);
            let rest = &text[tokens[ranges[2].start].start..];
            let is_head = ranges[0].end == subject.next;
            if is_head && says(second) && says(rest) {
                let second = bare(second);
                let verb = if second.starts_with("worth ") {
                    "was "
                } else {
                    ""
                };
                return Some(vec![
                    format!("{first} {verb}{second}"),
                    format!("{first} {rest}"),
                ]);
            }
            None
        }
        2 => {
            let (first, second) = (written(&ranges[0])?, written(&ranges[1])?);
            if !says(first) || !says(second) {
                return None;
            }
            if let Some(rest) = second.strip_prefix("having ") {
                return Some(vec![first.to_owned(), format!("{head} {rest}")]);
            }
            // `While A was falling 19 % in 2022, B was climbing 80 %`: both at that time.
            let rest = first
                .strip_prefix("While ")
                .or_else(|| first.strip_prefix("As "))
                .or_else(|| first.strip_prefix("Whereas "))?;
            let own = cut(rest);
            let marks = items::mark(rest, &own, today);
            let time = marks
                .items
                .iter()
                .find(|item| matches!(item.what, What::Period(Period::In(_), Role::Main)))?;
            let time = time.written(rest, &own);
            let others = cut(second);
            let has_time = items::mark(second, &others, today)
                .items
                .iter()
                .any(|item| matches!(item.what, What::Period(..)));
            let preposition = if time.starts_with("in ") || time.starts_with("on ") {
                ""
            } else {
                "in "
            };
            let second = if has_time {
                second.to_owned()
            } else {
                format!("{second} {preposition}{time}")
            };
            Some(vec![rest.to_owned(), second])
        }
        _ => None,
    }
}
