//! A sentence and the clause that continues it: when it was, on which revenue, and by how much one did better than
//! another.

use model::Day;

use crate::figures::Subject;
use crate::figures::groups::supply_years;
use crate::figures::items::{self, Item, What, is_relative};
use crate::figures::period::Period;
use crate::figures::token::{Join, Token, cut};

/// The sentences that it amounts to; `None` if it is not of this kind.
pub(super) fn of_clauses(text: &str, today: Day) -> Vec<Vec<String>> {
    [both, shared_time, when, with_measure, with_sizes]
        .into_iter()
        .filter_map(|of| of(text, today))
        .collect()
}

fn name<'t>(text: &'t str, tokens: &[Token<'_>], item: &Item) -> &'t str {
    let written = item.written(text, tokens);
    written.trim_end_matches("'s").trim_end_matches("’s")
}

fn is_subject(item: &Item) -> bool {
    matches!(item.what, What::Subject(_))
}

/// A time with the word that fits it into a sentence.
fn at_time(text: &str, tokens: &[Token<'_>], item: &Item) -> String {
    if let What::Period(Period::In(span), _) = item.what
        && span.is_day()
        && !span.is_assumed
    {
        return span.first.date().strftime("on %-d %B %Y").to_string();
    }
    let written = item.written(text, tokens);
    let first = written.split(' ').next().unwrap_or_default().to_lowercase();
    let has_word = ["in", "on", "at", "during", "over", "by", "for", "through"].contains(&&*first);
    let is_day = matches!(item.what, What::Period(Period::In(span), _) if span.is_day());
    match (has_word, is_day) {
        (true, _) => written.to_owned(),
        (false, true) => format!("on {written}"),
        (false, false) => format!("in {written}"),
    }
}

/// `On 12 March, both bitcoin and ether lost a third`: each of them.
fn both(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    if super::denies(&tokens) {
        return None;
    }
    let marks = items::mark(text, &tokens, today);
    let at = tokens.iter().position(|token| token.is("both"))?;
    let pair = marks.items.windows(2).find(|pair| {
        let between = &tokens[pair[0].next..pair[1].first];
        pair[0].first == at + 1
            && is_subject(&pair[0])
            && is_subject(&pair[1])
            && matches!(between, [and] if and.is("and"))
    })?;
    let (head, tail) = (
        &text[..tokens[at].start],
        &text[tokens[pair[1].next - 1].end..],
    );
    // `their value`: the value of each.
    let tail = tail.replace(" their ", " its ");
    let part = |item: &Item| format!("{head}{}{tail}", item.written(text, &tokens));
    Some(vec![part(&pair[0]), part(&pair[1])])
}

/// `Silver gained in 2021 while copper fell`, `In 2022 Exxon gained and Meta lost`: both moves at the same time.
fn shared_time(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    if super::denies(&tokens) {
        return None;
    }
    // Another time, another measure, or a manner of the first that the second does not share.
    let says_more = tokens.iter().any(|token| {
        token.is_any(&[
            "before", "after", "until", "by", "prices", "price", "share", "ground", "day", "week",
            "month", "low", "high", "record", "half", "from", "close", "against", "to",
        ])
    });
    let marks = items::mark(text, &tokens, today);
    let subjects: Vec<&Item> = marks.items.iter().filter(|item| is_subject(item)).collect();
    let in_currency = subjects
        .iter()
        .any(|item| matches!(item.what, What::Subject(Subject::Currency { .. })));
    if says_more || in_currency {
        return None;
    }
    let [one, two] = subjects[..] else {
        return None;
    };
    let times: Vec<&Item> = marks
        .items
        .iter()
        .filter(|item| matches!(item.what, What::Period(..)))
        .collect();
    let [time] = times[..] else { return None };
    let What::Period(Period::In(_) | Period::Between(..), _) = time.what else {
        return None;
    };
    let joint = (one.next..two.first)
        .rev()
        .find(|at| tokens[*at].is_any(&["while", "whereas", "and", "but"]))?;
    // The second begins its clause, and a verb follows it.
    let opens = tokens[joint + 1..two.first]
        .iter()
        .all(|token| token.is_any(&["the", "its", "rival", "peer", "shares", "of"]));
    let moves = |item: &Item| {
        matches!(
            item.what,
            What::Relation("up" | "down" | "double" | "triple" | "quadruple" | "halve")
        )
    };
    let follows = marks
        .items
        .iter()
        .any(|item| moves(item) && (two.next..two.next + 2).contains(&item.first));
    let leads = marks
        .items
        .iter()
        .any(|item| moves(item) && item.first >= one.next && item.next <= joint);
    let covers = tokens[joint].is_any(&["while", "whereas"]) || time.first < one.first;
    // What is measured for the first is not named for the second.
    let measures = marks.items.iter().any(|item| match item.what {
        What::Word(code) => code != "price",
        What::Measure(_) | What::Basis(_) => true,
        _ => false,
    });
    if !opens || !follows || !leads || !covers || measures {
        return None;
    }
    let named = at_time(text, &tokens, time);
    let (first, second) = (
        text[..tokens[joint - 1].end].to_owned(),
        text[tokens[joint + 1].start..].trim_end_matches(['.', '!', ' ']),
    );
    let (first, second) = if time.first > joint {
        (format!("{first} {named}"), second.to_owned())
    } else {
        (first, format!("{second} {named}"))
    };
    Some(vec![first, second])
}

/// `had its worst day of 2022 on 16 September, when it shed 21 %`,
/// `crumbled in 2021, when the dollar climbed from 7.43 to 13.45 lira`: the sentence, and what happened then. A
/// sentence without a figure or a move only introduces the clause.
fn when(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let at = tokens
        .iter()
        .position(|token| token.is("when") && token.join == Join::Break)
        .filter(|at| *at > 2 && at + 2 < tokens.len())?;
    let mut marks = items::mark(text, &tokens, today);
    supply_years(&mut marks.items);
    let head: Vec<&Item> = marks.items.iter().filter(|item| item.next <= at).collect();
    let time = head
        .iter()
        .rev()
        .find(|item| matches!(item.what, What::Period(Period::In(_), _)))?;
    let has_time = marks
        .items
        .iter()
        .any(|item| item.first > at && matches!(item.what, What::Period(..)));
    let joins = tokens[at..].iter().any(|token| token.is("and"));
    if has_time || joins {
        return None;
    }
    if head.iter().filter(|item| is_subject(item)).count() > 1 {
        return None;
    }
    let of_it = tokens[at + 1].is_any(&["it", "they"]);
    let of_share = tokens[at + 1].is_any(&["the", "its", "their"])
        && tokens
            .get(at + 2)
            .is_some_and(|token| token.is_any(&["shares", "stock", "price", "index", "share"]));
    let clause = if of_it || of_share {
        let subject = head.iter().find(|item| is_subject(item))?;
        format!(
            "{} {}",
            name(text, &tokens, subject),
            &text[tokens[at + 2 + usize::from(of_share)].start..]
        )
    } else {
        marks
            .items
            .iter()
            .find(|item| item.first > at && is_subject(item))?;
        text[tokens[at + 1].start..].to_owned()
    };
    let clause = format!(
        "{} {}",
        clause.trim_end_matches(['.', '!', ' ']),
        at_time(text, &tokens, time)
    );
    let says = head
        .iter()
        .any(|item| matches!(item.what, What::Amount(_) | What::Relation(_)));
    let head = text[..tokens[at - 1].end].to_owned();
    Some(if says {
        vec![head, clause]
    } else {
        vec![clause]
    })
}

/// `lost $22 million in the fourth quarter despite revenue of $15.1 billion`: the sentence, and the revenue in that
/// time.
fn with_measure(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let place = marks.items.windows(2).position(|pair| {
        let of = &tokens[pair[0].next..pair[1].first];
        matches!(pair[0].what, What::Word(code) if items::measure(code).is_some_and(super::super::Measure::is_reported))
            && matches!(pair[1].what, What::Amount(_))
            && of.first().is_some_and(|of| of.is("of"))
            && of.len() <= 2
    })?;
    let (measure, amount) = (&marks.items[place], &marks.items[place + 1]);
    let mut begin = measure.first;
    while begin > 0 && tokens[begin - 1].is_any(&["a", "an", "its", "quarterly", "annual", "total"])
    {
        begin -= 1;
    }
    let is_joined = begin > 0 && tokens[begin - 1].is_any(&["on", "despite", "with"]);
    let is_apart = tokens[begin].join == Join::Break;
    let leads = if is_joined { begin - 1 } else { begin };
    let head = &marks.items[..place];
    let says = head.iter().any(|item| matches!(item.what, What::Amount(_)))
        && tokens[..measure.first]
            .iter()
            .any(|token| token.is_any(&["earned", "lost", "made", "profit", "loss", "income"]));
    let subject = head.iter().find(|item| is_subject(item))?;
    let mut times = marks
        .items
        .iter()
        .filter(|item| matches!(item.what, What::Period(..)));
    let time = times.next().filter(|_| times.next().is_none())?;
    let rest = tokens.get(amount.next..)?;
    let is_last = rest.is_empty() || time.first >= amount.next && time.next == tokens.len();
    if !(is_joined || is_apart) || !says || !is_last || leads < 2 {
        return None;
    }
    let figure = &text[tokens[measure.first].start..tokens[amount.next - 1].end];
    let time = at_time(text, &tokens, time);
    let mut first = text[..tokens[leads - 1].end].to_owned();
    if !first.contains(&time) {
        first = format!("{first} {time}");
    }
    Some(vec![
        first,
        format!("{} had {figure} {time}", name(text, &tokens, subject)),
    ])
}

/// `outperformed PepsiCo in 2021, with a gain of 17 % against 8 %`: the gain of one and of the other.
fn with_sizes(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let [one, two] = marks
        .items
        .iter()
        .filter(|item| is_subject(item))
        .collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let amounts: Vec<&Item> = marks
        .items
        .iter()
        .filter(|item| matches!(item.what, What::Amount(amount) if is_relative(amount.unit)))
        .collect();
    let [first, second] = amounts[..] else {
        return None;
    };
    // `with sales growth of 17 % against 8 %` is not about the prices.
    let measures = marks.items.iter().any(|item| match item.what {
        What::Word(code) => code != "price",
        What::Measure(_) | What::Basis(_) => true,
        _ => false,
    });
    if measures {
        return None;
    }
    let compares = marks.items.iter().any(|item| {
        item.first >= one.next
            && item.next <= two.first
            && matches!(item.what, What::Relation("beat" | "lag"))
    });
    let between = tokens.get(first.next..second.first)?;
    let is_against = between.first().is_some_and(|token| {
        token.is_any(&["against", "versus", "vs", "to", "compared", "while", "and"])
    }) && between.len() <= 3;
    let mut times = marks
        .items
        .iter()
        .filter(|item| matches!(item.what, What::Period(..)));
    let time = times.next().filter(|_| times.next().is_none())?;
    let moves: Vec<&What> = marks
        .items
        .iter()
        .filter(|item| matches!(item.what, What::Relation("up" | "down")))
        .map(|item| &item.what)
        .collect();
    let [What::Relation(side)] = moves[..] else {
        return None;
    };
    if !compares || !is_against || first.first < two.next {
        return None;
    }
    let verb = if *side == "up" { "rose" } else { "fell" };
    let time = at_time(text, &tokens, time);
    // `about 47 %` is not an exact figure.
    let size = |item: &Item| {
        let before = item.first.saturating_sub(1);
        let is_rough = tokens[before].is_any(&[
            "about", "roughly", "nearly", "almost", "around", "some", "over", "under",
        ]);
        let first = if is_rough { before } else { item.first };
        text[tokens[first].start..tokens[item.next - 1].end].to_owned()
    };
    Some(vec![
        format!("{} {verb} {} {time}", name(text, &tokens, one), size(first)),
        format!(
            "{} {verb} {} {time}",
            name(text, &tokens, two),
            size(second)
        ),
    ])
}
