//! The headline: the most informative of the members' own headlines.

use std::sync::LazyLock;

use model::table;
use regex::Regex;
use rustc_hash::FxHashMap;

use super::reading::{Headline, Reading};
use super::{Member, wording};
use crate::{features, pattern};

static CLICKBAIT: LazyLock<Regex> = LazyLock::new(|| {
    let phrases: Vec<String> = table::lines(include_str!("../../data/compose/clickbait.txt"))
        .map(regex::escape)
        .collect();
    pattern::caseless(&format!(r"\b(?:{})\b", phrases.join("|")))
});
static PREFIX: LazyLock<Regex> = LazyLock::new(|| {
    pattern::caseless(
        r"^\s*(?:(?:breaking(?: news)?|exclusive|just in|live(?: updates| blog)?|watch(?: live)?|video|photos|listen|opinion|analysis|developing|alert|updated?(?: \d+)?|correct(?:ed|ion)|refile|wrapup(?: \d+)?|factbox|explainer|report|in pictures)\s*(?:[:|]|\s[-–—]\s)\s*|(?:update|wrapup) \d+-)+",
    )
});

/// A headline without leading alarm words, shouting and trailing punctuation. Empty if nothing is left.
pub(super) fn clean(title: &str) -> String {
    let mut title = wording::line(title);
    if let Some(found) = PREFIX.find(&title)
        && title[found.end()..].split_whitespace().count() >= 3
    {
        title.drain(..found.end());
    }
    let mut title = title
        .trim_end_matches([' ', '…', '-', '–', '—', '|', ':', ',', ';'])
        .to_owned();
    if title.ends_with('.') && title.matches('.').count() == 1 {
        title.pop();
    }
    if is_shouting(&title) {
        title = calm(&title);
    }
    let mut characters = title.chars();
    match characters.next() {
        Some(first)
            if first.is_lowercase()
                && characters
                    .clone()
                    .next()
                    .is_none_or(|second| !second.is_uppercase()) =>
        {
            first.to_uppercase().chain(characters).collect()
        }
        _ => title,
    }
}

fn is_shouting(title: &str) -> bool {
    let upper = title
        .chars()
        .filter(|character| character.is_uppercase())
        .count();
    let lower = title
        .chars()
        .filter(|character| character.is_lowercase())
        .count();
    upper >= 12 && lower * 4 < upper
}

/// Turns all-capital words into words with an initial capital.
fn calm(title: &str) -> String {
    title
        .split(' ')
        .map(|word| {
            let mut characters = word.chars();
            let first = characters.next().into_iter();
            if word.chars().count() <= 3 && word.chars().any(|character| !character.is_alphabetic())
            {
                word.to_owned()
            } else {
                first
                    .chain(characters.flat_map(char::to_lowercase))
                    .collect()
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// The member whose headline best represents the story, and that headline.
pub(super) fn choose(
    members: &[Member<'_>],
    readings: &[&Reading],
    read: &[usize],
    centre: &FxHashMap<u32, f32>,
) -> (usize, String) {
    let mut best: Option<(f32, usize)> = None;
    for &index in read {
        let headline = &readings[index].headline;
        if headline.text.is_empty() {
            continue;
        }
        let score = judge(headline, &members[index], centre);
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, index));
        }
    }
    if let Some((_, index)) = best {
        return (index, readings[index].headline.text.clone());
    }
    let first = read.first().copied().unwrap_or(0);
    (
        first,
        format!("Report by {}", wording::outlet(&members[first])),
    )
}

fn judge(headline: &Headline, member: &Member<'_>, centre: &FxHashMap<u32, f32>) -> f32 {
    let (title, terms) = (headline.text.as_str(), &headline.terms);
    let covered: f32 = terms.iter().filter_map(|(hash, _)| centre.get(hash)).sum();
    let mut score = covered / (terms.len() as f32 + 3.0).sqrt();
    score *= 0.6 + 0.5 * member.trust.weight() as f32;
    let length = title.chars().count();
    if !(35..=115).contains(&length) {
        score *= 0.7;
    }
    if title.ends_with('?') {
        score *= 0.5;
    }
    if title.ends_with('!')
        || title.contains("...")
        || title.contains('…')
        || member.article.title.trim_end().ends_with('…')
    {
        score *= 0.5;
    }
    if CLICKBAIT.is_match(title) {
        score *= 0.55;
    }
    if features::is_opinion(member.article)
        || ["Why ", "How ", "What "]
            .iter()
            .any(|word| title.starts_with(word))
    {
        score *= 0.7;
    }
    if features::is_template(title) {
        score *= 0.4;
    }
    if title.starts_with(['"', '“', '\'', '‘', '«']) {
        score *= 0.8;
    }
    // A sensational text has a sensational headline.
    score *= 1.0 - 0.4 * member.annotations.bias.sensational.clamp(0.0, 1.0) as f32;
    score + 1e-4 * terms.len() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for pattern in [&CLICKBAIT, &PREFIX] {
            LazyLock::force(pattern);
        }
    }
}
