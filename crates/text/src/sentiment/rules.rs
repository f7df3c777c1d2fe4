//! From words to the polarity of a sentence.

use super::lexicon::{Entry, longest};
use crate::annotate::lexed::{Token, gap, shape};

/// The maximum number of words between a direction and what it moves.
const REACH: usize = 7;
/// Longer sentences are read up to this word.
const LONGEST_SENTENCE: usize = 120;

#[derive(Clone, Copy)]
struct Hit {
    at: usize,
    entry: Entry,
}

/// The result of the rules for a sentence.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// The polarity as an unbounded number: about 1 for one clear word.
    pub(crate) raw: f32,
    /// Indices of directions that move something bad, so they mean the opposite of their usual meaning.
    pub(crate) turned: Vec<usize>,
    /// A quantity that business measures is named.
    pub(crate) measured: bool,
}

/// Reads a sentence by the rules.
pub(crate) fn score(tokens: &[Token<'_>]) -> Reading {
    let tokens = &tokens[..tokens.len().min(LONGEST_SENTENCE)];
    let hits = hits(tokens);
    let mut turned_words = Vec::new();
    let mut sum = 0.0;
    for (index, hit) in hits.iter().enumerate() {
        let mut value = if hit.entry.direction == 0.0 {
            hit.entry.polarity
        } else {
            match moved(&hits, index) {
                Some(quantity) => {
                    if quantity < 0.0 {
                        turned_words.push(hit.at);
                    }
                    1.5 * hit.entry.direction * quantity
                }
                None => hit.entry.polarity * 0.8,
            }
        };
        // A loss that narrows is already represented by `narrows`.
        if hit.entry.quantity < 0.0 && hit.entry.direction == 0.0 && turned(&hits, index) {
            value = 0.0;
        }
        if value == 0.0 {
            continue;
        }
        for before in hits[..index].iter().rev().take(3) {
            if hit.at - before.at > 4 {
                break;
            }
            if before.entry.negation {
                value *= -0.6;
                break;
            }
            if before.entry.degree != 0.0 && hit.at - before.at <= 2 {
                value *= before.entry.degree;
            }
        }
        sum += value;
    }
    let compared = comparison(tokens, &hits);
    // Numbers weigh more than words.
    let raw = if compared == 0.0 {
        sum
    } else {
        compared * 3.0 + sum * 0.4
    };
    let measured = compared != 0.0
        || hits.iter().any(|hit| hit.entry.quantity != 0.0)
        || tokens.iter().any(|token| token.is(shape::PERCENT));
    Reading {
        raw,
        turned: turned_words,
        measured,
    }
}

fn hits(tokens: &[Token<'_>]) -> Vec<Hit> {
    let mut hits = Vec::with_capacity(tokens.len() / 3 + 1);
    let mut at = 0;
    while at < tokens.len() {
        if let Some((length, entry)) = longest(&tokens[at..]) {
            hits.push(Hit { at, entry: *entry });
            at += length;
        } else {
            at += 1;
        }
    }
    hits
}

/// What a direction moves: the nearest quantity before it, or else after it.
fn moved(hits: &[Hit], index: usize) -> Option<f32> {
    let here = hits[index].at;
    let before = hits[..index]
        .iter()
        .rev()
        .find(|hit| hit.entry.quantity != 0.0)
        .filter(|hit| here - hit.at <= REACH);
    let after = hits[index + 1..]
        .iter()
        .find(|hit| hit.entry.quantity != 0.0)
        .filter(|hit| hit.at - here <= 4);
    match (before, after) {
        (Some(before), Some(after))
            if after.at - here < here - before.at && after.at - here <= 2 =>
        {
            Some(after.entry.quantity)
        }
        (Some(before), _) => Some(before.entry.quantity),
        (None, Some(after)) => Some(after.entry.quantity),
        (None, None) => None,
    }
}

fn turned(hits: &[Hit], index: usize) -> bool {
    let here = hits[index].at;
    hits.iter()
        .any(|hit| hit.entry.direction < 0.0 && hit.at.abs_diff(here) <= 4)
}

/// `to 13.1 mn from 8.7 mn`, `from 8.7 mn to 13.1 mn`, `13.1 mn compared to 8.7 mn`: positive if what should grow has
/// grown. If there are several comparisons, the first informative one counts.
fn comparison(tokens: &[Token<'_>], hits: &[Hit]) -> f32 {
    (1..tokens.len())
        .filter(|&at| links(tokens, at))
        .map(|link| compared_at(tokens, hits, link))
        .find(|value| *value != 0.0)
        .unwrap_or(0.0)
}

fn compared_at(tokens: &[Token<'_>], hits: &[Hit], link: usize) -> f32 {
    let Some((earlier, earlier_at)) = number_after(tokens, link) else {
        return 0.0;
    };
    let Some((now, now_at)) =
        risen_to(tokens, link, earlier_at).or_else(|| number_before(tokens, link))
    else {
        return 0.0;
    };
    if now == earlier || earlier == 0.0 {
        return 0.0;
    }
    let Some(quantity) = hits
        .iter()
        .rev()
        .filter(|hit| hit.at < now_at.min(link) && hit.entry.quantity != 0.0)
        .map(|hit| hit.entry.quantity)
        .next()
    else {
        return 0.0;
    };
    // `turned to a loss of 2 mn from a profit of 3 mn` is decided by its words.
    let other = hits
        .iter()
        .find(|hit| hit.at > link && hit.at < earlier_at && hit.entry.quantity != 0.0)
        .map(|hit| hit.entry.quantity);
    if let Some(other) = other
        && other.signum() != quantity.signum()
    {
        return quantity.signum();
    }
    if now > earlier {
        quantity.signum()
    } else {
        -quantity.signum()
    }
}

/// The amount after `to` in `from 8.7 mn to 13.1 mn`.
fn risen_to(tokens: &[Token<'_>], link: usize, earlier: usize) -> Option<(f64, usize)> {
    let to = (earlier + 1..tokens.len().min(earlier + 4)).find(|&at| tokens[at].text == "to")?;
    (tokens[link].text == "from").then(|| {
        (to + 1..tokens.len().min(to + 4)).find_map(|at| Some((amount(tokens, at)?, at)))
    })?
}

fn links(tokens: &[Token<'_>], at: usize) -> bool {
    match tokens[at].text {
        "from" | "versus" | "vs" | "against" => true,
        "to" | "with" => {
            let compares = |word: &str| word.eq_ignore_ascii_case("compared");
            compares(tokens[at - 1].text)
                || matches!(tokens[at - 1].text, "comparison" | "comparable")
        }
        "for" => tokens[at - 1].text == "than",
        "down" | "up" => tokens.get(at + 1).is_some_and(|next| next.text == "from"),
        _ => false,
    }
}

fn number_before(tokens: &[Token<'_>], link: usize) -> Option<(f64, usize)> {
    (link.saturating_sub(7)..link)
        .rev()
        .find_map(|at| amount(tokens, at).map(|number| (number, at)))
}

fn number_after(tokens: &[Token<'_>], link: usize) -> Option<(f64, usize)> {
    (link + 1..tokens.len().min(link + 12)).find_map(|at| Some((amount(tokens, at)?, at)))
}

/// The amount at a word, with its scale. Years, percentages and quarters do not count.
fn amount(tokens: &[Token<'_>], at: usize) -> Option<f64> {
    let token = &tokens[at];
    if token.is(shape::PERCENT) {
        return None;
    }
    let text = without_currency(token)?;
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let number: f64 = digits.replace(',', "").parse().ok()?;
    let whole_year = (1980.0..2040.0).contains(&number) && !digits.contains(['.', ',']);
    let next = tokens
        .get(at + 1)
        .filter(|next| !next.after(gap::BREAK))
        .map_or("", |next| next.text);
    let suffix = text.get(digits.len()..).unwrap_or("");
    let unit = if suffix.is_empty() { next } else { suffix };
    let scale = match unit {
        "mn" | "million" | "millions" | "m" | "mln" | "mio" | "MN" | "M" => 1e6,
        "bn" | "billion" | "b" | "B" | "BN" => 1e9,
        "trillion" | "tn" => 1e12,
        "k" | "thousand" | "K" => 1e3,
        "crore" | "cr" => 1e7,
        "lakh" => 1e5,
        "pct" | "percent" | "per" => return None,
        _ => 1.0,
    };
    let sign = if token.is(shape::MINUS) { -1.0 } else { 1.0 };
    (!whole_year || scale > 1.0).then_some(sign * number * scale)
}

/// `EUR131m` is a number, just as `131m` is.
fn without_currency<'a>(token: &Token<'a>) -> Option<&'a str> {
    if token.is(shape::NUMBER) {
        return Some(token.text);
    }
    [
        "EUR", "USD", "GBP", "SEK", "NOK", "DKK", "CHF", "JPY", "INR", "Rs", "US",
    ]
    .iter()
    .find_map(|currency| token.text.strip_prefix(currency))
    .filter(|rest| rest.as_bytes().first().is_some_and(u8::is_ascii_digit))
}
