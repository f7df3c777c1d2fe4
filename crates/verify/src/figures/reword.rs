//! A sentence that is no plain claim, as plain claims that say the same together: without asides, taken apart where it says
//! two things, and with what it points to by name.
//!
//! Nothing that could change what is claimed is left out: an aside goes only where it names no number, no series and nothing that
//! is said of a figure, and no word that limits or denies.

use model::Day;

use super::assemble::read;
use super::claim::{FigureClaim, Reading};
use super::items::{self, Item, What};
use super::period::{Period, Role, Span, SpanUnit};
use super::token::{Join, Token, cut};

/// Claims that a text is taken apart into at most.
const MOST_CLAIMS: usize = 6;
/// What is no longer a sentence.
const MOST_BYTES: usize = 600;

/// Words that make an aside a part of the claim.
const LIMITS: [&str; 22] = [
    "not", "no", "never", "without", "except", "excluding", "unless", "unlike", "if", "neither", "nor", "or", "either", "adjusted",
    "after-hours", "annualised", "annualized", "including", "ignoring", "reinvested", "terms", "intraday",
];

/// Words that begin a clause of circumstance.
const SUBORDINATE: [&str; 21] = [
    "when", "while", "as", "after", "before", "following", "amid", "because", "despite", "although", "though", "since", "even",
    "whatever", "however", "where", "which", "who", "thanks", "driven", "helped",
];

/// Words that say who measured, with the figure behind them: `as measured by the XLE fund`.
const MEASURED: [&str; 5] = ["measured", "tracked", "gauged", "proxied", "represented"];

/// The plain claims that a sentence makes, all of which must hold; `None` where it cannot be taken apart into them.
pub fn plain_claims(text: &str, today: Day) -> Option<Vec<FigureClaim>> {
    if text.len() > MOST_BYTES || text.trim_end().ends_with('?') {
        return None;
    }
    let text = pointed(&without_circumstance(&stripped(&in_plain_words(text)), today), today);
    let mut candidates = vec![vec![text.clone()]];
    let parts = split(&text, today);
    if !parts.is_empty() {
        candidates.push(parts);
    }
    for of in [from_to, two_clauses, compared_with, both_others] {
        candidates.extend(of(&text, today));
    }
    if let Some(parts) = extreme_on(&text, today) {
        candidates.insert(0, parts);
    }
    if let Some(parts) = best_of(&text, today) {
        candidates.insert(0, parts);
    }
    candidates.into_iter().find_map(|parts| {
        (parts.len() <= MOST_CLAIMS).then_some(())?;
        parts.iter().map(|part| plain(part, today)).collect()
    })
}

/// A sentence as one claim, without its asides where that is needed.
fn plain(text: &str, today: Day) -> Option<FigureClaim> {
    claim(text, today).or_else(|| claim(&without_asides(text, today)?, today))
}

fn claim(text: &str, today: Day) -> Option<FigureClaim> {
    match read(text, today)? {
        Reading::Claim(claim) => Some(*claim),
        Reading::Unclear(_) => None,
    }
}

/// Words that stand for a day, a bound or a company, written out.
fn in_plain_words(text: &str) -> String {
    const WRITTEN: [(&str, &str); 18] = [
        ("New Year's Eve ", "31 December "),
        ("New Year’s Eve ", "31 December "),
        ("New Year's Day ", "1 January "),
        ("New Year’s Day ", "1 January "),
        ("Christmas Eve ", "24 December "),
        ("since New Year", "since the start of this year"),
        ("a single-digit gain", "a gain of less than 10%"),
        ("a single-digit rise", "a rise of less than 10%"),
        ("a single-digit loss", "a loss of less than 10%"),
        ("a single-digit fall", "a fall of less than 10%"),
        ("a single-digit decline", "a decline of less than 10%"),
        ("a double-digit gain", "a gain of at least 10%"),
        ("a double-digit rise", "a rise of at least 10%"),
        ("a double-digit loss", "a loss of at least 10%"),
        ("a double-digit fall", "a fall of at least 10%"),
        ("a double-digit decline", "a decline of at least 10%"),
        (" far more than", " more than"),
        (" much more than", " more than"),
    ];
    let mut plain = text.to_owned();
    for (from, to) in WRITTEN {
        if plain.contains(from) {
            plain = plain.replace(from, to);
        }
    }
    of_parent(&in_a_row(&ends_of_years(&plain)))
}

/// `At 2022's end`, `by 2022's close`: at the end of 2022.
fn ends_of_years(text: &str) -> String {
    let tokens = cut(text);
    let found = tokens.windows(2).position(|pair| {
        super::period::year_of(&pair[0]).is_some()
            && (pair[0].possessive || text[pair[0].end..pair[1].start].contains('s'))
            && pair[1].is_any(&["end", "close"])
    });
    match found {
        Some(at) => format!(
            "{}the end of {}{}",
            &text[..tokens[at].start],
            &text[tokens[at].start..tokens[at].start + 4],
            &text[tokens[at + 1].end..]
        ),
        None => text.to_owned(),
    }
}

/// `rose 13 sessions in a row`, `13 straight sessions`: `for 13 consecutive sessions`.
fn in_a_row(text: &str) -> String {
    let tokens = cut(text);
    let count = |token: &Token<'_>| token.whole().is_some() || super::numbers::numeral(&token.lower).is_some();
    const RISES: [&str; 6] = ["gains", "advances", "rises", "up", "winning", "higher"];
    const FALLS: [&str; 6] = ["losses", "declines", "falls", "down", "losing", "lower"];
    for at in 1..tokens.len() {
        // `put together eleven straight gains`, `had nine down days running`.
        if !count(&tokens[at]) {
            continue;
        }
        let mut next = at + 1;
        let mut is_run = false;
        let mut rises = None;
        while let Some(token) = tokens.get(next) {
            if token.is_any(&["straight", "consecutive", "running"]) {
                is_run = true;
            } else if rises.is_none() && token.is_any(&RISES) {
                rises = Some(true);
            } else if rises.is_none() && token.is_any(&FALLS) {
                rises = Some(false);
            } else if !token.is_any(&["daily", "trading", "days", "sessions"]) {
                break;
            }
            next += 1;
        }
        let row = ["in", "a", "row"]
            .iter()
            .enumerate()
            .all(|(step, word)| tokens.get(next + step).is_some_and(|token| token.is(word)));
        next += if row { 3 } else { 0 };
        let subject = (0..at).rev().find(|place| {
            tokens[*place].is_any(&["had", "posted", "together", "saw", "recorded", "notched", "logged", "strung", "made", "enjoyed", "suffered"])
        });
        let (Some(rises), Some(verb)) = (rises, subject.filter(|verb| verb + 1 == at)) else {
            continue;
        };
        if !is_run && !row {
            continue;
        }
        let begin = if tokens[verb].is("together") && verb > 0 { verb - 1 } else { verb };
        let rest = tokens.get(next).map_or("", |token| &text[token.start..]);
        let rest = rest.strip_prefix("to ").map_or_else(|| rest.to_owned(), |rest| format!("ending {rest}"));
        return format!(
            "{}{} for {} consecutive sessions {rest}",
            &text[..tokens[begin].start],
            if rises { "rose" } else { "fell" },
            tokens[at].text
        );
    }
    let preceded = |at: usize| at > 0 && tokens[at - 1].is_any(&["for", "over", "past", "last"]);
    for at in 0..tokens.len() {
        if !count(&tokens[at]) || preceded(at) {
            continue;
        }
        let mut next = at + 1;
        let is_said = tokens.get(next).is_some_and(|token| token.is_any(&["straight", "consecutive"]));
        next += usize::from(is_said);
        next += usize::from(tokens.get(next).is_some_and(|token| token.is("trading")));
        let Some(unit) = tokens.get(next).filter(|token| token.is_any(&["sessions", "days"])) else {
            continue;
        };
        let row = [("in", 1), ("a", 2), ("row", 3)]
            .iter()
            .all(|(word, step)| tokens.get(next + step).is_some_and(|token| token.is(word)));
        if !is_said && !row {
            continue;
        }
        let end = if row { tokens[next + 3].end } else { unit.end };
        // `on 13 consecutive days`.
        let begin = if at > 0 && tokens[at - 1].is_any(&["on", "in"]) {
            tokens[at - 1].start
        } else {
            tokens[at].start
        };
        return format!("{}for {} consecutive sessions{}", &text[..begin], tokens[at].text, &text[end..]);
    }
    text.to_owned()
}

/// `Facebook's parent Meta` is Meta, and Facebook's parent is what trades as Facebook.
fn of_parent(text: &str) -> String {
    let tokens = cut(text);
    let found = tokens.windows(2).position(|pair| {
        pair[0].is_capital() && pair[1].is_any(&["parent", "owner", "maker"]) && pair[1].join == Join::Space
    });
    let Some(at) = found else {
        return text.to_owned();
    };
    let mut next = at + 2;
    if tokens.get(next).is_some_and(|token| token.is("company")) {
        next += 1;
    }
    let Some(after) = tokens.get(next) else {
        return text.to_owned();
    };
    if after.is_capital() && matches!(after.join, Join::Space | Join::Break) && after.number.is_none() {
        return format!("{}{}", &text[..tokens[at].start], &text[after.start..]);
    }
    if !tokens[at].possessive {
        return text.to_owned();
    }
    let name = tokens[at].text.trim_end_matches("'s").trim_end_matches("’s");
    format!("{}{name} {}", &text[..tokens[at].start], &text[after.start..])
}

/// Without the event that a time is said to be one of: `at the height of the boom in August 2021`, `during the crash of March
/// 2020`.
fn without_circumstance(text: &str, today: Day) -> String {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    for time in &marks.items {
        if !matches!(time.what, What::Period(Period::In(_), Role::Main)) {
            continue;
        }
        let free = |at: &usize| {
            let holds = |item: &&Item| item.first <= *at && *at < item.next;
            marks
                .items
                .iter()
                .find(holds)
                .is_none_or(|item| matches!(item.what, What::Relation("up" | "down")))
        };
        let begin = (0..time.first).rev().take_while(free).take(9).find(|at| {
            tokens[*at].is_any(&["during", "amid"])
                // `in the debt-ceiling scare of late May`, `on the day of the announcement, 9 November`.
                || tokens[*at].is_any(&["in", "on"])
                    && tokens.get(at + 1).is_some_and(|token| token.is("the"))
                    && (time.first > 0 && tokens[*at + 1..time.first].iter().any(|token| token.is("of")))
                || tokens[*at].is("at")
                    && tokens.get(at + 2).is_some_and(|token| token.is_any(&["height", "peak", "depth", "depths", "onset"]))
        });
        let Some(begin) = begin else { continue };
        let is_plain = tokens[begin..time.first]
            .iter()
            .all(|token| token.number.is_none() && !token.is_any(&LIMITS) && (token.start == tokens[begin].start || !matches!(token.join, Join::Break | Join::Stop)));
        let is_plain = is_plain && tokens[time.first].join != Join::Stop;
        // The words of the time may include its preposition.
        let written = &text[tokens[time.first].start..];
        if is_plain && time.first > begin + 1 {
            let preposition = if written.starts_with("in ") || written.starts_with("on ") || written.starts_with("of ") {
                ""
            } else {
                "in "
            };
            let written = written.strip_prefix("of ").map_or_else(|| format!("{preposition}{written}"), |rest| format!("in {rest}"));
            return format!("{}{written}", &text[..tokens[begin].start]);
        }
    }
    text.to_owned()
}

/// Without a label in front (`AI summary: …`), and with the figure itself in place of what it measures.
fn stripped(text: &str) -> String {
    let mut text = text.trim();
    if let Some((label, rest)) = text.split_once(": ") {
        let words = label.split_whitespace().count();
        let is_label = words <= 4 && !label.contains(|sign: char| sign.is_ascii_digit());
        if is_label && rest.split_whitespace().count() >= 4 && !label.contains(',') {
            text = rest;
        }
    }
    let tokens = cut(text);
    let found = tokens.windows(2).position(|pair| {
        pair[0].is_any(&MEASURED) && pair[1].is("by")
    });
    let Some(at) = found else {
        return text.to_owned();
    };
    let has_number = tokens[..at].iter().any(|token| token.number.is_some());
    match tokens.get(at + 2) {
        // `Energy stocks, as measured by the XLE fund, climbed …`
        Some(next) if at <= 6 && !has_number => text[next.start..].to_owned(),
        _ => text.to_owned(),
    }
}

/// With the time that `that year`, `that month` and `that day` point to, where the sentence names one only.
fn pointed(text: &str, today: Day) -> String {
    let text = &at_year_end(text, today);
    let tokens = cut(text);
    let found = tokens.windows(2).position(|pair| {
        pair[0].is_any(&["that", "the"])
            && (pair[0].is("that") || pair[1].is("same"))
            && pair[1].is_any(&["year", "month", "day", "same"])
    });
    let Some(at) = found else {
        return text.to_owned();
    };
    let is_same = tokens[at + 1].is("same");
    let Some(unit) = tokens.get(at + 1 + usize::from(is_same)) else {
        return text.to_owned();
    };
    let marks = items::mark(text, &tokens, today);
    let spans: Vec<Span> = marks
        .items
        .iter()
        .filter_map(|item| match item.what {
            What::Period(Period::In(span), _) if item.first < at => Some(span),
            _ => None,
        })
        .collect();
    let [span] = spans[..] else {
        return text.to_owned();
    };
    let date = span.first.date();
    let is_within = |unit: SpanUnit| match unit {
        SpanUnit::Day => true,
        SpanUnit::Month => true,
        SpanUnit::Quarter | SpanUnit::Half | SpanUnit::Year | SpanUnit::Week | SpanUnit::Stretch => {
            span.first.date().year() == span.last.date().year()
        }
        SpanUnit::FiscalYear(_) | SpanUnit::FiscalQuarter(..) => false,
    };
    if !is_within(span.unit) {
        return text.to_owned();
    }
    let named = match unit.lower.as_str() {
        "year" => format!("{}", date.year()),
        "month" if date.first_of_month() == span.last.date().first_of_month() => {
            date.strftime("%B %Y").to_string()
        }
        "day" => String::new(),
        _ => return text.to_owned(),
    };
    let needs_in = !named.is_empty()
        && !at
            .checked_sub(1)
            .is_some_and(|before| tokens[before].is_any(&["of", "in", "during", "for", "started", "began", "closed"]));
    let preposition = if needs_in { "in " } else { "" };
    format!(
        "{}{preposition}{named}{}",
        &text[..tokens[at].start],
        &text[unit.end..]
    )
}

/// `by year-end`, `at the end of the year`: with the year of the one time before it.
fn at_year_end(text: &str, today: Day) -> String {
    const ENDS: [&str; 5] = [
        "by year-end",
        "at year-end",
        "by the end of the year",
        "at the end of the year",
        "by the year's end",
    ];
    let found = ENDS.iter().find_map(|end| Some((text.find(end)?, end.len())));
    let Some((at, length)) = found else {
        return text.to_owned();
    };
    let rest = &text[at + length..];
    // `at year-end 2021` names it.
    if rest.trim_start().starts_with(|sign: char| sign.is_ascii_digit()) {
        return text.to_owned();
    }
    let head = &text[..at];
    let tokens = cut(head);
    let marks = items::mark(head, &tokens, today);
    let years: Vec<i16> = marks
        .items
        .iter()
        .filter_map(|item| match item.what {
            What::Period(Period::In(span), _) if !span.is_assumed => Some(span.first.date().year()),
            _ => None,
        })
        .collect();
    match years[..] {
        [year] => format!("{head}at the end of {year}{rest}"),
        _ => text.to_owned(),
    }
}

/// Whether a sentence denies something.
fn denies(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|token| {
        token.is_any(&["not", "never", "neither", "nor", "without", "no", "failed", "fails"])
            || token.lower.ends_with("n't")
            || token.lower.ends_with("n’t")
    })
}

/// The stretches between commas, colons and dashes, as ranges of tokens.
fn segments(tokens: &[Token<'_>]) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut first = 0;
    for at in 1..tokens.len() {
        if matches!(tokens[at].join, Join::Break | Join::Stop) {
            ranges.push(first..at);
            first = at;
        }
    }
    ranges.push(first..tokens.len());
    ranges
}

/// Without the stretches between commas that say nothing of a figure. `None` where there are none.
fn without_asides(text: &str, today: Day) -> Option<String> {
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
        let names = !subordinate && range.contains(&first_subject);
        if names || !is_timed || !is_aside(&own, &marks.items) {
            says += usize::from(marks.items.iter().any(|item| {
                matches!(item.what, What::Relation(_) | What::Amount(_) | What::Word(_))
            }));
            kept.push(written.to_owned());
            continue;
        }
        dropped = true;
        // What follows may be said of the one whom the aside names.
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
        // `While lenders burned on 13 March 2023, Schwab rose`: the time stays.
        if let Some(time) = times.first() {
            let time = &written[own[time.first].start..own[time.next - 1].end];
            kept.push(if time.to_lowercase().starts_with("in ") || time.to_lowercase().starts_with("on ") {
                time.to_owned()
            } else {
                format!("in {time}")
            });
        }
    }
    // What a denial belongs to is plain in one stretch only.
    let is_plain = !denies(&tokens) || says <= 1;
    (dropped && is_plain && !kept.is_empty()).then(|| kept.join(", "))
}

/// Whether a stretch says nothing of a figure.
fn is_aside(tokens: &[Token<'_>], items: &[Item]) -> bool {
    let says = items.iter().any(|item| match &item.what {
        What::Amount(_) | What::Measure(_) | What::Basis(_) => true,
        What::Subject(super::Subject::Named { .. }) => false,
        What::Subject(_) => true,
        _ => false,
    });
    // A subordinate clause may say that something rose; a main one is the claim.
    let opens = tokens.first().is_some_and(|first| {
        first.is_any(&SUBORDINATE)
            || first.is_any(&["the", "a", "an", "with", "sure", "according", "going", "by", "just"])
            // `Dreadful as 2022 was`.
            || tokens.get(1).is_some_and(|second| second.is("as"))
    });
    let relations = items
        .iter()
        .any(|item| matches!(item.what, What::Relation(_) | What::Word(_)));
    let limits = tokens.iter().any(|token| token.is_any(&LIMITS));
    let words = |phrase: &[&str]| {
        tokens.len() == phrase.len() && tokens.iter().zip(phrase).all(|(token, word)| token.is(word))
    };
    // Said to stress what is said anyway, or a part of the name of the figure.
    if words(&["not", "even", "intraday"]) || words(&["excluding", "food", "and", "energy"]) || words(&["dividends", "aside"]) {
        return true;
    }
    // `…, on the University of Michigan's index`: who measured.
    let is_source = tokens.first().is_some_and(|first| {
        first.is_any(&["on", "by", "per", "according", "going", "judging"])
    }) && items
        .iter()
        .all(|item| matches!(item.what, What::Subject(_) | What::Word("price")));
    if is_source && !limits {
        return true;
    }
    !says && !limits && (opens || !relations)
}

/// Without what follows a verb of circumstance: `… on 26 October 2022 following Q3 earnings`.
fn trailing(text: &str, tokens: &[Token<'_>], today: Day) -> Option<String> {
    let marks = items::mark(text, tokens, today);
    let said = marks
        .items
        .iter()
        .rev()
        .find(|item| matches!(item.what, What::Amount(_) | What::Period(..)))?;
    let opens = (said.next..tokens.len()).find(|at| {
        tokens[*at].is_any(&["following", "after", "amid", "as", "when", "while", "despite", "because", "on"])
    })?;
    let rest = &tokens[opens..];
    let is_plain = rest.iter().all(|token| token.number.is_none() && !token.is_any(&LIMITS));
    (is_plain && opens > 2).then(|| text[..tokens[opens - 1].end].to_owned())
}

/// The sentences that a sentence with `and`, `but`, `;` or a list says one after the other.
fn split(text: &str, today: Day) -> Vec<String> {
    let tokens = cut(text);
    let joins = tokens
        .iter()
        .any(|token| token.is_any(&["or", "either", "combined", "together", "between"]));
    // `a day later it was Target's turn`: what follows is not about the first subject or its time.
    let points = tokens
        .iter()
        .any(|token| token.is_any(&["later", "earlier", "afterwards", "respectively", "turn", "ago", "former", "latter"]));
    if joins || points || denies(&tokens) {
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
            || tokens[*at].is("while") ;
        let inside = marks
            .items
            .iter()
            .any(|item| item.first <= *at && *at < item.next);
        is_joint && !inside && says_something(&marks.items, 0..*at) && says_something(&marks.items, *at..tokens.len())
    });
    let Some(joint) = joint else {
        return Vec::new();
    };
    let left = written(0, joint).to_owned();
    let mut from = joint;
    while tokens.get(from).is_some_and(|token| token.is_any(&["and", "but", "then", "again", "also", "another", "while", "it", "they", "by"])) {
        from += 1;
    }
    if from >= tokens.len() {
        return Vec::new();
    }
    let right = written(from, tokens.len());
    let of_right: Vec<&Item> = marks.items.iter().filter(|item| item.first >= from).collect();
    let has = |items: &[&Item], kind: fn(&What) -> bool| items.iter().any(|item| kind(&item.what));
    let has_verb = has(&of_right, |what| {
        matches!(what, What::Relation("up" | "down" | "flat" | "double" | "triple" | "quadruple" | "quintuple" | "halve" | "close" | "open" | "trade" | "reach" | "exceed" | "undercut" | "peak" | "trough" | "beat" | "lag" | "begin"))
    });
    if has(&of_right, |what| matches!(what, What::Subject(_))) && has_verb {
        return vec![left, right.to_owned()];
    }
    if has_verb {
        let head = written(0, subject.next);
        return vec![left, format!("{head} {right}")];
    }
    // `gained 32 % in 2021 and 64 % in 2022`, `doubled in 2023 and again in 2024`: the first with other numbers.
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

/// Whether a stretch has a number or a move.
fn says_something(items: &[Item], range: std::ops::Range<usize>) -> bool {
    items
        .iter()
        .filter(|item| range.contains(&item.first))
        .any(|item| matches!(item.what, What::Amount(_) | What::Relation(_) | What::Period(..)))
}

/// `American Airlines, United and Delta all ended 2022 lower`: each of them.
fn of_list(text: &str, tokens: &[Token<'_>], items: &[Item]) -> Option<Vec<String>> {
    let mut names: Vec<&Item> = Vec::new();
    let mut next = 0;
    for item in items {
        let is_name = matches!(item.what, What::Subject(_));
        let between = tokens.get(next..item.first)?;
        let joined = between.iter().all(|token| token.is_any(&["and", "the", "both", "as", "well"]));
        if !is_name || !joined {
            break;
        }
        names.push(item);
        next = item.next;
    }
    if names.len() < 2 {
        return None;
    }
    let mut rest = next;
    while tokens.get(rest).is_some_and(|token| token.is_any(&["all", "both", "each", "shares", "stock", "stocks"])) {
        rest += 1;
    }
    let tail = &text[tokens.get(rest)?.start..];
    let parts = names.iter().map(|item| {
        let name = &text[tokens[item.first].start..tokens[item.next - 1].end];
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
        let joined = between.iter().all(|token| token.is_any(&["and", "of", "in", "the", "years"]));
        if !matches!(item.what, What::Period(Period::In(_), _)) || !joined {
            break;
        }
        times.push(item);
        next = item.next;
    }
    if times.len() < 2 {
        return None;
    }
    let head = text[..tokens[at].start].trim_end();
    let head = head.strip_suffix(" in").unwrap_or(head);
    let tail = tokens.get(next).map_or("", |token| &text[token.start..]);
    let parts = times.iter().map(|item| {
        let time = text[tokens[item.first].start..tokens[item.next - 1].end]
            .trim_start_matches("each of ")
            .trim_start_matches("both ")
            .trim_start_matches("in ");
        format!("{head} in {time} {tail}").trim_end().to_owned()
    });
    Some(parts.collect())
}

/// `its highest close of 2021, above $480, fell on 9 August`: how high, and when.
fn extreme_on(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let highest = marks.items.iter().position(|item| {
        matches!(item.what, What::Relation("highest" | "lowest"))
    })?;
    let amount = marks.items.iter().position(|item| matches!(item.what, What::Amount(_)))?;
    let others = marks.items.iter().filter(|item| matches!(item.what, What::Amount(_))).count();
    let when = marks.items.iter().rposition(|item| matches!(item.what, What::Period(Period::In(_), _)))?;
    let subject = marks.items.iter().position(|item| matches!(item.what, What::Subject(_)))?;
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
            matches!(item.what, What::Relation("above" | "below" | "about" | "just_above" | "just_below" | "at_least" | "at_most"))
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
    Some(vec![format!("{head} was {number}"), format!("{head} was {day}")])
}

/// `moved from $144.85 at year-end 2021 to $88.23 at year-end 2022`: one level at each time. `None` where the direction that
/// is said is not that of the numbers.
fn from_to(text: &str, today: Day) -> Option<Vec<String>> {
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
        let amount = &text[tokens[amount.first].start..tokens[amount.next - 1].end];
        let time = &text[tokens[time.first].start..tokens[time.next - 1].end];
        let time = time.strip_prefix("to ").unwrap_or(time);
        let has_preposition = ["in ", "on ", "at ", "by "].iter().any(|word| time.starts_with(word));
        format!("{head} was {amount} {}{time}", if has_preposition { "" } else { "in " })
    };
    Some(vec![level(from[0], from[1]), level(from[2], from[3])])
}

/// `The Nasdaq, which sank 33 % in 2022, clawed back 43 % in 2023`, `Amazon rebounded 44 % in 2023, having halved in 2022`, `While
/// the S&P 500 was falling 19 % in 2022, Exxon was climbing 80 %`.
fn two_clauses(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    if denies(&tokens) {
        return None;
    }
    let ranges = segments(&tokens);
    let written = |range: &std::ops::Range<usize>| {
        let part = tokens.get(range.clone())?;
        Some(&text[part.first()?.start..part.last()?.end])
    };
    let says = |part: &str| {
        let own = cut(part);
        let marks = items::mark(part, &own, today);
        marks.items.iter().any(|item| matches!(item.what, What::Amount(_) | What::Relation("double" | "triple" | "halve" | "quadruple")))
    };
    let bare = |part: &str| {
        ["which had ", "which has ", "which ", "having ", "who ", "already "]
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
                let verb = if second.starts_with("worth ") { "was " } else { "" };
                return Some(vec![format!("{first} {verb}{second}"), format!("{first} {rest}")]);
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
            let time = &rest[own[time.first].start..own[time.next - 1].end];
            let others = cut(second);
            let has_time = items::mark(second, &others, today)
                .items
                .iter()
                .any(|item| matches!(item.what, What::Period(..)));
            let preposition = if time.starts_with("in ") || time.starts_with("on ") { "" } else { "in " };
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

/// `Brent averaged $100.9 in 2022 compared with $70.9 in 2021`: the same of another time.
fn compared_with(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    if denies(&tokens) {
        return None;
    }
    let at = (1..tokens.len()).find(|at| {
        tokens[*at].is_any(&["compared", "versus", "vs", "against"])
    })?;
    let mut from = at + 1;
    while tokens.get(from).is_some_and(|token| token.is_any(&["with", "to", "an", "a", "average", "of", "just", "only"])) {
        from += 1;
    }
    let left = text[..tokens[at - 1].end].to_owned();
    let own = cut(&left);
    let marks = items::mark(&left, &own, today);
    let right = text.get(tokens.get(from)?.start..)?;
    let others = cut(right);
    let of_right = items::mark(right, &others, today);
    let [amount, time] = &of_right.items[..] else {
        return None;
    };
    if !matches!((&amount.what, &time.what), (What::Amount(_), What::Period(..))) {
        return None;
    }
    let number = marks.items.iter().rfind(|item| matches!(item.what, What::Amount(_)))?;
    let when = marks.items.iter().rfind(|item| matches!(item.what, What::Period(..)))?;
    let written = |item: &Item| &right[others[item.first].start..others[item.next - 1].end];
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
fn both_others(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    if denies(&tokens) {
        return None;
    }
    let marks = items::mark(text, &tokens, today);
    let relation = marks
        .items
        .iter()
        .position(|item| matches!(item.what, What::Relation("beat" | "lag" | "fall_more" | "fall_less")))?;
    let mut others: Vec<&Item> = Vec::new();
    let mut next = marks.items[relation].next;
    for item in &marks.items[relation + 1..] {
        let between = tokens.get(next..item.first)?;
        let joined = between.iter().all(|token| token.is_any(&["and", "both", "the", "as", "well"]));
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
        let name = &text[tokens[item.first].start..tokens[item.next - 1].end];
        format!("{head} {name} {tail}")
    });
    Some(parts.collect())
}

/// `Of Delta, United and American, American had the best 2022`: it did better than each of the others.
fn best_of(text: &str, today: Day) -> Option<Vec<String>> {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let named = |item: &Item| match &item.what {
        What::Subject(subject) => Some(subject.clone()),
        _ => None,
    };
    let subjects: Vec<(super::Subject, &Item)> = marks
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
    let time = marks.items.iter().find(|item| matches!(item.what, What::Period(..)))?;
    let written = |item: &Item| &text[tokens[item.first].start..tokens[item.next - 1].end];
    let relation = if best { "outperformed" } else { "underperformed" };
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
fn is_same_name(one: &super::Subject, other: &super::Subject) -> bool {
    match (one, other) {
        (super::Subject::Named { ticker: Some(one), .. }, super::Subject::Named { ticker: Some(other), .. }) => one == other,
        (super::Subject::Named { text: one, .. }, super::Subject::Named { text: other, .. }) => {
            one.starts_with(other.as_str()) || other.starts_with(one.as_str())
        }
        _ => false,
    }
}
