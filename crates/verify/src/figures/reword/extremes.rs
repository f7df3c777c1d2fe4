//! The highest and the best: how high and when, and better than which others.

use model::Day;

use super::segments;
use crate::figures::items::{self, Item, What};
use crate::figures::period::Period;
use crate::figures::phrases::RELATION;
use crate::figures::token::{Join, Token, cut};
use crate::figures::{Assertion, SpanUnit, Subject};

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
    // Its own time comes before or after the number, the day of the highest at the end.
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
    let day = when.written(text, &tokens);
    let day = day.strip_prefix("from ").unwrap_or(day);
    if !own || head.is_empty() {
        return None;
    }
    Some(vec![
        format!("{head} was {number}"),
        format!("{head} was {day}"),
    ])
}

/// `saw a golden cross in May`, `its 50-day average slid beneath the 200-day in March`: one average crossed the other.
pub(super) fn cross(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let names = |word: &str| {
        tokens
            .windows(2)
            .any(|pair| pair[0].is(word) && pair[1].is_any(&["cross", "crosses"]))
    };
    let is_day = |days: i32| {
        tokens.windows(2).any(|pair| {
            pair[0].whole() == Some(days) && pair[1].is("day") && pair[1].join == Join::Hyphen
        })
    };
    let side_of = |token: &Token<'_>| match token.lower.as_str() {
        "above" | "over" => Some("above"),
        "below" | "beneath" | "under" => Some("below"),
        _ => None,
    };
    let mut said: Vec<&str> = Vec::new();
    if names("golden") {
        said.push("above");
    }
    if names("death") {
        said.push("below");
    }
    if is_day(50) && is_day(200) {
        // The side on which the shorter one ends up is stated between them.
        let short = tokens.iter().position(|token| token.whole() == Some(50))?;
        let long = tokens.iter().position(|token| token.whole() == Some(200))?;
        let moves = tokens.get(short..long)?.iter().any(|token| {
            token.is_any(&[
                "crossed", "moved", "slid", "fell", "rose", "dropped", "climbed", "dipped",
                "slipped", "sank", "crosses", "broke", "went", "pushed",
            ])
        });
        said.extend(
            tokens[short..long]
                .iter()
                .find_map(side_of)
                .filter(|_| moves),
        );
    }
    let is_hedged = tokens.iter().any(|token| {
        token.is_any(&[
            "almost",
            "nearly",
            "narrowly",
            "weekly",
            "monthly",
            "hourly",
            "avoided",
            "nearing",
            "awaited",
            "loomed",
            "exited",
            "invalidated",
            "after",
            "before",
            "to",
        ])
    });
    let is_seen = tokens.iter().any(|token| {
        token.is_any(&[
            "saw",
            "had",
            "formed",
            "flashed",
            "printed",
            "made",
            "posted",
            "produced",
            "triggered",
            "showed",
            "completed",
            "registered",
        ])
    });
    let names_averages = is_day(50) && is_day(200);
    if is_hedged || !(is_seen || names_averages) {
        return None;
    }
    let side = *said.first()?;
    if said.iter().any(|other| *other != side) || super::denies(&tokens) {
        return None;
    }
    let marks = items::mark(text, &tokens, today);
    let has_number = marks.items.iter().any(
        |item| matches!(item.what, What::Amount(amount) if ![50.0, 200.0].contains(&amount.value)),
    );
    if has_number {
        return None;
    }
    let written = |is: fn(&What) -> bool| {
        let mut found = marks.items.iter().filter(|item| is(&item.what));
        let first = found.next()?;
        found.next().is_none().then(|| first.written(text, &tokens))
    };
    let subject = written(|what| matches!(what, What::Subject(_)))?;
    let time = written(|what| matches!(what, What::Period(Period::In(_), _)))?;
    let subject = subject.trim_end_matches("'s").trim_end_matches("’s");
    let time = if time.starts_with(|one: char| one.is_lowercase())
        || time.starts_with("On ")
        || time.starts_with("In ")
    {
        time.to_owned()
    } else {
        format!("in {time}")
    };
    Some(vec![format!(
        "{subject}'s 50-day moving average crossed {side} its 200-day moving average {time}"
    )])
}

/// `tumbled 25 % on 2 February 2022, its worst day of that year`: how far, and that no other day was worse.
pub(super) fn its_extreme(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let last = segments(&tokens)
        .into_iter()
        .next_back()
        .filter(|range| range.start > 2)?;
    let opens = tokens[last.start].is_any(&["its", "their", "the"]);
    let first = last.start + usize::from(opens);
    let (code, _) = RELATION.at(&tokens, first)?;
    let marks = items::mark(text, &tokens, today);
    let own = |item: &&Item| item.first >= last.start;
    let is_number = |item: &Item| matches!(item.what, What::Amount(_) | What::Subject(_));
    let says_more = tokens[first..]
        .iter()
        .any(|token| token.is_any(&["after", "before", "earnings", "among"]));
    if says_more
        || !matches!(code, "highest" | "lowest")
        || marks.items.iter().filter(own).any(is_number)
    {
        return None;
    }
    let head = &marks.items[..marks.items.iter().take_while(|item| !own(item)).count()];
    let subject = head
        .iter()
        .find(|item| matches!(item.what, What::Subject(_)))?;
    let day = head.iter().rev().find_map(|item| match item.what {
        What::Period(Period::In(span), _) if span.is_day() => Some(span.first.date()),
        _ => None,
    })?;
    let written = subject.written(text, &tokens);
    let name = written.trim_end_matches("'s").trim_end_matches("’s");
    let which = text[tokens[first].start..].trim_end_matches(['.', '!', ' ']);
    let year = day.year();
    let which = which
        .replace("of the year", &format!("of {year}"))
        .replace("all year", &format!("of {year}"));
    let named = day.strftime("%-d %B %Y");
    Some(vec![
        text[..tokens[last.start - 1].end].to_owned(),
        format!("{name}'s {which} was on {named}"),
    ])
}

/// `Its best quarter of 2020 was Q2, when it gained 20 %`: which quarter it was, and how good.
pub(super) fn best_span(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let last = segments(&tokens)
        .into_iter()
        .next_back()
        .filter(|range| range.start > 3)?;
    let head = text[..tokens[last.start - 1].end].to_owned();
    let claim = super::claim(&head, today)?;
    let [Assertion::BestSpan { on, .. }] = claim.assertions[..] else {
        return None;
    };
    let date = on.first.date();
    let named = match on.unit {
        SpanUnit::Month => date.strftime("%B %Y").to_string(),
        SpanUnit::Quarter => format!("Q{} {}", (date.month() + 2) / 3, date.year()),
        SpanUnit::Year => date.year().to_string(),
        _ => return None,
    };
    let own = cut(&head);
    let marks = items::mark(&head, &own, today);
    let subject = marks
        .items
        .iter()
        .find(|item| matches!(item.what, What::Subject(_)))?
        .written(&head, &own);
    let size = text[tokens[last.start].start..].trim_end_matches(['.', '!']);
    let size = ["when it ", "when they ", "with ", "as it "]
        .iter()
        .find_map(|opens| size.strip_prefix(opens))
        .unwrap_or(size);
    let verb = if size.starts_with("a ") { "had " } else { "" };
    let subject = subject.trim_end_matches("'s").trim_end_matches("’s");
    let second = format!("{subject} {verb}{size} in {named}");
    Some(vec![head, second])
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
    let place = tokens.windows(2).position(|pair| {
        pair[0].is("the")
            && pair[1].is_any(&[
                "best",
                "strongest",
                "worst",
                "weakest",
                "smallest",
                "biggest",
                "largest",
            ])
    })? + 1;
    let next = tokens.get(place + 1)?;
    let is_loss = next.is_any(&["loss", "decline", "drop", "fall"]);
    let is_gain = next.is_any(&["gain", "rise", "return", "advance"]);
    let best = match tokens[place].lower.as_str() {
        "best" | "strongest" => true,
        "worst" | "weakest" => false,
        "smallest" if is_loss || is_gain => is_loss,
        _ if is_loss || is_gain => is_gain,
        _ => return None,
    };
    // `Of A, B and C, A had the best …`, `A was the best performer of A, B and C`.
    let verb = tokens.get(place.checked_sub(2)?)?;
    let is_form = verb.is_any(&["had", "was", "with", "posted", "saw"]);
    let behind = tokens.get(place + 1..place + 4)?;
    let of_others = behind
        .iter()
        .take_while(|token| !token.is_any(&["in", "on"]))
        .any(|token| token.is("of"));
    let is_measured = marks.items.iter().any(|item| {
        matches!(
            item.what,
            What::Measure(_)
                | What::Basis(_)
                | What::Word("revenue" | "net_income" | "eps" | "volume" | "market_value")
        )
    });
    if !is_form || is_measured || super::denies(&tokens) || tokens[0].is("of") == of_others {
        return None;
    }
    let (winner, winner_item) = if tokens[0].is("of") {
        subjects.last()?.clone()
    } else {
        subjects.first()?.clone()
    };
    let time = marks
        .items
        .iter()
        .find(|item| matches!(item.what, What::Period(..)))?;
    let written = |item: &Item| item.written(text, &tokens);
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
