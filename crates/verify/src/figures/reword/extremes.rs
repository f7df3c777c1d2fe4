//! The highest and the best: how high and when, and better than whom.

use model::Day;

use crate::figures::Subject;
use crate::figures::items::{self, Item, What};
use crate::figures::period::Period;
use crate::figures::token::cut;

/// `its highest close of 2021, above $480, fell on 9 August`: how high, and when.
pub(super) fn extreme_on(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let highest = marks
        .items
        .iter()
        .position(|item| matches!(item.what, What::Relation("highest" | "lowest")))?;
    let amount = marks
        .items
        .iter()
        .position(|item| matches!(item.what, What::Amount(_)))?;
    let others = marks
        .items
        .iter()
        .filter(|item| matches!(item.what, What::Amount(_)))
        .count();
    let when = marks
        .items
        .iter()
        .rposition(|item| matches!(item.what, What::Period(Period::In(_), _)))?;
    let subject = marks
        .items
        .iter()
        .position(|item| matches!(item.what, What::Subject(_)))?;
    // Its own time stands before the number or behind it, the day of the highest at the end.
    if others != 1 || subject > amount || highest > amount || when < amount || highest > when {
        return None;
    }
    let own = marks.items[..amount]
        .iter()
        .any(|item| matches!(item.what, What::Period(..)));
    let lead = marks.items[..amount]
        .iter()
        .rposition(|item| {
            matches!(
                item.what,
                What::Relation(
                    "above"
                        | "below"
                        | "about"
                        | "just_above"
                        | "just_below"
                        | "at_least"
                        | "at_most"
                )
            )
        })
        .filter(|lead| marks.items[*lead].first > marks.items[highest].first + 1)
        .map_or(marks.items[amount].first, |lead| marks.items[lead].first);
    let head = text[tokens[0].start..tokens[lead.checked_sub(1)?].end].trim_end_matches([',', ' ']);
    let head = ["was", "stood at", "came to", "at", "of"]
        .iter()
        .find_map(|verb| head.strip_suffix(verb))
        .unwrap_or(head)
        .trim_end_matches([',', ' ']);
    let number = &text[tokens[lead].start..tokens[marks.items[amount].next - 1].end];
    let when = &marks.items[when];
    let day = &text[tokens[when.first].start..tokens[when.next - 1].end];
    let day = day.strip_prefix("from ").unwrap_or(day);
    if !own || head.is_empty() {
        return None;
    }
    Some(vec![
        format!("{head} was {number}"),
        format!("{head} was {day}"),
    ])
}

/// `Of Delta, United and American, American had the best 2022`: it did better than each of the others.
pub(super) fn best_of(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let named = |item: &Item| match &item.what {
        What::Subject(subject) => Some(subject.clone()),
        _ => None,
    };
    let subjects: Vec<(Subject, &Item)> = marks
        .items
        .iter()
        .filter_map(|item| Some((named(item)?, item)))
        .collect();
    let first = subjects.first()?.1.first;
    let has_number = marks
        .items
        .iter()
        .any(|item| matches!(item.what, What::Amount(_)) && item.first > first);
    if subjects.len() < 3 || has_number {
        return None;
    }
    let any = |words: &[&str]| tokens.iter().any(|token| token.is_any(words));
    let is_loss = any(&["loss", "decline", "drop", "fall", "losses", "damage"]);
    let best = tokens.iter().find_map(|token| match token.lower.as_str() {
        "best" | "strongest" | "top" => Some(true),
        "worst" | "weakest" => Some(false),
        "smallest" | "least" => Some(is_loss),
        "biggest" | "largest" | "most" => Some(!is_loss),
        _ => None,
    })?;
    // `Of A, B and C, it was A that …`, `A was the best of A, B and C`.
    let (winner, winner_item) = if tokens[0].is("of") {
        subjects.last()?.clone()
    } else {
        subjects.first()?.clone()
    };
    let time = marks
        .items
        .iter()
        .find(|item| matches!(item.what, What::Period(..)))?;
    let written = |item: &Item| &text[tokens[item.first].start..tokens[item.next - 1].end];
    let relation = if best {
        "outperformed"
    } else {
        "underperformed"
    };
    let time = written(time);
    let time = time.strip_prefix("in ").unwrap_or(time);
    let mut others: Vec<&str> = Vec::new();
    for (subject, item) in &subjects {
        let is_winner = *subject == winner || is_same_name(subject, &winner);
        if !is_winner && !others.contains(&written(item)) {
            others.push(written(item));
        }
    }
    (!others.is_empty()).then(|| {
        others
            .into_iter()
            .map(|other| format!("{} {relation} {other} in {time}", written(winner_item)))
            .collect()
    })
}

/// `Exxon` and `Exxon Mobil`.
fn is_same_name(one: &Subject, other: &Subject) -> bool {
    match (one, other) {
        (
            Subject::Named {
                ticker: Some(one), ..
            },
            Subject::Named {
                ticker: Some(other),
                ..
            },
        ) => one == other,
        (Subject::Named { text: one, .. }, Subject::Named { text: other, .. }) => {
            one.starts_with(other.as_str()) || other.starts_with(one.as_str())
        }
        _ => false,
    }
}
