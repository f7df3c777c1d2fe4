//! A claim in the words that the rest of this module reads, where it uses others for the same: a day by its name, a
//! price within so much of a high.

use model::{Day, NamedDay};

use super::period::year_of;
use super::token::{Join, Token, cut};

/// The claim with named days as dates and distances to a high or low as read elsewhere; `None` if it has none of these.
pub fn respelled(text: &str, today: Day) -> Option<String> {
    let tokens = cut(text);
    let mut made = String::with_capacity(text.len());
    let mut written = 0;
    let mut at = 0;
    while at < tokens.len() {
        let found = named_day(&tokens, at, today).or_else(|| near_limit(text, &tokens, at));
        let Some((words, next)) = found else {
            at += 1;
            continue;
        };
        made.push_str(&text[written..tokens[at].start]);
        made.push_str(&words);
        written = tokens[next - 1].end;
        at = next;
    }
    if written == 0 {
        return None;
    }
    made.push_str(&text[written..]);
    Some(made)
}

/// `Black Friday`, `Christmas Eve 2025`: the newest one up to today if no year is given.
fn named_day(tokens: &[Token<'_>], at: usize, today: Day) -> Option<(String, usize)> {
    if !tokens[at].text.starts_with(char::is_uppercase) {
        return None;
    }
    let bare = |token: &Token<'_>| token.lower.trim_end_matches(['\'', '’']).to_owned();
    let words: Vec<String> = tokens[at..].iter().take(5).map(bare).collect();
    let named = NamedDay::at_start(words.iter().map(String::as_str))?;
    let next = at + named.name.len();
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    let is_after_joint = before.is_some_and(|before| {
        before.is_any(&[
            "on", "since", "at", "from", "to", "until", "between", "last",
        ])
    });
    // `on Black Friday sales`.
    let is_alone = tokens.get(next).is_none_or(|token| {
        matches!(token.join, Join::Break | Join::Stop)
            || !token.lower.starts_with(char::is_alphanumeric)
            || token.is_any(&[
                "and", "or", "to", "until", "but", "as", "after", "while", "when", "by", "from",
                "with",
            ])
    });
    // `Christmas sales`, `Easter eggs`: no day; `on Black Friday` is one.
    let year = tokens.get(next).and_then(year_of);
    let is_day = named.is_plain || year.is_some() || is_after_joint && is_alone;
    if !is_day {
        return None;
    }
    let day = match year {
        Some(year) => named.in_year(year),
        None => named.up_to(today),
    }?;
    let date = day.date();
    Some((
        format!("{} {} {}", date.day(), day.month_name(), date.year()),
        next + usize::from(year.is_some()),
    ))
}

/// `within 5 percent of its 52-week high`: at most so much below it.
fn near_limit(text: &str, tokens: &[Token<'_>], at: usize) -> Option<(String, usize)> {
    if !tokens[at].is("within") {
        return None;
    }
    let number = tokens.get(at + 1).filter(|token| token.number.is_some())?;
    let unit = at + 2;
    let is_percent = tokens
        .get(unit)
        .is_some_and(|token| token.is_any(&["%", "percent", "pct"]));
    let of = tokens.get(unit + 1).is_some_and(|token| token.is("of"));
    if !is_percent || !of {
        return None;
    }
    let limit = tokens[unit + 2..]
        .iter()
        .take(6)
        .find(|token| token.is_any(&["high", "highs", "peak", "low", "lows", "trough"]))?;
    let side = if limit.is_any(&["low", "lows", "trough"]) {
        "above"
    } else {
        "below"
    };
    let size = &text[number.start..tokens[unit].end];
    Some((format!("at most {size} {side}"), unit + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_distances_are_written_as_they_are_read_elsewhere() {
        let today = Day::parse("2026-12-01").unwrap();
        for (text, expected) in [
            (
                "Tesla closed at $402.59 on Black Friday.",
                Some("Tesla closed at $402.59 on 27 November 2026."),
            ),
            (
                "Gold fell on New Year's Eve 2025, by 2 percent.",
                Some("Gold fell on 31 December 2025, by 2 percent."),
            ),
            (
                "Apple trades within 5 percent of its 52-week high.",
                Some("Apple trades at most 5 percent below its 52-week high."),
            ),
            (
                "Apple is within 5.5% of its 52-week low",
                Some("Apple is at most 5.5% above its 52-week low"),
            ),
            ("Apple had a good Friday, gaining 3 percent.", None),
            ("Target rose 3% on Black Friday sales.", None),
            (
                "Walmart's Black Friday and Cyber Monday sales rose 5%.",
                None,
            ),
            ("Black Friday sales rose 4 percent.", None),
            ("Christmas sales at Walmart rose 4 percent.", None),
            ("Apple closed within a range of 5 percent.", None),
        ] {
            assert_eq!(respelled(text, today).as_deref(), expected, "{text}");
        }
    }
}
