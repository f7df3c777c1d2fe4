//! Sentences that may be printed.

use std::sync::LazyLock;

use model::table;
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Member, wording};
use crate::statement::terms;
use crate::{features, pattern, sentence};

/// How much of a body is read, in bytes and in sentences over all members.
const READ_BYTES: usize = 4_000;
const READ_SENTENCES: usize = 110;

static REFUSED: LazyLock<Regex> = LazyLock::new(|| {
    let phrases: Vec<String> = table::lines(include_str!("../../data/compose/refused.txt"))
        .map(regex::escape)
        .collect();
    pattern::caseless(&phrases.join("|"))
});
static DATELINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?x)^\s*(?:
            [A-Z][\p{L}.'’\-]+(?:[,\s]+[\p{L}.'’\-]+){0,5}\s*\((?:AP|Reuters|REUTERS|AFP|CNN|UPI|Bloomberg|BBC|CBS|NBC|ABC|PTI|ANI|IANS|[A-Z]{2,6})[^)]{0,30}\)\s*[-–—:]*\s*
          | \((?:AP|Reuters|REUTERS|AFP|CNN|UPI|Bloomberg|PTI|[A-Z]{2,8})[^)]{0,20}\)\s*[-–—:]*\s*
          | \p{Lu}[\p{Lu}.'’\-]+(?:[,\s]+[\p{L}.'’\-]+){0,4}(?:,?\s+\p{Lu}[a-z]{2,8}\.?\s+\d{1,2}(?:\s*\([^)]{1,20}\))?)?\s+(?:[-–—]{1,2})\s+
        )",
    )
});
/// Captions name the day in full, and quotations whose speaker stands in the sentence before.
static CAPTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?x)(?-u:\b)(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\s\p{Lu}[a-z]{2,8}\.?\s\d{1,2},\s(?:19|20)\d\d
          | ,\s(?:on\s)?\p{Lu}[a-z]{2,8}\.?\s\d{1,2},\s(?:19|20)\d\d\.$
          | (?-u:\b)in\sthis\s(?:file|undated|still|image|photo|combination)",
    )
});
static UNNAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?-u:\b)(?:he|she|they)\s(?:said|says|added|wrote|told|continued|explained|tweeted|noted)(?-u:\b)",
    )
});
static DEPENDENT: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    table::lines(include_str!("../../data/compose/dependent.txt"))
        .flat_map(str::split_whitespace)
        .collect()
});
static FIRST_PERSON: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    table::lines(include_str!("../../data/compose/first_person.txt"))
        .flat_map(str::split_whitespace)
        .collect()
});

/// What wrongly decoded text looks like.
const MOJIBAKE: [&str; 6] = ["â€", "Ã©", "Ã¨", "â ", "Â ", "\u{fffd}"];

/// A sentence of a member that may be printed.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) text: String,
    pub(super) member: usize,
    /// Its number among the sentences of its member; the teaser comes before the body.
    pub(super) position: usize,
    /// The terms that it contains, ascending and distinct, with their rarity.
    pub(super) terms: Vec<(u32, f32)>,
    /// Leans on the sentence before it.
    pub(super) dependent: bool,
    /// Begins with quoted speech.
    pub(super) speech: bool,
    pub(super) words: usize,
    /// How central it is to the story, filled by [`rate`].
    pub(super) weight: f32,
}

/// The printable sentences of the given members.
pub(super) fn gather(members: &[Member<'_>], read: &[usize]) -> Vec<Candidate> {
    let each = (READ_SENTENCES / read.len().max(1)).clamp(8, 36);
    let mut found: Vec<Candidate> = Vec::new();
    for &index in read {
        let article = members[index].article;
        let first = found.len();
        let mut position = 0;
        let body = sentence::split(opening(&article.body, READ_BYTES));
        let take = |text: &str, found: &mut Vec<Candidate>, position: &mut usize| {
            if let Some(candidate) = judge(text, index, *position)
                && !found[first..]
                    .iter()
                    .any(|other| terms::shared(&candidate.terms, &other.terms) > 0.85)
            {
                found.push(candidate);
            }
            *position += 1;
        };
        for teaser in teaser_sentences(&article.description) {
            take(&teaser, &mut found, &mut position);
        }
        for text in body {
            if position >= each {
                break;
            }
            take(text, &mut found, &mut position);
        }
    }
    found
}

/// The beginning of a text, at most `bytes` long.
fn opening(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// A teaser often lacks its last full stop; where it ends in a plain word and is short it is complete all the same.
fn teaser_sentences(description: &str) -> Vec<String> {
    let mut sentences: Vec<String> = sentence::split(description)
        .into_iter()
        .map(str::to_owned)
        .collect();
    let whole = sentences.len() == 1 && description.trim().len() <= 180;
    if let Some(last) = sentences.last_mut()
        && !wording::is_ended(last)
        && whole
        && last.chars().next_back().is_some_and(char::is_alphanumeric)
        && last.split_whitespace().count() >= 7
    {
        last.push('.');
    }
    sentences
}

fn judge(text: &str, member: usize, position: usize) -> Option<Candidate> {
    if text.len() < 30 || text.len() > 600 {
        return None;
    }
    let mut text = wording::line(text);
    if let Some(found) = DATELINE.find(&text) {
        text.drain(..found.end());
    }
    while text.ends_with("..") && !text.ends_with("...") {
        text.pop();
    }
    let length = text.chars().count();
    let words = text.split(' ').count();
    let first = text.chars().next()?;
    let complete = wording::is_ended(&text) && !text.contains('…') && !text.contains("...");
    // Scripts without spaces say more with fewer characters.
    let spaceless = words * 12 < length;
    let sized = if spaceless {
        (12..=160).contains(&length)
    } else {
        (40..=340).contains(&length) && words >= 6
    };
    let opened = first.is_uppercase()
        || first.is_numeric()
        || "“\"‘'«$£€₹".contains(first)
        || (!first.is_lowercase() && first.is_alphabetic());
    if !complete
        || !sized
        || !opened
        || text.ends_with('?')
        || text.ends_with('!')
        || !is_balanced(&text)
        || is_shouting(&text)
    {
        return None;
    }
    if text.contains([
        '|', '•', '►', '@', '#', '{', '}', '[', ']', '<', '>', '=', '_', '\\',
    ]) || text.contains(" // ")
        || MOJIBAKE.iter().any(|broken| text.contains(broken))
    {
        return None;
    }
    if REFUSED.is_match(&text) || CAPTION.is_match(&text) || speaks_in_first_person(&text) {
        return None;
    }
    let terms = terms::distinct(&text);
    if terms.len() < 4 {
        return None;
    }
    let opening: String = text
        .trim_start_matches(|character: char| !character.is_alphanumeric())
        .chars()
        .take_while(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    Some(Candidate {
        dependent: DEPENDENT.contains(opening.as_str()) || UNNAMED.is_match(&text),
        speech: "“\"‘«".contains(first),
        text,
        member,
        position,
        terms,
        words,
        weight: 0.0,
    })
}

fn is_balanced(text: &str) -> bool {
    let count = |sign: char| text.matches(sign).count();
    count('“') == count('”')
        && count('"').is_multiple_of(2)
        && count('«') == count('»')
        && count('(') == count(')')
}

fn is_shouting(text: &str) -> bool {
    let upper = text
        .chars()
        .filter(|character| character.is_uppercase())
        .count();
    let lower = text
        .chars()
        .filter(|character| character.is_lowercase())
        .count();
    upper > 8 && upper > lower
}

/// Whether the writer speaks of himself or to the reader; what stands in quotation marks is somebody else's.
fn speaks_in_first_person(text: &str) -> bool {
    let mut quoted = false;
    let mut outside = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '“' | '«' => quoted = true,
            '”' | '»' => quoted = false,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '’' => outside.push('\''),
            _ => outside.extend(character.to_lowercase()),
        }
    }
    // `US` and `U.S.` are a country.
    let country = text.contains("US ") || text.contains("US.") || text.contains("US-");
    outside
        .split(|character: char| !character.is_alphanumeric() && character != '\'')
        .any(|word| FIRST_PERSON.contains(word) && !(word == "us" && country))
}

/// Gives each sentence its weight: how many of the story's heavy terms it contains, where it stands, and who says it.
pub(super) fn rate(
    candidates: &mut [Candidate],
    centre: &FxHashMap<u32, f32>,
    members: &[Member<'_>],
) {
    for candidate in candidates {
        let covered: f32 = candidate
            .terms
            .iter()
            .filter_map(|(hash, _)| centre.get(hash))
            .sum();
        let lead = 0.45 + 0.55 / (1.0 + candidate.position as f32 * 0.45);
        let trust = 0.8 + 0.25 * members[candidate.member].trust.weight() as f32;
        let length = (candidate.terms.len() as f32 + 6.0).sqrt();
        let mut weight = covered / length * lead * trust;
        if candidate.speech {
            weight *= 0.6;
        }
        if features::is_opinion(members[candidate.member].article) {
            weight *= 0.6;
        }
        if candidate.words > 45 || candidate.words < 9 {
            weight *= 0.75;
        }
        candidate.weight = weight;
    }
}

/// The heavy terms of the story: the mean of the members' vectors.
pub(super) fn centre(members: &[Member<'_>], leaders: &[usize]) -> FxHashMap<u32, f32> {
    let mut centre: FxHashMap<u32, f32> = FxHashMap::default();
    for &leader in leaders {
        for (term, weight) in &members[leader].annotations.features.terms {
            if weight.is_finite() {
                *centre.entry(*term).or_default() += weight / leaders.len() as f32;
            }
        }
    }
    centre
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for pattern in [&REFUSED, &DATELINE, &CAPTION, &UNNAMED] {
            LazyLock::force(pattern);
        }
    }
}
