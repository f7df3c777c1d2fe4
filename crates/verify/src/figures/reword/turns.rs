//! Turns of phrase, replaced with plain words that mean the same.

use model::Day;

use crate::figures::dates::month_day;
use crate::figures::items::{self, What};
use crate::figures::numbers;
use crate::figures::period::{is_seq, year_of};
use crate::figures::token::{Join, Token, cut};

/// What has a noun of its own while prices move: `in the regional-bank panic`.
const EPISODES: [&str; 32] = [
    "market",
    "markets",
    "crash",
    "rout",
    "selloff",
    "sell-off",
    "off",
    "rally",
    "squeeze",
    "slump",
    "panic",
    "crisis",
    "recession",
    "pandemic",
    "meltdown",
    "turmoil",
    "downturn",
    "correction",
    "rebound",
    "recovery",
    "boom",
    "frenzy",
    "mania",
    "shock",
    "scare",
    "turbulence",
    "lockdown",
    "lockdowns",
    "war",
    "bust",
    "bubble",
    "hype",
];

/// A sentence in plain words, as far as they require no knowledge of times.
pub(super) fn plainly(text: &str) -> String {
    let plain = half_a_cent(&profit_of(text));
    let plain = than_it_began(&plain);
    let plain = run_reached(&plain);
    named_day(&when_it_ended(&plain))
}

/// Replaces the first stretch that a finder names with the finder's words.
fn replaced(text: &str, find: impl Fn(&[Token<'_>], usize) -> Option<(usize, String)>) -> String {
    let tokens = cut(text);
    let found = (0..tokens.len()).find_map(|at| Some((at, find(&tokens, at)?)));
    match found {
        Some((at, (next, words))) => format!(
            "{}{words}{}",
            &text[..tokens[at].start],
            &text[tokens[next - 1].end..]
        ),
        None => text.to_owned(),
    }
}

/// Whether a word names a part of a year, or each of several.
fn is_part_of_year(tokens: &[Token<'_>], at: usize) -> bool {
    const OTHERS: [&str; 23] = [
        "quarter",
        "half",
        "month",
        "week",
        "today",
        "yesterday",
        "day",
        "session",
        "spring",
        "summer",
        "autumn",
        "winter",
        "q1",
        "q2",
        "q3",
        "q4",
        "h1",
        "h2",
        "q",
        "h",
        "each",
        "every",
        "start",
    ];
    month_day::month_at(tokens, at).is_some()
        || month_day::is_weekday(&tokens[at])
        || tokens[at].is_any(&OTHERS)
}

/// `made a net profit of $1.2 billion`: had a net income of that amount.
fn profit_of(text: &str) -> String {
    replaced(text, |tokens, at| {
        let verb = tokens[at].is_any(&["made", "earned", "booked", "turned", "makes", "recorded"]);
        let mut next = at + 1;
        let is_article = |token: &Token<'_>| token.is_any(&["a", "an"]);
        if !verb || !tokens.get(next).is_some_and(is_article) {
            return None;
        }
        next += 1;
        next += usize::from(tokens.get(next)?.is("net"));
        let words = match tokens[next].lower.as_str() {
            "profit" => "had net income of",
            "loss" => "had a net loss of",
            _ => return None,
        };
        // A company's amount for the whole of a time: not a percentage, and nothing that somebody made on its shares.
        let is_sum = tokens.get(next + 2)?.is_any(&["$", "€", "£", "¥"])
            && tokens
                .iter()
                .any(|token| token.is_any(&["million", "billion", "trillion", "bn", "m"]));
        let rest = &tokens[next + 1..];
        let is_whole = !rest
            .iter()
            .any(|token| token.is_any(&["on", "day", "week", "month", "hour", "from"]));
        (tokens[next + 1].is("of") && is_sum && is_whole).then(|| (next + 2, words.to_owned()))
    })
}

/// `less than half a US cent`: less than 0.5 cents.
fn half_a_cent(text: &str) -> String {
    replaced(text, |tokens, at| {
        let is_half = tokens[at].is("half") && tokens.get(at + 1)?.is_any(&["a", "of"]);
        let mut cent = at + 2;
        cent += usize::from(tokens.get(cent)?.is_any(&["us", "u.s", "a"]));
        let is_cent = tokens.get(cent)?.is("cent");
        (is_half && is_cent).then(|| (cent + 1, "0.5 cents".to_owned()))
    })
}

/// `ended 2022 lower than it began it`, `below where it had started the year`: lower. `worth more per share than`:
/// higher than.
fn than_it_began(text: &str) -> String {
    let text = &replaced(text, |tokens, at| {
        let side = tokens.get(at + 1)?;
        let higher = match side.lower.as_str() {
            "more" => "higher",
            "less" => "lower",
            _ => return None,
        };
        let mut than = at + 2;
        if tokens.get(than)?.is_any(&["per", "a"]) {
            than += 2;
        }
        let at_time = tokens.get(than + 1)?.is_any(&["at", "in", "it", "they"])
            && !tokens[than..]
                .iter()
                .any(|token| token.is_any(&["start", "beginning", "outset"]));
        let is_worth = tokens[at].is("worth") && tokens.get(than)?.is("than") && at_time;
        is_worth.then(|| (than + 1, format!("{higher} than")))
    });
    replaced(text, |tokens, at| {
        let direction = match tokens[at].lower.as_str() {
            "lower" | "below" | "under" | "beneath" | "cheaper" | "down" => "lower",
            "weaker" => "weaker",
            "higher" | "above" | "over" | "dearer" | "up" => "higher",
            "stronger" => "stronger",
            _ => return None,
        };
        // `stronger against the euro than it had begun the year`.
        let than = (at + 1..at + 5).find(|than| {
            tokens
                .get(*than)
                .is_some_and(|token| token.is_any(&["than", "where", "from"]))
        })?;
        let where_it =
            if tokens[than].is_any(&["than", "from"]) && tokens.get(than + 1)?.is("where") {
                than + 1
            } else {
                than
            };
        let mut next = where_it + 1;
        if !tokens.get(next)?.is_any(&["it", "they"]) {
            return None;
        }
        next += 1;
        next += usize::from(tokens.get(next)?.is("had"));
        let begins = tokens
            .get(next)?
            .is_any(&["began", "begun", "begins", "started", "starts"]);
        if !begins {
            return None;
        }
        next += 1;
        // The period that it began: not another of its own.
        let object = tokens
            .get(next)
            .is_none_or(|token| token.join == Join::Stop || token.join == Join::Break);
        let names_part = (0..tokens.len()).any(|at| is_part_of_year(tokens, at));
        let is_it = tokens.get(next).is_some_and(|token| token.is("it"));
        let is_span = tokens
            .get(next)
            .is_some_and(|token| token.is_any(&["the", "that"]))
            && tokens.get(next + 1).is_some_and(|unit| {
                // `ended June above where it had begun the year`: not over the month.
                unit.is("year") && !names_part
            });
        let next = match (is_it, is_span, object) {
            (true, _, _) => next + 1,
            (_, true, _) => next + 2,
            (_, _, true) if !names_part => next,
            _ => return None,
        };
        let between: Vec<&str> = tokens[at + 1..than]
            .iter()
            .map(|token| token.text)
            .collect();
        let between = if between.is_empty() {
            String::new()
        } else {
            format!(" {}", between.join(" "))
        };
        Some((next, format!("{direction}{between}")))
    })
}

/// `when 2021 came to an end`, `when 2025 ended`: at the end of that year.
fn when_it_ended(text: &str) -> String {
    const ENDS: [&[&str]; 6] = [
        &["came", "to", "an", "end"],
        &["drew", "to", "a", "close"],
        &["came", "to", "a", "close"],
        &["was", "over"],
        &["ended"],
        &["closed"],
    ];
    replaced(text, |tokens, at| {
        // What came after it, or moved, is something else.
        let is_level = tokens[..at].iter().any(|token| {
            token.is_any(&[
                "was", "were", "stood", "traded", "cost", "yielded", "yielding",
            ])
        });
        let opens = tokens[at].is("when") && is_level;
        let year = tokens.get(at + 1)?;
        year_of(year).filter(|_| opens)?;
        let length = ENDS
            .iter()
            .find(|end| is_seq(tokens, at + 2, end))
            .map(|end| end.len())?;
        let next = at + 2 + length;
        let is_last = tokens.get(next).is_none();
        is_last.then(|| (next, format!("at the end of {}", year.text)))
    })
}

/// `Its July 2023 winning streak reached 15 sessions`: rose for that many sessions.
fn run_reached(text: &str) -> String {
    let tokens = cut(text);
    let Some(streak) = tokens.iter().position(|token| token.is("streak")) else {
        return text.to_owned();
    };
    let found = || {
        let rises = match tokens[streak.checked_sub(1)?].lower.as_str() {
            "winning" => "rose",
            "losing" => "fell",
            _ => return None,
        };
        let verb = (streak + 1..tokens.len())
            .find(|at| tokens[*at].is_any(&["reached", "lasted", "ran", "stretched", "spanned"]))?;
        let mut count = verb + 1;
        count += usize::from(tokens.get(count)?.is_any(&["to", "for"]));
        let is_count = tokens.get(count)?.whole().is_some()
            || numbers::numeral(&tokens[count].lower).is_some();
        let mut unit = count + 1;
        unit += usize::from(
            tokens
                .get(unit)?
                .is_any(&["straight", "consecutive", "trading"]),
        );
        let is_unit = tokens.get(unit)?.is_any(&["sessions", "days"]);
        let owner = tokens[..streak]
            .iter()
            .rposition(|token| token.possessive)?;
        // Its time stands between them, and nothing else.
        let between = &tokens[owner + 1..streak - 1];
        let is_time = between.iter().any(|token| year_of(token).is_some())
            && (owner + 1..streak - 1).all(|at| {
                tokens[at].number.is_some() || month_day::month_at(&tokens, at).is_some()
            });
        if !is_count || !is_unit || !is_time || verb != streak + 1 {
            return None;
        }
        let name = text[..tokens[owner].end]
            .trim_end_matches("'s")
            .trim_end_matches("’s");
        let time = &text[between[0].start..between[between.len() - 1].end];
        Some(format!(
            "{name} {rises} for {} consecutive sessions in {time}{}",
            tokens[count].text,
            &text[tokens[unit].end..]
        ))
    };
    found().unwrap_or_else(|| text.to_owned())
}

/// `On Pfizer-vaccine Monday, November 9, 2020,`: on that day.
fn named_day(text: &str) -> String {
    let tokens = cut(text);
    let found = || {
        let day = tokens.iter().position(month_day::is_weekday)?;
        let date = tokens
            .get(day + 1)
            .filter(|date| date.join == Join::Break)?;
        let on = tokens[day.saturating_sub(5)..day]
            .iter()
            .rposition(|token| token.is("on"))?
            + day.saturating_sub(5);
        let is_named = on + 1 < day
            && tokens[on + 1..day].iter().all(|token| {
                // A name: `on fears before Friday` is not one.
                token.number.is_none()
                    && (token.is_capital() && token.join == Join::Space
                        || token.join == Join::Hyphen)
            });
        let is_date = date.number.is_some()
            || tokens
                .get(day + 2)
                .is_some_and(|next| next.number.is_some());
        (is_named && is_date).then(|| {
            format!(
                "{}{} {}",
                &text[..tokens[on].start],
                tokens[on].text,
                &text[date.start..]
            )
        })
    };
    found().unwrap_or_else(|| text.to_owned())
}

/// `held up in the panic, down 8 % on 13 March`: without the panic.
pub(super) fn without_episode(text: &str, today: Day) -> String {
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let found = || {
        let noun = (2..tokens.len()).find(|at| {
            let is_market = tokens[*at].is_any(&["market", "markets"]);
            let kind = &tokens[at - 1];
            tokens[*at].is_any(&EPISODES)
                && (!is_market || kind.is_any(&["bear", "bull"]))
                && (!tokens[*at].is("off") || kind.is("sell") && tokens[*at].join == Join::Hyphen)
        })?;
        let ends = tokens.get(noun + 1).is_none_or(|next| {
            next.join != Join::Space && next.join != Join::Hyphen
                || next.is_any(&["and", "but", "by", "to", "on", "with", "of", "in"])
        });
        let begin = (noun.saturating_sub(8)..noun)
            .rev()
            .find(|at| tokens[*at].is_any(&["in", "during", "through", "throughout", "amid"]))?;
        let is_plain = tokens.get(begin + 1)?.is_any(&["the", "that"])
            && ends
            && tokens[begin + 1..=noun]
                .iter()
                .all(|token| !matches!(token.join, Join::Break | Join::Stop));
        if !is_plain {
            return None;
        }
        let inner: Vec<_> = marks
            .items
            .iter()
            .filter(|item| item.first >= begin && item.first < noun)
            .collect();
        let others = marks.items.iter().any(|item| {
            matches!(item.what, What::Period(..)) && (item.next <= begin || item.first > noun)
        });
        // What happened within an episode in a year is not a change over the year.
        let is_plain = inner.is_empty()
            && others
            && !tokens[begin..noun]
                .iter()
                .any(|token| token.is_any(&["first", "second", "third", "last", "early", "late"]));
        let head = text[..tokens[begin].start].trim_end();
        is_plain.then(|| format!("{head}{}", &text[tokens[noun].end..]))
    };
    found().map_or_else(
        || text.to_owned(),
        |plain| plain.trim_start_matches([',', ' ']).to_owned(),
    )
}
