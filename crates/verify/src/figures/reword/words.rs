//! Words that stand for a day, a bound, a run or a company, spelled out.

use model::Day;

use crate::figures::items::{self, What};
use crate::figures::numbers;
use crate::figures::period;
use crate::figures::token::{Join, Token, cut};

/// Verbs before a run: `had nine down days running`, `strung together 13 gains`, `suffered a 14-day losing streak`.
const RUN_VERBS: [&str; 15] = [
    "had",
    "posted",
    "together",
    "saw",
    "recorded",
    "notched",
    "logged",
    "strung",
    "made",
    "enjoyed",
    "suffered",
    "endured",
    "on",
    "completed",
    "extended",
];

/// Words that say what measured something, followed by the measure: `as measured by the XLE fund`.
const MEASURED: [&str; 5] = ["measured", "tracked", "gauged", "proxied", "represented"];

/// Spells out words that stand for a day, a bound or a company.
pub(super) fn in_plain_words(text: &str) -> String {
    const WRITTEN: [(&str, &str); 21] = [
        (" busiest trading day", " highest volume"),
        (" busiest day", " highest volume"),
        (" busiest session", " highest volume"),
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
    let plain = fund_of_sector(&than_it_did(&which_quarter(&plain)));
    of_parent(&in_a_row(&streak(&ends_of_years(&plain))))
}

/// `a 13-session winning streak in July`: rose for 13 consecutive sessions in July.
fn streak(text: &str) -> String {
    let tokens = cut(text);
    let found = (1..tokens.len()).find_map(|at| {
        let is_run = tokens[at].is_any(&["streak", "run"]);
        let rises = match tokens[at - 1].lower.as_str() {
            "winning" => true,
            "losing" => false,
            _ => return None,
        };
        let unit = at.checked_sub(2).map(|unit| &tokens[unit])?;
        let count = at.checked_sub(3).map(|count| &tokens[count])?;
        let is_count = count.whole().is_some() || numbers::numeral(&count.lower).is_some();
        let is_day = unit.is_any(&["session", "day"]) && unit.join == Join::Hyphen;
        let article = at
            .checked_sub(4)
            .filter(|article| tokens[*article].is_any(&["a", "an", "its"]))?;
        let verb = article
            .checked_sub(1)
            .filter(|verb| tokens[*verb].is_any(&RUN_VERBS))?;
        let begin = if tokens[verb].is("together") && verb > 0 {
            verb - 1
        } else {
            verb
        };
        let word = if rises { "rose" } else { "fell" };
        (is_run && is_count && is_day).then(|| {
            format!(
                "{}{word} for {} consecutive sessions{}",
                &text[..tokens[begin].start],
                count.text,
                &text[tokens[at].end..]
            )
        })
    });
    found.unwrap_or_else(|| text.to_owned())
}

/// `averaged more in 2025 than it did in 2024`: more than it did in 2024 in 2025.
fn than_it_did(text: &str) -> String {
    let tokens = cut(text);
    let is_side = |token: &Token<'_>| token.is_any(&["more", "less", "higher", "lower"]);
    let found = tokens.iter().enumerate().find_map(|(at, token)| {
        let than =
            (at + 2..at + 5).find(|than| tokens.get(*than).is_some_and(|next| next.is("than")))?;
        let between = tokens.get(at + 1..than)?;
        let is_time = between.first()?.is("in") && between.last()?.number.is_some();
        let again = tokens.get(than + 1)?.is_any(&["it", "they", "in"]);
        (is_side(token) && is_time && again).then_some((at, than))
    });
    let Some((at, than)) = found else {
        return text.to_owned();
    };
    let time = &text[tokens[at + 1].start..tokens[than - 1].end];
    // Up to the next clause.
    let end = (than + 1..tokens.len())
        .find(|at| tokens[*at].join == Join::Break || tokens[*at].is_any(&["and", "but", "while"]))
        .map_or(text.len(), |at| tokens[at - 1].end);
    let (head, behind) = text.split_at(end);
    let rest = head[tokens[than].end..].trim_end_matches('.');
    let verb = if tokens[than + 1].is("in") {
        " it did"
    } else {
        ""
    };
    format!(
        "{} than{verb}{rest} {time}{behind}",
        &text[..tokens[at].end]
    )
}

/// `Consumer staples (XLP)`: this means the fund.
fn fund_of_sector(text: &str) -> String {
    const WORDS: [&str; 22] = [
        "consumer",
        "discretionary",
        "staples",
        "energy",
        "financials",
        "financial",
        "technology",
        "tech",
        "materials",
        "real",
        "estate",
        "health",
        "care",
        "healthcare",
        "utilities",
        "industrials",
        "communication",
        "services",
        "stocks",
        "shares",
        "sector",
        "oil",
    ];
    let tokens = cut(text);
    let mut plain = String::new();
    let mut from = 0;
    for (at, token) in tokens.iter().enumerate().skip(1) {
        let is_fund = token.text.starts_with("XL") && (3..=4).contains(&token.text.len());
        let in_brackets = text[..token.start].ends_with('(') && text[token.end..].starts_with(')');
        let words = tokens[..at]
            .iter()
            .rev()
            .take_while(|word| word.is_any(&WORDS) && word.start >= from)
            .count();
        if is_fund && in_brackets && words > 0 {
            plain.push_str(&text[from..tokens[at - words].start]);
            plain.push_str(token.text);
            from = token.end + 1;
        }
    }
    plain.push_str(&text[from..]);
    plain
}

/// `its worst quarter of 2023 was the second`: the second quarter.
fn which_quarter(text: &str) -> String {
    let bare = text.trim_end_matches('.');
    let is_ordinal = ["first", "second", "third", "fourth"]
        .iter()
        .any(|ordinal| bare.ends_with(&format!(" the {ordinal}")));
    if is_ordinal && text.contains(" quarter ") {
        format!("{bare} quarter")
    } else {
        text.to_owned()
    }
}

/// `At 2022's end`, `by 2022's close`: at the end of 2022.
fn ends_of_years(text: &str) -> String {
    let tokens = cut(text);
    let found = tokens.windows(2).position(|pair| {
        period::year_of(&pair[0]).is_some()
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
    const ROW: [&str; 3] = ["in", "a", "row"];
    const RISES: [&str; 6] = ["gains", "advances", "rises", "up", "winning", "higher"];
    const FALLS: [&str; 6] = ["losses", "declines", "falls", "down", "losing", "lower"];
    let tokens = cut(text);
    let count =
        |token: &Token<'_>| token.whole().is_some() || numbers::numeral(&token.lower).is_some();
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
        let row = period::is_seq(&tokens, next, &ROW);
        next += if row { 3 } else { 0 };
        let subject = (0..at)
            .rev()
            .find(|place| tokens[*place].is_any(&RUN_VERBS));
        let (Some(rises), Some(verb)) = (rises, subject.filter(|verb| verb + 1 == at)) else {
            continue;
        };
        if !is_run && !row {
            continue;
        }
        let begin = if tokens[verb].is("together") && verb > 0 {
            verb - 1
        } else {
            verb
        };
        let rest = tokens.get(next).map_or("", |token| &text[token.start..]);
        // `to end October`: which part of the month is unclear.
        if rest.starts_with("to end") {
            continue;
        }
        let rest = rest
            .strip_prefix("to ")
            .or_else(|| rest.strip_prefix("up to "))
            .map_or_else(|| rest.to_owned(), |rest| format!("ending {rest}"));
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
        let is_said = tokens
            .get(next)
            .is_some_and(|token| token.is_any(&["straight", "consecutive"]));
        next += usize::from(is_said);
        next += usize::from(tokens.get(next).is_some_and(|token| token.is("trading")));
        let Some(unit) = tokens
            .get(next)
            .filter(|token| token.is_any(&["sessions", "days"]))
        else {
            continue;
        };
        let row = period::is_seq(&tokens, next + 1, &ROW);
        let runs = tokens
            .get(next + 1)
            .is_some_and(|token| token.is("running"));
        if !is_said && !row && !runs {
            continue;
        }
        let end = match (row, runs) {
            (true, _) => tokens[next + 3].end,
            (_, true) => tokens[next + 1].end,
            _ => unit.end,
        };
        // `on 13 consecutive days`.
        let begin = if at > 0 && tokens[at - 1].is_any(&["on", "in"]) {
            tokens[at - 1].start
        } else {
            tokens[at].start
        };
        return format!(
            "{}for {} consecutive sessions{}",
            &text[..begin],
            tokens[at].text,
            &text[end..]
        );
    }
    text.to_owned()
}

/// Names owned by a listed company, and its symbol.
const OWNED: [(&str, &str); 5] = [
    ("google", "GOOGL"),
    ("youtube", "GOOGL"),
    ("facebook", "META"),
    ("instagram", "META"),
    ("whatsapp", "META"),
];

/// `Facebook's parent Meta` is Meta.
fn of_parent(text: &str) -> String {
    let tokens = cut(text);
    let found = tokens.windows(2).position(|pair| {
        pair[0].is_capital()
            && pair[1].is_any(&["parent", "owner", "maker"])
            && pair[1].join == Join::Space
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
    // `Google's owner fell`: the company that is traded.
    let owned = OWNED.iter().find(|(name, _)| tokens[at].is(name));
    if let (Some((_, symbol)), false, true) = (owned, after.is_capital(), tokens[at].possessive) {
        return format!(
            "{}{symbol} {}",
            &text[..tokens[at].start],
            &text[after.start..]
        );
    }
    let same =
        text::entities::traded(name_of(&tokens[at])).zip(text::entities::traded(name_of(after)));
    let is_same = same.is_some_and(|(one, other)| one.0 == other.0);
    if is_same && matches!(after.join, Join::Space | Join::Break) {
        return format!("{}{}", &text[..tokens[at].start], &text[after.start..]);
    }
    text.to_owned()
}

/// Whether the words before a colon say nothing: `AI summary`, `Soft commodities`.
fn is_label(label: &str) -> bool {
    const LABELS: [&str; 28] = [
        "ai",
        "in",
        "summary",
        "update",
        "breaking",
        "note",
        "fact",
        "headline",
        "recap",
        "reminder",
        "context",
        "commodities",
        "soft",
        "metals",
        "energy",
        "tech",
        "crypto",
        "fx",
        "macro",
        "markets",
        "stocks",
        "equities",
        "volatility",
        "breakevens",
        "rates",
        "currencies",
        "economy",
        "market",
    ];
    label.split_whitespace().count() <= 3
        && label
            .split_whitespace()
            .all(|word| LABELS.contains(&word.to_lowercase().as_str()))
}

/// Removes the phrase that says whose figures they are, if only theirs are on record: `on ECB reference rates`,
/// `derived from the ECB's daily fixings`.
fn without_source(text: &str) -> String {
    const OPENS: [&str; 10] = [
        "on",
        "by",
        "per",
        "using",
        "at",
        "derived",
        "based",
        "according",
        "going",
        "judging",
    ];
    const SOURCES: [&str; 3] = ["ecb", "bls", "fred"];
    const NOUNS: [&str; 12] = [
        "reference",
        "fixing",
        "fixings",
        "official",
        "daily",
        "rate",
        "rates",
        "data",
        "figures",
        "series",
        "fix",
        "numbers",
    ];
    let tokens = cut(text);
    let Some(source) = tokens.iter().position(|token| token.is_any(&SOURCES)) else {
        return text.to_owned();
    };
    let mut next = source + 1;
    while tokens.get(next).is_some_and(|token| token.is_any(&NOUNS)) {
        next += 1;
    }
    let mut first = source;
    while first > 0
        && (tokens[first - 1].is_any(&["the", "from", "to"]) || tokens[first - 1].is_any(&OPENS))
    {
        first -= 1;
    }
    // `from the ECB rate of 1.10`, `on ECB rate day`.
    let is_other = tokens
        .get(next)
        .is_some_and(|token| token.is_any(&["of", "day", "decision", "meeting", "decisions"]));
    if next == source + 1 || !tokens[first].is_any(&OPENS) || is_other || first == 0 {
        return text.to_owned();
    }
    let rest = tokens.get(next).map_or("", |token| &text[token.start..]);
    format!("{} {rest}", &text[..tokens[first - 1].end])
        .trim_end()
        .to_owned()
}

/// A word without its possessive ending.
fn name_of<'t>(token: &Token<'t>) -> &'t str {
    token.text.trim_end_matches("'s").trim_end_matches("’s")
}

/// Without a leading label (`AI summary: …`), and with the figure itself in place of what it measures.
pub(super) fn stripped(text: &str, today: Day) -> String {
    let mut text = text.trim();
    if let Some((label, rest)) = text.split_once(": ")
        && is_label(label)
        && rest.split_whitespace().count() >= 4
    {
        text = rest;
    }
    let text = &without_source(text);
    let tokens = cut(text);
    let found = tokens
        .windows(2)
        .position(|pair| pair[0].is_any(&MEASURED) && pair[1].is("by"));
    let Some(at) = found else {
        return text.to_owned();
    };
    // The thing measured says nothing of its own: no number, no move, no series.
    let before = &text[..tokens[at].start];
    let own = cut(before);
    let has_number = before.to_lowercase().contains("non")
        || items::mark(before, &own, today)
            .items
            .iter()
            .any(|item| !matches!(item.what, What::Word("price")));
    match tokens.get(at + 2) {
        // `Energy stocks, as measured by the XLE fund, climbed …`
        Some(next) if at <= 6 && !has_number => text[next.start..].to_owned(),
        _ => text.to_owned(),
    }
}
